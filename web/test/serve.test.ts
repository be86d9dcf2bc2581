import assert from "node:assert/strict";
import { test } from "node:test";

import { Api, sentence, type Card, type Input, type Metric, type TableColumn } from "../src/serve/api";
import { BAD, choose, distinct, EVERYTHING, chainOf, kindOf, matches, pick, tiles } from "../src/serve/choose";
import { handOver, hesitation, PERFETTO, type Other } from "../src/serve/perfetto";
import { bytes, cell, exact, percent } from "../src/serve/show";
import { example, filters, query, turn } from "../src/serve/table";

function metric(key: string, time = 1): Metric {
    return { metric: key, label: key, time, percent: 1, description: "" };
}

function card(name: string, change: Partial<Input> & Partial<Pick<Card, "modified" | "size">> = {}): Card {
    const input: Input = { model: name.replace(/\..*/, ""), chain: "Chain", kind: "measured", run_ns: 1, runs: { total: 1, counted: 1 }, sentence: null,
        metrics: [], engines: {}, rows: { read: 0, used: 0, lost: 0 }, notes: [], ...change };
    return { id: name, name, state: "ready", error: null, size: change.size ?? 1, modified: change.modified ?? null, profile: { format: "f", title: "Format", inputs: [input] } };
}

const bad: Card = { id: "bad", name: "bad.csv", state: "bad", error: "cut", size: 5, modified: "2026-01-01T00:00:00Z", profile: null };

test("a search takes cards with any of its words, those with more of them first", () => {
    const cards = [card("mobilenet_int8.csv"), card("mobilenet.csv"), card("resnet_int8.csv"), card("bert.csv")];
    const names = (words: string): string[] => choose(cards, { ...EVERYTHING, words, order: "name", descending: false }).map((one) => one.name);
    assert.deepEqual(names("int8 MOBILE"), ["mobilenet_int8.csv", "mobilenet.csv", "resnet_int8.csv"]);
    assert.deepEqual(names("  "), ["bert.csv", "mobilenet_int8.csv", "mobilenet.csv", "resnet_int8.csv"].sort((one, other) => one.localeCompare(other, undefined, { numeric: true })));
    assert.deepEqual(names("nothing"), []);
    assert.equal(matches(card("a.csv", { chain: "Some Chain" }), ["some"]), 1);
});

test("filters and orders; what is not known comes last in either direction", () => {
    const cards = [card("a.csv", { kind: "estimate", run_ns: 30 }), card("b.csv", { chain: null, run_ns: 10 }), card("c10.csv", { run_ns: 20 }), card("c9.csv", { run_ns: 20 }), bad];
    const names = (change: object): string[] => choose(cards, { ...EVERYTHING, ...change }).map((one) => one.name);
    assert.deepEqual(names({ order: "time", descending: true }), ["a.csv", "c9.csv", "c10.csv", "b.csv", "bad.csv"]);
    assert.deepEqual(names({ order: "time", descending: false }), ["b.csv", "c9.csv", "c10.csv", "a.csv", "bad.csv"]);
    assert.deepEqual(names({ order: "name", descending: false }), ["a.csv", "b.csv", "bad.csv", "c9.csv", "c10.csv"]);
    assert.deepEqual(names({ order: "date", descending: true })[0], "bad.csv");
    assert.deepEqual(names({ kind: BAD }), ["bad.csv"]);
    assert.deepEqual(names({ kind: "estimate" }), ["a.csv"]);
    assert.deepEqual(distinct(cards, chainOf), ["Chain", "no tool chain"]);
    assert.deepEqual(distinct(cards, kindOf), [BAD, "estimate", "measured"]);
});

test("five tiles, in the order of the overview", () => {
    const keys = (given: string[]): string[] => tiles(given.map((key) => metric(key))).map((one) => one.metric);
    assert.deepEqual(keys(["total_duration", "dma", "dma_only", "compute", "slice", "overlap", "idle"]), ["total_duration", "dma", "compute", "overlap", "idle"]);
    assert.deepEqual(keys(["total_duration", "cores", "idle"]), ["total_duration", "cores", "idle"]);
    assert.deepEqual(keys(["total_duration", "a", "b", "c", "d", "idle", "e"]), ["total_duration", "a", "b", "c", "idle"]);
});

test("two are chosen at most, the last ones", () => {
    assert.deepEqual(pick([], "a"), ["a"]);
    assert.deepEqual(pick(["a", "b"], "a"), ["b"]);
    assert.deepEqual(pick(["a", "b"], "c"), ["b", "c"]);
});

