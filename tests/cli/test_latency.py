"""tacho latency: the sentence, the original's two files, choosing rows and sides, warnings, and how often two halves of the
same thing are called different."""
import gzip
import json
import math
import shutil

import pytest

import aa_launches
import tool

DATA = tool.DATA / "latency"
ORIGINAL = DATA / "original"
LAUNCHES = DATA / "launches.csv"
MODELS = ["synth_encoder_xnnpack_fp32", "mobilenet_like_xnnpack_fp32", "broken_graph_xnnpack_fp32"]
PAIR = ["--baseline", "kernels=off", "--candidate", "kernels=on"]


WIDE = {"variables": {"COLUMNS": "200"}}  # a sentence in one line


def timeline(model, kernels):
    return ORIGINAL / f"{model}_mac_sme2_{kernels}_t1_exec_all_runs_timeline.csv"


def dumps(kernels):
    return sorted(DATA.glob(f"*_avx512_{kernels}_t1_l?.etdump.gz"))


def same(golden, ours, where=""):
    """Equal with the keys in the same order; numbers to 1e-12."""
    assert type(golden) is type(ours), where
    if isinstance(golden, dict):
        assert list(golden) == list(ours), where
        for key in golden:
            same(golden[key], ours[key], f"{where}/{key}")
    elif isinstance(golden, list):
        assert len(golden) == len(ours), where
        for index, pair in enumerate(zip(golden, ours)):
            same(*pair, f"{where}/{index}")
    elif isinstance(golden, float):
        assert math.isclose(golden, ours, rel_tol=1e-12), f"{where}: {ours} is not {golden}"
    else:
        assert golden == ours, where


def strict_json(text):
    """JSON as a strict reader takes it: no NaN, no Infinity."""
    return json.loads(text, parse_constant=lambda word: pytest.fail(word))


def answer(good, *arguments, **options):
    return strict_json(good("latency", *arguments, "--json", **options).text)


def write_table(path, rows, header="side,launch,iteration,ms"):
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


# ---- the original's files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kernels", ["on", "off"])
def test_statistics_as_the_original(good, tmp_path, model, kernels):
    csv = timeline(model, kernels)
    golden = json.loads((ORIGINAL / f"{csv.stem}_robust_stats.json").read_text())
    good("latency", "--timeline-csv", csv, "--output-dir", tmp_path, "--name", golden["name"], "--verbose")
    text = (tmp_path / f"{csv.stem}_robust_stats.json").read_text()
    same(golden, strict_json(text))
    assert not text.endswith("\n") and text.startswith('{\n  "count": ')


@pytest.mark.parametrize("kernels", ["on", "off"])
def test_statistics_of_two_threads(good, tmp_path, kernels):
    """From the dump itself, by way of its timeline."""
    stem = f"mobilenet_like_xnnpack_fp32_mac_sme2_{kernels}_t2"
    good("timeline", tool.DATA / "timeline" / "dumps" / f"{stem}.etdump.gz", "--out-dir", tmp_path, "--all-runs")
    golden = json.loads((ORIGINAL / f"{stem}_exec_all_runs_timeline_robust_stats.json").read_text())
    for path in (tmp_path / f"{stem}_exec_all_runs_timeline.csv", tool.DATA / "timeline" / "dumps" / f"{stem}.etdump.gz"):
        good("latency", "--timeline-csv", path, "--output-dir", tmp_path / "out", "--name", golden["name"])
        made = next((tmp_path / "out").iterdir())
        same(golden, strict_json(made.read_text()))
        made.unlink()


@pytest.mark.parametrize("model", MODELS)
def test_comparison_as_the_original(good, tmp_path, model):
    one, other = timeline(model, "off"), timeline(model, "on")
    file = f"{one.stem}_vs_{other.stem}_robust_comparison.json"
    golden = json.loads((ORIGINAL / file).read_text())
    good("latency", "--timeline-csv", one, "--compare", other, "--name1", golden["config1"]["name"], "--name2",
         golden["config2"]["name"], "--output-dir", tmp_path, "--verbose")
    same(golden, strict_json((tmp_path / file).read_text()))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [file, f"{one.stem}_robust_stats.json", f"{other.stem}_robust_stats.json"])


