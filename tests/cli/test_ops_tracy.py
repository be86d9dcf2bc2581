"""tacho ops, convert and advise on the logs of newer tool chains: Tracy's files and the device log."""
import csv
import gzip
import json
import random
import shutil
import tarfile

import pytest

import tool

FOLDER = tool.DATA / "tt-tracy-ops"
DEVICE = tool.DATA / "tt-device" / "fifteen"
NO_HOME = {"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": None}
LOGS = ["add_two_ints", "grayskull_new_header", "multi_core_multi_launch"]
NAMES = ["tracy_ops_data.csv", "tracy_ops_times.csv", "cpp_device_perf_report.csv", "profile_log_device.csv"]
DATA, TIMES, CPP, LOG = NAMES


@pytest.fixture
def logs(tmp_path):
    shutil.copytree(FOLDER / "full", tmp_path / "logs")
    return tmp_path / "logs"


def ops(*arguments, **options):
    options.setdefault("variables", NO_HOME)
    return tool.run("ops", *arguments, **options)


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def report(folder, out, *arguments):
    """The rows of a report that must be made, and what was said about it."""
    result = ops("-i", folder, "-o", out, *arguments)
    assert result.code == 0, result.err
    return read_csv(out / "ops_perf_results.csv"), result.err


def by_call(rows):
    found = {}
    for row in rows:
        found.setdefault(row["GLOBAL CALL COUNT"], []).append(row)
    return found


