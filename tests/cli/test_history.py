"""tacho history: profiles of builds kept, what changed and when, and a gate; a store that no writer leaves half-written."""
import gzip
import json
import random
import shlex
import signal
import sqlite3
import subprocess
import xml.etree.ElementTree

import pytest

import tool
from history_files import NO_BUILD, OPERATORS, write_build

TABLES = ("profile", "content", "label", "note", "advice", "launch", "run", "part", "engine", "operator", "operator_time", "counter", "mark")


def history(action, *words, **options):
    return tool.run("history", action, *words, variables=NO_BUILD | options.pop("variables", {}), **options)


def table(result, name=None):
    """The rows of a table of --json."""
    assert result.code in (0, 1), result.err
    found = json.loads(result.text)
    tables = found if isinstance(found, list) else [found]
    return next(one["rows"] for one in tables if name in (None, one["name"]))


class Stores:
    """New stores of one kind, and what lies in them."""

    def __init__(self, kind, request):
        self.kind, self.servers = kind, request.getfixturevalue("clickhouses") if kind == "clickhouse" else None

    def new(self, folder):
        return self.servers.both() if self.servers else folder / "store.sqlite"

    def database(self, store):
        return store.split("/")[-1].split("?")[0]

    def ask(self, store, sql):
        """Rows as lists of texts; tables are given as {table}."""
        if self.servers:
            names = {name: f"{self.database(store)}.{name}_all" for name in TABLES}
            return self.servers[0].ask(sql.format(**names))
        return [[str(value) for value in row] for row in sqlite3.connect(store).execute(sql.format(**{name: name for name in TABLES}))]

    def age(self, store, build, days):
        """As if its profiles had been added so many days before."""
        if self.servers:
            self.servers.age(self.database(store), str(build), days)
        else:
            connection = sqlite3.connect(store)
            connection.execute("UPDATE profile SET added = added - ? WHERE build = ?", (days * 86400 * 10**9, str(build)))
            connection.commit()

    def all_profiles(self, store, table):
        """The ids of the profiles that a table has rows of, once what was taken out is gone."""
        while self.servers and any(rows != [["0"]] for rows in (server.ask(f"SELECT count() FROM system.mutations WHERE database = '{self.database(store)}' AND is_done = 0") for server in self.servers.servers)):
            continue
        return [row[0] for row in self.ask(store, f"SELECT DISTINCT profile FROM {{{table}}}")]


@pytest.fixture(scope="module", params=["sqlite", pytest.param("clickhouse", marks=pytest.mark.slow)])
def stores(request):
    """Each test is of SQLite and of two ClickHouse servers."""
    return Stores(request.param, request)


@pytest.fixture(scope="module")
def made(tmp_path_factory, stores):
    """Twelve builds, the last five with a slower conv, which was accepted, in a store; and candidates."""
    folder = tmp_path_factory.mktemp("history")
    chance, store = random.Random(5), stores.new(folder)
    for build in range(12):
        path = write_build(folder / f"b{build}", chance, **({"conv": 1.15} if build >= 7 else {}))
        result = history("add", "--store", store, "--model", "net", "--build", f"b{build}", "--device", "board", "--commit", f"c{build}", "--runs", "inference", path)
        assert result.code == 0, result.err
    assert history("mark", "good", "--store", store, "--model", "net", "b7").code == 0, "the change is accepted"
    write_build(folder / "same", chance, 10, conv=1.15)
    write_build(folder / "slow", chance, 10, conv=1.15, dense=1.2)
    return folder, store


# ---- what is kept ----


def test_builds_are_listed_in_the_order_in_which_they_were_added(made):
    rows = table(history("list", "--store", made[1], "--json"))
    assert [row["build"] for row in rows] == [f"b{number}" for number in range(12)]
    assert {row["launches"] for row in rows} == {5} and {row["device"] for row in rows} == {"board"}
    assert all(990_000 < row["median"] < 1_100_000 for row in rows)


def test_a_build_is_shown(made):
    result = history("show", "b3", "--store", made[1], "--json")
    assert [row["profile"] for row in table(result, "profiles")] == [f"net_l{number}.json" for number in range(5)]
    operators = {row["operator"]: row["own"] for row in table(result, "operators")}
    assert set(OPERATORS) <= set(operators) and abs(operators["pool"] - 200_000) < 4000
    missing = history("show", "b99", "--store", made[1])
    assert missing.code == 3 and "b99" in missing.err


