// What `tacho serve` shows, in a real browser. tests/test_serve_browser.py runs this; TACHO_FOLDER is what it serves, to put a file there.
import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { ask, browser, idle, MARKUP as IMAGE, picture as pictureOf, says, served, SERVED, tab, width as wide } from "./open.mjs";

const MARKUP = `${IMAGE}.csv`;

const picture = (page, name) => pictureOf(page, `serve-${name}`, { fullPage: true });

async function ready(page) {
    await page.waitForFunction(() => document.querySelectorAll(".profile").length > 3 && !document.querySelector(".profile.waiting"));
}

async function idOf(page, name) {
    return page.evaluate((wanted) => [...document.querySelectorAll(".profile")].find((card) => card.textContent.includes(wanted)).dataset.id, name);
}

async function profileId(name) {
    const { page, close } = await ask("/");
    await ready(page);
    const id = await idOf(page, name);
    await close();
    return id;
}

for (const [width, options] of [[1440, {}], [390, {}], [1440, { colorScheme: "dark" }]]) {
    const name = `${width}${options.colorScheme ? "-dark" : ""}`;

    test(`the gallery at ${name} pixels`, async () => {
        const { page, problems, close } = await ask("/", { viewport: { width, height: 900 }, ...options });
        await ready(page);
        await picture(page, `gallery-${name}`);
        assert.ok((await wide(page)) <= width, "nothing is wider than the window");
        assert.equal(await page.locator(".profile.bad").count(), 1);
        assert.match(await page.locator(".profile.bad .mood").innerText(), /cut\.etdump/);
        assert.deepEqual(problems, []);
        await close();
    });

    test(`a profile at ${name} pixels`, async () => {
        const id = await profileId("runtime.csv");
        const { page, problems, close } = await ask(`/profile/${id}`, { viewport: { width, height: 900 }, ...options });
        for (const title of ["Overview", "Operators", "Latency", "Advice", "Losses", "More tables", "Downloads"]) {
            await tab(page, title);
            await idle(page);
            await picture(page, `${title.toLowerCase().replace(" ", "-")}-${name}`);
            assert.equal(await page.locator(".sheet .mood.bad").count(), 0, title);
            assert.ok((await wide(page)) <= width, `${title}: nothing is wider than the window`);
        }
        for (const [title, seen] of [["Timeline", '.timeline[data-ready="true"]'], ["Report", "main"]]) {
            await tab(page, title);
            await page.frameLocator("iframe").locator(seen).first().waitFor();
            await picture(page, `${title.toLowerCase()}-${name}`);
        }
        assert.deepEqual(problems, []);
        await close();
    });
}

test("search, filters and order", async () => {
    const { page, close } = await ask("/");
    await ready(page);
    const names = () => page.locator(".profile p.quiet:nth-child(2)").allInnerTexts();
    const all = (await names()).length;
    await page.getByRole("searchbox").fill("runtime nothing-of-that-kind");
    assert.deepEqual((await names()).map((text) => text.split(" · ")[0]), ["runtime.csv"]);
    await page.getByRole("searchbox").fill("no such thing");
    assert.equal(await page.locator(".profile").count(), 0);
    assert.match(await page.locator(".profiles").innerText(), /No matches found/);
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Kind").selectOption("estimate");
    const estimates = (await names()).length;
    assert.ok(estimates > 0 && estimates < all);
    await page.getByLabel("Kind").selectOption("");
    await page.getByLabel("Sort").selectOption("name");
    const sorted = (await names()).map((text) => text.split(" · ")[0]);
    assert.deepEqual(sorted, [...sorted].sort((one, other) => one.localeCompare(other, undefined, { numeric: true })));
    await close();
});

test("names with markup are names", async () => {
    const { page, problems, close } = await ask("/");
    await ready(page);
    assert.equal(await page.locator(".profile img").count(), 0);
    const id = await idOf(page, MARKUP);
    for (const place of [`/profile/${id}`, `/pages/report/${id}`, `/pages/timeline/${id}`]) {
        await page.goto(served(place));
        await says(page, MARKUP);
        assert.equal(await page.locator("img").count(), 0);
    }
    assert.deepEqual(problems.filter((text) => !text.includes("frame-ancestors")), []);
    await close();
});

