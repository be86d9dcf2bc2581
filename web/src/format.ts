// Numbers for people.

import type { Words } from "./model";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(value: number): string {
    return grouped.format(value);
}

/** 1234567 as 1.23M: for places that are small. */
export function brief(value: number): string {
    const size = Math.abs(value);
    if (size < 10000) return grouped.format(value);
    for (const [limit, sign] of [[1e6, "k"], [1e9, "M"], [1e12, "G"], [Infinity, "T"]] as [number, string][]) {
        if (size < limit) return (value / (limit === Infinity ? 1e12 : limit / 1e3)).toPrecision(3) + sign;
    }
    return String(value);
}

const TIME_UNITS: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Nanoseconds with four digits: 12.85 µs. */
export function time(nanoseconds: number): string {
    const size = Math.abs(nanoseconds);
    for (const [unit, sign] of TIME_UNITS) {
        if (size >= unit) return `${significant(nanoseconds / unit)} ${sign}`;
    }
    return nanoseconds === 0 ? "0 ns" : `${significant(nanoseconds)} ns`;
}

function significant(value: number): string {
    return Math.abs(value) >= 1000 ? grouped.format(value) : String(Number(value.toPrecision(4)));
}

export function percent(share: number): string {
    return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

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
        const power = 10 ** Math.floor(Math.log10(value));
        const round = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
        return inTicks ? Math.max(1, round) : round * this.words.clock[1] / this.words.clock[0];
    }

    /** A place on the axis; `step` decides the unit, so that all places of an axis have the same. */
    place(ticks: number, step: number): string {
        if (ticks === 0) return "0"; // also for −0
        if (this.ticks || !this.clocked) return grouped.format(ticks);
        const nanoseconds = this.nanoseconds(ticks);
        const size = Math.max(Math.abs(nanoseconds), this.nanoseconds(step));
        const [unit, sign] = TIME_UNITS.find(([candidate]) => size >= candidate) ?? [1, "ns"];
        const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(this.nanoseconds(step) / unit) + 1e-9)));
        return `${(nanoseconds / unit).toFixed(digits)} ${sign}`;
    }
}
