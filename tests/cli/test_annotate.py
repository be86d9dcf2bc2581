"""tacho annotate: the documents' commands, the columns of every log generation, spreadsheets, traces and the terminal."""
import csv
import io
import json
import re
import shutil
import unicodedata
import xml.etree.ElementTree
import zipfile

import pytest

import perfetto_decode
import tool

GOLDEN = tool.GOLDEN
DUMP = GOLDEN / "executable_targets.mlir"
TWO = tool.DATA / "annotate"

A1_COLUMNS = ("nss_program_index operation slice_id invocation_name nss_program_timestamp_start nss_program_timestamp_end "
              "nss_program_timestamp_total slice_used_0_in_program slice_used_1_in_program dma_in_used_in_program "
              "dma_out_used_in_program").split()
# Document 003's table.
ACTION_COLUMNS = ("action_id job_id operation invocation_names original_operator total_time slice_used_0_in_program "
                  "slice_used_1_in_program dma_in_used_in_program dma_out_used_in_program cdma_used_in_program css_used_in_program "
                  "timestamp_start timestamp_end location").split()
A1_TITLES = ["NSS Program Index", "torq-hw Operation in program", "Slice ID (if applicable)", "Invocation Name (if applicable)",
             "NSS Program Start Timestamp [us]", "NSS Program End Timestamp [us]", "NSS Program Total Time [us]",
             "Slice 0 Used in NSS Program", "Slice 1 Used in NSS Program", "DMA In Used in NSS Program", "DMA Out Used in NSS Program"]
ACTION_TITLES = ["Action ID", "Job ID", "Action in program", "Slice Invocation Names (if applicable)", "Original Operators",
                 "Total Time [us]", "Slice 0 Used in NSS Program", "Slice 1 Used in NSS Program", "DMA In Used in NSS Program",
                 "DMA Out Used in NSS Program", "CDMA Used in CSS Program", "CSS Used in CSS Program", "Timestamp Start [us]",
                 "Timestamp End [us]", "Location"]


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_text()), delimiter=";"))


def annotate(good, tmp_path, log, *options, dump=DUMP):
    output = tmp_path / "annotated.csv"
    good("annotate", dump, log, output, *options)
    return table(output)


# ---- the documents' commands --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dump, log", [("fc.9.executable-targets.mlir", "runtime_r1.csv"),  # document 001
                                       ("add.9.executable-targets.mlir", "runtime_r2.csv")])  # document 003
def test_commands_of_the_documents(good, tmp_path, dump, log):
    (tmp_path / "compilation_phases").mkdir()
    shutil.copy(DUMP, tmp_path / "compilation_phases" / dump)
    shutil.copy(GOLDEN / log, tmp_path / "runtime.csv")
    good("annotate", f"./compilation_phases/{dump}", "./runtime.csv", "./annotated_runtime.csv", cwd=tmp_path)
    rows = table(tmp_path / "annotated_runtime.csv")
    assert list(rows[0]) == (A1_COLUMNS if "r1" in log else ACTION_COLUMNS)
    assert len(rows) == (17 if "r1" in log else 8)


def test_host_profiling_is_accepted(good, tmp_path):
    with_flag = annotate(good, tmp_path, GOLDEN / "runtime_r2.csv", "--host_profiling")
    assert with_flag == annotate(good, tmp_path, GOLDEN / "runtime_r2.csv")


