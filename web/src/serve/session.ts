// One build over all models and devices beside another one: what became slower, what failed. Nothing here touches the page; build.ts draws it.

import type { Cell, Query, TableData } from "./api";

/** Numbers of a build that can be looked at: the column, and what it is. */
export const NUMBERS = [
    ["median", "time of a run"], ["device_time", "time of devices"], ["host_time", "time of the host"], ["idle_time", "idle time"], ["operators", "number of operators"]] as const;
export type NumberName = (typeof NUMBERS)[number][0];

/** A model on a device, as a build has it. */
export interface Result {
    model: string;
    device: string;
    build: string;
    commit: string;
    added: string;
    launches: number;
    failed: number;
    numbers: Record<NumberName, number | null>;
}

const text = (value: Cell | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Cell | undefined): number | null => (typeof value === "number" ? value : null);

export function resultsOf(data: TableData): Result[] {
    return data.rows.map((row) => ({
        model: text(row["model"]), device: text(row["device"]), build: text(row["build"]), commit: text(row["commit"]), added: text(row["added"]),
        launches: number(row["launches"]) ?? 0, failed: number(row["failed"]) ?? (row["state"] === "failed" ? 1 : 0),
        numbers: Object.fromEntries(NUMBERS.map(([name]) => [name, number(row[name])])) as Record<NumberName, number | null>,
    }));
}

/** A build, over all that was measured of it. */
export interface Session {
    build: string;
    commit: string;
    added: string;
    results: number;
    failed: number;
    launches: number;
}

/** In the order in which builds were first added. */
export function sessionsOf(results: Result[]): Session[] {
    const made = new Map<string, Session>();
    for (const one of results) {
        const session = made.get(one.build) ?? { build: one.build, commit: one.commit, added: one.added, results: 0, failed: 0, launches: 0 };
        made.set(one.build, session);
        session.results++;
        session.failed += one.failed ? 1 : 0;
        session.launches += one.launches;
        session.commit ||= one.commit;
        if (one.added < session.added) session.added = one.added;
    }
    return [...made.values()].sort((one, other) => (one.added < other.added ? -1 : one.added > other.added ? 1 : 0));
}

export interface Asked {
    build: string;
    /** Build that it is held against; empty: of each model and device the last one before it that did not fail. */
    against: string;
    number: NumberName;
    /** Times below are left out of changes: they are mostly noise. */
    least: number;
    words: string;
    show: Show;
}

export const SHOWS = [["", "all results"], ["slower", "became more"], ["faster", "became less"], ["failed", "failed"], ["broke", "passed before, failed now"],
    ["mended", "failed before, passed now"], ["new", "not there before"], ["gone", "not there now"]] as const;
export type Show = (typeof SHOWS)[number][0];

export function askedOf(search: string): Asked {
    const given = new URLSearchParams(search);
    const word = (name: string): string => given.get(name) ?? "";
    const least = Number(word("least"));
    return {
        build: word("build"), against: word("against"), number: NUMBERS.find(([name]) => name === word("number"))?.[0] ?? "median",
        least: Number.isFinite(least) && least > 0 ? least : 0, words: word("words"), show: SHOWS.find(([name]) => name === word("show"))?.[0] ?? "",
    };
}

/** For an address of the page; what is as usual is left out. */
export function queryOfAsked(asked: Asked): Query {
    const all: Query = [["build", asked.build], ["against", asked.against], ["number", asked.number === "median" ? "" : asked.number],
        ["least", asked.least ? String(asked.least) : ""], ["words", asked.words], ["show", asked.show]];
    return all.filter(([, value]) => value);
}

/** A result beside that of the build before. */
export interface Pair {
    model: string;
    device: string;
    now: Result | null;
    before: Result | null;
    /** In percent; null: one of them failed or tells nothing, or it is too short. */
    change: number | null;
}

function changeOf(now: Result | null, before: Result | null, asked: Asked): number | null {
    const [to, from] = [now?.numbers[asked.number] ?? null, before?.numbers[asked.number] ?? null];
    if (to === null || from === null || from <= 0 || now?.failed || before?.failed) return null;
    return asked.number !== "operators" && from < asked.least ? null : 100 * (to - from) / from;
}

