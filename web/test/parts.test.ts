import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { bars } from "../src/page/histogram";
import { makeKit, type Chunk } from "../src/page/kit";
import { readIndex, readLabels, readTexts } from "../src/page/model";
import { integer, search } from "../src/page/search";
import { Cache } from "../src/page/source";
import { format, parse } from "../src/page/state";
import { selfTime, sumRange } from "../src/page/sums";
import { dice, makeRow, makeSource, slices, varints, type Slice } from "./made";

const kit = makeKit();

test("blocks are inflated", async () => {
    const data = Uint8Array.from({ length: 1000 }, (_, at) => at * 7 & 255);
    for (let cut = 0; cut < 4; cut++) {
        const pressed = deflateRawSync(data.subarray(cut));
        assert.deepEqual([...await kit.inflate(kit.base64(pressed.toString("base64")))], [...data.subarray(cut)]);
    }
    const large = Uint8Array.from({ length: 300_000 }, (_, at) => at * at >> 5 & 255);
    assert.deepEqual(await kit.inflate(Uint8Array.from(deflateRawSync(large))), large);
    await assert.rejects(kit.inflate(Uint8Array.from([7, 255, 1, 2, 3])));
});

test("numbers up to 2^53", () => {
    const values = [0, 1, 127, 128, 16383, 16384, 2 ** 31, 2 ** 32, 2 ** 53 - 1];
    const read = kit.reader(Uint8Array.from(varints(values)));
    assert.deepEqual(values.map(() => read.next()), values);
    assert.ok(read.ended());
    assert.throws(() => kit.reader(Uint8Array.of(0x80)).next());
});

test("arguments keep all 64 bits", () => {
    const large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    const bytes = Uint8Array.from([3, 1, 2, ...large, 2, 1, 5, 3, 3, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f, 2, 1, 9, 0, 0, 0]);
    const found = kit.arguments(bytes, 2);
    assert.deepEqual([...found.offsets], [0, 3, 3]);
    assert.equal(found.values[0], 2n ** 64n - 1n);
    assert.equal(integer(1, found.values[1]!), -3n);
    assert.equal(new Float64Array(found.values.slice(2).buffer)[0], 0.25);
    assert.deepEqual([...found.runs], [2, 0]);
    assert.deepEqual([...found.flows], [9]);
    assert.deepEqual([...found.flowOffsets], [0, 1, 1]);
});

test("texts, labels and index", () => {
    assert.deepEqual(readTexts(new TextEncoder().encode("\0één\0two\0")), ["", "één", "two"]);
    const labels = readLabels(kit.reader(Uint8Array.from(varints([1, 2, 0, 0, 3, 10, 1000, 900, 1, 500]))), ["", "a", "b"]);
    assert.deepEqual(labels, [{ name: "a", operator: "b", location: "", engine: "", class: 3, count: 10, total: 1000, self: 900, shortest: 1, longest: 500 }]);
    const [row] = readIndex(kit.reader(Uint8Array.from(varints([1, 4, 2, 0, 2, 3, 10, 100, 60, 0, 0, 8, 0, 0, 0, 5, 7, 50, 50, 0, 8, 16, 1, 2, 4]))), 1000);
    assert.deepEqual([...row!.firsts], [1010, 1117]);
    assert.deepEqual([...row!.lasts], [1110, 1167]);
    assert.deepEqual([...row!.busy], [0, 60, 110]);
    assert.deepEqual([...row!.slices], [0, 3, 8]);
});

test("the sums of a range are those of its slices, clipped", async () => {
    for (let seed = 1; seed <= 40; seed++) {
        const random = dice(seed);
        const outer = slices(random, 1 + random(200), 2000);
        const inner = outer.flatMap(({ start, end }): Slice[] => (end - start > 10 && random(3) > 0
            ? [{ start: start + 2, end: start + 2 + random(end - start - 4), label: random(7) }] : []));
        const rows = [makeRow(0, 0, outer, 1 + random(50)), ...(inner.length > 0 ? [makeRow(1, 1, inner, 1 + random(50))] : [])];
        const source = makeSource(rows, 7);
        const whole = outer[outer.length - 1]!.end;
        const begin = random(whole);
        const end = begin + 1 + random(whole);
        const sums = await sumRange(source, [begin, end], () => undefined, () => false);
        const wanted = { counts: new Float64Array(7), totals: new Float64Array(7), selfs: new Float64Array(7) };
        const clip = (slice: Slice): number => Math.max(0, Math.min(slice.end, end) - Math.max(slice.start, begin));
        for (const slice of [...outer, ...inner]) {
            if (slice.start >= end || (slice.end <= begin && slice.start < begin)) continue;
            wanted.counts[slice.label]! += 1;
            wanted.totals[slice.label]! += clip(slice);
            wanted.selfs[slice.label]! += clip(slice);
        }
        for (const slice of inner) wanted.selfs[outer.find((one) => one.start <= slice.start && one.end >= slice.end)!.label]! -= clip(slice);
        assert.deepEqual(sums?.counts, wanted.counts, `seed ${seed}`);
        assert.deepEqual(sums?.totals, wanted.totals, `seed ${seed}`);
        assert.deepEqual(sums?.selfs, wanted.selfs, `seed ${seed}`);
        for (const one of inner.length > 0 ? outer : []) {
            const taken = inner.filter((slice) => one.start <= slice.start && one.end >= slice.end).reduce((sum, slice) => sum + slice.end - slice.start, 0);
            assert.equal(await selfTime(source, 0, one.start, one.end), one.end - one.start - taken);
        }
        assert.equal(sums?.trackBusy[0], outer.reduce((sum, slice) => sum + clip(slice), 0));
    }
});

test("a search finds every slice of its labels", async () => {
    const list = slices(dice(3), 500, 100);
    const source = makeSource([makeRow(0, 0, list, 64)], 7);
    const labels = Uint8Array.from([0, 0, 1, 0, 0, 1, 0]);
    const result = await search(source, { labels, argument: "" }, () => undefined, () => false);
    const wanted = list.flatMap((slice, at) => (labels[slice.label] ? [at] : []));
    assert.equal(result?.count, wanted.length);
    assert.deepEqual([...result!.hits.get(0)!.slices.subarray(0, wanted.length)], wanted);
});

test("a cache drops what was not used for longest", () => {
    const chunk = (count: number): Chunk => ({ count }) as Chunk;
    const cache = new Cache(16 * 100);
    cache.set(1, chunk(40));
    cache.set(2, chunk(40));
    cache.get(1);
    cache.set(3, chunk(40));
    assert.ok(cache.get(1));
    assert.equal(cache.get(2), undefined);
    assert.ok(cache.get(3));
});

test("bars have every length once", () => {
    for (let seed = 1; seed < 20; seed++) {
        const random = dice(seed);
        const lengths = Array.from({ length: 1 + random(500) }, () => random(10 ** (1 + random(6))));
        const { edges, counts } = bars(lengths);
        assert.equal(counts.reduce((one, other) => one + other, 0), lengths.length);
        counts.forEach((value, at) => assert.equal(value, lengths.filter((length) => length >= edges[at]! && length < edges[at + 1]!).length));
    }
});

test("an address says what was looked at, and nonsense in it is left out", () => {
    const state = { view: [10, 2000] as [number, number], range: [20, 30] as [number, number], slice: [3, 99] as [number, number], query: "a&b=c #1", folded: [1, 2], idle: true, sheet: "Time by operator" };
    assert.deepEqual(parse(`#${format(state)}`), state);
    assert.deepEqual(parse("#t=5,1&r=x,2&s=1&q="), {});
});
