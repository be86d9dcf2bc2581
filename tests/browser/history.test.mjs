// The history page of `tacho serve`, in a real browser. tests/test_history_browser.py runs this; TACHO_WITHOUT is the address of a server without a history.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, axe, DARK, MARKUP, NARROW, picture as pictureOf, visit, width as wide } from "./open.mjs";

const NET = { model: "net", device: "board" };

const address = (words) => `/history?${new URLSearchParams(Object.entries(words))}`;

/** Nothing is awaited any more. */
async function settled(page) {
    await page.waitForFunction(() => document.querySelector(".history .sentence")?.textContent && !document.querySelector("[aria-busy]"));
}

const picture = (page, name) => pictureOf(page, `history-${name}`, { fullPage: true });
const field = (page, name) => page.locator(".fields label", { has: page.locator(`span:text-is("${name}")`) }).locator("select, input");
const words = (page) => page.evaluate(() => Object.fromEntries([...new URLSearchParams(location.search)].filter(([name]) => name !== "token")));

for (const width of [1440, 390]) {
    for (const colorScheme of ["light", "dark"]) {
        test(`a trend at ${width} pixels, ${colorScheme}`, async () => {
            const { page, problems, close } = await ask(address({ ...NET, from: "b8", to: "b9" }), { viewport: { width, height: 900 }, colorScheme });
            await settled(page);
            await page.locator(".compare .table").first().waitFor();
            await picture(page, `${width}-${colorScheme}`);
            assert.equal(await page.locator(".trend .median").count(), 2, "the drawing, and its key");
            assert.equal(await page.locator(".trend svg line.change.slower").count(), 1);
            assert.equal(await page.locator(".trend svg line.change.faster").count(), 1);
            assert.match(await page.locator(".trend svg").textContent(), /▲ 1\.0\d\d×.*▼ 0\.9\d\d×/s);
            assert.match(await page.locator(".sentence").first().innerText(), /2 changes over 24 builds/);
            assert.ok((await wide(page)) <= width, "nothing is wider than the window");
            await page.locator("summary", { hasText: "All 24 builds" }).click();
            await page.locator(".result details tbody").waitFor();
            assert.deepEqual(await axe(page, width < 1440 ? NARROW : colorScheme === "dark" ? DARK : {}), []);
            assert.deepEqual(problems, []);
            await close();
        });
    }
}

test("pointing and keys tell what was measured of a build, and the table has the same", async () => {
    const { page, problems, close } = await ask(address(NET));
    await settled(page);
    const drawing = page.getByRole("application");
    const box = await drawing.boundingBox();
    await drawing.hover({ position: { x: box.width - 20, y: box.height / 2 } });
    assert.match(await page.locator(".trend .tip").innerText(), /^b23\n.*median of 5 launches\nfrom .* to .*\nlevel .*\ncommit c0ffeeb23\nadded /);
    await picture(page, "pointed");
    await drawing.focus();
    await page.keyboard.press("Home");
    assert.match(await page.locator(".trend [role=status]").innerText(), /^b0: .*median of 5 launches; .*commit c0ffeeb0; added/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const told = await page.locator(".trend [role=status]").innerText();
    assert.match(told, /^b2: /);
    await page.locator("summary", { hasText: "All 24 builds" }).click();
    const row = page.locator(".result details tbody tr").nth(2);
    await row.waitFor();
    const [build, commit, , launches, median] = await row.locator("td").allInnerTexts();
    assert.deepEqual([build, commit, launches], ["b2", "c0ffeeb2", "5"]);
    assert.ok(told.includes(median), `${told}: ${median}`);
    assert.equal(await page.locator(".result details tbody tr").count(), 24);
    await page.keyboard.press("Escape");
    assert.deepEqual(problems, []);
    await close();
});

test("changes name the builds, the factor and the operators", async () => {
    const { page, close } = await ask(address(NET));
    await settled(page);
    const rows = await page.locator("h2:text-is('Changes') + .served tbody tr").allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows[0], /^b9\tb8\tb9\t.*conv \+/);
    assert.match(rows[1], /^b17\tb16\tb17\t.*dense -/);
    await close();
});

