import assert from "node:assert/strict";
import { test } from "node:test";

import { addUp, MOST, type Node } from "../src/page/flame";
import { matched } from "../src/page/flamegraph";
import { Fold, Idle, makeFold } from "../src/page/fold";
import { lengthsOf, longestHits, numberOf, stepHit, type Hit } from "../src/page/hits";
import { Layout } from "../src/page/layout";
import type { Hits } from "../src/page/marks";
import type { Track } from "../src/page/model";
import { countedRuns, fences, wholeRuns } from "../src/page/runs";
import { View } from "../src/page/view";
import { dice, makeRow, makeSource, slices, type Slice } from "./made";

test("folded time and time are the same, there and back", () => {
    for (let seed = 1; seed <= 50; seed++) {
        const random = dice(seed);
        let at = random(1000);
        const gaps = Array.from({ length: random(20) }, (): [number, number] => {
            const start = at + 1 + random(5000);
            at = start + 1000 + random(1e6);
            return [start, at];
        });
        const fold = new Fold(gaps, 500);
        let last = -Infinity;
        for (let i = 0; i <= 500; i++) {
            const time = Math.round((at + 1000) * i / 500);
            const folded = fold.fold(time);
            assert.ok(folded > last, "later is to the right");
            last = folded;
            const inside = gaps.some(([start, end]) => time > start && time < end);
            if (inside) assert.ok(Math.abs(fold.unfold(folded) - time) < 1);
            else assert.equal(fold.unfold(folded), time, "outside of gaps nothing is rounded");
        }
        for (const gap of fold.gaps) assert.equal(fold.fold(gap.end) - fold.fold(gap.start), 500);
    }
});

test("a gap is folded only where nothing runs, and every long one is found", () => {
    for (let seed = 1; seed <= 40; seed++) {
        const random = dice(seed);
        const rows = Array.from({ length: 1 + random(3) }, (_, number) => makeRow(number, 0, slices(random, 1 + random(300), 1 + random(20_000)), 1 + random(50)));
        const all = rows.flatMap(({ chunks }) => chunks.flatMap((chunk): [number, number][] =>
            Array.from({ length: chunk.count }, (_, at): [number, number] => [chunk.base + chunk.starts[at]!, chunk.base + chunk.ends[at]!])));
        const begin = Math.min(...all.map(([start]) => start));
        const end = Math.max(...all.map(([, last]) => last));
        const idle = new Idle(begin, end);
        for (const { chunks } of rows) for (const chunk of [...chunks].reverse()) idle.add(chunk);
        const gaps = idle.gaps();
        for (const [from, to] of gaps) assert.ok(!all.some(([start, last]) => (start < to && last > from) || (start === last && start > from && start < to)), `something runs between ${from} and ${to}`);
        // Slow and obvious.
        const ordered = [...all].sort(([one], [other]) => one - other);
        let last = begin;
        for (const [start, stop] of ordered) {
            if (start - last > 2 * Math.max(1, (end - begin) / 65536)) assert.ok(gaps.some(([from, to]) => from === last && to === start), `from ${last} to ${start}`);
            last = Math.max(last, stop);
        }
    }
});

test("what is nearly idle is folded, what is busy is not", () => {
    const fold = makeFold([[100, 1_000_000], [1_000_100, 5_000_000]], 5_000_100);
    assert.equal(fold.gaps.length, 2);
    assert.equal(fold.idle, 999_900 + 3_999_900);
    assert.equal(makeFold([[1000, 1010]], 5000).gaps.length, 0);
    const view = new View(0, 5_000_100);
    view.width = 1000;
    view.setFold(fold);
    for (const gap of fold.gaps) assert.ok(view.x(gap.end) - view.x(gap.start) > 5, "a folded gap has room for its mark");
});

test("the flame view has every slice once, below what it lies in", async () => {
    for (let seed = 1; seed <= 40; seed++) {
        const random = dice(seed);
        const outer = slices(random, 1 + random(200), 2000);
        const below = (list: Slice[]): Slice[] => list.flatMap(({ start, end }): Slice[] => {
            if (end - start < 12 || random(3) === 0) return [];
            const middle = start + 2 + random(Math.floor((end - start) / 2));
            return [{ start: start + 1, end: middle, label: random(7) }, { start: middle + 1, end: Math.max(middle + 1, end - random(5)), label: random(7) }];
        });
        const levels = [outer, below(outer)];
        levels.push(below(levels[1]!));
        const rows = levels.filter((level) => level.length > 0).map((level, depth) => makeRow(depth, depth, level, 1 + random(50)));
        const whole = outer[outer.length - 1]!.end;
        const begin = random(whole);
        const end = begin + 1 + random(whole);
        const flame = await addUp(makeSource(rows, 7), [begin, end], null, () => undefined, () => false);
        const wanted = new Map<string, [number, number]>();
        levels.forEach((level, depth) => level.forEach((slice) => {
            if (slice.start >= end || (slice.end <= begin && slice.start < begin)) return;
            const stack = levels.slice(0, depth).map((above) => above.find((one) => one.end >= slice.end)!.label);
            const key = [...stack, slice.label].join(" ");
            const sums = wanted.get(key) ?? [0, 0];
            wanted.set(key, [sums[0] + 1, sums[1] + Math.max(0, Math.min(slice.end, end) - Math.max(slice.start, begin))]);
        }));
        const found = new Map<string, [number, number]>();
        const walk = (node: Node, stack: number[]): void => {
            if (node.parent) found.set(stack.join(" "), [node.count, node.total]);
            assert.equal(node.self, node.total - node.children.reduce((sum, child) => sum + child.total, 0));
            for (const child of node.children) walk(child, [...stack, child.label]);
        };
        walk(flame!.root, []);
        assert.deepEqual(new Map([...found].sort()), new Map([...wanted].sort()), `seed ${seed}`);
        const three = matched(flame!.root, (node) => node.label === 3);
        assert.ok(three <= flame!.root.total);
    }
});

