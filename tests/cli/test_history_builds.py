"""tacho history: folders of runs by their manifest, counters by equality, and which builds are good ones; and stores of the version before."""
import json
import random
import shutil
import sqlite3

import pytest

import tool
from history_files import write_build, write_runs
from test_history import history, stores, table  # noqa: F401

MODEL = ["--model", "net"]
ON = ["--label", "experiment=sme2_on"]
VERSION_1 = tool.DATA / "history" / "version_1.sql"


def unwrapped(result):
    return " ".join(result.text.split())


# ---- folders of runs ----


@pytest.fixture(scope="module")
def filled(tmp_path_factory, stores):
    """Six builds of run directories."""
    folder = tmp_path_factory.mktemp("runs")
    store, chance = stores.new(folder), random.Random(17)
    for build in range(6):
        added = history("add", "--store", store, "--build", f"b{build}", write_runs(folder / f"b{build}", chance, sme2_on=0.8))
        assert added.code == 0, added.err
    return folder, store


def test_the_manifest_says_what_a_folder_holds(filled):
    folder, store = filled
    assert "State" not in history("list", "--store", store).text, "nothing is to be said of any build"
    rows = table(history("show", "b3", "--store", store, "--json"), "profiles")
    assert len(rows) == 10 and {row["model"] for row in rows} == {"net"} and {row["device"] for row in rows} == {"Phone 7"}
    assert {row["labels"] for row in rows} == {"experiment=sme2_off threads=4", "experiment=sme2_on threads=4"}
    (listed,) = [row for row in table(history("list", "--store", store, "--json")) if row["build"] == "b3"]
    assert (listed["launches"], listed["commit"]) == (10, "cff6f4dd32e630945b71")
    assert len(table(history("list", "--store", store, *ON, "--json"))) == 6


def test_what_the_manifest_says_is_told_and_may_be_overruled(tmp_path, stores):
    store, runs = stores.new(tmp_path), write_runs(tmp_path / "runs", random.Random(2))
    added = history("add", "--store", store, runs)
    assert "model net, build cff6f4dd32e6, experiment=sme2_off threads=4, 1 launch" in added.text and "not known" not in added.text
    assert "1 launch was made for a trace, not for its times: left out" in added.err
    again = history("add", "--store", store, runs)
    assert again.text.count("is there already") == 10
    other = stores.new(tmp_path / "other") if stores.servers else tmp_path / "other.sqlite"
    given = history("add", "--store", other, runs, "--model", "m", "--build", "7", "--commit", "abc", "--device", "d", "--label", "threads=many", "--label", "a=b")
    assert given.code == 0 and "build 7, threads=many a=b experiment=sme2_off, 1 launch" in given.text
    (row,) = table(history("list", "--store", other, "--label", "threads=many", "--label", "experiment=sme2_on", "--json"))
    assert (row["model"], row["build"], row["commit"], row["device"], row["launches"]) == ("m", "7", "abc", "d", 5)


def test_the_warm_up_is_the_manifests(filled):
    """Two runs of three times the time are in each file; the rule would find them, too, but not where all have them."""
    rows = {row["labels"]: row["median"] for row in table(history("show", "b3", "--store", filled[1], "--json"), "profiles")}
    assert abs(rows["experiment=sme2_off threads=4"] - 502_000) < 15_000
    assert abs(rows["experiment=sme2_on threads=4"] - 402_000) < 15_000


