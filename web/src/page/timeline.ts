// The timeline: its canvas, the names beside it, and what is decoded for it.

import { element } from "../dom";
import { time } from "../numbers";
import { View } from "../view";
import type { Colours } from "./colour";
import { Renderer } from "./draw";
import { Gutter } from "./gutter";
import { Layout } from "./layout";
import { Marks, type Found } from "./marks";
import { chunkAt, chunkOf, COUNTER, firstWhere, type Pick, type Row } from "./model";
import { listen } from "./pointer";
import type { TraceSource } from "./source";

const AT_ONCE = 12; // chunks that are asked for at a time
const RELOAD = 90; // milliseconds between drawings while chunks come
const NEAR = 3; // pixels around a slice in which it is found

export class Timeline {
    readonly element = element("div", { class: "timeline" });
    readonly canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": "Timeline", "aria-roledescription": "timeline" });
    readonly scroller = element("div", { class: "scroller" });
    readonly view: View;
    readonly layout: Layout;
    readonly marks = new Marks();
    readonly renderer: Renderer;
    readonly gutter: Gutter;
    private readonly tall = element("div", { class: "tall" });
    private readonly stage = element("div", { class: "stage" });
    private readonly selected: ((found: Found | null) => void)[] = [];
    private readonly ranged: (() => void)[] = [];
    private readonly hovered: ((found: Found | null, x: number, y: number) => void)[] = [];
    private readonly damaged = new Set<string>();
    private readonly warning = element("p", { class: "notes mood warning", role: "alert" });
    private readonly waiting: (() => void)[] = [];
    private frame = 0;
    private asked = 0;
    private timer = 0;
    private drawnAt = 0;

    constructor(readonly source: TraceSource, readonly colours: Colours) {
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

    onHover(listener: (found: Found | null, x: number, y: number) => void): void {
        this.hovered.push(listener);
    }

    /** The layout has changed, or the room. */
    resize(): void {
        const { layout, renderer } = this;
        const wanted = renderer.head + layout.pinnedHeight + layout.height + 2;
        const height = Math.round(Math.min(wanted, Math.max(220, window.innerHeight * 0.6)));
        this.scroller.style.height = `${height}px`;
        this.tall.style.height = `${wanted}px`;
        this.stage.style.height = `${height}px`;
        const width = this.scroller.clientWidth - this.gutter.width;
        renderer.resize(Math.max(80, width), height);
        renderer.scroll = this.scroller.scrollTop;
        this.gutter.update();
        this.draw();
    }

    arrange(): void {
        this.layout.arrange();
        this.resize();
    }

    redraw(): void {
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => this.draw());
    }

    private draw(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.drawnAt = performance.now();
        this.renderer.draw();
        const ready = this.renderer.missing.length <= this.damaged.size && this.renderer.missing.every(([row, chunk]) => this.damaged.has(`${row.number} ${chunk}`));
        this.element.dataset.ready = String(ready);
        if (ready) for (const done of this.waiting.splice(0)) done();
        this.load();
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

    /** What cannot be decoded stays a mean, and the page says so. */
    private complain(row: Row, chunk: number, error: unknown): void {
        this.damaged.add(`${row.number} ${chunk}`);
        this.warning.textContent = `${this.damaged.size} of the blocks of this page cannot be read, and are drawn as means in grey: ${String(error)}`;
        this.element.prepend(this.warning);
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
            view.show((found.start + found.end) / 2 - room, (found.start + found.end) / 2 + room);
        } else if (found.start < view.start || found.end > view.end) {
            view.show((found.start + found.end - view.span) / 2, (found.start + found.end + view.span) / 2);
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

    hover(found: Found | null, x = 0, y = 0): void {
        this.marks.hover = found;
        for (const listener of this.hovered) listener(found, x, y);
        this.redraw();
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
        const middle = view.start + view.span / 2;
        for (const row of [...cursor, ...rows]) {
            const found = await this.nearest(row, middle);
            if (!found || found.end < view.start || found.start > view.end) continue;
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
