import assert from "node:assert/strict";
import { test } from "node:test";

import { Columns, EXACT, MEAN, NOTHING, Scale } from "../src/page/columns";
import { Fold } from "../src/page/fold";
import { View } from "../src/page/view";
import { dice, makeRow, slices, type Slice } from "./made";

/** Slow and obvious. */
function column(list: Slice[], from: number, to: number): { busy: number; any: boolean } {
    let busy = 0;
    let any = false;
    for (const { start, end } of list) {
        busy += Math.max(0, Math.min(end, to) - Math.max(start, from));
        any ||= start < to && (end > from || start >= from);
    }
    return { busy, any };
}

test("columns are exact, and never empty where there is something", () => {
    for (let seed = 1; seed <= 100; seed++) {
        const random = dice(seed);
        const list = slices(random, 1 + random(300), 1 + random(2000));
        const { row, chunks } = makeRow(0, 0, list, 1 + random(60));
        const columns = new Columns();
        const width = 1 + random(200);
        const whole = list[list.length - 1]!.end + 1;
        const start = random(whole) - whole / 3;
        const step = Math.max(1e-3, random(1000) / 1000 * whole / width * 1.5);
        columns.fill(row, new Scale().line(start, step, width), Infinity, (chunk) => chunks[chunk]);
        for (let k = 0; k < columns.width; k++) {
            const { busy, any } = column(list, start + k * step, start + (k + 1) * step);
            assert.ok(Math.abs(columns.busy[k]! - busy) < step * 1e-6 + 1e-6, `seed ${seed}, column ${k}: ${columns.busy[k]} instead of ${busy}`);
            assert.equal(columns.state[k], any ? EXACT : NOTHING, `seed ${seed}, column ${k} of ${columns.width}`);
        }
        assert.equal(columns.missing.length, 0);
    }
});

test("without a chunk its mean is shown, and the sum is right", () => {
    const random = dice(7);
    const list = slices(random, 200, 100);
    const { row, chunks } = makeRow(0, 0, list, 20);
    const columns = new Columns();
    const whole = list[list.length - 1]!.end + 1;
    columns.fill(row, new Scale().line(0, whole / 50, 50), Infinity, (chunk) => (chunk === 3 ? undefined : chunks[chunk]));
    assert.deepEqual(columns.missing, [3]);
    const sum = columns.busy.reduce((one, other) => one + other, 0);
    assert.ok(Math.abs(sum - row.busy[row.chunks]!) < 1e-6);
    assert.ok(columns.state.includes(MEAN));
});

test("what is kept of chunks without room is the same", () => {
    const random = dice(11);
    const list = slices(random, 400, 100);
    const { row, chunks } = makeRow(0, 0, list, 25);
    const [whole, parted, one] = [new Columns(), new Columns(), new Columns()];
    const scale = new Scale().line(300, list[list.length - 1]!.end / 150, 120);
    whole.fill(row, scale, Infinity, (chunk) => chunks[chunk]);
    const parts = chunks.map((chunk) => {
        one.only(chunk, scale);
        return one.part();
    });
    parted.fill(row, scale, Infinity, (chunk) => (chunk % 2 ? chunks[chunk] : undefined), (chunk) => parts[chunk]);
    assert.deepEqual([parted.busy, parted.state, parted.missing], [whole.busy, whole.state, []]);
});

test("every wide slice is listed once", () => {
    for (let seed = 1; seed <= 30; seed++) {
        const random = dice(seed);
        const list = slices(random, 200, 3000);
        const { row, chunks } = makeRow(0, 0, list, 32);
        const columns = new Columns();
        const whole = list[list.length - 1]!.end + 1;
        const step = whole / 400;
        columns.fill(row, new Scale().line(0, step, 400), 2 * step, (chunk) => chunks[chunk]);
        assert.deepEqual(columns.wide.map(({ start }) => start), list.filter(({ start, end }) => end - start >= 2 * step).map(({ start }) => start));
    }
});

test("chunks longer than 32 bits of nanoseconds are exact", () => {
    const list: Slice[] = [{ start: 5, end: 6e12, label: 1 }, { start: 6e12 + 7, end: 6e12 + 9, label: 2 }];
    const { row, chunks } = makeRow(0, 0, list, 10);
    assert.ok(chunks[0]!.starts instanceof Float64Array);
    const columns = new Columns();
    columns.fill(row, new Scale().line(6e12 - 2, 4, 4), Infinity, (chunk) => chunks[chunk]);
    assert.deepEqual([...columns.busy], [0, 1, 2, 3].map((k) => column(list, 6e12 - 2 + 4 * k, 6e12 + 2 + 4 * k).busy));
});

test("columns of folded time are exact, too", () => {
    for (let seed = 1; seed <= 60; seed++) {
        const random = dice(seed);
        const list: Slice[] = [];
        const gaps: [number, number][] = [];
        let at = random(100);
        for (let burst = 0; burst < 1 + random(8); burst++) {
            for (const { start, end, label } of slices(random, 1 + random(60), 50)) list.push({ start: at + start, end: at + end, label });
            at = list[list.length - 1]!.end;
            gaps.push([at, at + 5000 + random(100_000)]);
            at = gaps[gaps.length - 1]![1];
        }
        const { row, chunks } = makeRow(0, 0, list, 1 + random(40));
        const view = new View(0, at + 10);
        view.setFold(new Fold(gaps, 1 + random(300)));
        view.zoom(1 / (1 + random(9)), random(at));
        const scale = new Scale().of(view, 1 + random(300));
        const columns = new Columns();
        columns.fill(row, scale, Infinity, (chunk) => chunks[chunk]);
        for (let k = 0; k < columns.width; k++) {
            const { busy, any } = column(list, scale.edges[k]!, scale.edges[k + 1]!);
            assert.ok(Math.abs(columns.busy[k]! - busy) < 1e-3, `seed ${seed}, column ${k}: ${columns.busy[k]} instead of ${busy}`);
            assert.ok(busy <= scale.step + 1e-3, "a column is never more than full");
            assert.equal(columns.state[k], any ? EXACT : NOTHING, `seed ${seed}, column ${k} of ${columns.width}`);
        }
    }
});
