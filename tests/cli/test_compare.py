"""tacho compare: rows add up to the difference, numbers are those of the other verbs, verdicts, gates and files."""
import json
import shutil
import sys
import xml.etree.ElementTree

import pytest

import aa_compare
import tool

sys.path.insert(0, str(tool.TESTS / "planted"))
import executorch  # noqa: E402
import model  # noqa: E402
import two_chains  # noqa: E402

DATA = tool.DATA
LATENCY = DATA / "latency"
OFF = sorted(LATENCY.glob("*_off_t1_l*.etdump.gz"))
ON = sorted(LATENCY.glob("*_on_t1_l*.etdump.gz"))
MOBILENET = tool.MOBILENET
PROGRAM = ["--mlir", MOBILENET / "mobilenet.executable-targets.mlir"]
RUNTIME = DATA / "torq-runtime"
OPS = DATA / "tt-ops-csv"
DEVICE = tool.ROOT / "examples" / "encoder_wormhole"


def compare(*arguments, code=0):
    result = tool.run("compare", *arguments, "--json", "-q")
    assert result.code == code, result.err
    return json.loads(result.text)


def one_model(*arguments):
    (found,) = compare(*arguments)["models"]
    return found


def total(found, name=None):
    """A row of the totals; without a name the whole: a run, or a step."""
    return next(row for row in found["totals"] if row["name"] == name) if name else found["totals"][0]


def assert_adds_up(found):
    whole = total(found)
    of = total(found, "device time") if found["operators_of"] == "device" else whole
    for rows, sum_of in ((found["parts"], whole), (found["operators"], of)):
        for key in ("before_ns", "after_ns", "difference_ns"):
            assert sum(row[key] for row in rows) == sum_of[key], key
    for row in found["totals"] + found["parts"] + found["engines"] + found["operators"]:
        assert row["difference_ns"] == row["after_ns"] - row["before_ns"]


def summary(path, *options):
    return json.loads(tool.good("summary", path, "--json", "-q", *options).text)


# ---- sums ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slower_log(tmp_path_factory):
    """The example's log, with 10 us more before each wait's end: a job that takes longer."""
    path = tmp_path_factory.mktemp("log") / "runtime.csv"
    lines, late = [], 0
    for line in (MOBILENET / "runtime.csv").read_text().splitlines():
        fields = line.split(",")
        if fields[-1].startswith("NSS_WAIT") and fields[-1].endswith("END"):
            late += 10
        if fields[3].isdigit():
            fields[3] = str(int(fields[3]) + late)
        lines.append(",".join(fields))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_two_runtimes_of_torq(slower_log):
    found = one_model(MOBILENET / "runtime.csv", slower_log, *PROGRAM)
    assert_adds_up(found)
    assert total(found)["difference_ns"] > 0
    for path, key in ((MOBILENET / "runtime.csv", "before_ns"), (slower_log, "after_ns")):
        assert total(found)[key] == summary(path, *PROGRAM)["total_duration"]


@pytest.mark.parametrize("before, after, options", [
    (RUNTIME / "runtime_r2.csv", RUNTIME / "runtime_r3.csv", []),
    (OPS / "bh20_oft.csv.gz", OPS / "bh20_oft_integral_image_trace.csv.gz", []),
    (OPS / "bh20_oft.csv.gz", OPS / "bh_p100_dlv3.csv.gz", ["--of", "device"]),
    (DEVICE / "ops_perf_results.csv", OPS / "bh_p100_dlv3.csv.gz", []),
    (DEVICE / "profile_log_device.csv.gz", DEVICE / "profile_log_device.csv.gz", []),
    (DATA / "tacho-recording" / "plain.tacho.gz", DATA / "tacho-recording" / "plain.tacho.gz", []),
    (OFF[0], ON[0], []),
    (DATA / "etrecord" / "mobilenet.etdump.gz", DATA / "etrecord" / "mobilenet_portable.etdump.gz", []),
    (MOBILENET / "timeline.csv", MOBILENET / "runtime.csv", PROGRAM),
    (MOBILENET / "timeline.csv", OFF[0], []),
    (DATA / "gpu" / "kineto_mobilenet_v2_infer.json.gz", DATA / "gpu" / "kineto_rich_train.json.gz", []),
    (DATA / "gpu" / "kineto_mobilenet_v2_infer.json.gz", DATA / "gpu" / "kineto_rich_train.json.gz", ["--of", "device"]),
    (DATA / "torq-compile" / "c1.csv", DATA / "torq-compile" / "c2.csv", []),
], ids=str)
def test_rows_add_up_to_the_difference(before, after, options):
    found = one_model(before, after, *options)
    assert_adds_up(found)
    shared = PROGRAM if options is PROGRAM else []
    for path, key in ((before, "before_ns"), (after, "after_ns")):
        assert total(found)[key] == summary(path, *shared)["total_duration"]


