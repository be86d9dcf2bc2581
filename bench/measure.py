"""Runs jobs in rounds and keeps the best of what they cost; bench.py says which jobs there are.

A round is the baseline, the tool and, where one is given, an older tool, one after the other, so that a machine that
slows down for a while slows all of them down. What a tool wrote is removed before the next one runs: replacing files
costs more than making them. Figures belong to who asked for them; the meter keeps those that have an older tool's
beside them.
"""

import os
import re
import shutil
import statistics
import subprocess
import tempfile

ROUNDS = 5
WORSE = 1.05  # times the CPU time of the older tool
ATTEMPTS = 3  # what seems worse is measured so often before it is called so
LEAST = 1e-6  # seconds: what took no time that the kernel counts


class Failed(Exception):
    """A program that should have worked did not."""


class Job:
    """A command on files, measured against reading some of them."""

    def __init__(self, name, words, read, rows, gaps=0, output=None, counts_events=False):
        self.name = name
        self.words = words  # what follows the tool's name
        self.read = read  # files that the baseline reads
        self.rows = rows
        self.gaps = gaps  # between the intervals of the file
        self.output = output  # a file or folder that it makes, removed behind each run
        self.counts_events = counts_events  # the tool says how many events it wrote there


class Figures:
    """What came out of measuring a job."""

    def __init__(self, job):
        self.job = job
        self.size = sum(os.path.getsize(name) for name in job.read)
        self.baseline = None  # CPU seconds, the best of all rounds, as are cpu and old
        self.cpu = None
        self.old = None
        self.old_failure = None  # why there is no figure of the older tool
        self.pairs = []  # ratios of a round to the older tool
        self.attempts = []  # ratios to the older tool, as they were after each five rounds
        self.rss = 0
        self.output_size = 0
        self.events = None

    @property
    def ratio(self):
        return self.cpu / self.baseline

    @property
    def row_ns(self):
        return self.cpu * 1e9 / self.job.rows

    @property
    def against(self):
        """How often the older tool's CPU time fits into that of the new one, in the rounds in the middle: of two runs that follow each other the
        machine was as fast in both, as a rule, while the best of all may be of a moment that only one of the tools had."""
        return statistics.median(self.pairs) if self.pairs else None

    @property
    def worse(self):
        return self.old is not None and self.against > WORSE

    @property
    def bytes_per_event(self):
        return self.output_size / self.events if self.output_size and self.events else None


def run(words, printed):
    """Runs a program; gives CPU seconds and peak RSS in bytes. What it prints goes to the file `printed`."""
    printed.seek(0)
    printed.truncate()
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Failed(f"{' '.join(words)}: exit code {child.returncode}\n{text_of(printed)}")
    return max(usage.ru_utime + usage.ru_stime, LEAST), usage.ru_maxrss * 1024


def text_of(printed):
    printed.seek(0)
    return printed.read().decode(errors="replace")


def count_events(text):
    """Trace events by what `convert` says: a begin and an end for each slice where it only gives those."""
    for word, each in (("events", 1), ("slices", 2)):
        found = re.search(rf"([\d,]+) {word}", text)
        if found:
            return each * int(found.group(1).replace(",", ""))
    return None


def size_of(path):
    """Bytes of a file, or of the JSON files in a folder."""
    if os.path.isdir(path):
        return sum(entry.stat().st_size for entry in os.scandir(path) if entry.name.endswith(".json"))
    return os.path.getsize(path)


def remove(path):
    """Where there is something."""
    if path and os.path.isdir(path):
        shutil.rmtree(path)
    elif path and os.path.exists(path):
        os.unlink(path)


def better(best, value):
    return value if best is None else min(best, value)


