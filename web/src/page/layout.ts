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
    readonly children: number[][];
    private readonly top: number[] = [];

    constructor(private readonly tracks: Track[], private readonly rows: Row[]) {
        this.children = tracks.map(() => []);
        tracks.forEach((track, number) => {
            (track.parent < 0 ? this.top : this.children[track.parent] ?? this.top).push(number);
            if (track.pinned) this.pins.add(number);
        });
        this.arrange();
    }

    arrange(): void {
        this.pinned = [];
        this.items = [];
        this.pinnedHeight = this.place([...this.pins].map((track) => [track, 0]), this.pinned, true);
        const shown: [number, number][] = [];
        const walk = (list: number[], depth: number): void => {
            for (const track of list) {
                if (!this.pins.has(track)) shown.push([track, depth]);
                if (!this.folded.has(track)) walk(this.children[track]!, depth + 1);
            }
        };
        walk(this.top, 0);
        this.height = this.place(shown, this.items, false);
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
