// The strip with the whole time: how much of all outermost rows is busy, on a scale from nothing to everything. Dragging shows another
// stretch.

import { element } from "../dom";
import type { Colours } from "./colour";
import { Columns, NOTHING } from "./columns";
import { COUNTER, drawnTracks, INSTANTS, type Row } from "./model";
import { eachHit } from "./draw";
import { scan } from "./scan";
import type { Timeline } from "./timeline";
import { View } from "../view";

const COLUMNS = 1024;
const HEIGHT = 46;
const FAINTEST = 2; // pixels of a column that has anything

export class Strip {
    readonly canvas = element("canvas", { class: "strip", role: "img", "aria-label": "The whole time: drag to show another stretch" });
    private readonly context = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
    private readonly whole: View;
    private busy = new Float64Array(COLUMNS);
    private there = new Uint8Array(COLUMNS);
    private readonly lanes: number;
    private readonly drawn: Uint8Array;
    private readonly picture = document.createElement("canvas");
    private stale = true;
    private frame = 0;

    constructor(private readonly timeline: Timeline, private readonly colours: Colours) {
        const { head, rows } = timeline.source;
        this.whole = new View(head.begin, Math.max(head.end, head.begin + 1));
        this.drawn = drawnTracks(head.tracks);
        this.lanes = Math.max(1, rows.filter((row) => this.counts(row)).length);
        this.sketch();
        timeline.view.onChange(() => this.later());
        colours.onChange(() => this.redraw());
        new ResizeObserver(() => this.resize()).observe(this.canvas);
        this.listen();
    }

    private counts(row: Row): boolean {
        return row.kind !== COUNTER && row.kind !== INSTANTS && row.depth === 0 && !this.drawn[row.track];
    }

    private get step(): number {
        return this.whole.span / COLUMNS;
    }

    /** By the means of chunks: at once. */
    private sketch(): void {
        const columns = new Columns();
        columns.resize(COLUMNS);
        for (const row of this.timeline.source.rows) {
            if (row.kind === COUNTER || this.drawn[row.track]) continue;
            columns.fill(row, this.whole.start, this.step, Infinity, () => undefined);
            this.keep(columns, this.counts(row), this.busy, this.there);
        }
    }

    private keep(columns: Columns, counts: boolean, busy: Float64Array, there: Uint8Array): void {
        for (let k = 0; k < COLUMNS; k++) {
            if (columns.state[k] === NOTHING) continue;
            there[k] = 1;
            if (counts) busy[k]! += columns.busy[k]!;
        }
    }

    /** By the slices themselves: when nothing else is to be done. */
    async refine(): Promise<void> {
        const busy = new Float64Array(COLUMNS);
        const there = new Uint8Array(COLUMNS);
        const columns = new Columns();
        columns.resize(COLUMNS);
        await scan(this.timeline.source, {
            range: null, stopped: () => false, wanted: (row) => !this.drawn[row.track],
            act: (row, _, chunk) => {
                columns.only(chunk, this.whole.start, this.step);
                this.keep(columns, this.counts(row), busy, there);
            },
        });
        this.busy = busy;
        this.there = there;
        this.redraw();
    }

    private resize(): void {
        const ratio = window.devicePixelRatio || 1;
        this.whole.width = Math.max(1, this.canvas.clientWidth);
        this.canvas.width = Math.round(this.whole.width * ratio);
        this.canvas.height = Math.round(HEIGHT * ratio);
        this.stale = true;
        this.draw();
    }

    /** More than the view has changed. */
    redraw(): void {
        this.stale = true;
        this.later();
    }

    private later(): void {
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    private draw(): void {
        this.frame = 0;
        const { context, colours, whole, timeline } = this;
        const ratio = window.devicePixelRatio || 1;
        if (this.stale) this.paint(ratio);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(this.picture, 0, 0);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const { view } = timeline;
        const [x0, x1] = [whole.x(view.start), Math.max(whole.x(view.end), whole.x(view.start) + 2)];
        context.fillStyle = colours.quiet;
        context.globalAlpha = 0.22;
        context.fillRect(0, 0, x0, HEIGHT);
        context.fillRect(x1, 0, whole.width - x1, HEIGHT);
        context.globalAlpha = 1;
        context.strokeStyle = colours.text;
        context.strokeRect(x0 + 0.5, 0.5, Math.max(1, x1 - x0 - 1), HEIGHT - 1);
    }

    /** What stays while the view moves. */
    private paint(ratio: number): void {
        const { colours, whole, picture } = this;
        this.stale = false;
        picture.width = this.canvas.width;
        picture.height = this.canvas.height;
        const context = picture.getContext("2d", { alpha: false, willReadFrequently: true })!;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, whole.width, HEIGHT);
        context.fillStyle = colours.accent;
        const wide = whole.width / COLUMNS;
        for (let k = 0; k < COLUMNS; k++) {
            if (!this.there[k]) continue;
            const high = Math.max(FAINTEST, Math.min(1, this.busy[k]! / this.step / this.lanes) * (HEIGHT - 6));
            const left = Math.floor(k * wide * ratio) / ratio;
            context.fillRect(left, HEIGHT - high, Math.ceil((k + 1) * wide * ratio) / ratio - left, high);
        }
        context.fillStyle = colours.hit;
        for (const hits of this.timeline.marks.hits?.values() ?? []) eachHit(hits, whole, (left, width) => context.fillRect(left, 0, width, 9));
    }

    private listen(): void {
        const { canvas, whole, timeline } = this;
        let from: number | null = null;
        const at = (event: PointerEvent): number => whole.time(event.clientX - canvas.getBoundingClientRect().left);
        const move = (middle: number): void => timeline.view.show(middle - timeline.view.span / 2, middle + timeline.view.span / 2);
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            from = at(event);
        });
        canvas.addEventListener("pointermove", (event) => {
            if (from === null) return;
            const to = at(event);
            if (Math.abs(whole.x(to) - whole.x(from)) > 3) timeline.view.show(Math.min(from, to), Math.max(from, to));
        });
        canvas.addEventListener("pointerup", (event) => {
            if (from !== null && Math.abs(whole.x(at(event)) - whole.x(from)) <= 3) move(from);
            from = null;
        });
    }
}
