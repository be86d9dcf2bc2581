"""The op profiler from Python: a program that marks its ops, and the report that the tool makes of what it logged."""
import csv
import json
import pathlib
import subprocess
import sys
import textwrap
import threading

import pytest

import package
import tool

MODEL = textwrap.dedent("""
    from tacho import profiler as p

    def launch():
        p.start_api_call("CompileProgram")
        p.stop_api_call("CompileProgram")
        for _ in range(2):
            with p.api_call("LaunchProgram"):
                pass

    def linear():
        p.start_profiling("Linear", p.OpType.tt_dnn_device)
        p.append_input_data(p.Tensor((1, 1, 128, 512), "TILE", "BFLOAT16", p.dram(0, "INTERLEAVED")))
        p.append_input_data(None)
        p.append_input_data(p.Tensor([512, 64], "ROW_MAJOR", "FLOAT32", p.l1(1)))
        p.append_output_data(p.Tensor((128, 64), "TILE", "BFLOAT8_B"))
        p.append_math_fidelity("HiFi4")
        p.append_parallelization_strategy("MULTI_CORE")
        p.append_meta_data("in0_block_w=8")
        p.append_meta_data("fuse")
        p.append_detail(p.Detail.pm_ideal_ns, 1234)
        launch()
        p.stop_profiling("Linear")

    @p.op("Softmax", p.OpType.python_fallback)
    def softmax():
        p.set_preferred_name("stable")
        with p.OpProfileScope("Exp", "tt_dnn_cpu"):
            with p.ApiCallScope("ReadFromDevice"):
                pass

    def main():
        import sys
        if len(sys.argv) > 1:
            assert p.set_profiler_location(sys.argv[1]), p.last_error()
        assert p.get_profiler_flag()
        linear()
        linear()
        softmax()
        print(p.profiler_location())
        print(p.error_count(), p.last_error())

    if __name__ == "__main__":
        main()
""")


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def run(model, *arguments, **variables):
    done = subprocess.run([sys.executable, model, *arguments], capture_output=True, text=True, cwd=model.parent, env=package.environment(**variables))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def report(folder, place):
    """The rows of the report, by op code."""
    tool.good("ops", folder, "-o", place)
    found = list(place.rglob("profile_log_ops.csv")) if place.is_dir() else [place]
    with open(found[0], newline="") as file:
        rows = [{key.strip(): value.strip() for key, value in row.items()} for row in csv.DictReader(file)]
    return rows


def test_the_report_of_a_program(model, tmp_path):
    logs = tmp_path / "logs"
    where, errors = run(model, logs)
    assert pathlib.Path(where) == logs and errors.strip() == "0"
    rows = report(logs, tmp_path / "out")
    assert len(rows) == 4
    linear = next(row for row in rows if row["OP CODE"] == "Linear")
    assert (linear["OP TYPE"], linear["GLOBAL CALL COUNT"], linear["CALL DEPTH"]) == ("tt_dnn_device", "1", "1")
    assert (linear["MATH FIDELITY"], linear["PARALLELIZATION STRATEGY"]) == ("HiFi4", "MULTI_CORE")
    assert linear["ATTRIBUTES"] == "in0_block_w=8-fuse"
    shape = lambda name: [linear[f"{name}_{field}"] for field in ("W", "Z", "Y", "X", "LAYOUT", "DATA TYPE", "MEMORY")]
    assert shape("INPUT_0") == ["1", "1", "128", "512", "TILE", "BFLOAT16", "DEV_0_DRAM_INTERLEAVED"]
    assert shape("INPUT_2") == ["1", "1", "512", "64", "ROW_MAJOR", "FLOAT32", "dev_1_l1"]
    assert shape("OUTPUT_0") == ["1", "1", "128", "64", "TILE", "BFLOAT8_B", "host"]
    assert linear["INPUT_1_W"] == "-"
    assert (linear["CompileProgram Count"], linear["LaunchProgram Count"]) == ("1", "2")
    assert int(linear["HOST DURATION [ns]"]) == int(linear["HOST END TS"]) - int(linear["HOST START TS"]) > 0
    softmax = next(row for row in rows if row["OP CODE"].startswith("Softmax"))
    inner = next(row for row in rows if row["OP CODE"].startswith("Exp"))
    assert softmax["OP TYPE"] == "python_fallback" and "stable" in softmax["OP CODE"]
    assert (inner["OP TYPE"], inner["CALL DEPTH"], inner["ReadFromDevice Count"]) == ("tt_dnn_cpu", "2", "1")


def test_profile_this_finds_what_it_logs(model, tmp_path):
    """The default folder, found by the tool; the command runs with and without device profiling."""
    command = f"{sys.executable} {model}"
    done = tool.run("profile-this", "-c", command, cwd=tmp_path, variables={"PYTHONPATH": str(package.FOLDER), "TT_METAL_HOME": None})
    assert done.code == 0, done.err
    found = list(tmp_path.rglob("*ops*.csv"))
    rows = [row for path in found for row in csv.DictReader(open(path, newline=""))]
    assert {"Linear"} <= {row["OP CODE"].strip() for row in rows if "OP CODE" in row}, (found, done.text)


def test_a_recording_has_the_ops(model, tmp_path):
    recording = tmp_path / "run.tacho"
    run(model, tmp_path / "logs", TACHO_RECORD=str(recording))
    rows = json.loads(tool.good("summary", recording, "--by", "operator", "--json").text)["rows"]
    assert {"Linear", "Softmax", "Exp"} <= {row["operator"] for row in rows}
    assert [row["OP CODE"] for row in report(recording, tmp_path / "recorded")].count("Linear") == 2


def test_in_this_program(tmp_path, monkeypatch):
    """Wrong texts raise, what cannot be logged is counted, and each thread has its own ops."""
    from tacho import profiler

    monkeypatch.setenv("TT_METAL_HOME", str(tmp_path))  # where locations are noted
    monkeypatch.chdir(tmp_path)

    assert profiler.set_profiler_location(tmp_path / "here")
    assert pathlib.Path(profiler.profiler_location()) == tmp_path / "here"
    before = profiler.error_count()
    profiler.append_meta_data("in no op")
    assert profiler.error_count() == before + 1 and profiler.last_error()
    with pytest.raises(TypeError):
        profiler.start_profiling(3)
    with pytest.raises(ValueError):
        profiler.append_input_data(profiler.Tensor(range(9)))
    with pytest.raises((OverflowError, TypeError)):
        profiler.append_input_data(profiler.Tensor((-1,)))
    with pytest.raises(ValueError):
        profiler.append_detail(99, "x")
    assert not profiler.set_profiler_location("/dev/null/nowhere") and profiler.last_error()
    assert profiler.set_profiler_location(tmp_path / "here")

    class Array:
        shape, dtype = (2, 3), "torch.float32"

    def work():
        with profiler.op("Threaded", profiler.OpType.tt_dnn_cpu):
            assert profiler.call_folder().startswith(str(tmp_path / "here" / "Threaded"))
            profiler.append_all_tensor_io_data([Array()], [None], [Array()])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    profiler.set_profiler_location("")
    rows = report(tmp_path / "here", tmp_path / "out")
    assert not (tool.ROOT / "tt_metal").exists()
    assert len(rows) == 4 and {row["INPUT_0_DATA TYPE"] for row in rows} == {"FLOAT32"} and {row["CALL DEPTH"] for row in rows} == {"1"}
