// The stretch of time that is shown, and where on the screen each time lies. Without folding of idle time both are the same line; with it
// `start`, `end` and `span` are of folded time.

import { Fold } from "./fold";

const CLOSEST = 4; // nanoseconds over the whole width

export class View {
    start: number;
    span: number;
    /** Pixels of the plot. */
    width = 1;
    fold = Fold.NONE;
    private readonly listeners: (() => void)[] = [];

    constructor(private first: number, private last: number) {
        this.start = first;
        this.span = last - first;
        this.fit();
    }

    /** There is more, or less, than there was. What is shown stays, as far as it is there. */
    extend(first: number, last: number): void {
        this.first = first;
        this.last = Math.max(last, first + 1);
        this.place(this.start, this.end);
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    get end(): number {
        return this.start + this.span;
    }

    /** Of the left edge, by the clock. */
    get from(): number {
        return this.fold.unfold(this.start);
    }

    /** Of the right edge, by the clock. */
    get to(): number {
        return this.fold.unfold(this.end);
    }

    get ticksPerPixel(): number {
        return this.span / this.width;
    }

    x(time: number): number {
        return (this.fold.fold(time) - this.start) / this.span * this.width;
    }

    time(x: number): number {
        return this.fold.unfold(this.start + x / this.width * this.span);
    }

    /** Folds idle time otherwise; what is in the middle stays there, as far as that goes. */
    setFold(fold: Fold): void {
        const all = this.span >= this.whole;
        const [from, to] = [this.from, this.to];
        this.fold = fold;
        if (all) this.fit();
        else this.show(from, to);
    }

    /** Of all folded time. */
    private get whole(): number {
        return this.fold.fold(this.last) - this.fold.fold(this.first);
    }

    /** Shows nothing outside of these times. */
    bound(first: number, last: number): void {
        this.first = first;
        this.last = last;
        this.place(this.start, this.end);
    }

    fit(): void {
        const [first, last] = [this.fold.fold(this.first), this.fold.fold(this.last)];
        const margin = (last - first) * 0.01;
        this.place(first - margin, last + margin);
    }

    /** `factor` below 1 comes closer; `around` stays where it is. */
    zoom(factor: number, around = this.time(this.width / 2)): void {
        const { whole } = this;
        const span = Math.min(Math.max(this.span * factor, Math.min(CLOSEST, whole)), whole * 1.02);
        const middle = this.fold.fold(around);
        const share = (middle - this.start) / this.span;
        this.place(middle - share * span, middle + (1 - share) * span);
    }

    /** By a share of the width. */
    pan(share: number): void {
        this.place(this.start + share * this.span, this.end + share * this.span);
    }

    /** From one time to another. */
    show(from: number, to: number): void {
        this.place(this.fold.fold(from), this.fold.fold(to));
    }

    /** As `show`, on folded time. */
    place(start: number, end: number): void {
        const [first, last, whole] = [this.fold.fold(this.first), this.fold.fold(this.last), this.whole];
        const margin = whole * 0.01;
        this.span = Math.min(Math.max(end - start, Math.min(CLOSEST, whole)), whole + 2 * margin);
        this.start = Math.min(Math.max(start, first - margin), last + margin - this.span);
        for (const listener of this.listeners) listener();
    }
}
