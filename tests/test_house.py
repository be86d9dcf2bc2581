"""House rules that no compiler checks: which room may include which, sizes, and words that must not be there."""
import pathlib
import re
import shutil
import subprocess

import pytest

import tool

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What a room may include besides itself. A chain includes the core, never another chain; the core includes no chain.
CORE = {
    "base": set(),
    "trace": {"base"},
    "table": {"base"},
    "write": {"base", "trace", "table"},
    "analyze": {"base", "trace", "table"},
    "page": {"base", "trace", "table", "write", "analyze"},
    "read": {"base", "trace"},
    "job": {"base", "trace", "table", "write", "analyze", "page", "read"},
}
CHAINS = {"torq", "executorch", "tenstorrent", "gpu"}
ROOMS = CORE | {chain: set(CORE) for chain in CHAINS} | {"cli": set(CORE) | CHAINS | {"serve", "query", "history"}, "serve": set(CORE) | {"query", "history"}, "query": set(CORE), "history": set(CORE), "record": set()}
# Single files of a room that another may include: what a recording is, is told in one place.
SINGLE = {("read", "record/format.h"), ("job", "record/format.h"), ("tenstorrent", "record/op_keys.h")}
# The recorder is linked into programs of others: it includes nothing of ours but its own files and what it installs.
RECORDER = re.compile(r"(tacho/)?[a-z_]+\.h")
# What still breaks the rule. This list only gets shorter.
EXCEPTIONS = set()
OUR_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
GENERATED = {"embedded.h", "version.h"}


def sources():
    """All files in rooms; src/chains.c, which lists the chains, is in none."""
    return sorted(path for pattern in ("*/**/*.c", "*/**/*.h") for path in (ROOT / "src").glob(pattern))


def wrong_includes(path, text):
    room = path.relative_to(ROOT / "src").parts[0]
    for target in OUR_INCLUDE.findall(text):
        other = target.split("/")[0]
        if room == "record" and RECORDER.fullmatch(target):
            continue
        if target in GENERATED or other == room or other in ROOMS[room] or (room, target) in SINGLE:
            continue
        yield f"{path.relative_to(ROOT)} includes {target}"


def test_every_room_is_known():
    assert {path.relative_to(ROOT / "src").parts[0] for path in sources()} <= set(ROOMS)


def test_rooms_include_only_what_they_may():
    problems = {problem for path in sources() for problem in wrong_includes(path, path.read_text())}
    assert not problems - EXCEPTIONS, "\n".join(sorted(problems - EXCEPTIONS))
    assert not EXCEPTIONS - problems, "no longer needed:\n" + "\n".join(sorted(EXCEPTIONS - problems))


def test_the_include_rule_can_fail():
    assert list(wrong_includes(ROOT / "src/base/memory.c", '#include "trace/sink.h"\n'))
    assert list(wrong_includes(ROOT / "src/torq/compile.c", '#include "tenstorrent/markers.h"\n'))
    assert list(wrong_includes(ROOT / "src/trace/store.c", '#include "torq/program.h"\n'))
    assert not list(wrong_includes(ROOT / "src/write/chrome.c", '#include "trace/sink.h"\n'))


WORD = re.compile(r'"([^"\\\\]+)"')
# Names of tool chains and of their files, which no file of the core says, not even in a comment.
FOREIGN = re.compile(r"(?i)torq|executorch|tenstorrent|xnn|etdump|etrecord|mlir|tracy|\btt[_-]")


def registered_words():
    """What chains register: keys of engines and arguments, names of options, texts of losses, ids of formats."""
    words = set()
    for chain in CHAINS:
        for path in (ROOT / "src" / chain).glob("*.c"):
            if path.name not in ("chain.c", "companions.c") and ".id =" not in path.read_text():
                continue
            text = path.read_text()
            words |= set(re.findall(r'\.id = "([^"]+)"', text))
            words |= set(re.findall(r'struct engine \w+ = \{\s*\.key = "([^"]+)"', text))
            for table in re.findall(r"struct (?:argument_key|chain_option) \w+\[\] = \{(.*?)\n\};", text, re.DOTALL):
                words |= set(re.findall(r'\{ "([^"]+)"', table))
            words |= set(re.findall(r'struct loss_reason \w+ = \{\s*\.text = "([^"]+)"', text))
    return words


def core_words():
    """What the core itself registers, which chains may use too."""
    text = "".join((ROOT / "src" / name).read_text() for name in ("trace/model.h", "trace/model.c", "analyze/metrics.c"))
    return set(WORD.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))


def foreign_words(path, text, words):
    found = sorted(words & set(WORD.findall(text))) + sorted(set(FOREIGN.findall(text)))
    return [f"{path.relative_to(ROOT)}: {word}" for word in found]


