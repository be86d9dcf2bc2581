// Profiles of builds that are compared: those that the history kept can be had again.

import type { Api, Cell, Query } from "./api";
import { button, element } from "../page/dom";
import { openInPerfetto } from "./parts";
import { count, time } from "../page/numbers";
import type { Wanted } from "./wanted";

const text = (value: Cell | undefined): string => (typeof value === "string" ? value : "");

/** Saves what the server gives under the name that the profile was added by. */
async function save(api: Api, query: Query, name: string): Promise<void> {
    const address = URL.createObjectURL(new Blob([await api.bytes("/kept/bytes", query)]));
    element("a", { href: address, download: name }).click();
    URL.revokeObjectURL(address);
}

/** What can be done with one, and what became of it. */
function tools(api: Api, name: string, hash: string): HTMLElement {
    const query: Query = [["profile", hash]];
    const told = element("span", { class: "quiet", role: "status" });
    const download = button("Download", "The file as it was added, where the history kept it", () => {
        told.replaceChildren();
        save(api, query, name).catch((error: unknown) => told.replaceChildren(error instanceof Error ? error.message : String(error)));
    });
    return element("span", { class: "tools" }, download, openInPerfetto(name, () => api.bytes("/kept/perfetto", query)), told);
}

async function rows(api: Api, wanted: Wanted, build: string): Promise<HTMLElement[]> {
    const question: Query = [["build", build], ["model", wanted.model], ["device", wanted.device], ...wanted.labels.map((label): [string, string] => ["label", label]), ["table", "profiles"]];
    const [profiles] = await api.history("build", question);
    return (profiles?.rows ?? []).map((row) => element("tr", {}, element("td", {}, build), element("td", {}, text(row["profile"])), element("td", {}, text(row["labels"]) || "–"),
        element("td", { class: "number" }, typeof row["launches"] === "number" ? count(row["launches"]) : "–"),
        element("td", { class: "number" }, typeof row["median"] === "number" ? time(row["median"]) : "–"), element("td", {}, tools(api, text(row["profile"]), text(row["hash"])))));
}

/** A table of the profiles of both builds. */
export async function profilesOf(api: Api, wanted: Wanted): Promise<HTMLElement> {
    const made = (await Promise.all([...new Set([wanted.from, wanted.to])].map((build) => rows(api, wanted, build)))).flat();
    const heads = ["Build", "Profile", "Labels", "Launches", "Run", ""].map((title, at) => element(title ? "th" : "td", { ...(title ? { scope: "col" } : {}), ...(at === 3 || at === 4 ? { class: "number" } : {}) }, title));
    return element("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Profiles of both builds" },
        element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...made)));
}
