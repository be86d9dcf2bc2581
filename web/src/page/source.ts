// Where a trace comes from: the elements of the page itself. What has been decoded is kept as long as there is room.

import { makeKit, type Arguments, type Chunk } from "./kit";
import { COUNTER, readIndex, readLabels, readTexts, type Head, type Label, type Pick, type Place, type Row } from "./model";
import { Pool } from "./pool";

export interface TraceSource {
    readonly head: Head;
    readonly texts: string[];
    readonly labels: Label[];
    readonly rows: Row[];
    /** Decoded slices that there is room for. */
    readonly capacity: number;
    /** What is there already, for a drawing that cannot wait. */
    peek(row: Row, chunk: number): Chunk | undefined;
    chunk(row: Row, chunk: number): Promise<Chunk>;
    /** As `chunk`, but for a look at all of them: keeps none, and comes after what is drawn. */
    pass(row: Row, chunk: number): Promise<Chunk>;
    /** Null: no slice of the chunk has any. */
    arguments(row: Row, chunk: number): Promise<Arguments | null>;
    /** The slices that each flow goes through, by its number. */
    flows(): Promise<Map<number, Pick[]>>;
}

const BUDGET = 250e6; // bytes of decoded chunks
const BYTES = 16; // of a decoded slice, as a rule

/** Keeps the chunks that were used last. Every drawing asks for each chunk that it shows: asking costs next to nothing. */
export class Cache {
    private readonly chunks = new Map<number, { chunk: Chunk; used: number }>();
    private size = 0;
    private clock = 0;

    constructor(private readonly budget: number) {}

    get(key: number): Chunk | undefined {
        const found = this.chunks.get(key);
        if (!found) return undefined;
        found.used = ++this.clock;
        return found.chunk;
    }

    set(key: number, chunk: Chunk): void {
        this.chunks.set(key, { chunk, used: ++this.clock });
        this.size += chunk.count * BYTES;
        if (this.size > this.budget) this.drop(key);
    }

    /** Some more than needed, so that it is seldom. */
    private drop(kept: number): void {
        const oldest = [...this.chunks].filter(([key]) => key !== kept).sort(([, one], [, other]) => one.used - other.used);
        for (const [key, { chunk }] of oldest) {
            if (this.size <= this.budget * 0.9) break;
            this.chunks.delete(key);
            this.size -= chunk.count * BYTES;
        }
    }
}

/** The text of the elements, in the pieces that the parser made of them. */
class Elements {
    private readonly pieces: { node: CharacterData; start: number }[][];

    constructor(selector: string) {
        this.pieces = Array.from(document.querySelectorAll(selector), (element) => {
            let start = 0;
            return Array.from(element.childNodes, (child) => {
                const node = child as CharacterData;
                const piece = { node, start };
                start += node.length;
                return piece;
            });
        });
    }

    text([element, offset, length]: Place): string {
        const pieces = this.pieces[element] ?? [];
        let low = 0;
        let high = pieces.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (pieces[middle]!.start <= offset) low = middle;
            else high = middle - 1;
        }
        let text = "";
        for (let at = low; text.length < length; at++) {
            const piece = pieces[at];
            if (!piece) throw new RangeError("the page ends inside a block");
            text += piece.node.substringData(Math.max(0, offset - piece.start), length - text.length);
        }
        return text;
    }
}

export class EmbeddedSource implements TraceSource {
    readonly head: Head;
    readonly capacity = BUDGET * 0.85 / BYTES;
    texts: string[] = [];
    labels: Label[] = [];
    rows: Row[] = [];
    private readonly elements = new Elements("script.tacho-blocks");
    private readonly pool = new Pool(2);
    private readonly cache = new Cache(BUDGET);
    private readonly pending = new Map<number, Promise<Chunk>>();
    private lines: Promise<Map<number, Pick[]>> | null = null;
    private lastArguments: { key: number; found: Promise<Arguments | null> } | null = null;

    private constructor(head: Head) {
        this.head = head;
    }

    static async open(): Promise<EmbeddedSource> {
        const element = document.getElementById("trace");
        const source = new EmbeddedSource(JSON.parse(element?.textContent ?? "{}") as Head);
        await source.prepare();
        return source;
    }

    private async prepare(): Promise<void> {
        const { blocks, begin } = this.head;
        const kit = makeKit();
        const [texts, labels, index] = await Promise.all([blocks.texts, blocks.labels, blocks.index].map((place) => this.bytes(place)));
        this.texts = readTexts(texts!);
        this.labels = readLabels(kit.reader(labels!), this.texts);
        this.rows = readIndex(kit.reader(index!), begin);
    }

    private bytes(place: Place): Promise<Uint8Array> {
        return this.pool.run({ kind: "bytes", text: this.elements.text(place) }, true);
    }

    private key(row: Row, chunk: number): number {
        return row.number * 2 ** 24 + chunk;
    }

    private text(row: Row, chunk: number, part: 0 | 3): string {
        const at = chunk * 6 + part;
        return this.elements.text([row.places[at]!, row.places[at + 1]!, row.places[at + 2]!]);
    }

    private decode(row: Row, chunk: number, urgent: boolean): Promise<Chunk> {
        return this.pool.run({ kind: "chunk", text: this.text(row, chunk, 0), count: row.counts[chunk]!, first: row.firsts[chunk]!,
                               span: row.lasts[chunk]! - row.firsts[chunk]!, counter: row.kind === COUNTER }, urgent);
    }

    peek(row: Row, chunk: number): Chunk | undefined {
        return this.cache.get(this.key(row, chunk));
    }

    chunk(row: Row, chunk: number): Promise<Chunk> {
        const key = this.key(row, chunk);
        const there = this.cache.get(key);
        if (there) return Promise.resolve(there);
        const before = this.pending.get(key);
        if (before) return before;
        const coming = this.decode(row, chunk, true).then((made) => {
            this.cache.set(key, made);
            return made;
        }).finally(() => this.pending.delete(key));
        this.pending.set(key, coming);
        return coming;
    }

    pass(row: Row, chunk: number): Promise<Chunk> {
        const key = this.key(row, chunk);
        const there = this.cache.get(key);
        return there ? Promise.resolve(there) : this.pending.get(key) ?? this.decode(row, chunk, false);
    }

    arguments(row: Row, chunk: number): Promise<Arguments | null> {
        if (row.places[chunk * 6 + 5] === 0) return Promise.resolve(null);
        const key = this.key(row, chunk);
        if (this.lastArguments?.key !== key) {
            const text = this.text(row, chunk, 3);
            this.lastArguments = { key, found: this.pool.run({ kind: "arguments", text, count: row.counts[chunk]! }, true) };
        }
        return this.lastArguments.found;
    }

    flows(): Promise<Map<number, Pick[]>> {
        const place = this.head.blocks.flows;
        this.lines ??= place ? this.bytes(place).then((bytes) => {
            const read = makeKit().reader(bytes);
            let number = 0;
            return new Map(Array.from({ length: read.next() }, (): [number, Pick[]] =>
                [number += read.next(), Array.from({ length: read.next() }, () => ({ row: read.next(), slice: read.next() }))]));
        }) : Promise.resolve(new Map());
        return this.lines;
    }
}
