// The button that folds idle time, and what it says.

import { button } from "./dom";
import { Fold, makeFold } from "./fold";
import { count, percent, time } from "./numbers";
import type { Strip } from "./strip";
import type { Timeline } from "./timeline";

export class Folding {
    readonly button = button("Fold idle", "Draw stretches in which no track has anything short (I)", () => void this.set(!this.on));
    on = false;
    private readonly listeners: (() => void)[] = [];

    constructor(private readonly timeline: Timeline, private readonly strip: Strip) {
        this.button.setAttribute("aria-pressed", "false");
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    private async find(): Promise<Fold> {
        const { begin, end } = this.timeline.source.head;
        return makeFold(await this.strip.idle(), end - begin);
    }

    /** Says what there is to fold, once all slices were looked at. */
    async tell(): Promise<void> {
        const { head } = this.timeline.source;
        const fold = await this.find();
        const { length } = fold.gaps;
        this.button.hidden = length === 0;
        this.button.textContent = `Fold idle (${percent(fold.idle / Math.max(1, head.end - head.begin))})`;
        this.button.title = `${count(length)} ${length === 1 ? "stretch" : "stretches"} in which no track has anything, ${time(fold.idle)} in all: draw them short (I)`;
    }

    async set(on: boolean): Promise<void> {
        this.on = on;
        this.button.setAttribute("aria-pressed", String(on));
        const fold = on ? await this.find() : Fold.NONE;
        if (this.on !== on) return;
        this.timeline.setFold(fold);
        this.strip.setFold(fold);
        for (const listener of this.listeners) listener();
    }
}
