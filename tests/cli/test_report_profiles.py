"""Reports on profiles of every tool chain: the answers of advise, summary and operators in one document."""
import gzip
import json

import pytest

import tool

PROFILES = [tool.MOBILENET / "runtime.csv", tool.MOBILENET / "timeline.csv", tool.ROOT / "examples/encoder_wormhole/ops_perf_results.csv",
            tool.ROOT / "examples/encoder_wormhole/profile_log_device.csv.gz",
            tool.ROOT / "examples/mobilenet_xnnpack/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"]


@pytest.fixture(params=PROFILES, ids=lambda path: path.name)
def profile(request):
    return request.param


def test_its_answers_are_those_of_the_verbs(good, profile):
    ours = json.loads(good("report", "-q", profile, "--json").text)
    advice = json.loads(good("advise", "-q", profile, "--json").text)
    assert all(ours[key] == advice[key] for key in ("healthy", "run_ns", "headline", "items", "smaller", "dominates", "parts"))
    whole = json.loads(good("summary", "-q", profile, "--json").text)["total_duration"]
    assert ours["overview"][0]["time"] == whole and ours["operators"]


@pytest.mark.parametrize("suffix", [".md", ".html", ".json", ".json.gz"])
def test_every_format_says_first_what_to_do(good, tmp_path, profile, suffix):
    told = good("report", profile, "-o", tmp_path / f"x{suffix}").text.splitlines()
    assert told[0] == str(tmp_path / f"x{suffix}")
    data = (tmp_path / f"x{suffix}").read_bytes()
    text = (gzip.decompress(data) if suffix.endswith("gz") else data).decode()
    first = json.loads(good("advise", "-q", profile, "--json").text)["items"][0]["title"]
    assert told[-1] == first
    if "json" in suffix:
        assert json.loads(text)["items"][0]["title"] == first
    else:
        assert "What to do first" in text and text.index("What to do first") < text.index("Where a run goes") < text.index("What operators cost")


def test_the_first_screen_comes_first(good, profile):
    text = good("report", "-q", profile).text
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings[:3] == ["Where the time goes", "What to do first", "What failed or was lost"]
    assert headings.index("What to do, and what it rests on") > 2 and headings[-1] == "What this rests on, and what was lost"
    assert "Nothing: every row was used." in text


def test_parts_of_the_first_screen_are_those_of_advise(good, profile):
    rows = [line.split(" | ") for line in good("report", "-q", profile).text.split("## What to do first")[0].splitlines() if line.startswith("| ")]
    parts = [part for part in json.loads(good("advise", "-q", profile, "--json").text)["parts"] if part["time_ns"] > 0]
    assert [row[0][2:] for row in rows[2:]] == [part["part"] for part in parts]


DUMPS = [tool.ROOT / "examples/mobilenet_xnnpack" / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on")]


def test_two_sides_are_compared_as_compare_does(good, tmp_path):
    words = ["-q", DUMPS[0], "--with", DUMPS[1]]
    ours = json.loads(good("report", *words, "--json").text)
    assert ours["verdict"] in " ".join(good("compare", *words).text.split())
    assert ours["items"] == json.loads(good("advise", "-q", DUMPS[1], "--json").text)["items"]
    told = good("report", *words[1:], "-o", tmp_path / "x.md").text.splitlines()
    text = (tmp_path / "x.md").read_text()
    assert told[1] == ours["verdict"] and f"From `{DUMPS[0].name}` to `{DUMPS[1].name}`: {ours['verdict']}." in text
    slower = text.split("## What became slower")[1].split("\n## ")[0]
    assert "cannot tell a change from luck" in slower
    first = slower.split("- `")[1]
    assert first.startswith("features.3.body.1.0: Convolution (NHWC, F32) DWConv #3`: 209.413µs, was 188.483µs (+11.1 %)")
    assert "## What changed, and what it is made of" in text


def test_losses_of_both_sides_are_told(good, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text((tool.MOBILENET / "runtime.csv").read_text() + "nonsense\n")
    for words in ([path, "--with", tool.MOBILENET / "runtime.csv"], [tool.MOBILENET / "runtime.csv", "--with", path]):
        lost = good("report", *words).text.split("## What failed or was lost")[1].split("\n## ")[0]
        assert "1 of 2313 rows lost" in lost


def test_lost_rows_are_told(good, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text((tool.MOBILENET / "runtime.csv").read_text() + "nonsense\n")
    text = good("report", path).text
    assert "1 of 2313 rows lost" in text.split("what was lost", 1)[1]
    assert "1 of 2313 rows lost" in text.split("## What failed or was lost")[1].split("\n## ")[0]


@pytest.mark.parametrize("words, code, wanted", [
    ([], 2, "wants a profile, or a folder"), (["-"], 2, "give a file, not standard input"), (["no_such_file.csv"], 3, "No such file"),
    ([PROFILES[0], "-o", "x.pdf"], 2, "the suffix names no document format"), ([PROFILES[0], "--runs", "nothing"], 3, "no slice is called nothing"),
    ([PROFILES[0], "--with", "-"], 2, "not standard input"), ([PROFILES[0], "--with", "no_such_file.csv"], 3, "No such file"),
    ([DUMPS[0].parent, "--with", DUMPS[1]], 2, "--with is about profiles"), (["--run-dir", DUMPS[0].parent, "--with", DUMPS[1]], 2, "--with is about profiles"),
    ([PROFILES[0], "--arch", "nochip"], 2, "--arch"), ([PROFILES[0], "--warmup", "some"], 2, "--warmup wants")])
def test_wrong_words_are_told(tmp_path, words, code, wanted):
    result = tool.run("report", *words, cwd=tmp_path)
    assert result.code == code and wanted in result.err and not result.text
