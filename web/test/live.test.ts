import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { Layout } from "../src/page/layout";
import type { Place, Row, Track } from "../src/page/model";
import { decodeHere } from "../src/page/pool";
import { GrowingSource } from "../src/page/source";
import { readTiles, Tiles, type Stretch } from "../src/page/tiles";
import { View } from "../src/page/view";
import type { LiveSource } from "../src/serve/api";
import { Follower } from "../src/serve/follow";
import { facts } from "../src/serve/show";
import { encode, varints } from "./made";

const SECOND = 1e9;

test("the view follows the end until somebody looks elsewhere", () => {
    const view = new View(0, SECOND);
    let changes = 0;
    const follower = new Follower(view, () => changes++);
    const grow = (end: number): void => follower.grow(end, () => view.extend(0, end));
    grow(5 * SECOND);
    assert.ok(view.from <= 0 && view.to >= 5 * SECOND);
    grow(60 * SECOND);
    assert.equal(Math.round(view.span / SECOND), 10);
    assert.equal(view.to, 60 * SECOND);
    view.show(20 * SECOND, 30 * SECOND);
    assert.equal(follower.on, false);
    assert.equal(changes, 1);
    grow(90 * SECOND);
    assert.equal(view.to, 30 * SECOND);
    follower.set(true);
    assert.equal(view.to, 90 * SECOND);
    // Who comes closer to the end follows it more closely.
    view.show(88 * SECOND, 90 * SECOND);
    assert.equal(follower.on, true);
    grow(100 * SECOND);
    assert.deepEqual([Math.round(view.from / SECOND), Math.round(view.to / SECOND)], [98, 100]);
});

test("what is folded and pinned stays so, however tracks are numbered", () => {
    const track = (name: string, parent: number, rows?: [number, number]): Track => ({ name, parent, kind: rows ? "slices" : "group", ...(rows ? { rows } : {}) });
    const rows = (count: number): Row[] => Array.from({ length: count }, (_, number) => ({ number, track: 0, depth: 0, kind: 0, chunks: 0 }) as unknown as Row);
    const layout = new Layout([track("program", -1), track("one", 0, [0, 1]), track("three", 0, [1, 1])], rows(2));
    layout.folded.add(2);
    layout.pins.add(1);
    layout.grow([track("program", -1), track("new", 0, [0, 1]), track("one", 0, [1, 1]), track("two", 0, [2, 1]), track("three", 0, [3, 1])], rows(4));
    assert.deepEqual([...layout.folded], [4]);
    assert.deepEqual([...layout.pins], [2]);
    assert.deepEqual(layout.pinned.map(({ track: number }) => number), [2]);
    assert.deepEqual(layout.items.map(({ track: number }) => number), [0, 1, 3, 4]);
});

/** A trace that grows by a chunk of ten slices with every generation; the last two generations can be asked for. */
function server(): { fetcher: typeof fetch; asked: string[]; grow(): void } {
    const asked: string[] = [];
    const blocks = new Map<string, Uint8Array<ArrayBuffer>>();
    const chunks: { place: Place; first: number }[] = [];
    const kept: string[][] = [];
    let element = 0;
    let generation = 0;
    let head: object = { generation: 0, finished: false, forgotten: 0 };
    const add = (bytes: Uint8Array): Place => {
        const data = Uint8Array.from(deflateRawSync(bytes));
        const place: Place = [element++, 0, data.length];
        blocks.set(`blocks/${place.join("/")}`, data);
        return place;
    };
    const grow = (): void => {
        generation++;
        const first = chunks.length * 1000;
        chunks.push({ first, place: add(encode(Array.from({ length: 10 }, (_, at) => ({ start: first + at * 100, end: first + at * 100 + 50, label: 0 })))) });
        const texts = add(new TextEncoder().encode("\0one\0"));
        const labels = add(Uint8Array.from(varints([1, 0, 0, 0, 0, 5, 250, 250, 50, 50])));
        const index = add(Uint8Array.from(varints([1, 0, 0, 0, chunks.length, ...chunks.flatMap(({ place }, at) => [10, at ? 50 : 0, 950, 500, ...place, 0, 0, 0])])));
        kept.push([texts, labels, index].map((place) => `blocks/${place.join("/")}`));
        for (const old of kept.length > 2 ? kept.shift()! : []) blocks.delete(old);
        head = { generation, finished: false, forgotten: 0, version: 1, begin: 0, end: first + 950, tracks: [], runs: [], blocks: { texts, labels, index, flows: null } };
    };
    const fetcher = ((address: string) => {
        const name = address.slice("http://made/".length);
        asked.push(name);
        const after = name.match(/^head\?after=(\d+)$/);
        if (name === "head" || (after && Number(after[1]) < generation)) return Promise.resolve(new Response(JSON.stringify(head)));
        if (after) return Promise.resolve(new Response(JSON.stringify({ generation, finished: false, forgotten: 0 })));
        const wanted = name.match(/^tiles\?.*generation=(\d+)$/);
        if (wanted && Number(wanted[1]) + 1 >= generation) return Promise.resolve(new Response(Uint8Array.from([1, 50, 0, 0])));
        const block = blocks.get(name);
        return Promise.resolve(block ? new Response(block) : new Response("no", { status: 404 }));
    }) as typeof fetch;
    return { fetcher, asked, grow };
}

