// Runs: how long each took, which of them are unlike the others, and all of them laid over each other.

import { button, element } from "./dom";
import type { Run } from "./model";
import { count, time } from "./numbers";
import { Overlay } from "./overlay";
import { Table } from "./table";
import type { Timeline } from "./timeline";

/** A run with all of its pieces. */
export interface WholeRun {
    name: string;
    start: number;
    end: number;
    /** Without the pauses between its pieces. */
    length: number;
    counted: boolean | undefined;
    outlier: boolean;
}

export function wholeRuns(runs: Run[]): WholeRun[] {
    const made: WholeRun[] = [];
    for (const run of runs) {
        const before = made[made.length - 1];
        if (run.piece && before) {
            before.end = Math.max(before.end, run.end);
            before.length += run.end - run.start;
        } else {
            made.push({ name: run.name, start: run.start, end: run.end, length: run.end - run.start, counted: run.counted, outlier: false });
        }
    }
    const [low, high] = fences(countedRuns(made).map((run) => run.length));
    for (const run of made) run.outlier = run.counted !== false && (run.length < low || run.length > high);
    return made;
}

/** Those that means are about; all, where that is not known of any. */
export function countedRuns(runs: WholeRun[]): WholeRun[] {
    const counted = runs.filter((run) => run.counted !== false);
    return counted.length > 0 ? counted : runs;
}

/** What lies outside is unlike the others: one and a half times the range between the quartiles away from these. */
export function fences(lengths: number[]): [number, number] {
    if (lengths.length < 4) return [-Infinity, Infinity];
    const sorted = [...lengths].sort((one, other) => one - other);
    const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
    return [lower - 1.5 * (upper - lower), upper + 1.5 * (upper - lower)];
}

export function quantile(sorted: number[], share: number): number {
    const at = (sorted.length - 1) * share;
    const low = sorted[Math.floor(at)] ?? 0;
    return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
}

export class RunsPanel {
    readonly element = element("div", { class: "runs" });
    readonly runs: WholeRun[];
    readonly overlay: Overlay;
    private readonly slowest: WholeRun;

    constructor(private readonly timeline: Timeline) {
        this.runs = wholeRuns(timeline.source.head.runs);
        const by = [...countedRuns(this.runs)].sort((one, other) => one.length - other.length);
        this.slowest = by[by.length - 1]!;
        this.overlay = new Overlay(timeline, this.runs, (run) => this.show(run));
        const named = (title: string, run: WholeRun, tip: string): HTMLElement => button(`${title}: ${run.name}, ${time(run.length)}`, tip, () => this.show(run));
        const outliers = this.runs.filter((run) => run.outlier).length;
        const tools = element("p", { class: "tools" }, named("Slowest", this.slowest, "Zoom to the slowest run that counts (R)"),
                              named("Median", by[(by.length - 1) >> 1]!, "Zoom to the run in the middle"), named("Fastest", by[0]!, "Zoom to the fastest run that counts"),
                              element("span", { class: "quiet" }, outliers > 0 ? `${count(outliers)} unlike the others` : ""));
        this.element.append(tools, element("div", { class: "side" }, this.overlay.element, this.table()));
    }

    private table(): HTMLElement {
        const { begin } = this.timeline.source.head;
        const table = new Table<WholeRun>("Runs", [
            { title: "Run", value: (run) => run.name, show: (run) => {
                const link = element("button", { type: "button", class: "plain" }, run.name);
                link.addEventListener("click", () => this.show(run));
                return link;
            } },
            { title: "Start", number: true, value: (run) => run.start, show: (run) => time(run.start - begin) },
            { title: "Length", number: true, value: (run) => run.length, show: (run) => time(run.length) },
            { title: "Counted", value: (run) => (run.counted === undefined ? "not known" : run.counted ? "yes" : "no") },
            { title: "Unlike others", value: (run) => (run.outlier ? "yes" : "") },
        ], 2, (run) => run.name);
        table.set(this.runs);
        return table.element;
    }

    private show(run: WholeRun): void {
        this.timeline.zoomTo(run);
        this.overlay.choose(run);
    }

    showSlowest(): void {
        this.show(this.slowest);
    }

    /** The next run to the right of the middle of the view, or the one before it. */
    step(direction: 1 | -1): void {
        const { view } = this.timeline;
        const middle = view.time(view.width / 2);
        const ordered = [...this.runs].sort((one, other) => one.start - other.start);
        const next = direction > 0 ? ordered.find((run) => run.start > middle) : ordered.reverse().find((run) => run.end < middle);
        if (next) this.show(next);
    }
}
