// What the parts for devices, ops and latencies work out before they draw.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Card, Input, TableData } from "../src/serve/api";
import { byDepth, callAt, callsOf, firstAfter, linesOf, Window, type Call } from "../src/serve/calls";
import { typeOf } from "../src/serve/choose";
import { analyses, mapsOf, statistics } from "../src/serve/device";
import { launchStarts, medianOf, runsOf } from "../src/serve/latency";
import { wantedOf, wantedOfMetric } from "../src/serve/links";
import { sentences } from "../src/serve/metrics";

function table(types: Record<string, string>, rows: TableData["rows"]): TableData {
    const columns = Object.entries(types).map(([name, type]) => ({ name, title: name, unit: type === "decimal" ? "cycles" : null, type, description: null }));
    return { name: "table", title: "Table", columns: columns as TableData["columns"], rows, notes: [] };
}

const call = (op: string, depth: number, start: number, end: number): Call => ({ call: start, op, depth, start, end, device: null, kernel: null, cores: null });

test("calls by start; those that a device alone tells of are counted", () => {
    const data = table({ call: "integer", op: "text", depth: "integer", start: "duration", duration: "duration", device_time: "duration" }, [
        { call: 2, op: "b", depth: 1, start: 50, duration: 10, device_time: null },
        { call: 1, op: "a", depth: 1, start: 0, duration: 40, device_time: 7 },
        { call: 3, op: "c", depth: null, start: null, duration: null, device_time: 9 },
        { call: 4, op: "d", depth: 2, start: 0, duration: 5, device_time: null }]);
    const { calls, without } = callsOf(data);
    assert.deepEqual(calls.map(({ op }) => op), ["a", "d", "b"]);
    assert.equal(without, 1);
    assert.deepEqual(byDepth(calls).map((row) => row.map(({ op }) => op)), [["a", "b"], ["d"]]);
    assert.deepEqual(byDepth([call("deep", 3, 0, 1)]).map((row) => row.length), [0, 0, 1], "depths that no call has are empty rows");
});

test("the call under the pointer is that of the slow way", () => {
    const row = [call("a", 1, 0, 10), call("b", 1, 10, 12), call("c", 1, 20, 20), call("d", 1, 30, 100)];
    for (let time = -5; time < 110; time += 0.5) {
        assert.equal(firstAfter(row, time), row.filter((one) => one.end <= time).length, `after ${time}`);
        const inside = row.find((one) => one.start <= time && time < one.end);
        if (inside) assert.equal(callAt(row, time, 0), inside, `at ${time}`);
        const found = callAt(row, time, 3);
        assert.equal(found !== null, row.some((one) => time >= one.start - 3 && time <= one.end + 3), `near ${time}`);
    }
    assert.equal(callAt([], 5, 10), null);
});

test("a window stays in its range", () => {
    const window = new Window(0, 100, 2);
    window.set(-50, 10);
    assert.deepEqual([window.from, window.to], [0, 60]);
    window.move(1000);
    assert.deepEqual([window.from, window.to], [40, 100]);
    window.setEnd("from", 99.5);
    assert.deepEqual([window.from, window.to], [98, 100]);
    window.setEnd("to", 0);
    assert.deepEqual([window.from, window.to], [98, 100]);
    window.zoom(1000, 99);
    assert.deepEqual([window.from, window.to], [0, 100]);
    window.zoom(0.5, 50);
    assert.deepEqual([window.from, window.to], [25, 75]);
    for (let at = 0; at < 1000; at++) {
        [() => window.move(Math.sin(at) * 90), () => window.zoom(Math.exp(Math.cos(at * 7)), (at * 37) % 100), () => window.setEnd("to", (at * 53) % 130), () => window.setEnd("from", (at * 71) % 130 - 20)][at % 4]!();
        assert.ok(window.from >= 0 && window.to <= 100 && window.to - window.from >= 2 - 1e-9, `${at}: ${window.from} ${window.to}`);
    }
});

test("zones lie in what encloses them, on the line of their RISC", () => {
    const data = table({ chip: "text", core: "text", risc: "text", zone: "text", start: "duration", duration: "duration" }, [
        { chip: "chip 0", core: "core 10, 0", risc: "BRISC", zone: "KERNEL", start: 5, duration: 10 },
        { chip: "chip 0", core: "core 10, 0", risc: "BRISC", zone: "FW", start: 0, duration: 20 },
        { chip: "chip 0", core: "core 2, 0", risc: "NCRISC", zone: "FW", start: 1, duration: 3 },
        { chip: "chip 0", core: "core 10, 0", risc: "BRISC", zone: "FW", start: 30, duration: 5 }]);
    const { lines, zones, end } = linesOf(data);
    assert.deepEqual(lines.map(({ core }) => core), ["core 2, 0", "core 10, 0"], "2 comes before 10");
    assert.deepEqual(zones.map(({ line, zone, depth }) => [line, zone, depth]), [[0, "FW", 0], [1, "FW", 0], [1, "KERNEL", 1], [1, "FW", 0]]);
    assert.equal(end, 35);
});

