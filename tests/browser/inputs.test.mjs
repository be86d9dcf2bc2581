// The page of a trace of every kind of input: everything that can be done is done, without a complaint. tests/test_trace_page.py runs this.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { axe, DARK, frames, NARROW, open, picture, print, ready, tab, width } from "./open.mjs";

const PAGES = readdirSync(process.env.TACHO_PAGES).filter((name) => name.startsWith("input-")).sort();

const SIZES = [["1440", { viewport: { width: 1440, height: 950 } }], ["390", { viewport: { width: 390, height: 844 } }, NARROW],
               ["1440-ratio-2-dark", { viewport: { width: 1440, height: 950 }, deviceScaleFactor: 2, colorScheme: "dark" }, DARK]];

for (const name of PAGES) {
    const short = name.replace(/^input-|\.html$/g, "");
    test(`${short}: seen at every size, every sheet`, async () => {
        for (const [size, options, some] of SIZES) {
            const { page, problems, close } = await open(name, options);
            await picture(page, `trace-${short}-${size}`);
            for (const title of await page.locator("[role=tab]").allInnerTexts()) {
                await tab(page, title);
                await frames(page);
                assert.ok((await width(page)) <= options.viewport.width, `${title} at ${size}: nothing is wider than the window`);
            }
            assert.deepEqual(await axe(page, some), [], size);
            assert.deepEqual(problems, []);
            await close();
        }
    });

    test(`${short}: every slice that is found can be looked at, folded, added up and printed`, async () => {
        const { page, problems, close } = await open(name);
        const head = await page.evaluate(() => ({ ...window.tacho.source.head, tables: [] }));
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => window.tacho.timeline.marks.selection);
        await page.waitForSelector(".sheet:not([hidden]) .pairs");
        const label = await page.evaluate(() => window.tacho.source.labels[window.tacho.timeline.marks.selection.label]);
        await page.locator(".sheet:not([hidden]) button", { hasText: /^All / }).click();
        const told = `${label.count.toLocaleString("en-US")} slice${label.count === 1 ? "" : "s"}`;
        await page.waitForFunction((told) => document.querySelector(".found").textContent === told, told);
        await page.keyboard.press("f");
        await ready(page);
        await page.keyboard.press("Escape");
        await page.keyboard.press("0");
        await page.evaluate(([begin, end]) => window.tacho.timeline.setRange([begin, end]), [head.begin, head.end + 1]);
        await page.waitForSelector(".sheet:not([hidden]) [data-sums=names]");
        const counted = await page.locator("[data-sums=tracks] tbody tr").count();
        assert.ok(counted > 0);
        await tab(page, "Flame");
        await page.waitForSelector(".flame[data-done]");
        await frames(page);
        await picture(page, `trace-${short}-flame`, { fullPage: true });
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => window.tacho.timeline.marks.hits === null);
        await page.waitForFunction(() => !/^Fold idle$/.test(document.querySelector(".controls button[aria-pressed]").innerText));
        if (await page.locator(".controls button[aria-pressed]").isVisible()) {
            await page.keyboard.press("i");
            await page.waitForFunction(() => window.tacho.timeline.view.fold.gaps.length > 0);
            await ready(page);
            await picture(page, `trace-${short}-folded`);
        }
        await print(page, `trace-${short}`);
        assert.deepEqual(problems, []);
        await close();
    });
}
