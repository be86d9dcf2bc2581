// One live source: its timeline, which grows, and what is done with it.

import type { Api, LiveSource } from "./api";
import { Colours } from "../page/colour";
import { button, element } from "../page/dom";
import { decodeHere } from "../page/pool";
import { RangePanel } from "../page/range";
import { SlicePanel } from "../page/slice";
import { GrowingSource } from "../page/source";
import { Tabs } from "../page/tabs";
import { Timeline } from "../page/timeline";
import { addTip } from "../page/tip";
import { Follower } from "./follow";
import { failure } from "./parts";

export class LiveView {
    readonly element = element("section", { class: "live-view", "aria-label": "Timeline" });
    private readonly place = element("div");
    private readonly said = element("div", { role: "status" });
    private readonly pause = button("Pause", "What comes is kept, and shown when it goes on", () => this.setPaused(!this.paused));
    private readonly followed = button("Follow", "Shows the last seconds, and moves on with them", () => this.follower?.set(!this.follower.on));
    private readonly keep = element("input", { type: "number", min: "1", max: "3600", "aria-label": "Seconds that are kept" });
    private paused = false;
    private trace: string | null = null;
    private opened: { source: GrowingSource; timeline: Timeline } | null = null;
    private follower: Follower | null = null;
    private busy = false;
    private again = false;
    private ended = false;

    constructor(private readonly api: Api, private now: LiveSource) {
        this.keep.value = String(now.keep_s);
        this.keep.addEventListener("change", () => void this.setKeep());
        this.element.append(
            element("div", { class: "controls", role: "toolbar", "aria-label": "Live" }, this.pause, this.followed,
                element("label", {}, "keep the last ", this.keep, " s"),
                button("+", "Zoom in", () => this.opened?.timeline.view.zoom(1 / 1.6)), button("−", "Zoom out", () => this.opened?.timeline.view.zoom(1.6)),
                button("All", "Shows all that is kept", () => this.opened?.timeline.view.fit())),
            this.said, this.place);
        this.tellButtons();
        void this.update(now);
    }

    get id(): string {
        return this.now.id;
    }

    /** Nothing more is asked for. */
    end(): void {
        this.ended = true;
    }

    private tellButtons(): void {
        this.pause.textContent = this.paused ? "Go on" : "Pause";
        this.pause.setAttribute("aria-pressed", String(this.paused));
        this.followed.setAttribute("aria-pressed", String(this.follower?.on ?? true));
        this.element.dataset.following = String(!this.paused && (this.follower?.on ?? true));
        this.element.dataset.paused = String(this.paused);
    }

    private setPaused(paused: boolean): void {
        this.paused = paused;
        this.tellButtons();
        if (!paused) void this.update(this.now);
    }

    private async setKeep(): Promise<void> {
        try {
            await this.api.post(`/api/live/${this.now.id}/keep`, [["seconds", this.keep.value]]);
            this.said.replaceChildren();
        } catch (error) {
            this.said.replaceChildren(failure(error));
        }
    }

    /** There is something new. One question at a time: what comes meanwhile is asked for afterwards. */
    async update(now: LiveSource): Promise<void> {
        this.now = now;
        this.again = true;
        if (this.busy) return;
        this.busy = true;
        try {
            while (this.again && !this.ended && !(this.paused && this.opened)) {
                this.again = false;
                await this.bring();
            }
            this.said.replaceChildren();
        } catch (error) {
            this.said.replaceChildren(failure(error));
        } finally {
            this.busy = false;
        }
    }

    private async bring(): Promise<void> {
        const { trace } = this.now;
        if (!trace) return;
        if (trace !== this.trace) {
            await this.open(trace);
        } else if (this.opened && await this.opened.source.refresh(false)) {
            this.grow();
        }
    }

    private async open(trace: string): Promise<void> {
        const source = await GrowingSource.open(`/api/live/${encodeURIComponent(trace)}/`, this.api.fetcher, decodeHere);
        if (!source) return;
        this.trace = trace;
        const timeline = new Timeline(source, new Colours(source.labels));
        this.opened = { source, timeline };
        const tabs = new Tabs();
        const nothing = (): void => undefined;
        const slice = tabs.add("Slice", new SlicePanel(timeline, nothing, "").element);
        tabs.add("Range", new RangePanel(timeline, () => tabs.show(slice + 1), nothing).element);
        tabs.show(slice);
        timeline.onSelect((found) => found && tabs.show(slice));
        this.place.replaceChildren(timeline.element, tabs.element);
        addTip(timeline);
        source.onGrown = () => this.grow();
        this.follower = new Follower(timeline.view, () => this.tellButtons());
        Object.assign(window, { tacho: { source, timeline } });
        this.grow();
        this.tellButtons();
    }

    private grow(): void {
        const { opened } = this;
        if (!opened) return;
        this.follower?.grow(opened.source.head.end, () => opened.timeline.grow());
        this.element.dataset.generation = String(opened.source.head.generation);
        this.element.dataset.end = String(opened.source.head.end);
    }
}