def test_each_experiment_is_held_against_its_own(filled, tmp_path):
    folder, store = filled
    same = history("gate", "--store", store, *MODEL, "--build", "x", write_runs(tmp_path / "same", random.Random(4), sme2_on=0.8), "--json")
    assert same.code == 0 and [(row["verdict"], row["labels"]) for row in table(same)] == [("pass", "experiment=sme2_off threads=4"), ("pass", "experiment=sme2_on threads=4")]
    slow = write_runs(tmp_path / "slow", random.Random(5), sme2_on=0.9)
    result = history("gate", "--store", store, *MODEL, "--build", "x", slow, "--junit", tmp_path / "gate.xml")
    assert result.code == 1 and "net, run, experiment=sme2_off threads=4: pass" in unwrapped(result) and "net, run, experiment=sme2_on threads=4: SLOWER" in unwrapped(result)
    assert 'tests="2" failures="1" skipped="0"' in (tmp_path / "gate.xml").read_text()
    assert [row["verdict"] for row in table(history("gate", "--store", store, *MODEL, "--build", "x", slow, *ON, "--json"))] == ["slower"]
    assert history("gate", "--store", store, *MODEL, "--build", "x", slow, "--label", "experiment=sme2_off").code == 0
    nothing = history("gate", "--store", store, *MODEL, "--build", "x", slow, "--label", "experiment=other")
    assert nothing.code == 3 and "nothing of the candidate" in nothing.err
    elsewhere = history("gate", "--store", store, *MODEL, "--build", "x", write_runs(tmp_path / "else", random.Random(6), device="Phone 8", sme2_on=0.8))
    assert history("gate", "--store", store, *MODEL, "--build", "x", tmp_path / "else", "--device", "Phone 7").code == 0, "what is given wins"
    assert elsewhere.code == 2 and "ran on Phone 8" in elsewhere.err and "--device" in elsewhere.err


def test_a_mixture_of_experiments_is_warned_of(filled):
    mixed = history("trend", "net", "--store", filled[1])
    assert mixed.code == 0 and "experiment=sme2_off and of experiment=sme2_on" in mixed.err and "--label experiment=" in mixed.err
    assert history("trend", "net", "--store", filled[1], *ON).err == ""
    plain = history("gate", *MODEL, "--store", filled[1], "--build", "x", "--device", "Phone 7", next((filled[0] / "b1").glob("*_on_t4_l1_*")))
    assert plain.code == 0 and "--label experiment=" in plain.err, "a file alone has no label"
    assert "experiment=sme2_o" in history("compare", "b1", "b2", *MODEL, "--store", filled[1]).err


def test_what_is_no_run_directory_is_added_as_before(tmp_path):
    folder = write_build(tmp_path / "plain", random.Random(3), 2)
    (folder / "manifest.json").write_text("{}")
    added = history("add", "--store", tmp_path / "store", "--build", "1", folder)
    assert added.code == 0 and added.text.count("model net, build 1, 1 launch") == 2 and "1 other file" in added.err
    damaged = write_runs(tmp_path / "damaged", random.Random(4), 2)
    (damaged / "manifest.json").write_text("{")
    result = history("add", "--store", tmp_path / "store", "--build", "1", damaged)
    assert result.code == 0 and "manifest.json:1" in result.err and "threads=4" in result.text
    empty = write_runs(tmp_path / "empty", random.Random(3), 2)
    for file in empty.glob("*.csv"):
        file.write_text("name,type\n")
    result = history("add", "--store", tmp_path / "store", "--build", "1", empty)
    assert result.code == 3 and "no launch in it has a profile with a time" in result.err


# ---- good builds ----


def builds_of(store):
    return {row["build"]: row["state"] for row in table(history("list", "--store", store, *ON, "--json"))}


@pytest.fixture
def judged(tmp_path, stores):
    """Seven builds, of which one failed and one is slow; and a candidate that is as the slow one."""
    store, chance = stores.new(tmp_path), random.Random(23)
    for build in range(7):
        runs = write_runs(tmp_path / f"b{build}", chance, failed=(2,) if build == 2 else (), sme2_on=1.3 if build == 6 else 1.0)
        assert history("add", "--store", store, "--build", f"b{build}", runs).code == 0
    return store, write_runs(tmp_path / "candidate", chance, sme2_on=1.3)


def test_failed_launches_are_kept_as_failures(judged):
    store, _ = judged
    shown = history("show", "b2", "--store", store, "--json")
    (failure,) = [row for row in table(shown, "sentences") if row["kind"] == "failure"]
    assert failure["profile"] == "sme2_on, launch 2" and failure["sentence"] == "exit status 132 (SIGILL)"
    (profile,) = [row for row in table(shown, "profiles") if row["profile"] == failure["profile"]]
    assert profile["launches"] == 0 and "experiment=sme2_on" in profile["labels"]


