"""tacho advise: tt-perf-report's tables, advice and CSV files byte for byte, and the truth where the original is wrong."""
import csv
import gzip
import io
import json
import os
import re

import pytest

import perfetto_decode
import tool

DATA = tool.DATA / "tt-ops-csv"
REPORTS = sorted(path.name[:-len(".csv.gz")] for path in DATA.glob("*.csv.gz") if ".report" not in path.name)
TEXTS = {
    "report.txt": [],
    "report_category.txt": ["--ignore-signposts", "--group-by", "category", "--no-advice"],
    "report_nomerge_op.txt": ["--ignore-signposts", "--group-by", "op", "--no-merge-devices", "--no-advice"],
    "report_ignore_signposts.txt": ["--ignore-signposts"],
    "report_color_id2-60.txt": ["--ignore-signposts", "--color", "--id-range", "2-60", "--no-advice", "--no-summary"],
}
TABLES = {"report.csv": [], "report_ignore.csv": ["--ignore-signposts", "--raw-op-codes"]}
HEADER = ("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,ATTRIBUTES,MATH FIDELITY,CORE COUNT,HOST START TS,HOST END TS,"
          "OP TO OP LATENCY [ns],DEVICE KERNEL DURATION [ns],INPUT_0_W,INPUT_0_Z,INPUT_0_Y,INPUT_0_X,INPUT_0_DATATYPE,INPUT_0_MEMORY,"
          "INPUT_1_W,INPUT_1_Z,INPUT_1_Y,INPUT_1_X,INPUT_1_DATATYPE,INPUT_1_MEMORY,"
          "OUTPUT_0_W,OUTPUT_0_Z,OUTPUT_0_Y,OUTPUT_0_X,OUTPUT_0_DATATYPE,OUTPUT_0_MEMORY\n")


def golden(report, name):
    path = DATA / f"{report}.{name}.gz"
    return gzip.decompress(path.read_bytes()) if path.exists() else None


def source(report):
    return DATA / f"{report}.csv.gz"


def cases(names):
    return [(report, name) for report in REPORTS for name in names if golden(report, name) is not None]


def op(code="Add", start=0, duration=1000, latency=500, device="0", cores=64, fidelity="", attributes="", memory="DEV_0_DRAM_INTERLEAVED",
       sizes=("1,1,32,32", "1,1,32,32", "1,1,32,32"), types=("BFLOAT16", "BFLOAT16", "BFLOAT16"), kind="tt_dnn_device"):
    tensors = ",".join(f"{size},{type_},{memory}" for size, type_ in zip(sizes, types))
    return f"{code},{kind},1,{device},{attributes},{fidelity},{cores},{start},{start + 10},{latency},{duration},{tensors}\n"


def signpost(name, start):
    return f"{name},signpost,,,,,,{start}" + "," * (HEADER.count(",") - 7) + "\n"


def write(tmp_path, *rows, name="ops.csv", header=HEADER):
    path = tmp_path / name
    path.write_text(header + "".join(rows))
    return path


def rows_of(good, path, tmp_path, *options):
    good("advise", "-q", path, "--csv", tmp_path / "out.csv", *options)
    return list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(), newline="")))


def operations(good, path):
    """Rows of the operations in the JSON."""
    return json.loads(good("advise", "-q", path, "--json").text)["operations"]


def words(good, path, *options):
    """What tt-perf-report would say about each operation; "": nothing."""
    return [row["advice"] or "" for row in json.loads(good("advise", "-q", path, "--columns", "id,advice", "--json", *options).text)["rows"]]


def advice(good, *words_):
    """The list of what is worth doing, as a program gets it."""
    return json.loads(good("advise", "-q", "--json", *words_).text)


# ---- the original's output -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report,name", cases(TEXTS))
def test_texts_equal_the_original_s_byte_for_byte(good, report, name):
    assert good("advise", "-q", "--as-original", source(report), *TEXTS[name]).out == golden(report, name)


@pytest.mark.parametrize("report,name", cases(TABLES))
def test_tables_equal_the_original_s_byte_for_byte(good, tmp_path, report, name):
    good("advise", "-q", "--as-original", source(report), "--csv", tmp_path / "made.csv", *TABLES[name])
    assert (tmp_path / "made.csv").read_bytes() == golden(report, name)
    stacked = golden(report, name.replace(".csv", "_stacked.csv"))
    if stacked is not None:
        assert (tmp_path / "made_stacked.csv").read_bytes() == stacked


def plain(text):
    """Lines without the number of blanks, and without the two flags that the original shows for what it does not know."""
    text = re.sub(r"(\[ABH=[^] ]*)( ADB)?( SR)?\]", r"\1]", text)
    return [re.sub(r" +", " ", line).strip() for line in text.split("\n") if not line.startswith("---")]


