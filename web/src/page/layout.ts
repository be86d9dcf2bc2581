// Where each row stands, from top to bottom: pinned tracks above, which stay, and all others below, which scroll.

import { firstWhere, type Row, type Track } from "./model";

const GROUP = 22;
const COUNTER = 34;
const ROW = { high: 18, low: 6 };
const GAP = 4; // below a track
const LEAST = 16; // a track with low rows is as high as its name

export interface Item {
    track: number;
    depth: number; // in the tree
    pinned: boolean;
    top: number; // from the top of its part
    height: number;
    rows: { row: Row; top: number; height: number }[];
}

export class Layout {
    pinned: Item[] = [];
    items: Item[] = [];
    pinnedHeight = 0;
    height = 0; // of the items below
    low = false;
    readonly folded = new Set<number>();
    readonly pins = new Set<number>();
    children: number[][] = [];
    private top: number[] = [];

    constructor(private tracks: Track[], private rows: Row[]) {
        tracks.forEach((track, number) => track.pinned && this.pins.add(number));
        this.list();
    }

    private list(): void {
        this.top = [];
        this.children = this.tracks.map(() => []);
        this.tracks.forEach((track, number) => (track.parent < 0 ? this.top : this.children[track.parent] ?? this.top).push(number));
        this.arrange();
    }

    /** The trace has grown, and its tracks may be numbered otherwise: those of the same names are the same. */
    grow(tracks: Track[], rows: Row[]): void {
        const names = (list: Track[]): string[] => {
            const made: string[] = [];
            for (const { name, parent } of list) made.push(`${made[parent] ?? ""}\0${name}`);
            return made;
        };
        const before = names(this.tracks);
        const now = new Map(names(tracks).map((name, number): [string, number] => [name, number]));
        for (const set of [this.folded, this.pins]) {
            const moved = [...set].map((number) => now.get(before[number]!)).filter((number) => number !== undefined);
            set.clear();
            for (const number of moved) set.add(number);
        }
        this.tracks = tracks;
        this.rows = rows;
        this.list();
    }

    arrange(): void {
        this.pinned = [];
        this.items = [];
        const listed = (list: number[], depth: number, made: [number, number][], skipped: Set<number> | null): [number, number][] => {
            for (const track of list) {
                if (skipped?.has(track)) continue;
                made.push([track, depth]);
                if (!this.folded.has(track)) listed(this.children[track]!, depth + 1, made, skipped);
            }
            return made;
        };
        // What is in a pinned group comes with it.
        const outer = [...this.pins].filter((track) => !this.isPinned(this.tracks[track]!.parent));
        this.pinnedHeight = this.place(listed(outer, 0, [], null), this.pinned, true);
        this.height = this.place(listed(this.top, 0, [], this.pins), this.items, false);
    }

    /** By itself, or with a group that it is in. */
    private isPinned(track: number): boolean {
        for (let at = track; at >= 0; at = this.tracks[at]!.parent) if (this.pins.has(at)) return true;
        return false;
    }

    private place(shown: [number, number][], items: Item[], pinned: boolean): number {
        let top = 0;
        for (const [number, depth] of shown) {
            const item: Item = { track: number, depth, pinned, top, height: GROUP, rows: [] };
            const track = this.tracks[number]!;
            const [first, count] = track.rows ?? [0, 0];
            const each = track.kind === "counter" ? COUNTER : this.low ? ROW.low : ROW.high;
            for (let at = 0; at < count && !this.foldedRows(number); at++) {
                const row = this.rows[first + at];
                if (row) item.rows.push({ row, top: at * each, height: each - 1 });
            }
            if (this.foldedRows(number) && this.rows[first]) item.rows.push({ row: this.rows[first]!, top: 0, height: each - 1 });
            if (count > 0) item.height = Math.max(LEAST, item.rows.length * each) + GAP;
            items.push(item);
            top += item.height;
        }
        return top;
    }

    /** A track without children that is folded shows its outermost slices only. */
    private foldedRows(track: number): boolean {
        return this.folded.has(track) && this.tracks[track]!.kind === "slices";
    }

    /** The outermost rows that a folded group hides. */
    hidden(track: number): Row[] {
        if (!this.folded.has(track) || this.tracks[track]!.kind !== "group") return [];
        const found: Row[] = [];
        const walk = (number: number): void => {
            const [first, count] = this.tracks[number]!.rows ?? [0, 0];
            for (const row of this.rows.slice(first, first + count)) if (row.kind === 0 && row.depth === 0) found.push(row);
            this.children[number]!.forEach(walk);
        };
        this.children[track]!.forEach(walk);
        return found;
    }

    canFold(track: number): boolean {
        return this.children[track]!.length > 0 || (this.tracks[track]!.kind === "slices" && (this.tracks[track]!.rows?.[1] ?? 0) > 1);
    }

    /** Items of a part that touch the stretch between two heights. */
    visible(items: Item[], top: number, bottom: number): Item[] {
        return items.slice(firstWhere(items.length, (at) => items[at]!.top + items[at]!.height > top),
                           firstWhere(items.length, (at) => items[at]!.top >= bottom));
    }

    /** Opens what hides a track. */
    unfold(track: number): void {
        for (let at = track; at >= 0; at = this.tracks[at]!.parent) this.folded.delete(at);
        this.arrange();
    }

    itemOf(track: number): Item | undefined {
        return this.pinned.find((item) => item.track === track) ?? this.items.find((item) => item.track === track);
    }
}
