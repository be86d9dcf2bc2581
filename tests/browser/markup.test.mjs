// Names that are markup, in every page of `tacho serve`: no script of theirs runs. tests/serve_attacks.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core     TACHO_CHROMIUM  the browser
//   TACHO_SERVED       the address of a server                           TACHO_TOKEN     its token
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const SERVED = process.env.TACHO_SERVED;
const TOKEN = process.env.TACHO_TOKEN;

let browser;
let pages = 0;

before(async () => {
    browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
    await browser?.close();
    console.log(`pages looked at: ${pages}`);
});

const address = (place) => `${SERVED}${place}?token=${TOKEN}`;

/** What a script that ran would have left behind, in the page and in every frame of it. */
async function harmed(page) {
    const found = await Promise.all(page.frames().map((frame) => frame.evaluate(() => Boolean(window.hacked) || document.querySelectorAll("img[src=x], svg[onload]").length > 0).catch(() => false)));
    return found.some(Boolean);
}

async function look(context, place, tabs) {
    const page = await context.newPage();
    const problems = [];
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(SERVED) && problems.push(`request: ${request.url()}`));
    await page.goto(address(place), { waitUntil: "load" });
    await page.waitForTimeout(300);
    const names = tabs ? await page.getByRole("tab").allInnerTexts() : [];
    for (const name of names) {
        await page.getByRole("tab", { name, exact: true }).click();
        await page.waitForFunction(() => !document.querySelector("[aria-busy]"), undefined, { timeout: 30000 });
        await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((one) => (one.open = true)));
        await page.waitForTimeout(100);
        await page.waitForFunction(() => !document.querySelector("[aria-busy]"), undefined, { timeout: 30000 });
        assert.equal(await harmed(page), false, `${place} ${name}`);
        pages++;
    }
    if (place === "/") await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    assert.equal(await harmed(page), false, place);
    assert.deepEqual(problems, [], place);
    pages++;
    await page.close();
}

test("names are names in every page", { timeout: 600000 }, async () => {
    const context = await browser.newContext();
    let listing;
    do listing = await (await fetch(address("/api/profiles"))).json();
    while (listing.waiting);
    const ids = listing.profiles.filter((card) => card.state === "ready").map((card) => card.id);
    assert.ok(ids.length > 3, JSON.stringify(listing.profiles.map((card) => [card.name, card.error])));
    await look(context, "/", false);
    for (const id of ids) {
        await look(context, `/profile/${id}`, true);
        await look(context, `/pages/timeline/${id}`, false);
        await look(context, `/pages/report/${id}`, false);
    }
    await look(context, `/compare/${ids[0]}/${ids[1]}`, false);
    await look(context, `/pages/compare/${ids[0]}/${ids[1]}`, false);
});
