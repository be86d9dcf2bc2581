// A trace handed to Perfetto's user interface in another window: PING until it answers PONG, then the bytes.

export const PERFETTO = "https://ui.perfetto.dev";
const EVERY_MS = 50;
const LIMIT_MS = 30_000;

/** What a window of another origin lets others do. */
export interface Other {
    readonly closed: boolean;
    postMessage(message: unknown, origin: string): void;
}

export interface Trace {
    buffer: ArrayBuffer;
    title: string;
    fileName: string;
}

/** Ends when the trace was sent; fails when the window is closed or does not answer. `here` hears the messages to our own window. */
export function handOver(other: Other, here: EventTarget, trace: Promise<Trace>, origin = PERFETTO, limit = LIMIT_MS): Promise<void> {
    return new Promise((done, failed) => {
        const started = Date.now();
        const listen = (event: Event): void => {
            const message = event as MessageEvent;
            // Any window may send messages here.
            if (message.origin !== origin || message.source !== other || message.data !== "PONG") return;
            stop();
            trace.then((ready) => {
                other.postMessage({ perfetto: { ...ready, localOnly: true } }, origin);
                done();
            }).catch(failed);
        };
        const ping = (): void => {
            if (other.closed) fail("the window of Perfetto was closed");
            else if (Date.now() - started > limit) fail("Perfetto does not answer: is ui.perfetto.dev reachable from here? The download .pb can be opened there by hand");
            else other.postMessage("PING", origin);
        };
        const timer = setInterval(ping, EVERY_MS);
        const stop = (): void => {
            clearInterval(timer);
            here.removeEventListener("message", listen);
        };
        const fail = (why: string): void => {
            stop();
            failed(new Error(why));
        };
        here.addEventListener("message", listen);
        trace.catch((error: unknown) => {
            stop();
            failed(error);
        });
    });
}

/** What Perfetto does with a trace from an address; empty: it takes it. */
export function hesitation(host: string): string {
    return ["localhost", "127.0.0.1", "[::1]"].includes(host) ? "" : `Perfetto asks first whether ${host} can be trusted.`;
}