def test_order_of_the_files_does_not_matter(good, tmp_path):
    good("annotate", GOLDEN / "runtime_r2.csv", DUMP, tmp_path / "a.csv")
    good("annotate", DUMP, GOLDEN / "runtime_r2.csv", "-o", tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_log_from_standard_input(good, tmp_path):
    good("annotate", DUMP, "-", tmp_path / "a.csv", stdin=(GOLDEN / "runtime_r2.csv").read_bytes())
    good("annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


# ---- columns -------------------------------------------------------------------------------------------------------------


def test_a_log_of_jobs(good, tmp_path):
    """R1 gives the columns of A1 with true times: the gap before a job is not charged to it."""
    rows = annotate(good, tmp_path, GOLDEN / "runtime_r1.csv")
    assert list(rows[0]) == A1_COLUMNS
    assert [row["operation"].removeprefix("torq_hw.") for row in rows if row["nss_program_index"] == "1"] == [
        "dma_in_wait", "cdma_start", "cdma_wait", "css_start", "css_wait", "dma_out_cfg", "dma_out_start", "dma_out_wait"]
    times = {(row["nss_program_index"], row["nss_program_timestamp_start"], row["nss_program_timestamp_end"],
              row["nss_program_timestamp_total"]) for row in rows}
    assert times == {("0", "0", "900", "900"), ("1", "1950", "3150", "1200")}
    assert [(row["slice_id"], row["invocation_name"]) for row in rows if "slice" in row["operation"]] == [
        ("0", "conv2d_0"), ("1", "add_1"), ("0", "conv2d_0"), ("1", "add_1")]
    flags = [{row[name] for row in rows if row["nss_program_index"] == "1"} for name in A1_COLUMNS[7:]]
    assert flags == [{"False"}, {"False"}, {"True"}, {"True"}]


@pytest.mark.parametrize("log, waits", [("runtime_r2.csv", ""), ("runtime_r4.csv", "0")])
def test_a_log_of_actions(good, tmp_path, log, waits):
    """R2 and R3 give document 003's table: one row per action. R2 logs no wait for a host program."""
    rows = annotate(good, tmp_path, GOLDEN / log, "--original-mlir", GOLDEN / "net.mlir")
    assert list(rows[0]) == ACTION_COLUMNS
    actions = [row for row in rows if row["action_id"] != "-1"]
    assert [row["action_id"] for row in actions] == [str(number) for number in range(8)]
    assert [row["total_time"] for row in actions] == ["12", "7", "399", "179", waits, "6", "292", "1"]
    assert [row["job_id"] for row in actions] == ["", "0", "0", "", "", "1", "1", ""]
    assert actions[2]["invocation_names"] == "conv2d_0,add_1" and actions[2]["original_operator"] == "tosa.conv2d@L4 tosa.add@L5"
    assert actions[6]["css_used_in_program"] == "True" and actions[6]["slice_used_0_in_program"] == "False"
    assert actions[2]["timestamp_start"] == "5000021" and actions[2]["location"] == "@L4C10+@L5C10"
    hal = [row["operation"] for row in rows if row["action_id"] == "-1"]
    assert len(hal) == (4 if "r4" in log else 0)


@pytest.mark.parametrize("log, titles", [("runtime_r1.csv", A1_TITLES), ("runtime_r2.csv", ACTION_TITLES),
                                         ("runtime_r4.csv", ACTION_TITLES)])
def test_long_headers(good, tmp_path, log, titles):
    good("annotate", DUMP, GOLDEN / log, tmp_path / "long.csv", "--long-headers")
    good("annotate", DUMP, GOLDEN / log, tmp_path / "short.csv")
    lines = (tmp_path / "long.csv").read_text().splitlines()
    assert lines[0].split(";") == titles
    assert lines[1:] == (tmp_path / "short.csv").read_text().splitlines()[1:]


@pytest.mark.parametrize("log, columns", [("runtime_r1.csv", "a2"), ("runtime_r1.csv", "a3"), ("runtime_r2.csv", "a1"),
                                          ("runtime_r4.csv", "a1")])
def test_columns_that_the_log_cannot_fill(tacho, tmp_path, log, columns):
    result = tacho("annotate", DUMP, GOLDEN / log, tmp_path / "out.csv", "--columns", columns)
    assert result.code == 2 and "these columns need a log" in result.err
    assert not list(tmp_path.iterdir())


def test_json(good):
    document = json.loads(good("annotate", DUMP, GOLDEN / "runtime_r2.csv", "--json").text)
    assert [column["name"] for column in document["columns"]] == ACTION_COLUMNS


# ---- spreadsheets ----------------------------------------------------------------------------------------------------------

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_sheet(path):
    """Names of the sheets, and the cells of the first as texts by the letter of their column. Texts may stand in the cells."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        part = lambda name: xml.etree.ElementTree.fromstring(archive.read(name))
        text = lambda entry: "".join(piece.text or "" for piece in entry.iter(SHEET + "t"))
        shared = "xl/sharedStrings.xml"
        strings = [text(entry) for entry in part(shared).iter(SHEET + "si")] if shared in archive.namelist() else []
        rows = []
        for row in part("xl/worksheets/sheet1.xml").iter(SHEET + "row"):
            cells = {}
            for cell in row.iter(SHEET + "c"):
                value = cell.find(SHEET + "v")
                if cell.get("t") == "inlineStr":
                    cells[cell.get("r").rstrip("0123456789")] = text(cell)
                elif value is not None:
                    cells[cell.get("r").rstrip("0123456789")] = strings[int(value.text)] if cell.get("t") == "s" else value.text
            rows.append(cells)
        return [sheet.get("name") for sheet in part("xl/workbook.xml").iter(SHEET + "sheet")], rows


@pytest.mark.parametrize("log, titles", [("runtime_r1.csv", A1_TITLES), ("runtime_r2.csv", ACTION_TITLES),
                                         ("runtime_r4.csv", ACTION_TITLES)])
def test_spreadsheet(good, tmp_path, log, titles):
    good("annotate", DUMP, GOLDEN / log, tmp_path / "out.xlsx", "--source-dir", GOLDEN)
    good("annotate", DUMP, GOLDEN / log, tmp_path / "out.csv", "--source-dir", GOLDEN)
    names, rows = read_sheet(tmp_path / "out.xlsx")
    assert names == ["Detailed Performance Data"]
    assert list(rows[0].values()) == titles
    expected = table(tmp_path / "out.csv")
    assert len(rows) == 1 + len(expected)
    letters = list(rows[0])
    booleans = {"True": "1", "False": "0"}
    for row, wanted in zip(rows[1:], expected):
        assert [row.get(letter, "") for letter in letters] == [booleans.get(value, value) for value in wanted.values()]


def test_spreadsheet_in_the_columns_of_the_second_annotator(good, tmp_path):
    good("annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "out.xlsx", "--columns", "a2")
    titles = list(read_sheet(tmp_path / "out.xlsx")[1][0].values())
    assert titles == ["Action ID", "Job ID", "Action in program", "Invocation Name (if applicable)", "Original Operator",
                      "Total Time [us]", "Slice ID (if applicable)", "Slice 0 Used in NSS Program", "Slice 1 Used in NSS Program",
                      "DMA In Used in NSS Program", "DMA Out Used in NSS Program", "CDMA Used in CSS Program",
                      "CSS Used in CSS Program", "Timestamp Start", "Timestamp End", "Location"]


# ---- traces and the terminal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", ["runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"])
def test_trace(good, tmp_path, log):
    """A trace is what convert gives with the program."""
    good("annotate", DUMP, GOLDEN / log, tmp_path / "a.pb", "--source-dir", GOLDEN)
    good("convert", GOLDEN / log, "--mlir", DUMP, "--source-dir", GOLDEN, "-o", tmp_path / "b.pb")
    assert (tmp_path / "a.pb").read_bytes() == (tmp_path / "b.pb").read_bytes()
    good("annotate", DUMP, GOLDEN / log, tmp_path / "a.pb.gz")
    perfetto_decode.decode_file(tmp_path / "a.pb.gz")


def width(line):
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


@pytest.mark.parametrize("log", ["runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_terminal(good, log, columns):
    """Every block in execution order with its time, engines and source; no line is wider than the terminal."""
    text = good("annotate", DUMP, GOLDEN / log, "--source-dir", GOLDEN, variables={"COLUMNS": str(columns)}).text
    assert all(width(line) <= columns for line in text.splitlines()), text
    assert "\x1b" not in text
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("─")) + 1
    numbers = [int(line.split()[0]) for line in lines[first:] if line[:1].isdigit()]
    assert numbers == {"runtime_r1.csv": [0, 1], "runtime_r2.csv": [0, 1, 2, 3, 5, 6, 7], "runtime_r4.csv": list(range(8))}[log]
    assert "conv2d_0" in text and ("399.000µs" in text or "900.000µs" in text)


def test_terminal_in_full(good):
    text = good("annotate", DUMP, GOLDEN / "runtime_r2.csv", "--source-dir", GOLDEN, variables={"COLUMNS": "100"}).text
    assert text.splitlines()[3:10] == [
        "0  host_copy              12.000µs   1.33% ▏                            tosa.conv2d@L4",
        "1  start conv2d_0,add_1    7.000µs   0.78% ▏                            tosa.conv2d@L4 + tosa.add@L5",
        "2  conv2d_0,add_1        399.000µs  44.24% ████▍       S0 S1 IN         tosa.conv2d@L4 + tosa.add@L5",
        "3  start host_softmax    179.000µs  19.84% ██                           onnx.Softmax@L7",
        "5  start nss_program_1     6.000µs   0.67% ▏                            tosa.rescale@L6",
        "6  nss_program_1         292.000µs  32.37% ███▎        IN OUT CDMA CSS  tosa.rescale@L6",
        "7  memref.alloc            1.000µs   0.11% ▏                            unknown",
    ]


# ---- several dispatches -----------------------------------------------------------------------------------------------------


def test_several_dispatches(good, tmp_path):
    """The log names the dispatch of each row; ids count from 0 in each of them."""
    rows = annotate(good, tmp_path, TWO / "two_dispatches_r3.csv", "--source-dir", TWO, dump=TWO / "two_dispatches.mlir")
    given = [(row["action_id"], row["invocation_names"], row["original_operator"], row["timestamp_start"], row["total_time"])
             for row in rows]
    conv, add = "tosa.conv2d@L4", "tosa.add@L55 tosa.add@L5"
    assert given == [
        ("0", "", conv, "1010", "5"), ("1", "conv2d_0", conv, "1016", "2"), ("2", "conv2d_0", conv, "1019", "41"),
        ("0", "add_0", add, "1110", "3"), ("1", "add_0", add, "1114", "26"),
        ("0", "add_0", add, "1210", "3"), ("1", "add_0", add, "1214", "26"),
        ("0", "", conv, "1310", "5"), ("1", "conv2d_0", conv, "1316", "2"), ("2", "conv2d_0", conv, "1319", "41"),
    ]
    assert [row["dma_out_used_in_program"] for row in rows if row["action_id"] == "1"] == ["False", "True", "True", "False"]


def blocks(text):
    """The rows of the terminal's table, each as the words of its line, and all notes as one text."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("─")) + 1
    last = next((number for number, line in enumerate(lines) if line.startswith("note: ")), len(lines))
    return [line.split() for line in lines[first:last]], " ".join(" ".join(lines[last:]).split())


def test_several_dispatches_in_the_terminal(good):
    """An action's number says its dispatch, and a note says which dispatch that is."""
    rows, notes = blocks(good("annotate", TWO / "two_dispatches.mlir", TWO / "two_dispatches_r3.csv").text)
    assert [row[:2] for row in rows] == [
        ["0:0", "host_copy"], ["0:1", "start"], ["0:2", "conv2d_0"], ["1:0", "start"], ["1:1", "add_0"],
        ["1:0", "start"], ["1:1", "add_0"], ["0:0", "host_copy"], ["0:1", "start"], ["0:2", "conv2d_0"]]
    assert "dispatches: 0 = main_dispatch_0_conv, 1 = main_dispatch_1_add" in notes and "..." not in notes


def test_one_of_several_dispatches_in_the_terminal(good):
    """Only what occurs is listed, also for logs that name no dispatch and for jobs."""
    rows, notes = blocks(good("annotate", TWO / "two_dispatches.mlir", TWO / "add_r2.csv").text)
    assert [row[0] for row in rows] == ["1:0", "1:1"]
    assert "dispatches: 1 = main_dispatch_1_add" in notes and "main_dispatch_0" not in notes
    rows, notes = blocks(good("annotate", TWO / "two_dispatches.mlir", "-", stdin=b"0;10;5;\n7;40;9;\n").text)
    assert [row[0] for row in rows] == ["0:0", "?:7"]
    assert "dispatches: 0 = main_dispatch_0_conv, ? = not in the program" in notes


def test_a_single_dispatch_in_the_terminal(good):
    text = good("annotate", DUMP, GOLDEN / "runtime_r2.csv").text
    assert "dispatches:" not in text and ":0" not in blocks(text)[0][0][0]


@pytest.mark.parametrize("count", [8, 9, 12])
def test_many_dispatches_in_the_terminal(good, tmp_path, count):
    """Eight are named at most."""
    dispatch = (TWO / "two_dispatches.mlir").read_text().split("  hal.executable private @main_dispatch_1 {")[0]
    head, body = dispatch.split("module {\n", 1)
    (tmp_path / "many.mlir").write_text(head + "module {\n" + "".join(
        body.replace("@main_dispatch_0", f"@main_dispatch_{number}") for number in range(count)) + "}\n")
    (tmp_path / "many.csv").write_text("dispatch_name,invocation_id,action_id,timestamp_us,event\n" + "".join(
        f"main_dispatch_{number}_conv,{number},0,{number}{edge}0,HOST_COPY_{name}\n"
        for number in range(count) for edge, name in [(1, "BEGIN"), (2, "END")]))
    rows, notes = blocks(good("annotate", tmp_path / "many.mlir", tmp_path / "many.csv").text)
    assert [row[0] for row in rows] == [f"{number}:0" for number in range(count)]
    named = ", ".join(f"{number} = main_dispatch_{number}_conv" for number in range(8)) + (", ..." if count > 8 else "")
    assert f"dispatches: {named} note: left out" in notes or notes.endswith(f"dispatches: {named}")


def test_the_example_at_80_columns(good):
    """Only names of blocks and lists of operators are cut: times, shares, engines and the first operator are whole."""
    text = good("annotate", tool.MOBILENET / "mobilenet.executable-targets.mlir", tool.MOBILENET / "runtime.csv", "--source-dir",
                tool.MOBILENET).text
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    assert len(lines) == 520 and all(len(line) <= 80 for line in text.splitlines())
    columns = [text.splitlines()[1].index(title) for title in ("Block", "Engines", "Source")]
    engines = {line[columns[1]:columns[2]].strip() for line in lines}
    assert engines == {"", "S0 S1 IN OUT", "CDMA CSS"}
    assert all(re.match(r"[a-z]+\.\w+@L[0-9]+( \+.*)?$", line[columns[2]:]) for line in lines)
    assert all(re.search(r"(s|0ns) +[0-9.]+%$", line[:columns[1]].rstrip()) for line in lines)


def test_a_log_that_names_no_dispatch(good, tmp_path):
    """The last one is meant, because its log overwrites the others; --dispatch chooses another."""
    rows = annotate(good, tmp_path, TWO / "add_r2.csv", dump=TWO / "two_dispatches.mlir")
    assert [row["invocation_names"] for row in rows] == ["add_0", "add_0"]
    rows = annotate(good, tmp_path, TWO / "conv_r2.csv", "--dispatch", "main_dispatch_0_conv", dump=TWO / "two_dispatches.mlir")
    assert [row["invocation_names"] for row in rows] == ["", "conv2d_0", "conv2d_0"]
    assert [row["total_time"] for row in rows] == ["5", "2", "41"]


def test_a_dispatch_that_is_not_there(tacho, tmp_path):
    result = tacho("annotate", TWO / "two_dispatches.mlir", TWO / "conv_r2.csv", tmp_path / "out.csv", "--dispatch", "main_dispatch_9")
    assert result.code == 2 and 'no dispatch called "main_dispatch_9"' in result.err and not list(tmp_path.iterdir())


# ---- sources, mismatches ------------------------------------------------------------------------------------------------------


def test_an_operator_whose_name_begins_another(good, tmp_path):
    """tosa.add@L5 is not tosa.add@L55, although it is a part of it."""
    rows = annotate(good, tmp_path, TWO / "add_r2.csv", "--source-dir", TWO, dump=TWO / "two_dispatches.mlir")
    assert {row["original_operator"] for row in rows} == {"tosa.add@L55 tosa.add@L5"}


@pytest.mark.parametrize("places, name, kept", [(64, "tosa.add", 64), (65, "tosa.add", 64), (40, "tosa." + "x" * 120, 31)])
def test_a_list_of_operators_that_is_cut(good, tmp_path, places, name, kept):
    """64 places and 4096 bytes are kept; a note counts the rows that have more, and no name is cut in the middle."""
    (tmp_path / "model.mlir").write_text("".join(f"%{line} = {name} %x : tensor<1xi8>\n" for line in range(places)))
    fused = ", ".join(f'"/models/model.mlir":{line + 1}:10' for line in range(places))
    dump = tmp_path / "dump.mlir"
    dump.write_text((TWO / "two_dispatches.mlir").read_text().replace("loc(fused[#last, #first])", f"loc(fused[{fused}])"))
    for columns in [], ["--columns", "a2"], ["--columns", "a3"]:
        result = good("annotate", dump, TWO / "add_r2.csv", tmp_path / "out.csv", "--source-dir", tmp_path, *columns)
        cells = [row.get("original_operator") or row["original_operators"] for row in table(tmp_path / "out.csv")]
        assert ("rows are cut" in result.err) == (kept < places)
        for cell in cells:
            names = cell.replace(" + ", " ").split(" ")
            assert len(names) in ((kept, kept - 1) if len(name) > 20 else (kept,))
            assert names == [f"{name}@L{line + 1}" for line in range(len(names))]
    text = good("annotate", dump, TWO / "add_r2.csv", "--source-dir", tmp_path).text
    assert ("2 rows are cut" in text) == (kept < places)


def test_a_source_that_is_not_in_the_folder(good, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    result = good("annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "out.csv", "--source-dir", folder)
    assert "/build/torq/sample/data/frag/net.mlir was not found: its operators have no names" in result.err
    assert {row["original_operator"] for row in table(tmp_path / "out.csv")} == {""}
    assert "was not found" in good("convert", GOLDEN / "c1.csv", "-o", tmp_path / "o.pb", "--source-dir", folder).err
    assert "was not found" in good("summary", GOLDEN / "c1.csv", "--by", "operator", "--source-dir", folder).text


@pytest.mark.parametrize("option, name", [("--original-mlir", "none.mlir"), ("--source-dir", "none"), ("--mlir", "none.mlir")])
def test_a_file_that_the_user_named_and_is_not_there(tacho, tmp_path, option, name):
    result = tacho("convert", GOLDEN / "runtime_r2.csv", "-o", tmp_path / "out.pb", option, tmp_path / name)
    assert result.code == 3 and str(tmp_path / name) in result.err and "o such" in result.err
    assert not list(tmp_path.iterdir())


def test_more_jobs_in_the_log_than_in_the_program(good, tmp_path):
    log = tmp_path / "more.csv"
    log.write_text((GOLDEN / "runtime_r1.csv").read_text() + "2;5000;100;\n")
    result = good("annotate", DUMP, log, tmp_path / "out.csv")
    assert "no counterpart in the program" in result.err and "(line 4)" in result.err
    assert "1 actions or jobs have no counterpart between the log and the program" in result.err
    assert {row["nss_program_index"] for row in table(tmp_path / "out.csv")} == {"0", "1"}
    text = good("annotate", DUMP, log).text
    assert any(line.startswith("2  ") for line in text.splitlines()) and "no counterpart" in text


def test_an_action_that_the_program_does_not_have(good, tmp_path):
    log = tmp_path / "more.csv"
    log.write_text((GOLDEN / "runtime_r2.csv").read_text() + '9,950,5000950,HOST_COPY_START,"loc(unknown)"\n'
                   '9,960,5000960,HOST_COPY_END,"loc(unknown)"\n')
    result = good("annotate", DUMP, log, tmp_path / "out.csv", "--force-companion")
    assert "no counterpart between the log and the program" in result.err
    assert len(table(tmp_path / "out.csv")) == 8
    assert "HOST_COPY" in good("annotate", DUMP, log, "--force-companion").text


def test_an_action_that_the_log_does_not_have(good, tmp_path):
    log = tmp_path / "less.csv"
    log.write_text("".join(line for line in (GOLDEN / "runtime_r2.csv").read_text().splitlines(True) if not line.startswith("2,")))
    result = good("annotate", DUMP, log, tmp_path / "out.csv")
    assert "1 actions or jobs have no counterpart between the log and the program" in result.err
    rows = table(tmp_path / "out.csv")
    assert [row["total_time"] for row in rows] == ["12", "7", "", "179", "", "6", "292", "1"]


def test_files_that_are_something_else(tacho, tmp_path):
    result = tacho("annotate", DUMP, GOLDEN / "c1.csv", tmp_path / "out.csv")
    assert result.code == 3 and "a runtime log of Torq is wanted here" in result.err
    result = tacho("annotate", GOLDEN / "c1.csv", GOLDEN / "runtime_r2.csv", tmp_path / "out.csv")
    assert result.code == 3 and "not a program dump" in result.err
    result = tacho("annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "out.doc")
    assert result.code == 2 and "the suffix names no" in result.err
    result = tacho("annotate", DUMP)
    assert result.code == 2 and "wants MLIR RUNTIME.csv" in result.err
    assert not list(tmp_path.iterdir())


def test_the_example(good, tmp_path):
    """6 dispatches, run ten times: every action of every run has its row."""
    dump = tool.MOBILENET / "mobilenet.executable-targets.mlir"
    rows = annotate(good, tmp_path, tool.MOBILENET / "runtime.csv", "--source-dir", tool.MOBILENET, dump=dump)
    log = list(csv.DictReader(io.StringIO((tool.MOBILENET / "runtime.csv").read_text())))
    begins = [row for row in log if row["action_id"] != "-1" and row["event"].endswith("_BEGIN")]
    actions = [row for row in rows if row["action_id"] != "-1"]
    assert [(row["action_id"], row["timestamp_start"]) for row in actions] == [(row["action_id"], row["timestamp_us"]) for row in begins]
    assert all(row["original_operator"] for row in actions if row["job_id"])


def test_hal_calls(good, tmp_path):
    """A call that holds other events is left out, as the original does, also where an event in it has the call's own name."""
    log = tmp_path / "hal.csv"
    log.write_text("dispatch_name,invocation_id,action_id,timestamp_us,event\n"
                   "__HAL_COMMAND_BUFFER_COPY_BUFFER__,1,-1,100,HAL_CALL_BEGIN\n"
                   "__HAL_COMMAND_BUFFER_COPY_BUFFER__,1,-1,100,HAL_COMMAND_BUFFER_COPY_BUFFER_BEGIN\n"
                   "__HAL_COMMAND_BUFFER_COPY_BUFFER__,1,-1,120,HAL_COMMAND_BUFFER_COPY_BUFFER_END\n"
                   "__HAL_COMMAND_BUFFER_COPY_BUFFER__,1,-1,130,HAL_CALL_END\n"
                   "__HAL_COMMAND_BUFFER_DISPATCH__,2,-1,140,HAL_CALL_BEGIN\n"
                   "main_dispatch_0_conv,3,0,150,HOST_COPY_BEGIN\nmain_dispatch_0_conv,3,0,155,HOST_COPY_END\n"
                   "__HAL_COMMAND_BUFFER_DISPATCH__,2,-1,160,HAL_CALL_END\n")
    rows = [row for row in annotate(good, tmp_path, log) if row["action_id"] == "-1"]
    assert [(row["operation"], row["total_time"], row["location"]) for row in rows] == [
        ("__HAL_COMMAND_BUFFER_COPY_BUFFER__.HAL_COMMAND_BUFFER_COPY_BUFFER", "20", "HAL_COMMAND_BUFFER_COPY_BUFFER"),
        ("__HAL_COMMAND_BUFFER_DISPATCH__.HAL_CALL", "20", "HAL_COMMAND_BUFFER_DISPATCH")]
