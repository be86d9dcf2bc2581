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
           "DEVICE KERNEL FIRST TO LAST START [ns]", "DEVICE COMPUTE CB WAIT FRONT [ns]", "ATTRIBUTES", "COMPUTE KERNEL HASH", "DATA MOVEMENT KERNEL HASH",
           "CompileProgram_TT_HOST_FUNC [ns]",
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


def write(path, operations, passes=4, without=(), apart=False):
    """Passes with 100 us between them; the clocks of host and devices are one, of a GHz. `apart`: no device waits for another but between passes."""
    columns = [column for column in COLUMNS if column not in without]
    now, rows, last = 1_000_000, [], {}
    for number in range(passes):
        now += 100_000
        for index, cells in enumerate(operations):
            row = {"GLOBAL CALL COUNT": 1024 * (index + 1), **cells}
            if cells["OP TYPE"] == "python_fallback":
                row |= {"HOST START TS": now, "HOST END TS": now + cells["HOST DURATION [ns]"]}
            else:
                begin = max(now, last.get(cells["DEVICE ID"], 0)) + cells["OP TO OP LATENCY [ns]"]
                end = begin + cells.get("DEVICE FW DURATION [ns]", cells["DEVICE KERNEL DURATION [ns]"])
                row |= {"DEVICE ARCH": "wormhole_b0", "AVAILABLE WORKER CORE COUNT": CORES, "HOST START TS": now, "HOST END TS": now + 500,
                        "HOST DURATION [ns]": 500, "DEVICE FW START CYCLE": begin, "DEVICE FW END CYCLE": end, "DEVICE FW DURATION [ns]": end - begin}
                last[cells["DEVICE ID"]] = end
                if index + 1 == len(operations) or not apart and operations[index + 1].get("DEVICE ID", 0) <= cells["DEVICE ID"]:
                    now = max(last.values())
            rows.append(",".join(str(row.get(column, "")) for column in columns))
    path.write_text("\n".join([",".join(columns), *rows]) + "\n")
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
    assert [item["saves_ns"] for item in answer["items"]] == [300000, 30000]  # a launch takes 1 us in this report


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
HEADER = ("ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
          "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, "
          "type, source line, source file, meta data\n")


def write_log(path, operations, replays=4, gap=1000, last_gap=None, chip=0):
    """Replays of a trace at one GHz; an operation is (its number, {core: (start, end)}, what its compute waits)."""
    path.write_text(HEADER + "".join(f"{row}\n" for row in log_rows(operations, replays, gap, last_gap, chip)))
    return path


def log_rows(operations, replays=1, gap=1000, last_gap=None, chip=0):
    lanes, now = {}, 1_000_000
    for replay in range(1, replays + 1):
        now += 50000
        for number, cores, waits in operations:
            now += last_gap if last_gap and number == operations[-1][0] else gap
            for core, (start, end) in cores.items():
                for risc in RISCS:
                    zone = risc.split("_")[0]
                    lane = lanes.setdefault((core, risc), [])
                    head = f"{chip},{core[0]},{core[1]},{risc}"

                    def put(time, name, kind, data=0):
                        lane.append(f"{head},1,{time},{data},{number + chip},1,{replay},{name},{kind},1,x.cc,")

                    put(now + start, f"{zone}-FW", "ZONE_START")
                    put(now + start + 10, f"{zone}-KERNEL", "ZONE_START")
                    if risc == "TRISC_0" and waits:
                        put(now + end - 20, "CB-COMPUTE-WAIT-FRONT", "ZONE_TOTAL", waits)
                    put(now + end - 10, f"{zone}-KERNEL", "ZONE_END")
                    put(now + end, f"{zone}-FW", "ZONE_END")
            now += max(end for _, end in cores.values())
    return [row for lane in lanes.values() for row in lane]


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
    assert answer["items"][0]["saves_ns"] == pytest.approx(49000, rel=0.02)


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


