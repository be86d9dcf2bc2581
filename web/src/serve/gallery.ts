// The gallery: a card for every profile under the folders that are served.

import type { Api, Card, Input, Listing } from "./api";
import { BAD, chainOf, choose, distinct, EVERYTHING, first, kindOf, pick, tiles, typeOf, type Choice, type Order } from "./choose";
import { button, element } from "../page/dom";
import { count } from "../page/numbers";
import { metrics } from "./metrics";
import { failure, link, mood, perfetto, tile } from "./parts";
import { bytes, date } from "./show";

const POLL_MS = 2000;
const POLL_WAITING_MS = 500;

export class Gallery {
    readonly element = element("div", { class: "gallery" });
    private readonly history = link("", "History");
    private readonly told = element("p", { class: "quiet", role: "status" });
    private readonly problem = element("div");
    private readonly cards = element("div", { class: "profiles" });
    private readonly others = element("details", { class: "others" });
    private readonly comparing = button("Compare", "Choose two profiles first", () => this.compare());
    private readonly chains = select("Tool chain");
    private readonly kinds = select("Kind");
    private readonly types = select("Type");
    private readonly search = element("input", { type: "search", placeholder: "Search models and files", "aria-label": "Search" });
    private choice: Choice = { ...EVERYTHING };
    private listing: Listing | null = null;
    private chosen: string[] = [];
    private shown = new Map<string, { text: string; element: HTMLElement }>();

    constructor(private readonly api: Api) {
        const order = select("Sort");
        for (const [value, text] of [["-date", "newest first"], ["date", "oldest first"], ["name", "by name"], ["-time", "longest run first"],
            ["time", "shortest run first"], ["-size", "largest file first"]] as const) order.append(element("option", { value }, text));
        order.addEventListener("change", () => this.change({ order: order.value.replace("-", "") as Order, descending: order.value.startsWith("-") }));
        this.search.addEventListener("input", () => this.change({ words: this.search.value }));
        this.chains.addEventListener("change", () => this.change({ chain: this.chains.value }));
        this.kinds.addEventListener("change", () => this.change({ kind: this.kinds.value }));
        this.types.addEventListener("change", () => this.change({ type: this.types.value }));
        this.element.append(
            element("header", {}, element("h1", {}, "Tacho"), this.told, this.history, link(api.address("/live"), "Live")),
            element("div", { class: "controls" }, this.search, this.chains, this.kinds, this.types, order, this.comparing),
            howTo(), this.problem, this.cards, this.others);
        this.others.hidden = true;
        this.history.href = api.address("/history");
        this.history.hidden = true;
        void this.poll();
    }

    private change(changed: Partial<Choice>): void {
        this.choice = { ...this.choice, ...changed };
        this.draw();
    }

    /** An address with a part asks for that of the only profile. */
    private showOnly(listing: Listing): void {
        const only = listing.profiles[0];
        const part = location.hash.slice(1);
        if (part && only && listing.profiles.length === 1) location.replace(`${this.api.address(`/profile/${only.id}`)}#${part}`);
    }

    /** New files appear by themselves, as long as somebody looks. */
    private async poll(): Promise<void> {
        if (!document.hidden) {
            try {
                const now = await this.api.list(this.listing);
                this.problem.replaceChildren();
                if (now !== this.listing) {
                    this.listing = now;
                    this.showOnly(now);
                    this.draw();
                }
            } catch (error) {
                this.problem.replaceChildren(failure(error));
            }
        }
        setTimeout(() => void this.poll(), this.listing?.waiting ? POLL_WAITING_MS : POLL_MS);
    }

    private compare(): void {
        const [before, after] = this.chosen;
        if (before && after) location.assign(this.api.address(`/compare/${before}/${after}`));
    }

    private draw(): void {
        const listing = this.listing;
        if (!listing) return;
        options(this.chains, "all tool chains", distinct(listing.profiles, chainOf));
        options(this.kinds, "all kinds", distinct(listing.profiles, kindOf));
        const types = distinct(listing.profiles, typeOf);
        options(this.types, "all types", types);
        this.types.hidden = types.length < 2;
        const found = choose(listing.profiles, this.choice);
        this.told.textContent = describe(listing, found.length);
        this.history.hidden = listing.history === null;
        this.chosen = this.chosen.filter((id) => listing.profiles.some((card) => card.id === id));
        this.comparing.disabled = this.chosen.length < 2;
        this.cards.replaceChildren(...found.map((card) => this.card(card)));
        if (!found.length) this.cards.append(element("p", { class: "quiet" }, listing.profiles.length ? "No matches found." : "There is no profile here yet: a new file appears by itself."));
        this.drawOthers(listing);
    }

