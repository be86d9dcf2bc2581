// The history page while the servers of the history are away, in a real browser. tests/test_history_browser.py runs this; at TACHO_CONTROL are
// /stop and /start, which do that to the servers of the history.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, axe, picture } from "./open.mjs";

const { TACHO_CONTROL: CONTROL } = process.env;

test("a history that is away is told, and comes back by itself", async () => {
    const { page, close } = await ask("/history");
    const says = (text) => page.waitForFunction((wanted) => document.querySelector(".history .sentence")?.textContent.includes(wanted), text);
    await says("net, run: no change over 3 builds");
    await fetch(`${CONTROL}/stop`);
    await page.locator(".mood.bad", { hasText: "cannot be asked: Connection refused" }).first().waitFor();
    await page.locator("select").nth(2).selectOption("operators");
    await page.waitForFunction(() => document.querySelectorAll(".mood.bad").length > 1);
    await picture(page, "history-away", { fullPage: true });
    assert.ok(!(await page.content()).includes("cr:et"));
    assert.deepEqual(await axe(page), []);
    await fetch(`${CONTROL}/start`);
    await says("net, operators: 0 changes over 3 builds");
    assert.equal(await page.locator(".mood.bad").count(), 0);
    await close();
});
