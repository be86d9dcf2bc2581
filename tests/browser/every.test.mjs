// Pages of all kinds of files: each opens, shows what is in it, and complains about nothing. tests/test_trace_page.py runs this.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { open } from "./open.mjs";

const PAGES = readdirSync(process.env.TACHO_PAGES).filter((name) => name.endsWith(".html")).sort();

test(`${PAGES.length} pages open`, async () => {
    assert.ok(PAGES.length > 0);
    for (const name of PAGES) {
        const { page, problems, close } = await open(name);
        const { slices, instants, shown } = await page.evaluate(() => {
            const { head, rows } = window.tacho.timeline.source;
            return { ...head.counts, shown: rows.reduce((sum, row) => sum + row.counts.reduce((one, other) => one + other, 0), 0) };
        });
        assert.deepEqual(problems, [], name);
        assert.ok(shown >= slices + instants, `${name}: ${shown} of ${slices} slices and ${instants} moments`);
        await close();
    }
});
