// From the page's text to numbers: LEB128 in base64, as src/report/timeline_levels.h describes.

/** The blocks of one row at one level of detail, by start; they do not overlap. */
export interface Blocks {
    count: number;
    starts: Float64Array;
    ends: Float64Array;
    labels: Uint32Array;
    /** Slices in each block, and the share of it that they cover (255: all); null: each block is one slice. */
    slices: Uint32Array | null;
    shares: Uint8Array | null;
}

function bytesOf(text: string): Uint8Array {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
}

class Numbers {
    private at = 0;

    constructor(private readonly bytes: Uint8Array) {}

    next(): number {
        let byte = this.bytes[this.at++];
        if (byte < 128) return byte;
        let value = byte & 127;
        let factor = 128;
        // Multiplied, not shifted: lengths have more than 32 bits.
        do {
            byte = this.bytes[this.at++];
            value += (byte & 127) * factor;
            factor *= 128;
        } while (byte > 127);
        return value;
    }
}

/** `place` says where a time is drawn. */
export function decodeBlocks(text: string, count: number, first: number, exact: boolean, instants: boolean,
                             place: ((time: number) => number) | null): Blocks {
    const numbers = new Numbers(bytesOf(text));
    const starts = new Float64Array(count);
    const ends = new Float64Array(count);
    const labels = new Uint32Array(count);
    const slices = exact ? null : new Uint32Array(count);
    const shares = exact ? null : new Uint8Array(count);
    let time = first;
    for (let i = 0; i < count; i++) {
        time += numbers.next();
        starts[i] = place ? place(time) : time;
        if (!exact || !instants) time += numbers.next();
        ends[i] = place ? place(time) : time;
        if (slices) slices[i] = numbers.next();
        labels[i] = numbers.next();
        if (slices && shares) shares[i] = slices[i] > 1 ? numbers.next() : 255;
    }
    return { count, starts, ends, labels, slices, shares };
}

/** The first block that ends after `time`. */
export function firstEndingAfter(blocks: Blocks, time: number): number {
    let low = 0;
    let high = blocks.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (blocks.ends[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}
