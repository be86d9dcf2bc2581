// The page of one build of a history, in a real browser. tests/test_history_browser.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core and axe-core     TACHO_CHROMIUM  the browser
//   TACHO_SERVED       the address of a server with a history of several models       TACHO_PICTURES  folder for screenshots
//   TACHO_TOKEN        its token
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { axe, visit } from "./open.mjs";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const { TACHO_SERVED: SERVED, TACHO_TOKEN: TOKEN } = process.env;
const MARKUP = "<img src=x onerror=alert(1)>";

const browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
test.after(() => browser.close());

const open = (address, options) => visit(browser, `${SERVED}${address}${address.includes("?") ? "&" : "?"}token=${TOKEN}`, options);

const field = (page, name) => page.locator(".fields label", { has: page.locator(`span:text-is("${name}")`) }).locator("select, input");
const results = (page) => page.getByRole("region", { name: "Results" }).locator("tbody tr");
const names = (page) => results(page).locator("td:first-child").allInnerTexts();

for (const width of [1440, 390]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`a build at ${width} pixels, ${colorScheme}`, async () => {
            const { page, problems, close } = await open("/history/build", { viewport: { width, height: 900 }, colorScheme });
            await page.getByRole("heading", { name: "Build b2" }).waitFor();
            await page.getByRole("heading", { name: "Failures" }).waitFor();
            await page.screenshot({ path: path.join(process.env.TACHO_PICTURES, `build-${width}-${colorScheme}.png`), fullPage: true });
            assert.match(await page.locator(".tiles").innerText(), /Results\s+8\s+\+1\s+Failed\s+1\s+\+1\s+Launches\s+15.*Mean change\s+\+\d.*of 6 compared/s);
            assert.match(await page.locator(".bins svg").getAttribute("aria-label"), /1 over -10 % up to -8 %.*1 over 2 % up to 4 %, 1 over 10 %$/);
            assert.deepEqual((await names(page)).slice(0, 2), ["slower", "slow"], "what became worse comes first");
            assert.match(await results(page).filter({ hasText: "crashes" }).innerText(), /–\t.*1 failed, before: passed/);
            assert.match(await results(page).filter({ hasText: "fresh" }).innerText(), /passed, new/);
            assert.match(await page.getByRole("region", { name: "Notes" }).innerText(), /crashes\tsme2_on, launch 1\texit status 132 \(SIGILL\)/);
            assert.equal(await page.locator("img").count(), 0);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "nothing is wider than the window");
            assert.deepEqual(await axe(page), []);
            assert.deepEqual(problems, []);
            await close();
        });
    }
}

test("results are sorted, searched and chosen; the address says it, and going back undoes it", async () => {
    const { page, problems, close } = await open("/history/build?build=b2");
    await results(page).first().waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    assert.equal((await names(page))[0], "fast");
    await page.getByRole("button", { name: "Model" }).click();
    assert.deepEqual((await names(page)).slice(0, 2), [MARKUP, "crashes"]);
    await field(page, "Show").selectOption("broke");
    assert.deepEqual(await names(page), ["crashes"]);
    await field(page, "Show").selectOption("slower");
    await field(page, "Search").fill("slow BOARD");
    await field(page, "Search").press("Enter");
    assert.deepEqual((await names(page)).sort(), ["slow", "slower"]);
    assert.match(page.url(), /words=slow\+BOARD&show=slower/);
    await page.goBack();
    await page.goBack();
    assert.deepEqual(await names(page), ["crashes"]);
    assert.deepEqual(problems, []);
    await close();
});

test("another build is held against another one, by another number", async () => {
    const { page, problems, close } = await open("/history/build?build=b2&against=b1");
    await results(page).first().waitFor();
    assert.match(await results(page).filter({ hasText: "mended" }).innerText(), /passed, before: 1 failed/);
    assert.match(await results(page).filter({ hasText: /^old/ }).innerText(), /not measured/);
    await field(page, "Number").selectOption("operators");
    assert.match(await results(page).filter({ hasText: "steady" }).innerText(), /• 0\.00 %\t5\t5\t/);
    await field(page, "Number").selectOption("median");
    await field(page, "Times").selectOption("10000000");
    assert.match(await page.locator(".tiles").innerText(), /of 0 compared/);
    await field(page, "Build").selectOption("b0");
    await page.getByRole("heading", { name: "Build b0" }).waitFor();
    assert.match(await page.locator(".tiles").innerText(), /Failed\s+0/);
    assert.deepEqual(problems, []);
    await close();
});

test("the history leads to its builds, and a result to the comparison behind it", async () => {
    const { page, problems, close } = await open("/history?model=slow");
    const latest = page.getByRole("region", { name: "Latest builds" });
    await latest.locator("tbody tr").first().waitFor();
    assert.deepEqual(await latest.locator("td:first-child").allInnerTexts(), ["b2", "b1", "b0"]);
    assert.match(await latest.locator("tbody tr").first().innerText(), /b2\tc0ffeeb2\t.*\t8\t15\t1\t87\.5 %/);
    await field(page, "Drawn").selectOption("7");
    await page.waitForFunction(() => location.search.includes("days=7"));
    await page.locator(".trend svg[aria-label*='over 3 builds']").waitFor();
    await latest.getByRole("link", { name: "b2" }).click();
    await page.getByRole("link", { name: "slower", exact: true }).click();
    await page.locator(".compare .table").first().waitFor();
    assert.match(page.url(), /model=slower&device=board&from=b1&to=b2/);
    assert.match(await page.locator(".compare").innerText(), /conv/);
    assert.deepEqual(problems, []);
    await close();
});

test("profiles that were kept are handed out, and of others it is said", async () => {
    const { page, close } = await open("/history?model=steady&device=board&from=b0&to=b2");
    await page.locator("summary", { hasText: "Profiles of both builds" }).click();
    const rows = page.getByRole("region", { name: "Profiles of both builds" }).locator("tbody tr");
    await rows.first().waitFor();
    assert.equal(await rows.count(), 4);
    const [saved] = await Promise.all([page.waitForEvent("download"), rows.filter({ hasText: "b2" }).first().getByRole("button", { name: "Download" }).click()]);
    assert.match(saved.suggestedFilename(), /^net_l\d\.json$/);
    const { readFile } = await import("node:fs/promises");
    assert.ok("traceEvents" in JSON.parse(await readFile(await saved.path(), "utf8")));
    await rows.filter({ hasText: "b0" }).first().getByRole("button", { name: "Download" }).click();
    await rows.filter({ hasText: "no bytes of this profile were kept" }).waitFor();
    assert.deepEqual(await axe(page), []);
    await close();
});

test("a build that there is not", async () => {
    const { page, problems, close } = await open("/history/build?build=none");
    await page.getByText("This build is not in the history.").waitFor();
    assert.deepEqual(problems, []);
    await close();
});
