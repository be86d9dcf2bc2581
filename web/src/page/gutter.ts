// The names of tracks beside the timeline: buttons that fold and pin, as many as are in sight.

import { element } from "../dom";
import type { Item } from "./layout";
import type { Timeline } from "./timeline";

const INDENT = 12;
const LEAST = 70;

export class Gutter {
    readonly element = element("div", { class: "gutter", role: "group", "aria-label": "Tracks" });
    width = window.innerWidth < 600 ? 118 : 210;
    private readonly list = element("div", { class: "names" });
    private readonly pinned = element("div", { class: "names pinned" });
    private readonly handle = element("div", {
        class: "handle", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the names", "aria-valuemin": String(LEAST),
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
        this.handle.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            this.widen(this.width + by);
        });
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
        const text = element("span", { class: "text" }, track.name);
        const title = [track.name, track.engine, track.unit && `in ${track.unit}`, track.description, track.drawn ? "drawn from other tracks" : ""].filter(Boolean).join(" · ");
        if (layout.canFold(item.track)) {
            const fold = element("button", { type: "button", class: "fold", "aria-expanded": String(!folded), title }, element("i", {}, folded ? "▸" : "▾"), text);
            fold.addEventListener("click", () => this.fold(item.track));
            made.append(fold);
        } else {
            made.title = title;
            made.append(text);
        }
        if (track.kind !== "group") {
            const isPinned = layout.pins.has(item.track);
            const pin = element("button", { type: "button", class: "pin", "aria-pressed": String(isPinned), "aria-label": `${isPinned ? "Unpin" : "Pin"} ${track.name}`,
                                            title: isPinned ? "Unpin" : "Keep in sight" }, "⌖");
            pin.addEventListener("click", () => {
                if (!layout.pins.delete(item.track)) layout.pins.add(item.track);
                this.timeline.arrange();
            });
            made.append(pin);
        }
        return made;
    }

    private fold(track: number): void {
        const { folded } = this.timeline.layout;
        if (!folded.delete(track)) folded.add(track);
        this.timeline.arrange();
        // The button is another one now.
        this.element.querySelectorAll<HTMLElement>("button.fold").forEach((button) => {
            if (button.textContent?.slice(1) === this.timeline.source.head.tracks[track]!.name && document.activeElement === document.body) button.focus();
        });
    }
}
