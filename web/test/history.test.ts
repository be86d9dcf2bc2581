import assert from "node:assert/strict";
import { test } from "node:test";

import type { TableData } from "../src/serve/api";
import { filled } from "../src/serve/plain";
import { cell } from "../src/serve/show";
import {
    buildsOf, changesOf, describe, factorText, labelsOf, levelPath, levelsOf, medianPath, moodOf, namesOf, nearest, recent, rowsFor, scaleOf, shorten, spreadPath, ticksOf, tickText, unitOf,
    type Build, type Change, type Place,
} from "../src/serve/trend";
import { complete, pickBuild, queryOf, questionOf, seriesOf, wantedOf, type Wanted } from "../src/serve/wanted";

const place: Place = { step: 10, x: (at) => 5 + 10 * at, y: (value) => 100 - value };

function build(name: string, median: number | null, change: Partial<Build> = {}): Build {
    return { build: name, commit: null, added: null, launches: median === null ? 0 : 3, median, low: median, high: median, level: null, ...change };
}

function change(at: number, given: Partial<Change> = {}): Change {
    return { build: `b${at}`, at, after: at - 1, by: at, factor: 1.05, low: 1.04, high: 1.06, from: 100, to: 105, ...given };
}

function table(rows: TableData["rows"], type: "duration" | "integer" = "duration"): TableData {
    return { name: "trend", title: "Builds", columns: [{ name: "median", title: "Median", unit: null, type, description: null }], rows, notes: [] };
}

test("builds and changes come from the tables of the verb", () => {
    const data = table([{ build: "a", commit: "c", added: "2026-01-01T00:00:00Z", launches: 5, median: 10, low: 9, high: 12, level: 10 },
        { build: "b", commit: null, added: null, launches: 0, median: null, low: null, high: null, level: null }]);
    const builds = buildsOf(data);
    assert.deepEqual(builds[0], { build: "a", commit: "c", added: "2026-01-01T00:00:00Z", launches: 5, median: 10, low: 9, high: 12, level: 10 });
    assert.equal(builds[1]!.median, null, "what is not known is not 0");
    assert.equal(unitOf(data), "time");
    assert.equal(unitOf(table([], "integer")), "count");
    const [found, ...others] = changesOf(table([{ build: "b", last_before: "a", first_after: "b", factor: 2, low: 1.9, high: 2.1, before: 10, after: 20 }, { build: "gone", factor: 3 }]), builds);
    assert.deepEqual(found, { build: "b", at: 1, after: 0, by: 1, factor: 2, low: 1.9, high: 2.1, from: 10, to: 20 });
    assert.deepEqual(others, [], "a build that is not there has no place");
    const [counted] = changesOf(table([{ last_before: "a", build: "b", before: 2, after: 3 }]), builds);
    assert.equal(moodOf(counted!), "other");
    assert.deepEqual(factorText(counted!), ["2 → 3", ""]);
});

test("builds of the last days alone", () => {
    const builds = [build("a", 1, { added: "2026-01-01T00:00:00Z" }), build("b", 1, { added: "2026-01-09T00:00:00Z" }), build("c", 1)];
    const names = (days: string): string[] => recent(builds, days, Date.parse("2026-01-10T00:00:00Z")).map((one) => one.build);
    assert.deepEqual([names(""), names("7"), names("30")], [["a", "b", "c"], ["b"], ["a", "b"]]);
    assert.equal(wantedOf("?days=7").days, "7");
    assert.equal(wantedOf("?days=x").days, "");
});

test("more is slower, less is faster, and the text says it without colours", () => {
    assert.equal(moodOf(change(1)), "slower");
    assert.equal(moodOf(change(1, { factor: 0.9 })), "faster");
    assert.deepEqual(factorText(change(1)), ["▲ 1.050×", "1.040 to 1.060"]);
    assert.deepEqual(factorText(change(1, { factor: 0.9, low: null })), ["▼ 0.900×", ""]);
});

