// Puts the page of a trace together.

import "./page.css";
import { button, element } from "./dom";
import { count, time } from "./numbers";
import { Colours } from "./colour";
import { Finder } from "./finder";
import { FlamePanel } from "./flamegraph";
import { Folding } from "./folding";
import { handleKeys } from "./keys";
import { mapPanel } from "./map";
import type { Head } from "./model";
import { startPair } from "./pair";
import { RangePanel } from "./range";
import { beginWithReport } from "./report";
import { RunsPanel } from "./runs";
import { SlicePanel } from "./slice";
import { EmbeddedSource, servedSources, type TraceSource } from "./source";
import { followAddress } from "./state";
import { Strip } from "./strip";
import { headTable } from "./tables";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { addTip } from "./tip";

function facts(head: Head): HTMLElement {
    const fact = (name: string, value: string): HTMLElement => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const list = [fact("Time", time(head.end - head.begin)), fact("Slices", count(head.counts.slices)), fact("Tracks", count(head.counts.tracks)), fact("Names", count(head.counts.labels))];
    if (head.counts.instants > 0) list.push(fact("Moments", count(head.counts.instants)));
    if (head.runs.length > 0) list.push(fact("Runs", count(head.runs.filter((run) => !run.piece).length)));
    if (head.counts.lost > 0) list.push(fact("Lost", count(head.counts.lost)));
    return element("dl", { class: "facts" }, ...list);
}

/** What the page has in itself, or what the server has that it came from. */
async function begin(app: HTMLElement): Promise<void> {
    const served = document.getElementById("trace") ? [] : servedSources(location);
    if (served.length === 0) return start(app, await EmbeddedSource.open());
    const waiting = element("p", { class: "quiet", role: "status" }, "The trace is being read …");
    app.append(waiting);
    const [one, other] = await Promise.all(served.map((source) => source())).finally(() => waiting.remove());
    if (other) return startPair(app, [one!, other]);
    document.title = `Timeline: ${one!.head.title}`;
    return start(app, one!);
}

async function start(app: HTMLElement, source: TraceSource): Promise<void> {
    const { head } = source;
    const timeline = new Timeline(source, new Colours(source.labels));
    const strip = new Strip(timeline, timeline.colours);
    const tabs = new Tabs();
    let changed = (): void => undefined;
    const finder = new Finder(timeline, () => {
        strip.redraw();
        changed();
    }, () => tabs.show(NAMES));
    const find = (label: number): void => void finder.showLabel(label);
    const SLICE = tabs.add("Slice", new SlicePanel(timeline, find).element);
    const RANGE = 1;
    tabs.add("Range", new RangePanel(timeline, () => tabs.title === "Flame" || tabs.show(RANGE), find).element);
    const NAMES = tabs.add("Names", finder.element);
    const flame = new FlamePanel(timeline, find);
    tabs.add("Flame", flame.element);
    const runs = head.runs.length > 0 ? new RunsPanel(timeline) : null;
    if (runs) tabs.add("Runs", runs.element);
    tabs.onShow(() => {
        void flame.update();
        runs?.overlay.redraw();
    });
    const map = mapPanel(timeline);
    if (map) tabs.add("Map", map);
    const known = new Set(source.labels.flatMap((label) => [label.name, label.operator]).filter((text) => text !== ""));
    let first: number | null = null;
    for (const given of head.tables) {
        const made = headTable(given, (text) => finder.showName(text), known);
        if (!made) continue;
        const number = tabs.add(...made);
        first ??= number;
    }
    if (first !== null) tabs.show(first);
    timeline.onSelect((found) => found && tabs.show(SLICE));
    const folding = new Folding(timeline, strip);
    const dialog = handleKeys(timeline, finder, folding, runs);
    const { view } = timeline;
    const controls = element("div", { class: "controls", role: "toolbar", "aria-label": "Timeline" }, finder.bar,
                             button("+", "Zoom in (W)", () => view.zoom(1 / 1.6)), button("−", "Zoom out (S)", () => view.zoom(1.6)), button("All", "Show everything (0)", () => view.fit()), folding.button,
                             ...(runs ? [button("Slowest run", "Zoom to the slowest run that counts (R)", () => runs.showSlowest())] : []),
                             button("Keys", "What the keys do (?)", () => dialog.showModal()));
    app.append(element("header", {}, element("h1", {}, head.title), facts(head), ...head.notes.map((note) => element("p", { class: "notes mood warning" }, note))),
               element("main", {}, controls, strip.element, timeline.element, tabs.element), dialog);
    addTip(timeline);
    changed = followAddress(timeline, finder, folding, tabs);
    Object.assign(window, { tacho: { source, timeline, runs } });
    await timeline.whenReady();
    performance.mark("picture");
    if (source.local) void folding.tell();
}

const app = document.getElementById("app");
if (app) {
    const fail = (error: unknown): void => app.append(element("p", { class: "mood warning" }, `The page cannot be shown: ${String(error)}`));
    beginWithReport(app, () => void begin(app).catch(fail));
}
