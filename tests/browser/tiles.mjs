// How soon a large trace is there from a server, what tiles of it cost, and whether its columns are those of its slices.
//
//     node tiles.mjs TACHO TRACE.pb SLICES.bin TILES VIEWS
//
// bench/shapes writes both files. Prints one line of JSON.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import { connect, visit } from "./connect.mjs";

const [TACHO, TRACE, SLICES, TILES, VIEWS] = process.argv.slice(2);
const COLUMNS = 2048;

let state = 1;
const random = (limit) => {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((state ^ state >>> 13) >>> 0) / 2 ** 32 * limit;
};

/** Slices of each row in order, with what is busy before each. */
function readSlices(file) {
    const bytes = readFileSync(file);
    const numbers = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    const rows = new Map();
    const sizes = new Map();
    const key = (at) => `${numbers[at]} ${numbers[at + 1]}`;
    for (let at = 0; at < numbers.length; at += 4) sizes.set(key(at), (sizes.get(key(at)) ?? 0) + 1);
    for (const [name, size] of sizes) rows.set(name, { starts: new Float64Array(size), ends: new Float64Array(size), before: new Float64Array(size + 1), count: 0 });
    for (let at = 0; at < numbers.length; at += 4) {
        const row = rows.get(key(at));
        const [start, end] = [Number(numbers[at + 2]), Number(numbers[at + 3])];
        row.starts[row.count] = start;
        row.ends[row.count] = end;
        row.before[row.count + 1] = row.before[row.count] + end - start;
        row.count++;
    }
    return rows;
}

/** Time in which a slice of the row runs before this time. */
function busyBefore({ starts, ends, before, count }, time) {
    let [low, high] = [0, count];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] < time) low = middle + 1;
        else high = middle;
    }
    return low === 0 ? 0 : before[low] - Math.max(0, ends[low - 1] - time);
}

const seconds = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]), 0) / 1e9;
/** The same with threads that have ended, in hundredths. */
const secondsOfAll = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
const megabytes = (pid, key) => Math.round(Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`^${key}:\\s+(\\d+)`, "m"))[1]) / 1024);
const share = (list, part) => [...list].sort((one, other) => one - other)[Math.floor((list.length - 1) * part)];

const browser = await connect();
const { page, problems } = await visit(browser, "about:blank", { allowed: "" });

const began = performance.now();
const server = spawn(TACHO, ["serve", "--port", String(20000 + process.pid % 20000), TRACE], { stdio: ["ignore", "ignore", "pipe"] });
const address = await new Promise((done, failed) => {
    let said = "";
    server.stderr.on("data", (data) => {
        said += data;
        const found = said.match(/^(http:\/\/\S+)\/\?token=(\w+)$/m);
        if (found && said.includes("Ctrl-C")) done({ place: found[1], token: found[2] });
    });
    server.on("exit", () => failed(new Error(said)));
});
const get = async (place) => {
    const answer = await fetch(`${address.place}${place}${place.includes("?") ? "&" : "?"}token=${address.token}`);
    if (!answer.ok) throw new Error(`${place}: ${answer.status} ${await answer.text()}`);
    return answer;
};

try {
    const [{ id }] = (await (await get("/api/profiles")).json()).profiles;
    await page.goto(`${address.place}/pages/timeline/${id}?token=${address.token}`);
    await page.waitForSelector('.timeline[data-ready="true"]');
    const picture = (performance.now() - began) / 1000;
    const processor = secondsOfAll(server.pid);

    const head = await (await get(`/api/profiles/${id}/trace/head`)).json();
    while ((await (await get("/api/profiles")).json()).waiting) await new Promise((done) => setTimeout(done, 50));
    const rows = head.tracks.filter(({ kind }) => kind === "slices").reduce((most, track) => Math.max(most, track.rows[0] + track.rows[1]), 0);
    const span = head.end - head.begin;
    const costs = [];
    const before = megabytes(server.pid, "VmRSS");
    for (let i = 0; i < Number(TILES); i++) {
        const width = Math.max(COLUMNS, Math.floor(span * 10 ** -random(5)));
        const from = head.begin + Math.floor(random(Math.max(1, span - width)));
        const first = Math.floor(random(Math.max(1, rows - 15)));
        const start = seconds(server.pid);
        await (await get(`/api/profiles/${id}/trace/tiles?from=${from}&to=${from + width}&columns=${COLUMNS}&wide=1000&rows=${first}-${Math.min(first + 15, rows - 1)}`)).arrayBuffer();
        costs.push(seconds(server.pid) - start);
    }

    const known = readSlices(SLICES);
    let compared = 0;
    let different = 0;
    for (let view = 0; view < Number(VIEWS); view++) {
        const width = Math.max(50, span * 10 ** -random(6));
        const from = head.begin + random(Math.max(1, span - width));
        const drawn = JSON.parse(await page.evaluate(async ([start, end, down]) => {
            const { timeline } = window.tacho;
            timeline.scroller.scrollTop = down * timeline.scroller.scrollHeight;
            timeline.view.show(start, end);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            await timeline.whenReady();
            const { renderer, source } = timeline;
            const drawn = ({ y, height }) => y <= renderer.height && y + height >= renderer.head;
            const made = renderer.visibleItems().flatMap((item) => item.rows.map(({ row, top, height }) => ({ row, y: renderer.y(item) + top, height })))
                .filter((place) => place.row.kind === 0 && drawn(place))
                .map(({ row }) => ({ track: source.head.tracks[row.track].name, depth: row.depth, busy: [...renderer.fill(row).busy] }));
            return JSON.stringify({ edges: [...renderer.scale.edges], rows: made }); // many numbers come faster as text
        }, [from, from + width, random(1)]));
        for (const row of drawn.rows) {
            const slices = known.get(`${row.track.replace("Engine ", "")} ${row.depth}`);
            if (!slices) continue;
            row.busy.forEach((busy, k) => {
                compared++;
                const exact = busyBefore(slices, drawn.edges[k + 1]) - busyBefore(slices, drawn.edges[k]);
                // Where a column is not of whole nanoseconds, neither is what is in it.
                if (Number.isInteger(drawn.edges[k]) && Number.isInteger(drawn.edges[k + 1]) ? busy !== exact : Math.abs(busy - exact) > 1e-3) different++;
            });
        }
    }
    const after = megabytes(server.pid, "VmRSS");
    console.log(JSON.stringify({ picture: Number(picture.toFixed(2)), processor: Number(processor.toFixed(2)), tiles: costs.length,
                                 p50: Number((share(costs, 0.5) * 1e3).toFixed(2)), p99: Number((share(costs, 0.99) * 1e3).toFixed(2)), before, after,
                                 peak: megabytes(server.pid, "VmHWM"), views: Number(VIEWS), columns: compared, different, problems }));
} finally {
    server.removeAllListeners("exit");
    server.kill("SIGINT");
    await browser.close();
}