def test_a_thing_compared_with_itself_did_not_change():
    result = tool.run("compare", OFF[0], OFF[0], "--json")
    (found,) = json.loads(result.text)["models"]
    assert "is compared with itself" in result.err
    assert all(row["difference_ns"] == 0 for row in found["totals"] + found["parts"] + found["operators"])


def test_own_times_are_those_of_operators():
    found = one_model(OFF[0], ON[0])
    told = json.loads(tool.good("operators", ON[0], "--by", "name", "--json", "-q", "--columns", "operator,self_time").text)
    own = {row["operator"]: row["self_time"] for row in told["rows"]}
    assert len(own) > 60
    assert all(abs(row["after_ns"] - own[row["name"]]) <= 1 for row in found["operators"])


def test_another_model_is_asked_about():
    found = one_model(OPS / "bh20_oft.csv.gz", OPS / "bh20_oft_integral_image_trace.csv.gz")
    assert any("are they of one model?" in note for note in found["notes"])
    assert not any("are they of one model?" in note for note in one_model(OFF[0], ON[0])["notes"])


# ---- an estimate, two chains ---------------------------------------------------------------------------------------------


def test_an_estimate_is_held_against_each_job():
    found = one_model(MOBILENET / "timeline.csv", MOBILENET / "runtime.csv", *PROGRAM)
    rows = found["jobs"]["rows"]
    *jobs, last = rows
    assert len(jobs) == 20 and last["name"] == "sum"
    for key in ("estimated", "measured", "difference"):
        assert sum(row[key] for row in jobs) == last[key]
    device = total(found, "device time")
    assert last["measured"] == device["after_ns"]
    assert abs(last["estimated"] - device["before_ns"]) <= len(jobs)  # what is drawn of a job is in whole nanoseconds
    text = tool.good("compare", MOBILENET / "timeline.csv", MOBILENET / "runtime.csv", *PROGRAM).text
    assert "before is an estimate, after was measured" in text and "By job: measured against estimated" in text


def test_a_delegate_may_be_the_host_or_a_device():
    """A dump tells no more of a backend than its name."""
    before, after = sorted((tool.ROOT / "examples" / "mobilenet_xnnpack").glob("*_t1.etdump"))
    names = [row["name"] for row in one_model(before, after)["totals"]]
    assert "kernel time" in names and "device time" not in names


def test_without_a_tie_there_is_no_table_of_jobs():
    assert "jobs" not in one_model(MOBILENET / "timeline.csv", MOBILENET / "runtime.csv")


def test_two_tool_chains_meet_in_the_source(tmp_path):
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        torq, dump, lines = two_chains.write(model.Chance(f"two chains {seed}"), folder)
        found = one_model(torq, dump)
        assert_adds_up(found)
        assert found["matched_by"] == "source"
        both = [row["name"] for row in found["operators"] if row["before_ns"] and row["after_ns"]]
        assert sorted(both) == sorted(f"net.py:{line}:10" for line in lines)
        assert any("two tool chains" in note for note in found["notes"])


# ---- verdicts ----------------------------------------------------------------------------------------------------------