def test_an_operation_without_any_time_is_not_healthy(tmp_path):
    """D10: and the chip is the one of the log, not a default."""
    path = write_log(tmp_path / "log.csv", [(1024, EVEN, 0)])
    lines = [line for line in path.read_text().splitlines() if "KERNEL" not in line]
    path.write_text("\n".join(lines).replace("wormhole_b0", "blackhole") + "\n")
    answer = advise(path)
    assert not answer["healthy"] and not answer["items"] and "Nothing could be judged" in answer["headline"] and "blackhole" in answer["summary"]


# ---- several chips in a log ----


def write_chips(path, chips):
    """A log of several chips; each is the operations that it runs."""
    path.write_text(HEADER + "".join(f"{row}\n" for chip, operations in enumerate(chips) for row in log_rows(operations, 1, chip=chip)))
    return path


def works(ns):
    return {core: (0, ns) for core in GRID}


def test_operations_of_many_chips_are_one_run(tmp_path):
    """D2: the same time was saved once for each chip."""
    straggling = [(1024, EVEN, 0), (2048, {**works(40000), (2, 3): (0, 130000)}, 0), (3072, EVEN, 0)]
    answer = advise(write_chips(tmp_path / "log.csv", [straggling] * 8))
    assert rules(answer) == ["straggler"] and answer["items"][0]["where"][0]["name"] == "op 2048"
    assert answer["items"][0]["saves_ns"] == pytest.approx(80000, rel=0.02)


def test_a_slow_chip_is_told_by_its_log(tmp_path):
    """D2, D3: ops of different chips were no equals; a gap on the other chip saves nothing."""
    chips = [[(1024, works(100000), 0), (2048, works(100000), 0)], [(1024, works(100000), 0), (2048, works(300000), 0)]]
    answer = advise(write_chips(tmp_path / "log.csv", chips))
    assert rules(answer) == ["imbalance"] and answer["items"][0]["where"][0]["name"] == "op 2048" and "Device 1" in answer["items"][0]["evidence"]
    assert answer["items"][0]["saves_ns"] == pytest.approx(100000, rel=0.02) and "tacho device" in answer["items"][0]["command"]


# ---- several devices in a report ----


def test_what_exchanges_wait_for_is_the_slowest_device(tmp_path):
    """D3: device 0 waits in the exchange for device 1, whose products are slow: no time twice, and the cause first."""
    rows = [op("Softmax", 100000, device=0), op("Softmax", 400000, device=1),
            op("AllGatherAsync", 310000, device=0), op("AllGatherAsync", 10000, device=1)]
    answer = advise(write(tmp_path / "ops.csv", rows, apart=True))
    first = answer["items"][0]
    assert first["rule"] == "imbalance" and first["where"][0]["name"] == "Softmax" and first["saves_ns"] == pytest.approx(150000)
    assert sum(item["saves_ns"] for item in answer["items"]) <= answer["run_ns"]
    exchange = [item for item in answer["items"] if item["rule"] == "collective"]
    assert all(item["saves_ns"] <= 10000 for item in exchange)
    assert "Exchanges between devices" in [part["part"] for part in answer["parts"]]


def test_a_gap_on_a_device_with_time_to_spare_costs_nothing(tmp_path):
    """D3."""
    rows = [op(code, 500000 if device == 0 else 50000, gap=1000 if device == 0 else 400000, device=device)
            for code in ("Softmax", "LayerNorm", "Reduce") for device in (0, 1)]
    answer = advise(write(tmp_path / "ops.csv", rows, apart=True))
    assert "op-gap" not in rules(answer) and rules(answer)[0] == "imbalance"


@pytest.mark.parametrize("code", ["PointToPoint", "ReduceToRoot", "RecvAsync"])
def test_exchanges_of_any_name_are_no_local_work(tmp_path, code):
    """D15: PointToPoint was told to use more cores."""
    rows = [op(name, 200000, device=device, cores=4 if name == code else CORES) for name in ("Softmax", code, "LayerNorm") for device in (0, 1)]
    assert rules(advise(write(tmp_path / "ops.csv", rows)))[0] == "collective"