def test_numbers_of_builds_are_listed(judged):
    rows = table(history("list", "--store", judged[0], "--columns", "numbers", "--json"))
    assert {row["build"]: (row["launches"], row["failed"], row["state"]) for row in rows} == {f"b{number}": (9, 1, "failed") if number == 2 else (10, 0, None) for number in range(7)}
    assert all(row["device_time"] > 0 and row["host_time"] is None and row["idle_time"] is not None and row["operators"] == 2 for row in rows)


def test_builds_that_failed_or_are_bad_do_not_count(judged):
    store, candidate = judged
    gate = ["gate", "--store", store, *MODEL, "--build", "x", *ON, candidate]
    assert builds_of(store) == {"b2": "failed"} | {f"b{number}": None for number in (0, 1, 3, 4, 5, 6)}
    off = history("list", "--store", store, "--label", "experiment=sme2_off", "--json")
    assert [row["build"] for row in table(off) if row["state"]] == ["b2"], "what failed in one experiment is no good build"
    assert "State" in history("list", "--store", store).text
    first = history(*gate)
    assert first.code == 1 and "; 2 builds left out: 1 failed, 1 slower" in unwrapped(first) and "of 5 builds" in unwrapped(first)
    marked = history("mark", "bad", "--store", store, *MODEL, "b6", "b5")
    assert marked.code == 0 and marked.text == "net, build b6: marked bad\nnet, build b5: marked bad\n"
    assert history("mark", "none", "--store", store, *MODEL, "b5").code == 0
    second = history(*gate)
    assert second.code == 1 and "; 2 builds left out: 1 failed, 1 marked bad" in unwrapped(second) and "of 5 builds" in unwrapped(second)
    assert builds_of(store)["b6"] == "bad" and builds_of(store)["b5"] is None
    (row,) = table(history(*gate, "--json"))
    assert row["left_out"] == 2 and row["builds"] == 5
    assert history("mark", "good", "--store", store, *MODEL, "b2").code == 0
    assert "; 1 build left out: 1 marked bad" in unwrapped(history(*gate)) and builds_of(store)["b2"] == "good"
    assert "; 1 build left out: 1 marked bad" in unwrapped(history("gate", "--store", store, *MODEL, *ON, "--calibrate"))
    assert "over 7 builds" in unwrapped(history("trend", "net", "--store", store, *ON)), "a trend shows all"
    assert history("mark", "none", "--store", store, *MODEL, "b2").code == 0
    calibrated = history("gate", "--store", store, *MODEL, *ON, "--calibrate")
    assert "; 2 builds left out: 1 failed, 1 marked bad" in unwrapped(calibrated)


def test_only_builds_that_would_count_are_said_to_be_left_out(judged):
    store, candidate = judged
    result = history("gate", "--store", store, *MODEL, "--build", "x", *ON, "--builds", "3", candidate)
    assert "; 1 build left out: 1 slower; " in unwrapped(result), "b2 lies before the last three"


def test_a_candidate_of_which_launches_failed_does_not_pass(judged, tmp_path):
    result = history("gate", "--store", judged[0], *MODEL, "--build", "x", *ON, write_runs(tmp_path / "failing", random.Random(9), failed=(1, 3)))
    assert result.code == 1 and "FAILED: 2 launches of the candidate; of the others: too few for a verdict: 3 launches" in unwrapped(result)
    result = history("gate", "--store", judged[0], *MODEL, "--build", "x", *ON, write_runs(tmp_path / "other", random.Random(9), failed=(1,)), "--json",
                     "--junit", tmp_path / "gate.xml")
    assert result.code == 1 and table(result)[0]["verdict"] == "failed"
    assert 'failures="1" skipped="0"' in (tmp_path / "gate.xml").read_text() and "<failure message=" in (tmp_path / "gate.xml").read_text()


@pytest.mark.parametrize("words, code, says", [
    (["bad", "b0"], 2, "--model"),
    (["bad", *MODEL], 2, "builds"),
    (["worse", "b0", *MODEL], 2, "\"worse\""),
    (["bad", "b9", *MODEL], 3, "no build \"b9\" of \"net\""),
    (["bad", "b0", "--model", "other"], 3, "no build \"b0\" of \"other\""),
])
def test_marks_that_cannot_be_are_errors(filled, words, code, says):
    result = history("mark", *words, "--store", filled[1])
    assert result.code == code and says in result.err
    assert set(builds_of(filled[1]).values()) == {None}


