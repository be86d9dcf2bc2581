"""The folder of ops logs as an input: traces, summaries and advice agree with the report that tacho ops makes of it."""
import collections
import csv
import json
import re
import shutil

import pytest

import perfetto_decode
import tool

FOLDER = tool.DATA / "tt-ops-folder"
MATMUL = "tt::tt_metal::Matmul"


@pytest.fixture
def logs(tmp_path):
    shutil.copytree(FOLDER / "logs", tmp_path / "logs")
    return tmp_path / "logs"


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "x.pftrace"
    tool.good("convert", FOLDER / "logs" / "ops", "-o", path)
    return perfetto_decode.decode_file(path)


def expected():
    with open(FOLDER / "expected_profile_log_ops.csv", newline="") as file:
        return list(csv.DictReader(file))


def device_rows():
    return [row for row in expected() if row["DEVICE FW START CYCLE"] != "-"]


def slices_on(trace, name):
    return [each for each in trace.slices if trace.tracks[each.track].name == name and "Overview" not in trace.path(each.track)]


def lines_below(folder, name):
    """The rows of all logs of a name below a folder, without what stands above them."""
    above = 2 if "device" in name else 1
    return [line for path in sorted(folder.rglob(name)) for line in path.read_text().splitlines()[above:]]


def markers(logs):
    """How often each marker stands in the device logs."""
    return collections.Counter(line.split(",")[4].strip() for line in lines_below(logs, "profile_log_device.csv"))


def rows_of_summary(logs):
    return json.loads(tool.good("summary", logs / "ops", "--json").text)["rows"]


# ---- traces ---------------------------------------------------------------------------------------------------------


def test_host_calls_are_those_of_the_report(trace):
    found = [(each.name, str(each.start), str(each.duration)) for each in slices_on(trace, "Host")]
    assert found == [(row["OP CODE"].strip(), row["HOST START TS"], row["HOST DURATION [ns]"]) for row in expected()]


def test_device_ops_are_those_of_the_report(trace):
    ops = slices_on(trace, "Ops")
    assert sorted((each.name, each.args["call"], each.args["cores"]) for each in ops) == sorted(
        (row["OP CODE"].strip(), int(row["GLOBAL CALL COUNT"]), int(row["CORE COUNT"])) for row in device_rows())
    assert sum(each.duration for each in ops) == pytest.approx(sum(int(row["DEVICE FW DURATION [ns]"]) for row in device_rows()), abs=200)
    assert sum(each.args["kernel_ns"] for each in ops) == sum(int(row["DEVICE KERNEL DURATION [ns]"]) for row in device_rows())


def test_each_arrow_joins_a_call_and_its_op(trace):
    ends = collections.defaultdict(list)
    for each in trace.slices:
        for flow in each.flows:
            ends[flow].append(each)
    assert len(ends) == len(device_rows())
    for host, device in ends.values():
        assert trace.tracks[host.track].name == "Host" and trace.tracks[device.track].name == "Ops"
        assert host.name == device.name and host.args["call"] == device.args["call"] and host.start <= device.start


def test_every_marker_is_drawn(trace):
    found = markers(FOLDER / "logs")
    zones = collections.Counter(re.sub(".*-", "", each.name) for each in trace.slices if re.search("-(FW|KERNEL)$", each.name))
    assert zones["FW"] >= found["1"] and zones["KERNEL"] >= found["2"]
    points = sum(1 for each in trace.slices if each.instant and each.name.startswith("marker "))
    assert points == sum(count for number, count in found.items() if int(number) > 4)
    cores = {trace.path(each.track) for each in trace.slices if "/core " in trace.path(each.track)}
    assert len({path.rsplit("/", 1)[0] for path in cores}) == sum(int(row["CORE COUNT"]) for row in device_rows())


def test_cores_lie_in_the_op_that_ran_them(trace):
    spans = {trace.tracks[each.track].parent: each for each in slices_on(trace, "Ops")}
    for each in trace.slices:
        if "/core " not in trace.path(each.track):
            continue
        op = spans[trace.tracks[trace.tracks[trace.tracks[each.track].parent].parent].uuid]
        assert op.start <= each.start and each.start + each.duration <= op.start + op.duration + 1
        assert each.args["run_host_id"] == op.args["call"]


