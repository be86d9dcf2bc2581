// What turns blocks into numbers, here and in workers alike.

/** Numbers that fit into 32 bits as a rule. */
export type Times = Uint32Array | Float64Array;

/** The logarithm of how many slices there are from one mark to the next. */
export const MARKED = 5;

/** Slices of a row, in order of start. */
export interface Chunk {
    count: number;
    /** Nanoseconds that starts and ends count from. */
    base: number;
    starts: Times;
    ends: Times;
    /** Of a chunk of slices: where each 32nd starts. What looks through many chunks looks through these first: they stay in a cache. */
    marks: Times;
    /** Of a chunk of slices: how long those before each one took, from the first of the chunk; one more than there are slices. */
    before: Times;
    labels: Uint32Array;
    /** Of a chunk of a counter. */
    values: Float64Array;
}

/** What the slices of a chunk carry, each column for all. */
export interface Arguments {
    /** Slice i has those from offsets[i] to offsets[i + 1]. */
    offsets: Uint32Array;
    keys: Uint32Array;
    types: Uint8Array;
    values: BigUint64Array;
    /** 0: none, else run + 1. */
    runs: Uint32Array;
    flowOffsets: Uint32Array;
    flows: Uint32Array;
}

export interface Kit {
    base64(text: string): Uint8Array<ArrayBuffer>;
    inflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
    reader(bytes: Uint8Array): Reader;
    chunk(bytes: Uint8Array, count: number, base: number, span: number, counter: boolean): Chunk;
    arguments(bytes: Uint8Array, count: number): Arguments;
}

export interface Reader {
    /** Below 2^53. */
    next(): number;
    double(): number;
    ended(): boolean;
}

/** Refers to nothing outside of itself: its text is the script of the workers. */
export function makeKit(): Kit {
    const table = new Uint8Array(128);
    for (let i = 0; i < 64; i++) table["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(i)] = i;

    const base64 = (text: string): Uint8Array<ArrayBuffer> => {
        const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
        if (native) return native.call(Uint8Array, text);
        const size = text.length / 4 * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
        const made = new Uint8Array(text.length / 4 * 3);
        const at = (index: number): number => table[text.charCodeAt(index) & 127]!;
        for (let i = 0, out = 0; i < text.length; i += 4, out += 3) {
            const bits = at(i) << 18 | at(i + 1) << 12 | at(i + 2) << 6 | at(i + 3);
            made[out] = bits >> 16;
            made[out + 1] = bits >> 8;
            made[out + 2] = bits;
        }
        return made.subarray(0, size);
    };

    // Without a Blob and a Response in between, which cost ten times what the inflating does.
    const inflate = async (data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
        const stream = new DecompressionStream("deflate-raw");
        const writer = stream.writable.getWriter();
        const written = writer.write(data).then(() => writer.close());
        const parts: Uint8Array[] = [];
        const source = stream.readable.getReader();
        let size = 0;
        try {
            for (let part = await source.read(); !part.done; part = await source.read()) {
                parts.push(part.value);
                size += part.value.length;
            }
        } finally {
            await written.catch(() => undefined); // what is wrong with it was said by the reader
        }
        const made = new Uint8Array(size);
        let at = 0;
        for (const part of parts) {
            made.set(part, at);
            at += part.length;
        }
        return made;
    };

    const reader = (bytes: Uint8Array): Reader => {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        let at = 0;
        return {
            next: () => {
                let byte = bytes[at++]!;
                if (byte < 128) return byte;
                let value = byte & 127;
                let scale = 128;
                do {
                    if (at >= bytes.length) throw new RangeError("the block ends inside a number");
                    byte = bytes[at++]!;
                    value += (byte & 127) * scale;
                    scale *= 128;
                } while (byte > 127);
                return value;
            },
            double: () => {
                at += 8;
                return view.getFloat64(at - 8, true);
            },
            ended: () => at >= bytes.length,
        };
    };

    const chunk = (bytes: Uint8Array, count: number, base: number, span: number, counter: boolean): Chunk => {
        const read = reader(bytes);
        const Array = span < 2 ** 32 ? Uint32Array : Float64Array;
        const starts = new Array(count);
        const none = new Float64Array();
        if (counter) {
            const values = new Float64Array(count);
            for (let i = 0, at = 0; i < count; i++) starts[i] = at += read.next();
            for (let i = 0; i < count; i++) values[i] = read.double();
            return { count, base, starts, ends: starts, marks: none, before: none, labels: new Uint32Array(), values };
        }
        const ends = new Array(count);
        const before = new Array(count + 1);
        const labels = new Uint32Array(count);
        for (let i = 0; i < count; i++) starts[i] = read.next();
        for (let i = 0, at = 0, busy = 0; i < count; i++) {
            const length = read.next();
            starts[i] = at += starts[i]!;
            ends[i] = at += length;
            before[i + 1] = busy += length;
        }
        for (let i = 0; i < count; i++) labels[i] = read.next();
        const marks = new Array(Math.ceil(count / 32));
        for (let i = 0; i < marks.length; i++) marks[i] = starts[i * 32]!;
        return { count, base, starts, ends, marks, before, labels, values: none };
    };

    const argumentsOf = (bytes: Uint8Array, count: number): Arguments => {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const offsets = new Uint32Array(count + 1);
        const flowOffsets = new Uint32Array(count + 1);
        const runs = new Uint32Array(count);
        const keys: number[] = [];
        const types: number[] = [];
        const words: number[] = []; // two per value: low, high
        const flows: number[] = [];
        let at = 0;
        let high = 0;
        /** The lower 32 bits; `high` has the others. */
        const next = (): number => {
            let low = 0;
            high = 0;
            for (let shift = 0; ; shift += 7) {
                if (at >= bytes.length || shift > 63) throw new RangeError("the block ends inside a number");
                const byte = bytes[at++]!;
                const bits = byte & 127;
                if (shift < 32) low |= bits << shift;
                if (shift === 28) high |= bits >> 4;
                else if (shift > 28) high |= bits << shift - 32;
                if (byte < 128) return low >>> 0;
            }
        };
        for (let i = 0; i < count; i++) {
            for (let left = next(); left > 0; left--) {
                keys.push(next());
                const type = next();
                types.push(type);
                if (type === 3) {
                    words.push(view.getUint32(at, true), view.getUint32(at + 4, true));
                    at += 8;
                } else {
                    words.push(next(), high >>> 0);
                }
            }
            offsets[i + 1] = keys.length;
            runs[i] = next();
            for (let left = next(); left > 0; left--) flows.push(next());
            flowOffsets[i + 1] = flows.length;
        }
        return {
            offsets, keys: Uint32Array.from(keys), types: Uint8Array.from(types),
            values: new BigUint64Array(Uint32Array.from(words).buffer), runs, flowOffsets, flows: Uint32Array.from(flows),
        };
    };

    return { base64, inflate, reader, chunk, arguments: argumentsOf };
}
