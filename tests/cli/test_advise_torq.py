"""tacho advise on profiles of Torq: the compiler's timelines, the runtime's logs."""
import json
import re

import pytest

import tool
from test_advise_profiles import items as operations, machine

GOLDEN = tool.DATA / "torq-golden"
PROGRAM = GOLDEN / "executable_targets.mlir"
EXAMPLE = tool.ROOT / "examples" / "mobilenet"
DUMP = EXAMPLE / "mobilenet.executable-targets.mlir"
PROFILES = [
    [GOLDEN / "c1.csv"],
    [GOLDEN / "c2.csv"],
    [GOLDEN / "c3.csv"],
    [GOLDEN / "c4.csv"],
    [PROGRAM],
    [GOLDEN / "runtime_r1.csv"],
    [GOLDEN / "runtime_r2.csv", "--mlir", PROGRAM],
    [GOLDEN / "runtime_r4.csv", "--mlir", PROGRAM],
    [tool.DATA / "torq-annotated" / "annotated_A1.csv"],
    [tool.DATA / "torq-annotated" / "annotated_A4.csv"],
    [EXAMPLE / "timeline.csv"],
    [EXAMPLE / "runtime.csv", "--mlir", DUMP],
]
NAMES = [profile[0].name for profile in PROFILES]


def advice(good, *words):
    return json.loads(good("advise", "-q", "--json", *words).text)


def item(answer, rule):
    found, = [one for one in answer["items"] + answer["smaller"] if one["rule"] == rule]
    return found


def rules(answer):
    return [one["rule"] for one in answer["items"]]


# ---- every profile -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_the_text_fits_a_terminal(good, profile):
    text = good("advise", "-q", *profile).text
    assert max(len(line) for line in text.splitlines()) <= 80
    for heading in ("What to do first", "Operations", "What adds up to a run", "note: "):
        assert heading in text
    assert "loc(" not in text and "for 0 operations" not in text
    assert "What to do first" not in good("advise", "-q", *profile, "--no-advice").text


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_a_run_is_the_one_of_summary_and_its_parts_add_up(good, profile):
    answer = advice(good, *profile)
    assert answer["run_ns"] == json.loads(good("summary", "-q", "--json", *profile).text)["total_duration"]
    assert sum(part["time_ns"] for part in answer["parts"]) == pytest.approx(answer["run_ns"], abs=len(answer["parts"]))


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_items_are_ranked_and_claim_no_time_twice(good, profile):
    answer = advice(good, *profile)
    saves = [one["saves_ns"] for one in answer["items"] + answer["smaller"] if one["rule"] != "dominant"]
    assert saves == sorted(saves, reverse=True) and all(saves) and sum(saves) <= answer["run_ns"]
    assert answer["healthy"] == (not saves or saves[0] < answer["run_ns"] / 10)
    for one in answer["items"]:
        assert one["title"] and one["evidence"] and one["where"] and one["where"][0]["name"]
        assert str(profile[0]) in (one["command"] or str(profile[0]))
    assert answer["dominates"]["where"][0]["time_ns"] > 0


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_commands_of_items_work(good, tmp_path, profile):
    for one in advice(good, *profile)["items"]:
        if one["command"]:
            words = one["command"].replace("-o ", f"-o {tmp_path}/").split()
            assert words[0] == "tacho"
            good(*words[1:])


@pytest.mark.parametrize("profile", PROFILES, ids=NAMES)
def test_every_output_can_be_written(good, tmp_path, profile):
    rows = operations(good, tmp_path, *profile)
    assert rows and all(float(row["time"]) >= 0 for row in rows)
    for suffix in ("html", "md", "json"):
        good("advise", "-q", *profile, "-o", tmp_path / f"page.{suffix}")
    assert "## Operations" in (tmp_path / "page.md").read_text()
    assert len(json.loads((tmp_path / "page.json").read_text())["operations"]) == len(rows)


# ---- timelines -----------------------------------------------------------------------------------------------------------------


