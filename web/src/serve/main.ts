// What `tacho serve` shows: the address says which page.

import "../page/page.css";
import "./serve.css";

import { Api } from "./api";
import { BuildPage } from "./build";
import { ComparePage } from "./compare";
import { element } from "../page/dom";
import { Gallery } from "./gallery";
import { HistoryPage } from "./history";
import { LivePage } from "./live";
import { ProfilePage } from "./profile";

const api = new Api(new URLSearchParams(location.search).get("token") ?? "");
const [page, one, other] = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);

function show(): HTMLElement {
    if (page === "profile" && one) return new ProfilePage(api, one).element;
    if (page === "compare" && one && other) return new ComparePage(api, one, other).element;
    if (page === "history" && one === "build") return new BuildPage(api).element;
    if (page === "history") return new HistoryPage(api).element;
    if (page === "live") return new LivePage(api).element;
    return new Gallery(api).element;
}

document.getElementById("app")?.append(element("main", {}, show()));
