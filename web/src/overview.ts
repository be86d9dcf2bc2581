// The strip above the timeline: how many lanes are busy over the whole time, and the window that is shown.

import type { Colours } from "./colour";
import type { Blocks } from "./decode";
import { element } from "./dom";
import { GUTTER } from "./draw";
import { KIND, type Page } from "./model";
import type { View } from "./view";

const HEIGHT = 44;
const BINS = 1200;
const CHUNK = 8; // milliseconds of counting at a time

export class Overview {
    readonly element: HTMLElement;
    private readonly canvas = element("canvas", { "aria-hidden": "true" });
    private readonly busy = new Float64Array(BINS);
    private most = 0;
    private due = false;
    /** Which count is the newest: an older one that is still on its way ends. */
    private counting = 0;
    private readonly kind: number;
    private drag: { from: number; window: number | null } | null = null;

    constructor(private readonly page: Page, private readonly view: View, private readonly colours: Colours) {
        // Kernels tell more than the firmware around them, which runs all the time.
        this.kind = page.labels.some((label) => label.kind === KIND.main && label.count) ? KIND.main : -1;
        const name = this.kind < 0 ? "busy" : `in a ${page.kinds[this.kind].name.toLowerCase()}`;
        this.element = element("div", { class: "overview", title: "Drag to choose a stretch of time" },
            element("span", {}, `${page.words.lane}s`, element("br"), name), this.canvas);
        this.canvas.addEventListener("pointerdown", (event) => this.down(event));
        this.canvas.addEventListener("pointermove", (event) => this.move(event));
        this.canvas.addEventListener("pointerup", () => (this.drag = null));
        new ResizeObserver(() => this.redraw()).observe(this.element);
        view.onChange(() => this.redraw());
        colours.onChange(() => this.redraw());
        this.count(0);
    }

    /** After times moved. */
    recount(): void {
        this.busy.fill(0);
        this.counting++;
        this.count(0);
    }

    /** Lane after lane, a few milliseconds at a time. */
    private count(from: number): void {
        const end = performance.now() + CHUNK;
        let index = from;
        for (; index < this.page.lanes.length && performance.now() < end; index++) {
            for (const row of this.page.lanes[index].rows) {
                if (row.instants || (this.kind < 0 && row.depth > 0)) continue;
                // Coarser blocks would reach over folded gaps.
                const { blocks } = row.atDetail((this.page.last - this.page.first) / BINS, Infinity);
                if (blocks) this.countRow(blocks);
            }
        }
        this.most = this.busy.reduce((most, value) => Math.max(most, value), 0);
        this.redraw();
        if (index < this.page.lanes.length) this.later(index, this.counting);
    }

    private later(index: number, counting: number): void {
        setTimeout(() => counting === this.counting && this.count(index), 0);
    }

    private countRow(blocks: Blocks): void {
        const scale = BINS / (this.page.last - this.page.first);
        for (let i = 0; i < blocks.count; i++) {
            if (this.kind >= 0 && this.page.labels[blocks.labels[i]].kind !== this.kind) continue;
            const share = blocks.shares ? blocks.shares[i] / 255 : 1;
            const start = (blocks.starts[i] - this.page.first) * scale;
            const stop = (blocks.ends[i] - this.page.first) * scale;
            for (let bin = Math.floor(start); bin < stop && bin < BINS; bin++) {
                this.busy[bin] += share * (Math.min(stop, bin + 1) - Math.max(start, bin));
            }
        }
    }

    private get width(): number {
        return Math.max(1, this.element.clientWidth - GUTTER);
    }

    private time(x: number): number {
        return this.page.first + x / this.width * (this.page.last - this.page.first);
    }

    private down(event: PointerEvent): void {
        const time = this.time(event.offsetX);
        const whole = this.view.span > (this.page.last - this.page.first) * 0.98;
        const inside = !whole && time > this.view.start && time < this.view.end;
        this.canvas.setPointerCapture(event.pointerId);
        this.drag = { from: time, window: inside ? this.view.start : null };
    }

    private move(event: PointerEvent): void {
        if (!this.drag) return;
        const time = this.time(event.offsetX);
        if (this.drag.window !== null) {
            const start = this.drag.window + time - this.drag.from;
            this.view.show(start, start + this.view.span);
        } else if (Math.abs(time - this.drag.from) * this.width > (this.page.last - this.page.first) * 3) {
            this.view.show(Math.min(time, this.drag.from), Math.max(time, this.drag.from));
        }
    }

    private redraw(): void {
        if (this.due) return;
        this.due = true;
        requestAnimationFrame(() => {
            this.due = false;
            this.draw();
        });
    }

    private draw(): void {
        const ratio = window.devicePixelRatio || 1;
        const context = this.canvas.getContext("2d")!;
        const { width } = this;
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(HEIGHT * ratio);
        this.canvas.style.width = `${width}px`;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, HEIGHT);
        context.fillStyle = this.colours.kind(this.kind < 0 ? 0 : this.kind);
        for (let x = 0; x < width; x++) {
            const from = Math.floor(x / width * BINS);
            const to = Math.max(from + 1, Math.floor((x + 1) / width * BINS));
            let value = 0;
            for (let bin = from; bin < to; bin++) value = Math.max(value, this.busy[bin]);
            if (value > 0) {
                const high = Math.max(1, value / Math.max(this.most, 1e-9) * (HEIGHT - 4));
                context.fillRect(x, HEIGHT - high, 1, high);
            }
        }
        const scale = width / (this.page.last - this.page.first);
        const left = Math.max(0, (this.view.start - this.page.first) * scale);
        const right = Math.min(width, (this.view.end - this.page.first) * scale);
        context.globalAlpha = 0.72;
        context.fillStyle = this.colours.ground;
        context.fillRect(0, 0, left, HEIGHT);
        context.fillRect(right, 0, width - right, HEIGHT);
        context.globalAlpha = 1;
        context.strokeStyle = this.colours.accent;
        context.lineWidth = 1.5;
        context.strokeRect(left + 0.75, 0.75, Math.max(right - left - 1.5, 2), HEIGHT - 1.5);
    }
}