test("a new file appears by itself, and goes", async () => {
    const { page, close } = await ask("/");
    await ready(page);
    const added = path.join(process.env.TACHO_FOLDER, "added.csv");
    copyFileSync(path.join(process.env.TACHO_FOLDER, "runtime.csv"), added);
    await page.locator(".profile", { hasText: "added.csv" }).locator(".tiles").waitFor();
    rmSync(added);
    await page.locator(".profile", { hasText: "added.csv" }).waitFor({ state: "detached" });
    await close();
});

test("two are chosen and compared", async () => {
    for (const width of [1440, 390]) {
        const { page, problems, close } = await ask("/", { viewport: { width, height: 900 } });
        await ready(page);
        assert.ok(await page.getByRole("button", { name: "Compare" }).isDisabled());
        await page.getByLabel("Compare off.etdump").check();
        await page.getByLabel("Compare on.etdump").check();
        await page.getByRole("button", { name: "Compare" }).click();
        await page.frameLocator("iframe").locator("table").first().waitFor();
        await picture(page, `compare-${width}`);
        assert.match(await page.locator(".pairs").innerText(), /off\.etdump[\s\S]*on\.etdump/);
        assert.deepEqual(problems, []);
        await close();
    }
});

test("a table is sorted, filtered and cut by the server", async () => {
    const id = await profileId("timeline.csv");
    const { page, problems, close } = await ask(`/profile/${id}#operators`);
    const rows = page.locator(".served tbody tr");
    const settled = () => page.waitForFunction(() => document.querySelector(".served tbody") && !document.querySelector("[aria-busy]"));
    await settled();
    const all = await rows.count();
    await page.getByLabel("Rows").selectOption("20");
    await page.waitForFunction((before) => document.querySelectorAll(".served tbody tr").length < before, all);
    assert.equal(await rows.count(), 20);
    await page.getByRole("button", { name: "Operator", exact: true }).click();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    const names = await rows.locator("td:first-child").allInnerTexts();
    assert.deepEqual(names, [...names].sort());
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.getByLabel("FLOPs").uncheck();
    await page.waitForFunction(() => ![...document.querySelectorAll("th")].some((head) => head.textContent === "FLOPs"));
    await page.getByPlaceholder("Filter").fill("total_time>100us");
    await page.getByPlaceholder("Filter").press("Enter");
    await page.waitForFunction((before) => document.querySelectorAll(".served tbody tr").length < before, 20);
    assert.deepEqual(problems, []);
    await page.getByPlaceholder("Filter").fill("nonsense>1");
    await page.getByPlaceholder("Filter").press("Enter");
    await page.locator(".mood.bad").waitFor();
    assert.match(await page.locator(".mood.bad").innerText(), /nonsense/);
    await close();
});

test("Perfetto gets the trace once its window answers", async () => {
    const { page, context, close } = await ask("/");
    await ready(page);
    // A stub that is slow to listen, as the real one is.
    await context.route("https://ui.perfetto.dev/**", (route) => route.fulfill({ contentType: "text/html", body: `<!DOCTYPE html><script>
        setTimeout(() => addEventListener("message", (event) => {
            if (event.data === "PING") event.source.postMessage("PONG", event.origin);
            else if (event.data.perfetto) window.got = { bytes: event.data.perfetto.buffer.byteLength, title: event.data.perfetto.title, origin: event.origin };
        }), 400);</script>` }));
    const [popup] = await Promise.all([context.waitForEvent("page"),
        page.locator(".profile", { hasText: "runtime.csv" }).getByRole("button", { name: "Open in Perfetto" }).click()]);
    await popup.waitForFunction(() => window.got);
    const got = await popup.evaluate(() => window.got);
    assert.ok(got.bytes > 10_000);
    assert.equal(got.title, "runtime.csv");
    assert.equal(got.origin, SERVED);
    await page.locator(".perfetto", { hasText: "Perfetto has the trace" }).waitFor();
    await close();
});

test("without the token nothing is shown", async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`${SERVED}/`);
    assert.equal(answer.status(), 401);
    assert.match(await page.locator("body").innerText(), /token/);
    await page.close();
});
