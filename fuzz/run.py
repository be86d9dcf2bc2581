#!/usr/bin/python3
"""Runs the fuzz targets, each over its corpus, and prints one line for each.

    run.py FOLDER [--seconds N] [--only TARGET] [--corpus DIR] [--keep DIR]

FOLDER holds the built targets (fuzz_torq_compile and so on). What the fuzzer finds anew goes to a scratch folder, so
that the corpus in the repository stays as it is; --keep DIR collects it. Inputs that break something are left in the
current folder, and make the exit code 1.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = sorted(os.listdir(os.path.join(HERE, "corpus")))
LONGEST = {"tt_tracy_ops": 32768, "tt_ops_csv": 32768, "etdump": 8192, "etrecord": 65536, "torq_mlir": 32768, "torq_runtime": 32768, "location": 4096, "tacho_recording": 8192,
           "live_stream": 8192, "chrome_json": 16384, "live_greeting": 128}
WORDS = os.path.join(HERE, "torq.dict")  # for targets that have no words of their own


def find_last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(program, corpus, scratch, seconds, longest):
    """Runs one target; gives its exit code and what it printed."""
    folders = [scratch] + ([corpus] if os.path.isdir(corpus) else [])
    own = os.path.join(HERE, os.path.basename(program).removeprefix("fuzz_") + ".dict")
    # Weighing inputs by the rarity of what they reach takes a third of the time of targets with many features, and reaches no more.
    words = [program, f"-max_total_time={seconds}", f"-max_len={longest}", "-timeout=20", "-rss_limit_mb=4096", "-entropic=0",
             f"-dict={own if os.path.exists(own) else WORDS}", "-print_final_stats=1", *folders]
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def report(target, code, printed):
    """The line for a target; true when nothing was broken."""
    executions = find_last(r"stat::number_of_executed_units:\s*(\d+)", printed)
    coverage = find_last(r"\bcov: (\d+)", printed)
    features = find_last(r"\bft: (\d+)", printed)
    new_units = find_last(r"stat::new_units_added:\s*(\d+)", printed)
    written = re.findall(r"Test unit written to (\S+)", printed)
    crashes = [name for name in written if "slow-unit-" not in name]
    print(f"{target:<14}{executions:>12,} executions  coverage {coverage:>6,}  features {features:>7,}  "
          f"new units {new_units:>6,}  slow {len(written) - len(crashes)}  crashes {len(crashes)}", flush=True)
    if code != 0:
        for name in crashes:
            print(f"    input: {name}")
        for line in printed.splitlines():
            if re.search(r"ERROR: |rule broken|runtime error:|SUMMARY: |^\s+#\d+ .* (/|\S+\.[ch]:)", line):
                print("    " + line.strip())
        if not crashes:
            print(f"    exit code {code}: " + printed.strip().splitlines()[-1] if printed.strip() else "    no output")
    return code == 0


def read_options():
    parser = argparse.ArgumentParser(description="Runs the fuzz targets over their corpora.")
    parser.add_argument("folder", help="where the built targets are")
    parser.add_argument("--seconds", type=int, default=60, help="time for each target (default 60)")
    parser.add_argument("--only", choices=TARGETS, help="one target")
    parser.add_argument("--corpus", default=os.path.join(HERE, "corpus"), help="the seeds, a folder for each target")
    parser.add_argument("--keep", help="folder for what is found anew; without it, that is thrown away")
    return parser.parse_args()


def main():
    options = read_options()
    clean = True
    for target in [options.only] if options.only else TARGETS:
        program = os.path.join(options.folder, "fuzz_" + target)
        if not os.access(program, os.X_OK):
            print(f"{target:<14} {program} is not there")
            clean = False
            continue
        with tempfile.TemporaryDirectory(prefix="tacho-fuzz-") as scratch:
            if options.keep:
                scratch = os.path.join(options.keep, target)
                os.makedirs(scratch, exist_ok=True)
            code, printed = fuzz(program, os.path.join(options.corpus, target), scratch, options.seconds,
                                 LONGEST.get(target, 16384))
        clean = report(target, code, printed) and clean
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
