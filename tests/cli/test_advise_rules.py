"""tacho advise on Tenstorrent's reports and device logs: what is found, where, how much it costs, and what is not accused.

Reports here have passes of the same operations behind one another; every time is set by the test, so every saving is known.
"""
import json

import pytest

import tool

CORES, HIFI4, DRAM_GB_S = 64, 74 / 72, 288  # of a Wormhole: cores, TFLOPs of a core, GB/s
TENSOR = ("W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]", "DATATYPE", "MEMORY")
COLUMNS = ["OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "MATH FIDELITY", "CORE COUNT", "AVAILABLE WORKER CORE COUNT",
           "HOST START TS", "HOST END TS", "HOST DURATION [ns]", "DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "DEVICE FW DURATION [ns]",
           "OP TO OP LATENCY [ns]", "DEVICE KERNEL DURATION [ns]", "DEVICE KERNEL DURATION PER CORE MAX [ns]", "DEVICE KERNEL DURATION PER CORE AVG [ns]",
           "DEVICE KERNEL FIRST TO LAST START [ns]", "DEVICE COMPUTE CB WAIT FRONT [ns]",
           *(f"{role}_{part}" for role in ("INPUT_0", "INPUT_1", "OUTPUT_0") for part in TENSOR)]
L1, DRAM = "DEV_0_L1_BLOCK_SHARDED", "DEV_0_DRAM_INTERLEAVED"


def tensor(role, sizes, kind, memory):
    return dict(zip((f"{role}_{part}" for part in TENSOR), (*(f"{size}[{size}]" for size in sizes), kind, memory)))


def op(code="LayerNorm", ns=50000, gap=1000, cores=CORES, fidelity="HiFi2", longest=None, mean=None, late=200, waits=0, kind="BFLOAT8_B", memory=L1,
       device=0, **cells):
    """One operation; without more it is as it should be."""
    return {"OP CODE": code, "OP TYPE": "tt_dnn_device", "DEVICE ID": device, "CORE COUNT": cores, "MATH FIDELITY": fidelity,
            "DEVICE KERNEL DURATION [ns]": ns, "DEVICE KERNEL DURATION PER CORE MAX [ns]": longest or ns, "OP TO OP LATENCY [ns]": gap,
            "DEVICE KERNEL DURATION PER CORE AVG [ns]": mean or longest or ns, "DEVICE KERNEL FIRST TO LAST START [ns]": late,
            "DEVICE COMPUTE CB WAIT FRONT [ns]": waits, **tensor("INPUT_0", (1, 1, 1024, 1024), kind, memory),
            **tensor("OUTPUT_0", (1, 1, 1024, 1024), kind, L1), **cells}


def product(rows, inner, columns, ns, kind="BFLOAT8_B", memory=DRAM, **more):
    return op("Matmul", ns, kind=kind, **{**tensor("INPUT_0", (1, 1, rows, inner), kind, L1), **tensor("INPUT_1", (1, 1, inner, columns), kind, memory),
                                          **tensor("OUTPUT_0", (1, 1, rows, columns), kind, L1), **more})


def host(code, ns):
    return {"OP CODE": code, "OP TYPE": "python_fallback", "HOST DURATION [ns]": ns}


def write(path, operations, passes=4):
    """Passes with 100 us between them; the clocks of host and devices are one, of a GHz."""
    now, rows, last = 1_000_000, [], {}
    for number in range(passes):
        now += 100_000
        for index, cells in enumerate(operations):
            row = {"GLOBAL CALL COUNT": 1024 * (index + 1), **cells}
            if cells["OP TYPE"] == "python_fallback":
                row |= {"HOST START TS": now, "HOST END TS": now + cells["HOST DURATION [ns]"]}
            else:
                begin = max(now, last.get(cells["DEVICE ID"], 0)) + cells["OP TO OP LATENCY [ns]"]
                end = begin + cells["DEVICE KERNEL DURATION [ns]"]
                row |= {"DEVICE ARCH": "wormhole_b0", "AVAILABLE WORKER CORE COUNT": CORES, "HOST START TS": now, "HOST END TS": now + 500,
                        "HOST DURATION [ns]": 500, "DEVICE FW START CYCLE": begin, "DEVICE FW END CYCLE": end, "DEVICE FW DURATION [ns]": end - begin}
                last[cells["DEVICE ID"]] = end
                if index + 1 == len(operations) or operations[index + 1].get("DEVICE ID", 0) <= cells["DEVICE ID"]:
                    now = max(last.values())
            rows.append(",".join(str(row.get(column, "")) for column in COLUMNS))
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n")
    return path


def advise(*words):
    return json.loads(tool.good("advise", "-q", "--json", *words).text)


def rules(answer):
    return [item["rule"] for item in answer["items"] if item["rule"] != "dominant"]


