// The history of builds: models and devices, the trend of one, its changes, and two builds compared.

import type { Api, TableData } from "./api";
import { TrendChart } from "./chart";
import { button, element } from "../page/dom";
import { count, time } from "../page/numbers";
import { profilesOf } from "./kept";
import { failure, field, hear, link, mood, options } from "./parts";
import { plainTable } from "./plain";
import { resultsOf, sessionsOf, type Session } from "./session";
import { date, percent } from "./show";
import { buildsOf, changesOf, recent, unitOf, type Build } from "./trend";
import { complete, pickBuild, queryOf, questionOf, seriesOf, wantedOf, type Series, type Wanted } from "./wanted";

const POLL_MS = 5000;
const METRICS: [value: string, title: string][] = [
    ["", "time of a run"], ["device", "time of devices"], ["host", "time of the host"], ["idle", "idle time"], ["operators", "number of operators"],
    ["bytes", "bytes moved"], ["flops", "operations"], ["cycles", "estimated cycles"]];
const DAYS: [value: string, title: string][] = [["", "all builds"], ...["7", "30", "90", "180", "365"].map((days): [string, string] => [days, `last ${days} days`])];
const LATEST = 10;

export class HistoryPage {
    readonly element = element("div", { class: "one history" });
    private readonly told = element("p", { class: "quiet" });
    private readonly problem = element("div");
    private readonly models = element("section");
    private readonly sessions = element("section");
    private readonly model = element("select");
    private readonly device = element("select");
    private readonly metric = element("select");
    private readonly days = element("select");
    private readonly operator = element("input", { type: "search", list: "operators", placeholder: "all of the run", autocomplete: "off", spellcheck: "false" });
    private readonly operators = element("datalist", { id: "operators" });
    private readonly label = element("input", { type: "search", list: "labels", placeholder: "KEY=VALUE", autocomplete: "off", spellcheck: "false" });
    private readonly labels = element("datalist", { id: "labels" });
    private readonly given = element("span", { class: "given" });
    private readonly sentence = element("p", { class: "sentence", role: "status" });
    private readonly chart = new TrendChart((build) => this.choose(...pickBuild([this.wanted.from, this.wanted.to], build, this.builds.map((one) => one.build))));
    private readonly below = element("div");
    private readonly from = element("select");
    private readonly to = element("select");
    private readonly comparison = element("div");
    private readonly result = element("section", { class: "result" });
    private wanted: Wanted;
    private series: Series[] = [];
    private known = 0; // builds, over all series
    private builds: Build[] = [];
    private seen = ""; // tag of the builds that are shown; empty: none are
    private asked = 0;
    private compared = "";

    constructor(private readonly api: Api) {
        document.title = "History – Tacho";
        this.wanted = wantedOf(location.search);
        this.result.append(this.sentence, this.chart.element, this.below,
            element("section", { class: "compare" }, element("h2", {}, "Compare two builds"),
                element("div", { class: "controls fields" }, field("Before", this.from), field("After", this.to)), this.comparison));
        this.result.hidden = true;
        this.element.append(
            element("nav", { class: "back" }, link(api.address("/"), "← All profiles")), element("header", {}, element("h1", {}, "History"), this.told),
            this.problem, this.models, this.sessions, element("form", { class: "controls fields" }, field("Model", this.model), field("Device", this.device), field("Metric", this.metric),
                field("Operator", this.operator), field("Label", this.label), field("Drawn", this.days), this.given, this.operators, this.labels), this.result);
        this.listen();
        window.addEventListener("popstate", () => {
            this.wanted = complete(wantedOf(location.search), this.series);
            void this.load();
        });
        void this.poll();
    }

    private listen(): void {
        hear(this.model, (model) => this.change({ model, device: "", operator: "", from: "", to: "" }));
        hear(this.device, (device) => this.change({ device, from: "", to: "" }));
        hear(this.metric, (metric) => this.change({ metric }));
        hear(this.days, (days) => this.change({ days }));
        hear(this.operator, (operator) => operator !== this.wanted.operator && this.change({ operator }));
        hear(this.label, (label) => this.addLabel(label));
        for (const side of [this.from, this.to]) hear(side, () => this.choose(this.from.value, this.to.value));
        this.element.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
    }

    private addLabel(label: string): void {
        this.label.value = "";
        if (label && !this.wanted.labels.includes(label)) this.change({ labels: [...this.wanted.labels, label] });
    }

    private change(changed: Partial<Wanted>): void {
        this.wanted = complete({ ...this.wanted, ...changed }, this.series);
        history.pushState(null, "", this.api.address("/history", queryOf(this.wanted)));
        void this.load();
    }

