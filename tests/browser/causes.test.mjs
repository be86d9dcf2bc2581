// What went wrong in pages before, each with the test that would have told. tests/test_trace_page.py runs this.
import assert from "node:assert/strict";
import { test } from "node:test";

import { axe, canvasBox, colourAt, colourOf, DARK, frames, open, part, picture, print, ready, span, tab, wanted } from "./open.mjs";

const WANTED = wanted();

test("a search marks what it counts, however far away it is, and Enter goes there", async () => {
    const { page, close } = await open("idle.html");
    await page.locator("input[type=search]").first().fill("RARE-STALL");
    await page.waitForFunction(() => document.querySelector(".found").textContent === "5 hits");
    const hit = await colourOf(page, "--hit");
    for (const [row, start] of WANTED.idle.rare) {
        const [x, y, strip] = await page.evaluate(([row, start]) => {
            const { timeline, source } = window.tacho;
            const item = timeline.layout.itemOf(source.rows[row].track);
            const { head } = source;
            const whole = document.querySelector(".strip").clientWidth;
            const margin = (head.end - head.begin) * 0.01;
            return [timeline.view.x(start), timeline.renderer.y(item) + item.rows[0].top + 8, (start - head.begin + margin) / (head.end - head.begin + 2 * margin) * whole];
        }, [row, start]);
        assert.deepEqual(await colourAt(page, ".stage canvas", x, y), hit, `on the row at ${x}`);
        assert.deepEqual(await colourAt(page, ".strip", strip, 3), hit, `on the strip at ${strip}`);
    }
    for (const [, start] of WANTED.idle.rare) {
        await page.locator("input[type=search]").first().press("Enter");
        await page.waitForFunction((start) => window.tacho.timeline.marks.selection?.start === start, start);
    }
    await close();
});

test("the tip is about what is under the pointer, also after keys and the wheel", async () => {
    const { page, close } = await open("small.html");
    const box = await canvasBox(page);
    const at = { x: 500, y: 73 };
    await page.mouse.move(box.x + at.x, box.y + at.y);
    const agree = async (word) => {
        await ready(page);
        await frames(page);
        const [told, there] = await page.evaluate(({ x, y }) => {
            const { timeline, source } = window.tacho;
            // Wheels tell whole pixels only.
            const { pointed } = timeline;
            const found = Math.hypot(pointed.x - x, pointed.y - y) < 2 ? timeline.pickAt(pointed.x, pointed.y) : null;
            const tip = document.querySelector(".tip");
            return [tip.hidden ? null : tip.querySelector("b").textContent, found && source.labels[found.label].name];
        }, at);
        assert.equal(told, there, word);
        return told;
    };
    const names = new Set();
    for (const step of ["at first", "w", "w", "w", "w", "w", "w", "d", "d", "a", "ArrowRight", "s", "0", "wheel", "wheel", "]", "r"]) {
        if (step === "wheel") await page.mouse.wheel(0, -240);
        else if (step !== "at first") await page.keyboard.press(step);
        names.add(await agree(step));
    }
    assert.ok(names.size > 3, "it was about several slices");
    await close();
});

