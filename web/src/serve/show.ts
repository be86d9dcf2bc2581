// Values of tables and cards, for people.

import type { Cell, LiveSource, TableColumn } from "./api";
import { count, time } from "../page/numbers";

const decimals = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5 });

export function bytes(value: number): string {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let at = 0;
    for (; value >= 1024 && at < units.length - 1; at++) value /= 1024;
    return at ? `${value.toPrecision(3)} ${units[at]}` : `${count(value)} B`;
}

export function percent(value: number): string {
    return `${value.toFixed(Math.abs(value) < 9.95 ? 2 : 1)} %`;
}

export function date(text: string | null): string {
    if (!text) return "";
    const made = new Date(text);
    return Number.isNaN(made.getTime()) ? text : made.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function isNumber(column: TableColumn): boolean {
    return column.type !== "text" && column.type !== "boolean";
}

/** The title of a column, with its unit where values do not say theirs. */
export function heading(column: TableColumn): string {
    const told = ["duration", "bytes", "percent"].includes(column.type) || !column.unit;
    return `${column.title ?? column.name}${told ? "" : ` [${column.unit}]`}`;
}

/** What is not known is a dash, not 0. */
export function cell(column: TableColumn, value: Cell | undefined): string {
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number") return String(value);
    if (column.type === "duration") return time(value);
    if (column.type === "bytes") return bytes(value);
    if (column.type === "percent") return percent(value);
    if (value && Math.abs(value) < 1e-4) return value.toExponential(1);
    return Number.isInteger(value) || Math.abs(value) >= 1e5 ? count(value) : decimals.format(value);
}

/** The exact value, for who points at it. */
export function exact(column: TableColumn, value: Cell | undefined): string {
    return typeof value === "number" && (column.type === "duration" || column.type === "bytes")
        ? `${value} ${column.type === "bytes" ? "B" : "ns"}` : "";
}

/** What there is to say of a live source, in a few words each. */
export function facts(source: LiveSource): string[] {
    const many = (value: number, what: string): string[] => (value > 0 ? [`${count(value)} ${what}`] : []);
    const silent = source.silent_ms === null ? 0 : Math.floor(source.silent_ms / 1000);
    return [
        ...(source.title ? [source.pid ? `${source.title} [${source.pid}]` : source.title] : []),
        ...(source.generation > 0 ? [`${count(source.slices)} slices`] : []),
        ...many(source.forgotten, "older ones forgotten"),
        ...(source.fits_s === null ? [] : [`only the last ${count(source.fits_s)} s fit`]),
        ...many(source.late, source.state === "ended" ? "came late" : "came late, shown when it has ended"),
        ...many(source.lost, "lost: they cannot be used"),
        ...many(source.dropped, "dropped: their program had no room"),
        ...many(source.unended, "had not ended"),
        ...(source.state === "connected" && silent >= 3 ? [`nothing new for ${count(silent)} s`] : []),
    ];
}
