// How soon a large page is there, how smooth it moves, and what it takes: node pages.mjs PAGE. bench/pages.py makes the pages.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { connect, visit } from "../tests/browser/connect.mjs";

const PAGE = process.argv[2];
const MOVES = 2000;
const browser = await connect();

/** Megabytes that the largest process of pages has in memory. */
async function megabytes() {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024);
    return Math.round(Math.max(...sizes));
}

/** Seconds of tasks of the page so far: by the clock, and those in which a processor was at it. */
async function taskTimes(page) {
    const read = async (timeDomain) => {
        const session = await page.context().newCDPSession(page);
        await session.send("Performance.enable", { timeDomain });
        return async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
    };
    const [clock, processor] = [await read("timeTicks"), await read("threadTicks")];
    return async () => ({ clock: await clock(), processor: await processor() });
}

/** Moves the timeline at random, and tells how long frames and drawings took. */
async function move(moves) {
    const { view, renderer } = window.tacho.timeline;
    window.long.length = 0;
    let state = 7;
    const random = () => (state = state * 1103515245 + 12345 & 0x7fffffff) / 0x7fffffff;
    const drawings = [];
    const draw = renderer.draw.bind(renderer);
    renderer.draw = () => {
        const from = performance.now();
        draw();
        drawings.push(performance.now() - from);
    };
    const times = [];
    let last = performance.now();
    for (let i = 0; i < moves; i++) {
        const kind = random();
        if (kind < 0.45) view.zoom(0.6 + random() * 0.4, view.time(random() * view.width));
        else if (kind < 0.8) view.zoom(1 + random() * 0.7, view.time(random() * view.width));
        else if (kind < 0.98) view.pan(random() - 0.5);
        else view.fit();
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - last);
        last = performance.now();
    }
    const at = (list, share) => [...list].sort((one, other) => one - other)[Math.floor((list.length - 1) * share)];
    renderer.draw = draw;
    return { frames: at(times, 0.95), drawings: at(drawings, 0.95), slowest: at(drawings, 1), long: window.long.map(([, took]) => Math.round(took)) };
}

/** What is measured of the page at a pixel ratio, and what of it is more than it may be. */
async function measure(ratio) {
    const { page, problems, close } = await visit(browser, pathToFileURL(PAGE).href, { allowed: "file:", offline: true, deviceScaleFactor: ratio, before: () => {
        window.long = [];
        new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ entryTypes: ["longtask"] });
    } });
    await page.waitForSelector('.timeline[data-ready="true"]');
    const first = await page.evaluate(() => performance.getEntriesByName("picture")[0].startTime);
    const times = await taskTimes(page);
    const before = await times();
    const [halves, sizes] = [[], []];
    for (let half = 0; half < 2; half++) {
        halves.push(await page.evaluate(move, MOVES / 2));
        sizes.push(await megabytes());
    }
    const after = await times();
    await close();
    const [clock, processor] = [after.clock - before.clock, after.processor - before.processor];
    const worst = (key) => Math.max(...halves.map((half) => half[key]));
    const long = halves.flatMap((half) => half.long);
    // Where others have the processors, the clock says how busy the machine is.
    const quiet = processor > clock * 0.85;
    console.log(`${path.basename(PAGE, ".html")}, ratio ${ratio}: first picture after ${Math.round(first)} ms; 95 % of frames within ${worst("frames").toFixed(1)} ms, of drawings ${worst("drawings").toFixed(1)} ms, ` +
        `slowest ${worst("slowest").toFixed(1)} ms; tasks over 50 ms: ${long.length}${long.length ? `, at most ${Math.max(...long)} ms` : ""}; memory ${sizes.join(", then ")} MB; ` +
        `${(processor / MOVES * 1000).toFixed(1)} ms of processor a move${quiet ? "" : ` (others had it for ${Math.round((1 - processor / clock) * 100)} % of the time)`}`);
    const limits = { "memory of 600 MB": Math.max(...sizes) < 600, "memory that does not grow": sizes[1] < sizes[0] + 60, "16 ms of processor a move": processor / MOVES < 0.016, "no complaint": problems.length === 0 };
    if (quiet) Object.assign(limits, { "first picture within 3 s": first < 3000, "95 % of frames within 20 ms": worst("frames") <= 20, "95 % of drawings within 20 ms": worst("drawings") < 20, "no task over 50 ms": long.length === 0 });
    return Object.entries(limits).filter(([, kept]) => !kept).map(([limit]) => limit);
}

for (const ratio of [1, 2]) {
    const broken = await measure(ratio);
    if (broken.length === 0) continue;
    console.log(`not kept: ${broken.join(", ")}`);
    process.exitCode = 1;
}
await browser.close();
