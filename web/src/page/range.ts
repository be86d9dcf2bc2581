// A range of time that was selected: exact sums, and the command that cuts it out.

import { button, element } from "./dom";
import { count, percent, time } from "./numbers";
import { breathe } from "./scan";
import { exact, pairs, path } from "./slice";
import { sumRange, type Sums } from "./sums";
import { Table } from "./table";
import type { Timeline } from "./timeline";

interface Line {
    name: string;
    label?: number;
    track?: string;
    operator?: string;
    count: number;
    total: number;
    self: number;
}

export class RangePanel {
    readonly element = element("div", { "aria-live": "polite" });
    private running = 0;

    constructor(private readonly timeline: Timeline, private readonly open: () => unknown, private readonly findLabel: (label: number) => void) {
        timeline.onRange(() => void this.show());
        void this.show();
    }

    private async show(): Promise<void> {
        const { range } = this.timeline.marks;
        const mine = ++this.running;
        if (!range) {
            this.element.replaceChildren(element("p", { class: "quiet" }, "Shift and drag over the timeline to select a range."),
                                         button("What is shown", "", () => this.timeline.setRange([this.timeline.view.from, this.timeline.view.to])));
            return;
        }
        this.open();
        const { head } = this.timeline.source;
        const told = element("p", { class: "quiet", role: "status" }, "Adding up…");
        const command = `tacho convert INPUT --begin ${Math.max(0, range[0] - head.begin)} --end ${Math.max(0, range[1] - head.begin)} -o part.html`;
        this.element.replaceChildren(
            element("h2", {}, `Range of ${time(range[1] - range[0])}`),
            pairs([["From", exact(range[0] - head.begin)], ["To", exact(range[1] - head.begin)], ["Length", exact(range[1] - range[0])]]),
            element("p", { class: "command" }, "Cut it out: ", element("code", {}, command), button("Copy", "", () => void navigator.clipboard?.writeText(command)),
                    button("Zoom to it", "F", () => this.timeline.view.show(...range)), button("Forget it", "Escape", () => this.timeline.setRange(null))),
            told);
        const sums = await sumRange(this.timeline.source, range, (share) => (told.textContent = `Adding up… ${Math.round(share * 100)} %`), () => this.running !== mine);
        if (!sums) return;
        told.textContent = sums.lost > 0 ? `Without ${count(sums.lost)} slices of blocks that cannot be read.` : "";
        const side = element("div", { class: "side" });
        this.element.append(side);
        for (const make of this.tables(sums, range[1] - range[0])) {
            await breathe();
            if (this.running !== mine) return;
            side.append(make());
        }
        this.element.dataset.done = String(range);
    }

    /** What makes each table: with many names they take their time. */
    private tables(sums: Sums, length: number): (() => HTMLElement)[] {
        const { source } = this.timeline;
        const names: Line[] = [];
        const operators = new Map<string, Line>();
        const engines = new Map<string, Line>();
        source.labels.forEach((label, number) => {
            if (sums.counts[number] === 0) return;
            const line = { name: label.name, operator: label.operator, label: number, count: sums.counts[number]!, total: sums.totals[number]!, self: sums.selfs[number]! };
            names.push(line);
            for (const [sums, name] of [[operators, label.operator], [engines, label.engine]] as const) {
                const sum = sums.get(name) ?? { name: name || "(none)", count: 0, total: 0, self: 0 };
                sum.count += line.count;
                sum.self += line.self;
                sums.set(name, sum);
            }
        });
        const tracks: Line[] = [];
        source.head.tracks.forEach((_, number) => {
            if (sums.trackCounts[number]! > 0) tracks.push({ name: path(source, number), count: sums.trackCounts[number]!, total: sums.trackBusy[number]!, self: 0 });
        });
        const counted = { title: "Slices", number: true, value: (line: Line) => line.count, show: (line: Line) => count(line.count) };
        const timed = (title: string, value: (line: Line) => number) => ({ title, number: true, value, show: (line: Line) => exactCell(value(line)) });
        const share = (value: (line: Line) => number) => ({ title: "Of the range", number: true, value, show: (line: Line) => percent(length > 0 ? value(line) / length : 0) });
        const text = (line: Line): string => `${line.name}\n${line.operator ?? ""}`;
        const link = (line: Line): Node => {
            const made = element("button", { type: "button", class: "plain" }, line.name || "(no name)");
            made.addEventListener("click", () => this.findLabel(line.label!));
            return made;
        };
        const make = (title: string, key: string, lines: Line[], columns: ConstructorParameters<typeof Table<Line>>[1], by: number) => (): HTMLElement => {
            const table = new Table<Line>(title, columns, by, text);
            table.set(lines);
            return element("section", { "data-sums": key }, element("h3", {}, title), table.element);
        };
        return [
            make("By track (outermost slices)", "tracks", tracks, [{ title: "Track", value: (line) => line.name }, counted, timed("Busy", (line) => line.total), share((line) => line.total)], 2),
            make("By engine (own time)", "engines", [...engines.values()], [{ title: "Engine", value: (line) => line.name }, counted, timed("Self", (line) => line.self), share((line) => line.self)], 2),
            make("By operator (own time)", "operators", [...operators.values()], [{ title: "Operator", value: (line) => line.name }, counted, timed("Self", (line) => line.self), share((line) => line.self)], 2),
            make("By name", "names", names, [{ title: "Name", value: (line) => line.name, show: link }, { title: "Operator", value: (line) => line.operator ?? "" }, counted,
                                             timed("Self", (line) => line.self), timed("Total", (line) => line.total)], 3),
        ];
    }
}

function exactCell(nanoseconds: number): Node {
    return element("span", { title: `${count(nanoseconds)} ns`, "data-ns": String(nanoseconds) }, time(nanoseconds));
}
