// Finds: every name with its numbers, how long its slices are, and the slices themselves; and the search of the bar above.

import { button, element } from "./dom";
import { count, time } from "./numbers";
import { drawHistogram } from "./histogram";
import { lengthsOf, longestHits, numberOf, stepHit, type Hit } from "./hits";
import type { Hits } from "./marks";
import { CLASS, type Label } from "./model";
import { labelsWith, search, type Result, type Search } from "./search";
import { path } from "./slice";
import { Table } from "./table";
import type { Timeline } from "./timeline";

const LISTED = 20000; // slices of a name that are listed, the longest

export class Finder {
    /** The tab with all names. */
    readonly element = element("div", { class: "side" });
    /** The search in the bar. */
    readonly bar = element("span", { class: "searching", role: "search" });
    readonly input = element("input", { type: "search", placeholder: "Search", title: "Names, operators and arguments (/)", "aria-label": "Search" });
    private readonly told = element("span", { class: "found", role: "status" });
    private readonly names: Table<Label>;
    private readonly slices: Table<Hit>;
    private readonly detail = element("div");
    private readonly canvas = element("canvas", { class: "histogram", role: "img", "aria-label": "Histogram of lengths" });
    private readonly line = element("p", { class: "quiet" });
    private readonly title = element("h2");
    private hits = new Map<number, Hits>();
    private kept = 0;
    private running = 0;
    private label = -1;
    private timer = 0;
    query = "";

