// The tables of the head, as --json prints them, whatever they are about; and the runs.

import { button, element } from "../dom";
import { count, time } from "../numbers";
import type { Run } from "./model";
import { Table, type Column } from "./table";
import type { Timeline } from "./timeline";

type Cells = Record<string, unknown>;

interface Described {
    name: string;
    title?: string;
    unit?: string | null;
    type?: string;
    description?: string;
}

interface Given {
    name?: string;
    title?: string;
    columns?: Described[];
    rows?: Cells[];
    notes?: string[];
}

/** A title and the element, of what has any rows. */
export function headTable(json: unknown, find: (text: string) => void, known: Set<string>): [string, HTMLElement] | null {
    const table = json as Given;
    const rows = table.rows ?? [];
    if (rows.length === 0) return null;
    const all: Described[] = table.columns ?? Object.keys(rows[0]!).map((name) => ({ name }));
    const given = all.filter(({ name }) => rows.some((row) => row[name] !== null && row[name] !== undefined));
    const title = table.title ?? table.name ?? "Table";
    const columns = given.map(({ name: key, title: head = key, type, unit, description }): Column<Cells> => {
        const number = rows.some((row) => typeof row[key] === "number") && rows.every((row) => typeof row[key] === "number" || row[key] == null);
        return {
            title: head, number, ...(description ? { description } : {}),
            value: (row) => (number ? row[key] as number ?? -Infinity : word(row[key])),
            show: (row) => {
                const text = number ? figure(row[key] as number | null, type, unit) : word(row[key]);
                if (number || !known.has(text)) return text;
                const link = element("button", { type: "button", class: "plain" }, text);
                link.addEventListener("click", () => find(text));
                return link;
            },
        };
    });
    const made = new Table<Cells>(title, columns, -1, (row) => given.map(({ name }) => word(row[name])).join("\n"));
    made.set(rows);
    return [title, element("div", {}, made.element, ...(table.notes ?? []).map((note) => element("p", { class: "quiet" }, note)))];
}

function word(value: unknown): string {
    if (value === null || value === undefined) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function figure(value: number | null | undefined, type?: string, unit?: string | null): string {
    if (value === null || value === undefined) return "";
    if (type === "duration" && unit === "ns") return time(value);
    if (type === "percent") return `${value.toFixed(1)} %`;
    return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}

export function runsTable(timeline: Timeline): HTMLElement {
    const { runs } = timeline.source.head;
    const show = (run: Run): void => timeline.zoomTo(run);
    const table = new Table<Run>("Runs", [
        { title: "Run", value: (run) => run.name, show: (run) => {
            const link = element("button", { type: "button", class: "plain" }, run.name);
            link.addEventListener("click", () => show(run));
            return link;
        } },
        { title: "Start", number: true, value: (run) => run.start, show: (run) => time(run.start - timeline.source.head.begin) },
        { title: "Length", number: true, value: (run) => run.end - run.start, show: (run) => time(run.end - run.start) },
        { title: "Counted", value: (run) => (run.counted === undefined ? "not known" : run.counted ? "yes" : "no") },
    ], 2, (run) => run.name);
    table.set(runs);
    const counted = runs.filter((run) => run.counted !== false);
    const by = counted.length > 0 ? counted : runs;
    const slowest = by.reduce((most, run) => (run.end - run.start > most.end - most.start ? run : most));
    return element("div", {}, element("p", { class: "tools" }, button(`Slowest: ${slowest.name}, ${time(slowest.end - slowest.start)}`, "Zoom to the slowest run that counts", () => show(slowest))), table.element);
}
