#!/usr/bin/env python3
"""What recording costs: recorder.py --tools BUILD/bench [--zones N] [--no-lttng].

    a zone while 64 MB are ready     beside two readings of the CPU's counter, two of the system's clock, an empty loop
    idle                             the same code when nothing is recorded
    sustained                        100 million zones in all, on one thread and on two, by the time that they took; the longest stall
    LTTng-UST                        a begin and an end with a session running, events counted afterwards

All in one run, the best of some rounds, since these machines are shared. Limits that are missed are named, and make it fail."""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SUSTAINED_ROUNDS = 3
HERE = pathlib.Path(__file__).resolve().parent


def numbers(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True, **options)
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines() if len(line.split()) == 2)}


def count_events(traces):
    """What babeltrace2 counts, in words."""
    done = subprocess.run(["babeltrace2", traces, "--component=sink.utils.counter"], capture_output=True, text=True, check=False)
    counted = re.findall(r"([\d,]+) Event messages?", done.stdout)
    return f"{counted[-1]} events arrived" if counted else "events not counted: babeltrace2 is not here"


def run_lttng(folder):
    """Nanoseconds of a begin and an end, and how many events arrived; None: there is no LTTng here."""
    if not shutil.which("lttng") or subprocess.run(["pkg-config", "--exists", "lttng-ust"], check=False).returncode:
        return None
    program = folder / "lttng_zones"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "lttng-ust"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["cc", "-O2", "-I", HERE / "lttng", HERE / "lttng" / "zones.c", "-o", program, *flags, "-ldl"], check=True)
    home = dict(os.environ, LTTNG_HOME=str(folder))
    quiet = {"env": home, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    # The daemon stays behind, and would hold our pipes.
    daemon = folder / "sessiond.pid"
    subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel", "--pidfile", daemon], **{**quiet, "check": False})
    traces = folder / "traces"
    subprocess.run(["lttng", "create", "zones", "--output", traces], **quiet)
    try:
        subprocess.run(["lttng", "enable-channel", "--userspace", "wide", "--subbuf-size=64M", "--num-subbuf=4"], **quiet)
        subprocess.run(["lttng", "enable-event", "--userspace", "zones:*", "--channel", "wide"], **quiet)
        subprocess.run(["lttng", "start"], **quiet)
        found = numbers(program, 200000, env=home)
        subprocess.run(["lttng", "stop"], **quiet)
        arrived = count_events(traces)
    finally:
        subprocess.run(["lttng", "destroy", "zones"], **{**quiet, "check": False})
        if daemon.exists():
            os.kill(int(daemon.read_text()), signal.SIGTERM)
    return found["zone"], arrived


class Limits:
    def __init__(self):
        self.missed = []

    def row(self, what, value, unit, most=None, note=""):
        kept = most is None or value <= most
        limit = "" if most is None else f"  (limit {most:g})" if kept else f"  MISSED: limit {most:g}"
        print(f"  {what:<44}{value:10.2f} {unit:<6}{limit}{note}")
        if not kept:
            self.missed.append(what)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, type=pathlib.Path, help="folder with the program zones")
    parser.add_argument("--zones", type=int, default=100_000_000, help="of the sustained recording")
    parser.add_argument("--folder", help="where recordings go (default: the usual one for temporary files)")
    parser.add_argument("--no-lttng", action="store_true")
    options = parser.parse_args()
    program = options.tools / "zones"
    limits = Limits()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        file = folder / "zones.tacho"
        ready = numbers(program, "prefaulted", file)
        raw = ready["counters"]
        print("A zone (begin + end), nanoseconds")
        limits.row("two readings of the CPU's counter", raw, "ns")
        limits.row("two readings of the system's clock", ready["clocks"], "ns")
        limits.row("zone, 64 MB ready", ready["zone"], "ns")
        limits.row("  against two readings of the counter", ready["zone"] / raw, "x", 1.3)
        limits.row("  bytes", 32, "B", 32)
        limits.row("idle zone, over an empty loop", ready["idle"] - ready["empty"], "ns", 1)
        lttng = None if options.no_lttng else run_lttng(folder)
        if lttng:
            limits.row("LTTng-UST, a session running", lttng[0], "ns", note=f"  ({lttng[1]})")
            limits.row("  zone against LTTng-UST", ready["zone"] / lttng[0], "x", 0.2)
        else:
            print("  LTTng-UST is not here: apt-get install lttng-tools liblttng-ust-dev")
        for threads in (1, 2):
            rounds = []
            for _ in range(SUSTAINED_ROUNDS):
                rounds.append(numbers(program, "sustained", file, threads, options.zones))
                file.unlink()
            best = min(rounds, key=lambda found: found["zone"])
            limits.row(f"sustained, {options.zones:,} zones, {threads} thread{'s' if threads > 1 else ''}", best["zone"] / threads, "ns",
                       note="" if threads == 1 else f"  ({best['zone']:.1f} ns for each of them)")
            limits.row("  against two readings of the counter", best["zone"] / threads / raw, "x", 3)
            limits.row("  longest stall", best["stall"] / 1e6, "ms")
    if limits.missed:
        print("missed: " + "; ".join(limits.missed))
    return 1 if limits.missed else 0


if __name__ == "__main__":
    sys.exit(main())