test("addresses carry the token, and values cannot leave their place", () => {
    const api = new Api("t&k");
    assert.equal(api.address("/"), "/?token=t%26k");
    assert.equal(api.address("/a", [["filter", "x>1&limit=2"]]), "/a?filter=x%3E1%26limit%3D2&token=t%26k");
    assert.equal(sentence('{"error": "no"}\n'), "no");
    assert.equal(sentence("no\n"), "no");
    assert.equal(sentence("{}"), "{}");
});

test("values for people", () => {
    const column = (type: TableColumn["type"]): TableColumn => ({ name: "x", title: null, unit: null, type, description: null });
    assert.equal(cell(column("duration"), 12845), "12.85 µs");
    assert.equal(cell(column("duration"), null), "–");
    assert.equal(cell(column("duration"), 0), "0 ns");
    assert.equal(cell(column("integer"), 1234567), "1,234,567");
    assert.equal(cell(column("percent"), 12.345), "12.3 %");
    assert.equal(cell(column("text"), "<b>"), "<b>");
    assert.equal(exact(column("duration"), 12845), "12845 ns");
    assert.equal(exact(column("text"), "x"), "");
    assert.equal(bytes(1023), "1,023 B");
    assert.equal(bytes(1536), "1.50 KiB");
    assert.equal(percent(100), "100.0 %");
});

test("what a table is asked", () => {
    const time: TableColumn = { name: "time", title: null, unit: "ns", type: "duration", description: null };
    const name: TableColumn = { ...time, name: "name", type: "text" };
    assert.deepEqual(query({ sort: "", limit: "", filters: [], columns: [] }), []);
    assert.deepEqual(query({ sort: "-time", limit: "5", filters: ["a~b", "c>1"], columns: ["a", "b"] }),
        [["columns", "a,b"], ["sort", "-time"], ["limit", "5"], ["filter", "a~b"], ["filter", "c>1"]]);
    assert.equal(turn("", time), "-time");
    assert.equal(turn("-time", time), "time");
    assert.equal(turn("time", time), "-time");
    assert.equal(turn("-time", name), "name");
    assert.deepEqual(filters(" a~b , c>1,, "), ["a~b", "c>1"]);
    assert.equal(example([name, time]), "Filter: name~text, time>1us");
});

/** A window of another origin that notes what it is sent. */
class Stub implements Other {
    closed = false;
    readonly got: { message: unknown; origin: string }[] = [];

    postMessage(message: unknown, origin: string): void {
        this.got.push({ message, origin });
    }
}

function message(data: unknown, origin: string, source: unknown): Event {
    return Object.assign(new Event("message"), { data, origin, source });
}

const trace = { buffer: new ArrayBuffer(8), title: "net", fileName: "net.pb" };
const later = (time: number): Promise<void> => new Promise((done) => setTimeout(done, time));

test("Perfetto is asked until it answers, and only then gets the trace", async () => {
    const here = new EventTarget(), stub = new Stub();
    const done = handOver(stub, here, Promise.resolve(trace));
    await later(180);
    assert.ok(stub.got.length >= 2);
    assert.ok(stub.got.every(({ message, origin }) => message === "PING" && origin === PERFETTO));
    here.dispatchEvent(message("PONG", "https://evil.example", stub));
    here.dispatchEvent(message("PONG", PERFETTO, new Stub()));
    here.dispatchEvent(message("pong?", PERFETTO, stub));
    await later(60);
    assert.ok(stub.got.every(({ message }) => message === "PING"));
    here.dispatchEvent(message("PONG", PERFETTO, stub));
    await done;
    const last = stub.got.at(-1);
    assert.equal(last?.origin, PERFETTO);
    assert.deepEqual(last?.message, { perfetto: { ...trace, localOnly: true } });
    const sent = stub.got.length;
    here.dispatchEvent(message("PONG", PERFETTO, stub));
    await later(120);
    assert.equal(stub.got.length, sent);
});

test("a window that is closed or silent, and a trace that cannot be made", async () => {
    const closed = new Stub();
    const waiting = handOver(closed, new EventTarget(), Promise.resolve(trace));
    closed.closed = true;
    await assert.rejects(waiting, /closed/);
    await assert.rejects(handOver(new Stub(), new EventTarget(), Promise.resolve(trace), PERFETTO, 100), /does not answer/);
    await assert.rejects(handOver(new Stub(), new EventTarget(), Promise.reject(new Error("no rows"))), /no rows/);
    assert.equal(hesitation("127.0.0.1"), "");
    assert.match(hesitation("10.0.0.5"), /asks first/);
});
