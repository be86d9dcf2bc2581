// What the keys do, wherever the focus is, and the dialog that says so.

import { button, element } from "./dom";
import type { Finder } from "./finder";
import type { Folding } from "./folding";
import type { RunsPanel } from "./runs";
import type { Timeline } from "./timeline";

const LIST: [string, string][] = [
    ["W S  or  + −", "zoom in and out, at the pointer where it is over the timeline"],
    ["A D  or  ← →", "move in time; with Shift by a whole width"],
    ["↑ ↓", "previous and next row"],
    ["Enter", "select the slice in the middle; again: zoom to it"],
    [", .", "previous and next slice of the row"],
    ["F", "fit the selection: the slice, else the range; without one everything"],
    ["0  or  Home", "show everything"],
    ["/", "search"],
    ["n N", "next and previous hit"],
    ["I", "fold idle time, or show it again"],
    ["R", "the slowest run;  [ ]  previous and next run"],
    ["M", "mark an edge: of the selected slice, else where the pointer is; two edges measure"],
    ["C", "rows low or high"],
    ["Escape", "forget marks, range and selection; again: what was found"],
    ["?", "this list"],
];

export function handleKeys(timeline: Timeline, finder: Finder, folding: Folding, runs: RunsPanel | null): HTMLDialogElement {
    const { view, marks } = timeline;
    const dialog = helpDialog();
    const around = (): number | undefined => marks.pointer ?? undefined;
    const keys: Record<string, (event: KeyboardEvent) => void> = {
        ArrowLeft: (event) => view.pan(event.shiftKey ? -0.9 : -0.12),
        ArrowRight: (event) => view.pan(event.shiftKey ? 0.9 : 0.12),
        a: (event) => view.pan(event.shiftKey ? -0.9 : -0.12),
        d: (event) => view.pan(event.shiftKey ? 0.9 : 0.12),
        "+": () => view.zoom(1 / 1.4, around()),
        "=": () => view.zoom(1 / 1.4, around()),
        w: () => view.zoom(1 / 1.4, around()),
        "-": () => view.zoom(1.4, around()),
        s: () => view.zoom(1.4, around()),
        ArrowUp: () => void timeline.moveRow(-1),
        ArrowDown: () => void timeline.moveRow(1),
        Enter: () => (marks.selection ? timeline.zoomTo(marks.selection) : void timeline.selectMiddle()),
        ",": () => void timeline.step(-1),
        ".": () => void timeline.step(1),
        f: () => (marks.selection ? timeline.zoomTo(marks.selection) : marks.range ? view.show(...marks.range) : view.fit()),
        "0": () => view.fit(),
        Home: () => view.fit(),
        "/": () => finder.input.focus(),
        n: (event) => void finder.step(event.shiftKey ? -1 : 1),
        i: () => void folding.set(!folding.on),
        r: () => runs?.showSlowest(),
        "[": () => runs?.step(-1),
        "]": () => runs?.step(1),
        m: () => mark(timeline),
        c: () => {
            timeline.layout.low = !timeline.layout.low;
            timeline.arrange();
        },
        "?": () => dialog.showModal(),
        Escape: () => {
            // What was found stays until nothing else is marked.
            if (!marks.selection && !marks.range && marks.edges.length === 0) void finder.search("");
            marks.edges = [];
            timeline.setRange(null);
            timeline.select(null);
        },
    };
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || dialog.open) return;
        const target = event.target as Element;
        if (target.closest("input, select, textarea")) return;
        if (event.key === "Enter" && target.closest("button, a, summary")) return;
        if (event.key.startsWith("Arrow") && target.closest("[role=tab], .holder, [role=separator]")) return;
        const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action) return;
        event.preventDefault();
        action(event);
    });
    return dialog;
}

function mark(timeline: Timeline): void {
    const { marks, view } = timeline;
    const { selection } = marks;
    if (selection && marks.pointer === null) {
        marks.edges = [selection.start, selection.end];
    } else {
        const at = marks.pointer ?? Math.round(view.time(view.width / 2));
        // The nearest edge of the slice under the pointer, if there is one.
        const { hover } = marks;
        const edge = hover ? (Math.abs(hover.start - at) < Math.abs(hover.end - at) ? hover.start : hover.end) : at;
        marks.edges = [...marks.edges.slice(-1), edge];
    }
    timeline.redraw();
}

function helpDialog(): HTMLDialogElement {
    const dialog = element("dialog", { class: "help", "aria-label": "Keys" });
    const list = element("dl", {}, ...LIST.flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]));
    dialog.append(element("h2", {}, "Keys"), list,
                  element("p", {}, "The wheel zooms at the pointer, with Shift it moves; over the names it scrolls. Dragging moves, Shift and dragging selects a range, two fingers zoom, " +
                      "a double click zooms to a slice or a run."),
                  button("Close", "", () => dialog.close()));
    return dialog;
}
