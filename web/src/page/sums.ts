// Exact sums of a stretch of time: per label and per track. Slices that reach over an edge count with what is inside; tracks that are
// made from others do not count.

import type { Chunk } from "./kit";
import { chunkAt, drawnTracks, firstWhere, INSTANTS, type Row } from "./model";
import { scan } from "./scan";
import type { TraceSource } from "./source";

export interface Sums {
    /** By label. */
    counts: Float64Array;
    totals: Float64Array;
    /** Without what slices inside of them take. */
    selfs: Float64Array;
    /** By track: of its outermost slices. */
    trackCounts: Float64Array;
    trackBusy: Float64Array;
    /** Slices in chunks that cannot be read. */
    lost: number;
}

/** The slices of a chunk that have a part in the range: first and one past the last. */
export function inside(chunk: Chunk, begin: number, end: number): [number, number] {
    const { starts, ends, count } = chunk;
    const [from, to] = [begin - chunk.base, end - chunk.base];
    return [firstWhere(count, (at) => ends[at]! > from || starts[at]! >= from), firstWhere(count, (at) => starts[at]! >= to)];
}

export async function sumRange(source: TraceSource, [begin, end]: [number, number], progress: (share: number) => void,
                               stopped: () => boolean): Promise<Sums | null> {
    const { labels, head } = source;
    const sums: Sums = {
        counts: new Float64Array(labels.length), totals: new Float64Array(labels.length), selfs: new Float64Array(labels.length),
        trackCounts: new Float64Array(head.tracks.length), trackBusy: new Float64Array(head.tracks.length), lost: 0,
    };
    const drawn = drawnTracks(head.tracks);
    const around = new Around(source);
    const lost = await scan(source, {
        range: [begin, end], progress, stopped, wanted: (row) => !drawn[row.track],
        act: async (row, _, chunk) => {
            const [first, past] = inside(chunk, begin, end);
            const [from, to] = [begin - chunk.base, end - chunk.base];
            let busy = 0;
            for (let at = first; at < past; at++) {
                const length = Math.min(chunk.ends[at]!, to) - Math.max(chunk.starts[at]!, from);
                const label = chunk.labels[at]!;
                sums.counts[label]! += 1;
                sums.totals[label]! += length;
                sums.selfs[label]! += length;
                busy += length;
            }
            if (row.kind === INSTANTS) return;
            if (row.depth === 0) {
                sums.trackCounts[row.track]! += past - first;
                sums.trackBusy[row.track]! += busy;
            } else if (past > first) {
                await around.each(row, chunk, first, past, (label, at) => {
                    sums.selfs[label]! -= Math.min(chunk.ends[at]!, to) - Math.max(chunk.starts[at]!, from);
                });
            }
        },
    });
    return lost === null ? null : { ...sums, lost };
}

/** What no slice inside of it takes of a slice; null: there is no row for such. */
export async function selfTime(source: TraceSource, number: number, start: number, end: number): Promise<number | null> {
    const row = source.rows[number];
    const inner = source.rows[number + 1];
    if (!row || !inner || inner.track !== row.track || inner.kind !== row.kind || inner.depth !== row.depth + 1) return null;
    let taken = 0;
    for (let at = chunkAt(inner, start); at < inner.chunks && inner.firsts[at]! < end; at++) {
        if (inner.firsts[at]! >= start && inner.lasts[at]! <= end) {
            taken += inner.busy[at + 1]! - inner.busy[at]!;
            continue;
        }
        const chunk = await source.chunk(inner, at);
        const [first, past] = inside(chunk, start, end);
        taken += chunk.before[past]! - chunk.before[first]!;
    }
    return end - start - taken;
}

/** The slices around those of a row: they lie in the row before it. */
class Around {
    private row: Row | null = null;
    private number = 0;
    private chunk: Chunk | null = null;

    constructor(private readonly source: TraceSource) {}

    async each(row: Row, chunk: Chunk, first: number, past: number, act: (label: number, at: number) => void): Promise<void> {
        const outer = this.source.rows[row.number - 1];
        if (!outer || outer.track !== row.track || outer.chunks === 0) return;
        if (this.row !== outer) {
            this.row = outer;
            this.chunk = null;
        }
        let at = 0;
        for (let i = first; i < past; i++) {
            const [start, end] = [chunk.base + chunk.starts[i]!, chunk.base + chunk.ends[i]!];
            if (!this.chunk || this.chunk.base + this.chunk.ends[this.chunk.count - 1]! < end) {
                this.number = chunkAt(outer, end);
                if (this.number >= outer.chunks) return;
                this.chunk = await this.source.pass(outer, this.number).catch(() => null);
                at = 0;
                if (!this.chunk) return; // what is around cannot be read: it is counted as lost
            }
            const there = this.chunk;
            if (i === first) at = firstWhere(there.count, (index) => there.base + there.ends[index]! >= end);
            while (at < there.count && there.base + there.ends[at]! < end) at++;
            if (at < there.count && there.base + there.starts[at]! <= start) act(there.labels[at]!, i);
        }
    }
}
