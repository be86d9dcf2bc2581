// The stretch of time that is shown.

const CLOSEST = 4; // ticks over the whole width

export class View {
    start: number;
    span: number;
    /** Pixels of the plot. */
    width = 1;
    private readonly listeners: (() => void)[] = [];

    constructor(private first: number, private last: number) {
        this.start = first;
        this.span = last - first;
        this.fit();
    }

    /** Another range of time; shows all of it. */
    setLimits(first: number, last: number): void {
        this.first = first;
        this.last = last;
        this.fit();
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    get end(): number {
        return this.start + this.span;
    }

    get ticksPerPixel(): number {
        return this.span / this.width;
    }

    x(time: number): number {
        return (time - this.start) / this.span * this.width;
    }

    time(x: number): number {
        return this.start + x / this.width * this.span;
    }

    fit(): void {
        const margin = (this.last - this.first) * 0.01;
        this.show(this.first - margin, this.last + margin);
    }

    /** `factor` below 1 comes closer; `around` stays where it is. */
    zoom(factor: number, around = this.start + this.span / 2): void {
        const whole = this.last - this.first;
        const span = Math.min(Math.max(this.span * factor, Math.min(CLOSEST, whole)), whole * 1.02);
        const share = (around - this.start) / this.span;
        this.show(around - share * span, around + (1 - share) * span);
    }

    /** By a share of the width. */
    pan(share: number): void {
        this.show(this.start + share * this.span, this.end + share * this.span);
    }

    show(start: number, end: number): void {
        const whole = this.last - this.first;
        const margin = whole * 0.01;
        this.span = Math.min(Math.max(end - start, Math.min(CLOSEST, whole)), whole + 2 * margin);
        this.start = Math.min(Math.max(start, this.first - margin), this.last + margin - this.span);
        for (const listener of this.listeners) listener();
    }
}
