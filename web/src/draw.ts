// Draws the timeline on its canvas. A frame costs what is visible: about one block per pixel and row, whatever the size of
// the data.

import type { Colours } from "./colour";
import { firstEndingAfter, type Blocks } from "./decode";
import type { Units } from "./format";
import type { Layout, LanePlace } from "./layout";
import type { Lane, Page, Row } from "./model";
import { Raster, type Wide } from "./raster";
import type { View } from "./view";

export const GUTTER = 148;
export const HEAD = 26;
/** How far moments reach into a lane that is high. */
export const MARK = 6;
const STEP = 110; // pixels between places of the axis
const MANY_GAPS = 6;
const DECODING = 12; // milliseconds per frame; the rest waits for the next one
const FONT = "11px system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";

/** One slice, and the lane it lies in. */
export interface Pick {
    lane: Lane;
    row: Row;
    index: number;
}

export interface Marks {
    hover: Pick | null;
    selection: Pick | null;
    /** Where the pointer is: a line over all lanes. */
    pointer: number | null;
    /** The lane that keys move over. */
    cursor: Lane | null;
    measure: [number, number] | null;
    flash: { group: number; until: number } | null;
}

export interface Filter {
    hiddenKinds: boolean[];
    /** Labels that stand out; the others fade. Null: all are equal. */
    highlight: Uint8Array | null;
}

export class Renderer {
    readonly marks: Marks = { hover: null, selection: null, pointer: null, cursor: null, measure: null, flash: null };
    readonly filter: Filter;
    scroll = 0;
    private readonly context: CanvasRenderingContext2D;
    private readonly raster = new Raster();
    private names: (Wide & { y: number })[] = [];
    private letter = 6;
    private height = 0;
    private ratio = 1;
    private deadline = 0;
    private late = false;

    constructor(readonly canvas: HTMLCanvasElement, private readonly page: Page, private readonly view: View,
                private readonly layout: Layout, private readonly colours: Colours, private readonly units: Units) {
        this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
        this.filter = { hiddenKinds: page.kinds.map(() => false), highlight: null };
    }

    resize(width: number, height: number): void {
        this.ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        this.height = height;
        this.view.width = Math.max(1, width - GUTTER);
        this.raster.resize(this.view.width, height - HEAD, this.ratio);
    }

    /** Draws a frame. True: some blocks were not decoded yet, and another frame is due. */
    draw(): boolean {
        const { context, view } = this;
        const width = GUTTER + view.width;
        const start = performance.now();
        this.deadline = start + DECODING;
        this.late = false;
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.font = FONT;
        context.textBaseline = "middle";
        this.letter = context.measureText("abcdefghijklmnop").width / 16;
        this.raster.clear(this.colours.pixels.ground);
        this.drawStripes();
        const steps = this.steps();
        for (const place of steps.slice(1)) this.raster.column(this.view.x(this.page.fold.fold(place)), this.colours.pixels.grid);
        const [first, end] = this.layout.visible(this.scroll, this.scroll + this.height - HEAD);
        this.names = [];
        for (let i = first; i < end; i++) this.drawLane(this.layout.lanes[i]);
        this.raster.put(context, GUTTER, HEAD);
        context.save();
        context.beginPath();
        context.rect(GUTTER, HEAD, view.width, this.height - HEAD);
        context.clip();
        this.drawNames();
        this.drawGaps();
        this.drawMarks();
        context.restore();
        this.drawGutter(first, end);
        this.drawHead(steps, width);
        if (this.marks.flash && this.marks.flash.until < start) this.marks.flash = null;
        return this.late || this.marks.flash !== null;
    }

    private y(top: number): number {
        return top - this.scroll + HEAD;
    }

    private drawStripes(): void {
        this.layout.groups.forEach((place, index) => {
            const y = place.top - this.scroll;
            if (y + place.height < -4 || y > this.height) return;
            const { stripe, flash } = this.colours.pixels;
            if (index % 2 === 0) this.raster.stripe(y - 2, place.height + 5, stripe);
            if (this.marks.flash?.group === place.group.index) this.raster.stripe(y - 2, place.height + 5, flash);
        });
    }

    /** Places of the axis in true time, after the distance between them. */
    private steps(): number[] {
        const { fold } = this.page;
        if (fold.visible(this.view.start, this.view.end).length > MANY_GAPS) return this.evenSteps();
        const step = this.units.step(this.view.ticksPerPixel * STEP);
        const places = [step];
        const end = fold.unfold(this.view.end);
        for (let at = Math.ceil(fold.unfold(this.view.start) / step) * step; at <= end; at += step) {
            const gap = fold.gapAt(at);
            if (gap) at = Math.ceil(gap.end / step) * step;
            places.push(at);
        }
        return places;
    }