class Meter:
    def __init__(self, tacho, baseline, old=None):
        self.tacho = tacho
        self.baseline = baseline
        self.old = old
        self.compared = []  # figures, in the order of measuring

    def measure(self, job):
        """What seems worse than the older tool gets more rounds, and is believed after the third time."""
        figures = Figures(job)
        self.run_rounds(figures)
        while figures.worse and len(figures.attempts) < ATTEMPTS:
            self.run_rounds(figures)
        if self.old:
            self.compared.append(figures)
        return figures

    def run_rounds(self, figures):
        with tempfile.TemporaryFile() as printed:
            for number in range(ROUNDS):
                self.run_baseline(figures, printed)
                if self.old and not figures.old_failure:
                    self.run_pair(figures, printed, new_first=number % 2 == 0)
                else:
                    self.run_new(figures, printed)
        figures.attempts.append(figures.against)

    def run_baseline(self, figures, printed):
        cpu = sum(run([self.baseline, *(["--binary"] if name.endswith(".pb") else []), name], printed)[0] for name in figures.job.read)
        figures.baseline = better(figures.baseline, cpu)

    def run_pair(self, figures, printed, new_first):
        """One behind the other, in turn the new one and the older one first."""
        times = {}
        for run_one in (self.run_new, self.run_old) if new_first else (self.run_old, self.run_new):
            times[run_one] = run_one(figures, printed)
        if times[self.run_old]:
            figures.pairs.append(times[self.run_new] / times[self.run_old])

    def run_new(self, figures, printed):
        """Its CPU seconds."""
        job = figures.job
        try:
            cpu, rss = run([self.tacho, *job.words], printed)
            figures.output_size = size_of(job.output) if job.output else 0
        finally:
            remove(job.output)
        figures.cpu = better(figures.cpu, cpu)
        figures.rss = max(figures.rss, rss)
        if job.counts_events:
            figures.events = count_events(text_of(printed))
        return cpu

    def run_old(self, figures, printed):
        """The same; None: it failed."""
        try:
            cpu, _ = run([self.old, *figures.job.words], printed)
            figures.old = better(figures.old, cpu)
            return cpu
        except Failed as failure:
            figures.old, figures.old_failure = None, str(failure)
            return None
        finally:
            remove(figures.job.output)

    # ---- what is shown -------------------------------------------------------------------------------------------

    def print_head(self):
        print(f"{'path':<22}{'rows':>12}{'rows/s':>13}{'MB/s':>8}{'ns/row':>9}{'baseline':>10}{'ratio':>8}"
              f"{'peak RSS':>11}{'B/event':>9}" + (f"{'old':>10}{'new/old':>9}" if self.old else ""))

    def print_row(self, figures):
        per_event = f"{figures.bytes_per_event:.2f}" if figures.bytes_per_event else "-"
        rows = figures.job.rows
        old = ""
        if figures.old:
            old = f"{figures.old * 1e9 / rows:>8.1f}ns{figures.against:>9.2f}"
        elif figures.old_failure:
            old = "   old: failed"
        print(f"{figures.job.name:<22}{rows:>12,}{rows / figures.cpu:>13,.0f}{figures.size / figures.cpu / 1e6:>8,.0f}"
              f"{figures.row_ns:>9.1f}{figures.baseline * 1e9 / rows:>8.1f}ns{figures.ratio:>8.2f}"
              f"{figures.rss / 2**20:>8.1f}MiB{per_event:>9}{old}", flush=True)

    def print_comparison(self):
        """All ratios to the older tool, the worst last; gives what is worse, in words."""
        worse = []
        print(f"\nCPU time, new/old ({self.old})")
        for figures in sorted((one for one in self.compared if one.old), key=lambda one: one.against):
            what = f"{figures.job.name}, {figures.job.rows:,} rows"
            tried = ", measured again: " + ", ".join(f"{ratio:.3f}" for ratio in figures.attempts) if len(figures.attempts) > 1 else ""
            print(f"  {figures.against:>6.3f}  {what}{tried}{'  WORSE' if figures.worse else ''}")
            if figures.worse:
                worse.append(f"{what}: {figures.against:.2f} x the CPU time of the older tool")
        for figures in self.compared:
            if figures.old_failure:
                print(f"  old: failed  {figures.old_failure.strip()}")
        return worse
