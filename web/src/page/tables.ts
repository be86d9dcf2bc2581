// The tables of the head, as --json prints them, whatever they are about; and the runs.

import { element } from "./dom";
import { count, time } from "./numbers";
import { Table, type Column } from "./table";

/** Columns whose texts are names of slices, or have them in. */
const NAMING = new Set(["name", "operator"]);

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
                if (number || text === "" || !(known.has(text) || NAMING.has(key))) return text;
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
