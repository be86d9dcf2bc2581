// What all tests of pages share, on top of connect.mjs:
//   TACHO_PAGES     folder with pages, and what they have to say       TACHO_PICTURES  folder for screenshots, if there are to be any
//   TACHO_SERVED    the address of a server                            TACHO_TOKEN     its token
import { readFileSync } from "node:fs";
import path from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

import { connect, require, visit as visitIn } from "./connect.mjs";

const { TACHO_PAGES: FOLDER, TACHO_PICTURES: PICTURES } = process.env;
export const { TACHO_SERVED: SERVED, TACHO_TOKEN: TOKEN } = process.env;
export const MARKUP = "<img src=x onerror=alert(1)>";

export const browser = await connect();
after(() => browser.close());

export const wanted = () => JSON.parse(readFileSync(path.join(FOLDER, "wanted.json"), "utf8"));

export const visit = (url, options) => visitIn(browser, url, options);

/** The address of a place of the server, which may have a question and a fragment. */
export function served(place) {
    const [where, fragment] = place.split("#");
    return `${SERVED}${where}${where.includes("?") ? "&" : "?"}token=${TOKEN}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** A page of the server, which asks nobody else. */
export const ask = (place, options) => visit(served(place), { allowed: SERVED, ...options });

/** A page without a network, which asks for nothing. */
export function read(name, { fragment = "", ...options } = {}) {
    const address = pathToFileURL(path.join(FOLDER, name)).href;
    return visit(address + fragment, { allowed: address, offline: true, ...options });
}

/** The same for the page of a trace, once it is drawn. */
export async function open(name, options) {
    const made = await read(name, options);
    await ready(made.page);
    return made;
}

/** What was to be drawn is drawn, and what that began is done. */
export const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

/** Nothing that is shown is a mean. */
export async function ready(page) {
    await frames(page);
    await page.waitForSelector('.timeline[data-ready="true"]');
    await frames(page);
}

/** Nothing is awaited any more. */
export const idle = (page) => page.waitForFunction(() => !document.querySelector("[aria-busy]"));

/** A page says this. */
export const says = (page, text) => page.waitForFunction((text) => document.body.innerText.includes(text), text);

/** Pictures are for people: nothing depends on them. */
export const picture = async (page, name, options = {}) => void (PICTURES && await page.screenshot({ path: path.join(PICTURES, `${name}.png`), ...options }));

/** The page is printed. */
export const print = (page, name) => page.pdf({ ...PICTURES && { path: path.join(PICTURES, `${name}.pdf`) }, format: "A4", printBackground: true });

export const span = (page) => page.evaluate(() => window.tacho.timeline.view.span);
export const width = (page) => page.evaluate(() => document.documentElement.scrollWidth);
export const canvasBox = (page) => page.locator(".stage canvas").boundingBox();
export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

const script = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8") + "; undefined";

/** What axe looks at where the same page was looked at as a whole, wide and light: contrast, its dearest rule, depends on colours and not on the
 * width, the others the other way round. */
export const DARK = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
export const NARROW = { rules: { "color-contrast": { enabled: false } } };

/** The whole page, and when that was looked at, only what another tab shows. */
export const part = (first) => (first ? "html" : ".sheet:not([hidden])");

/** What axe finds, in a line each, of all of it or of some (DARK, NARROW), in the whole page or in part of it. It comes over the protocol of the browser: the page itself lets no other script in. */
export async function axe(page, some = {}, part = "html") {
    if (!await page.evaluate(() => "axe" in window)) await page.evaluate(script);
    return page.evaluate(async ([some, part]) => {
        const found = await window.axe.run(part, { resultTypes: ["violations"], ...some });
        return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
    }, [some, part]);
}

/** Colour of a point of a canvas, in pixels of the page. */
export const colourAt = (page, selector, x, y) => page.evaluate(([selector, x, y]) => {
    const canvas = document.querySelector(selector);
    const ratio = canvas.width / canvas.clientWidth;
    return [...canvas.getContext("2d").getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data.slice(0, 3)];
}, [selector, x, y]);

/** A colour of the style sheet, the same way. */
export const colourOf = (page, name) => page.evaluate((name) => {
    const number = parseInt(getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1), 16);
    return [number >> 16, number >> 8 & 255, number & 255];
}, name);
