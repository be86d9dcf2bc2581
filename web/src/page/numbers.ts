// Numbers for people, whatever the page is about.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(value: number): string {
    return grouped.format(value);
}

/** 1234567 as 1.23M: for places that are small. */
export function brief(value: number): string {
    const size = Math.abs(value);
    if (size < 10000) return grouped.format(value);
    for (const [limit, sign] of [[1e6, "k"], [1e9, "M"], [1e12, "G"], [Infinity, "T"]] as [number, string][]) {
        if (size < limit) return (value / (limit === Infinity ? 1e12 : limit / 1e3)).toPrecision(3) + sign;
    }
    return String(value);
}

export const TIME_UNITS: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Nanoseconds with four digits: 12.85 µs. */
export function time(nanoseconds: number): string {
    const size = Math.abs(nanoseconds);
    for (const [unit, sign] of TIME_UNITS) {
        if (size >= unit) return `${significant(nanoseconds / unit)} ${sign}`;
    }
    return nanoseconds === 0 ? "0 ns" : `${significant(nanoseconds)} ns`;
}

function significant(value: number): string {
    return Math.abs(value) >= 1000 ? grouped.format(value) : String(Number(value.toPrecision(4)));
}

export function percent(share: number): string {
    if (share < 1 && share >= 0.995) return share >= 0.9995 ? "over 99.9 %" : `${(share * 100).toFixed(1)} %`; // 100 % is all
    return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

/** The next of 1, 2, 5, 10, 20, ... that is not below. */
export function roundStep(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}

/** A place on an axis of nanoseconds; `step` decides unit and digits, so that all places of an axis have the same. */
export function timePlace(nanoseconds: number, step: number): string {
    if (nanoseconds === 0) return "0"; // also for −0
    const size = Math.max(Math.abs(nanoseconds), step);
    const [unit, sign] = TIME_UNITS.find(([candidate]) => size >= candidate) ?? [1, "ns"];
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step / unit) + 1e-9)));
    return `${(nanoseconds / unit).toFixed(digits)} ${sign}`;
}