    constructor(private readonly timeline: Timeline, private readonly changed: () => void, private readonly open: () => void) {
        const { labels, rows } = timeline.source;
        const numbers = new Map(labels.map((label, number) => [label, number]));
        const name = (label: Label): Node => {
            const made = element("button", { type: "button", class: "plain" }, label.name || "(no name)");
            made.addEventListener("click", () => void this.showLabel(numbers.get(label)!));
            return made;
        };
        const nanoseconds = (title: string, value: (label: Label) => number) => ({ title, number: true, value, show: (label: Label) => time(value(label)) });
        this.names = new Table<Label>("All names", [
            { title: "Name", value: (label) => label.name, show: name },
            { title: "Operator", value: (label) => label.operator },
            { title: "Engine", value: (label) => label.engine },
            { title: "Count", number: true, value: (label) => label.count, show: (label) => count(label.count) },
            nanoseconds("Self", (label) => label.self), nanoseconds("Total", (label) => label.total),
            nanoseconds("Mean", (label) => (label.count > 0 ? label.total / label.count : 0)),
            nanoseconds("Shortest", (label) => label.shortest), nanoseconds("Longest", (label) => label.longest),
        ], 4, (label) => `${label.name}\n${label.operator}\n${label.engine}`);
        this.names.chosen = (label) => numbers.get(label) === this.label;
        this.names.set(labels.filter((label) => label.count > 0 && label.class !== CLASS.drawn));
        this.slices = new Table<Hit>("Slices of the name", [
            { title: "Start", number: true, value: (one) => one.start, show: (one) => this.sliceLink(one) },
            { title: "Length", number: true, value: (one) => one.end - one.start, show: (one) => time(one.end - one.start) },
            { title: "Track", value: (one) => path(timeline.source, rows[one.row]!.track) },
        ], 1, (one) => path(timeline.source, rows[one.row]!.track));
        this.element.append(this.names.element, this.detail);
        this.bar.append(this.input, button("‹", "Previous hit (N)", () => void this.step(-1)), button("›", "Next hit (n)", () => void this.step(1)), this.told);
        this.input.addEventListener("input", () => {
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => void this.search(this.input.value), 200);
        });
        this.input.addEventListener("keydown", (event) => {
            if (event.key === "Enter") void this.enter(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") {
                this.input.value = "";
                void this.search("");
                timeline.canvas.focus();
            }
        });
        timeline.colours.onChange(() => this.drawLengths());
    }

    private sliceLink(one: Hit): Node {
        const made = element("button", { type: "button", class: "plain" }, time(one.start - this.timeline.source.head.begin));
        made.addEventListener("click", () => void this.timeline.reveal(one));
        return made;
    }

    private async enter(direction: 1 | -1): Promise<void> {
        clearTimeout(this.timer);
        if (this.input.value.trim() !== this.query) await this.search(this.input.value);
        await this.step(direction);
    }

    async search(text: string): Promise<void> {
        this.query = text.trim();
        this.input.value = text;
        this.label = -1;
        this.detail.replaceChildren();
        if (!this.query) {
            this.running++;
            this.show(null);
            this.told.textContent = "";
            this.changed();
            return;
        }
        await this.run({ labels: labelsWith(this.timeline.source, this.query), argument: this.query }, "hit");
        this.changed();
    }

    async showLabel(number: number): Promise<void> {
        const { source } = this.timeline;
        const label = source.labels[number];
        if (!label) return;
        this.open();
        this.label = number;
        this.names.fill();
        this.title.textContent = label.name;
        this.line.textContent = "";
        this.detail.replaceChildren(this.title, this.canvas, this.line, this.slices.element);
        this.slices.set([]);
        const labels = new Uint8Array(source.labels.length);
        labels[number] = 1;
        const result = await this.run({ labels, argument: "" }, "slice");
        if (!result) return;
        this.slices.set(longestHits(this.hits, LISTED));
        this.line.textContent = `${count(result.count)} slices from ${time(label.shortest)} to ${time(label.longest)}, ${time(label.total / label.count)} on average` +
            (result.kept < result.count ? `; the first ${count(result.kept)} are drawn` : result.kept > LISTED ? `; the ${count(LISTED)} longest are listed` : "");
        this.drawLengths();
    }

    /** The slices of that name, or else of that operator; where several labels have it, all of them in the table. */
    showName(text: string): void {
        const found = labelsCalled(this.timeline.source.labels, text);
        this.filter(found.length > 0 ? text : bare(text));
        if (found.length === 1) void this.showLabel(found[0]!);
        else void this.search(found.length > 0 ? text : bare(text));
    }

    /** The slices of some engines. */
    async showEngines(titles: string[]): Promise<void> {
        this.open();
        await this.run({ labels: Uint8Array.from(this.timeline.source.labels, ({ engine }) => Number(titles.includes(engine))), argument: "" }, "slice");
    }

    /** Only those with that operator or name, in the table. */
    filter(text: string): void {
        this.open();
        this.names.filter(text);
    }

    private drawLengths(): void {
        if (this.label >= 0) drawHistogram(this.canvas, lengthsOf(this.hits), this.timeline.colours, this.timeline.colours.label(this.label));
    }

    private async run(wanted: Search, noun: string): Promise<Result | null> {
        const mine = ++this.running;
        const tell = (result: Result, share: number): void => {
            const kept = result.kept < result.count ? `, the first ${count(result.kept)} marked` : "";
            const lost = result.lost > 0 ? `, ${count(result.lost)} slices cannot be read` : "";
            this.told.textContent = `${count(result.count)} ${noun}${result.count === 1 ? "" : "s"}${kept}${lost}${share < 1 ? ` · ${Math.round(share * 100)} %` : ""}`;
        };
        const result = await search(this.timeline.source, wanted, (share, soFar) => {
            tell(soFar, share);
            this.show(soFar);
        }, () => this.running !== mine);
        if (!result) return null;
        this.show(result);
        tell(result, 1);
        return result;
    }

    private show(result: Result | null): void {
        this.timeline.marks.hits = result && new Map(result.hits);
        this.hits = result?.hits ?? new Map();
        this.kept = result?.kept ?? 0;
        this.timeline.redraw();
        this.changed();
    }

    /** Hits in order of time; from the selected one on, or from the left edge of what is shown. */
    async step(direction: 1 | -1): Promise<void> {
        const { marks, view } = this.timeline;
        const found = stepHit(this.hits, marks.selection ?? { start: view.from, row: -1, slice: -1 }, direction);
        if (!found) return;
        await this.timeline.reveal(found);
        this.told.textContent = `${count(numberOf(this.hits, found) + 1)} of ${count(this.kept)}`;
    }
}

/** Numbers of labels with that name; else of those with that operator. */
export function labelsCalled(labels: Label[], text: string): number[] {
    const all = labels.map((_, number) => number).filter((number) => labels[number]!.class !== CLASS.drawn && labels[number]!.count > 0);
    const named = all.filter((number) => labels[number]!.name === text);
    return named.length > 0 ? named : all.filter((number) => labels[number]!.operator === text);
}

/** "35 x matmul #2 (conv)" without what a report puts around a name. */
export function bare(text: string): string {
    return text.replace(/^\d+ x /, "").replace(/ \([^()]*\)$/, "");
}
