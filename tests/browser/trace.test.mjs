// Pages of traces, in a real browser. tests/test_browser.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core     TACHO_CHROMIUM  the browser
//   TACHO_TRACES       folder with pages, and what they have to say       TACHO_PICTURES  folder for screenshots
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const WANTED = JSON.parse(readFileSync(path.join(process.env.TACHO_TRACES, "wanted.json"), "utf8"));

let browser;

before(async () => {
    browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => browser?.close());

/** A page, what it complained about, and what it asked the network for. */
async function open(name, { fragment = "", ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 950 }, offline: true, ...options });
    const page = await context.newPage();
    const address = pathToFileURL(path.join(process.env.TACHO_TRACES, name)).href;
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

const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));

async function ready(page) {
    await frames(page);
    await page.waitForSelector('.timeline[data-ready="true"]');
    await frames(page);
}

const picture = (page, name) => page.screenshot({ path: path.join(process.env.TACHO_PICTURES, `trace-${name}.png`) });
const span = (page) => page.evaluate(() => window.tacho.timeline.view.span);
const canvasBox = (page) => page.locator(".stage canvas").boundingBox();

for (const [width, options] of [[1440, {}], [390, {}], [1440, { colorScheme: "dark", deviceScaleFactor: 2 }]]) {
    const name = `${width}${options.colorScheme ? "-dark" : ""}`;
    test(`is seen at ${name} pixels, without complaint and without the network`, async () => {
        for (const file of ["small", "dump"]) {
            const { page, problems, close } = await open(`${file}.html`, { viewport: { width, height: 950 }, ...options });
            assert.equal(await page.locator("h1").count(), 1);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "nothing is wider than the window");
            await picture(page, `${file}-${name}`);
            assert.deepEqual(problems, []);
            await close();
        }
    });
}

test("the wheel zooms at the pointer, dragging and Shift move", async () => {
    const { page, problems, close } = await open("small.html");
    const box = await canvasBox(page);
    const at = () => page.evaluate((x) => window.tacho.timeline.view.time(x), 900 - box.x);
    await page.mouse.move(900, box.y + 100);
    const [time, before] = [await at(), await span(page)];
    for (let notch = 0; notch < 6; notch++) await page.mouse.wheel(0, -120);
    await frames(page);
    const closer = await span(page);
    assert.ok(closer < before / 4);
    assert.ok(Math.abs(await at() - time) < closer / 1000, "what is under the pointer stays there");
    const start = () => page.evaluate(() => window.tacho.timeline.view.start);
    const first = await start();
    await page.mouse.down();
    await page.mouse.move(700, box.y + 100, { steps: 4 });
    await page.mouse.up();
    const second = await start();
    assert.ok(Math.abs(second - first - 200 / box.width * closer) < closer / 500);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await frames(page);
    assert.ok((await start()) > second);
    assert.equal(await span(page), closer);
    assert.deepEqual(problems, []);
    await close();
});

test("two fingers zoom", async () => {
    const { page, close } = await open("small.html", { hasTouch: true });
    const box = await canvasBox(page);
    const before = await span(page);
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...xs) => client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 100, id })) });
    await touch("touchStart", 400, 500);
    for (const x of [20, 40, 60, 80, 100]) await touch("touchMove", 400 - x, 500 + x);
    await touch("touchEnd");
    await frames(page);
    const ratio = before / (await span(page));
    assert.ok(ratio > 2.5 && ratio < 3.5, `${ratio} times closer`);
    await close();
});

test("keys work wherever the focus is", async () => {
    const { page, problems, close } = await open("small.html");
    await page.locator(".controls button", { hasText: "All" }).click();
    const before = await span(page);
    await page.keyboard.press("w");
    assert.ok((await span(page)) < before);
    await page.keyboard.press("s");
    await page.keyboard.press("0");
    await page.keyboard.press("ArrowDown");
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sheet:not([hidden]) .pairs");
    assert.match(await page.locator(".sheet:not([hidden])").innerText(), /kernel_\d+/);
    const slice = () => page.evaluate(() => window.tacho.timeline.marks.selection.slice);
    const one = await slice();
    await page.keyboard.press(".");
    await page.waitForFunction((slice) => window.tacho.timeline.marks.selection.slice === slice + 1, one);
    await page.keyboard.press("f");
    assert.ok((await span(page)) < before / 100);
    await page.keyboard.press("m");
    assert.equal(await page.evaluate(() => window.tacho.timeline.marks.edges.length), 2);
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog.help").isVisible());
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.tacho.timeline.marks.selection), null);
    assert.deepEqual(problems, []);
    await close();
});

