"""doc/python.md: its examples of asking, of the op profiler and of charts run as they stand, one after the other."""
import json
import re
import shutil

import pytest

import package  # noqa: F401
import tool

PAGE = (tool.ROOT / "doc" / "python.md").read_text()
SECTIONS = ["Asking", "Op profiler", "Writing charts"]


def blocks(section):
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    shutil.copy(tool.DATA / "operators" / "broken_graph_mac_sme2_on_t1.etdump", tmp_path / "net.etdump")
    shutil.copy(tool.DATA / "operators" / "broken_graph.etrecord", tmp_path / "net.etrecord")
    for name in ("before_1", "before_2", "after_1", "after_2", "compile_profile"):
        shutil.copy(tool.GOLDEN / "c1.csv", tmp_path / f"{name}.csv")
    shutil.copy(tool.GOLDEN / "r1.csv", tmp_path / "runtime_profile.csv")
    shutil.copy(tool.DATA / "torq-compile" / "odd.csv", tmp_path / "broken.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("section", SECTIONS)
def test_examples_run(section, folder, capsys):
    names = {}
    for block in blocks(section):
        exec(compile(block, f"doc/python.md, {section}", "exec"), names)
    said = capsys.readouterr().out
    if section == "Asking":
        assert (folder / "report.html").exists() and "broken.csv 5 1" in said and "launch" in said
        assert names["missing"] == names["flops"].nulls and len(names["times"]) == len(names["operators"])
    elif section == "Op profiler":
        names["profiler"].set_profiler_location("")
        assert json.loads(tool.good("ops", folder / "logs", "--json").text)["reports"][0]["ops"] == 2
    else:
        assert (folder / "chart.pb").stat().st_size and (folder / "perfetto_log.pb").stat().st_size