FLOPS = 2 * 2048 * 2048 * 2048
TIME = round(FLOPS / (HIFI4 * CORES * 1000) / 0.8)  # at HiFi4 on all cores, at 80 % of their arithmetic
WEIGHTS = 4096 * 14336  # of a product of 32 rows that DRAM bounds
HEALTHY = [op("LayerNorm", 30000), product(2048, 2048, 2048, TIME // 2, kind="BFLOAT8_B", fidelity="HiFi2"), op("Softmax", 30000), op("BinaryNg", 30000)]


# ---- what is wrong ----


@pytest.mark.parametrize("afflicted,rule,saves", [
    ([op("Softmax", 200000, mean=80000)], "straggler", 120000),
    ([op("Softmax", 200000, longest=90000, mean=89000, late=110000)], "late-start", 110000),
    ([op("Softmax", 200000, waits=120000, memory=DRAM)], "starved", 120000),
    ([op("Reduce", 30000, gap=206000)], "op-gap", 200000),
    ([host("(torch) argmax", 200000), op("Reduce", 30000, gap=201000)], "host-fallback", 195000),
    ([product(2048, 2048, 2048, TIME, kind="BFLOAT16", fidelity="HiFi4", INPUT_1_MEMORY=L1)], "fidelity", TIME / 2),
    ([product(2048, 2048, 2048, TIME, kind="BFLOAT8_B", fidelity="HiFi4")], "fidelity", TIME / 2),
    ([product(2048, 1024, 512, TIME // 2, cores=8, fidelity="HiFi2")], "few-cores", TIME / 2 * 7 / 8),
    ([product(32, 4096, 14336, round(2 * WEIGHTS / DRAM_GB_S / 0.8), kind="BFLOAT16")], "memory-bound", WEIGHTS / DRAM_GB_S / 0.8),
    ([product(2048, 2048, 2048, 4 * TIME, fidelity="HiFi4")], "slow-product", 4 * TIME * (1 - 0.2 / 0.65)),
    ([op("ReshapeDeviceOperation", 200000), op("UntilizeWithUnpadding", 60000)], "layout", 260000),
], ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_wrong_is_named_with_its_place_and_its_cost(tmp_path, afflicted, rule, saves):
    """T16: each cause alone in a model that is well otherwise."""
    answer = advise(write(tmp_path / "ops.csv", [HEALTHY[0], *afflicted, *HEALTHY[1:]]))
    assert not answer["healthy"] and rules(answer)[0] == rule
    first = answer["items"][0]
    assert first["saves_ns"] == pytest.approx(saves, rel=0.05)
    assert first["where"][0]["name"].startswith(afflicted[-1 if rule == "op-gap" else 0]["OP CODE"].split()[0]) and first["where"][0]["location"].startswith("row ")
    assert first["evidence"] and first["if"] and first["command"] and first["bound"] != "unknown"
    assert sum(item["saves_ns"] for item in answer["items"]) <= answer["run_ns"]


def test_a_healthy_model_is_not_accused(tmp_path):
    answer = advise(write(tmp_path / "ops.csv", HEALTHY))
    assert answer["healthy"] and [item["rule"] for item in answer["items"]] == ["dominant"]
    assert answer["items"][0]["where"][0]["name"] == "Matmul 2048 x 2048 x 2048" and "80 % of the arithmetic" in answer["items"][0]["evidence"]
    text = tool.good("advise", "-q", write(tmp_path / "ops.csv", HEALTHY)).text
    assert "Healthy" in text and "Optimized" not in text


def test_a_flop_bound_product_at_hifi4_is_not_optimized(tmp_path):
    """T16: bf16 at HiFi4."""
    path = write(tmp_path / "ops.csv", [*HEALTHY, product(2048, 2048, 2048, TIME, kind="BFLOAT16", fidelity="HiFi4", INPUT_1_MEMORY=L1)])
    text = tool.good("advise", "-q", path).text
    assert "at HiFi2 instead of HiFi4" in text and "Optimized" not in text and "BFLOAT16" in text


def test_a_memory_bound_product_is_told_to_move_fewer_bytes(tmp_path):
    """T16."""
    path = write(tmp_path / "ops.csv", [*HEALTHY, product(32, 4096, 14336, round(2 * WEIGHTS / DRAM_GB_S / 0.8), kind="BFLOAT16")])
    item = advise(path)["items"][0]
    assert "Move fewer bytes" in item["title"] and "BFP8" in item["title"] and item["bound"] == "memory"
    eight = advise(write(tmp_path / "ops.csv", [*HEALTHY, product(32, 4096, 14336, round(WEIGHTS / DRAM_GB_S / 0.8))]))
    assert eight["healthy"] and "BFP4" in eight["items"][0]["if"]


def test_an_operation_at_a_low_rate_of_memory_is_not_bound_by_it(tmp_path):
    """T4: SDPA at a small part of DRAM is no reason to move tensors to L1."""
    answer = advise(write(tmp_path / "ops.csv", [*HEALTHY, op("SDPAOperation", 400000, memory=DRAM, kind="BFLOAT16")]))
    assert answer["healthy"] and answer["items"][0]["where"][0]["name"] == "SDPAOperation"
    assert "L1" not in json.dumps(answer["items"]) and answer["items"][0]["bound"] == "unknown"


def test_collectives_are_no_local_work(tmp_path):
    """T4: two devices exchange data in DRAM, at any rate."""
    pairs = [op(code, 100000, memory=DRAM, kind="BFLOAT16", device=device) for code in ("LayerNorm", "AllGatherDeviceOperation", "Softmax") for device in (0, 1)]
    item = advise(write(tmp_path / "ops.csv", pairs))["items"][0]
    assert item["rule"] == "collective" and item["bound"] == "transfer" and "L1" not in json.dumps(item) and item["saves_ns"] == pytest.approx(100000)


def test_the_time_of_the_host_is_claimed_once(tmp_path):
    """T16: a call on the host and the gap of the next operation are the same time."""
    path = write(tmp_path / "ops.csv", [HEALTHY[0], host("(torch) topk", 300000), op("Reduce", 30000, gap=331000), *HEALTHY[1:]])
    answer = advise(path)
    assert rules(answer) == ["host-fallback", "op-gap"]
    assert [item["saves_ns"] for item in answer["items"]] == [300000, 25000]


def test_a_host_operation_that_keeps_nobody_waiting_costs_nothing(tmp_path):
    answer = advise(write(tmp_path / "ops.csv", [HEALTHY[0], host("(torch) topk", 300000), *HEALTHY[1:]]))
    assert "host-fallback" not in rules(answer)


def test_uneven_devices_are_told(tmp_path):
    pairs = [op(code, 100000 if device else slow, device=device) for code, slow in (("LayerNorm", 100000), ("Softmax", 300000)) for device in (0, 1)]
    item = advise(write(tmp_path / "ops.csv", pairs))["items"][0]
    assert item["rule"] == "imbalance" and item["where"][0]["name"] == "Softmax" and "Device 0" in item["evidence"]
    assert item["saves_ns"] == pytest.approx(100000)


def test_programs_that_are_compiled_are_no_fault_of_the_model(tmp_path):
    """One pass: each operation runs for the first time."""
    item = advise(write(tmp_path / "ops.csv", [op(f"Op{i}", 30000, gap=50_000_000) for i in range(4)], passes=1))["items"][0]
    assert item["rule"] == "compile" and "once before it is measured" in item["title"]


# ---- runs ----


@pytest.mark.parametrize("path", [path for path in sorted((tool.DATA / "tt-ops-csv").glob("*.csv.gz")) if ".report" not in path.name]
                         + sorted((tool.DATA / "tt-device" / "six").glob("*.csv*"))
                         + [tool.ROOT / "examples" / "encoder_wormhole" / "ops_perf_results.csv", tool.DATA / "tt-tracy-ops" / "full", tool.DATA / "tt-ops-folder" / "logs" / "ops"],
                         ids=lambda path: path.name)
def test_a_run_takes_what_summary_says(path):
    answer = advise(path)
    assert answer["run_ns"] == json.loads(tool.good("summary", "-q", "--json", path).text)["total_duration"]
    assert sum(part["time_ns"] for part in answer["parts"]) == pytest.approx(answer["run_ns"], abs=len(answer["parts"]))


def test_runs_can_be_chosen(tmp_path):
    path = write(tmp_path / "ops.csv", HEALTHY, passes=6)
    assert "mean of 6 runs" in advise(path)["summary"] and "mean of 4 of 6 runs" in advise(path, "--warmup", "2")["summary"]
    whole = advise(path, "--runs", "whole")
    assert "as one run" in whole["summary"] and whole["run_ns"] > 5 * advise(path)["run_ns"]


def test_a_window_that_was_chosen_is_what_is_spoken_about(tmp_path):
    path = write(tmp_path / "ops.csv", [op("Softmax", 200000, mean=80000), *HEALTHY])
    answer = advise(path, "--id-range", "3-6")
    assert "rows 3 to 6" in answer["summary"] and answer["healthy"] and answer["run_ns"] < advise(path)["run_ns"]
    assert [row["id"] for row in answer["operations"]] == [3, 4, 5, 6]


# ---- device logs ----

RISCS = ("BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2")


def write_log(path, operations, replays=4, gap=1000, last_gap=None):
    """Replays of a trace at one GHz; an operation is (its number, {core: (start, end)}, what its compute waits)."""
    lanes, now = {}, 1_000_000
    for replay in range(1, replays + 1):
        now += 50000
        for number, cores, waits in operations:
            now += last_gap if last_gap and number == operations[-1][0] else gap
            for core, (start, end) in cores.items():
                for risc in RISCS:
                    zone = risc.split("_")[0]
                    lane = lanes.setdefault((core, risc), [])
                    head = f"0,{core[0]},{core[1]},{risc}"

                    def put(time, name, kind, data=0):
                        lane.append(f"{head},1,{time},{data},{number},1,{replay},{name},{kind},1,x.cc,")

                    put(now + start, f"{zone}-FW", "ZONE_START")
                    put(now + start + 10, f"{zone}-KERNEL", "ZONE_START")
                    if risc == "TRISC_0" and waits:
                        put(now + end - 20, "CB-COMPUTE-WAIT-FRONT", "ZONE_TOTAL", waits)
                    put(now + end - 10, f"{zone}-KERNEL", "ZONE_END")
                    put(now + end, f"{zone}-FW", "ZONE_END")
            now += max(end for _, end in cores.values())
    path.write_text("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
                    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, "
                    "type, source line, source file, meta data\n" + "".join(f"{row}\n" for lane in lanes.values() for row in lane))
    return path


GRID = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
EVEN = {core: (0, 30000) for core in GRID}


@pytest.mark.parametrize("cores,waits,rule,place,saves", [
    ({**{core: (0, 40000) for core in GRID}, (2, 3): (0, 130000)}, 0, "straggler", "core 2, 3", 80000),
    ({**{core: (0, 50000) for core in GRID}, (3, 1): (60000, 110000), (3, 2): (60000, 110000)}, 0, "late-start", "cores 3, 1; 3, 2", 60000),
    ({core: (0, 100000) for core in GRID}, 60000, "starved", None, 60000)], ids=["straggler", "late-start", "starved"])
def test_device_logs_tell_the_cores(tmp_path, cores, waits, rule, place, saves):
    """T16: logs were refused."""
    answer = advise(write_log(tmp_path / "log.csv", [(1024, EVEN, 0), (2048, cores, waits), (3072, EVEN, 0)]))
    first = answer["items"][0]
    assert rules(answer) == [rule] and first["where"][0]["name"] == "op 2048" and first["where"][0]["location"] == place
    assert first["saves_ns"] == pytest.approx(saves, rel=0.02) and "mean of 4 runs" in answer["summary"]


def test_a_log_tells_gaps_and_a_healthy_one_is_not_accused(tmp_path):
    operations = [(1024, EVEN, 0), (2048, EVEN, 600), (3072, EVEN, 0)]
    assert advise(write_log(tmp_path / "log.csv", operations))["healthy"]
    answer = advise(write_log(tmp_path / "log.csv", operations, last_gap=50000))
    assert rules(answer) == ["op-gap"] and answer["items"][0]["where"][0]["name"] == "op 3072"
    assert answer["items"][0]["saves_ns"] == pytest.approx(44000, rel=0.02)


def test_a_report_names_the_operations_of_a_log(tmp_path):
    log = write_log(tmp_path / "log.csv", [(1024, EVEN, 0), (2048, {**{core: (0, 40000) for core in GRID}, (2, 3): (0, 130000)}, 0), (3072, EVEN, 0)])
    unknown = {"DEVICE KERNEL DURATION PER CORE MAX [ns]": "", "DEVICE KERNEL DURATION PER CORE AVG [ns]": "", "DEVICE KERNEL FIRST TO LAST START [ns]": ""}
    rows = [op(code, ns, cores=9, **unknown, **{"DEVICE COMPUTE CB WAIT FRONT [ns]": ""}) for code, ns in (("LayerNorm", 30000), ("Softmax", 130000), ("Unary", 30000))]
    report = write(tmp_path / "ops.csv", rows)
    assert "straggler" not in rules(advise(report))
    one, other = advise(report, log), advise(log, report)
    assert one["items"] == other["items"] and rules(one) == ["straggler"]
    assert one["items"][0]["where"][0]["name"] == "Softmax" and one["items"][0]["where"][0]["location"] == "core 2, 3"
    assert "one at a time" in tool.run("advise", log, log).err


def test_what_lost_its_markers_is_not_known(tmp_path):
    path = write_log(tmp_path / "log.csv", [(1024, EVEN, 0), (2048, {**EVEN, (2, 3): (0, 130000)}, 0)])
    lines = [line for line in path.read_text().splitlines() if not ("-KERNEL,ZONE_END" in line and ",2048," in line)]
    path.write_text("\n".join(lines) + "\n")
    answer = advise(path)
    assert rules(answer) == [] and any("is not known" in note for note in answer["notes"])
