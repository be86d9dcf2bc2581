// One profile: what is known of it, its tables, its pages, its downloads.

import type { Api, Profile, TableName } from "./api";
import { first, tiles } from "./choose";
import { button, element } from "../page/dom";
import { count, time } from "../page/numbers";
import { archiveLinks, DevicePart, hasDevice } from "./device";
import { explain, metrics } from "./metrics";
import { LatencyPlot } from "./latency";
import { timelineAddress, wantedOfMetric } from "./links";
import { hasOps, OpsPart } from "./ops";
import { failure, frame, link, mood, perfetto, tile } from "./parts";
import { bytes, date } from "./show";
import { ServedTable } from "./table";

const POLL_MS = 500;

interface Tab {
    key: string;
    title: string;
    make(): HTMLElement;
}

/** Tables that have a tab of their own; the others share one. */
const OWN_TABS: [key: string, title: string, tables: string[]][] = [
    ["operators", "Operators", ["operators"]],
    ["latency", "Latency", ["metrics", "launches"]],
    ["advice", "Advice", ["advice"]],
    ["losses", "Losses", ["losses"]],
];

/** Tables that a part of the page shows in its own way. */
const ELSEWHERE = ["overview", "runs", "call_cores"];

export class ProfilePage {
    readonly element = element("div", { class: "one" });
    private readonly made = new Map<string, HTMLElement>();

    constructor(private readonly api: Api, private readonly id: string) {
        void this.load();
    }

    /** Everything again, from the file as it is now. */
    private refresh(): void {
        this.made.clear();
        void this.load(true);
    }

    private async load(again = false): Promise<void> {
        try {
            const profile = await this.api.profile(this.id, again);
            this.draw(profile);
            if (profile.state === "waiting") setTimeout(() => void this.load(), POLL_MS);
        } catch (error) {
            this.element.replaceChildren(this.back(), failure(error));
        }
    }

    private back(): HTMLElement {
        return element("nav", { class: "back" }, link(this.api.address("/"), "← All profiles"));
    }

    private draw(profile: Profile): void {
        const input = first(profile);
        document.title = `${input?.model ?? profile.name} – Tacho`;
        const facts = [profile.name, input?.chain, input?.kind, profile.profile?.title, profile.size === null ? "" : bytes(profile.size), date(profile.modified)];
        this.element.replaceChildren(this.back(), element("h1", {}, input?.model ?? profile.name), element("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")));
        if (profile.state === "waiting") this.element.append(element("p", { role: "status" }, "It is being read …"));
        if (profile.state === "bad") this.element.append(mood("bad", profile.error ?? ""));
        if (profile.state !== "ready" || !input) return;
        this.element.append(element("dl", { class: "tiles" }, ...tiles(input.metrics).map((metric, at) => tile(metric, at === 0))));
        this.drawTabs(this.tabs(profile));
    }

    private tabs(profile: Profile): Tab[] {
        const own = OWN_TABS.map(([key, title, names]) => ({ key, title, tables: profile.tables.filter((table) => names.includes(table.name)) }));
        const taken = new Set(own.flatMap(({ tables }) => tables.map((table) => table.name)));
        const others = profile.tables.filter((table) => !taken.has(table.name) && !ELSEWHERE.includes(table.name));
        return [
            { key: "overview", title: "Overview", make: () => this.overview(profile) },
            ...(hasDevice(profile) ? [{ key: "device", title: "Device", make: () => new DevicePart(this.api, profile, this.timeline(), () => this.refresh()).element }] : []),
            ...(hasOps(profile) ? [{ key: "ops", title: "Ops", make: () => new OpsPart(this.api, profile, (table) => new ServedTable(this.api, this.id, table, false), () => this.refresh()).element }] : []),
            ...own.filter(({ tables }) => tables.length).map(({ key, title, tables }) => ({ key, title, make: () => (key === "latency" ? this.latency(tables) : this.tables(tables)) })),
            { key: "timeline", title: "Timeline", make: () => this.timeline() },
            { key: "report", title: "Report", make: () => frame(this.api.address(`/pages/report/${this.id}`), "Report") },
            ...(others.length ? [{ key: "tables", title: "More tables", make: () => this.more(others) }] : []),
            { key: "downloads", title: "Downloads", make: () => this.downloads(profile) },
        ];
    }

    private timeline(): HTMLElement {
        return frame(this.api.address(`/pages/timeline/${this.id}`), "Timeline", true);
    }

    private drawTabs(tabs: Tab[]): void {
        const sheet = element("div", { class: "sheet", role: "tabpanel" });
        const buttons = tabs.map((tab) => {
            const one = button(tab.title, "", () => choose(tab));
            one.removeAttribute("title");
            one.setAttribute("role", "tab");
            return one;
        });
        const choose = (tab: Tab): void => {
            let inside = this.made.get(tab.key);
            if (!inside) this.made.set(tab.key, inside = tab.make());
            sheet.replaceChildren(inside);
            buttons.forEach((one, at) => one.setAttribute("aria-selected", String(tabs[at] === tab)));
            history.replaceState(null, "", `#${tab.key}`);
        };
        this.element.append(element("div", { class: "tabs", role: "tablist" }, ...buttons), sheet);
        const wanted = tabs.find((tab) => tab.key === location.hash.slice(1)) ?? tabs[0];
        if (wanted) choose(wanted);
    }

    private overview(profile: Profile): HTMLElement {
        const made = element("div");
        for (const input of profile.profile?.inputs ?? []) {
            const runs = `${time(input.run_ns)} a run; ${count(input.runs.counted)} of ${count(input.runs.total)} runs count`;
            made.append(
                ...((profile.profile?.inputs.length ?? 0) > 1 ? [element("h2", {}, input.model)] : []),
                element("p", {}, input.sentence ?? runs),
                explain(input),
                metrics(input, (metric) => {
                    const wanted = wantedOfMetric(input, metric.metric);
                    return wanted ? timelineAddress(this.api, this.id, wanted) : null;
                }),
                element("p", { class: "quiet" }, `${count(input.rows.read)} rows were read, ${count(input.rows.used)} used, ${count(input.rows.lost)} lost.`),
                element("ul", { class: "notes" }, ...input.notes.map((note) => element("li", {}, note))));
        }
        return made;
    }

    private latency(tables: TableName[]): HTMLElement {
        return element("div", {}, new LatencyPlot(this.api, this.id).element, this.tables(tables));
    }

    private tables(tables: TableName[]): HTMLElement {
        return element("div", {}, ...tables.map((table) => new ServedTable(this.api, this.id, table, tables.length > 1).element));
    }

    /** Each is asked for when it is opened. */
    private more(tables: TableName[]): HTMLElement {
        return element("div", {}, ...tables.map((table) => {
            const one = element("details", {}, element("summary", {}, element("h2", {}, table.name), ` ${table.description}`));
            one.addEventListener("toggle", () => one.append(new ServedTable(this.api, this.id, table, false).element), { once: true });
            return one;
        }));
    }

    private downloads(profile: Profile): HTMLElement {
        return element("div", {},
            element("p", {}, perfetto(this.api, profile)),
            element("ul", { class: "prose" }, ...profile.formats.map((format) =>
                element("li", {}, link(this.api.address(`/download/${this.id}/${format.id}`), format.suffix), ` ${format.title}`)), ...archiveLinks(this.api, profile)));
    }
}
