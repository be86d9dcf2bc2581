// Long stretches in which nothing runs, drawn short. Launches that lie seconds apart would otherwise be a pixel each.
//
//     time     ├──run──┤              nothing               ├──run──┤
//     drawn    ├──run──┤ ≈ ├──run──┤
//
// Everything that is drawn lies on folded time; what is told is unfolded again. Outside of the gaps both differ by whole nanoseconds, so
// that nothing is lost.

import type { Chunk } from "./kit";
import { firstWhere } from "./model";

const LEAST_GAP = 0.03; // of the time in which something runs
const KEPT = 0.02; // of that time, for each gap
const KEPT_BY_ALL = 0.25; // of that time, for all gaps together
const PLACES = 1 << 16; // stretches of time in which gaps are looked for

export interface Gap {
    start: number;
    end: number;
    /** Where it starts on folded time. */
    folded: number;
}

export class Fold {
    static readonly NONE = new Fold([], 0);
    readonly gaps: Gap[] = [];
    /** Time that is in gaps. */
    readonly idle: number = 0;

    /** `kept`: nanoseconds that each gap is drawn as. */
    constructor(gaps: [number, number][], readonly kept: number) {
        let removed = 0;
        for (const [start, end] of gaps) {
            this.gaps.push({ start, end, folded: start - removed });
            removed += end - start - kept;
            this.idle += end - start;
        }
    }

    /** The last gap whose `key` is before the time; -1: none. */
    private before(time: number, key: "start" | "folded"): number {
        return firstWhere(this.gaps.length, (at) => this.gaps[at]![key] >= time) - 1;
    }

    fold(time: number): number {
        const gap = this.gaps[this.before(time, "start")];
        if (!gap) return time;
        if (time >= gap.end) return gap.folded + this.kept + (time - gap.end);
        return gap.folded + (time - gap.start) / (gap.end - gap.start) * this.kept;
    }

    unfold(folded: number): number {
        const gap = this.gaps[this.before(folded, "folded")];
        if (!gap) return folded;
        if (folded >= gap.folded + this.kept) return gap.end + (folded - gap.folded - this.kept);
        return gap.start + (folded - gap.folded) / this.kept * (gap.end - gap.start);
    }

    /** Gaps that a stretch of folded time shows. */
    visible(start: number, end: number): Gap[] {
        const first = Math.max(0, this.before(start, "folded"));
        return this.gaps.slice(first, this.before(end, "folded") + 1).filter((gap) => gap.folded + this.kept > start);
    }
}

/** Finds the stretches in which no slice runs, from all of them in any order, without keeping any. */
export class Idle {
    private readonly step: number;
    /** How many more slices cover a place than the one before it. */
    private readonly cover = new Int32Array(PLACES + 1);
    private readonly firsts = new Float64Array(PLACES).fill(Infinity);
    private readonly lasts = new Float64Array(PLACES).fill(-Infinity);

    constructor(private readonly begin: number, private readonly end: number) {
        this.step = Math.max(1, (end - begin) / PLACES);
    }

    private place(time: number): number {
        return Math.min(Math.max(Math.floor((time - this.begin) / this.step), 0), PLACES - 1);
    }

    add({ count, base, starts, ends }: Chunk): void {
        const { cover, firsts, lasts } = this;
        for (let at = 0; at < count; at++) {
            const [start, end] = [base + starts[at]!, base + ends[at]!];
            const [from, to] = [this.place(start), this.place(end)];
            cover[from]! += 1;
            cover[to + 1]! -= 1;
            if (start < firsts[from]!) firsts[from] = start;
            if (end > lasts[to]!) lasts[to] = end;
        }
    }

    /** Every gap that is longer than two places is there, from the end of a slice to the start of the next, exactly. */
    gaps(): [number, number][] {
        const found: [number, number][] = [];
        let covered = 0;
        let last = this.begin;
        for (let at = 0, empty = true; at < PLACES; at++) {
            covered += this.cover[at]!;
            if (covered === 0) {
                empty = true;
                continue;
            }
            if (empty && this.firsts[at]! > last) found.push([last, this.firsts[at]!]);
            empty = false;
            last = Math.max(last, this.lasts[at]!);
        }
        if (this.end > last) found.push([last, this.end]);
        return found;
    }
}

/** Gaps that are worth folding. */
export function makeFold(gaps: [number, number][], whole: number): Fold {
    const busy = Math.max(1, whole - gaps.reduce((sum, [start, end]) => sum + end - start, 0));
    const long = gaps.filter(([start, end]) => end - start > busy * LEAST_GAP);
    return new Fold(long, Math.max(1, Math.round(busy * Math.min(KEPT, KEPT_BY_ALL / Math.max(1, long.length)))));
}
