// A counter as a line of steps. A column shows from the lowest to the highest value that it has.

import { brief } from "./numbers";
import type { View } from "./view";
import type { Colours } from "./colour";
import type { Chunk } from "./kit";
import { chunkAt, firstWhere, type Row } from "./model";

/** Draws what is there; tells the chunks that are missing. */
export function drawCounter(context: CanvasRenderingContext2D, view: View, row: Row, peek: (chunk: number) => Chunk | undefined,
                            top: number, height: number, colours: Colours): number[] {
    const missing: number[] = [];
    if (row.chunks === 0) return missing;
    const lowest = Math.min(0, ...row.lowest);
    const highest = Math.max(...row.highest, lowest + 1e-9);
    const y = (value: number): number => top + 1 + (1 - (value - lowest) / (highest - lowest)) * (height - 2);
    context.fillStyle = colours.accent;
    const bar = (x0: number, x1: number, low: number, high: number): void => {
        const above = y(high);
        context.globalAlpha = 0.25;
        context.fillRect(x0, above, Math.max(1, x1 - x0), Math.max(1, y(lowest) - above));
        context.globalAlpha = 1;
        context.fillRect(x0, above, Math.max(1, x1 - x0), Math.max(1, y(low) - above));
    };
    // The value before the view goes on into it.
    let chunk = Math.max(0, chunkAt(row, view.from) - 1);
    let x = -1;
    let low = NaN;
    let high = NaN;
    let last = NaN;
    const flush = (until: number): void => {
        if (!Number.isNaN(low)) bar(Math.max(0, x), x + 1, low, high);
        if (!Number.isNaN(last) && until > x + 1) bar(Math.max(0, x + 1), Math.min(until, view.width), last, last);
    };
    for (; chunk < row.chunks && row.firsts[chunk]! <= view.to; chunk++) {
        // What is narrower than a column, up to the next chunk, is as the index says.
        const narrow = chunk + 1 < row.chunks && row.firsts[chunk + 1]! - row.firsts[chunk]! < view.ticksPerPixel;
        if (narrow && row.firsts[chunk]! > view.from) {
            const column = Math.floor(view.x(row.firsts[chunk]!));
            if (column !== x) flush(column);
            [low, high] = column === x && !Number.isNaN(low) ? [Math.min(low, row.lowest[chunk]!), Math.max(high, row.highest[chunk]!)] : [row.lowest[chunk]!, row.highest[chunk]!];
            [x, last] = [column, NaN];
            continue;
        }
        const there = peek(chunk);
        if (!there) {
            missing.push(chunk);
            flush(view.x(row.firsts[chunk]!));
            low = high = last = NaN;
            x = view.x(row.lasts[chunk]!);
            bar(Math.max(0, view.x(row.firsts[chunk]!)), Math.min(x, view.width), row.lowest[chunk]!, row.highest[chunk]!);
            continue;
        }
        const from = Math.max(0, firstWhere(there.count, (at) => there.base + there.starts[at]! >= view.from) - 1);
        for (let at = from; at < there.count && there.base + there.starts[at]! <= view.to; at++) {
            const column = Math.floor(view.x(there.base + there.starts[at]!));
            const value = there.values[at]!;
            if (column !== x) {
                flush(column);
                [x, low, high] = [column, Number.isNaN(last) ? value : Math.min(last, value), Number.isNaN(last) ? value : Math.max(last, value)];
            }
            low = Math.min(low, value);
            high = Math.max(high, value);
            last = value;
        }
    }
    flush(view.width);
    context.strokeStyle = colours.ground;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeText(brief(highest), 4, top + 7);
    context.fillStyle = colours.text;
    context.fillText(brief(highest), 4, top + 7);
    return missing;
}
