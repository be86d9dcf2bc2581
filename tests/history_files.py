"""Profiles for tests of a history: traces of six runs of four operators, in folders of builds."""
import json

OPERATORS = {"conv": 400, "add": 100, "pool": 200, "dense": 300}
NO_BUILD = {name: None for name in ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "GITHUB_RUN_NUMBER", "CI_PIPELINE_IID", "BUILD_NUMBER",
                                    "BUILDKITE_BUILD_NUMBER", "TACHO_HISTORY", "TACHO_CLICKHOUSE_PASSWORD")}


def write_launch(path, chance, runs=6, **factors):
    """A trace of runs of four operators; launches and runs vary by half a percent."""
    events, now, speed = [], 0.0, 1 + 0.005 * chance.gauss(0, 1)
    for _ in range(runs):
        start, first = now, len(events)
        for name, time in OPERATORS.items():
            time *= factors.get(name, 1) * speed * (1 + 0.004 * chance.gauss(0, 1))
            events.append({"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": round(now, 3), "dur": round(time, 3)})
            now += time + 1
        events.insert(first, {"ph": "X", "pid": 1, "tid": 1, "name": "inference", "ts": round(start, 3), "dur": round(now - start, 3)})
        now += 5
    path.write_text(json.dumps({"traceEvents": events}))


def write_build(folder, chance, launches=5, **factors):
    folder.mkdir()
    for number in range(launches):
        write_launch(folder / f"net_l{number}.json", chance, **factors)
    return folder