# ---- report and log in one folder ----


def folder_of(tmp_path, shift):
    """A report that does not tell its cores, and the log of its devices beside it."""
    folder = tmp_path / f"folder{shift}"
    folder.mkdir()
    unknown = {name: "" for name in COLUMNS if "PER CORE" in name or "FIRST TO LAST" in name or "WAIT FRONT" in name}
    rows = [op(code, ns, cores=9, **unknown, **{"GLOBAL CALL COUNT": 1024 * (index + 1) + shift})
            for index, (code, ns) in enumerate((("LayerNorm", 30000), ("Softmax", 130000), ("Unary", 30000)))]
    write(folder / "ops_perf_results_1.csv", rows)
    write_log(folder / "profile_log_device.csv", [(1024, EVEN, 0), (2048, {**works(40000), (2, 3): (0, 130000)}, 0), (3072, EVEN, 0)])
    return folder


def test_the_log_in_the_folder_of_a_report_is_read(tmp_path):
    """D4: it was ignored in silence."""
    folder = folder_of(tmp_path, 0)
    answer = advise(folder)
    assert rules(answer) == ["straggler"] and answer["items"][0]["where"][0]["location"] == "core 2, 3"
    assert answer["items"] == [item | {"command": answer["items"][0]["command"]} for item in advise(*sorted(folder.iterdir()))["items"]]
    other = advise(folder_of(tmp_path, 512000))
    assert "straggler" not in rules(other) and any("none of their calls" in note for note in other["notes"])


# ---- what takes longer than its equals ----


def test_one_of_many_that_takes_much_longer_is_named(tmp_path):
    """D5: it was called the model, which only another model makes shorter."""
    rows = [op("Embeddings", 30000)] + [op("Softmax", 50000) for _ in range(8)]
    rows[5] = op("Softmax", 1000000)
    item = advise(write(tmp_path / "ops.csv", rows, passes=1))["items"][0]
    assert item["rule"] == "outlier" and item["where"][0]["location"] == "row 7" and item["saves_ns"] == pytest.approx(950000)
    assert "1.000ms" in item["title"] and "50.000µs" in item["title"] and "20.0x" in item["evidence"]


def test_others_of_its_kind_and_size_are_equals_too(tmp_path):
    """D5: operations that differ in their attributes, or somewhat in their size."""
    rows = [op("Embeddings", 30000)] + [op("BinaryNg", 50000 + 100 * i, ATTRIBUTES=f"a{i}") for i in range(8)]
    assert advise(write(tmp_path / "ops.csv", rows, passes=1))["healthy"]
    rows[3]["DEVICE KERNEL DURATION [ns]"] = rows[3]["DEVICE KERNEL DURATION PER CORE MAX [ns]"] = rows[3]["DEVICE KERNEL DURATION PER CORE AVG [ns]"] = 1000000
    item = advise(write(tmp_path / "ops.csv", rows, passes=1))["items"][0]
    assert item["rule"] == "outlier" and item["where"][0]["location"] == "row 5"
    rows[3]["CORE COUNT"] = 2
    assert rules(advise(write(tmp_path / "ops.csv", rows, passes=1)))[0] == "few-cores"


def convolution(ns, **more):
    return op("Conv2dDeviceOperation", ns, fidelity="LoFi", **{**tensor("INPUT_0", (1, 1, 2048, 256), "BFLOAT8_B", L1), "ATTRIBUTES": "{'window_hw': '3;3'}",
              **tensor("INPUT_1", (1, 1, 2304, 256), "BFLOAT8_B", L1), **tensor("OUTPUT_0", (1, 1, 2048, 256), "BFLOAT8_B", L1), **more})