    /** Builds that are added meanwhile appear by themselves, as long as somebody looks. */
    private async poll(): Promise<void> {
        if (!document.hidden || !this.seen) {
            try {
                const found = await this.api.newBuilds(this.seen);
                const [builds, labels] = found?.tables ?? [];
                this.problem.replaceChildren();
                if (found && builds && labels) {
                    this.seen = found.tag;
                    this.series = seriesOf(builds);
                    this.drawSessions(sessionsOf(resultsOf(builds)));
                    this.wanted = complete(this.wanted, this.series);
                    this.labels.replaceChildren(...labels.rows.map((row) => element("option", { value: String(row["label"] ?? "") })));
                    await this.load();
                }
            } catch (error) {
                this.problem.replaceChildren(failure(error));
                this.seen = ""; // what was asked meanwhile has failed, too: once it answers, all is asked again
            }
        }
        setTimeout(() => void this.poll(), POLL_MS);
    }

    // ---- what there is to choose from ----

    private drawModels(): void {
        const { model, device } = this.wanted;
        this.told.textContent = `${many(new Set(this.series.map((one) => one.model)).size, "model")}, ${many(new Set(this.series.map((one) => one.device)).size, "device")}, ${many(this.known, "build")}`;
        const rows = this.series.map((one) => {
            const current = one.model === model && one.device === device;
            const address = this.api.address("/history", queryOf({ ...this.wanted, model: one.model, device: one.device, operator: "", from: "", to: "" }));
            return element("tr", current ? { class: "current" } : {},
                element("td", {}, element("a", { href: address, ...(current ? { "aria-current": "true" } : {}) }, one.model || "(no name)")), element("td", {}, one.device || "–"),
                element("td", { class: "number" }, count(one.builds)), element("td", {}, one.last), element("td", {}, date(one.added)),
                element("td", { class: "number" }, one.median === null ? "–" : time(one.median)));
        });
        const heads = ["Model", "Device", "Builds", "Last build", "Added", "Run"].map((title, at) => element("th", { scope: "col", ...(at === 2 || at === 5 ? { class: "number" } : {}) }, title));
        this.models.replaceChildren(element("div", { class: "table some", tabindex: "0", role: "region", "aria-label": "Models and devices" },
            element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))));
        if (!rows.length) this.models.replaceChildren(mood("note", "Nothing was added to this history yet: tacho history add does it."));
    }

    /** The newest builds over all models and devices: each has a page. */
    private drawSessions(sessions: Session[]): void {
        this.known = sessions.length;
        const rows = sessions.slice(-LATEST).reverse().map((one) => element("tr", {},
            element("td", {}, link(this.api.address("/history/build", [["build", one.build]]), one.build || "(no name)")), element("td", {}, one.commit || "–"), element("td", {}, date(one.added)),
            element("td", { class: "number" }, count(one.results)), element("td", { class: "number" }, count(one.launches)),
            element("td", { class: "number" }, count(one.failed)), element("td", { class: "number" }, percent(100 * (one.results - one.failed) / one.results))));
        const heads = ["Build", "Commit", "Added", "Results", "Launches", "Failed", "Passed"].map((title, at) => element("th", { scope: "col", ...(at > 2 ? { class: "number" } : {}) }, title));
        this.sessions.replaceChildren(...(rows.length ? [element("h2", {}, sessions.length > LATEST ? `The latest of ${count(sessions.length)} builds` : "Builds"),
            element("div", { class: "table some", tabindex: "0", role: "region", "aria-label": "Latest builds" },
                element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))),
            element("h2", {}, "Trend")] : []));
    }

    private drawControls(): void {
        const { model, device, metric, operator, labels, days } = this.wanted;
        const devices = this.series.filter((one) => one.model === model).map((one) => one.device);
        options(this.model, [...new Set(this.series.map((one) => one.model))].map((name) => [name, name]), model);
        options(this.device, devices.map((name) => [name, name || "not known"]), device);
        options(this.metric, METRICS.some(([value]) => value === metric || metric === "run") ? METRICS : [...METRICS, [metric, metric]], metric === "run" ? "" : metric);
        options(this.days, DAYS, days);
        this.operator.value = operator;
        this.given.replaceChildren(...labels.map((label) => button(`${label} ×`, `Without ${label}`, () => this.change({ labels: labels.filter((one) => one !== label) }))));
    }

    // ---- the trend ----

    private async load(): Promise<void> {
        const asked = ++this.asked;
        this.drawModels();
        this.drawControls();
        this.result.hidden = !this.series.length;
        if (!this.series.length) return;
        this.result.setAttribute("aria-busy", "true");
        try {
            const [changes, builds] = await this.api.history("trend", questionOf(this.wanted, "trend"));
            if (asked !== this.asked) return; // something else was asked for since
            if (changes && builds) this.drawTrend(changes, builds);
        } catch (error) {
            if (asked !== this.asked) return;
            this.builds = [];
            this.sentence.replaceChildren();
            this.chart.show([], [], "time", "");
            this.below.replaceChildren(failure(error));
        }
        this.result.removeAttribute("aria-busy");
        this.drawChoice();
        void this.offerOperators(asked);
        await this.compare();
    }

    private drawTrend(changes: TableData, builds: TableData): void {
        this.builds = buildsOf(builds);
        this.sentence.textContent = builds.notes[0] ?? "";
        document.title = `${this.wanted.model} – History – Tacho`;
        const drawn = recent(this.builds, this.wanted.days, Date.now());
        this.chart.show(drawn, changesOf(changes, drawn), unitOf(builds), `${this.wanted.model}, ${this.wanted.operator || "run"}`);
        const all = element("details", {}, element("summary", {}, element("h2", {}, `All ${count(this.builds.length)} builds`)));
        all.addEventListener("toggle", () => all.append(plainTable({ ...builds, notes: [] })), { once: true });
        this.below.replaceChildren(
            ...(drawn.length ? [] : [mood("note", "No build was added in this time.")]),
            element("h2", {}, "Changes"),
            changes.rows.length ? plainTable(changes) : element("p", {}, "No change was found."),
            ...(changes.rows.length ? [] : [element("ul", { class: "notes" }, ...changes.notes.map((note) => element("li", {}, note)))]), all);
    }

    /** Operators of the last build, for who wants to see one alone. */
    private async offerOperators(asked: number): Promise<void> {
        const last = this.series.find((one) => one.model === this.wanted.model && one.device === this.wanted.device);
        if (!last) return;
        try {
            const tables = await this.api.history("build", [["build", last.last], ["model", last.model], ["device", last.device]]);
            const found = tables.find((table) => table.name === "operators");
            if (asked === this.asked && found) this.operators.replaceChildren(...found.rows.map((row) => element("option", { value: String(row["operator"] ?? "") })));
        } catch {
            this.operators.replaceChildren(); // it can be written by hand
        }
    }

    // ---- two builds ----

    private drawChoice(): void {
        const names = this.builds.map((one): [string, string] => [one.build, one.build]);
        for (const [field, chosen] of [[this.from, this.wanted.from], [this.to, this.wanted.to]] as const) options(field, [["", "choose a build"], ...names], chosen);
        this.chart.pick([this.wanted.from, this.wanted.to]);
    }

    private choose(from: string, to: string): void {
        this.wanted = { ...this.wanted, from, to };
        history.replaceState(null, "", this.api.address("/history", queryOf(this.wanted)));
        this.drawChoice();
        void this.compare();
    }

    /** Asked for once somebody wants to see them. */
    private drawProfiles(): HTMLElement {
        const made = element("details", {}, element("summary", {}, element("h3", {}, "Profiles of both builds")));
        made.addEventListener("toggle", () => void profilesOf(this.api, this.wanted).catch(failure).then((shown) => made.append(shown)), { once: true });
        return made;
    }

    private async compare(): Promise<void> {
        const { from, to } = this.wanted;
        const question = questionOf(this.wanted, "compare");
        const text = JSON.stringify([question, this.seen]);
        if (text === this.compared) return;
        this.compared = text;
        if (!from || !to) {
            this.comparison.replaceChildren(element("p", { class: "quiet" }, from || to ? "One more build is to be chosen." : "Choose two builds here, or click them in the drawing."));
            return;
        }
        this.comparison.setAttribute("aria-busy", "true");
        let shown: Node[];
        try {
            shown = [...drawComparison(await this.api.history("compare", question)), this.drawProfiles()];
        } catch (error) {
            shown = [failure(error)];
        }
        if (text !== this.compared) return;
        this.comparison.removeAttribute("aria-busy");
        this.comparison.replaceChildren(...shown);
    }
}

/** What `tacho history compare` says: the sentence, which is a note of the first table, and the tables that have rows. */
function drawComparison(tables: TableData[]): Node[] {
    const [sentence, ...notes] = tables[0]?.notes ?? [];
    const first = tables[0] ? [{ ...tables[0], notes }] : [];
    return [element("p", { class: "sentence" }, sentence ?? ""),
        element("div", { class: "sides" }, ...[...first, ...tables.slice(1)].filter((table) => table.rows.length).map((table) =>
            element("section", {}, element("h3", {}, table.title), plainTable(table))))];
}

function many(number: number, what: string): string {
    return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}
