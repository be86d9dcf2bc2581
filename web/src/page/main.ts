// Puts the page of a trace together.

import "./page.css";
import { element } from "../dom";
import { count, time } from "../numbers";
import { Colours } from "./colour";
import { EmbeddedSource } from "./source";
import { Timeline } from "./timeline";

async function start(app: HTMLElement): Promise<void> {
    const source = await EmbeddedSource.open();
    const { head } = source;
    const fact = (name: string, value: string): HTMLElement => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    const timeline = new Timeline(source, new Colours(source.labels));
    Object.assign(window, { tacho: { source, timeline } });
    app.append(element("h1", {}, head.title),
               element("dl", { class: "facts" }, fact("Time", time(head.end - head.begin)), fact("Slices", count(head.counts.slices)),
                       fact("Tracks", count(head.counts.tracks)), fact("Names", count(head.counts.labels))),
               timeline.element);
}

const app = document.getElementById("app");
if (app) start(app).catch((error: unknown) => app.append(element("p", { class: "mood warning" }, `The page cannot be shown: ${String(error)}`)));
