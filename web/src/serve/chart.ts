// The trend of a number over builds, as a drawing that pointers and keys ask about.

import { element } from "../page/dom";
import { date } from "./show";
import {
    describe, factorText, labelsOf, levelPath, medianPath, moodOf, namesOf, nearest, rowsFor, scaleOf, spreadPath, ticksOf, tickText,
    type Build, type Change, type Place, type Scale, type Unit,
} from "./trend";

const SPACE = "http://www.w3.org/2000/svg";
const LEFT = 66, RIGHT = 10, BOTTOM = 42, ROW = 30, ROWS = 3, LABEL = 104;
const NARROW = 600; // pixels of a small screen
const DENSE = 4; // pixels from one build to the next below which dots touch

type Attributes = Record<string, string | number>;

export function draw(tag: string, attributes: Attributes, ...children: (Node | string)[]): SVGElement {
    const made = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    made.append(...children);
    return made;
}

export class TrendChart {
    readonly element = element("figure", { class: "trend" });
    private readonly picture = draw("svg", { tabindex: "0", role: "application" }) as SVGSVGElement;
    private readonly tip = element("div", { class: "tip", hidden: "" });
    private readonly told = element("p", { class: "unseen", role: "status" });
    private readonly caption = element("figcaption");
    private readonly mark = draw("g", { class: "mark" });
    private builds: Build[] = [];
    private changes: Change[] = [];
    private unit: Unit = "time";
    private title = "";
    private chosen: string[] = [];
    private at = -1;
    private place: Place | null = null;
    private width = 0;
    private top = 0;

    /** `choose` hears of a build that was clicked, or of which Enter was pressed. */
    constructor(private readonly choose: (build: string) => void) {
        this.picture.addEventListener("pointermove", (event) => this.point(this.under(event), event));
        this.picture.addEventListener("pointerleave", () => this.leave());
        this.picture.addEventListener("click", (event) => {
            this.point(this.under(event));
            this.take();
        });
        this.picture.addEventListener("keydown", (event) => this.key(event));
        this.picture.addEventListener("blur", () => this.leave());
        this.element.append(this.picture, this.tip, this.caption, this.told,
            element("p", { class: "quiet" }, "Point at a build to see what was measured; a click chooses it to be compared. Arrow keys and Enter do the same."));
        new ResizeObserver(() => this.element.clientWidth !== this.width && this.redraw()).observe(this.element);
    }

    show(builds: Build[], changes: Change[], unit: Unit, title: string): void {
        [this.builds, this.changes, this.unit, this.title] = [builds, changes, unit, title];
        this.leave();
        this.redraw();
    }

    /** The builds that are compared. */
    pick(chosen: string[]): void {
        this.chosen = chosen;
        this.redraw();
    }

    private redraw(): void {
        const scale = scaleOf(this.builds, this.unit);
        this.element.hidden = !scale;
        this.width = this.element.clientWidth;
        this.place = null;
        if (!scale || !this.width) return;
        const right = this.width - RIGHT, step = (right - LEFT) / this.builds.length;
        const x = (at: number): number => LEFT + (at + 0.5) * step;
        const rows = rowsFor(this.changes, { step, x, y: () => 0 }, LEFT, right, ROWS, LABEL);
        const [top, height] = [10 + rows * ROW, (this.width < NARROW ? 240 : 320) + rows * ROW];
        const bottom = height - BOTTOM;
        this.top = top;
        const place: Place = { step, x, y: (value) => bottom - (value - scale.low) / (scale.high - scale.low) * (bottom - top) };
        this.place = place;
        this.picture.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
        this.picture.setAttribute("width", String(this.width));
        this.picture.setAttribute("height", String(height));
        this.picture.setAttribute("aria-label", `${this.title} over ${this.builds.length} builds: arrow keys go from build to build, Enter chooses one to compare. The table below has the same numbers.`);
        this.picture.replaceChildren(draw("g", { "aria-hidden": "true" },
            ...this.axes(scale, place, right, bottom, height), ...this.drawChanges(place, right, top, bottom, rows),
            draw("path", { class: "spread", d: spreadPath(this.builds, place) }), ...this.drawMiddle(place), ...this.drawChosen(place), this.mark));
        this.drawMark();
        this.drawCaption(scale);
    }

    private axes(scale: Scale, place: Place, right: number, bottom: number, height: number): SVGElement[] {
        const lines = ticksOf(scale).flatMap((tick) => [
            draw("line", { class: "grid", x1: LEFT, x2: right, y1: place.y(tick), y2: place.y(tick) }),
            draw("text", { x: LEFT - 6, y: place.y(tick) + 4, "text-anchor": "end" }, tickText(tick, scale, this.unit)),
        ]);
        const names = namesOf(this.builds, place.x, place.step, this.width).map(({ text, x }) => draw("text", { x, y: bottom + 16, "text-anchor": "middle" }, text));
        return [...lines, ...names, draw("text", { class: "axis", x: (LEFT + right) / 2, y: height - 6, "text-anchor": "middle" }, "builds, in the order in which they were added")];
    }

