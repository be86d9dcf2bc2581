"""Device markers: the headers in every setting they are made for, and the example from its kernels to the tables of tacho."""
import json
import os
import subprocess

import pytest

import tool
import waiting

EXAMPLE = tool.ROOT / "examples" / "device"
BUILD = tool.BUILD
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined" if tool.SANITIZED else ""
LOG = "profile_log_device.csv"
USUAL = f"tt_metal/tools/profiler/logs/{LOG}"
RISCS = ["NCRISC", "BRISC", "TRISC_0", "TRISC_1", "TRISC_2"]
ZONES = {"NCRISC": "READ-TILE", "BRISC": "WRITE-TILE", "TRISC_0": "UNPACK-TILE", "TRISC_1": "ADD-TILE", "TRISC_2": "PACK-TILE"}
KERNEL = """
#include <stdint.h>
struct tacho_device_buffer;
#ifdef __cplusplus
extern "C" {
#endif
struct tacho_device_buffer *mine(void);
void kernel(void);
#ifdef __cplusplus
}
#endif
#define TACHO_DEVICE_CYCLES() UINT64_C(5)
#define TACHO_DEVICE_BUFFER (mine())
#include <tacho/kernel_profiler.h>

void kernel(void)
{
    tacho_device_mark(mine(), 5);
    DeviceZoneScopedN("OUTER");
    { DeviceZoneScopedN("INNER"); DeviceZoneScopedSumN1("ONE"); DeviceZoneScopedSumN2("OTHER"); }
#ifdef __cplusplus
    bool first = true;
    kernel_profiler::mark_time(6);
    kernel_profiler::mark_time_once(7, &first);
#endif
}
"""


