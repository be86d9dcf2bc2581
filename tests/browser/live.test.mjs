// The live page, in a real browser. tests/test_serve_live_browser.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core and axe-core     TACHO_CHROMIUM  the browser
//   TACHO_SERVED       the address of a server                                         TACHO_PICTURES  folder for screenshots
//   TACHO_TOKEN        its token                                                       TACHO_LOG       a log that it follows
//   TACHO_ZONES        a program that records                                          TACHO_ROWS      what the log may hold
//   TACHO_PYTHONPATH   the Python package                                              TACHO_ADDRESS   for a program to listen on
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const { TACHO_SERVED: SERVED, TACHO_TOKEN: TOKEN, TACHO_LOG: LOG, TACHO_ADDRESS: ADDRESS } = process.env;
const rows = readFileSync(process.env.TACHO_ROWS, "utf8").split(/(?<=\n)/);
const program = "import sys, tacho\nfor line in sys.stdin:\n    with tacho.zone(line.strip()):\n        pass\n";

let browser, page;
const problems = [];
const started = [];

function start(command, words, variables) {
    const made = spawn(command, words, { env: { ...process.env, TACHO_LIVE: ADDRESS, ...variables }, stdio: ["pipe", "ignore", "ignore"] });
    started.push(made);
    return made;
}

before(async () => {
    browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
    page = await (await browser.newContext({ viewport: { width: 1440, height: 950 } })).newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.setDefaultTimeout(20_000);
    await page.goto(`${SERVED}/live?token=${TOKEN}`, { waitUntil: "load" });
});

after(async () => {
    await browser?.close();
    for (const one of started) one.kill("SIGKILL");
});

const picture = (name) => page.screenshot({ path: path.join(process.env.TACHO_PICTURES, `live-${name}.png`), fullPage: true });
const item = (name) => page.locator(".sources li", { hasText: name });
const state = (name, wanted) => item(name).and(page.locator(`[data-state="${wanted}"]`)).waitFor();
const press = (name) => page.getByRole("button", { name, exact: true }).click();
const view = () => page.evaluate(() => ({ from: window.tacho.timeline.view.from, to: window.tacho.timeline.view.to, end: window.tacho.source.head.end }));

/** Somebody sees a slice of this name: it is drawn, and nothing that is shown is a mean. */
const seen = (name) => page.waitForFunction((wanted) => {
    const { source, timeline } = window.tacho ?? {};
    return timeline?.element.isConnected && timeline.element.dataset.ready === "true" && source.labels.some((label) => label.name === wanted && label.count > 0);
}, name, { polling: "raf" });

/** Seconds from each of some lines that a program gets to their pictures. */
async function delays(made, name) {
    const found = [];
    for (let turn = 0; turn < 8; turn++) {
        await new Promise((done) => setTimeout(done, 130));
        const begun = performance.now();
        made.stdin.write(`${name} ${turn}\n`);
        await seen(`${name} ${turn}`);
        found.push((performance.now() - begun) / 1000);
    }
    return found;
}

const told = (what, found) => console.log(`${what}: ${found.map((one) => one.toFixed(2)).join(" ")} s from event to picture, at most ${Math.max(...found).toFixed(2)} s`);

test("the viewer is first", async () => {
    await state(LOG, "waiting");
    await item(LOG).getByText("the file is not there yet").waitFor();
    await page.getByLabel("Address of a program that records").fill(ADDRESS);
    await press("Connect");
    await state(ADDRESS, "waiting");
    await item(ADDRESS).getByText("no program answers there yet").waitFor();
    await picture("waiting");
});

test("a log that grows line by line", async () => {
    appendFileSync(LOG, rows.slice(0, 30).join(""));
    await state(LOG, "connected");
    await page.waitForFunction(() => window.tacho?.source.head.counts.slices > 0);
    const found = [];
    const slices = () => page.evaluate(() => window.tacho.source.head.counts.slices);
    for (let turn = 0; turn < 8; turn++) {
        const had = await slices();
        const begun = performance.now();
        appendFileSync(LOG, rows.slice(30 + turn * 20, 50 + turn * 20).join(""));
        await page.waitForFunction((before) => window.tacho.source.head.counts.slices > before && window.tacho.timeline.element.dataset.ready === "true", had, { polling: "raf" });
        found.push((performance.now() - begun) / 1000);
    }
    told("a log", found);
    await picture("log");
});

test("a program with zones", async () => {
    const made = start(process.env.TACHO_ZONES, ["lines"], {});
    await state(ADDRESS, "connected");
    made.stdin.write("first\n");
    await item(ADDRESS).getByRole("button", { name: "Show" }).click();
    await seen("first");
    told("a program", await delays(made, "zone"));
    await picture("program");

    await press("Pause");
    const paused = await view();
    made.stdin.write("while paused\n");
    await page.waitForTimeout(1200);
    assert.equal((await view()).end, paused.end);
    assert.equal(await page.locator(".live-view").getAttribute("data-paused"), "true");
    await press("+");
    await page.locator('.timeline[data-ready="true"]').waitFor();
    await press("Go on");
    await seen("while paused");

    // Who comes closer to something looks at that.
    assert.equal(await page.locator(".live-view").getAttribute("data-following"), "false");
    const still = await view();
    made.stdin.write("out of sight\n");
    await seen("out of sight");
    const moved = await view();
    assert.ok(moved.end > still.end && Math.abs(moved.to - still.to) < 1);
    await press("Follow");
    made.stdin.write("in sight\n");
    await seen("in sight");
    const followed = await view();
    assert.ok(followed.to >= followed.end, JSON.stringify(followed));

    made.kill("SIGKILL");
    await state(ADDRESS, "ended");
    await item(ADDRESS).getByText("it was killed, or crashed").waitFor();
    await picture("killed");
});

test("a Python script", async () => {
    const made = start("/usr/bin/python3", ["-c", program], { PYTHONPATH: process.env.TACHO_PYTHONPATH });
    await item(ADDRESS).getByRole("button", { name: "Again" }).click();
    await state(ADDRESS, "connected");
    made.stdin.write("begin\n");
    await seen("begin");
    told("a script", await delays(made, "step"));
    made.stdin.end();
    await state(ADDRESS, "ended");
    await item(ADDRESS).getByText("all of it came").waitFor();
});

test("what is kept, and what is wrong", async () => {
    await page.getByLabel("Seconds that are kept").fill("5");
    await page.getByLabel("Seconds that are kept").press("Enter");
    await page.getByLabel("Address of a program that records").fill("nonsense");
    await press("Connect");
    await page.getByText("an address is HOST:PORT").waitFor();
    await page.getByLabel("Address of a program that records").fill(SERVED.replace("http://", ""));
    await press("Connect");
    await item(SERVED.replace("http://", "")).getByText("does not answer as a program that records does").waitFor();
    await picture("failed");
    await item(SERVED.replace("http://", "")).getByRole("button", { name: "Forget" }).click();
    await item(SERVED.replace("http://", "")).waitFor({ state: "detached" });
});

test("narrow and dark", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await picture("dark");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(300);
    await picture("narrow");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), "nothing is wider than the screen");
    await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8") + "; undefined");
    const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`));
    assert.deepEqual(found, []);
    assert.deepEqual(problems.filter((text) => !text.includes("status of 400") && !text.includes("status of 404")), []);
});