test("a trace that grows: what was decoded stays, and only what is new is asked for", async () => {
    const { fetcher, asked, grow } = server();
    assert.equal(await GrowingSource.open("http://made/", fetcher, decodeHere), null);
    grow();
    const source = (await GrowingSource.open("http://made/", fetcher, decodeHere))!;
    const chunk = await source.chunk(source.rows[0]!, 0);
    assert.equal(await source.refresh(false), false);
    grow();
    assert.equal(await source.refresh(false), true);
    assert.equal(source.rows[0]!.chunks, 2);
    assert.equal(source.head.end, 1950);
    assert.equal(source.peek(source.rows[0]!, 0), chunk);
    assert.equal(source.peek(source.rows[0]!, 1), undefined);
    assert.deepEqual([...(await source.chunk(source.rows[0]!, 1)).starts], Array.from({ length: 10 }, (_, at) => at * 100));
    assert.equal(asked.filter((name) => name.startsWith("blocks/")).length, new Set(asked.filter((name) => name.startsWith("blocks/"))).size);
});

test("columns of a generation that is gone are those of the next", async () => {
    const { fetcher, grow } = server();
    grow();
    const source = (await GrowingSource.open("http://made/", fetcher, decodeHere))!;
    let grown = 0;
    source.onGrown = () => grown++;
    for (let turn = 0; turn < 3; turn++) grow();
    const stretch: Stretch = { from: 0, to: 100, columns: 1, wide: 0 };
    await new Promise<void>((done, failed) => source.tiles!.want(stretch, [0], (error) => (error ? failed(error as Error) : done())));
    assert.deepEqual([...source.tiles!.peek(stretch, 0)!.busy], [50]);
    assert.equal(source.head.generation, 4);
    await new Promise((done) => setTimeout(done, 5));
    assert.equal(grown, 1);
});

test("tiles of a trace that has grown are shown until there are others, and asked for again", async () => {
    let asked = 0;
    const tiles = new Tiles(() => Promise.resolve(Uint8Array.from([1, ++asked, 0, 0])));
    const stretch: Stretch = { from: 0, to: 100, columns: 1, wide: 0 };
    const bring = (): Promise<void> => new Promise((done) => tiles.want(stretch, [0], () => done()));
    await bring();
    tiles.renew();
    assert.equal(tiles.peek(stretch, 0), undefined);
    assert.deepEqual([...tiles.latest(0)!.tile.busy], [1]);
    await new Promise((done) => setTimeout(done));
    await bring();
    assert.deepEqual([...tiles.peek(stretch, 0)!.busy], [2]);
    assert.equal(readTiles(Uint8Array.from([1, 7, 0, 0]), stretch, 1)[0]!.busy[0], 7);
});

test("what is said of a source", () => {
    const source: LiveSource = {
        id: "1", name: "127.0.0.1:8086", kind: "program", state: "connected", said: null, note: null, title: "zones", pid: 7, trace: "2", generation: 3, up_to: 9,
        slices: 1234, forgotten: 0, late: 0, lost: 2, dropped: 0, unended: 0, open: null, keep_s: 60, fits_s: null, silent_ms: 100, given: true, following: true,
    };
    assert.deepEqual(facts(source), ["zones [7]", "1,234 slices", "2 lost: they cannot be used"]);
    assert.deepEqual(facts({ ...source, lost: 0, late: 1, silent_ms: 4500, fits_s: 12 }),
                     ["zones [7]", "1,234 slices", "only the last 12 s fit", "1 came late, shown when it has ended", "nothing new for 4 s"]);
    assert.deepEqual(facts({ ...source, title: null, generation: 0, lost: 0, state: "waiting", silent_ms: null }), []);
});
