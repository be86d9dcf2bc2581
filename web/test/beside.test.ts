import assert from "node:assert/strict";
import { test } from "node:test";

import { bare, labelsCalled } from "../src/page/finder";
import { scaleEnd, tell, type PlaceMap } from "../src/page/map";
import type { Label } from "../src/page/model";
import { asksTimeline } from "../src/page/report";
import { parse } from "../src/page/state";

const map = (values: (number | null)[], full: number | null): PlaceMap => ({
    name: "chip 0", place: "core", columns: values.map(String), rows: ["0"], statistics: [{ title: "Busy", unit: "cycles", full }],
    places: values.map((value, column) => ({ column, row: 0, track: column, values: [value], texts: [value === 7 ? "7±1" : null] })),
});

test("a scale ends where a place does nothing else, else at the largest value of all maps that have it", () => {
    assert.equal(scaleEnd([map([3, 5], 100)], "Busy"), 100);
    assert.equal(scaleEnd([map([3, 5], null), map([9, null], null)], "Busy"), 9);
    assert.equal(scaleEnd([map([3, 5], 100), map([3], 400)], "Busy"), 400);
    assert.equal(scaleEnd([map([3, 500], 100)], "Busy"), 100, "a value beyond it does not make others pale");
    assert.equal(scaleEnd([map([null], null)], "Busy"), 0);
    assert.equal(scaleEnd([map([3], 100)], "Idle"), 0);
});

test("what is not known is not told as 0", () => {
    const known = map([0, null, 7], 100);
    assert.equal(tell(known, known.places[0]!, "core 0, 0", 0), "core 0, 0, chip 0: Busy: 0 cycles, 0.0 % of the time of chip 0");
    assert.equal(tell(known, known.places[1]!, "core 1, 0", 0), "core 1, 0, chip 0: Busy: not known");
    assert.equal(tell(known, known.places[2]!, "core 2, 0", 0), "core 2, 0, chip 0: Busy: 7±1 cycles, 7.0 % of the time of chip 0");
    const open = map([1234], null);
    assert.equal(tell(open, open.places[0]!, "core 0, 0", 0), "core 0, 0, chip 0: Busy: 1,234 cycles");
});

const label = (name: string, operator: string, more: Partial<Label> = {}): Label =>
    ({ name, operator, location: "", engine: "", class: 1, count: 1, total: 1, self: 1, shortest: 1, longest: 1, ...more });

test("a name is that of slices, else that of their operator; lines that were drawn have none", () => {
    const labels = [label("conv", "a"), label("add", "conv"), label("conv", "b"), label("conv", "", { class: 7 }), label("gone", "", { count: 0 })];
    assert.deepEqual(labelsCalled(labels, "conv"), [0, 2]);
    assert.deepEqual(labelsCalled(labels, "a"), [0]);
    assert.deepEqual(labelsCalled(labels, "gone"), []);
    assert.deepEqual(labelsCalled(labels, "con"), []);
});

test("what a report puts around a name is left out where no slice has it", () => {
    assert.equal(bare("35 x Fully Connected (NC, F32) GEMM"), "Fully Connected (NC, F32) GEMM");
    assert.equal(bare("HOST_COPY (main_dispatch_0)"), "HOST_COPY");
    assert.equal(bare("matmul #2"), "matmul #2");
});

test("an address asks the timeline where it has a value, else it is a section of the report", () => {
    for (const fragment of ["", "#", "#report", "#operators"]) assert.ok(!asksTimeline(fragment), fragment);
    for (const fragment of ["#n=conv", "#u=run%203", "#v=timeline", "#t=1,2"]) assert.ok(asksTimeline(fragment), fragment);
    assert.equal(parse(`#n=${encodeURIComponent("a&b=c #2")}`).name, "a&b=c #2");
    assert.equal(parse("#u=run%203").run, "run 3");
});
