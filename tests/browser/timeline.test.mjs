// Pages with a timeline, in a real browser. tests/test_browser.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core     TACHO_CHROMIUM  the browser
//   TACHO_SMALL_PAGE, TACHO_LARGE_PAGE, TACHO_GAP_PAGE  pages to look at   TACHO_PICTURES  folder for screenshots
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const SMALL = pathToFileURL(process.env.TACHO_SMALL_PAGE).href;
const LARGE = pathToFileURL(process.env.TACHO_LARGE_PAGE).href;
const LONGEST_TASK = 100; // milliseconds

let browser;

before(async () => {
    browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => browser?.close());

/** In the page, from its beginning: notes tasks that take long, and the time between frames. */
function watch() {
    window.tasks = [];
    const keep = (list) => window.tasks.push(...list.getEntries().map((entry) => entry.duration));
    new PerformanceObserver(keep).observe({ type: "longtask" });
    window.frameTimes = [];
    let last = performance.now();
    const tick = (now) => {
        window.frameTimes.push(now - last);
        last = now;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
}

/** A page, what it complained about, and what it asked the network for. */
async function open(address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1500, height: 950 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => {
        if (request.url() !== address && !request.url().startsWith("data:")) problems.push(`request: ${request.url()}`);
    });
    await page.addInitScript(watch);
    await page.goto(address, { waitUntil: "load" });
    await page.waitForSelector(".names table tbody tr");
    await frames(page);
    return { page, problems, close: () => context.close() };
}

const frames = (page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));

const picture = (page, name) => page.screenshot({ path: path.join(process.env.TACHO_PICTURES, `${name}.png`), fullPage: true });

/** The pixels of the timeline as one text, to see whether it changed. */
const pixels = (page) => page.evaluate(() => document.querySelector(".tall canvas").toDataURL());

async function canvasBox(page) {
    return page.locator(".tall canvas").boundingBox();
}

/** A place of the timeline at which the pointer finds a slice. */
async function pointAtSlice(page) {
    const box = await canvasBox(page);
    for (let x = 180; x < box.width - 20; x += 17) {
        await page.mouse.move(box.x + x, box.y + 36);
        if (await page.locator(".tip:not([hidden]) .name").count()) return { x: box.x + x, y: box.y + 36 };
    }
    throw new Error("no slice under the pointer");
}

test("loads without complaint and without the network", async () => {
    const { page, problems, close } = await open(SMALL);
    assert.equal(await page.title(), "Made-up device");
    assert.match(await page.locator(".facts").innerText(), /1202 MHz/);
    assert.equal(await page.locator(".mood.warning").count(), 1);
    assert.equal(await page.locator(".lower table.map button").count(), 6);
    assert.deepEqual(problems, []);
    await picture(page, "small-light");
    await close();
});

test("works from the keyboard alone", async () => {
    const { page, problems, close } = await open(SMALL);
    const focused = () => page.evaluate(() => document.activeElement?.matches(".tall canvas"));
    for (let i = 0; i < 40 && !(await focused()); i++) await page.keyboard.press("Tab");
    assert.ok(await focused(), "the timeline takes the focus");
    const seen = new Set([await pixels(page)]);
    for (const key of ["ArrowDown", "+", "ArrowRight", "Enter", ".", "Enter", "-", "u", "c"]) {
        await page.keyboard.press(key);
        await frames(page);
        seen.add(await pixels(page));
    }
    assert.ok(seen.size >= 9, `${seen.size} different pictures`);
    const panel = await page.locator(".panel").innerText();
    assert.match(panel, /Duration/);
    assert.match(panel, /cycles · .*[nµm]?s/);
    assert.match(await page.locator(".tall canvas").getAttribute("aria-description"), /Core \(\d+, \d+\), [A-Z]+/);
    await page.keyboard.press("Escape");
    assert.doesNotMatch(await page.locator(".panel").innerText(), /Duration/);
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog.help").isVisible());
    await picture(page, "keys");
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("matmul");
    assert.match(await page.locator(".found").innerText(), /MATMUL-BLOCK/);
    assert.deepEqual(problems, []);
    await close();
});

test("every slice can be reached, in order, with its own numbers", async () => {
    const { page, close } = await open(SMALL);
    await page.locator(".tall canvas").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const starts = [];
    const step = async (key) => {
        await page.keyboard.press(key);
        return page.locator(".panel").innerText();
    };
    for (let i = 0, last = ""; i < 100; i++) {
        const text = await step(",");
        if (text === last) break;
        last = text;
    }
    for (let last = ""; starts.length < 200; ) {
        const text = await step(".");
        if (text === last) break;
        last = text;
        starts.push(Number(text.match(/(?:Start|At)\s+([\d,]+) cycles/)[1].replaceAll(",", "")));
    }
    // 60 slices and perhaps a marker: the first one is where the walk turned.
    assert.ok(starts.length >= 59 && starts.length <= 66, `${starts.length} slices`);
    assert.deepEqual(starts, [...starts].sort((one, other) => one - other));
    await close();
});

