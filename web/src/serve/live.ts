// What is still being recorded or written: sources, and the timeline of one of them.

import type { Api, LiveEvent, LiveList, LiveSource } from "./api";
import { button, element } from "../page/dom";
import { LiveView } from "./live_view";
import { failure, link, mood } from "./parts";
import { facts } from "./show";

const STATES: Record<LiveSource["state"], string> = { waiting: "waiting", connected: "connected", ended: "ended", failed: "failed" };
const SOON = 100; // milliseconds in which events are gathered
const LOOK = 1000; // milliseconds after which it is said how long nothing came

export class LivePage {
    readonly element = element("div", { class: "one live" });
    private readonly list = element("ul", { class: "sources" });
    private readonly told = element("div", { role: "status" });
    private readonly address = element("input", { type: "text", placeholder: "HOST:PORT", "aria-label": "Address of a program that records", required: "", autocomplete: "off", spellcheck: "false" });
    private readonly token = element("input", { type: "text", placeholder: "its token, where it runs elsewhere", "aria-label": "Token of the program", autocomplete: "off", spellcheck: "false" });
    private readonly stage = element("div");
    private sources: LiveSource[] = [];
    private view: LiveView | null = null;
    private timer = 0;

    constructor(private readonly api: Api) {
        document.title = "Live – Tacho";
        const connect = element("button", { type: "submit" }, "Connect");
        const form = element("form", { class: "controls connect" }, this.address, this.token, connect);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.connect();
        });
        this.element.append(
            element("nav", { class: "back" }, link(api.address("/"), "← All profiles")), element("h1", {}, "Live"),
            element("p", { class: "quiet" }, "A program that was started with ", element("code", {}, "tacho record --live"), " says its address. It need not run yet."),
            form, this.told, this.list, this.stage);
        this.listen();
        void this.load();
        setInterval(() => this.sources.some((source) => source.following) && void this.load(), LOOK);
    }

    private listen(): void {
        const events = new EventSource(this.api.address("/api/live/events"));
        events.onmessage = (message: MessageEvent<string>) => this.hear(JSON.parse(message.data) as LiveEvent);
        events.onopen = () => this.told.replaceChildren();
        events.onerror = () => this.told.replaceChildren(mood("warning", "The server does not answer: has it ended?"));
    }

    /** The timeline hears of what is new at once; what is said of sources may wait a moment. */
    private hear(event: LiveEvent): void {
        const known = this.sources.find((source) => source.id === event.source);
        if (known && event.trace !== undefined) {
            known.trace = event.trace || null;
            if (this.view?.id === known.id) void this.view.update(known);
        }
        if (this.timer) return;
        this.timer = window.setTimeout(() => {
            this.timer = 0;
            void this.load();
        }, SOON);
    }

    private async load(): Promise<void> {
        try {
            this.show(await this.api.live());
        } catch (error) {
            this.told.replaceChildren(failure(error));
        }
    }

    private show({ sources }: LiveList): void {
        this.sources = sources;
        if (this.view && !sources.some(({ id }) => id === this.view?.id)) this.choose(null);
        if (!this.view) this.choose(sources.find((source) => source.trace && source.generation > 0) ?? null);
        // What is pointed at or in focus stays the same element.
        const before = new Map(Array.from(this.list.children, (item) => [(item as HTMLElement).dataset.source, item as HTMLElement]));
        const items = sources.map((source) => this.item(source, before.get(source.id)));
        items.forEach((item, at) => this.list.children[at] === item || this.list.insertBefore(item, this.list.children[at] ?? null));
        while (this.list.children.length > items.length) this.list.lastElementChild?.remove();
        const shown = sources.find(({ id }) => id === this.view?.id);
        if (shown) void this.view?.update(shown);
    }

    private item(source: LiveSource, before: HTMLElement | undefined): HTMLElement {
        const made = before ?? element("li", { "data-source": source.id });
        const text = JSON.stringify([source, this.view?.id === source.id]);
        if (made.dataset.text === text) return made;
        made.dataset.text = text;
        made.dataset.state = source.state;
        made.classList.toggle("chosen", this.view?.id === source.id);
        const focused = made.contains(document.activeElement) ? document.activeElement?.textContent : null;
        const actions = element("span", { class: "actions" });
        if (source.generation > 0) actions.append(button("Show", "Shows its timeline below", () => this.choose(source)));
        if (source.following) actions.append(button("End", "Does not follow it any more", () => void this.end(source)));
        else if (source.kind === "program") actions.append(button("Again", "Connects once more", () => void this.begin(source.name, "")));
        if (!source.following && !source.given) actions.append(button("Forget", "Takes it from the list", () => void this.end(source)));
        made.replaceChildren(
            element("p", { class: "head" }, element("b", {}, source.name), " ", element("span", { class: `state ${source.state}` }, STATES[source.state]), actions),
            ...(source.said ? [source.state === "failed" ? mood("bad", source.said) : element("p", { class: "quiet" }, source.said)] : []),
            ...(source.note ? [mood("warning", source.note)] : []),
            element("p", { class: "quiet" }, facts(source).join(" · ")),
            ...(source.open ? [element("p", { class: "quiet" }, "open: ", source.open)] : []));
        if (focused) [...made.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus();
        return made;
    }

    private choose(source: LiveSource | null): void {
        if (source && this.view?.id === source.id) return;
        this.view?.end();
        this.view = source && new LiveView(this.api, source);
        this.stage.replaceChildren(...(this.view ? [this.view.element] : []));
        for (const item of this.list.children) (item as HTMLElement).dataset.text = "";
        if (source) this.show({ sources: this.sources, room: 0 });
    }

    private async connect(): Promise<void> {
        await this.begin(this.address.value.trim(), this.token.value.trim());
    }

    private async begin(address: string, token: string): Promise<void> {
        try {
            await this.api.post("/api/live", [["address", address], ...(token ? [["program_token", token] as [string, string]] : [])]);
            this.token.value = "";
            this.told.replaceChildren();
            await this.load();
        } catch (error) {
            this.told.replaceChildren(failure(error));
        }
    }

    private async end(source: LiveSource): Promise<void> {
        try {
            await this.api.post(`/api/live/${source.id}/end`);
            await this.load();
        } catch (error) {
            this.told.replaceChildren(failure(error));
        }
    }
}
