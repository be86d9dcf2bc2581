"""tacho ops and tacho profile-this: the report of tt-metal's ops equals the original's; broken logs give what they have."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time

import pytest

import tool
import waiting

FOLDER = tool.DATA / "tt-ops-folder"
PROGRAM = tool.TESTS / "programs" / "tt_program"
MATMUL = "tt::tt_metal::Matmul"
OUTPUT = "tt_metal/tools/profiler/output/ops"
NO_HOME = {"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None}
DEVICE = [f"DEVICE {name} [ns]" for name in ("FW DURATION", "KERNEL DURATION", "BRISC KERNEL DURATION", "NCRISC KERNEL DURATION")]


@pytest.fixture
def logs(tmp_path):
    shutil.copytree(FOLDER / "logs", tmp_path / "logs")
    return tmp_path / "logs"


def ops(*arguments, **options):
    options.setdefault("variables", NO_HOME)
    return tool.run("ops", *arguments, **options)


def report(logs, *arguments):
    """The rows of a report that must be made, by global call count, and what was said about it."""
    result = ops("-i", logs / "ops", "-o", logs.parent / "out", *arguments)
    assert result.code == 0, result.err
    return rows_of(logs.parent / "out" / "profile_log_ops.csv"), result.err


def rows_of(path):
    with open(path, newline="") as file:
        return {row["GLOBAL CALL COUNT"]: row for row in csv.DictReader(file)}


def device_log(logs, op=MATMUL, call=1):
    return logs / "ops_device" / op / str(call) / "profile_log_device.csv"


def host_log(logs, op=MATMUL):
    return logs / "ops" / op / "profile_log_host.csv"


def expected_rows():
    return rows_of(FOLDER / "expected_profile_log_ops.csv")


# ---- the report -----------------------------------------------------------------------------------------------------


def test_the_report_is_the_originals_byte_for_byte(tmp_path):
    result = ops("-i", FOLDER / "logs" / "ops", "-o", tmp_path / "new" / "out")
    assert (result.code, result.err) == (0, "")
    out = tmp_path / "new" / "out"
    assert (out / "profile_log_ops.csv").read_bytes() == (FOLDER / "expected_profile_log_ops.csv").read_bytes()
    assert result.text == f"5 ops, 3 with device times\n{out}/profile_log_ops.csv\n{out}/profile_log_ops.tgz\n"
    assert sorted(path.name for path in out.iterdir()) == ["profile_log_ops.csv", "profile_log_ops.tgz"]


def test_slashes_and_dots_name_the_same_folder(tmp_path):
    wanted = (FOLDER / "expected_profile_log_ops.csv").read_bytes()
    for words, folder in ((["-i", f"{FOLDER}/logs/ops//"], None), ([f"{FOLDER}/logs/ops"], None), (["-i", "."], FOLDER / "logs" / "ops")):
        assert ops(*words, "-o", tmp_path, cwd=folder).code == 0
        assert (tmp_path / "profile_log_ops.csv").read_bytes() == wanted


def test_the_archive_holds_all_logs_and_they_stay(logs):
    before = {path: path.read_bytes() for path in logs.rglob("*.csv")}
    report(logs)
    with tarfile.open(logs.parent / "out" / "profile_log_ops.tgz", "r:gz") as archive:
        held = {logs / member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
    assert held == before == {path: path.read_bytes() for path in logs.rglob("*.csv")}


def test_names(logs):
    out = logs.parent / "out"
    assert ops("-i", logs / "ops", "-o", out, "-n", "net").code == 0
    assert sorted(path.name for path in out.iterdir()) == ["profile_log_ops_net.csv", "profile_log_ops_net.tgz"]
    shutil.rmtree(out)
    before = int(time.time())
    assert ops("-i", logs / "ops", "-o", out, "-n", "net", "--date").code == 0
    after = time.time()
    for path in out.iterdir():
        date = re.fullmatch(r"(\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d)_profile_log_ops_net\.(csv|tgz)", path.name).group(1)
        assert before <= time.mktime(time.strptime(date, "%Y_%m_%d_%H_%M_%S")) <= after


def test_default_folders(logs, tmp_path):
    home = tmp_path / "home"
    profiler = home / "tt_metal" / "tools" / "profiler"
    profiler.mkdir(parents=True)
    logs.rename(profiler / "logs")
    for cwd, variables in ((tmp_path, {"TT_METAL_HOME": str(home)}), (home, NO_HOME), (profiler, NO_HOME)):
        result = tool.run("ops", cwd=cwd, variables=variables)
        assert result.code == 0, result.err
        assert (profiler / "output" / "ops" / "profile_log_ops.csv").exists()
        shutil.rmtree(profiler / "output")


def test_later_logs_have_more_columns(logs):
    more = ["Compute Kernel Paths", "Compute Kernel Hashes", "Data Movement Kernel Paths", "Data Movement Kernel Hashes", "PM Ideal ns",
            "PM Compute ns", "PM Bandwidth ns", "PM Req I BW", "PM Req O BW"]
    path = host_log(logs)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([", ".join([lines[0], *more])] + [f"{line}, a.cpp;b.cpp, 12, c.cpp, 13, 100, 90, 80, 1.5, 2.5" for line in lines[1:]]) + "\n")
    log = device_log(logs)
    log.write_text(log.read_text() + "0, 0, 0, ERISC, 2, 63540641338544\n0, 0, 0, ERISC, 3, 63540641339746\n0, 0, 0, TRISC_0, 3000, 1202\n"
                   "0, 1, 0, TRISC_0, 3000, 3606\n0, 0, 0, TRISC_2, 3001, 601\n")
    rows, _ = report(logs)
    columns = list(rows["2"])
    assert columns[columns.index("DEVICE TRISC2 KERNEL DURATION [ns]") + 1:][:3] == [
        "DEVICE ERISC KERNEL DURATION [ns]", "DEVICE COMPUTE CB WAIT FRONT [ns]", "DEVICE COMPUTE CB RESERVE BACK [ns]"]
    assert columns[columns.index("CALL DEPTH") + 1:][:9] == [
        "COMPUTE KERNEL PATH", "COMPUTE KERNEL HASH", "DATA MOVEMENT KERNEL PATH", "DATA MOVEMENT KERNEL HASH", "PM IDEAL NS",
        "PM COMPUTE NS", "PM BANDWIDTH NS", "PM REQ I BW", "PM REQ O BW"]
    assert [rows["2"][name] for name in columns[columns.index("DEVICE TRISC2 KERNEL DURATION [ns]") + 1:][:3]] == ["1000", "2000", "500"]
    assert rows["2"]["COMPUTE KERNEL PATH"] == "a.cpp;b.cpp" and rows["5"]["PM REQ O BW"] == "2.5" and rows["4"]["PM IDEAL NS"] == "-"
    assert {name: rows["2"][name] for name in expected_rows()["2"]} == expected_rows()["2"]


def test_columns_are_found_by_name(logs):
    path = host_log(logs)
    table = [[cell.strip() for cell in line.split(",")] for line in path.read_text().splitlines()]
    path.write_text("".join(",".join(reversed(row)) + "\r\n" for row in table))
    assert report(logs) == (expected_rows(), "")


def test_tensors_behind_an_empty_one_are_shown(logs):
    path = host_log(logs)
    path.write_text(path.read_text().replace("L1_INTERLEAVED-,", "L1_INTERLEAVED--7_8|TILE|UINT32|OWNED,"))
    rows, _ = report(logs)
    assert [rows["5"][f"INPUT_3_{name}"] for name in "WZYX"] == ["1", "1", "7", "8"]
    assert rows["5"]["INPUT_2_W"] == rows["2"]["INPUT_3_MEMORY"] == "-"


# ---- broken logs ----------------------------------------------------------------------------------------------------


def test_an_op_without_device_log(logs):
    device_log(logs).unlink()
    rows, said = report(logs)
    assert rows["2"]["CORE COUNT"] == "-" and {rows["2"][name] for name in DEVICE} == {"-"}
    assert rows["2"]["HOST DURATION [ns]"] == "450000"
    assert {**rows, "2": 0} == {**expected_rows(), "2": 0}
    assert "1 x call of a device op without device log" in said and f"{host_log(logs)}:2" in said


def test_no_device_folder_at_all(logs):
    shutil.rmtree(logs / "ops_device")
    rows, said = report(logs)
    assert len(rows) == 5 and {row["DEVICE FW DURATION [ns]"] for row in rows.values()} == {"-"}
    assert "ops_device: no such folder" in said


def test_only_the_run_with_device_profiling(logs):
    shutil.rmtree(logs / "ops")
    rows, said = report(logs)
    assert rows["2"]["HOST DURATION [ns]"] == "1350000" and rows["2"]["DEVICE FW DURATION [ns]"] == "634961707"
    assert "host times are those of the run with device profiling" in said


def test_a_location_that_is_named_after_a_device(logs, tmp_path):
    for end in ("", "_device"):
        (logs / f"ops{end}").rename(logs / f"one_device_test{end}")
    result = ops("-i", logs / "one_device_test", "-o", tmp_path / "out")
    assert (result.code, result.err) == (0, "") and result.text.startswith("5 ops, 3 with device times")
    assert (tmp_path / "out" / "profile_log_ops.csv").read_bytes() == (FOLDER / "expected_profile_log_ops.csv").read_bytes()


def test_a_file_is_no_folder(logs):
    result = ops("-i", host_log(logs))
    assert result.code == 3 and f"{host_log(logs)}: is no folder" in result.err


def test_notices_of_dropped_markers_are_told(logs):
    lines = device_log(logs).read_text().splitlines(True)
    device_log(logs).write_text("".join(lines[:5] + ["3 device markers on device 0 worker core 0,0 risc BRISC were dropped\n"] + lines[5:]))
    rows, said = report(logs)
    assert rows == expected_rows()
    assert f"3 x marker or more that a device dropped, its buffers being full (durations may be too short), the first: {device_log(logs)}:6" in said


def test_a_missing_risc(logs):
    log = device_log(logs)
    log.write_text("".join(line for line in log.read_text().splitlines(True) if "TRISC_1" not in line))
    rows, said = report(logs)
    assert rows["2"]["DEVICE TRISC1 KERNEL DURATION [ns]"] == "-"
    assert rows["2"]["DEVICE BRISC KERNEL DURATION [ns]"] == "634960337"
    assert "1 x device log that lacks kernel start or end of a RISC" in said


@pytest.mark.parametrize("keep", [0, 20, 60, 130, 4000, 100003])
def test_a_device_log_that_was_cut_off(logs, keep):
    log = device_log(logs)
    log.write_bytes(log.read_bytes()[:keep])
    rows, said = report(logs)
    assert len(rows) == 5 and said
    assert {**rows, "2": 0} == {**expected_rows(), "2": 0}
    if rows["2"]["DEVICE FW START CYCLE"] != "-":
        assert int(rows["2"]["DEVICE FW START CYCLE"]) >= 63540641336831
        assert int(rows["2"]["DEVICE FW END CYCLE"]) <= 63541404560803


@pytest.mark.parametrize("keep", range(200, 749, 13))
def test_a_host_log_that_was_cut_off(logs, keep):
    path = host_log(logs)
    path.write_bytes(path.read_bytes()[:keep])
    rows, said = report(logs)
    assert said
    for number in ("1", "3", "4"):
        assert {name: rows[number].get(name, "-") for name in expected_rows()[number]} == \
            {name: value if name in rows[number] else "-" for name, value in expected_rows()[number].items()}
    assert len(rows) == 5  # the run with device profiling has all calls whole
    for number in ("2", "5"):
        wanted, row = expected_rows()[number], rows[number]
        assert {name for name in wanted if row[name] != wanted[name]} <= {"HOST START TS", "HOST END TS", "HOST DURATION [ns]"}
        assert all(row[name] in (wanted[name], "-") for name in wanted)


def test_twenty_percent_of_the_device_rows_missing(logs):
    log = device_log(logs)
    lines = log.read_text().splitlines(True)
    log.write_text("".join(line for number, line in enumerate(lines) if number < 2 or number * 7919 % 5))
    rows, said = report(logs)
    assert len(rows) == 5 and rows["2"]["CORE COUNT"] == "108"
    durations = {column: value for column, value in rows["2"].items() if column.startswith("DEVICE") and column.endswith("DURATION [ns]")}
    assert all(value in ("-", expected_rows()["2"][column]) for column, value in durations.items())
    unknown = list(durations.values()).count("-")
    assert unknown > 3 and f"{unknown} x duration that rests on a start or end that was lost (shown as -)" in said


@pytest.mark.parametrize("gone,unknown", [(("BRISC, 3,",), ("KERNEL", "BRISC KERNEL")), (("BRISC, 4,",), ("FW",)), (("TRISC_1, 2,",), ("KERNEL", "TRISC1 KERNEL"))])
def test_a_duration_without_its_start_or_end_is_not_known(logs, gone, unknown):
    log = device_log(logs)
    first = next(line for line in log.read_text().splitlines(True) if any(mark in line for mark in gone))
    log.write_text(log.read_text().replace(first, ""))
    rows, said = report(logs)
    lost = {f"DEVICE {name} DURATION [ns]" for name in unknown}
    assert {column: value for column, value in rows["2"].items() if column not in lost} == \
        {column: value for column, value in expected_rows()["2"].items() if column not in lost}
    assert all(rows["2"][column] == "-" for column in lost) and f"{len(lost)} x duration that rests on a start or end that was lost" in said


def test_the_chip_of_the_tensors(logs):
    path = host_log(logs)
    path.write_text(path.read_text().replace("DEV_0_", "DEV_1_"))
    log = device_log(logs)
    whole = log.read_text()
    rows, said = report(logs)
    assert rows["2"]["DEVICE FW DURATION [ns]"] == "634961707" and "2 x device log without the chip of the op's tensors" in said
    log.write_text(whole + "1, 0, 0, BRISC, 1, 1000\n1, 0, 0, BRISC, 4, 2202\n")
    rows, said = report(logs)
    assert rows["2"]["DEVICE FW DURATION [ns]"] == "1000" and rows["2"]["CORE COUNT"] == "1"
    assert "4320 x marker of a chip that is not the op's" in said


def test_a_call_that_only_the_device_run_has(logs):
    path = host_log(logs)
    path.write_text("".join(path.read_text().splitlines(True)[:2]))
    shutil.rmtree(path.parent / "2")
    rows, said = report(logs)
    assert rows["5"]["HOST DURATION [ns]"] == rows["5"]["LaunchProgram Count"] == "-"
    assert rows["5"]["INPUT_1_MEMORY"] == "DEV_0_L1_INTERLEAVED"
    assert rows["5"]["DEVICE FW DURATION [ns]"] == "24290618"
    assert "1 x call that only the run with device profiling has" in said


def test_calls_that_no_row_tells_of(logs):
    (logs / "ops" / MATMUL / "77").mkdir()
    (logs / "ops" / "unknown_op" / "1").mkdir(parents=True)
    rows, said = report(logs)
    assert rows == expected_rows()
    assert "1 x folder of a call that no op row tells of" in said and "1 x folder of activity outside any op" in said


def test_hostile_files(logs):
    host_log(logs, "torch.nn.functional.softmax").write_bytes(bytes(range(256)) * 300)
    device_log(logs, MATMUL, 2).write_bytes(b"0, 0, 0, BRISC, 1, 18446744073709551615\n0, 0, 0, BRISC, 4, 0\n" + bytes(1000))
    os.symlink(logs / "ops", logs / "ops" / "loop")
    host_log(logs, "tt::tt_metal::HostPad").write_text(
        host_log(logs, "tt::tt_metal::HostPad").read_text().replace(", 1, 1, 1, ", ", 1, ../../x, 99999999999, "))
    rows, said = report(logs)
    assert rows["5"]["DEVICE FW DURATION [ns]"] == "-" and rows["3"] == expected_rows()["3"]
    assert "host log that cannot be used" in said and "is a link" in said and "number of an op row that cannot be read" in said


def test_nothing_of_a_hostile_name_reaches_the_terminal(logs):
    (logs / "ops" / "a\x1b[2J" / "1").mkdir(parents=True)
    (logs / "ops" / "a\x1b[2J" / "profile_log_host.csv").write_bytes(bytes(range(256)))
    _, said = report(logs)
    assert "a?[2J" in said and "\x1b" not in said


def test_a_log_without_its_header(logs):
    path = host_log(logs)
    path.write_text("".join(path.read_text().splitlines(True)[1:]))
    rows, said = report(logs)
    assert rows == expected_rows() and "op log without its header" in said


@pytest.mark.parametrize("arguments, code, why", [
    (["-i", "nothing"], 3, "no such folder of ops logs"),
    (["-i", "empty"], 3, "no log of an op in this folder"),
    (["-i", "logs/ops", "-n", "a/b"], 2, "cannot be a part of a file's name"),
    (["-i", "logs/ops", "-o", "logs/ops/out"], 2, "lies in the folder of logs"),
    (["-i", "logs/ops", "-o", "logs/ops_device/new/out"], 2, "lies in the folder of logs"),
    (["-i", "logs/ops", "-p", "99999"], 2, "a port is a number"),
    (["-i", "logs/ops", "other"], 2, "one too many"),
    (["-i", "logs/ops", "-o", "/dev/null/x"], 4, ""),
    ([], 3, "tt_metal/tools/profiler/logs/ops"),
])
def test_errors(logs, arguments, code, why):
    (logs.parent / "empty").mkdir()
    (logs.parent / "tt_metal" / "tools" / "profiler").mkdir(parents=True)
    result = ops(*arguments, cwd=logs.parent)
    assert result.code == code and why in result.err
    assert not list(logs.rglob("*ops.csv"))


# ---- profile-this ---------------------------------------------------------------------------------------------------


def profile(folder, *words, options=(), variables=None):
    return tool.run("profile-this", "-c", " ".join([str(PROGRAM), *words]), *options, cwd=folder, variables={**NO_HOME, **(variables or {})})


def test_two_runs_are_stitched(tmp_path):
    result = profile(tmp_path, variables={"MY_VARIABLE": "mine"})
    assert result.code == 0, result.err
    out = tmp_path / OUTPUT
    rows = rows_of(out / "default" / "profile_log_ops.csv")
    assert [rows[number]["HOST DURATION [ns]"] for number in "123"] == ["1000", "2000", "3000"]  # without device profiling
    assert {row["DEVICE KERNEL DURATION [ns]"] for row in rows.values()} == {"1400"}
    assert f"{OUTPUT}/default/profile_log_ops.csv" in result.text
    assert sorted((out / "run_with_device.log").read_text().splitlines()) == [
        "MY_VARIABLE=mine", "TT_METAL_DEVICE_PROFILER=1", "TT_PCI_DMA_BUF_SIZE=1048576", "to standard error"]
    assert "TT_METAL_DEVICE_PROFILER=0" in (out / "run_without_device.log").read_text()
    assert "MY_VARIABLE=mine" in (out / "run_without_device.log").read_text()


def test_each_location_has_a_report(tmp_path):
    result = profile(tmp_path, "one/tests", "two/tests", "one/other/", "one/tests_3")
    assert result.code == 0, result.err
    found = sorted(path.parent.name for path in (tmp_path / OUTPUT).rglob("*.csv"))
    assert len(found) == 4 and {"tests", "tests_2", "other", "tests_3"} == set(found)
    assert result.text.count("3 ops") == 4


def test_a_location_that_is_not_registered(tmp_path):
    assert profile(tmp_path, "--no-register").code == 0
    assert (tmp_path / OUTPUT / "default" / "profile_log_ops.csv").exists()


def test_once(tmp_path):
    result = profile(tmp_path, options=["--once", "-n", "x", "-o", "here"])
    assert result.code == 0, result.err
    rows = rows_of(tmp_path / "here" / "default" / "profile_log_ops_x.csv")
    assert rows["1"]["HOST DURATION [ns]"] == "3000" and "host times are those of the run with device profiling" in result.err
    assert not (tmp_path / "here" / "run_without_device.log").exists()


def test_newer_logs_have_their_report(tmp_path):
    logs = tool.DATA / "tt-tracy-ops" / "full"
    tool.good("ops", "-i", logs, "-o", tmp_path / "ops")
    for options, place in ((["--once"], "generated/profiler/reports"), (["--once", "-o", "here"], "here")):
        result = profile(tmp_path, "--newer", str(logs), options=options)
        assert result.code == 0, result.err
        assert f"{place}/ops_perf_results.csv" in result.text and "message that is cut off" in result.err
        assert (tmp_path / place / "ops_perf_results.csv").read_bytes() == (tmp_path / "ops" / "ops_perf_results.csv").read_bytes()


def make_older(folder):
    """As if all that is there had been written an hour ago."""
    for path in folder.rglob("*"):
        os.utime(path, (time.time() - 3600,) * 2)


def test_newer_logs_of_an_earlier_command_are_told(tmp_path):
    logs = tmp_path / "generated" / "profiler" / ".logs"
    logs.mkdir(parents=True)
    (logs / "cpp_device_perf_report.csv").write_text("GLOBAL CALL COUNT,DEVICE ID\r\n")
    make_older(logs)
    (tmp_path / "new").mkdir()
    shutil.copy(tool.DATA / "tt-device" / "fifteen" / "add_two_ints.csv", tmp_path / "new" / "profile_log_device.csv")
    result = profile(tmp_path, "--newer", "new", options=["--once"])
    assert "cpp_device_perf_report.csv: older than this run" in result.err
    (tmp_path / "new" / "profile_log_device.csv").write_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n")
    (logs / "cpp_device_perf_report.csv").unlink()
    result = profile(tmp_path, "--newer", "new", options=["--once", "-o", "nothing"])
    assert result.code == 1 and "there is no op in these logs" in result.err


def test_a_command_without_the_profiler(tmp_path):
    result = profile(tmp_path, "--no-profiler")
    assert result.code == 1 and "ENABLE_PROFILER=1" in result.err


def test_logs_of_an_earlier_command_are_not_its_own(tmp_path):
    assert profile(tmp_path).code == 0
    make_older(tmp_path)
    result = profile(tmp_path, "--no-profiler", options=["-o", "second"])
    assert result.code == 1 and not list((tmp_path / "second").rglob("*.csv"))


def test_a_command_that_fails_still_has_its_report(tmp_path):
    result = profile(tmp_path, "--fail", "3")
    assert result.code == 1 and "2 of 2 runs of the command failed: exit status 3" in result.err
    assert len(rows_of(tmp_path / OUTPUT / "default" / "profile_log_ops.csv")) == 3


def test_a_device_run_that_fails(tmp_path):
    result = profile(tmp_path, "--fail-with-device")
    assert result.code == 1 and "1 of 2 runs" in result.err
    assert rows_of(tmp_path / OUTPUT / "default" / "profile_log_ops.csv")["1"]["DEVICE KERNEL DURATION [ns]"] == "-"


def test_a_command_that_is_not_there_runs_once(tmp_path):
    result = tool.run("profile-this", "-c", "no_such_command", cwd=tmp_path, variables=NO_HOME)
    assert result.code == 1 and "1 of 1 runs of the command failed: exit status 127" in result.err


@pytest.mark.parametrize("arguments", [[], ["-c", ""], ["-c", "true", "more"]])
def test_wrong_usage(tmp_path, arguments):
    assert tool.run("profile-this", *arguments, cwd=tmp_path, variables=NO_HOME).code == 2


@pytest.mark.waits
def test_an_interrupt_ends_the_command(tmp_path):
    process = subprocess.Popen([tool.TACHO, "profile-this", "-c", "echo $$ > id; sleep 3600"], cwd=tmp_path, stderr=subprocess.PIPE,
                               env=tool.environment(**NO_HOME))
    waiting.until(lambda: (tmp_path / "id").exists() and (tmp_path / "id").read_text().endswith("\n"))
    process.send_signal(signal.SIGTERM)
    assert process.wait(waiting.LIMIT) == -signal.SIGTERM
    process.stderr.close()
    number = int((tmp_path / "id").read_text())
    waiting.until(lambda: not waiting.runs(number))
    assert not [path for path in (tmp_path / OUTPUT).iterdir() if re.search("run_", path.name)]


def test_json_says_what_was_written(good, tmp_path):
    logs = tool.DATA / "tt-ops-folder" / "logs" / "ops"
    made = json.loads(good("ops", "-q", logs, "-o", tmp_path / "out", "--json").text)["reports"][0]
    assert made["ops"] > 0 and made["csv"] == str(tmp_path / "out" / "profile_log_ops.csv") and made["gaps"] is None


def test_locations_do_not_play_with_the_terminal(tmp_path):
    """What a command registers in .locations.log is a name like any other, also where nothing lies there."""
    logs = "tt_metal/tools/profiler/logs"
    command = f"{PROGRAM} 'my\x1b[31mlogs'; printf 'gone\\033[2Jaway\\nthere\\033]0;title\\007\\n' >> {logs}/.locations.log"
    result = tool.run("profile-this", "-c", command, cwd=tmp_path, variables=NO_HOME)
    assert result.code == 0 and "my" in result.text
    assert "gone" in result.err and "registered as a location of logs, but not there" in result.err
    assert not {"\x1b", "\x07"} & set(result.text + result.err)
    assert "\x1b[2J" in (tmp_path / logs / ".locations.log").read_text(), "the command did write them"