def test_functions_lie_in_their_call(trace):
    calls = slices_on(trace, "Host")
    functions = slices_on(trace, "tt_metal functions")
    assert len(functions) == sum(int(row[name]) for row in expected() for name in row if name.endswith(" Count"))
    for each in functions:
        assert any(call.start <= each.start and each.start + each.duration <= call.start + call.duration for call in calls)


@pytest.mark.parametrize("suffix", ["json", "csv", "speedscope.json"])
def test_other_formats_have_the_same_slices(tmp_path, suffix):
    counts = {re.search(r"([\d,]+) slices", tool.good("convert", FOLDER / "logs" / "ops", "-o", tmp_path / f"x.{each}").text).group(1)
              for each in ("pftrace", suffix)}
    assert len(counts) == 1


def test_a_newer_log_in_the_folder(logs, tmp_path):
    fifteen = next((tool.DATA / "tt-device" / "fifteen").glob("add_two_ints.csv"))
    shutil.copy(fifteen, logs / "ops_device" / MATMUL / "2" / "profile_log_device.csv")
    tool.good("convert", logs / "ops", "-o", tmp_path / "x.pftrace")
    op = next(each for each in slices_on(perfetto_decode.decode_file(tmp_path / "x.pftrace"), "Ops") if each.args["call"] == 5)
    assert op.duration > 0 and op.args["kernel_ns"] > 0


# ---- summaries and advice -------------------------------------------------------------------------------------------


def test_summary_adds_up():
    found = json.loads(tool.good("summary", FOLDER / "logs" / "ops", "--json").text)
    assert found["host_time"] == sum(int(row["HOST DURATION [ns]"]) for row in expected())
    longest = max(int(row["HOST START TS"]) + int(row["DEVICE FW DURATION [ns]"]) for row in device_rows())
    assert found["total_duration"] == longest - int(expected()[0]["HOST START TS"])  # the first op starts with its call
    assert 0 < found["cores_time"] <= found["operations_time"] < found["total_duration"]  # cores work inside operations
    assert found["total_duration"] - found["idle_time"] <= found["operations_time"] + found["host_time"]


def test_advice_is_that_on_the_report(tmp_path):
    tool.good("advise", FOLDER / "logs" / "ops", "--csv", tmp_path / "folder.csv")
    tool.good("advise", FOLDER / "expected_profile_log_ops.csv", "--arch", "grayskull", "--csv", tmp_path / "report.csv")  # it names no chip
    rows = [list(csv.DictReader(open(tmp_path / name, newline=""))) for name in ("folder.csv", "report.csv")]
    assert [{**row, "Device": ""} for row in rows[0]] == [{**row, "Device": ""} for row in rows[1]]
    assert [row["Device"] for row in rows[0]] == ["", "0", "0", "", "0"]  # the tensors name it, the report does not


# ---- losses ---------------------------------------------------------------------------------------------------------


def test_rows_are_used_or_lost(logs, tmp_path):
    """Rows are those of calls, functions and markers; the second run's rows of calls repeat the first's."""
    count = len(lines_below(logs / "ops", "profile_log_host.csv")) + len(lines_below(logs, "profile_log_device.csv"))
    assert rows_of_summary(logs) == {"read": count, "used": count, "lost": 0, "reasons": {}}
    log = logs / "ops_device" / MATMUL / "1" / "profile_log_device.csv"
    log.write_text(log.read_text() + "0, 0, 0, BRISC, x, 5\nrubbish\n")
    functions = logs / "ops" / MATMUL / "1" / "profile_log_host.csv"
    functions.write_text(functions.read_text() + "LaunchProgram, 1\n")
    result = tool.good("convert", logs / "ops", "-o", tmp_path / "x.pftrace")
    assert "2 x a number that cannot be read" in result.err and "1 x too few or too many fields" in result.err
    assert "tacho ops names the first place" in result.err
    rows = rows_of_summary(logs)
    assert (rows["read"], rows["used"], rows["lost"]) == (count + 3, count, 3)


def test_strict_names_the_place(logs, tmp_path):
    target = tmp_path / "x.pftrace"
    assert tool.run("convert", "--strict", logs / "ops", "-o", target).code == 0
    target.unlink()
    log = logs / "ops_device" / MATMUL / "1" / "profile_log_device.csv"
    lines = log.read_text().splitlines(True)
    lines.insert(100, "0, 0, 0, BRISC, x, 5\n")
    log.write_text("".join(lines))
    for command in (["convert", "-o", target], ["summary"], ["advise"]):
        result = tool.run(*command, "--strict", logs / "ops")
        assert result.code == 3 and f"{log}:101:" in result.err and "a number that cannot be read" in result.err
    assert not target.exists()


