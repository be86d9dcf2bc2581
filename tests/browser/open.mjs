// What all tests of pages of traces need: a browser, a page with what it complains about, and axe.
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core and axe-core     TACHO_CHROMIUM  the browser
//   TACHO_TRACES       folder with pages, and what they have to say                    TACHO_PICTURES  folder for screenshots
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const FOLDER = process.env.TACHO_TRACES;

let browser;

export function launch() {
    before(async () => {
        browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
    });
    after(async () => browser?.close());
}

export const wanted = () => JSON.parse(readFileSync(path.join(FOLDER, "wanted.json"), "utf8"));

/** A page of a server in a browser, and what it complained about. */
export async function visit(browser, url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 950 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.setDefaultTimeout(20_000);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    await page.goto(url, { waitUntil: "load" });
    return { page, problems, close: () => context.close() };
}

/** A page without a network, what it complained about, and what it asked for; `media`: screen or print. */
export async function open(name, { fragment = "", before = null, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 950 }, offline: true, ...options });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    const address = pathToFileURL(path.join(FOLDER, name)).href;
    const problems = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:")) problems.push(`request: ${url}`);
    });
    await page.goto(address + fragment, { waitUntil: "load" });
    await ready(page);
    return { page, problems, close: () => context.close() };
}

export const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));

/** Nothing that is shown is a mean. */
export async function ready(page) {
    await frames(page);
    await page.waitForSelector('.timeline[data-ready="true"]', { timeout: 60_000 });
    await frames(page);
}

export const picture = (page, name, options = {}) => page.screenshot({ path: path.join(process.env.TACHO_PICTURES, `trace-${name}.png`), ...options });
export const span = (page) => page.evaluate(() => window.tacho.timeline.view.span);
export const canvasBox = (page) => page.locator(".stage canvas").boundingBox();
export const tab = (page, title) => page.locator("[role=tab]", { hasText: new RegExp(`^${title}$`) }).click();

/** What axe finds, in a line each. It comes over the protocol of the browser: the page itself lets no other script in. */
export async function axe(page) {
    await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8") + "; undefined");
    return page.evaluate(async () => {
        const found = await window.axe.run(document, { resultTypes: ["violations"] });
        return found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
    });
}

/** Megabytes that the largest process of pages has in memory. */
export async function megabytes() {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024);
    return Math.round(Math.max(...sizes));
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
