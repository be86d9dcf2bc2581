// The browser of all tests of pages:
//   TACHO_WEB_MODULES  folder in which npm installed playwright-core and axe-core
//   TACHO_BROWSER      where the browser of this run answers (tests/chromium.py); without it TACHO_CHROMIUM is started, for one script alone
import { createRequire } from "node:module";
import path from "node:path";

const { TACHO_WEB_MODULES, TACHO_BROWSER, TACHO_CHROMIUM } = process.env;
export const require = createRequire(path.join(TACHO_WEB_MODULES, "package.json"));
export const { chromium: playwright } = require("playwright-core");
export const PATIENCE = 120_000; // milliseconds in which what is waited for is there, also on a slow machine

export const launching = { executablePath: TACHO_CHROMIUM, args: ["--no-sandbox"], timeout: PATIENCE };
export const connect = () => (TACHO_BROWSER ? playwright.connect(TACHO_BROWSER, { timeout: PATIENCE }) : playwright.launch(launching));

/** What tells how often pieces of the page's scripts ran since it was last asked: how much work that was, the same on every machine. What was compiled
 * before is not counted. */
async function counting(page) {
    const session = await page.context().newCDPSession(page);
    await session.send("Profiler.enable");
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return async () => {
        const { result } = await session.send("Profiler.takePreciseCoverage");
        return result.flatMap(({ functions }) => functions).flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
    };
}

/** A page in a context of its own, what it complained about, and what it asked for: of all that does not begin with `allowed` it is a complaint.
 * `before`: a script that runs before those of the page; `clock`: its time can be made to pass faster; `counted`: its steps are counted. */
export async function visit(browser, url, { allowed = "", before = null, clock = false, counted = false, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 950 }, ...options });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    if (clock) await page.clock.install();
    const steps = counted && await counting(page);
    const [problems, asked] = [[], []];
    page.setDefaultTimeout(PATIENCE);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => {
        const url = request.url();
        asked.push(url);
        if (![allowed, "data:", "blob:"].some((begin) => url.startsWith(begin))) problems.push(`request: ${url}`);
    });
    await page.goto(url, { waitUntil: "load" });
    return { page, context, problems, asked, steps, close: () => context.close() };
}
