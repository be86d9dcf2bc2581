// The strip with the whole time: how much of all outermost rows is busy, on a scale from nothing to everything. Dragging shows another
// stretch.

import { element } from "./dom";
import { percent } from "./numbers";
import type { Colours } from "./colour";
import { Columns, NOTHING, Scale } from "./columns";
import { COUNTER, drawnTracks, INSTANTS, type Row } from "./model";
import { hitPixels } from "./draw";
import { Idle, type Fold } from "./fold";
import { scan } from "./scan";
import type { Timeline } from "./timeline";
import { View } from "./view";

const COLUMNS = 1024;
const HEIGHT = 46;
const FAINTEST = 2; // pixels of a column that has anything

export class Strip {
    readonly canvas = element("canvas", { class: "strip", role: "img", "aria-label": "The whole time: drag to show another stretch" });
    readonly element = element("div", { class: "whole" });
    private readonly told = element("span", { class: "quiet" });
    private readonly context = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
    private readonly whole: View;
    private busy = new Float64Array(COLUMNS);
    private there = new Uint8Array(COLUMNS);
    private readonly lanes: number;
    private readonly drawn: Uint8Array;
    private readonly picture = document.createElement("canvas");
    private stale = true;
    private frame = 0;
    private running = 0;
    private gaps: Promise<[number, number][]> | null = null;

    constructor(private readonly timeline: Timeline, private readonly colours: Colours) {
        const { head, rows } = timeline.source;
        this.whole = new View(head.begin, Math.max(head.end, head.begin + 1));
        this.drawn = drawnTracks(head.tracks);
        const counted = rows.filter((row) => this.counts(row));
        this.lanes = Math.max(1, counted.length);
        const busy = counted.reduce((sum, row) => sum + row.busy[row.chunks]!, 0);
        this.told.textContent = `lanes ${share(busy / this.lanes / Math.max(1, head.end - head.begin))} busy`;
        this.element.append(element("div", {}, "Whole time", this.told), this.canvas);
        this.sketch();
        timeline.view.onChange(() => this.later());
        colours.onChange(() => this.redraw());
        new ResizeObserver(() => this.resize()).observe(this.canvas);
        this.listen();
    }

    private counts(row: Row): boolean {
        return row.kind !== COUNTER && row.kind !== INSTANTS && row.depth === 0 && !this.drawn[row.track];
    }

    private scale(): Scale {
        return new Scale().of(this.whole, COLUMNS);
    }

    /** By the means of chunks: at once. */
    private sketch(): void {
        const columns = new Columns();
        const scale = this.scale();
        this.busy = new Float64Array(COLUMNS);
        this.there = new Uint8Array(COLUMNS);
        for (const row of this.timeline.source.rows) {
            if (row.kind === COUNTER || this.drawn[row.track]) continue;
            columns.fill(row, scale, Infinity, () => undefined);
            this.keep(columns, this.counts(row), this.busy, this.there, 0, COLUMNS);
        }
    }

    private keep(columns: Columns, counts: boolean, busy: Float64Array, there: Uint8Array, from: number, to: number): void {
        for (let k = from; k < to; k++) {
            if (columns.state[k] === NOTHING) continue;
            there[k] = 1;
            if (counts) busy[k]! += columns.busy[k]!;
        }
    }

    /** By the slices themselves: when nothing else is to be done. Tells the stretches in which no track has anything. */
    private async refine(): Promise<[number, number][]> {
        const mine = ++this.running;
        const { head } = this.timeline.source;
        const busy = new Float64Array(COLUMNS);
        const there = new Uint8Array(COLUMNS);
        const columns = new Columns();
        const scale = this.scale();
        const idle = new Idle(head.begin, head.end);
        const lost = await scan(this.timeline.source, {
            range: null, stopped: () => this.running !== mine, wanted: (row) => !this.drawn[row.track],
            act: (row, _, chunk) => {
                columns.only(chunk, scale);
                this.keep(columns, this.counts(row), busy, there, scale.column(chunk.base), scale.column(chunk.base + chunk.ends[chunk.count - 1]!) + 1);
                if (row.depth === 0) idle.add(chunk);
            },
        });
        if (lost === null) return this.gaps ?? [];
        this.busy = busy;
        this.there = there;
        this.redraw();
        // What runs in chunks that cannot be read is not known.
        return lost > 0 ? [] : idle.gaps();
    }

    /** Looks at all slices, once. */
    idle(): Promise<[number, number][]> {
        this.gaps ??= this.refine();
        return this.gaps;
    }

    /** Folds what the timeline folds. */
    setFold(fold: Fold): void {
        this.whole.setFold(fold);
        this.sketch();
        this.redraw();
        void this.refine();
    }

    private resize(): void {
        if (matchMedia("print").matches) return;
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
        const x0 = whole.x(view.from);
        const x1 = Math.max(whole.x(view.to), x0 + 2);
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
        const step = whole.span / COLUMNS;
        for (let k = 0; k < COLUMNS; k++) {
            if (!this.there[k]) continue;
            const high = Math.max(FAINTEST, Math.min(1, this.busy[k]! / step / this.lanes) * (HEIGHT - 6));
            const left = Math.floor(k * wide * ratio) / ratio;
            context.fillRect(left, HEIGHT - high, Math.ceil((k + 1) * wide * ratio) / ratio - left, high);
        }
        for (const gap of whole.fold.gaps) {
            const x = whole.x(gap.start);
            context.fillStyle = colours.line;
            context.fillRect(x, 0, Math.max(1, whole.x(gap.end) - x), HEIGHT);
        }
        context.fillStyle = colours.hit;
        hitPixels(this.timeline.marks.hits?.values() ?? [], whole).forEach((hit, x) => hit && context.fillRect(x, 0, 1, 9));
    }

    private listen(): void {
        const { canvas, whole, timeline } = this;
        let from: number | null = null;
        const at = (event: PointerEvent): number => whole.time(event.clientX - canvas.getBoundingClientRect().left);
        const move = (time: number): void => {
            const middle = timeline.view.fold.fold(time);
            timeline.view.place(middle - timeline.view.span / 2, middle + timeline.view.span / 2);
        };
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

/** As `percent`, but never 0 where there is something. */
function share(value: number): string {
    return value > 0 && value < 0.001 ? `${Number((value * 100).toPrecision(1))} %` : percent(value);
}
