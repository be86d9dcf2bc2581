// How busy a row is in each column of pixels, exactly.
//
//     slices    ├──a──┤ ├─b─┤         ├c┤
//     columns   |   |   |   |   |   |   |
//     busy        1  .7   1   0   0  .4
//
// What a column has is known from sums: those before each chunk come with the index, those before each slice with its chunk. A column
// costs two steps forward, however many slices lie in it. Where a chunk is still missing, its mean is shown.

import { MARKED, type Chunk } from "./kit";
import { chunkAt, firstWhere, type Row } from "./model";
import { edge, type Stretch, type Tile } from "./tiles";
import type { View } from "./view";

export const NOTHING = 0;
export const EXACT = 1;
export const MEAN = 2;
/** Of a view before this one. */
export const STALE = 3;

const WHOLE = 4; // nanoseconds of a column that may be rounded to whole ones

/** Slices that are wide enough for a name. */
export interface Wide {
    label: number;
    start: number;
    end: number;
}

/** What one chunk has in the columns of one view. */
export interface Part {
    from: number;
    busy: Float64Array;
    label: Uint32Array;
    state: Uint8Array;
}

/** The times between which columns lie. With folded idle time they are not all as far from each other. */
export class Scale {
    width = 0;
    /** Nanoseconds that a column shows: what is idle and folded in it does not count. */
    step = 1;
    /** One more than there are columns. */
    edges = new Float64Array(1);
    private view: View | null = null;
    /** What tiles are asked for with; null: columns do not begin at whole nanoseconds. */
    stretch: Stretch | null = null;

    /** Columns of that many nanoseconds each. */
    line(start: number, step: number, width: number): this {
        this.room(width, step);
        for (let k = 0; k <= width; k++) this.edges[k] = start + k * step;
        this.view = null;
        this.stretch = null;
        return this;
    }

    /** All that a view shows, from whole nanosecond to whole nanosecond, where that makes no difference that could be seen. */
    whole(view: View, width: number, wide: number): this {
        const stretch = { from: Math.floor(view.start), to: Math.ceil(view.end), columns: width, wide };
        if (view.fold.gaps.length > 0 || stretch.to - stretch.from < width * WHOLE) return this.of(view, width);
        this.room(width, (stretch.to - stretch.from) / width);
        for (let k = 0; k <= width; k++) this.edges[k] = edge(stretch, k);
        this.view = null;
        this.stretch = stretch;
        return this;
    }

    /** All that a view shows. */
    of(view: View, width: number): this {
        this.line(view.start, view.span / width, width);
        if (view.fold.gaps.length === 0) return this;
        for (let k = 0; k <= width; k++) this.edges[k] = view.fold.unfold(this.edges[k]!);
        this.view = view;
        return this;
    }

    private room(width: number, step: number): void {
        if (this.edges.length !== width + 1) this.edges = new Float64Array(width + 1);
        this.width = width;
        this.step = step;
    }

    /** The one that a time falls into, or the nearest. */
    column(time: number): number {
        const { edges, width, step, view } = this;
        const away = view ? view.fold.fold(time) - view.start : time - edges[0]!;
        let k = Math.min(Math.max(Math.floor(away / step), 0), width - 1);
        // What was rounded is set right: no column begins behind what it has.
        while (k > 0 && edges[k]! > time) k--;
        while (k < width - 1 && edges[k + 1]! <= time) k++;
        return k;
    }
}

const SAMPLES = 4; // slices of a column that are looked at for its colour

/** The first slice that ends behind a time, or begins there. */
function firstFrom({ starts, ends, count }: Chunk, left: number): number {
    return firstWhere(count, (at) => ends[at]! > left || starts[at]! >= left);
}

/** One past the last slice that begins before `end`, as the first does. */
function pastOf({ starts, marks, count }: Chunk, first: number, end: number): number {
    if (first + 1 >= count || starts[first + 1]! >= end) return first + 1;
    // By growing strides, then halving: among the marks, which are in a cache, and then between two of them.
    let block = first >> MARKED;
    let stride = 1;
    while (block + stride < marks.length && marks[block + stride]! < end) {
        block += stride;
        stride *= 2;
    }
    let high = Math.min(block + stride, marks.length);
    while (block + 1 < high) {
        const middle = (block + high) >> 1;
        if (marks[middle]! < end) block = middle;
        else high = middle;
    }
    let past = Math.max(first + 1, block << MARKED) + 1;
    high = Math.min((block + 1) << MARKED, count);
    while (past < high) {
        const middle = (past + high) >> 1;
        if (starts[middle]! < end) past = middle + 1;
        else high = middle;
    }
    return past;
}

export class Columns {
    width = 0;
    /** Nanoseconds in which a slice runs. */
    busy = new Float64Array();
    /** Of the slice that takes most of the column; of many, among the first ones. */
    label = new Uint32Array();
    state = new Uint8Array();
    wide: Wide[] = [];
    missing: number[] = [];

    resize(width: number): void {
        if (width === this.width) return;
        this.width = width;
        this.busy = new Float64Array(width);
        this.label = new Uint32Array(width);
        this.state = new Uint8Array(width);
    }