test("an axis holds all that is drawn, at round numbers in one unit", () => {
    const builds = [build("a", 1_003_000, { low: 990_000, high: 1_010_000 }), build("b", null), build("c", 1_070_000)];
    const scale = scaleOf(builds, "time")!;
    assert.ok(scale.low <= 990_000 && scale.high >= 1_070_000);
    const ticks = ticksOf(scale);
    assert.ok(ticks.length >= 4 && ticks.length <= 9, String(ticks));
    assert.ok(ticks.every((tick) => tick % scale.step === 0));
    assert.deepEqual(ticks.map((tick) => tickText(tick, scale, "time")), ["0.98 ms", "1.00 ms", "1.02 ms", "1.04 ms", "1.06 ms", "1.08 ms"]);
    assert.equal(scaleOf([build("a", null)], "time"), null);
    assert.equal(scaleOf([], "count"), null);
});

test("axes of what is all equal, of counts, and of nothing", () => {
    const flat = scaleOf([build("a", 5e6), build("b", 5e6)], "time")!;
    assert.ok(flat.low < 5e6 && flat.high > 5e6 && flat.high - flat.low < 1e6);
    const counts = scaleOf([build("a", 7), build("b", 7)], "count")!;
    assert.deepEqual(ticksOf(counts), [6, 7, 8]);
    assert.deepEqual(ticksOf(scaleOf([build("a", 0)], "count")!), [0, 1]);
    for (const median of [1, 17, 999, 1e4, 123456789, 4e12]) {
        const scale = scaleOf([build("a", median), build("b", median * 1.3)], "time")!;
        assert.ok(scale.low >= 0 && scale.low <= median && scale.high >= median * 1.3 && ticksOf(scale).length < 12, String(median));
    }
});

test("paths: nothing is drawn of what is not known", () => {
    const builds = [build("a", 10, { low: 8, high: 12, level: 10 }), build("b", null, { level: 10 }), build("c", 30, { level: 30 }), build("d", 31)];
    assert.equal(spreadPath(builds, place), "M5 92V88");
    assert.equal(medianPath(builds, place), "M5 90h0M25 70h0M35 69h0");
    assert.deepEqual(levelsOf(builds), [{ from: 0, to: 1, level: 10 }, { from: 2, to: 2, level: 30 }]);
    assert.equal(levelPath(builds, place), "M0 90H20M20 70H30");
});

test("labels of changes stay inside, none lies over another, and the last come first", () => {
    const changes = [change(1), change(3), change(20)];
    const labels = labelsOf(changes, place, 0, 250, 2, 60);
    assert.deepEqual(labels.map(({ x, row, line }) => [x, row, line]), [[30, 1, 10], [30, 0, 30], [200, 0, 200]]);
    assert.deepEqual(labelsOf(changes, place, 0, 250, 1, 60).map((one) => one.change.at), [3, 20]);
    assert.equal(rowsFor([], place, 0, 250, 3, 60), 0);
    assert.equal(rowsFor(changes, place, 0, 250, 3, 60), 2);
    assert.equal(rowsFor(Array.from({ length: 20 }, (_, at) => change(at)), place, 0, 250, 3, 60), 3);
    for (const one of labelsOf(Array.from({ length: 30 }, (_, at) => change(at)), place, 0, 300, 3, 60)) assert.ok(one.x >= 30 && one.x <= 270);
});

test("names below the axis have room, and the last build has one", () => {
    const builds = Array.from({ length: 100 }, (_, at) => build(`a-long-build-${at}`, 1));
    for (const width of [300, 390, 1000, 1440, 5000]) {
        const step = width / 100;
        const names = namesOf(builds, (at) => (at + 0.5) * step, step, width);
        assert.equal(names.at(-1)!.text, "a-long-bu…");
        names.forEach((one, at) => {
            assert.ok(one.x >= 35 && one.x <= width - 35);
            if (at) assert.ok(one.x - names[at - 1]!.x >= 70, `${width}: ${at}`);
        });
    }
    assert.deepEqual(namesOf([build("a", 1)], () => 150, 300, 300), [{ text: "a", x: 150 }]);
    assert.deepEqual(namesOf([], () => 0, 10, 300), []);
    assert.equal(shorten("a-very-long-name", 10), "a-very-lo…");
    assert.equal(shorten("short", 10), "short");
});

