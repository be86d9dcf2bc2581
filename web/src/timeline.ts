// The timeline: its canvas in a scrolling box, and what the pointer does there. Keys are in keys.ts.

import type { Colours } from "./colour";
import { card, idle, pickAt, sentence } from "./describe";
import { element } from "./dom";
import { GUTTER, HEAD, MARK, Renderer, type Pick } from "./draw";
import type { Units } from "./format";
import { Layout } from "./layout";
import type { Lane, Page } from "./model";
import type { View } from "./view";

const WHEEL = 0.0018;
const CLICK = 4; // pixels that a click may move
const FLASH = 900; // milliseconds

interface Drag {
    x: number;
    y: number;
    start: number;
    scroll: number;
    moved: boolean;
    measuring: boolean;
}

export class Timeline {
    readonly element: HTMLElement;
    readonly canvas: HTMLCanvasElement;
    readonly layout: Layout;
    readonly renderer: Renderer;
    private readonly scroller: HTMLElement;
    private readonly tall: HTMLElement;
    private readonly tip: HTMLElement;
    private readonly panel: HTMLElement;
    private drag: Drag | null = null;
    private due = false;

    constructor(readonly page: Page, readonly view: View, private readonly colours: Colours, readonly units: Units) {
        this.canvas = element("canvas", {
            tabindex: "0", role: "application", "aria-label": `Timeline of ${page.lanes.length} lanes. Press ? for the keys.`,
        });
        this.layout = new Layout(page);
        this.renderer = new Renderer(this.canvas, page, view, this.layout, colours, units);
        this.tall = element("div", { class: "tall" }, this.canvas);
        this.scroller = element("div", { class: "scroller", tabindex: "-1" }, this.tall);
        this.tip = element("div", { class: "tip", role: "tooltip", hidden: "" });
        this.panel = element("div", { class: "panel", role: "status", "aria-live": "polite" });
        this.element = element("div", { class: "timeline" }, this.scroller, this.panel, this.tip);
        this.panel.append(this.hint());
        this.listen();
        view.onChange(() => this.redraw());
        colours.onChange(() => this.redraw());
    }

    private hint(): HTMLElement {
        return element("p", { class: "hint" },
                       "Wheel zooms, drag moves, Shift and drag measures, click selects. " +
                       "With keys: arrows, + and −, ? for all of them.");
    }

    // ---- size and frames

    /** After the number of rows or their height changed. */
    arrange(): void {
        this.layout.arrange();
        const room = Math.max(120, Math.min(this.layout.height + HEAD + 6, Math.max(320, window.innerHeight * 0.62)));
        this.scroller.style.height = `${room}px`;
        this.tall.style.height = `${this.layout.height + HEAD}px`;
        this.resize();
    }

    private resize(): void {
        this.renderer.resize(this.scroller.clientWidth || 800, this.scroller.clientHeight || 400);
        this.redraw();
    }

    redraw(): void {
        if (this.due) return;
        this.due = true;
        requestAnimationFrame(() => {
            this.due = false;
            this.renderer.scroll = this.scroller.scrollTop;
            if (this.renderer.draw()) this.redraw();
        });
    }

    private listen(): void {
        new ResizeObserver(() => this.resize()).observe(this.scroller);
        window.addEventListener("resize", () => this.arrange());
        this.scroller.addEventListener("scroll", () => this.redraw(), { passive: true });
        this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        this.canvas.addEventListener("pointerdown", (event) => this.down(event));
        this.canvas.addEventListener("pointermove", (event) => this.move(event));
        this.canvas.addEventListener("pointerup", (event) => this.up(event));
        this.canvas.addEventListener("pointercancel", () => (this.drag = null));
        this.canvas.addEventListener("pointerleave", () => this.leave());
        this.canvas.addEventListener("dblclick", (event) => {
            const pick = this.pickUnder(event);
            if (pick) this.zoomTo(pick);
        });
    }

    // ---- pointer

