// Ops of a model: calls on the host by depth, with a slider for the range; the one that is pointed at shows what ran on the cores of its device.

import type { Api, Profile, TableName } from "./api";
import { byDepth, callAt, callsOf, linesOf, Window, type Call, type Line, type Zone } from "./calls";
import { keepDrawn, paints, partOf } from "./colours";
import { button, element } from "../page/dom";
import { count, roundStep, time, timePlace } from "../page/numbers";
import { clearCanvas, mix } from "../page/paint";
import { failure } from "./parts";
import { RangeSlider } from "./slider";
import { ServedTable } from "./table";

const ROW = 26; // pixels of a depth
const AXIS = 22;
const REACH = 4; // pixels around a call that are it, too
const WAIT_MS = 120; // until a call that is pointed at is asked for
const LINE = 12; // pixels of a RISC
const GUTTER = 150;

/** Whether a profile has calls of ops. */
export function hasOps(profile: Profile): boolean {
    return ["calls", "call_cores"].every((name) => profile.tables.some((table) => table.name === name));
}

function drawAxis(context: CanvasRenderingContext2D, left: number, width: number, from: number, to: number, top: number, height: number): void {
    const { quiet, line } = paints();
    const step = roundStep((to - from) / Math.max(2, width / 110));
    context.font = "11px system-ui, sans-serif";
    for (let at = Math.ceil(from / step) * step; at <= to && step > 0; at += step) {
        const x = left + (at - from) / (to - from) * width;
        context.fillStyle = line;
        context.fillRect(x, top, 1, height);
        context.fillStyle = quiet;
        context.fillText(timePlace(at, step), x + 4, top + AXIS / 2);
    }
}

/** The calls; who listens is told which one is pointed at or chosen. */
class CallPlot {
    readonly element = element("div", { class: "calls" });
    private readonly canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": "Calls of ops: arrow keys go from call to call, plus and minus zoom" });
    private readonly slider: RangeSlider;
    private readonly rows: Call[][];
    private readonly window: Window;
    private pointed: Call | null = null;

    constructor(private readonly calls: Call[], private readonly chosen: (call: Call | null, kept: boolean) => void) {
        this.rows = byDepth(calls);
        const end = calls.reduce((most, call) => Math.max(most, call.end), 1);
        this.window = new Window(0, end);
        this.slider = new RangeSlider(this.window, (context, place, height) => this.paintAll(context, place, height), () => this.draw());
        this.element.append(this.canvas, this.slider.canvas);
        this.canvas.addEventListener("pointermove", (event) => this.point(this.under(event)));
        this.canvas.addEventListener("click", (event) => this.point(this.under(event), true));
        this.canvas.addEventListener("wheel", (event) => this.slider.wheel(event, this.timeAt(event), this.width), { passive: false });
        this.canvas.addEventListener("keydown", (event) => this.step(event));
        keepDrawn(this.element, () => this.draw());
    }

    /** Shows another call as the chosen one, and brings it into sight. */
    mark(call: Call | null): void {
        this.pointed = call;
        if (call && (call.end < this.window.from || call.start > this.window.to)) {
            const half = (this.window.to - this.window.from) / 2;
            this.window.set((call.start + call.end) / 2 - half, (call.start + call.end) / 2 + half);
        }
        this.draw();
    }

    all(): void {
        this.window.set(this.window.begin, this.window.end);
        this.draw();
    }

    private get width(): number {
        return Math.max(60, this.element.clientWidth);
    }

    private timeAt(event: MouseEvent): number {
        const { from, to } = this.window;
        return from + (event.clientX - this.canvas.getBoundingClientRect().left) / this.width * (to - from);
    }

    private under(event: MouseEvent): Call | null {
        const { from, to } = this.window;
        const row = Math.floor((event.clientY - this.canvas.getBoundingClientRect().top - AXIS) / ROW);
        return callAt(this.rows[row] ?? [], this.timeAt(event), REACH * (to - from) / this.width);
    }