@pytest.mark.parametrize("report,name", cases(TEXTS))
def test_only_the_documented_differences_remain(good, report, name):
    theirs = re.sub("\n💡 Advice 💡\n.*?(?=\n📊 Stacked report 📊|(?<=\n)Warning: Unclassified|\\Z)", "", golden(report, name).decode(), flags=re.DOTALL)
    ours, theirs = plain(good("advise", "-q", "--no-advice", source(report), *TEXTS[name]).text), plain(theirs)
    if name == "report_nomerge_op.txt":  # shares as text: "9.54 %" before "46.85 %"
        cut = ours.index("📊 Stacked report 📊")
        assert cut == theirs.index("📊 Stacked report 📊")
        shares = [float(line.split()[0]) for line in ours[cut:] if re.match(r"[\d.]+ %", line)]
        assert shares == sorted(shares, reverse=True)
        ours, theirs = ours[:cut] + sorted(ours[cut:]), theirs[:cut] + sorted(theirs[cut:])
    assert [re.sub(r"^Warning: '(.*)' is in no category that is known: it is counted as Other\.$",
                   r"Warning: Unclassified operation '\1' found. Please add to OPERATION_CATEGORIES for proper classification.", line)
            for line in ours] == theirs


@pytest.mark.parametrize("report", REPORTS)
def test_flags_of_convolutions_are_those_of_their_attributes(good, tmp_path, report):
    with gzip.open(source(report), "rt", newline="") as file:
        attributes = {number: row["ATTRIBUTES"] for number, row in enumerate(csv.DictReader(file), 2)}
    for row in rows_of(good, source(report), tmp_path, "--ignore-signposts"):
        flags = re.search(r"\[ABH=\S*((?: \S+)*)\]", row["OP Code"])
        if not flags:
            continue
        text = attributes[int(row["ID"])]
        assert (" ADB" in flags[1]) == ("enable_act_double_buffer': 'true'" in text)
        assert (" SR" in flags[1]) == ("enable_split_reader': 'true'" in text)


# ---- where the original is wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report", REPORTS)
def test_colours_change_nothing_but_colours(good, report):
    """Lines with and without colours are made in two ways."""
    coloured = good("advise", source(report), "--ignore-signposts", "--color").text
    assert "\033[" in coloured
    assert re.sub("\033\\[[0-9;]*m", "", coloured) == good("advise", source(report), "--ignore-signposts", "--no-color").text


def test_rows_are_taken_apart_wherever_their_commas_fall(good, tmp_path):
    """Commas are found 64 bytes at once, quoted rows one by one."""
    names = ["A" * length for length in range(1, 200)]
    plain = rows_of(good, write(tmp_path, *[op(code=name, start=number, duration=1000 + number) for number, name in enumerate(names)]), tmp_path)
    assert [row["OP Code"] for row in plain] == names
    assert [float(row["Device Time"]) for row in plain] == [(1000 + number) / 1000 for number in range(len(names))]
    quoted = rows_of(good, write(tmp_path, *[op(code=f'"{name}"', start=number, duration=1000 + number) for number, name in enumerate(names)]), tmp_path)
    assert quoted == plain


def test_hifi3_lies_between_hifi2_and_hifi4(good, tmp_path):
    sizes = ("1,1,1024,1024",) * 3
    path = write(tmp_path, *[op("Matmul", i, 100000, fidelity=name, sizes=sizes) for i, name in enumerate(["HiFi4", "HiFi3", "HiFi2", "LoFi"])])
    four, three, two, low = [float(row["FLOPs %"]) for row in rows_of(good, path, tmp_path)]
    assert four > three > two > low
    assert three == pytest.approx(four * 3 / 4)
    assert "HiFi3 BF16 x BF16 => BF16" in good("advise", "-q", path).text


def test_the_default_window_is_behind_the_last_signpost(good, tmp_path):
    path = write(tmp_path, op("Compile", 1), signpost("pass", 2), op("Warm", 3), signpost("pass", 4), op("Hot", 5), op("Hot", 6))
    assert [row["OP Code"] for row in rows_of(good, path, tmp_path)] == ["Hot", "Hot"]
    assert [row["OP Code"] for row in rows_of(good, path, tmp_path, "--as-original")] == ["Warm", "Hot", "Hot"]


def test_a_loop_that_ends_with_its_signpost_is_not_lost(good, tmp_path):
    path = write(tmp_path, op("A", 1), signpost("end", 2), op("B", 3), signpost("end", 4))
    assert [row["OP Code"] for row in rows_of(good, path, tmp_path)] == ["B"]


def test_equal_starts_keep_the_order_of_the_file(good, tmp_path):
    path = write(tmp_path, *[op(f"Op{i}", 7, device="") for i in range(200)])
    assert [row["OP Code"] for row in rows_of(good, path, tmp_path)] == [f"Op{i}" for i in range(200)]


