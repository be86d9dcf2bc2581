"""What Tenstorrent's own tools gave: device logs of all generations, the ops report, and tt-perf-report.

Files that Tacho writes in the same form are compared byte for byte. Where an original is wrong, tt_reference.py (or a rule here) makes
the original's answer from its mistake: that must be the golden, exactly, and the right answer must be ours, exactly.

Goldens lie in tests/data, or in a folder that is laid out as the vendors' data are:

    lfs_seedgen/logs/profile_log_device_NAME.csv     lfs_seedgen/outputs/test_NAME/device_stats.txt ...
    lfs_tracygen/                                    the same in twelve columns
    visualizer_13col/*.csv                           logs alone
    derived_15col/profile_log_device_NAME.csv        derived_15col/expected_NAME/device_stats.txt ...
    constructed_ops/logs/ops                         constructed_ops/expected_profile_log_ops.csv
    tt_perf_report/NAME.csv, visualizer_*/NAME.csv   NAME_expected/report.txt ...
"""
import ast
import csv
import functools
import gzip
import io
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import tool
import tt_reference as reference
from goldens_shared import Golden, same, same_text

STATS, REARRANGED = "device_stats.txt", "device_rearranged_timestamps.csv"
ANALYSIS, CHROME = "device_analysis_data.json", "device_chrome_tracing.json"
OP_RESULTS, OP_STEPS = "ops_perf_results.csv", "per_core_op_to_op_times.csv"
ORIGINAL_MINUS = 1500  # what the original takes off each step between ops, as ns off cycles
PREFIX = "profile_log_device_"


def content(path):
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def plain_name(path):
    return path.name.removesuffix(".gz")


@dataclass(frozen=True)
class Log:
    """A device log and the folder with what an original made of it."""

    name: str
    path: Path
    folder: Path

    @functools.cached_property
    def text(self):
        return content(self.path).decode()

    def files(self):
        return {plain_name(path): path for path in sorted(self.folder.iterdir())} if self.folder.is_dir() else {}


@functools.lru_cache(maxsize=4)
def device(path):
    """What `tacho device` makes of a log: {file: bytes}. It must lose nothing."""
    with tempfile.TemporaryDirectory() as folder:
        done = tool.good("device", "-d", path, "-o", folder, "--no-print-stats", "--no-plots", "--strict")
        same("rows lost", "lost" in done.err, False)
        made = {file.name: file.read_bytes() for file in Path(folder).iterdir()}
        made["folder"] = folder
    return made


