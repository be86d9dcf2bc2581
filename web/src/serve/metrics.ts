// Where the time of a profile went: every metric, and what the whole is made of.

import type { Input, Metric } from "./api";
import { element } from "../page/dom";
import { time } from "../page/numbers";
import { bar, link } from "./parts";
import { percent } from "./show";

/** Every metric with its share as a bar; `address` leads to the slices behind it, null: it has none of its own. */
export function metrics(input: Input, address: (metric: Metric) => string | null): HTMLElement {
    const body = element("tbody");
    for (const metric of input.metrics) {
        const share = element("td", { class: "number" });
        const place = address(metric);
        const leads = (text: string, first: boolean): Node | string => {
            if (!place) return text;
            const made = link(place, text);
            made.className = "behind";
            if (!first) made.tabIndex = -1;
            return made;
        };
        if (metric.percent !== null) share.append(leads(percent(metric.percent), false), bar(metric.percent));
        body.append(element("tr", { title: metric.description }, element("td", {}, leads(metric.label, true)),
            element("td", { class: "number", title: `${metric.time} ns` }, leads(time(metric.time), false)), share));
    }
    return element("div", { class: "table" }, element("table", {}, body));
}

/** Keys of metrics, as tool chains call them. */
const MOVING = ["dma", "transfer", "copy"], COMPUTING = ["compute", "device", "inference"];

/** Sentences about overlap and idle time, where a profile tells them. */
export function sentences(input: Input): string[] {
    const find = (keys: string[]): Metric | undefined => input.metrics.find(({ metric }) => keys.includes(metric));
    const [whole, moving, computing, overlap, idle] = [["total_duration"], MOVING, COMPUTING, ["overlap"], ["idle"]].map(find);
    const made: string[] = [];
    if (whole && idle && !idle.time) made.push(`In all of ${time(whole.time)} something was at work.`);
    if (whole && idle?.time) {
        made.push(`Of ${time(whole.time)}, something was at work for ${time(whole.time - idle.time)}; for ${time(idle.time)}${idle.percent === null ? "" : ` (${percent(idle.percent)})`} nothing was: ${idle.description}.`);
    }
    if (moving && computing && overlap) {
        const hidden = moving.time > 0 ? ` ${percent(100 * overlap.time / moving.time)} of the time in which data moved were hidden behind computing` : "";
        made.push(`Data moved for ${time(moving.time)}, computing took ${time(computing.time)}; for ${time(overlap.time)} both went on at once.${hidden ? `${hidden}; ${time(moving.time - overlap.time)} were not.` : ""}`);
    }
    return made;
}

/** The whole as a bar of its parts, with sentences. */
export function explain(input: Input): HTMLElement {
    const find = (keys: string[]): Metric | undefined => input.metrics.find(({ metric }) => keys.includes(metric));
    const [whole, moving, computing, overlap, idle] = [["total_duration"], MOVING, COMPUTING, ["overlap"], ["idle"]].map(find);
    const made = element("div", { class: "explained" }, ...sentences(input).map((text) => element("p", {}, text)));
    if (!whole || !whole.time || !idle) return made;
    const parts: [string, number, string][] = moving && computing && overlap
        ? [["computing alone", computing.time - overlap.time, "compute"], ["both", overlap.time, "both"], ["moving data alone", moving.time - overlap.time, "move"], ["idle", idle.time, "idle"]]
        : [["at work", whole.time - idle.time, "compute"], ["idle", idle.time, "idle"]];
    const told = parts.reduce((sum, [, value]) => sum + value, 0);
    if (told < whole.time) parts.splice(-1, 0, ["other work", whole.time - told, "other"]);
    if (told > whole.time) return made; // these are no parts of the whole
    made.prepend(stack(parts.filter(([, value]) => value > 0), whole.time));
    return made;
}

function stack(parts: [string, number, string][], whole: number): HTMLElement {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("class", "stack");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", parts.map(([name, value]) => `${name} ${percent(100 * value / whole)}`).join(", "));
    let at = 0;
    for (const [, value, kind] of parts) {
        const one = document.createElementNS(space, "rect");
        for (const [name, given] of [["x", `${100 * at / whole}%`], ["width", `${100 * value / whole}%`], ["height", "100%"], ["class", kind]] as const) one.setAttribute(name, given);
        at += value;
        picture.append(one);
    }
    const legend = element("ul", { class: "legend" }, ...parts.map(([name, value, kind]) =>
        element("li", {}, element("i", { class: kind }), `${name} ${time(value)}, ${percent(100 * value / whole)}`)));
    const made = element("div");
    made.append(picture, legend);
    return made;
}
