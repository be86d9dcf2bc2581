"""The installed libraries: programs are compiled against them as their authors would, by pkg-config, make, cmake or from the two joined files,
and run; and `make install` and `make uninstall` themselves."""
import collections
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

import perfetto_decode
import recording_reference
import tool

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = tool.BUILD
DATA = ROOT / "tests" / "data"
SANITIZE = ["-fsanitize=address,undefined"] if os.environ.get("TACHO_SANITIZED") else []
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


class Installed:
    """A tree that `meson install` filled."""

    def __init__(self, folder):
        self.folder = folder
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder)
        self.package = next(folder.rglob("tacho.pc"))
        self.header = next(folder.rglob("tacho/tacho.h"))
        self.library = next(folder.rglob("libtacho.so"))

    def variables(self):
        """Of whoever builds or runs a program with it."""
        return {**os.environ, "PKG_CONFIG_PATH": str(self.package.parent), "PKG_CONFIG_SYSROOT_DIR": str(self.folder),
                "LD_LIBRARY_PATH": str(self.library.parent), "TACHO_RECORD": ""}

    def pkg_config(self, *options, package="tacho"):
        return shlex.split(run("pkg-config", *options, package, env=self.variables()))

    def compile(self, source, program, compiler="cc", options=(), package="tacho"):
        run(compiler, *STRICT, *SANITIZE, *options, source, *self.pkg_config("--cflags", "--libs", package=package), "-o", program)
        return program

    def record(self, program, file):
        """What `tacho record` says of a program, and how often each zone is in the recording."""
        said = run(next(self.folder.rglob("bin/tacho")), "record", "-o", file, "--", program, env=self.variables())
        zones = collections.Counter()
        for process in recording_reference.read(file) if file.exists() else []:
            zones.update(zone[1] for zone in process.zones()[0])
        return said, zones

    def start(self, *command):
        """What it printed, its exit code and its complaints."""
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=self.variables())
        return done.stdout, done.returncode, done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def render(installed):
    return installed.compile(ROOT / "examples" / "render.c", installed.folder / "render", options=["-std=c17"])


def slices_of(path):
    trace = perfetto_decode.decode_file(path)
    return trace, sorted((trace.path(found.track), found.name, found.start, found.duration, found.depth) for found in trace.slices)


def test_the_example_draws_its_own_timeline(installed, render, tmp_path):
    printed, code, complaint = installed.start(render, tmp_path / "own.pb")
    assert (printed, code, complaint) == ("", 0, "")
    trace, slices = slices_of(tmp_path / "own.pb")
    assert slices == [
        ("My NPU/Compute", "conv2d", 3000, 7000, 0),
        ("My NPU/DMA", "load input", 1000, 2000, 0),  # overlaps: a line of its own
        ("My NPU/DMA", "load weights", 0, 2000, 0),
        ("My host/main", "inference", 0, 11000, 0),
        ("My host/main", "print result", 11000, 1000, 0),
        ("My host/main", "wait", 500, 9500, 1),
    ]
    weights = next(found for found in trace.slices if found.name == "load weights")
    assert weights.args == {"bytes": 16384, "note": "first layer"}
    assert [(trace.path(track), time, value) for track, time, value in trace.counters] == [
        ("My host/Jobs queued", 0, 2), ("My host/Jobs queued", 10000, 0)]


def test_the_example_reads_profiles(installed, render, tmp_path):
    profile = DATA / "torq-compile" / "c1.csv"
    printed, code, complaint = installed.start(render, tmp_path / "both.pb", profile, DATA / "torq-runtime" / "runtime_r2.csv")
    assert (code, complaint) == (0, "")
    assert f"{profile}: torq-compile, 6 rows, 0 lost\n" in printed
    assert re.search(r"^  OVERALL +3125 ns 100.00%$", printed, re.MULTILINE)
    assert "torq-runtime" in printed
    _, slices = slices_of(tmp_path / "both.pb")
    assert ("My NPU/Compute", "conv2d", 3000, 7000, 0) in slices
    assert ("c1.csv/Slice 0", "conv2d", 640, 1610, 0) in slices
    assert any(path.startswith("runtime_r2.csv/") for path, *_ in slices)
    assert any(path.startswith("c1.csv Overview/") for path, *_ in slices)


