// A table as it came, for tables that nobody sorts or filters.

import type { TableData } from "./api";
import { element } from "../page/dom";
import { cell, exact, heading, isNumber } from "./show";

const LONG = 60;

/** Columns in which some row has something. */
export function filled(data: TableData): TableData["columns"] {
    return data.columns.filter((column) => data.rows.some((row) => row[column.name] !== null && row[column.name] !== undefined));
}

export function plainTable(data: TableData): HTMLElement {
    const columns = filled(data);
    const head = element("tr", {}, ...columns.map((column) =>
        element("th", { scope: "col", ...(isNumber(column) ? { class: "number" } : {}), ...(column.description ? { title: column.description } : {}) }, heading(column))));
    const rows = data.rows.map((row) => element("tr", {}, ...columns.map((column) => {
        const value = row[column.name], title = exact(column, value);
        const shape = isNumber(column) ? "number" : typeof value === "string" && value.length > LONG ? "long" : "";
        return element("td", { ...(shape ? { class: shape } : {}), ...(title ? { title } : {}) }, cell(column, value));
    })));
    return element("div", { class: "served" },
        element("div", { class: "table", tabindex: "0", role: "region", "aria-label": data.title }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))),
        element("ul", { class: "notes" }, ...data.notes.map((note) => element("li", {}, note))));
}