@functools.cache
def device_only_report(path):
    """What `tacho ops` makes of a device log alone: {file: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        logs, made = Path(folder) / "logs", Path(folder) / "made"
        logs.mkdir()
        (logs / "profile_log_device.csv").write_bytes(content(path))
        tool.good("ops", "-i", logs, "-o", made, variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None})
        return {file.name: file.read_bytes() for file in made.iterdir()}


def rows_of(table):
    """The rows of a CSV as {column: text}, without empty cells."""
    return [{column: value for column, value in row.items() if value}
            for row in csv.DictReader(io.StringIO(table.decode(), newline=""))]


def values_of(text):
    """{analysis: {statistic: number}} of device_stats.txt, without its maps; a single duration has Count 1."""
    made, name = {}, None
    for line in text.splitlines():
        if line.startswith("=================== "):
            name = line.strip("= ")
            made[name] = {"Count": 1}
        elif " = " in line and name:
            key, value = line.split(" = ")
            made[name][key.replace("[cycles]", "").strip()] = int(value.replace(",", ""))
    return made


# ---- Logs of six columns -----------------------------------------------------------------------------------------------


def check_bytes(log, file, golden):
    same_text(file, device(log.path)[file], content(golden))


def check_analysis(log, golden):
    """By value, and written as Python would write it."""
    made = device(log.path)
    ours, theirs = json.loads(made[ANALYSIS]), json.loads(content(golden))
    theirs["setup"]["outputFolder"] = made["folder"]
    for part in theirs:
        same(part, ours[part], theirs[part])
    same_text("text", made[ANALYSIS], json.dumps(theirs, indent=2, sort_keys=True).encode())


def check_chrome(log, golden):
    """The original gives every begin the time of T0."""
    made = device(log.path)
    ours, theirs = json.loads(made[CHROME]), json.loads(content(golden))
    chips = json.loads(made[ANALYSIS])["data"]["devices"]
    first = min(chip["metadata"]["global_min"]["ts"] for chip in chips.values())
    starts = sorted(int(fields[5]) for fields in reference.fields_of(log.text) if fields[4] == "1")
    same("begins", sorted(event["ts"] for event in ours if event["ph"] == "B"), starts)
    moved = [dict(event, ts=first) if event["ph"] == "B" else event for event in ours]
    same("events", moved, theirs)
    return ["every begin of the original lies at T0; ours at its marker"] if moved != ours else None


def six_goldens(log):
    checks = {STATS: lambda path: check_bytes(log, STATS, path), REARRANGED: lambda path: check_bytes(log, REARRANGED, path),
              ANALYSIS: lambda path: check_analysis(log, path), CHROME: lambda path: check_chrome(log, path)}
    return [(path, functools.partial(checks[name], path)) for name, path in log.files().items() if name in checks]


# ---- Twelve columns: the vendor's conversion put the times into the column of sums, so that all times are 0 ---------------


def ops_of_equal_times(log):
    """Where all times are equal the original walks core by core, RISC by RISC, and an op begins with each BRISC-FW."""
    rows = reference.fields_of(log.text)
    lanes = list(dict.fromkeys(tuple(row[:4]) for row in rows))
    cores = list(dict.fromkeys(lane[:3] for lane in lanes))
    made = []
    for row in sorted(rows, key=lambda row: (cores.index(tuple(row[:3])), lanes.index(tuple(row[:4])))):
        if (row[3], row[8], row[9]) == ("BRISC", "BRISC-FW", "begin"):
            made.append([])
        if made:
            made[-1].append((row[3], row[8]))
    return made


def counts_of_the_original(log):
    ops = ops_of_equal_times(log)

    def having(condition):
        return sum(sum(condition(*marker) for marker in op) > 1 for op in ops)

    made = {"device_fw_duration": having(lambda _, zone: zone.endswith("-FW")),
            "device_kernel_duration": having(lambda _, zone: zone.endswith("-KERNEL")),
            "device_brisc_kernel_duration": having(lambda _, zone: zone == "BRISC-KERNEL"),
            "device_ncrisc_kernel_duration": having(lambda _, zone: zone == "NCRISC-KERNEL")}
    for number in range(3):
        made[f"device_trisc{number}_kernel_duration"] = having(
            lambda risc, zone, wanted=f"TRISC_{number}": (risc, zone) == (wanted, "TRISC-KERNEL"))
    made["device_compute_cb_wait_front"] = made["device_compute_cb_reserve_back"] = len(ops)
    return {name: count for name, count in made.items() if count}


def check_equal_times(log, golden):
    theirs, ours = values_of(content(golden).decode()), values_of(device(log.path)[STATS].decode())
    same("times in the log", {fields[5] for fields in reference.fields_of(log.text)}, {"0"})
    for made in (ours, theirs):
        same("statistics but counts", {value for values in made.values() for key, value in values.items() if key not in ("Count", "Not known")} | {0}, {0})
    same("their counts", {name: values["Count"] for name, values in theirs.items()}, counts_of_the_original(log))
    return ["the log has all its times in the column of sums, so every duration is 0; the original counts an op for each BRISC "
            "firmware, ours one op for what has one time"] if ours != theirs else None


def check_series(log, golden):
    """The markers of every RISC, in order."""
    ours, theirs = json.loads(device(log.path)[ANALYSIS])["data"]["devices"], json.loads(content(golden))["data"]["devices"]
    phases = {"begin": "ZONE_START", "end": "ZONE_END"}
    for chip, values in theirs.items():
        for core, found in values["cores"].items():
            for risc, series in found["riscs"].items():
                if core == "DEVICE" or risc == "TENSIX":
                    continue
                golden_series = []
                for text in series["timeseries"]:
                    kind, time, _ = ast.literal_eval(text)
                    name = (kind["zone_name"], phases.get(kind["zone_phase"], "")) if kind["id"] else ()
                    golden_series.append((kind["id"], time, *name))
                same(f"{core} {risc}", [tuple(word for word in ast.literal_eval(text) if word != "") for text in
                                        ours[chip]["cores"][core]["riscs"][risc]["timeseries"]],
                     [tuple(word for word in marker if word != "") for marker in golden_series])
    return ["markers are texts of Python dicts in the original, tuples in ours; the same markers in the same order"]


def twelve_goldens(log):
    checks = {STATS: lambda path: check_equal_times(log, path), ANALYSIS: lambda path: check_series(log, path)}
    return [(path, functools.partial(checks[name], path)) for name, path in log.files().items() if name in checks]


# ---- Fifteen columns: the original closes an op at the last BRISC end, so that later markers fall into the next one --------


def check_op_stats(log, golden):
    zones = reference.zones_of(log.text)
    ops, _ = reference.ops_of_the_original(zones)
    same_text("the original's split", reference.zoned_stats(zones, ops).encode(), content(golden))
    same_text("the right split", device(log.path)[STATS], reference.zoned_stats(zones, reference.ops_of(zones)).encode())
    return op_difference(log.text) if ops != reference.ops_of(zones) else None


def op_difference(text):
    zones = reference.zones_of(text)
    late = sum(len(set(right) - set(wrong))
               for right, wrong in zip(reference.ops_of(zones), reference.ops_of_the_original(zones)[0]))
    return [f"the original puts {late} markers that come after the last BRISC end into the next op or drops them; ours are in their own op"]


def check_op_results(log, golden):
    """The original's rows from its split, ours from the right one; the same bytes where the two splits are the same."""
    zones, mhz = reference.zones_of(log.text), reference.clock_of(log.text)[1]
    ops, host_ids = reference.ops_of_the_original(zones)
    right = reference.ops_of(zones)

    def rows(split, ids):
        return [{column: value for column, value in row.items() if value} for row in reference.op_report(split, ids, mhz)]

    same("the original's rows", rows(ops, host_ids), rows_of(content(golden)))
    ours = device_only_report(log.path)[OP_RESULTS]
    if ops == right:
        same_text("report", ours, content(golden))
        return None
    same("rows", rows_of(ours), rows(right, [markers[0].host_id for markers in right]))
    return op_difference(log.text)


