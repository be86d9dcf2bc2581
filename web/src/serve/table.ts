// A table of a profile: its rows come from the server, sorted, cut and filtered there, as the command line does it.

import type { Api, Query, TableColumn, TableData, TableName } from "./api";
import { button, element } from "../page/dom";
import { timelineAddress, wantedOf } from "./links";
import { bar, failure } from "./parts";
import { cell, exact, heading, isNumber } from "./show";

export interface View {
    sort: string;
    limit: string;
    filters: string[];
    columns: string[];
}

export function query(view: View): Query {
    const made: Query = [];
    if (view.columns.length) made.push(["columns", view.columns.join(",")]);
    if (view.sort) made.push(["sort", view.sort]);
    if (view.limit) made.push(["limit", view.limit]);
    for (const filter of view.filters) made.push(["filter", filter]);
    return made;
}

/** A click on a head: numbers begin with the largest, texts with the first; the next click turns it round. */
export function turn(sort: string, column: TableColumn): string {
    const down = `-${column.name}`;
    if (sort === down) return column.name;
    if (sort === column.name) return down;
    return isNumber(column) ? down : column.name;
}

/** Filters that must all fit, with commas between them. */
export function filters(text: string): string[] {
    return text.split(",").map((part) => part.trim()).filter(Boolean);
}

/** How a filter of these columns may look. */
export function example(columns: TableColumn[]): string {
    const text = columns.find((column) => column.type === "text"), number = columns.find(isNumber);
    const value = number?.type === "duration" ? "1us" : number?.type === "bytes" ? "1kB" : "1";
    return ["Filter: ", [...(text ? [`${text.name}~text`] : []), ...(number ? [`${number.name}>${value}`] : [])].join(", ")].join("");
}

const FEW = 8;
const LONG = 60;

export class ServedTable {
    readonly element: HTMLElement;
    private readonly filter = element("input", { type: "search", "aria-label": "Filter" });
    private readonly controls = element("div", { class: "controls" });
    private readonly holder = element("div");
    private readonly choosing = element("details", { class: "columns" }, element("summary", {}, "Columns"));
    private view: View = { sort: "", limit: "", filters: [], columns: [] };
    private asked = 0;

    constructor(private readonly api: Api, private readonly id: string, private readonly about: TableName, private readonly titled: boolean) {
        const limit = element("select", { "aria-label": "Rows" });
        for (const [value, text] of [["", "all rows"], ["20", "20 rows"], ["100", "100 rows"]] as const) limit.append(element("option", { value }, text));
        this.filter.addEventListener("change", () => this.change({ filters: filters(this.filter.value) }));
        limit.addEventListener("change", () => this.change({ limit: limit.value }));
        this.choosing.addEventListener("toggle", () => void this.offer(), { once: true });
        this.controls.append(this.filter, limit, this.choosing);
        this.controls.hidden = true;
        this.element = element("section", { class: "served" }, element("p", { class: "quiet" }, about.description), this.controls, this.holder);
        void this.load();
    }

    private change(changed: Partial<View>): void {
        this.view = { ...this.view, ...changed };
        void this.load();
    }

    private async load(): Promise<void> {
        const asked = ++this.asked;
        this.holder.setAttribute("aria-busy", "true");
        let shown: HTMLElement;
        try {
            shown = this.draw(await this.api.table(this.id, this.about.name, query(this.view)));
        } catch (error) {
            shown = failure(error);
        }
        if (asked !== this.asked) return; // another one was asked for since
        this.holder.removeAttribute("aria-busy");
        this.holder.replaceChildren(shown);
    }

    /** What there is to choose from, where there is enough to choose; it stays once it is there. */
    private offerControls(data: TableData): void {
        if (!this.about.views || (this.controls.hidden && data.rows.length <= FEW)) return;
        this.controls.hidden = false;
        this.filter.placeholder = example(data.columns);
    }

    private draw(data: TableData): HTMLElement {
        this.offerControls(data);
        if (this.titled && this.element.firstElementChild?.tagName !== "H2") this.element.prepend(element("h2", {}, data.title));
        const head = element("tr", {}, ...data.columns.map((column) => this.head(column)));
        const body = element("tbody", {}, ...data.rows.map((row) => this.row(data, row)));
        return element("div", {},
            element("div", { class: "table", tabindex: "0", role: "region", "aria-label": data.title }, element("table", {}, element("thead", {}, head), body)),
            ...(data.rows.length ? [] : [element("p", { class: "empty" }, "no rows")]),
            element("ul", { class: "notes" }, ...data.notes.map((note) => element("li", {}, note))));
    }

    /** Every number of a row leads to the slices behind it; keys go to the first of these links alone. */
    private row(data: TableData, row: TableData["rows"][number]): HTMLElement {
        const wanted = wantedOf(data, row);
        const address = wanted ? timelineAddress(this.api, this.id, wanted) : "";
        let linked = false;
        return element("tr", {}, ...data.columns.map((column) => {
            const value = row[column.name];
            const title = exact(column, value);
            const shape = isNumber(column) ? "number" : typeof value === "string" && value.length > LONG ? "long" : "";
            const text = cell(column, value);
            const leads = address !== "" && value !== null && value !== undefined && (isNumber(column) || wanted?.some(([, named]) => named === value));
            const inside = leads ? element("a", { class: "behind", href: address, ...(linked ? { tabindex: "-1" } : {}) }, text) : text;
            linked ||= leads === true;
            const made = element("td", { ...(shape ? { class: shape } : {}), ...(title ? { title } : {}) }, inside);
            if (column.type === "percent" && typeof value === "number") made.append(bar(value));
            return made;
        }));
    }

    private head(column: TableColumn): HTMLElement {
        const made = element("th", { scope: "col", ...(isNumber(column) ? { class: "number" } : {}), ...(column.description ? { title: column.description } : {}) });
        const text = heading(column);
        if (!this.about.views) {
            made.append(text);
            return made;
        }
        if (this.view.sort.replace("-", "") === column.name) made.setAttribute("aria-sort", this.view.sort.startsWith("-") ? "descending" : "ascending");
        const sort = button(text, "", () => this.change({ sort: turn(this.view.sort, column) }));
        sort.className = "sort";
        sort.removeAttribute("title");
        made.append(sort);
        return made;
    }

    /** All columns that the table can have, once somebody wants to choose. */
    private async offer(): Promise<void> {
        try {
            const [help, now] = await Promise.all([this.api.table(this.id, this.about.name, [["columns", "help"]]), this.api.table(this.id, this.about.name, [["limit", "1"]])]);
            const chosen = new Set(now.columns.map((column) => column.name));
            const names = help.rows.map((row) => String(row["key"] ?? ""));
            this.choosing.append(element("div", { class: "choices" }, ...help.rows.map((row, at) => {
                const name = names[at] ?? "";
                const box = element("input", { type: "checkbox" });
                box.checked = chosen.has(name);
                box.addEventListener("change", () => {
                    if (box.checked) chosen.add(name);
                    else chosen.delete(name);
                    this.change({ columns: names.filter((one) => chosen.has(one)) });
                });
                return element("label", { title: String(row["description"] ?? "") }, box, ` ${String(row["title"] ?? name)}`);
            })));
        } catch (error) {
            this.choosing.append(failure(error));
        }
    }
}