test("a slice has its numbers, arguments, run and flows", async () => {
    const { page, problems, close } = await open("small.html", { fragment: "#s=0.3" });
    await page.waitForSelector(".sheet:not([hidden]) h3");
    const text = await page.locator(".sheet:not([hidden])").innerText();
    const length = WANTED.row.ends[3] - WANTED.row.starts[3];
    assert.match(text, new RegExp(`Length\\s[^\\n]*${length.toLocaleString("en-US")} ns`));
    assert.match(text, /Self\s+[\d.]+ /);
    assert.match(text, /Track\s+Device 0 › Engine 0/);
    assert.match(text, /Run\s+run \d/);
    assert.ok(text.includes((2n ** 60n + 3n).toLocaleString("en-US")), "all 64 bits of an argument");
    await page.waitForSelector("text=After, along its flows");
    await page.locator(".sheet:not([hidden]) ul button").first().click();
    await page.waitForFunction(() => window.tacho.timeline.marks.selection.row === 2);
    await page.waitForSelector("text=Before, along its flows");
    await picture(page, "flow");
    assert.deepEqual(problems, []);
    await close();
});

test("columns show what the slices are, in any view", async () => {
    const { page, close } = await open("small.html");
    for (let seed = 1; seed <= 25; seed++) {
        const from = WANTED.row.starts[seed * 7 % 1000];
        const found = await page.evaluate(async ({ from, length }) => {
            const { timeline, source } = window.tacho;
            timeline.view.show(from, from + length);
            const row = source.rows[0];
            for (let chunk = 0; chunk < row.chunks; chunk++) await source.chunk(row, chunk);
            const { columns } = timeline.renderer;
            const step = timeline.view.span / columns.width;
            columns.fill(row, timeline.view.start, step, Infinity, (chunk) => source.peek(row, chunk));
            return { start: timeline.view.start, step, busy: [...columns.busy], state: [...columns.state] };
        }, { from, length: 500 * 2 ** (seed % 12) });
        found.busy.forEach((busy, k) => {
            const [left, right] = [found.start + k * found.step, found.start + (k + 1) * found.step];
            let wanted = 0;
            let any = false;
            for (let i = 0; i < WANTED.row.starts.length; i++) {
                const [start, end] = [WANTED.row.starts[i], WANTED.row.ends[i]];
                wanted += Math.max(0, Math.min(end, right) - Math.max(start, left));
                any ||= start < right && (end > left || start >= left);
            }
            assert.ok(Math.abs(busy - wanted) < found.step / 255, `view ${seed}, column ${k}: ${busy} instead of ${wanted}`);
            assert.equal(found.state[k] !== 0, any);
        });
    }
    await close();
});

test("the sums of a range are exact", async () => {
    for (const { range, sums } of WANTED.ranges) {
        const { page, problems, close } = await open("small.html", { fragment: `#r=${range.join(",")}` });
        await page.waitForSelector(`[data-done="${range.join(",")}"]`);
        const read = (key) => page.locator(`[data-sums="${key}"] tbody tr`).evaluateAll((rows) => Object.fromEntries(rows.map((row) => {
            const cells = [...row.cells].map((cell) => cell.querySelector("[data-ns]")?.dataset.ns ?? cell.textContent);
            return [cells[0], cells.slice(1)];
        })));
        const number = (text) => Number(text.replaceAll(",", ""));
        const names = Object.fromEntries(Object.entries(await read("names")).map(([name, [, count, self, total]]) => [name, [number(count), Number(total), Number(self)]]));
        assert.deepEqual(names, sums.names);
        const short = (cells) => Object.fromEntries(Object.entries(cells).map(([name, [count, time]]) => [name, [number(count), Number(time)]]));
        assert.deepEqual(short(await read("tracks")), sums.tracks);
        assert.deepEqual(short(await read("operators")), sums.operators);
        assert.match(await page.locator(".command code").innerText(), /tacho convert INPUT --begin \d+ --end \d+ -o/);
        assert.deepEqual(problems, []);
        await close();
    }
});

