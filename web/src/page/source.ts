// Where a trace comes from: the elements of the page itself, or a server. What has been decoded is kept as long as there is room.

import { makeKit, type Arguments, type Chunk } from "./kit";
import { COUNTER, readIndex, readLabels, readTexts, type Head, type Label, type Pick, type Place, type Row } from "./model";
import { Pool, type Decoder } from "./pool";
import { Tiles } from "./tiles";

export interface TraceSource {
    readonly head: Head;
    readonly texts: string[];
    readonly labels: Label[];
    readonly rows: Row[];
    /** Whether all of it is at hand, so that it can be looked at without being asked for. */
    readonly local: boolean;
    /** Decoded slices that there is room for. */
    readonly capacity: number;
    /** Who makes columns of rows with many slices; null: they are made here. */
    readonly tiles: Tiles | null;
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
const TRIES = 3; // where a server has gone on meanwhile

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

/** Blocks of a page, wherever they are: in base64 or as they are. */
interface Blocks {
    block(place: Place): string | Promise<Uint8Array<ArrayBuffer>>;
}

/** The same for all places that blocks come from. */
class PackedSource implements TraceSource {
    readonly capacity = BUDGET * 0.85 / BYTES;
    tiles: Tiles | null = null;
    texts: string[] = [];
    labels: Label[] = [];
    rows: Row[] = [];
    private readonly cache = new Cache(BUDGET);
    private readonly pending = new Map<number, Promise<Chunk>>();
    private lines: Promise<Map<number, Pick[]>> | null = null;
    private lastArguments: { key: number; found: Promise<Arguments | null> } | null = null;

    protected constructor(readonly head: Head, readonly local: boolean, private readonly blocks: Blocks, private readonly decoder: Decoder) {}

    protected async prepare(): Promise<this> {
        await this.read(this.head);
        return this;
    }

    /** What the head names. */
    protected async read({ blocks, begin }: Head): Promise<void> {
        const kit = makeKit();
        const [texts, labels, index] = await Promise.all([blocks.texts, blocks.labels, blocks.index].map((place) => this.bytes(place)));
        this.texts = readTexts(texts!);
        this.labels = readLabels(kit.reader(labels!), this.texts);
        this.rows = readIndex(kit.reader(index!), begin);
        this.lines = null;
    }

    private async bytes(place: Place): Promise<Uint8Array> {
        return this.decoder.run({ kind: "bytes", data: await this.blocks.block(place) }, true);
    }

    /** By its place: that of a block is no other's, also where rows are numbered anew. Offsets are below 4 Mi. */
    private key(row: Row, chunk: number): number {
        return row.places[chunk * 6]! * 2 ** 22 + row.places[chunk * 6 + 1]!;
    }

    private block(row: Row, chunk: number, part: 0 | 3): string | Promise<Uint8Array<ArrayBuffer>> {
        const at = chunk * 6 + part;
        return this.blocks.block([row.places[at]!, row.places[at + 1]!, row.places[at + 2]!]);
    }