def test_the_grid_is_that_of_the_architecture(good, tmp_path):
    sizes = ("1,1,2048,2048",) * 3
    path = write(tmp_path, op("Matmul", 1, 640000, cores=20, fidelity="HiFi4", sizes=sizes, types=("BFLOAT8_B",) * 3))
    assert "Increase grid size" in words(good, path, "--arch", "wormhole")[0]
    assert "Increase grid size" not in words(good, path, "--arch", "bh20")[0]
    assert "on more cores: it uses 20 of 64" in good("advise", "-q", "--arch", "wormhole", path).text
    assert "on more cores" not in good("advise", "-q", "--arch", "bh20", path).text
    assert "Increase grid size (currently using 20)" in good("advise", "-q", "--arch", "bh20", "--as-original", path).text
    assert "\033[38;5;10m20\033[0m" in good("advise", "-q", "--arch", "bh20", "--color", path).text


def test_dram_sharded_products_run_on_the_dram_s_cores(good, tmp_path):
    config = "{'program_config': 'MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(in0_block_w=4;out_subblock_h=1;out_subblock_w=1)'}"
    path = write(tmp_path, op("Matmul", 1, fidelity="LoFi", attributes=config))
    assert rows_of(good, path, tmp_path)[0]["Cores"] == "12"
    assert rows_of(good, path, tmp_path, "--arch", "blackhole")[0]["Cores"] == "8"
    assert rows_of(good, path, tmp_path, "--arch", "blackhole", "--as-original")[0]["Cores"] == "12"


def test_a_product_that_lacks_its_sizes_is_shown_with_what_is_known(good, tmp_path):
    path = write(tmp_path, op("Matmul", 1, 5000, sizes=("-,-,-,-",) * 3, fidelity="HiFi4"), op("Matmul", 2, "-"))
    first, second = rows_of(good, path, tmp_path)
    assert first["Device Time"] == "5.0" and first["FLOPs"] == "" and first["Bound"] == ""
    assert second["Device Time"] == "" and first["Total %"] and second["Bound"] == ""
    assert rows_of(good, path, tmp_path, "--as-original")[1]["Device Time"] == "0"


def test_an_unknown_device_time_is_in_no_sum(good, tmp_path):
    path = write(tmp_path, op("Add", 1, 5000), op("Add", 2, "-"), op("Mul", 3, "-"), op("(torch) view", 4, "-", kind="python_fallback"))
    text = good("advise", "-q", path).text
    assert "3 device ops, 1 host ops, 0 signposts (2 without device time)" in text
    assert text.count("The device time of 2 operations is not known: no sum and no share has it.") == 1
    assert [row["Device Time"] for row in rows_of(good, path, tmp_path)] == ["5.0", "", "", ""]
    assert [row["device_time"] for row in operations(good, path)] == [5000, None, None, None]
    stacked = text.split("Stacked report")[1].splitlines()
    (add,), (mul,) = ([line for line in stacked if f" {name} (" in line] for name in ("Add", "Mul"))
    assert "100.00 %" in add and "5.00 μs" in add and "%" not in mul and "μs" not in mul
    original = good("advise", "-q", "--as-original", path).text
    assert "not known" not in original and "without device time" not in original and "0 μs" in original


def test_the_slowest_device_is_not_known_where_one_does_not_tell(good, tmp_path):
    path = write(tmp_path, op("Add", 1, 1000, device="0"), op("Add", 2, "-", device="1"), op("AllGather", 3, 1000, device="0"),
                 op("AllGather", 4, "-", device="1"))
    assert [row["Device Time"] for row in rows_of(good, path, tmp_path)] == ["", ""]
    assert [float(row["Device Time"]) for row in rows_of(good, path, tmp_path, "--as-original")] == [1, 1]


@pytest.mark.parametrize("what,why", [
    ({"sizes": ("-,-,-,-",) * 3, "duration": 5000, "fidelity": "HiFi4"}, "Its sizes are not known"),
    ({"duration": "-", "fidelity": "HiFi4"}, "Its device time is not known"),
    ({"duration": 5000, "cores": "-", "fidelity": "HiFi4"}, "Its cores are not known"),
    ({"duration": 5000}, "The peak of its arithmetic on 'wormhole' is not known")])
def test_what_nothing_is_known_of_is_not_optimized(good, tmp_path, what, why):
    path = write(tmp_path, op("Matmul", 1, **what))
    assert words(good, path)[0].startswith(f"{why}: whe") and "Optimized" not in good("advise", "-q", path).text
    row, = rows_of(good, path, tmp_path)
    assert row["Bound"] == ""


@pytest.mark.parametrize("type_,host", [("tt_dnn_device", False), ("tt_dnn_cpu", True), ("python_fallback", True)])
def test_the_type_tells_what_ran_on_the_host(good, tmp_path, type_, host):
    path = write(tmp_path, op("HostPad", 1, 1000 if not host else "-", kind=type_), op("Add", 2, 1000))
    text = good("advise", "-q", path).text
    assert f"{2 - host} device ops, {int(host)} host ops" in text
    assert rows_of(good, path, tmp_path)[0]["Bound"] == ("HOST" if host else "")


