// The page of one build of a history of several models, in a real browser. tests/test_history_browser.py runs this.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { ask, axe, DARK, MARKUP, NARROW, picture, width as wide } from "./open.mjs";

const field = (page, name) => page.locator(".fields label", { has: page.locator(`span:text-is("${name}")`) }).locator("select, input");
const results = (page) => page.getByRole("region", { name: "Results" }).locator("tbody tr");
const names = (page) => results(page).locator("td:first-child").allInnerTexts();

for (const width of [1440, 390]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`a build at ${width} pixels, ${colorScheme}`, async () => {
            const { page, problems, close } = await ask("/history/build", { viewport: { width, height: 900 }, colorScheme });
            await page.getByRole("heading", { name: "Build b2" }).waitFor();
            await page.getByRole("heading", { name: "Failures" }).waitFor();
            await picture(page, `build-${width}-${colorScheme}`, { fullPage: true });
            assert.match(await page.locator(".tiles").innerText(), /Results\s+8\s+\+1\s+Failed\s+1\s+\+1\s+Launches\s+15.*Mean change\s+\+\d.*of 6 compared/s);
            assert.match(await page.locator(".bins svg").getAttribute("aria-label"), /1 over -10 % up to -8 %.*1 over 2 % up to 4 %, 1 over 10 %$/);
            assert.deepEqual((await names(page)).slice(0, 2), ["slower", "slow"], "what became worse comes first");
            assert.match(await results(page).filter({ hasText: "crashes" }).innerText(), /–\t.*1 failed, before: passed/);
            assert.match(await results(page).filter({ hasText: "fresh" }).innerText(), /passed, new/);
            assert.match(await page.getByRole("region", { name: "Notes" }).innerText(), /crashes\tsme2_on, launch 1\texit status 132 \(SIGILL\)/);
            assert.equal(await page.locator("img").count(), 0);
            assert.ok((await wide(page)) <= width, "nothing is wider than the window");
            assert.deepEqual(await axe(page, width < 1440 ? NARROW : colorScheme === "dark" ? DARK : {}), []);
            assert.deepEqual(problems, []);
            await close();
        });
    }
}

test("results are sorted, searched and chosen; the address says it, and going back undoes it", async () => {
    const { page, problems, close } = await ask("/history/build?build=b2");
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
    await results(page).nth(1).waitFor({ state: "detached" });
    assert.deepEqual(await names(page), ["crashes"]);
    assert.deepEqual(problems, []);
    await close();
});

test("another build is held against another one, by another number", async () => {
    const { page, problems, close } = await ask("/history/build?build=b2&against=b1");
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
    const { page, problems, close } = await ask("/history?model=slow");
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
    const { page, close } = await ask("/history?model=steady&device=board&from=b0&to=b2");
    await page.locator("summary", { hasText: "Profiles of both builds" }).click();
    const rows = page.getByRole("region", { name: "Profiles of both builds" }).locator("tbody tr");
    await rows.first().waitFor();
    assert.equal(await rows.count(), 4);
    const [saved] = await Promise.all([page.waitForEvent("download"), rows.filter({ hasText: "b2" }).first().getByRole("button", { name: "Download" }).click()]);
    assert.match(saved.suggestedFilename(), /^net_l\d\.json$/);
    const file = path.join(process.env.TACHO_FOLDER, "saved.json");
    await saved.saveAs(file);
    assert.ok("traceEvents" in JSON.parse(readFileSync(file, "utf8")));
    await rows.filter({ hasText: "b0" }).first().getByRole("button", { name: "Download" }).click();
    await rows.filter({ hasText: "no bytes of this profile were kept" }).waitFor();
    assert.deepEqual(await axe(page), []);
    await close();
});

test("a build that there is not", async () => {
    const { page, problems, close } = await ask("/history/build?build=none");
    await page.getByText("This build is not in the history.").waitFor();
    assert.deepEqual(problems, []);
    await close();
});
