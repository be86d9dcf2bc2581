// Colours of kinds and of the page, from the style sheet, so that light and dark have one source.

import { KIND, type Page } from "./model";
import { luminance, mix, pixel } from "./paint";

const ZONE_COLOURS = 6;
/** How dense a merged block is drawn. */
const SHADES = 4;

export class Colours {
    ground = "";
    text = "";
    quiet = "";
    line = "";
    stripe = "";
    accent = "";
    pixels = { ground: 0, stripe: 0, grid: 0, flash: 0 };
    onDark = "";
    onLight = "";
    private kinds: string[] = [];
    private stops: string[] = [];
    private fills = new Uint32Array();
    private dim = new Uint32Array();
    private dark: boolean[] = [];
    /** Index of the colour of each label. */
    private readonly classes: Uint8Array;
    private readonly listeners: (() => void)[] = [];

    constructor(page: Page) {
        let zones = 0;
        this.classes = Uint8Array.from(page.labels, (label) =>
            label.kind === KIND.zone ? KIND.event + 1 + zones++ % ZONE_COLOURS : label.kind);
        this.read();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.read();
            for (const listener of this.listeners) listener();
        });
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
        this.stripe = value("--stripe");
        this.accent = value("--bar");
        this.onDark = "#ffffff";
        this.onLight = "#10161f";
        this.stops = [0, 1, 2, 3].map((stop) => value(`--heat-${stop}`));
        this.kinds = [];
        for (let kind = 0; kind <= KIND.event; kind++) this.kinds.push(value(`--kind-${kind}`));
        for (let zone = 0; zone < ZONE_COLOURS; zone++) this.kinds.push(value(`--zone-${zone}`));
        this.fills = Uint32Array.from(this.kinds.flatMap((colour) =>
            Array.from({ length: SHADES }, (_, shade) => pixel(mix(this.ground, colour, 0.4 + 0.6 * shade / (SHADES - 1))))));
        this.dim = Uint32Array.from(this.kinds, (colour) => pixel(mix(this.ground, colour, 0.16)));
        this.pixels = {
            ground: pixel(this.ground), stripe: pixel(this.stripe), grid: pixel(mix(this.ground, this.line, 0.6)),
            flash: pixel(mix(this.ground, this.accent, 0.25)),
        };
        this.dark = this.kinds.map((colour) => luminance(colour) < 0.36);
    }

    kind(kind: number): string {
        return kind === KIND.zone ? this.kinds[KIND.event + 1] : this.kinds[kind];
    }

    /** All colours that slices of a kind may have. */
    ofKind(kind: number): string[] {
        return kind === KIND.zone ? this.kinds.slice(KIND.event + 1) : [this.kinds[kind]];
    }

    label(label: number): string {
        return this.kinds[this.classes[label]];
    }

    /** The pixels of a block that slices cover to `share` of 255. */
    fill(label: number, share: number): number {
        return this.fills[this.classes[label] * SHADES + (share * (SHADES - 1) + 127) / 255 | 0];
    }

    faded(label: number): number {
        return this.dim[this.classes[label]];
    }

    /** For text on a slice of that label. */
    on(label: number): string {
        return this.dark[this.classes[label]] ? this.onDark : this.onLight;
    }

    /** From low to high, for maps; and whether text on it must be light. */
    heat(share: number): { fill: string; text: string } {
        const stops = this.stops;
        const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
        const low = Math.min(Math.floor(at), stops.length - 2);
        const fill = mix(stops[low], stops[low + 1], at - low);
        return { fill, text: luminance(fill) < 0.3 ? this.onDark : this.onLight };
    }
}
