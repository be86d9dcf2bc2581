// Where each lane stands, from top to bottom.

import type { Group, Lane, Page, Section } from "./model";

export const ROW = { full: 18, compact: 5 };
const GROUP_GAP = 5;
const SECTION_HEIGHT = 26;
const LEAST_GROUP = 15; // room for its name
const LOW_ROW = 9; // a low row is at most this high

export interface LanePlace {
    lane: Lane;
    top: number;
    height: number;
}

export interface GroupPlace {
    group: Group;
    top: number;
    height: number;
}

export interface SectionPlace {
    section: Section;
    top: number;
    height: number;
}

export class Layout {
    lanes: LanePlace[] = [];
    groups: GroupPlace[] = [];
    sections: SectionPlace[] = [];
    height = 0;
    compact = false;

    constructor(private readonly page: Page) {
        this.arrange();
    }

    arrange(): void {
        const height = this.compact ? ROW.compact : ROW.full;
        let top = 2;
        this.lanes = [];
        this.groups = [];
        this.sections = [];
        for (const section of this.page.sections) {
            if (this.page.sections.length > 1) {
                this.sections.push({ section, top, height: SECTION_HEIGHT });
                top += SECTION_HEIGHT;
            }
            for (const group of section.groups) {
                const tall = Math.max(group.lanes.length * height, LEAST_GROUP);
                this.groups.push({ group, top, height: tall });
                const share = Math.floor(tall / Math.max(1, group.lanes.length));
                const each = Math.max(height, Math.min(share, LOW_ROW));
                group.lanes.forEach((lane, index) => this.lanes.push({ lane, top: top + index * each, height: each }));
                top += tall + GROUP_GAP;
            }
        }
        this.height = top;
    }

    /** Lanes that touch the stretch from `top` to `bottom`: first and one past the last. */
    visible(top: number, bottom: number): [number, number] {
        return [this.firstBelow(top), this.firstBelow(bottom, true)];
    }

    private firstBelow(y: number, starts = false): number {
        let low = 0;
        let high = this.lanes.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            const place = this.lanes[middle];
            if ((starts ? place.top : place.top + place.height) <= y) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    at(y: number): LanePlace | null {
        const place = this.lanes[this.firstBelow(y)];
        return place && place.top <= y ? place : null;
    }
}
