// What pointers, keys and sheets of the page of a trace do, in a real browser. tests/test_trace_page.py runs this.
import assert from "node:assert/strict";
import { test } from "node:test";

import { axe, canvasBox, DARK, frames, NARROW, open, part, picture, span, tab, wanted, width as wide } from "./open.mjs";

const WANTED = wanted();

for (const [width, options, some] of [[1440, {}], [390, {}, NARROW], [1440, { colorScheme: "dark", deviceScaleFactor: 2 }, DARK]]) {
    const name = `${width}${options.colorScheme ? "-dark" : ""}`;
    test(`is seen at ${name} pixels, without complaint and without the network; axe finds nothing`, async () => {
        const { page, problems, close } = await open("small.html", { viewport: { width, height: 950 }, ...options });
        assert.equal(await page.locator("h1").count(), 1);
        assert.ok((await wide(page)) <= width, "nothing is wider than the window");
        await picture(page, `trace-small-${name}`);
        const titles = await page.locator("[role=tab]").allInnerTexts();
        for (const title of titles) {
            await tab(page, title);
            await frames(page);
            assert.deepEqual(await axe(page, some, part(title === titles[0])), [], title);
            assert.ok((await wide(page)) <= width, `${title}: nothing is wider than the window`);
        }
        assert.deepEqual(problems, []);
        await close();
    });
}

test("the wheel zooms at the pointer, dragging and Shift move", async () => {
    const { page, problems, close } = await open("small.html");
    const box = await canvasBox(page);
    const at = () => page.evaluate((x) => window.tacho.timeline.view.time(x), 900 - box.x);
    await page.mouse.move(900, box.y + 100);
    const [time, before] = [await at(), await span(page)];
    for (let notch = 0; notch < 6; notch++) await page.mouse.wheel(0, -120);
    await frames(page);
    const closer = await span(page);
    assert.ok(closer < before / 4);
    assert.ok(Math.abs(await at() - time) < closer / 1000, "what is under the pointer stays there");
    const start = () => page.evaluate(() => window.tacho.timeline.view.start);
    const first = await start();
    await page.mouse.down();
    await page.mouse.move(700, box.y + 100, { steps: 4 });
    await page.mouse.up();
    const second = await start();
    assert.ok(Math.abs(second - first - 200 / box.width * closer) < closer / 500);
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, 100);
    await page.keyboard.up("Shift");
    await frames(page);
    assert.ok((await start()) > second);
    assert.equal(await span(page), closer);
    assert.deepEqual(problems, []);
    await close();
});

test("two fingers zoom", async () => {
    const { page, close } = await open("small.html", { hasTouch: true });
    const box = await canvasBox(page);
    const before = await span(page);
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...xs) => client.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 100, id })) });
    await touch("touchStart", 400, 500);
    for (const x of [20, 40, 60, 80, 100]) await touch("touchMove", 400 - x, 500 + x);
    await touch("touchEnd");
    await frames(page);
    const ratio = before / (await span(page));
    assert.ok(ratio > 2.5 && ratio < 3.5, `${ratio} times closer`);
    await close();
});

test("keys work wherever the focus is", async () => {
    const { page, problems, close } = await open("small.html");
    await page.locator(".controls button", { hasText: "All" }).click();
    const before = await span(page);
    await page.keyboard.press("w");
    assert.ok((await span(page)) < before);
    await page.keyboard.press("s");
    await page.keyboard.press("0");
    await page.keyboard.press("ArrowDown");
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sheet:not([hidden]) .pairs");
    assert.match(await page.locator(".sheet:not([hidden])").innerText(), /kernel_\d+/);
    const slice = () => page.evaluate(() => window.tacho.timeline.marks.selection.slice);
    const one = await slice();
    await page.keyboard.press(".");
    await page.waitForFunction((slice) => window.tacho.timeline.marks.selection.slice === slice + 1, one);
    await page.keyboard.press("f");
    assert.ok((await span(page)) < before / 100);
    await page.keyboard.press("m");
    assert.equal(await page.evaluate(() => window.tacho.timeline.marks.edges.length), 2);
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog.help").isVisible());
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.tacho.timeline.marks.selection), null);
    assert.deepEqual(problems, []);
    await close();
});

