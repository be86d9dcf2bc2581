// A number over builds: what is drawn where. Nothing here touches the page; chart.ts draws it.

import type { Cell, TableData } from "./api";
import { count, roundStep, time, TIME_UNITS } from "../page/numbers";

export interface Build {
    build: string;
    commit: string | null;
    added: string | null;
    launches: number;
    /** Of its launches, and the least and the most of these; null: none tells the number. */
    median: number | null;
    low: number | null;
    high: number | null;
    /** Of the builds between two changes. */
    level: number | null;
}

export interface Change {
    build: string;
    /** Places of builds: the first that is different, the last that surely is as before, the first that surely is not. */
    at: number;
    after: number;
    by: number;
    /** Of a count: null, as is the interval. */
    factor: number | null;
    low: number | null;
    high: number | null;
    from: number | null;
    to: number | null;
}

/** What the numbers are. */
export type Unit = "time" | "count";

const number = (value: Cell | undefined): number | null => (typeof value === "number" ? value : null);
const text = (value: Cell | undefined): string | null => (typeof value === "string" && value ? value : null);

export function unitOf(data: TableData): Unit {
    return data.columns.some((column) => column.name === "median" && column.type === "duration") ? "time" : "count";
}

export function buildsOf(data: TableData): Build[] {
    return data.rows.map((row) => ({
        build: text(row["build"]) ?? "", commit: text(row["commit"]), added: text(row["added"]), launches: number(row["launches"]) ?? 0,
        median: number(row["median"]), low: number(row["low"]), high: number(row["high"]), level: number(row["level"]),
    }));
}

const DAY_MS = 86_400_000;

/** Builds of the last days, of those whose date is known; no days: all of them. */
export function recent(builds: Build[], days: string, now: number): Build[] {
    const since = now - Number(days) * DAY_MS;
    return days ? builds.filter((one) => one.added !== null && Date.parse(one.added) >= since) : builds;
}

/** Changes whose builds are there; of a count the last build as before and the first that is not are known. */
export function changesOf(data: TableData, builds: Build[]): Change[] {
    const places = new Map(builds.map((one, at) => [one.build, at]));
    return data.rows.flatMap((row) => {
        const build = text(row["build"]) ?? "";
        const at = places.get(build);
        if (at === undefined) return [];
        const place = (name: string): number => places.get(text(row[name]) ?? "") ?? at;
        return [{
            build, at, after: row["last_before"] === undefined ? at - 1 : place("last_before"), by: place("first_after"), factor: number(row["factor"]),
            low: number(row["low"]), high: number(row["high"]), from: number(row["before"]), to: number(row["after"]),
        }];
    });
}

/** More of it is worse, less is better; of a count nobody knows. */
export function moodOf(change: Change): "slower" | "faster" | "other" {
    if (change.factor === null) return "other";
    return change.factor > 1 ? "slower" : "faster";
}

export function value(of: number | null, unit: Unit): string {
    if (of === null) return "–";
    return unit === "time" ? time(of) : count(of);
}

/** Beside the line of a change: by which factor, and its interval. */
export function factorText(change: Change): [head: string, interval: string] {
    if (change.factor === null) return [`${value(change.from, "count")} → ${value(change.to, "count")}`, ""];
    const sign = change.factor > 1 ? "▲" : "▼";
    const interval = change.low === null || change.high === null ? "" : `${change.low.toFixed(3)} to ${change.high.toFixed(3)}`;
    return [`${sign} ${change.factor.toFixed(3)}×`, interval];
}

// ---- the axes ----

export interface Scale {
    low: number;
    high: number;
    step: number;
}

/** From below the least to above the most, at round numbers; null: nothing was measured. Times are not drawn from 0: a few percent are to be seen. */
export function scaleOf(builds: Build[], unit: Unit, ticks = 5): Scale | null {
    let [low, high] = [Infinity, -Infinity];
    for (const one of builds) {
        for (const each of [one.low, one.high, one.median, one.level]) {
            if (each === null) continue;
            low = Math.min(low, each);
            high = Math.max(high, each);
        }
    }
    if (low > high) return null;
    const least = unit === "count" ? 1 : Math.max(1, high * 0.004); // all equal is a line, not noise
    const step = roundStep(Math.max(high - low, least) / ticks);
    const whole = unit === "count" ? Math.max(1, step) : step;
    return { low: Math.max(0, Math.floor(low / whole - 0.25) * whole), high: Math.ceil(high / whole + 0.25) * whole, step: whole };
}

export function ticksOf(scale: Scale): number[] {
    const first = Math.round(scale.low / scale.step), last = Math.round(scale.high / scale.step);
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * scale.step);
}

/** All in the unit of the largest, so that they are read one below the other. */
export function tickText(of: number, scale: Scale, unit: Unit): string {
    if (unit === "count") return count(of);
    const [size, sign] = TIME_UNITS.find(([candidate]) => scale.high >= candidate) ?? [1, "ns"];
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(scale.step / size) + 1e-9)));
    return of ? `${(of / size).toFixed(digits)} ${sign}` : "0";
}