def test_models_and_devices_of_a_build_are_not_averaged(tmp_path, stores):
    store, chance = stores.new(tmp_path), random.Random(4)
    for model, device, factor, launches in (("one", "d", 1, 3), ("one", "e", 2, 2), ("two", "d", 3, 1)):
        folder = write_build(tmp_path / f"{model}{device}", chance, launches, conv=factor)
        assert history("add", "--store", store, "--model", model, "--build", "7", "--device", device, "--label", f"at={device}", "--runs", "inference", folder).code == 0
    rows = table(history("show", "7", "--store", store, "--table", "operators", "--json"), "operators")
    convs = {(row["model"], row["on"]): row["own"] for row in rows if row["operator"] == "conv"}
    assert {key: round(value / 400_000) for key, value in convs.items()} == {("one", "d"): 1, ("one", "e"): 2, ("two", "d"): 3}
    assert [row["operator"] for row in rows[:3]] == ["conv"] * 3 and rows[0]["model"] == "two", "the longest first"
    assert all(row["device"] is None for row in rows), "no launch tells what devices do"
    for words, expected in ((["--device", "d"], 4), (["--label", "at=e"], 2), (["--model", "one"], 5), (["--model", "one", "--device", "e"], 2)):
        assert len(table(history("show", "7", "--store", store, "--json", *words), "profiles")) == expected, words
    alone = table(history("show", "7", "--store", store, "--model", "two", "--json"), "operators")
    assert set(alone[0]) == {"operator", "own", "device"}


def test_tables_are_views_of_fields(made, tmp_path):
    store = made[1]
    rows = table(history("list", "--store", store, "--columns", "build,median,least,most", "--sort", "-median", "--limit", "3", "--json"), "builds")
    assert len(rows) == 3 and {row["build"] for row in rows} <= {f"b{number}" for number in range(7, 12)} and list(rows[0]) == ["build", "median", "least", "most"]
    assert all(row["least"] <= row["median"] <= row["most"] for row in rows) and rows == sorted(rows, key=lambda row: -row["median"])
    assert [row["build"] for row in table(history("list", "--store", store, "--filter", "build=b3", "--json"), "builds")] == ["b3"]
    shown = table(history("show", "b3", "--store", store, "--columns", "operator,calls", "--sort", "operator", "--json"), "operators")
    assert shown == [{"operator": name, "calls": 1} for name in sorted([*OPERATORS, "inference"])]
    profiles = table(history("show", "b3", "--store", store, "--table", "profiles", "--columns", "profile,build,commit", "--sort", "-profile", "--json"), "profiles")
    assert profiles == [{"profile": f"net_l{number}.json", "build": "b3", "commit": "c3"} for number in (4, 3, 2, 1, 0)]
    for suffix in ("csv", "md", "xlsx", "json"):
        assert history("list", "--store", store, "--columns", "spread", "-o", tmp_path / f"x.{suffix}").code == 0
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == "model,build,device,launches,median,least,most"


def test_columns_that_there_are_not(made):
    """What is meant is said; what there is can be asked without a store."""
    def refused(*words):
        result = history(*words, "--store", made[1])
        assert result.code == 2
        return result.err
    assert "did you mean \"median\"?" in refused("list", "--columns", "medain")
    assert "has no field \"none\"" in refused("show", "b3", "--sort", "none")
    assert "did you mean \"profiles\"?" in refused("show", "b3", "--table", "profile")
    assert "profiles, operators or sentences" in refused("show", "b3", "--table", "builds")
    for action in ("add", "trend", "gate", "compare", "prune", "export"):
        assert f"not about {action}" in refused(action, "--sort", "build")
    keys = {row["key"] for row in table(history("list", "--store", "nowhere", "--columns", "help", "--json"))}
    assert {"model", "build", "device", "median", "least", "added"} <= keys
    assert {row["key"] for row in table(history("show", "--table", "sentences", "--columns", "help", "--json"))} == {"profile", "kind", "sentence", "model"}


