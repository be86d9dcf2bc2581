// Sheets below the timeline, of which one is shown.

import { element } from "./dom";

export class Tabs {
    readonly element = element("section");
    private readonly bar = element("div", { class: "tabs", role: "tablist", "aria-label": "Below the timeline" });
    private readonly tabs: { button: HTMLButtonElement; sheet: HTMLElement }[] = [];
    private readonly listeners: (() => void)[] = [];
    private shown = 0;

    constructor() {
        this.element.append(this.bar);
        this.bar.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            this.show((this.shown + by + this.tabs.length) % this.tabs.length);
            this.tabs[this.shown]?.button.focus();
        });
    }

    add(title: string, content: HTMLElement): number {
        const number = this.tabs.length;
        const button = element("button", { type: "button", role: "tab", id: `tab-${number}`, "aria-controls": `sheet-${number}` }, title);
        button.addEventListener("click", () => this.show(number));
        const sheet = element("div", { class: "sheet", role: "tabpanel", id: `sheet-${number}`, "aria-labelledby": `tab-${number}` }, content);
        this.bar.append(button);
        this.element.append(sheet);
        this.tabs.push({ button, sheet });
        this.show(this.shown);
        return number;
    }

    /** Another sheet is shown. */
    onShow(listener: () => void): void {
        this.listeners.push(listener);
    }

    /** Of the sheet that is shown. */
    get title(): string {
        return this.tabs[this.shown]?.button.textContent ?? "";
    }

    /** Does nothing where there is none of that title. */
    showTitle(title: string): void {
        const number = this.tabs.findIndex(({ button }) => button.textContent === title);
        if (number >= 0) this.show(number);
    }

    show(number: number): void {
        this.shown = number;
        this.tabs.forEach(({ button, sheet }, at) => {
            button.setAttribute("aria-selected", String(at === number));
            button.tabIndex = at === number ? 0 : -1;
            sheet.hidden = at !== number;
        });
        for (const listener of this.listeners) listener();
    }
}