def timeline(tmp_path, rows):
    """Of C2: (engine, slice or bytes, start, end, line)."""
    transfers, slices = [], []
    for engine, number, start, end, line in rows:
        place = f'loc("net.mlir":{line}:10)'
        if engine == "S":
            slices.append(f"S{len(slices)}_{number},{start},{end},{place},conv2d")
        else:
            transfers.append(f"{engine}{len(transfers)},{start},{end},{place},{'DMA_IN' if engine == 'DI' else 'DMA_OUT'},{number}")
    path = tmp_path / "timeline.csv"
    path.write_text("\n".join(["id,start,end,location,type,bytes", *transfers, *slices]) + "\n")
    return path


def test_transfers_have_rates_and_others_only_times(good, tmp_path):
    rows = {(row["engine"], row["operation"]): row for row in operations(good, tmp_path, PROGRAM)}
    fast = rows["DMA In", "net.mlir:4:10"]
    assert (int(fast["bytes"]), int(fast["time"]), float(fast["gb_s"])) == (256, 320, 0.8)
    assert float(rows["DMA In", "net.mlir:5:10"]["roof_percent"]) == pytest.approx(50)
    assert not rows["CSS", "net.mlir:6:10"]["gb_s"] and "gflops" not in fast
    assert rows["DMA In", "net.mlir:4:10"]["place"] == "net.mlir:4:10"


def test_what_only_moves_is_what_summary_calls_dma_only(good):
    parts = {part["part"]: part["time_ns"] for part in advice(good, PROGRAM)["parts"]}
    summary = json.loads(good("summary", "-q", PROGRAM, "--json").text)
    assert parts["moving data only"] == summary["dma_only_time"] == 985


def test_transfers_that_are_waited_for(good, tmp_path):
    """Twelve operators of one tile: in, computed, out. The next one's data could come in meanwhile, and results go out."""
    rows, now = [], 0
    for line in range(4, 16):
        rows += [("DI", 400, now, now + 100, line), ("S", line % 2, now + 100, now + 400, line), ("DO", 200, now + 400, now + 450, line)]
        now += 450
    found = item(advice(good, timeline(tmp_path, rows)), "dma-not-hidden")
    assert found["saves_ns"] == pytest.approx((12 * 150 - 100 - 50) * 1.25, abs=1)  # the first one in and the last one out stay
    assert found["where"][0]["name"] == "net.mlir:5:10" and found["bound"] == "transfer"


def test_weights_belong_to_the_operator_that_needs_them(good, tmp_path):
    rows = []
    for at in range(10):
        rows += [("DI", 400, at * 400, at * 400 + 100, 100 + at), ("S", at % 2, at * 400 + 100, at * 400 + 400, at + 4)]
    found = item(advice(good, timeline(tmp_path, rows)), "dma-not-hidden")
    assert {row["name"] for row in found["where"]} <= {f"net.mlir:{at + 4}:10" for at in range(10)}
    assert found["saves_ns"] == 9 * 125


def test_transfers_that_take_longer_than_computing(good, tmp_path):
    rows = [row for at in range(10) for row in (("DI", 2000, at * 500, at * 500 + 500, 7), ("S", at % 2, at * 500, at * 500 + 200, 7))]
    answer = advice(good, timeline(tmp_path, rows))
    assert rules(answer) == ["dma-bound"]
    assert answer["items"][0]["saves_ns"] == (10 * 500 - 5 * 200) * 1.25  # each slice computes five tiles