def test_a_convolution_on_few_cores_is_told(tmp_path):
    """D5."""
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, convolution(900000, cores=4)]))["items"][0]
    assert item["rule"] == "few-cores" and "4 of 64" in item["title"] and item["saves_ns"] == pytest.approx(900000 * 60 / 64)


def test_only_what_is_near_a_peak_is_the_model(tmp_path):
    """D5: whatever is far from its peaks may be anything."""
    answer = advise(write(tmp_path / "ops.csv", [op("SDPAOperation", 400000), *HEALTHY]))
    assert answer["healthy"] and answer["items"][0]["if"] is None and "nothing here tells why" in answer["items"][0]["evidence"]
    assert "change of the model" in advise(write(tmp_path / "ops.csv", HEALTHY))["items"][0]["if"]


def test_fewer_bits_of_weights_are_no_advice_for_an_addition(tmp_path):
    """D15."""
    adds = op("BinaryNg", round(2 * 1024 * 1024 / DRAM_GB_S / 0.8), kind="BFLOAT8_B", memory=DRAM, **tensor("INPUT_1", (1, 1, 1024, 1024), "BFLOAT8_B", DRAM))
    item = advise(write(tmp_path / "ops.csv", [adds] * 4))["items"][0]
    assert item["rule"] == "dominant" and item["bound"] == "memory" and "BFP4" not in item["if"]


# ---- time that was nobody's ----


def test_the_host_before_the_first_operation_keeps_it_waiting(tmp_path):
    """D6: 90 % of the run, and healthy."""
    first = advise(write(tmp_path / "ops.csv", [host("(torch) conv2d", 3_000_000), op("LayerNorm", 30000, gap=3_001_000), *HEALTHY[1:]], passes=1))["items"][0]
    assert first["rule"] == "host-fallback" and first["saves_ns"] == pytest.approx(3_000_000, rel=0.01) and "(torch) conv2d" in first["title"]


def test_firmware_around_kernels_is_told(tmp_path):
    """D7."""
    answer = advise(write(tmp_path / "ops.csv", [op("Softmax", 100000, **{"DEVICE FW DURATION [ns]": 900000}), *HEALTHY]))
    item = answer["items"][0]
    assert item["rule"] == "op-overhead" and item["where"][0]["name"] == "Softmax" and item["saves_ns"] == pytest.approx(800000)
    assert {part["part"]: part["time_ns"] for part in answer["parts"]}["Start and end of operations"] == pytest.approx(800000)


@pytest.mark.parametrize("gap", [2000, 6400])
def test_a_device_that_idles_between_short_operations_is_not_healthy(tmp_path, gap):
    """D8: gaps up to 6.5 us were free."""
    rows = [op(code, 2000, gap=gap) for code in ("Softmax", "LayerNorm", "Reduce", "Unary", "BinaryNg")]
    item = advise(write(tmp_path / "ops.csv", rows))["items"][0]
    assert item["rule"] == "short-operations" and item["saves_ns"] == pytest.approx(4 * gap) and "2.000µs" in item["evidence"]


def test_long_gaps_leave_what_a_launch_takes_in_this_report(tmp_path):
    """D8."""
    rows = [op(code, 30000, gap=gap) for code, gap in (("Softmax", 800), ("LayerNorm", 800), ("Reduce", 100000), ("Unary", 800))]
    item = advise(write(tmp_path / "ops.csv", rows))["items"][0]
    assert item["rule"] == "op-gap" and item["saves_ns"] == pytest.approx(99200) and "800ns" in item["if"]


# ---- compiling ----


def kernels(*names):
    return {"COMPUTE KERNEL HASH": "[]", "DATA MOVEMENT KERNEL HASH": f"['{names[0]}/1/'; '{names[-1]}/2/']"}