def test_a_grayskull_is_no_wormhole(good, tmp_path):
    """The logs of document 002 name their chip; its memory's peak is not known, so there is no bound."""
    logs = tool.DATA / "tt-ops-folder" / "logs" / "ops"
    text = good("advise", "-q", logs).text
    assert "Architecture: grayskull, Worker cores: 120" in text and "3 device ops, 2 host ops" in text and "SLOW" not in text
    product, lofi = (row for row in operations(good, logs) if "Matmul" in row["operation"])
    assert product["dram"] is not None and product["dram_percent"] is None and not product["bound"]
    work = 2 * 128 * 1024 * 1024 / 634961563e-9
    assert product["flops_percent"] == pytest.approx(100 * work / (92e12 / 120 * 108), rel=1e-6)
    assert lofi["flops_percent"] is None
    told = " ".join(words(good, logs))
    assert "The peak of the DRAM on 'grayskull' is not known" in told and "The peak of LoFi on 'grayskull' is not known" in told


def test_a_report_that_names_no_chip_has_no_peaks(good):
    """One of 2023, without device ids; later ones are of a Wormhole, as tt-perf-report takes them to be."""
    report = tool.DATA / "tt-ops-folder" / "expected_profile_log_ops.csv"
    text = good("advise", "-q", report).text
    assert text.count("The report does not name its chip: rates are shown without percentages. --arch can tell it.") == 1
    assert "Architecture: unknown, Worker cores: not known" in text and "SLOW" not in text and "wormhole" not in text
    assert not any(row["dram_percent"] or row["flops_percent"] or row["bound"] not in ("", "HOST", None) for row in operations(good, report))
    assert "Architecture: grayskull, Worker cores: 120" in good("advise", "-q", report, "--arch", "grayskull").text


def test_gaps_that_no_row_tells_have_no_sum(good, tmp_path):
    """Reports of 2023 have no latencies."""
    report = tool.DATA / "tt-ops-folder" / "expected_profile_log_ops.csv"
    total, = (line for line in good("advise", "-q", report).text.splitlines() if "device ops, " in line)
    assert total.count("μs") == 1
    good("advise", "-q", report, "-o", tmp_path / "page.json")
    overview = json.loads((tmp_path / "page.json").read_text())["sections"]["overview"]
    assert overview["gaps_us"] is None and overview["gaps"] == "not known" and overview["device_time_us"] > 0
    assert good("advise", "-q", "--as-original", report).text.count("0 μs") > total.count("0 μs")


def test_reports_without_device_ids_are_read(tacho, tmp_path):
    columns = ["OP CODE", "OP TYPE", "CORE COUNT", "HOST START TS", "DEVICE KERNEL DURATION [ns]", "INPUT_0_DATA TYPE"]
    path = tmp_path / "old.csv"
    path.write_text(",".join(columns) + "\r\n  Matmul,tt_dnn_device,4,10,2000,BFLOAT16\r\n(torch) view,python_fallback,-,20,-,-\r\n")
    result = tacho("advise", path)
    assert result.code == 0
    assert "1 device ops, 1 host ops, 0 signposts" in result.text
    assert "the file has no device ids" in result.err


# ---- several devices -----------------------------------------------------------------------------------------------------------


def test_devices_are_merged(good, tmp_path):
    path = write(tmp_path, op("Add", 1, 1000, device="0"), op("Add", 2, 3000, device="1"), op("AllGather", 3, 1000, device="0"),
                 op("AllGather", 4, 2000, device="1"))
    made = rows_of(good, path, tmp_path)
    assert [(row["ID"], row["Device"], row["Device Time"]) for row in made] == [("3", "1", "3.0"), ("4", "0", "1.5")]
    assert len(rows_of(good, path, tmp_path, "--no-merge-devices")) == 4
    apart = good("advise", "-q", "--no-merge-devices", "--group-by", "op", path).text
    assert "Detected data from 2 devices. Keeping separate device data..." in apart


def test_what_a_device_lacks_is_told(good, tmp_path):
    path = write(tmp_path, op("A", 1, device="0"), op("B", 2, device="0"), op("B", 3, device="1"), op("C", 4, device="0"))
    text = good("advise", "-q", path).text
    assert "Warning: A at index 0 not present in CSV for 1 devices [1] - do not trust data" in text
    assert "Warning: Device 1 is missing operation C at index 2" in text
    assert "3 device ops" in text


def test_a_device_that_ends_early_is_told_without_a_flood(good, tmp_path):
    path = write(tmp_path, op("A", 1, device="0"), op("A", 2, device="1"), *[op(f"B{i}", 3 + i, device="0") for i in range(100)])
    text = good("advise", "-q", path).text
    assert text.count("Warning: Device 1 is missing") == 12 and "Warning: 88 more operations are missing on some device" in text
    assert good("advise", "-q", "--as-original", path).text.count("Warning: Device 1 is missing") == 100


def test_files_of_one_run_are_put_together(good, tacho, tmp_path):
    one = write(tmp_path, op("Add", 1, device="0"), op("Add", 2, device="1"), name="one.csv")
    two = write(tmp_path, op("Add", 1, device="0"), op("Add", 2, 9000, device="1"), name="two.csv")
    three = write(tmp_path, op("Add", 1, device="0"), name="three.csv")
    good("advise", "-q", one, two, "--csv", tmp_path / "out.csv")
    made = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert [(row["ID"], row["Device"], row["Device Time"]) for row in made] == [("5", "3", "9.0")]
    wrong = tacho("advise", one, three)
    assert wrong.code == 3 and "three.csv" in wrong.err and "its largest device id is 0, that of the first file 1" in wrong.err


