// All runs on one axis, which counts from the start of each: a line per run, and one that has them all. What takes longer in one of them
// is seen where it begins.

import { Columns, NOTHING, Scale } from "./columns";
import { choice, element } from "./dom";
import { FONT } from "./draw";
import { COUNTER, drawnTracks, INSTANTS, type Row } from "./model";
import { roundStep, time, timePlace } from "./numbers";
import { clearCanvas } from "./paint";
import { quantile, type WholeRun } from "./runs";
import { path } from "./slice";
import type { Timeline } from "./timeline";

const ROOM = 360; // pixels of lines that are seen at once
const HIGH = { least: 5, most: 17 };
const NAMED = 10; // pixels of a line that has room for its name
const NAMES = 74;
const LENGTHS = 70;
const HEAD = 42; // the axis, and all runs together
const FAR = 4; // times as long as most: the axis does not follow
const LISTED = 2000; // rows to choose from
const AT_ONCE = 6; // chunks that are asked for at a time

export class Overlay {
    readonly element = element("div", { class: "overlay" });
    private readonly canvas = element("canvas", { tabindex: "0", role: "application", "aria-roledescription": "runs", "aria-label": "Runs, each from its start: arrows choose, Enter shows it" });
    private readonly holder = element("div", { class: "lines" });
    private readonly tall = element("div");
    private readonly told = element("p", { class: "quiet", role: "status" });
    private readonly context = this.canvas.getContext("2d", { alpha: false })!;
    private readonly rows: Row[];
    private readonly span: number;
    private row: Row | null;
    private order: WholeRun[];
    private chosen = -1;
    private readonly columns = new Columns();
    private readonly scale = new Scale();
    private together: { of: string; share: Float64Array } | null = null;
    private frame = 0;
    private asked = 0;
    private readonly failed = new Set<string>();

    constructor(private readonly timeline: Timeline, private readonly runs: WholeRun[], private readonly show: (run: WholeRun) => void) {
        const { source } = timeline;
        const drawn = drawnTracks(source.head.tracks);
        this.rows = source.rows.filter((row) => row.kind !== COUNTER && row.kind !== INSTANTS && !drawn[row.track] && row.chunks > 0).slice(0, LISTED);
        this.row = this.rows.reduce<Row | null>((best, row) => (!best || worth(row) > worth(best) ? row : best), null);
        this.order = [...runs];
        const sorted = runs.map((run) => run.end - run.start).sort((one, other) => one - other);
        this.span = Math.max(1, Math.min(sorted[sorted.length - 1] ?? 1, quantile(sorted, 0.75) * FAR));
        const select = element("select", { "aria-label": "Row" }, ...this.rows.map((row) => {
            const option = element("option", { value: String(row.number) }, `${path(source, row.track).split(" › ").slice(-2).join(" › ")}${row.depth > 0 ? `, depth ${row.depth + 1}` : ""}`);
            option.selected = row === this.row;
            return option;
        }));
        select.addEventListener("change", () => {
            this.row = source.rows[Number(select.value)] ?? null;
            this.redraw();
        });
        const sort = choice("Order", ["In order", "By length"], 0, (index) => {
            const run = this.order[this.chosen];
            this.order = index === 0 ? [...runs] : [...runs].sort((one, other) => other.length - one.length);
            this.chosen = run ? this.order.indexOf(run) : -1;
            this.redraw();
        });
        this.tall.append(this.canvas);
        this.holder.append(this.tall);
        this.element.append(element("h2", {}, "All runs over each other"), element("div", { class: "tools" }, select, sort), this.holder, this.told);
        this.holder.addEventListener("scroll", () => this.redraw());
        new ResizeObserver(() => this.redraw()).observe(this.element);
        timeline.colours.onChange(() => this.redraw());
        this.listen();
        this.tell();
    }

    private get high(): number {
        return Math.min(Math.max(Math.floor(ROOM / Math.max(1, this.runs.length)), HIGH.least), HIGH.most);
    }

    private get width(): number {
        return Math.max(160, this.holder.clientWidth);
    }

    choose(run: WholeRun): void {
        this.chosen = this.order.indexOf(run);
        this.tell();
        this.redraw();
    }