def test_operators_that_are_not_shown_are_told(tmp_path, stores):
    path, store = tmp_path / "many.json", stores.new(tmp_path)
    path.write_text(json.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": f"op{number}", "ts": 100 * number, "dur": 5 + number} for number in range(30)]}))
    assert history("add", "--store", store, "--model", "m", "--build", "1", path).code == 0
    usual = history("show", "1", "--store", store)
    assert "the 20 of 30 that take longest; --table operators shows all" in usual.text.replace("\n      ", " ") and "op9" not in usual.text
    assert len(table(history("show", "1", "--store", store, "--table", "operators", "--json"))) == 30


def test_adding_a_file_twice_changes_nothing(made, tmp_path):
    folder, store = made
    before = tmp_path / "before.json", tmp_path / "after.json"
    assert history("export", before[0], "--store", store).code == 0
    again = history("add", "--store", store, "--model", "other", "--build", "b100", "--runs", "inference", folder / "b3" / "net_l0.json")
    assert again.code == 0 and "is there already" in again.text
    assert history("export", before[1], "--store", store).code == 0
    assert before[0].read_bytes() == before[1].read_bytes()


@pytest.mark.parametrize("words, code, later", [(["add", "--build", "1", "text"], 3, 3), (["add", "--build", "1", "nothing"], 3, 3), (["add", "--build", "1", "folder"], 3, 3),
                                                (["add", "--build", "x" * 300, "good"], 2, 2), (["add"], 2, 2), (["prune", "--builds", "3"], 3, 0)])
def test_who_adds_nothing_leaves_no_store_behind(tmp_path, words, code, later):
    (tmp_path / "text").write_text("no profile\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "text").write_text("no profile\n")
    write_build(tmp_path / "b", random.Random(1), 1).joinpath("net_l0.json").rename(tmp_path / "good")
    before = sorted(tmp_path.iterdir())
    assert history(*words, "--store", "store.sqlite", cwd=tmp_path).code == code
    assert sorted(tmp_path.iterdir()) == before
    assert history("add", "--build", "1", "--store", "store.sqlite", "good", cwd=tmp_path).code == 0
    assert history(*words, "--store", "store.sqlite", cwd=tmp_path).code == later
    assert [row["build"] for row in table(history("list", "--store", "store.sqlite", "--json", cwd=tmp_path))] == ["1"]


def test_a_store_that_cannot_be_made_is_an_error(tmp_path):
    folder = write_build(tmp_path / "b", random.Random(1), 2)
    for path in (folder, folder / "net_l0.json"):
        result = history("add", "--build", "1", "--store", tmp_path / "missing" / "store.sqlite", path)
        assert result.code == 4 and "store.sqlite: cannot be opened" in result.err


def test_the_same_bytes_of_another_build_are_told(tmp_path, stores):
    path, store = write_build(tmp_path / "b", random.Random(1), 1) / "net_l0.json", stores.new(tmp_path)
    assert history("add", "--store", store, "--build", "1", path).code == 0
    again = history("add", "--store", store, "--build", "2", path)
    assert again.code == 0 and "is there already, of build 1; nothing was changed, and build 2 does not have it" in again.text
    assert [row["build"] for row in table(history("list", "--store", store, "--json"))] == ["1"]


@pytest.mark.parametrize("option", ["--model", "--build", "--commit"])
def test_names_are_not_cut(tmp_path, option):
    path, store = write_build(tmp_path / "b", random.Random(1), 1) / "net_l0.json", tmp_path / "store.sqlite"
    usual = {"--model": "net", "--build": "1", "--commit": "c"}
    result = history("add", "--store", store, *[word for pair in (usual | {option: "ä" * 128}).items() for word in pair], path)
    assert result.code == 2 and f"the name of its {option[2:]} has 256 bytes: 255 are the most" in result.err
    assert history("add", "--store", store, *[word for pair in (usual | {option: "x" * 255}).items() for word in pair], path).code == 0
    (row,) = table(history("list", "--store", store, "--json"))
    assert row[option[2:]] == "x" * 255


def test_the_export_has_every_row(made, stores, tmp_path):
    assert history("export", tmp_path / "all.json", "--store", made[1]).code == 0
    tables = json.loads((tmp_path / "all.json").read_text())
    for name, rows in tables.items():
        if name != "version":
            assert len(rows) == int(stores.ask(made[1], f"SELECT count(*) FROM {{{name}}}")[0][0]) > 0 or name in ("label", "note", "advice", "operator", "counter", "mark")
    assert len(tables["profile"]) == 60 and len(tables["run"]) == 360


def test_what_is_stored_is_compared_as_the_files_are(made):
    folder, store = made
    files = [sorted((folder / build).iterdir()) for build in ("b6", "b7")]
    wanted = json.loads(tool.good("compare", *files[0], "--with", *files[1], "--one-model", "--runs", "inference", "--json").text)["models"][0]
    result = history("compare", "b6", "b7", "--model", "net", "--store", store, "--json")
    got = {row["name"]: row for row in table(result, "operators")}
    for row in wanted["operators"]:
        assert (got[row["name"]]["before"], got[row["name"]]["after"]) == (row["before_ns"], row["after_ns"]), row["name"]
    assert wanted["sentence"] in history("compare", "b6", "b7", "--model", "net", "--store", store).text.replace("\n", " ")


# ---- trend ----


def test_a_move_to_another_device_is_told_as_of_files(tmp_path, stores):
    source = gzip.decompress((tool.DATA / "gpu" / "onnxruntime_mobilenet_v2_cpu.json.gz").read_bytes()).decode()
    (tmp_path / "cpu.json").write_text(source)
    (tmp_path / "dml.json").write_text(source.replace("CPUExecutionProvider", "DmlExecutionProvider"))
    store = stores.new(tmp_path)
    for build in ("cpu", "dml"):
        assert history("add", "--store", store, "--model", "net", "--build", build, tmp_path / f"{build}.json").code == 0
    for told in (history("compare", "--store", store, "--model", "net", "cpu", "dml"), tool.good("compare", tmp_path / "cpu.json", tmp_path / "dml.json")):
        assert "runs on CPU -> Execution provider" in " ".join(told.text.split())


def test_a_trend_names_the_build_and_the_operator(made):
    (change,) = table(history("trend", "net", "--store", made[1], "--json"))
    assert (change["last_before"], change["build"], change["first_after"], change["commit"]) == ("b6", "b7", "b7", "c7")
    assert change["low"] < 1.06 < change["high"] and 1.05 < change["factor"] < 1.07
    assert change["operators"].startswith("conv +")
    shown = history("trend", "net", "--store", made[1]).text
    assert "1 change over 12 builds" in shown and "-------^----" in shown


def test_a_trend_of_an_operator_and_of_another_number(made):
    (change,) = table(history("trend", "net", "--operator", "conv", "--store", made[1], "--json"))
    assert 1.14 < change["factor"] < 1.16
    assert table(history("trend", "net", "--operator", "pool", "--store", made[1], "--json")) == []
    assert len(table(history("trend", "net", "--metric", "host", "--store", made[1], "--json"))) == 1


def test_counts_change_where_they_are_not_equal(tmp_path, stores):
    store = stores.new(tmp_path)
    for number, names in enumerate((["a", "b"], ["a", "b"], ["a", "b", "c"])):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": 10 * at, "dur": 5 + number} for at, name in enumerate(names)]}))
        assert history("add", "--store", store, "--model", "m", "--build", number, path).code == 0
    (change,) = table(history("trend", "m", "--metric", "operators", "--store", store, "--json"))
    assert (change["last_before"], change["build"], change["before"], change["after"]) == ("1", "2", 2, 3)


# ---- gate ----


def gate(made, candidate, *words):
    return history("gate", "--store", made[1], "--model", "net", "--build", "candidate", "--runs", "inference", *words, *sorted((made[0] / candidate).iterdir()))


def test_the_gate_passes_what_is_the_same_and_stops_what_is_slower(made, tmp_path):
    passed = gate(made, "same", "--junit", tmp_path / "pass.xml")
    assert passed.code == 0 and "pass" in passed.text
    assert xml.etree.ElementTree.parse(tmp_path / "pass.xml").getroot().get("failures") == "0"
    slower = gate(made, "slow", "--junit", tmp_path / "slow.xml", "-o", tmp_path / "slow.md")
    assert slower.code == 1 and "slower" in slower.err
    assert xml.etree.ElementTree.parse(tmp_path / "slow.xml").getroot().find("testcase/failure") is not None
    assert "| slower |" in (tmp_path / "slow.md").read_text() and "SLOWER" in (tmp_path / "slow.md").read_text()
    (row,) = table(gate(made, "slow", "--json"))
    assert row["verdict"] == "slower" and row["builds"] == 5 and row["candidate_launches"] == 10 and row["low"] > 1
    assert gate(made, "slow", "--tolerance", "20%").code == 0


def test_slow_builds_that_nobody_accepted_stop_the_next_one(tmp_path, stores):
    """One, two (no change yet) and five (a change): the level is that of the builds before, until somebody says that it is a good one."""
    store, chance = stores.new(tmp_path), random.Random(8)

    def add(build, **slower):
        assert history("add", "--store", store, "--model", "my net", "--build", build, "--runs", "inference", write_build(tmp_path / build, chance, **slower)).code == 0

    def judge(*words):
        return history("gate", "--store", store, "--model", "my net", "--build", "x", "--runs", "inference", *words, *sorted((tmp_path / "slow").iterdir()))

    write_build(tmp_path / "slow", chance, conv=1.15)
    for number in range(7):
        add(f"b{number}")
    first = judge()
    assert first.code == 1 and "since build" not in first.text
    for number, slow in ((7, 1), (8, 2), (9, 3), (10, 4), (11, 5)):
        add(f"b{number}", conv=1.15)
        result = judge("--json")
        (row,) = table(result)
        assert result.code == 1 and (row["verdict"], row["builds"], row["left_out"], row["since"]) == ("slower", 7, slow, "b7"), number
        accepts = f"slower since build b7, which nobody accepted: tacho history mark good --store {shlex.quote(str(store))} --model 'my net' b7 accepts it"
        assert "".join(accepts.split()) in "".join(judge().text.split()), "lines end anywhere in a long path"
    rows = {row["build"]: row for row in table(history("gate", "--store", store, "--model", "my net", "--calibrate", "--json"))}
    assert all(rows[f"b{number}"]["verdict"] == "slower" and rows[f"b{number}"]["changed"] for number in range(7, 12))
    assert history("mark", "good", "--store", store, "--model", "my net", "b7").code == 0
    (row,) = table(judge("--json"))
    assert (row["verdict"], row["builds"], row["left_out"], row["since"]) == ("pass", 5, 0, None)


def test_too_few_launches_are_no_verdict(made):
    result = history("gate", "--store", made[1], "--model", "net", "--build", "x", "--runs", "inference", made[0] / "slow" / "net_l0.json")
    assert result.code == 0 and "too few for a verdict: 1 launch of the candidate, 5 are needed" in result.text.replace("\n", " ")


def test_calibration_tells_false_alarms_of_past_builds(made):
    result = history("gate", "--store", made[1], "--model", "net", "--calibrate")
    assert result.code == 0 and "7 past builds judged: 0 false alarms" in result.text, "since b7 was accepted it begins a level: b8 and b9 have too few of it"
    rows = {row["build"]: row for row in table(history("gate", "--store", made[1], "--model", "net", "--calibrate", "--json"))}
    assert rows["b7"]["verdict"] == "slower" and rows["b7"]["changed"] and rows["b0"]["verdict"] == "too few"
    assert all(row["caught"] for row in rows.values() if row["verdict"] != "too few")


# ---- which profiles ----


def test_labels_and_devices_tell_series_apart(tmp_path, stores):
    store, chance = stores.new(tmp_path), random.Random(3)
    for number, (device, mode) in enumerate([("one", "fast"), ("one", "slow"), ("two", "fast")]):
        folder = write_build(tmp_path / str(number), chance, 1)
        assert history("add", "--store", store, "--model", "net", "--build", number, "--device", device, "--label", f"mode={mode}", "--label", "a=b", folder).code == 0
    several = history("trend", "net", "--store", store)
    assert several.code == 2 and "--device" in several.err
    assert "over 2 builds" in history("trend", "net", "--store", store, "--device", "one").text
    assert "over 1 build " in history("trend", "net", "--store", store, "--device", "one", "--label", "mode=slow", "--label", "a=b").text
    assert history("trend", "net", "--store", store, "--label", "mode=other").code == 3
    assert history("trend", "net", "--store", store, "--label", "mode").code == 2


def test_the_build_comes_from_the_build_system_or_is_asked_for(tmp_path, stores):
    folder, store = write_build(tmp_path / "b", random.Random(1), 1), stores.new(tmp_path)
    asked = history("add", "--store", store, folder / "net_l0.json", cwd=tmp_path)
    assert asked.code == 2 and "--build" in asked.err
    assert history("add", "--store", store, folder / "net_l0.json", cwd=tmp_path, variables={"GITHUB_RUN_NUMBER": "77", "GITHUB_SHA": "abc"}).code == 0
    (row,) = table(history("list", "--store", store, "--json"))
    assert (row["model"], row["build"], row["commit"]) == ("net", "77", "abc")


@pytest.mark.parametrize("build, commit", [("GITHUB_RUN_NUMBER", "GITHUB_SHA"), ("CI_PIPELINE_IID", "CI_COMMIT_SHA"), ("BUILD_NUMBER", "GIT_COMMIT"), ("BUILDKITE_BUILD_NUMBER", "BUILDKITE_COMMIT"),
                                           ("CIRCLE_BUILD_NUM", "CIRCLE_SHA1"), ("BUILD_BUILDNUMBER", "BUILD_SOURCEVERSION"), ("BITBUCKET_BUILD_NUMBER", "BITBUCKET_COMMIT")])
def test_systems_that_build_are_known(tmp_path, build, commit):
    path, store = write_build(tmp_path / "b", random.Random(1), 1) / "net_l0.json", tmp_path / "store.sqlite"
    assert history("add", "--store", store, path, cwd=tmp_path, variables={build: "77", commit: "abc"}).code == 0
    (row,) = table(history("list", "--store", store, "--json"))
    assert (row["build"], row["commit"]) == ("77", "abc")


def test_git_tells_the_commit_and_what_is_missing_is_said(tmp_path):
    path, store = write_build(tmp_path / "b", random.Random(1), 1) / "net_l0.json", tmp_path / "store.sqlite"
    git = ["git", "-C", tmp_path, "-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    told = history("add", "--store", store, path, cwd=tmp_path)
    assert told.code == 0 and "commit is not known" not in told.text and "its device is not known (--device)" in told.text
    (row,) = table(history("list", "--store", store, "--json"))
    assert (row["build"], row["commit"], row["device"]) == (head[:12], head, None)
    other = write_build(tmp_path / "c", random.Random(2), 1)
    assert "its commit is not known" in history("add", "--store", store, "--build", "2", other / "net_l0.json", cwd="/").text


def test_pruning_keeps_the_last_builds_of_each_device(tmp_path, stores):
    store, chance = stores.new(tmp_path), random.Random(2)
    for number in range(6):
        folder = write_build(tmp_path / str(number), chance, 1)
        assert history("add", "--store", store, "--model", "net", "--build", number, "--device", f"d{number % 2}", folder).code == 0
    assert history("prune", "--store", store).code == 2
    assert "2 profiles were taken out" in history("prune", "--store", store, "--builds", 2).text
    assert sorted(row["build"] for row in table(history("list", "--store", store, "--json"))) == ["2", "3", "4", "5"]
    for name in ("launch", "run", "part", "operator_time"):
        assert len(stores.all_profiles(store, name)) == 4
    assert "0 profiles were taken out" in history("prune", "--store", store, "--older", 1).text
    assert history("prune", "--store", store, "--older", 1_000_000).code == 2


def test_pruning_takes_out_what_is_old(tmp_path, stores):
    store = stores.new(tmp_path)
    for number, days in enumerate((40, 31, 29, 0)):
        folder = write_build(tmp_path / str(number), random.Random(number), 1)
        assert history("add", "--store", store, "--model", "net", "--build", number, folder).code == 0
        stores.age(store, number, days)
    assert "2 profiles were taken out" in history("prune", "--store", store, "--older", 30).text
    assert [row["build"] for row in table(history("list", "--store", store, "--json"))] == ["2", "3"]
    for name in ("launch", "run", "part", "operator_time"):
        assert len(stores.all_profiles(store, name)) == 2
    assert "1 profile was taken out" in history("prune", "--store", store, "--older", 1, "--builds", 2).text
    assert "0 profiles were taken out" in history("prune", "--store", store, "--older", 1).text


def test_what_was_taken_out_can_be_added_again(tmp_path, stores):
    store = stores.new(tmp_path)
    paths = [write_build(tmp_path / str(number), random.Random(number), 1) / "net_l0.json" for number in range(2)]
    for number, path in enumerate(paths):
        assert history("add", "--store", store, "--build", number, path).code == 0
    for turn in range(2):
        assert "1 profile was taken out" in history("prune", "--store", store, "--builds", 1).text
        assert [row["build"] for row in table(history("list", "--store", store, "--json"))] == [str(1 + turn)]
        assert "1 launch" in history("add", "--store", store, "--build", 2 + turn, paths[turn]).text
    assert [row["build"] for row in table(history("list", "--store", store, "--json"))] == ["2", "3"]


def test_profiles_are_kept_where_that_is_asked_for(tmp_path, stores):
    folder, store = write_build(tmp_path / "b", random.Random(1), 1), stores.new(tmp_path)
    path = folder / "net_l0.json"
    assert history("add", "--store", store, "--build", "1", "--keep", path).code == 0
    assert [row[0] for row in stores.ask(store, "SELECT hex(content) FROM {content}")] == [path.read_bytes().hex().upper()]


def test_what_was_kept_comes_out_as_it_was(tmp_path, stores):
    store, chance = stores.new(tmp_path), random.Random(6)
    for build, keep in (("1", ["--keep"]), ("2", ["--keep"]), ("3", [])):
        assert history("add", "--store", store, "--model", "net", "--build", build, *keep, write_build(tmp_path / f"b{build}", chance, 2)).code == 0
    assert history("export", "--store", store).code == 2
    result = history("export", "--store", store, "--kept", tmp_path / "all")
    assert result.code == 0 and "4 of 6 profiles were written; of the others no bytes were kept" in result.text
    given = sorted((tmp_path / f"b{build}" / f"net_l{number}.json").read_bytes() for build in (1, 2) for number in range(2))
    assert sorted(file.read_bytes() for file in (tmp_path / "all").iterdir()) == given
    hashes = {row["hash"]: row["profile"] for row in table(history("show", "2", "--store", store, "--json"), "profiles")}
    assert "2 of 2 profiles were written\n" in history("export", "--store", store, "--kept", tmp_path / "second", "--build", "2", "--model", "net").text
    assert {file.name for file in (tmp_path / "second").iterdir()} == {f"{one}-{name}" for one, name in hashes.items()}
    assert tool.run("summary", *(tmp_path / "second").iterdir()).code == 0
    assert history("export", "--store", store, "--kept", tmp_path / "none", "--build", "9").code == 3


def test_names_in_a_store_lead_nowhere_else(tmp_path):
    store = tmp_path / "store.sqlite"
    assert history("add", "--store", store, "--build", "1", "--keep", write_build(tmp_path / "b", random.Random(1), 1)).code == 0
    for name in ("../../x", "/etc/x", "a\nb", "", "ä" * 300):
        connection = sqlite3.connect(store)
        connection.execute("UPDATE profile SET name = ?", (name,))
        connection.commit()
        folder = tmp_path / "out" / "in"
        assert history("export", "--store", store, "--kept", folder).code == 0
        (file,) = folder.iterdir()
        assert file.is_file() and len(file.name.encode()) < 256 and not any(sign in file.name for sign in "/\n")
        file.unlink()
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["in"]


# ---- stores that are none, and hard times ----


def test_other_files_are_told_apart(tmp_path):
    newer, other, text, empty = (tmp_path / name for name in ("newer", "other", "text", "empty"))
    sqlite3.connect(newer).execute("PRAGMA user_version = 99")
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.execute("CREATE TABLE x (y)")
    connection.commit()
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE x (y)")
    connection.commit()
    text.write_text("no database " * 100)
    empty.touch()
    for path, says in ((newer, "version 99"), (other, "something else"), (text, "not a database"), (empty, "empty"), (tmp_path / "nothing", "there is no history")):
        result = history("list", "--store", path)
        assert result.code == 3 and says in result.err, (path, result.err)
    for path in (newer, other, text):
        before = path.read_bytes()
        folder = tmp_path / f"profiles_{path.name}"
        write_build(folder, random.Random(1), 1)
        assert history("add", "--store", path, "--build", "1", folder / "net_l0.json").code == 3
        assert path.read_bytes() == before


@pytest.mark.parametrize("change", ["UPDATE run SET ms = -1", "UPDATE run SET ms = 'text'", "UPDATE launch SET computes_on = 99, whole = -5, device = 'x'", "DELETE FROM run",
                                    "UPDATE launch SET median = -1e300", "UPDATE launch SET median = 1e300", "UPDATE part SET ns = -9223372036854775808", "UPDATE operator_time SET own = 9223372036854775807, often = 'y'", "DELETE FROM operator",
                                    "UPDATE operator SET name = x'ff00', line = 'z'", "UPDATE profile SET chain = 7, build = x'00'", "DROP TABLE launch"])
@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
def test_a_store_that_somebody_changed_breaks_nothing(made, tmp_path, change):
    store = tmp_path / "store.sqlite"
    source, target = sqlite3.connect(made[1]), sqlite3.connect(store)
    source.backup(target)
    target.execute(change)
    target.commit()
    for words in (["list"], ["show", "b3"], ["trend", "net"], ["compare", "b6", "b7", "--model", "net"], ["gate", "--calibrate", "--model", "net"], ["export", tmp_path / "all.json"]):
        assert history(*words, "--store", store).code in (0, 3)


def test_what_cannot_be_read_is_not_added(stores, tmp_path):
    store = stores.new(tmp_path)
    good = write_build(tmp_path / "b", random.Random(1), 1) / "net_l0.json"
    bad = tmp_path / "bad.json"
    bad.write_text('{"traceEvents": [')
    result = history("add", "--store", store, "--build", "1", good, bad)
    assert result.code == 3 and "bad.json" in result.err
    assert [row["profiles"] for row in table(history("list", "--store", store, "--json"))] == [1]
    assert history("add", "--store", store, "--build", "1", tmp_path / "missing.json").code == 3
    assert history("nonsense").code == 2


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
def test_readers_read_while_one_writes(made):
    writer = sqlite3.connect(made[1], isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM profile")
    try:
        assert len(table(history("list", "--store", made[1], "--json"))) == 12
    finally:
        writer.execute("ROLLBACK")


def test_two_writers_lose_nothing(tmp_path, stores):
    store, chance = stores.new(tmp_path), random.Random(8)
    folders = [write_build(tmp_path / str(number), chance, 12) for number in range(3)]
    writers = [subprocess.Popen([tool.TACHO, "history", "add", "--store", store, "--build", str(number), folder], env=tool.environment(**NO_BUILD), stdout=subprocess.DEVNULL)
               for number, folder in enumerate(folders)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    assert [row["profiles"] for row in table(history("list", "--store", store, "--json"))] == [12, 12, 12]


def test_a_killed_writer_loses_at_most_its_own_profile(tmp_path):
    store, chance = tmp_path / "store.sqlite", random.Random(9)
    folder = write_build(tmp_path / "b", chance, 40)
    for kill_at in (0.02, 0.05, 0.08, 0.12):
        writer = subprocess.Popen([tool.TACHO, "history", "add", "--store", store, "--build", "1", folder], env=tool.environment(**NO_BUILD), stdout=subprocess.DEVNULL)
        try:
            writer.wait(kill_at)  # wherever that is: the store has to be whole
        except subprocess.TimeoutExpired:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        if store.exists() and history("list", "--store", store).code == 0:
            connection = sqlite3.connect(store)
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("SELECT count(*) FROM profile WHERE profile NOT IN (SELECT profile FROM run)").fetchone() == (0,)
            assert connection.execute("SELECT count(*) FROM run GROUP BY profile HAVING count(*) <> (SELECT max(number) + 1 FROM run)").fetchall() == []
    assert history("add", "--store", store, "--build", "1", folder).code == 0
    assert [row["profiles"] for row in table(history("list", "--store", store, "--json"))] == [40]
