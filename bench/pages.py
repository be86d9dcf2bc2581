"""How soon pages of ten million slices are there, how smooth they move, and what they take: pages.py [--slices N] [SHAPE]...

Of each shape, at a pixel ratio of 1 and of 2, a line; bench/pages.mjs measures, in a browser of its own, since what it measures is the browser.
It ends with 1 if a page takes longer, or more memory, than it may.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
SHAPES = {"500-tracks": (500, 2000), "5-tracks": (5, 2000), "100000-names": (50, 100_000)}


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--slices", type=int, default=10_000_000)
    words.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    asked = words.parse_args()
    import chromium
    import test_browser
    import tool
    import trace_page
    variables = tool.environment(TACHO_WEB_MODULES=str(test_browser.modules()), TACHO_CHROMIUM=chromium.program(tool.need), TACHO_BROWSER=None)
    worst = 0
    for shape in asked.shapes or SHAPES:
        tracks, names = SHAPES[shape]
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / f"{shape}.html"
            trace_page.made_up(tracks, asked.slices, names).write(page, test_browser.BUILD)
            worst = max(worst, subprocess.run([tool.need("node"), ROOT / "bench/pages.mjs", page], env=variables).returncode)
    sys.exit(worst)


if __name__ == "__main__":
    main()