def test_without_a_folder_no_file_is_written(good, tmp_path):
    shutil.copy(timeline(MODELS[0], "on"), tmp_path)
    good("latency", next(tmp_path.iterdir()).name, cwd=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_files_of_one_name_do_not_overwrite_each_other(good, tmp_path):
    for kernels in ("on", "off"):
        (tmp_path / kernels).mkdir()
        shutil.copy(timeline(MODELS[1], kernels), tmp_path / kernels / "x.csv")
    good("latency", "--timeline-csv", "off/x.csv", "--compare", "on/x.csv", "--output-dir", "out", cwd=tmp_path)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "x_2_robust_stats.json", "x_robust_stats.json", "x_vs_x_robust_comparison.json"]
    first = strict_json((tmp_path / "out" / "x_robust_stats.json").read_text())
    second = strict_json((tmp_path / "out" / "x_2_robust_stats.json").read_text())
    assert first["median_ms"] > second["median_ms"]


def test_one_run_gives_valid_json(good, tmp_path):
    csv = tmp_path / "one_all_runs_timeline.csv"
    lines = timeline(MODELS[0], "on").read_text().splitlines()
    csv.write_text("\n".join([lines[0], next(line for line in lines if "Method::execute" in line)]) + "\n")
    good("latency", csv, "--output-dir", tmp_path)
    stats = strict_json((tmp_path / f"{csv.stem}_robust_stats.json").read_text())
    assert stats["count"] == 1 and stats["std_dev_ms"] is None and stats["cv_percent"] is None
    assert answer(good, csv)["side"]["std_dev_ms"] is None


# ---- verdicts -------------------------------------------------------------------------------------------------------------


def test_real_launches_one_thread(good):
    result = good("latency", LAUNCHES, *PAIR, "--where", "threads=1")
    assert result.text.startswith("1.12x faster, 95 % CI 1.12 to 1.13, 30 launches a side\n")
    assert "left out as warm-up: the first 1 of 30 runs of each launch" in result.text
    assert "second mode" not in result.text
    assert result.err == ""
    found = answer(good, LAUNCHES, *PAIR, "--where", "threads=1")
    assert found["verdict"] == "faster" and found["speedup_is"] == "baseline/candidate"
    assert 1.12 < found["speedup"] < 1.13 and found["over_launches"]["exact"] and found["over_launches"]["p"] < 1e-10
    assert found["decided_by"] == "all launches" and found["p"] == found["over_launches"]["p"] and found["over_modes"] is None
    assert found["over_launches"]["basis_of_the_verdict"] and not found["over_runs"]["basis_of_the_verdict"]
    assert found["baseline"]["left_out"] == 30 and found["baseline"]["runs"] == 870
    assert found["baseline"]["rows"] == {"read": 3600, "used": 3600, "lost": 0, "reasons": {}}


def test_real_launches_two_threads_have_two_modes(good):
    text = good("latency", LAUNCHES, *PAIR, "--where", "threads=2").text
    assert text.startswith("1.12x faster inside each mode; p < 0.0001, ")
    assert "kernels=off: 4 of 30 launches ran in a second mode, 1.49x slower" in text
    assert "kernels=on: 4 of 30 launches ran in a second mode, 1.55x slower" in text
    assert "mode 1: 26 of 30 against 26 of 30 launches, 1.13x faster" in text
    assert "mode 2: 4 of 30 against 4 of 30 launches, 1.09x faster" in text
    found = answer(good, LAUNCHES, *PAIR, "--where", "threads=2")
    over = found["over_modes"]
    assert found["verdict"] == "faster" and found["decided_by"] == "inside modes" and found["p"] == over["p"] < 1e-8
    assert over["exact"] and over["basis_of_the_verdict"] and not found["over_launches"]["basis_of_the_verdict"]
    assert over["inside_modes"]["z"] > 6 and over["mode_occurrence"] == {"z": 0, "p": 1}
    assert math.isclose(over["all_launches"]["p"], found["over_launches"]["p"], rel_tol=1e-9)
    assert 1.12 < over["speedup_inside_modes"] < 1.13
    assert [mode["candidate_launches"] for mode in over["modes"]] == [26, 4]


def modal_table(path, baseline_slow, candidate_slow, factor, launches=10):
    """Launches of two sides, so many of them in a mode 1.55 times slower; all of the candidate slower by the factor."""
    rows = []
    for side, slow, times in (("a", baseline_slow, 1), ("b", candidate_slow, factor)):
        for launch in range(launches):
            middle = (3.36 + 0.004 * (launch * 7 % 10)) * times * (1.55 if launch < slow else 1)
            rows += [f"{side},{launch},{run},{middle * (1 + 0.001 * run) + (0.0001 if side == 'b' else 0)}" for run in range(5)]
    return write_table(path, rows)


SIDES = ["--baseline", "side=a", "--candidate", "side=b"]


