// A slider for the part of a range that is shown: its ends and itself can be dragged, keys move it and change its length.

import type { Window } from "./calls";
import { paints } from "./colours";
import { element } from "../page/dom";
import { clearCanvas, mix } from "../page/paint";

const HEIGHT = 44;
const HANDLE = 8; // pixels around an end of the window that take hold of it

export class RangeSlider {
    readonly canvas = element("canvas", { class: "slider", tabindex: "0", role: "application", "aria-label": "Range: arrow keys move it, plus and minus change its length, Home shows all" });
    private held: "from" | "to" | "all" | null = null;
    private grip = 0;
    private width = 60;

    /** `paint` draws what there is, behind the window; `changed` hears of every change. */
    constructor(private readonly window: Window, private readonly paint: (context: CanvasRenderingContext2D, place: (value: number) => number, height: number) => void,
        private readonly changed: () => void) {
        this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
        this.canvas.addEventListener("pointermove", (event) => this.drag(event));
        for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (this.held = null));
        this.canvas.addEventListener("keydown", (event) => this.key(event));
    }

    /** Keys of whatever shows the window: zoom around a time. */
    zoomKey(event: KeyboardEvent, around: number): void {
        if (event.key === "+" || event.key === "=") this.window.zoom(0.5, around);
        else if (event.key === "-") this.window.zoom(2, around);
        else if (event.key === "Home") this.window.set(this.window.begin, this.window.end);
        else return;
        event.preventDefault();
        this.changed();
    }

    /** The wheel with Control zooms around the pointer, with Shift or sideways it moves. */
    wheel(event: WheelEvent, at: number, width: number): void {
        const { from, to } = this.window;
        if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        event.preventDefault();
        if (event.ctrlKey) this.window.zoom(Math.exp(event.deltaY / 300), at);
        else this.window.move((event.deltaX || event.deltaY) / width * (to - from));
        this.changed();
    }

    draw(width: number): void {
        const context = this.canvas.getContext("2d");
        if (!context) return;
        const { begin, end, from, to } = this.window;
        const colours = paints();
        this.width = width;
        clearCanvas(this.canvas, context, width, HEIGHT, colours.ground);
        const place = (value: number): number => (value - begin) / (end - begin) * width;
        this.paint(context, place, HEIGHT);
        context.fillStyle = mix(colours.ground, colours.quiet, 0.5);
        context.globalAlpha = 0.45;
        context.fillRect(0, 0, place(from), HEIGHT);
        context.fillRect(place(to), 0, width - place(to), HEIGHT);
        context.globalAlpha = 1;
        context.strokeStyle = colours.quiet;
        context.strokeRect(place(from) + 0.5, 0.5, Math.max(1, place(to) - place(from) - 1), HEIGHT - 1);
        context.fillStyle = colours.accent;
        for (const x of [place(from), place(to) - 5]) context.fillRect(x, HEIGHT / 4, 5, HEIGHT / 2);
    }

    private timeAt(event: MouseEvent): number {
        const { begin, end } = this.window;
        return begin + (event.clientX - this.canvas.getBoundingClientRect().left) / this.width * (end - begin);
    }

    private key(event: KeyboardEvent): void {
        const { from, to } = this.window;
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") {
            this.zoomKey(event, (from + to) / 2);
            return;
        }
        event.preventDefault();
        this.window.move((event.key === "ArrowLeft" ? -0.1 : 0.1) * (to - from));
        this.changed();
    }

    private grab(event: PointerEvent): void {
        const { begin, end, from, to } = this.window;
        const x = event.clientX - this.canvas.getBoundingClientRect().left;
        const [left, right] = [from, to].map((value) => (value - begin) / (end - begin) * this.width) as [number, number];
        const at = this.timeAt(event);
        this.held = Math.abs(x - left) <= HANDLE && x - left < right - x ? "from" : Math.abs(x - right) <= HANDLE ? "to" : "all";
        if (this.held === "all" && (x < left || x > right)) this.window.move(at - (from + to) / 2);
        this.grip = at - this.window.from;
        this.canvas.setPointerCapture(event.pointerId);
        this.changed();
    }

    private drag(event: PointerEvent): void {
        const { from, to } = this.window;
        const at = this.timeAt(event);
        if (!this.held) return;
        if (this.held === "all") this.window.set(at - this.grip, at - this.grip + (to - from));
        else this.window.setEnd(this.held, at);
        this.changed();
    }
}
