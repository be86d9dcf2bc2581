// Draws the timeline on its canvas. A frame costs what is visible: a row is a line of pixels, one per column, that is stretched to the
// height of the row; names and marks go on top.

import { roundStep, time, timePlace } from "../numbers";
import type { View } from "../view";
import type { Colours } from "./colour";
import { Columns, MEAN, NOTHING, type Part, type Wide } from "./columns";
import type { Chunk } from "./kit";
import { drawCounter } from "./counter";
import type { Layout, Item } from "./layout";
import type { Found, Hits, Marks } from "./marks";
import { COUNTER, firstWhere, type Row } from "./model";
import type { TraceSource } from "./source";

const AXIS = 24;
const RUNS = 17;
const STEP = 110; // pixels between places of the axis
const MANY = 256; // rows of a folded group that are added up
const NAMED = 24; // pixels of a slice that is wide enough for a name
export const FONT = "11px system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";

interface Line {
    row: Row;
    y: number;
    height: number;
    wide: Wide[];
    pinned: boolean;
}

export class Renderer {
    scroll = 0;
    readonly head: number;
    height = 0;
    /** Chunks that the last frame wanted and did not have. */
    missing: [Row, number][] = [];
    /** Slices of the chunks that the last frame showed. */
    shown = 0;
    private readonly context: CanvasRenderingContext2D;
    private readonly columns = new Columns();
    private readonly scratch = new Columns();
    /** Of chunks for which there is no room: what they have in the view for which this was found. */
    private readonly parts = new Map<string, Part>();
    private partsOf = "";
    private readonly buffer = document.createElement("canvas");
    private readonly bufferContext: CanvasRenderingContext2D;
    private image: ImageData;
    private ratio = 1;
    private letter = 6;
    /** Of names, in pixels. */
    private readonly widths = new Map<number, number>();

    constructor(readonly canvas: HTMLCanvasElement, private readonly source: TraceSource, private readonly view: View,
                private readonly layout: Layout, private readonly colours: Colours, private readonly marks: Marks) {
        // The drawings come from the processor and stay there.
        this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
        this.bufferContext = this.buffer.getContext("2d", { willReadFrequently: true })!;
        this.image = new ImageData(1, 1);
        this.head = AXIS + (source.head.runs.length > 0 ? RUNS : 0);
    }

    resize(width: number, height: number): void {
        this.ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        this.height = height;
        this.view.width = Math.max(1, width);
        this.columns.resize(this.canvas.width);
        this.scratch.resize(this.canvas.width);
        this.buffer.width = this.canvas.width;
    }

    /** Where the rows of a part begin on the canvas. */
    y(item: Item): number {
        return this.head + item.top + (item.pinned ? 0 : this.layout.pinnedHeight - this.scroll);
    }

    visibleItems(): Item[] {
        const { layout } = this;
        const room = this.height - this.head - layout.pinnedHeight;
        return [...layout.visible(layout.items, this.scroll, this.scroll + room), ...layout.pinned];
    }

    /** Says for which view something is found. */
    stamp(): string {
        return `${this.view.start} ${this.view.span} ${this.columns.width}`;
    }

    /** Keeps what a chunk has in the view, for as long as that stays. */
    keep(row: Row, number: number, chunk: Chunk, key: string): void {
        if (key !== this.stamp()) return;
        if (key !== this.partsOf) this.parts.clear();
        this.partsOf = key;
        this.scratch.only(chunk, this.view.start, this.view.span / this.scratch.width);
        this.parts.set(`${row.number} ${number}`, this.scratch.part());
    }

