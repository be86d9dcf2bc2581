// Lengths of time in the unit that was chosen.

import type { Words } from "./model";
import { brief, count, roundStep, time, timePlace } from "./numbers";

/** How lengths of time are told: in ticks, in seconds, or both. */
export class Units {
    /** true: the axis and the tables show ticks. */
    ticks = true;

    constructor(readonly words: Words) {}

    get clocked(): boolean {
        return this.words.clock[0] > 0 && this.words.clock[1] > 0;
    }

    nanoseconds(ticks: number): number {
        return ticks * this.words.clock[0] / this.words.clock[1];
    }

    /** In the unit that was chosen, with its name. */
    length(ticks: number): string {
        return this.ticks || !this.clocked ? `${count(ticks)} ${this.words.tick}` : time(this.nanoseconds(ticks));
    }

    /** What the numbers of an axis are. */
    get name(): string {
        return this.ticks || !this.clocked ? this.words.tick : "time";
    }

    /** Short, for an axis: without the unit where that is ticks. */
    brief(ticks: number): string {
        return this.ticks || !this.clocked ? brief(ticks) : time(this.nanoseconds(ticks));
    }

    both(ticks: number): string {
        const first = `${count(ticks)} ${this.words.tick}`;
        return this.clocked ? `${first} · ${time(this.nanoseconds(ticks))}` : first;
    }

    /** Steps of an axis: about `wanted` ticks apart, at round numbers. */
    step(wanted: number): number {
        const inTicks = this.ticks || !this.clocked;
        const value = inTicks ? wanted : this.nanoseconds(wanted);
        const round = roundStep(value);
        return inTicks ? Math.max(1, round) : round * this.words.clock[1] / this.words.clock[0];
    }

    /** A place on the axis; `step` decides the unit, so that all places of an axis have the same. */
    place(ticks: number, step: number): string {
        if (ticks === 0) return "0"; // also for −0
        if (this.ticks || !this.clocked) return count(ticks);
        return timePlace(this.nanoseconds(ticks), this.nanoseconds(step));
    }
}