export function pairsOf(results: Result[], asked: Asked): Pair[] {
    const order = new Map(sessionsOf(results).map((session, at) => [session.build, at]));
    const at = order.get(asked.build) ?? -1;
    const series = new Map<string, Pair>();
    for (const one of results) {
        const place = order.get(one.build) ?? -1, key = JSON.stringify([one.model, one.device]);
        const isBefore = asked.against ? one.build === asked.against : place < at && !one.failed;
        if (place !== at && !isBefore) continue;
        const pair = series.get(key) ?? { model: one.model, device: one.device, now: null, before: null, change: null };
        series.set(key, pair);
        if (one.build === asked.build) pair.now = one;
        if (isBefore && (!pair.before || place >= (order.get(pair.before.build) ?? -1))) pair.before = one;
    }
    const found = [...series.values()].filter((pair) => pair.now || asked.against); // whoever was not measured now is gone only where a build is named
    for (const pair of found) pair.change = changeOf(pair.now, pair.before, asked);
    return found;
}

const FITS: Record<Exclude<Show, "">, (pair: Pair) => boolean> = {
    slower: (pair) => (pair.change ?? 0) > 0,
    faster: (pair) => (pair.change ?? 0) < 0,
    failed: (pair) => Boolean(pair.now?.failed),
    broke: (pair) => Boolean(pair.now?.failed && pair.before && !pair.before.failed),
    mended: (pair) => Boolean(pair.now && !pair.now.failed && pair.before?.failed),
    new: (pair) => Boolean(pair.now && !pair.before),
    gone: (pair) => !pair.now,
};

/** Pairs of whose model or device all words are a part, and that are to be shown. */
export function chosen(pairs: Pair[], asked: Asked): Pair[] {
    const words = asked.words.toLowerCase().split(/\s+/).filter(Boolean);
    return pairs.filter((pair) => {
        const name = `${pair.model} ${pair.device}`.toLowerCase();
        return words.every((word) => name.includes(word)) && (!asked.show || FITS[asked.show](pair));
    });
}

export type Sort = "model" | "device" | "before" | "now" | "change";

/** What is not known comes last, whichever way it is sorted. */
export function sorted(pairs: Pair[], sort: Sort, down: boolean, name: NumberName): Pair[] {
    const key = (pair: Pair): string | number | null =>
        sort === "model" || sort === "device" ? pair[sort] : sort === "change" ? pair.change : pair[sort]?.numbers[name] ?? null;
    return [...pairs].sort((one, other) => {
        const [a, b] = [key(one), key(other)];
        if (a === null || b === null) return Number(a === null) - Number(b === null);
        return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
    });
}

export interface Bin {
    /** Percent, exclusive at the left; without an end: all below or above. */
    from: number | null;
    to: number | null;
    count: number;
}

const FAR = 10, STEP = 2;

/** How many results changed by how much: ten bins up to ten percent, and what is beyond. */
export function binsOf(pairs: Pair[]): Bin[] {
    const edges = Array.from({ length: 2 * FAR / STEP + 1 }, (_, at) => at * STEP - FAR);
    const bins = [null, ...edges].map((from, at): Bin => ({ from, to: edges[at] ?? null, count: 0 }));
    for (const { change } of pairs) {
        const bin = change === null ? undefined : bins.find(({ from, to }) => (from === null || change > from) && (to === null || change <= to));
        if (bin) bin.count++;
    }
    return bins;
}

export interface Sums {
    results: number;
    resultsBefore: number;
    failed: number;
    failedBefore: number;
    /** Pairs that have a change, and its mean. */
    compared: number;
    mean: number | null;
    more: number;
    less: number;
}

export function sumsOf(pairs: Pair[]): Sums {
    const changes = pairs.flatMap(({ change }) => (change === null ? [] : [change]));
    const many = (fits: (pair: Pair) => unknown): number => pairs.filter(fits).length;
    return {
        results: many((pair) => pair.now), resultsBefore: many((pair) => pair.before), failed: many((pair) => pair.now?.failed), failedBefore: many((pair) => pair.before?.failed),
        compared: changes.length, mean: changes.length ? changes.reduce((sum, change) => sum + change, 0) / changes.length : null,
        more: changes.filter((change) => change > 0).length, less: changes.filter((change) => change < 0).length,
    };
}
