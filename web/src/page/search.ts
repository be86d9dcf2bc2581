// Finds slices: all of some labels, or those with an argument.

import type { Arguments } from "./kit";
import type { Hits } from "./marks";
import { scan } from "./scan";
import type { TraceSource } from "./source";

const MOST = 2e6; // hits that are kept; all are counted

export interface Result {
    hits: Map<number, Hits>;
    count: number;
    kept: number;
    /** Slices that could not be looked at. */
    lost: number;
}

/** Labels whose name or operator has the text in it, whatever the case. */
export function labelsWith(source: TraceSource, query: string): Uint8Array {
    const wanted = query.toLowerCase();
    return Uint8Array.from(source.labels, (label) => Number(label.name.toLowerCase().includes(wanted) || label.operator.toLowerCase().includes(wanted)));
}

/** Whether a slice has an argument with a text that has the query in it, or whose number is the query. */
export function argumentTest(source: TraceSource, query: string): (found: Arguments, at: number) => boolean {
    const wanted = query.toLowerCase();
    const texts = Uint8Array.from(source.texts, (text) => Number(text !== "" && text.toLowerCase().includes(wanted)));
    const number = /^-?\d+$/.test(query) ? BigInt(query) : null;
    return (found, at) => {
        for (let i = found.offsets[at]!; i < found.offsets[at + 1]!; i++) {
            const type = found.types[i]!;
            const value = found.values[i]!;
            if (type === 0 || type === 6 ? texts[Number(value)] : number !== null && (integer(type, value) === number)) return true;
        }
        return false;
    };
}

export function integer(type: number, value: bigint): bigint | null {
    if (type === 1) return (value & 1n) === 1n ? -((value >> 1n) + 1n) : value >> 1n;
    return type === 2 || type === 5 ? value : null;
}

class Growing {
    private capacity = 64;
    readonly hits: Hits = { starts: new Float64Array(64), ends: new Float64Array(64), slices: new Uint32Array(64), count: 0 };

    add(start: number, end: number, slice: number): void {
        const { hits } = this;
        if (hits.count === this.capacity) {
            this.capacity *= 2;
            for (const name of ["starts", "ends"] as const) {
                const larger = new Float64Array(this.capacity);
                larger.set(hits[name]);
                hits[name] = larger;
            }
            const larger = new Uint32Array(this.capacity);
            larger.set(hits.slices);
            hits.slices = larger;
        }
        hits.starts[hits.count] = start;
        hits.ends[hits.count] = end;
        hits.slices[hits.count++] = slice;
    }
}

export interface Search {
    /** 1: slices of the label are meant. */
    labels: Uint8Array;
    /** Also those with an argument like this; "": none. */
    argument: string;
}

export async function search(source: TraceSource, { labels, argument }: Search, progress: (share: number, result: Result) => void,
                             stopped: () => boolean): Promise<Result | null> {
    const result: Result = { hits: new Map(), count: 0, kept: 0, lost: 0 };
    const rows = new Map<number, Growing>();
    const any = labels.includes(1);
    const test = argument ? argumentTest(source, argument) : null;
    const lost = await scan(source, {
        range: null, stopped, progress: (share) => progress(share, result),
        wanted: (row, chunk) => any || (test !== null && row.places[chunk * 6 + 5] !== 0),
        act: async (row, number, chunk) => {
            const carried = test && await source.arguments(row, number).catch(() => null);
            const before = row.slices[number]!;
            let growing: Growing | undefined;
            for (let at = 0; at < chunk.count; at++) {
                if (!labels[chunk.labels[at]!] && !(carried && test?.(carried, at))) continue;
                result.count++;
                if (result.kept >= MOST) continue;
                growing ??= rows.get(row.number) ?? new Growing();
                growing.add(chunk.base + chunk.starts[at]!, chunk.base + chunk.ends[at]!, before + at);
                result.kept++;
            }
            if (growing) {
                rows.set(row.number, growing);
                result.hits.set(row.number, growing.hits);
            }
        },
    });
    return lost === null ? null : Object.assign(result, { lost });
}