    private tell(): void {
        const run = this.order[this.chosen];
        const outliers = this.runs.filter((one) => one.outlier);
        this.told.textContent = run ? `${run.name}: ${time(run.length)}${run.outlier ? ", unlike the others" : ""}${run.counted === false ? ", not counted" : ""}`
            : outliers.length > 0 ? `Unlike the others: ${outliers.slice(0, 12).map((one) => `${one.name} (${time(one.length)})`).join(", ")}${outliers.length > 12 ? ", …" : ""}` : "No run is unlike the others.";
        this.canvas.setAttribute("aria-description", this.told.textContent);
    }

    redraw(): void {
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    private draw(): void {
        this.frame = 0;
        if (this.element.closest("[hidden]") || !this.element.isConnected || !this.row) return;
        const { context, canvas, high } = this;
        const { colours } = this.timeline;
        const [width, height] = [this.width, Math.min(HEAD + this.runs.length * high + 4, HEAD + ROOM)];
        this.holder.style.height = `${height + 2}px`;
        this.tall.style.height = `${HEAD + this.runs.length * high + 4}px`;
        const ratio = clearCanvas(canvas, context, width, height, colours.ground);
        context.font = FONT;
        const missing: number[] = [];
        const plot = width - NAMES - LENGTHS;
        const pixels = Math.max(1, Math.round(plot * ratio));
        const line = document.createElement("canvas");
        line.width = pixels;
        line.height = 1;
        const { scrollTop } = this.holder;
        for (let at = Math.floor(scrollTop / high); at < this.order.length; at++) {
            const y = HEAD + at * high - scrollTop;
            if (y > height) break;
            this.drawRun(at, y, line, plot, missing);
        }
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, width, HEAD);
        this.drawAxis(plot);
        this.drawTogether(line, plot);
        this.load(missing);
    }

    private drawRun(at: number, y: number, line: HTMLCanvasElement, plot: number, missing: number[]): void {
        const { context, columns, high, row } = this;
        const { source, colours } = this.timeline;
        const run = this.order[at]!;
        const step = this.span / line.width;
        columns.fill(row!, this.scale.line(run.start, step, line.width), Infinity, (chunk) => source.peek(row!, chunk));
        missing.push(...columns.missing);
        const drawing = line.getContext("2d", { willReadFrequently: true })!;
        const image = drawing.createImageData(line.width, 1);
        const pixels = new Uint32Array(image.data.buffer);
        const last = Math.ceil((run.end - run.start) / step);
        for (let k = 0; k < Math.min(last, line.width); k++) {
            if (columns.state[k] === NOTHING) continue;
            const share = Math.min(1, Math.max(0, columns.busy[k]! / step));
            pixels[k] = columns.state[k] === 1 ? colours.fill(columns.label[k]!, share) : colours.faded(share);
        }
        drawing.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.fillStyle = at === this.chosen ? colours.point : colours.ground;
        context.fillRect(0, y, NAMES + plot + LENGTHS, high);
        const thick = high > 6 ? high - 2 : high - 1;
        const end = Math.min(plot, (run.end - run.start) / this.span * plot);
        context.fillStyle = colours.line;
        context.globalAlpha = 0.55;
        context.fillRect(NAMES, y, end, thick);
        context.globalAlpha = 1;
        context.drawImage(line, 0, 0, line.width, 1, NAMES, y, plot, thick);
        context.fillStyle = run.outlier ? colours.hit : run.counted === false ? colours.quiet : colours.text;
        if (run.outlier) context.fillRect(NAMES + end - 1, y, 3, thick);
        if (high < NAMED && !run.outlier && at !== this.chosen) return;
        context.textAlign = "right";
        context.fillText(run.name.length > 12 ? `…${run.name.slice(-11)}` : run.name, NAMES - 6, y + thick / 2);
        context.textAlign = "left";
        context.fillText(time(run.length), NAMES + plot + 6, y + thick / 2);
    }

    private drawAxis(plot: number): void {
        const { context } = this;
        const { colours } = this.timeline;
        const step = roundStep(this.span / Math.max(2, plot / 90));
        context.fillStyle = colours.quiet;
        context.textAlign = "center";
        for (let at = 0; at <= this.span; at += step) {
            const x = NAMES + at / this.span * plot;
            context.fillText(timePlace(at, step), x, 8);
            context.fillRect(x, 15, 1, 4);
        }
        context.textAlign = "left";
    }

