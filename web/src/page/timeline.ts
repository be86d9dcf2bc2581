// The timeline: its canvas, the names beside it, and what is decoded for it.

import { element } from "./dom";
import { time } from "./numbers";
import { View } from "./view";
import type { Colours } from "./colour";
import type { Fold } from "./fold";
import { Renderer } from "./draw";
import { Gutter } from "./gutter";
import { Layout } from "./layout";
import { Marks, type Found } from "./marks";
import { chunkAt, chunkOf, COUNTER, firstWhere, type Pick, type Row, type Track } from "./model";
import { listen } from "./pointer";
import type { TraceSource } from "./source";

const AT_ONCE = 12; // chunks that are asked for at a time
const SLOW = 6; // milliseconds of a drawing
const COARSEST = 2; // pixels of the page that share a column, at most
const REST = 140; // milliseconds without a move
const RELOAD = 90; // milliseconds between drawings while chunks come
const PAPER = 690; // pixels that a sheet is wide
const LEFT = 120; // pixels that pinned tracks leave for others
const SNAP = 7; // pixels around an edge that draw to it
const NEAR = 3; // pixels around a slice in which it is found

interface Grown {
    head: { tracks: Track[] };
    rows: Row[];
}

/** What a row is, whatever its number. */
function rowKey({ head, rows }: Grown, number: number): string {
    const row = rows[number];
    if (!row) return "";
    const track = head.tracks[row.track]!;
    return `${track.parent < 0 ? "" : head.tracks[track.parent]!.name}\0${track.name}\0${number - (track.rows?.[0] ?? 0)}`;
}

export class Timeline {
    readonly element = element("div", { class: "timeline" });
    readonly canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": "Timeline", "aria-roledescription": "timeline" });
    readonly scroller = element("div", { class: "scroller" });
    readonly view: View;
    readonly layout: Layout;
    readonly marks = new Marks();
    readonly renderer: Renderer;
    readonly gutter: Gutter;
    /** Of the height of the window. */
    share = 0.6;
    private readonly tall = element("div", { class: "tall" });
    private readonly stage = element("div", { class: "stage" });
    private readonly selected: ((found: Found | null) => void)[] = [];
    private readonly ranged: (() => void)[] = [];
    private readonly arranged: (() => void)[] = [];
    private readonly hovered: ((found: Found | null, x: number, y: number) => void)[] = [];
    private readonly damaged = new Set<string>();
    private readonly warning = element("p", { class: "notes mood warning", role: "alert" });
    private readonly waiting: (() => void)[] = [];
    private pointed: { x: number; y: number } | null = null;
    private last = { start: 0, span: 0 };
    /** Milliseconds of the last drawing. */
    private took = 0;
    private resting = 0;
    private frame = 0;
    private asked = 0;
    private timer = 0;
    private drawnAt = 0;
    /** Tiles are not to be had. */
    private untold = false;
    private bringing = false;

    /** What `grow` saw last. */
    private grown: Grown;

    constructor(readonly source: TraceSource, readonly colours: Colours) {
        this.grown = { head: { tracks: source.head.tracks }, rows: source.rows };
        this.view = new View(source.head.begin, Math.max(source.head.end, source.head.begin + 1));
        this.layout = new Layout(source.head.tracks, source.rows);
        this.renderer = new Renderer(this.canvas, source, this.view, this.layout, colours, this.marks);
        this.gutter = new Gutter(this);
        this.stage.append(this.gutter.element, this.canvas);
        this.tall.append(this.stage);
        this.scroller.append(this.tall);
        this.element.append(this.scroller);
        this.view.onChange(() => this.redraw());
        colours.onChange(() => this.redraw());
        this.scroller.addEventListener("scroll", () => {
            this.renderer.scroll = this.scroller.scrollTop;
            this.gutter.update();
            this.redraw();
        });
        new ResizeObserver(() => this.resize()).observe(this.element);
        listen(this);
    }

    onSelect(listener: (found: Found | null) => void): void {
        this.selected.push(listener);
    }

    onRange(listener: () => void): void {
        this.ranged.push(listener);
    }

    /** Tracks were folded, opened, pinned or unpinned. */
    onArrange(listener: () => void): void {
        this.arranged.push(listener);
    }

    onHover(listener: (found: Found | null, x: number, y: number) => void): void {
        this.hovered.push(listener);
    }