def test_a_slice_without_any_work_is_told(good, tmp_path):
    rows = [("S", 0, at * 100, at * 100 + 100, 4 + at // 5) for at in range(20)]
    path = timeline(tmp_path, rows)
    answer = advice(good, path)
    found = item(answer, "slice-idle")
    assert found["evidence"].startswith("Slice 1 has no work at all.") and found["saves_ns"] == 20 * 100 * 1.25 / 2
    assert answer["items"][0] == found and "Slice 0" in found["where"][0]["remark"]
    assert "slice-idle" not in rules(advice(good, path, "--slices", "1"))


def test_one_operator_on_one_slice(good, tmp_path):
    rows, now = [], 0
    for line in range(4, 14):
        for tile in range(8):
            slot = tile if line == 9 else tile // 2
            rows.append(("S", 0 if line == 9 else tile % 2, now + slot * 100, now + slot * 100 + 100, line))
        now += 800 if line == 9 else 400
    found = item(advice(good, timeline(tmp_path, rows)), "slice-idle")
    assert [row["name"] for row in found["where"]] == ["net.mlir:9:10"] and found["saves_ns"] == 400 * 1.25


def test_an_operator_that_is_most_of_a_timeline_is_named(good, tmp_path):
    rows, now = [], 0
    for line in range(4, 14):
        cycles = 9000 if line == 8 else 400
        rows += [("DI", 400, now, now + 100, line), ("S", 0, now, now + cycles, line), ("S", 1, now, now + cycles, line)]
        now += cycles
    answer = advice(good, timeline(tmp_path, rows))
    assert answer["healthy"] and rules(answer) == ["dominant"]
    assert answer["items"][0]["title"].startswith("This is the model: net.mlir:8:10 takes 71.4 %")
    assert answer["items"][0]["bound"] == "arithmetic"


def test_the_css_is_told_with_its_operator(good):
    found = item(advice(good, GOLDEN / "c2.csv"), "css-alone")
    assert found["where"][0]["name"] == "net.mlir:7:10" and found["saves_ns"] == 10000


def small_transfers(tmp_path):
    rows, now = ["taskId, elapsed_time(us), timestamp(us), event, location, bytes"], 0
    for i in range(40):
        size, time = (65536, 8192) if i % 10 == 0 else (256, 400)
        rows.append(f"{i},{time},{now},DMA In,loc(\"net.mlir\":{i + 1}:1),{size}")
        now += time
    rows.append(f"40,100000,{now},Slice 0,loc(\"net.mlir\":50:1),")
    path = tmp_path / "small.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_small_transfers_are_advised_to_be_larger(good, tmp_path):
    path = small_transfers(tmp_path)
    found = item(advice(good, path, "--slices", "1"), "small-transfers")
    assert found["title"] == "Make the transfers of DMA In larger: 36 of 40 are below 512 B"
    assert "They reach 0.51 GB/s, where the engine reaches 6.40" in found["evidence"]
    assert found["saves_ns"] == pytest.approx(36 * (500 - 40), abs=2)
    given = item(advice(good, path, "--slices", "1", "--arch", machine(tmp_path, gb_s={"dma_in": 12.8})), "small-transfers")
    assert given["saves_ns"] == pytest.approx(36 * (500 - 20), abs=2)
    rows = operations(good, tmp_path, path, "--arch", machine(tmp_path, gb_s={"dma_in": 12.8}))
    assert sum(int(row["could_save"] or 0) for row in rows) == pytest.approx(4 * (10240 - 5120) + 36 * (500 - 20), abs=40)


def test_hidden_transfers_save_nothing(good, tmp_path):
    path = tmp_path / "hidden.csv"
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    "0,800,0,DMA In,loc(unknown),65536\n1,800,800,DMA In,loc(unknown),64\n2,1600,0,Slice 0,loc(unknown),\n")
    answer = advice(good, path, "--slices", "1")
    assert answer["healthy"] and not answer["smaller"]


def test_small_transfers_come_before_overlap(good, tmp_path):
    """What 200 small ones waste is saved first; then the rest fits below computing, and no byte too many is moved."""
    rows, now = [], 0
    for line in range(4, 8):
        for _ in range(200):
            rows.append(("DI", 16, now, now + 20, line))
            now += 20
        for number in (0, 1):
            rows.append(("S", number, now, now + 3000, line))
        rows.append(("DO", 16000, now + 3000, now + 5000, line))
        now += 5000
    rows.append(("DI", 32000, now - 2000, now, 7))  # the rate that the engine can reach
    answer = advice(good, timeline(tmp_path, rows))
    assert rules(answer)[:2] == ["small-transfers", "dma-not-hidden"] and "dma-bound" not in rules(answer)
    assert answer["items"][0]["saves_ns"] == pytest.approx(4 * (4000 - 200) * 1.25, abs=4)


def test_css_and_slices_of_one_operator(good, tmp_path):
    path = tmp_path / "css.csv"
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    "0,4000,0,Slice 0,loc(\"net.mlir\":4:10),\n1,8000,4000,CSS,loc(\"net.mlir\":4:10),\n"
                    "2,4000,12000,Slice 0,loc(\"net.mlir\":4:10),\n")
    answer = advice(good, path)
    assert {one["rule"]: one["saves_ns"] for one in answer["items"]} == {"css-alone": 10_000, "slice-idle": 5000}
    assert "for 10.000µs at least one slice computes, where 5.000µs would do" in item(answer, "slice-idle")["evidence"]


