// Puts the page of a trace together.

import "./page.css";
import { button, element } from "../dom";
import { count, time } from "../numbers";
import { Colours } from "./colour";
import { Finder } from "./finder";
import { handleKeys } from "./keys";
import type { Head } from "./model";
import { RangePanel } from "./range";
import { SlicePanel } from "./slice";
import { EmbeddedSource } from "./source";
import { followAddress } from "./state";
import { Strip } from "./strip";
import { headTable, runsTable } from "./tables";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { addTip } from "./tip";

function facts(head: Head): HTMLElement {
    const fact = (name: string, value: string): HTMLElement => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const list = [fact("Time", time(head.end - head.begin)), fact("Slices", count(head.counts.slices)), fact("Tracks", count(head.counts.tracks)), fact("Names", count(head.counts.labels))];
    if (head.counts.instants > 0) list.push(fact("Moments", count(head.counts.instants)));
    if (head.runs.length > 0) list.push(fact("Runs", count(head.runs.length)));
    if (head.counts.lost > 0) list.push(fact("Lost", count(head.counts.lost)));
    return element("dl", { class: "facts" }, ...list);
}

async function start(app: HTMLElement): Promise<void> {
    const source = await EmbeddedSource.open();
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
    tabs.add("Range", new RangePanel(timeline, () => tabs.show(RANGE), find).element);
    const NAMES = tabs.add("Names", finder.element);
    if (head.runs.length > 0) tabs.add("Runs", runsTable(timeline));
    const known = new Set(source.labels.flatMap((label) => [label.name, label.operator]).filter((text) => text !== ""));
    for (const given of head.tables) {
        const made = headTable(given, (text) => finder.filter(text), known);
        if (made) tabs.add(...made);
    }
    timeline.onSelect((found) => found && tabs.show(SLICE));
    const dialog = handleKeys(timeline, finder);
    const { view } = timeline;
    const controls = element("div", { class: "controls", role: "toolbar", "aria-label": "Timeline" }, finder.bar,
                             button("+", "Zoom in (W)", () => view.zoom(1 / 1.6)), button("−", "Zoom out (S)", () => view.zoom(1.6)), button("All", "Show everything (0)", () => view.fit()),
                             button("Keys", "What the keys do (?)", () => dialog.showModal()));
    app.append(element("header", {}, element("h1", {}, head.title), facts(head), ...head.notes.map((note) => element("p", { class: "notes mood warning" }, note))),
               element("main", {}, controls, strip.canvas, timeline.element, tabs.element), dialog);
    addTip(timeline);
    changed = followAddress(timeline, finder);
    Object.assign(window, { tacho: { source, timeline } });
    void timeline.whenReady().then(() => strip.refine());
}

const app = document.getElementById("app");
if (app) start(app).catch((error: unknown) => app.append(element("p", { class: "mood warning" }, `The page cannot be shown: ${String(error)}`)));
