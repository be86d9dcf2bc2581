// What is marked on the timeline besides the slices themselves.

import type { Pick } from "./model";

/** A slice with what a drawing needs of it. */
export interface Found extends Pick {
    start: number;
    end: number;
    label: number;
}

/** Slices of a row that a search found, in order of start. */
export interface Hits {
    starts: Float64Array;
    ends: Float64Array;
    slices: Uint32Array;
    count: number;
}

export interface Arrow {
    from: Found;
    to: Found;
}

export class Marks {
    hover: Found | null = null;
    selection: Found | null = null;
    arrows: Arrow[] = [];
    /** Where the pointer is: a line over all rows. */
    pointer: number | null = null;
    range: [number, number] | null = null;
    /** Set by a key: lines, and the time between the last two. */
    edges: number[] = [];
    /** By row; null: nothing is searched for. */
    hits: Map<number, Hits> | null = null;
    /** The row that keys move over. */
    cursor: number | null = null;
}