test("a slice has its numbers, arguments, run and flows", async () => {
    const { page, problems, close } = await open("small.html", { fragment: "#s=0.3" });
    await page.waitForSelector(".sheet:not([hidden]) h3");
    const text = await page.locator(".sheet:not([hidden])").innerText();
    const length = WANTED.row.ends[3] - WANTED.row.starts[3];
    assert.match(text, new RegExp(`Length\\s[^\\n]*${length.toLocaleString("en-US")} ns`));
    assert.match(text, /Self\s+[\d.]+ /);
    assert.match(text, /Track\s+Device 0 › Engine 0/);
    assert.match(text, /Run\s+run \d/);
    assert.ok(text.includes((2n ** 60n + 3n).toLocaleString("en-US")), "all 64 bits of an argument");
    await page.waitForSelector("text=After, along its flows");
    await page.locator(".sheet:not([hidden]) ul button").first().click();
    await page.waitForFunction(() => window.tacho.timeline.marks.selection.row === 2);
    await page.waitForSelector("text=Before, along its flows");
    await picture(page, "trace-flow");
    assert.deepEqual(problems, []);
    await close();
});

/** Busy time of columns, and whether there is anything in them: slice by slice, in plain order. */
function columnsOf({ starts, ends }, start, step, count) {
    const [busy, any] = [new Float64Array(count), new Array(count).fill(false)];
    let first = 0;
    for (let k = 0; k < count; k++) {
        const [left, right] = [start + k * step, start + (k + 1) * step];
        while (first < starts.length && ends[first] <= left && starts[first] < left) first++;
        for (let i = first; i < starts.length && starts[i] < right; i++) {
            busy[k] += Math.max(0, Math.min(ends[i], right) - Math.max(starts[i], left));
            any[k] = true;
        }
    }
    return { busy, any };
}

test("columns of every row show what the slices are, in any view", async () => {
    const { page, close } = await open("small.html");
    const numbers = WANTED.rows.map((row, number) => (row ? number : -1)).filter((number) => number >= 0);
    for (let seed = 1; seed <= 36; seed++) { // three of each of twelve widths
        const from = WANTED.row.starts[seed * 7 % 1000];
        const found = JSON.parse(await page.evaluate(async ({ from, length, numbers }) => {
            const { timeline, source } = window.tacho;
            timeline.view.show(from, from + length);
            const { columns, scale } = timeline.renderer;
            const rows = [];
            for (const number of numbers) {
                const row = source.rows[number];
                for (let chunk = 0; chunk < row.chunks; chunk++) await source.chunk(row, chunk);
                columns.fill(row, scale.of(timeline.view, columns.width), Infinity, (chunk) => source.peek(row, chunk));
                rows.push({ busy: [...columns.busy], state: [...columns.state] });
            }
            return JSON.stringify({ start: timeline.view.start, step: timeline.view.span / columns.width, rows }); // many numbers come faster as text
        }, { from, length: 500 * 2 ** (seed % 12), numbers }));
        assert.equal(found.rows.length, numbers.length);
        found.rows.forEach(({ busy, state }, at) => {
            const exact = columnsOf(WANTED.rows[numbers[at]], found.start, found.step, busy.length);
            const wrong = busy.findIndex((one, k) => !(Math.abs(one - exact.busy[k]) < found.step / 255) || (state[k] !== 0) !== exact.any[k]);
            assert.equal(wrong, -1, `view ${seed}, row ${numbers[at]}, column ${wrong}: ${busy[wrong]} instead of ${exact.busy[wrong]}, ${state[wrong]}`);
        });
    }
    await close();
});

test("the sums of a range are exact", async () => {
    for (const { range, sums } of WANTED.ranges) {
        const { page, problems, close } = await open("small.html", { fragment: `#r=${range.join(",")}` });
        await page.waitForSelector(`[data-done="${range.join(",")}"]`);
        const read = (key) => page.locator(`[data-sums="${key}"] tbody tr`).evaluateAll((rows) => Object.fromEntries(rows.map((row) => {
            const cells = [...row.cells].map((cell) => cell.querySelector("[data-ns]")?.dataset.ns ?? cell.textContent);
            return [cells[0], cells.slice(1)];
        })));
        const number = (text) => Number(text.replaceAll(",", ""));
        const names = Object.fromEntries(Object.entries(await read("names")).map(([name, [, count, self, total]]) => [name, [number(count), Number(total), Number(self)]]));
        assert.deepEqual(names, sums.names);
        const short = (cells) => Object.fromEntries(Object.entries(cells).map(([name, [count, time]]) => [name, [number(count), Number(time)]]));
        assert.deepEqual(short(await read("tracks")), sums.tracks);
        assert.deepEqual(short(await read("operators")), sums.operators);
        assert.deepEqual(short(await read("engines")), sums.engines);
        assert.match(await page.locator(".command code").innerText(), /tacho convert INPUT --begin \d+ --end \d+ -o/);
        assert.deepEqual(problems, []);
        await close();
    }
});