def test_a_log_that_was_cut_off(logs, tmp_path):
    log = logs / "ops_device" / MATMUL / "1" / "profile_log_device.csv"
    log.write_bytes(log.read_bytes()[:100003])
    tool.good("convert", logs / "ops", "-o", tmp_path / "x.pftrace")
    trace = perfetto_decode.decode_file(tmp_path / "x.pftrace")
    assert max(each.start + each.duration for each in trace.slices) < 10**9  # a time that lost digits would be hours away


def test_without_the_twin(logs, tmp_path):
    shutil.rmtree(logs / "ops_device")
    result = tool.good("convert", logs / "ops", "-o", tmp_path / "x.pftrace")
    assert "device times are missing" in result.err
    assert "3 x a log, row or header that is missing" in result.err
    trace = perfetto_decode.decode_file(tmp_path / "x.pftrace")
    assert len(slices_on(trace, "Host")) == 5 and not slices_on(trace, "Ops")
    assert "Matmul 128 x 1024 x 1024" in tool.good("advise", logs / "ops").text


def test_only_the_twin(logs, tmp_path):
    shutil.rmtree(logs / "ops")
    result = tool.good("convert", logs / "ops_device", "-o", tmp_path / "x.pftrace")
    assert "run with device profiling, which is slower" in result.err
    trace = perfetto_decode.decode_file(tmp_path / "x.pftrace")
    assert [each.duration for each in slices_on(trace, "Host")][1] == 1350000 and len(slices_on(trace, "Ops")) == 3


# ---- other folders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", [["convert", "-o", "x.pftrace"], ["summary"], ["advise"]])
def test_other_folders_are_not_taken(tmp_path, verb):
    (tmp_path / "empty").mkdir()
    (tmp_path / "other" / "sub").mkdir(parents=True)
    (tmp_path / "other" / "sub" / "profile_log_host.csv").write_text("a,b\n1,2\n")
    (tmp_path / "other" / "net.csv").write_text("a,b\n1,2\n")
    for name in ("empty", "other"):
        result = tool.run(*verb, name, cwd=tmp_path)
        assert result.code == 3 and f"{name}: is a directory of no known format" in result.err
        result = tool.run(*verb, "--format", "tt-ops-folder", name, cwd=tmp_path)
        assert result.code == 3 and "no log of an op in this folder" in result.err
    assert not (tmp_path / "x.pftrace").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "x.csv").write_text("a\n")
    result = tool.run("summary", "--format", "tt-ops-folder", tmp_path / "x.csv")
    assert result.code == 3 and "wants a folder" in result.err


def test_a_large_folder_of_other_things_is_left_at_once(tmp_path):
    for number in range(2000):
        (tmp_path / "many" / f"d{number}").mkdir(parents=True)
    result = tool.run("summary", tmp_path / "many")
    assert result.code == 3


def test_operations_of_a_report_are_busy_time(tmp_path):
    """On one device they do not overlap: what the summary calls busy is what the rows say."""
    table = "\r\n".join(["OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,HOST START TS,HOST END TS,HOST DURATION [ns],"
                         "DEVICE FW START CYCLE,DEVICE FW END CYCLE,OP TO OP LATENCY [ns],DEVICE FW DURATION [ns],"
                         "DEVICE KERNEL DURATION [ns],CORE COUNT,MATH FIDELITY,ATTRIBUTES",
                         "A,tt_dnn_device,1,0,1000,1500,500,10000,13000,0,3000,2500,64,HiFi4,",
                         "B,tt_dnn_device,2,0,2000,2500,500,20000,24000,7000,4000,3500,64,HiFi4,"]) + "\r\n"
    path = tmp_path / "ops_perf_results.csv"
    path.write_text(table)
    found = json.loads(tool.good("summary", path, "--json").text)
    assert found["operations_time"] == 7000 and found["host_time"] == 1000
    # The first operation begins with its call, and both calls lie inside of it; the second one begins 10 us after the first.
    assert found["total_duration"] == 14000 and found["idle_time"] == 14000 - 7000
