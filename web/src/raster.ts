// The lanes as pixels. A frame costs the pixels of the plot and about one block per pixel and row, whatever the data is
// like: many thousand small rectangles of changing colours would take a canvas several times as long.

import { firstEndingAfter, type Blocks } from "./decode";
import type { View } from "./view";

/** A block that has room for a name. */
export interface Wide {
    label: number;
    /** Pixels from the left edge of the plot. */
    left: number;
    right: number;
    start: number;
}

/** The pixel colour of a block of that label, of which slices cover `share` of 255; 0: it is not drawn. */
type Fill = (label: number, share: number) => number;

export class Raster {
    private image = new ImageData(1, 1);
    private pixels = new Uint32Array(this.image.data.buffer);
    private line = new Uint32Array(1);
    private width = 1;
    private height = 1;
    private ratio = 1;

    resize(width: number, height: number, ratio: number): void {
        this.ratio = ratio;
        this.width = Math.max(1, Math.round(width * ratio));
        this.height = Math.max(1, Math.round(height * ratio));
        this.image = new ImageData(this.width, this.height);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.line = new Uint32Array(this.width);
    }

    clear(colour: number): void {
        this.pixels.fill(colour);
    }

    /** Top and bottom of a stripe in device pixels, inside the picture. */
    private lines(y: number, height: number): [number, number] {
        const top = Math.round(y * this.ratio);
        const bottom = Math.max(top + 1, Math.round((y + height) * this.ratio));
        return [Math.min(Math.max(top, 0), this.height), Math.min(Math.max(bottom, 0), this.height)];
    }

    stripe(y: number, height: number, colour: number): void {
        const [top, bottom] = this.lines(y, height);
        this.pixels.fill(colour, top * this.width, bottom * this.width);
    }

    column(x: number, colour: number): void {
        const at = Math.round(x * this.ratio);
        if (at < 0 || at >= this.width) return;
        for (let offset = at; offset < this.pixels.length; offset += this.width) this.pixels[offset] = colour;
    }

    /** Draws the blocks of a row. Tells which blocks have at least `room` pixels. */
    row(blocks: Blocks, view: View, y: number, height: number, fill: Fill, room: number): Wide[] {
        const { line, width } = this;
        const scale = width / view.span;
        const gapFrom = 4 * this.ratio;
        const wide: Wide[] = [];
        let least = width;
        let most = 0;
        const [top, bottom] = this.lines(y, height);
        if (top >= bottom) return wide;
        for (let i = firstEndingAfter(blocks, view.start); i < blocks.count && blocks.starts[i] < view.end; i++) {
            const colour = fill(blocks.labels[i], blocks.shares ? blocks.shares[i] : 255);
            if (!colour) continue;
            const left = Math.max(0, Math.round((blocks.starts[i] - view.start) * scale));
            const end = Math.round((blocks.ends[i] - view.start) * scale);
            const size = end - left;
            const right = Math.min(width, size < 1 ? left + 1 : size >= gapFrom ? end - 1 : end); // neighbours stay apart
            if (left >= right) continue;
            if (right - left === 1) line[left] = colour;
            else line.fill(colour, left, right);
            if (left < least) least = left;
            if (right > most) most = right;
            if (size >= room * this.ratio && (!blocks.slices || blocks.slices[i] === 1)) {
                const [from, to] = [left / this.ratio, right / this.ratio];
                wide.push({ label: blocks.labels[i], left: from, right: to, start: blocks.starts[i] });
            }
        }
        this.copyLine(least, most, top, bottom);
        return wide;
    }

    /** Moments: a tab at the top edge of their lane, each at least `thick` wide. */
    marks(blocks: Blocks, view: View, y: number, height: number, fill: Fill): void {
        const scale = this.width / view.span;
        const thick = Math.max(1, Math.round(2 * this.ratio));
        const slack = view.span / this.width * 4;
        for (let i = firstEndingAfter(blocks, view.start - slack); i < blocks.count && blocks.starts[i] < view.end + slack; i++) {
            const colour = fill(blocks.labels[i], 255);
            if (!colour) continue;
            const left = Math.round((blocks.starts[i] - view.start) * scale) - (thick >> 1);
            const right = Math.max(left + thick, Math.round((blocks.ends[i] - view.start) * scale));
            this.rectangle(left, right, y, height, colour);
        }
    }

    private rectangle(left: number, right: number, y: number, height: number, colour: number): void {
        const [top, bottom] = this.lines(y, height);
        const from = Math.max(0, left);
        const to = Math.min(this.width, right);
        if (from >= to) return;
        for (let line = top; line < bottom; line++) this.pixels.fill(colour, line * this.width + from, line * this.width + to);
    }

    private copyLine(left: number, right: number, top: number, bottom: number): void {
        const { line, pixels, width } = this;
        for (let row = top; row < bottom; row++) {
            const offset = row * width;
            for (let x = left; x < right; x++) {
                if (line[x]) pixels[offset + x] = line[x];
            }
        }
        if (left < right) line.fill(0, left, right);
    }

    put(context: CanvasRenderingContext2D, x: number, y: number): void {
        context.putImageData(this.image, Math.round(x * this.ratio), Math.round(y * this.ratio));
    }
}
