import assert from "node:assert/strict";
import { test } from "node:test";

import { commonRuns, startOf } from "../src/page/align";
import { Columns, EXACT, NOTHING, Scale, STALE } from "../src/page/columns";
import type { Head } from "../src/page/model";
import { edge, readTiles, Tiles, type Stretch } from "../src/page/tiles";
import { View } from "../src/page/view";
import { varints } from "./made";

test("columns begin at whole nanoseconds, exactly, however long the time", () => {
    for (const [from, to, columns] of [[0, 10, 3], [-7, 1000, 999], [2 ** 52, 2 ** 53 - 1, 8192], [5, 6, 4]] as const) {
        for (let k = 0; k <= columns; k += Math.max(1, columns >> 5)) {
            const exact = BigInt(from) + BigInt(to - from) * BigInt(k) / BigInt(columns);
            assert.equal(edge({ from, to, columns, wide: 0 }, k), Number(exact));
        }
    }
});

test("a view is cut where tiles are", () => {
    const view = new View(0, 1e6);
    view.show(1000.3, 5000.8);
    const scale = new Scale().whole(view, 100, 7);
    assert.deepEqual(scale.stretch, { from: 1000, to: 5001, columns: 100, wide: 7 });
    assert.ok(scale.edges.every(Number.isInteger));
    for (let k = 0; k < 100; k++) assert.equal(scale.column(scale.edges[k]!), k);
    view.show(10, 210);
    assert.equal(new Scale().whole(view, 100, 7).stretch, null); // so near that rounding would be seen
});

const stretch: Stretch = { from: 100, to: 600, columns: 5, wide: 50 };
/** Two rows: something in the first and the last two columns, and a wide slice; nothing. */
const answer = Uint8Array.from(varints([1, 40, 2, 0, 2, 3, 90, 1, 1, 100, 0, 1, 19, 60, 2, 0, 5, 0]));

test("tiles are read", () => {
    const [one, other] = readTiles(answer, stretch, 2);
    assert.deepEqual([...one!.count], [1, 0, 0, 3, 1]);
    assert.deepEqual([...one!.busy], [40, 0, 0, 90, 100]);
    assert.deepEqual([...one!.label], [2, 0, 0, 1, 0]);
    assert.deepEqual(one!.wide, [{ start: 90, end: 150, label: 2 }]);
    assert.deepEqual([...other!.count], [0, 0, 0, 0, 0]);
});

test("what a tile has is drawn, and borrowed for the view behind it", () => {
    const [tile] = readTiles(answer, stretch, 2);
    const columns = new Columns();
    columns.take(tile!, new Scale().line(100, 100, 5));
    assert.deepEqual([...columns.state], [EXACT, NOTHING, NOTHING, EXACT, EXACT]);
    const half = new Scale().line(350, 50, 10); // reaches behind the tile
    columns.fill({ chunks: 0, lasts: new Float64Array() } as never, half, Infinity, () => undefined);
    columns.borrow(tile!, stretch, half);
    assert.deepEqual([...columns.state], [NOTHING, STALE, STALE, STALE, STALE, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING]);
    assert.deepEqual([...columns.busy.slice(0, 5)], [0, 45, 45, 50, 50]);
});

test("each row is asked for once, some at a time, and the last views are kept", async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const tiles = new Tiles((query) => {
        asked.push(query);
        const rows = new URLSearchParams(query).get("rows")!.split(",").length;
        return new Promise((done) => answers.push(() => done(Uint8Array.from(varints(Array.from({ length: rows }, () => [0, 5, 0]).flat())))));
    });
    const rows = Array.from({ length: 40 }, (_, at) => at);
    let come = 0;
    tiles.want(stretch, rows, () => come++);
    tiles.want(stretch, rows, () => come++);
    assert.deepEqual(asked.map((query) => new URLSearchParams(query).get("rows")!.split(",").length), [16, 16]);
    answers.splice(0).forEach((act) => act());
    await new Promise((done) => setTimeout(done));
    assert.equal(come, 2);
    assert.ok(tiles.peek(stretch, 31));
    assert.equal(tiles.peek(stretch, 32), undefined);
    assert.equal(tiles.latest(3)?.stretch, stretch);
    for (let at = 0; at < 8; at++) {
        tiles.want({ ...stretch, to: 700 + at }, [3], () => undefined);
        answers.splice(0).forEach((act) => act());
        await new Promise((done) => setTimeout(done));
    }
    assert.equal(tiles.peek(stretch, 3), undefined);
    assert.equal(tiles.latest(3)?.stretch.to, 707);
});

test("what fails is told", async () => {
    const tiles = new Tiles(() => Promise.reject(new Error("gone")));
    const error = await new Promise((done) => tiles.want(stretch, [1], done));
    assert.match(String(error), /gone/);
});

test("two traces have runs in common", () => {
    const run = (name: string, start: number, piece = false): Head["runs"][number] => ({ name, start, end: start + 5, ...(piece ? { piece } : {}) });
    const head = (...runs: Head["runs"]): Head => ({ begin: 3, runs }) as never;
    const one = head(run("run 1", 10), run("run 1", 20, true), run("run 2", 30), run("run 3", 40));
    const other = head(run("run 3", 7), run("run 1", 9));
    assert.deepEqual(commonRuns([one, other]), ["run 1", "run 3"]);
    assert.equal(startOf(one, "run 3"), 40);
    assert.equal(startOf(other, "run 2"), 3);
});