def test_the_verdict_on_the_whole_is_that_of_latency():
    found = one_model(*OFF, "--with", *ON)
    latency = json.loads(tool.good("latency", "--timeline-csv", *OFF, "--compare", *ON, "--json", "-q").text)
    assert found["verdict"] == latency["verdict"] == "faster"
    assert found["speedup"] == pytest.approx(latency["speedup"])
    assert total(found)["p"] == pytest.approx(latency["p"])
    assert_adds_up(found)
    first = found["operators"][0]
    assert first["verdict"] == "faster" and first["p_corrected"] <= 0.01 and first["launches_before"] == 5
    assert any(row["verdict"] == "no significant difference" for row in found["operators"])
    assert found["sentence"].startswith("run time 1.13x faster, certain over 5 launches a side: Convolution")


def test_four_launches_say_how_many_are_needed():
    found = one_model(*OFF[:4], "--with", *ON)
    assert found["verdict"] == "too few launches"
    assert "4 and 5 launches cannot tell a change from luck (5 a side can" in found["sentence"]
    assert not [row for row in found["operators"] if row["verdict"] in ("faster", "slower")]


@pytest.mark.slow
def test_false_and_missed_verdicts_are_few():
    for case in aa_compare.CASES:
        found = aa_compare.count(case, 100)
        assert not found["does not add up"]
        assert case.least * 100 - 3 <= found[case.counted] <= case.most * 100 + 2, (case.what, found)


# ---- gates ---------------------------------------------------------------------------------------------------------------


def test_gates(tmp_path):
    slower = [*ON, "--with", *OFF, "-q"]
    assert tool.run("compare", *slower, "--gate", "20%").code == 0
    assert "gate 20%: passed" in tool.run("compare", *slower, "--gate", "20%").text
    failed = tool.run("compare", *slower, "--gate", "3%")
    assert failed.code == 1 and "1 of 1 gate failed" in failed.err and "gate 3%: failed" in failed.text
    assert tool.run("compare", *OFF, "--with", *ON, "-q", "--gate", "3%").code == 0  # faster
    assert tool.run("compare", *slower, "--gate", "20%", "--gate", "operator:5%").code == 1
    assert tool.run("compare", *slower, "--gate", "operator:500%").code == 0
    few = [ON[0], OFF[0], "-q", "--gate", "3%"]
    assert tool.run("compare", *few).code == 0 and "too few launches" in tool.run("compare", *few).text
    assert tool.run("compare", *few, "--gate-needs-launches").code == 1
    for wrong in ("3x", "operators:5%", "", "-1%", "operator:"):
        assert tool.run("compare", ON[0], OFF[0], "--gate", wrong).code == 2, wrong


def test_junit(tmp_path):
    path = tmp_path / "gate.xml"
    tool.run("compare", *ON, "--with", *OFF, "-q", "--gate", "3%", "--gate", "operator:5%", "--junit", path)
    suite = xml.etree.ElementTree.parse(path).getroot()
    cases = suite.findall("testcase")
    assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases) > 60
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) > 5
    tool.good("compare", ON[0], OFF[0], "-q", "--junit", path)
    suite = xml.etree.ElementTree.parse(path).getroot()
    assert int(suite.get("skipped")) == len(suite.findall("testcase")) == 2
    assert tool.run("compare", ON[0], OFF[0], "--junit", "/dev/full").code == 4


# ---- models, launches -----------------------------------------------------------------------------------------------------


def test_several_models_meet_by_name(tmp_path):
    for side, files in (("before", OFF), ("after", ON)):
        (tmp_path / side).mkdir()
        for number, file in enumerate(files):
            shutil.copy(file, tmp_path / side / f"one_l{number}.etdump.gz")
            shutil.copy(file, tmp_path / side / f"two-run{number}.etdump.gz")
    shutil.copy(OFF[0], tmp_path / "before" / "third.etdump.gz")
    before, after = (sorted((tmp_path / side).iterdir()) for side in ("before", "after"))
    answer = compare(*before, "--with", *after)
    assert [found["model"] for found in answer["models"]] == ["one", "two"]
    assert [found["launches_before"] for found in answer["models"]] == [5, 5]
    speedups = [found["speedup"] for found in answer["models"]]
    assert answer["geometric_mean_factor"] == pytest.approx(1 / (speedups[0] * speedups[1])**0.5)
    result = tool.good("compare", *before, "--with", *after)
    assert "third.etdump.gz: the other side has no file of this name" in result.err
    assert "2 models: 1.126x faster by the geometric mean" in result.text
    assert len(compare(*before, "--with", *after, "--one-model")["models"]) == 1


