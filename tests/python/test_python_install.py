"""pip installs the package against the installed libraries, without a network, in an environment of its own."""
import os
import pathlib
import shutil
import subprocess

import pytest

import recorded
import tool

pytestmark = pytest.mark.slow
SNIPPET = "from tracy import Profiler, signpost\ndef f(): pass\nprofiler = Profiler()\nprofiler.enable()\nf()\nprofiler.disable()\nsignpost('end')\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Runs a program of the environment, or checks that it fails with a code."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(["meson", "install", "-C", recorded.BUILD, "--no-rebuild", "--destdir", folder], check=True, capture_output=True)
    subprocess.run([recorded.DEBIAN, "-m", "venv", "--system-site-packages", folder / "venv"], check=True)
    shutil.copytree(tool.ROOT / "python", folder / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    variables = {**os.environ, "PKG_CONFIG_PATH": str(next(folder.rglob("tacho-record.pc")).parent), "PKG_CONFIG_SYSROOT_DIR": str(folder)}
    variables.pop("PYTHONPATH", None)
    if tool.SANITIZED:
        variables.update({name: value for name, value in recorded.environment(recorded.DEBIAN).items() if name in ("LD_PRELOAD", "ASAN_OPTIONS")},
                         CFLAGS="-fsanitize=address,undefined")

    def run(program, *arguments, code=0, **options):
        done = subprocess.run([folder / "venv" / "bin" / program, *arguments], capture_output=True, text=True, env={**variables, **options}, cwd=folder)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    run("pip", "install", "--no-build-isolation", "--no-index", "./python")
    (folder / "program.py").write_text(SNIPPET)
    return run


def test_the_package_records(installed, tmp_path):
    done = installed("python3", "-m", "tacho", "-o", str(tmp_path / "run.tacho"), "-p", "--tracy-name", "program.py")
    assert "run.tacho: 1 process" in done.stderr and "\nf " in tool.good("operators", tmp_path / "run.tacho").text
    installed("python3", "-c", "import tacho; assert not tacho.recording()")


def test_the_name_tracy_is_installed_beside(installed, tmp_path):
    """By `tacho[tracy]`; and never in front of another one."""
    installed("python3", "program.py", code=1)
    installed("pip", "install", "--no-build-isolation", "--no-index", "./python[tracy]", "./python/tracy")
    installed("python3", "program.py")
    installed("python3", "-m", "tracy", "-o", str(tmp_path / "run.tacho"), "-p", "-l", "program.py")
    assert "f()" in tool.good("operators", tmp_path / "run.tacho").text
    place = installed("python3", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    real = pathlib.Path(place) / "tracy.py"
    real.write_text("print('the real one')\n")
    assert installed("python3", "-c", "import tracy").stdout == "the real one\n"
    installed("pip", "uninstall", "-y", "tacho-tracy", "tacho")
    real.unlink()
    installed("python3", "program.py", code=1)