def check_op_steps(log, golden):
    """Between ops on each core: the original takes 1500 ns off the cycles and calls them ns."""
    zones = reference.zones_of(log.text)
    made = {}
    head, *rows = csv.reader(io.StringIO(content(golden).decode(), newline=""))
    for row in rows:
        cells = dict(zip(head, row))
        ids = tuple(int(number) for number in cells["op2op ID"].split(" -> "))
        made[ids] = {tuple(int(part) for part in name.removesuffix(" [ns]").split("; ")): int(value) + ORIGINAL_MINUS
                     for name, value in cells.items() if name.endswith(" [ns]") and value}
    same("steps between ops", reference.steps_between_ops(zones), made)
    mhz = reference.clock_of(log.text)[1]
    ours = {tuple(int(number) for number in row.pop("op2op ID").split(" -> ")): row
            for row in rows_of(device_only_report(log.path)[OP_STEPS])}
    same("steps between ops in ns", ours, {
        ids: {"device ID": "0", **{f"{core[0]}; {core[1]} [ns]": str(round(cycles * 1000 / mhz) - ORIGINAL_MINUS)
                                   for core, cycles in steps.items()}} for ids, steps in made.items()})
    return ["the original takes 1500 ns off cycles and calls the rest ns, cores in no order; ours are ns less 1500, cores in order"]


def fifteen_goldens(log):
    checks = {STATS: lambda path: check_op_stats(log, path), OP_RESULTS: lambda path: check_op_results(log, path),
              OP_STEPS: lambda path: check_op_steps(log, path)}
    return [(path, functools.partial(checks[name], path)) for name, path in log.files().items() if name in checks]


# ---- The ops report ----------------------------------------------------------------------------------------------------


def check_ops_report(logs, golden):
    with tempfile.TemporaryDirectory() as folder:
        tool.good("ops", "-i", logs, "-o", folder, variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None})
        same_text("report", (Path(folder) / "profile_log_ops.csv").read_bytes(), content(golden))


# ---- tt-perf-report ----------------------------------------------------------------------------------------------------