def test_new_kernels_tell_compiling_from_dispatch(tmp_path):
    """D9: less than 20 ms were no compiler's, and more were."""
    rows = [op(code, 30000, gap=5_000_000 if new else 300_000, **kernels(code if new else "Op0"))
            for code, new in (("Op0", True), ("Op1", True), ("Op2", True), ("Op3", False), ("Op4", False), ("Op5", False))]
    answer = advise(write(tmp_path / "ops.csv", rows, passes=1))
    by_rule = {item["rule"]: item for item in answer["items"]}
    assert rules(answer) == ["compile", "op-gap"]
    assert {row["name"] for row in by_rule["compile"]["where"]} <= {"Op0", "Op1", "Op2"} and {row["name"] for row in by_rule["op-gap"]["where"]} == {"Op3", "Op4", "Op5"}
    assert "5.000ms" not in by_rule["op-gap"]["evidence"]


def test_the_time_of_the_compiler_is_what_a_report_says(tmp_path):
    """D9: CompileProgram is called for every operation, and is quick for those that it knows."""
    rows = [op(f"Op{i}", 30000, gap=400_000_000 if i in (1, 3) else 40_000_000, **{"CompileProgram_TT_HOST_FUNC [ns]": 390_000_000 if i in (1, 3) else 400_000})
            for i in range(6)]
    by_rule = {item["rule"]: item for item in advise(write(tmp_path / "ops.csv", rows, passes=1))["items"]}
    assert {row["name"] for row in by_rule["compile"]["where"]} == {"Op1", "Op3"} and "Op1" not in json.dumps(by_rule["op-gap"]["where"])


def test_the_same_gap_everywhere_is_no_compiler(tmp_path):
    """D9: new kernels that come no later than others."""
    rows = [op(f"Op{i}", 30000, gap=30_000_000, **kernels(f"Op{i // 2 * 2}")) for i in range(6)]
    assert rules(advise(write(tmp_path / "ops.csv", rows, passes=1))) == ["op-gap"]


def test_a_long_gap_before_what_ran_already_is_no_compiler(tmp_path):
    """D9: by what ran before, where no kernels are named; also in a chosen run."""
    rows = [op("Embeddings", 30000)] + [op("Softmax", 30000, gap=100_000_000 if i == 4 else 1000) for i in range(8)]
    path = write(tmp_path / "ops.csv", rows, passes=1)
    assert rules(advise(path)) == rules(advise(path, "--runs", "whole")) == ["op-gap"]


# ---- columns that are missing ----


def test_late_starts_need_no_times_of_cores(tmp_path):
    """D11."""
    unknown = {name: "" for name in COLUMNS if "PER CORE" in name}
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, op("Reduce", 400000, late=300000, **unknown)]))["items"][0]
    assert item["rule"] == "late-start" and item["saves_ns"] == pytest.approx(300000) and item["ruled_out"] is None


def test_operations_without_cycles_follow_each_other(tmp_path):
    """D13: all began with their calls, which the host makes long before."""
    cycles = ("DEVICE FW START CYCLE", "DEVICE FW END CYCLE")
    path = write(tmp_path / "ops.csv", [op(f"Op{i}", 100000, gap=2000) for i in range(10)], passes=1, without=cycles)
    lines = [line.split(",") for line in path.read_text().splitlines()]
    starts = [lines[0].index("HOST START TS"), lines[0].index("HOST END TS")]
    for index, line in enumerate(lines[1:]):
        line[starts[0]], line[starts[1]] = str(1000 * index), str(1000 * index + 500)
    path.write_text("\n".join(",".join(line) for line in lines) + "\n")
    answer = advise(path)
    assert answer["run_ns"] == 10 * 100000 + 10 * 2000 and not answer["notes"]
    assert json.loads(tool.good("summary", "-q", "--json", path).text)["total_duration"] == answer["run_ns"]


# ---- numbers and words in sentences ----


def test_a_layout_on_few_cores_says_so(tmp_path):
    """D12."""
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, op("TilizeWithValPadding", 900000, cores=1)]))["items"][0]
    assert item["rule"] == "layout" and "more cores: it uses 1 of 64" in item["title"] and "(row 6) takes" in item["evidence"] and item["where"][0]["remark"].startswith("1 core,")


