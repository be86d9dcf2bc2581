// What a slice is, in words: for the pointer, for the panel and for who listens.

import type { Colours } from "./colour";
import { firstEndingAfter } from "./decode";
import { element } from "./dom";
import type { Pick } from "./draw";
import type { Units } from "./format";
import type { Label, Lane, Page } from "./model";

export interface Described {
    label: Label;
    id: number;
    start: number;
    length: number;
    instant: boolean;
    /** Names of the slices around it, the innermost first. */
    inside: string[];
}

export function describe(page: Page, pick: Pick): Described {
    const blocks = pick.row.exact();
    const id = blocks.labels[pick.index];
    const start = blocks.starts[pick.index];
    const inside: string[] = [];
    for (const row of [...pick.lane.rows].reverse()) {
        if (row.instants || (!pick.row.instants && row.depth >= pick.row.depth)) continue;
        const outer = row.exact();
        const at = firstEndingAfter(outer, start);
        if (at < outer.count && outer.starts[at] <= start) inside.push(page.labels[outer.labels[at]].name);
    }
    return {
        label: page.labels[id], id, start: page.fold.unfold(start), length: page.fold.between(start, blocks.ends[pick.index]),
        instant: pick.row.instants, inside,
    };
}

/** The slice at `time` in a lane: the innermost that has it, else the nearest within `slack`. Moments within `slack` go first
 * where `moments` says so, otherwise last. */
export function pickAt(lane: Lane, time: number, slack: number, moments: boolean,
                       hidden: (label: number) => boolean): Pick | null {
    const order = (row: Pick["row"]): number => (row.instants ? (moments ? Infinity : -1) : row.depth);
    let nearest: Pick | null = null;
    let distance = slack;
    for (const row of [...lane.rows].sort((one, other) => order(other) - order(one))) {
        const blocks = row.exact();
        const at = firstEndingAfter(blocks, time);
        for (const index of [at - 1, at]) {
            if (index < 0 || index >= blocks.count || hidden(blocks.labels[index])) continue;
            const away = Math.max(blocks.starts[index] - time, time - blocks.ends[index], 0);
            if (away === 0 && !row.instants) return nearest && nearest.row.instants ? nearest : { lane, row, index };
            if (away < distance || (away === distance && !nearest)) {
                nearest = { lane, row, index };
                distance = away;
            }
        }
    }
    return nearest;
}

function rank(depth: number): number {
    return depth < 0 ? Infinity : depth;
}

/** The next slice of the lane in time, whatever its depth; -1: the one before. */
export function neighbour(pick: Pick, direction: 1 | -1): Pick | null {
    const blocks = pick.row.exact();
    const from = blocks.starts[pick.index];
    let best: Pick | null = null;
    let bestStart = direction * Infinity;
    for (const row of pick.lane.rows) {
        const other = row.exact();
        const index = row === pick.row ? pick.index + direction : search(other.starts, from, direction, row, pick);
        if (index < 0 || index >= other.count) continue;
        const start = other.starts[index];
        const later = start > bestStart || (start === bestStart && row.depth > (best?.row.depth ?? -2));
        if (direction > 0 ? start < bestStart : later) {
            best = { lane: pick.lane, row, index };
            bestStart = start;
        }
    }
    return best;
}

/** The slice of another row that comes next: equal starts count as later where the row is deeper. */
function search(starts: Float64Array, from: number, direction: 1 | -1, row: Pick["row"], pick: Pick): number {
    let low = 0;
    let high = starts.length;
    const equalIsLater = rank(row.depth) > rank(pick.row.depth);
    while (low < high) {
        const middle = (low + high) >> 1;
        const before = equalIsLater ? starts[middle] < from : starts[middle] <= from;
        if (before) low = middle + 1;
        else high = middle;
    }
    return direction > 0 ? low : low - 1;
}

export function sentence(page: Page, units: Units, pick: Pick): string {
    const is = describe(page, pick);
    const place = `${page.words.group} ${pick.lane.group.name}, ${pick.lane.name}`;
    const length = is.instant ? "" : `, ${units.both(is.length)}`;
    return `${is.label.name}${length}, ${place}, at ${units.both(is.start)}`;
}

/** The lines that the pointer and the panel show. */
export function card(page: Page, units: Units, colours: Colours, pick: Pick): Node[] {
    const is = describe(page, pick);
    const swatch = element("i", { class: "swatch" });
    swatch.style.background = colours.label(is.id);
    const lines: [string, string][] = [];
    if (!is.instant) lines.push(["Duration", units.both(is.length)]);
    const { group } = pick.lane;
    lines.push([page.words.group, group.name + (page.sections.length > 1 ? ` of ${group.section.name}` : "")]);
    lines.push([page.words.lane, pick.lane.name]);
    lines.push([is.instant ? "At" : "Start", units.both(is.start)]);
    if (is.inside.length) lines.push(["Inside", is.inside.join(" in ")]);
    const logged = group.section.origin + BigInt(Math.round(is.start));
    lines.push(["Logged as", `${logged.toLocaleString("en-US")} ${page.words.tick}`]);
    return [
        element("p", { class: "name" }, swatch, element("b", {}, is.label.name), ` ${page.kinds[is.label.kind].name}`),
        element("dl", {}, ...lines.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])),
    ];
}

/** What is there where no slice is: how long nothing runs. */
export function idle(page: Page, units: Units, lane: Lane, time: number): string {
    const row = lane.rows.find((candidate) => candidate.depth === 0);
    if (!row) return "";
    const blocks = row.exact();
    const at = firstEndingAfter(blocks, time);
    if (at === 0 || at >= blocks.count) return "";
    const length = page.fold.between(blocks.ends[at - 1], blocks.starts[at]);
    return length > 0 ? `idle for ${units.both(length)} (${page.words.group} ${lane.group.name}, ${lane.name})` : "";
}
