"""The op profiler from end to end: the examples are built as a user builds them, run, and the report has every header of document 002."""
import csv
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile

import pytest

import tool

EXAMPLE = tool.ROOT / "examples" / "ops"
NO_HOME = {"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None, "TT_METAL_DEVICE_PROFILER": None, "TACHO_RECORD": None}
LOGS = pathlib.Path("tt_metal/tools/profiler/logs")
OUTPUT = pathlib.Path("tt_metal/tools/profiler/output/ops")

# The headers that document 002 lists, in its order, with those of tensors and of functions as they are spelled in a report.
FRONT = ["OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "ATTRIBUTES", "MATH FIDELITY", "CORE COUNT", "PARALLELIZATION STRATEGY", "HOST START TS",
         "HOST END TS", "HOST DURATION [ns]", "DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "DEVICE FW DURATION [ns]",
         "DEVICE KERNEL DURATION [ns]", "DEVICE BRISC KERNEL DURATION [ns]", "DEVICE NCRISC KERNEL DURATION [ns]",
         "DEVICE TRISC0 KERNEL DURATION [ns]", "DEVICE TRISC1 KERNEL DURATION [ns]", "DEVICE TRISC2 KERNEL DURATION [ns]"]
TENSORS = [f"{side}_{number}_{field}" for side, count in (("INPUT", 3), ("OUTPUT", 1)) for number in range(count)
           for field in ("W", "Z", "Y", "X", "LAYOUT", "DATA TYPE", "MEMORY")]
FUNCTIONS = ["CompileProgram", "ConfigureDeviceWithProgram", "DumpDeviceProfileResults", "LaunchProgram", "ReadFromDevice", "WriteToDevice"]
HEADERS = FRONT + TENSORS + ["CALL DEPTH"] + [f"{name} {what}" for name in FUNCTIONS for what in ("Count", "Average [ns]")]
# Columns whose values are times, which differ from run to run.
TIMED = re.compile(r"HOST .*|.* Average \[ns\]")


def make(folder, *words):
    """Builds the examples in a folder, from the sources of this repository."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([tool.need("make"), "-C", EXAMPLE, f"BUILD={folder}", *words], capture_output=True, text=True,
                          env=tool.environment(PKG_CONFIG_LIBDIR="/nowhere", PKG_CONFIG_PATH=None, CFLAGS=None, CXXFLAGS=None))
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr, done.stderr
    return folder


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return make(tmp_path_factory.mktemp("programs"), "ENABLE_PROFILER=1")


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """The programs with nothing of it in them."""
    return make(tmp_path_factory.mktemp("without"))


def run(program, *words, cwd, **variables):
    done = subprocess.run([program, *words], cwd=cwd, capture_output=True, text=True, env=tool.environment(**NO_HOME | variables))
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def report(folder, source):
    tool.good("ops", source, "-o", folder / "report", variables=NO_HOME)
    return rows_of(folder / "report" / "profile_log_ops.csv")


def without_times(rows):
    return [{key: value for key, value in row.items() if not TIMED.fullmatch(key)} for row in rows]


# ---- building -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_the_flag_nothing_of_it_is_there(tmp_path, programs, without):
    for name in ("model_c", "model_cpp"):
        symbols = subprocess.run([tool.need("nm"), without / name], capture_output=True, text=True, check=True).stdout
        assert "tacho" not in symbols
        assert run(without / name, cwd=tmp_path) == run(programs / name, cwd=tmp_path_of(tmp_path, name))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model_c", "model_cpp"]


def tmp_path_of(tmp_path, name):
    (tmp_path / name).mkdir()
    return tmp_path / name


def copy_recorder(programs, folder):
    """What was compiled of the recorder: make takes it as it is."""
    folder.mkdir()
    return [shutil.copy(path, folder) for path in sorted(programs.glob("record_*.o"))]


def test_the_other_flag_says_the_same(tmp_path, programs):
    assert copy_recorder(programs, tmp_path / "on")
    on = make(tmp_path / "on", "ENABLE_TACHO=1", "ENABLE_PROFILER=0", tmp_path / "on" / "model_c")
    run(on / "model_c", cwd=tmp_path)
    assert (tmp_path / LOGS / "ops" / "Layer" / "profile_log_host.csv").is_file()


@pytest.mark.parametrize("words", [["-std=c++17"], ["-std=c++20", "-DTACHO_DISABLE"], ["-std=c++17", "-DTACHO_DISABLE"]])
def test_the_headers_are_clean_in_cpp(tmp_path, words):
    source = tmp_path / "x.cpp"
    source.write_text("""#include <tacho/ops.hpp>
int main()
{
    TACHO_OP("a", TACHO_OP_CPU);
    TACHO_OP_CALL("b");
    tacho::op_profiler::OpProfileScope op(std::string("c"), "any type");
    tacho::op_profiler::append_input_data({ { 1, 2 }, "TILE", "UINT32", tacho::op_profiler::l1(1) });
    tacho::op_profiler::append_input_data(std::nullopt);
    tacho::op_profiler::append_detail(TACHO_OP_PM_IDEAL_NS, "1");
    return tacho::op_profiler::error_count() != 0;
}
""")
    done = subprocess.run([tool.need("c++"), *words, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-fsyntax-only",
                           "-I", tool.ROOT / "include", source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- the report -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model_c", "model_cpp"])
def test_the_report_has_every_header(tmp_path, programs, name):
    run(programs / name, cwd=tmp_path)
    rows = report(tmp_path, tmp_path / LOGS / "ops")
    assert list(rows[0]) == HEADERS
    assert [int(row["GLOBAL CALL COUNT"]) for row in rows] == list(range(1, 21))
    for row in rows:
        assert int(row["HOST END TS"]) - int(row["HOST START TS"]) == int(row["HOST DURATION [ns]"])
        assert row["OP CODE"] == " " * int(row["CALL DEPTH"]) + row["OP CODE"].strip()
    assert [row["OP CODE"] for row in rows[:10]] == [" model", "  Layer", "   Matmul", "   Activation_relu", "  Layer", "   Matmul",
                                                     "   Activation_relu", "  Layer", "   Matmul", "   Activation_softmax"]
    assert {row["OP TYPE"] for row in rows} == {"custom_zone", "tt_dnn_cpu", "tt_dnn_device"}


def test_every_column_that_a_host_can_fill_is_filled(tmp_path, programs):
    run(programs / "model_c", cwd=tmp_path)
    rows = report(tmp_path, tmp_path / LOGS / "ops")
    matmuls = [row for row in rows if row["OP CODE"].strip() == "Matmul"]
    for header in HEADERS:
        assert all(row[header] not in ("", "-") for row in matmuls[:2]) != (header.startswith("DEVICE ") or header == "CORE COUNT"), header
    first, last = matmuls[0], matmuls[2]
    assert first["ATTRIBUTES"] == "in0_block_w=8-fuse_bias=true"
    assert [first[f"INPUT_0_{each}"] for each in ("W", "Z", "Y", "X", "LAYOUT", "DATA TYPE", "MEMORY")] == [
        "1", "1", "32", "128", "TILE", "FLOAT32", "DEV_0_DRAM_INTERLEAVED"]
    assert first["INPUT_2_MEMORY"] == "DEV_0_L1_INTERLEAVED" and last["INPUT_2_MEMORY"] == "-"
    assert rows[1]["INPUT_0_MEMORY"] == "host"
    assert all(row["LaunchProgram Count"] == "1" and int(row["LaunchProgram Average [ns]"]) > 0 for row in matmuls)
    assert int(first["LaunchProgram Average [ns]"]) <= int(first["HOST DURATION [ns]"])


def test_both_languages_give_the_same(tmp_path, programs):
    reports = {}
    for name in ("model_c", "model_cpp"):
        run(programs / name, tmp_path / name, cwd=tmp_path)
        reports[name] = without_times(report(tmp_path / "of" / name, tmp_path / name))
    for row in reports["model_c"] + reports["model_cpp"]:
        row.pop("WriteToDevice Count")  # one call for both inputs in C, one for each in C++
    assert reports["model_c"] == reports["model_cpp"]


def test_a_second_run_replaces_the_first(tmp_path, programs):
    for _ in range(2):
        run(programs / "model_c", cwd=tmp_path)
    assert len(report(tmp_path, tmp_path / LOGS / "ops")) == 20


def test_other_verbs_take_the_logs(tmp_path, programs):
    run(programs / "model_c", tmp_path / "logs", cwd=tmp_path)
    tool.good("convert", tmp_path / "logs", "-o", tmp_path / "trace.csv", variables=NO_HOME)
    with open(tmp_path / "trace.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["name"] == "Matmul" for row in rows) == 6
    assert "rows: 56 read, 56 used, 0 lost" in tool.good("summary", tmp_path / "logs", variables=NO_HOME).text


# ---- profile-this ---------------------------------------------------------------------------------------------------


def test_profile_this_joins_both_runs(tmp_path, programs):
    for _ in range(2):  # and again in the same place
        result = tool.good("profile-this", "-c", programs / "model_c", cwd=tmp_path, variables=NO_HOME)
        assert "20 ops, 6 with device times" in result.text and str(OUTPUT / "default" / "profile_log_ops.csv") in result.text
        rows = rows_of(tmp_path / OUTPUT / "default" / "profile_log_ops.csv")
        assert list(rows[0]) == HEADERS and len(rows) == 20
        for row in (row for row in rows if row["OP TYPE"] == "tt_dnn_device"):
            assert all(row[header] not in ("", "-") for header in FRONT), row
            assert row["CORE COUNT"] == "2"
            assert int(row["DEVICE FW END CYCLE"]) - int(row["DEVICE FW START CYCLE"]) == int(row["DEVICE FW DURATION [ns]"])
            assert 0 < int(row["DEVICE TRISC1 KERNEL DURATION [ns]"]) <= int(row["DEVICE KERNEL DURATION [ns]"]) <= int(row["DEVICE FW DURATION [ns]"])
            assert int(row["HOST END TS"]) - int(row["HOST START TS"]) == int(row["HOST DURATION [ns]"])
    assert not result.err.count("note") and "x " not in result.err, result.err
    with tarfile.open(tmp_path / OUTPUT / "default" / "profile_log_ops.tgz") as archive:
        assert {name.split("/")[0] for name in archive.getnames()} == {"ops", "ops_device"}


def test_profile_this_finds_the_location_that_was_chosen(tmp_path, programs):
    result = tool.good("profile-this", "-c", f"{programs / 'model_cpp'} my/logs", cwd=tmp_path, variables=NO_HOME)
    assert "20 ops, 6 with device times" in result.text
    assert len(rows_of(tmp_path / OUTPUT / "logs" / "profile_log_ops.csv")) == 20
    assert (tmp_path / "my" / "logs_device" / "model" / "profile_log_host.csv").is_file()
    assert (tmp_path / LOGS / ".locations.log").read_text() == f"{tmp_path / 'my' / 'logs'}\n"


def test_a_program_without_the_profiler_is_told(tmp_path, without):
    result = tool.run("profile-this", "-c", str(without / "model_c"), cwd=tmp_path, variables=NO_HOME)
    assert result.code == 1 and "left no logs of ops" in result.err and "ENABLE_PROFILER=1" in result.err


# ---- recordings -----------------------------------------------------------------------------------------------------


def test_a_recording_has_the_report_of_its_folder(tmp_path, programs):
    run(programs / "model_c", tmp_path / "logs", cwd=tmp_path, TACHO_RECORD=str(tmp_path / "x.tacho"))
    logged, recorded = report(tmp_path / "1", tmp_path / "logs"), report(tmp_path / "2", tmp_path / "x.tacho")
    assert list(recorded[0]) == HEADERS
    assert without_times(recorded) == without_times(logged)
    # Both clocks are read one after the other; on a busy machine a thread may be stopped in between, but not most times.
    apart = sorted(abs(int(other["HOST DURATION [ns]"]) - int(one["HOST DURATION [ns]"])) for one, other in zip(logged, recorded))
    assert apart[len(apart) // 2] < 200_000
    assert not (tmp_path / "2" / "report" / "profile_log_ops.tgz").exists()


def test_a_killed_program_leaves_all_but_the_open_op(tmp_path, programs):
    source = tmp_path / "killed.c"
    source.write_text("""#include <signal.h>
#include <tacho/ops.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 10; i++) {
        TACHO_OP("Layer", TACHO_OP_CPU);
        TACHO_OP_CALL("LaunchProgram");
        if (i == 7)
            kill(getpid(), SIGKILL);
    }
}
""")
    subprocess.run([tool.need("cc"), "-std=gnu17", "-I", tool.ROOT / "include", "-o", tmp_path / "killed", source,
                    *copy_recorder(programs, tmp_path / "recorder"), "-pthread", "-ldl"], check=True)
    done = subprocess.run([tmp_path / "killed"], cwd=tmp_path, env=tool.environment(**NO_HOME | {"TACHO_RECORD": str(tmp_path / "x.tacho")}))
    assert done.returncode == -signal.SIGKILL
    assert len(report(tmp_path / "1", tmp_path / LOGS / "ops")) == 7
    rows = report(tmp_path / "2", tmp_path / "x.tacho")
    assert len(rows) == 8 and [row["HOST END TS"] == "-" for row in rows] == [False] * 7 + [True]