    private wheel(event: WheelEvent): void {
        const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const onGutter = event.offsetX < GUTTER;
        if (onGutter || event.altKey) return; // the box scrolls
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            this.view.pan((event.deltaX || event.deltaY) * unit / this.view.width);
            return;
        }
        const factor = Math.exp(Math.max(-400, Math.min(400, event.deltaY * unit)) * WHEEL);
        this.view.zoom(factor, this.view.time(event.offsetX - GUTTER));
    }

    private down(event: PointerEvent): void {
        if (event.button !== 0) return;
        this.canvas.focus({ preventScroll: true });
        this.canvas.setPointerCapture(event.pointerId);
        this.drag = {
            x: event.offsetX, y: event.offsetY, start: this.view.start, scroll: this.scroller.scrollTop, moved: false,
            measuring: event.shiftKey,
        };
    }

    private move(event: PointerEvent): void {
        if (!this.drag) {
            this.hover(event);
            return;
        }
        const right = event.offsetX - this.drag.x;
        const down = event.offsetY - this.drag.y;
        this.drag.moved ||= Math.abs(right) + Math.abs(down) > CLICK;
        if (!this.drag.moved) return;
        this.tip.hidden = true;
        if (this.drag.measuring) {
            this.renderer.marks.measure = [this.view.time(this.drag.x - GUTTER), this.view.time(event.offsetX - GUTTER)];
            this.redraw();
            return;
        }
        this.canvas.classList.add("dragging");
        const start = this.drag.start - right * this.view.ticksPerPixel;
        this.view.show(start, start + this.view.span);
        this.scroller.scrollTop = this.drag.scroll - down;
    }

    private up(event: PointerEvent): void {
        const clicked = this.drag && !this.drag.moved;
        this.drag = null;
        this.canvas.classList.remove("dragging");
        if (!clicked) return;
        this.renderer.marks.measure = null;
        const lane = this.laneUnder(event);
        if (lane) this.renderer.marks.cursor = lane;
        this.select(this.pickUnder(event));
    }

    private leave(): void {
        this.tip.hidden = true;
        this.renderer.marks.hover = null;
        this.renderer.marks.pointer = null;
        this.redraw();
    }

    private laneUnder(event: MouseEvent): Lane | null {
        if (event.offsetY < HEAD) return null;
        return this.layout.at(event.offsetY - HEAD + this.scroller.scrollTop)?.lane ?? null;
    }

    private pickUnder(event: MouseEvent): Pick | null {
        const lane = this.laneUnder(event);
        if (!lane || event.offsetX < GUTTER) return null;
        const place = this.layout.lanes[lane.index];
        const moments = event.offsetY - HEAD + this.scroller.scrollTop - place.top <= Math.min(MARK + 1, place.height / 2);
        return pickAt(lane, this.view.time(event.offsetX - GUTTER), this.view.ticksPerPixel * 3, moments,
                      (label) => this.renderer.filter.hiddenKinds[this.page.labels[label].kind]);
    }

    private hover(event: PointerEvent): void {
        const lane = this.laneUnder(event);
        const pick = this.pickUnder(event);
        const time = this.view.time(event.offsetX - GUTTER);
        this.renderer.marks.hover = pick;
        this.renderer.marks.pointer = event.offsetX >= GUTTER ? time : null;
        this.redraw();
        const gap = !pick && lane && event.offsetX >= GUTTER ? idle(this.page, this.units, lane, time) : "";
        this.tip.hidden = !pick && !gap;
        if (pick) this.tip.replaceChildren(...card(this.page, this.units, this.colours, pick));
        else if (gap) this.tip.replaceChildren(element("p", { class: "idle" }, gap));
        if (!this.tip.hidden) this.placeTip(event);
    }

    private placeTip(event: PointerEvent): void {
        const box = this.element.getBoundingClientRect();
        const tip = this.tip.getBoundingClientRect();
        const left = event.clientX - box.left + 16;
        const top = event.clientY - box.top + 18;
        this.tip.style.left = `${left + tip.width > box.width ? Math.max(0, left - tip.width - 30) : left}px`;
        this.tip.style.top = `${event.clientY + 18 + tip.height > window.innerHeight ? top - tip.height - 30 : top}px`;
    }

    // ---- selection

    select(pick: Pick | null): void {
        this.renderer.marks.selection = pick;
        if (pick) {
            this.renderer.marks.cursor = pick.lane;
            this.panel.replaceChildren(...card(this.page, this.units, this.colours, pick));
            this.canvas.setAttribute("aria-description", sentence(this.page, this.units, pick));
        } else {
            this.panel.replaceChildren(this.hint());
            this.canvas.removeAttribute("aria-description");
        }
        this.redraw();
    }

    get selection(): Pick | null {
        return this.renderer.marks.selection;
    }

    /** After times moved. */
    refold(): void {
        const { selection } = this;
        this.renderer.marks.measure = null;
        this.renderer.marks.hover = null;
        this.view.setLimits(this.page.first, this.page.last);
        this.select(selection);
    }

    /** Selects and brings into sight. */
    reveal(pick: Pick): void {
        const blocks = pick.row.exact();
        const start = blocks.starts[pick.index];
        const end = blocks.ends[pick.index];
        if (end < this.view.start + this.view.span * 0.02 || start > this.view.end - this.view.span * 0.02) {
            const middle = Math.min((start + end) / 2, start + this.view.span * 0.4);
            this.view.show(middle - this.view.span / 2, middle + this.view.span / 2);
        }
        this.scrollTo(pick.lane);
        this.select(pick);
    }

    zoomTo(pick: Pick): void {
        const blocks = pick.row.exact();
        const length = Math.max(blocks.ends[pick.index] - blocks.starts[pick.index], 8);
        this.select(pick);
        this.view.show(blocks.starts[pick.index] - length * 0.15, blocks.starts[pick.index] + length * 1.15);
    }

    scrollTo(lane: Lane): void {
        const place = this.layout.lanes[lane.index];
        const room = this.scroller.clientHeight - HEAD;
        const top = this.scroller.scrollTop;
        if (place.top < top) this.scroller.scrollTop = place.top - 4;
        else if (place.top + place.height > top + room) this.scroller.scrollTop = place.top + place.height - room + 4;
    }

    /** Moves the cursor of the keys by some lanes. */
    moveCursor(by: number): void {
        const lanes = this.page.lanes;
        const from = this.renderer.marks.cursor;
        const to = lanes[from ? Math.min(Math.max(from.index + by, 0), lanes.length - 1) : 0];
        if (!to) return;
        this.renderer.marks.cursor = to;
        this.scrollTo(to);
        this.canvas.setAttribute("aria-description", `${this.page.words.group} ${to.group.name}, ${to.name}`);
        this.redraw();
    }

    showGroup(index: number): void {
        const group = this.page.groups[index];
        const lane = group?.lanes[0];
        if (!lane) return;
        this.renderer.marks.cursor = lane;
        this.renderer.marks.flash = { group: index, until: performance.now() + FLASH };
        this.scroller.scrollTop = Math.max(0, this.layout.lanes[lane.index].top - 40);
        this.element.scrollIntoView({ block: "nearest" });
        this.redraw();
    }
}