    /** A card stays the element that it is until something about it changes: what was opened in it stays open. */
    private card(card: Card): HTMLElement {
        const text = JSON.stringify(card) + this.chosen.indexOf(card.id);
        const before = this.shown.get(card.id);
        if (before?.text === text) return before.element;
        const made = this.make(card);
        this.shown.set(card.id, { text, element: made });
        return made;
    }

    private make(card: Card): HTMLElement {
        const input = first(card);
        const made = element("article", { class: `profile ${card.state}`, "data-id": card.id });
        const title = element("h2", {}, card.state === "ready" ? link(this.api.address(`/profile/${card.id}`), input?.model ?? card.name) : card.name);
        made.append(title, element("p", { class: "quiet" }, [card.name, card.size === null ? "folder" : bytes(card.size), date(card.modified)].filter(Boolean).join(" · ")));
        if (card.state === "waiting") made.append(element("p", { class: "quiet" }, "It is being read …"));
        if (card.state === "bad") made.append(mood("bad", card.error ?? BAD));
        if (input) this.fill(made, card);
        return made;
    }

    private fill(made: HTMLElement, card: Card): void {
        const input = first(card);
        if (!input) return;
        const inputs = card.profile?.inputs.length ?? 1;
        const facts = [input.chain, input.kind, card.profile?.title, inputs > 1 ? `${inputs} inputs, the first is shown` : ""].filter(Boolean).join(" · ");
        const box = element("input", { type: "checkbox", "aria-label": `Compare ${card.name}` });
        box.checked = this.chosen.includes(card.id);
        box.addEventListener("change", () => {
            this.chosen = pick(this.chosen, card.id);
            this.draw();
        });
        made.append(
            element("p", {}, facts),
            element("dl", { class: "tiles" }, ...tiles(input.metrics).map((metric, at) => tile(metric, at === 0))),
            ...(input.sentence ? [element("p", { class: "quiet" }, input.sentence)] : []),
            ...(input.rows.lost ? [mood("warning", `${count(input.rows.lost)} of ${count(input.rows.read)} rows were lost`)] : []),
            this.details(input),
            element("p", { class: "tools" }, element("label", {}, box, " compare"), perfetto(this.api, card)));
    }

    /** One card is open at a time. */
    private details(input: Input): HTMLElement {
        const made = element("details", {}, element("summary", {}, `All ${input.metrics.length} metrics`), metrics(input, () => null));
        made.addEventListener("toggle", () => {
            if (made.open) for (const other of this.cards.querySelectorAll<HTMLDetailsElement>("details[open]")) other.open = other === made;
        });
        return made;
    }

    private drawOthers(listing: Listing): void {
        const total = listing.others.length + listing.outside + listing.unread;
        const open = this.others.open;
        this.others.hidden = !total;
        if (!total) return;
        this.others.replaceChildren(
            element("summary", {}, total === 1 ? "One other file is no profile" : `${count(total)} other files are no profiles`),
            element("ul", {}, ...listing.others.map(({ name, reason }) => element("li", {}, element("b", {}, name), ` ${reason ?? ""}`)),
                ...(listing.outside ? [element("li", {}, `${count(listing.outside)} links lead out of what is served, or nowhere`)] : []),
                ...(listing.unread ? [element("li", {}, `${count(listing.unread)} could not be looked at, or are too many`)] : [])));
        this.others.open = open;
    }
}

/** For who sees it for the first time; it stays folded. */
function howTo(): HTMLElement {
    return element("details", { class: "howto" }, element("summary", {}, "How to use this"),
        element("ul", {}, ...["A card is a profile: its name leads to its tables, its timeline and its downloads.", "A search finds cards with any of its words, those with more of them first.",
            "Mark two cards to compare them.", "Open in Perfetto hands the trace to ui.perfetto.dev in this browser; it goes nowhere else.",
            "New and changed files appear by themselves."].map((line) => element("li", {}, line))));
}

function describe(listing: Listing, found: number): string {
    const all = listing.profiles.length;
    const parts = [`${listing.served.join(", ")}: ${count(all)} ${all === 1 ? "profile" : "profiles"}`];
    if (found !== all) parts.push(`${count(found)} shown`);
    if (listing.waiting) parts.push(`${count(listing.waiting)} to be read`);
    return parts.join(", ");
}

function select(label: string): HTMLSelectElement {
    return element("select", { "aria-label": label });
}

/** Fills a select, where what there is to choose changed. */
function options(select: HTMLSelectElement, all: string, values: string[]): void {
    const wanted = ["", ...values];
    if (select.options.length === wanted.length && wanted.every((value, at) => select.options[at]?.value === value)) return;
    const chosen = select.value;
    select.replaceChildren(...wanted.map((value) => element("option", { value }, value || all)));
    select.value = wanted.includes(chosen) ? chosen : "";
}