@pytest.mark.parametrize("slow,told", [(lambda run: run % 2, "16 of about 5 ms and 14 of about 9 ms"), (lambda run: run in (12, 20), None),
                                       (lambda run: run / 30, None)], ids=["two groups", "hiccups", "drift"])
def test_runs_of_one_launch_in_two_groups_are_told(good, tmp_path, slow, told):
    """Every second run took 1.8 times as long, and the mean of both stood there without a word."""
    rows = [f"a,1,{run},{5 + 4 * slow(run) + run % 7 / 1000}" for run in range(30) if run != 1]
    remarks = answer(good, write_table(tmp_path / "t.csv", [*rows, "a,1,30,5"]), "--warmup", "none")["side"]["remarks"]
    assert [remark for remark in remarks if "two groups" in remark] == ([f"runs lie in two groups: {told}; their mean is the time of neither"] if told else [])


def test_a_change_inside_modes_is_found(good, tmp_path):
    table = modal_table(tmp_path / "t.csv", 3, 3, 1.10)
    result = good("latency", table, *SIDES)
    assert result.text.startswith("1.10x slower inside each mode; p < 0.0001, ")
    assert "note: mode 2: 3 of 10 against 3 of 10 launches, 1.10x slower" in result.text
    found = answer(good, table, *SIDES)
    assert found["decided_by"] == "inside modes" and found["p"] < 0.001
    assert not found["over_launches"]["different"]  # without modes it is missed
    text = good("latency", table, *SIDES, "--verbose").text.replace("\n      ", " ")
    assert "test over launch medians in modes (exact): p = " in text and "how often each mode occurs 1," in text


def test_modes_that_occur_more_often_are_found(good, tmp_path):
    table = modal_table(tmp_path / "t.csv", 1, 9, 1)
    assert good("latency", table, *SIDES, **WIDE).text.startswith(
        "slower: more often in the slow mode (9 of 10 launches against 1 of 10); p = 0.0")
    found = answer(good, table, *SIDES)
    assert found["verdict"] == "slower" and found["decided_by"] == "mode occurrence"
    back = answer(good, table, "--baseline", "side=b", "--candidate", "side=a")
    assert back["verdict"] == "faster" and back["decided_by"] == "mode occurrence" and math.isclose(back["p"], found["p"])
    assert back["sentence"].startswith("faster: more often in the fast mode (9 of 10 launches against 1 of 10); p = 0.0")


def test_modes_without_a_difference(good, tmp_path):
    found = answer(good, modal_table(tmp_path / "t.csv", 2, 3, 1), *SIDES)
    assert found["verdict"] == "no significant difference" and found["decided_by"] is None and found["p"] > 0.01
    few = good("latency", modal_table(tmp_path / "few.csv", 1, 1, 1.1, launches=5), *SIDES, **WIDE).text
    assert few.startswith("no significant difference: 1.10x slower")
    assert "takes about 10 launches a side (an estimate)" in few.splitlines()[0]


def test_the_other_way_round(good):
    text = good("latency", LAUNCHES, "--baseline", "kernels=on", "--candidate", "kernels=off", "--where", "threads=1").text
    assert text.startswith("1.12x slower, 95 % CI 1.12 to 1.13, 30 launches a side\n")
    assert "speedup = baseline/candidate = 0.890" in text


def test_what_a_test_over_runs_would_have_said(good):
    arguments = [LAUNCHES, *PAIR, "--where", "threads=1"]
    assert "a test over runs would have said" not in good("latency", *arguments).text
    text = good("latency", *arguments, "--verbose").text
    assert "a test over runs would have said p = " in text.replace("\n      ", " ")
    assert "(different): no basis" in text.replace("\n      ", " ")


def test_dumps_of_five_launches(good):
    text = good("latency", "--baseline", *dumps("off"), "--candidate", *dumps("on")).text
    assert text.startswith("1.13x faster, 95 % CI 1.12 to 1.13, 5 launches a side\n"
                           "baseline mobilenet_like_xnnpack_fp32_avx512_off_t1 ")
    assert "left out as warm-up: the first 1 of 10 runs of each launch" in text


def test_four_launches_cannot_tell(good):
    text = good("latency", "--timeline-csv", *dumps("off")[:4], "--compare", *dumps("on")[:4], **WIDE).text
    assert text.startswith("7.43 against 6.58 ms, but 4 launches a side cannot tell a change from luck: run 5 or more\n")
    assert "speedup = baseline/candidate = 1.1" in text