def device_folder(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    packed = DEVICE / f"{name}.csv.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else (DEVICE / f"{name}.csv").read_bytes()
    (folder / LOG).write_bytes(text)
    return folder


# ---- reports of devices alone ---------------------------------------------------------------------------------------


def markers_of(path):
    """Rows of a log: what an independent reading of its few columns gives."""
    lines = path.read_text().splitlines()
    frequency = int(lines[0].split("MHz]: ")[1].split(",")[0])
    rows = [line.split(",") for line in lines[2:]]
    return frequency, [((int(x), int(y)), risc, int(time), int(host), zone, kind)
                       for _, x, y, risc, _, time, _, host, _, _, zone, kind, *_ in rows]


def expected_row(frequency, markers, previous):
    """What the columns are when every marker belongs to the op that its row names."""
    def span(some):
        return round((max(some) - min(some)) * 1000 / frequency) if some else ""

    kernel = [time for _, _, time, _, zone, _ in markers if zone.endswith("-KERNEL")]
    firmware = [time for _, _, time, _, zone, _ in markers if zone.endswith("-FW")]
    cores = {}
    for core, _, time, _, zone, _ in markers:
        if zone.endswith("-KERNEL"):
            cores.setdefault(core, []).append(time)
    spans = [max(times) - min(times) for times in cores.values()]
    row = {
        "DEVICE FW START CYCLE": min(firmware), "DEVICE FW END CYCLE": max(firmware), "DEVICE FW DURATION [ns]": span(firmware),
        "DEVICE KERNEL DURATION [ns]": span(kernel),
        "DEVICE KERNEL FIRST TO LAST START [ns]": span([time for _, _, time, _, zone, kind in markers
                                                        if zone.endswith("-KERNEL") and kind == "ZONE_START"]),
        "DEVICE KERNEL DURATION PER CORE MIN [ns]": round(min(spans) * 1000 / frequency),
        "DEVICE KERNEL DURATION PER CORE MAX [ns]": round(max(spans) * 1000 / frequency),
        "DEVICE KERNEL DURATION PER CORE AVG [ns]": round(sum(spans) / len(spans) * 1000 / frequency),
        "OP TO OP LATENCY [ns]": 0 if previous is None else round((min(kernel) - previous) * 1000 / frequency),
    }
    for risc, name in (("BRISC", "BRISC"), ("NCRISC", "NCRISC"), ("TRISC_0", "TRISC0"), ("TRISC_1", "TRISC1"), ("TRISC_2", "TRISC2")):
        row[f"DEVICE {name} KERNEL DURATION [ns]"] = span([time for _, r, time, _, zone, _ in markers
                                                            if r == risc and zone.endswith("-KERNEL")])
    return {column: str(value) for column, value in row.items()}, max(kernel)


@pytest.mark.parametrize("name", LOGS)
def test_a_device_log_alone_gives_the_originals_columns_and_right_ops(tmp_path, name):
    folder = device_folder(tmp_path, name)
    rows, notes = report(folder, tmp_path / "out")
    wanted = read_csv(FOLDER / "expected" / name / "ops_perf_results.csv")
    frequency, markers = markers_of(folder / LOG)
    previous = None
    assert notes == ""
    assert list(rows[0]) == list(wanted[0])
    assert [row["GLOBAL CALL COUNT"] for row in rows] == [row["GLOBAL CALL COUNT"] for row in wanted] == ["1024", "2048"]
    for row in rows:
        right, previous = expected_row(frequency, [marker for marker in markers if marker[3] == int(row["GLOBAL CALL COUNT"])], previous)
        assert {column: row[column] for column in right if column in row} == {column: right[column] for column in right if column in row}


def test_where_no_marker_comes_late_the_report_is_the_originals_byte_for_byte(tmp_path):
    folder = device_folder(tmp_path, "grayskull_new_header")
    report(folder, tmp_path / "out")
    wanted = FOLDER / "expected" / "grayskull_new_header" / "ops_perf_results.csv"
    assert (tmp_path / "out" / "ops_perf_results.csv").read_bytes() == wanted.read_bytes()


@pytest.mark.parametrize("name", ["add_two_ints", "multi_core_multi_launch"])
def test_the_original_differs_only_by_markers_that_it_puts_into_the_next_op(tmp_path, name):
    """Its first op ends with the last BRISC; what its NCRISCs do after that is counted to the second one."""
    folder = device_folder(tmp_path, name)
    rows, _ = report(folder, tmp_path / "out")
    wanted = read_csv(FOLDER / "expected" / name / "ops_perf_results.csv")
    frequency, markers = markers_of(folder / LOG)
    closed = max(time for _, risc, time, host, zone, kind in markers if risc == "BRISC" and zone == "BRISC-FW" and host == 1024)
    late = [marker for marker in markers if marker[3] == 1024 and marker[2] > closed]
    moved = [marker[:3] + (2048,) + marker[4:] if marker in late else marker for marker in markers]
    closed = max(time for _, risc, time, host, zone, kind in markers if risc == "BRISC" and zone == "BRISC-FW" and host == 2048)
    moved = [marker for marker in moved if marker[2] <= closed]
    previous = None
    assert late and rows != wanted
    for row in wanted:
        theirs, previous = expected_row(frequency, [marker for marker in moved if marker[3] == int(row["GLOBAL CALL COUNT"])], previous)
        for column in ("DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]"):
            assert row[column] == theirs[column], column


@pytest.mark.parametrize("name", LOGS)
def test_waits_of_cores_are_nanoseconds_and_sorted(tmp_path, name):
    folder = device_folder(tmp_path, name)
    report(folder, tmp_path / "out")
    ours = read_csv(tmp_path / "out" / "per_core_op_to_op_times.csv")
    theirs = read_csv(FOLDER / "expected" / name / "per_core_op_to_op_times.csv")
    frequency, _ = markers_of(folder / LOG)
    cores = list(ours[0])[2:]
    assert cores == sorted(cores, key=lambda core: [int(part) for part in core[:-5].split(";")])
    assert set(ours[0]) == set(theirs[0]) and len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        assert one["op2op ID"] == other["op2op ID"] == "1024 -> 2048"
        for core in cores:
            assert int(one[core]) == round((int(other[core]) + 1500) * 1000 / frequency) - 1500


def test_a_wait_that_no_number_holds_is_empty(tmp_path):
    folder = device_folder(tmp_path, "add_two_ints")
    lines = (folder / LOG).read_text().splitlines()
    rows = [line.split(",") for line in lines[2:]]
    for row in rows:
        row[5] = str(int(row[5]) + 4 * 10**18 * (row[7] == "2048"))
    (folder / LOG).write_text("\n".join(["ARCH: grayskull, CHIP_FREQ[MHz]: 1", lines[1]] + [",".join(row) for row in rows]) + "\n")
    report(folder, tmp_path / "out")
    waits = (tmp_path / "out" / "per_core_op_to_op_times.csv").read_text().splitlines()
    assert set(waits[1].split(",")) == {"0", "1024 -> 2048", ""} and len(waits) == 2


def test_several_chips_are_told_apart(tmp_path):
    folder = device_folder(tmp_path, "add_two_ints")
    lines = (folder / LOG).read_text().splitlines()
    (folder / LOG).write_text("\n".join(lines + ["1" + line[1:] for line in lines[2:]]) + "\n")
    rows, _ = report(folder, tmp_path / "out")
    assert [(row["DEVICE ID"], row["GLOBAL CALL COUNT"]) for row in rows] == [("0", "1024"), ("0", "2048"), ("1", "1024"), ("1", "2048")]
    assert [row["OP TO OP LATENCY [ns]"] for row in rows] == ["0", "384350"] * 2


# ---- the whole report -----------------------------------------------------------------------------------------------


def messages():
    """What Python makes of the messages, as the original reads them."""
    text = (FOLDER / "full" / DATA).read_text()
    found = {}
    for part in text.split("`"):
        head, arrow, body = part.partition(" ->\n")
        if arrow and "OP" in head:
            try:
                op = json.loads(body)
            except json.JSONDecodeError:
                continue
            found[str(op["global_call_count"])] = op
    return found


def test_rows_hold_what_the_messages_say(tmp_path):
    rows = by_call(report(FOLDER / "full", tmp_path)[0])
    known = messages()
    assert set(known) == {"1024", str((1 << 31) | 7), "6144", "5120"}
    for call, op in known.items():
        for row in rows[call]:
            assert row["OP CODE"] == op["op_code"] and row["OP TYPE"] == op["op_type"]
            assert row["ATTRIBUTES"] == str(op["attributes"]).replace(",", ";")
            tensors = {"INPUT": op["input_tensors"] + op.get("optional_input_tensors", []), "OUTPUT": op["output_tensors"]}
            for side, several in tensors.items():
                for number, tensor in enumerate(several):
                    for name in "WZYX":
                        assert row[f"{side}_{number}_{name}_PAD[LOGICAL]"] == tensor["shape"][name]
                    assert row[f"{side}_{number}_DATATYPE"] == tensor["dtype"]
                    assert row[f"{side}_{number}_LAYOUT"] == tensor["layout"]
            kernels = op.get("kernel_info")
            if kernels:
                assert row["MATH FIDELITY"] == "HiFi2"
                for column, kind, key in (("COMPUTE KERNEL SOURCE", "compute_kernels", "source"), ("COMPUTE KERNEL HASH", "compute_kernels", "name"),
                                          ("DATA MOVEMENT KERNEL SOURCE", "datamovement_kernels", "source"),
                                          ("DATA MOVEMENT KERNEL HASH", "datamovement_kernels", "name")):
                    assert row[column] == str([kernel[key] for kernel in kernels[kind]]).replace(",", ";")
                for key, size in kernels["kernel_sizes"].items():
                    assert row[key.upper().replace("_", " ") + " [B]"] == str(size)
            model = op.get("performance_model")
            assert row["PM REQ I BW"] == (str(model["input_bws"]).replace(",", ";") if model else "")
            if model and row["DEVICE KERNEL DURATION [ns]"]:
                assert row["PM FPU UTIL (%)"] == str(round(100 * model["compute_ns"] / int(row["DEVICE KERNEL DURATION [ns]"]), 3))


def test_every_op_has_its_row_in_order_of_time(tmp_path):
    rows, notes = report(FOLDER / "full", tmp_path)
    assert [(row["OP CODE"], row["GLOBAL CALL COUNT"], row["HOST START TS"], row["METAL TRACE ID"], row["METAL TRACE REPLAY SESSION ID"])
            for row in rows] == [
        ("warm-up", "", "1000000", "", ""),
        ("MatmulDeviceOperation", "1024", "1190000", "", ""),
        ("(torch) torch.nn.functional.softmax", "2147483655", "1490000", "", ""),
        ("MatmulDeviceOperation", "2048", "2090000", "", ""),
        ("op 3072", "3072", "", "", ""),
        ("ReshapeDeviceOperation", "4096", "3190000", "", ""),
        ("EltwiseBinary", "6144", "3590000", "", ""),
        ("SoftmaxDeviceOperation", "5120", "4190000", "1", ""),
        ("replays", "", "4500000", "", ""),
        ("SoftmaxDeviceOperation", "5120", "5000000", "1", "1"),
        ("SoftmaxDeviceOperation", "5120", "6000000", "1", "2"),
    ]
    assert rows[0]["ATTRIBUTES"] == "first run; cold caches" and rows[0]["OP TYPE"] == "signpost"
    assert rows[1]["HOST END TS"] == "1295439" and rows[1]["HOST DURATION [ns]"] == "105439"
    assert rows[1]["HWCommandQueue_write_buffer_TT_HOST_FUNC [ns]"] == "7000" and rows[1]["PROGRAM CACHE HIT"] == "False"
    assert rows[3]["ATTRIBUTES"] == rows[1]["ATTRIBUTES"] and rows[3]["PROGRAM CACHE HIT"] == "True"
    assert rows[3]["PROGRAM HASH"] == "12345678901234567890"
    assert list(rows[0])[-2:] == ["CompileProgram_TT_HOST_FUNC [ns]", "HWCommandQueue_write_buffer_TT_HOST_FUNC [ns]"]
    # Cut off: what stands before the cut, and what its first line says.
    assert rows[5]["ATTRIBUTES"] == "{'shape': '[1; 1; 128; 2048]'}" and rows[5]["INPUT_1_DATATYPE"] == "BFLOAT8_B"
    assert rows[5]["PROGRAM HASH"] == "999" and rows[5]["DEVICE KERNEL DURATION [ns]"] == "608" and not rows[5]["COMPUTE KERNEL SOURCE"]
    assert not rows[6]["DEVICE KERNEL DURATION [ns]"] and rows[4]["DEVICE KERNEL DURATION [ns]"] == "616"
    for part in ("1 x message that is cut off", "first op 4096", "1 x op of a device without device data", "first op 6144",
                 "1 x op on a device that the host's files do not tell of", "first op 3072"):
        assert part in notes
    assert notes.count("\n") == 3


def test_line_ends_and_commas(tmp_path):
    report(FOLDER / "full", tmp_path)
    data = (tmp_path / "ops_perf_results.csv").read_bytes()
    lines = data.split(b"\r\n")
    assert lines[-1] == b"" and b"\n" not in b"".join(lines)
    width = lines[0].count(b",")
    assert all(line.count(b",") == width for line in lines[:-1])


def test_the_archive_has_the_csvs_name_and_the_logs_stay(logs, tmp_path):
    before = {path: path.read_bytes() for path in logs.iterdir()}
    result = ops("-i", logs, "-o", tmp_path / "out", "-n", "net", "--date", "-q")
    assert result.code == 0 and result.err == ""
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 2 and names[0].startswith("ops_perf_results_net_20") and names[0][:-4] == names[1][:-4]
    with tarfile.open(tmp_path / "out" / names[1], "r:gz") as archive:
        assert sorted(archive.getnames()) == sorted([DATA, TIMES, LOG])
    assert {path: path.read_bytes() for path in logs.iterdir()} == before


def test_the_tool_chains_own_report_is_used_as_it_is(logs, tmp_path):
    plain, _ = report(logs, tmp_path / "log")
    shutil.copy(FOLDER / "report" / CPP, logs)
    rows, notes = report(logs, tmp_path / "both")
    assert "device times come from cpp_device_perf_report.csv" in notes and "has the same times" in notes
    for one, other in zip(rows, plain):
        assert {key: value for key, value in one.items() if "PER CORE" not in key} == {key: value for key, value in other.items() if "PER CORE" not in key}
    text = (logs / CPP).read_text()
    (logs / CPP).write_text(text.replace(",616,", ",716,"))
    rows, notes = report(logs, tmp_path / "changed")
    assert by_call(rows)["1024"][0]["DEVICE KERNEL DURATION [ns]"] == "716"
    assert "4 x op whose times in the device report are not those of the device log" in notes
    (logs / CPP).write_text("".join(line for line in text.splitlines(True) if not line.startswith("4096,")))
    rows, notes = report(logs, tmp_path / "fewer")
    assert "1 x op in the device log that the device report lacks" in notes and "first op 4096" in notes
    (logs / LOG).unlink()
    rows, notes = report(logs, tmp_path / "alone")
    assert by_call(rows)["2048"][0]["DEVICE KERNEL DURATION [ns]"] == "608" and "log" not in notes


def test_columns_of_rare_devices_come_with_their_values(logs, tmp_path):
    lines = (FOLDER / "report" / CPP).read_text().splitlines()
    titles, first = lines[0].split(","), lines[1].split(",")
    first[titles.index("DEVICE QUASAR_DM KERNEL DURATION [ns]")] = "77"
    (logs / CPP).write_text("\n".join([lines[0], ",".join(first)] + lines[2:]) + "\n")
    rows, _ = report(logs, tmp_path / "out")
    assert by_call(rows)["1024"][0]["DEVICE QUASAR_DM KERNEL DURATION [ns]"] == "77"
    assert "DEVICE QUASAR_NEO_TRISC KERNEL DURATION [ns]" not in rows[0]


# ---- what may be missing --------------------------------------------------------------------------------------------


def test_without_device_data_the_hosts_rows_are_there(logs, tmp_path):
    (logs / LOG).unlink()
    rows, notes = report(logs, tmp_path / "out")
    assert len(rows) == 8 and "there is no data of the devices" in notes
    assert not any(row["DEVICE KERNEL DURATION [ns]"] for row in rows)
    assert "DEVICE KERNEL DURATION [ns]" in rows[0] and by_call(rows)["2048"][0]["HOST DURATION [ns]"] == "4160"


def test_without_times_ops_are_placed_by_their_messages(logs, tmp_path):
    (logs / TIMES).unlink()
    rows, notes = report(logs, tmp_path / "out")
    assert [row["GLOBAL CALL COUNT"] for row in rows] == ["", "1024", "2147483655", "2048", "3072", "4096", "6144", "5120", "", "5120", "5120"]
    assert "there is no tracy_ops_times.csv" in notes and rows[1]["DEVICE KERNEL DURATION [ns]"] == "616" and not rows[1]["HOST START TS"]


def test_without_messages_there_are_names_of_zones_and_times(logs, tmp_path):
    (logs / DATA).unlink()
    rows, notes = report(logs, tmp_path / "out")
    found = by_call(rows)
    assert found["1024"][0]["OP CODE"] == "TT_DNN_DEVICE_OP" and found["1024"][0]["HOST DURATION [ns]"] == "105439"
    assert found["1024"][0]["DEVICE KERNEL DURATION [ns]"] == "616" and "6 x op with a host time but without a message" in notes


def test_a_log_of_thirteen_columns_names_replays_by_their_order(logs, tmp_path):
    lines = (logs / LOG).read_text().splitlines()
    short = [",".join(parts[:8] + parts[10:]) for parts in (line.split(",") for line in lines[1:])]
    short[0] = short[0].replace(" trace id, trace id counter,", "")
    (logs / LOG).write_text("\n".join([lines[0]] + short) + "\n")
    rows = by_call(report(logs, tmp_path / "out")[0])
    assert [(row["METAL TRACE REPLAY SESSION ID"], row["HOST START TS"]) for row in rows["5120"]] == [("", "4190000"), ("1", "5000000"), ("2", "6000000")]


def test_wrong_order_repeated_ops_and_missing_messages(logs, tmp_path):
    (logs / DATA).write_text("MessageName;total_ns\n"
                             '`TT_DNN_DEVICE_OP: "Early", 5, 0, true, 2048`;10\n'
                             '`TT_DNN_DEVICE_OP: "Early", 5, 0, false, 1024 ->\n{"op_code": "Early", "op_hash": 5, "device_id": 0, "op_type": "tt_dnn_device"}`;20\n'
                             '`TT_DNN_DEVICE_OP: "Lost", 6, 0, true, 4096`;30\n'
                             '`TT_DNN_DEVICE_OP: "Twice", 5, 0, true, 1024`;40\n'
                             '`TT_METAL_TRACE_END: 0, 3`;50\n`TT_METAL_TRACE_BEGIN: zero`;60\n')
    (logs / TIMES).unlink()
    rows, notes = report(logs, tmp_path / "out")
    found = by_call(rows)
    assert found["2048"][0]["OP CODE"] == "Early" and found["4096"][0]["OP CODE"] == "Lost" and found["4096"][0]["PROGRAM HASH"] == "6"
    assert [row["OP CODE"] for row in found["1024"]] == ["Early", "Early"]
    assert len([row for row in found["1024"] if row["DEVICE KERNEL DURATION [ns]"]]) == 1
    for part in ("1 x cached op whose full message is missing", "1 x op whose number the host gave before", "1 x message of a trace that was not begun",
                 "1 x message of a trace without its two numbers"):
        assert part in notes


def test_a_program_that_ran_again_under_its_number_has_a_row_for_each(logs, tmp_path):
    lines = (logs / LOG).read_text().splitlines()
    again = []
    for line in lines[2:]:
        parts = line.split(",")
        if parts[7] == "1024":
            parts[5] = str(int(parts[5]) + 9_000_000)
            again.append(",".join(parts))
    (logs / LOG).write_text("\n".join(lines + again) + "\n")
    rows, notes = report(logs, tmp_path / "out")
    assert [row["DEVICE KERNEL DURATION [ns]"] for row in by_call(rows)["1024"]] == ["616", "616"]
    assert "1 x op that ran again on its device under the same number" in notes


def test_lost_rows_name_their_file(tmp_path):
    logs = shutil.copytree(FOLDER / "full", tmp_path / "logs")
    for name, old, new in (("tracy_ops_times.csv", ",105439,", ",nan,"), (LOG, ",BRISC-FW,ZONE_START,", ",BRISC-FW,ZONE_MIDDLE,")):
        (logs / name).write_text((logs / name).read_text().replace(old, new, 1))
    _, notes = report(logs, tmp_path / "out")
    assert "2 of 120 rows lost" in notes
    assert "tracy_ops_times.csv: 1 x a number that cannot be read (line 2)" in notes
    assert f"{LOG}: 1 x too few or too many fields (line " in notes


# ---- folders --------------------------------------------------------------------------------------------------------


def test_the_folder_is_found_where_the_tool_chain_leaves_it(tmp_path):
    hidden = tmp_path / "generated" / "profiler" / ".logs"
    shutil.copytree(FOLDER / "full", hidden)
    assert ops(cwd=tmp_path).text.startswith("9 ops, 6 with device times, 2 signposts\ngenerated/profiler/reports/ops_perf_results.csv\n")
    result = ops(cwd="/", variables={"TT_METAL_HOME": str(tmp_path), "TT_METAL_PROFILER_DIR": None})
    assert result.code == 0 and f"{tmp_path}/generated/profiler/reports/ops_perf_results.csv" in result.text
    result = ops(cwd="/", variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": str(tmp_path / "generated" / "profiler")})
    assert result.code == 0 and f"{tmp_path}/generated/profiler/reports/ops_perf_results.csv" in result.text
    result = ops("-i", tmp_path / "generated" / "profiler", "-o", tmp_path / "out")
    assert result.code == 0 and result.text.startswith("9 ops")
    # Document 002's folder goes first where it is there.
    shutil.copytree(tool.DATA / "tt-ops-folder" / "logs", tmp_path / "tt_metal" / "tools" / "profiler" / "logs")
    result = ops(cwd=tmp_path)
    assert "profile_log_ops.csv" in result.text
    assert "reading tt_metal/tools/profiler/logs/ops; there are also logs in generated/profiler/.logs" in result.err
    # Unless somebody names the folder of the other one.
    result = ops(cwd=tmp_path, variables={"TT_METAL_HOME": None, "TT_METAL_PROFILER_DIR": "generated/profiler"})
    assert "generated/profiler/reports/ops_perf_results.csv" in result.text
    result = ops(cwd=tmp_path / "generated")
    assert result.code == 3 and "no such folder of ops logs, nor generated/profiler/.logs; -i names another" in result.err


def test_logs_of_two_runs_are_not_mixed(tmp_path):
    folder = device_folder(tmp_path, "add_two_ints")
    shutil.copytree(FOLDER / "full", folder / ".logs")
    assert ops("-i", folder, "-o", tmp_path / "out").text.startswith("2 ops, 2 with device times\n")


def test_the_file_that_was_given_is_read_whatever_its_name(logs, tmp_path):
    (logs / "older.csv").write_text((logs / DATA).read_text().replace("MatmulDeviceOperation", "OlderDeviceOperation"))
    for name, code in ((DATA, "MatmulDeviceOperation"), ("older.csv", "OlderDeviceOperation")):
        result = tool.run("advise", logs / name, "--csv", tmp_path / "ops.csv", "--no-summary", "--ignore-signposts")
        assert result.code == 0 and code in (tmp_path / "ops.csv").read_text(), name
        assert ("Matmul" in code) == ("Matmul" in (tmp_path / "ops.csv").read_text())


def test_kernel_sizes_beyond_the_columns_are_counted(tmp_path):
    """64 names over the whole report, beside the usual nine."""
    messages = ["MessageName;total_ns"]
    for number in range(2):
        sizes = {f"TENSIX_X_{number}_{index}_max_kernel_size": index + 1 for index in range(60)}
        op = {"global_call_count": 1024 * (number + 1), "op_code": "Net", "op_type": "tt_dnn_device", "device_id": 0,
              "kernel_info": {"kernel_sizes": sizes}}
        messages.append(f"`TT_DNN_DEVICE_OP: Net ->\n{json.dumps(op)}`;{number * 1000}")
    (tmp_path / DATA).write_text("\n".join(messages) + "\n")
    rows, said = report(tmp_path, tmp_path / "out")[:2]
    columns = [name for name in rows[0] if name.startswith("TENSIX X")]
    assert len(columns) == 64 and len(rows) == 2
    assert sum(bool(row[name]) for row in rows for name in columns) == 64
    assert "56 x host function or kernel size beyond the columns of a report" in said


def test_a_lost_row_is_told_with_its_file(logs, tmp_path):
    for name, line in ((TIMES, "TT_DNN_DEVICE_OP,f,1,id:x,y,1,1,,"), (LOG, "0,1,1,BRISC,x,5,0,0,,,A,ZONE_START,1,a.cc,")):
        text = (logs / name).read_text()
        (logs / name).write_text(text + line + "\n")
        assert f"{name}: 1 x a number that cannot be read (line {len(text.splitlines()) + 1})" in report(logs, tmp_path / "out")[1]


def test_nothing_there_is_said(tmp_path):
    result = ops(cwd=tmp_path)
    assert result.code == 3 and "tt_metal/tools/profiler/logs/ops" in result.err
    (tmp_path / DATA).write_text("MessageName;total_ns\n")
    result = ops("-i", tmp_path, "-o", tmp_path / "out")
    assert result.code == 3 and "there is no op in these logs" in result.err and not (tmp_path / "out").exists()


def test_packed_files_are_read(logs, tmp_path):
    for name in (DATA, LOG):
        (logs / f"{name}.gz").write_bytes(gzip.compress((logs / name).read_bytes()))
        (logs / name).unlink()
    assert report(logs, tmp_path / "out")[0] == report(FOLDER / "full", tmp_path / "plain")[0]


# ---- convert and advise ---------------------------------------------------------------------------------------------


def names_of(path):
    events = json.loads(path.read_text())["traceEvents"]
    tracks = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    return events, tracks


@pytest.mark.parametrize("given", ["folder", DATA, TIMES])
def test_convert_draws_host_ops_chips_and_cores_on_one_clock(tmp_path, given):
    source = FOLDER / "full" if given == "folder" else FOLDER / "full" / given
    tool.good("convert", source, "-o", tmp_path / "out.json")
    events, tracks = names_of(tmp_path / "out.json")
    names = set(tracks.values())
    assert {"Host", "Signposts", "chip 0 / Ops", "chip 0 / core 1, 1 / BRISC", "chip 0 / core 2, 1 / NCRISC"} <= names
    assert not any(name.startswith("Device") for name in names)
    begins = {}
    for event in events:
        if event["ph"] in "BX" and event.get("cat") != "overview":
            begins.setdefault(tracks.get((event["pid"], event["tid"])), []).append(event)
    device = [event for event in begins["chip 0 / Ops"]]
    assert [event["name"] for event in device] == ["MatmulDeviceOperation", "MatmulDeviceOperation", "op 3072", "ReshapeDeviceOperation",
                                                   "SoftmaxDeviceOperation", "SoftmaxDeviceOperation"]
    assert len([event for event in begins["Host"] if event.get("cat") != "overview"]) == 6
    # The firmware of the first core starts with the op: they share a clock.
    assert min(event["ts"] for event in begins["chip 0 / core 1, 1 / BRISC"]) == device[0]["ts"]


def test_advise_reads_the_folder_as_it_would_its_report(tmp_path):
    shutil.copytree(FOLDER / "full", tmp_path / "logs")
    lines = (tmp_path / "logs" / LOG).read_text().splitlines()
    kept = [line for line in lines if line.split(",")[7:8] != ["3072"]]
    kept[0] = kept[0].replace("grayskull", "wormhole_b0").replace("108", "64")
    (tmp_path / "logs" / LOG).write_text("\n".join(kept) + "\n")
    report(tmp_path / "logs", tmp_path / "out")
    words = ["--ignore-signposts", "--no-color"]
    folder = tool.good("advise", "--no-advice", tmp_path / "logs", *words)
    finished = tool.good("advise", "--no-advice", tmp_path / "out" / "ops_perf_results.csv", *words)
    assert folder.text == finished.text
    assert "128 x 1024 x 2048" in folder.text and "(torch)" in folder.text
    answers = [json.loads(tool.good("advise", "-q", "--json", path).text) for path in (tmp_path / "logs", tmp_path / "out" / "ops_perf_results.csv")]
    for key in ("run_ns", "healthy", "parts"):
        assert answers[0][key] == answers[1][key]
    assert [(item["rule"], item["saves_ns"]) for item in answers[0]["items"]] == [(item["rule"], item["saves_ns"]) for item in answers[1]["items"]]


# ---- damage ---------------------------------------------------------------------------------------------------------


def damage(data, kind, seed):
    chance = random.Random(seed)
    if kind == "cut":
        return data[:chance.randrange(len(data))]
    if kind == "lines":
        return b"".join(line for line in data.splitlines(True) if chance.random() > 0.2)
    if kind == "binary":
        return bytes(chance.randrange(256) for _ in range(2000))
    if kind == "empty":
        return b""
    changed = bytearray(data)
    for _ in range(20):
        changed[chance.randrange(len(changed))] = chance.choice(b"`;,\"\n0{}[]\x00")
    return bytes(changed)


@pytest.mark.parametrize("kind", ["cut", "lines", "bytes", "binary", "empty"])
@pytest.mark.parametrize("name", [DATA, TIMES, LOG, CPP])
def test_a_damaged_file_takes_nothing_else_with_it(tmp_path, kind, name):
    for seed in range(3):
        folder = tmp_path / f"logs{seed}"
        shutil.copytree(FOLDER / "full", folder)
        shutil.copy(FOLDER / "report" / CPP, folder)
        (folder / name).write_bytes(damage((folder / name).read_bytes(), kind, seed))
        rows, notes = report(folder, tmp_path / f"out{seed}")
        assert rows and (notes or kind == "lines")
        assert tool.run("convert", folder, "-o", tmp_path / "out.json").code in (0, 3)
        assert tool.run("advise", folder).code in (0, 1, 3)


def test_a_huge_message_and_a_quote_that_is_never_closed(logs, tmp_path):
    text = (logs / DATA).read_text()
    huge = '`TT_DNN_DEVICE_OP: "Huge", 8, 0, false, 8192 ->\n{"attributes": {"a": "' + "x" * (5 << 20) + '"}, "op_code": "Huge"}`;7000000\n'
    (logs / DATA).write_text(text + huge + '`TT_SIGNPOST: after`;8000000\n`TT_SIGNPOST: open;9000000\n`TT_SIGNPOST: last`;9500000\n')
    rows, notes = report(logs, tmp_path / "out")
    assert [row["OP CODE"] for row in rows if row["OP TYPE"] == "signpost"] == ["warm-up", "replays", "after", "open", "last"]
    assert "over 4 MiB" in notes or "not closed" in notes


def test_strict_names_the_place(logs, tmp_path):
    with open(logs / TIMES, "a") as file:
        file.write("TT_DNN_DEVICE_OP,f,1,,id:1024,never,5,1,\n")
    result = tool.run("convert", "--strict", logs, "-o", tmp_path / "out.json")
    assert result.code == 3 and f"{TIMES}:13:" in result.err
