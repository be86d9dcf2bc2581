// A page may begin with a report. It is shown until the address asks for something in the timeline, which is made only then.

import { element } from "./dom";

/** Sections of a report have plain words in the address; what is asked of the timeline has a value. */
export function asksTimeline(fragment: string): boolean {
    return fragment.includes("=");
}

/** Shows the one or the other, as the address says; `start` makes the timeline. */
export function beginWithReport(app: HTMLElement, start: () => void): void {
    const report = document.getElementById("report");
    if (!report) {
        start();
        return;
    }
    let started = false;
    const top = element("nav", { class: "back" }, element("a", { href: "#report" }, "Report"));
    const show = (): void => {
        const timeline = asksTimeline(location.hash);
        if (report.hidden !== timeline) window.scrollTo(0, 0);
        report.hidden = timeline;
        app.hidden = !timeline;
        if (!timeline || started) return;
        started = true;
        app.append(top);
        start();
    };
    // Before the timeline hears of it, which has to have a size by then.
    window.addEventListener("hashchange", show, { capture: true });
    show();
}