@pytest.mark.parametrize("name", ["l{}", "launch{}", "run-{}", "{}"])
def test_names_that_only_number_launches_are_of_one_model(tmp_path, name):
    """Each would be a model of its own with one launch: a gate would let any slowdown through."""
    for side, files in (("before", ON), ("after", OFF)):
        (tmp_path / side).mkdir()
        for number, file in enumerate(files):
            shutil.copy(file, tmp_path / side / (name.format(number) + ".etdump.gz"))
    before, after = (sorted((tmp_path / side).iterdir()) for side in ("before", "after"))
    assert one_model(*before, "--with", *after)["launches_after"] == len(OFF)
    assert tool.run("compare", *before, "--with", *after, "--gate", "3%").code == 1


def test_launches_of_different_models_on_one_side_are_told(tmp_path):
    other = tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv"
    for number, file in enumerate((ON[0], ON[1])):
        shutil.copy(file, tmp_path / f"net{number}.etdump.gz")
    shutil.copy(other, tmp_path / "net2.csv")
    told = "is of another model than"
    result = tool.good("compare", ON[0], "--with", *sorted(tmp_path.iterdir()))
    assert "net2.csv: " + told in " ".join(result.err.split()), result.err
    assert told not in tool.good("compare", *OFF, "--with", *ON).err


@pytest.fixture(scope="module")
def crashed(tmp_path_factory):
    """A run directory: dumps of launches that ended well, and of launches that crashed, which have some, too."""
    folder = tmp_path_factory.mktemp("crashed")
    executorch.run_directory(model.Chance("crashed 2"), folder, "crashed")
    well, badly = (sorted(folder.glob(f"*_{build}_t1_l*.etdump")) for build in ("off", "on"))
    assert len(well) >= 3 and badly
    return well, badly


def test_a_launch_that_failed_has_no_time_and_is_told_first(crashed):
    well, badly = crashed
    text = " ".join(tool.good("compare", well[0], "--with", *well[1:], badly[0]).text.split())
    assert text.startswith("after: ") and "is of a launch that failed, and has no" in text
    answer = compare(well[0], "--with", *well[1:], badly[0])
    assert len(answer["failed"]) == 1 and badly[0].name in answer["failed"][0]
    assert answer["models"][0]["launches_after"] == len(well) - 1


def test_no_gate_lets_launches_through_that_failed(crashed, tmp_path):
    well, badly = crashed
    words = ["compare", *well, "--with", *well, badly[0], "--gate", "50%", "--junit", tmp_path / "gate.xml"]
    result = tool.run(*words)
    assert result.code == 1 and "launches after the change failed" in result.err and "gate 50%: failed: 1 launch after the change failed" in result.text
    assert len(xml.etree.ElementTree.parse(tmp_path / "gate.xml").getroot().findall("testcase/failure")) == 1
    assert tool.run("compare", *well, badly[0], "--with", *well, "--gate", "50%").code == 0, "before the change is another matter"


def test_where_all_launches_failed_there_is_nothing_to_compare(crashed):
    well, badly = crashed
    result = tool.run("compare", *well, "--with", *badly)
    assert result.code == 3 and "launch that failed" in result.err and "nothing to compare" in result.err


def test_several_files_are_several_launches(tmp_path):
    plain = DATA / "tacho-recording" / "plain.tacho.gz"
    copies = [tmp_path / f"run{number}.tacho.gz" for number in range(2)]
    for copy in copies:
        shutil.copy(plain, copy)
    assert one_model(plain, "--with", *copies)["launches_after"] == 2