def test_the_example_writes_every_format(installed, render, tmp_path):
    for name in ("t.json", "t.speedscope.json", "t.csv", "t.pb.gz", "t.pftrace.zst"):
        assert installed.start(render, tmp_path / name)[1:] == (0, "")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert json.loads((tmp_path / "t.speedscope.json").read_text())["profiles"]
    assert (tmp_path / "t.csv").read_text().count(",custom,") == 6
    assert slices_of(tmp_path / "t.pb.gz")[1]


def test_the_example_complains(installed, render, tmp_path):
    printed, code, complaint = installed.start(render)
    assert (printed, code) == ("", 2) and "usage" in complaint
    printed, code, complaint = installed.start(render, tmp_path / "bad.pb", tmp_path / "missing.csv")
    assert (printed, code) == ("", 1) and "missing.csv" in complaint
    printed, code, complaint = installed.start(render, tmp_path / "bad.xyz")
    assert (printed, code) == ("", 1) and "suffix" in complaint
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_that_of_the_package(installed, render):
    version = installed.pkg_config("--modversion")[0]
    assert f"libtacho {version})" in installed.start(render)[2]


def test_the_header_stands_alone(installed):
    text = installed.header.read_text()
    assert set(re.findall(r"#include\s+(\S+)", text)) == {"<stdbool.h>", "<stddef.h>", "<stdint.h>"}
    for compiler, language, standard in (("cc", "c", "c99"), ("c++", "c++", "c++11")):
        run(tool.need(compiler), *STRICT, "-x", language, f"-std={standard}", "-fsyntax-only", *installed.pkg_config("--cflags"),
            "-include", "tacho/tacho.h", "/dev/null")


def test_exactly_the_public_functions_are_exported(installed):
    declared = set(re.findall(r"^TACHO_API[^;(]*?(\w+)\(", installed.header.read_text(), re.MULTILINE))
    symbols = run("nm", "-D", "--defined-only", installed.library).splitlines()
    exported = {line.split()[-1].split("@")[0] for line in symbols}
    # Names with an underscore belong to the linker and the sanitizers.
    assert {name for name in exported if not name.startswith("_")} == declared
    assert all(name.startswith("tacho_") for name in declared)


def test_installed_completion_asks_the_tool(installed):
    """What is installed does what the tool prints, without being made by running it."""
    variables = {**installed.variables(), "PATH": f"{next(installed.folder.rglob('bin/tacho')).parent}:{os.environ['PATH']}"}
    bash, = installed.folder.rglob("bash-completion/completions/tacho")
    words = 'source "$1"; COMP_WORDS=(tacho sum); COMP_CWORD=1; _tacho; echo "${COMPREPLY[@]}"; complete -p tacho'
    assert run("bash", "-c", words, "bash", bash, env=variables) == "summary\ncomplete -F _tacho tacho\n"
    zsh, = installed.folder.rglob("site-functions/_tacho")
    assert zsh.read_text().startswith("#compdef tacho\n")
    words = 'fpath=("$1"); autoload -Uz _tacho; _describe() { print -l $verbs }; CURRENT=2; words=(tacho ""); _tacho'
    verbs = run(tool.need("zsh"), "-f", "-c", words, "zsh", zsh.parent, env=variables).splitlines()
    assert any(verb.startswith("summary:") for verb in verbs)


# ---- programs that are recorded --------------------------------------------------------------------------------------

INFER = {"load_weights": 1, "inference": 5, "multiply": 15, "activate": 15}


def example(folder):
    """A copy of the example, as somebody else's project."""
    return pathlib.Path(shutil.copytree(ROOT / "examples" / "record", folder / "record"))


def symbols_of_tacho(program):
    return [line for line in run("nm", program).splitlines() if "tacho" in line]


def check_example(installed, program, enabled, folder):
    said, zones = installed.record(program, folder / "infer.tacho")
    if enabled:
        assert zones == INFER and "multiply" in said and symbols_of_tacho(program)
    else:
        assert not zones and "nothing was recorded" in said and not symbols_of_tacho(program)


@pytest.mark.parametrize("enabled", [False, True])
def test_the_example_with_make(installed, tmp_path, enabled):
    folder = example(tmp_path)
    flags = " ".join(["-O2", *STRICT, *SANITIZE])
    run(tool.need("make"), "-C", folder, f"CFLAGS={flags}", *(["ENABLE_TACHO=1"] if enabled else []), env=installed.variables())
    check_example(installed, folder / "infer", enabled, tmp_path)


