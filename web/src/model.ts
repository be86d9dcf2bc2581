// What the page is about, as src/report/timeline_page.c wrote it. Rows are decoded when they are first needed.

import { decodeBlocks, type Blocks } from "./decode";
import { Fold } from "./fold";

export interface Words {
    section: string;
    group: string;
    lane: string;
    tick: string;
    /** Nanoseconds of a tick as a fraction; 0: not known. */
    clock: [number, number];
}

export interface Place {
    column: number;
    row: number;
    value: number | null;
    text: string | null;
    group: number;
}

export interface PlaceMap {
    title: string;
    unit: string | null;
    section: number;
    columns: number;
    rows: number;
    columnNames?: string[];
    rowNames?: string[];
    places: Place[];
}

export interface Label {
    name: string;
    kind: number;
    count: number;
    total: number;
    least: number;
    most: number;
    /** Pairs: bin, count. */
    bins: number[];
}

type RawRow = [depth: number, first: number, last: number, levels: number[]];
type RawPlace = [number, number, number | null, string | null, number];

interface RawPage {
    words: Words;
    facts: [string, string][];
    notes: string[];
    sections: [string, string][];
    groups: [number, string][];
    lanes: [number, string, RawRow[]][];
    maps: (Omit<PlaceMap, "places"> & { places: RawPlace[] })[];
    /** Start and length of stretches in which no lane does anything. */
    idle: number[];
    kinds: [string, string][];
    binsPerOctave: number;
    labels: [string, number, number, number, number, number, number[]][];
}

/** Names of kinds whose place in the list matters here: src/report/timeline_page.h. */
export const KIND = { outer: 0, main: 1, zone: 2, span: 3, service: 4, point: 5, event: 6 } as const;

interface Level {
    /** Blocks shorter than 4 ** level are merged. */
    level: number;
    count: number;
    offset: number;
    characters: number;
    blocks: Blocks | null;
}

export class Row {
    readonly instants: boolean;
    private readonly levels: Level[] = [];

    constructor(private readonly lane: Lane, readonly depth: number, readonly first: number, readonly last: number,
                facts: number[], offset: number) {
        this.instants = depth < 0;
        for (let i = 0; i < facts.length; i += 3) {
            this.levels.push({ level: facts[i], count: facts[i + 1], offset, characters: facts[i + 2], blocks: null });
            offset += facts[i + 2];
        }
    }

    /** Where the text of the next row begins. */
    get end(): number {
        const last = this.levels[this.levels.length - 1];
        return last.offset + last.characters;
    }

    private decode(level: Level): Blocks {
        level.blocks ??= decodeBlocks(this.lane.text(level.offset, level.characters), level.count, this.first,
                                      level.level === 0, this.instants, this.lane.group.section.page.place);
        return level.blocks;
    }

    /** After times moved. */
    forget(): void {
        for (const level of this.levels) level.blocks = null;
    }

    exact(): Blocks {
        return this.decode(this.levels[0]);
    }

    /** The coarsest level that shows everything of `ticks` and longer. After the deadline only what is decoded, or null. */
    atDetail(ticks: number, deadline: number): { blocks: Blocks | null; late: boolean } {
        let wanted = 0;
        while (wanted + 1 < this.levels.length && 4 ** this.levels[wanted + 1].level <= ticks) wanted++;
        const level = this.levels[wanted];
        if (level.blocks || performance.now() < deadline) return { blocks: this.decode(level), late: false };
        for (let coarser = wanted + 1; coarser < this.levels.length; coarser++) {
            if (this.levels[coarser].blocks) return { blocks: this.levels[coarser].blocks, late: true };
        }
        return { blocks: null, late: true };
    }
}

export class Lane {
    readonly rows: Row[] = [];
    private element: HTMLElement | null = null;

    constructor(readonly index: number, readonly group: Group, readonly name: string, rows: RawRow[]) {
        let offset = 0;
        for (const [depth, first, last, facts] of rows) {
            const row = new Row(this, depth, first, last, facts, offset);
            offset = row.end;
            this.rows.push(row);
        }
    }

    text(offset: number, characters: number): string {
        this.element ??= document.getElementById(`lane-${this.index}`);
        return (this.element?.textContent ?? "").slice(offset, offset + characters);
    }
}

export class Group {
    readonly lanes: Lane[] = [];

    constructor(readonly index: number, readonly section: Section, readonly name: string) {}
}

export class Section {
    readonly groups: Group[] = [];

    constructor(readonly page: Page, readonly index: number, readonly name: string, readonly origin: bigint) {}
}

export class Page {
    readonly words: Words;
    readonly facts: [string, string][];
    readonly notes: string[];
    readonly kinds: { name: string; meaning: string }[];
    readonly labels: Label[];
    readonly sections: Section[];
    readonly groups: Group[];
    readonly lanes: Lane[];
    readonly maps: PlaceMap[];
    readonly idle: number[];
    readonly binsPerOctave: number;
    /** The time that there is, as it is drawn. */
    first: number;
    last: number;
    fold = Fold.NONE;
    /** Where a time is drawn; null: where it is. */
    place: ((time: number) => number) | null = null;

    constructor(raw: RawPage) {
        this.words = raw.words;
        this.facts = raw.facts;
        this.notes = raw.notes;
        this.idle = raw.idle;
        this.binsPerOctave = raw.binsPerOctave;
        this.kinds = raw.kinds.map(([name, meaning]) => ({ name, meaning }));
        this.labels = raw.labels.map(([name, kind, count, total, least, most, bins]) =>
            ({ name, kind, count, total, least, most, bins }));
        this.sections = raw.sections.map(([name, origin], index) => new Section(this, index, name, BigInt(origin)));
        this.groups = raw.groups.map(([section, name], index) => {
            const group = new Group(index, this.sections[section], name);
            group.section.groups.push(group);
            return group;
        });
        this.lanes = raw.lanes.map(([group, name, rows], index) => {
            const lane = new Lane(index, this.groups[group], name, rows);
            lane.group.lanes.push(lane);
            return lane;
        });
        this.maps = raw.maps.map((map) => ({
            ...map,
            places: map.places.map(([column, row, value, text, group]) => ({ column, row, value, text, group })),
        }));
        const rows = this.lanes.flatMap((lane) => lane.rows);
        this.first = rows.reduce((least, row) => Math.min(least, row.first), Infinity);
        this.last = rows.reduce((most, row) => Math.max(most, row.last), -Infinity);
        if (!(this.first < this.last)) {
            this.first = Number.isFinite(this.first) ? this.first : 0;
            this.last = this.first + 1;
        }
    }

    /** Draws long idle stretches short, or not. */
    setFold(fold: Fold): void {
        const first = this.fold.unfold(this.first);
        const last = this.fold.unfold(this.last);
        this.fold = fold;
        this.place = fold.gaps.length ? (time) => fold.fold(time) : null;
        this.first = fold.fold(first);
        this.last = fold.fold(last);
        for (const lane of this.lanes) lane.rows.forEach((row) => row.forget());
    }
}

export function readPage(): Page | null {
    const text = document.getElementById("page")?.textContent;
    return text ? new Page(JSON.parse(text) as RawPage) : null;
}
