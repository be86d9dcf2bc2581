// Tables that sort by a click on a head and show what a filter leaves.

import { button, element } from "./dom";
import { count } from "./numbers";
import { breathe } from "./scan";

export interface Column<T> {
    title: string;
    number?: boolean;
    description?: string;
    value(row: T): number | string;
    /** What is shown, where that is not the value. */
    show?(row: T): Node | string;
}

const AT_ONCE = 200;
const TURN = 20_000; // rows that a filter looks at without a break

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
    private left: T[] = [];
    private shown = AT_ONCE;
    private choosing = 0;
    private descending: boolean;
    chosen: ((row: T) => boolean) | null = null;

    constructor(label: string, private readonly columns: Column<T>[], private by: number, private readonly texts: (row: T) => string) {
        this.descending = columns[by]?.number ?? false;
        const holder = element("div", { class: "holder", tabindex: "0", role: "region", "aria-label": label });
        holder.append(element("table", {}, element("thead", {}, this.head), this.body));
        const frame = element("div", { class: "frame" }, holder);
        // A table that goes on to the right says so.
        const tell = (): void => void frame.classList.toggle("more", holder.scrollLeft + holder.clientWidth < holder.scrollWidth - 2);
        holder.addEventListener("scroll", tell);
        const watch = new ResizeObserver(tell);
        watch.observe(holder);
        watch.observe(holder.firstElementChild!);
        this.input.addEventListener("input", () => {
            this.shown = AT_ONCE;
            void this.choose();
        });
        this.element = element("div", { class: "sortable" }, element("div", { class: "tools" }, this.input, this.told), frame, this.more);
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
        void this.choose();
    }

    private sort(): void {
        const column = this.columns[this.by];
        const keyed = this.rows.map((row) => ({ row, key: column?.value(row) ?? 0 }));
        const sign = this.descending ? -1 : 1;
        if (column) keyed.sort((one, other) => sign * compare(one.key, other.key));
        this.sorted = keyed.map(({ row }) => row);
        void this.choose();
    }

    /** What the filter leaves, in the same order. */
    private async choose(): Promise<void> {
        const wanted = this.input.value.trim().toLowerCase();
        const mine = ++this.choosing;
        const left: T[] = [];
        for (let from = 0; wanted && from < this.sorted.length; from += TURN) {
            if (from > 0) await breathe();
            if (mine !== this.choosing) return;
            left.push(...this.sorted.slice(from, from + TURN).filter((row) => this.texts(row).toLowerCase().includes(wanted)));
        }
        this.left = wanted ? left : this.sorted;
        this.fill();
    }

    fill(): void {
        Array.from(this.head.children).forEach((cell, at) => {
            if (at === this.by) cell.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
            else cell.removeAttribute("aria-sort");
        });
        this.body.replaceChildren(...this.left.slice(0, this.shown).map((row) => {
            const made = element("tr", this.chosen?.(row) ? { class: "chosen" } : {});
            this.columns.forEach((column, at) => {
                const shown = column.show ? column.show(row) : String(column.value(row));
                // Names may be long: the first lines, and all of it under the pointer.
                const cell = at === 0 && !column.number ? element("div", { class: "clip", title: String(column.value(row)) }, shown) : shown;
                made.append(element("td", column.number ? { class: "number" } : {}, cell));
            });
            return made;
        }));
        this.more.hidden = this.left.length <= this.shown;
        this.told.textContent = this.left.length === this.rows.length ? count(this.rows.length) : `${count(this.left.length)} of ${count(this.rows.length)}`;
    }
}

function compare(one: number | string, other: number | string): number {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), undefined, { numeric: true });
}
