// Timelines that a server answers for, in a real browser. tests/test_tiles_browser.py runs this.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, axe, DARK, NARROW, picture as pictureOf, ready, served, tab } from "./open.mjs";

const list = await (await fetch(served("/api/profiles"))).json();
const cards = Object.fromEntries(list.profiles.map(({ name, id }) => [name, id]));

const SIZES = [["wide", {}], ["narrow", { viewport: { width: 390, height: 844 } }, NARROW], ["dark", { colorScheme: "dark" }, DARK]];
const picture = (page, name) => pictureOf(page, `served-${name}`, { fullPage: true });

for (const [name, options, some] of SIZES) {
    test(`a timeline from the server, ${name}`, async () => {
        const { page, problems, close } = await ask(`/pages/timeline/${cards["large.pb"]}`, options);
        await ready(page);
        await picture(page, `timeline-${name}`);
        assert.equal(await page.title(), "Timeline: large.pb");
        assert.deepEqual(await axe(page, some), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        assert.deepEqual(problems, []);
        await close();
    });
}

test("a view of all slices asks for tiles, not for every chunk", async () => {
    const { page, asked, problems, close } = await ask(`/pages/timeline/${cards["large.pb"]}`);
    await ready(page);
    const chunks = await page.evaluate(() => window.tacho.source.rows.reduce((sum, row) => sum + row.chunks, 0));
    const blocks = asked.filter((place) => place.includes("/blocks/")).length;
    assert.ok(chunks > 40 && blocks <= 3, `${blocks} of ${chunks}`);
    assert.ok(asked.some((place) => place.includes("/tiles?")));
    // Near enough, slices themselves are there, with their names.
    await page.evaluate(() => window.tacho.timeline.view.zoom(1e-4));
    await ready(page);
    assert.ok(asked.filter((place) => place.includes("/blocks/")).length > blocks);
    assert.deepEqual(problems, []);
    await close();
});

test("what is under the pointer is found, and chosen", async () => {
    const { page, problems, close } = await ask(`/pages/timeline/${cards["large.pb"]}`);
    await ready(page);
    const { x, y } = await page.locator(".stage canvas").boundingBox();
    await page.mouse.move(x + 300, y + 60);
    await page.waitForSelector(".tip:not([hidden])");
    await page.mouse.click(x + 300, y + 60);
    await page.waitForFunction(() => window.tacho.timeline.marks.selection !== null);
    assert.deepEqual(problems, []);
    await close();
});

test("searching, names, flames and ranges look at all slices", async () => {
    const { page, problems, close } = await ask(`/pages/timeline/${cards["large.pb"]}`);
    await ready(page);
    const label = await page.evaluate(() => window.tacho.source.labels[3]);
    await page.fill("input[type=search]", label.name);
    await page.waitForFunction(() => /hits$/.test(document.querySelector(".found").textContent));
    const found = Number((await page.textContent(".found")).replace(/\D/g, ""));
    const wanted = await page.evaluate((text) => window.tacho.source.labels.filter(({ name }) => name.includes(text)).reduce((sum, { count }) => sum + count, 0), label.name);
    assert.equal(found, wanted);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /^\d+ of /.test(document.querySelector(".found").textContent));
    await page.evaluate(() => {
        const { head } = window.tacho.source;
        window.tacho.timeline.setRange([head.begin, head.end]);
    });
    await tab(page, "Range");
    await page.waitForFunction(() => document.querySelector("main").textContent.includes("kernel_"));
    await tab(page, "Flame");
    assert.deepEqual(problems, []);
    await close();
});

test("a profile shows its timeline inside", async () => {
    const { page, problems, close } = await ask(`/profile/${cards["off.etdump"]}#timeline`);
    const frame = page.frameLocator("iframe");
    await frame.locator('.timeline[data-ready="true"]').waitFor();
    await picture(page, "profile");
    assert.deepEqual(problems, []);
    await close();
});

for (const [name, options, some] of SIZES) {
    test(`two timelines on one axis, ${name}`, async () => {
        const { page, problems, close } = await ask(`/pages/timeline/${cards["off.etdump"]}/${cards["on.etdump"]}`, options);
        await page.waitForFunction(() => document.querySelectorAll('.timeline[data-ready="true"]').length === 2);
        await page.selectOption("select", { index: 1 });
        await page.waitForFunction(() => document.querySelectorAll('.timeline[data-ready="true"]').length === 2);
        await picture(page, `pair-${name}`);
        assert.deepEqual(await axe(page, some), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        assert.deepEqual(problems, []);
        await close();
    });
}

test("two timelines move together, aligned at what is chosen", async () => {
    const { page, problems, close } = await ask(`/pages/timeline/${cards["off.etdump"]}/${cards["on.etdump"]}`);
    await page.waitForFunction(() => document.querySelectorAll('.timeline[data-ready="true"]').length === 2);
    const shown = () => page.evaluate(() => window.tacho.timelines.map(({ view, renderer }) => [view.start - renderer.zero, view.span]));
    const same = async () => {
        const [one, other] = await shown();
        one.forEach((value, at) => assert.ok(Math.abs(value - other[at]) < 1e-3 * Math.max(1, one[1]), `${one} ${other}`));
    };
    await same();
    await page.evaluate(() => window.tacho.timelines[0].view.zoom(0.1));
    await same();
    await page.evaluate(() => window.tacho.timelines[1].view.pan(0.4));
    await same();
    const name = await page.evaluate(() => window.tacho.timelines[0].source.head.runs[1].name);
    await page.selectOption("select", { label: `where ${name} begins` });
    await same();
    const zeros = await page.evaluate((run) => window.tacho.timelines.map(({ renderer, source }) => renderer.zero - source.head.runs.find((one) => one.name === run).start), name);
    assert.deepEqual(zeros, [0, 0]);
    await page.evaluate(() => Promise.all(window.tacho.timelines.map(async (timeline, at) => {
        const row = timeline.source.rows.find(({ kind, slices, chunks }) => kind === 0 && slices[chunks] > 5);
        timeline.select(await timeline.find({ row: row.number, slice: 3 + at }));
    })));
    await page.selectOption("select", "slices");
    await same();
    assert.ok(await page.evaluate(() => window.tacho.timelines.every(({ renderer, marks }) => renderer.zero === marks.selection.start)));
    assert.match(await page.textContent(".controls [role=status]"), /before, .* after/);
    assert.deepEqual(problems, []);
    await close();
});

test("what is not there is said", async () => {
    const { page, close } = await ask("/pages/timeline/0000000000000000");
    await page.waitForFunction(() => document.body.textContent.includes("no profile has this id"));
    await close();
});
