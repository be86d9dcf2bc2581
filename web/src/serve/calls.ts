// Calls of ops on the host, by depth, and the part of the time that is looked at: numbers without a page.

import type { Cell, TableData } from "./api";

export interface Call {
    call: number | null;
    op: string;
    depth: number;
    start: number;
    end: number;
    device: number | null;
    kernel: number | null;
    cores: number | null;
}

function numberOf(value: Cell | undefined): number | null {
    return typeof value === "number" ? value : null;
}

/** Calls that have a time on the host, by start; how many have none. */
export function callsOf(data: TableData): { calls: Call[]; without: number } {
    const calls: Call[] = [];
    for (const row of data.rows) {
        const [start, duration, depth] = [numberOf(row["start"]), numberOf(row["duration"]), numberOf(row["depth"])];
        if (start === null || duration === null || depth === null) continue;
        calls.push({ call: numberOf(row["call"]), op: String(row["op"] ?? ""), depth, start, end: start + duration,
            device: numberOf(row["device_time"]), kernel: numberOf(row["kernel"]), cores: numberOf(row["cores"]) });
    }
    calls.sort((one, other) => one.start - other.start || one.depth - other.depth);
    return { calls, without: data.rows.length - calls.length };
}

/** Calls of each depth, from 1 on; each by start, so that none overlaps the next. */
export function byDepth(calls: Call[]): Call[][] {
    const made: Call[][] = [];
    for (const call of calls) (made[call.depth - 1] ??= []).push(call);
    return Array.from(made, (row) => row ?? []);
}

/** The place of the first call that ends after a time. */
export function firstAfter(row: Call[], time: number): number {
    let [low, high] = [0, row.length];
    while (low < high) {
        const middle = low + high >> 1;
        if (row[middle]!.end <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** The call at a time; within `reach` of it, where none is there. */
export function callAt(row: Call[], time: number, reach: number): Call | null {
    const at = firstAfter(row, time);
    let best: Call | null = null;
    let least = reach;
    for (const call of [row[at - 1], row[at]]) {
        if (!call) continue;
        const away = time < call.start ? call.start - time : time >= call.end ? time - call.end : -1;
        if (away <= least) [best, least] = [call, away];
    }
    return best;
}

/** The part of a range that is shown: it stays inside, and never becomes shorter than `least`. */
export class Window {
    from: number;
    to: number;

    constructor(readonly begin: number, readonly end: number, private readonly least = 1) {
        this.from = begin;
        this.to = end;
    }

    set(from: number, to: number): void {
        const length = Math.min(this.end - this.begin, Math.max(this.least, to - from));
        this.from = Math.min(Math.max(this.begin, from), this.end - length);
        this.to = this.from + length;
    }

    /** One end, the other stays. */
    setEnd(which: "from" | "to", value: number): void {
        if (which === "from") this.set(Math.min(Math.max(this.begin, value), this.to - this.least), this.to);
        else this.set(this.from, Math.max(Math.min(this.end, value), this.from + this.least));
    }

    move(by: number): void {
        this.set(this.from + by, this.to + by);
    }

    /** Around a time that stays where it is. */
    zoom(factor: number, around: number): void {
        this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
    }
}

export interface Zone {
    line: number;
    zone: string;
    start: number;
    end: number;
    depth: number;
}

export interface Line {
    core: string;
    risc: string;
    chip: string;
}

/** What ran on the cores in a call: a line per RISC, cores by place, and on each line what lies in what. */
export function linesOf(data: TableData): { lines: Line[]; zones: Zone[]; end: number } {
    const text = (row: Record<string, Cell>, name: string): string => String(row[name] ?? "");
    const keys = new Map<string, Line>();
    for (const row of data.rows) {
        const line = { chip: text(row, "chip"), core: text(row, "core"), risc: text(row, "risc") };
        keys.set(JSON.stringify([line.chip, line.core, line.risc]), line);
    }
    const compare = (one: string, other: string): number => one.localeCompare(other, undefined, { numeric: true });
    const sorted = [...keys].sort(([, one], [, other]) => compare(one.chip, other.chip) || compare(one.core, other.core) || compare(one.risc, other.risc));
    const places = new Map(sorted.map(([key], at) => [key, at]));
    const zones = data.rows.map((row): Zone => {
        const start = numberOf(row["start"]) ?? 0;
        return { line: places.get(JSON.stringify([text(row, "chip"), text(row, "core"), text(row, "risc")]))!, zone: text(row, "zone"), start,
            end: start + (numberOf(row["duration"]) ?? 0), depth: 0 };
    }).sort((one, other) => one.line - other.line || one.start - other.start || other.end - one.end);
    let open: Zone[] = [];
    for (const zone of zones) {
        open = open.filter((outer) => outer.line === zone.line && outer.end >= zone.end);
        zone.depth = open.length;
        open.push(zone);
    }
    return { lines: sorted.map(([, line]) => line), zones, end: zones.reduce((most, zone) => Math.max(most, zone.end), 0) };
}
