// Long stretches in which nothing runs, drawn short. Launches that lie seconds apart would otherwise be a pixel each.
//
//     time     ├──run──┤              nothing               ├──run──┤
//     drawn    ├──run──┤ ≈ ├──run──┤
//
// Everything that is drawn lies on folded time; what is told is unfolded again. Outside of the gaps both differ by whole
// ticks, so that nothing is lost.

const LEAST_GAP = 0.03; // of the time in which something runs
const KEPT = 0.02; // of that time, for each gap
const KEPT_BY_ALL = 0.25; // of that time, for all gaps together

export interface Gap {
    start: number;
    end: number;
    /** Where it starts on folded time. */
    folded: number;
}

export class Fold {
    static readonly NONE = new Fold([], 0);
    readonly gaps: Gap[] = [];

    /** `kept`: ticks that each gap is drawn as. Gaps are start and length by turns. */
    constructor(gaps: number[], readonly kept: number) {
        let removed = 0;
        for (let i = 0; i < gaps.length; i += 2) {
            this.gaps.push({ start: gaps[i], end: gaps[i] + gaps[i + 1], folded: gaps[i] - removed });
            removed += gaps[i + 1] - kept;
        }
    }

    /** The last gap whose `key` is before the time; -1: none. */
    private before(time: number, key: "start" | "folded"): number {
        let low = 0;
        let high = this.gaps.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.gaps[middle][key] < time) low = middle + 1;
            else high = middle;
        }
        return low - 1;
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

    /** Ticks between two folded times. */
    between(one: number, other: number): number {
        return this.unfold(other) - this.unfold(one);
    }

    /** The gap that has a time inside, if any. */
    gapAt(time: number): Gap | undefined {
        const gap = this.gaps[this.before(time, "start")];
        return gap && time < gap.end ? gap : undefined;
    }

    /** Gaps that a stretch of folded time shows. */
    visible(start: number, end: number): Gap[] {
        return this.gaps.slice(Math.max(0, this.before(start, "folded")), this.before(end, "folded") + 1);
    }
}

/** Gaps that are worth folding, of all that the page names. */
export function makeFold(idle: number[], whole: number): Fold {
    let busy = whole;
    for (let i = 1; i < idle.length; i += 2) busy -= idle[i];
    const long: number[] = [];
    for (let i = 0; i < idle.length; i += 2) {
        if (idle[i + 1] > busy * LEAST_GAP) long.push(idle[i], idle[i + 1]);
    }
    return new Fold(long, Math.max(1, Math.round(busy * Math.min(KEPT, KEPT_BY_ALL / (long.length / 2)))));
}

/** Whether to begin folded: most of the time is gaps. */
export function mostlyIdle(fold: Fold, whole: number): boolean {
    return fold.gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0) > whole / 2;
}