ALL_ROWS = ["--ignore-signposts"]
TEXTS = {
    "report.txt": [],
    "report_category.txt": [*ALL_ROWS, "--group-by", "category", "--no-advice"],
    "report_nomerge_op.txt": [*ALL_ROWS, "--group-by", "op", "--no-merge-devices", "--no-advice"],
    "report_ignore_signposts.txt": ALL_ROWS,
    "report_color_id2-60.txt": [*ALL_ROWS, "--color", "--id-range", "2-60", "--no-advice", "--no-summary"],
}
# Written with --csv: the file itself, its twin of stacked groups, and what was printed beside.
TABLES = {"report.csv": [], "report_ignore.csv": [*ALL_ROWS, "--raw-op-codes"]}
PRINTED = "csv.stdout"
UNCLASSIFIED = re.compile(rb"Warning: Unclassified operation '(.*?)' found. Please add to OPERATION_CATEGORIES for proper classification\.")
ADVICE = re.compile("\n💡 Advice 💡\n.*?(?=\n📊 Stacked report 📊|(?<=\n)Warning: Unclassified|\\Z)".encode(), re.DOTALL)
FLAGS = re.compile(rb"(\[ABH=[^] ]*)( ADB)?( SR)?\]")


def words_of(text):
    """Lines without the number of blanks, and without the flags that the original shows for attributes that are missing."""
    return [b" ".join(line.split()) for line in FLAGS.sub(rb"\1]", text).split(b"\n") if not line.startswith(b"---")]


def check_text(report, options, golden):
    theirs = content(golden)
    same_text("with --as-original", tool.good("advise", "-q", "--as-original", report, *options).out, theirs)
    theirs = ADVICE.sub(b"", theirs)  # ours is a list of its own, above the table
    ours = tool.good("advise", "-q", report, "--no-advice", *options).out
    if ours == theirs:
        return None
    left, right, made = words_of(ours), words_of(UNCLASSIFIED.sub(rb"Warning: '\1' is in no category that is known: it is counted as Other.", theirs)), []
    if UNCLASSIFIED.search(theirs):
        made.append("the original names a table in its source for an operation without a category; ours says how it is counted")
    if FLAGS.search(theirs):
        made.append("the original shows ADB and SR also for convolutions that lack the attribute")
    if left != right:  # shares of several devices are sorted as text in the original
        cut = right.index("📊 Stacked report 📊".encode())
        same("text above the stacked report", left[:cut], right[:cut])
        same("rows of the stacked report", sorted(left[cut:]), sorted(right[cut:]))
        shares = [float(line.split()[0]) for line in left[cut:] if re.match(rb"[\d.]+ %", line)]
        same("order of shares", shares, sorted(shares, reverse=True))
        made.append("the original sorts shares as text; ours by number")
    return made


def table_of(report, options, name, *more):
    """What was printed, and the file `name` of those that --csv writes; None: it was not written."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.csv"
        printed = tool.good("advise", "-q", report, "--csv", made, *options, *more).out
        file = made if name == "table" else made.with_name("made_stacked.csv")
        return printed, file.read_bytes() if file.exists() else None


def flags_of_the_original(code, attributes):
    """A flag of a convolution is shown unless its attribute is there and says no."""
    def shown(name):
        found = re.search(rf"'{name}': '(\w+)'", attributes)
        return not found or found[1] == "true"

    flags = (" ADB" if shown("enable_act_double_buffer") else "") + (" SR" if shown("enable_split_reader") else "")
    return FLAGS.sub(rb"\1" + flags.encode() + b"]", code.encode()).decode()


def check_table(report, options, name, golden):
    """The original's own mistakes with --as-original, all others without: its flags come from our rows by its rule."""
    theirs = content(golden)
    same_text("with --as-original", table_of(report, options, name, "--as-original")[1], theirs)
    ours = table_of(report, options, name)[1]
    if ours == theirs:
        return None
    same("name of the file that differs", name, "table")
    with io.StringIO(content(report).decode(), newline="") as file:
        attributes = {str(number): row["ATTRIBUTES"] for number, row in enumerate(csv.DictReader(file), 2)}
    rows = [list(csv.DictReader(io.StringIO(text.decode(), newline=""))) for text in (ours, theirs)]
    same("rows", [dict(row, **{"OP Code": flags_of_the_original(row["OP Code"], attributes[row["ID"]])}) for row in rows[0]], rows[1])
    return ["the original shows ADB and SR also for convolutions that lack the attribute"]


