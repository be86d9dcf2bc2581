// Names that are markup, in every page of `tacho serve`: no script of theirs runs. tests/serve_attacks.py runs this.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PATIENCE } from "./connect.mjs";
import { browser, frames, idle, served, SERVED, tab } from "./open.mjs";

const TABS = "[role=tab]";
const REPORT = "main";
let pages = 0;

after(() => console.log(`pages looked at: ${pages}`));

/** What a script that ran would have left behind, in the page and in every frame of it. */
async function harmed(page) {
    const found = await Promise.all(page.frames().map((frame) => frame.evaluate(() => Boolean(window.hacked) || document.querySelectorAll("img[src=x], svg[onload]").length > 0).catch(() => false)));
    return found.some(Boolean);
}

/** The page and what it shows in frames is there, and nothing is awaited. */
async function settled(page) {
    await idle(page);
    for (const frame of page.frames()) await frame.waitForLoadState();
    await frames(page);
}

/** Looks at a page once `seen` is there, and at all of its tabs. */
async function look(context, place, seen) {
    const page = await context.newPage();
    const problems = [];
    page.setDefaultTimeout(PATIENCE);
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(SERVED) && problems.push(`request: ${request.url()}`));
    await page.goto(served(place), { waitUntil: "load" });
    await page.locator(seen).first().waitFor();
    if (seen !== REPORT) await settled(page); // no script may run in a report, so that there is nothing to wait for
    const names = seen === TABS ? await page.getByRole("tab").allInnerTexts() : [];
    for (const name of names) {
        await tab(page, name);
        await settled(page);
        await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((one) => (one.open = true)));
        await settled(page);
        assert.equal(await harmed(page), false, `${place} ${name}`);
        pages++;
    }
    if (place === "/") await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    assert.equal(await harmed(page), false, place);
    assert.deepEqual(problems, [], place);
    pages++;
    await page.close();
}

test("names are names in every page", async () => {
    const context = await browser.newContext();
    let listing;
    do listing = await (await fetch(served("/api/profiles"))).json();
    while (listing.waiting);
    const ids = listing.profiles.filter((card) => card.state === "ready").map((card) => card.id);
    assert.ok(ids.length > 3, JSON.stringify(listing.profiles.map((card) => [card.name, card.error])));
    await look(context, "/", ".profile:not(.waiting)");
    for (const id of ids) {
        await look(context, `/profile/${id}`, TABS);
        await look(context, `/pages/timeline/${id}`, '.timeline[data-ready="true"]');
        await look(context, `/pages/report/${id}`, REPORT);
    }
    await look(context, `/compare/${ids[0]}/${ids[1]}`, "iframe");
    await look(context, `/pages/compare/${ids[0]}/${ids[1]}`, REPORT);
});