def test_no_file_of_the_core_names_what_a_chain_has():
    # Ordinary words, which the core uses for things of its own.
    words = registered_words() - core_words() - {"call", "data", "value", "load", "cores", "cycles", "task", "slice", "slices", "operation", "waiting", "imbalance", "job"}
    assert len(words) > 30 and {"dma_in", "start_action", "fidelity", "etdump", "source-dir"} <= words
    problems = [problem for path in sources() if path.relative_to(ROOT / "src").parts[0] in set(CORE) | {"serve", "query", "history", "cli"}
                for problem in foreign_words(path, path.read_text(), words)]
    assert not problems, "\n".join(problems)


def test_the_rule_of_words_can_fail():
    words = registered_words()
    assert foreign_words(ROOT / "src/trace/busy.c", 'if (strcmp(key, "dma_in") == 0)', words)
    assert foreign_words(ROOT / "src/trace/busy.c", "/* as Torq has it */", words)


def test_every_file_says_what_it_is():
    folders = ("src", "include", "fuzz", "bench", "tests", "examples")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.[ch]")]
    wrong = [str(path.relative_to(ROOT)) for path in files if not path.read_text().startswith(f"/* {path.name}: ")]
    assert files and not wrong, "\n".join(wrong)


def test_headers_are_under_300_lines_and_files_under_900():
    too_long = []
    for path in sources():
        lines = path.read_text().count("\n")
        if lines > (300 if path.suffix == ".h" else 900):
            too_long.append(f"{path.relative_to(ROOT)}: {lines}")
    assert not too_long, "\n".join(too_long)


def test_only_the_commands_print_or_exit():
    forbidden = re.compile(r"(?<![\w_])(printf|puts|putchar|perror|exit|abort|_exit)\s*\(")
    problems = []
    for path in sources():
        if path.relative_to(ROOT / "src").parts[0] == "cli":
            continue
        # They end a process that they have made themselves.
        if path in (ROOT / "src" / "serve" / "live_caller.c", ROOT / "src" / "serve" / "store.c"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if forbidden.search(line) and not line.lstrip().startswith(("*", "/*", "//")):
                problems.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not problems, "\n".join(problems)


def test_memory_goes_through_one_door():
    heap = re.compile(r"(?<![\w_])(malloc|calloc|realloc|free|strdup)\s*\(")
    problems = []
    for path in sources():
        if path.name == "memory.c" or path.relative_to(ROOT / "src").parts[0] == "record":
            continue  # the recorder has no heap: see test_the_recorder_allocates_nothing
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if heap.search(line) and "->free(" not in line and "sqlite.free(" not in line and not line.lstrip().startswith(("*", "/*", "//")):
                problems.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not problems, "\n".join(problems)


def test_the_recorder_allocates_nothing():
    """It may be called from a signal handler: memory comes from the kernel. Ops and markers of devices are no such calls."""
    heap = re.compile(r"(?<![\w_])(malloc|calloc|realloc|strdup)\s*\(")
    problems = [path.name for path in (ROOT / "src" / "record").glob("*.c")
                if not path.name.startswith(("device_", "ops")) and heap.search(path.read_text())]
    assert not problems, "\n".join(problems)


def names_from_git():
    """The files of the repository; none where git is not installed or this is no clone."""
    if not shutil.which("git"):
        return []
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name]


def names_in_folders():
    """The same without git: all files but those of git itself, those that `make dist` adds, and those that the Makefile, tests and Python leave
    behind."""
    made = re.compile(r"(\.git|build|build-[^/]*|demo-output|web/bundled)(/|$)|(.*/)?(__pycache__|\.pytest_cache|[^/]*\.egg-info)/|examples/.*\.(o|elf)$")
    names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
    return [name for name in names if not made.match(name)]


def names_of_files():
    return names_from_git() or names_in_folders()


def unformatted(paths):
    """Those that clang-format would change."""
    done = subprocess.run([tool.need("clang-format"), "--dry-run", "-Werror", *paths], cwd=ROOT, capture_output=True, text=True)
    found = set(re.findall(r"^(\S.*?):\d+:\d+: error: ", done.stderr, re.MULTILINE))
    assert found or done.returncode == 0, done.stderr
    return sorted(found)


@pytest.mark.slow
@pytest.mark.once("once is enough: the files are the same")
def test_c_files_are_formatted():
    found = unformatted([name for name in names_of_files() if name.endswith((".c", ".h")) and (ROOT / name).is_file()])
    assert not found, "make format changes:\n" + "\n".join(found)


def test_the_format_rule_can_fail(tmp_path):
    shutil.copy(ROOT / ".clang-format", tmp_path)
    (tmp_path / "good.c").write_text("int one;\n")
    (tmp_path / "bad.c").write_text("int  one;\n")
    assert unformatted([tmp_path / "bad.c", tmp_path / "good.c"]) == [str(tmp_path / "bad.c")]


def test_the_repository_stands_alone():
    words = ["/" + "work/", ".." + "/shared", "TO" + "DO", "FIX" + "ME"]
    names = names_of_files()
    assert "README.md" in names
    problems = []
    for name in names:
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        problems += [f"{name}: {word}" for word in words if word.encode() in data]
    assert not problems, "\n".join(problems)
