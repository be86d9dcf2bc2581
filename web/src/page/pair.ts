// Two traces on one axis, one below the other, which move together. They lie over each other where both begin, where a run of each
// begins, or where a slice that was chosen in each does.

import { commonRuns, startOf } from "./align";
import { button, element } from "./dom";
import { Colours } from "./colour";
import type { Found } from "./marks";
import { time } from "./numbers";
import { path } from "./slice";
import type { TraceSource } from "./source";
import { Timeline } from "./timeline";
import { addTip } from "./tip";

const SHARE = 0.36; // of the height of the window, for each
const BEGIN = "begin";
const SLICES = "slices";

interface Side {
    title: string;
    timeline: Timeline;
    told: HTMLElement;
    selected: Found | null;
}

class Pair {
    readonly element = element("main", { class: "pair" });
    private readonly sides: [Side, Side];
    private readonly select: HTMLSelectElement;
    private readonly told = element("span", { class: "quiet", role: "status" });
    private moving = false;

    constructor(sources: [TraceSource, TraceSource]) {
        const [one, other] = sources.map((source, at) => this.side(source, at === 0 ? "Before" : "After"));
        this.sides = [one!, other!];
        const runs = commonRuns([sources[0].head, sources[1].head]);
        this.select = element("select", { "aria-label": "Aligned at" }, element("option", { value: BEGIN }, "where both begin"),
                              ...runs.map((name) => element("option", { value: `run ${name}` }, `where ${name} begins`)), element("option", { value: SLICES, disabled: "" }, "where the selected slices begin"));
        this.select.addEventListener("change", () => this.align());
        const { view } = this.sides[0].timeline;
        const tools = element("div", { class: "controls", role: "toolbar", "aria-label": "Timelines" },
                              element("label", {}, "Aligned ", this.select), button("+", "Zoom in (W)", () => view.zoom(1 / 1.6)), button("−", "Zoom out (S)", () => view.zoom(1.6)), button("All", "Show everything (0)", () => view.fit()), this.told);
        this.element.append(tools, ...this.sides.flatMap(({ title, timeline, told }) => [element("h2", {}, title, ": ", timeline.source.head.title), timeline.element, told]));
        this.sides.forEach((side, at) => side.timeline.view.onChange(() => this.follow(at)));
        this.listen();
        this.align();
    }

    private side(source: TraceSource, title: string): Side {
        const timeline = new Timeline(source, new Colours(source.labels));
        const side: Side = { title, timeline, told: element("p", { class: "quiet", role: "status" }, "Click a slice to choose it."), selected: null };
        timeline.share = SHARE;
        timeline.onSelect((found) => this.choose(side, found));
        addTip(timeline);
        return side;
    }

    private choose(side: Side, found: Found | null): void {
        const { source } = side.timeline;
        side.selected = found;
        side.told.textContent = found ? `${source.labels[found.label]?.name ?? ""} · ${time(found.end - found.start)} · ${path(source, source.rows[found.row]!.track)}` : "Click a slice to choose it.";
        const [one, other] = this.sides.map(({ selected }) => selected);
        const both = Boolean(one && other);
        const option = this.select.options[this.select.options.length - 1]!;
        option.disabled = !both;
        if (!both && this.select.value === SLICES) this.select.value = BEGIN;
        this.told.textContent = one && other ? `The slice takes ${time(one.end - one.start)} before, ${time(other.end - other.start)} after: ${difference(other.end - other.start - (one.end - one.start))}` : "";
        if (both && this.select.value === SLICES) this.align();
    }

    /** The time of a trace that lies over that of the other. */
    private zero({ timeline, selected }: Side): number {
        const { head } = timeline.source;
        const how = this.select.value;
        if (how === SLICES && selected) return selected.start;
        return how === BEGIN || how === SLICES ? head.begin : startOf(head, how.slice("run ".length));
    }

    private align(): void {
        const zeros = this.sides.map((side) => this.zero(side));
        const heads = this.sides.map(({ timeline }) => timeline.source.head);
        const before = Math.max(...heads.map((head, at) => zeros[at]! - head.begin));
        const after = Math.max(...heads.map((head, at) => head.end - zeros[at]!));
        this.moving = true;
        this.sides.forEach(({ timeline }, at) => {
            timeline.renderer.zero = zeros[at]!;
            timeline.view.bound(zeros[at]! - before, zeros[at]! + Math.max(after, 1));
        });
        this.moving = false;
        const { view } = this.sides[0].timeline;
        if (this.select.value === BEGIN) view.fit();
        else view.show(zeros[0]! - view.span * 0.05, zeros[0]! + view.span * 0.95);
    }

    /** The other one shows what this one shows. */
    private follow(at: number): void {
        if (this.moving) return;
        const [from, to] = [this.sides[at]!.timeline, this.sides[1 - at]!.timeline];
        const by = to.renderer.zero - from.renderer.zero;
        this.moving = true;
        to.view.place(from.view.start + by, from.view.end + by);
        this.moving = false;
    }

    private listen(): void {
        const { view } = this.sides[0].timeline;
        const keys: Record<string, () => void> = {
            a: () => view.pan(-0.12), d: () => view.pan(0.12), w: () => view.zoom(1 / 1.4), s: () => view.zoom(1.4), "0": () => view.fit(),
            ArrowLeft: () => view.pan(-0.12), ArrowRight: () => view.pan(0.12), "+": () => view.zoom(1 / 1.4), "-": () => view.zoom(1.4),
        };
        window.addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("select, input")) return;
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
        });
    }

    get timelines(): Timeline[] {
        return this.sides.map(({ timeline }) => timeline);
    }
}

function difference(by: number): string {
    return by === 0 ? "as long" : `${time(Math.abs(by))} ${by > 0 ? "longer" : "shorter"}`;
}

export async function startPair(app: HTMLElement, sources: [TraceSource, TraceSource]): Promise<void> {
    const pair = new Pair(sources);
    document.title = `Timelines: ${sources.map(({ head }) => head.title).join(" and ")}`;
    app.append(element("header", {}, element("h1", {}, "Both timelines")), pair.element);
    Object.assign(window, { tacho: { pair, timelines: pair.timelines } });
    await Promise.all(pair.timelines.map((timeline) => timeline.whenReady()));
    performance.mark("picture");
}
