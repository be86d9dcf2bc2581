"""The parts of the pages without a browser: web/test/*.test.ts, bundled by esbuild and run by node."""
import shutil
import subprocess

import test_browser
import tool


def test_parts_of_the_pages(tmp_path):
    modules = test_browser.modules()
    # The bundler looks for modules above the sources only.
    shutil.copytree(tool.ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "node_modules").symlink_to(modules / "node_modules")
    tests = sorted((tmp_path / "web" / "test").glob("*.test.ts"))
    assert tests
    subprocess.run([modules / "node_modules" / ".bin" / "esbuild", *tests, "--bundle", "--platform=node", "--format=esm", "--target=es2022",
                    "--log-level=warning", "--out-extension:.js=.mjs", f"--outdir={tmp_path / 'made'}"], check=True, env=tool.environment())
    done = subprocess.run([tool.need("node"), "--test", *sorted((tmp_path / "made").glob("*.mjs"))], capture_output=True, text=True, timeout=120,
                          env=tool.environment())
    assert done.returncode == 0, done.stdout + done.stderr
