// What two traces can be aligned at.

import type { Head } from "./model";

/** Where a run of that name begins; where there is none, where the trace does. */
export function startOf(head: Head, run: string): number {
    return head.runs.find(({ name, piece }) => name === run && !piece)?.start ?? head.begin;
}

/** Names of runs that both have, in the order of the first. */
export function commonRuns([one, other]: [Head, Head]): string[] {
    const there = new Set(other.runs.map(({ name }) => name));
    return [...new Set(one.runs.filter(({ name, piece }) => !piece && there.has(name)).map(({ name }) => name))];
}
