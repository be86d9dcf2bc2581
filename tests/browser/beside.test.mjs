// What stands beside a timeline, in a real browser: the map of a device log, and the report before it. tests/test_browser.py runs this.
import assert from "node:assert/strict";
import { test } from "node:test";

import { axe, DARK, NARROW, picture, read, ready, tab, width as wide } from "./open.mjs";

const cursor = (page) => page.evaluate(() => {
    const { source, timeline } = window.tacho;
    const { tracks } = source.head;
    const row = source.rows[timeline.marks.cursor];
    return row ? tracks[tracks[row.track].parent].name : null;
});

for (const [width, options, some] of [[1440, {}], [390, {}, NARROW], [1440, { colorScheme: "dark", deviceScaleFactor: 2 }, DARK]]) {
    const name = `${width}${options.colorScheme ? "-dark" : ""}`;
    test(`the map of a device log is seen at ${name} pixels, without complaint and without the network`, async () => {
        const { page, problems, close } = await read("device_perf.html", { viewport: { width, height: 950 }, ...options });
        await ready(page);
        await tab(page, "Map");
        assert.equal(await page.locator(".map button").count(), 64);
        assert.ok((await wide(page)) <= width, "nothing is wider than the window");
        await picture(page, `beside-map-${name}`, { fullPage: true });
        assert.deepEqual(await axe(page, some), []);
        assert.deepEqual(problems, []);
        await close();
    });
}

test("a click on a place brings its track into sight", async () => {
    const { page, problems, close } = await read("device_perf.html");
    await ready(page);
    await tab(page, "Map");
    for (const place of [40, 3]) {
        const button = page.locator(".map button").nth(place);
        const name = (await button.getAttribute("aria-label")).split(",").slice(0, 2).join(",");
        await button.click();
        assert.equal(await cursor(page), name);
        const shown = page.locator(".gutter .track", { hasText: name }).first();
        const [box, holder] = [await shown.boundingBox(), await page.locator(".scroller").boundingBox()];
        assert.ok(box && box.y >= holder.y && box.y < holder.y + holder.height, `${name} is in sight`);
    }
    assert.deepEqual(problems, []);
    await close();
});

test("keys go over the map, and one of them shows the place", async () => {
    const { page, close } = await read("device_perf.html");
    await ready(page);
    await tab(page, "Map");
    await page.locator(".maps select").focus();
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    const first = await focused();
    assert.match(first, /^core \d+, \d+, chip 0: Time in kernels, on any RISC: [\d,]+ cycles, [\d.]+ % of the time of chip 0, [\d.]+M$/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const second = await focused();
    assert.notEqual(second, first);
    await page.keyboard.press("Enter");
    assert.ok(second.startsWith(`${await cursor(page)}, `));
    await close();
});

test("colours are on a scale that begins at 0 and ends where a core does nothing else", async () => {
    const { page, close } = await read("device_perf.html");
    await ready(page);
    await tab(page, "Map");
    const colours = () => page.locator(".map button").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor.match(/\d+/g).map(Number)));
    const ground = [255, 255, 255];
    const away = (colour) => Math.hypot(...colour.map((value, at) => value - ground[at]));
    const full = Math.hypot(255 - 0x2f, 255 - 0x7f, 255 - 0xd1);
    for (const colour of await colours()) assert.ok(away(colour) < full * 0.4, "cores that run a fifth of the time are not dark");
    await page.locator(".maps select").selectOption("op2op");
    assert.ok(Math.max(...(await colours()).map(away)) > full * 0.9, "where nothing says what is full the largest value is");
    await close();
});

test("a report comes first, and its rows lead to slices and runs", async () => {
    const { page, problems, close } = await read("report.html", { clock: true });
    assert.ok(await page.locator("#report").isVisible());
    assert.ok(await page.locator("#app").isHidden());
    assert.equal(await page.evaluate(() => window.tacho), undefined, "the timeline is made when it is asked for");
    await picture(page, "beside-report", { fullPage: true });
    assert.deepEqual(await axe(page), []);
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await page.locator("#report td a", { hasText: "Convolution (NHWC, F32) DWConv #13" }).first().click();
    await ready(page);
    assert.ok(await page.locator("#report").isHidden());
    await page.waitForFunction(() => [...document.querySelectorAll("h2")].some((one) => one.textContent === "Convolution (NHWC, F32) DWConv #13"));
    await page.waitForFunction(() => document.querySelector(".found").textContent === "30 slices");
    await picture(page, "beside-report-slices", { fullPage: true });
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press("w"); // what is looked at is another view, which the address would say in a moment
    await page.locator(".back a").click();
    await page.locator("#report").waitFor();
    await page.clock.fastForward(10_000);
    assert.equal(await page.evaluate(() => location.hash), "#report", "the timeline does not change the address of the report");
    await page.locator("#report td a", { hasText: /^run 7$/ }).first().click();
    await page.locator("#app").waitFor();
    await ready(page);
    const [shown, run] = await page.evaluate(() => {
        const { view, source } = window.tacho.timeline;
        return [[view.from, view.to], source.head.runs.find((one) => one.name === "run 7")];
    });
    assert.ok(shown[0] <= run.start && shown[1] >= run.end && shown[1] - shown[0] < 2 * (run.end - run.start));
    assert.deepEqual(problems, []);
    await close();
});

test("a name of several slices is searched for where no slice has it", async () => {
    const { page, close } = await read("report.html", { fragment: `#n=${encodeURIComponent("35 x Fully Connected (NC, F32) GEMM")}` });
    await ready(page);
    await page.waitForFunction(() => /^[\d,]+ hits/.test(document.querySelector(".found").textContent));
    assert.ok(await page.locator("#report").isHidden());
    await close();
});

test("a section of the report is no question to the timeline", async () => {
    const { page, close } = await read("report.html", { fragment: "#operators" });
    assert.ok(await page.locator("#report").isVisible());
    assert.equal(await page.evaluate(() => window.tacho), undefined);
    await close();
});

test("without script the report is there", async () => {
    const { page, close } = await read("report.html", { javaScriptEnabled: false });
    assert.ok(await page.locator("#report h1").isVisible());
    await close();
});
