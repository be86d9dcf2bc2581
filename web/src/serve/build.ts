// One build of the history: all models and devices that it was measured of, beside the build before.

import type { Api } from "./api";
import { draw } from "./chart";
import { button, element } from "../page/dom";
import { count, time } from "../page/numbers";
import { failure, field, hear, link, mood, options } from "./parts";
import { plainTable } from "./plain";
import {
    askedOf, binsOf, chosen, NUMBERS, pairsOf, queryOfAsked, resultsOf, sessionsOf, SHOWS, sorted, sumsOf,
    type Asked, type Bin, type Pair, type Result, type Session, type Sort, type Sums,
} from "./session";
import { date, percent } from "./show";

const PAGE = 50;
const NEAR = 1; // percent: a change below it gets no colour, as the gate passes it
const LIMITS: [value: string, text: string][] = [["", "all times"], ["1000", "from 1 µs on"], ["100000", "from 100 µs on"], ["1000000", "from 1 ms on"], ["10000000", "from 10 ms on"]];

const signed = (value: number): string => `${value > 0 ? "+" : ""}${percent(value)}`;
const sign = (value: number): string => (value > 0 ? "▲" : value < 0 ? "▼" : "•");

export class BuildPage {
    readonly element = element("div", { class: "one history build" });
    private readonly told = element("p", { class: "quiet" });
    private readonly heading = element("h1", {}, "Build");
    private readonly build = element("select");
    private readonly against = element("select");
    private readonly number = element("select");
    private readonly least = element("select");
    private readonly words = element("input", { type: "search", placeholder: "models and devices", autocomplete: "off", spellcheck: "false" });
    private readonly show = element("select");
    private readonly body = element("section", { "aria-busy": "true" });
    private asked: Asked;
    private results: Result[] = [];
    private sort: Sort = "change";
    private down = true;
    private rows = PAGE;

    constructor(private readonly api: Api) {
        document.title = "Build – Tacho";
        this.asked = askedOf(location.search);
        this.element.append(
            element("nav", { class: "back" }, link(api.address("/history"), "← History")), element("header", {}, this.heading, this.told),
            element("form", { class: "controls fields" }, field("Build", this.build), field("Against", this.against), field("Number", this.number), field("Times", this.least),
                field("Search", this.words), field("Show", this.show)), this.body);
        this.element.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
        hear(this.build, (build) => this.change({ build, against: "" }));
        hear(this.against, (against) => this.change({ against }));
        hear(this.number, (number) => this.change({ number: number as Asked["number"] }));
        hear(this.least, (least) => this.change({ least: Number(least) }));
        hear(this.words, (words) => this.change({ words }));
        hear(this.show, (show) => this.change({ show: show as Asked["show"] }));
        window.addEventListener("popstate", () => {
            this.asked = askedOf(location.search);
            this.draw();
        });
        void this.load();
    }

    private async load(): Promise<void> {
        try {
            const [builds] = await this.api.history("builds", [["columns", "numbers"]]);
            this.results = builds ? resultsOf(builds) : [];
            this.draw();
        } catch (error) {
            this.body.replaceChildren(failure(error));
        }
        this.body.removeAttribute("aria-busy");
    }

    private change(changed: Partial<Asked>): void {
        this.asked = { ...this.asked, ...changed };
        this.rows = PAGE;
        history.pushState(null, "", this.api.address("/history/build", queryOfAsked(this.asked)));
        this.draw();
    }

    private draw(): void {
        const sessions = sessionsOf(this.results), last = sessions[sessions.length - 1];
        if (!this.asked.build && last) this.asked.build = last.build;
        const session = sessions.find((one) => one.build === this.asked.build);
        this.drawControls(sessions);
        this.heading.textContent = `Build ${this.asked.build}`;
        document.title = `${this.asked.build} – Build – Tacho`;
        this.told.textContent = session ? [session.commit && `commit ${session.commit}`, date(session.added)].filter(Boolean).join(" · ") : "";
        if (!session) {
            this.body.replaceChildren(mood("note", this.results.length ? "This build is not in the history." : "Nothing was added to this history yet: tacho history add does it."));
            return;
        }
        const pairs = chosen(pairsOf(this.results, this.asked), this.asked);
        const failures = element("section");
        this.body.replaceChildren(drawSums(sumsOf(pairs), session), drawBins(binsOf(pairs)), this.drawPairs(pairs), failures);
        if (session.failed) void this.drawFailures(failures, session.build);
    }

    /** Why launches failed, as their profiles say it. */
    private async drawFailures(section: HTMLElement, build: string): Promise<void> {
        try {
            const [sentences] = await this.api.history("build", [["build", build], ["table", "sentences"], ["columns", "model,profile,sentence"], ["filter", "kind=failure"]]);
            if (sentences) section.replaceChildren(element("h2", {}, "Failures"), plainTable({ ...sentences, notes: [] }));
        } catch (error) {
            section.replaceChildren(failure(error));
        }
    }

    private drawControls(sessions: Session[]): void {
        const { build, against, number, least, words, show } = this.asked;
        const names = sessions.map((one): [string, string] => [one.build, one.build]).reverse();
        options(this.build, names, build);
        options(this.against, [["", "the last good one of each"], ...names.filter(([name]) => name !== build)], against);
        options(this.number, NUMBERS.map(([value, title]) => [value, title]), number);
        options(this.least, LIMITS, least ? String(least) : "");
        options(this.show, SHOWS.map(([value, title]) => [value, title]), show);
        this.words.value = words;
    }

    // ---- results ----