test("the nearest build, and what is said of it", () => {
    assert.deepEqual([-50, 5, 14, 16, 900].map((x) => nearest(x, place, 4)), [0, 0, 1, 1, 3]);
    assert.equal(nearest(5, place, 0), -1);
    const one = build("a", 1500, { low: 1000, high: 2000, level: 1400, launches: 1, commit: "<b>", added: "then" });
    assert.deepEqual(describe(one, "time", (text) => String(text)), ["1.5 µs, median of 1 launch", "from 1 µs to 2 µs", "level 1.4 µs", "commit <b>", "added then"]);
    assert.deepEqual(describe(build("b", null), "time", String), ["not measured"]);
    assert.deepEqual(describe(build("b", 5), "count", String), ["5, median of 3 launches"]);
});

const nothing: Wanted = { model: "", device: "", labels: [], metric: "", operator: "", from: "", to: "", days: "" };

test("what is asked for stands in the address, whatever its signs", () => {
    const wanted: Wanted = { model: "a&b=c#", device: "d e", labels: ["k=v", "x=<b>&"], metric: "device", operator: "conv/+", from: "1", to: "2", days: "30" };
    assert.deepEqual(wantedOf(`?${new URLSearchParams(queryOf(wanted))}`), wanted);
    assert.deepEqual(wantedOf("?token=t"), nothing);
    assert.deepEqual(wantedOf("?label=a=b&label=&label=a=b").labels, ["a=b"]);
    assert.deepEqual(questionOf(wanted, "trend").map(([name]) => name), ["model", "device", "metric", "operator", "label", "label"]);
    assert.deepEqual(questionOf(wanted, "compare").map(([name]) => name), ["model", "device", "metric", "from", "to", "label", "label"]);
});

test("models and devices with their last build; what is missing in an address is the newest", () => {
    const row = (model: string, device: string | null, name: string, added: string): TableData["rows"][number] => ({ model, device, build: name, added, median: 5 });
    const series = seriesOf(table([row("a", "x", "1", "2026-01-01"), row("a", "x", "2", "2026-01-02"), row("a", "y", "1", "2026-01-05"), row("b", null, "9", "2026-01-03")]));
    assert.deepEqual(series.map((one) => [one.model, one.device, one.builds, one.last]), [["a", "x", 2, "2"], ["a", "y", 1, "1"], ["b", "", 1, "9"]]);
    assert.deepEqual(complete(nothing, series), { ...nothing, model: "a", device: "y" });
    assert.deepEqual(complete({ ...nothing, model: "b" }, series), { ...nothing, model: "b", device: "" });
    assert.deepEqual(complete({ ...nothing, model: "none" }, series), { ...nothing, model: "none", device: "" }, "the server says that there is none");
    assert.deepEqual(complete(nothing, []), nothing);
});

test("two builds are chosen, the earlier one first; a third one begins anew", () => {
    const order = ["a", "b", "c"];
    assert.deepEqual(pickBuild(["", ""], "b", order), ["b", ""]);
    assert.deepEqual(pickBuild(["b", ""], "c", order), ["b", "c"]);
    assert.deepEqual(pickBuild(["b", ""], "a", order), ["a", "b"]);
    assert.deepEqual(pickBuild(["b", ""], "b", order), ["", ""]);
    assert.deepEqual(pickBuild(["a", "b"], "c", order), ["c", ""]);
});

test("tables leave out what no row has, and small numbers are readable", () => {
    const column = { name: "p", title: "p", unit: null, type: "decimal" as const, description: null };
    const data = { ...table([{ p: 1e-15, q: null }]), columns: [column, { ...column, name: "q" }] };
    assert.deepEqual(filled(data).map((one) => one.name), ["p"]);
    assert.equal(cell(column, 1.3079e-15), "1.3e-15");
    assert.equal(cell(column, 0), "0");
    assert.equal(cell(column, 0.0123), "0.0123");
});
