// Times of runs, launch by launch, as a plot.

import type { Api, TableData } from "./api";
import { keepDrawn, paints } from "./colours";
import { element } from "../page/dom";
import { count, roundStep, time, timePlace } from "../page/numbers";
import { clearCanvas } from "../page/paint";
import { failure, link } from "./parts";

export interface Run {
    launch: string;
    run: number;
    time: number;
    counted: boolean;
}

export function runsOf(data: TableData): Run[] {
    return data.rows.flatMap((row) => (typeof row["time"] === "number" && typeof row["run"] === "number"
        ? [{ launch: String(row["launch"] ?? ""), run: row["run"], time: row["time"], counted: row["counted"] === true }] : []));
}

/** Where one launch ends and the next begins. */
export function launchStarts(runs: Run[]): number[] {
    return runs.flatMap((run, at) => (at === 0 || runs[at - 1]!.launch !== run.launch ? [at] : []));
}

export function medianOf(runs: Run[]): number | null {
    const times = runs.filter((run) => run.counted).map((run) => run.time).sort((one, other) => one - other);
    if (!times.length) return null;
    const half = times.length >> 1;
    return times.length % 2 ? times[half]! : (times[half - 1]! + times[half]!) / 2;
}

const HEIGHT = 220, LEFT = 70, BOTTOM = 20, TOP = 10;

export class LatencyPlot {
    readonly element = element("section", { class: "latency", "aria-busy": "true" });
    private readonly canvas = element("canvas", { tabindex: "0", role: "application" });
    private readonly told = element("p", { class: "quiet", role: "status" });
    private runs: Run[] = [];
    private at = -1;

    constructor(private readonly api: Api, private readonly id: string) {
        void this.load();
    }

    private async load(): Promise<void> {
        try {
            this.runs = runsOf(await this.api.table(this.id, "runs"));
            if (this.runs.length > 1) this.start();
        } catch (error) {
            this.element.replaceChildren(failure(error));
        }
        this.element.removeAttribute("aria-busy");
    }

    private start(): void {
        const launches = launchStarts(this.runs).length;
        this.canvas.setAttribute("aria-label", "Time of each run: arrow keys go from run to run, Enter shows it in the timeline");
        this.canvas.addEventListener("pointermove", (event) => this.choose(Math.round((event.clientX - this.canvas.getBoundingClientRect().left - LEFT) / this.step - 0.5)));
        this.canvas.addEventListener("click", () => this.open());
        this.canvas.addEventListener("keydown", (event) => {
            if (event.key === "Enter") this.open();
            if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
            event.preventDefault();
            this.choose(this.at + (event.key === "ArrowLeft" ? -1 : 1));
        });
        this.element.append(element("h2", {}, launches > 1 ? `Runs of ${count(launches)} launches` : "Runs"), this.canvas, this.told);
        this.told.textContent = "Point at a run to see its time; a click shows it in the timeline. Hollow ones are warm-up, and do not count; the line is the median of the others.";
        keepDrawn(this.element, () => this.draw());
    }

    private get step(): number {
        return Math.max(60, this.element.clientWidth - LEFT - 8) / this.runs.length;
    }

    private choose(at: number): void {
        this.at = Math.min(this.runs.length - 1, Math.max(0, at));
        const run = this.runs[this.at]!;
        const launch = launchStarts(this.runs).length > 1 ? `${run.launch}, ` : "";
        this.told.replaceChildren(`${launch}run ${run.run}: ${time(run.time)}${run.counted ? "" : ", warm-up"} `, link(this.address(run), "in the timeline"));
        this.draw();
    }

    private address(run: Run): string {
        return `${this.api.address(`/pages/timeline/${this.id}`)}#u=${encodeURIComponent(String(run.run))}`;
    }

    private open(): void {
        const run = this.runs[this.at];
        if (run) location.assign(this.address(run));
    }

    private draw(): void {
        const context = this.canvas.getContext("2d");
        if (!context || !this.runs.length) return;
        const colours = paints(), width = Math.max(120, this.element.clientWidth), most = Math.max(...this.runs.map((run) => run.time)) * 1.05;
        const room = HEIGHT - TOP - BOTTOM;
        const y = (value: number): number => TOP + room * (1 - value / most);
        clearCanvas(this.canvas, context, width, HEIGHT, colours.ground);
        context.font = "11px system-ui, sans-serif";
        const step = roundStep(most / 4);
        for (let value = 0; value <= most; value += step) {
            context.fillStyle = colours.line;
            context.fillRect(LEFT, y(value), width - LEFT, 1);
            context.fillStyle = colours.quiet;
            context.fillText(timePlace(value, step), 2, y(value), LEFT - 8);
        }
        for (const at of launchStarts(this.runs)) {
            context.fillStyle = colours.line;
            if (at) context.fillRect(LEFT + at * this.step, TOP, 1, room);
        }
        const median = medianOf(this.runs);
        context.fillStyle = colours.warning;
        if (median !== null) context.fillRect(LEFT, y(median), width - LEFT, 1);
        this.runs.forEach((run, at) => {
            context.beginPath();
            context.arc(LEFT + (at + 0.5) * this.step, y(run.time), at === this.at ? 5 : Math.max(1.5, Math.min(3.5, this.step / 2)), 0, 2 * Math.PI);
            context.strokeStyle = context.fillStyle = colours.accent;
            if (run.counted) context.fill();
            else context.stroke();
        });
        context.fillStyle = colours.quiet;
        context.fillText(`${count(this.runs.length)} runs, the first at the left`, LEFT, HEIGHT - BOTTOM / 2);
    }
}
