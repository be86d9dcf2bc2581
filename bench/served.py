"""How soon ten million slices are there from `tacho serve`, and what tiles of them cost: served.py [--slices N] [--tiles N] [--views N]

Three shapes of bench/shapes. Of each a line: seconds from the start of the server, with a browser that is open, to the first picture that has no
means in it; the server's processor time until then; what a tile (2048 columns of 16 rows, anywhere, as wide as a hundred-thousandth to
all of the trace) costs the server, half of them and 99 of 100; its memory before and after all tiles and views, and at most; columns of drawings
that were compared with the slices themselves, and how many were different. tests/browser/tiles.mjs does it.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
SHAPES = {"500 tracks": (500, 2000), "5 tracks": (5, 2000), "100,000 names": (50, 100_000)}


def main():
    words = argparse.ArgumentParser()
    for name, usual in (("slices", 10_000_000), ("tiles", 2000), ("views", 100)):
        words.add_argument(f"--{name}", type=int, default=usual)
    asked = words.parse_args()
    import test_browser
    import test_tiles_browser
    print(f"{'shape':14} {'picture':>8} {'CPU':>7} {'tile p50':>9} {'p99':>8} {'memory':>15} {'peak':>7} {'columns':>10} {'different':>9}")
    for shape, (tracks, names) in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            trace, slices = pathlib.Path(folder) / "big.pb", pathlib.Path(folder) / "big.bin"
            subprocess.run([test_browser.BUILD / "bench/shapes", str(tracks), str(asked.slices), str(names), trace, slices], check=True)
            told = test_tiles_browser.compare(trace, slices, asked.tiles, asked.views)
        memory = f"{told['before']} to {told['after']} MB"
        print(f"{shape:14} {told['picture']:6.2f} s {told['processor']:5.2f} s {told['p50']:6.2f} ms {told['p99']:5.2f} ms {memory:>15} {told['peak']:4d} MB "
              f"{told['columns']:10,d} {told['different']:9,d}", *told["problems"], flush=True)


if __name__ == "__main__":
    main()
