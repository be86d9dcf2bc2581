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


def test_lost_rows_are_told(good, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text((tool.MOBILENET / "runtime.csv").read_text() + "nonsense\n")
    assert "1 of 2313 rows lost" in good("report", path).text.split("what was lost", 1)[1]


@pytest.mark.parametrize("words, code, wanted", [
    ([], 2, "wants a profile, or a folder"), (["-"], 2, "give a file, not standard input"), (["no_such_file.csv"], 3, "No such file"),
    ([PROFILES[0], "-o", "x.pdf"], 2, "the suffix names no document format"), ([PROFILES[0], "--runs", "nothing"], 3, "no slice is called nothing"),
    ([PROFILES[0], "--arch", "nochip"], 2, "--arch"), ([PROFILES[0], "--warmup", "some"], 2, "--warmup wants")])
def test_wrong_words_are_told(tmp_path, words, code, wanted):
    result = tool.run("report", *words, cwd=tmp_path)
    assert result.code == code and wanted in result.err and not result.text
