"""How often `tacho compare` finds the Python function that was made slower.

    tests/python_regression.py [--whole] [REPETITIONS [LAUNCHES]]

A program of several functions is recorded by python3 -m tacho in two builds: in the second, one function does more work, so much that the whole
program takes 5 % longer. Which one, the repetition decides. Launches of the two builds alternate; `tacho compare` gets ten recordings of each, from the
command line and from Python. It finds the function where the first operator of its list is that one. Ends with 1 where that is so in fewer than nine of ten repetitions.

The program marks its turns as runs, so that those in which the system had other things to do are told apart and left out. With --whole it marks
nothing and turns ten times as often: all that happens to a launch is then in its times.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))
import recorded  # noqa: E402
import tool  # noqa: E402

SLOWER = 0.05
# Rounds of the inner loop of each function, in a turn.
FUNCTIONS = {"load": 60, "normalize": 150, "convolve": 500, "attend": 350, "activate": 90, "collect": 40}
TURNS = 200

MARK = "with tacho.run():"
PROGRAM = """
import tacho

{functions}

def infer(turns):
    total = 0
    for turn in range(turns):
        {mark}
{calls}
    return total

infer({turns})
"""
FUNCTION = """
def {name}(x):
    total = x
    for i in range({rounds}):
        total = (total * 31 + i) % 65521
    return total
"""


def write_program(path, mark, turns, slower=None):
    rounds = dict(FUNCTIONS)
    if slower:
        rounds[slower] += round(SLOWER * sum(FUNCTIONS.values()))
    path.write_text(PROGRAM.format(functions="".join(FUNCTION.format(name=name, rounds=count) for name, count in rounds.items()),
                                   calls="".join(f"            total += {name}(turn)\n" for name in rounds), turns=turns, mark=mark))


def launch(program, recording):
    subprocess.run([recorded.DEBIAN, "-m", "tacho", "-o", recording, program], check=True, capture_output=True, env=recorded.environment(recorded.DEBIAN))


def first_by_python(sides):
    """The first operator of the same comparison, asked in Python."""
    before, after = ([str(path) for path in side] for side in sides)
    source = f"import tacho; print(tacho.compare({before}, {after}).table('operators')[0]['name'])"
    return recorded.run(recorded.DEBIAN, "-c", source).stdout.strip()


def repeat(folder, slower, launches, whole=False):
    """The first operator of the comparison."""
    builds = [folder / "before" / "program.py", folder / "after" / "program.py"]
    sides = [[], []]
    for build, change in zip(builds, (None, slower)):
        build.parent.mkdir(exist_ok=True)
        write_program(build, "if True:" if whole else MARK, 10 * TURNS if whole else TURNS, change)
    for number in range(launches):
        for side in (0, 1) if number % 2 else (1, 0):
            sides[side].append(folder / f"{('before', 'after')[side]}_l{number}.tacho")
            launch(builds[side], sides[side][-1])
    answer = json.loads(tool.run("compare", *sides[0], "--with", *sides[1], "--json", "-q").text)
    first = answer["models"][0]["operators"][0]
    assert first_by_python(sides) == first["name"], "the tool and Python differ"
    return first


def main(whole, repetitions, launches):
    found = certain = 0
    names = list(FUNCTIONS)
    for number in range(repetitions):
        slower = names[number % len(names)]
        with tempfile.TemporaryDirectory() as folder:
            first = repeat(pathlib.Path(folder), slower, launches, whole)
        found += first["name"] == slower
        certain += first["name"] == slower and first["verdict"] == "slower"
        print(f"{number + 1:3} {slower:<10} first: {first['name']:<10} {first['factor']:.2f}x {first['verdict']}", flush=True)
    print(f"{found} of {repetitions} comparisons name the function that was made slower first, {certain} of them with certainty")
    return 0 if found >= 0.9 * repetitions else 1


if __name__ == "__main__":
    given = [text for text in sys.argv[1:] if text != "--whole"]
    os.nice(5)
    sys.exit(main("--whole" in sys.argv, *(int(text) for text in given), *[20, 10][len(given):]))
