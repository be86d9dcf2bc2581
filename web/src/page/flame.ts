// Slices of a stretch of time, added up by stack: by the names of all that they lie in. Slices that reach over an edge count with what is
// inside; tracks that are made from others, and moments, do not count.

import type { Chunk } from "./kit";
import { drawnTracks, INSTANTS, type Row } from "./model";
import { scan } from "./scan";
import type { TraceSource } from "./source";
import { inside } from "./sums";

export const MOST = 50_000; // stacks that are told apart; what is more is in one of its own below each
const NO_LABEL = -1;
const OTHERS = "(others)";

export interface Node {
    /** Of the slices; -1: none, of the root, of a track, or of what there was no room for. */
    label: number;
    /** Of what has no label. */
    name: string;
    count: number;
    total: number;
    /** Without what is inside of them. */
    self: number;
    depth: number;
    parent: Node | null;
    /** The longest first. */
    children: Node[];
}

export interface Flame {
    root: Node;
    stacks: number;
    /** Whether there were more. */
    full: boolean;
    /** Slices in chunks that cannot be read. */
    lost: number;
}

function makeNode(parent: Node | null, label: number, name: string): Node {
    const made: Node = { label, name, count: 0, total: 0, self: 0, depth: parent ? parent.depth + 1 : 0, parent, children: [] };
    parent?.children.push(made);
    return made;
}

class Stacks {
    readonly nodes: Node[] = [];
    readonly root = makeNode(null, NO_LABEL, "all");
    full = false;
    private readonly numbers = new Map<number, number>();
    private readonly others = new Map<number, number>();

    constructor(private readonly labels: number) {
        this.nodes.push(this.root);
    }

    child(parent: number, label: number): number {
        const key = parent * this.labels + label;
        const known = this.numbers.get(key);
        if (known !== undefined) return known;
        if (this.nodes.length >= MOST) return this.other(parent);
        const number = this.add(makeNode(this.nodes[parent]!, label, ""));
        this.numbers.set(key, number);
        return number;
    }

    add(node: Node): number {
        return this.nodes.push(node) - 1;
    }

    private other(parent: number): number {
        this.full = true;
        let number = this.others.get(parent);
        if (number === undefined) this.others.set(parent, number = this.add(makeNode(this.nodes[parent]!, NO_LABEL, OTHERS)));
        return number;
    }
}

/** The slices of the row before, with the stack of each: what those of the next deeper row lie in. */
class Level {
    row: Row | null = null;
    ends: Float64Array<ArrayBuffer> = new Float64Array(1024);
    starts: Float64Array<ArrayBuffer> = new Float64Array(1024);
    nodes: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
    count = 0;
    /** Of the last question. */
    at = 0;

    begin(row: Row): void {
        this.row = row;
        this.count = this.at = 0;
    }

    room(more: number): void {
        const wanted = this.count + more;
        if (wanted <= this.ends.length) return;
        const size = Math.max(wanted, this.ends.length * 2);
        const grown = <T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(made: T, old: T): T => {
            made.set(old);
            return made;
        };
        this.ends = grown(new Float64Array(size), this.ends);
        this.starts = grown(new Float64Array(size), this.starts);
        this.nodes = grown(new Uint32Array(size), this.nodes);
    }

    /** What a slice lies in, of slices that are asked for in order of start; -1: nothing. */
    around(start: number, end: number): number {
        while (this.at < this.count && this.ends[this.at]! < end) this.at++;
        return this.at < this.count && this.starts[this.at]! <= start ? this.nodes[this.at]! : -1;
    }
}

/** `byTrack`: each track has a stack of its own; null: it was stopped. */
export async function addUp(source: TraceSource, range: [number, number], byTrack: ((track: number) => string) | null,
                            progress: (share: number) => void, stopped: () => boolean): Promise<Flame | null> {
    const drawn = drawnTracks(source.head.tracks);
    const stacks = new Stacks(source.labels.length);
    const bases = new Map<number, number>();
    const base = (track: number): number => {
        if (!byTrack) return 0;
        let number = bases.get(track);
        if (number === undefined) bases.set(track, number = stacks.add(makeNode(stacks.root, NO_LABEL, byTrack(track))));
        return number;
    };
    let [outer, here] = [new Level(), new Level()];
    const enter = (row: Row): void => {
        if (here.row === row) return;
        [outer, here] = [here, outer];
        here.begin(row);
        outer.at = 0;
    };
    const lost = await scan(source, {
        range, progress, stopped, wanted: (row) => !drawn[row.track] && row.kind !== INSTANTS,
        act: (row, _, chunk) => {
            enter(row);
            const nested = row.depth > 0 && outer.row !== null && outer.row.number === row.number - 1 && outer.row.track === row.track;
            addChunk(stacks, here, nested ? outer : null, base(row.track), chunk, range);
        },
    });
    if (lost === null) return null;
    for (const node of stacks.nodes) node.self = node.total;
    for (const node of stacks.nodes) {
        if (node.parent) node.parent.self -= node.total;
        node.children.sort((one, other) => other.total - one.total || one.label - other.label);
    }
    // Those without slices of their own are as long as what is in them.
    for (const node of [...bases.values()].map((number) => stacks.nodes[number]!).concat(stacks.root)) {
        node.total = node.children.reduce((sum, child) => sum + child.total, 0);
        node.count = node.children.reduce((sum, child) => sum + child.count, 0);
        node.self = 0;
    }
    stacks.root.children.sort((one, other) => other.total - one.total || one.label - other.label);
    return { root: stacks.root, stacks: stacks.nodes.length - 1 - bases.size, full: stacks.full, lost };
}

function addChunk(stacks: Stacks, here: Level, outer: Level | null, base: number, chunk: Chunk, [begin, end]: [number, number]): void {
    const [first, past] = inside(chunk, begin, end);
    here.room(past - first);
    for (let at = first; at < past; at++) {
        const start = chunk.base + chunk.starts[at]!;
        const last = chunk.base + chunk.ends[at]!;
        const around = outer ? outer.around(start, last) : -1;
        const number = stacks.child(around < 0 ? base : around, chunk.labels[at]!);
        const node = stacks.nodes[number]!;
        node.count++;
        node.total += Math.min(last, end) - Math.max(start, begin);
        here.starts[here.count] = start;
        here.ends[here.count] = last;
        here.nodes[here.count++] = number;
    }
}