@pytest.mark.parametrize("enabled", [False, True])
def test_the_example_with_cmake(installed, tmp_path, enabled):
    folder = example(tmp_path)
    build = tmp_path / "build"
    run(tool.need("cmake"), "-S", folder, "-B", build, f"-DENABLE_TACHO={'ON' if enabled else 'OFF'}",
        f"-DCMAKE_C_FLAGS={' '.join(SANITIZE)}", env=installed.variables())
    run("cmake", "--build", build, env=installed.variables())
    check_example(installed, build / "infer", enabled, tmp_path)


@pytest.mark.slow
def test_the_two_joined_files_alone(installed, tmp_path):
    for name in ("tacho_record.c", "tacho_record.h"):
        shutil.copy(next(installed.folder.rglob(f"share/tacho/{name}")), tmp_path)
    text = (ROOT / "examples" / "record" / "infer.c").read_text().replace("<tacho/zone.h>", '"tacho_record.h"')
    (tmp_path / "infer.c").write_text(text)
    run("cc", "-O2", "-Wall", "-Wextra", "-Werror", *SANITIZE, "infer.c", "tacho_record.c", "-o", "infer", "-pthread", cwd=tmp_path)
    assert installed.record(tmp_path / "infer", tmp_path / "infer.tacho")[1] == INFER
    assert "libtacho" not in run("ldd", tmp_path / "infer")


def test_a_program_in_cpp(installed, tmp_path):
    source = tmp_path / "marked.cpp"
    source.write_text("""
#include <string>
#include <thread>
#include <tacho/zone.hpp>

static void work(int number)
{
    TACHO_ZONE("work");
    tacho::argument("number", number);
    tacho::zone_named named(TACHO_HERE_SITE, "step " + std::to_string(number));
}

int main()
{
    TACHO_RUN("all");
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    work(3);
}
""")
    program = installed.compile(source, tmp_path / "marked", compiler=tool.need("c++"), options=["-std=c++11", "-pthread"],
                                package="tacho-record")
    said, zones = installed.record(program, tmp_path / "marked.tacho")
    assert zones["all"] == 1 and zones["work"] == 6 and "work" in said


# ---- make install ----------------------------------------------------------------------------------------------------


@pytest.fixture
def front_door():
    """make on the build that is tested; its prefix is as before at the end."""
    def call(*words, **variables):
        return run(tool.need("make"), "-C", ROOT, f"BUILD={BUILD}", *words, env={**os.environ, **variables})

    options = json.loads(run("meson", "introspect", BUILD, "--buildoptions"))
    before = next(option["value"] for option in options if option["name"] == "prefix")
    yield call
    run("meson", "configure", BUILD, f"-Dprefix={before}")
    run("ninja", "-C", BUILD)


@pytest.mark.alone
@pytest.mark.once("once is enough: the rules are the same")
def test_make_install_and_uninstall(front_door, tmp_path):
    told = front_door("install", f"PREFIX={tmp_path / 'there'}")
    tacho = tmp_path / "there" / "bin" / "tacho"
    place, = re.findall(r"export LD_LIBRARY_PATH=(\S+)$", told, re.MULTILINE)
    package, = re.findall(r"export PKG_CONFIG_PATH=(\S+)$", told, re.MULTILINE)
    # What it told is enough to build a program and to start it.
    variables = {**os.environ, "PKG_CONFIG_PATH": package, "LD_LIBRARY_PATH": place, "PATH": f"{tacho.parent}:{os.environ['PATH']}"}
    folder = example(tmp_path)
    run("make", "-C", folder, "ENABLE_TACHO=1", env=variables)
    run("tacho", "record", "-o", tmp_path / "infer.tacho", "--", folder / "infer", env=variables)
    process, = recording_reference.read(tmp_path / "infer.tacho")
    assert collections.Counter(zone[1] for zone in process.zones()[0]) == INFER
    front_door("uninstall")
    assert not [path for path in (tmp_path / "there").rglob("*") if not path.is_dir()]


@pytest.mark.alone
@pytest.mark.once("once is enough: the rules are the same")
def test_make_install_into_a_tree(front_door, tmp_path):
    told = front_door("install", "PREFIX=/opt/tacho", f"DESTDIR={tmp_path / 'tree'}")
    tacho = tmp_path / "tree" / "opt" / "tacho" / "bin" / "tacho"
    assert run(tacho, "--version").startswith("tacho ") and "LD_LIBRARY_PATH" not in told
    assert "prefix=/opt/tacho\n" in next((tmp_path / "tree").rglob("tacho-record.pc")).read_text()
    front_door("uninstall", f"DESTDIR={tmp_path / 'tree'}")
    assert not tacho.exists()