def compiled(folder, *command):
    """The kernel above as an object file, or why not."""
    (folder / "kernel.c").write_text(KERNEL)
    done = subprocess.run([tool.need(command[0]), *command[1:], "-I", tool.ROOT / "include", "-c", folder / "kernel.c", "-o", folder / "kernel.o"],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def symbols(path):
    return subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("command", [
    ["cc", "-std=c11"], ["cc", "-std=c17", "-O0"], ["c++", "-x", "c++", "-std=c++11", "-fno-exceptions"],
    ["c++", "-x", "c++", "-std=c++20", "-fno-exceptions"],
    ["riscv64-unknown-elf-gcc", "-march=rv32ima_zicsr", "-mabi=ilp32"]], ids=" ".join)
@pytest.mark.parametrize("on", [0, 1])
def test_the_headers_need_nothing(tmp_path, command, on):
    options = ["-O2", *command[1:], *STRICT, "-ffreestanding", "-nostdlib", f"-DTACHO_DEVICE_MARKERS={on}"]
    assert compiled(tmp_path, command[0], *options) == (0, "")
    wanted = [line.split()[-1] for line in symbols(tmp_path / "kernel.o").splitlines() if " U " in line]
    assert wanted == ["mine"]
    assert (b"\tOUTER\0" in (tmp_path / "kernel.o").read_bytes()) == bool(on)


def test_names_are_not_loaded_into_the_device(tmp_path):
    assert compiled(tmp_path, "cc", "-O2", "-DTACHO_DEVICE_MARKERS=1")[0] == 0
    listed = subprocess.run(["objdump", "-h", tmp_path / "kernel.o"], capture_output=True, text=True, check=True).stdout.splitlines()
    at = next(number for number, line in enumerate(listed) if " tacho_zones " in line)
    assert "ALLOC" not in listed[at + 1]


def test_markers_and_print_together_do_not_compile(tmp_path):
    code, complaint = compiled(tmp_path, "cc", "-DTACHO_DEVICE_MARKERS=1", "-DTACHO_DEVICE_PRINT=1")
    assert code and "device markers and debug print cannot be used together" in complaint
    assert compiled(tmp_path, "cc", "-DTACHO_DEVICE_PRINT=1") == (0, "")


def make(folder, *targets, variables=None):
    done = subprocess.run([tool.need("make"), "-C", EXAMPLE, f"BUILD={folder}", f"CFLAGS=-O1 -g {SANITIZE} -Werror", *targets],
                          capture_output=True, text=True, env={**os.environ, **(variables or {})})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The program, built from the tree, with the kernels for a RISC-V beside it."""
    folder = tmp_path_factory.mktemp("example")
    tool.need("riscv64-unknown-elf-gcc")
    assert "src/record" in make(folder, "PKG_CONFIG=false", "all", "kernels")
    return folder / "add_two_ints"


def run(example, folder, *options, enabled="1", **more):
    variables = tool.environment(TT_METAL_DEVICE_PROFILER=enabled, **more)
    return subprocess.run([example, *options], cwd=folder, capture_output=True, text=True, env=variables, timeout=waiting.LIMIT)


def ran(example, folder, *options, **more):
    done = run(example, folder, *options, **more)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def rows_of(path, separator=","):
    return [[field.strip() for field in line.split(separator)] for line in path.read_text().splitlines()[2:]]


@pytest.fixture(params=["threads", "qemu"])
def back_end(request):
    if request.param == "qemu":
        tool.need("qemu-system-riscv32")
    return request.param


def test_zones_from_the_kernel_to_the_tables(example, back_end, good, tmp_path):
    launches = 2 if back_end == "threads" else 1
    printed = ran(example, tmp_path, "--back-end", back_end, "--profile-device", "--launches", str(launches))
    assert printed == "".join(f"launch {number}: 66 markers written\nlaunch {number}: 128 sums are right\n" for number in range(1, launches + 1))
    rows = rows_of(tmp_path / USUAL)
    assert len(rows) == 66 * launches and all(len(row) == 15 for row in rows)
    assert list(dict.fromkeys(row[3] for row in rows)) == RISCS
    for risc in RISCS:
        found = [row for row in rows if row[3] == risc and row[10] == ZONES[risc]]
        assert [row[11] for row in found] == ["ZONE_START", "ZONE_END"] * 4 * launches and all(row[13].endswith("kernels.c") for row in found)
    good("device", "-o", "out", "--strict", "--no-plots", cwd=tmp_path)
    analysis = json.loads((tmp_path / "out" / "device_analysis_data.json").read_bytes())
    ops = analysis["data"]["devices"]["0"]["cores"]["DEVICE"]["ops"]
    assert [op["run_host_id"] for op in ops] == [1024, 2048][:launches]
    for op in ops:
        firmware = [int(row[5]) for row in rows if row[7] == str(op["run_host_id"]) and row[10].endswith("-FW")]
        assert op["durations"]["device_fw_duration"] == max(firmware) - min(firmware)  # a cycle is a nanosecond
    slices = good("convert", tmp_path / USUAL, "-o", "-", "--to", "slices").text
    assert slices.count(",ADD-TILE,") == 4 * launches
    assert "OVERALL" in good("summary", "--strict", tmp_path / USUAL).text


def test_numbers(example, back_end, good, tmp_path):
    done = run(example, tmp_path, "--back-end", back_end, "--profile-device", "--numbers", "--folder", "deep/er")
    assert done.returncode == 0 and "markers of named zones, which have no place in a log with numbers: 40" in done.stderr
    rows = rows_of(tmp_path / "deep" / "er" / LOG)
    assert not (tmp_path / "tt_metal").exists()
    assert all(len(row) == 6 for row in rows) and len(rows) == 26
    assert {row[4] for row in rows if row[3] == "TRISC_0"} == {"1", "2", "3", "4", "5", "3000"}
    assert {row[4] for row in rows if row[3] == "NCRISC"} == {"1", "2", "3", "4"}
    shown = good("device", "-d", tmp_path / "deep" / "er" / LOG, "-o", tmp_path / "out", "--strict", "--no-plots").text
    times = {row[4]: int(row[5]) for row in rows if row[3] == "TRISC_1"}
    assert f"=================== TRISC1 kernel start -> TRISC1 kernel end ===================\n    Duration [cycles] = {times['3'] - times['2']:>10,}\n" in shown


def test_cycles_of_the_emulator_are_instructions(example, tmp_path):
    """So that two runs have the same durations, however busy this machine is."""
    tool.need("qemu-system-riscv32")
    durations = []
    for folder in ("one", "other"):
        ran(example, tmp_path, "--back-end", "qemu", "--profile-device", "--folder", folder)
        times = [int(row[5]) for row in rows_of(tmp_path / folder / LOG)]
        durations.append([time - times[0] for time in times])
    assert durations[0] == durations[1] and 1000 < max(durations[0]) < 100000


def test_without_the_variable_nothing_is_written(example, tmp_path):
    for value in (None, "0"):
        done = run(example, tmp_path, "--profile-device", enabled=value)
        assert done.returncode == 0 and "set TT_METAL_DEVICE_PROFILER=1" in done.stderr and "sums are right" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_kernels_print_or_are_profiled(example, back_end, tmp_path):
    printed = ran(example, tmp_path, "--back-end", back_end)
    assert "0, 0, TRISC_1: first sum of a tile: 1064\n" in printed and printed.endswith("launch 1: 128 sums are right\n")
    assert ran(example, tmp_path, "--back-end", back_end, "--print") == printed
    done = run(example, tmp_path, "--back-end", back_end, "--profile-device", "--print")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("add_two_ints: debug print cannot be used in kernels that are being profiled")
    assert list(tmp_path.iterdir()) == []


def test_dropped_markers_are_told(example, good, tmp_path):
    done = run(example, tmp_path, "--profile-device", "--tiles", "64")
    assert done.returncode == 0 and "markers that were dropped because a buffer was full: 588 (the first by NCRISC of core 0, 0)" in done.stderr
    rows = rows_of(tmp_path / USUAL)
    for risc in RISCS:  # what closes a launch is always there
        assert [row[10][-3:] for row in rows if row[3] == risc and row[11] == "ZONE_END"][-2:] == ["NEL", "-FW"]
    good("device", "-d", tmp_path / USUAL, "-o", tmp_path / "out", "--strict", "--no-plots")


def test_the_example_complains(example, tmp_path):
    for options in (["--tiles", "0"], ["--tiles"], ["--back-end", "moon"], ["--what"]):
        done = run(example, tmp_path, *options)
        assert done.returncode == 2 and "usage" in done.stderr
    assert "its clock begins anew" in run(example, tmp_path, "--back-end", "qemu", "--launches", "2").stderr
    variables = tool.environment(QEMU="no-such-program")
    done = subprocess.run([example, "--back-end", "qemu"], cwd=tmp_path, capture_output=True, text=True, env=variables, timeout=waiting.LIMIT)
    assert done.returncode == 1 and "QEMU does not answer" in done.stderr
    (tmp_path / "tt_metal").write_text("in the way")
    done = run(example, tmp_path, "--profile-device")
    assert done.returncode == 1 and f"{LOG}: Not a directory" in done.stderr


def test_the_example_against_the_installed_library(tmp_path):
    installed = tmp_path / "installed"
    subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", installed], check=True, capture_output=True)
    package = next(installed.rglob("tacho-record.pc"))
    places = {"PKG_CONFIG_PATH": str(package.parent), "PKG_CONFIG_SYSROOT_DIR": str(installed)}
    (tmp_path / "built").mkdir()
    printed = make(tmp_path / "built", variables=places)
    assert "-ltacho-record" in printed and "src/record" not in printed
    library = next(installed.rglob("libtacho-record.so")).parent
    assert "66 markers written" in ran(tmp_path / "built" / "add_two_ints", tmp_path, "--profile-device", LD_LIBRARY_PATH=str(library))
