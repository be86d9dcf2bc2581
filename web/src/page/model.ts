// What a page holds, as doc/formats/page.md says it: the head, labels, and the index of rows and chunks.

import type { Reader } from "./kit";
import type { PlaceMap } from "./map";

export type Place = [element: number, offset: number, length: number];

export interface Track {
    name: string;
    parent: number;
    kind: "group" | "slices" | "counter";
    unit?: string;
    /** First and number of its rows. */
    rows?: [number, number];
    engine?: string;
    description?: string;
    drawn?: boolean;
    pinned?: boolean;
}

export interface Run {
    start: number;
    end: number;
    counted?: boolean;
    name: string;
    /** It goes on with the one before it, which has paused. */
    piece?: boolean;
}

export interface Head {
    version: number;
    /** Of a trace that is served: counted up whenever it has grown. */
    generation?: number;
    title: string;
    generator: string;
    /** An integer in words: times of the input are this and those of the page together. */
    origin: string;
    begin: number;
    end: number;
    counts: { slices: number; instants: number; tracks: number; labels: number; lost: number };
    notes: string[];
    tracks: Track[];
    runs: Run[];
    blocks: { labels: Place; texts: Place; index: Place; flows: Place | null };
    tables: unknown[];
    /** Missing: none. */
    maps?: PlaceMap[];
}

/** The writer numbers them in this order. */
export const CLASS = {
    other: 0, compute: 1, transfer: 2, job: 3, host: 4, bookkeeping: 5, envelope: 6, drawn: 7, custom: 8, wait: 9, lost: 10,
};

export interface Label {
    name: string;
    operator: string;
    location: string;
    engine: string;
    class: number;
    count: number;
    total: number;
    self: number;
    shortest: number;
    longest: number;
}

export const COUNTER = 1;
export const INSTANTS = 2;

/** One line of drawing, and its chunks column by column. */
export interface Row {
    number: number;
    track: number;
    depth: number;
    /** 0: slices. */
    kind: number;
    chunks: number;
    counts: Uint32Array;
    /** Slices before each chunk, and of all at the end. */
    slices: Uint32Array;
    firsts: Float64Array;
    lasts: Float64Array;
    /** Busy time before each chunk, and of all at the end. */
    busy: Float64Array;
    /** Of a counter: of each chunk. */
    lowest: Float64Array;
    highest: Float64Array;
    /** Element, offset and length of slices, then of arguments: six per chunk. */
    places: Uint32Array;
}

/** One slice. */
export interface Pick {
    row: number;
    slice: number;
}

export function readTexts(bytes: Uint8Array): string[] {
    const texts = new TextDecoder().decode(bytes).split("\0");
    texts.pop();
    return texts;
}

export function readLabels(read: Reader, texts: string[]): Label[] {
    const labels: Label[] = [];
    const text = (): string => texts[read.next()] ?? "";
    while (!read.ended()) {
        labels.push({
            name: text(), operator: text(), location: text(), engine: text(), class: read.next(), count: read.next(),
            total: read.next(), self: read.next(), shortest: read.next(), longest: read.next(),
        });
    }
    return labels;
}

export function readIndex(read: Reader, begin: number): Row[] {
    return Array.from({ length: read.next() }, (_, number) => readRow(read, number, begin));
}

function readRow(read: Reader, number: number, begin: number): Row {
    const [track, depth, kind, chunks] = [read.next(), read.next(), read.next(), read.next()];
    const counter = kind === COUNTER;
    const row: Row = {
        number, track, depth, kind, chunks,
        counts: new Uint32Array(chunks), slices: new Uint32Array(chunks + 1), firsts: new Float64Array(chunks),
        lasts: new Float64Array(chunks), busy: new Float64Array(chunks + 1), lowest: new Float64Array(counter ? chunks : 0),
        highest: new Float64Array(counter ? chunks : 0), places: new Uint32Array(chunks * 6),
    };
    for (let i = 0, at = begin; i < chunks; i++) {
        row.counts[i] = read.next();
        row.slices[i + 1] = row.slices[i]! + row.counts[i]!;
        row.firsts[i] = at += read.next();
        row.lasts[i] = at += read.next();
        row.busy[i + 1] = row.busy[i]! + read.next();
        if (counter) {
            row.lowest[i] = read.double();
            row.highest[i] = read.double();
        }
        for (let part = 0; part < 6; part++) row.places[i * 6 + part] = read.next();
    }
    return row;
}

/** Tracks that are made from others: what they show is no time of its own. */
export function drawnTracks(tracks: Track[]): Uint8Array {
    const drawn = new Uint8Array(tracks.length);
    tracks.forEach((track, number) => (drawn[number] = Number(track.drawn === true || (track.parent >= 0 && drawn[track.parent] === 1))));
    return drawn;
}

/** The first number from 0 to `count` for which it holds; it holds for all behind it, too. */
export function firstWhere(count: number, holds: (index: number) => boolean): number {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (holds(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

/** The first chunk of a row that ends at or after a time. */
export function chunkAt(row: Row, time: number): number {
    return firstWhere(row.chunks, (chunk) => row.lasts[chunk]! >= time);
}

/** The chunk that holds a slice of the row. */
export function chunkOf(row: Row, slice: number): number {
    return firstWhere(row.chunks, (chunk) => row.slices[chunk + 1]! > slice);
}