def test_the_css_beside_slices_is_told_apart(good, tmp_path):
    path = tmp_path / "css.csv"
    rows = [(10000, 0, "Slice 0", 4), (10000, 0, "Slice 1", 4), (8000, 6000, "CSS", 5), (10000, 14000, "Slice 0", 6), (10000, 14000, "Slice 1", 6)]
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    + "".join(f"{at},{time},{start},{engine},loc(\"net.mlir\":{line}:10),\n" for at, (time, start, engine, line) in enumerate(rows)))
    found = item(advice(good, path), "css-alone")
    assert found["saves_ns"] == 5000 and "computes for 10.000µs, and for 5.000µs of it no slice does" in found["evidence"]


def test_a_single_tile_has_to_be_cut(good, tmp_path):
    found = item(advice(good, timeline(tmp_path, [("S", 0, 0, 1000, 4)])), "slice-idle")
    assert "fewer tiles than slices" in found["evidence"] and "if each tile were cut into one for each slice" in found["if"]
    many = item(advice(good, timeline(tmp_path, [("S", 0, at * 100, at * 100 + 100, 4) for at in range(4)])), "slice-idle")
    assert "Tiles take turns" in many["evidence"] and "the same tiles were shared by all 2 slices" in many["if"]


@pytest.mark.parametrize("name", ["c1.csv", "c2.csv", "c3.csv", "c4.csv"])
def test_what_dominates_is_the_longest_of_operators(good, name):
    row, = advice(good, GOLDEN / name)["dominates"]["where"]
    first = json.loads(good("operators", "-q", GOLDEN / name, "--json").text)["rows"][0]
    assert (row["name"], row["time_ns"]) == (first["operator"], first["total_time"])


