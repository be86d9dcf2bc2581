// Maps of places: where tracks lie on a chip or a board, a number of each as colour and text; a click leads to the track.

import "./map.css";
import { element } from "./dom";
import { brief, count, percent } from "./numbers";
import { luminance, mix } from "./paint";
import type { Timeline } from "./timeline";

export interface Statistic {
    title: string;
    unit: string | null;
    /** Where the scale ends, which begins at 0; null: at the largest value of all maps. */
    full: number | null;
}

export interface Place {
    column: number;
    row: number;
    /** Of the head; -1: nothing is on it. Missing: the place has a name alone. */
    track?: number;
    name?: string;
    values?: (number | null)[];
    texts?: (string | null)[];
}

export interface PlaceMap {
    name: string;
    place: string;
    columns: string[];
    rows: string[];
    statistics: Statistic[];
    places: Place[];
}

/** The end of the scale of a statistic: the same for all maps that have it, so that colours can be compared. */
export function scaleEnd(maps: PlaceMap[], title: string): number {
    let most = 0;
    for (const map of maps) {
        const at = map.statistics.findIndex((one) => one.title === title);
        if (at < 0) continue;
        most = Math.max(most, map.statistics[at]!.full ?? 0, ...map.places.map((place) => (map.statistics[at]!.full === null ? place.values?.[at] ?? 0 : 0)));
    }
    return most;
}

/** A sentence about a place, for the pointer and for who listens. */
export function tell(map: PlaceMap, place: Place, name: string, statistic: number): string {
    const { title, unit, full } = map.statistics[statistic]!;
    const value = place.values?.[statistic];
    if (value === null || value === undefined) return `${name}, ${map.name}: ${title}: not known`;
    const share = full ? `, ${percent(value / full)} of the time of ${map.name}` : "";
    return `${name}, ${map.name}: ${title}: ${place.texts?.[statistic] ?? count(value)}${unit ? ` ${unit}` : ""}${share}`;
}

/** Brings a track into sight; keys move over it from then on, and its slices are one key away. */
function showTrack(timeline: Timeline, track: number): void {
    const { layout, marks, scroller, source } = timeline;
    layout.unfold(track);
    timeline.resize();
    const item = layout.itemOf(track);
    if (item && !item.pinned) scroller.scrollTop = item.top;
    let first = track;
    while (!source.head.tracks[first]?.rows && layout.children[first]?.[0] !== undefined) first = layout.children[first]![0]!;
    marks.cursor = source.head.tracks[first]?.rows?.[0] ?? null;
    timeline.gutter.update();
    timeline.redraw();
    timeline.element.scrollIntoView({ block: "nearest" });
    timeline.canvas.focus({ preventScroll: true });
}

class MapPanel {
    readonly element = element("div", { class: "maps" });
    private readonly select = element("select", { "aria-label": "What the map shows" });
    private readonly holder = element("div", { class: "mapholder" });
    private readonly line = element("p", { class: "quiet", role: "status" });
    private readonly scale = element("p", { class: "scale quiet" });

    constructor(private readonly timeline: Timeline, private readonly maps: PlaceMap[]) {
        const titles = [...new Set(maps.flatMap((map) => map.statistics.map((one) => one.title)))];
        for (const title of titles) this.select.append(element("option", { value: title }, title));
        this.select.addEventListener("change", () => this.draw());
        this.element.append(element("div", { class: "tools" }, this.select, this.scale), this.holder, this.line);
        timeline.colours.onChange(() => this.draw());
        this.draw();
    }

