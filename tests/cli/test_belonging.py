"""What belongs together: a program or record of another model is refused, and so are files of different models; what only looks odd is not."""
import gzip
import json
import re
import shutil

import pytest

import tool

TORQ = tool.GOLDEN
PROGRAM = TORQ / "executable_targets.mlir"
OTHER_PROGRAM = tool.MOBILENET / "mobilenet.executable-targets.mlir"
LOG = tool.MOBILENET / "runtime.csv"
OPERATORS = tool.DATA / "operators"
RECORDS = tool.DATA / "etrecord"
EXAMPLE = tool.ROOT / "examples" / "mobilenet_xnnpack"
BROKEN = OPERATORS / "broken_graph_mac_sme2_on_t1.etdump"
MOBILENET = OPERATORS / "mobilenet_mac_sme2_on_t1.etdump.gz"
PORTABLE = RECORDS / "mobilenet_portable.etdump.gz"
VERBS = ["summary", "advise", "operators"]


def refused(*words):
    """The sentence of a command that refuses its files."""
    result = tool.run(*words)
    assert result.code == 3, (result.command, result.err)
    assert not result.out
    return result.err


# ---- programs of Torq ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", ["runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"])
@pytest.mark.parametrize("verb", ["summary", "advise"])
def test_the_right_program_is_used(verb, log):
    tool.good(verb, "-q", TORQ / log, "--mlir", PROGRAM)
    tool.good(verb, "-q", LOG, "--mlir", OTHER_PROGRAM)


@pytest.mark.parametrize("log, says", [
    ("runtime_r1.csv", "job 0 comes from net.mlir:4:10 here and from mobilenet.mlir:"),
    ("runtime_r2.csv", "action 0 comes from net.mlir:4:10 here and from mobilenet.mlir:"),
    ("runtime_r4.csv", "it has no dispatch that ran; the first in the log is main_dispatch_0_conv,")])
@pytest.mark.parametrize("verb", ["summary", "advise"])
def test_the_program_of_another_model_is_refused(verb, log, says):
    message = refused(verb, TORQ / log, "--mlir", OTHER_PROGRAM)
    assert says in message and "mobilenet.executable-targets.mlir is not the program of this log" in message
    assert "--force-companion" in message and re.search(re.escape(log) + r":\d+: ", message)
    tool.good(verb, "-q", TORQ / log, "--mlir", OTHER_PROGRAM, "--force-companion")


def test_nothing_is_left_of_a_trace_that_was_refused(tmp_path):
    refused("convert", LOG, "--mlir", PROGRAM, "-o", tmp_path / "out.pb")
    assert not list(tmp_path.iterdir())


def test_an_action_of_another_kind_contradicts(tmp_path):
    """The dispatches have the same names, as those of every model with one convolution do."""
    text = (TORQ / "runtime_r4.csv").read_text()
    log = tmp_path / "log.csv"
    log.write_text(text.replace(",NSS_START_BEGIN", ",ALLOC_BEGIN", 1).replace(",NSS_START_END", ",ALLOC_END", 1))
    assert "is ALLOC here and torq_hl.start_program of a job there" in refused("summary", log, "--mlir", PROGRAM)


