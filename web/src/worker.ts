/** The Worker of the page without a server: WebAssembly, one request at a time. */
import init, * as engine from './engine.js';

/** What the page sends. The first message has the program and its data. */
export type ToWorker =
    | { type: 'start'; module: WebAssembly.Module; book: Uint8Array; tables: Uint8Array }
    | { type: 'answer'; id: number; method: string; request: object }
    | { type: 'search'; request: object }
    | { type: 'review'; id: number; pgn: string; nodes: number };

/** What the Worker sends; the reports of a search are texts. */
export type FromWorker =
    | { type: 'answer'; id: number; json: string }
    | { type: 'event'; id: number; json: string }
    | { type: 'end'; id: number }
    | { type: 'fault'; id?: number; json: string };

const send = (message: FromWorker) => postMessage(message);

let started: Promise<unknown> = Promise.resolve();

addEventListener('message', (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    if (message.type === 'start') {
        started = init({ module_or_path: message.module }).then(() => engine.set_data(message.book, message.tables));
        return;
    }
    void started.then(() => work(message));
});

function work(message: Exclude<ToWorker, { type: 'start' }>): void {
    try {
        if (message.type === 'answer') {
            send({ type: 'answer', id: message.id, json: engine.answer(message.method, JSON.stringify(message.request)) });
        } else if (message.type === 'search') {
            engine.search(JSON.stringify(message.request));
        } else {
            engine.review(new TextEncoder().encode(message.pgn), message.nodes, (json: string) => send({ type: 'event', id: message.id, json }));
            send({ type: 'end', id: message.id });
        }
    } catch (error) {
        send({ type: 'fault', id: 'id' in message ? message.id : undefined, json: typeof error === 'string' ? error : JSON.stringify({ error: { message: String(error) } }) });
    }
}