def test_numbers_are_those_of_the_operation_that_is_named(tmp_path):
    """D14: the time of all of them was said of one; waits of some were divided by the mean of all."""
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, op("Softmax", 900000, cores=1), op("LayerNorm", 300000, cores=1)]))["items"][0]
    assert item["rule"] == "few-cores" and "takes 900.000µs of a run on 1 of 64 cores (and 1 more: 1.200ms)" in item["evidence"]
    rows = [op("Softmax", 50000, **{"DEVICE COMPUTE CB WAIT FRONT [ns]": ""}) for _ in range(5)] + [op("Softmax", 1000000, waits=900000)]
    item = advise(write(tmp_path / "ops.csv", rows))["items"][0]
    assert item["rule"] == "starved" and "waits 90 %" in item["evidence"] and item["where"][0]["location"] == "row 7"


def test_what_is_ruled_out_is_so(tmp_path):
    """D15: uneven work was ruled out though it was uneven."""
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, op("Reduce", 400000, longest=100000, mean=60000, late=300000)]))["items"][0]
    assert item["rule"] == "late-start" and item["ruled_out"] is None


# ---- what is not known, and what equals tell ----


def test_a_gap_behind_a_lost_end_is_not_known(tmp_path):
    """It was taken to begin with the run, and the host was accused of it."""
    path = write_log(tmp_path / "log.csv", [(1024, EVEN, 0), (2048, works(200000), 0), (3072, EVEN, 0)], replays=1)
    path.write_text("\n".join(line for line in path.read_text().splitlines() if not (",ZONE_END" in line and ",2048," in line)) + "\n")
    answer = advise(path)
    assert rules(answer) == [] and not answer["healthy"] and "without a device time" in answer["headline"]
    rows = [op(code, 30000) for code in ("Softmax", "LayerNorm", "Reduce", "Unary")]
    rows[2]["OP TO OP LATENCY [ns]"] = 0
    path = write(tmp_path / "ops.csv", rows, passes=1)
    path.write_text(path.read_text().replace(",30000,0,30000,", ",30000,,30000,"))
    assert advise(path)["healthy"]


@pytest.mark.parametrize("replays", [1, 4])
def test_operations_without_a_time_are_not_called_healthy(tmp_path, replays):
    path = write_log(tmp_path / "log.csv", [(1024, EVEN, 0), (2048, works(200000), 0), (3072, EVEN, 0), (4096, EVEN, 0)], replays=replays)
    path.write_text("\n".join(line for line in path.read_text().splitlines() if not ("-KERNEL,ZONE_END" in line and ",2048," in line)) + "\n")
    answer = advise(path)
    assert not answer["healthy"] and answer["dominates"] is None
    assert any(f"{replays} operation" in note for note in answer["notes"])
    text = tool.good("advise", "-q", path).text
    assert "Healthy" not in text and "Nothing dominates" not in text


def test_one_of_equals_that_takes_longer_is_no_slow_product(tmp_path):
    """The mean of all of them was held against the peaks; a little unevenness of its cores explained it."""
    rows = [product(2048, 2048, 2048, 2 * TIME, fidelity="HiFi4", mean=round(1.6 * TIME)) for _ in range(4)]
    rows[2] = product(2048, 2048, 2048, 20 * TIME, fidelity="HiFi4", longest=20 * TIME, mean=16 * TIME)
    item = advise(write(tmp_path / "ops.csv", [op("Embeddings", 30000), *rows], passes=1))["items"][0]
    assert item["rule"] == "outlier" and item["where"][0]["location"] == "row 5" and item["saves_ns"] == pytest.approx(18 * TIME, rel=0.01)