def test_an_action_that_the_program_does_not_have_contradicts(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text((TORQ / "runtime_r2.csv").read_text() + '9,950,5000950,HOST_COPY_START,"loc(unknown)"\n')
    assert "has 8 actions and none with the id 9, which is HOST_COPY here" in refused("summary", log, "--mlir", PROGRAM)


def test_a_log_that_is_cut_off_is_no_contradiction(tmp_path):
    for name in ("runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv"):
        lines = (TORQ / name).read_text().splitlines(True)
        for count in range(2, len(lines)):
            (tmp_path / name).write_text("".join(lines[:count]))
            tool.good("summary", "-q", tmp_path / name, "--mlir", PROGRAM)


def test_a_model_that_was_moved_is_the_same(tmp_path):
    """Files are called otherwise where a model is compiled again from elsewhere."""
    (tmp_path / "program.mlir").write_text(PROGRAM.read_text().replace("/build/torq/sample/data/frag/net.mlir", "/home/me/again.mlir"))
    tool.good("summary", "-q", TORQ / "runtime_r2.csv", "--mlir", tmp_path / "program.mlir")


def test_some_of_the_dispatches_are_enough(tmp_path):
    """Each dispatch may have a dump of its own, and a log need not run all of them."""
    dispatches = re.findall(r"^(main_dispatch_\w+),", LOG.read_text(), re.M)
    others = sorted(set(dispatches) - {dispatches[0]})
    log = tmp_path / "log.csv"
    log.write_text("".join(line for line in LOG.read_text().splitlines(True) if not line.startswith(others[0] + ",")))
    tool.good("summary", "-q", log, "--mlir", OTHER_PROGRAM)
    log.write_text(LOG.read_text().replace(others[0] + ",", "main_dispatch_99_other,"))
    assert "Nss, engines not known" in tool.good("summary", "-q", log, "--mlir", OTHER_PROGRAM).text


def test_time_that_nothing_explains_is_a_row():
    alone = tool.good("summary", "-q", LOG).text
    forced = tool.good("summary", "-q", LOG, "--mlir", PROGRAM, "--force-companion").text
    right = tool.good("summary", "-q", LOG, "--mlir", OTHER_PROGRAM).text
    jobs = re.search(r"^ *Nss +(\S+)  \((\S+)\)$", alone, re.M).groups()
    assert re.search(r"^ *Nss, engines not known +(\S+)  \((\S+)\)$", forced, re.M).groups() == jobs
    assert "Nss" not in right


# ---- records of ExecuTorch ----------------------------------------------------------------------------------------------


RIGHT = [(BROKEN, OPERATORS / "broken_graph.etrecord"), (MOBILENET, OPERATORS / "mobilenet.etrecord"),
         (PORTABLE, RECORDS / "mobilenet_portable.etrecord"), (RECORDS / "mobilenet.etdump.gz", RECORDS / "mobilenet.etrecord"),
         (EXAMPLE / "mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump", EXAMPLE / "mobilenet_like_xnnpack_fp32.etrecord")]
WRONG = [(BROKEN, OPERATORS / "mobilenet.etrecord", "instruction 0 calls a kernel in the file and a delegate in the record"),
         (MOBILENET, OPERATORS / "broken_graph.etrecord", "instruction 0 calls a delegate in the file and a kernel in the record"),
         (BROKEN, RECORDS / "mobilenet_portable.etrecord", "instruction 1 calls a delegate, and the record has none"),
         (PORTABLE, OPERATORS / "broken_graph.etrecord", "native_call_convolution.out ran outside of delegates")]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("dump, record", RIGHT)
def test_the_right_record_is_used(verb, dump, record):
    assert "left out" not in tool.good(verb, dump, "--etrecord", record).err


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("dump, record, says", WRONG)
def test_the_record_of_another_model_is_refused(verb, dump, record, says):
    message = refused(verb, dump, "--etrecord", record)
    assert f"{record} is not its record: {says}" in message and "--force-companion" in message
    tool.good(verb, dump, "--etrecord", record, "--force-companion")


def test_a_record_that_was_only_found_is_left_out(tmp_path):
    dump = tmp_path / "net.etdump"
    shutil.copy(BROKEN, dump)
    alone = json.loads(tool.good("operators", dump, "--json").text)
    shutil.copy(OPERATORS / "mobilenet.etrecord", tmp_path / "net.etrecord")
    for verb in VERBS:
        result = tool.good(verb, dump)
        assert "net.etrecord is left out, it is the record of another model: instruction 0 calls a kernel" in " ".join(
            (result.err + result.text).split()), verb
    assert json.loads(tool.good("operators", dump, "--json").text) == alone
    forced = tool.good("operators", dump, "--force-companion")
    assert "left out" not in forced.err


def test_a_run_directory_with_a_wrong_record_says_so(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tool.DATA / "rundir" / "broken_graph", folder)
    shutil.copy(OPERATORS / "mobilenet.etrecord", folder / "broken_graph_xnnpack_fp32.etrecord")
    assert "is left out, it is the record of another model" in tool.good("report", folder, "-o", tmp_path / "r.md").err


# ---- files of different models ------------------------------------------------------------------------------------------


def timeline(state):
    return OPERATORS / f"broken_graph_mac_sme2_{state}_t1_exec_all_runs_timeline.csv.gz"


DIFFERENT = [["operators", BROKEN, MOBILENET], ["operators", BROKEN, "--compare", MOBILENET], ["advise", BROKEN, MOBILENET],
             ["latency", BROKEN, MOBILENET], ["latency", BROKEN, "--compare", MOBILENET],
             ["operators", timeline("on"), "--compare", OPERATORS / "synth_mac_sme2_off_t1_exec_all_runs_timeline.csv.gz"]]
SAME = [["operators", BROKEN, timeline("on")], ["operators", MOBILENET, "--compare", PORTABLE],
        ["latency", MOBILENET, "--compare", PORTABLE], ["latency", timeline("on"), "--compare", timeline("off")],
        ["operators", timeline("on"), "--compare", timeline("off")], ["advise", BROKEN, OPERATORS / "broken_graph_mac_sme2_off_t1.etdump"]]


@pytest.mark.parametrize("words", DIFFERENT, ids=range(len(DIFFERENT)))
def test_different_models_are_refused(words):
    message = refused(*words)
    assert "it is of another model than" in message and "that differs is number" in message
    tool.good(*words, "--different-models")


@pytest.mark.parametrize("words", SAME, ids=range(len(SAME)))
def test_builds_of_one_model_are_compared(words):
    tool.good(*words)


def test_logs_without_operators_are_of_any_model(tmp_path):
    log = sorted((tool.DATA / "et-runner-log").glob("*.log"))[0]
    table = tmp_path / "launches.csv"
    table.write_text("launch,iteration,ms\n" + "".join(f"1,{number},2.{number}\n" for number in range(1, 9)))
    tool.good("latency", BROKEN, "--compare", table)
    tool.good("latency", log, "--compare", table)


def test_a_run_directory_with_two_models_is_refused(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(tool.DATA / "rundir" / "broken_graph", folder)
    dump = folder / "broken_graph_xnnpack_fp32_mac_sme2_on_t1.etdump"
    dump.write_bytes(gzip.decompress(MOBILENET.read_bytes()))
    assert "it is of another model than" in refused("report", folder, "-o", tmp_path / "r.md")
    tool.good("report", folder, "-o", tmp_path / "r.md", "--different-models")
