// Ten million slices: how soon they are there, how smooth they move, and what they take. tests/test_trace_page.py runs this.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { launch, megabytes, open } from "./open.mjs";

const PAGES = readdirSync(process.env.TACHO_TRACES).filter((name) => name.startsWith("large-")).sort();
const MOVES = 2000;

launch();

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

for (const name of PAGES) {
    for (const ratio of [1, 2]) {
        test(`${name} at a pixel ratio of ${ratio}`, async () => {
            const { page, problems, close } = await open(name, { deviceScaleFactor: ratio, before: () => {
                window.long = [];
                new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ entryTypes: ["longtask"] });
            } });
            const first = await page.evaluate(() => performance.getEntriesByName("picture")[0].startTime);
            await page.waitForTimeout(1000);
            const times = await taskTimes(page);
            const move = () => page.evaluate(async (moves) => {
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
            }, MOVES / 2);
            const before = await times();
            const halves = [];
            const sizes = [];
            for (let half = 0; half < 2; half++) {
                halves.push(await move());
                sizes.push(await megabytes());
            }
            const after = await times();
            const [clock, processor] = [after.clock - before.clock, after.processor - before.processor];
            // Where others have the processors, the clock says how busy the machine is.
            const quiet = processor > clock * 0.85;
            const worst = (key) => Math.max(...halves.map((half) => half[key]));
            const found = { frames: worst("frames"), drawings: worst("drawings"), slowest: worst("slowest"), long: halves.flatMap((half) => half.long) };
            console.log(`${name}, ratio ${ratio}: first picture after ${Math.round(first)} ms; 95 % of frames within ${found.frames.toFixed(1)} ms, of drawings ${found.drawings.toFixed(1)} ms, ` +
                `slowest ${found.slowest.toFixed(1)} ms; tasks over 50 ms: ${found.long.join(" ") || "none"}; memory ${sizes.join(", then ")} MB; ` +
                `${(processor / MOVES * 1000).toFixed(1)} ms of processor a move${quiet ? "" : ` (others had it for ${Math.round((1 - processor / clock) * 100)} % of the time)`}`);
            assert.ok(Math.max(...sizes) < 600, `${sizes} MB`);
            assert.ok(sizes[1] < sizes[0] + 60, `memory does not grow: ${sizes} MB`);
            assert.ok(processor / MOVES < 0.016, `${processor / MOVES} s of processor a move`);
            if (quiet) {
                assert.ok(first < 3000, `${first} ms until the first picture`);
                assert.ok(found.frames <= 20, `95 % of frames come within ${found.frames} ms`);
                assert.deepEqual(found.long, [], "tasks over 50 ms");
            }
            assert.deepEqual(problems, []);
            await close();
        });
    }
}