    /** A line where each change is most likely, and the builds that it may have come with. */
    private drawChanges(place: Place, right: number, top: number, bottom: number, rows: number): SVGElement[] {
        const half = place.step / 2;
        const lines = this.changes.flatMap((change) => {
            const x = place.x(change.at) - half, mood = moodOf(change);
            const [from, to] = [place.x(change.after) + half, place.x(change.by) - half];
            return [
                ...(to - from > 0.5 ? [draw("rect", { class: `range ${mood}`, x: from, width: to - from, y: top, height: bottom - top })] : []),
                draw("line", { class: `change ${mood}`, x1: x, x2: x, y1: top - 2, y2: bottom }),
            ];
        });
        const labels = labelsOf(this.changes, place, LEFT, right, rows, LABEL);
        const y = (row: number): number => top - 18 - row * ROW;
        const leads = labels.filter(({ row }) => row).map(({ change, row, line }) => draw("line", { class: `lead ${moodOf(change)}`, x1: line, x2: line, y1: y(row) + 16, y2: top - 2 }));
        const texts = labels.flatMap(({ change, x, row }) => {
            const [head, interval] = factorText(change);
            return [draw("text", { class: "factor", x, y: y(row), "text-anchor": "middle" }, head), draw("text", { x, y: y(row) + 13, "text-anchor": "middle" }, interval)];
        });
        return [...lines, ...leads, ...texts];
    }

    /** Levels behind the dots, where these leave something of them to be seen. */
    private drawMiddle(place: Place): SVGElement[] {
        const level = draw("path", { class: "level", d: levelPath(this.builds, place) });
        const median = draw("path", { class: "median", d: medianPath(this.builds, place), "stroke-width": Math.max(2.5, Math.min(7, place.step * 0.8)).toFixed(1) });
        return place.step < DENSE ? [median, level] : [level, median];
    }

    private drawChosen(place: Place): SVGElement[] {
        return this.chosen.flatMap((name) => {
            const at = this.builds.findIndex((one) => one.build === name), median = this.builds[at]?.median ?? null;
            return median === null ? [] : [draw("circle", { class: "chosen", cx: place.x(at), cy: place.y(median), r: 7 })];
        });
    }

    private drawCaption(scale: Scale): void {
        const key = (kind: string, words: string): HTMLElement => element("span", { class: "entry" }, element("i", { class: kind }), words);
        const moods = new Set(this.changes.map(moodOf));
        this.caption.replaceChildren(
            key("median", "median of a build"), key("spread", "its launches, from the least to the most"), key("level", "level between changes"),
            ...(moods.has("slower") ? [key("slower", "change: more")] : []), ...(moods.has("faster") ? [key("faster", "change: less")] : []), ...(moods.has("other") ? [key("other", "change")] : []),
            ...(scale.low > 0 ? [element("span", { class: "entry" }, "The axis does not begin at 0.")] : []));
    }

    // ---- what is pointed at ----

    private under(event: MouseEvent): number {
        return this.place ? nearest(event.clientX - this.picture.getBoundingClientRect().left, this.place, this.builds.length) : -1;
    }

    private key(event: KeyboardEvent): void {
        const last = this.builds.length - 1;
        const to: Record<string, number> = { ArrowLeft: this.at < 0 ? last : this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last };
        const wanted = to[event.key];
        if (event.key === "Enter" || event.key === " ") this.take();
        else if (event.key === "Escape") this.leave();
        else if (wanted !== undefined) this.point(Math.max(0, Math.min(last, wanted)));
        else return;
        event.preventDefault();
    }

    private take(): void {
        const one = this.builds[this.at];
        if (one) this.choose(one.build);
    }

    private leave(): void {
        this.at = -1;
        this.tip.hidden = true;
        this.told.textContent = "";
        this.mark.replaceChildren();
    }

    /** `event`: by a pointer, beside which it is told; else by keys. */
    private point(at: number, event: PointerEvent | null = null): void {
        const one = this.builds[at];
        if (!one || !this.place) return;
        if (at !== this.at) {
            this.at = at;
            const lines = describe(one, this.unit, date);
            this.told.textContent = `${one.build}: ${lines.join("; ")}`;
            this.tip.replaceChildren(element("b", {}, one.build), ...lines.map((line) => element("span", {}, line)));
            this.drawMark();
        }
        this.tip.hidden = false;
        const x = event ? event.clientX - this.element.getBoundingClientRect().left : this.place.x(at);
        const room = this.width - this.tip.offsetWidth;
        this.tip.style.left = `${Math.max(0, Math.min(room, x + 16 > room ? x - this.tip.offsetWidth - 16 : x + 16))}px`;
        // Where the build itself is not, nor what is said of changes; a small screen has room below.
        const height = Number(this.picture.getAttribute("height")), low = one.median !== null && this.place.y(one.median) > (height + this.top) / 2;
        this.tip.style.top = `${this.width < NARROW ? height : low ? this.top : height - BOTTOM - this.tip.offsetHeight - 8}px`;
    }

    private drawMark(): void {
        const one = this.builds[this.at];
        this.mark.replaceChildren();
        if (!one || !this.place) return;
        const x = this.place.x(this.at), height = Number(this.picture.getAttribute("height"));
        this.mark.append(draw("line", { x1: x, x2: x, y1: 4, y2: height - BOTTOM }));
        if (one.median !== null) this.mark.append(draw("circle", { cx: x, cy: this.place.y(one.median), r: 5 }));
    }
}