test("search finds names and arguments, all of them, at any zoom", async () => {
    const { page, problems, close } = await open("small.html");
    await page.keyboard.press("/");
    await page.keyboard.type("needle");
    await page.waitForFunction(() => document.querySelector(".found").textContent === "1 hit");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.tacho.timeline.marks.selection?.slice === 17);
    await page.keyboard.press("Escape");
    await page.locator("[role=tab]", { hasText: "Names" }).click();
    await page.locator(".sheet:not([hidden]) input").first().fill(WANTED.name.text);
    await page.locator(".sheet:not([hidden]) tbody button", { hasText: new RegExp(`^${WANTED.name.text}$`) }).click();
    const told = `${WANTED.name.count.toLocaleString("en-US")} slices`;
    await page.waitForFunction((told) => document.querySelector(".found").textContent === told, told);
    await picture(page, "trace-names");
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("n");
    await page.waitForFunction(() => window.tacho.timeline.marks.selection);
    const first = await page.evaluate(() => window.tacho.timeline.marks.selection.start);
    await page.keyboard.press("n");
    await page.waitForFunction((first) => window.tacho.timeline.marks.selection.start > first, first);
    await page.keyboard.press("Shift+N");
    await page.waitForFunction((first) => window.tacho.timeline.marks.selection.start === first, first);
    assert.deepEqual(problems, []);
    await close();
});