    /** Fills the columns; slices as long as `wide` are listed, too. */
    fill(row: Row, scale: Scale, wide: number, peek: (chunk: number) => Chunk | undefined,
         kept: (chunk: number) => Part | undefined = () => undefined): void {
        this.clear(scale);
        const end = scale.edges[this.width]!;
        for (let number = chunkAt(row, scale.edges[0]!); number < row.chunks && row.firsts[number]! < end; number++) {
            const chunk = peek(number);
            const part = chunk ? undefined : kept(number);
            if (chunk) {
                this.add(chunk, scale, wide);
            } else if (part) {
                this.join(part);
            } else {
                this.missing.push(number);
                this.mean(row, number, scale);
            }
        }
    }

    /** As the server has made them. */
    take(tile: Tile, scale: Scale): void {
        this.clear(scale);
        this.busy.set(tile.busy);
        this.label.set(tile.label);
        tile.count.forEach((count, k) => (this.state[k] = count > 0 ? EXACT : NOTHING));
        this.wide = tile.wide;
    }

    /** About what the columns are, by those of another stretch; what that does not reach stays as it is. */
    borrow(tile: Tile, stretch: Stretch, scale: Scale): void {
        const step = (stretch.to - stretch.from) / stretch.columns;
        for (let k = 0; k < this.width; k++) {
            const at = Math.floor(((scale.edges[k]! + scale.edges[k + 1]!) / 2 - stretch.from) / step);
            if (at < 0 || at >= stretch.columns) continue;
            this.state[k] = tile.count[at]! > 0 ? STALE : NOTHING;
            this.busy[k] = tile.busy[at]! * scale.step / step;
            this.label[k] = tile.label[at]!;
        }
    }

    /** The columns of one chunk alone. */
    only(chunk: Chunk, scale: Scale): void {
        this.clear(scale);
        this.add(chunk, scale, Infinity);
    }

    private clear(scale: Scale): void {
        this.resize(scale.width);
        this.busy.fill(0);
        this.state.fill(NOTHING);
        this.wide = [];
        this.missing = [];
    }

    /** What `only` found, to be kept without the chunk. */
    part(): Part {
        let from = this.state.findIndex((state) => state !== NOTHING);
        if (from < 0) from = 0;
        let to = this.width;
        while (to > from && this.state[to - 1] === NOTHING) to--;
        return { from, busy: this.busy.slice(from, to), label: this.label.slice(from, to), state: this.state.slice(from, to) };
    }

    private join(part: Part): void {
        part.busy.forEach((busy, at) => {
            const k = part.from + at;
            if (part.state[at] === NOTHING) return;
            if (this.state[k] === NOTHING || busy > this.busy[k]!) this.label[k] = part.label[at]!;
            this.busy[k]! += busy;
            if (this.state[k] !== MEAN) this.state[k] = EXACT;
        });
    }

    private mean(row: Row, number: number, scale: Scale): void {
        const [first, last] = [row.firsts[number]!, row.lasts[number]!];
        const rate = last > first ? (row.busy[number + 1]! - row.busy[number]!) / (last - first) : 0;
        for (let k = scale.column(first), to = scale.column(last); k <= to; k++) {
            this.busy[k]! += rate * Math.max(0, Math.min(last, scale.edges[k + 1]!) - Math.max(first, scale.edges[k]!));
            this.state[k] = MEAN;
        }
    }

    private add(chunk: Chunk, scale: Scale, wide: number): void {
        const { starts, before, labels, count, base } = chunk;
        const { edges, width } = scale;
        const from = scale.column(base);
        const left = edges[from]! - base;
        // The first slice that is in the column or behind it.
        let first = left > 0 ? firstFrom(chunk, left) : 0;
        for (let k = from; k < width && first < count; k++) {
            const begin = edges[k]! - base;
            const end = edges[k + 1]! - base;
            if (starts[first]! >= end) {
                k = Math.max(k, scale.column(base + starts[first]!) - 1);
                continue;
            }
            const past = pastOf(chunk, first, end);
            const cutLeft = Math.max(0, begin - starts[first]!);
            const last = past - 1;
            const length = before[past]! - before[last]!;
            const cutRight = Math.max(0, starts[last]! + length - end);
            const busy = before[past]! - before[first]! - cutLeft - cutRight;
            if (this.state[k] === NOTHING || busy > this.busy[k]!) this.label[k] = labels[this.longest(chunk, first, past, begin, end)]!;
            this.busy[k]! += busy;
            if (this.state[k] !== MEAN) this.state[k] = EXACT;
            // One that is wide begins as the last of its column.
            if (length >= wide && (starts[last]! >= begin || k === from)) {
                this.wide.push({ label: labels[last]!, start: base + starts[last]!, end: base + starts[last]! + length });
            }
            first = cutRight > 0 ? last : past;
        }
    }

    private longest({ starts, before }: Chunk, first: number, past: number, begin: number, end: number): number {
        if (past - first === 1) return first;
        let found = first;
        let most = -1;
        for (let i = first, to = Math.min(past, first + SAMPLES); i < to; i++) {
            const start = starts[i]!;
            const length = Math.min(start + before[i + 1]! - before[i]!, end) - Math.max(start, begin);
            if (length > most) {
                most = length;
                found = i;
            }
        }
        return found;
    }
}
