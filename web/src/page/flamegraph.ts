// The flame view: stacks of the range, or of what is shown, each as wide as its time. What it lies in stands above it.

import { button, choice, element } from "./dom";
import { FONT } from "./draw";
import { addUp, type Flame, type Node } from "./flame";
import { count, percent, time } from "./numbers";
import { clearCanvas } from "./paint";
import { exact, path } from "./slice";
import type { Timeline } from "./timeline";

const ROW = 19;
const WAIT = 500; // milliseconds that the view stays before it is added up
const THIN = 1; // pixels of a stack that is drawn for itself

interface Box {
    node: Node;
    x: number;
    width: number;
}

export class FlamePanel {
    readonly element = element("div", { class: "flame" });
    private readonly canvas = element("canvas", {
        tabindex: "0", role: "application", "aria-roledescription": "flame view", "aria-label": "Stacks, the longest first: arrows move, Enter comes closer, Backspace goes back",
    });
    private readonly told = element("p", { class: "quiet", role: "status" });
    private readonly line = element("p", { class: "chosen-stack", "aria-live": "polite" });
    private readonly slices = button("Find its slices", "All slices of this name", () => this.cursor && this.findLabel(this.cursor.label));
    private readonly out = button("Whole", "Back to all stacks (Escape)", () => this.focusOn(this.flame?.root ?? null));
    private readonly input = element("input", { type: "search", placeholder: "Highlight", "aria-label": "Highlight names" });
    private readonly context = this.canvas.getContext("2d", { alpha: false })!;
    private flame: Flame | null = null;
    private focus: Node | null = null;
    private cursor: Node | null = null;
    /** By row. */
    private boxes: Box[][] = [];
    private byTrack = false;
    private running = 0;
    private timer = 0;
    private done = "";