def test_what_runs_beside_slices_does_not_dominate(good, tmp_path):
    path = tmp_path / "css.csv"
    rows = [(5000, at // 2 * 5000, f"Slice {at % 2}", 4 + at // 2) for at in range(8)] + [(18000, 1000, "CSS", 99)]
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    + "".join(f"{at},{time},{start},{engine},loc(\"net.mlir\":{line}:10),\n" for at, (time, start, engine, line) in enumerate(rows)))
    answer = advice(good, path)
    assert answer["healthy"] and answer["dominates"]["where"][0]["name"] == "net.mlir:4:10"


@pytest.mark.parametrize("row, headline", [
    ("0,0,5,DMA In,loc(unknown),0", "No run has any time: there is nothing to advise on."),
    ("0,100,5,Turbo 7,loc(unknown),0", "Nothing can be judged: no engine in it is known to take any time."),
])
def test_nothing_that_is_known_is_not_healthy(good, tmp_path, row, headline):
    path = tmp_path / "odd.csv"
    path.write_text(f"taskId, elapsed_time(us), timestamp(us), event, location, bytes\n{row}\n")
    answer = advice(good, path)
    assert not answer["healthy"] and not answer["items"] and not answer["smaller"]
    assert answer["headline"] == headline
    assert {part["part"] for part in answer["parts"] if part["time_ns"]} <= {"not known"}


def test_a_quote_in_a_file_name(good, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("taskId, elapsed_time(us), timestamp(us), event, location, bytes\n"
                    '0,1000,0,Slice 0,loc("/ä ö/模型 (v2), \\"final\\".mlir":4:3),\n')
    assert advice(good, path)["dominates"]["where"][0]["name"] == '模型 (v2), "final".mlir:4:3'


def test_copies_are_named_apart(good, tmp_path):
    rows = [("S", at % 2, at * 100, at * 100 + 100, 4) for at in range(6)]
    rows += [("DI", 800, 600, 800, 9), ("DO", 800, 800, 1000, 9), ("S", 0, 1000, 1100, 10), ("S", 1, 1000, 1100, 10)]
    found = item(advice(good, timeline(tmp_path, rows)), "copy-operator")
    assert found["where"][0]["name"] == "net.mlir:9:10" and found["saves_ns"] == 400 * 1.25


# ---- logs ----------------------------------------------------------------------------------------------------------------------


def test_jobs_and_estimates_meet_as_in_convert(good):
    """All 20 jobs of all runs that count have their estimate, though five dispatches number their actions alike."""
    answer = advice(good, EXAMPLE / "runtime.csv", "--mlir", DUMP)
    told, = [note for note in answer["notes"] if "compiler estimated" in note]
    assert told.startswith("20 jobs take 5.284ms of a run, 1.28x what the compiler estimated (4.118ms)")
    assert not [note for note in answer["notes"] if "not in the program" in note]
    whole = advice(good, EXAMPLE / "runtime.csv", "--mlir", DUMP, "--warmup", "none")
    assert whole["run_ns"] == json.loads(good("summary", "-q", "--json", EXAMPLE / "runtime.csv", "--warmup", "none").text)["total_duration"]
    told, = [note for note in whole["notes"] if "compiler estimated" in note]
    assert told.startswith("20 jobs take 5.338ms of a run")  # 53.377 ms of ten runs, from the end of NSS_START to that of NSS_WAIT


def test_an_estimate_that_is_off_as_a_whole_accuses_nobody(good):
    assert "over-estimate" not in rules(advice(good, EXAMPLE / "runtime.csv", "--mlir", DUMP))


def stretched(tmp_path, dispatch, wait, extra):
    """The example's log with a job that takes so many microseconds more in each run: all that comes later moves."""
    lines, late = [], 0
    for line in (EXAMPLE / "runtime.csv").read_text().splitlines():
        fields = line.split(",")
        if fields[0] == dispatch and fields[2] == str(wait) and fields[4] == "NSS_WAIT_END":
            late += extra
        if fields[3].isdigit():
            fields[3] = str(int(fields[3]) + late)
        lines.append(",".join(fields))
    path = tmp_path / "runtime.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_job_over_its_estimate_is_told_by_operator_and_dispatch(good, tmp_path):
    log = (EXAMPLE / "runtime.csv").read_text()
    wait = re.search(r"main_dispatch_3_conv2d_14x14,\d+,(\d+),\d+,NSS_WAIT_BEGIN", log)[1]
    answer = advice(good, stretched(tmp_path, "main_dispatch_3_conv2d_14x14", wait, 3000), "--mlir", DUMP)
    first = answer["items"][0]
    assert first["rule"] == "over-estimate" and first["saves_ns"] == pytest.approx(3_000_000, rel=0.05)
    assert first["where"][0]["location"] == "main_dispatch_3_conv2d_14x14" and "mobilenet.mlir:131:11" in first["title"]
    assert first["where"][0]["remark"].startswith("nss_program_0, estimate ")


def test_jobs_of_dispatches_that_number_their_actions_alike(good, tmp_path):
    """The log names the dispatch: which job ran is known, though both dispatches call it action 1 and 2."""
    dump, log = ((tool.DATA / "annotate" / name).read_text() for name in ("two_dispatches.mlir", "two_dispatches_r3.csv"))
    first, second = dump.split("hal.executable private @main_dispatch_1")
    second = re.sub(r'"torq-action-id" = ([01])', lambda match: f'"torq-action-id" = {int(match[1]) + 1}', second)
    (tmp_path / "net.mlir").write_text(f"{first}hal.executable private @main_dispatch_1{second}")
    (tmp_path / "log.csv").write_text(re.sub(r"(_1_add,\d+),([01]),", lambda match: f"{match[1]},{int(match[2]) + 1},", log))
    notes = advice(good, tmp_path / "log.csv", "--mlir", tmp_path / "net.mlir")["notes"]
    assert any(note.startswith("2 jobs take 138.000µs of a run,") and note.endswith("(2.250µs).") for note in notes)


def test_measured_jobs_need_their_program(good):
    text = " ".join(good("advise", "-q", GOLDEN / "runtime_r4.csv").text.split())
    assert "Without the program (--mlir FILE)" in text
    notes = advice(good, GOLDEN / "runtime_r4.csv", "--mlir", PROGRAM)["notes"]
    assert any("2 jobs take 693.000µs of a run" in note and "(12.425µs)" in note for note in notes)


def test_a_host_program_is_told_with_operator_line_and_dispatch(good):
    found = item(advice(good, EXAMPLE / "runtime.csv", "--mlir", DUMP, "--source-dir", EXAMPLE), "host-program")
    row, = found["where"]
    assert (row["name"], row["location"]) == ("onnx.Softmax@L226", "mobilenet.mlir:226:12")
    assert row["remark"] == "host_softmax of main_dispatch_5_classifier" and found["saves_ns"] == 1678222


def test_a_slow_first_inference_is_warm_up(good, tmp_path):
    """Jobs of the first run take 3 ms longer: it does not count, and nobody is accused."""
    log = (EXAMPLE / "runtime.csv").read_text().splitlines()
    first = next(at for at, line in enumerate(log) if line.endswith("NSS_WAIT_END"))
    for at in range(first, len(log)):
        fields = log[at].split(",")
        log[at] = ",".join([*fields[:3], str(int(fields[3]) + 30000), fields[4]])
    (tmp_path / "slow.csv").write_text("\n".join(log) + "\n")
    answer, plain = (advice(good, path, "--mlir", DUMP) for path in (tmp_path / "slow.csv", EXAMPLE / "runtime.csv"))
    assert (answer["run_ns"], rules(answer)) == (plain["run_ns"], rules(plain))
    assert "9 of 10 runs" in answer["summary"] and "the first took" in answer["summary"]


def r3(tmp_path, steps):
    """Four runs of one dispatch: (event, action, microseconds, behind so many without any row)."""
    lines, now, scope = ["dispatch_name,invocation_id,action_id,timestamp_us,event"], 1000, 0
    for _ in range(4):
        now += 50
        lines.append(f"d0,{scope},-1,{now},DISPATCH_BEGIN")
        for event, action, time, before in steps:
            lines.append(f"d0,{scope},{action},{now + before},{event}_BEGIN")
            now += before + time
            lines.append(f"d0,{scope},{action},{now},{event}_END")
        lines.append(f"d0,{scope},-1,{now},DISPATCH_END")
        scope += 1
    path = tmp_path / "r3.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_gap_is_told_by_what_is_around_it(good, tmp_path):
    answer = advice(good, r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_WAIT", 1, 500, 0), ("NSS_START", 2, 5, 300), ("NSS_WAIT", 3, 500, 0)]))
    assert rules(answer) == ["idle-between", "runtime-calls"]
    assert [one["saves_ns"] for one in answer["items"]] == [300_000, 10_000]
    assert answer["items"][0]["where"][0] == {"name": "before action 2", "location": "d0", "remark": "after action 0, inside DISPATCH of d0",
                                              "time_ns": 300_000, "saves_ns": 300_000, "count": 1}


def test_a_call_that_is_open_is_no_gap(good, tmp_path):
    """The time of a call is claimed once, as that of the call."""
    answer = advice(good, r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_WAIT", 1, 500, 0), ("DISPATCH_SYNC_BINDINGS_OUT", -1, 300, 0),
                                        ("NSS_START", 2, 5, 0), ("NSS_WAIT", 3, 500, 0)]))
    assert rules(answer) == ["runtime-calls"] and not answer["smaller"] and answer["items"][0]["saves_ns"] == 310_000
    assert answer["items"][0]["where"][0]["name"] == "DISPATCH_SYNC_BINDINGS_OUT"
    host = advice(good, r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_WAIT", 1, 500, 0), ("HOST_COPY", 2, 300, 0),
                                      ("NSS_START", 3, 5, 0), ("NSS_WAIT", 4, 500, 0)]))
    assert rules(host) == ["host-copies", "runtime-calls"] and host["items"][0]["where"][0]["location"] == "d0"