def test_one_equal_tells_what_is_usual_where_they_differ_much(tmp_path):
    rows = [*HEALTHY, op("Pool2D", 60000), op("Pool2D", 900000)]
    item = advise(write(tmp_path / "ops.csv", rows, passes=1))["items"][0]
    assert item["rule"] == "outlier" and item["where"][0]["location"] == "row 7" and item["saves_ns"] == pytest.approx(840000)
    assert "15.0x what the other one takes that is alike" in item["evidence"]
    assert advise(write(tmp_path / "ops.csv", [*HEALTHY, op("Pool2D", 30000), op("Pool2D", 90000)], passes=1))["healthy"]


def test_a_slow_product_on_few_cores_is_told_to_use_more(tmp_path):
    """It was told to place its input in L1."""
    item = advise(write(tmp_path / "ops.csv", [*HEALTHY, product(2048, 2048, 2048, 20 * TIME, cores=8, INPUT_0_MEMORY=DRAM)]))["items"][0]
    assert item["rule"] == "slow-product" and item["title"].endswith("run it on more cores, it uses 8 of 64")


def test_a_gap_is_found_where_it_is(tmp_path):
    """The row was the first of its like; a part was larger than the sum, and five gaps in four runs were one."""
    rows = [op("Softmax", 30000) for _ in range(4)] + [op("Reduce", 20000)]
    rows[2] = op("Softmax", 30000, gap=106000)
    item = advise(write(tmp_path / "ops.csv", rows))["items"][0]
    assert item["rule"] == "op-gap" and item["where"][0]["location"] == "row 4" and "beyond what launches take, in 1 gap of" in item["evidence"]
    rows = [op(code, 30000) for code in ("Softmax", "Reduce", "LayerNorm")] * 4
    for index in (1, 4, 5, 7, 11):
        rows[index] = {**rows[index], "OP TO OP LATENCY [ns]": 106000}
    item = advise(write(tmp_path / "ops.csv", rows, passes=1))["items"][0]
    assert item["rule"] == "op-gap" and "in about 1.2 gaps of" in item["evidence"]


def test_a_slow_host_is_not_ruled_out_where_it_is_slow(tmp_path):
    rows = [op(code, 6000, gap=8000) for code in ("Softmax", "LayerNorm", "Reduce", "Unary", "BinaryNg")]
    items = {item["rule"]: item for item in advise(write(tmp_path / "ops.csv", rows))["items"]}
    assert items["short-operations"]["ruled_out"] is None and "2.000µs at once" in items["op-gap"]["evidence"]


def test_a_product_that_one_device_is_slow_at_is_uneven_and_not_slow(tmp_path):
    """It was told to be set up anew, though the other device is quick with the same."""
    rows = [op("LayerNorm", 30000, device=device) for device in (0, 1)]
    rows += [product(2048, 2048, 2048, (3 if device else 9) * TIME, fidelity="HiFi4", device=device) for device in (0, 1)]
    item = advise(write(tmp_path / "ops.csv", rows))["items"][0]
    assert item["rule"] == "imbalance" and item["where"][0]["name"].startswith("Matmul") and item["evidence"].startswith("Device 0 takes")


def test_a_run_ends_with_the_last_of_its_devices(tmp_path):
    """It ended with the first one, and what the slow one takes was scaled to fit in."""
    rows = [op(code, slow if device else 50000, device=device) for code, slow in (("LayerNorm", 50000), ("Softmax", 350000)) for device in (0, 1)]
    path = write(tmp_path / "ops.csv", rows, apart=True)
    answer = advise(path)
    assert answer["run_ns"] == pytest.approx(402000, rel=0.01) and answer["items"][0]["rule"] == "imbalance"
    assert "Device 1 takes 350.000µs" in answer["items"][0]["evidence"] and not any("overlap" in note for note in answer["notes"])
    assert json.loads(tool.good("summary", "-q", "--json", path).text)["total_duration"] == answer["run_ns"]


def test_a_log_without_any_time_does_not_take_0_ns():
    answer = advise(tool.DATA / "tt-device" / "six" / "missing_all_defualt_markers.csv")
    assert answer["summary"].endswith("nothing in it has a time") and not answer["healthy"] and not answer["items"]
