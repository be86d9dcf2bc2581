// One slice in words: what it is, what it carries, and what came before and after along its flows.

import { button, element } from "./dom";
import { count, time } from "./numbers";
import type { Arguments } from "./kit";
import type { Arrow, Found } from "./marks";
import { chunkOf } from "./model";
import { integer } from "./search";
import type { TraceSource } from "./source";
import { selfTime } from "./sums";
import type { Timeline } from "./timeline";

const MANY = 12; // flows of a slice that are listed

export function pairs(list: [string, Node | string][]): HTMLElement {
    return element("dl", { class: "pairs" }, ...list.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

/** Exact, and for people. */
export function exact(nanoseconds: number): string {
    return Math.abs(nanoseconds) < 1000 ? time(nanoseconds) : `${time(nanoseconds)} · ${count(nanoseconds)} ns`;
}

/** A track with the groups around it. */
export function path(source: TraceSource, track: number): string {
    const names: string[] = [];
    for (let at = track; at >= 0; at = source.head.tracks[at]!.parent) names.unshift(source.head.tracks[at]!.name);
    return names.join(" › ");
}

function word(source: TraceSource, type: number, value: bigint): string {
    switch (type) {
    case 0: case 6: return source.texts[Number(value)] ?? "";
    case 3: return String(new Float64Array(BigUint64Array.of(value).buffer)[0]);
    case 4: return value === 0n ? "false" : "true";
    case 5: return `0x${value.toString(16)}`;
    default: return (integer(type, value) ?? value).toLocaleString("en-US");
    }
}

export class SlicePanel {
    readonly element = element("div", { "aria-live": "polite" });

    constructor(private readonly timeline: Timeline, private readonly findLabel: (label: number) => void, private readonly keys = "; ? lists the keys") {
        timeline.onSelect((found) => void this.show(found));
        void this.show(null);
    }

    private async show(found: Found | null): Promise<void> {
        try {
            await this.tell(found);
        } catch (error) {
            this.element.append(element("p", { class: "mood warning" }, `The rest cannot be read: ${String(error)}`));
        }
    }

    private async tell(found: Found | null): Promise<void> {
        const { source } = this.timeline;
        if (!found) {
            this.element.replaceChildren(element("p", { class: "quiet" }, "Click a slice, or press Enter, to see what it is. Shift and drag selects a range" + this.keys + "."));
            return;
        }
        const label = source.labels[found.label]!;
        const row = source.rows[found.row]!;
        const list: [string, Node | string][] = [];
        const add = (name: string, value: Node | string): void => void (value !== "" && list.push([name, value]));
        if (label.operator !== label.name) add("Operator", label.operator);
        add("Track", path(source, row.track));
        add("Engine", label.engine);
        add("Start", exact(found.start - source.head.begin));
        if (source.head.origin !== "0" || source.head.begin !== 0) {
            add("By its clock", `${(BigInt(source.head.origin) + BigInt(Math.round(found.start))).toLocaleString("en-US")} ns`);
        }
        add("Length", row.kind === 2 ? "a moment" : exact(found.end - found.start));
        add("Source", label.location);
        const title = element("h2", {}, element("span", { class: "swatch" }), label.name || "(no name)");
        (title.firstElementChild as HTMLElement).style.background = this.timeline.colours.label(found.label);
        const facts = pairs(list);
        const others = button(`All ${count(label.count)} of this name`, "", () => this.findLabel(found.label));
        const tools = element("p", { class: "tools" }, others, button("Zoom to it", "F", () => this.timeline.zoomTo(found)),
                              button("Previous", ",", () => void this.timeline.step(-1)), button("Next", ".", () => void this.timeline.step(1)));
        const right = element("div");
        this.element.replaceChildren(title, tools, element("div", { class: "side" }, element("div", {}, facts), right));
        const own = await selfTime(source, found.row, found.start, found.end);
        if (this.timeline.marks.selection === found && own !== null) facts.append(element("dt", {}, "Self"), element("dd", {}, exact(own)));
        const number = chunkOf(row, found.slice);
        const carried = await source.arguments(row, number);
        if (this.timeline.marks.selection !== found || !carried) return;
        await this.showCarried(found, carried, found.slice - row.slices[number]!, facts, right);
    }

    private async showCarried(found: Found, carried: Arguments, at: number, facts: HTMLElement, right: HTMLElement): Promise<void> {
        const { source } = this.timeline;
        const run = source.head.runs[carried.runs[at]! - 1];
        if (run) facts.append(element("dt", {}, "Run"), element("dd", {}, `${run.name}${run.counted === false ? " (not counted)" : ""}`));
        const list: [string, string][] = [];
        for (let i = carried.offsets[at]!; i < carried.offsets[at + 1]!; i++) {
            list.push([source.texts[carried.keys[i]!] ?? "", word(source, carried.types[i]!, carried.values[i]!)]);
        }
        if (list.length > 0) right.append(element("h3", {}, "Arguments"), pairs(list));
        const numbers = carried.flows.subarray(carried.flowOffsets[at], carried.flowOffsets[at + 1]);
        if (numbers.length > 0) await this.showFlows(found, numbers, right);
    }

    private async showFlows(found: Found, numbers: Uint32Array, right: HTMLElement): Promise<void> {
        const flows = await this.timeline.source.flows();
        const before: Found[] = [];
        const after: Found[] = [];
        const arrows: Arrow[] = [];
        for (const number of numbers.subarray(0, MANY)) {
            const ends = (await Promise.all((flows.get(number) ?? []).map((pick) => this.timeline.find(pick)))).filter((end) => end !== null);
            for (let i = 1; i < ends.length; i++) arrows.push({ from: ends[i - 1]!, to: ends[i]! });
            const here = ends.findIndex((end) => end.row === found.row && end.slice === found.slice);
            if (ends[here - 1]) before.push(ends[here - 1]!);
            if (here >= 0 && ends[here + 1]) after.push(ends[here + 1]!);
        }
        if (this.timeline.marks.selection !== found) return;
        this.timeline.marks.arrows = arrows;
        this.timeline.redraw();
        for (const [title, list] of [["Before, along its flows", before], ["After, along its flows", after]] as const) {
            if (list.length > 0) right.append(element("h3", {}, title), element("ul", {}, ...list.map((end) => element("li", {}, this.link(end)))));
        }
        if (numbers.length > MANY) right.append(element("p", { class: "quiet" }, `${count(numbers.length - MANY)} more flows`));
    }

    private link(end: Found): HTMLElement {
        const { source } = this.timeline;
        const made = element("button", { type: "button", class: "plain" }, `${source.labels[end.label]?.name ?? ""} (${path(source, source.rows[end.row]!.track)}, ${time(end.end - end.start)})`);
        made.addEventListener("click", () => void this.timeline.reveal(end));
        return made;
    }
}
