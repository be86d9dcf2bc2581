// Draws the timeline on its canvas. A frame costs what is visible: a row is a line of pixels, one per column, that is stretched to the
// height of the row; names and marks go on top.

import { roundStep, time, timePlace } from "./numbers";
import type { View } from "./view";
import type { Colours } from "./colour";
import { Columns, MEAN, NOTHING, Scale, type Part, type Wide } from "./columns";
import type { Chunk } from "./kit";
import { drawCounter } from "./counter";
import type { Layout, Item } from "./layout";
import type { Found, Hits, Marks } from "./marks";
import { chunkAt, COUNTER, firstWhere, type Row, type Run } from "./model";
import type { TraceSource } from "./source";
import type { Stretch } from "./tiles";

const AXIS = 24;
const RUNS = 17;
const IDLE = 16; // where gaps that are folded are told
const MARK = 7; // pixels of the mark of such a gap, at least
const STEP = 110; // pixels between places of the axis
const FEW = 2; // chunks of a row that are asked for themselves, where there is a server that makes columns
const MANY = 256; // rows of a folded group that are added up
const NAMED = 24; // pixels of a slice that is wide enough for a name
const NAMED_HEIGHT = 9; // pixels that a row is higher than where names are written
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
    height = 0;
    /** The time that the axis counts from. */
    zero: number;
    /** Chunks that the last frame wanted and did not have. */
    missing: [Row, number][] = [];
    /** Rows of which the server has to make columns, and has not yet. */
    untiled: number[] = [];
    /** Slices of the chunks that the last frame showed. */
    shown = 0;
    private readonly context: CanvasRenderingContext2D;
    private readonly columns = new Columns();
    private readonly scratch = new Columns();
    readonly scale = new Scale();
    private readonly runs: Run[];
    /** Of chunks for which there is no room: what they have in the view for which this was found. */
    private readonly parts = new Map<string, Part>();
    private partsOf = "";
    private readonly buffer = document.createElement("canvas");
    private readonly bufferContext: CanvasRenderingContext2D;
    private image: ImageData;
    /** Pixels of the screen that share a column: more than one only while it moves and that would be slow. */
    coarse = 1;
    ratio = 1;
    private letter = 6;
    /** Of names, in pixels. */
    private readonly widths = new Map<number, number>();

    constructor(readonly canvas: HTMLCanvasElement, private readonly source: TraceSource, private readonly view: View,
                private readonly layout: Layout, private readonly colours: Colours, private readonly marks: Marks) {
        // The drawings come from the processor and stay there.
        this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!;
        this.bufferContext = this.buffer.getContext("2d", { willReadFrequently: true })!;
        this.image = new ImageData(1, 1);
        this.zero = source.head.begin;
        this.runs = [...source.head.runs].sort((one, other) => one.start - other.start);
    }

    /** Columns of a drawing. */
    private get wide(): number {
        return Math.ceil(this.canvas.width / this.coarse);
    }

    /** Pixels above the rows. */
    get head(): number {
        return AXIS + (this.runs.length > 0 ? RUNS : 0) + (this.view.fold.gaps.length > 0 ? IDLE : 0);
    }

    resize(width: number, height: number): void {
        this.ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        this.height = height;
        this.view.width = Math.max(1, width);
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
        return `${this.view.start} ${this.view.span} ${this.view.fold.gaps.length} ${this.wide}`;
    }

    /** Keeps what a chunk has in the view, for as long as that stays. */
    keep(row: Row, number: number, chunk: Chunk, key: string): void {
        if (key !== this.stamp()) return;
        if (key !== this.partsOf) this.parts.clear();
        this.partsOf = key;
        this.scratch.only(chunk, this.setScale());
        this.parts.set(`${row.number} ${number}`, this.scratch.part());
    }

    private setScale(): Scale {
        const { scale, view } = this;
        return this.source.tiles ? scale.whole(view, this.wide, Math.ceil(NAMED * view.ticksPerPixel)) : scale.of(view, this.wide);
    }

    /** What tiles are asked for with, of the last drawing; null: none are. */
    get stretch(): Stretch | null {
        return this.source.tiles ? this.scale.stretch : null;
    }

    draw(): void {
        const { context, view, colours } = this;
        this.missing = [];
        this.untiled = [];
        this.shown = 0;
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.font = FONT;
        context.textBaseline = "middle";
        this.letter = context.measureText("abcdefghijklmnop").width / 16;
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, view.width, this.height);
        this.setScale();
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
        this.drawGaps();
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
        const { width } = this.scale;
        if (this.image.width !== width || this.image.height < lines.length) {
            this.image = new ImageData(width, lines.length + 16);
            this.buffer.width = width;
            this.buffer.height = lines.length + 16;
        }
        const pixels = new Uint32Array(this.image.data.buffer);
        const nanoseconds = this.scale.step;
        lines.forEach((line, number) => {
            this.fill(line.row);
            for (const chunk of columns.missing) this.missing.push([line.row, chunk]);
            line.wide = line.height > NAMED_HEIGHT ? columns.wide : [];
            this.paint(pixels, number * width, nanoseconds);
        });
        this.bufferContext.putImageData(this.image, 0, 0, 0, 0, width, lines.length);
        context.imageSmoothingEnabled = false;
        lines.forEach((line, number) => context.drawImage(this.buffer, 0, number, width, 1, 0, line.y, view.width, line.height));
    }

    /** The columns of a row, as they are drawn. */
    fill(row: Row): Columns {
        const { columns, view } = this;
        const parts = this.partsOf === this.stamp() ? this.parts : null;
        if (this.fillFromTile(row)) return columns;
        columns.fill(row, this.scale, NAMED * view.ticksPerPixel, (chunk) => {
            this.shown += row.counts[chunk]!;
            return this.source.peek(row, chunk);
        }, parts ? (chunk) => parts.get(`${row.number} ${chunk}`) : undefined);
        return columns;
    }

    /** Where a row shows so much that its chunks are not asked for: by a tile, or until that comes by what is known. */
    private fillFromTile(row: Row): boolean {
        const { columns, scale } = this;
        const { tiles } = this.source;
        const { stretch } = scale;
        if (!tiles || !stretch || chunkAt(row, stretch.to) - chunkAt(row, stretch.from) < FEW) return false;
        const tile = tiles.peek(stretch, row.number);
        if (tile) {
            columns.take(tile, scale);
            return true;
        }
        columns.fill(row, scale, Infinity, () => undefined);
        columns.missing = [];
        this.untiled.push(row.number);
        const before = tiles.latest(row.number);
        if (before) columns.borrow(before.tile, before.stretch, scale);
        return true;
    }

    /** A folded group as one line: the mean of the outermost rows in it, by what is known of them without decoding. */
    private drawFolded(item: Item): void {
        const rows = this.layout.hidden(item.track);
        if (rows.length === 0 || rows.length > MANY) return;
        const { columns, view, context, colours } = this;
        const { width } = this.scale;
        const sums = new Float64Array(width);
        const there = new Uint8Array(width);
        const { step } = this.scale;
        for (const row of rows) {
            columns.fill(row, this.scale, Infinity, (chunk) => this.source.peek(row, chunk));
            for (let k = 0; k < width; k++) {
                if (columns.state[k] === NOTHING) continue;
                there[k] = 1;
                sums[k]! += columns.busy[k]!;
            }
        }
        const image = new ImageData(width, 1);
        const pixels = new Uint32Array(image.data.buffer);
        for (let k = 0; k < width; k++) if (there[k]) pixels[k] = colours.faded(Math.min(1, Math.max(0, sums[k]! / step / rows.length)));
        this.bufferContext.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(this.buffer, 0, 0, width, 1, 0, this.y(item) + 3, view.width, item.height - 6);
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
        const hits = this.marks.hits?.get(line.row.number);
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
            context.fillStyle = !this.marks.hits ? colours.on(label) : isHit(hits, start) ? colours.ground : colours.text;
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

    /** Round times, at least a step from each other, where time is not folded. */
    private places(step: number): number[] {
        const { view, zero: begin } = this;
        const found: number[] = [];
        let from = view.from;
        const until = (to: number): void => {
            for (let at = Math.ceil((from - begin) / step); begin + at * step <= to; at++) found.push(begin + at * step);
        };
        for (const gap of view.fold.visible(view.start, view.end)) {
            until(gap.start);
            from = gap.end;
        }
        until(view.to);
        return found;
    }

    /** Folded time is hatched over all rows. Each gap has a mark above, at any zoom; how long it is where there is room for it. */
    private drawGaps(): void {
        const { context, view, colours } = this;
        const gaps = view.fold.visible(view.start, view.end);
        if (view.fold.gaps.length === 0) return;
        const top = this.head - IDLE;
        let told = 0;
        let marked = -Infinity;
        context.textAlign = "center";
        for (const gap of gaps) {
            const [x0, x1] = [view.x(gap.start), view.x(gap.end)];
            const middle = Math.min(Math.max((Math.max(x0, 0) + Math.min(x1, view.width)) / 2, MARK / 2), view.width - MARK / 2);
            this.hatch(Math.max(x0, 0), Math.max(Math.min(x1, view.width), Math.max(x0, 0) + 1), top);
            const text = `idle ${time(gap.end - gap.start)}`;
            const half = context.measureText(text).width / 2 + 3;
            context.fillStyle = colours.text;
            if (x1 - x0 >= MARK && middle - half >= told && middle + half <= view.width) {
                context.fillText(text, middle, top + IDLE / 2);
                told = middle + half;
                marked = told;
            } else if (middle - MARK / 2 >= marked) {
                context.fillText("≈", middle, top + IDLE / 2);
                marked = middle + MARK / 2;
            }
        }
        context.textAlign = "left";
    }

    private hatch(x0: number, x1: number, top: number): void {
        const { context, colours } = this;
        context.save();
        context.beginPath();
        context.rect(x0, top, x1 - x0, this.height - top);
        context.clip();
        context.globalAlpha = 0.1;
        context.fillStyle = colours.quiet;
        context.fillRect(x0, top, x1 - x0, this.height - top);
        context.globalAlpha = 0.3;
        context.strokeStyle = colours.quiet;
        context.lineWidth = 1;
        context.beginPath();
        if (x1 - x0 < 4) context.rect(x0, top, 0, this.height);
        else for (let y = top; y < this.height + x1 - x0; y += 7) {
            context.moveTo(x0, y);
            context.lineTo(x1, y - (x1 - x0));
        }
        context.stroke();
        context.restore();
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
        let told = 0;
        for (const place of this.places(step)) {
            const x = Math.round(view.x(place));
            const text = timePlace(Math.round((place - this.zero) * 1e6) / 1e6, step);
            const half = context.measureText(text).width / 2;
            if (x - half > told && x + half < view.width) {
                context.fillText(text, x, AXIS / 2 - 1);
                told = x + half + 4;
            }
            context.fillRect(x, AXIS - 5, 1, 5);
        }
        context.textAlign = "left";
        if (this.runs.length > 0) this.drawRuns();
        context.fillStyle = colours.line;
        context.fillRect(0, this.head - 1, view.width, 1);
        if (marks.range) this.drawLength(marks.range, colours.accent);
        if (marks.edges.length > 1) this.drawLength([marks.edges[0]!, marks.edges[1]!], colours.hit);
    }

    private drawRuns(): void {
        const { context, colours, view } = this;
        const { runs } = this;
        const [from, to] = [view.from, view.to];
        let drawn = -1;
        for (let at = 0; at < runs.length && runs[at]!.start <= to; at++) {
            const run = runs[at]!;
            if (run.end < from) continue;
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
            const number = /\d+$/.exec(run.name)?.[0] ?? run.name;
            const shown = [text, run.name, number].find((one) => one.length <= room) ?? "";
            context.fillStyle = colours.text;
            if (shown) context.fillText(shown, left + 4, AXIS + (RUNS - 2) / 2 + 0.5);
        }
    }

    private drawLength([one, other]: [number, number], colour: string): void {
        const { context, colours, view } = this;
        if (Math.max(one, other) < view.from || Math.min(one, other) > view.to) return;
        const text = time(Math.abs(Math.round(other) - Math.round(one)));
        const wide = context.measureText(text).width + 12;
        const x = Math.min(Math.max(view.x((one + other) / 2) - wide / 2, 0), view.width - wide);
        context.fillStyle = colour;
        context.fillRect(x, 3, wide, AXIS - 7);
        context.fillStyle = colours.ground;
        context.fillText(text, x + 6, AXIS / 2);
    }
}