    constructor(private readonly timeline: Timeline, private readonly findLabel: (label: number) => void) {
        const merged = choice("Tracks", ["All tracks together", "By track"], 0, (index) => {
            this.byTrack = index === 1;
            void this.update();
        });
        this.element.append(element("div", { class: "tools" }, merged, this.input, this.out, this.slices, this.told),
                            element("div", { class: "flames", tabindex: "-1" }, this.canvas), this.line);
        timeline.onRange(() => void this.update());
        timeline.view.onChange(() => {
            if (timeline.marks.range) return;
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => void this.update(), WAIT);
        });
        timeline.colours.onChange(() => this.draw());
        new ResizeObserver(() => this.draw()).observe(this.element);
        this.input.addEventListener("input", () => this.draw());
        this.listen();
    }

    private get shown(): boolean {
        return this.element.isConnected && !this.element.closest("[hidden]");
    }

    /** Adds up again where something has changed and it is in sight. */
    async update(): Promise<void> {
        const { marks, view, source } = this.timeline;
        if (!this.shown) return;
        const range: [number, number] = marks.range ?? [Math.round(Math.max(view.from, source.head.begin)), Math.round(Math.min(view.to, source.head.end))];
        const key = `${range.join(",")} ${this.byTrack}`;
        if (key === this.done) return;
        this.done = key;
        const mine = ++this.running;
        const words = marks.range ? "the range" : "what is shown";
        const flame = await addUp(source, range, this.byTrack ? (track) => path(source, track) : null,
                                  (share) => (this.told.textContent = `Adding up ${words}: ${Math.round(share * 100)} %`), () => this.running !== mine);
        if (!flame) return;
        const again = this.focus && same(flame.root, this.focus, (node) => this.name(node));
        this.flame = flame;
        this.focus = this.cursor = again ?? flame.root;
        const more = flame.full ? "; there are more, which are (others) of what they lie in" : "";
        const lost = flame.lost > 0 ? `; without ${count(flame.lost)} slices that cannot be read` : "";
        this.told.textContent = `${count(flame.stacks)} stacks of ${words}, ${time(range[1] - range[0])}${more}${lost}`;
        this.element.dataset.done = range.join(",");
        this.draw();
    }

    private name(node: Node): string {
        return node.label < 0 ? node.name : this.timeline.source.labels[node.label]!.name || "(no name)";
    }

    private matches(): ((node: Node) => boolean) | null {
        const wanted = this.input.value.trim().toLowerCase();
        return wanted ? (node) => this.name(node).toLowerCase().includes(wanted) : null;
    }

    private draw(): void {
        const { context, canvas, focus } = this;
        if (!focus || !this.shown) return;
        this.arrange(focus);
        const { colours } = this.timeline;
        clearCanvas(canvas, context, this.element.clientWidth, this.boxes.length * ROW + 2, colours.ground);
        context.font = FONT;
        const matches = this.matches();
        this.boxes.forEach((row, at) => row.forEach((box) => this.drawBox(box, at * ROW, matches)));
        this.tell(matches);
    }

    private drawBox({ node, x, width }: Box, y: number, matches: ((node: Node) => boolean) | null): void {
        const { context } = this;
        const { colours } = this.timeline;
        const faded = matches && !matches(node);
        context.fillStyle = faded || node.label < 0 ? colours.line : colours.label(node.label);
        context.globalAlpha = node.depth < this.focus!.depth ? 0.6 : 1;
        context.fillRect(x, y, Math.max(width - (width > 3 ? 1 : 0), 0.5), ROW - 1);
        context.globalAlpha = 1;
        if (node === this.cursor) {
            context.strokeStyle = colours.text;
            context.lineWidth = 2;
            context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), ROW - 3);
        }
        if (width < 30) return;
        const text = `${this.name(node)} · ${time(node.total)}`;
        const letters = Math.floor((width - 8) / (context.measureText(text).width / text.length));
        if (letters < 3) return;
        context.fillStyle = faded || node.label < 0 ? colours.text : colours.on(node.label);
        context.fillText(text.length <= letters ? text : `${text.slice(0, letters - 1)}…`, x + 4, y + ROW / 2);
    }

    /** What lies above has the whole width; of what is too thin to be drawn for itself, all is one box. */
    private arrange(focus: Node): void {
        const width = this.element.clientWidth;
        this.boxes = [];
        for (let node: Node | null = focus.parent; node; node = node.parent) this.boxes.unshift([{ node, x: 0, width }]);
        let row: Box[] = [{ node: focus, x: 0, width }];
        while (row.length > 0) {
            this.boxes.push(row);
            row = row.flatMap((box) => {
                const made: Box[] = [];
                let { x } = box;
                const scale = box.width / Math.max(1, box.node.total);
                for (const node of box.node.children) {
                    const wide = node.total * scale;
                    if (wide < THIN) {
                        // The others are not longer.
                        made.push({ node, x, width: Math.max(THIN, box.x + (box.node.total - box.node.self) * scale - x) });
                        break;
                    }
                    made.push({ node, x, width: wide });
                    x += wide;
                }
                return made;
            });
        }
    }

    private tell(matches: ((node: Node) => boolean) | null): void {
        const { cursor, flame } = this;
        if (!cursor || !flame) return;
        const of = (node: Node, word: string): string => (node.total > 0 ? `${percent(cursor.total / node.total)} of ${word}` : "");
        const words = [`${this.name(cursor)}: ${exact(cursor.total)}`, of(flame.root, "all"), cursor.parent && cursor.parent !== flame.root ? of(cursor.parent, this.name(cursor.parent)) : "",
                       `itself ${time(cursor.self)}`, `${count(cursor.count)} ${cursor.count === 1 ? "slice" : "slices"}`];
        if (matches) {
            const found = matched(flame.root, matches);
            words.push(`highlighted: ${time(found)}, ${percent(flame.root.total > 0 ? found / flame.root.total : 0)} of all`);
        }
        this.line.textContent = words.filter(Boolean).join(" · ");
        this.canvas.setAttribute("aria-description", this.line.textContent);
        this.canvas.dataset.total = String(cursor.total);
        this.slices.disabled = cursor.label < 0;
        this.out.disabled = this.focus === flame.root;
    }

    private focusOn(node: Node | null): void {
        if (!node) return;
        this.focus = this.cursor = node;
        this.draw();
    }

    private at(event: MouseEvent): Node | null {
        const box = this.canvas.getBoundingClientRect();
        const row = this.boxes[Math.floor((event.clientY - box.top) / ROW)] ?? [];
        const x = event.clientX - box.left;
        return row.find((one) => x >= one.x && x < one.x + one.width)?.node ?? null;
    }

    private listen(): void {
        const { canvas } = this;
        canvas.addEventListener("pointermove", (event) => {
            const node = this.at(event);
            if (!node || node === this.cursor) return;
            this.cursor = node;
            this.draw();
        });
        canvas.addEventListener("click", (event) => this.focusOn(this.at(event)));
        canvas.addEventListener("keydown", (event) => {
            const next = this.next(event.key);
            if (next === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            if (!next) return;
            this.cursor = next;
            // What the cursor is in has to be drawn.
            if (event.key === "Enter" || !inBoxes(this.boxes, next)) this.focus = next;
            this.draw();
            const row = this.boxes.findIndex((boxes) => boxes.some((box) => box.node === next));
            const holder = canvas.parentElement!;
            if (row * ROW < holder.scrollTop || (row + 1) * ROW > holder.scrollTop + holder.clientHeight) holder.scrollTop = row * ROW - holder.clientHeight / 2;
        });
    }

    /** Where a key leads to; null: nowhere; undefined: it is none of ours. */
    private next(key: string): Node | null | undefined {
        const { cursor, flame } = this;
        if (!cursor || !flame) return undefined;
        const siblings = cursor.parent?.children ?? [cursor];
        const at = siblings.indexOf(cursor);
        switch (key) {
        case "ArrowDown": return cursor.children[0] ?? null;
        case "ArrowUp": return cursor.parent;
        case "ArrowLeft": return siblings[at - 1] ?? null;
        case "ArrowRight": return siblings[at + 1] ?? null;
        case "Enter": return cursor;
        case "Backspace":
            this.focus = this.focus?.parent ?? flame.root;
            return this.focus;
        case "Escape":
            this.focus = flame.root;
            return flame.root;
        default: return undefined;
        }
    }
}

function inBoxes(boxes: Box[][], node: Node): boolean {
    return boxes.some((row) => row.some((box) => box.node === node));
}

/** The same stack in another tree, if it is there. */
function same(root: Node, wanted: Node, name: (node: Node) => string): Node | null {
    if (!wanted.parent) return root;
    const parent = same(root, wanted.parent, name);
    return parent?.children.find((child) => child.label === wanted.label && name(child) === name(wanted)) ?? null;
}

/** The time of all that match; what lies in one that does is not counted again. */
export function matched(node: Node, matches: (node: Node) => boolean): number {
    let sum = 0;
    const open = [node];
    for (let next = open.pop(); next; next = open.pop()) {
        if (matches(next)) sum += next.total;
        else for (const child of next.children) open.push(child);
    }
    return sum;
}
