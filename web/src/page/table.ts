// Tables that sort by a click on a head and show what a filter leaves.

import { button, element } from "../dom";
import { count } from "../numbers";

export interface Column<T> {
    title: string;
    number?: boolean;
    description?: string;
    value(row: T): number | string;
    /** What is shown, where that is not the value. */
    show?(row: T): Node | string;
}

const AT_ONCE = 200;

export class Table<T> {
    readonly element: HTMLElement;
    private readonly head = element("tr");
    private readonly body = element("tbody");
    private readonly more = button("Show more", "", () => {
        this.shown += AT_ONCE * 5;
        this.fill();
    });
    private readonly told = element("span", { class: "quiet", role: "status" });
    private readonly input = element("input", { type: "search", placeholder: "Filter", "aria-label": "Filter" });
    private rows: T[] = [];
    private sorted: T[] = [];
    private shown = AT_ONCE;
    private descending: boolean;
    chosen: ((row: T) => boolean) | null = null;

    constructor(label: string, private readonly columns: Column<T>[], private by: number, private readonly texts: (row: T) => string) {
        this.descending = columns[by]?.number ?? false;
        const holder = element("div", { class: "holder", tabindex: "0", role: "region", "aria-label": label });
        holder.append(element("table", {}, element("thead", {}, this.head), this.body));
        this.input.addEventListener("input", () => {
            this.shown = AT_ONCE;
            this.sort();
        });
        this.element = element("div", { class: "sortable" }, element("div", { class: "tools" }, this.input, this.told), holder, this.more);
        columns.forEach((column, at) => {
            const sort = element("button", { type: "button", class: "sort", ...(column.description ? { title: column.description } : {}) }, column.title);
            sort.addEventListener("click", () => {
                this.descending = this.by === at ? !this.descending : column.number ?? false;
                this.by = at;
                this.sort();
            });
            this.head.append(element("th", { scope: "col", ...(column.number ? { class: "number" } : {}) }, sort));
        });
    }

    set(rows: T[]): void {
        this.rows = rows;
        this.sort();
    }

    filter(text: string): void {
        this.input.value = text;
        this.sort();
    }

    private sort(): void {
        const wanted = this.input.value.trim().toLowerCase();
        const column = this.columns[this.by];
        const kept = wanted ? this.rows.filter((row) => this.texts(row).toLowerCase().includes(wanted)) : [...this.rows];
        const keyed = kept.map((row) => ({ row, key: column?.value(row) ?? 0 }));
        const sign = this.descending ? -1 : 1;
        keyed.sort((one, other) => sign * compare(one.key, other.key));
        this.sorted = keyed.map(({ row }) => row);
        this.fill();
    }

    fill(): void {
        Array.from(this.head.children).forEach((cell, at) => {
            if (at === this.by) cell.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
            else cell.removeAttribute("aria-sort");
        });
        this.body.replaceChildren(...this.sorted.slice(0, this.shown).map((row) => {
            const made = element("tr", this.chosen?.(row) ? { class: "chosen" } : {});
            for (const column of this.columns) {
                made.append(element("td", column.number ? { class: "number" } : {}, column.show ? column.show(row) : String(column.value(row))));
            }
            return made;
        }));
        this.more.hidden = this.sorted.length <= this.shown;
        this.told.textContent = this.sorted.length === this.rows.length ? count(this.rows.length) : `${count(this.sorted.length)} of ${count(this.rows.length)}`;
    }
}

function compare(one: number | string, other: number | string): number {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
}
