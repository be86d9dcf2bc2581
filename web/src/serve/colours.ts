// Colours of the style sheet, for what is painted: light and dark have one source.

/** Colours that a canvas or a map is painted with, as they are now. */
export interface Paints {
    ground: string;
    text: string;
    quiet: string;
    line: string;
    accent: string;
    warning: string;
    parts: string[];
    onPart: string;
}

export function paints(): Paints {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string): string => style.getPropertyValue(name).trim();
    return {
        ground: value("--ground"), text: value("--text"), quiet: value("--quiet"), line: value("--line"), accent: value("--bar"), warning: value("--warning"),
        parts: Array.from({ length: 8 }, (_, at) => value(`--part${at + 1}`)), onPart: value("--on-part"),
    };
}

/** One name has one colour. */
export function partOf(name: string, parts: number): number {
    let value = 2166136261;
    for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 16777619);
    return (value >>> 8) % parts;
}

/** Draws now, when the size of the element changes, and when light turns to dark. */
export function keepDrawn(element: HTMLElement, draw: () => void): void {
    new ResizeObserver(draw).observe(element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
