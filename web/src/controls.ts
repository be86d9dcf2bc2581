// The bar above the timeline: zoom, rows, units, search, and the legend that hides kinds.

import type { Colours } from "./colour";
import { button, choice, element, pressed } from "./dom";
import { Fold } from "./fold";

import { handleKeys, helpDialog } from "./keys";
import type { Page } from "./model";
import { count } from "./numbers";
import type { Timeline } from "./timeline";

export interface Controls {
    element: HTMLElement;
    /** Labels whose names contain the text, or those given, stand out. */
    highlight(labels: number[] | null): void;
}

/** `changed` follows another unit, `refolded` times that moved. */
export function makeControls(page: Page, timeline: Timeline, colours: Colours, fold: Fold, changed: () => void,
                             refolded: () => void): Controls {
    const { view, units, renderer, layout } = timeline;
    const dialog = helpDialog();
    const found = element("span", { class: "found", role: "status" });
    const search = element("input", { type: "search", placeholder: "Find names  ( / )", "aria-label": "Find names" });
    const rows = choice("Rows", ["Low rows", "High rows"], layout.compact ? 0 : 1, (index) => setRows(index === 0));
    const unit = choice("Unit", [page.words.tick, "seconds"], units.ticks ? 0 : 1, (index) => setUnits(index === 0));

    const setRows = (compact: boolean): void => {
        layout.compact = compact;
        pressed(rows, compact ? 0 : 1);
        timeline.arrange();
        if (renderer.marks.cursor) timeline.scrollTo(renderer.marks.cursor);
    };
    const gaps = fold.gaps.length
        ? [choice("Idle", ["Idle folded", "True scale"], page.fold === fold ? 0 : 1, (index) => {
              page.setFold(index === 0 ? fold : Fold.NONE);
              timeline.refold();
              refolded();
          })]
        : [];
    const setUnits = (ticks: boolean): void => {
        units.ticks = ticks || !units.clocked;
        pressed(unit, units.ticks ? 0 : 1);
        timeline.redraw();
        changed();
    };
    const highlight = (labels: number[] | null): void => {
        renderer.filter.highlight = labels ? new Uint8Array(page.labels.length) : null;
        for (const label of labels ?? []) renderer.filter.highlight![label] = 1;
        found.textContent = labels ? foundText(page, labels) : "";
        timeline.redraw();
    };
    search.addEventListener("input", () => highlight(matching(page, search.value)));
    search.addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            search.value = "";
            highlight(null);
        }
        if (event.key === "Enter" || event.key === "Escape") timeline.canvas.focus();
    });
    handleKeys(timeline, {
        toggleRows: () => setRows(!layout.compact),
        toggleUnits: () => setUnits(!units.ticks),
        search: () => search.focus(),
        help: () => dialog.showModal(),
    });
    const bar = element("div", { class: "controls", role: "toolbar", "aria-label": "Timeline" },
        element("span", { class: "choice" },
                button("−", "Zoom out ( − )", () => view.zoom(1.4)),
                button("+", "Zoom in ( + )", () => view.zoom(1 / 1.4)),
                button("Fit", "Show everything ( 0 )", () => view.fit())),
        rows, ...(units.clocked ? [unit] : []), ...gaps, search, found,
        element("span", { class: "legend-help" }, legend(page, timeline, colours),
                button("?", "Keys ( ? )", () => dialog.showModal())), dialog);
    return { element: bar, highlight };
}

function matching(page: Page, text: string): number[] | null {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return null;
    return page.labels.flatMap((label, index) => (label.name.toLowerCase().includes(wanted) ? [index] : []));
}

function foundText(page: Page, labels: number[]): string {
    const slices = labels.reduce((sum, label) => sum + page.labels[label].count, 0);
    return `${count(slices)} of ${labels.length === 1 ? `“${page.labels[labels[0]].name}”` : `${labels.length} names`}`;
}

function legend(page: Page, timeline: Timeline, colours: Colours): HTMLElement {
    const used = page.kinds.map((_, kind) => page.labels.some((label) => label.kind === kind));
    const entries = page.kinds.flatMap(({ name, meaning }, kind) => {
        if (!used[kind]) return [];
        const swatch = element("i", { class: "swatch" });
        const entry = button("", `${meaning}; click to hide or show`, () => {
            const hidden = (timeline.renderer.filter.hiddenKinds[kind] = !timeline.renderer.filter.hiddenKinds[kind]);
            entry.setAttribute("aria-pressed", String(!hidden));
            timeline.redraw();
        });
        const paint = (): void => {
            const names = page.labels.filter((label) => label.kind === kind).length;
            const list = colours.ofKind(kind).slice(0, Math.min(3, names));
            swatch.style.background = list.length === 1 ? list[0] : `linear-gradient(90deg, ${list.map((colour, index) =>
                `${colour} ${index / list.length * 100}% ${(index + 1) / list.length * 100}%`).join(", ")})`;
        };
        paint();
        colours.onChange(paint);
        entry.setAttribute("aria-pressed", "true");
        entry.append(swatch, name);
        return [entry];
    });
    return element("span", { class: "legend", role: "group", "aria-label": "Kinds" }, ...entries);
}
