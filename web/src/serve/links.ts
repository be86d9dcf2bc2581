// From a number to the slices behind it: addresses of the timeline that ask for something.

import type { Api, Cell, Input, TableData } from "./api";

/** What is asked of the timeline: names of slices or of an operator, a run, engines. */
export type Wanted = [key: "n" | "u" | "e", value: string][];

export function timelineAddress(api: Api, id: string, wanted: Wanted): string {
    return `${api.address(`/pages/timeline/${id}`)}#${new URLSearchParams(wanted)}`;
}

/** Columns that name what a row is about, the most telling first. */
const NAMES = ["operator", "op", "code", "operation", "kernel", "zone", "name", "location", "where"];

/** What a row of a table is about, in the words of the timeline; null: nothing that it could show. */
export function wantedOf(data: TableData, row: Record<string, Cell>): Wanted | null {
    const has = (name: string): boolean => data.columns.some((column) => column.name === name);
    const run = row["run"];
    if (has("run") && (typeof run === "number" || typeof run === "string") && run !== "") return [["u", String(run)]];
    const engine = row["engine"];
    for (const name of NAMES) {
        const value = row[name];
        if (has(name) && typeof value === "string" && value && !value.startsWith("(")) return [["n", value]];
    }
    return has("engine") && typeof engine === "string" && engine && !engine.startsWith("(") ? [["e", engine]] : null;
}

/** The slices behind a metric; null: it is the whole, or what is left of it. */
export function wantedOfMetric(input: Input, metric: string): Wanted | null {
    const engines = input.engines[metric] ?? [];
    return engines.length ? engines.map((title): Wanted[number] => ["e", title]) : null;
}