def test_a_mark_makes_no_history(tmp_path):
    assert history("mark", "bad", *MODEL, "1", "--store", tmp_path / "none").code == 3
    assert not (tmp_path / "none").exists()


# ---- counters ----


def write_copies(path, sizes, shift=0):
    """A trace whose copies say how much they moved, in two runs."""
    events = []
    for run in range(2):
        events.append({"ph": "X", "pid": 1, "tid": 1, "name": "inference", "ts": 1000 * run, "dur": 900})
        events += [{"ph": "X", "cat": "gpu_memcpy", "pid": 0, "tid": 7, "name": f"Memcpy {number}", "ts": 1000 * run + 100 * number + shift, "dur": 50 + shift,
                    "args": {"bytes": size, "device": 0, "stream": 7}} for number, size in enumerate(sizes)]
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A GPU"}], "traceEvents": events}))
    return path


def test_bytes_are_held_against_the_last_good_build(tmp_path, stores):
    store, how = stores.new(tmp_path), ["--runs", "inference", *MODEL]
    for number, sizes in enumerate(([100, 200], [100, 200], [100, 250])):
        assert history("add", "--store", store, "--build", number, write_copies(tmp_path / f"{number}.json", sizes, number), *how).code == 0
    (change,) = table(history("trend", "net", "--metric", "bytes", "--store", store, "--json"))
    assert (change["last_before"], change["build"], change["before"], change["after"]) == ("1", "2", 300, 350)
    gate = ["gate", "--store", store, "--metric", "bytes", "--build", "x", *how]
    more = history(*gate, write_copies(tmp_path / "more.json", [100, 251], 5))
    assert more.code == 1 and "net, bytes: MORE: 300 to 351, against build 1; 1 build left out: 1 with more; more since build 2, which nobody accepted" in unwrapped(more)
    (row,) = table(history(*gate, tmp_path / "more.json", "--json"))
    assert (row["verdict"], row["before"], row["left_out"], row["since"]) == ("more", 300, 1, "2")
    assert history("mark", "good", "2", *MODEL, "--store", store).code == 0
    more = history(*gate, tmp_path / "more.json")
    assert more.code == 1 and "net, bytes: MORE: 350 to 351, against build 2" in unwrapped(more) and "more bytes" in more.err
    assert history(*gate, "--tolerance", "1%", tmp_path / "more.json").code == 0
    same = history(*gate, write_copies(tmp_path / "same.json", [350], 6))
    assert same.code == 0 and "pass, the same: 350 to 350" in same.text
    assert history("mark", "bad", "2", *MODEL, "--store", store).code == 0
    (row,) = table(history(*gate, tmp_path / "same.json", "--json"))
    assert (row["verdict"], row["before"], row["after"], row["left_out"]) == ("more", 300, 350, 1)
    unknown = history(*gate, write_copies(tmp_path / "none.json", [], 7))
    assert unknown.code == 0 and "no verdict: the candidate does not tell it" in unwrapped(unknown)
    unsteady = history(*gate, tmp_path / "same.json", tmp_path / "more.json")
    assert unsteady.code == 0 and "launches of the candidate do not agree" in unwrapped(unsteady)


def test_a_counter_is_unknown_where_runs_do_not_have_the_same(tmp_path):
    path = write_copies(tmp_path / "one.json", [100])
    trace = json.loads(path.read_text())
    trace["traceEvents"][-1]["args"]["bytes"] = 101
    path.write_text(json.dumps(trace))
    assert history("add", "--store", tmp_path / "store", "--build", "1", *MODEL, "--runs", "inference", path).code == 0
    assert sqlite3.connect(tmp_path / "store").execute("SELECT * FROM counter").fetchall() == []


def test_the_device_is_what_the_profile_says(tmp_path):
    added = history("add", "--store", tmp_path / "store", "--build", "1", "--commit", "c", *MODEL, write_copies(tmp_path / "one.json", [100]))
    assert "device is not known" not in added.text
    assert table(history("list", "--store", tmp_path / "store", "--json"))[0]["device"] == "A GPU"


