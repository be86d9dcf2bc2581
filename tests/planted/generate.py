#!/usr/bin/python3
"""Writes profiles with planted causes, and an index of what is in them.

    generate.py --count 300 --seed 1 --out DIR      writes DIR/index.json and a folder for each profile
    generate.py --out DIR --check TACHO             reads each with `tacho summary`: rows lost, times that are not the model's

The same seed gives the same bytes.
"""
import argparse
import importlib
import json
import pathlib
import shutil
import subprocess
import sys

import causes
import model

TWO_CAUSES_EVERY = 5
ROUNDING_NS = 2  # cycles and the ends of a span are rounded to nanoseconds


def plan(count, chains):
    """(chain, causes) of each profile: chains and causes take turns, so that any count has a bit of everything."""
    planned = []
    for number in range(count):
        chain, turn = chains[number % len(chains)], number // len(chains)
        if turn % TWO_CAUSES_EVERY == TWO_CAUSES_EVERY - 1:
            pairs = causes.pairs_of_chain(chain)
            planned.append((chain, list(pairs[turn // TWO_CAUSES_EVERY % len(pairs)])))
        else:
            names = causes.of_chain(chain)
            planned.append((chain, [names[(turn - turn // TWO_CAUSES_EVERY) % len(names)]]))
    return planned


def write_profile(out, number, seed, chain, names):
    """One profile in a folder of its own."""
    chance = model.Chance(f"{seed}/{number}")
    name = f"{number:03d}_{'_'.join(names)}"
    folder = out / name
    form = chance.choice(causes.forms_of(names))
    if len(names) == 2 and chance.random() < 0.5:
        names = names[::-1]
    healthy = causes.CAUSES[names[0]].kind == "healthy" and names[0].endswith("-healthy")
    folder.mkdir()
    profile = importlib.import_module(chain).generate(chance, folder, name, form, [] if healthy else names)
    described = profile.described()
    described["expected"] = causes.CAUSES[names[0]].kind
    return described


def generate(out, count, seed, chains):
    if out.exists():
        if any(out.iterdir()) and not (out / "index.json").exists():
            sys.exit(f"{out}: holds something else")
        shutil.rmtree(out)
    out.mkdir(parents=True)
    (out / "index.json").write_text("{}\n")  # so that what breaks off can be written over
    profiles = [write_profile(out, number, seed, *planned) for number, planned in enumerate(plan(count, chains))]
    (out / "index.json").write_text(json.dumps({"seed": seed, "profiles": profiles}, indent=1) + "\n")
    print(f"{len(profiles)} profiles in {out}")


# ---- The check ----


def check_profile(tacho, out, profile):
    """What is wrong with how the tool reads a profile, as lines."""
    if profile["form"] == "rundir" or profile["expected"] == "refused":
        options = []  # a companion of another model is not to be read at all
    else:
        options = profile["options"]
    files = [profile["main"]]
    if profile["form"] == "rundir":
        files = sorted(str(path.relative_to(out)) for path in (out / profile["main"]).glob("*.etdump"))
    wrong = []
    for file in files:
        for check, choice in ((check_summary, ["--runs", "whole"]), (check_runs, [])):
            run = subprocess.run([tacho, "summary", "--json", file, *options, *choice], cwd=out, capture_output=True, text=True)
            if run.returncode != 0:
                wrong.append(f"{file}: exit {run.returncode}: {run.stderr.strip()[:200]}")
            elif check is check_summary or profile["form"] != "rundir":
                wrong += check(profile, file, json.loads(run.stdout))
    return wrong


def check_summary(profile, file, summary):
    rows = summary["rows"]
    wrong = []
    if rows["lost"] or rows["used"] != rows["read"] or rows["reasons"]:
        wrong.append(f"{file}: {rows}")
    if profile["whole_ns"] and abs(summary["total_duration"] - profile["whole_ns"]) > ROUNDING_NS:
        wrong.append(f"{file}: spans {summary['total_duration']} ns, by the model {profile['whole_ns']}")
    return wrong


def check_runs(profile, file, summary):
    """Whether the runs are those of the model, and the mean of those that count is theirs."""
    runs, times = summary["runs"], profile["runs_ns"]
    if runs["total"] != len(times) or runs["partial"]:
        return [f"{file}: {runs}, by the model {len(times)} runs"]
    counted = times[runs["warmup"]:]
    if abs(summary["total_duration"] - sum(counted) / len(counted)) > ROUNDING_NS:
        return [f"{file}: a run takes {summary['total_duration']} ns, by the model {sum(counted) / len(counted):.0f}"]
    return []


def check_plan(profile):
    """Whether what is planted is as large as promised."""
    wrong = []
    if profile["expected"] != "costs":
        return wrong
    shares = [one["saves_ns"] / profile["run_ns"] for one in profile["planted"]]
    if not all(0.1 <= share <= 0.66 for share in shares):
        wrong.append(f"{profile['name']}: shares of a run {shares}")
    if len(shares) == 2 and shares[0] < 1.5 * shares[1]:
        wrong.append(f"{profile['name']}: the first cause is only {shares[0] / shares[1]:.2f} times the second")
    if not all(one["where"] for one in profile["planted"]):
        wrong.append(f"{profile['name']}: a cause without a place")
    return wrong


def check(out, tacho):
    profiles = json.loads((out / "index.json").read_text())["profiles"]
    bad = 0
    for profile in profiles:
        wrong = check_plan(profile) + check_profile(tacho, out, profile)
        bad += bool(wrong)
        for line in wrong:
            print(line)
    print(f"{len(profiles)} profiles read, {len(profiles) - bad} whole and of the model's length, {bad} not")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description="profiles with planted causes")
    parser.add_argument("--count", type=int, default=300, help="of profiles (default 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for them")
    parser.add_argument("--chain", choices=causes.CHAINS, help="profiles of this one only (default: of all, in turns)")
    parser.add_argument("--check", metavar="TACHO", help="read what is there with this tool; write nothing")
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.out, str(pathlib.Path(arguments.check).resolve()))
    generate(arguments.out, arguments.count, arguments.seed, [arguments.chain] if arguments.chain else causes.CHAINS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
