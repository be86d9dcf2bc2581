// How busy a row is in each column of pixels, exactly.
//
//     slices    ├──a──┤ ├─b─┤         ├c┤
//     columns   |   |   |   |   |   |   |
//     busy        1  .7   1   0   0  .4
//
// What a column has is known from sums: those before each chunk come with the index, those before each slice with its chunk. A column
// costs two steps forward, however many slices lie in it. Where a chunk is still missing, its mean is shown.

import type { Chunk } from "./kit";
import { chunkAt, type Row } from "./model";

export const NOTHING = 0;
export const EXACT = 1;
export const MEAN = 2;

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

const SAMPLES = 4; // slices of a column that are looked at for its colour

export class Columns {
    width = 0;
    /** Nanoseconds in which a slice runs. */
    busy = new Float64Array();
    /** Of the slice that takes most of the column; of many, among some. */
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

    /** Fills the columns from `start` on, `step` nanoseconds each; slices as long as `wide` are listed, too. */
    fill(row: Row, start: number, step: number, wide: number, peek: (chunk: number) => Chunk | undefined,
         kept: (chunk: number) => Part | undefined = () => undefined): void {
        this.busy.fill(0);
        this.state.fill(NOTHING);
        this.wide = [];
        this.missing = [];
        const end = start + step * this.width;
        for (let number = chunkAt(row, start); number < row.chunks && row.firsts[number]! < end; number++) {
            const chunk = peek(number);
            const part = chunk ? undefined : kept(number);
            if (chunk) {
                this.add(chunk, start - chunk.base, step, wide);
            } else if (part) {
                this.join(part);
            } else {
                this.missing.push(number);
                this.mean(row, number, start, step);
            }
        }
    }

    /** The columns of one chunk alone. */
    only(chunk: Chunk, start: number, step: number): void {
        this.busy.fill(0);
        this.state.fill(NOTHING);
        this.wide = [];
        this.add(chunk, start - chunk.base, step, Infinity);
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

    private column(time: number, start: number, step: number): number {
        return Math.min(Math.max(Math.floor((time - start) / step), 0), this.width - 1);
    }

    private mean(row: Row, number: number, start: number, step: number): void {
        const [first, last] = [row.firsts[number]!, row.lasts[number]!];
        const rate = last > first ? (row.busy[number + 1]! - row.busy[number]!) / (last - first) : 0;
        for (let k = this.column(first, start, step), to = this.column(last, start, step); k <= to; k++) {
            const from = start + k * step;
            this.busy[k]! += rate * Math.max(0, Math.min(last, from + step) - Math.max(first, from));
            this.state[k] = MEAN;
        }
    }

    /** `start` counts from the base of the chunk. */
    private add(chunk: Chunk, start: number, step: number, wide: number): void {
        const { starts, ends, before, labels, count } = chunk;
        const from = this.column(starts[0]!, start, step);
        const to = this.column(ends[count - 1]!, start, step);
        // The first slice that is in the column or behind it.
        let first = 0;
        const left = start + from * step;
        if (starts[0]! < left) {
            let high = count;
            while (first < high) {
                const middle = (first + high) >> 1;
                if (ends[middle]! > left || starts[middle]! >= left) high = middle;
                else first = middle + 1;
            }
        }
        for (let k = from; k <= to && first < count; k++) {
            const begin = start + k * step;
            const end = start + (k + 1) * step;
            if (starts[first]! >= end) {
                k = Math.max(k, this.column(starts[first]!, start, step) - 1);
                continue;
            }
            // One past the last slice of the column: by growing strides, then halving.
            let past = first + 1;
            if (past < count && starts[past]! < end) {
                let stride = 1;
                while (past + stride < count && starts[past + stride]! < end) {
                    past += stride;
                    stride *= 2;
                }
                let high = Math.min(past + stride, count);
                past++;
                while (past < high) {
                    const middle = (past + high) >> 1;
                    if (starts[middle]! < end) past = middle + 1;
                    else high = middle;
                }
            }
            const cutLeft = Math.max(0, begin - starts[first]!);
            const cutRight = Math.max(0, ends[past - 1]! - end);
            const busy = before[past]! - before[first]! - cutLeft - cutRight;
            if (this.state[k] === NOTHING || busy > this.busy[k]!) this.label[k] = labels[this.longest(chunk, first, past, begin, end)]!;
            this.busy[k]! += busy;
            if (this.state[k] !== MEAN) this.state[k] = EXACT;
            // One that is wide begins as the last of its column.
            const last = past - 1;
            if (ends[last]! - starts[last]! >= wide && (starts[last]! >= begin || k === from)) {
                this.wide.push({ label: labels[last]!, start: chunk.base + starts[last]!, end: chunk.base + ends[last]! });
            }
            first = cutRight > 0 ? past - 1 : past;
        }
    }

    private longest(chunk: Chunk, first: number, past: number, begin: number, end: number): number {
        if (past - first === 1) return first;
        const stride = Math.max(1, Math.floor((past - first) / SAMPLES));
        let found = first;
        let most = -1;
        for (let i = first; i < past; i += stride) {
            const length = Math.min(chunk.ends[i]!, end) - Math.max(chunk.starts[i]!, begin);
            if (length > most) {
                most = length;
                found = i;
            }
        }
        return found;
    }
}