def test_one_launch_a_side_cannot_tell(good):
    text = good("latency", "--timeline-csv", timeline(MODELS[1], "off"), "--compare", timeline(MODELS[1], "on"), **WIDE).text
    assert text.startswith("7.76 against 6.67 ms, but one launch a side cannot tell a change from luck: run 5 or more\n")
    assert "speedup = baseline/candidate = 1.163" in text


def test_four_against_twelve_cannot_tell(good, tmp_path):
    rows = [f"{side},{launch},{run},{middle + launch * 0.01 + run * 0.001}" for side, middle, launches in (("a", 10, 4), ("b", 8, 12))
            for launch in range(launches) for run in range(5)]
    table = write_table(tmp_path / "t.csv", rows)
    text = good("latency", table, *SIDES, **WIDE).text
    assert text.startswith("10 against 8.06 ms, but 4 and 12 launches cannot tell a change from luck: run 5 or more")
    found = answer(good, table, *SIDES)
    assert found["verdict"] == "too few launches" and found["p"] is None and found["decided_by"] is None
    assert found["over_launches"]["p"] < 0.01 and not found["over_launches"]["basis_of_the_verdict"]


@pytest.mark.parametrize("case", aa_launches.CASES, ids=lambda case: f"{case.threads} threads, {case.a_side} launches, {case.factor}x")
def test_launches_of_the_same_thing_and_slower_ones(case):
    pairs = 12 if tool.SANITIZED else 60
    found = aa_launches.count(case, pairs)
    assert aa_launches.holds(case, pairs, found, slack=1), found
    assert found["runs"] > pairs / 3  # what a test over runs would do


def test_no_difference_says_how_many_launches_it_takes(good, tmp_path):
    rows = [f"{side},{launch},{run},{10 + launch * 0.1 + shift + run * 0.001}"
            for side, shift in (("a", 0), ("b", 0.13)) for launch in range(6) for run in range(5)]
    table = write_table(tmp_path / "t.csv", rows)
    text = good("latency", table, "--baseline", "side=a", "--candidate", "side=b", **WIDE).text
    assert text.startswith("no significant difference: 1.01")
    assert "launches a side (an estimate)" in text.splitlines()[0]
    found = answer(good, table, "--baseline", "side=a", "--candidate", "side=b")
    assert found["verdict"] == "no significant difference" and found["launches_needed_estimate"] > 6


def test_the_seed_decides(good):
    arguments = [LAUNCHES, *PAIR, "--where", "threads=1", "--rounds", "300"]
    first = answer(good, *arguments, "--seed", "1")
    assert first == answer(good, *arguments)
    assert first["speedup_ci95"] != answer(good, *arguments, "--seed", "2")["speedup_ci95"]


def test_warmup_by_hand(good):
    assert answer(good, LAUNCHES, "--where", "kernels=on", "threads=1", "--warmup", "0")["side"]["max_ms"] > 10
    found = answer(good, LAUNCHES, "--where", "kernels=on", "threads=1", "--warmup", "5")["side"]
    assert found["left_out"] == 150 and found["runs"] == 750


# ---- which side is which --------------------------------------------------------------------------------------------------


def test_baseline_may_be_the_compared_file(good):
    off, on = timeline(MODELS[1], "off"), timeline(MODELS[1], "on")
    found = answer(good, "--timeline-csv", on, "--compare", off, "--name1", "SME2-On", "--name2", "SME2-Off", "--baseline", off)
    assert found["baseline"]["name"] == "SME2-Off" and found["candidate"]["name"] == "SME2-On"
    assert found["speedup"] > 1 and not found["warnings"]


def test_names_that_contradict_the_paths(good):
    off, on = timeline(MODELS[1], "off"), timeline(MODELS[1], "on")
    err = good("latency", "--timeline-csv", on, "--compare", off, "--name1", "SME2-Off", "--name2", "SME2-On").err
    assert err.count("are the names swapped?") == 2
    assert good("latency", "--timeline-csv", off, "--compare", on, "--name1", "SME2-Off", "--name2", "SME2-On").err == ""


def test_doubtful_files(good, tmp_path):
    csv = timeline(MODELS[1], "off")
    run0 = tmp_path / csv.name.replace("_all_runs_", "_run0_")
    shutil.copy(csv, run0)
    assert "holds one run only" in good("latency", run0).err
    shutil.copy(csv, tmp_path)
    assert f"all of them are in {tmp_path / csv.name}" in good("latency", run0).err
    assert "compared with itself" in good("latency", csv, "--compare", csv).err
    assert "given twice on one side: it counts once" in good("latency", csv, csv).err
    assert "one launch counts twice" in good("latency", csv, tmp_path / csv.name).err
    assert good("latency", csv, "--compare", csv, "--quiet").err == ""


