// How long slices are: bars over lengths that grow by the same factor each.

import { brief, time } from "./numbers";
import type { Colours } from "./colour";
import { FONT } from "./draw";

const BARS = 40;

/** Lower edges and counts. Lengths are whole: so are the edges. */
export function bars(lengths: ArrayLike<number> & Iterable<number>, most = BARS): { edges: number[]; counts: number[] } {
    let [low, high] = [Infinity, 0];
    for (let at = 0; at < lengths.length; at++) {
        const length = lengths[at]!;
        if (length < low) low = length;
        if (length > high) high = length;
    }
    if (lengths.length === 0) return { edges: [0, 1], counts: [0] };
    const first = Math.max(1, low);
    const factor = Math.max((high + 1) / first, 1) ** (1 / most);
    const edges = [low];
    for (let at = 1; at < most; at++) {
        const edge = Math.ceil(first * factor ** at);
        if (edge > edges[edges.length - 1]! && edge <= high) edges.push(edge);
    }
    edges.push(high + 1);
    const counts = new Array<number>(edges.length - 1).fill(0);
    for (let at = 0; at < lengths.length; at++) {
        const length = lengths[at]!;
        let from = 0;
        let to = counts.length - 1;
        while (from < to) {
            const middle = (from + to + 1) >> 1;
            if (edges[middle]! <= length) from = middle;
            else to = middle - 1;
        }
        counts[from]! += 1;
    }
    return { edges, counts };
}

export function drawHistogram(canvas: HTMLCanvasElement, lengths: Float64Array, colours: Colours, colour: string): void {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = FONT;
    const { edges, counts } = bars(lengths);
    const most = counts.reduce((one, other) => Math.max(one, other), 1);
    const [left, bottom] = [46, height - 18];
    const wide = (width - left - 8) / counts.length;
    context.fillStyle = colours.quiet;
    context.textAlign = "right";
    context.fillText(brief(most), left - 5, 14);
    context.fillText("0", left - 5, bottom);
    context.textAlign = "left";
    const every = Math.max(1, Math.ceil(74 / wide));
    counts.forEach((value, at) => {
        const high = value === 0 ? 0 : Math.max(1.5, value / most * (bottom - 10));
        context.fillStyle = colour;
        context.fillRect(left + at * wide, bottom - high, Math.max(1, wide - 1), high);
        context.fillStyle = colours.quiet;
        if (at % every === 0) context.fillText(time(edges[at]!), left + at * wide, height - 4);
    });
    context.fillStyle = colours.line;
    context.fillRect(left, bottom, width - left - 8, 1);
    canvas.setAttribute("aria-label", `Histogram of ${lengths.length} lengths from ${time(edges[0]!)} to ${time(edges[edges.length - 1]! - 1)}`);
}
