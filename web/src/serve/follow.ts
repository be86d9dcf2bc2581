// The stretch of time that a growing trace is looked at: its last seconds, until somebody looks elsewhere.

import type { View } from "../page/view";

const FIRST = 10e9; // nanoseconds that are shown at first
const NEAR = 0.02; // of the width: as far from the end as this is at the end

export class Follower {
    /** Whether what is shown moves on with what comes. */
    on = true;
    private span = FIRST;
    private moving = false;
    private end = 0;

    /** `changed` is called when somebody has looked elsewhere, or at the end again. */
    constructor(private readonly view: View, private readonly changed: () => void) {
        view.onChange(() => this.looked());
    }

    private looked(): void {
        if (this.moving) return;
        const { view } = this;
        this.span = view.span;
        const at = view.to >= this.end - view.span * NEAR;
        if (at === this.on) return;
        this.on = at;
        this.changed();
    }

    /** The trace has grown; `apply` makes the view as long as it is. */
    grow(end: number, apply: () => void): void {
        this.moving = true;
        this.end = end;
        apply();
        if (this.on) this.view.show(end - this.span, end);
        this.moving = false;
    }

    set(on: boolean): void {
        this.on = on;
        this.changed();
        if (on) this.grow(this.end, () => undefined);
    }
}
