import assert from "node:assert/strict";
import { test } from "node:test";

import type { TableData } from "../src/serve/api";
import {
    askedOf, binsOf, chosen, pairsOf, queryOfAsked, resultsOf, sessionsOf, sorted, sumsOf,
    type Asked, type Pair, type Result, type Show,
} from "../src/serve/session";

const asked: Asked = { build: "3", against: "", number: "median", least: 0, words: "", show: "" };

function table(...rows: [model: string, build: string, median: number | null, failed?: number][]): TableData {
    return {
        name: "builds", title: "Builds", columns: [], notes: [], rows: rows.map(([model, build, median, failed]) => ({
            model, build, device: "d", commit: build === "3" ? "c3" : null, added: `2026-01-0${build}T00:00:00Z`, launches: 2, failed: failed ?? 0, median, operators: 7, device_time: null, state: null,
        })),
    };
}

const results = resultsOf(table(["a", "1", 100], ["a", "2", 100, 1], ["a", "3", 110], ["b", "2", 200], ["b", "3", 190], ["c", "1", 50], ["d", "3", 10], ["e", "2", 5], ["e", "3", null, 2]));
const pairs = (change: Partial<Asked> = {}): Pair[] => pairsOf(results, { ...asked, ...change });
const of = (list: Pair[]): (string | number | null)[][] => list.map((pair) => [pair.model, pair.before?.build ?? null, pair.change === null ? null : Math.round(pair.change)]);

test("builds are counted over all models and devices, in order", () => {
    assert.deepEqual(sessionsOf(results).map((one) => [one.build, one.commit, one.results, one.failed, one.launches]), [["1", "", 2, 0, 4], ["2", "", 3, 1, 6], ["3", "c3", 4, 1, 8]]);
    assert.deepEqual(sessionsOf([]), []);
    const [old] = resultsOf({ ...table(), rows: [{ model: "a", build: "1", added: "", launches: 1, state: "failed" }] }) as [Result];
    assert.equal(old.failed, 1, "a list without that column has the state");
});

test("each is held against the last good build before, or against the one that is named", () => {
    assert.deepEqual(of(pairs()), [["a", "1", 10], ["b", "2", -5], ["d", null, null], ["e", "2", null]]);
    assert.deepEqual(of(pairs({ against: "2" })), [["a", "2", null], ["b", "2", -5], ["d", null, null], ["e", "2", null]], "what failed has no change");
    assert.deepEqual(of(pairs({ against: "1" })), [["a", "1", 10], ["b", null, null], ["c", "1", null], ["d", null, null], ["e", null, null]]);
    assert.deepEqual(of(pairs({ number: "operators" })).map(([, , change]) => change), [0, 0, null, null]);
    assert.deepEqual(of(pairs({ number: "device_time" })).map(([, , change]) => change), [null, null, null, null], "what is not known has no change");
    assert.deepEqual(of(pairs({ least: 150 }))[0], ["a", "1", null], "times that are too short");
    assert.deepEqual(pairs({ build: "none" }), []);
});

test("results are chosen by words and by what became of them", () => {
    const shown = (show: Show, against = "2"): string => chosen(pairs({ against }), { ...asked, show }).map((pair) => pair.model).join("");
    assert.deepEqual([shown(""), shown("faster"), shown("slower"), shown("failed"), shown("broke"), shown("mended"), shown("new"), shown("gone", "1")], ["abde", "b", "", "e", "e", "a", "d", "c"]);
    assert.deepEqual(of(chosen(pairs(), { ...asked, words: " D  b" })), [["b", "2", -5]], "of the device, too");
});

test("what is not known comes last, whichever way", () => {
    const names = (down: boolean): string => sorted(pairs(), "change", down, "median").map((pair) => pair.model).join("");
    assert.deepEqual([names(true), names(false)], ["abde", "bade"]);
    assert.equal(sorted(pairs(), "model", true, "median").map((pair) => pair.model).join(""), "edba");
    assert.equal(sorted(pairs(), "before", false, "median").map((pair) => pair.model).join(""), "eabd");
});

test("changes in bins of two percent, open at the left, and sums", () => {
    const changed = (change: number | null): Pair => ({ model: "m", device: "", now: null, before: null, change });
    const bins = binsOf([-30, -10, -9.9, 0, 0.1, 2, 10, 10.1, 99, null].map(changed));
    assert.deepEqual(bins.map((bin) => bin.count), [2, 1, 0, 0, 0, 1, 2, 0, 0, 0, 1, 2]);
    assert.deepEqual([bins[0], bins[1], bins[11]], [{ from: null, to: -10, count: 2 }, { from: -10, to: -8, count: 1 }, { from: 10, to: null, count: 2 }]);
    const sums = sumsOf(pairs());
    assert.deepEqual({ ...sums, mean: Math.round(10 * sums.mean!) }, { results: 4, resultsBefore: 3, failed: 1, failedBefore: 0, compared: 2, mean: 25, more: 1, less: 1 });
    assert.equal(sumsOf([]).mean, null);
});

test("what is asked for stands in the address", () => {
    const all: Asked = { build: "a&b", against: "<c>", number: "idle_time", least: 1000, words: "x y", show: "broke" };
    assert.deepEqual(askedOf(`?${new URLSearchParams(queryOfAsked(all))}`), all);
    assert.deepEqual(queryOfAsked(asked), [["build", "3"]]);
    assert.deepEqual(askedOf("?build=3&number=none&least=-1&show=none"), asked);
});
