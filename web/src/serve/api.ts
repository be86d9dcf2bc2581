// What the server says, and how it is asked. Every request carries the token of the address that was opened.

export interface Metric {
    metric: string;
    label: string;
    time: number;
    percent: number | null;
    description: string;
}

export interface Input {
    model: string;
    chain: string | null;
    kind: "measured" | "estimate";
    run_ns: number;
    runs: { total: number; counted: number };
    sentence: string | null;
    metrics: Metric[];
    /** Titles of the engines whose slices are behind a metric. */
    engines: Record<string, string[]>;
    rows: { read: number; used: number; lost: number };
    notes: string[];
}

export interface Card {
    id: string;
    name: string;
    state: "waiting" | "ready" | "bad";
    error: string | null;
    size: number | null;
    modified: string | null;
    profile: { format: string; title: string; inputs: Input[] } | null;
}

export interface Listing {
    after: string;
    served: string[];
    /** Name of the history of builds; null: none is served. */
    history: string | null;
    waiting: number;
    outside: number;
    unread: number;
    profiles: Card[];
    others: { name: string; reason: string | null }[];
}

export interface TableName {
    name: string;
    description: string;
    verb: string | null;
    views: boolean;
}

export interface Profile extends Card {
    tables: TableName[];
    archives: { verb: string; title: string; file: string }[];
    formats: { id: string; title: string; suffix: string }[];
}

export type CellType = "text" | "integer" | "decimal" | "duration" | "bytes" | "percent" | "boolean";

export interface TableColumn {
    name: string;
    title: string | null;
    unit: string | null;
    type: CellType;
    description: string | null;
}

export type Cell = string | number | boolean | null;

export interface TableData {
    name: string;
    title: string;
    columns: TableColumn[];
    rows: Record<string, Cell>[];
    notes: string[];
}

export interface LiveSource {
    id: string;
    name: string;
    kind: "program" | "file" | "board";
    state: "waiting" | "connected" | "ended" | "failed";
    said: string | null;
    note: string | null;
    title: string | null;
    pid: number | null;
    trace: string | null;
    generation: number;
    up_to: number | null;
    slices: number;
    forgotten: number;
    late: number;
    lost: number;
    dropped: number;
    unended: number;
    open: string | null;
    keep_s: number;
    fits_s: number | null;
    silent_ms: number | null;
    given: boolean;
    following: boolean;
}

export interface LiveList {
    sources: LiveSource[];
    room: number;
}

/** One of the stream of events; source null: one is gone. */
export interface LiveEvent {
    source: string | null;
    state?: LiveSource["state"];
    trace?: string;
    generation?: number;
    up_to?: number;
}

const NOT_MODIFIED = 304;

export type Query = [name: string, value: string][];

export class Api {
    constructor(private readonly token: string) {}

    /** An address of this server, with the token. */
    address(path: string, query: Query = []): string {
        return `${path}?${new URLSearchParams([...query, ["token", this.token]])}`;
    }

    /** Everything that is served; the listing that was given, where nothing changed since. */
    async list(before: Listing | null): Promise<Listing> {
        const now = await this.get<Listing | { after: string }>("/api/profiles", before ? [["after", before.after]] : []);
        return "profiles" in now ? now : before ?? this.list(null);
    }

    /** `again`: its file is looked at before. */
    profile(id: string, again = false): Promise<Profile> {
        return this.get(`/api/profiles/${encodeURIComponent(id)}`, again ? [["again", "1"]] : []);
    }

    table(id: string, name: string, query: Query = []): Promise<TableData> {
        return this.get(`/api/profiles/${encodeURIComponent(id)}/tables/${encodeURIComponent(name)}`, query);
    }

    /** What `tacho history` answers; one table comes alone. */
    async history(question: "builds" | "build" | "trend" | "compare", query: Query = []): Promise<TableData[]> {
        const answer = await this.get<TableData | TableData[]>(`/api/history/${question}`, query);
        return Array.isArray(answer) ? answer : [answer];
    }

    /** The same of all builds, and the tag of the answer; null: it is still the one with the tag that is given. */
    async newBuilds(tag: string): Promise<{ tables: TableData[]; tag: string } | null> {
        const answer = await this.fetch("/api/history/builds", [], { headers: tag ? { "If-None-Match": tag } : {} });
        return answer.status === NOT_MODIFIED ? null : { tables: await answer.json() as TableData[], tag: answer.headers.get("ETag") ?? "" };
    }

    /** What is still being recorded or written. */
    live(): Promise<LiveList> {
        return this.get("/api/live");
    }

    /** Changes something. */
    async post(path: string, query: Query = []): Promise<{ source: string }> {
        return await (await this.fetch(path, query, { method: "POST" })).json() as { source: string };
    }

    /** For who makes addresses himself. */
    readonly fetcher = ((address: string) => fetch(`${address}${address.includes("?") ? "&" : "?"}token=${encodeURIComponent(this.token)}`)) as typeof fetch;

    async bytes(path: string, query: Query = []): Promise<ArrayBuffer> {
        return (await this.fetch(path, query)).arrayBuffer();
    }

    private async get<T>(path: string, query: Query = []): Promise<T> {
        return await (await this.fetch(path, query)).json() as T;
    }

    private async fetch(path: string, query: Query = [], how: RequestInit = {}): Promise<Response> {
        let answer: Response;
        try {
            answer = await fetch(this.address(path, query), how);
        } catch {
            throw new Error("the server does not answer: has it ended?");
        }
        if (!answer.ok && answer.status !== NOT_MODIFIED) throw new Error(sentence(await answer.text()) || `${answer.status} ${answer.statusText}`);
        return answer;
    }
}

/** What a refusal says: programs get it as JSON. */
export function sentence(text: string): string {
    try {
        const said = JSON.parse(text) as { error?: unknown };
        return typeof said.error === "string" ? said.error : text.trim();
    } catch {
        return text.trim();
    }
}
