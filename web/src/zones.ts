// The table of names: how often, how long; a click makes one stand out in the timeline and draws its histogram.

import type { Colours } from "./colour";
import { element } from "./dom";
import type { Units } from "./format";
import { Histogram } from "./histogram";
import type { Label, Page } from "./model";
import { count } from "./numbers";

const SHOWN = 200;

type Column = { title: string; number: boolean; order: (one: Label, other: Label) => number; text: (label: Label) => string };

export class Zones {
    readonly element: HTMLElement;
    private readonly histogram: Histogram;
    private readonly body = element("tbody");
    private readonly head = element("tr");
    private readonly columns: Column[];
    private readonly buttons = new Map<number, HTMLElement>();
    private sorted = 3;
    private chosen = -1;

    constructor(private readonly page: Page, units: Units, private readonly colours: Colours,
                private readonly highlight: (labels: number[] | null) => void) {
        const length = (ticks: number): string => units.length(ticks);
        const mean = (label: Label): number => (label.count ? label.total / label.count : 0);
        const numeric = (title: string, value: (label: Label) => number, text: (label: Label) => string): Column =>
            ({ title, number: true, order: (one, other) => value(other) - value(one), text });
        const textual = (title: string, order: Column["order"], text: Column["text"]): Column =>
            ({ title, number: false, order, text });
        this.columns = [
            textual("Name", (one, other) => one.name.localeCompare(other.name), (label) => label.name),
            textual("Kind", (one, other) => one.kind - other.kind, (label) => page.kinds[label.kind].name),
            numeric("Count", (label) => label.count, (label) => count(label.count)),
            numeric("Total", (label) => label.total, (label) => length(label.total)),
            numeric("Average", mean, (label) => length(mean(label))),
            numeric("Min", (label) => label.least, (label) => length(label.least)),
            numeric("Max", (label) => label.most, (label) => length(label.most)),
        ];
        this.histogram = new Histogram(page, units, colours);
        const table = element("div", { class: "table" },
            element("table", { class: "zones" }, element("thead", {}, this.head), this.body));
        this.element = element("section", { class: "names" }, element("h2", {}, "Durations by name"),
            element("div", { class: "side" }, table, this.histogram.element));
        this.columns.forEach((column, index) => this.addHeading(column, index));
        colours.onChange(() => this.fill());
    }

    /** After the unit changed, and once the page has its size. */
    refresh(): void {
        this.fill();
        if (this.chosen < 0) {
            const longest = this.order().find((id) => this.page.labels[id].bins.length > 0);
            if (longest !== undefined) this.histogram.show(longest);
        } else {
            this.histogram.refresh();
        }
    }

    private addHeading(column: Column, index: number): void {
        const sort = element("button", { type: "button", class: "sort" }, column.title);
        sort.addEventListener("click", () => {
            this.sorted = index;
            this.fill();
        });
        this.head.append(element("th", { scope: "col", class: column.number ? "number" : "" }, sort));
    }

    private order(): number[] {
        const { order } = this.columns[this.sorted];
        return this.page.labels.map((_, id) => id).filter((id) => this.page.labels[id].count > 0)
            .sort((one, other) => order(this.page.labels[one], this.page.labels[other]) || one - other);
    }

    private fill(): void {
        const order = this.order();
        this.body.replaceChildren(...order.slice(0, SHOWN).map((id) => this.row(id)));
        if (order.length > SHOWN) {
            this.body.append(element("tr", {}, element("td", { colspan: String(this.columns.length) },
                `${count(order.length - SHOWN)} more names are not listed; find them by name above the timeline.`)));
        }
        [...this.head.children].forEach((heading, index) =>
            heading.setAttribute("aria-sort", index === this.sorted ? (index > 1 ? "descending" : "ascending") : "none"));
    }

    private row(id: number): HTMLElement {
        const label = this.page.labels[id];
        const moment = label.bins.length === 0 && label.total === 0;
        const swatch = element("i", { class: "swatch" });
        swatch.style.background = this.colours.label(id);
        const pressed = String(id === this.chosen);
        const choose = element("button", { type: "button", class: "plain", "aria-pressed": pressed }, swatch, label.name);
        this.buttons.set(id, choose);
        choose.addEventListener("click", () => this.choose(id));
        const content = (column: Column, index: number): Node | string =>
            (index === 0 ? choose : moment && index > 2 ? "" : column.text(label));
        const row = element("tr", {}, ...this.columns.map((column, index) =>
            element("td", { class: column.number ? "number" : "" }, content(column, index))));
        row.classList.toggle("chosen", id === this.chosen);
        row.addEventListener("click", (event) => {
            if (!(event.target as HTMLElement).closest("button")) this.choose(id);
        });
        return row;
    }

    private choose(id: number): void {
        this.chosen = this.chosen === id ? -1 : id;
        this.highlight(this.chosen < 0 ? null : [id]);
        const focused = this.body.contains(document.activeElement);
        this.fill();
        if (focused) this.buttons.get(id)?.focus();
        this.histogram.show(id);
    }
}