    private draw(): void {
        const title = this.select.value;
        const end = scaleEnd(this.maps, title);
        const shown = this.maps.filter((map) => map.statistics.some((one) => one.title === title));
        const unit = shown[0]?.statistics.find((one) => one.title === title)?.unit;
        const { timeline } = this;
        const holder: MapHolder = {
            colours: timeline.colours,
            name: (place) => place.name ?? timeline.source.head.tracks[place.track ?? -1]?.name ?? this.maps[0]?.place ?? "",
            say: (text) => (this.line.textContent = text),
            show: ({ track }) => (track !== undefined && track >= 0 ? () => showTrack(timeline, track) : null),
        };
        this.holder.replaceChildren(...shown.map((map) => mapTable(map, map.statistics.findIndex((one) => one.title === title), end, holder)));
        this.scale.replaceChildren(...mapScale(timeline.colours, end, unit ?? null));
        this.line.textContent = `Arrow keys go from ${this.maps[0]?.place ?? "place"} to ${this.maps[0]?.place ?? "place"}; a click or Enter shows it in the timeline.`;
    }
}

/** What a map needs of the page that it stands in. */
export interface MapHolder {
    colours: { readonly ground: string; readonly accent: string };
    name(place: Place): string;
    say(text: string): void;
    /** Null: nothing is behind the place. */
    show(place: Place): (() => void) | null;
}

export function mapColour(colours: MapHolder["colours"], share: number): string {
    return mix(colours.ground, colours.accent, 0.06 + 0.94 * Math.min(Math.max(share, 0), 1));
}

/** From 0 to the end of the scale. */
export function mapScale(colours: MapHolder["colours"], end: number, unit: string | null): (Node | string)[] {
    const ramp = element("i", { class: "ramp" });
    ramp.style.background = `linear-gradient(to right, ${mapColour(colours, 0)}, ${mapColour(colours, 1)})`;
    return ["0", ramp, `${count(end)}${unit ? ` ${unit}` : ""}`];
}

/** The places of a map, each with a number and its colour. */
export function mapTable(map: PlaceMap, statistic: number, end: number, holder: MapHolder): HTMLElement {
    const grid = new Map(map.places.map((place) => [place.row * map.columns.length + place.column, place]));
    const head = element("tr", {}, element("td"), ...map.columns.map((name) => element("th", { scope: "col" }, name)));
    const body = element("tbody");
    map.rows.forEach((name, row) => {
        const line = element("tr", {}, element("th", { scope: "row" }, name));
        map.columns.forEach((_, column) => line.append(mapCell(map, grid.get(row * map.columns.length + column), statistic, end, holder)));
        body.append(line);
    });
    const table = element("table", { class: "map" }, element("caption", {}, map.name), element("thead", {}, head), body);
    table.addEventListener("keydown", (event) => moveFocus(table, event));
    const first = table.querySelector("button");
    if (first) first.tabIndex = 0;
    return table;
}

function mapCell(map: PlaceMap, place: Place | undefined, statistic: number, end: number, holder: MapHolder): HTMLElement {
    if (!place) return element("td", { class: "nothing" });
    if (place.track === undefined) return element("td", { class: "mark" }, place.name ?? "");
    const text = tell(map, place, holder.name(place), statistic);
    const value = place.values?.[statistic] ?? null;
    const short = value === null ? "?" : brief(value);
    const made = element("button", { type: "button", tabindex: "-1", "aria-label": `${text}, ${short}`, title: text }, short);
    const fill = value === null ? holder.colours.ground : mapColour(holder.colours, end > 0 ? value / end : 0);
    made.style.background = fill;
    made.style.color = luminance(fill) < 0.3 ? "#ffffff" : "#10161f";
    made.addEventListener("pointerenter", () => holder.say(text));
    made.addEventListener("focus", () => holder.say(text));
    const show = holder.show(place);
    if (show) made.addEventListener("click", show);
    return element("td", {}, made);
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
    event.stopPropagation();
    const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];
    let row = rows.indexOf(from.parentElement as HTMLTableRowElement);
    let column = from.cellIndex;
    for (;;) {
        row += step[0];
        column += step[1];
        const cell = rows[row]?.cells[column];
        if (!cell) return;
        const next = cell.querySelector("button");
        if (!next) continue;
        (event.target as HTMLElement).tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        return;
    }
}

/** Null: the page has no map. */
export function mapPanel(timeline: Timeline): HTMLElement | null {
    const maps = timeline.source.head.maps ?? [];
    return maps.length > 0 ? new MapPanel(timeline, maps).element : null;
}