def test_bad_rows_are_counted(good, tacho, tmp_path):
    table = write_table(tmp_path / "t.csv", ["a,1,1,5.5", "a,1,2,fast", "a,1,3", "a,1,4,5.25"])
    result = good("latency", table)
    assert "2 of 4 rows lost" in result.err and "(line 3)" in result.err
    assert answer(good, table)["side"]["rows"]["lost"] == 2
    assert good("latency", table, "-o", tmp_path / "t.md") and "4 read, 2 used, 2 lost" in (tmp_path / "t.md").read_text()
    strict = tacho("latency", table, "--strict")
    assert strict.code == 3 and f"{table}:3" in strict.err


def test_compressed_and_standard_input(good, tmp_path):
    packed = tmp_path / "launches.csv.gz"
    packed.write_bytes(gzip.compress(LAUNCHES.read_bytes()))
    plain = good("latency", LAUNCHES, "--where", "threads=1", "kernels=on").text
    assert good("latency", packed, "--where", "threads=1", "kernels=on").text == plain
    text = good("latency", "-", "--where", "threads=1", "kernels=on", stdin=LAUNCHES.read_bytes()).text
    assert text.splitlines()[0] == plain.splitlines()[0]


@pytest.mark.parametrize("suffix", ["csv", "md", "html", "xlsx", "txt", "json"])
def test_output_by_suffix(good, tmp_path, suffix):
    target = tmp_path / f"out.{suffix}"
    good("latency", LAUNCHES, *PAIR, "--where", "threads=2", "-o", target)
    if suffix != "xlsx":
        assert "1.12x faster inside each mode" in target.read_text() or suffix == "csv"
    assert target.stat().st_size > 1000


# ---- wrong usage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, code, says", [
    ([], 2, "wants launches"),
    ([LAUNCHES], 2, "on one side: choose one with --where"),
    ([LAUNCHES, "--baseline", "kernels=off"], 2, "nothing to compare with"),
    ([LAUNCHES, "--where", "cores=1"], 2, 'has no key "cores"; its keys: kernels, threads'),
    ([LAUNCHES, "--where", "threads=1", "kernels=maybe"], 2, "no row has kernels=maybe; the values are on, off"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "--warmup", "some"], 2, "--warmup wants"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "--warmup", "30"], 3, "no run is left"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "--rounds", "0"], 2, "--rounds wants"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "--seed", "x"], 2, "--seed wants"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "-o", LAUNCHES], 2, "is an input"),
    ([LAUNCHES, *PAIR, "--where", "threads=1", "-o", "x.doc"], 2, "suffix"),
    (["missing.csv"], 3, "missing.csv"),
    ([timeline(MODELS[0], "on"), "--where", "threads=1"], 2, "chooses rows of a CSV of launches"),
])
def test_wrong_usage(tacho, arguments, code, says):
    result = tacho("latency", *arguments)
    assert result.code == code and says in result.err, result.err
    assert result.out == b""


@pytest.mark.parametrize("content", [b"", b"launch,ms", b"launch,ms\n", b"launch,ms\n\0\xff\n", b"\x89PNG\r\n\x1a\n" * 40,
                                     b"launch,ms\n" + b"1," * 100000],
                         ids=["empty", "half a header", "header only", "binary row", "picture", "many fields"])
def test_damaged_files(tacho, tmp_path, content):
    file = tmp_path / "damaged.csv"
    file.write_bytes(content)
    result = tacho("latency", file)
    assert result.code == 3 and str(file) in result.err


def test_a_view_is_of_the_launches(good):
    table = json.loads(good("latency", LAUNCHES, *PAIR, "--where", "threads=1", "--columns", "side,launch,median", "--sort", "-median",
                            "--limit", "3", "--json").text)
    medians = [row["median"] for row in table["rows"]]
    assert [column["name"] for column in table["columns"]] == ["side", "launch", "median"]
    assert len(medians) == 3 and medians == sorted(medians, reverse=True)


def test_the_sentence_fits_the_terminal(good):
    path = tool.GOLDEN / "c1.csv"
    narrow = good("latency", path, variables={"COLUMNS": "50"}).text.split("\n\n")[0]
    assert "\n" in narrow and max(map(len, narrow.splitlines())) <= 50
    assert narrow.replace("\n", " ") == good("latency", path, variables={"COLUMNS": "200"}).text.split("\n\n")[0]
