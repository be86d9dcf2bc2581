// Puts the page together: the timeline first, then the tables that the page came with, the map and the names.

import "./page.css";

import { Colours } from "./colour";
import { makeControls } from "./controls";
import { element } from "./dom";
import { makeFold, mostlyIdle } from "./fold";
import { Units } from "./format";
import { MapView } from "./map";
import { readPage, type Page } from "./model";
import { Overview } from "./overview";
import { Timeline } from "./timeline";
import { View } from "./view";
import { Zones } from "./zones";

/** How many lanes are shown in full; more begin low. */
const MANY_LANES = 120;

function facts(page: Page): HTMLElement {
    return element("dl", { class: "facts" }, ...page.facts.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/** Numbers of the tables with separators and at most one decimal; the exact one appears under the pointer. */
function group(tables: HTMLElement[]): void {
    const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
    for (const cell of tables.flatMap((table) => [...table.querySelectorAll<HTMLElement>("td.number")])) {
        const text = cell.textContent ?? "";
        if (!/^-?\d+(\.\d+)?$/.test(text)) continue;
        cell.textContent = format.format(Number(text));
        if (text.includes(".")) cell.title ||= text;
    }
}

/** Rows of the tables that a map exists for choose it. */
function connect(page: Page, tables: HTMLElement[], map: MapView): void {
    tables.forEach((table, index) => {
        const section = page.sections.length > 1 ? Math.min(index, page.sections.length - 1) : 0;
        for (const row of table.querySelectorAll("tbody tr")) {
            const title = row.firstElementChild?.textContent ?? "";
            if (!page.maps.some((one) => one.title === title && one.section === section)) continue;
            const choose = element("button", { type: "button", class: "plain", title: "Show on the map" }, title);
            choose.addEventListener("click", () => map.chooseTitle(title, section));
            row.firstElementChild!.replaceChildren(choose);
        }
    });
}

/** One step after the other, each a task of its own, so that the page answers in between. */
function inTurn(steps: (() => void)[]): void {
    const [first, ...rest] = steps;
    first();
    if (rest.length) setTimeout(() => inTurn(rest), 0);
}

function start(): void {
    const app = document.getElementById("app");
    const page = readPage();
    if (!app || !page) return;
    const tables = [...document.querySelectorAll<HTMLElement>("main > section")];
    const units = new Units(page.words);
    const colours = new Colours(page);
    const fold = makeFold(page.idle, page.last - page.first);
    if (mostlyIdle(fold, page.last - page.first)) page.setFold(fold);
    const view = new View(page.first, page.last);
    const timeline = new Timeline(page, view, colours, units);
    timeline.layout.compact = page.lanes.length > MANY_LANES;
    const lower = element("div", { class: "lower" }, ...tables);
    let zones: Zones | null = null;

    const showTimeline = (): void => {
        app.append(facts(page));
        for (const note of page.notes) app.append(element("p", { class: "mood warning" }, note));
        const overview = new Overview(page, view, colours);
        const controls = makeControls(page, timeline, colours, fold, () => zones?.refresh(), () => overview.recount());
        zones = new Zones(page, units, colours, (labels) => controls.highlight(labels));
        app.append(element("section", { class: "stage" }, controls.element, overview.element, timeline.element), lower);
        timeline.arrange();
    };
    const showTables = (): void => {
        group(tables);
        if (!page.maps.length) return;
        const map = new MapView(page, colours, (group) => timeline.showGroup(group), () => {});
        connect(page, tables, map);
        lower.append(map.element);
    };
    const showZones = (): void => {
        app.append(zones!.element);
        zones!.refresh();
    };
    inTurn([showTimeline, showTables, showZones]);
}

start();