# ---- options -------------------------------------------------------------------------------------------------------------------


def test_windows_between_signposts(good, tmp_path):
    path = write(tmp_path, op("A", 1), signpost("x", 2), op("B", 3), signpost("y", 4), op("C", 5), signpost("x", 6), op("D", 7))
    codes = lambda *options: [row["OP Code"] for row in rows_of(good, path, tmp_path, *options)]
    assert codes("--start-signpost", "y") == ["C", "D"]
    assert codes("--end-signpost", "y") == ["A", "B"]
    assert codes("--start-signpost", "x", "--end-signpost", "x") == ["B", "C"]
    assert codes("--start-signpost", "x", "--end-signpost", "x", "--print-signposts") == ["B", "y (signpost)", "C"]
    assert codes("--ignore-signposts", "--no-host-ops") == ["A", "x (signpost)", "B", "y (signpost)", "C", "x (signpost)", "D"]
    assert "Specified starting signpost 'no' not found." in good("advise", "-q", path, "--start-signpost", "no").text


def test_a_range_of_ids(good, tacho, tmp_path):
    path = write(tmp_path, *[op(f"Op{i}", i) for i in range(10)])
    ids = lambda range_: [row["ID"] for row in rows_of(good, path, tmp_path, "--id-range", range_)]
    assert ids("3-5") == ["3", "4", "5"]
    assert ids("-3") == ["2", "3"]
    assert ids("1,0-") == ["10", "11"]
    assert rows_of(good, path, tmp_path, "--id-range", "5-")[0]["Op-to-Op Gap"] == ""
    for wrong in ("5", "a-b", "-", "1-2-3"):
        assert tacho("advise", path, "--id-range", wrong).code == 2


def test_old_options_are_taken_with_a_note(tacho, tmp_path):
    path = write(tmp_path, op("A", 1))
    result = tacho("advise", path, "--no-stack-by-in0", "--stacked-csv", tmp_path / "base", "--classic-colors")
    assert result.code == 0
    assert "--no-stack-by-in0 is old" in result.err and "--stacked-csv is old" in result.err
    assert (tmp_path / "base.csv").read_text().startswith("Total % [%],Op Code,Device Time Sum [μs],Op Count,Op Category")
    assert "A,1.00,1,Other" in (tmp_path / "base.csv").read_text()
    assert "Stacked" not in tacho("advise", path, "--no-stacked-report").text


def test_every_name_of_the_original_has_its_category(good, tmp_path):
    """T12: names that the original's table has and ours lacked."""
    names = {"AllGatherMatmul": "Compute", "SDPAOperation": "Compute", "RotaryEmbeddingLlamaDeviceOperation": "Compute",
             "ScaledDotProductAttentionDecode": "Compute", "PagedUpdateCacheDeviceOperation": "DM", "ReduceScatter": "DM",
             "ConcatenateHeads": "TM", "CreateQKVHeadsDeviceOperation": "TM", "Fold": "TM", "PadDeviceOperation": "TM",
             "NLPConcatHeadsDecodeDeviceOperation": "TM", "NLPCreateHeadsDecodeDeviceOperation": "TM"}
    path = write(tmp_path, *[op(name, i) for i, name in enumerate(names)])
    good("advise", "-q", path, "--group-by", "op", "--summary-file", tmp_path / "s")
    rows = csv.DictReader((tmp_path / "s.csv").open())
    assert {row["Op Code"]: row["Op Category"] for row in rows} == names
    assert "'Nobody' is in no category that is known" in good("advise", "-q", write(tmp_path, op("Nobody", 1))).text


def test_operations_can_be_chosen_sorted_and_filtered(good, tacho, tmp_path):
    """C15: a view of the operations."""
    path = write(tmp_path, *[op(name, i, 1000 * (i + 1)) for i, name in enumerate(["Add", "Matmul", "Add", "Copy"])])
    made = json.loads(good("advise", "-q", path, "--columns", "operation,device_time", "--sort", "-device_time", "--limit", "2",
                           "--filter", "operation~Add", "--json").text)
    assert made["name"] == "operations" and [list(row) for row in made["rows"]] == [["operation", "device_time"]] * 2
    assert [row["device_time"] for row in made["rows"]] == [3000, 1000]
    good("advise", "-q", path, "--sort", "device_time", "-o", tmp_path / "view.csv")
    assert [row["operation"] for row in csv.DictReader((tmp_path / "view.csv").open())] == ["Add", "Matmul 32 x 32 x 32", "Add", "Copy"]
    assert "advice" in good("advise", "-q", path, "--columns", "help").text
    assert tacho("advise", path, "--columns", "no_such").code == 2


