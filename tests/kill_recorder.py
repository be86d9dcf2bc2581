#!/usr/bin/env python3
"""Kills a program that records, at random times: kill_recorder.py BUILD [--times N] [--seed S].

The program counts the zones that ended in a page of its own, which survives it. The recording must be readable, and must have every one of
them: at most one more a thread, whose end was recorded and not yet counted."""
import argparse
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

import recording_reference

STEP, THREADS = 4096, 64


def ended(path):
    """Zones that the killed program had counted, in all."""
    with open(path, "rb") as file:
        data = file.read()
    return sum(struct.unpack_from("<Q", data, STEP * i)[0] for i in range(len(data) // STEP))


def kill_once(program, folder, delay, threads, ring):
    recording, counters = folder / "killed.tacho", folder / "counters"
    for path in (recording, counters):
        path.unlink(missing_ok=True)
    variables = dict(os.environ, TACHO_RECORD=str(recording), TACHO_CAP="64")
    if ring:
        variables["TACHO_RING"] = "16"
    started = subprocess.Popen([program, "kill", counters, str(threads)], env=variables)
    while not counters.exists():
        assert started.poll() is None, "it ended by itself"
        time.sleep(0.0002)
    time.sleep(delay)
    started.send_signal(signal.SIGKILL)
    started.wait()
    if not recording.exists() or recording.stat().st_size == 0:
        return 0, 0, 0  # before there was anything to record
    counted = ended(counters)
    process, = recording_reference.read(recording)
    done, still_open, without = process.zones()
    if not ring and without:
        raise SystemExit(f"{without} zones ended that never began")
    return counted, len(done), sum(process.dropped)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    zones = lost = 0
    with tempfile.TemporaryDirectory() as name:
        for i in range(options.times):
            threads = chance.choice((1, 1, 2, 4))
            ring = chance.random() < 0.1
            counted, recorded, dropped = kill_once(options.build / "tests" / "zones", pathlib.Path(name),
                                                   chance.random() ** 3 * 0.008, threads, ring)
            zones += counted
            if not ring and recorded + dropped < counted:
                lost += counted - recorded
                print(f"kill {i}: {counted} zones had ended, {recorded} are in the recording ({threads} threads)")
            if not ring and dropped == 0 and recorded > counted + 2 * threads:
                raise SystemExit(f"kill {i}: {recorded} zones recorded, only {counted} ended")
    print(f"{options.times} kills: {zones} zones had ended, {lost} of them lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
