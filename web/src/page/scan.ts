// Looks at all slices of some time, chunk by chunk, while the page goes on.

import type { Chunk } from "./kit";
import { chunkAt, COUNTER, type Row } from "./model";
import type { TraceSource } from "./source";

const AHEAD = 8; // chunks that are being decoded
const TURN = 10; // milliseconds that are worked without a break
const TELL = 150; // milliseconds between words about how far it is

/** Lets drawings and keys come first. */
export function breathe(): Promise<void> {
    const { port1, port2 } = new MessageChannel();
    return new Promise((done) => {
        port1.onmessage = () => {
            port1.close();
            done();
        };
        port2.postMessage(null);
    });
}

export interface Scan {
    /** Null: all of the time. */
    range: [number, number] | null;
    /** Whether a chunk is of interest at all. */
    wanted?(row: Row, chunk: number): boolean;
    act(row: Row, number: number, chunk: Chunk): void | Promise<void>;
    progress?(share: number): void;
    stopped(): boolean;
}

/** Rows in order, and the chunks of each in order. Tells how many slices are in chunks that cannot be read; null: it was stopped. */
export async function scan(source: TraceSource, { range, wanted, act, progress, stopped }: Scan): Promise<number | null> {
    const list: [Row, number][] = [];
    for (const row of source.rows) {
        if (row.kind === COUNTER) continue;
        for (let chunk = range ? chunkAt(row, range[0]) : 0; chunk < row.chunks && (!range || row.firsts[chunk]! < range[1]); chunk++) {
            if (!wanted || wanted(row, chunk)) list.push([row, chunk]);
        }
    }
    const coming: Promise<Chunk | null>[] = [];
    let lost = 0;
    let began = performance.now();
    let told = began;
    for (let at = 0, asked = 0; at < list.length; at++) {
        for (; asked < list.length && asked < at + AHEAD; asked++) coming.push(source.pass(...list[asked]!).catch(() => null));
        const chunk = await coming.shift()!;
        if (stopped()) return null;
        const [row, number] = list[at]!;
        if (chunk) await act(row, number, chunk);
        else lost += row.counts[number]!;
        // What is decoded already comes without a break of its own.
        if (performance.now() - began < TURN) continue;
        if (performance.now() - told > TELL) {
            progress?.(at / list.length);
            told = performance.now();
        }
        await breathe();
        began = performance.now();
    }
    return lost;
}