def test_a_log_without_rows_of_the_host_says_so(good):
    found = item(advice(good, GOLDEN / "runtime_r1.csv"), "idle-between")
    assert "This log has no rows of the host" in found["evidence"] and found["ruled_out"] is None


def test_jobs_without_a_location_go_by_their_numbers(good, tmp_path):
    """All were one NSS job, which then was the model, and 29 gaps were at one place."""
    rows, now = ["id;time_since_open;time_since_start;location"], 100
    for number in range(12):
        now += 900 if number == 7 else 5
        now += 300 + number
        rows.append(f"{number};{now};{300 + number};")
    path = tmp_path / "r1.csv"
    path.write_text("\n".join(rows) + "\n")
    found = item(advice(good, path), "idle-between")
    assert found["where"][0]["name"] == "before NSS job 7" and found["where"][0]["remark"] == "after NSS job 6" and "at 11 places" in found["evidence"]


def test_what_dominates_a_log_is_not_explained_by_its_own_name(good, tmp_path):
    path = tmp_path / "r1.csv"
    path.write_text('id;time_since_open;time_since_start;location\n0;1000;900;loc("/m/net.mlir":4:10)\n1;1200;195;loc("/m/net.mlir":6:10)\n')
    first = advice(good, path)["items"][0]
    assert first["rule"] == "dominant" and first["where"][0]["name"] == "net.mlir:4:10"
    assert "it is net.mlir" not in first["evidence"] and "without the program (--mlir)" in first["evidence"]


