"""python3 -m tacho: runs a program and records its calls."""
import argparse
import builtins
import io
import os
import re
import runpy
import sys
import types

from . import _record
from .recorder import PACKAGE, Recording, Settings

UNITS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
FORMATS = re.compile(r"\.(tacho|((pb|pftrace|perfetto-trace|json|csv|html)(\.gz|\.zst)?))$")  # of what -o may be


def duration(text):
    """Nanoseconds of "10us"; a number alone is of microseconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is no duration: 10us, 1.5ms, 2s")
    return round(float(found[1]) * UNITS[found[2] or "us"])


def depth(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no depth: 1 or more")
    return int(text)


def parse(arguments, name):
    parser = argparse.ArgumentParser(
        prog=f"python3 -m {name}", usage="%(prog)s [options] [-m] script.py|module [argument]...",
        description="Runs a Python program and records its calls, so that nothing is lost when it is killed.",
        epilog="The recording is read by every verb of tacho: summary, operators, convert, compare.")
    parser.add_argument("-m", dest="module", action="store_true", help="what follows is a module")
    parser.add_argument("-c", dest="command", action="store_true", help="what follows is a program itself")
    parser.add_argument("-p", dest="partial", action="store_true",
                        help="record only inside of zones, and where a Profiler is enabled")
    parser.add_argument("-l", dest="lines", action="store_true", help="record each line; only with -p")
    parser.add_argument("-o", "--out", metavar="FILE", help="recording (.tacho), or a trace made of it (.pb, .json, ...)")
    parser.add_argument("--include", metavar="GLOB", action="append", default=[],
                        help="record only functions of these files, or of these names")
    parser.add_argument("--exclude", metavar="GLOB", action="append", default=[], help="leave these out")
    parser.add_argument("--min-duration", metavar="T", type=duration, default=0, help="leave out calls shorter than this: 10us")
    parser.add_argument("--max-depth", metavar="N", type=depth, default=0, help="leave out calls deeper than this")
    parser.add_argument("--no-c-calls", dest="c_calls", action="store_false", help="leave out functions written in C")
    parser.add_argument("--tracy-name", action="store_true", help="the program may say `from tracy import Profiler`")
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.program[:1] == ["--"]:
        del options.program[0]
    if options.lines and not options.partial:
        parser.error("-l is only for parts of a program: it wants -p")
    if options.module and options.command:
        parser.error("-m and -c exclude each other")
    if not options.program:
        parser.error("what shall be run?")
    if options.out and not os.path.isdir(options.out) and not FORMATS.search(options.out):
        parser.error(f"{options.out}: the suffix names no format; use .tacho, .pb, .json, .speedscope.json, .csv or .html")
    return options


# ---- The program, as Python itself would run it ----


def load_module(name=None):
    """Code and specification of the module that `python3 -m name` runs; without a name, of the __main__ that sys.path finds first."""
    try:
        _, spec, code = runpy._get_module_details(name) if name else runpy._get_main_module_details()
    except ImportError as error:
        sys.exit(f"{sys.executable}: {error}")
    return code, spec


def load_script(path):
    """Of a file, or of a folder or archive with a __main__.py in it."""
    if os.path.isdir(path) or path.endswith((".zip", ".pyz")):
        sys.path.insert(0, os.path.abspath(path))
        return load_module()
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {os.path.abspath(path)!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        sys.exit(2)
    if not sys.flags.safe_path:
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    return compile(source, os.path.abspath(path), "exec", dont_inherit=True), None


def load(options):
    """The code of the program, and its main module in the place of ours; sys.argv and sys.path are its own."""
    name, arguments = options.program[0], options.program[1:]
    here = "" if getattr(sys.flags, "safe_path", False) else sys.path.pop(0)
    main = types.ModuleType("__main__")
    main.__builtins__ = builtins
    sys.argv[:] = [name, *arguments]
    spec = None
    if options.command:
        sys.path.insert(0, "")
        sys.argv[0] = "-c"
        code = compile(name, "<string>", "exec", dont_inherit=True)
    elif options.module:
        sys.path.insert(0, here)
        sys.argv[0] = "-m"
        code, spec = load_module(name)
        sys.argv[0] = spec.origin
    else:
        main.__file__, main.__cached__ = os.path.abspath(name), None
        code, spec = load_script(name)
    if spec:
        main.__spec__, main.__loader__, main.__file__ = spec, spec.loader, spec.origin
        main.__package__, main.__cached__ = spec.parent, spec.cached
    sys.modules["__main__"] = main
    return code, main.__dict__


def without_us(traceback):
    """From the program's first frame on."""
    while traceback and (traceback.tb_frame.f_code.co_filename.startswith(PACKAGE + os.sep)
                         or traceback.tb_frame.f_code.co_filename in ("<frozen runpy>", runpy.__file__)):
        traceback = traceback.tb_next
    return traceback


def show_without_us():
    """Python shows the exception that ends the program, and gives its exit status: only the frames of this package shall not be there."""
    shown = sys.excepthook

    def hook(kind, value, traceback):
        traceback = without_us(traceback)
        shown(kind, value.with_traceback(traceback), traceback)
    sys.excepthook = hook


def main(name="tacho"):
    options = parse(sys.argv[1:], name)
    if options.tracy_name:
        sys.path.append(os.path.join(PACKAGE, "as_tracy"))
    settings = Settings(options.partial, options.lines, options.include, options.exclude, options.min_duration, options.max_depth,
                        options.c_calls)
    try:
        code, namespace = load(options)
        recording = Recording(settings, options.out, sys.argv[0] if options.command or not options.module else options.program[0])
        try:
            recording.begin()
        except OSError as error:
            print(f"python3 -m {name}: {error}", file=sys.stderr)
            sys.exit(4)
        _record.name_process(os.path.basename(options.program[0]) if not options.command else "python -c")
        _record.execute(code, namespace)
    except SystemExit:
        raise
    except BaseException:
        show_without_us()
        raise


if __name__ == "__main__":
    main()
