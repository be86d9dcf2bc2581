// What is under the pointer, beside it.

import { element } from "./dom";
import { time } from "./numbers";
import type { Found } from "./marks";
import { path } from "./slice";
import type { Timeline } from "./timeline";

export function addTip(timeline: Timeline): void {
    const { source } = timeline;
    const tip = element("div", { class: "tip", hidden: "" });
    timeline.element.append(tip);
    const words = (found: Found): (Node | string)[] => {
        const label = source.labels[found.label]!;
        const operator = label.operator && label.operator !== label.name ? `${label.operator} · ` : "";
        return [element("b", {}, label.name || "(no name)"), `${found.end > found.start ? time(found.end - found.start) : "a moment"} at ${time(found.start - source.head.begin)}`, element("br"),
                element("span", {}, `${operator}${path(source, source.rows[found.row]!.track)}`)];
    };
    let shown: Found | null = null;
    timeline.onHover((found, x, y) => {
        tip.hidden = !found;
        if (!found) {
            shown = null;
            return;
        }
        if (shown?.row !== found.row || shown.slice !== found.slice) tip.replaceChildren(...words(found));
        shown = found;
        const left = timeline.gutter.width + x + 14;
        const room = timeline.element.clientWidth - tip.offsetWidth - 4;
        tip.style.left = `${Math.max(0, left > room ? Math.min(room, left - tip.offsetWidth - 28) : left)}px`;
        tip.style.top = `${y + 20}px`;
    });
}