    private point(call: Call | null, kept = false): void {
        if (call === this.pointed && !kept) return;
        if (call || kept) this.chosen(call, kept);
    }

    private step(event: KeyboardEvent): void {
        const now = this.pointed ?? this.calls[0];
        if (!now) return;
        const row = this.rows[now.depth - 1]!;
        const beside = (by: number): Call | undefined => row[row.indexOf(now) + by];
        const above = (by: number): Call | null => callAt(this.rows[now.depth - 1 + by] ?? [], now.start, now.end - now.start);
        const next = !this.pointed ? now : event.key === "ArrowRight" ? beside(1) : event.key === "ArrowLeft" ? beside(-1)
            : event.key === "ArrowUp" ? above(-1) : event.key === "ArrowDown" ? above(1) : undefined;
        if (event.key.startsWith("Arrow")) {
            event.preventDefault();
            if (next) this.chosen(next, true);
        } else {
            this.slider.zoomKey(event, (now.start + now.end) / 2);
        }
    }

    private draw(): void {
        this.drawCalls();
        this.slider.draw(this.width);
    }

    private drawCalls(): void {
        const context = this.canvas.getContext("2d");
        if (!context) return;
        const { from, to } = this.window;
        const width = this.width, colours = paints();
        clearCanvas(this.canvas, context, width, AXIS + this.rows.length * ROW + 2, colours.ground);
        drawAxis(context, 0, width, from, to, 0, AXIS + this.rows.length * ROW);
        context.font = "12px system-ui, sans-serif";
        this.rows.forEach((row, depth) => {
            let last = -1;
            for (let at = Math.max(0, row.findIndex((call) => call.end >= from)); at < row.length && row[at]!.start <= to; at++) {
                const call = row[at]!;
                const x = (call.start - from) / (to - from) * width, right = Math.max(x + 1, (call.end - from) / (to - from) * width);
                if (right < last + 0.5) continue; // behind what was just drawn
                last = right;
                this.drawCall(context, call, x, right - x, AXIS + depth * ROW, colours);
            }
        });
    }

    private drawCall(context: CanvasRenderingContext2D, call: Call, x: number, width: number, y: number, colours: ReturnType<typeof paints>): void {
        const fill = colours.parts[partOf(call.op, colours.parts.length)]!;
        context.fillStyle = call.device === null ? mix(colours.ground, fill, 0.55) : fill;
        context.fillRect(x, y + 1, Math.max(1, width - (width > 3 ? 1 : 0)), ROW - 2);
        if (call === this.pointed) {
            context.strokeStyle = colours.text;
            context.lineWidth = 2;
            context.strokeRect(x + 1, y + 2, Math.max(1, width - 3), ROW - 4);
        }
        if (width < 24) return;
        context.save();
        context.beginPath();
        context.rect(Math.max(0, x) + 3, y, width - 6, ROW);
        context.clip();
        context.fillStyle = call.device === null ? colours.text : colours.onPart;
        context.fillText(call.op, Math.max(0, x) + 5, y + ROW / 2);
        context.restore();
    }

    private paintAll(context: CanvasRenderingContext2D, place: (value: number) => number, height: number): void {
        const colours = paints(), high = (height - 8) / Math.max(1, this.rows.length);
        for (const call of this.calls) {
            context.fillStyle = colours.parts[partOf(call.op, colours.parts.length)]!;
            context.fillRect(place(call.start), 4 + (call.depth - 1) * high, Math.max(1, place(call.end) - place(call.start)), Math.max(1, high - 1));
        }
    }
}

/** What ran on the cores in one call. */
class CorePlot {
    readonly element = element("div", { class: "cores" });
    private readonly canvas = element("canvas");
    private readonly line = element("p", { class: "quiet", role: "status" });
    private readonly zonesOf: Zone[][] = [];
    private readonly window: Window;
    private readonly slider: RangeSlider;