    /** The layout has changed, or the room. */
    resize(): void {
        const { layout, renderer } = this;
        if (matchMedia("print").matches) return; // paper shows what the screen has shown
        const wanted = renderer.head + layout.pinnedHeight + layout.height + 2;
        const height = Math.round(Math.min(wanted, Math.max(220, window.innerHeight * this.share, renderer.head + layout.pinnedHeight + LEFT)));
        this.scroller.style.height = `${height}px`;
        this.tall.style.height = `${wanted}px`;
        this.stage.style.height = `${height}px`;
        const width = this.scroller.clientWidth - this.gutter.width;
        renderer.resize(Math.max(80, width), height);
        renderer.scroll = this.scroller.scrollTop;
        this.gutter.update();
        const { style } = document.documentElement;
        style.setProperty("--gutter", `${this.gutter.width}px`);
        style.setProperty("--plot", `${Math.max(80, width)}px`);
        style.setProperty("--paper", String(Math.min(1, PAPER / this.element.clientWidth)));
        this.draw();
    }

    /** The trace has grown: its source has what is new. Rows may be numbered otherwise. */
    grow(): void {
        const { source, marks } = this;
        const { selection } = marks;
        const place = selection && rowKey(this.grown, selection.row);
        const moved = selection && source.rows.findIndex((_, number) => rowKey(source, number) === place);
        this.grown = { head: { tracks: source.head.tracks }, rows: source.rows };
        marks.selection = selection && moved !== null && moved >= 0 ? { ...selection, row: moved } : null;
        marks.hover = null;
        marks.cursor = marks.selection?.row ?? null;
        this.damaged.clear();
        this.untold = false;
        this.warning.remove();
        this.colours.grow(source.labels);
        this.layout.grow(source.head.tracks, source.rows);
        this.view.extend(source.head.begin, source.head.end);
        this.resize();
    }

    /** Draws idle time otherwise. */
    setFold(fold: Fold): void {
        this.view.setFold(fold);
        this.resize();
    }

    arrange(): void {
        this.layout.arrange();
        this.resize();
        for (const listener of this.arranged) listener();
    }

