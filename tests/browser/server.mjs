// Holds a browser that others connect to, until its input ends, and prints where it answers. tests/chromium.py runs this.
import { launching, playwright } from "./connect.mjs";

const server = await playwright.launchServer({ ...launching, host: "127.0.0.1" });
server.on("close", () => process.exit());
process.stdin.on("end", () => server.close()).resume();
console.log(server.wsEndpoint());