test("an address shows the same again", async () => {
    const { page, close } = await open("small.html", { fragment: "#t=1200000,1300000&s=0.40" });
    assert.ok(Math.abs((await span(page)) - 100000) < 1);
    await page.waitForFunction(() => window.tacho.timeline.marks.selection?.slice === 40);
    await tab(page, "Names");
    await page.waitForFunction(() => location.hash.includes("b=Names"));
    await page.reload();
    await page.waitForSelector("[role=tab][aria-selected=true] >> text=Names");
    await tab(page, "Slice");
    await page.waitForFunction(() => location.hash.includes("b=Slice"));
    await page.keyboard.press("w");
    await page.waitForFunction(() => !location.hash.includes("t=1200000,1300000"));
    assert.match(await page.evaluate(() => location.hash), /^#t=\d+,\d+&s=0\.40&b=Slice$/);
    await close();
});

test("the flame view adds up what is shown, or the range, exactly", async () => {
    const { range, sums } = WANTED.ranges[2];
    const { page, problems, close } = await open("small.html", { fragment: `#r=${range.join(",")}` });
    await tab(page, "Flame");
    await page.waitForSelector(`.flame[data-done="${range.join(",")}"]`);
    const total = () => page.evaluate(() => Number(document.querySelector(".flames canvas").dataset.total));
    const busy = Object.values(sums.tracks).reduce((sum, [, time]) => sum + time, 0);
    assert.equal(await total(), busy, "all stacks together are as long as the outermost slices");
    await page.locator(".flames canvas").focus();
    await page.keyboard.press("ArrowDown");
    const longest = await total();
    await page.keyboard.press("ArrowRight");
    assert.ok((await total()) <= longest, "the longest first");
    await page.keyboard.press("Enter");
    assert.ok(await page.locator(".flame button", { hasText: "Whole" }).isEnabled());
    await picture(page, "trace-flame");
    await page.keyboard.press("Escape");
    assert.equal(await total(), busy);
    await page.locator(".flames canvas").click({ position: { x: 20, y: 30 } });
    assert.equal(await total(), longest, "a click comes closer");
    await page.locator(".flame input").fill("kernel_1");
    assert.match(await page.locator(".chosen-stack").innerText(), /highlighted: /);
    await page.locator(".flame button", { hasText: "By track" }).click();
    await page.waitForFunction(() => document.querySelector(".chosen-stack").innerText.startsWith("all"));
    assert.equal(await total(), busy);
    await page.keyboard.press("Escape");
    assert.deepEqual(problems, []);
    await close();
});

test("all runs lie over each other, and the slowest is a key away", async () => {
    const { page, problems, close } = await open("small.html");
    const shown = () => page.evaluate(() => [window.tacho.timeline.view.from, window.tacho.timeline.view.to]);
    const slowest = WANTED.runs.filter((run) => run.counted).reduce((most, run) => (run.end - run.start > most.end - most.start ? run : most));
    await page.keyboard.press("r");
    const inside = ([from, to], run) => from <= run.start && to >= run.end && to - from < (run.end - run.start) * 1.5;
    assert.ok(inside(await shown(), slowest));
    await page.keyboard.press("0");
    await tab(page, "Runs");
    await frames(page);
    await picture(page, "trace-runs", { fullPage: true });
    const high = await page.evaluate(() => window.tacho.runs.overlay.high);
    await page.locator(".lines canvas").click({ position: { x: 200, y: 42 + 3 * high + 2 } });
    assert.ok(inside(await shown(), WANTED.runs[3]), "a click goes to the run");
    await page.locator(".lines canvas").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.ok(inside(await shown(), WANTED.runs[4]));
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("]");
    assert.ok(inside(await shown(), WANTED.runs[5]));
    assert.deepEqual(problems, []);
    await close();
});

test("two edges measure", async () => {
    const { page, close } = await open("small.html", { fragment: `#t=${WANTED.row.starts[10] - 500},${WANTED.row.ends[12] + 500}` });
    const box = await canvasBox(page);
    const place = (time) => page.evaluate((time) => ({ x: window.tacho.timeline.view.x(time), y: window.tacho.timeline.renderer.y(window.tacho.timeline.layout.itemOf(1)) + 8 }), time);
    const [one, other] = [await place(WANTED.row.starts[10]), await place(WANTED.row.ends[12])];
    await page.mouse.move(box.x + one.x + 2, box.y + one.y);
    await frames(page);
    await page.keyboard.press("m");
    await page.mouse.move(box.x + other.x - 2, box.y + other.y);
    await frames(page);
    await page.keyboard.press("m");
    assert.deepEqual(await page.evaluate(() => window.tacho.timeline.marks.edges), [WANTED.row.starts[10], WANTED.row.ends[12]], "they snap to edges of slices");
    await picture(page, "trace-edges");
    await page.keyboard.press("Escape");
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + one.x + 2, box.y + one.y);
    await page.mouse.down();
    await page.mouse.move(box.x + other.x - 2, box.y + other.y, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    assert.deepEqual(await page.evaluate(() => window.tacho.timeline.marks.range), [WANTED.row.starts[10], WANTED.row.ends[12]]);
    await close();
});

test("groups fold, tracks are pinned, names can be widened", async () => {
    const { page, close } = await open("small.html");
    const height = () => page.evaluate(() => window.tacho.timeline.layout.height);
    const before = await height();
    await page.locator(".gutter button.fold", { hasText: "Engine 3" }).click();
    assert.ok((await height()) < before);
    await page.locator(".gutter button.pin").nth(4).click();
    assert.equal(await page.evaluate(() => window.tacho.timeline.layout.pinned.length), 1);
    await page.locator(".gutter .pinned button.pin").click();
    await page.locator('.gutter button.pin[aria-label="Pin Device 0"]').click();
    assert.ok((await page.evaluate(() => window.tacho.timeline.layout.pinned.length)) >= 1, "a group is pinned with what is in it");
    await picture(page, "trace-pinned");
    await page.locator('.gutter button.pin[aria-label="Unpin Device 0"]').click();
    await page.evaluate(() => {
        window.tacho.timeline.layout.folded.clear();
        window.tacho.timeline.arrange();
    });
    await page.locator(".gutter .handle").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => window.tacho.timeline.gutter.width), 226);
    await page.locator(".gutter button.fold", { hasText: "Device 0" }).click();
    assert.ok((await height()) < 60);
    await close();
});

test("what cannot be read is said, and the rest is shown", async () => {
    const { page, problems, close } = await open("damaged.html");
    assert.match(await page.locator("[role=alert]").innerText(), /blocks of this page cannot be read/);
    assert.ok((await page.locator(".gutter .track").count()) > 5);
    assert.deepEqual(problems, []);
    await close();
});