    /** Between many gaps hardly any round time is shown: the places are even on the screen instead. */
    private evenSteps(): number[] {
        const count = Math.max(1, Math.floor(this.view.width / STEP));
        const places = Array.from({ length: count }, (_, index) =>
            Math.round(this.page.fold.unfold(this.view.time((index + 0.5) * STEP))));
        return [Math.max(1, (places[count - 1] - places[0]) / count), ...places];
    }

    private drawLane(place: LanePlace): void {
        const y = place.top - this.scroll;
        const high = place.height >= 10;
        const drawn = place.lane.rows.map((row) => {
            const { blocks, late } = row.atDetail(this.view.ticksPerPixel * 1.5, this.deadline);
            this.late ||= late;
            return blocks;
        });
        place.lane.rows.forEach((row, index) => {
            const blocks = drawn[index];
            if (!blocks) return;
            if (row.instants) {
                this.raster.marks(blocks, this.view, y, high ? MARK : 2, this.fill);
                return;
            }
            const inset = high ? 1 + Math.min(row.depth, 3) * 2 : Math.min(row.depth, 2);
            const height = Math.max(2, place.height - inset - 1);
            const wide = this.raster.row(blocks, this.view, y + inset, height, this.fill, high ? 26 : Infinity);
            const inner = place.lane.rows[index + 1]?.depth === row.depth + 1 ? drawn[index + 1] : null;
            const middle = y + inset + height / 2 + HEAD + 0.5;
            for (const block of wide) this.names.push({ ...block, right: this.free(block, inner), y: middle });
        });
    }

    /** How far a name may go: up to the first slice inside. */
    private free(block: Wide, inner: Blocks | null): number {
        const right = Math.min(block.right, this.view.width);
        if (!inner) return right;
        const next = firstEndingAfter(inner, Math.max(block.start, this.view.start));
        return next < inner.count ? Math.min(right, this.view.x(inner.starts[next])) : right;
    }

    private readonly fill = (label: number, share: number): number => {
        if (this.filter.hiddenKinds[this.page.labels[label].kind]) return 0;
        const faded = this.filter.highlight && !this.filter.highlight[label];
        return faded ? this.colours.faded(label) : this.colours.fill(label, share);
    };

    private drawNames(): void {
        const { context, colours } = this;
        context.font = FONT;
        for (const { label, left, right, y } of this.names) {
            const letters = Math.floor((right - left - 7) / this.letter);
            const { name } = this.page.labels[label];
            if (letters < Math.min(4, name.length)) continue;
            context.fillStyle = this.filter.highlight && !this.filter.highlight[label] ? colours.quiet : colours.on(label);
            context.fillText(name.length <= letters ? name : `${name.slice(0, letters - 1)}…`, GUTTER + left + 4, y);
        }
    }

    /** A folded stretch is grey, with its true length along it. */
    private drawGaps(): void {
        const { context, view, page, colours } = this;
        const width = page.fold.kept / view.ticksPerPixel;
        if (width < 2) return;
        for (const { start, end, folded } of page.fold.visible(view.start, view.end)) {
            const left = GUTTER + view.x(folded);
            context.fillStyle = colours.line;
            context.globalAlpha = 0.45;
            context.fillRect(left, HEAD, width, this.height);
            context.globalAlpha = 1;
            const text = `idle ${this.units.length(end - start)}`;
            const room = this.height - HEAD;
            if (width < 13 || context.measureText(text).width > room - 8) continue;
            context.save();
            context.translate(Math.min(Math.max(left, GUTTER), GUTTER + view.width - width) + width / 2, HEAD + room / 2);
            context.rotate(-Math.PI / 2);
            context.textAlign = "center";
            context.fillStyle = colours.quiet;
            context.fillText(text, 0, 0);
            context.restore();
        }
    }

    private drawMarks(): void {
        const { context, view, marks } = this;
        if (marks.measure) {
            const x0 = GUTTER + view.x(Math.min(...marks.measure));
            const x1 = GUTTER + view.x(Math.max(...marks.measure));
            context.globalAlpha = 0.15;
            context.fillStyle = this.colours.accent;
            context.fillRect(x0, HEAD, x1 - x0, this.height);
            context.globalAlpha = 1;
        }
        if (marks.pointer !== null) {
            context.fillStyle = this.colours.quiet;
            context.globalAlpha = 0.5;
            context.fillRect(GUTTER + view.x(marks.pointer), HEAD, 1, this.height);
            context.globalAlpha = 1;
        }
        if (marks.hover) this.outline(marks.hover, this.colours.text, 1);
        if (marks.selection) this.outline(marks.selection, this.colours.accent, 2);
    }

