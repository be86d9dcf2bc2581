"""The parts of the pages without a browser: web/test/*.test.ts, bundled by esbuild into one script that node runs."""
import shutil
import subprocess

import pytest

import test_browser
import tool


@pytest.mark.skipif(tool.SANITIZED, reason="no part of the tool that is built runs here")
def test_parts_of_the_pages(tmp_path):
    modules = test_browser.modules()
    # The bundler looks for modules above the sources only.
    shutil.copytree(tool.ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "node_modules").symlink_to(modules / "node_modules")
    folder, made = tmp_path / "web" / "test", tmp_path / "all.mjs"
    tests = sorted(path.name for path in folder.glob("*.test.ts"))
    assert tests
    subprocess.run([modules / "node_modules" / ".bin" / "esbuild", "--bundle", "--platform=node", "--format=esm", "--target=es2022", "--log-level=warning", f"--outfile={made}"],
                   input="".join(f'import "./{name}";\n' for name in tests), text=True, cwd=folder, check=True, env=tool.environment())
    done = subprocess.run([tool.need("node"), "--test-reporter=spec", made], capture_output=True, text=True, timeout=test_browser.HANGS, env=tool.environment())
    assert done.returncode == 0, done.stdout + done.stderr