    private async decode(row: Row, chunk: number, urgent: boolean): Promise<Chunk> {
        const data = this.block(row, chunk, 0);
        return this.decoder.run({ kind: "chunk", data: typeof data === "string" ? data : await data, count: row.counts[chunk]!, first: row.firsts[chunk]!,
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
        if (this.lastArguments?.key !== key) this.lastArguments = { key, found: this.readArguments(row, chunk) };
        return this.lastArguments.found;
    }

    private async readArguments(row: Row, chunk: number): Promise<Arguments> {
        return this.decoder.run({ kind: "arguments", data: await this.block(row, chunk, 3), count: row.counts[chunk]! }, true);
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

/** The page itself has everything. */
export class EmbeddedSource extends PackedSource {
    static open(): Promise<EmbeddedSource> {
        const head = JSON.parse(document.getElementById("trace")?.textContent ?? "{}") as Head;
        const elements = new Elements("script.tacho-blocks");
        return new EmbeddedSource(head, true, { block: (place) => elements.text(place) }, new Pool(2)).prepare();
    }
}

interface Server {
    get(name: string): Promise<Response>;
    bytes(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

function serverAt(address: string, fetcher: typeof fetch): Server {
    const get = async (name: string): Promise<Response> => {
        const answer = await fetcher(address + name);
        if (!answer.ok) throw new Error(`${address}${name}: the server answers ${answer.status}${why(await answer.text())}`);
        return answer;
    };
    return { get, bytes: async (name) => new Uint8Array(await (await get(name)).arrayBuffer()) };
}

/** A server has it: `head` is the head, `blocks/ELEMENT/OFFSET/LENGTH` a block as it is, without base64, and `tiles` has columns of rows. */
export class HttpSource extends PackedSource {
    /** `address` ends with a slash. */
    static async open(address: string, fetcher: typeof fetch = fetch, decoder: Decoder = new Pool(2)): Promise<HttpSource> {
        const { get, bytes } = serverAt(address, fetcher);
        const head = await (await get("head")).json() as Head;
        const source = new HttpSource(head, false, { block: (place: Place) => bytes(`blocks/${place.join("/")}`) }, decoder);
        const { generation } = head;
        if (generation !== undefined) source.tiles = new Tiles((query) => bytes(`tiles?${query}&generation=${generation}`));
        return source.prepare();
    }
}

/** The same of a trace that grows. Rows are numbered anew with each generation; what was decoded stays. */
export class GrowingSource extends PackedSource {
    /** It has grown by itself, since columns of a generation were asked for that is gone. */
    onGrown: () => void = () => undefined;
    private readonly columns: Tiles;

    private constructor(head: Head, private readonly server: Server, decoder: Decoder) {
        super(head, false, { block: (place: Place) => server.bytes(`blocks/${place.join("/")}`) }, decoder);
        this.columns = this.tiles = new Tiles((query) => this.askTiles(query));
    }

    /** Null: there is nothing in it yet. */
    static async open(address: string, fetcher: typeof fetch = fetch, decoder: Decoder = new Pool(2)): Promise<GrowingSource | null> {
        const server = serverAt(address, fetcher);
        for (let left = TRIES; ; left--) {
            const head = await (await server.get("head")).json() as Head;
            if (!("blocks" in head)) return null;
            try {
                return await new GrowingSource(head, server, decoder).prepare();
            } catch (error) {
                if (left === 0) throw error;
            }
        }
    }

    /** A generation may be gone before its columns are asked for. In the next one rows may have other numbers: then what was asked is void. */
    private async askTiles(query: string): Promise<Uint8Array> {
        for (let left = TRIES; ; left--) {
            const { length } = this.rows;
            try {
                return await this.server.bytes(`tiles?${query}&generation=${this.head.generation}`);
            } catch (error) {
                if (left === 0) throw error;
            }
            const grown = await this.refresh(true);
            if (grown) setTimeout(() => this.onGrown());
            if (this.rows.length !== length) throw new Error("there are other rows by now");
        }
    }

    /** Whether there was something new. `keep`: columns that were asked for before are not asked for again. */
    async refresh(keep: boolean): Promise<boolean> {
        for (let left = TRIES; ; left--) {
            const fresh = await (await this.server.get(`head?after=${this.head.generation}`)).json() as Head;
            if (!("blocks" in fresh)) return false;
            try {
                await this.read(fresh);
            } catch (error) {
                if (left === 0) throw error;
                continue;
            }
            Object.assign(this.head, fresh);
            if (!keep) this.columns.renew();
            return true;
        }
    }
}

/** What a refusal says. */
function why(text: string): string {
    try {
        const { error } = JSON.parse(text) as { error?: unknown };
        return typeof error === "string" ? `: ${error}` : "";
    } catch {
        return "";
    }
}

/** The traces that the address of a served page is about, and how they are asked for: each request carries the token of the page. */
export function servedSources(place: Location): (() => Promise<HttpSource>)[] {
    const [, pages, timeline, ...ids] = place.pathname.split("/");
    if (pages !== "pages" || timeline !== "timeline") return [];
    const token = new URLSearchParams(place.search).get("token") ?? "";
    const fetcher = ((address: string) => fetch(`${address}${address.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`)) as typeof fetch;
    return ids.filter(Boolean).map((id) => () => HttpSource.open(`/api/profiles/${id}/trace/`, fetcher));
}