def check_printed(report, golden):
    """Paths aside: the original draws a PNG, ours writes a page."""
    names = re.compile(rb"(Writing|Plotting) (CSV|HTML|PNG)( output| stacked report| report) to \S+")
    ours, theirs = table_of(report, [], "table", "--as-original")[0], content(golden)
    lines = [line for line in theirs.split(b"\n") if not line.startswith(b"Plotting PNG")]
    pages = [line for line in ours.split(b"\n") if not line.startswith(b"Writing HTML")]
    same("lines", [names.sub(rb"\1 \2\3", line) for line in pages], [names.sub(rb"\1 \2\3", line) for line in lines])
    return ["the original draws the stacked report as a PNG; ours writes a page"] if b"Plotting PNG" in theirs else None


def check_of_report(report, name, path):
    """The check of a file of that name; None: it is compared with nothing."""
    table = name.replace("_stacked.csv", ".csv")
    if name in TEXTS:
        return functools.partial(check_text, report, TEXTS[name], path)
    if table in TABLES:
        return functools.partial(check_table, report, TABLES[table], "table" if name == table else "stacked", path)
    return functools.partial(check_printed, report, path) if name == PRINTED else None


# ---- Where they lie ----------------------------------------------------------------------------------------------------

GENERATIONS = {"six": six_goldens, "twelve": twelve_goldens, "thirteen": lambda log: [], "fifteen": fifteen_goldens}


def check_reading(log):
    """Every row is used, in strict reading, by each way of reading."""
    device(log.path)
    rows = json.loads(tool.good("summary", "--json", "--strict", log.path).text)["rows"]
    same("rows", (rows["read"], rows["used"], rows["lost"]), (len(reference.fields_of(log.text)),) * 2 + (0,))


def goldens_of_log(log, generation):
    name = f"tenstorrent/{generation}/{log.name}"
    made = [Golden(log.path, "tenstorrent", functools.partial(check_reading, log), f"{name}.csv, every row read")]
    return made + [Golden(path, "tenstorrent", check, f"{name}/{plain_name(path)}") for path, check in GENERATIONS[generation](log)]


def goldens_of_report(report, name, files):
    """`files`: {name: path}."""
    checks = [(path, wanted, check_of_report(report, wanted, path)) for wanted, path in files.items()]
    return [Golden(path, "tenstorrent", check, f"tenstorrent/tt-perf-report/{name}/{wanted}") for path, wanted, check in checks if check]


def goldens_of_folder(logs, golden):
    return [Golden(golden, "tenstorrent", functools.partial(check_ops_report, logs, golden), f"tenstorrent/ops/{golden.name}")]


def in_tests():
    """Those of tests/data."""
    made, data = [], tool.DATA / "tt-device"
    for generation in GENERATIONS:
        for path in sorted((data / generation).iterdir()):
            if path.is_file():
                name = plain_name(path).removesuffix(".csv")
                made += goldens_of_log(Log(name, path, data / generation / name), generation)
    made += goldens_of_folder(tool.DATA / "tt-ops-folder" / "logs" / "ops", tool.DATA / "tt-ops-folder" / "expected_profile_log_ops.csv")
    reports = tool.DATA / "tt-ops-csv"
    for path in sorted(reports.glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        if "." not in name:
            made += goldens_of_report(path, name, {plain_name(file).removeprefix(name + "."): file for file in sorted(reports.glob(f"{name}.*.gz"))
                                                   if file != path})
    return made


def in_folder(folder):
    """Those of a folder laid out as the vendors' data are."""
    made = []
    for generation, logs, outputs in (("six", "lfs_seedgen/logs", "lfs_seedgen/outputs/test_"), ("twelve", "lfs_tracygen/logs", "lfs_tracygen/outputs/test_"),
                                      ("thirteen", "visualizer_13col", ""), ("fifteen", "derived_15col", "derived_15col/expected_")):
        for path in sorted((folder / logs).glob("*.csv*")):
            name = plain_name(path).removesuffix(".csv").removeprefix(PREFIX)
            output = folder / (outputs + name)
            made += goldens_of_log(Log(name, path, output if output.exists() else folder / (outputs + name.lower())), generation)
    for golden in sorted(folder.glob("constructed_ops*/expected_profile_log_ops.csv")):
        made += goldens_of_folder(golden.parent / "logs" / "ops", golden)
    for path in sorted([*folder.glob("tt_perf_report/*.csv"), *folder.glob("visualizer_20*/*.csv")]):
        expected = path.with_name(path.stem + "_expected")
        if expected.is_dir():
            made += goldens_of_report(path, path.stem, {file.name: file for file in sorted(expected.iterdir())})
    return made
