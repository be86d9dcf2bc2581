"""What SQL about ten million slices costs: query.py [--slices N] [--rounds N]

Processor seconds of each statement beyond those of reading, best of some rounds, and rows of the table per second of these. Reading is what a
statement costs that looks at one row. The trace is bench/shapes: 500 tracks, 2,000 names.
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


def processor_seconds(trace, statement):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([BUILD / "tacho", "query", "--quiet", trace, statement], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--slices", type=int, default=10_000_000)
    words.add_argument("--rounds", type=int, default=5)
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "big.pb"
        subprocess.run([BUILD / "bench/shapes", "500", str(asked.slices), "2000", trace], check=True)
        best = {}
        for _ in range(asked.rounds):
            for name, statement in {"reading": READING, **STATEMENTS}.items():
                best[name] = min(best.get(name, 1e9), processor_seconds(trace, statement))
    for name, seconds in best.items():
        own = seconds if name == "reading" else max(seconds - best["reading"], 0.001)
        print(f"{name:16} {own:7.3f} s {asked.slices / own / 1e6:9.1f} M rows/s")


if __name__ == "__main__":
    main()