    private drawPairs(pairs: Pair[]): HTMLElement {
        const order = sorted(pairs, this.sort, this.down, this.asked.number), shown = order.slice(0, this.rows);
        const heads: [Sort | null, string, boolean][] = [["model", "Model", false], ["change", "Change", true], ["now", "Now", true], ["before", "Before", true], [null, "Outcome", false],
            ["device", "Device", false], [null, "Launches", true], [null, "Against", false]];
        const table = element("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Results" }, element("table", {},
            element("thead", {}, element("tr", {}, ...heads.map(([sort, title, isNumber]) => this.head(sort, title, isNumber)))),
            element("tbody", {}, ...shown.map((pair) => this.row(pair)))));
        const rest = order.length - shown.length;
        return element("section", { class: "served" }, element("h2", {}, "Results"), table,
            ...(order.length ? [] : [element("p", { class: "empty" }, "no rows")]),
            ...(rest > 0 ? [button(`Show all ${count(order.length)}`, "", () => {
                this.rows = Infinity;
                this.draw();
            })] : []),
            element("ul", { class: "notes" }, element("li", {}, "A model leads to the comparison of both builds, which tells whether a change is more than luck, and which operators made it.")));
    }

    private head(sort: Sort | null, title: string, isNumber: boolean): HTMLElement {
        const made = element("th", { scope: "col", ...(isNumber ? { class: "number" } : {}) });
        if (!sort) {
            made.append(title);
            return made;
        }
        if (this.sort === sort) made.setAttribute("aria-sort", this.down ? "descending" : "ascending");
        const turn = button(title, "", () => {
            [this.sort, this.down] = [sort, this.sort === sort ? !this.down : isNumber];
            this.draw();
        });
        turn.className = "sort";
        turn.removeAttribute("title");
        made.append(turn);
        return made;
    }

    private row(pair: Pair): HTMLElement {
        const { now, before, change } = pair;
        const query: [string, string][] = [["model", pair.model], ["device", pair.device], ["from", before?.build ?? ""], ["to", now?.build ?? ""]];
        const value = (result: Result | null): string => {
            const of = result?.numbers[this.asked.number] ?? null;
            return of === null ? "–" : this.asked.number === "operators" ? count(of) : time(of);
        };
        const cell = (text: string, className = "number"): HTMLElement => element("td", className ? { class: className } : {}, text);
        const way = change === null || Math.abs(change) < NEAR ? "" : change > 0 ? "slower" : "faster";
        return element("tr", {},
            element("td", {}, link(this.api.address("/history", query.filter(([, word]) => word)), pair.model || "(no name)")),
            cell(change === null ? "–" : `${sign(change)} ${signed(change)}`, `number ${way}`.trim()), cell(value(now)), cell(value(before)),
            cell(outcome(pair), now?.failed ? "bad" : ""), cell(pair.device || "–", ""), cell(now ? count(now.launches) : "–"), cell(before?.build ?? "–", ""));
    }
}

/** What became of it, and of the one before where that is another thing. */
function outcome({ now, before }: Pair): string {
    const word = (result: Result): string => (result.failed ? `${count(result.failed)} failed` : "passed");
    if (!now) return "not measured";
    if (!before) return `${word(now)}, new`;
    return Boolean(now.failed) === Boolean(before.failed) ? word(now) : `${word(now)}, before: ${word(before)}`;
}

function drawSums(sums: Sums, session: Session): HTMLElement {
    const beside = (now: number, before: number): string => (now === before ? "as before" : `${now > before ? "+" : "−"}${count(Math.abs(now - before))}`);
    const tiles: [title: string, value: string, small: string][] = [
        ["Results", count(sums.results), beside(sums.results, sums.resultsBefore)],
        ["Failed", count(sums.failed), beside(sums.failed, sums.failedBefore)],
        ["Launches", count(session.launches), "of all results"],
        ["Mean change", sums.mean === null ? "–" : signed(sums.mean), `of ${count(sums.compared)} compared`],
        ["Became more", count(sums.more), ""], ["Became less", count(sums.less), ""]];
    return element("dl", { class: "tiles" }, ...tiles.map(([title, value, small]) =>
        element("div", { class: "tile" }, element("dt", {}, title), element("dd", {}, value, ...(small ? [element("small", {}, small)] : [])))));
}

/** How many results changed by how much. */
function drawBins(bins: Bin[]): HTMLElement {
    const WIDE = 52, HIGH = 120, TOP = 18, most = Math.max(1, ...bins.map((bin) => bin.count));
    const width = WIDE * bins.length, bottom = TOP + HIGH;
    const name = ({ from, to }: Bin): string => (from === null ? `to ${to}` : to === null ? `over ${from}` : `to ${to}`);
    const parts = bins.flatMap((bin, at) => {
        const height = bin.count ? Math.max(2, HIGH * bin.count / most) : 0, x = at * WIDE;
        return [
            draw("rect", { class: bin.to === 0 || bin.from === 0 ? "near" : (bin.to ?? 1) < 0 ? "faster" : "slower", x: x + 3, width: WIDE - 6, y: bottom - height, height }),
            ...(bin.count ? [draw("text", { x: x + WIDE / 2, y: bottom - height - 4, "text-anchor": "middle" }, count(bin.count))] : []),
            draw("text", { x: x + WIDE / 2, y: bottom + 16, "text-anchor": "middle" }, name(bin)),
        ];
    });
    const told = bins.filter((bin) => bin.count).map((bin) => `${count(bin.count)} ${bin.from === null ? "" : `over ${bin.from} % `}${bin.to === null ? "" : `up to ${bin.to} %`}`.trim());
    return element("figure", { class: "trend bins" },
        draw("svg", { viewBox: `0 0 ${width} ${bottom + 22}`, role: "img", "aria-label": `Changes: ${told.join(", ") || "none"}` }, ...parts, draw("line", { class: "grid", x1: 0, x2: width, y1: bottom, y2: bottom })),
        element("figcaption", {}, "results by their change, in percent"));
}