R2_NAMES = {"NSS_START_BEGIN": "NSS_START", "NSS_WAIT_BEGIN": "NSS_WAIT_START"}


def test_starts_of_jobs_are_calls_in_both_generations(good, tmp_path):
    """The same run twice: what NSS_START takes is the runtime's, and no part of the job."""
    new = r3(tmp_path, [("NSS_START", 0, 500, 0), ("NSS_WAIT", 1, 400, 0), ("NSS_START", 2, 500, 0), ("NSS_WAIT", 3, 300, 0)])
    rows = ["actionIndex, elapsed_time(us), timestamp(us), event, location"]
    for line in new.read_text().splitlines()[1:]:
        _, _, action, time, event = line.split(",")
        if action != "-1":
            rows.append(f"{action},{int(time) - 1050},{time},{R2_NAMES.get(event, event)},loc(\"net.mlir\":{action}:1)")
    old = tmp_path / "r2.csv"
    old.write_text("\n".join(rows) + "\n")
    for path in (new, old):
        answer = advice(good, path)
        assert rules(answer) == ["runtime-calls"] and answer["items"][0]["saves_ns"] == 1_000_000
        assert answer["items"][0]["where"][0]["name"] == "NSS_START"
        assert {part["part"]: part["time_ns"] for part in answer["parts"]}["accelerator"] == 700_000


def test_a_start_beside_another_job_takes_nothing(good, tmp_path):
    answer = advice(good, r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_START", 1, 400, 0), ("NSS_WAIT", 2, 500, 0), ("NSS_WAIT", 3, 500, 0)]))
    assert {part["part"]: part["time_ns"] for part in answer["parts"]} == {
        "accelerator": 1_400_000, "calls of the runtime only": 5000, "nothing at work": 0}


def test_a_job_that_nobody_waits_for_yet_says_so(good, tmp_path):
    answer = advice(good, r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_WAIT", 1, 200, 900), ("NSS_START", 2, 5, 0), ("NSS_WAIT", 3, 500, 0)]))
    assert "900.000µs of it before anything waits for it" in answer["dominates"]["evidence"]


def test_a_gap_names_the_call_around_it(good, tmp_path):
    """Nothing is at work at the end of a dispatch, and the dispatch is open: that is where to look."""
    path = r3(tmp_path, [("NSS_START", 0, 5, 0), ("NSS_WAIT", 1, 500, 0)])
    lines = path.read_text().splitlines()
    for at, line in enumerate(lines):
        fields = line.split(",")
        if fields[3].isdigit():
            fields[3] = str(int(fields[3]) * 2 + (900 if fields[4] == "DISPATCH_END" else 0) + int(fields[1]) * 2000)
        lines[at] = ",".join(fields)
    path.write_text("\n".join(lines) + "\n")
    found = item(advice(good, path), "idle-between")
    assert found["where"][0]["remark"] == "at the end of a run, inside DISPATCH of d0"
    assert "at 1 place around" in found["evidence"] and "the longest lies in DISPATCH of d0" in found["evidence"]


def test_fewer_than_three_other_jobs_say_nothing(good):
    """One other job of two is no measure of what is usual."""
    answer = advice(good, GOLDEN / "runtime_r2.csv", "--mlir", PROGRAM)
    assert "over-estimate" not in rules(answer) + [one["rule"] for one in answer["smaller"]]
