// How long the slices of one name are: a histogram.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import type { Colours } from "./colour";
import { element } from "./dom";
import type { Units } from "./format";
import type { Label, Page } from "./model";
import { brief, count } from "./numbers";

const BARS = 48;
const HEIGHT = 250;
const COUNTS = Array.from({ length: 30 }, (_, power) => [1, 2, 5][power % 3] * 10 ** Math.floor(power / 3)); // 1, 2, 5, 10, ...

export class Histogram {
    readonly element = element("div", { class: "histogram" });
    private readonly holder = element("div");
    private readonly title = element("h3");
    private readonly line = element("p", { class: "quiet" });
    private plot: uPlot | null = null;
    private label = -1;

    constructor(private readonly page: Page, private readonly units: Units, private readonly colours: Colours) {
        this.element.append(this.title, this.holder, this.line);
        new ResizeObserver(() => this.plot?.setSize({ width: this.width, height: HEIGHT })).observe(this.element);
        colours.onChange(() => this.show(this.label));
    }

    private get width(): number {
        return Math.max(240, this.element.clientWidth);
    }

    /** The same label again, in other units. */
    refresh(): void {
        this.show(this.label);
    }

    show(id: number): void {
        const label = this.page.labels[id];
        this.plot?.destroy();
        this.plot = null;
        this.label = id;
        if (!label) return;
        this.title.textContent = `Durations of ${label.name}`;
        if (label.bins.length === 0) {
            this.line.textContent = "Moments have no duration.";
            return;
        }
        const { edges, counts } = this.bars(label);
        const [least, most, mean] = [label.least, label.most, label.total / label.count].map((ticks) => this.units.both(ticks));
        this.line.textContent = `${count(label.count)} slices from ${least} to ${most}, ${mean} on average`;
        this.plot = new uPlot(this.options(id, edges, counts), [counts.map((_, index) => index), counts], this.holder);
    }

    /** Lower edges in ticks and counts: neighbouring bins together until the bars are few enough. */
    private bars(label: Label): { edges: number[]; counts: number[] } {
        const first = label.bins[0];
        const last = label.bins[label.bins.length - 2];
        const together = Math.max(1, Math.ceil((last - first + 1) / BARS));
        const bars = Math.ceil((last - first + 1) / together);
        const counts = new Array<number>(bars).fill(0);
        for (let i = 0; i < label.bins.length; i += 2) {
            counts[Math.floor((label.bins[i] - first) / together)] += label.bins[i + 1];
        }
        const edges = Array.from({ length: bars + 1 }, (_, bar) => this.edge(first + bar * together));
        return { edges, counts };
    }

    /** The least length of a bin: src/report/timeline_page.c has the same rule the other way round. */
    private edge(bin: number): number {
        const per = this.page.binsPerOctave;
        if (bin < per) return bin;
        const octave = Math.floor(bin / per);
        return (per + bin % per) * 2 ** (octave - 1);
    }

    private options(id: number, edges: number[], counts: number[]): uPlot.Options {
        const { colours, units } = this;
        const thin = { stroke: colours.line, width: 1 };
        const axis = { stroke: colours.quiet, grid: thin, ticks: thin };
        const length = (at: number): string => (edges[at] === undefined ? "" : units.length(edges[at]));
        const place = (at: number): string => (Number.isInteger(at) && edges[at] !== undefined ? units.brief(edges[at]) : "");
        return {
            width: this.width,
            height: HEIGHT,
            legend: { show: true, live: true },
            cursor: { drag: { x: false, y: false }, points: { show: false } },
            scales: {
                x: { time: false, range: [-0.6, counts.length - 0.4] },
                y: { range: (_, __, most) => [0, most * 1.08 || 1] },
            },
            axes: [
                {
                    ...axis, label: units.name, labelSize: 20, labelGap: 0, labelFont: "12px system-ui, sans-serif",
                    values: (_, places) => places.map(place), space: 70, incrs: [1, 2, 4, 8, 16], grid: { show: false },
                },
                { ...axis, values: (_, places) => places.map((value) => brief(value)), size: 58, incrs: COUNTS },
            ],
            series: [
                { label: "Duration", value: (_, at) => (at === null ? "–" : `${length(at)} to ${length(at + 1)}`) },
                {
                    label: "Slices", fill: colours.label(id), stroke: colours.label(id), width: 0, points: { show: false },
                    paths: uPlot.paths.bars!({ size: [0.9, 60], align: 0 }),
                    value: (_, value) => (value === null ? "–" : count(value)),
                },
            ],
        };
    }
}