def test_an_estimate_has_cycles_and_any_profile_operators(tmp_path, stores):
    store = stores.new(tmp_path)
    shutil.copy(tool.DATA / "torq-golden" / "c1.csv", tmp_path / "net.csv")
    assert history("add", "--store", store, "--build", "1", tmp_path / "net.csv").code == 0
    (line,) = table(history("trend", "net", "--metric", "cycles", "--store", store, "--json"), "trend")
    assert line["median"] == line["level"] == 2500
    for metric in ("cycles", "operators"):
        (row,) = table(history("gate", *MODEL, "--metric", metric, "--store", store, "--build", "2", tmp_path / "net.csv", "--json"))
        assert row["verdict"] == "pass" and row["factor"] == 1
    none = history("trend", "net", "--metric", "flops", "--store", store)
    assert none.code == 3 and "no launch of \"net\" tells flops" in none.err


@pytest.mark.parametrize("words, says", [(["trend", "net", "--metric", "bytes", "--operator", "conv"], "not of one operator"), (["gate", *MODEL, "--metric", "bytes", "--calibrate"], "--calibrate is for times")])
def test_what_counters_are_not_for_is_said(filled, words, says):
    result = history(*words, "--store", filled[1])
    assert result.code == 2 and says in result.err


# ---- the version before ----


@pytest.fixture
def old(tmp_path):
    """A store as it was written by version 1."""
    store = sqlite3.connect(tmp_path / "old.sqlite")
    store.executescript(VERSION_1.read_text())
    store.close()
    return tmp_path / "old.sqlite"


def test_an_older_store_is_read_as_it_is(old, tmp_path):
    bytes_before = old.read_bytes()
    assert [row["build"] for row in table(history("list", "--store", old, "--json"))] == ["1", "2"]
    assert "over 2 builds" in history("trend", "net", "--store", old).text
    unknown = history("trend", "net", "--metric", "cycles", "--store", old)
    assert unknown.code == 3 and "tells cycles" in unknown.err
    gate = history("gate", *MODEL, "--metric", "cycles", "--store", old, "--build", "3", tool.DATA / "torq-golden" / "c1.csv")
    assert gate.code == 0 and "no verdict: no good build tells it" in unwrapped(gate)
    assert history("export", tmp_path / "all.json", "--store", old).code == 0
    assert json.loads((tmp_path / "all.json").read_text())["counter"] == []
    assert old.read_bytes() == bytes_before


def test_an_older_store_gets_what_it_lacks_from_its_next_writer(old):
    assert history("mark", "bad", *MODEL, "1", "--store", old).code == 0
    assert sqlite3.connect(old).execute("PRAGMA user_version").fetchall() == [(2,)]
    assert history("add", *MODEL, "--build", "3", "--store", old, tool.DATA / "torq-golden" / "c1.csv").code == 0
    assert {row["build"]: row["state"] for row in table(history("list", "--store", old, "--json"))} == {"1": "bad", "2": None, "3": None}
    assert [row["launches"] for row in table(history("trend", "net", "--metric", "cycles", "--store", old, "--json"), "trend")] == [0, 0, 1]


@pytest.mark.slow
def test_an_older_database_does_so_too(clickhouses, tmp_path):
    store = clickhouses.both()
    name = store.split("/")[-1].split("?")[0]
    assert history("add", *MODEL, "--build", "1", "--store", store, write_build(tmp_path / "one", random.Random(1), 2)).code == 0
    for server in clickhouses.servers:
        for gone in ("counter", "counter_all", "mark", "mark_all", "version"):
            server.ask(f"DROP TABLE {name}.{gone}")
        server.ask(f"CREATE TABLE {name}.version (version Int64) ENGINE = MergeTree() ORDER BY version")
        server.ask(f"INSERT INTO {name}.version VALUES (1)")
    assert [row["state"] for row in table(history("list", "--store", store, "--json"))] == [None]
    assert history("export", tmp_path / "all.json", "--store", store).code == 0
    assert history("mark", "bad", *MODEL, "1", "--store", store).code == 0
    assert [row["state"] for row in table(history("list", "--store", store, "--json"))] == ["bad"]
    assert [server.ask(f"SELECT max(version) FROM {name}.version") for server in clickhouses.servers] == [[["2"]], [["2"]]]