def test_architectures_can_be_told(good, tacho, tmp_path):
    path = write(tmp_path, op("Matmul", 1, 100000, fidelity="HiFi4", sizes=("1,1,1024,1024",) * 3))
    told = tmp_path / "chips.json"
    told.write_text(json.dumps({"architectures": [{"name": "mine", "worker_cores": 8, "dram_gb_s": 144, "tflops_per_core": {"HiFi4": 2}}]}))
    known, mine = rows_of(good, path, tmp_path)[0], rows_of(good, path, tmp_path, "--arch", told)[0]
    assert float(mine["DRAM %"]) == pytest.approx(float(known["DRAM %"]) * 2)
    assert float(mine["FLOPs %"]) == pytest.approx(float(known["FLOPs %"]) * 74 / 72 / 2)
    assert "Architecture: mine, Worker cores: 8" in good("advise", "-q", path, "--arch", told).text
    wrong = tacho("advise", path, "--arch", "warp")
    assert wrong.code == 2 and "wormhole, blackhole, bh20, n1" in wrong.err
    told.write_text('{"architectures": [{"name": "x", "dram_gb_s": "fast"}]}')
    assert tacho("advise", path, "--arch", told).code == 3


@pytest.mark.parametrize("text,why", [
    ('{"architectures": []}', "is empty"), ("[]", "is an object"), ('{"name": "x", "worker_cors": 8}', 'has no "worker_cors"'),
    ('{"name": "x", "tflops_per_core": {"HiFi9": 3}}', 'has no "HiFi9"'), ('{"name": "x", "tflops_per_core": 3}', "rates by fidelity")])
def test_an_architecture_that_is_misspelt_is_refused(tacho, tmp_path, text, why):
    told = tmp_path / "chips.json"
    told.write_text(text)
    result = tacho("advise", write(tmp_path, op("Matmul", 1)), "--arch", told)
    assert result.code == 3 and str(told) in result.err and why in result.err


def test_a_file_of_architectures_that_is_not_used_is_told(good, tmp_path):
    header = HEADER.replace("OP CODE,", "DEVICE ARCH,OP CODE,")
    path = write(tmp_path, "blackhole," + op("Matmul", 1, fidelity="HiFi4"), header=header)
    told = tmp_path / "chips.json"
    told.write_text('{"name": "p100", "like": "blackhole", "worker_cores": 120}')
    text = good("advise", "-q", path, "--arch", told).text
    assert "describes no 'blackhole'" in text and "Worker cores: 130" in text
    told.write_text('{"name": "blackhole", "like": "blackhole", "worker_cores": 120}')
    text = good("advise", "-q", path, "--arch", told).text
    assert "describes no" not in text and "Worker cores: 120" in text
    # The original takes 64 of any chip where the report does not tell how many there are.
    assert "Worker cores: 64" in good("advise", "-q", "--as-original", path).text
    told.write_text('{"name": "bare"}')
    assert "Architecture: bare, Worker cores: not known" in good("advise", "-q", write(tmp_path, op("Matmul", 1)), "--arch", told).text


def test_an_architecture_of_the_file_that_nobody_knows_has_no_percentages(good, tmp_path):
    header = HEADER.replace("OP CODE,", "DEVICE ARCH,AVAILABLE WORKER CORE COUNT,OP CODE,")
    path = write(tmp_path, "quasar,32," + op("Matmul", 1, fidelity="HiFi4"), header=header)
    row, = rows_of(good, path, tmp_path)
    assert row["DRAM"] and not row["DRAM %"] and not row["FLOPs %"] and row["FLOPs"]
    assert "The peaks of 'quasar' are not known" in good("advise", "-q", path).text


def test_the_rank_is_a_list_of_whole_sentences(good):
    """At 80 columns, where a table would cut them."""
    ranked = advice(good, source("bh_p100_dlv3"))["items"]
    text = good("advise", "-q", source("bh_p100_dlv3"), "--rank").text
    assert max(map(len, text.splitlines())) <= 80
    assert len(re.findall(r"^ *\d+\. ", text, re.MULTILINE)) == len(ranked)
    told = " ".join(text.split())
    for item in ranked:
        assert " ".join(item["title"].split()) in told and " ".join(item["evidence"].split()) in told
    assert "Performance Report" not in text and "Stacked report" not in text


@pytest.mark.parametrize("report", REPORTS)
def test_the_list_is_by_what_could_be_saved(good, report):
    found = advice(good, source(report))
    saves = [item["saves_ns"] for item in found["items"]]
    assert saves == sorted(saves, reverse=True) and sum(saves) <= found["run_ns"]
    assert all(item["bound"] and item["evidence"] and item["if"] and item["command"] and item["where"] for item in found["items"])
    assert sum(part["time_ns"] for part in found["parts"]) == pytest.approx(found["run_ns"], abs=len(found["parts"]))
    assert "for 0 operations" not in good("advise", "-q", source(report)).text


@pytest.mark.parametrize("report", REPORTS)
def test_the_list_stands_above_the_table_and_has_one_ranking(good, report):
    text = good("advise", "-q", "--ignore-signposts", source(report)).text
    original = good("advise", "-q", "--ignore-signposts", "--as-original", source(report)).text
    assert text.index("What to do first") < text.index("Performance Report")
    assert "💡 Advice 💡" not in text and "💡 Advice 💡" in original and "What to do first" not in original