test("hover tells name, duration, core and RISC; search and legend change the drawing", async () => {
    const { page, problems, close } = await open(SMALL);
    await pointAtSlice(page);
    const tip = await page.locator(".tip").innerText();
    assert.match(tip, /^\S+/);
    assert.match(tip, /Duration\s+[\d,]+ cycles · [\d.,]+ [nµm]?s/);
    assert.match(tip, /Core\s+\(0, 0\)/);
    assert.match(tip, /RISC\s+BRISC/);
    await picture(page, "hover");
    const plain = await pixels(page);
    await page.locator(".legend button").first().click();
    await frames(page);
    assert.notEqual(await pixels(page), plain);
    await page.locator(".zones tbody button").nth(1).click();
    assert.equal(await page.locator(".zones tr.chosen").count(), 1);
    assert.equal(await page.locator(".histogram .uplot").count(), 1);
    await page.locator(".lower button.plain").nth(1).click();
    assert.equal(await page.locator(".maps select").inputValue(), "1");
    await page.locator("table.map button").nth(4).click();
    await frames(page);
    assert.deepEqual(problems, []);
    await close();
});

test("long idle stretches are folded, and can be unfolded", async () => {
    const { page, problems, close } = await open(pathToFileURL(process.env.TACHO_GAP_PAGE).href);
    const folded = page.getByRole("button", { name: "Idle folded" });
    assert.equal(await folded.getAttribute("aria-pressed"), "true");
    const read = async () => (await page.locator(".panel").innerText()).replace(/\s+/g, " ");
    const walk = async () => {
        await page.locator(".tall canvas").focus();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Home");
        await page.keyboard.press("Enter");
        for (let i = 0; i < 60; i++) await page.keyboard.press(".");
        const last = await read();
        for (let i = 0; i < 60; i++) await page.keyboard.press(",");
        return [await read(), last];
    };
    await page.keyboard.press("ArrowDown");
    const texts = await walk();
    assert.match(texts[1], /Start 5\d,\d{3},\d{3} cycles/);
    await picture(page, "folded");
    await page.getByRole("button", { name: "True scale" }).click();
    assert.deepEqual(await walk(), texts);
    assert.deepEqual(problems, []);
    await close();
});

test("dark where the system is dark, also when that changes", async () => {
    const { page, close } = await open(SMALL, { colorScheme: "dark" });
    const corner = () => page.evaluate(() => {
        const context = document.querySelector(".tall canvas").getContext("2d");
        return [...context.getImageData(3, 3, 1, 1).data];
    });
    assert.ok((await corner())[0] < 60);
    await picture(page, "small-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await frames(page);
    assert.ok((await corner())[0] > 200);
    await close();
});

test("the page of a device log: cores in order, statistics, a map", async () => {
    const { page, problems, close } = await open(pathToFileURL(process.env.TACHO_DEVICE_PAGE).href);
    assert.equal(await page.title(), "Device performance");
    assert.match(await page.locator(".facts").innerText(), /wormhole_multi_core\.csv\.gz[\s\S]*wormhole[\s\S]*Cores\s+56/);
    assert.match(await page.locator(".lower table").first().innerText(), /ANY RISC FW start -> ANY RISC FW end\s+56/);
    assert.equal(await page.locator("table.map button").count(), 56);
    assert.deepEqual(problems, []);
    await picture(page, "device-light");
    await close();
});

/** Zooms, drags, scrolls and presses keys. */
async function walk(page) {
    const box = await canvasBox(page);
    const middle = { x: box.x + box.width * 0.6, y: box.y + box.height * 0.5 };
    await page.mouse.move(middle.x, middle.y);
    for (let i = 0; i < 22; i++) await page.mouse.wheel(0, -120);
    await frames(page);
    await page.mouse.down();
    for (let i = 0; i < 30; i++) await page.mouse.move(middle.x - i * 12, middle.y + i * 8);
    await page.mouse.up();
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, 120);
    await page.locator(".tall canvas").focus();
    for (const key of "c ArrowRight ArrowRight + + + + ArrowLeft PageDown PageDown - - u 0 c Enter Enter .".split(" ")) {
        await page.keyboard.press(key);
        await frames(page);
    }
    await frames(page);
}

/** The large page opened, and a walk over it: the longest task. */
async function longestTask(context) {
    const { page, problems, close } = await open(LARGE);
    const before = await pixels(page);
    await frames(page);
    await walk(page);
    const { tasks, frameTimes } = await page.evaluate(() => ({ tasks: window.tasks, frameTimes: window.frameTimes }));
    const slow = frameTimes.sort((one, other) => one - other);
    context.diagnostic(`long tasks: ${tasks.map(Math.round).join(" ") || "none"}; frames: ${slow.length}, ` +
        `median ${slow[slow.length >> 1].toFixed(1)} ms, 99 % ${slow[Math.floor(slow.length * 0.99)].toFixed(1)} ms`);
    assert.notEqual(await pixels(page), before);
    await picture(page, "large-close");
    assert.deepEqual(problems, []);
    await close();
    return Math.max(0, ...tasks);
}

// Other programs of a busy machine may interrupt one walk, but not each of three.
test("a million slices: wheel, drag and keys without a long task", async (context) => {
    const longest = [];
    do {
        longest.push(await longestTask(context));
    } while (longest.at(-1) > LONGEST_TASK && longest.length < 3);
    assert.ok(longest.at(-1) <= LONGEST_TASK, `longest tasks: ${longest}`);
});
