// The names of tracks beside the timeline: buttons that fold and pin, as many as are in sight.

import { drawing, element } from "./dom";
import type { Item } from "./layout";
import type { Timeline } from "./timeline";

const INDENT = window.innerWidth < 600 ? 7 : 12;
const LEAST = 70;

export class Gutter {
    readonly element = element("div", { class: "gutter", role: "group", "aria-label": "Tracks" });
    width = window.innerWidth < 600 ? 118 : 210;
    private readonly list = element("div", { class: "names" });
    private readonly pinned = element("div", { class: "names pinned" });
    private readonly handle = element("div", {
        class: "handle", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the names", title: "Drag to widen; a double click fits the names", "aria-valuemin": String(LEAST),
    });

    constructor(private readonly timeline: Timeline) {
        this.element.append(this.list, this.pinned, this.handle);
        this.handle.addEventListener("pointerdown", (event) => {
            this.handle.setPointerCapture(event.pointerId);
            event.preventDefault();
        });
        this.handle.addEventListener("pointermove", (event) => {
            if (this.handle.hasPointerCapture(event.pointerId)) this.widen(event.clientX - this.element.getBoundingClientRect().left);
        });
        this.handle.addEventListener("dblclick", () => this.fitNames());
        this.handle.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -16, ArrowRight: 16, Enter: 0 }[event.key];
            if (by === undefined) return;
            if (by === 0) this.fitNames();
            event.preventDefault();
            event.stopPropagation();
            this.widen(this.width + by);
        });
    }

    /** As wide as the longest name that is in sight. */
    private fitNames(): void {
        const wanted = [...this.element.querySelectorAll<HTMLElement>(".track")].map((track) => {
            const text = track.querySelector<HTMLElement>(".text")!;
            return this.width + text.scrollWidth - text.clientWidth + 4;
        });
        if (wanted.length > 0) this.widen(Math.max(...wanted));
    }

    widen(width: number): void {
        this.width = Math.round(Math.min(Math.max(width, LEAST), this.timeline.element.clientWidth * 0.7));
        this.timeline.resize();
    }

    update(): void {
        const { renderer, layout } = this.timeline;
        this.element.style.width = `${this.width}px`;
        this.handle.setAttribute("aria-valuenow", String(this.width));
        this.list.style.top = `${renderer.head + layout.pinnedHeight}px`;
        this.pinned.style.top = `${renderer.head}px`;
        this.pinned.style.height = `${layout.pinnedHeight}px`;
        const items = renderer.visibleItems();
        this.list.replaceChildren(...items.filter((item) => !item.pinned).map((item) => this.name(item, item.top - renderer.scroll)));
        this.pinned.replaceChildren(...items.filter((item) => item.pinned).map((item) => this.name(item, item.top)));
    }

    private name(item: Item, top: number): HTMLElement {
        const { layout, source, marks } = this.timeline;
        const track = source.head.tracks[item.track]!;
        const made = element("div", { class: track.kind === "group" ? "track group" : "track" });
        made.style.top = `${top}px`;
        made.style.height = `${item.height}px`;
        made.style.paddingLeft = `${4 + item.depth * INDENT}px`;
        if (item.rows.some((place) => place.row.number === marks.cursor)) made.classList.add("cursor");
        const folded = layout.folded.has(item.track);
        const around = item.pinned && item.depth === 0 && track.parent >= 0 ? `${source.head.tracks[track.parent]!.name} › ` : "";
        const text = element("span", { class: "text" }, around + track.name);
        const title = [track.name, track.engine, track.unit && `in ${track.unit}`, track.description, track.drawn ? "drawn from other tracks" : ""].filter(Boolean).join(" · ");
        if (layout.canFold(item.track)) {
            const fold = element("button", { type: "button", class: "fold", "aria-expanded": String(!folded), title }, element("i", {}, folded ? "▸" : "▾"), text);
            fold.dataset.track = String(item.track);
            fold.addEventListener("click", () => this.fold(item.track));
            made.append(fold);
        } else {
            made.title = title;
            made.append(text);
        }
        if (!item.pinned || layout.pins.has(item.track)) made.append(this.pin(item.track, track.name));
        return made;
    }

    private pin(track: number, name: string): HTMLElement {
        const { layout, renderer } = this.timeline;
        const isPinned = layout.pins.has(track);
        const made = element("button", { type: "button", class: "pin", "aria-pressed": String(isPinned), "aria-label": `${isPinned ? "Unpin" : "Pin"} ${name}`,
                                         title: isPinned ? "Unpin" : "Keep in sight" }, drawing("M5 1h6v1l-1 1v4l2 2v1H8.7v5L8 16l-.7-1v-5H4V9l2-2V3L5 2z"));
        made.addEventListener("click", () => {
            if (!layout.pins.delete(track)) layout.pins.add(track);
            layout.arrange();
            // A group that would take all of the room is there as one line; it can be opened.
            if (layout.pins.has(track) && layout.pinnedHeight > renderer.height * 0.6 && layout.canFold(track)) layout.folded.add(track);
            this.timeline.arrange();
            this.refocus("button.pin", track);
        });
        made.dataset.track = String(track);
        return made;
    }

    private fold(track: number): void {
        const { folded } = this.timeline.layout;
        if (!folded.delete(track)) folded.add(track);
        this.timeline.arrange();
        this.refocus("button.fold", track);
    }

    /** A button that was pressed is another one now. */
    private refocus(selector: string, track: number): void {
        if (document.activeElement === document.body) this.element.querySelector<HTMLElement>(`${selector}[data-track="${track}"]`)?.focus();
    }
}
