// Colours of the page from its style sheet, so that light and dark have one source; and those of labels.

import { luminance, mix, pixel } from "./paint";
import { CLASS, type Label } from "./model";

const FREE = 10; // colours for what has no class of its own
const FAINTEST = 0.16; // what is nearly idle still shows
const LEVELS = 256;
const CLASSES = 6;
const TINT = 0.42;

export class Colours {
    ground = "";
    text = "";
    quiet = "";
    line = "";
    accent = "";
    hit = "";
    point = "";
    private palette: string[] = [];
    private fills = new Uint32Array();
    private grey = new Uint32Array();
    private bars = new Uint32Array();
    private dark: boolean[] = [];
    private index: Uint8Array;
    private readonly listeners: (() => void)[] = [];

    constructor(labels: Label[]) {
        this.index = Uint8Array.from(labels, colourOf);
        this.read();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.read();
            for (const listener of this.listeners) listener();
        });
    }

    /** There are more labels than there were. */
    grow(labels: Label[]): void {
        this.index = Uint8Array.from(labels, colourOf);
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    private read(): void {
        const style = getComputedStyle(document.documentElement);
        const value = (name: string): string => style.getPropertyValue(name).trim();
        this.ground = value("--ground");
        this.text = value("--text");
        this.quiet = value("--quiet");
        this.line = value("--line");
        this.accent = value("--bar");
        this.hit = value("--hit");
        this.point = value("--point");
        this.palette = Array.from({ length: FREE }, (_, at) => value(`--free-${at}`));
        for (const name of ["transfer", "host", "bookkeeping", "envelope", "wait", "lost"]) this.palette.push(value(`--class-${name}`));
        const shades = (colour: string): number[] =>
            Array.from({ length: LEVELS }, (_, level) => pixel(mix(this.ground, colour, FAINTEST + (1 - FAINTEST) * level / (LEVELS - 1))));
        // What only encloses is told apart by a tint.
        const [host, envelope] = [this.palette[FREE + 1]!, this.palette[FREE + 3]!];
        for (const ground of [host, envelope]) for (let at = 0; at < FREE; at++) this.palette.push(mix(ground, this.palette[at]!, TINT));
        this.fills = Uint32Array.from(this.palette.flatMap(shades));
        this.grey = Uint32Array.from(shades(mix(this.ground, this.quiet, 0.45)));
        this.bars = Uint32Array.from(shades(this.accent));
        this.dark = this.palette.map((colour) => luminance(colour) < 0.36);
    }

    label(label: number): string {
        return this.palette[this.index[label] ?? 0] ?? this.text;
    }

    /** The pixel of a column that slices cover to a share. */
    fill(label: number, share: number): number {
        return this.fills[this.index[label]! * LEVELS + Math.round(share * (LEVELS - 1))]!;
    }

    /** As `fill`, of what is not meant. */
    faded(share: number): number {
        return this.grey[Math.round(share * (LEVELS - 1))]!;
    }

    /** As `fill`, of what has no label. */
    strong(share: number): number {
        return this.bars[Math.round(share * (LEVELS - 1))]!;
    }

    /** For text on a slice of that label. */
    on(label: number): string {
        return this.dark[this.index[label] ?? 0] ? "#ffffff" : "#10161f";
    }
}

/** One operator has one colour, wherever it runs; what only moves, waits or encloses has that of its class. */
function colourOf(label: Label): number {
    switch (label.class) {
    case CLASS.transfer: return FREE;
    case CLASS.host: return label.operator ? hash(label.operator) : FREE + CLASSES + hash(label.name);
    case CLASS.bookkeeping: return FREE + 2;
    case CLASS.envelope: return 2 * FREE + CLASSES + hash(label.name);
    case CLASS.drawn: return FREE + 3;
    case CLASS.wait: return FREE + 4;
    case CLASS.lost: return FREE + 5;
    default: return hash(label.operator || label.name);
    }
}

function hash(text: string): number {
    let value = 2166136261;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
    return (value >>> 8) % FREE;
}