def test_the_page_has_the_rooflines(good, tmp_path):
    good("advise", "-q", source("bh_p100_dlv3"), "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg viewBox") == 1 and "LoFi: 608 TFLOPs" in page and page.count("<circle") == 42
    assert "<script" not in page and "://" not in page.replace("http://www.w3.org", "")
    good("advise", "-q", source("bh_p100_dlv3"), "-o", tmp_path / "page.md")
    assert "## Rooflines" in (tmp_path / "page.md").read_text()
    good("advise", "-q", source("bh_p100_dlv3"), "-o", tmp_path / "page.json")
    assert json.loads((tmp_path / "page.json").read_text())["title"] == f"Advice: {source('bh_p100_dlv3').name}"


def test_files_go_together(good, tacho, tmp_path):
    path = write(tmp_path, op("A", 1))
    good("advise", "-q", path, "--csv", tmp_path / "a.csv", "-o", tmp_path / "a.html")
    assert {"a.csv", "a.html", "a_stacked.csv", "a_stacked.html"} <= {made.name for made in tmp_path.iterdir()}
    assert good("advise", "-q", path, "-o", tmp_path / "b.html").text == ""
    good("advise", "-q", path, "-o", tmp_path / "c.md", "--summary-file", tmp_path / "c")
    assert {"c.md", "c.csv", "c.html"} <= {made.name for made in tmp_path.iterdir()}
    ranked = good("advise", "-q", path, "--rank", "--json", "--csv", tmp_path / "d.csv", "-o", tmp_path / "d.html")
    assert "items" in json.loads(ranked.text) and (tmp_path / "d.csv").exists() and (tmp_path / "d.html").exists()
    good("advise", "-q", path, "-o", tmp_path / "e.json")
    sections = list(json.loads((tmp_path / "e.json").read_text())["sections"])
    assert sections.index("rooflines") < sections.index("time") < sections.index("ops")
    assert "What to do first" in (tmp_path / "a.html").read_text()
    assert tacho("advise", path, "--rank", "--summary-file", tmp_path / "e").code == 2


def test_the_stacked_report_does_not_overwrite_the_input(tacho, tmp_path):
    path = write(tmp_path, op("A", 1))
    before = path.read_bytes()
    stacked = write(tmp_path, op("A", 1), name="x_stacked.csv")
    for arguments in ([path, "--summary-file", tmp_path / "ops"], [stacked, "--csv", tmp_path / "x.csv"]):
        result = tacho("advise", *arguments)
        assert result.code == 2 and "is an input too" in result.err
    assert path.read_bytes() == stacked.read_bytes() == before
    assert tacho("advise", stacked, "--csv", tmp_path / "x.csv", "--no-summary").code == 0


def test_nothing_of_a_hostile_name_reaches_the_terminal(good, tmp_path):
    path = write(tmp_path, op("A\x1b[2J\x07B", 1))
    out = good("advise", "-q", path, "--no-advice").out
    assert b"\x1b" not in out and b"\x07" not in out and b"A?[2J?B" in out


# ---- inputs that are wrong -----------------------------------------------------------------------------------------------------


def test_lost_rows_are_counted(tacho, tmp_path):
    path = write(tmp_path, op("A", 1), "B,tt_dnn_device,1,0\n", op("C", 3, "many"), op("D", 4, -5))
    result = tacho("advise", path)
    assert result.code == 0 and "1 device ops" in result.text
    assert "3 of 4 rows lost" in result.err and "too few or too many fields (line 3)" in result.err
    assert "a number that cannot be read (line 4)" in result.err and "end before start (line 5)" in result.err
    strict = tacho("advise", "--strict", path)
    assert strict.code == 3 and "ops.csv:3:1" in strict.err


@pytest.mark.parametrize("content,code", [(b"", 3), (b"\0\1\2", 3), (b"a,b\n1,2\n", 3), (HEADER.encode(), 0), (HEADER.encode() + b"x\n", 3)])
def test_inputs_without_operations(tacho, tmp_path, content, code):
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    result = tacho("advise", path)
    assert result.code == code and (code == 0 or str(path) in result.err)


def test_profiles_of_other_kinds_do_not_go_with_a_report(tacho):
    result = tacho("advise", source("bh_p100_dlv3"), tool.DATA / "torq-golden" / "c1.csv")
    assert result.code == 3 and "only reports of operations (tt-ops-csv, tt-ops-folder, tt-tracy-ops) go together" in result.err
    for words in (["--etrecord", "x"], ["--mlir", "x"], ["--clock-mhz", "800"]):
        result = tacho("advise", source("bh_p100_dlv3"), *words)
        assert result.code == 2 and f"{words[0]} is about" in result.err


def test_a_report_converts(good, tmp_path):
    for report in REPORTS:
        assert "slices" in good("convert", source(report), "-o", tmp_path / "ops.pb").text


