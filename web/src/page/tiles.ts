// Columns that a server has made: what a row has in each, without any of its slices. A view of ten million slices needs no more.

import type { Wide } from "./columns";
import { makeKit } from "./kit";

const VIEWS = 6; // stretches of time whose tiles are kept
const ROWS = 16; // that are asked for at once
const AT_ONCE = 2; // questions that are on their way

/** A stretch of time from one nanosecond to another, cut into columns: see doc/formats/page.md. */
export interface Stretch {
    from: number;
    to: number;
    columns: number;
    /** Slices as long as this are listed. */
    wide: number;
}

export interface Tile {
    busy: Float64Array;
    label: Uint32Array;
    /** Slices that are in a column; 0: it has nothing. */
    count: Uint32Array;
    wide: Wide[];
}

/** Where column k begins, exactly, up to that behind the last. */
export function edge({ from, to, columns }: Stretch, k: number): number {
    const span = to - from;
    const whole = Math.floor(span / columns);
    return from + k * whole + Math.floor(k * (span - whole * columns) / columns);
}

export function readTiles(bytes: Uint8Array, stretch: Stretch, rows: number): Tile[] {
    const read = makeKit().reader(bytes);
    const { columns, from } = stretch;
    return Array.from({ length: rows }, () => {
        const tile: Tile = { busy: new Float64Array(columns), label: new Uint32Array(columns), count: new Uint32Array(columns), wide: [] };
        for (let k = 0; k < columns; k++) {
            const count = read.next();
            if (count === 0) {
                k += read.next() - 1;
                continue;
            }
            tile.count[k] = count;
            tile.busy[k] = read.next();
            tile.label[k] = read.next();
        }
        for (let left = read.next(); left > 0; left--) {
            const packed = read.next();
            const start = from + (packed % 2 === 1 ? -(packed + 1) / 2 : packed / 2);
            tile.wide.push({ start, end: start + read.next(), label: read.next() });
        }
        return tile;
    });
}

const name = ({ from, to, columns, wide }: Stretch): string => `${from} ${to} ${columns} ${wide}`;

interface Kept {
    /** They are of a trace that has grown since. */
    old?: boolean;
    stretch: Stretch;
    tiles: Map<number, Tile>;
}

/** Tiles of the stretches that were looked at last. */
export class Tiles {
    private readonly kept = new Map<string, Kept>();
    private readonly asked = new Set<string>();
    private asking = 0;

    /** `ask` gets a query. */
    constructor(private readonly ask: (query: string) => Promise<Uint8Array>) {}

    peek(stretch: Stretch, row: number): Tile | undefined {
        const found = this.kept.get(name(stretch));
        return found?.old ? undefined : found?.tiles.get(row);
    }

    /** The trace has grown: what is kept is only good until the same is there again. */
    renew(): void {
        for (const one of this.kept.values()) one.old = true;
    }

    /** What the row had in the stretch that was looked at before: better than nothing until the other is there. */
    latest(row: number): { stretch: Stretch; tile: Tile } | undefined {
        const found = [...this.kept.values()].reverse().find(({ tiles }) => tiles.has(row));
        return found && { stretch: found.stretch, tile: found.tiles.get(row)! };
    }

    /** Asks for some of these rows, unless enough is on its way; `come` is called when there are some more, or it failed. */
    want(stretch: Stretch, rows: number[], come: (error: unknown) => void): void {
        const key = name(stretch);
        const left = rows.filter((row) => !this.asked.has(`${key} ${row}`));
        while (this.asking < AT_ONCE && left.length > 0) {
            const some = left.splice(0, ROWS);
            for (const row of some) this.asked.add(`${key} ${row}`);
            this.asking++;
            this.bring(stretch, some).then(() => come(null), come).finally(() => {
                this.asking--;
                for (const row of some) this.asked.delete(`${key} ${row}`);
            });
        }
    }

    private async bring(stretch: Stretch, rows: number[]): Promise<void> {
        const { from, to, columns, wide } = stretch;
        const bytes = await this.ask(`from=${from}&to=${to}&columns=${columns}&wide=${wide}&rows=${rows.join(",")}`);
        const made = readTiles(bytes, stretch, rows.length);
        const key = name(stretch);
        const before = this.kept.get(key);
        const kept: Kept = before && !before.old ? before : { stretch, tiles: new Map<number, Tile>(before?.tiles) };
        rows.forEach((row, at) => kept.tiles.set(row, made[at]!));
        this.kept.delete(key); // the last one is the newest
        this.kept.set(key, kept);
        for (const oldest of [...this.kept.keys()].slice(0, Math.max(0, this.kept.size - VIEWS))) this.kept.delete(oldest);
    }
}
