// Devices, ops, latencies, and numbers that lead to slices, in a real browser. tests/test_webapp_browser.py runs this.
//   TACHO_LOG     a log of a device in the folder that is served     TACHO_DEVICE  what `tacho device -p` printed
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { test } from "node:test";

import { ask, frames, idle, picture as pictureOf, served, visit, width as wide } from "./open.mjs";

let listing;
do listing = await (await fetch(served("/api/profiles"))).json();
while (listing.waiting);

const idOf = (name) => listing.profiles.find((card) => card.name === name).id;

const picture = (page, name) => pictureOf(page, `webapp-${name}`, { fullPage: true });

for (const [width, options] of [[1440, {}], [390, {}], [1440, { colorScheme: "dark" }]]) {
    const name = `${width}${options.colorScheme ? "-dark" : ""}`;

    for (const [part, file, seen] of [["device", "profile_log_device.csv", ".map button"], ["ops", "logs/ops", ".cores canvas"], ["latency", "on.etdump", ".latency canvas"],
        ["overview", "timeline.csv", ".stack rect"]]) {
        test(`${part} at ${name} pixels`, async () => {
            const { page, problems, close } = await ask(`/profile/${idOf(file)}#${part}`, { viewport: { width, height: 900 }, ...options });
            await page.locator(seen).first().waitFor();
            await idle(page);
            assert.ok((await wide(page)) <= width, "nothing is wider than the window");
            assert.equal(await page.locator(".sheet .mood.bad").count(), 0);
            await picture(page, `${part}-${name}`);
            assert.deepEqual(problems, []);
            await close();
        });
    }
}

test("the map shows any analysis and any statistic", async () => {
    const id = idOf("profile_log_device.csv");
    const { page, close } = await ask(`/profile/${id}#device`);
    await page.locator(".map button").first().waitFor();
    const table = await (await fetch(served(`/api/profiles/${id}/tables/cores?columns=x,y,duration,count,average,max,median,min,sum,range,first,unknown`))).json();
    const analyses = [...new Set(table.rows.map((row) => row.duration))];
    assert.deepEqual(await page.getByLabel("Analysis", { exact: true }).locator("option").allInnerTexts(), analyses);
    for (const analysis of analyses) {
        for (const statistic of ["count", "average", "max", "median", "min", "sum", "range"]) {
            await page.getByLabel("Analysis", { exact: true }).selectOption(analysis);
            await page.getByLabel("Statistic", { exact: true }).selectOption(statistic);
            const rows = table.rows.filter((row) => row.duration === analysis);
            assert.equal(await page.locator(".map button").count(), rows.length);
            const told = await page.locator(".map button").first().getAttribute("title");
            const first = rows.find((row) => told.startsWith(`core ${row.x}, ${row.y},`));
            assert.ok(told.includes(Math.round(first[statistic]).toLocaleString("en-US")), `${told} has ${first[statistic]}`);
        }
    }
    await close();
});

test("artifacts are downloaded as often as one likes, and the log is read again", async () => {
    const { page, close } = await ask(`/profile/${idOf("profile_log_device.csv")}#device`);
    await page.locator(".map button").first().waitFor();
    for (let at = 0; at < 2; at++) {
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download artifacts" }).click()]);
        assert.match(download.suggestedFilename(), /^\d{4}(_\d\d){5}_device_perf_results\.tar$/);
        assert.equal(await download.failure(), null);
    }
    await page.getByRole("tab", { name: "Overview", exact: true }).click();
    const before = await page.locator(".sheet > div > p.quiet").innerText();
    await page.getByRole("tab", { name: "Device", exact: true }).click();
    appendFileSync(process.env.TACHO_LOG, "0,1,1,NCRISC,1300,2171420712720,0,99999,,,NCRISC-FW,ZONE_START,396,ncrisc.cc,\n");
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.locator(".map button").first().waitFor();
    await page.getByRole("tab", { name: "Overview", exact: true }).click();
    assert.notEqual(await page.locator(".sheet > div > p.quiet").innerText(), before);
    await close();
});

