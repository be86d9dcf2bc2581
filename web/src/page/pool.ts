// Workers that decode blocks, so that the page never waits.

import { makeKit, type Arguments, type Chunk, type Kit } from "./kit";

/** A block is in base64, or as it is. */
export type Task =
    | { kind: "bytes"; data: string | Uint8Array<ArrayBuffer> }
    | { kind: "chunk"; data: string | Uint8Array<ArrayBuffer>; count: number; first: number; span: number; counter: boolean }
    | { kind: "arguments"; data: string | Uint8Array<ArrayBuffer>; count: number };

/** Urgent: something waits to be drawn. */
export interface Decoder {
    run(task: Task & { kind: "bytes" }, urgent: boolean): Promise<Uint8Array>;
    run(task: Task & { kind: "chunk" }, urgent: boolean): Promise<Chunk>;
    run(task: Task & { kind: "arguments" }, urgent: boolean): Promise<Arguments>;
}

interface Waiting {
    task: Task;
    done(result: unknown): void;
    failed(error: Error): void;
}

/** What a worker does, from its first line; `kit` is all it has. */
function work(kit: Kit): void {
    const post = (self as unknown as { postMessage(message: unknown, transfer: unknown[]): void }).postMessage.bind(self);
    self.onmessage = async (event: MessageEvent<{ id: number; task: Task }>): Promise<void> => {
        const { id, task } = event.data;
        try {
            const bytes = await kit.inflate(typeof task.data === "string" ? kit.base64(task.data) : task.data);
            if (task.kind === "bytes") {
                post({ id, result: bytes }, [bytes.buffer]);
                return;
            }
            const result = task.kind === "chunk" ? kit.chunk(bytes, task.count, task.first, task.span, task.counter) : kit.arguments(bytes, task.count);
            const buffers = new Set(Object.values(result).flatMap((column) => (typeof column === "number" ? [] : [column.buffer])));
            post({ id, result }, [...buffers]);
        } catch (error) {
            post({ id, error: String(error) }, []);
        }
    };
}

const kit = makeKit();

/** As the workers do it, where there are none: for blocks that are small. */
export const decodeHere: Decoder = {
    run: (async (task: Task): Promise<Uint8Array | Chunk | Arguments> => {
        const bytes = await kit.inflate(typeof task.data === "string" ? kit.base64(task.data) : task.data);
        if (task.kind === "bytes") return bytes;
        return task.kind === "chunk" ? kit.chunk(bytes, task.count, task.first, task.span, task.counter) : kit.arguments(bytes, task.count);
    }) as Decoder["run"],
};

const AHEAD = 2; // tasks a worker has at a time, so that it does not wait for the page

export class Pool implements Decoder {
    private readonly workers: { worker: Worker; tasks: Map<number, Waiting> }[] = [];
    private readonly urgent: Waiting[] = [];
    private readonly later: Waiting[] = [];
    private number = 0;

    constructor(count: number) {
        const source = `(${work.toString()})((${makeKit.toString()})())`;
        const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        for (let i = 0; i < count; i++) {
            const entry = { worker: new Worker(address), tasks: new Map<number, Waiting>() };
            entry.worker.onmessage = (event: MessageEvent<{ id: number; result?: unknown; error?: string }>) => {
                const waiting = entry.tasks.get(event.data.id);
                entry.tasks.delete(event.data.id);
                this.feed();
                if (event.data.error !== undefined) waiting?.failed(new Error(event.data.error));
                else waiting?.done(event.data.result);
            };
            entry.worker.onerror = (event) => {
                for (const waiting of entry.tasks.values()) waiting.failed(new Error(event.message || "a worker ended"));
                entry.tasks.clear();
            };
            this.workers.push(entry);
        }
    }

    run(task: Task & { kind: "bytes" }, urgent: boolean): Promise<Uint8Array>;
    run(task: Task & { kind: "chunk" }, urgent: boolean): Promise<Chunk>;
    run(task: Task & { kind: "arguments" }, urgent: boolean): Promise<Arguments>;
    run(task: Task, urgent: boolean): Promise<unknown> {
        return new Promise((done, failed) => {
            (urgent ? this.urgent : this.later).push({ task, done, failed });
            this.feed();
        });
    }

    /** Drawings are served before what is only counted; of drawings the newest first: the older ones may be out of sight. */
    private feed(): void {
        for (;;) {
            const free = this.workers.reduce((least, entry) => (entry.tasks.size < least.tasks.size ? entry : least));
            if (free.tasks.size >= AHEAD) return;
            const waiting = this.urgent.pop() ?? this.later.shift();
            if (!waiting) return;
            const id = this.number++;
            free.tasks.set(id, waiting);
            free.worker.postMessage({ id, task: waiting.task });
        }
    }
}