    redraw(): void {
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => this.draw());
    }

    private draw(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.drawnAt = performance.now();
        this.hover();
        this.paint();
        const ready = this.renderer.height > 0 && this.renderer.coarse === 1 && (this.renderer.untiled.length === 0 || this.untold) && this.renderer.missing.length <= this.damaged.size && this.renderer.missing.every(([row, chunk]) => this.damaged.has(`${row.number} ${chunk}`));
        this.element.dataset.ready = String(ready);
        if (ready) for (const done of this.waiting.splice(0)) done();
        this.load();
        this.loadTiles();
    }

    /** A drawing that would be too slow to move smoothly has fewer columns until it rests. */
    private paint(): void {
        const { renderer, view } = this;
        const moved = view.start !== this.last.start || view.span !== this.last.span;
        this.last = { start: view.start, span: view.span };
        if (!moved) renderer.coarse = this.resting ? renderer.coarse : 1;
        else if (this.took > SLOW) renderer.coarse = Math.min(renderer.coarse * 2, COARSEST * Math.ceil(renderer.ratio));
        else if (this.took < SLOW / 3 && renderer.coarse > 1) renderer.coarse /= 2;
        renderer.draw();
        this.took = performance.now() - this.drawnAt;
        if (!moved || renderer.coarse === 1) return;
        clearTimeout(this.resting);
        this.resting = window.setTimeout(() => {
            this.resting = 0;
            this.redraw();
        }, REST);
    }

    /** Nothing that is shown is a mean. */
    whenReady(): Promise<void> {
        return new Promise((done) => {
            this.waiting.push(done);
            this.redraw();
        });
    }

    /** Asks for some of what the last drawing missed; what comes brings the next ones. */
    private load(): void {
        const { missing } = this.renderer;
        while (this.asked < AT_ONCE) {
            const next = missing.pop();
            if (!next) return;
            const [row, chunk] = next;
            if (this.source.peek(row, chunk) || this.damaged.has(`${row.number} ${chunk}`)) continue;
            this.asked++;
            void this.bring(row, chunk).catch((error: unknown) => this.complain(row, chunk, error)).finally(() => {
                this.asked--;
                this.load();
                this.drawSoon();
            });
        }
    }

    /** The same for columns that the server makes. */
    private loadTiles(): void {
        const { untiled, stretch } = this.renderer;
        if (untiled.length === 0 || !stretch || this.untold) return;
        this.source.tiles?.want(stretch, untiled, (error) => {
            if (error) this.say(`The server does not say what is in some rows, which are drawn as means in grey: ${String(error)}`);
            this.untold = Boolean(error);
            this.drawSoon();
        });
    }

    /** The slices under the pointer, of a row that is drawn without them. */
    private bringPointed(): void {
        const row = this.pointed && this.source.tiles ? this.rowAt(this.pointed.y) : null;
        if (!row || row.kind === COUNTER || this.bringing) return;
        const chunk = chunkAt(row, this.view.time(this.pointed!.x));
        if (chunk >= row.chunks || this.source.peek(row, chunk)) return;
        this.bringing = true;
        void this.source.chunk(row, chunk).then(() => this.redraw(), () => undefined).finally(() => (this.bringing = false));
    }

    private say(text: string): void {
        this.warning.textContent = text;
        this.element.prepend(this.warning);
    }

    /** What cannot be decoded stays a mean, and the page says so. */
    private complain(row: Row, chunk: number, error: unknown): void {
        this.damaged.add(`${row.number} ${chunk}`);
        this.say(`${this.damaged.size} of the blocks of this page cannot be read, and are drawn as means in grey: ${String(error)}`);
    }

    /** Where not all that is shown has room, only what it looks like is kept. */
    private async bring(row: Row, number: number): Promise<void> {
        if (row.kind === COUNTER || this.renderer.shown <= this.source.capacity) {
            await this.source.chunk(row, number);
            return;
        }
        const key = this.renderer.stamp();
        this.renderer.keep(row, number, await this.source.pass(row, number), key);
    }

    private drawSoon(): void {
        if (this.timer) return;
        const idle = this.asked === 0;
        this.timer = window.setTimeout(() => {
            this.timer = 0;
            this.redraw();
        }, idle ? 0 : Math.max(0, RELOAD - (performance.now() - this.drawnAt)));
    }

    /** The row under a place of the canvas. */
    rowAt(y: number): Row | null {
        for (const item of this.renderer.visibleItems().reverse()) {
            const top = this.renderer.y(item);
            if (y < top || y >= top + item.height) continue;
            if (!item.pinned && y < this.renderer.head + this.layout.pinnedHeight) continue;
            return item.rows.find((place) => y >= top + place.top && y < top + place.top + place.height + 1)?.row ?? null;
        }
        return null;
    }

    /** The slice under a place of the canvas, if it is decoded: the one nearest to it, of those that touch it. */
    pickAt(x: number, y: number): Found | null {
        const row = this.rowAt(y);
        if (!row || row.kind === COUNTER) return null;
        const at = this.view.time(x);
        const near = NEAR * this.view.ticksPerPixel;
        let best: Found | null = null;
        let distance = Infinity;
        for (let number = chunkAt(row, at - near); number < row.chunks && row.firsts[number]! <= at + near; number++) {
            const chunk = this.source.peek(row, number);
            if (!chunk) continue;
            const first = Math.max(0, firstWhere(chunk.count, (index) => chunk.base + chunk.ends[index]! >= at) - 1);
            for (let index = first; index < Math.min(first + 3, chunk.count); index++) {
                const start = chunk.base + chunk.starts[index]!;
                const end = chunk.base + chunk.ends[index]!;
                const away = Math.max(start - at, at - end, 0);
                if (away > near || away >= distance) continue;
                distance = away;
                best = { row: row.number, slice: row.slices[number]! + index, start, end, label: chunk.labels[index]! };
            }
        }
        return best;
    }

    /** The edge of a slice of the row under a place, where one is near; else the time. */
    edgeAt(x: number, y: number): number {
        const at = this.view.time(x);
        const found = this.pickAt(x, y);
        if (!found) return at;
        const edge = Math.abs(found.start - at) <= Math.abs(found.end - at) ? found.start : found.end;
        return Math.abs(this.view.x(edge) - x) <= SNAP ? edge : at;
    }

    /** Null: there is no such slice, or it cannot be read. */
    async find(pick: Pick): Promise<Found | null> {
        const row = this.source.rows[pick.row];
        if (!row || pick.slice < 0 || pick.slice >= row.slices[row.chunks]!) return null;
        const number = chunkOf(row, pick.slice);
        const chunk = await this.source.chunk(row, number).catch(() => null);
        if (!chunk) return null;
        const index = pick.slice - row.slices[number]!;
        return { ...pick, start: chunk.base + chunk.starts[index]!, end: chunk.base + chunk.ends[index]!, label: chunk.labels[index]! };
    }

    /** As pick, and brings it into sight. */
    async reveal(pick: Pick): Promise<void> {
        const found = await this.find(pick);
        if (!found) return;
        const { view } = this;
        const row = this.source.rows[found.row]!;
        this.bringRow(row);
        const length = found.end - found.start;
        if (length > view.span || (length > 0 && length < view.ticksPerPixel * 4)) {
            const room = Math.max(length * 4, 40);
            const middle = view.fold.fold((found.start + found.end) / 2);
            view.place(middle - room, middle + room);
        } else if (found.start < view.from || found.end > view.to) {
            const middle = view.fold.fold((found.start + found.end) / 2);
            view.place(middle - view.span / 2, middle + view.span / 2);
        }
        this.select(found);
    }

    private bringRow(row: Row): void {
        if (!this.layout.itemOf(row.track)?.rows.some((place) => place.row === row)) {
            this.layout.unfold(row.track);
            this.resize();
        }
        const item = this.layout.itemOf(row.track);
        if (!item || item.pinned) return;
        const place = item.rows.find((candidate) => candidate.row === row);
        const top = item.top + (place?.top ?? 0);
        const room = this.renderer.height - this.renderer.head - this.layout.pinnedHeight;
        if (top < this.scroller.scrollTop || top + 30 > this.scroller.scrollTop + room) this.scroller.scrollTop = Math.max(0, top - room / 2);
    }

    select(found: Found | null): void {
        this.marks.selection = found;
        this.marks.arrows = [];
        if (found) this.marks.cursor = found.row;
        if (found) {
            const name = this.source.labels[found.label]?.name ?? "";
            this.canvas.setAttribute("aria-description", `${name}, ${time(found.end - found.start)}, ${this.source.head.tracks[this.source.rows[found.row]!.track]!.name}`);
        } else {
            this.canvas.removeAttribute("aria-description");
        }
        for (const listener of this.selected) listener(found);
        this.redraw();
    }

    /** The pointer is somewhere else; null: not on the timeline, or busy. */
    point(at: { x: number; y: number } | null): void {
        this.pointed = at;
        this.redraw();
    }

    /** What is under the pointer now, whatever moved. */
    private hover(): void {
        const { marks, pointed } = this;
        const found = pointed && this.pickAt(pointed.x, pointed.y);
        marks.pointer = pointed && this.view.time(pointed.x);
        if (!found) this.bringPointed();
        if (!found && !marks.hover) return;
        marks.hover = found;
        for (const listener of this.hovered) listener(found, pointed?.x ?? 0, pointed?.y ?? 0);
    }

    setRange(range: [number, number] | null): void {
        this.marks.range = range && [Math.round(Math.min(...range)), Math.round(Math.max(...range))];
        for (const listener of this.ranged) listener();
        this.redraw();
    }

    zoomTo(found: { start: number; end: number }): void {
        const margin = Math.max((found.end - found.start) * 0.15, 2);
        this.view.show(found.start - margin, found.end + margin);
    }

    /** The next or previous slice of the row. */
    async step(direction: 1 | -1): Promise<void> {
        const { selection } = this.marks;
        if (selection) await this.reveal({ row: selection.row, slice: selection.slice + direction });
        else await this.selectMiddle();
    }

    /** The slice nearest to the middle of the view, of the row that keys move over or the first that has one in sight. */
    async selectMiddle(): Promise<void> {
        const { view } = this;
        const rows = this.renderer.visibleItems().flatMap((item) => item.rows.map((place) => place.row)).filter((row) => row.kind !== COUNTER);
        const cursor = rows.filter((row) => row.number === this.marks.cursor);
        const middle = view.time(view.width / 2);
        for (const row of [...cursor, ...rows]) {
            const found = await this.nearest(row, middle);
            if (!found || found.end < view.from || found.start > view.to) continue;
            await this.reveal(found);
            return;
        }
    }

    private async nearest(row: Row, time: number): Promise<Found | null> {
        if (row.chunks === 0) return null;
        const number = Math.min(chunkAt(row, time), row.chunks - 1);
        const chunk = await this.source.chunk(row, number).catch(() => null);
        if (!chunk) return null;
        const after = row.slices[number]! + firstWhere(chunk.count, (at) => chunk.base + chunk.ends[at]! >= time);
        const two = await Promise.all([after - 1, after].map((slice) => this.find({ row: row.number, slice })));
        const away = (found: Found): number => Math.max(found.start - time, time - found.end, 0);
        return two.reduce((best, found) => (!best || (found && away(found) <= away(best)) ? found : best), null);
    }

    /** The slice of the nearest other row, up or down, where the selected one is. */
    async moveRow(direction: 1 | -1): Promise<void> {
        const rows = [...this.layout.pinned, ...this.layout.items].flatMap((item) => item.rows.map((place) => place.row)).filter((row) => row.kind !== COUNTER);
        const at = rows.findIndex((row) => row.number === this.marks.cursor);
        const next = rows[Math.min(Math.max(at + direction, 0), rows.length - 1)];
        if (!next) return;
        this.marks.cursor = next.number;
        this.bringRow(next);
        const found = this.marks.selection && await this.nearest(next, this.marks.selection.start);
        if (found) await this.reveal(found);
        this.gutter.update();
        this.redraw();
    }
}
