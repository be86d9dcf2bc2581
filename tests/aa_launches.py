"""How often the tool calls launches of the same thing different, and how often it finds that one side was made slower.

    tests/aa_launches.py [PAIRS]

Draws pairs of sides out of the launches of one build and thread count (tests/data/latency/launches.csv) without replacement,
by a fixed seed, half of the pairs from each build. The times of the second side are multiplied by the factor of the case, and
`tacho latency` compares them. A line for each case: how many pairs are called different by the verdict, and, for contrast, how
many would be by a Mann-Whitney test over launches that knows no modes, and by one over runs. At the 1 % level about 1 pair in
100 of the same thing may be called different. A case that misses its bound is a failure (exit code 1).
"""
import collections
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
BUILDS = ("on", "off")

Case = collections.namedtuple("Case", "threads a_side factor most least")  # bounds: shares of the pairs
CASES = [
    Case(1, 5, 1.00, 0.02, 0),
    Case(1, 10, 1.00, 0.02, 0),
    Case(2, 5, 1.00, 0.02, 0),
    Case(2, 10, 1.00, 0.02, 0),
    Case(1, 10, 1.05, 1, 0.95),
    Case(2, 10, 1.10, 1, 0.90),
]


def launches_by_kind():
    """(build, threads) -> list of launches, each a list of (iteration, ms)."""
    kinds = {}
    with open(LAUNCHES, newline="") as file:
        for row in csv.DictReader(file):
            kind = kinds.setdefault((row["kernels"], int(row["threads"])), {})
            kind.setdefault(row["launch"], []).append((row["iteration"], float(row["ms"])))
    return {kind: list(launches.values()) for kind, launches in kinds.items()}


def write_pair(path, launches, case):
    with open(path, "w") as file:
        file.write("side,launch,iteration,ms\n")
        for number, launch in enumerate(launches):
            side, factor = ("a", 1) if number < case.a_side else ("b", case.factor)
            file.writelines(f"{side},{number},{iteration},{ms * factor:.9f}\n" for iteration, ms in launch)


def compare(path):
    command = [tool.TACHO, "latency", str(path), "--baseline", "side=a", "--candidate", "side=b", "--rounds", "1", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, env=tool.environment()).stdout)


def count(case, pairs):
    """Of the pairs of a case: how many are different, by build; by which question; by ranks without modes; by runs."""
    source = random.Random(f"{SEED} {case.threads} {case.a_side}")
    kinds = launches_by_kind()
    found = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "pair.csv")
        for number in range(pairs):
            build = BUILDS[number % 2]
            write_pair(path, source.sample(kinds[build, case.threads], 2 * case.a_side), case)
            answer = compare(path)
            different = answer["verdict"] in ("faster", "slower")
            if different:
                found["verdict"] += 1
                found[build] += 1
                found[answer["decided_by"]] += 1
            found["without modes"] += answer["over_launches"]["different"]
            found["runs"] += answer["over_runs"]["different"]
            found["wrong way"] += different and case.factor > 1 and answer["verdict"] == "faster"
    return found


def holds(case, pairs, found, slack=0):
    """Whether the counts keep the bounds of the case, but for so many pairs."""
    return (case.least * pairs - slack <= found["verdict"] <= max(case.most * pairs, 1) + slack) and not found["wrong way"]


def main(pairs):
    good = True
    print(f"{pairs} pairs a case, seed {SEED}; called different:")
    print("threads  launches  second side      verdict  bound    on  off  inside  occurrence  without modes   runs")
    for case in CASES:
        found = count(case, pairs)
        kept = holds(case, pairs, found)
        good = good and kept
        what = "the same" if case.factor == 1 else f"{case.factor:.2f}x the time"
        bound = f"<= {case.most * pairs:.0f}" if case.factor == 1 else f">= {case.least * pairs:.0f}"
        print(f"{case.threads:7}  {case.a_side:8}  {what:14}  {found['verdict']:8}  {bound:>6}  {found['on']:3}  {found['off']:3}"
              f"  {found['inside modes']:6}  {found['mode occurrence']:10}  {found['without modes']:13}  {found['runs']:5}"
              f"{'' if kept else '  FAILS'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
