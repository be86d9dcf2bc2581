// Pieces that several pages are made of.

import type { Api, Card, Metric } from "./api";
import { button, element } from "../page/dom";
import { time } from "../page/numbers";
import { handOver, hesitation, PERFETTO } from "./perfetto";
import { percent } from "./show";

export function mood(kind: "bad" | "warning" | "note", text: string): HTMLElement {
    return element("p", { class: `mood ${kind}`, role: kind === "bad" ? "alert" : "status" }, text);
}

export function failure(error: unknown): HTMLElement {
    return mood("bad", error instanceof Error ? error.message : String(error));
}

export function link(address: string, ...children: (Node | string)[]): HTMLAnchorElement {
    return element("a", { href: address }, ...children);
}

/** A share of the whole as a bar: what is more than the whole is as long as that. */
export function bar(share: number): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg";
    const made = document.createElementNS(space, "svg");
    const inside = document.createElementNS(space, "rect");
    inside.setAttribute("width", `${Math.max(0, Math.min(100, share))}%`);
    inside.setAttribute("height", "100%");
    made.setAttribute("class", "bar");
    made.setAttribute("aria-hidden", "true");
    made.append(inside);
    return made;
}

export function tile(metric: Metric, first: boolean): HTMLElement {
    const value = element("dd", { title: `${metric.time} ns` }, time(metric.time));
    if (!first && metric.percent !== null) value.append(element("small", {}, percent(metric.percent)));
    return element("div", { class: "tile", title: metric.description }, element("dt", {}, metric.label), value);
}

/** A page of a profile in a box of its own, which its scripts cannot leave; made when it is first seen. Our own pages ask the server themselves. */
export function frame(address: string, title: string, own = false): HTMLElement {
    const inside = element("iframe", { src: address, title, ...(own ? {} : { sandbox: "allow-scripts allow-downloads" }) });
    const waiting = element("p", { class: "quiet", role: "status" }, "It is being made …");
    inside.addEventListener("load", () => waiting.remove());
    return element("div", { class: "framed" }, element("p", { class: "tools" }, link(address, "Open alone")), waiting, inside);
}

export function perfetto(api: Api, card: Card): HTMLElement {
    return openInPerfetto(card.name, () => api.bytes(`/download/${card.id}/perfetto`));
}

/** "Open in Perfetto", and what became of it. */
export function openInPerfetto(name: string, bytes: () => Promise<ArrayBuffer>): HTMLElement {
    const told = element("span", { class: "quiet", role: "status" }, hesitation(location.hostname));
    const open = button("Open in Perfetto", "Opens ui.perfetto.dev and hands the trace over: it does not leave the browser", () => {
        // Browsers open a window only at once.
        const other = window.open(PERFETTO);
        if (!other) {
            told.replaceChildren("The browser does not let a window be opened.");
            return;
        }
        told.replaceChildren("Perfetto gets the trace …");
        const trace = bytes().then((buffer) => ({ buffer, title: name, fileName: `${name.split("/").pop()}.pb` }));
        handOver(other, window, trace).then(() => told.replaceChildren("Perfetto has the trace."),
            (error: unknown) => told.replaceChildren(error instanceof Error ? error.message : String(error)));
    });
    return element("span", { class: "perfetto" }, open, told);
}

/** What was chosen, or written and ended with Enter. What is taken from the list of a field, or cleared, counts at once. */
export function hear(field: HTMLSelectElement | HTMLInputElement, action: (value: string) => void): void {
    field.addEventListener("change", () => action(field.value.trim()));
    if (field instanceof HTMLInputElement) {
        field.addEventListener("input", (event) => (!field.value || (event as InputEvent).inputType === "insertReplacementText") && action(field.value.trim()));
    }
}

export function field(title: string, control: HTMLElement): HTMLElement {
    return element("label", {}, element("span", {}, title), control);
}

/** Fills a select, where what there is to choose changed. */
export function options(select: HTMLSelectElement, values: [value: string, text: string][], chosen: string): void {
    const known = values.some(([value]) => value === chosen) ? values : [[chosen, chosen || "–"] as [string, string], ...values];
    if (select.options.length !== known.length || known.some(([value], at) => select.options[at]?.value !== value))
        select.replaceChildren(...known.map(([value, text]) => element("option", { value }, text)));
    select.value = chosen;
}
