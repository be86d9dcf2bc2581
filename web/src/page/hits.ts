// Slices that a search found, in order of time over all rows, without a list of all: there may be millions.

import type { Hits } from "./marks";
import { firstWhere, type Pick } from "./model";

export interface Hit extends Pick {
    start: number;
    end: number;
}

/** A place in the order: by start, then by row. Row and slice are -1 before all that start then. */
interface Place extends Pick {
    start: number;
}

/** How many hits of a row come before a place; those at it count where `at` is set. */
function before(hits: Hits, row: number, place: Place, at: boolean): number {
    if (row === place.row) return firstWhere(hits.count, (index) => hits.slices[index]! >= place.slice + Number(at));
    return firstWhere(hits.count, (index) => (row < place.row ? hits.starts[index]! > place.start : hits.starts[index]! >= place.start));
}

/** The next hit behind a place, or before it; behind the last comes the first. */
export function stepHit(all: Map<number, Hits>, place: Place, direction: 1 | -1): Hit | null {
    const end = direction > 0 ? { start: -Infinity, row: -1, slice: -1 } : { start: Infinity, row: Infinity, slice: -1 };
    return nearest(all, place, direction) ?? nearest(all, end, direction);
}

function nearest(all: Map<number, Hits>, place: Place, direction: 1 | -1): Hit | null {
    let best: Hit | null = null;
    for (const [row, hits] of all) {
        const index = direction > 0 ? before(hits, row, place, true) : before(hits, row, place, false) - 1;
        if (index < 0 || index >= hits.count) continue;
        const start = hits.starts[index]!;
        const away = best ? direction * (start - best.start || row - best.row) : -1;
        if (away < 0) best = { row, slice: hits.slices[index]!, start, end: hits.ends[index]! };
    }
    return best;
}

/** From 0. */
export function numberOf(all: Map<number, Hits>, hit: Hit): number {
    let number = 0;
    for (const [row, hits] of all) number += before(hits, row, hit, false);
    return number;
}

const LEVELS = 64; // of lengths, for each doubling

/** At most that many, the longest; in no order. */
export function longestHits(all: Map<number, Hits>, most: number): Hit[] {
    const level = (length: number): number => Math.floor(Math.log2(length + 1) * LEVELS);
    const counts = new Uint32Array(LEVELS * 64);
    for (const { starts, ends, count } of all.values()) for (let at = 0; at < count; at++) counts[level(ends[at]! - starts[at]!)]! += 1;
    let least = counts.length;
    let room = most;
    while (least > 0 && counts[least - 1]! <= room) room -= counts[--least]!;
    const found: Hit[] = [];
    for (const [row, { starts, ends, slices, count }] of all) {
        for (let at = 0; at < count; at++) {
            const of = level(ends[at]! - starts[at]!);
            if (of < least - 1 || (of === least - 1 && room-- <= 0)) continue;
            found.push({ row, slice: slices[at]!, start: starts[at]!, end: ends[at]! });
        }
    }
    return found;
}

/** One behind the other. */
export function lengthsOf(all: Map<number, Hits>): Float64Array {
    let size = 0;
    for (const { count } of all.values()) size += count;
    const made = new Float64Array(size);
    let to = 0;
    for (const { starts, ends, count } of all.values()) for (let at = 0; at < count; at++) made[to++] = ends[at]! - starts[at]!;
    return made;
}