def test_a_last_row_that_is_cut_off_is_told_once(tacho, tmp_path):
    path = tmp_path / "cut.csv"
    path.write_text(HEADER + op("A", 1) + op("B", 2)[:-30])
    err = tacho("advise", path).err
    assert "1 x a last line that is cut off (line 3)" in err and "kept" not in err
    path.write_text((HEADER + op("A", 1) + op("B", 2)).rstrip("\n"))
    assert "1 x a last line without a line end (kept) (line 3)" in tacho("advise", path).err


def test_fewer_than_no_cores_are_no_number(tacho, tmp_path):
    assert "1 x a number that cannot be read (line 3)" in tacho("advise", write(tmp_path, op("A", 1), op("B", 2, cores=-5))).err


def test_a_report_of_devices_alone(good, tmp_path):
    path = tmp_path / "devices.csv"
    path.write_text("GLOBAL CALL COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,OP TO OP LATENCY [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n"
                    "1024,1000,3000,0,2000,1500\n2048,4000,8000,1200,4000,3500\n,9000,9100,1,100,50\n")
    result = good("advise", path, "--csv", tmp_path / "out.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(), newline="")))
    assert [(row["OP Code"], row["Device Time"], row["Op-to-Op Gap"]) for row in rows] == [("op 1024", "1.5", ""), ("op 2048", "3.5", "1.2")]
    assert "1 x an event that holds nothing (line 4)" in result.err and "No device operations" not in result.text
    path.write_text(path.read_text().replace("GLOBAL CALL COUNT", "GLOBAL CALL COUNT,OP NAME").replace("\n1024", "\n1024,Matmul").replace("\n2048", "\n2048,")
                    .replace("\n,9000", "\n,,9000"))
    assert [row["OP Code"].split()[0] for row in rows_of(good, path, tmp_path)] == ["Matmul", "op"]


def test_traces_of_reports_have_active_cores(good, tmp_path):
    header = HEADER.replace("CORE COUNT,", "CORE COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,DEVICE FW DURATION [ns],")
    rows = [op(name, 1, cores=f"{cores},{start},{end},{end - start}") for name, cores, start, end in
            (("A", 8, 1000, 3000), ("B", 4, 2000, 3000), ("C", 2, 3000, 5000))]
    path = write(tmp_path, *rows, header=header)
    good("convert", "-q", path, "-o", tmp_path / "x.pb")
    values = perfetto_decode.decode_file(tmp_path / "x.pb").counters
    assert [(time - values[0][1], value) for _, time, value in values] == [(0, 8), (1000, 12), (2000, 2), (4000, 0)]


def test_rows_without_any_time_are_counted(good, tmp_path):
    path = write(tmp_path, op("A", 1), "B,tt_dnn_device" + "," * (HEADER.count(",") - 1) + "\n", "C,python_fallback" + "," * (HEADER.count(",") - 1) + "\n")
    assert "rows that tell neither host times nor cycles of a device, and are not in the trace: 2" in good("convert", path, "-o", tmp_path / "x.pb").err


def test_a_compressed_report_that_is_cut_off_is_used_as_far_as_it_goes(tacho, tmp_path):
    """C8: as a plain one that is cut off."""
    rows = "".join(op(f"Op{i % 97}", i, 1000 + i * 7919 % 1000) for i in range(40000))
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(gzip.compress(write(tmp_path, rows).read_bytes())[:-2000])
    result = tacho("advise", path, "--no-summary", "--csv", tmp_path / "out.csv")
    assert result.code == 0 and "cut off or damaged" in result.err
    assert 30000 < (tmp_path / "out.csv").read_text().count("\n") < 40000
    assert tacho("advise", "--strict", path).code == 3


def test_a_report_with_the_index_of_a_table_is_read(good, tmp_path):
    """C8: what pandas writes with its index."""
    lines = write(tmp_path, op("Add", 1), op("Matmul", 2)).read_text().splitlines()
    indexed = tmp_path / "indexed.csv"
    indexed.write_text("," + lines[0] + "\n" + "".join(f"{i},{line}\n" for i, line in enumerate(lines[1:])))
    assert "Matmul" in good("advise", "-q", indexed).text


def test_a_folder_stands_for_the_newest_report_in_it(tacho, tmp_path):
    """C15: generated/profiler/reports holds a folder for each run."""
    for number, name in enumerate(["Oldest", "Newest", "Older"]):
        folder = tmp_path / "reports" / name
        folder.mkdir(parents=True)
        path = write(folder, op(name, 1), name=f"ops_perf_results_{name}.csv")
        stamp = 1_700_000_000 + {"Oldest": 0, "Newest": 200, "Older": 100}[name]
        os.utime(path, (stamp, stamp))
    (tmp_path / "reports" / "notes.csv").write_text("a,b\n1,2\n")
    result = tacho("advise", tmp_path / "reports")
    assert result.code == 0 and "Newest" in result.text and "Older" not in result.text
    assert "the newest report in the folder is read" in result.err
    assert tacho("advise", tmp_path).code == 3
