// A log of a device: statistics, a map of its cores for any analysis and any statistic, the timeline, what was made of it as an archive.

import "../page/map.css";

import type { Api, Profile, TableData } from "./api";
import { button, element } from "../page/dom";
import { mapScale, mapTable, scaleEnd, type Place, type PlaceMap } from "../page/map";
import { paints } from "./colours";
import { failure, link } from "./parts";
import { ServedTable } from "./table";

/** Columns that say where, and what of; all others are numbers of it. */
const CHIP = "chip", X = "x", Y = "y", ANALYSIS = "duration";

/** Columns of the table that a map can show. */
export function statistics(data: TableData): TableData["columns"] {
    return data.columns.filter((column) => ![CHIP, X, Y, ANALYSIS].includes(column.name) && ["integer", "decimal", "duration"].includes(column.type));
}

export function analyses(data: TableData): string[] {
    return [...new Set(data.rows.map((row) => String(row[ANALYSIS] ?? "")))];
}

/** A map of each chip: cores that no row is about are no places. */
export function mapsOf(data: TableData, analysis: string, statistic: string): PlaceMap[] {
    const rows = data.rows.filter((row) => row[ANALYSIS] === analysis);
    const column = data.columns.find(({ name }) => name === statistic);
    const numbers = (name: string, of: typeof rows): number[] => [...new Set(of.map((row) => Number(row[name])))].sort((one, other) => one - other);
    return numbers(CHIP, rows).map((chip) => {
        const own = rows.filter((row) => row[CHIP] === chip);
        const [columns, lines] = [numbers(X, own), numbers(Y, own)];
        const places = own.map((row): Place => {
            const value = row[statistic];
            return { column: columns.indexOf(Number(row[X])), row: lines.indexOf(Number(row[Y])), track: 0, name: `core ${row[X]}, ${row[Y]}`,
                values: [typeof value === "number" ? value : null], texts: [null] };
        });
        return { name: `chip ${chip}`, place: "core", columns: columns.map(String), rows: lines.map(String),
            statistics: [{ title: `${analysis}, ${column?.title ?? statistic}`, unit: column?.unit ?? null, full: null }], places };
    });
}

class HeatMap {
    readonly element = element("section", { class: "maps" });
    private readonly analysis = element("select", { "aria-label": "Analysis" });
    private readonly statistic = element("select", { "aria-label": "Statistic" });
    private readonly scale = element("p", { class: "scale quiet" });
    private readonly holder = element("div", { class: "mapholder" });
    private readonly line = element("p", { class: "quiet", role: "status" });

    constructor(private readonly data: TableData) {
        for (const name of analyses(data)) this.analysis.append(element("option", { value: name }, name));
        for (const column of statistics(data)) this.statistic.append(element("option", { value: column.name, title: column.description ?? "" }, column.title ?? column.name));
        if (statistics(data).some(({ name }) => name === "median")) this.statistic.value = "median";
        for (const choice of [this.analysis, this.statistic]) choice.addEventListener("change", () => this.draw());
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
        this.element.append(element("h2", {}, "Cores"), element("div", { class: "controls" }, this.analysis, this.statistic, this.scale), this.holder, this.line);
        this.draw();
    }

    private draw(): void {
        const maps = mapsOf(this.data, this.analysis.value, this.statistic.value);
        const end = scaleEnd(maps, maps[0]?.statistics[0]?.title ?? "");
        const colours = paints();
        this.holder.replaceChildren(...maps.map((map) => mapTable(map, 0, end, {
            colours, name: (place) => place.name ?? "", say: (text) => (this.line.textContent = text), show: () => null,
        })));
        this.scale.replaceChildren(...mapScale(colours, end, maps[0]?.statistics[0]?.unit ?? null));
        this.line.textContent = "Arrow keys go from core to core.";
    }
}

/** Whether a profile is one of a device whose cores have places. */
export function hasDevice(profile: Profile): boolean {
    return ["analyses", "cores"].every((name) => profile.tables.some((table) => table.name === name && table.verb === "device"));
}

export class DevicePart {
    readonly element = element("div", { class: "device" });

    /** `refresh` reads the log again. */
    constructor(private readonly api: Api, profile: Profile, timeline: HTMLElement, refresh: () => void) {
        const archives = profile.archives.map((archive) =>
            element("a", { class: "button", href: api.address(`/archive/${profile.id}/${archive.verb}`), download: "", title: archive.file }, `Download ${archive.title.toLowerCase()}`));
        const analyses = profile.tables.find(({ name }) => name === "analyses")!;
        const map = element("div", { "aria-busy": "true" });
        this.element.append(element("p", { class: "tools" }, ...archives, button("Refresh", "Read the log again", refresh)),
            element("h2", {}, "Statistics"), new ServedTable(api, profile.id, analyses, false).element, map, element("h2", {}, "Timeline"), timeline);
        void this.load(profile, map);
    }

    private async load(profile: Profile, map: HTMLElement): Promise<void> {
        try {
            const help = await this.api.table(profile.id, "cores", [["columns", "help"]]);
            const columns = help.rows.map((row) => String(row["key"])).join(",");
            map.replaceChildren(new HeatMap(await this.api.table(profile.id, "cores", [["columns", columns]])).element);
        } catch (error) {
            map.replaceChildren(failure(error));
        }
        map.removeAttribute("aria-busy");
    }
}

/** What else can be downloaded of any profile. */
export function archiveLinks(api: Api, profile: Profile): HTMLElement[] {
    return profile.archives.map((archive) => element("li", {}, link(api.address(`/archive/${profile.id}/${archive.verb}`), archive.file), ` ${archive.title}: what tacho ${archive.verb} writes`));
}