def test_a_difference_that_all_rows_share_is_blamed_on_none(tmp_path):
    """Everything takes 5 % longer: the row that has most of that did not make it."""
    rows = "".join(f"DI{number},{{}},{{}},loc(\"net.mlir\":{number + 1}:1),DMA_IN\n" for number in range(30))
    for name, ticks in (("before", 1000), ("after", 1050)):
        times = [time for number in range(30) for time in (number * ticks, (number + 1) * ticks)]
        (tmp_path / f"{name}.csv").write_text(rows.format(*times))
    sentence = one_model(tmp_path / "before.csv", tmp_path / "after.csv")["sentence"]
    assert "spread over 30 rows, each with a small part of it" in sentence


# ---- outputs ---------------------------------------------------------------------------------------------------------------


def test_the_terminal_gets_80_columns():
    text = tool.good("compare", *OFF, "--with", *ON).text
    assert max(len(line) for line in text.splitlines()) <= 80
    assert text.splitlines()[0].startswith("run time 1.13x faster, certain over 5 launches a side")
    assert "53 others" in text and "\nsum " in text


@pytest.mark.parametrize("suffix", [".md", ".html", ".csv", ".xlsx", ".json"])
def test_files(tmp_path, suffix):
    path = tmp_path / f"changed{suffix}"
    tool.good("compare", *OFF, "--with", *ON, "-q", "-o", path)
    data = path.read_bytes()
    assert len(data) > 2000
    if suffix == ".md":
        text = data.decode()
        assert "run time 1.13x faster, certain over 5 launches a side" in text
        assert "| Convolution (NHWC, F32) IGEMM #1 (instruction 0) |" in text and "others" not in text
    if suffix == ".json":
        assert json.loads(data)["models"][0]["verdict"] == "faster"


def test_a_view_of_the_operators():
    text = tool.good("compare", OFF[0], ON[0], "-q", "--columns", "name,difference", "--limit", "3").text
    assert "launch" in text.split("By operator")[0]  # the sentence comes first, whatever is asked of the table
    assert "3 of 68 rows shown" in text and "Before" not in text
    assert "launches a side that a difference" in tool.good("compare", OFF[0], ON[0], "-q", "--columns", "help").text


# ---- wrong usage -------------------------------------------------------------------------------------------------------------


def test_wrong_usage(tmp_path):
    assert "wants two inputs" in tool.run("compare").err
    assert tool.run("compare", OFF[0]).code == 2
    assert "which of these are the other side?" in tool.run("compare", *OFF).err
    assert tool.run("compare", "--with", OFF[0]).code == 2
    assert tool.run("compare", OFF[0], tmp_path / "none.csv").code == 3
    assert tool.run("compare", OFF[0], ON[0], "--of", "host").code == 2
    assert tool.run("compare", OFF[0], ON[0], "-o", OFF[0]).code == 2
    assert tool.run("compare", OFF[0], ON[0], "--gate-needs-launches").code == 2
    assert "is given twice on one side" in tool.run("compare", OFF[0], OFF[0], "--with", ON[0]).err


def test_summary_of_two_inputs_has_a_difference():
    text = tool.good("summary", OFF[0], ON[0]).text
    assert "Difference" in text.splitlines()[1] and "tacho compare" in text
    assert "Difference" not in tool.good("summary", OFF[0], ON[0], ON[1]).text


def test_notes_name_their_files(tmp_path):
    """A note is told once, with the first of the files that it is about and how many more there are."""
    whole = '[{"ph":"X","name":"a","ts":1,"dur":5},'
    (tmp_path / "one.json").write_text(whole + '{"ph":"X","name":"a","ts":9,"dur":7}]')
    for name in ("two", "three"):
        (tmp_path / f"{name}.json").write_text(whole + '{"ph":"X","na')
    told = tool.good("compare", "one.json", "two.json", cwd=tmp_path).err
    assert "note: two.json: the file is cut off" in told
    told = tool.good("compare", "two.json", "one.json", "--with", "three.json", cwd=tmp_path).err
    assert "note: two.json and 1 more: the file is cut off" in told and told.count("cut off at") == 1
    answer = json.loads(tool.good("compare", "one.json", "two.json", "--json", cwd=tmp_path).text)
    assert [note.split(":")[0] for note in answer["notes"]] == ["two.json"]
