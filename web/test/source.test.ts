import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import type { Place } from "../src/page/model";
import { decodeHere as here } from "../src/page/pool";
import { HttpSource } from "../src/page/source";
import { encode, varints, type Slice } from "./made";

/** A server in memory, and what it was asked for. */
function server(): { fetcher: typeof fetch; asked: string[]; list: Slice[] } {
    const asked: string[] = [];
    const blocks = new Map<string, Uint8Array<ArrayBuffer>>();
    let offset = 0;
    const add = (bytes: Uint8Array): Place => {
        const data = Uint8Array.from(deflateRawSync(bytes));
        const place: Place = [0, offset, data.length];
        blocks.set(`http://made/trace/blocks/${place.join("/")}`, data);
        offset += data.length;
        return place;
    };
    const list: Slice[] = Array.from({ length: 10 }, (_, at) => ({ start: at * 100, end: at * 100 + 50, label: at % 2 }));
    const texts = add(new TextEncoder().encode("\0one\0two\0"));
    const labels = add(Uint8Array.from(varints([1, 0, 0, 0, 0, 5, 250, 250, 50, 50, 2, 0, 0, 0, 0, 5, 250, 250, 50, 50])));
    const carried = add(Uint8Array.from(list.flatMap(() => [0, 1, 0])));
    const index = add(Uint8Array.from(varints([1, 0, 0, 0, 1, 10, 0, 950, 500, ...add(encode(list)), ...carried])));
    const head = { version: 1, begin: 0, end: 950, tracks: [], runs: [], blocks: { texts, labels, index, flows: null } };
    const fetcher = ((address: string) => {
        asked.push(address);
        const block = blocks.get(address);
        if (address === "http://made/trace/head") return Promise.resolve(new Response(JSON.stringify(head)));
        return Promise.resolve(block ? new Response(block) : new Response("no", { status: 404 }));
    }) as typeof fetch;
    return { fetcher, asked, list };
}

test("a server has what a page has, and is asked once for what is kept", async () => {
    const { fetcher, asked, list } = server();
    const source = await HttpSource.open("http://made/trace/", fetcher, here);
    assert.deepEqual(source.labels.map((label) => label.name), ["one", "two"]);
    assert.equal(source.local, false);
    const row = source.rows[0]!;
    assert.equal(source.peek(row, 0), undefined);
    const [chunk, again] = await Promise.all([source.chunk(row, 0), source.chunk(row, 0)]);
    assert.equal(chunk, again);
    assert.deepEqual([...chunk.starts], list.map(({ start }) => start));
    assert.equal(source.peek(row, 0), chunk);
    assert.deepEqual([...(await source.arguments(row, 0))!.runs], list.map(() => 1));
    assert.equal((await source.flows()).size, 0);
    assert.equal(asked.length, new Set(asked).size);
    assert.equal(asked.filter((address) => address.includes("/blocks/")).length, 5);
});

test("what a server does not have is an error, not an empty drawing", async () => {
    const { fetcher } = server();
    await assert.rejects(HttpSource.open("http://elsewhere/", fetcher, here), /the server answers 404/);
    const source = await HttpSource.open("http://made/trace/", fetcher, here);
    source.rows[0]!.places[1] = 999;
    await assert.rejects(source.chunk(source.rows[0]!, 0), /the server answers 404/);
    source.rows[0]!.places[1] = 0;
});
