#!/usr/bin/python3
"""Measures tacho against the least work that reading a file can be, and against an older tacho.

    bench.py --tacho build/tacho --tools DIR [--rows N] [--only NAME] [--full] [--against OLD]

DIR holds the programs `generate` and `baseline`. Every path is run five times, alternating with the baseline, and the
best of each is taken: CPU time (user and system) of the child alone, so that a busy machine disturbs little. The ratio
of the two is the figure to look at; absolute times on shared machines mean nothing. Peak RSS is never shown below the
12 MiB or so of this script, which the kernel counts before the child becomes tacho.

ExecuTorch's files have jobs of their own: timelines of a dump, a report over two timelines, a small dump beside a large record. So have
Tenstorrent's: statistics and artifacts of a device log (--rows markers, ten million with --full), advice on a report of 100,000 operations. A
trace as Kineto writes it has --rows events, with --full a gigabyte of them.

--full also runs 1, 10 and 50 million rows and checks the limits that the project has set itself; a limit that is
missed makes the exit code 1.

--against OLD runs another build of tacho in the same rounds (baseline, new, old, baseline, new, old, ...). Each row then
ends with the old cost per row and new/old, and a sorted list of these ratios closes the output. The ratio is that of the round in
the middle, since the two follow each other in a round: machines that others use are faster at one moment than at another. What is
over 1.05 is measured again, three times in all, and is called worse when it is still over 1.05: the exit code is then 1. A job that
OLD does not know or fails at is shown as "old: failed" and is no reason to stop.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from measure import Failed, Job, Meter

MILLION = 1_000_000
EXECUTORCH = ["timeline", "report"]  # words for --only beside the paths
TENSTORRENT = ["device", "advise", "tenstorrent"]
BYTES_PER_ROW = {"c1": 125, "c4": 125, "r1": 100, "r2": 150, "r3": 65, "mlir": 150, "etdump": 85, "et-timeline": 200, "tt-device": 40, "tt-ops": 1200, "kineto": 320, "pb": 60}  # a little more than it takes


class Path:
    """A way through the program that is measured."""

    def __init__(self, name, format_name, words, writes=False):
        self.name = name
        self.format = format_name
        self.words = words  # {input} and {output} are replaced
        self.writes = writes  # a trace, whose size is shown


PATHS = [
    Path("convert c1", "c1", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert c4", "c4", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert r1", "r1", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert r2", "r2", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert r3", "r3", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert mlir", "mlir", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("convert c1 to a file", "c1", ["convert", "{input}", "-o", "{output}"], writes=True),
    Path("convert r3 to a file", "r3", ["convert", "{input}", "-o", "{output}"], writes=True),
    Path("convert c1 --no-args", "c1", ["convert", "{input}", "-o", "{output}", "--no-args"], writes=True),
    Path("convert r3 --no-args", "r3", ["convert", "{input}", "-o", "{output}", "--no-args"], writes=True),
    Path("summary c1", "c1", ["summary", "{input}"]),
    Path("summary r3", "r3", ["summary", "{input}"]),
    Path("convert etdump", "etdump", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("summary etdump", "etdump", ["summary", "{input}"]),
    Path("summary et-timeline", "et-timeline", ["summary", "{input}"]),
    Path("convert kineto", "kineto", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("summary kineto", "kineto", ["summary", "{input}"]),
    Path("summary pb", "pb", ["summary", "{input}"]),
    Path("convert pb", "pb", ["convert", "{input}", "--pb", "/dev/null"]),
    Path("annotate r3", "r3", ["annotate", "{mlir}", "{input}", "{output}"]),
]


class Bench:
    def __init__(self, tacho, tools, folder, old=None):
        self.tacho = tacho
        self.tools = tools
        self.meter = Meter(tacho, os.path.join(tools, "baseline"), old)
        self.folder = folder
        self.inputs = {}  # (format, rows) -> (file, lines, gaps)
        self.failures = []

    def check_space(self, needed):
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            raise Failed(
                f"{self.folder}: {needed / 1e9:.1f} GB are needed for generated files, {free / 1e9:.1f} GB are free; "
                "set TMPDIR to a larger disk, or ask for fewer --rows"
            )

    def input(self, format_name, rows):
        """A generated file, read once so that it lies in the page cache."""
        key = (format_name, rows)
        if key in self.inputs:
            return self.inputs[key]
        self.check_space(rows * BYTES_PER_ROW[format_name])
        if format_name == "pb":
            return self.converted(key)
        suffix = {"mlir": "mlir", "etdump": "etdump", "kineto": "json"}.get(format_name, "csv")
        name = os.path.join(self.folder, f"{format_name}_{rows}.{suffix}")
        with open(name, "wb") as file:
            made = subprocess.run([os.path.join(self.tools, "generate"), format_name, str(rows)], stdout=file,
                                  stderr=subprocess.PIPE, check=False)
        if made.returncode != 0:
            raise Failed(f"generate {format_name} {rows}: {made.stderr.decode(errors='replace')}")
        lines, gaps = map(int, re.search(rb"lines (\d+) gaps (\d+)", made.stderr).groups())
        subprocess.run([os.path.join(self.tools, "baseline"), name], stdout=subprocess.DEVNULL, check=True)
        self.inputs[key] = (name, lines, gaps)
        return self.inputs[key]

    def converted(self, key):
        """A trace that the tool itself made."""
        source, lines, gaps = self.input("c1", key[1])
        name = os.path.join(self.folder, f"pb_{key[1]}.pb")
        made = subprocess.run([self.tacho, "convert", "-q", source, "-o", name], stderr=subprocess.PIPE, check=False)
        if made.returncode != 0:
            raise Failed(f"convert {source}: {made.stderr.decode(errors='replace')}")
        subprocess.run([os.path.join(self.tools, "baseline"), name], stdout=subprocess.DEVNULL, check=True)
        self.inputs[key] = (name, lines, gaps)
        return self.inputs[key]

    def drop(self, format_name, rows):
        name, _, _ = self.inputs.pop((format_name, rows))
        os.unlink(name)

    def job(self, path, rows):
        name, lines, gaps = self.input(path.format, rows)
        places = {"input": name, "output": os.path.join(self.folder, "output.pb" if path.writes else "output.csv")}
        if any("{mlir}" in word for word in path.words):
            places["mlir"] = self.input("mlir", 10_000)[0]
        if path.writes:
            self.check_space(lines * 80)
        output = places["output"] if "{output}" in path.words else None
        return Job(path.name, [word.format(**places) for word in path.words], [name], lines, gaps, output, path.writes)

    def measure(self, job):
        """The figures of a job, of which a row is printed; None where the tool failed."""
        try:
            figures = self.meter.measure(job)
        except Failed as failure:
            return self.fail(job.name, failure)
        self.meter.print_row(figures)
        return figures

    def fail(self, name, failure):
        self.failures.append(name)
        print(f"{name:<22} failed: {failure}", flush=True)

    def measure_path(self, path, rows):
        try:
            job = self.job(path, rows)
        except Failed as failure:
            return self.fail(path.name, failure)
        return self.measure(job)

    def limit(self, what, value, most, unit):
        kept = value <= most
        if not kept:
            self.failures.append(what)
        print(f"  {'pass' if kept else 'FAIL'}  {what}: {value:.2f}{unit}, limit {most:.2f}{unit}")


def table(bench, paths, rows):
    bench.meter.print_head()
    results = {path.name: bench.measure_path(path, rows) for path in paths}
    return {name: figures for name, figures in results.items() if figures}


def check_ten_million(bench, results):
    """The limits at ten million rows."""
    for name, most in (("convert c1", 12), ("convert r3", 8), ("summary c1", 12), ("summary r3", 12), ("summary pb", 25), ("convert pb", 25)):
        if name in results:
            bench.limit(f"{name}: CPU time against the baseline", results[name].ratio, most, " x")
    for name in ("convert c1", "convert r3"):
        if name in results:
            most = 64e6 + 16 * results[name].job.gaps
            bench.limit(f"{name}: peak RSS (64 MB and 16 bytes for each of {results[name].job.gaps:,} gaps)",
                        results[name].rss / 1e6, most / 1e6, " MB")
    for name in ("summary c1", "summary r3"):
        if name in results:
            bench.limit(f"{name}: memory per row, strings and program included",
                        results[name].rss / results[name].job.rows, 48, " B")
    for name, most in (("convert c1 to a file", 30), ("convert r3 to a file", 30), ("convert c1 --no-args", 16),
                       ("convert r3 --no-args", 16)):
        if name in results and results[name].bytes_per_event:
            bench.limit(f"{name}: bytes per trace event", results[name].bytes_per_event, most, " B")


def pad_record(source, target, size):
    """The record with so many bytes of weights in its graph, stored as the exporter stores them. Written in pieces: what this script
    holds in memory is counted as the child's."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            with new.open(name, "w") as member:
                if name == "edge_dialect_exported_program/forward":
                    member.write(b'{"weights": "')
                    for _ in range(size // 12_000):
                        member.write(b"QUJDREVGR0g9" * 1000)
                    member.write(b'", ')
                    data = data.lstrip()[1:]
                member.write(data)


def executorch_jobs(bench):
    """Timelines of a dump, a report over two timelines, a small dump beside a large record."""
    dump, events, _ = bench.input("etdump", MILLION)
    runs = os.path.join(bench.folder, "runs")
    timelines = []
    for side in ("sme2_off", "sme2_on"):
        made, rows, _ = bench.input("et-timeline", MILLION)
        os.makedirs(os.path.join(runs, side))
        timelines.append(os.path.join(runs, side, f"net_{side}_t1_exec_all_runs_timeline.csv"))
        shutil.copyfile(made, timelines[-1])
    small = os.path.join(bench.folder, "record")
    os.makedirs(small)
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data")
    shutil.copyfile(os.path.join(data, "operators", "broken_graph_mac_sme2_on_t1.etdump"), os.path.join(small, "net_t1.etdump"))
    record = os.path.join(small, "net.etrecord")
    pad_record(os.path.join(data, "etrecord", "broken_graph.etrecord"), record, 40_000_000)
    out = os.path.join(bench.folder, "timelines")
    return [
        Job("timeline etdump", ["timeline", dump, "--out-dir", out, "--all-runs"], [dump], events, output=out),
        Job("report, two timelines", ["report", "--run-dir", runs], timelines, 2 * rows),
        Job("timeline, 40 MB record", ["timeline", os.path.join(small, "net_t1.etdump"), "--out-dir", out, "--all-runs"], [record],
            os.path.getsize(record) // 1000, output=out),
    ]


def executorch(bench, only):
    jobs = [job for job in executorch_jobs(bench) if not only or only in job.name]
    print("\nExecuTorch")
    bench.meter.print_head()
    results = {job.name: bench.measure(job) for job in jobs}
    figures = results.get("timeline etdump")
    if figures:
        bench.limit("timeline etdump: CPU seconds for a million events", figures.cpu, 0.75, " s")
        bench.limit("timeline etdump: peak RSS against the file's size", figures.rss / figures.size, 3, " x")
    figures = results.get("report, two timelines")
    if figures:
        bench.limit("report: CPU time against the baseline", figures.ratio, 12, " x")
        bench.limit("report: peak RSS", figures.rss / 1e6, 100, " MB")
    figures = results.get("timeline, 40 MB record")
    if figures:
        bench.limit("timeline beside a record of 40 MB: CPU time against reading the record", figures.ratio, 5, " x")


KINETO_ROWS = 3_945_000  # a file of a gigabyte


def kineto(bench, rows):
    """A trace of PyTorch's profiler: both walks over it, and memory that grows by little with it."""
    print("\nKineto")
    bench.meter.print_head()
    for path in (path for path in PATHS if path.format == "kineto"):
        figures = bench.measure_path(path, rows)
        if not figures:
            continue
        bench.limit(f"{path.name}, {figures.size / 1e9:.1f} GB: CPU time against the baseline", figures.ratio, 16, " x")
        if path.words[0] == "convert":
            bench.limit(f"{path.name}, {figures.size / 1e9:.1f} GB: peak RSS", figures.rss / 1e6, 64, " MB")


ADVISE_ROWS = 100_000


def measure_device(bench, markers):
    """The statistics of a log, and the JSON files of one with a million markers or less."""
    log, markers, _ = bench.input("tt-device", markers)
    small, few, _ = bench.input("tt-device", min(markers, MILLION))
    out = os.path.join(bench.folder, "device")
    bench.check_space(few * 1000)
    quiet = ["-o", out, "--no-print-stats", "--no-plots"]
    statistics = bench.measure(Job("device, statistics", ["device", "-d", log, *quiet, "--no-artifacts"], [log], markers, output=out))
    artifacts = bench.measure(Job("device, artifacts", ["device", "-d", small, *quiet, "--artifacts"], [small], few, output=out))
    if statistics:
        bench.limit(f"device, {markers:,} markers: CPU time against the baseline", statistics.ratio, 12, " x")
    if statistics and markers >= MILLION:  # below, it is the memory of the program itself
        bench.limit(f"device, {markers:,} markers: peak RSS per marker", statistics.rss / markers, 64, " B")
    if artifacts:
        written = artifacts.output_size
        bench.limit(f"device, artifacts: CPU seconds for 300 MB of JSON ({written / 1e6:.0f} MB were written)",
                    artifacts.cpu * 300e6 / written, 1, " s")


def measure_advise(bench):
    """Every operation of a report, and what the command shows by default, which is those behind the last signpost."""
    report, rows, _ = bench.input("tt-ops", ADVISE_ROWS)
    for name, more in (("advise", []), ("advise, all rows", ["--ignore-signposts"])):
        figures = bench.measure(Job(name, ["advise", "-q", report, *more], [report], rows))
        if figures:
            bench.limit(f"{name}, {rows:,} rows: CPU time against the baseline", figures.ratio, 15, " x")


def tenstorrent(bench, markers, only):
    """Device logs and ops reports: the limits hold from a million markers on, and are promised for ten million."""
    print("\nTenstorrent")
    bench.meter.print_head()
    if not only or only in ("device", "tenstorrent"):
        measure_device(bench, markers)
    if not only or only in ("advise", "tenstorrent"):
        measure_advise(bench)


def full(bench, only):
    """1, 10 and 50 million rows of the two formats that matter most, ten million slices of a trace."""
    costs = {}
    for format_name, sizes in (("c1", (1, 10, 50)), ("r3", (1, 10, 50)), ("pb", (10,))):
        paths = [path for path in PATHS if path.format == format_name and path.words[0] != "annotate"
                 and (not only or only in path.name)]
        flat = [path for path in paths if not path.writes]
        for millions in sizes if paths else ():
            print(f"\n{format_name}, {millions} million rows")
            results = table(bench, paths if millions == 10 else flat, millions * MILLION)
            for path in flat:
                if path.name in results:
                    costs[path.name, millions] = results[path.name].row_ns
            if millions == 10:
                check_ten_million(bench, results)
            if (format_name, millions * MILLION) in bench.inputs:
                bench.drop(format_name, millions * MILLION)
    print("\ncost per row")
    for name in dict.fromkeys(name for name, _ in costs):
        sizes = [millions for millions in (1, 10, 50) if (name, millions) in costs]
        print(f"  {name}: " + ", ".join(f"{costs[name, millions]:.1f} ns at {millions} million" for millions in sizes))
        if 1 in sizes and 50 in sizes:
            bench.limit(f"{name}: cost per row, 50 million against 1 million", costs[name, 50] / costs[name, 1], 1.15,
                        " x")


def read_options():
    parser = argparse.ArgumentParser(description="Measures tacho against counting newlines.")
    parser.add_argument("--tacho", required=True, help="the program to measure")
    parser.add_argument("--tools", required=True, help="folder with the programs generate and baseline")
    parser.add_argument("--rows", type=int, default=MILLION, help="rows of each generated file (default 1,000,000)")
    parser.add_argument("--only", help="paths whose name contains this, such as 'convert r3'")
    parser.add_argument("--full", action="store_true",
                        help="1, 10 and 50 million rows, and the limits; needs 7 GB of disk")
    parser.add_argument("--against", metavar="OLD", help="another build of tacho, measured in the same rounds")
    return parser.parse_args()


def measure_all(bench, paths, options):
    if options.full:
        bench.check_space(50 * MILLION * BYTES_PER_ROW["c1"] + 10 * MILLION * 80)
    if [path for path in paths if path.format != "kineto"]:
        table(bench, [path for path in paths if path.format != "kineto"], options.rows)
    if not options.only or options.only in EXECUTORCH:
        executorch(bench, options.only)
    if not options.only or options.only in TENSTORRENT:
        tenstorrent(bench, 10 * MILLION if options.full else options.rows, options.only)
    if not options.only or "kineto" in options.only:
        kineto(bench, KINETO_ROWS if options.full else options.rows)
    if options.full:
        for key in list(bench.inputs):
            bench.drop(*key)
        full(bench, options.only)


def complaint(options, paths):
    """Why nothing can be measured; None where all is well."""
    if not paths and options.only not in EXECUTORCH + TENSTORRENT:
        names = [path.name for path in PATHS] + EXECUTORCH + TENSTORRENT
        return "no such path; there are: " + ", ".join(names)
    for program in (options.tacho, os.path.join(options.tools, "generate"), os.path.join(options.tools, "baseline")):
        if not os.access(program, os.X_OK):
            return f"{program} is not there; `make` builds it"
    if options.against and not os.access(options.against, os.X_OK):
        return f"{options.against} is not there"
    return None


def main():
    options = read_options()
    paths = [path for path in PATHS if not options.only or options.only in path.name]
    wrong = complaint(options, paths)
    if wrong:
        print(f"bench.py: {wrong}", file=sys.stderr)
        return 2
    old = os.path.abspath(options.against) if options.against else None
    with tempfile.TemporaryDirectory(prefix="tacho-bench-") as folder:
        bench = Bench(os.path.abspath(options.tacho), os.path.abspath(options.tools), folder, old)
        try:
            measure_all(bench, paths, options)
        except Failed as failure:
            print(f"bench.py: {failure}", file=sys.stderr)
            return 1
    if old:
        bench.failures += bench.meter.print_comparison()
    if bench.failures:
        print("\nnot kept: " + "; ".join(bench.failures))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