    /** How many of the runs are busy, by when. */
    private drawTogether(line: HTMLCanvasElement, plot: number): void {
        const { context, row } = this;
        const { colours } = this.timeline;
        const of = `${row!.number} ${line.width}`;
        if (this.together?.of !== of) {
            this.together = { of, share: new Float64Array(line.width) };
            void this.addTogether(this.together, row!, line.width);
        }
        const drawing = line.getContext("2d", { willReadFrequently: true })!;
        const image = drawing.createImageData(line.width, 1);
        const pixels = new Uint32Array(image.data.buffer);
        this.together.share.forEach((share, k) => {
            if (share > 0) pixels[k] = colours.strong(Math.min(1, share));
        });
        drawing.putImageData(image, 0, 0);
        context.drawImage(line, 0, 0, line.width, 1, NAMES, 21, plot, HEAD - 26);
        context.fillStyle = colours.text;
        context.textAlign = "right";
        context.fillText("all", NAMES - 6, 21 + (HEAD - 26) / 2);
        context.textAlign = "left";
        context.fillStyle = colours.line;
        context.fillRect(0, HEAD - 3, NAMES + plot + LENGTHS, 1);
    }

    private async addTogether(made: { of: string; share: Float64Array }, row: Row, width: number): Promise<void> {
        const { source } = this.timeline;
        const columns = new Columns();
        const scale = new Scale();
        const step = this.span / width;
        const sorted = [...this.runs].sort((one, other) => one.start - other.start);
        for (let at = 0; at < row.chunks; at++) {
            const near = sorted.filter((run) => run.start <= row.lasts[at]! && run.start + this.span >= row.firsts[at]! && run.end >= row.firsts[at]!);
            if (near.length === 0) continue;
            const chunk = await source.pass(row, at).catch(() => null);
            if (this.together !== made) return;
            if (!chunk) continue;
            for (const run of near) {
                columns.only(chunk, scale.line(run.start, step, width));
                const last = Math.min(width, Math.ceil((run.end - run.start) / step));
                for (let k = 0; k < last; k++) made.share[k]! += columns.busy[k]! / step / this.runs.length;
            }
        }
        this.redraw();
    }

    private load(missing: number[]): void {
        const { row } = this;
        const { source } = this.timeline;
        for (const chunk of missing) {
            const key = `${row!.number} ${chunk}`;
            if (this.asked >= AT_ONCE || this.failed.has(key)) continue;
            this.asked++;
            void source.chunk(row!, chunk).catch(() => this.failed.add(key)).finally(() => {
                this.asked--;
                this.redraw();
            });
        }
    }

    private listen(): void {
        const { canvas } = this;
        const at = (event: MouseEvent): number => {
            const y = event.clientY - canvas.getBoundingClientRect().top - HEAD;
            return y < 0 ? -1 : Math.floor((y + this.holder.scrollTop) / this.high);
        };
        canvas.addEventListener("pointermove", (event) => {
            if (!this.order[at(event)] || at(event) === this.chosen) return;
            this.chosen = at(event);
            this.tell();
            this.redraw();
        });
        canvas.addEventListener("click", (event) => {
            const run = this.order[at(event)];
            if (run) this.show(run);
        });
        canvas.addEventListener("keydown", (event) => {
            const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            const run = this.order[this.chosen];
            if (by === undefined && (event.key !== "Enter" || !run)) return;
            event.preventDefault();
            event.stopPropagation();
            if (by === undefined) {
                this.show(run!);
                return;
            }
            this.chosen = Math.min(Math.max(this.chosen + by, 0), this.order.length - 1);
            const top = this.chosen * this.high;
            if (top < this.holder.scrollTop || top + this.high > this.holder.scrollTop + ROOM - 4) this.holder.scrollTop = top - ROOM / 2;
            this.tell();
            this.redraw();
        });
    }
}

/** Rows with much time in many slices tell most. */
function worth(row: Row): number {
    return row.busy[row.chunks]! * Math.log2(1 + row.slices[row.chunks]!);
}

