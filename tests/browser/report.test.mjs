// Reports in a real browser: what the first screen says. tests/test_browser.py runs this.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { axe, picture, read } from "./open.mjs";

const PAGES = readdirSync(process.env.TACHO_PAGES).filter((name) => name.endsWith(".html"));
const HEIGHT = 900;

const open = (name, width, options) => read(name, { viewport: { width, height: HEIGHT }, ...options });

const bottom = async (locator) => {
    const box = await locator.boundingBox();
    assert.ok(box && box.width > 0, "it is seen");
    return box.y + box.height;
};

const card = (page, key) => page.locator(".card", { has: page.locator(`#${key}`) });

/** Elements that reach beyond the window, or text of a picture that reaches beyond its picture or lies on other text. */
function wrong() {
    const found = [];
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll("main *")) {
        const box = element.getBoundingClientRect();
        if (box.width && box.right > wide + 1 && !element.closest(".table, pre")) found.push(`${element.tagName} ${element.className} to ${box.right}`);
    }
    for (const svg of document.querySelectorAll("svg")) {
        const frame = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
        if (!frame.width) continue;
        for (const [index, { text, box }] of texts.entries()) {
            if (box.left < frame.left - 2 || box.right > frame.right + 2) found.push(`"${text}" leaves its picture`);
            for (const other of texts.slice(index + 1)) {
                const apart = box.right <= other.box.left + 1 || other.box.right <= box.left + 1 || box.bottom <= other.box.top + 4 || other.box.bottom <= box.top + 4;
                if (!apart) found.push(`"${text}" lies on "${other.text}"`);
            }
        }
        const size = parseFloat(getComputedStyle(svg.querySelector("text") ?? svg).fontSize) * (frame.width / svg.viewBox.baseVal.width);
        if (size < 11) found.push(`letters of ${size} pixels`);
    }
    return found;
}

for (const name of PAGES) {
    test(`${name}: the first screen answers; nothing overflows or collides, also in a narrow window, folded or not`, async () => {
        const { page, problems, close } = await open(name, 1400);
        assert.match(await page.title(), /^Profiling Report: \S/);
        const headline = page.locator("main > .mood").first();
        assert.match(await headline.innerText(), /\d(\.\d+)? ?[mµn]?s\b|\dx (faster|slower)/);
        assert.ok((await bottom(headline)) < HEIGHT / 3);
        assert.ok((await bottom(card(page, "where").locator("svg"))) < HEIGHT);
        assert.match(await card(page, "where").locator("svg").getAttribute("aria-label"), /Time of a run by part/);
        const items = card(page, "first").locator("li");
        const count = await items.count();
        assert.ok(count >= 1 && count <= 3, `${count} things to do`);
        assert.ok((await bottom(items.nth(count - 1))) < HEIGHT);
        assert.match(await items.first().innerText(), /saves .* at most|of a run/);
        assert.ok((await bottom(card(page, "lost"))) < HEIGHT);
        if (await page.locator("#slower").count()) assert.ok((await bottom(card(page, "slower"))) < HEIGHT);
        assert.ok((await page.locator("details[open]").count()) === 0);
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(height < 2400, `${height} pixels`);
        assert.deepEqual(await page.evaluate(wrong), []);
        assert.deepEqual(problems, []);
        await picture(page, `report-${path.parse(name).name}-1400`);

        await page.setViewportSize({ width: 700, height: HEIGHT });
        assert.deepEqual(await page.evaluate(wrong), []);
        await picture(page, `report-${path.parse(name).name}-700`, { fullPage: true });
        await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
        assert.deepEqual(await page.evaluate(wrong), []);
        assert.deepEqual(await axe(page), []);
        assert.deepEqual(problems, []);
        await close();
    });
}

test("sections open without script, and where somebody is sent into one", async () => {
    const { page, close } = await open(PAGES[0], 1400, { javaScriptEnabled: false });
    await page.locator("summary").first().click();
    assert.ok(await page.locator("details[open] .folded").first().isVisible());
    await close();
    const { page: sent, close: end } = await open(PAGES[0], 1400);
    const key = await sent.locator(".folded").last().getAttribute("id");
    await sent.goto(`${sent.url()}#${key}`);
    assert.ok(await sent.locator(`#${key}`).isVisible());
    await end();
});

test("pictures have the colours of the system", async () => {
    const { page, close } = await open(PAGES[0], 1400, { colorScheme: "dark" });
    const colours = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("rect.part1")).fill]);
    await close();
    const { page: light, close: end } = await open(PAGES[0], 1400);
    assert.notDeepEqual(await light.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("rect.part1")).fill]), colours);
    await end();
});
