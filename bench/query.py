"""What SQL about ten million slices costs: query.py [--slices N] [--rounds N]

Processor seconds of each statement, best of some rounds: the first time, beyond those of reading, with the index that it may want made; and
again, one of five more in the same process, with rows of the table per second of these. Reading is what a statement costs that looks at one
row. The trace is bench/shapes: 500 tracks, 2,000 names.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("TACHO_BUILD") or ROOT / "build")
READING = "SELECT 1 FROM slices LIMIT 1"
STATEMENTS = {
    "count": "SELECT count(*) FROM slices",
    "track and time": "SELECT count(*), sum(duration_ns) FROM slices WHERE track_id = 77 AND start_ns BETWEEN 1000000 AND 2000000",
    "group by name": "SELECT count(*), sum(n) FROM (SELECT name, count(*) AS n FROM slices GROUP BY name)",
    "sum by name": "SELECT count(*), sum(t) FROM (SELECT name, sum(duration_ns) AS t FROM slices GROUP BY name)",
    "busy by track": "SELECT sum(b) FROM (SELECT busy(start_ticks, duration_ticks) AS b FROM slices GROUP BY track_id)",
    "overlap": "SELECT overlap(start_ticks, duration_ticks, track_id % 2) FROM slices",
    "by time": "SELECT max(start_ns) FROM (SELECT start_ns FROM slices ORDER BY start_ns LIMIT 100)",
    "percentile": "SELECT percentile(duration_ns, 99) FROM slices",
}


AGAIN = 5


def processor_seconds(trace, statement, times=1):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([BUILD / "tacho", "query", "--quiet", trace, ";".join([statement] * times)], check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--slices", type=int, default=10_000_000)
    words.add_argument("--rounds", type=int, default=5)
    asked = words.parse_args()
    first, several = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "big.pb"
        subprocess.run([BUILD / "bench/shapes", "500", str(asked.slices), "2000", trace], check=True)
        for _ in range(asked.rounds):
            for name, statement in {"reading": READING, **STATEMENTS}.items():
                first[name] = min(first.get(name, 1e9), processor_seconds(trace, statement))
                several[name] = min(several.get(name, 1e9), processor_seconds(trace, statement, 1 + AGAIN))
    print(f"reading          {first['reading']:7.3f} s")
    for name in STATEMENTS:
        again = max(several[name] - first[name], 0.0001) / AGAIN
        print(f"{name:16} {max(first[name] - first['reading'], 0):7.3f} s first {again:7.3f} s again {asked.slices / again / 1e6:9.1f} M rows/s")


if __name__ == "__main__":
    main()