function isHit(hits: Hits | undefined, start: number): boolean {
    const at = hits ? firstWhere(hits.count, (index) => hits.starts[index]! >= start) : 0;
    return hits !== undefined && at < hits.count && hits.starts[at] === start;
}

/** Calls for every stretch of pixels that has hits. */
export function eachHit(hits: Hits, view: View, act: (left: number, width: number) => void): void {
    let at = firstWhere(hits.count, (index) => hits.ends[index]! >= view.from);
    const to = view.to;
    let from = 0;
    let past = -1; // of the stretch that is not yet told
    while (at < hits.count && hits.starts[at]! <= to) {
        // Whole pixels: half of one would be half of the colour.
        const left = Math.floor(view.x(hits.starts[at]!));
        const right = Math.max(Math.ceil(view.x(hits.ends[at]!)), left + 1);
        if (left > past) {
            if (past >= 0) act(from, past - from);
            from = left;
        }
        past = Math.max(past, right);
        // What ends inside of the pixel that is painted needs no other.
        const until = view.time(past);
        const next = at + 1;
        at = next + firstWhere(hits.count - next, (index) => hits.ends[next + index]! > until);
    }
    if (past >= 0) act(from, past - from);
}

/** The pixels of a view in which any row has hits. */
export function hitPixels(all: Iterable<Hits>, view: View): Uint8Array {
    const pixels = new Uint8Array(Math.ceil(view.width));
    for (const hits of all) {
        for (let pixel = 0; pixel < pixels.length; pixel++) {
            if (pixels[pixel]) continue;
            // The first that is in the pixel or behind it.
            const from = view.time(pixel);
            const at = firstWhere(hits.count, (index) => hits.ends[index]! > from || hits.starts[index]! >= from);
            if (at >= hits.count) break;
            const left = Math.max(pixel, Math.floor(view.x(hits.starts[at]!)));
            const right = Math.max(Math.ceil(view.x(hits.ends[at]!)), left + 1);
            pixels.fill(1, left, right);
            pixel = Math.min(right, pixels.length) - 1;
        }
    }
    return pixels;
}