test("a map of the cores for any analysis and statistic", () => {
    const data = table({ chip: "integer", x: "integer", y: "integer", duration: "text", count: "integer", median: "decimal", first: "text" }, [
        { chip: 0, x: 1, y: 1, duration: "kernel", count: 3, median: 10.5, first: "" },
        { chip: 0, x: 12, y: 2, duration: "kernel", count: 3, median: null, first: "" },
        { chip: 1, x: 1, y: 1, duration: "kernel", count: 3, median: 7, first: "" },
        { chip: 0, x: 1, y: 1, duration: "gap", count: 1, median: 99, first: "" }]);
    assert.deepEqual(analyses(data), ["kernel", "gap"]);
    assert.deepEqual(statistics(data).map(({ name }) => name), ["count", "median"]);
    const maps = mapsOf(data, "kernel", "median");
    assert.deepEqual(maps.map(({ name, columns, rows }) => [name, columns, rows]), [["chip 0", ["1", "12"], ["1", "2"]], ["chip 1", ["1"], ["1"]]]);
    assert.deepEqual(maps[0]!.places.map(({ column, row, values }) => [column, row, values]), [[0, 0, [10.5]], [1, 1, [null]]]);
    assert.equal(maps[0]!.statistics[0]!.unit, "cycles");
    assert.deepEqual(mapsOf(data, "none", "median"), []);
});

test("runs of launches", () => {
    const data = table({ launch: "text", run: "integer", time: "duration", counted: "boolean" }, [
        { launch: "a", run: 1, time: 30, counted: false }, { launch: "a", run: 2, time: 10, counted: true }, { launch: "b", run: 1, time: 20, counted: true },
        { launch: "b", run: 2, time: null, counted: true }]);
    const runs = runsOf(data);
    assert.equal(runs.length, 3);
    assert.deepEqual(launchStarts(runs), [0, 2]);
    assert.equal(medianOf(runs), 15);
    assert.equal(medianOf(runs.slice(0, 1)), null);
});

test("rows lead to what they are about", () => {
    const by = (types: Record<string, string>, row: TableData["rows"][number]): unknown => wantedOf(table(types, [row]), row);
    assert.deepEqual(by({ operator: "text", time: "duration" }, { operator: "conv", time: 5 }), [["n", "conv"]]);
    assert.deepEqual(by({ run: "integer", operator: "text" }, { run: 3, operator: "conv" }), [["u", "3"]]);
    assert.deepEqual(by({ engine: "text", time: "duration" }, { engine: "DMA In", time: 5 }), [["e", "DMA In"]]);
    assert.equal(by({ operator: "text" }, { operator: "(idle)" }), null, "no slice is behind what is idle");
    assert.equal(by({ metric: "text" }, { metric: "Median" }), null);
    const input = { engines: { dma: ["DMA In", "CDMA"], idle: [] } } as unknown as Input;
    assert.deepEqual(wantedOfMetric(input, "dma"), [["e", "DMA In"], ["e", "CDMA"]]);
    assert.equal(wantedOfMetric(input, "idle"), null);
    assert.equal(wantedOfMetric(input, "none"), null);
});

test("overlap and idle time in sentences", () => {
    const metric = (key: string, time: number): Input["metrics"][number] => ({ metric: key, label: key, time, percent: time / 10, description: "nothing at work" });
    const input = (metrics: Input["metrics"]): Input => ({ metrics } as unknown as Input);
    const said = sentences(input([metric("total_duration", 1000), metric("dma", 400), metric("compute", 500), metric("overlap", 100), metric("idle", 200)]));
    assert.match(said[0]!, /Of 1 µs, something was at work for 800 ns; for 200 ns \(20\.0 %\) nothing was/);
    assert.match(said[1]!, /for 100 ns both went on at once\. 25\.0 % .* hidden behind computing; 300 ns were not/);
    assert.deepEqual(sentences(input([metric("total_duration", 1000), metric("idle", 0)])), ["In all of 1 µs something was at work."]);
    assert.deepEqual(sentences(input([])), []);
});

test("what was tested, by the names of tests", () => {
    const named = (name: string): string => typeOf({ name } as unknown as Card);
    assert.equal(named("runs/test_conv_3x3_compile.pb"), "conv");
    assert.equal(named("Test_MatMul.pb"), "matmul");
    assert.equal(named("test_folder/model.pb"), "other");
});