test("two builds are clicked and compared; the address says which, and going back undoes a choice", async () => {
    const { page, problems, close } = await ask(address(NET));
    await settled(page);
    const drawing = page.getByRole("application");
    await drawing.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByText("One more build is to be chosen").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.locator(".compare .table").first().waitFor();
    assert.deepEqual(await words(page), { ...NET, from: "b0", to: "b23" }, "the earlier one comes first");
    const tables = await page.locator(".compare").innerText();
    assert.match(tables, /conv/);
    assert.match(tables, /dense/);
    await field(page, "After").selectOption("b3");
    await page.waitForFunction(() => location.search.includes("to=b3"));
    await field(page, "Operator").fill("conv");
    await field(page, "Operator").press("Enter");
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("net, conv, run: 1 change"));
    assert.equal((await words(page)).operator, "conv");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("net, run: 2 changes"));
    assert.equal(await field(page, "Operator").inputValue(), "");
    assert.deepEqual(problems, []);
    await close();
});

test("metrics, devices and labels are chosen", async () => {
    const { page, problems, close } = await ask(address(NET));
    await settled(page);
    await field(page, "Metric").selectOption("operators");
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("net, operators: 0 changes over 24 builds"));
    await picture(page, "counts");
    await field(page, "Metric").selectOption("");
    await field(page, "Device").selectOption("lab board");
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("no change over 4 builds"));
    await field(page, "Label").fill("mode=slow");
    await field(page, "Label").press("Enter");
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("no change over 2 builds"));
    assert.deepEqual(await words(page), { model: "net", device: "lab board", label: "mode=slow" });
    await picture(page, "few");
    await page.getByRole("button", { name: "mode=slow" }).click();
    await page.waitForFunction(() => document.querySelector(".sentence").textContent.includes("no change over 4 builds"));
    assert.deepEqual(problems, []);
    await field(page, "Label").fill("mode=none");
    await field(page, "Label").press("Enter");
    await page.locator(".mood.bad", { hasText: "no build of" }).waitFor();
    await close();
});

test("builds come once, as long as there are no others", async () => {
    const { page, problems, close } = await ask(address(NET), { clock: true });
    await settled(page);
    const shown = await page.locator(".history").innerText();
    for (let i = 0; i < 2; i++) {
        const [again] = await Promise.all([page.waitForResponse((one) => new URL(one.url()).pathname === "/api/history/builds"), page.clock.fastForward(10_000)]);
        assert.equal(again.status(), 304);
    }
    assert.equal(await page.locator(".history").innerText(), shown);
    assert.deepEqual(problems, []);
    await close();
});

test("names with markup are names", async () => {
    const { page, problems, close } = await ask(address({ model: MARKUP, device: `${MARKUP} device`, label: `note=${MARKUP}`, from: `${MARKUP}0`, to: `${MARKUP}1` }));
    await settled(page);
    await page.locator(".compare .table").first().waitFor();
    await page.locator("summary", { hasText: "All 2 builds" }).click();
    await page.getByRole("application").focus();
    await page.keyboard.press("End");
    await picture(page, "markup");
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await page.locator("body").innerText()).includes(`${MARKUP}1`));
    assert.deepEqual(await axe(page), []);
    assert.deepEqual(problems, []);
    await close();
});

test("the gallery leads here where there is a history, and nowhere else", async () => {
    const { page, close } = await ask("/");
    await page.getByRole("link", { name: "History" }).click();
    await settled(page);
    assert.match(await page.locator(".history header").innerText(), /2 models, 3 devices, 26 builds/);
    await close();
    const without = await visit(process.env.TACHO_WITHOUT);
    await without.page.locator("header p", { hasText: "profile" }).waitFor();
    assert.ok(await without.page.getByText("History", { exact: true }).isHidden());
    await without.close();
});
