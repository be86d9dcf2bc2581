"""Profiles for tests of a history: traces of six runs of four operators, in folders of builds."""
import json

OPERATORS = {"conv": 400, "add": 100, "pool": 200, "dense": 300}
NO_BUILD = {name: None for name in ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "GITHUB_RUN_NUMBER", "CI_PIPELINE_IID", "BUILD_NUMBER",
                                    "BUILDKITE_BUILD_NUMBER", "CIRCLE_SHA1", "BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", "CIRCLE_BUILD_NUM", "BUILD_BUILDNUMBER", "BITBUCKET_BUILD_NUMBER", "TACHO_HISTORY", "TACHO_CLICKHOUSE_PASSWORD")}


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


def write_timeline(path, chance, factor=1.0, warmup=0, runs=5):
    """A timeline of runs of two operators; those of the warm-up take three times as long."""
    rows, now, speed = ["name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block"], 1000.0, 1 + 0.005 * chance.gauss(0, 1)
    for run in range(warmup + runs):
        start = now
        for number, (name, time) in enumerate((("conv", 400), ("add", 100))):
            time *= (3 if run < warmup else factor) * speed * (1 + 0.004 * chance.gauss(0, 1))
            rows.append(f"{name} #1,{name},XnnpackBackend,{now:.3f},{now + time:.3f},{time / 1000:.6f},1,{number},{run},Execute")
            now += time
        rows.append(f"Method::execute,Method::execute,portable,{start - 1:.3f},{now + 1:.3f},{(now - start + 2) / 1000:.6f},1,9,{run},Execute")
        now += 10
    path.write_text("\n".join(rows) + "\n")


def write_runs(folder, chance, launches=5, failed=(), warmup=2, device="Phone 7", **factors):
    """A run directory of two experiments and a trace; `failed` are numbers of launches of sme2_on that crashed, and left no file."""
    folder.mkdir()
    results = []
    for experiment in ("sme2_off", "sme2_on", "sme2_on_trace"):
        trace, ends = experiment.endswith("_trace"), []
        for number in range(1, 2 if trace else launches + 1):
            name = f"net_{experiment}_t4_l{number}_exec_all_runs_timeline.csv"
            bad = experiment == "sme2_on" and number in failed
            if not bad:
                write_timeline(folder / name, chance, factors.get(experiment, 1.0), warmup)
            ends.append({"launch": number, "status": "failed" if bad else "ok", "artifacts": {} if bad else {"timeline_all": {"path": name, "relative_path": name}},
                         **({"reason": "exit status 132 (SIGILL)"} if bad else {})})
        results.append({"experiment": experiment, "mode": "xnntrace" if trace else "timing", "status": "ok", "threads": 4, "runs": 5, "warmup": warmup,
                        "warmup_in_process": warmup, "launches": len(ends), "launch_results": ends})
    head = {"schema_version": 1, "model": "out/net.pte", "executorch": {"present": True, "sha": "cff6f4dd32e630945b71"}, "device": {"model": device, "cpu": "a cpu"}}
    (folder / "manifest.json").write_text(json.dumps({**head, "results": results}))
    return folder
