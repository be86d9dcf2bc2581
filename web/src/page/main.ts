// Puts the page of a trace together.

import "./page.css";

function start(): void {
    const app = document.getElementById("app");
    const head = document.getElementById("trace");
    if (!app || !head) return;
    app.textContent = JSON.stringify((JSON.parse(head.textContent ?? "{}") as { counts?: unknown }).counts);
}

start();
