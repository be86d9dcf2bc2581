"""How often the tool calls two halves of the same thing different.

    tests/aa_launches.py [PAIRS]

Draws pairs of 5 launches a side out of launches of one build and thread count (tests/data/latency/launches.csv), by a fixed
seed, and compares them with `tacho latency`. At the 1 % level about 1 pair in 100 may be called different; more than 2 in 100
is a failure (exit code 1). For contrast: what a test over runs, which are not independent, would have said.
"""
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import tool

LAUNCHES = tool.DATA / "latency" / "launches.csv"
SEED = 4
A_SIDE = 5
ALLOWED = 0.02


def launches_by_kind():
    """(kernels, threads) -> list of launches, each a list of (iteration, ms) as they stand in the file."""
    kinds = {}
    with open(LAUNCHES, newline="") as file:
        for row in csv.DictReader(file):
            kind = kinds.setdefault((row["kernels"], row["threads"]), {})
            kind.setdefault(row["launch"], []).append((row["iteration"], row["ms"]))
    return {kind: list(launches.values()) for kind, launches in kinds.items()}


def write_pair(path, launches):
    with open(path, "w") as file:
        file.write("side,launch,iteration,ms\n")
        for number, launch in enumerate(launches):
            side = "a" if number < A_SIDE else "b"
            file.writelines(f"{side},{number},{iteration},{ms}\n" for iteration, ms in launch)


def compare(path):
    command = [tool.TACHO, "latency", str(path), "--baseline", "side=a", "--candidate", "side=b", "--rounds", "1", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, env=tool.environment()).stdout)


def count_different(pairs):
    """How many of the pairs are different by the verdict, and would be by a test over runs."""
    source = random.Random(SEED)
    kinds = launches_by_kind()
    by_launches = by_runs = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "pair.csv")
        for _ in range(pairs):
            kind = source.choice(sorted(kinds))
            write_pair(path, source.sample(kinds[kind], 2 * A_SIDE))
            answer = compare(path)
            by_launches += answer["verdict"] in ("faster", "slower")
            by_runs += answer["over_runs"]["different"]
    return by_launches, by_runs


def main(pairs):
    by_launches, by_runs = count_different(pairs)
    print(f"{pairs} pairs of {A_SIDE} launches a side of the same thing, seed {SEED}")
    print(f"called different by the test over launches: {by_launches} ({by_launches / pairs:.1%}, at most {ALLOWED:.0%} allowed)")
    print(f"would have been by a test over runs:        {by_runs} ({by_runs / pairs:.1%})")
    return 0 if by_launches <= ALLOWED * pairs else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
