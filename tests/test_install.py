"""The installed library: the example program is compiled against it, by pkg-config and nothing else, and run."""
import json
import os
import pathlib
import re
import shlex
import subprocess

import pytest

import perfetto_decode
import tool

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("TACHO_BUILD", ROOT / "build"))
DATA = ROOT / "tests" / "data"
SANITIZE = ["-fsanitize=address,undefined"] if os.environ.get("TACHO_SANITIZED") else []
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


class Installed:
    """A tree that `meson install` filled."""

    def __init__(self, folder):
        self.folder = folder
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder)
        self.package = next(folder.rglob("tacho.pc"))
        self.header = next(folder.rglob("tacho/tacho.h"))
        self.library = next(folder.rglob("libtacho.so"))

    def pkg_config(self, *options):
        places = {"PKG_CONFIG_PATH": str(self.package.parent), "PKG_CONFIG_SYSROOT_DIR": str(self.folder)}
        return shlex.split(run("pkg-config", *options, "tacho", env={**os.environ, **places}))

    def compile(self, source, program, compiler="cc", options=()):
        run(compiler, *STRICT, *SANITIZE, *options, source, *self.pkg_config("--cflags", "--libs"), "-o", program)
        return program

    def start(self, *command):
        """What it printed, its exit code and its complaints."""
        places = {"LD_LIBRARY_PATH": str(self.library.parent)}
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env={**os.environ, **places})
        return done.stdout, done.returncode, done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def render(installed):
    return installed.compile(ROOT / "examples" / "render.c", installed.folder / "render", options=["-std=c17"])


def slices_of(path):
    trace = perfetto_decode.decode_file(path)
    return trace, sorted((trace.path(found.track), found.name, found.start, found.duration, found.depth) for found in trace.slices)


def test_the_example_draws_its_own_timeline(installed, render, tmp_path):
    printed, code, complaint = installed.start(render, tmp_path / "own.pb")
    assert (printed, code, complaint) == ("", 0, "")
    trace, slices = slices_of(tmp_path / "own.pb")
    assert slices == [
        ("My NPU/Compute", "conv2d", 3000, 7000, 0),
        ("My NPU/DMA", "load input", 1000, 2000, 0),  # overlaps: a line of its own
        ("My NPU/DMA", "load weights", 0, 2000, 0),
        ("My host/main", "inference", 0, 11000, 0),
        ("My host/main", "print result", 11000, 1000, 0),
        ("My host/main", "wait", 500, 9500, 1),
    ]
    weights = next(found for found in trace.slices if found.name == "load weights")
    assert weights.args == {"bytes": 16384, "note": "first layer"}
    assert [(trace.path(track), time, value) for track, time, value in trace.counters] == [
        ("My host/Jobs queued", 0, 2), ("My host/Jobs queued", 10000, 0)]


def test_the_example_reads_profiles(installed, render, tmp_path):
    profile = DATA / "torq-compile" / "c1.csv"
    printed, code, complaint = installed.start(render, tmp_path / "both.pb", profile, DATA / "torq-runtime" / "runtime_r2.csv")
    assert (code, complaint) == (0, "")
    assert f"{profile}: torq-compile, 6 rows, 0 lost\n" in printed
    assert re.search(r"^  OVERALL +3125 ns 100.00%$", printed, re.MULTILINE)
    assert "torq-runtime" in printed
    _, slices = slices_of(tmp_path / "both.pb")
    assert ("My NPU/Compute", "conv2d", 3000, 7000, 0) in slices
    assert ("c1.csv/Slice 0", "conv2d", 640, 1610, 0) in slices
    assert any(path.startswith("runtime_r2.csv/") for path, *_ in slices)
    assert any(path.startswith("c1.csv Overview/") for path, *_ in slices)


def test_the_example_writes_every_format(installed, render, tmp_path):
    for name in ("t.json", "t.speedscope.json", "t.csv", "t.pb.gz", "t.pftrace.zst"):
        assert installed.start(render, tmp_path / name)[1:] == (0, "")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert json.loads((tmp_path / "t.speedscope.json").read_text())["profiles"]
    assert (tmp_path / "t.csv").read_text().count(",custom,") == 6
    assert slices_of(tmp_path / "t.pb.gz")[1]


def test_the_example_complains(installed, render, tmp_path):
    printed, code, complaint = installed.start(render)
    assert (printed, code) == ("", 2) and "usage" in complaint
    printed, code, complaint = installed.start(render, tmp_path / "bad.pb", tmp_path / "missing.csv")
    assert (printed, code) == ("", 1) and "missing.csv" in complaint
    printed, code, complaint = installed.start(render, tmp_path / "bad.xyz")
    assert (printed, code) == ("", 1) and "suffix" in complaint
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_that_of_the_package(installed, render):
    version = installed.pkg_config("--modversion")[0]
    assert f"libtacho {version})" in installed.start(render)[2]


def test_the_header_stands_alone(installed):
    text = installed.header.read_text()
    assert set(re.findall(r"#include\s+(\S+)", text)) == {"<stdbool.h>", "<stddef.h>", "<stdint.h>"}
    for compiler, language, standard in (("cc", "c", "c99"), ("c++", "c++", "c++11")):
        run(tool.need(compiler), *STRICT, "-x", language, f"-std={standard}", "-fsyntax-only", *installed.pkg_config("--cflags"),
            "-include", "tacho/tacho.h", "/dev/null")


def test_exactly_the_public_functions_are_exported(installed):
    declared = set(re.findall(r"^TACHO_API[^;(]*?(\w+)\(", installed.header.read_text(), re.MULTILINE))
    symbols = run("nm", "-D", "--defined-only", installed.library).splitlines()
    exported = {line.split()[-1].split("@")[0] for line in symbols}
    # Names with an underscore belong to the linker and the sanitizers.
    assert {name for name in exported if not name.startswith("_")} == declared
    assert all(name.startswith("tacho_") for name in declared)
