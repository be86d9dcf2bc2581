// Two profiles: what `tacho compare` says of them.

import type { Api, Profile } from "./api";
import { first } from "./choose";
import { choice, element } from "../page/dom";
import { time } from "../page/numbers";
import { failure, frame, link } from "./parts";

export class ComparePage {
    readonly element = element("div", { class: "one" });

    constructor(private readonly api: Api, private readonly before: string, private readonly after: string) {
        void this.load();
    }

    private async load(): Promise<void> {
        const back = element("nav", { class: "back" }, link(this.api.address("/"), "← All profiles"));
        try {
            const [before, after] = await Promise.all([this.api.profile(this.before), this.api.profile(this.after)]);
            document.title = `${before.name} and ${after.name} – Tacho`;
            this.element.replaceChildren(back, element("h1", {}, "Compare"),
                element("dl", { class: "pairs" }, ...this.side("Before", before), ...this.side("After", after)),
                element("p", { class: "tools" }, link(this.api.address(`/compare/${this.after}/${this.before}`), "The other way round")),
                this.pages());
        } catch (error) {
            this.element.replaceChildren(back, failure(error));
        }
    }

    /** What changed, both timelines on one axis, and the report on what is now, which says what it is compared with. */
    private pages(): HTMLElement {
        const pages: [page: string, title: string][] = [["compare", "What changed"], ["timeline", "Both timelines"], ["report", "Report"]];
        const holder = element("div");
        const show = (at: number): void => {
            const [page, title] = pages[at]!;
            holder.replaceChildren(frame(this.api.address(`/pages/${page}/${this.before}/${this.after}`), title, page === "timeline"));
        };
        show(0);
        return element("div", {}, choice("Page", pages.map(([, title]) => title), 0, show), holder);
    }

    private side(title: string, profile: Profile): HTMLElement[] {
        const input = first(profile);
        return [element("dt", {}, title),
            element("dd", {}, link(this.api.address(`/profile/${profile.id}`), profile.name), input ? ` ${time(input.run_ns)} a run` : "")];
    }
}
