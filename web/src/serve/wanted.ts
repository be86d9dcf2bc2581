// What the address of the history page asks for, and what there is to choose from.

import type { Query, TableData } from "./api";

export interface Wanted {
    model: string;
    device: string;
    labels: string[];
    metric: string;
    operator: string;
    /** Builds that are compared. */
    from: string;
    to: string;
    /** Days whose builds are drawn; empty: all. */
    days: string;
}

const WORDS = ["model", "device", "metric", "operator", "from", "to", "days"] as const;

export function wantedOf(search: string): Wanted {
    const given = new URLSearchParams(search);
    const word = (name: string): string => given.get(name) ?? "";
    return {
        model: word("model"), device: word("device"), labels: [...new Set(given.getAll("label").filter(Boolean))], metric: word("metric"), operator: word("operator"),
        from: word("from"), to: word("to"), days: /^[1-9][0-9]{0,4}$/.test(word("days")) ? word("days") : "",
    };
}

/** For an address of the page; what is empty is left out. */
export function queryOf(wanted: Wanted): Query {
    return [...WORDS.flatMap((name): Query => (wanted[name] ? [[name, wanted[name]]] : [])), ...wanted.labels.map((label): [string, string] => ["label", label])];
}

/** For the API: the words that a question has. */
export function questionOf(wanted: Wanted, kind: "trend" | "compare"): Query {
    const left = kind === "trend" ? ["from", "to", "days"] : ["operator", "days"];
    return queryOf(wanted).filter(([name]) => !left.includes(name));
}

/** A model on a device, with its last build. */
export interface Series {
    model: string;
    device: string;
    builds: number;
    last: string;
    added: string;
    median: number | null;
}

/** Builds come model by model, device by device, the oldest first. */
export function seriesOf(builds: TableData): Series[] {
    const made: Series[] = [];
    for (const row of builds.rows) {
        const text = (name: string): string => (typeof row[name] === "string" ? row[name] : "");
        const last = made[made.length - 1];
        const now = { last: text("build"), added: text("added"), median: typeof row["median"] === "number" ? row["median"] : null };
        if (last && last.model === text("model") && last.device === text("device")) Object.assign(last, now, { builds: last.builds + 1 });
        else made.push({ model: text("model"), device: text("device"), builds: 1, ...now });
    }
    return made;
}

/** What is asked for, with what is missing filled in: the model that something was added to last, the device of the model likewise. */
export function complete(wanted: Wanted, series: Series[]): Wanted {
    const newest = (among: Series[]): Series | undefined => among.reduce<Series | undefined>((best, one) => (!best || one.added > best.added ? one : best), undefined);
    const model = wanted.model || newest(series)?.model || "";
    return { ...wanted, model, device: wanted.device || newest(series.filter((one) => one.model === model))?.device || "" };
}

/** A build that was clicked: the first of two, the second, or the first of two others. The earlier one of the history comes first. */
export function pickBuild(chosen: [from: string, to: string], build: string, order: string[]): [from: string, to: string] {
    const [from, to] = chosen;
    if (!from || to) return [build, ""];
    if (from === build) return ["", ""];
    return order.indexOf(from) < order.indexOf(build) ? [from, build] : [build, from];
}
