"""How often a comparison calls rows of the same thing different, and how often it finds the operator that was made slower.

    tests/aa_compare.py [COMPARISONS [FILE...]]

A launch is a net of tests/planted whose operators take what they take on average, with the noise of a run, times what the run of a real launch
(tests/data/latency/launches.csv, one thread) took over the median of its build. Launches are drawn without replacement by a fixed seed. Both
sides are the same net; in the second case an operator that has a fifth of the time takes 5 % more on one side, in the third every other one does,
and the operator is not to be called changed. All comparisons of a case go through
one process (tests/programs/compare_launches.c), which does what `tacho compare` does from what launches took. A case that misses its bound is a
failure (exit code 1).

Files are launches of one thing (20 or so, of any format): of these, too, sides of 5 to 10 are drawn. Their rows are what `tacho compare` says of
each alone, of the run and of devices.
"""
import collections
import json
import random
import statistics
import subprocess
import sys

import aa_launches
import tool

sys.path.insert(0, str(tool.TESTS / "planted"))
import executorch as planted  # noqa: E402
import model  # noqa: E402

SEED = 5
RUNS = 10  # of a launch, with its first
SHARE, SLOWER = 0.20, 1.05
PROGRAM = tool.BUILD / "tests" / "compare_launches"

# What each operator is multiplied with on the second side; bounds: shares of the comparisons in which `counted` is so.
Case = collections.namedtuple("Case", "what least_launches most_launches chosen others counted most least")
CASES = [
    Case("the same, 5 to 10 launches a side", 5, 10, 1, 1, "any row", 0.02, 0),
    Case("one operator of 20 % takes 1.05x, 10 launches a side", 10, 10, SLOWER, 1, "first and certain", 1, 0.95),
    Case("all but one operator of 20 % take 1.05x, 10 launches a side", 10, 10, 1, SLOWER, "called changed", 0.02, 0),
]


def noise_of_launches():
    """By build: of each launch how its runs compare with the median of all launches."""
    found = {}
    for (build, threads), launches in aa_launches.launches_by_kind().items():
        if threads == 1:
            middle = statistics.median(statistics.median(ms for _, ms in launch) for launch in launches)
            found[build] = [[ms / middle for _, ms in launch][:RUNS] for launch in launches]
    return found


def draw_net(seed, planted_share):
    """Nanoseconds of its operators, and of calls; the number of the operator that may become slower, which then has its share."""
    net, calls = planted.draw_calls(model.Chance(seed), [])
    times = [operator.nanoseconds for operator in net.operators]
    chosen = random.Random(seed).randrange(len(times))
    if planted_share:
        rest = sum(times) - times[chosen]
        times[chosen] = rest * planted_share / (1 - planted_share)
    return times, sum(call.entry + call.beside for call in calls), chosen


def write_launch(chance, times, beside, factors):
    """Its runs and the means of those that count: the first is warm-up."""
    sums, idle, runs = [0] * len(times), 0, []
    for number, factor in enumerate(factors):
        took = [chance.noisy(time, 2) * factor for time in times]
        between = chance.noisy(beside, 4) * factor
        runs.append((sum(took) + between) / 1e6)
        if number:
            sums = [one + other for one, other in zip(sums, took)]
            idle += between
    counted = len(factors) - 1
    numbers = [f"{ms:.9f}" for ms in runs] + [str(round(one / counted)) for one in sums]
    return f"launch {round(idle / counted)} {len(runs)} {' '.join(numbers)}\n"


def write_comparison(number, case, noise):
    chance = model.Chance(f"{SEED}/{case.what}/{number}")
    times, beside, chosen = draw_net(f"{SEED}/{number}", 0 if case.chosen == case.others else SHARE)
    slower = [time * (case.chosen if at == chosen else case.others) for at, time in enumerate(times)]
    before, after = (chance.randint(case.least_launches, case.most_launches) for _ in range(2))
    build = ("on", "off")[number % 2]
    drawn = chance.sample(noise[build], before + after)
    launches = [write_launch(chance, times if at < before else slower, beside, factors) for at, factors in enumerate(drawn)]
    return f"comparison {before} {after} {len(times)}\n" + "".join(launches), chosen


def ask(texts):
    """What the program says of each comparison."""
    answers = subprocess.run([PROGRAM], input="".join(texts), capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(texts)
    return [answer.split() for answer in answers]


def count(case, comparisons):
    noise = noise_of_launches()
    written = [write_comparison(number, case, noise) for number in range(comparisons)]
    found = collections.Counter()
    for (_, chosen), answer in zip(written, ask([text for text, _ in written])):
        verdict, certain, first, sure, missed_parts, missed_operators, *changed = answer
        found["run"] += int(verdict) > 1
        found["any row"] += int(certain) > 0
        found["first and certain"] += first == str(chosen) and sure == "1"
        found["called changed"] += str(chosen) in changed
        found["does not add up"] += missed_parts != "0" or missed_operators != "0"
    return found


def holds(case, comparisons, found):
    return not found["does not add up"] and case.least * comparisons <= found[case.counted] <= case.most * comparisons


# ---- launches that were measured ----


def rows_of(path, of):
    """Of a launch: nanoseconds by row, and of its run; compared with itself, so that nothing is rounded."""
    (answer,) = json.loads(tool.good("compare", path, path, "--of", of, "--json", "-q").text)["models"]
    return {row["name"]: row["before_ns"] for row in answer["operators"]}, answer["totals"][0]["before_ns"]


def count_measured(files, of, comparisons):
    """How many comparisons of launches of the same thing have a certain row."""
    launches = [rows_of(path, of) for path in files]
    names = sorted({name for rows, _ in launches for name in rows})
    chance, texts = random.Random(f"{SEED} {of}"), []
    for _ in range(comparisons):
        before, after = (chance.randint(5, min(10, len(files) // 2)) for _ in range(2))
        lines = [f"comparison {before} {after} {len(names)}\n"]
        for rows, run in chance.sample(launches, before + after):
            times = " ".join(str(rows.get(name, -1)) for name in names)
            lines.append(f"launch {run - sum(rows.values())} 3 {' '.join([f'{run / 1e6:.9f}'] * 3)} {times}\n")
        texts.append("".join(lines))
    return sum(int(answer[1]) > 0 for answer in ask(texts)), len(names)


def main(comparisons, files):
    good = True
    for of in ("run", "device") if files else ():
        found, rows = count_measured(files, of, comparisons)
        kept = found <= CASES[0].most * comparisons
        good = good and kept
        print(f"{len(files)} launches, {rows} rows of the {of}: of {comparisons} comparisons {found} with a certain row "
              f"(at most {CASES[0].most * comparisons:.0f}){'' if kept else '  FAILS'}", flush=True)
    for case in CASES:
        found = count(case, comparisons)
        kept = holds(case, comparisons, found)
        good = good and kept
        bound = f"at least {case.least * comparisons:.0f}" if case.least else f"at most {case.most * comparisons:.0f}"
        print(f"{case.what}: of {comparisons} comparisons {found[case.counted]} {case.counted} ({bound}); {found['any row']} with a certain row, "
              f"{found['run']} with a verdict on the run, {found['does not add up']} that do not add up{'' if kept else '  FAILS'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:]))