    constructor(private readonly lines: Line[], private readonly zones: Zone[], private readonly end: number) {
        for (const zone of zones) (this.zonesOf[zone.line] ??= []).push(zone);
        this.window = new Window(0, Math.max(1, end));
        this.slider = new RangeSlider(this.window, (context, place, height) => this.paintAll(context, place, height), () => this.draw());
        this.canvas.addEventListener("wheel", (event) => this.slider.wheel(event, this.timeAt(event), this.room), { passive: false });
        const holder = element("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "Device timeline" }, this.canvas);
        this.element.append(this.line, this.slider.canvas, holder);
        this.canvas.addEventListener("pointermove", (event) => this.point(event));
        this.tellAll();
        keepDrawn(this.element, () => this.draw());
    }

    private tellAll(): void {
        const cores = new Set(this.lines.map(({ chip, core }) => `${chip} ${core}`)).size;
        this.line.textContent = `${count(cores)} ${cores === 1 ? "core" : "cores"}, ${count(this.zones.length)} zones in ${time(this.end)}`;
    }

    private get room(): number {
        return Math.max(80, this.element.clientWidth - GUTTER - 2);
    }

    private timeAt(event: MouseEvent): number {
        const { from, to } = this.window;
        return from + (event.clientX - this.canvas.getBoundingClientRect().left - GUTTER) / this.room * (to - from);
    }

    private paintAll(context: CanvasRenderingContext2D, place: (value: number) => number, height: number): void {
        const colours = paints(), high = (height - 4) / Math.max(1, this.lines.length);
        for (const zone of this.zones) {
            if (zone.depth) continue;
            context.fillStyle = colours.parts[partOf(this.lines[zone.line]!.risc, colours.parts.length)]!;
            context.fillRect(place(zone.start), 2 + zone.line * high, Math.max(1, place(zone.end) - place(zone.start)), Math.max(0.5, high));
        }
    }

    private point(event: PointerEvent): void {
        const at = this.timeAt(event);
        const line = Math.floor((event.clientY - this.canvas.getBoundingClientRect().top - AXIS) / LINE);
        const zone = (this.zonesOf[line] ?? []).filter((one) => one.start <= at && one.end >= at).pop();
        const where = this.lines[line];
        if (zone && where) this.line.textContent = `${where.chip}, ${where.core}, ${where.risc}: ${zone.zone}, ${time(zone.end - zone.start)} at ${time(zone.start)}`;
        else this.tellAll();
    }

    private draw(): void {
        const context = this.canvas.getContext("2d");
        if (!context) return;
        const colours = paints(), width = this.room;
        const height = AXIS + this.lines.length * LINE;
        clearCanvas(this.canvas, context, GUTTER + width, height + 2, colours.ground);
        const { from, to } = this.window;
        this.slider.draw(GUTTER + width);
        this.drawZones(context, width);
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, GUTTER, height + 2);
        drawAxis(context, GUTTER, width, from, to, 0, height);
        context.font = "10px system-ui, sans-serif";
        this.lines.forEach((line, at) => {
            const before = this.lines[at - 1], y = AXIS + at * LINE;
            if (before?.core !== line.core || before.chip !== line.chip) {
                context.fillStyle = colours.line;
                context.fillRect(0, y, GUTTER + width, 1);
                context.fillStyle = colours.text;
                context.fillText(line.core, 2, y + LINE / 2 + 2, GUTTER - 70);
            }
            context.fillStyle = colours.quiet;
            context.fillText(line.risc, GUTTER - 62, y + LINE / 2 + 1, 58);
        });
    }

    private drawZones(context: CanvasRenderingContext2D, width: number): void {
        const { from, to } = this.window, colours = paints();
        for (const zone of this.zones) {
            if (zone.end < from || zone.start > to) continue;
            const fill = colours.parts[partOf(this.lines[zone.line]!.risc, colours.parts.length)]!;
            const inside = Math.min(2, zone.depth);
            context.fillStyle = mix(colours.ground, fill, Math.min(1, 0.4 + 0.6 * zone.depth));
            context.fillRect(GUTTER + (zone.start - from) / (to - from) * width, AXIS + zone.line * LINE + 1 + inside,
                Math.max(1, (zone.end - zone.start) / (to - from) * width), LINE - 2 - 2 * inside);
        }
    }
}