    private outline(pick: Pick, colour: string, width: number): void {
        const place = this.layout.lanes[pick.lane.index];
        const blocks = pick.row.exact();
        const x0 = Math.max(this.view.x(blocks.starts[pick.index]), -4);
        const x1 = Math.min(Math.max(this.view.x(blocks.ends[pick.index]), x0 + 3), this.view.width + 4);
        this.context.strokeStyle = colour;
        this.context.lineWidth = width;
        this.context.strokeRect(GUTTER + x0 - 0.5, this.y(place.top) - 0.5, x1 - x0 + 1, place.height + 1);
    }

    private drawGutter(first: number, end: number): void {
        const { context, colours } = this;
        context.fillStyle = colours.ground;
        context.fillRect(0, HEAD, GUTTER, this.height - HEAD);
        this.layout.groups.forEach((place, index) => this.drawGroupName(place, index));
        context.font = FONT;
        for (let i = first; i < end; i++) {
            const place = this.layout.lanes[i];
            const y = this.y(place.top);
            if (place.lane === this.marks.cursor) {
                context.fillStyle = colours.accent;
                context.fillRect(GUTTER - 3, y, 3, place.height);
            }
            if (place.height < 10) continue;
            context.fillStyle = place.lane === this.marks.cursor ? colours.text : colours.quiet;
            context.textAlign = "right";
            context.fillText(place.lane.name, GUTTER - 8, y + place.height / 2 + 0.5, 72);
            context.textAlign = "left";
        }
        for (const place of this.layout.sections) {
            const y = this.y(place.top);
            if (y + place.height < HEAD || y > this.height) continue;
            context.font = `600 ${FONT}`;
            context.fillStyle = colours.text;
            context.fillText(place.section.name, 8, y + place.height / 2);
        }
        context.fillStyle = colours.line;
        context.fillRect(GUTTER - 1, HEAD, 1, this.height - HEAD);
    }

    private drawGroupName(place: Layout["groups"][number], index: number): void {
        const { context, colours } = this;
        const y = this.y(place.top);
        if (y + place.height < HEAD || y > this.height) return;
        if (index % 2 === 0) {
            context.fillStyle = colours.stripe;
            context.fillRect(0, y - 2, GUTTER, place.height + 5);
        }
        context.font = `600 ${FONT}`;
        context.fillStyle = colours.text;
        // The name stays in sight while any of its lanes is.
        const line = Math.min(Math.max(y + 9, HEAD + 9), y + place.height - 6);
        context.fillText(place.group.name, 8, line, this.layout.compact ? GUTTER - 16 : GUTTER - 84);
    }

    private drawHead([step, ...places]: number[], width: number): void {
        const { context, colours, view, marks } = this;
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, width, HEAD);
        context.font = FONT;
        context.fillStyle = colours.quiet;
        context.fillText(`${this.page.words.group} · ${this.page.words.lane}`, 8, HEAD / 2);
        context.textAlign = "center";
        let taken = 0;
        for (const place of places) {
            const x = GUTTER + Math.round(view.x(this.page.fold.fold(place)));
            const text = this.units.place(place, step);
            const half = context.measureText(text).width / 2;
            if (x - half > GUTTER - 6 && x + half < width && x - half > taken) {
                context.fillText(text, x, HEAD / 2 - 1);
                taken = x + half + 8;
            }
            context.fillRect(x, HEAD - 5, 1, 5);
        }
        context.textAlign = "left";
        context.fillStyle = colours.line;
        context.fillRect(0, HEAD - 1, width, 1);
        if (marks.measure) this.drawMeasure(marks.measure, width);
    }

    private drawMeasure([one, other]: [number, number], width: number): void {
        const { context, colours, view } = this;
        const text = this.units.both(Math.abs(Math.round(this.page.fold.between(one, other))));
        const wide = context.measureText(text).width + 12;
        const x = Math.min(Math.max(GUTTER + view.x((one + other) / 2) - wide / 2, GUTTER), width - wide);
        context.fillStyle = colours.accent;
        context.fillRect(x, 3, wide, HEAD - 7);
        context.fillStyle = colours.ground;
        context.fillText(text, x + 6, HEAD / 2);
    }
}
