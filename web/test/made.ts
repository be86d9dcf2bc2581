// Made-up slices, and a source that has them in memory.

import { makeKit, type Arguments, type Chunk } from "../src/page/kit";
import type { Head, Label, Row } from "../src/page/model";
import type { TraceSource } from "../src/page/source";

export interface Slice {
    start: number;
    end: number;
    label: number;
}

/** The same numbers every time. */
export function dice(seed: number): (limit: number) => number {
    let state = seed;
    return (limit) => {
        state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
        return ((state ^ state >>> 13) >>> 0) % limit;
    };
}

export function varints(values: number[]): number[] {
    return values.flatMap((value) => {
        const bytes: number[] = [];
        for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
        return [...bytes, value];
    });
}

export function slices(random: (limit: number) => number, count: number, longest: number): Slice[] {
    let at = random(1000);
    return Array.from({ length: count }, () => {
        const start = at + (random(3) === 0 ? 0 : random(longest));
        at = start + (random(5) === 0 ? 0 : random(longest));
        return { start, end: at, label: random(7) };
    });
}

export function encode(list: Slice[]): Uint8Array {
    return Uint8Array.from(varints([
        ...list.map((slice, at) => (at === 0 ? 0 : slice.start - list[at - 1]!.end)), ...list.map((slice) => slice.end - slice.start), ...list.map((slice) => slice.label),
    ]));
}

/** A row of chunks of a few slices each. */
export function makeRow(number: number, depth: number, list: Slice[], perChunk: number): { row: Row; chunks: Chunk[] } {
    const parts: Slice[][] = [];
    for (let at = 0; at < list.length; at += perChunk) parts.push(list.slice(at, at + perChunk));
    const sums = (value: (part: Slice[]) => number): number[] => parts.reduce((made, part) => [...made, made[made.length - 1]! + value(part)], [0]);
    const row: Row = {
        number, track: 0, depth, kind: 0, chunks: parts.length,
        counts: Uint32Array.from(parts, (part) => part.length), slices: Uint32Array.from(sums((part) => part.length)),
        firsts: Float64Array.from(parts, (part) => part[0]!.start), lasts: Float64Array.from(parts, (part) => part[part.length - 1]!.end),
        busy: Float64Array.from(sums((part) => part.reduce((sum, slice) => sum + slice.end - slice.start, 0))),
        lowest: new Float64Array(), highest: new Float64Array(), places: new Uint32Array(parts.length * 6),
    };
    const kit = makeKit();
    const chunks = parts.map((part) => kit.chunk(encode(part), part.length, part[0]!.start, part[part.length - 1]!.end - part[0]!.start, false));
    return { row, chunks };
}

export function makeSource(rows: { row: Row; chunks: Chunk[] }[], labels: number): TraceSource {
    const label = (at: number): Label => ({ name: `name ${at}`, operator: "", location: "", engine: "", class: 0, count: 0, total: 0, self: 0, shortest: 0, longest: 0 });
    return {
        head: { tracks: [{ name: "track", parent: -1, kind: "slices" }] } as unknown as Head,
        local: true, capacity: Infinity, tiles: null, texts: [""], labels: Array.from({ length: labels }, (_, at) => label(at)), rows: rows.map(({ row }) => row),
        peek: (row, chunk) => rows[row.number]?.chunks[chunk],
        chunk: (row, chunk) => Promise.resolve(rows[row.number]!.chunks[chunk]!),
        pass: (row, chunk) => Promise.resolve(rows[row.number]!.chunks[chunk]!),
        arguments: (): Promise<Arguments | null> => Promise.resolve(null),
        flows: () => Promise.resolve(new Map()),
    };
}
