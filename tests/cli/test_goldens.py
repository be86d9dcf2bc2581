"""Every golden file is matched, or differs exactly where the original is known to be wrong. The work is in tests/goldens.py."""
import subprocess
import sys

import pytest

import goldens
import tool

# Goldens that must be matched; all others have differences that are written down.
MATCHED = {"annotated_A1.csv", "annotated_A2.csv"}


@pytest.mark.parametrize("check", goldens.CHECKS, ids=goldens.name_of)
def test_golden(check):
    differences = check()
    assert bool(differences) != (goldens.name_of(check) in MATCHED)


def test_every_golden_file_is_checked():
    files = {str(path.relative_to(goldens.GOLDEN)) for path in goldens.GOLDEN.rglob("*") if path.is_file()}
    assert files == {goldens.name_of(check) for check in goldens.CHECKS}


def test_the_command_for_people():
    done = subprocess.run([sys.executable, tool.TESTS / "goldens.py"], capture_output=True, text=True, env=tool.environment())
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout
    assert len(lines) == len(goldens.CHECKS)
    assert "annotated_A1.csv: matched" in lines
    assert not any("FAILED" in line for line in lines)


def test_a_mismatch_is_found(monkeypatch, tmp_path):
    """The comparison can fail: a golden whose number was changed is not matched."""
    changed = (goldens.GOLDEN / "annotated_A1.csv").read_text().replace(";2250;", ";2251;")
    (tmp_path / "annotated_A1.csv").write_text(changed)
    monkeypatch.setattr(goldens, "GOLDEN", tmp_path)
    with pytest.raises(goldens.Mismatch):
        goldens.check_annotated_a1()