test("stacks that are too many to tell apart are still counted", async () => {
    const labels = 1000;
    const outer: Slice[] = Array.from({ length: MOST + 5000 }, (_, at) => ({ start: at * 10, end: at * 10 + 8, label: at % labels }));
    const inner = outer.map(({ start }, at): Slice => ({ start: start + 1, end: start + 5, label: Math.floor(at / labels) }));
    const flame = await addUp(makeSource([makeRow(0, 0, outer, 4096), makeRow(1, 1, inner, 4096)], labels), [0, 1e9], null, () => undefined, () => false);
    assert.ok(flame!.full);
    assert.equal(flame!.root.total, outer.length * 8);
    const nested = flame!.root.children.reduce((sum, child) => sum + child.children.reduce((inside, one) => inside + one.total, 0), 0);
    assert.equal(nested, outer.length * 4);
});

test("runs in pieces are one, and what is unlike the others is told", () => {
    const runs = wholeRuns([
        { name: "run 0", start: 0, end: 900, counted: false }, ...Array.from({ length: 9 }, (_, at) => ({ name: `run ${at + 1}`, start: 1000 * (at + 1), end: 1000 * (at + 1) + 100 + at, counted: true })),
        { name: "run 10", start: 20_000, end: 20_100, counted: true }, { name: "run 10", start: 20_200, end: 20_700, counted: true, piece: true },
    ]);
    assert.equal(runs.length, 11);
    assert.deepEqual([runs[10]!.start, runs[10]!.end, runs[10]!.length, runs[10]!.outlier], [20_000, 20_700, 600, true]);
    assert.equal(runs[0]!.outlier, false, "what does not count is no outlier");
    assert.equal(countedRuns(runs).length, 10);
    assert.deepEqual(fences([1, 2, 3]), [-Infinity, Infinity]);
});

test("a pinned group takes along what is in it, and nothing is there twice", () => {
    const group = (name: string, parent: number): Track => ({ name, parent, kind: "group" });
    const tracks: Track[] = [group("a", -1), { name: "a1", parent: 0, kind: "slices" }, group("b", -1), { name: "b1", parent: 2, kind: "slices" }, group("c", 2), { name: "c1", parent: 4, kind: "slices" }];
    const layout = new Layout(tracks, []);
    layout.pins.add(4).add(2);
    layout.arrange();
    assert.deepEqual(layout.pinned.map((item) => item.track), [2, 3, 4, 5]);
    assert.deepEqual(layout.items.map((item) => item.track), [0, 1]);
    layout.folded.add(2);
    layout.arrange();
    assert.deepEqual(layout.pinned.map((item) => item.track), [2]);
});

test("hits are stepped through in order of time, and the longest are listed", () => {
    for (let seed = 1; seed <= 40; seed++) {
        const random = dice(seed);
        const hits = new Map<number, Hits>();
        const list: Hit[] = [];
        for (let row = 0; row < 1 + random(5); row++) {
            const found = slices(random, 1 + random(40), 30).map(({ start, end }, at): Hit => ({ row: row * 2, slice: at * 3, start, end }));
            hits.set(row * 2, { starts: Float64Array.from(found, ({ start }) => start), ends: Float64Array.from(found, ({ end }) => end), slices: Uint32Array.from(found, ({ slice }) => slice), count: found.length });
            list.push(...found);
        }
        list.sort((one, other) => one.start - other.start || one.row - other.row || one.slice - other.slice);
        let at: Hit = stepHit(hits, { start: -Infinity, row: -1, slice: -1 }, 1)!;
        for (let i = 0; i < list.length; i++) {
            assert.deepEqual(at, list[i], `seed ${seed}, hit ${i}`);
            assert.equal(numberOf(hits, at), i);
            assert.deepEqual(stepHit(hits, at, -1), list[(i + list.length - 1) % list.length]);
            at = stepHit(hits, at, 1)!;
        }
        assert.deepEqual(at, list[0], "behind the last comes the first");
        const lengths = [...lengthsOf(hits)].sort((one, other) => other - one);
        const most = 1 + random(60);
        const longest = longestHits(hits, most).map(({ start, end }) => end - start).sort((one, other) => other - one);
        assert.equal(longest.length, Math.min(most, list.length));
        longest.forEach((length, i) => assert.ok(Math.abs(length - lengths[i]!) <= lengths[i]! / 32 + 1, `seed ${seed}: ${length} instead of ${lengths[i]}`));
    }
});