test("an op that is pointed at shows its device timeline; the slider chooses the range", async () => {
    const { page, close } = await ask(`/profile/${idOf("logs/ops")}#ops`);
    await page.locator(".cores canvas").first().waitFor();
    const told = page.locator(".pointed");
    assert.match(await told.innerText(), /^Matmul call 2, depth 1: 450 µs on the host/);
    const plot = page.locator(".calls canvas").first();
    const box = await plot.boundingBox();
    // Calls lie from 0.5 ms to 3.1 ms; the third is at 2 ms, in the row of depth 2.
    const at = (time, depth) => [(time - 0.5) / 2.6 * box.width, 22 + 26 * (depth - 1) + 13];
    const point = async (time, depth) => {
        const [x, y] = at(time, depth);
        await page.mouse.move(box.x + x, box.y + y);
    };
    await point(2.05, 2);
    await page.waitForFunction(() => document.querySelector(".pointed").textContent.startsWith("EltwiseBinary"));
    await page.waitForFunction(() => /^1 core, 10 zones/.test(document.querySelector(".devices .quiet")?.textContent ?? ""));
    await point(2.7, 1);
    await page.waitForFunction(() => document.querySelector(".pointed").textContent.startsWith("torch.nn.functional.softmax"));
    assert.match(await page.locator(".devices").innerText(), /did not run on a device|core/);
    // A click keeps it: others do not change it.
    await plot.click({ position: { x: at(2.05, 2)[0], y: at(2.05, 2)[1] } });
    await point(2.7, 1);
    await frames(page);
    assert.match(await told.innerText(), /^EltwiseBinary/);
    await plot.focus();
    await page.keyboard.press("ArrowUp");
    const slider = page.locator(".calls .slider");
    const picture = () => plot.evaluate((canvas) => canvas.toDataURL());
    const whole = await picture();
    const place = await slider.boundingBox();
    await page.mouse.move(place.x + place.width - 2, place.y + 20);
    await page.mouse.down();
    await page.mouse.move(place.x + place.width / 2, place.y + 20);
    await page.mouse.up();
    const part = await picture();
    assert.notEqual(part, whole);
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await picture(), part);
    await page.getByRole("button", { name: "All", exact: true }).click();
    assert.equal(await picture(), whole);
    await close();
});

test("numbers lead to the slices behind them", async () => {
    const { page, close } = await ask(`/profile/${idOf("timeline.csv")}#operators`);
    await page.locator("a.behind").first().waitFor();
    const row = page.locator(".served tbody tr").first();
    const [operator, slices] = [await row.locator("td").first().innerText(), await row.locator("td").allInnerTexts()];
    assert.ok(await row.locator("td.number a.behind").count() > 3, "every number is a link");
    await row.locator("td.number a.behind").first().click();
    await page.locator('.timeline[data-ready="true"]').waitFor();
    await page.waitForFunction(() => /\d+ (hit|slice)/.test(document.body.innerText));
    assert.ok((await page.locator("body").innerText()).includes(operator.replace(/\s+/g, " ").split(" ")[0]), slices.join());
    await page.goto(served(`/profile/${idOf("timeline.csv")}#overview`));
    await page.getByRole("link", { name: "Css", exact: true }).click();
    await page.locator('.timeline[data-ready="true"]').waitFor();
    await page.waitForFunction(() => /1 slice/.test(document.body.innerText));
    await page.goto(served(`/profile/${idOf("on.etdump")}#latency`));
    const plot = page.locator(".latency canvas");
    await plot.waitFor();
    await plot.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator(".latency [role=status]").innerText(), /^run 2: 6\.849 ms in the timeline/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/pages\/timeline/);
    await close();
});

test("one card of the gallery is open at a time", async () => {
    const { page, close } = await ask("/");
    const all = page.locator(".profile details > summary");
    await all.nth(1).waitFor();
    await page.waitForFunction(() => !document.querySelector(".profile.waiting")); // what is read takes its place between the others
    await all.nth(0).click();
    await all.nth(1).click();
    await page.waitForFunction(() => document.querySelectorAll(".profile details[open]").length === 1);
    assert.equal(await page.locator(".profile details").nth(1).getAttribute("open"), "");
    await close();
});

test("the address that tacho device prints shows the device", async () => {
    const { page, problems, close } = await visit(process.env.TACHO_DEVICE);
    await page.locator(".map button").first().waitFor();
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Device");
    assert.deepEqual(problems, []);
    await close();
});
