// The map of places: one number per core, as colour and text; a click shows the core in the timeline.

import type { Colours } from "./colour";
import { element } from "./dom";

import type { Page, Place, PlaceMap } from "./model";
import { brief, count } from "./numbers";

export class MapView {
    readonly element: HTMLElement;
    private readonly select = element("select", { "aria-label": "What the map shows" });
    private readonly holder = element("div", { class: "table mapholder" });
    private readonly line = element("p", { class: "quiet", role: "status" });
    private chosen = 0;

    constructor(private readonly page: Page, private readonly colours: Colours, private readonly show: (group: number) => void,
                private readonly changed: (map: PlaceMap) => void) {
        page.maps.forEach((map, index) => {
            const of = page.sections.length > 1 ? `${page.sections[map.section].name}: ` : "";
            this.select.append(element("option", { value: String(index) }, of + map.title));
        });
        this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
        const heading = element("h2", {}, `${page.words.group} map`);
        this.element = element("section", { class: "maps" }, heading, this.select, this.holder, this.line);
        colours.onChange(() => this.choose(this.chosen));
        this.choose(0);
    }

    choose(index: number): void {
        const map = this.page.maps[index];
        if (!map) return;
        this.chosen = index;
        this.select.value = String(index);
        this.holder.replaceChildren(this.table(map));
        this.line.textContent = this.range(map);
        this.changed(map);
    }

    chooseTitle(title: string, section: number): void {
        const index = this.page.maps.findIndex((map) => map.title === title && map.section === section);
        if (index >= 0) this.choose(index);
    }

    private values(map: PlaceMap): number[] {
        return map.places.flatMap((place) => (place.value === null ? [] : [place.value]));
    }

    private range(map: PlaceMap): string {
        const values = this.values(map);
        if (!values.length) return "no values";
        const unit = map.unit ? ` ${map.unit}` : "";
        const places = `${values.length} ${this.page.words.group.toLowerCase()}${values.length === 1 ? "" : "s"}`;
        return `from ${count(Math.min(...values))} to ${count(Math.max(...values))}${unit} over ${places}; ` +
            "point at one for its numbers, click to find it in the timeline";
    }

    private table(map: PlaceMap): HTMLElement {
        const values = this.values(map);
        const least = Math.min(...values);
        const most = Math.max(...values);
        // Numbers that hardly differ get colours that hardly differ.
        const spread = Math.max(most - least, Math.abs(most) * 0.02, 1e-9);
        const share = (value: number): number => 0.5 + (value - (most + least) / 2) / spread;
        const text = brief(least) === brief(most) ? count : brief;
        const grid = new Map(map.places.map((place) => [place.row * map.columns + place.column, place]));
        const name = (names: string[] | undefined, at: number): string => names?.[at] ?? String(at);
        const head = element("tr", {}, element("th"));
        for (let column = 0; column < map.columns; column++) {
            head.append(element("th", { scope: "col" }, name(map.columnNames, column)));
        }
        const body = element("tbody");
        for (let row = 0; row < map.rows; row++) {
            const line = element("tr", {}, element("th", { scope: "row" }, name(map.rowNames, row)));
            for (let column = 0; column < map.columns; column++) {
                line.append(this.cell(map, grid.get(row * map.columns + column), share, text));
            }
            body.append(line);
        }
        const table = element("table", { class: "map" }, element("thead", {}, head), body);
        table.addEventListener("keydown", (event) => moveFocus(table, event));
        const first = table.querySelector("button");
        if (first) first.tabIndex = 0;
        return table;
    }

    private cell(map: PlaceMap, place: Place | undefined, share: (value: number) => number,
                 short: (value: number) => string): HTMLElement {
        if (!place) return element("td", { class: "nothing" });
        if (place.value === null) return element("td", { class: "mark" }, place.text ?? "");
        const group = this.page.groups[place.group];
        const unit = map.unit ? ` ${map.unit}` : "";
        const text = `${this.page.words.group} ${group?.name ?? ""}: ${place.text ?? count(place.value)}${unit}`;
        const made = element("button", { type: "button", tabindex: "-1", "aria-label": text, title: text }, short(place.value));
        const { fill, text: colour } = this.colours.heat(share(place.value));
        made.style.background = fill;
        made.style.color = colour;
        made.addEventListener("pointerenter", () => (this.line.textContent = text));
        made.addEventListener("focus", () => (this.line.textContent = text));
        made.addEventListener("click", () => this.show(place.group));
        return element("td", {}, made);
    }
}

const STEPS: Record<string, [number, number]> = {
    ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
};

/** Arrow keys go from place to place; the tab key passes the map by. */
function moveFocus(table: HTMLElement, event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const from = (event.target as HTMLElement).closest("td");
    if (!step || !from) return;
    event.preventDefault();
    const rows = [...table.querySelectorAll("tbody tr")] as HTMLTableRowElement[];
    let row = rows.indexOf(from.parentElement as HTMLTableRowElement);
    let column = from.cellIndex;
    for (;;) {
        row += step[0];
        column += step[1];
        const cell = rows[row]?.cells[column];
        if (!cell) return;
        const next = cell.querySelector("button");
        if (next) {
            (event.target as HTMLElement).tabIndex = -1;
            next.tabIndex = 0;
            next.focus();
            return;
        }
    }
}
