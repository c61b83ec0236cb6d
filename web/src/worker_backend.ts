import { RequestError, words, type Backend, type Connection, type ExplainOptions, type Search, type SearchListener } from './backend';
import type { About, BestMove, Evaluation, Explanation, Info, Place, PositionAnswer, ReviewEvent, SearchRequest, Threats } from './types';
import type { FromWorker, ToWorker } from './worker';

interface Pending {
    resolve(json: string): void;
    reject(error: Error): void;
}

type Report = ({ type: 'info' } & Info) | ({ type: 'bestmove' } & BestMove) | { type: 'error'; message: string };

interface Program {
    module: WebAssembly.Module;
    book: Uint8Array;
    tables: Uint8Array;
}

/** The engine as WebAssembly: one Worker answers questions, another searches. A Worker that works cannot listen, so to stop it
 * is to end it; the program is compiled once. */
export class WorkerBackend implements Backend {
    private readonly program: Promise<Program>;
    private questions?: Worker;
    /** Keeps its table and the course of its game until a search is stopped. */
    private searcher?: Worker;
    /** The number of the search that runs. */
    private running?: number;
    private pending = new Map<number, Pending>();
    private lastId = 0;
    private hasTables = false;
    /** Workers that started before the tables came: another one is started when they have nothing to do. */
    private readonly outdated = new Set<Worker | undefined>();

    constructor() {
        const module = WebAssembly.compileStreaming(fetch('assets/lucena.wasm'));
        const book = bytes('assets/book.bin');
        this.program = Promise.all([module, book]).then(([module, book]) => ({ module, book, tables: new Uint8Array() }));
    }

    onConnection(listener: (state: Connection) => void): void {
        listener('connecting');
        void this.program.then(() => listener('online'), () => listener('offline'));
    }

    about(): Promise<About> {
        return this.ask('about', {});
    }

    position(place: Place): Promise<PositionAnswer> {
        return this.ask('position', words(place));
    }

    evaluate(place: Place): Promise<Evaluation> {
        return this.ask('eval', words(place));
    }

    explain(place: Place, options: ExplainOptions = {}): Promise<Explanation> {
        return this.ask('explain', { ...words(place), ...options });
    }

    whyNot(place: Place, move: string, nodes?: number): Promise<Explanation> {
        return this.ask('why-not', { ...words(place), move, nodes });
    }

    threats(place: Place, nodes?: number): Promise<Threats> {
        return this.ask('threats', { ...words(place), nodes });
    }

    search(request: SearchRequest, listener: SearchListener): Search {
        if (this.running || this.outdated.has(this.searcher)) this.endSearch();
        const id = ++this.lastId;
        let stopped = false;
        void this.program.then(async program => {
            const { place, book, ...rest } = request;
            const known = book ? await this.bookMove(place) : undefined;
            if (stopped) return;
            if (known) {
                this.loadTables(program);
                return listener.bestmove(known);
            }
            const worker = (this.searcher ??= start(program));
            this.running = id;
            worker.onmessage = event => {
                if (stopped) return;
                const report = readReport(event.data as string | FromWorker);
                if (report?.type === 'info') {
                    listener.info(report);
                } else if (report?.type === 'bestmove') {
                    this.running = undefined;
                    this.loadTables(program);
                    listener.bestmove(report);
                } else if (report) {
                    // The program may have failed within.
                    this.endSearch();
                    listener.error(report.message);
                }
            };
            tell(worker, { type: 'search', request: { id, ...words(place), ...rest } });
        });
        return {
            stop: () => {
                if (stopped) return;
                stopped = true;
                if (this.running === id) this.endSearch();
            },
        };
    }

    async review(pgn: string, nodes: number, onEvent: (event: ReviewEvent) => void, signal: AbortSignal): Promise<void> {
        const program = await this.program;
        // A Worker of its own, which ends with the review.
        const worker = start(program);
        const id = ++this.lastId;
        try {
            await new Promise<void>((resolve, reject) => {
                signal.addEventListener('abort', () => resolve());
                worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
                    if (data.type === 'event') onEvent(JSON.parse(data.json) as ReviewEvent);
                    else if (data.type === 'end') resolve();
                    else if (data.type === 'fault') reject(refusal(data.json));
                };
                tell(worker, { type: 'review', id, pgn, nodes });
            });
        } finally {
            worker.terminate();
        }
    }

    private async ask<T>(method: string, request: object): Promise<T> {
        const program = await this.program;
        const id = ++this.lastId;
        const json = await new Promise<string>((resolve, reject) => {
            this.pending.set(id, { resolve, reject });
            tell(this.questionWorker(program), { type: 'answer', id, method, request });
        });
        return JSON.parse(json) as T;
    }

    /** A move of the opening book, by its weight. */
    private async bookMove(place: Place): Promise<BestMove | undefined> {
        const { book } = await this.position(place).catch(() => ({ book: [] }));
        let left = Math.random() * book.reduce((sum, entry) => sum + entry.weight, 0);
        const chosen = book.find(entry => (left -= entry.weight) < 0);
        return chosen && { move: chosen.uci, san: chosen.san };
    }

    private questionWorker(program: Program): Worker {
        // The question itself is pending already.
        if (this.outdated.has(this.questions) && this.pending.size === 1) this.endQuestions();
        if (this.questions) return this.questions;
        const worker = start(program);
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
            const pending = data.id === undefined ? undefined : this.pending.get(data.id);
            if (!pending) return;
            this.pending.delete(data.id!);
            if (data.type === 'answer') pending.resolve(data.json);
            else if (data.type === 'fault') pending.reject(refusal(data.json));
        };
        this.questions = worker;
        return worker;
    }

    /** The tables come after the first move; a Worker gets them when it starts. */
    private loadTables(program: Program): void {
        if (this.hasTables) return;
        this.hasTables = true;
        void bytes('assets/tables.bin').then(tables => {
            program.tables = tables;
            for (const worker of [this.questions, this.searcher]) if (worker) this.outdated.add(worker);
        });
    }

    private endQuestions(): void {
        this.outdated.delete(this.questions);
        this.questions?.terminate();
        this.questions = undefined;
    }

    private endSearch(): void {
        this.outdated.delete(this.searcher);
        this.searcher?.terminate();
        this.searcher = undefined;
        this.running = undefined;
    }
}

function start(program: Program): Worker {
    const worker = new Worker('assets/worker.js', { type: 'module' });
    tell(worker, { type: 'start', ...program });
    return worker;
}

function tell(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
}

async function bytes(path: string): Promise<Uint8Array> {
    const response = await fetch(path);
    // Without the file the engine works, too.
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
}

function readReport(data: string | FromWorker): Report | undefined {
    if (typeof data === 'string') return JSON.parse(data) as Report;
    return data.type === 'fault' ? { type: 'error', message: refusal(data.json).message } : undefined;
}

function refusal(json: string): RequestError {
    const { error } = JSON.parse(json) as { error: { message: string; field?: string; line?: number; column?: number } };
    return new RequestError(error.message, error.field, error.line, error.column);
}
