#!/usr/bin/python3
"""Which lines of src/ the tests reach, by room.

    coverage.py BUILD [--all] [--tests PATH...] [--against EARLIER.json...]

It builds into BUILD with counters, runs the unit tests and the fast tests of pytest (--all: all of them; --tests: only these), and
leaves what they reached in BUILD/coverage.json. --against takes what earlier runs left: a line that all of them reached must be
reached again. Lines are found again by their text, so the source may have changed in between; lines that are no longer there do
not count. tests/coverage_exceptions.txt names those that need not be reached, one a line: "FILE: TEXT OF THE LINE: WHY".

Nothing is optimised, since even -Og joins a `return` with the next. What a process killed by SIGKILL reached is not seen, nor what
one reached that Python forked and that left by os._exit(): tools/coverage.c writes the counters of others that leave early.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import run  # noqa: E402: it says which tests are fast

EXCEPTIONS = ROOT / "tests" / "coverage_exceptions.txt"
WRAPPED = "-Wl,--wrap=raise,--wrap=syscall"  # by tools/coverage.c
CORES = str(len(os.sched_getaffinity(0)))


# ---- To run and to count -----------------------------------------------------------------------------------------------

def step(*command, environment=None, may_fail=False, quiet=False, folder=ROOT):
    """Runs a command and says what it cost; `quiet`: what it prints matters only where it fails."""
    def used():
        return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])

    print("+", " ".join(str(word) for word in command), flush=True)
    before, began = used(), time.monotonic()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=quiet, text=True)
    print(f"  {used() - before:.0f} s of CPU in {time.monotonic() - began:.0f} s", flush=True)
    if done.returncode and not may_fail:
        sys.exit(f"{done.stdout or ''}{done.stderr or ''}coverage.py: {command[0]} failed")
    return done.returncode


def prepare(build):
    """All of the tree with counters, and the Python package over it."""
    early, source = build / "coverage.o", ROOT / "tools" / "coverage.c"
    if early.exists() and early.stat().st_mtime < source.stat().st_mtime:
        shutil.rmtree(build)  # everything is linked with it, and ninja does not know
    if not (build / "build.ninja").exists():
        build.mkdir(exist_ok=True)
        step("gcc", "-D_GNU_SOURCE", "-std=c17", "-O1", "-fPIC", f'-DCOUNTERS="{build}"', "-c", source, "-o", early)
        # What threads count at once would not add up otherwise.
        step("meson", "setup", build, ROOT, "-Dbuildtype=debug", "-Dc_args=-g1 -fprofile-update=atomic", "-Db_lto=false", "-Db_coverage=true",
             f"-Dc_link_args={early} --coverage {WRAPPED}", quiet=True)
    step("tools/files.sh", build)
    step("ninja", "-C", build, quiet=True)
    link = build / "tacho"
    link.unlink(missing_ok=True)
    link.symlink_to("src/tacho")
    step("tools/python.sh", build)
    for counters in build.rglob("*.gcda"):
        counters.unlink()


def run_tests(build, everything, chosen):
    """Failed steps; what their tests reached counts all the same."""
    environment = {"TACHO": str(build / "tacho"), "TACHO_BUILD": str(build), "GCOV_ERROR_FILE": str(build / "gcov.log")}
    pytest = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", CORES, "--dist", "loadfile"]
    if chosen:
        return step(*pytest, *chosen, environment=environment, may_fail=True) != 0
    failed = step("meson", "test", "--quiet", "-C", build, "--no-rebuild", environment=environment, may_fail=True) != 0
    failed += step(*pytest, "-m", "not alone and not long" if everything else run.FAST, "tests", environment=environment, may_fail=True) != 0
    if everything:
        failed += step(*pytest[:-4], "-m", "alone and not long", "tests", environment=environment, may_fail=True) != 0
    return failed


def count(build):
    """Of each file of src/ its text and, by the number of the line, how often it was reached."""
    objects = {build / "src"} | {path.parent for path in build.rglob("*src_*.gcno")}
    report = build / "gcovr.json"
    # Counters of a process that was killed as it wrote them may not add up: gcovr leaves out such a line and says so.
    step("gcovr", "-r", ROOT, "--filter", re.escape(f"{ROOT}/src/"), "--gcov-ignore-parse-errors", "--json", report, *sorted(objects), folder=build)
    found = {}
    for file in json.loads(report.read_text())["files"]:
        source = ROOT / file["file"]
        if source.exists():  # a folder that was built in before has counters of files that are gone
            counts = {str(line["line_number"]): line["count"] for line in file["lines"] if not line["gcovr/noncode"]}
            found[file["file"]] = {"text": source.read_text().splitlines(), "counts": counts}
    return found


# ---- To compare --------------------------------------------------------------------------------------------------------

def by_room(run):
    """Lines and reached lines of each folder of src/."""
    rooms = collections.defaultdict(lambda: [0, 0])
    for name, file in run.items():
        parts = name.split("/")
        room = rooms[parts[1] if len(parts) > 2 else "-"]
        room[0] += len(file["counts"])
        room[1] += sum(count > 0 for count in file["counts"].values())
    return rooms


def print_rooms(runs):
    """`runs`: by name; each has two columns, lines and how many of 100 were reached."""
    rooms = {name: by_room(run) for name, run in runs.items()}
    width = max(18, *(len(name) + 2 for name in runs))
    print("".join([f"{'room':<12}", *(f"{name:>{width}}" for name in runs)]))
    names = sorted({room for found in rooms.values() for room in found})
    for room in [*names, "all"]:
        line = f"{room:<12}"
        for found in rooms.values():
            lines, reached = [sum(values) for values in zip(*found.values())] if room == "all" else found[room]
            share = f"{reached} of {lines} {100 * reached / lines if lines else 0:5.1f} %"
            line += f"{share:>{width}}"
        print(line)


def functions(text):
    """The name of the function that each line is in, or an empty one. All that is ours begins and ends with a brace at the margin."""
    names, name, begun = [], "", 0
    for number, line in enumerate(text):
        if line == "{":
            head = " ".join(text[begun:number])
            name = (re.findall(r"(\w+)\s*\(", head) or [""])[0]
        names.append(name)
        if line[:1] == "}":
            name = ""
        if line[:1] == "}" or line.endswith(";") or not line:
            begun = number + 1
    return names


def same(old, new):
    """Pairs of indices of equal lines in the same order."""
    for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            yield block.a + offset, block.b + offset


def by_function(run, places):
    """The places (file, index) by the name of the function that they are in."""
    found = collections.defaultdict(list)
    for name, indices in places.items():
        names = functions(run[name]["text"])
        for index in sorted(indices):
            if names[index]:
                found[names[index]].append((name, index))
    return found


def follow(old, new):
    """Where the lines of one run are in another: in the same file, or moved to another with their function."""
    stripped = {id(run): {name: [line.strip() for line in file["text"]] for name, file in run.items()} for run in (old, new)}
    found = {}
    rest_old = {name: set(range(len(file["text"]))) for name, file in old.items()}
    rest_new = {name: set(range(len(file["text"]))) for name, file in new.items()}
    for name in old.keys() & new.keys():
        for index_old, index_new in same(stripped[id(old)][name], stripped[id(new)][name]):
            found[name, index_old] = name, index_new
            rest_old[name].discard(index_old)
            rest_new[name].discard(index_new)
    moved = by_function(new, rest_new)
    for function, places in by_function(old, rest_old).items():
        others = moved.get(function, [])
        texts = [[stripped[id(run)][name][index] for name, index in some] for run, some in ((old, places), (new, others))]
        for index_old, index_new in same(*texts):
            found[places[index_old]] = others[index_new]
    return found


def reached(run):
    return {(name, int(number) - 1) for name, file in run.items() for number, count in file["counts"].items() if count > 0}


def compare(now, earlier):
    """Places of `now` that all earlier runs reached and it did not, those that only some of them did, and how many lines are gone."""
    sets, gone = [], 0
    for run in earlier:
        way = follow(run, now)
        places = reached(run)
        sets.append({way[place] for place in places if place in way})
        gone = max(gone, sum(place not in way for place in places))
    counted = {(name, int(number) - 1) for name, file in now.items() for number in file["counts"]}
    always = set.intersection(*sets) & counted
    return sorted(always - reached(now)), sorted((set.union(*sets) & counted) - always), gone


def exceptions(lines, now):
    """(file, text) of the lines that need not be reached. Each says why, and is there."""
    named = set()
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        file, _, rest = line.strip().partition(": ")
        text, _, why = rest.rpartition(": ")
        if not text or not why:
            sys.exit(f'{EXCEPTIONS.name}: "{line.strip()}" is not FILE: TEXT OF THE LINE: WHY')
        if text not in (other.strip() for other in now.get(file, {"text": []})["text"]):
            sys.exit(f'{EXCEPTIONS.name}: {file} has no line "{text}"')
        named.add((file, text))
    return named


def judge(now, earlier, named):
    """Prints the lines that are not reached any more, and says how many of them are not named."""
    lost, at_times, gone = compare(now, earlier)
    unnamed = [place for place in lost if (place[0], now[place[0]]["text"][place[1]].strip()) not in named]
    for name, index in unnamed:
        print(f"{name}:{index + 1}: {now[name]['text'][index].strip()}")
    print(f"{len(unnamed)} lines are not reached any more, {len(lost) - len(unnamed)} others are exceptions; "
          f"{len(at_times)} were reached by some of the earlier runs only, {gone} are gone or changed")
    return len(unnamed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="also the tests that run alone")
    parser.add_argument("--tests", nargs="+", default=[], help="only these files of pytest's")
    parser.add_argument("--against", nargs="*", default=[], type=pathlib.Path, help="what earlier runs left")
    parser.add_argument("--last", action="store_true", help="run nothing: what the last run left is compared")
    given = parser.parse_args()
    build, kept, failed = given.build.resolve(), given.build.resolve() / "coverage.json", 0
    for path in given.against:
        if not path.exists():
            parser.error(f"{path}: there is no such file")
    earlier = {path.stem: json.loads(path.read_text()) for path in given.against}
    if not given.last:
        if not shutil.which("gcovr"):
            sys.exit("coverage.py: gcovr is not installed: tools/setup.sh test installs it")
        prepare(build)
        failed = run_tests(build, given.all, given.tests)
        kept.write_text(json.dumps(count(build)))
    now = json.loads(kept.read_text())
    print_rooms({**earlier, "now": now})
    if earlier:
        named = exceptions(EXCEPTIONS.read_text().splitlines() if EXCEPTIONS.exists() else [], now)
        failed += judge(now, list(earlier.values()), named)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