    draw(): void {
        const { context, view, colours } = this;
        this.missing = [];
        this.shown = 0;
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.font = FONT;
        context.textBaseline = "middle";
        this.letter = context.measureText("abcdefghijklmnop").width / 16;
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, view.width, this.height);
        const step = roundStep(view.span / view.width * Math.min(STEP, view.width / 4));
        this.drawGrid(step);
        const items = this.visibleItems();
        this.drawPart(items.filter((item) => !item.pinned), this.head + this.layout.pinnedHeight);
        if (this.layout.pinnedHeight > 0) {
            context.fillStyle = colours.ground;
            context.fillRect(0, this.head, view.width, this.layout.pinnedHeight);
            this.drawPart(items.filter((item) => item.pinned), this.head);
            context.fillStyle = colours.quiet;
            context.fillRect(0, this.head + this.layout.pinnedHeight - 1, view.width, 1);
        }
        this.drawMarks();
        this.drawHead(step);
    }

    private drawPart(items: Item[], top: number): void {
        const { context } = this;
        context.save();
        context.beginPath();
        context.rect(0, top, this.view.width, this.height - top);
        context.clip();
        const lines: Line[] = [];
        const counters: { row: Row; y: number; height: number }[] = [];
        for (const item of items) {
            const y = this.y(item);
            for (const place of item.rows) {
                const at = { row: place.row, y: y + place.top, height: place.height };
                if (at.y > this.height || at.y + at.height < top) continue;
                if (place.row.kind === COUNTER) counters.push(at);
                else lines.push({ ...at, wide: [], pinned: item.pinned });
            }
        }
        this.drawLines(lines);
        for (const item of items) this.drawFolded(item);
        for (const line of lines) {
            this.drawHits(line);
            this.drawNames(line);
        }
        for (const { row, y, height } of counters) {
            this.missing.push(...drawCounter(context, this.view, row, (chunk) => this.source.peek(row, chunk), y, height, this.colours)
                .map((chunk): [Row, number] => [row, chunk]));
        }
        this.drawArrows();
        for (const [found, colour, width] of [[this.marks.hover, this.colours.text, 1], [this.marks.selection, this.colours.accent, 2]] as const) {
            const line = found && lines.find((candidate) => candidate.row.number === found.row);
            if (found && line) this.outline(found, line, colour, width);
        }
        context.restore();
    }

    private drawLines(lines: Line[]): void {
        const { columns, view, context } = this;
        if (lines.length === 0) return;
        const width = columns.width;
        if (this.image.width !== width || this.image.height < lines.length) {
            this.image = new ImageData(width, lines.length + 16);
            this.buffer.width = width;
            this.buffer.height = lines.length + 16;
        }
        const pixels = new Uint32Array(this.image.data.buffer);
        const nanoseconds = view.span / width;
        const parts = this.partsOf === this.stamp() ? this.parts : null;
        lines.forEach((line, number) => {
            const { row } = line;
            columns.fill(row, view.start, nanoseconds, line.height > 9 ? NAMED * this.ratio * nanoseconds : Infinity, (chunk) => {
                this.shown += row.counts[chunk]!;
                return this.source.peek(row, chunk);
            }, parts ? (chunk) => parts.get(`${row.number} ${chunk}`) : undefined);
            for (const chunk of columns.missing) this.missing.push([row, chunk]);
            line.wide = columns.wide;
            this.paint(pixels, number * width, nanoseconds);
        });
        this.bufferContext.putImageData(this.image, 0, 0, 0, 0, width, lines.length);
        context.imageSmoothingEnabled = false;
        lines.forEach((line, number) => context.drawImage(this.buffer, 0, number, width, 1, 0, line.y, view.width, line.height));
    }

    /** A folded group as one line: the mean of the outermost rows in it, by what is known of them without decoding. */
    private drawFolded(item: Item): void {
        const rows = this.layout.hidden(item.track);
        if (rows.length === 0 || rows.length > MANY) return;
        const { columns, view, context, colours } = this;
        const sums = new Float64Array(columns.width);
        const there = new Uint8Array(columns.width);
        const step = view.span / columns.width;
        for (const row of rows) {
            columns.fill(row, view.start, step, Infinity, (chunk) => this.source.peek(row, chunk));
            for (let k = 0; k < columns.width; k++) {
                if (columns.state[k] === NOTHING) continue;
                there[k] = 1;
                sums[k]! += columns.busy[k]!;
            }
        }
        const image = new ImageData(columns.width, 1);
        const pixels = new Uint32Array(image.data.buffer);
        for (let k = 0; k < columns.width; k++) if (there[k]) pixels[k] = colours.faded(Math.min(1, Math.max(0, sums[k]! / step / rows.length)));
        this.bufferContext.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(this.buffer, 0, 0, columns.width, 1, 0, this.y(item) + 3, view.width, item.height - 6);
    }

    private paint(pixels: Uint32Array, at: number, nanoseconds: number): void {
        const { columns, colours } = this;
        const faded = this.marks.hits !== null;
        for (let k = 0; k < columns.width; k++) {
            const state = columns.state[k]!;
            if (state === NOTHING) {
                pixels[at + k] = 0; // what is behind
                continue;
            }
            const share = Math.min(1, Math.max(0, columns.busy[k]! / nanoseconds));
            pixels[at + k] = faded || state === MEAN ? colours.faded(share) : colours.fill(columns.label[k]!, share);
        }
    }

    private drawNames(line: Line): void {
        const { context, colours, view, source } = this;
        context.font = FONT;
        for (const { label, start, end } of line.wide) {
            const x0 = view.x(start);
            const left = Math.max(x0, 0);
            const right = Math.min(view.x(end), view.width);
            context.fillStyle = colours.ground;
            context.globalAlpha = 0.55;
            if (x0 > 0) context.fillRect(x0, line.y, 1, line.height);
            context.globalAlpha = 1;
            const name = source.labels[label]?.name ?? "";
            const width = this.widths.get(label) ?? context.measureText(name).width;
            this.widths.set(label, width);
            const room = right - left - 7;
            const letters = width <= room ? name.length : Math.floor(name.length * room / width - 0.5);
            if (letters < Math.min(3, name.length)) continue;
            context.fillStyle = this.marks.hits ? colours.text : colours.on(label);
            context.fillText(name.length <= letters ? name : `${name.slice(0, letters - 1)}…`, left + 4, line.y + line.height / 2 + 0.5);
        }
    }

    /** Every slice that was found has its column, at any zoom. */
    private drawHits(line: Line): void {
        const hits = this.marks.hits?.get(line.row.number);
        if (!hits) return;
        const { context, colours } = this;
        context.fillStyle = colours.hit;
        eachHit(hits, this.view, (left, width) => context.fillRect(left, line.y, width, line.height));
    }

    private outline(found: Found, line: Line, colour: string, width: number): void {
        const x0 = Math.max(this.view.x(found.start), -4);
        const x1 = Math.min(Math.max(this.view.x(found.end), x0 + 2), this.view.width + 4);
        this.context.strokeStyle = colour;
        this.context.lineWidth = width;
        this.context.strokeRect(x0 - 0.5, line.y - 0.5, x1 - x0 + 1, line.height + 1);
    }

    /** The middle of a row on the canvas, where it is shown; folded ones lie where their group is. */
    private rowY(number: number): number | null {
        const row = this.source.rows[number];
        for (let track = row?.track ?? -1; track >= 0; track = this.source.head.tracks[track]!.parent) {
            const item = this.layout.itemOf(track);
            if (!item) continue;
            const place = item.rows.find((candidate) => candidate.row.number === number);
            return this.y(item) + (place ? place.top + place.height / 2 : item.height / 2);
        }
        return null;
    }

    private drawArrows(): void {
        const { context, view } = this;
        context.strokeStyle = this.colours.text;
        context.fillStyle = this.colours.text;
        context.lineWidth = 1.3;
        for (const { from, to } of this.marks.arrows) {
            const [y0, y1] = [this.rowY(from.row), this.rowY(to.row)];
            if (y0 === null || y1 === null) continue;
            const x0 = Math.min(Math.max(view.x(from.end), -1e4), 1e4);
            const x1 = Math.min(Math.max(view.x(to.start), -1e4), 1e4);
            const bend = Math.max(12, Math.abs(x1 - x0) / 3);
            context.beginPath();
            context.moveTo(x0, y0);
            context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
            context.stroke();
            context.beginPath();
            context.moveTo(x1, y1);
            context.lineTo(x1 - 6, y1 - 3.5);
            context.lineTo(x1 - 6, y1 + 3.5);
            context.fill();
        }
    }

    private drawGrid(step: number): void {
        const { context, view, colours } = this;
        context.fillStyle = colours.line;
        context.globalAlpha = 0.6;
        for (const place of this.places(step)) context.fillRect(Math.round(view.x(place)), this.head, 1, this.height);
        context.globalAlpha = 1;
    }

    private places(step: number): number[] {
        const { begin } = this.source.head;
        const first = Math.ceil((this.view.start - begin) / step);
        const last = Math.floor((this.view.end - begin) / step);
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => begin + (first + at) * step);
    }

    private drawMarks(): void {
        const { context, view, marks, colours } = this;
        if (marks.range) {
            const [x0, x1] = [view.x(Math.min(...marks.range)), view.x(Math.max(...marks.range))];
            context.fillStyle = colours.accent;
            context.globalAlpha = 0.16;
            context.fillRect(x0, this.head, x1 - x0, this.height);
            context.globalAlpha = 1;
            context.fillRect(x0, this.head, 1, this.height);
            context.fillRect(x1 - 1, this.head, 1, this.height);
        }
        context.fillStyle = colours.hit;
        for (const edge of marks.edges) context.fillRect(view.x(edge), 0, 1.5, this.height);
        if (marks.pointer !== null) {
            context.fillStyle = colours.quiet;
            context.globalAlpha = 0.5;
            context.fillRect(view.x(marks.pointer), this.head, 1, this.height);
            context.globalAlpha = 1;
        }
    }

    private drawHead(step: number): void {
        const { context, colours, view, marks } = this;
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, view.width, this.head);
        context.font = FONT;
        context.textAlign = "center";
        context.fillStyle = colours.quiet;
        for (const place of this.places(step)) {
            const x = Math.round(view.x(place));
            const text = timePlace(Math.round((place - this.source.head.begin) * 1e6) / 1e6, step);
            const half = context.measureText(text).width / 2;
            if (x - half > 0 && x + half < view.width) context.fillText(text, x, AXIS / 2 - 1);
            context.fillRect(x, AXIS - 5, 1, 5);
        }
        context.textAlign = "left";
        if (this.head > AXIS) this.drawRuns();
        context.fillStyle = colours.line;
        context.fillRect(0, this.head - 1, view.width, 1);
        if (marks.range) this.drawLength(marks.range, colours.accent);
        if (marks.edges.length > 1) this.drawLength([marks.edges[0]!, marks.edges[1]!], colours.hit);
    }

    private drawRuns(): void {
        const { context, colours, view } = this;
        const { runs } = this.source.head;
        const first = firstWhere(runs.length, (at) => runs[at]!.end >= view.start);
        let drawn = -1;
        for (let at = first; at < runs.length && runs[at]!.start <= view.end; at++) {
            const run = runs[at]!;
            const x0 = view.x(run.start);
            const x1 = Math.max(view.x(run.end), x0 + 1);
            if (x1 < drawn + 1) continue; // many in one pixel
            drawn = x1;
            context.fillStyle = run.counted === false ? colours.quiet : colours.accent;
            context.globalAlpha = at % 2 ? 0.34 : 0.22;
            context.fillRect(x0, AXIS, x1 - x0, RUNS - 2);
            context.globalAlpha = 1;
            const left = Math.max(0, x0);
            const text = `${run.name}${run.counted === false ? " (not counted)" : ""} · ${time(run.end - run.start)}`;
            const room = Math.floor((Math.min(x1, view.width) - left - 8) / this.letter);
            const shown = text.length <= room ? text : run.name.length <= room ? run.name : "";
            context.fillStyle = colours.text;
            if (shown) context.fillText(shown, left + 4, AXIS + (RUNS - 2) / 2 + 0.5);
        }
    }

    private drawLength([one, other]: [number, number], colour: string): void {
        const { context, colours, view } = this;
        if (Math.max(one, other) < view.start || Math.min(one, other) > view.end) return;
        const text = time(Math.abs(Math.round(other) - Math.round(one)));
        const wide = context.measureText(text).width + 12;
        const x = Math.min(Math.max(view.x((one + other) / 2) - wide / 2, 0), view.width - wide);
        context.fillStyle = colour;
        context.fillRect(x, 3, wide, AXIS - 7);
        context.fillStyle = colours.ground;
        context.fillText(text, x + 6, AXIS / 2);
    }
}

/** Calls for at most one stretch per pixel. */
export function eachHit(hits: Hits, view: View, act: (left: number, width: number) => void): void {
    let at = firstWhere(hits.count, (index) => hits.ends[index]! >= view.start);
    while (at < hits.count && hits.starts[at]! <= view.end) {
        const left = view.x(hits.starts[at]!);
        const right = Math.max(view.x(hits.ends[at]!), left + 1);
        act(left, right - left);
        // What ends inside of the pixel that is painted needs no other.
        const until = view.time(right);
        const from = at + 1;
        at = from + firstWhere(hits.count - from, (index) => hits.ends[from + index]! > until);
    }
}
