"""The manual says what the tool does: examples are run, options are compared, pages and completion scripts load.

    tests/test_manual.py --write        runs the examples and puts what they print into the pages

An example is a block between .EX and .EE whose first line begins with "$ ". It runs in a folder that holds copies of
doc/man/examples, all blocks of a page one after the other. What a person would see, both streams, must be what the page
shows; a line "..." stands for any number of lines.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import pytest
except ImportError:  # --write needs none
    pytest = None
import tool

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANUAL = ROOT / "doc" / "man"
PAGES = sorted(MANUAL.glob("*.1"))
VERBS = re.findall(r"^  ([a-z-]+)  +\S", tool.good("--help").text, re.MULTILINE)
COLUMNS = 70  # what fits beside the margin of a page on 80 columns
MARK = "\x01example"

# What stands in a page for a character of its own; the backslash comes first in one direction and last in the other.
ESCAPES = [("\\e", "\\"), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~")]


# ---- pages ----------------------------------------------------------------------------------------------------------


def plain(line):
    """A line of a page as it is shown."""
    if line.startswith("\\&"):
        line = line[2:]
    line = re.sub(r"\\f\[?[A-Z]\]?", "", line)
    for escape, sign in ESCAPES[1:]:
        line = line.replace(escape, sign)
    return line.replace(*ESCAPES[0])


def escaped(line):
    """A line that is to be shown as it is."""
    for escape, sign in ESCAPES:
        line = line.replace(sign, escape)
    return "\\&" + line if line[:1] in (".", "\\") and not line.startswith("\\-") else line


def blocks(page):
    """(first line, last line, shown lines) of each .EX block of a page."""
    lines = page.read_text().splitlines()
    found = []
    for number, line in enumerate(lines):
        if line == ".EX":
            start = number + 1
        elif line == ".EE":
            found.append((start, number, [plain(text) for text in lines[start:number]]))
    return found


def steps(shown):
    """The commands of a block, each with the lines that it should print."""
    result = []
    for line in shown:
        if line.startswith("$ "):
            result.append([[line[2:]], []])
        elif result and line.startswith("> ") and not result[-1][1]:
            result[-1][0].append(line[2:])
        elif result:
            result[-1][1].append(line)
    return result


def examples(page):
    return [block for block in blocks(page) if block[2] and block[2][0].startswith("$ ")]


def run_block(shown, folder):
    """What each command of a block prints, as lists of lines."""
    commands = steps(shown)
    script = [f"mark() {{ code=$?; printf '\\n{MARK}\\n'; return $code; }}"]
    for words, _ in commands:
        script += ["mark", "\n".join(words)]
    programs = pathlib.Path(folder, ".bin")
    programs.mkdir(exist_ok=True)
    if not (programs / "tacho").exists():
        (programs / "tacho").symlink_to(pathlib.Path(tool.TACHO).resolve())
    environment = {key: value for key, value in os.environ.items() if key.startswith(("ASAN_", "UBSAN_", "LSAN_"))}
    environment.update(PATH=f"{programs}:/usr/bin:/bin", COLUMNS=str(COLUMNS), LC_ALL="C.UTF-8", HOME=str(folder))
    output = subprocess.run(["sh", "-c", "\n".join(script)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120).stdout.decode()
    return [printed_lines(part[1:]) for part in output.split(f"\n{MARK}")[1:]]


def printed_lines(text):
    return text.removesuffix("\n").split("\n") if text else []


def agrees(expected, printed):
    """The printed lines are the expected ones; "..." stands for any number of them."""
    if "..." not in expected:
        return expected == printed
    cut = expected.index("...")
    rest = expected[cut + 1:]
    if expected[:cut] != printed[:cut]:
        return False
    return any(agrees(rest, printed[start:]) for start in range(cut, len(printed) + 1))


def fresh_folder(name):
    folder = pathlib.Path(name)
    for file in (MANUAL / "examples").iterdir():
        shutil.copy(file, folder)
    return folder


def options_of_help(verb):
    text = tool.good(verb, "--help").text
    return set(re.findall(r"^ .*?(--[A-Za-z][\w-]*)", text, re.MULTILINE)) | \
        set(re.findall(r"^  (-[A-Za-z]), ", text, re.MULTILINE))


def options_of_page(page):
    lines = page.read_text().splitlines()
    tags = [plain(lines[i + 1]) for i, line in enumerate(lines[:-1]) if line in (".TP", ".TQ")]
    words = set()
    for tag in tags:
        words |= set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", tag))
    return words


def see_also():
    """The last section of the first page: the pages of all verbs."""
    names = [f".BR tacho\\-{escaped(verb)} (1)" for verb in sorted(VERBS)]
    return '.SH "SEE ALSO"\n' + ",\n".join(names) + "\n"


# ---- tests ----------------------------------------------------------------------------------------------------------

if pytest:
    each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
    each_verb = pytest.mark.parametrize("verb", VERBS)

    @each_page
    def test_the_examples_print_what_the_page_shows(page, tmp_path):
        folder = fresh_folder(tmp_path)
        for first, _, shown in examples(page):
            for (words, expected), printed in zip(steps(shown), run_block(shown, folder), strict=True):
                assert agrees(expected, printed), f"{page.name}:{first + 1}: {words[0]}\n" + "\n".join(printed)

    @each_page
    def test_a_page_has_examples_and_the_usual_sections(page):
        text = page.read_text()
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"):
            assert re.search(rf'^\.SH "?{section}"?$', text, re.MULTILINE), section
        assert examples(page)

    @each_page
    def test_no_line_of_an_example_is_too_wide(page):
        wide = [line for _, _, shown in blocks(page) for line in shown if len(line) > 80]
        assert not wide, "\n".join(wide)

    @each_page
    def test_a_page_formats_without_a_warning(page):
        result = subprocess.run([tool.need("man"), "--warnings=w", "-l", str(page)], capture_output=True, text=True,
                                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANWIDTH": "80"})
        assert result.returncode == 0 and result.stderr == "", result.stderr
        assert page.stem.upper() in result.stdout

    def test_the_first_page_leads_to_all_others():
        text = (MANUAL / "tacho.1").read_text()
        assert see_also() in text, "run tests/test_manual.py --write"
        for verb in VERBS:
            assert f"\n\\fB{escaped(verb)}\\fR\n" in text, f"VERBS lacks {verb}"

    def test_every_verb_has_a_page():
        assert len(VERBS) > 10 and len(set(VERBS)) == len(VERBS)
        assert {page.name for page in PAGES} == {"tacho.1"} | {f"tacho-{verb}.1" for verb in VERBS}

    @each_verb
    def test_help_and_page_have_the_same_options(verb):
        assert options_of_help(verb) == options_of_page(MANUAL / f"tacho-{verb}.1")

    def test_the_first_page_has_the_options_that_all_readers_take():
        view = {"--columns", "--sort", "--limit", "--filter", "--json", "-o", "--output", "--by", "--wall-time", "--model",
                "--follow", "--token"}
        assert options_of_help("summary") - view <= options_of_page(MANUAL / "tacho.1")

    def test_the_option_test_can_fail(tmp_path):
        page = tmp_path / "page.1"
        page.write_text(".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nText \\-\\-not\\-this.\n")
        assert options_of_page(page) == {"-o", "--output"}

    def test_the_example_test_can_fail(tmp_path):
        assert not agrees(["one", "two"], ["one", "three"])
        assert not agrees(["one", "...", "four"], ["one", "two", "three"])
        assert agrees(["one", "...", "four"], ["one", "two", "three", "four"])
        assert run_block(["$ echo one; exit 3", "$ echo two"], tmp_path) == [["one"]]
        assert run_block(["$ false", "$ echo $?", "1"], tmp_path) == [[], ["1"]]

    def test_escapes_go_both_ways():
        for line in ["$ tacho --by x", ".hidden", "a\\b 'c' `d` ^e~f", "─ µs █", "\\.", "plain"]:
            assert plain(escaped(line)) == line

    def formats_read():
        listed = tool.good("formats", "--json").text
        names = re.findall(r'"id": ?"([^"]+)", ?"direction": ?"read"', listed)
        assert names
        return names

    def test_every_format_is_fuzzed():
        """By a target that names its reader, or by the one for all readers, with a folder of its own in the corpus."""
        targets = " ".join(path.read_text() for path in (ROOT / "fuzz").glob("fuzz_*.c"))
        for name in formats_read():
            word = name.replace("-", "_")
            assert f"&{word}_reader" in targets or any((ROOT / "fuzz" / "corpus" / word).iterdir()), name

    CHAPTERS = {"torq-": "torq", "tt-": "tenstorrent", "tacho-": "recording", "chrome-": "chrome", "kineto": "gpu", "onnxruntime": "gpu", "xla": "gpu", "perfetto": "perfetto"}

    def test_every_format_has_a_section():
        text = (MANUAL / "tacho-formats.1").read_text().replace("\\-", "-")
        for name in formats_read():
            assert re.search(rf"^\.SS {name}$", text, re.MULTILINE), name
            chapter = next((chapter for start, chapter in CHAPTERS.items() if name.startswith(start)), "executorch")
            assert f"`{name}`" in (ROOT / "doc" / "formats" / f"{chapter}.md").read_text(), name

    @pytest.mark.parametrize("shell", ["bash", "zsh"])
    def test_completion_scripts_load(shell, tmp_path):
        script = tool.good("completion", shell).text
        file = tmp_path / "completion"
        file.write_text(script)
        result = subprocess.run([tool.need(shell), "-n", str(file)], capture_output=True, text=True)
        assert result.returncode == 0 and not result.stderr, result.stderr
        for verb in VERBS:
            assert verb in script

    def completed(typed, tmp_path):
        """What bash offers for the last of these words."""
        script = tmp_path.parent / f"{tmp_path.name}.completion"
        script.write_bytes(tool.good("completion", "bash").out)
        words = " ".join(f"'{word}'" for word in ["tacho", *typed])
        lines = f"source '{script}'; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _tacho; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        result = subprocess.run(["bash", "-c", lines], capture_output=True, text=True, cwd=tmp_path)
        assert not result.stderr, result.stderr
        return sorted(result.stdout.split("\n")[:-1])

    @pytest.mark.parametrize("typed, wanted", [
        (["sum"], ["summary"]), (["summary", "--by", "op"], ["operator"]), (["summary", "--by", "=", "op"], ["operator"]),
        (["operators", "--by", "na"], ["name"]), (["convert", "--clo"], ["--clock-mhz"]), (["completion", ""], ["bash", "zsh"]),
        (["help", "sum"], ["summary"]), (["summary", "--format", "torq-c"], ["torq-compile"]), (["summary", "--warmup", ""], ["auto", "none"]),
        (["summary", "--limit", ""], [""]), (["summary", ""], ["a folder", "a log.csv"]), (["convert", "-o", "a l"], ["a log.csv"]),
        (["summary", "--source-dir", ""], ["a folder"]), (["timeline", "--out-dir", "a"], ["a folder"])])
    def test_bash_completes(typed, wanted, tmp_path):
        (tmp_path / "a log.csv").touch()
        (tmp_path / "a folder").mkdir()
        assert completed(typed, tmp_path) == wanted

    def test_zsh_offers_formats_and_folders():
        script = tool.good("completion", "zsh").text
        assert re.search(r"--format\[.*\]:format:\(.*torq-compile.*\)'", script) and re.search(r"--source-dir\[.*\]:folder:_files -/'", script)
        assert "completion) _arguments '2:shell:(bash zsh)'" in script and ":word:(auto none)" in script

    def documents():
        return [ROOT / "README.md", *sorted((ROOT / "doc").rglob("*.md")), *sorted((ROOT / "examples").glob("*.md"))]

    def commands_in(text):
        """What calls tacho: lines of fenced blocks, continued ones joined, and pieces of code in sentences."""
        fences = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        lines = [line.strip() for fence in fences for line in fence.replace("\\\n", " ").splitlines()]
        lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
        for line in lines:
            match = re.match(r"(?:\$ )?(?:build/)?tacho ([\w-].*)", line)
            if match and not match.group(1).startswith("VERB"):
                yield match.group(1).split()

    @pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
    def test_documents_name_verbs_options_and_files_that_exist(document):
        text = document.read_text()
        known = {verb: options_of_help(verb) | {"--help"} for verb in VERBS}
        for words in commands_in(text):
            if words[0].startswith("-"):
                continue
            assert words[0] in VERBS, " ".join(words)
            for word in words[1:]:
                if word == "--":  # what follows is a command of somebody else
                    break
                if word.startswith("-") and word != "-":
                    name = word.split("=")[0]
                    assert name in known[words[0]], f"tacho {' '.join(words)}: {name}"
                if word.startswith("examples/"):
                    assert (ROOT / word).exists(), word
        for target in re.findall(r"\bmake ([a-z]+)`", text):
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"make {target}"
        for link in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (document.parent / link).exists(), link

    def test_the_index_of_the_tour_is_up_to_date():
        fresh = subprocess.run(["/usr/bin/python3", ROOT / "tools" / "tour.py", "--check"])
        assert fresh.returncode == 0, "run tools/tour.py"

    def test_the_tour_names_every_file():
        tour = (ROOT / "doc" / "internals.md").read_text()
        missing = []
        for pattern in ("tests/*.py", "bench/*.py", "fuzz/*.py"):
            for path in sorted(ROOT.glob(pattern)):
                stem = path.stem[5:] if path.stem.startswith("test_") else path.stem
                if path.name not in tour and f"`{stem}`" not in tour and f"{stem}.[ch]" not in tour:
                    missing.append(str(path.relative_to(ROOT)))
        assert not missing, "\n".join(missing)


# ---- writing the pages ----------------------------------------------------------------------------------------------


def shorten(expected, printed):
    """What was printed, cut where the page cuts it."""
    if "..." not in expected:
        return printed
    cut, tail = expected.index("..."), len(expected) - expected.index("...") - 1
    return printed[:cut] + ["..."] + (printed[-tail:] if tail else [])


def write_page(page):
    lines = page.read_text().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = fresh_folder(name)
        results = [(first, last, shown, run_block(shown, folder)) for first, last, shown in examples(page)]
    for first, last, shown, outputs in reversed(results):
        fresh = []
        for (words, expected), printed in zip(steps(shown), outputs, strict=True):
            fresh += ["$ " + words[0]] + ["> " + word for word in words[1:]] + shorten(expected, printed)
        lines[first:last] = [escaped(line) for line in fresh]
    text = "\n".join(lines) + "\n"
    if page.name == "tacho.1":
        text = text[:text.index('.SH "SEE ALSO"')] + see_also()
    page.write_text(text)


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: test_manual.py --write (the tests are run by pytest)")
    for one in PAGES:
        write_page(one)
