// Which cards of the gallery are shown, and in which order.

import type { Card, Input, Metric } from "./api";

export type Order = "name" | "date" | "time" | "size";

export interface Choice {
    words: string;
    chain: string;
    kind: string;
    type: string;
    order: Order;
    descending: boolean;
}

export const EVERYTHING: Choice = { words: "", chain: "", kind: "", type: "", order: "date", descending: true };
export const BAD = "cannot be used";
export const NO_CHAIN = "no tool chain";

export function first(card: Card): Input | null {
    return card.profile?.inputs[0] ?? null;
}

export function chainOf(card: Card): string {
    return card.profile ? first(card)?.chain ?? NO_CHAIN : "";
}

export function kindOf(card: Card): string {
    return card.state === "bad" ? BAD : first(card)?.kind ?? "";
}

/** What was tested, as names of tests tell it: "conv" of test_conv_3x3.pb. */
export function typeOf(card: Card): string {
    return /test_([^_.]+)/.exec((card.name.split("/").pop() ?? "").toLowerCase())?.[1] ?? "other";
}

/** Words of a search that a card has somewhere: in its name, its models, its tool chain or its format. */
export function matches(card: Card, words: string[]): number {
    const texts = [card.name, card.profile?.title ?? "", ...(card.profile?.inputs ?? []).flatMap((input) => [input.model, input.chain ?? ""])];
    const text = texts.join("\n").toLowerCase();
    return words.filter((word) => text.includes(word)).length;
}

/** Values that are not known come last in either direction; equal ones by name. */
function compare(one: Card, other: Card, order: Order, descending: boolean): number {
    const key = (card: Card): number | string | null => {
        if (order === "name") return card.name;
        if (order === "date") return card.modified;
        if (order === "size") return card.size;
        return first(card)?.run_ns ?? null;
    };
    const [left, right] = [key(one), key(other)];
    if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
    } else if (left !== right) {
        const sign = typeof left === "number" && typeof right === "number" ? left - right
            : String(left).localeCompare(String(right), undefined, { numeric: true });
        if (sign) return descending ? -sign : sign;
    }
    return one.name.localeCompare(other.name, undefined, { numeric: true });
}

/** Cards that fit; of a search those with more of its words first. */
export function choose(cards: Card[], choice: Choice): Card[] {
    const words = choice.words.toLowerCase().split(/\s+/).filter(Boolean);
    return cards
        .map((card) => ({ card, found: matches(card, words) }))
        .filter(({ card, found }) => (!words.length || found) && (!choice.chain || chainOf(card) === choice.chain) &&
            (!choice.kind || kindOf(card) === choice.kind) && (!choice.type || typeOf(card) === choice.type))
        .sort((one, other) => other.found - one.found || compare(one.card, other.card, choice.order, choice.descending))
        .map(({ card }) => card);
}

/** What there is to choose from, sorted. */
export function distinct(cards: Card[], of: (card: Card) => string): string[] {
    return [...new Set(cards.map(of).filter(Boolean))].sort();
}

/** Metrics of a folded card: the whole, moving data, computing, both at once, idle; where a tool chain has others, the first of these. */
const TILES = [["total_duration"], ["dma", "transfer", "copy"], ["compute", "device", "inference", "nss"], ["overlap"], ["idle"]];

export function tiles(metrics: Metric[]): Metric[] {
    const wanted = TILES.flatMap((keys) => metrics.find((metric) => keys.includes(metric.metric)) ?? []);
    const others = metrics.filter((metric) => !wanted.includes(metric));
    const shown = [...wanted, ...others.slice(0, TILES.length - wanted.length)];
    return metrics.filter((metric) => shown.includes(metric));
}

/** Two that are to be compared: choosing a third one lets the first go. */
export function pick(chosen: string[], id: string): string[] {
    return chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2);
}