test("search finds names and arguments, all of them, at any zoom", async () => {
    const { page, problems, close } = await open("small.html");
    await page.keyboard.press("/");
    await page.keyboard.type("needle");
    await page.waitForFunction(() => document.querySelector(".found").textContent === "1 hit");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.tacho.timeline.marks.selection?.slice === 17);
    await page.keyboard.press("Escape");
    await page.locator("[role=tab]", { hasText: "Names" }).click();
    await page.locator(".sheet:not([hidden]) input").first().fill(WANTED.name.text);
    await page.locator(".sheet:not([hidden]) tbody button", { hasText: new RegExp(`^${WANTED.name.text}$`) }).click();
    const told = `${WANTED.name.count.toLocaleString("en-US")} slices`;
    await page.waitForFunction((told) => document.querySelector(".found").textContent === told, told);
    await picture(page, "names");
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("n");
    await page.waitForFunction(() => window.tacho.timeline.marks.selection);
    const first = await page.evaluate(() => window.tacho.timeline.marks.selection.start);
    await page.keyboard.press("n");
    await page.waitForFunction((first) => window.tacho.timeline.marks.selection.start > first, first);
    await page.keyboard.press("Shift+N");
    await page.waitForFunction((first) => window.tacho.timeline.marks.selection.start === first, first);
    assert.deepEqual(problems, []);
    await close();
});

test("an address shows the same again", async () => {
    const { page, close } = await open("small.html", { fragment: "#t=1200000,1300000&s=0.40" });
    assert.ok(Math.abs((await span(page)) - 100000) < 1);
    await page.waitForFunction(() => window.tacho.timeline.marks.selection?.slice === 40);
    await page.keyboard.press("w");
    await page.waitForFunction(() => !location.hash.includes("t=1200000,1300000"));
    assert.match(await page.evaluate(() => location.hash), /^#t=\d+,\d+&s=0\.40$/);
    await close();
});

test("groups fold, tracks are pinned, names can be widened", async () => {
    const { page, close } = await open("small.html");
    const height = () => page.evaluate(() => window.tacho.timeline.layout.height);
    const before = await height();
    await page.locator(".gutter button.fold", { hasText: "Engine 3" }).click();
    assert.ok((await height()) < before);
    await page.locator(".gutter button.pin").nth(4).click();
    assert.equal(await page.evaluate(() => window.tacho.timeline.layout.pinned.length), 1);
    await page.locator(".gutter .handle").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => window.tacho.timeline.gutter.width), 226);
    await page.locator(".gutter button.fold", { hasText: "Device 0" }).click();
    assert.ok((await height()) < 60);
    await close();
});

test("what cannot be read is said, and the rest is shown", async () => {
    const { page, problems, close } = await open("damaged.html");
    assert.match(await page.locator("[role=alert]").innerText(), /blocks of this page cannot be read/);
    assert.ok((await page.locator(".gutter .track").count()) > 5);
    assert.deepEqual(problems, []);
    await close();
});

test("a million slices: true and quick", async () => {
    const { page, problems, close } = await open("large.html");
    const times = await page.evaluate(async () => {
        const { view } = window.tacho.timeline;
        const times = [];
        let last = performance.now();
        for (let i = 0; i < 120; i++) {
            view.zoom(i % 40 < 20 ? 0.7 : 1.4, view.time((i * 37) % view.width));
            await new Promise(requestAnimationFrame);
            times.push(performance.now() - last);
            last = performance.now();
        }
        return times.sort((one, other) => one - other);
    });
    assert.ok(times[60] < 50, `${times[60]} ms between frames`);
    assert.deepEqual(problems, []);
    await close();
});
