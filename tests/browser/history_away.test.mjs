// The history page while the servers of the history are away, in a real browser. tests/test_history_browser.py runs this and sets the environment:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core and axe-core     TACHO_CHROMIUM  the browser
//   TACHO_SERVED       the address of a server with a history                          TACHO_PICTURES  folder for screenshots
//   TACHO_TOKEN        its token                                                       TACHO_CONTROL   address where /stop and /start do that to the history's servers
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { axe } from "./open.mjs";

const require = createRequire(path.join(process.env.TACHO_WEB_MODULES, "package.json"));
const { chromium } = require("playwright-core");
const { TACHO_SERVED: SERVED, TACHO_TOKEN: TOKEN, TACHO_CONTROL: CONTROL } = process.env;

const browser = await chromium.launch({ executablePath: process.env.TACHO_CHROMIUM, args: ["--no-sandbox"] });
test.after(() => browser.close());

test("a history that is away is told, and comes back by itself", async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 950 } });
    page.setDefaultTimeout(30_000);
    const says = (text) => page.waitForFunction((wanted) => document.querySelector(".history .sentence")?.textContent.includes(wanted), text);
    await page.goto(`${SERVED}/history?token=${TOKEN}`);
    await says("net, run: no change over 3 builds");
    await fetch(`${CONTROL}/stop`);
    await page.locator(".mood.bad", { hasText: "cannot be asked: Connection refused" }).first().waitFor();
    await page.locator("select").nth(2).selectOption("operators");
    await page.waitForFunction(() => document.querySelectorAll(".mood.bad").length > 1);
    await page.screenshot({ path: path.join(process.env.TACHO_PICTURES, "history-away.png"), fullPage: true });
    assert.ok(!(await page.content()).includes("cr:et"));
    assert.deepEqual(await axe(page), []);
    await fetch(`${CONTROL}/start`);
    await says("net, operators: 0 changes over 3 builds");
    assert.equal(await page.locator(".mood.bad").count(), 0);
    await page.close();
});
