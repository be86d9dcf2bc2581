// What is looked at, in the address: a link shows the same again.

import type { Finder } from "./finder";
import type { Folding } from "./folding";
import type { Tabs } from "./tabs";
import type { Timeline } from "./timeline";

const WAIT = 300; // milliseconds until the address follows

export interface State {
    view?: [number, number];
    range?: [number, number];
    slice?: [number, number];
    query?: string;
    folded?: number[];
    pinned?: number[];
    /** Only asked for: of slices or of their operator. */
    name?: string;
    /** The same, of engines by their titles: their slices. */
    engines?: string[];
    /** The same, of a run. */
    run?: string;
    /** Idle time is folded. */
    idle?: boolean;
    /** The title of the sheet below. */
    sheet?: string;
}

export function parse(fragment: string): State {
    const given = new URLSearchParams(fragment.replace(/^#/, ""));
    const numbers = (name: string): number[] | undefined => {
        const list = given.get(name)?.split(/[,.]/).map(Number);
        return list?.every((value) => Number.isSafeInteger(value)) ? list : undefined;
    };
    const pair = (name: string): [number, number] | undefined => {
        const list = numbers(name);
        return list?.length === 2 ? [list[0]!, list[1]!] : undefined;
    };
    const state: State = {};
    const [view, range, slice, folded, pinned] = [pair("t"), pair("r"), pair("s"), numbers("f"), numbers("p")];
    if (view && view[0] < view[1]) state.view = view;
    if (range && range[0] < range[1]) state.range = range;
    if (slice) state.slice = slice;
    if (given.get("q")) state.query = given.get("q")!;
    if (folded) state.folded = folded;
    if (pinned) state.pinned = pinned;
    if (given.get("n")) state.name = given.get("n")!;
    const engines = given.getAll("e").filter(Boolean);
    if (engines.length > 0) state.engines = engines;
    if (given.get("u")) state.run = given.get("u")!;
    if (given.get("i") === "1") state.idle = true;
    if (given.get("b")) state.sheet = given.get("b")!;
    return state;
}

export function format(state: State): string {
    const parts: string[] = [];
    if (state.view) parts.push(`t=${state.view.join(",")}`);
    if (state.range) parts.push(`r=${state.range.join(",")}`);
    if (state.slice) parts.push(`s=${state.slice.join(".")}`);
    if (state.query) parts.push(`q=${encodeURIComponent(state.query)}`);
    if (state.folded?.length) parts.push(`f=${state.folded.join(",")}`);
    if (state.pinned?.length) parts.push(`p=${state.pinned.join(",")}`);
    if (state.idle) parts.push("i=1");
    if (state.sheet) parts.push(`b=${encodeURIComponent(state.sheet)}`);
    return parts.join("&");
}

/** Takes over what the address says, and keeps it up to date from then on; what it returns is to be called on every change. */
export function followAddress(timeline: Timeline, finder: Finder, folding: Folding, tabs: Tabs): () => void {
    let timer = 0;
    const { view, marks, layout } = timeline;
    const take = (): void => {
        const state = parse(location.hash);
        const known = (track: number): boolean => timeline.source.head.tracks[track] !== undefined;
        for (const track of state.folded?.filter(known) ?? []) layout.folded.add(track);
        for (const track of state.pinned?.filter(known) ?? []) layout.pins.add(track);
        if (state.folded ?? state.pinned) timeline.arrange();
        if (state.view) view.show(...state.view);
        if ((state.idle ?? false) !== folding.on) void folding.set(state.idle ?? false);
        if (state.query) void finder.search(state.query);
        if (state.name) finder.showName(state.name);
        if (state.engines) void finder.showEngines(state.engines);
        const run = state.run ? timeline.source.head.runs.filter(({ name }) => name === state.run) : [];
        if (run.length > 0) timeline.zoomTo({ start: run[0]!.start, end: run.at(-1)!.end });
        if (state.range) timeline.setRange(state.range);
        const [row, slice] = state.slice ?? [];
        const sheet = (): void => void (state.sheet && tabs.showTitle(state.sheet));
        sheet();
        if (row === undefined || slice === undefined) return;
        void timeline.find({ row, slice }).then((found) => {
            if (found) timeline.select(found);
            sheet();
        });
    };
    const write = (): void => {
        timer = 0;
        if (timeline.element.offsetParent === null) return; // what is shown now is not the timeline
        const state: State = { view: [Math.round(view.from), Math.round(view.to)], folded: [...layout.folded], pinned: [...layout.pins], query: finder.query, idle: folding.on, sheet: tabs.title };
        if (marks.range) state.range = marks.range;
        if (marks.selection) state.slice = [marks.selection.row, marks.selection.slice];
        history.replaceState(null, "", `#${format(state)}`);
    };
    const changed = (): void => void (timer ||= window.setTimeout(write, WAIT));
    take();
    window.addEventListener("hashchange", take);
    view.onChange(changed);
    timeline.onSelect(changed);
    timeline.onRange(changed);
    folding.onChange(changed);
    timeline.onArrange(changed);
    tabs.onShow(changed);
    return changed;
}
