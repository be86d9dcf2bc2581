// What the keys do, and the dialog that says so.

import { neighbour, pickAt } from "./describe";
import { button, element } from "./dom";
import type { Timeline } from "./timeline";

export interface Actions {
    toggleRows(): void;
    toggleUnits(): void;
    search(): void;
    help(): void;
}

const LIST: [string, string][] = [
    ["← →  or  A D", "move in time; with Shift by a whole width"],
    ["+ −  or  W S", "zoom in and out"],
    ["↑ ↓", "previous and next lane; Page keys go five at a time"],
    ["Enter", "select the slice in the middle; again: zoom to it"],
    [", .", "previous and next slice of the lane"],
    ["0  or  Home", "show everything"],
    ["C", "rows low or high"],
    ["U", "ticks or seconds"],
    ["/", "find names"],
    ["Escape", "forget selection and measure"],
    ["?", "this list"],
];

export function handleKeys(timeline: Timeline, actions: Actions): void {
    const { view } = timeline;
    const lane = (by: number): void => timeline.moveCursor(by);
    const around = (): number | undefined => selectionTime(timeline);
    const keys: Record<string, (event: KeyboardEvent) => void> = {
        ArrowLeft: (event) => view.pan(event.shiftKey ? -0.9 : -0.12),
        ArrowRight: (event) => view.pan(event.shiftKey ? 0.9 : 0.12),
        a: () => view.pan(-0.12),
        d: () => view.pan(0.12),
        "+": () => view.zoom(1 / 1.4, around()),
        "=": () => view.zoom(1 / 1.4, around()),
        w: () => view.zoom(1 / 1.4, around()),
        "-": () => view.zoom(1.4, around()),
        s: () => view.zoom(1.4, around()),
        ArrowUp: () => lane(-1),
        ArrowDown: () => lane(1),
        PageUp: () => lane(-5),
        PageDown: () => lane(5),
        Enter: () => enter(timeline),
        ",": () => step(timeline, -1),
        ".": () => step(timeline, 1),
        "0": () => view.fit(),
        Home: () => view.fit(),
        c: () => actions.toggleRows(),
        u: () => actions.toggleUnits(),
        "/": () => actions.search(),
        "?": () => actions.help(),
        Escape: () => {
            timeline.renderer.marks.measure = null;
            timeline.select(null);
        },
    };
    const handle = (event: KeyboardEvent): void => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action) return;
        event.preventDefault();
        action(event);
    };
    timeline.canvas.addEventListener("keydown", handle);
    // Letters work wherever nothing else takes them.
    document.addEventListener("keydown", (event) => {
        if (event.target === document.body && event.key.length === 1) handle(event);
    });
}

function selectionTime(timeline: Timeline): number | undefined {
    const pick = timeline.selection;
    if (!pick) return undefined;
    const blocks = pick.row.exact();
    const middle = (blocks.starts[pick.index] + blocks.ends[pick.index]) / 2;
    return middle > timeline.view.start && middle < timeline.view.end ? middle : undefined;
}

function enter(timeline: Timeline): void {
    const { selection, view } = timeline;
    const lane = timeline.renderer.marks.cursor ?? timeline.page.lanes[0];
    if (selection && selection.lane === lane) {
        timeline.zoomTo(selection);
        return;
    }
    const pick = lane && pickAt(lane, view.start + view.span / 2, Infinity, false, () => false);
    if (pick) timeline.reveal(pick);
}

function step(timeline: Timeline, direction: 1 | -1): void {
    const { selection } = timeline;
    if (!selection) {
        enter(timeline);
        return;
    }
    const next = neighbour(selection, direction);
    if (next) timeline.reveal(next);
}

export function helpDialog(): HTMLDialogElement {
    const dialog = element("dialog", { class: "help", "aria-label": "Keys" });
    const list = element("dl", {}, ...LIST.flatMap(([key, text]) =>
        [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]));
    dialog.append(element("h2", {}, "Keys"), list,
                  element("p", {}, "Wheel zooms, over the names it scrolls. Drag moves, Shift and drag measures, " +
                      "a double click zooms to a slice."),
                  button("Close", "", () => dialog.close()));
    return dialog;
}