test("idle time is folded only where nothing runs in any row, and every fold is marked at any zoom", async () => {
    const { page, problems, close } = await open("idle.html");
    await page.waitForFunction(() => /Fold idle \(/.test(document.querySelector(".controls").innerText));
    await page.keyboard.press("i");
    await page.waitForFunction(() => window.tacho.timeline.view.fold.gaps.length > 0);
    await ready(page);
    const gaps = await page.evaluate(() => window.tacho.timeline.view.fold.gaps.map(({ start, end }) => [start, end]));
    assert.deepEqual(gaps, WANTED.idle.gaps);
    await picture(page, "trace-idle");
    const ground = await colourOf(page, "--ground");
    for (let zoom = 0; zoom < 14; zoom++) {
        const marks = await page.evaluate(() => {
            const { view, renderer } = window.tacho.timeline;
            return view.fold.visible(view.start, view.end).map(({ start, end }) => {
                const [from, to] = [Math.max(0, view.x(start)), Math.min(view.width, view.x(end))];
                return [(from + to) / 2, renderer.height - 6];
            });
        });
        for (const [x, y] of marks) {
            const found = await colourAt(page, ".stage canvas", x, y);
            assert.notDeepEqual(found, ground, `zoom ${zoom}, at ${x}`);
        }
        if (zoom === 0) assert.equal(marks.length, gaps.length);
        await page.evaluate((middle) => window.tacho.timeline.view.zoom(0.55, middle), gaps[1][0]);
        await frames(page);
    }
    await page.waitForFunction(() => location.hash.includes("i=1"));
    const again = await page.evaluate(() => location.hash);
    await close();
    const other = await open("idle.html", { fragment: again });
    await other.page.waitForFunction(() => window.tacho.timeline.view.fold.gaps.length > 0);
    assert.deepEqual([...problems, ...other.problems], []);
    await other.close();
});

test("100,000 names: it opens soon, and each has its lengths", async () => {
    const { page, problems, steps, close } = await open("names.html", { counted: true });
    const opening = await steps();
    assert.ok(opening < 150 * WANTED.names.names, `${opening} steps`);
    await tab(page, "Names");
    await page.locator(".sheet:not([hidden]) input").first().fill(WANTED.names.name);
    await page.locator(".sheet:not([hidden]) tbody button", { hasText: new RegExp(`^${WANTED.names.name}$`) }).click();
    await page.waitForFunction(() => /^\d+ slices?$/.test(document.querySelector(".found").textContent));
    assert.equal(await page.locator(".found").innerText(), `${WANTED.names.lengths.length} slice${WANTED.names.lengths.length === 1 ? "" : "s"}`);
    assert.match(await page.locator(".histogram").getAttribute("aria-label"), new RegExp(`Histogram of ${WANTED.names.lengths.length} lengths`));
    assert.deepEqual(problems, []);
    await close();
});

test("what is busy for a fiftieth of a percent looks nearly empty", async () => {
    const { page, close } = await open("idle.html");
    assert.match(await page.locator(".whole").innerText(), /lanes 0\.0\d+ % busy/);
    await page.waitForFunction(() => /Fold idle \(over 99.9 %\)/.test(document.querySelector(".controls").innerText));
    const shares = await page.evaluate(() => {
        const [strip, stage] = [".strip", ".stage canvas"].map((selector) => document.querySelector(selector));
        const painted = (canvas, y) => {
            const { data } = canvas.getContext("2d").getImageData(0, y, canvas.width, 1);
            const counts = new Map();
            for (let at = 0; at < data.length; at += 4) counts.set(data.slice(at, at + 3).join(), (counts.get(data.slice(at, at + 3).join()) ?? 0) + 1);
            return 1 - Math.max(...counts.values()) / canvas.width;
        };
        const { timeline } = window.tacho;
        return [painted(strip, strip.height >> 1), painted(stage, Math.round(timeline.renderer.y(timeline.layout.itemOf(1)) + 8))];
    });
    assert.ok(shares[0] < 0.02 && shares[1] < 0.05, `painted: ${shares}`);
    await close();
});

test("keys work after a click on the toolbar, arrows wherever the focus is", async () => {
    const { page, close } = await open("small.html");
    for (const selector of [".controls button >> nth=2", "h1", ".tabs button >> nth=1", ".gutter button.fold >> nth=1", ".strip"]) {
        await page.keyboard.press("0");
        await page.locator(selector).click();
        const before = await span(page);
        await page.keyboard.press("w");
        await page.keyboard.press("w");
        assert.ok((await span(page)) < before, selector);
    }
    await page.locator(".controls button", { hasText: "+" }).click();
    const start = () => page.evaluate(() => window.tacho.timeline.view.start);
    const first = await start();
    await page.keyboard.press("ArrowRight");
    assert.ok((await start()) > first);
    await close();
});

test("many slices at a pixel ratio of 2: a drawing is work by its pixels, not by its slices", async () => {
    const { page, problems, steps, close } = await open("names.html", { deviceScaleFactor: 2, counted: true });
    const box = await canvasBox(page);
    await page.evaluate(() => {
        const { renderer } = window.tacho.timeline;
        const draw = renderer.draw.bind(renderer);
        window.drawings = 0;
        renderer.draw = () => {
            window.drawings++;
            draw();
        };
    });
    await page.keyboard.press("w");
    await ready(page);
    await page.mouse.move(box.x + 700, box.y + 120);
    await page.mouse.down();
    const before = await page.evaluate(() => window.drawings);
    await steps();
    for (let at = 0; at < 30; at++) {
        await page.mouse.move(box.x + 700 + 300 * Math.sin(at / 9), box.y + 120);
        await frames(page);
    }
    const dragging = await steps();
    const drawings = await page.evaluate((before) => window.drawings - before, before);
    await page.mouse.up();
    assert.ok(drawings >= 20, `${drawings} drawings`);
    assert.ok(dragging / drawings < 600_000, `${dragging / drawings} steps a drawing`); // it is 350,000 with a quarter or four times as many slices, too
    assert.deepEqual(problems, []);
    await close();
});

test("clocks that are not tied are told above the timeline", async () => {
    const { page, close } = await open("small.html");
    const note = page.locator("header .notes", { hasText: "not tied" });
    assert.ok(await note.isVisible());
    assert.ok((await note.boundingBox()).y < (await canvasBox(page)).y);
    await close();
});

test("wide tables say that they go on, names have two lines, and paper shows the whole timeline", async () => {
    const { page, close } = await open("small.html", { viewport: { width: 390, height: 844 } });
    await tab(page, "Names");
    await frames(page);
    assert.equal(await page.locator(".sheet:not([hidden]) .frame.more").count(), 1);
    const highest = await page.locator(".sheet:not([hidden]) tbody td:first-child").evaluateAll((cells) => Math.max(...cells.map((cell) => cell.clientHeight)));
    assert.ok(highest < 60, `${highest} pixels`);
    await page.locator(".sheet:not([hidden]) .holder").evaluate((holder) => (holder.scrollLeft = 10_000));
    await frames(page);
    assert.equal(await page.locator(".sheet:not([hidden]) .frame.more").count(), 0);
    const left = await page.locator(".sheet:not([hidden]) tbody td:first-child").first().evaluate((cell) => cell.getBoundingClientRect().left);
    assert.ok(left < 20, "the name stays in sight");
    await close();
    const wide = await open("small.html");
    await wide.page.emulateMedia({ media: "print" });
    const paper = 718; // pixels of a sheet of A4 with usual margins
    for (const selector of [".stage canvas", ".strip"]) {
        await frames(wide.page);
        const { right, height } = await wide.page.locator(selector).evaluate((canvas) => canvas.getBoundingClientRect().toJSON());
        assert.ok(right <= paper && right > paper * 0.9, `${selector} ends at ${right}`);
        assert.ok(height > 20, `${selector} is ${height} high`);
    }
    await picture(wide.page, "trace-print", { clip: { x: 0, y: 0, width: paper, height: 900 } });
    await print(wide.page, "trace-small");
    await wide.close();
});

test("axe finds nothing: contrast of links, regions that scroll, drawings without keys", async () => {
    for (const [colorScheme, some] of [["light"], ["dark", DARK]]) {
        const { page, close } = await open("dump.html", { colorScheme, fragment: "#s=0.0" });
        const titles = await page.locator("[role=tab]").allInnerTexts();
        for (const title of titles) {
            await tab(page, title);
            await frames(page);
            assert.deepEqual(await axe(page, some, part(title === titles[0])), [], `${colorScheme}, ${title}`);
        }
        await page.keyboard.press("?");
        assert.deepEqual(await axe(page, some), [], `${colorScheme}, keys`);
        await close();
    }
});

test("the title says what the page is about, and the page lets nothing in", async () => {
    const { page, problems, close } = await open("dump.html");
    assert.match(await page.title(), /mobilenet_like_xnnpack_fp32_mac_sme2_off_t1\.etdump/);
    assert.match(await page.locator("h1").innerText(), /mobilenet_like_xnnpack_fp32_mac_sme2_off_t1\.etdump/);
    assert.deepEqual(problems, []);
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    assert.match(policy, /default-src 'none'; script-src 'sha256-/);
    await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.came = true";
        document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.came), undefined);
    assert.ok(problems.some((problem) => problem.includes("Content Security Policy")));
    await close();
});
