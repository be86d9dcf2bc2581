"""tacho formats --matrix: every cell is what the verb does with an input of that format."""
import csv
import io
import json

import pytest

import fixtures
import tool

# Those that a user expects of any file with times in it.
ANY = ["convert", "summary", "operators", "latency", "advise", "compare", "report"]
# A recording has what its program marked; the one here has no ops.
EMPTY = {("ops", "tacho-recording"): "a recording without ops"}
PROGRAM = tool.GOLDEN / "executable_targets.mlir"


def matrix(*options):
    return json.loads(tool.good("formats", "--matrix", "--json", *options).text)


def words(verb, path, folder):
    """How a person would ask."""
    return {
        "convert": [path, "-o", folder / "out.pb"],
        "annotate": [path, tool.GOLDEN / "runtime_r4.csv"] if path.suffix == ".mlir" else [PROGRAM, path],
        "timeline": [path, "--out-dir", folder / "out"],
        "device": ["-d", path, "-o", folder / "out"],
        "ops": ["-i", path, "-o", folder / "out"],
        "compare": [path, path],
        "history": ["add", "--store", folder / "history.sqlite", "--build", "1", path],
    }.get(verb, [path])


TABLE = matrix() if tool.built() else {"columns": [], "rows": []}
ROWS = {row["format"]: row for row in TABLE["rows"]}
VERBS = [column["name"] for column in TABLE["columns"]][1:]


def test_rows_and_columns_are_those_of_the_registry(good):
    listed = json.loads(good("formats", "--json", "--filter", "direction=read").text)["rows"]
    assert list(ROWS) == [row["id"] for row in listed] == list(fixtures.FILES)
    helped = [line.split()[0] for line in good("--help").text.splitlines() if line.startswith("  ") and line[2] != " "]
    assert set(VERBS) <= set(helped) and set(ANY) <= set(VERBS)
    note = next(note for note in TABLE["notes"] if note.startswith("no profiles are read by "))
    everything = next(note for note in TABLE["notes"] if note.startswith("all of these are taken by "))
    assert everything.split(" by ")[1] == "query"
    assert set(VERBS) | set(note[len("no profiles are read by "):].split(", ")) | {"completion", "query"} == set(helped)


def test_a_format_with_times_has_no_gap_where_it_matters():
    timeless = {note.split(": ")[1] for note in TABLE["notes"] if note.startswith("none: ")}
    assert timeless == {"etrecord", "xnn-kernels"}
    for form, row in ROWS.items():
        for verb in ANY:
            assert row[verb] == ("none" if form in timeless else "yes"), (form, verb)


@pytest.mark.parametrize("form", list(ROWS))
@pytest.mark.parametrize("verb", VERBS)
def test_every_cell_is_true(tmp_path, form, verb):
    result = tool.run(verb, *words(verb, fixtures.copied(form, tmp_path), tmp_path))
    cell = ROWS[form][verb]
    if cell == "yes" and (verb, form) in EMPTY:
        assert result.code == 3 and EMPTY[verb, form] in result.err
    elif cell == "yes":
        assert result.code == 0 and (result.text or result.err), result.err
    else:
        about = form if cell == "none" else verb
        reason = next(note for note in TABLE["notes"] if note.startswith(f"{cell}: {about}: ")).split(": ", 2)[2]
        assert result.code == 3 and result.text == "", (result.code, result.err)
        assert reason in result.err, result.err


def test_every_printer_takes_it(good, tmp_path):
    for suffix in ("csv", "json", "md", "html", "txt", "xlsx"):
        good("formats", "--matrix", "-o", tmp_path / f"m.{suffix}")
        assert (tmp_path / f"m.{suffix}").stat().st_size > 500
    rows = list(csv.DictReader(io.StringIO((tmp_path / "m.csv").read_text())))
    assert [row["format"] for row in rows] == list(ROWS) and all(all(row.values()) for row in rows)
    few = matrix("--columns", "format,latency", "--filter", "latency!=yes", "--sort", "-format")
    assert [row["format"] for row in few["rows"]] == ["xnn-kernels", "etrecord"]


def test_it_fits_a_narrow_terminal(good):
    lines = good("formats", "--matrix").text.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(verb in lines[1] for verb in ANY)
