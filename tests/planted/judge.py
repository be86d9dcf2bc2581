#!/usr/bin/python3
"""Asks the tool for advice on every profile that generate.py wrote, and counts how often it is right.

    judge.py --tacho TACHO DIR [--misses] [--only TEXT] [--verbs advise,report] [--require]

A cause counts as named where an item of the advice has one of its rules, its place where that item tells one of the places that
the index has for it, its saving where the item's is 0.5 to 1.25 times what the model that wrote the file says.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import causes

RULES = {  # cause: the rules that name it
    "dma-not-hidden": {"dma-not-hidden"},
    "dma-bound": {"dma-bound"},
    "slice-idle": {"slice-idle"},
    "host-program": {"host-program"},
    "host-copies": {"host-copies"},
    "idle-between": {"idle-between"},
    "over-estimate": {"over-estimate"},
    "portable": {"portable"},
    "layout": {"layout"},
    "small-delegates": {"small-delegates"},
    "low-rate": {"low-rate"},
    "dominant": {"dominant"},
    "straggler": {"straggler"},
    "starved": {"starved"},
    "late-start": {"late-start"},
    "op-gap": {"op-gap"},
    "few-cores": {"few-cores"},
    "memory-bound": {"memory-bound"},
    "host-fallback": {"host-fallback"},
    "fidelity": {"fidelity"},
    "late-launches": {"late-launches"},
    "small-kernels": {"small-kernels"},
    "unhidden-copies": {"unhidden-copies"},
    "synchronisations": {"synchronisations"},
    "slow-input": {"slow-input"},
    "no-tensor-cores": {"no-tensor-cores"},
    "low-occupancy": {"low-occupancy"},
    "layout-copies": {"layout-copies"},
    "communication": {"communication"},
    "cpu-fallback": {"cpu-fallback"},
    "dominant-kernel": {"dominant"},
}
NO_ACCUSATION = RULES["dominant"]  # says what the model is, not what is wrong with it
SAVING = (0.5, 1.25)  # of what the file allows
RUN = 0.05  # by which the time of a run may differ from the model's
REQUIRED = 95  # percent of all profiles that --require wants answered right first


# ---- One profile ----


def ask(tacho, folder, words):
    """The answer as JSON, or None with why there is none."""
    run = subprocess.run([tacho, *words], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        return None, run
    try:
        return json.loads(run.stdout), run
    except json.JSONDecodeError:
        return None, run


def has_form(answer):
    """Whether it is advice as it is agreed on."""
    return isinstance(answer, dict) and isinstance(answer.get("healthy"), bool) and \
        isinstance(answer.get("items"), list) and all(isinstance(item, dict) and "rule" in item for item in answer["items"])


def patterns(place):
    """What may stand in an item for a place."""
    for key, value in place.items():
        if key == "core":
            x, y = value.split(", ")
            yield rf"(?<!\d){x}\D{{1,6}}{y}(?!\d)"
            continue
        yield rf"(?<!\w){re.escape(value)}(?!\d)"
        if key == "location" and value.count(":") == 2:  # the column may be left out
            yield rf"(?<!\w){re.escape(value.rsplit(':', 1)[0])}(?!\d)"


def tells_place(item, where):
    text = json.dumps(item, ensure_ascii=False)
    return any(re.search(pattern, text) for place in where for pattern in patterns(place))


def saving_fits(item, planted):
    saves = item.get("saves_ns")
    if not isinstance(saves, (int, float)):
        return False
    return SAVING[0] * planted["saves_ns"] <= saves <= SAVING[1] * planted["saves_ns"]


def judge_cause(items, planted, rank):
    """How one cause that costs was answered."""
    rules = RULES[planted["cause"]]
    at = next((at for at, item in enumerate(items) if item["rule"] in rules), None)
    item = items[at] if at is not None else None
    line = {"cause": planted["cause"], "planted": 1, "larger": int(rank == 0), "first": int(rank == 0 and at == 0),
            "named": int(item is not None), "place": int(item is not None and tells_place(item, planted["where"]))}
    if planted["saves_ns"]:  # what the model is made of cannot be saved
        line["saving"] = int(item is not None and saving_fits(item, planted))
    return line


def judge_advice(profile, answer):
    """Of a profile whose expected answer is advice: one line for each cause, or one for a healthy profile."""
    items = answer["items"]
    if profile["expected"] == "healthy":
        name = profile["planted"][0]["cause"] if profile["planted"] else f"{profile['chain']}-healthy"
        accused = not answer["healthy"] or any(item["rule"] not in NO_ACCUSATION for item in items)
        return [{"cause": name, "planted": 1, "healthy": int(not accused)}]
    return [judge_cause(items, planted, rank) for rank, planted in enumerate(profile["planted"])]


def judge_refusal(profile, run):
    """A companion of another model: an error that names it."""
    name = pathlib.PurePath(profile["planted"][0]["where"][0]["file"]).name
    refused = run.returncode not in (0, 99) and run.returncode > 0 and name in run.stderr
    return [{"cause": profile["planted"][0]["cause"], "planted": 1, "refused": int(refused)}]


def judge_failure(run):
    """Launches that crashed: which side and why is told, and no factor."""
    text = run.stdout + run.stderr
    told = "mac_sme2_on" in text and "failed" in text
    factor = re.search(r"\d(\.\d+)?x (speedup|faster|slower)", text)
    return [{"cause": "failed-launches", "planted": 1, "refused": int(run.returncode == 0 and told and not factor)}]


def judge_profile(tacho, folder, profile, verb):
    """Lines of the table for one profile, and whether there was an answer of the agreed form."""
    if profile["expected"] == "failed":
        _, run = ask(tacho, folder, ["report", "--json", *profile["report"]])
        return judge_failure(run), True, None
    answer, run = ask(tacho, folder, [verb, "--json", profile["main"], *profile["options"]])
    if profile["expected"] == "refused":
        return judge_refusal(profile, run), True, None
    formed = has_form(answer)
    lines = judge_advice(profile, answer if formed else {"healthy": False, "items": []})
    known = formed and isinstance(answer.get("run_ns"), (int, float))
    right = known and abs(answer["run_ns"] - profile["run_ns"]) <= RUN * profile["run_ns"]
    return lines, formed, right


# ---- All of them ----

# What is counted, its title, and of what it is counted.
COLUMNS = (("planted", "planted", "planted"), ("first", "named first", "larger"), ("named", "named", "planted"),
           ("place", "place", "planted"), ("saving", "saving", "planted"), ("healthy", "not accused", "planted"),
           ("refused", "refused", "planted"))


def add_up(lines):
    """By cause, in the order of the list of causes; and all of them."""
    table = {name: {} for name in [*causes.CAUSES, "all"]}
    for line in lines:
        for counts in (table[line["cause"]], table["all"]):
            for column, _, whole in COLUMNS:
                if column in line:
                    right, of = counts.get(column, (0, 0))
                    counts[column] = (right + line[column], of + line[whole])
    return {name: counts for name, counts in table.items() if counts}


def print_table(table):
    print(f"{'cause':20}" + "".join(f"{title:>14}" for _, title, _ in COLUMNS))
    for name, counts in table.items():
        cells = [str(counts["planted"][0])]
        for column, _, _ in COLUMNS[1:]:
            right, of = counts.get(column, (0, 0))
            cells.append(f"{right} of {of}" if of else "-")
        print(f"{name:20}" + "".join(f"{cell:>14}" for cell in cells))


def miss(lines):
    """Whether something in the answer was not as it should be."""
    return any(line.get("first", 1) < line.get("larger", 0) or not line.get("named", 1) or not line.get("place", 1) or
               not line.get("saving", 1) or not line.get("healthy", 1) or not line.get("refused", 1)
               for line in lines)


def is_right(lines):
    """Whether the first thing that was said is what is wrong, or that nothing is."""
    return all(line.get("first", 1) or not line.get("larger", 1) for line in lines) and \
        all(line.get("healthy", 1) and line.get("refused", 1) for line in lines)


def judge_verb(tacho, folder, profiles, verb, misses):
    """The table of a verb; whether it answers as it must."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda profile: judge_profile(tacho, folder, profile, verb), profiles))
    every = [line for lines, _, _ in answers for line in lines]
    timed = [right for _, _, right in answers if right is not None]
    for profile, (lines, _, _) in zip(profiles, answers):
        if misses and miss(lines):
            print(f"{profile['name']}: " + "; ".join(str(line) for line in lines))
    print(f"== {verb}")
    print_table(add_up(every))
    right = sum(is_right(lines) for lines, _, _ in answers)
    accused = sum(not line["healthy"] for line in every if "healthy" in line)
    unformed = sum(not formed for _, formed, _ in answers)
    print(f"{verb}: right first in {right} of {len(profiles)} profiles ({100 * right / len(profiles):.1f} %), healthy ones accused: {accused}; "
          f"the time of a run is the model's in {sum(timed)} of {len(timed)}; {unformed} answers of another form")
    return 100 * right >= REQUIRED * len(profiles) and not accused and all(timed) and not unformed


def main():
    parser = argparse.ArgumentParser(description="how often the tool's advice is right")
    parser.add_argument("--tacho", required=True, help="the tool")
    parser.add_argument("--misses", action="store_true", help="also each profile whose answer is not right, and how")
    parser.add_argument("--only", default="", help="profiles with this in their name")
    parser.add_argument("--verbs", default="advise", help="whom to ask: advise, report, or both with a comma")
    parser.add_argument("--require", action="store_true", help=f"fail where fewer than {REQUIRED} %% are right first, or a healthy one is accused")
    parser.add_argument("folder", type=pathlib.Path, help="that generate.py wrote")
    arguments = parser.parse_args()
    tacho = str(pathlib.Path(arguments.tacho).resolve())
    profiles = [profile for profile in json.loads((arguments.folder / "index.json").read_text())["profiles"]
                if arguments.only in profile["name"]]
    if not profiles:
        parser.error(f"no profile has \"{arguments.only}\" in its name")
    fits = [judge_verb(tacho, arguments.folder, profiles, verb, arguments.misses) for verb in arguments.verbs.split(",")]
    return 0 if all(fits) or not arguments.require else 1


if __name__ == "__main__":
    sys.exit(main())