export class OpsPart {
    readonly element = element("div", { class: "ops" });
    private readonly told = element("p", { class: "pointed", role: "status" });
    private readonly device = element("div", { class: "devices" });
    private readonly known = new Map<number, HTMLElement>();
    private kept: Call | null = null;
    private timer = 0;
    private shown: Call | null = null;

    constructor(private readonly api: Api, private readonly profile: Profile, links: (table: TableName) => ServedTable, refresh: () => void) {
        const holder = element("div", { "aria-busy": "true" });
        const table = profile.tables.find(({ name }) => name === "calls")!;
        const one = element("details", {}, element("summary", {}, element("h2", {}, "Calls"), ` ${table.description}`));
        one.addEventListener("toggle", () => one.append(links(table).element), { once: true });
        const archives = profile.archives.map((archive) =>
            element("a", { class: "button", href: api.address(`/archive/${profile.id}/${archive.verb}`), download: "", title: archive.file }, `Download ${archive.title.toLowerCase()}`));
        this.element.append(element("p", { class: "tools" }, ...archives, button("Refresh", "Read the logs again", refresh)), holder, this.told, this.device, one);
        void this.load(holder);
    }

    private async load(holder: HTMLElement): Promise<void> {
        try {
            const { calls, without } = callsOf(await this.api.table(this.profile.id, "calls"));
            if (!calls.length) holder.replaceChildren(element("p", { class: "empty" }, "No call has a time on the host."));
            else this.start(holder, calls, without);
        } catch (error) {
            holder.replaceChildren(failure(error));
        }
        holder.removeAttribute("aria-busy");
    }

    private start(holder: HTMLElement, calls: Call[], without: number): void {
        const plot = new CallPlot(calls, (call, kept) => {
            if (!kept && this.kept) return;
            if (kept) this.kept = call === this.kept ? null : call;
            plot.mark(call);
            this.show(call);
        });
        const missing = without ? ` ${count(without)} more are known from a device alone.` : "";
        holder.replaceChildren(
            element("p", { class: "quiet" }, `${count(calls.length)} calls on the host, by depth; those that ran on a device in full colour.${missing} Point at one to see its device timeline; a click keeps it. The slider below chooses the range.`),
            element("p", { class: "tools" }, button("All", "Show the whole range", () => plot.all())), plot.element);
        const first = calls.find((call) => call.device !== null) ?? calls[0]!;
        plot.mark(first);
        this.show(first);
    }

    private show(call: Call | null): void {
        if (call === this.shown) return;
        this.shown = call;
        window.clearTimeout(this.timer);
        if (!call) return;
        const device = call.device === null ? "no device time" : `${time(call.device)} on the device${call.cores === null ? "" : `, ${count(call.cores)} cores`}`;
        this.told.replaceChildren(element("b", {}, call.op), ` call ${call.call ?? "?"}, depth ${call.depth}: ${time(call.end - call.start)} on the host at ${time(call.start)}; ${device}`);
        this.timer = window.setTimeout(() => void this.showCores(call), WAIT_MS);
    }

    private async showCores(call: Call): Promise<void> {
        const number = call.call;
        if (number === null || call.device === null) {
            this.device.replaceChildren(element("p", { class: "empty" }, "It did not run on a device, or no log tells of that."));
            return;
        }
        this.device.setAttribute("aria-busy", "true");
        let made = this.known.get(number);
        try {
            made ??= await this.cores(number);
            this.known.set(number, made);
        } catch (error) {
            made = failure(error);
        }
        if (this.shown !== call) return; // another one is pointed at since
        this.device.removeAttribute("aria-busy");
        this.device.replaceChildren(made);
    }

    private async cores(call: number): Promise<HTMLElement> {
        const { lines, zones, end } = linesOf(await this.api.table(this.profile.id, "call_cores", [["filter", `call=${call}`]]));
        if (!zones.length) return element("p", { class: "empty" }, "No log tells what its cores did.");
        return new CorePlot(lines, zones, end).element;
    }
}