/** A name that takes no more than so many signs. */
export function shorten(name: string, most: number): string {
    const signs = Array.from(name);
    return signs.length <= most ? name : `${signs.slice(0, Math.max(1, most - 1)).join("")}…`;
}

export const NAME_SIGNS = 10;
export const SIGN = 7; // pixels that a sign of a label is wide, about

export interface Name {
    text: string;
    /** The middle of the text, which stays inside. */
    x: number;
}

/** Names of builds below the axis: as many as have room, at equal distances from the last one back; none lies over another. */
export function namesOf(builds: Build[], x: (at: number) => number, step: number, width: number): Name[] {
    const longest = builds.reduce((most, one) => Math.max(most, Math.min(NAME_SIGNS, Array.from(one.build).length)), 1);
    const every = Math.max(1, Math.ceil((longest + 2) * SIGN / step));
    const made: Name[] = [];
    let free = Infinity; // up to where there is room
    for (let at = builds.length - 1; at >= 0; at -= every) {
        const text = shorten(builds[at]!.build, NAME_SIGNS);
        const half = Array.from(text).length * SIGN / 2;
        const place = Math.max(half, Math.min(width - half, x(at)));
        if (place + half > free) continue;
        made.unshift({ text, x: place });
        free = place - half - SIGN;
    }
    return made;
}

// ---- what is drawn ----

export interface Place {
    x(at: number): number;
    y(value: number): number;
    /** Pixels from one build to the next. */
    step: number;
}

const at = (pixels: number): string => pixels.toFixed(1).replace(/\.0$/, "");

/** A line from the least to the most launch of each build, all in one path. */
export function spreadPath(builds: Build[], place: Place): string {
    return builds.flatMap((one, index) => (one.low === null || one.high === null || one.low === one.high ? []
        : [`M${at(place.x(index))} ${at(place.y(one.low))}V${at(place.y(one.high))}`])).join("");
}

/** A dot for each median: lines without length, which round ends make dots of. */
export function medianPath(builds: Build[], place: Place): string {
    return builds.flatMap((one, index) => (one.median === null ? [] : [`M${at(place.x(index))} ${at(place.y(one.median))}h0`])).join("");
}

export interface Level {
    from: number;
    to: number;
    level: number;
}

/** Builds behind each other that lie on one level. Where none is known there is none. */
export function levelsOf(builds: Build[]): Level[] {
    const made: Level[] = [];
    builds.forEach((one, index) => {
        const last = made[made.length - 1];
        if (one.level === null) return;
        if (last && last.to === index - 1 && last.level === one.level) last.to = index;
        else made.push({ from: index, to: index, level: one.level });
    });
    return made;
}

export function levelPath(builds: Build[], place: Place): string {
    const half = place.step / 2;
    return levelsOf(builds).map((one) => `M${at(place.x(one.from) - half)} ${at(place.y(one.level))}H${at(place.x(one.to) + half)}`).join("");
}

export interface Label {
    change: Change;
    /** Where its line is, and the middle of its text, which stays inside. */
    line: number;
    x: number;
    /** 0 is the row nearest to the drawing. */
    row: number;
}

/** Texts of changes in as many rows as there are, none over another; the last changes first. What has no room is in the table only. */
export function labelsOf(changes: Change[], place: Place, left: number, right: number, rows: number, wide: number): Label[] {
    const taken = Array.from({ length: rows }, () => Infinity);
    const made: Label[] = [];
    for (const change of [...changes].reverse()) {
        const line = place.x(change.at) - place.step / 2;
        const x = Math.max(left + wide / 2, Math.min(right - wide / 2, line));
        const row = taken.findIndex((from) => x + wide / 2 <= from);
        if (row < 0) continue;
        taken[row] = x - wide / 2;
        made.unshift({ change, line, x, row });
    }
    return made;
}

/** The fewest rows, up to `most`, in which all have room; else `most`. */
export function rowsFor(changes: Change[], place: Place, left: number, right: number, most: number, wide: number): number {
    for (let rows = 0; rows < most; rows++) {
        if (labelsOf(changes, place, left, right, rows, wide).length === changes.length) return rows;
    }
    return most;
}

/** The build that is nearest to a place; -1: there are none. */
export function nearest(x: number, place: Place, builds: number): number {
    return builds ? Math.max(0, Math.min(builds - 1, Math.round((x - place.x(0)) / place.step))) : -1;
}

/** What is said of a build, a line each. */
export function describe(one: Build, unit: Unit, date: (text: string | null) => string): string[] {
    const launches = `${count(one.launches)} ${one.launches === 1 ? "launch" : "launches"}`;
    return [
        one.median === null ? "not measured" : `${value(one.median, unit)}, median of ${launches}`,
        ...(one.low !== null && one.high !== null && one.low !== one.high ? [`from ${value(one.low, unit)} to ${value(one.high, unit)}`] : []),
        ...(one.level === null ? [] : [`level ${value(one.level, unit)}`]),
        ...(one.commit ? [`commit ${one.commit}`] : []),
        ...(one.added ? [`added ${date(one.added)}`] : []),
    ];
}
