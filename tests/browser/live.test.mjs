// The live page, in a real browser. tests/test_serve_live_browser.py runs this:
//   TACHO_LOG         a log that the server follows     TACHO_ROWS     what it may hold
//   TACHO_ZONES       a program that records            TACHO_ADDRESS  for a program to listen on
//   TACHO_PYTHONPATH  the Python package
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { ask, axe, frames, picture as pictureOf, SERVED, width } from "./open.mjs";

const { TACHO_LOG: LOG, TACHO_ADDRESS: ADDRESS } = process.env;
const TURNS = 4;
const rows = readFileSync(process.env.TACHO_ROWS, "utf8").split(/(?<=\n)/);
const program = "import sys, tacho\nfor line in sys.stdin:\n    with tacho.zone(line.strip()):\n        pass\n";

let page, problems;
const started = [];

function start(command, words, variables) {
    const made = spawn(command, words, { env: { ...process.env, TACHO_LIVE: ADDRESS, ...variables }, stdio: ["pipe", "ignore", "ignore"] });
    started.push(made);
    return made;
}

before(async () => ({ page, problems } = await ask("/live")));

after(() => started.forEach((one) => one.kill("SIGKILL")));

const picture = (name) => pictureOf(page, `live-${name}`, { fullPage: true });
const item = (name) => page.locator(".sources li", { hasText: name });
const state = (name, wanted) => item(name).and(page.locator(`[data-state="${wanted}"]`)).waitFor();
const press = (name) => page.getByRole("button", { name, exact: true }).click();
const told = async () => /[\d,]+ slices/.exec(await item(ADDRESS).innerText())[0];
const view = () => page.evaluate(() => ({ from: window.tacho.timeline.view.from, to: window.tacho.timeline.view.to, end: window.tacho.source.head.end }));

/** Somebody sees a slice of this name: it is drawn, and nothing that is shown is a mean. */
const seen = (name) => page.waitForFunction((wanted) => {
    const { source, timeline } = window.tacho ?? {};
    return timeline?.element.isConnected && timeline.element.dataset.ready === "true" && source.labels.some((label) => label.name === wanted && label.count > 0);
}, name, { polling: "raf" });

/** Seconds from each of some lines that a program gets to their pictures. */
async function delays(made, name) {
    const found = [];
    for (let turn = 0; turn < TURNS; turn++) {
        const begun = performance.now();
        made.stdin.write(`${name} ${turn}\n`);
        await seen(`${name} ${turn}`);
        found.push((performance.now() - begun) / 1000);
    }
    return found;
}

const tell = (what, found) => console.log(`${what}: ${found.map((one) => one.toFixed(2)).join(" ")} s from event to picture, at most ${Math.max(...found).toFixed(2)} s`);

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
    for (let turn = 0; turn < TURNS; turn++) {
        const had = await slices();
        const begun = performance.now();
        appendFileSync(LOG, rows.slice(30 + turn * 20, 50 + turn * 20).join(""));
        await page.waitForFunction((before) => window.tacho.source.head.counts.slices > before && window.tacho.timeline.element.dataset.ready === "true", had, { polling: "raf" });
        found.push((performance.now() - begun) / 1000);
    }
    tell("a log", found);
    await picture("log");
});

test("a program with zones", async () => {
    const made = start(process.env.TACHO_ZONES, ["lines"], {});
    await state(ADDRESS, "connected");
    made.stdin.write("first\n");
    await item(ADDRESS).getByRole("button", { name: "Show" }).click();
    await seen("first");
    tell("a program", await delays(made, "zone"));
    await picture("program");

    await press("Pause");
    const paused = await view();
    const had = await told();
    made.stdin.write("while paused\n");
    await page.waitForFunction(([text, had]) => [...document.querySelectorAll(".sources li")].some((one) => one.textContent.includes(text) && !one.textContent.includes(had)), [ADDRESS, had]);
    await frames(page);
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
    tell("a script", await delays(made, "step"));
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
    await frames(page);
    await picture("narrow");
    assert.ok(await width(page) <= 390, "nothing is wider than the screen");
    assert.deepEqual(await axe(page), []);
    assert.deepEqual(problems.filter((text) => !text.includes("status of 400") && !text.includes("status of 404")), []);
});
