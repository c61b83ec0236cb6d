import { RequestError, words, type Backend, type Connection, type ExplainOptions, type Search, type SearchListener } from './backend';
import type { About, BestMove, Evaluation, Explanation, Info, Place, PositionAnswer, ReviewEvent, SearchRequest, Threats } from './types';

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

interface RunningSearch {
    id: number;
    request: SearchRequest;
    listener: SearchListener;
}

type ServerMessage =
    | ({ type: 'info'; id: number } & Info)
    | ({ type: 'bestmove'; id: number } & BestMove)
    | { type: 'error'; id?: number; message: string };

interface ErrorBody {
    error?: { message?: string; field?: string; line?: number; column?: number };
}

/** The engine behind `lucena serve`: requests over HTTP, searches over a WebSocket. */
export class HttpBackend implements Backend {
    private socket?: WebSocket;
    private pause = SHORTEST_PAUSE;
    private state: Connection = 'connecting';
    private listeners: ((state: Connection) => void)[] = [];
    private waiting: (() => void)[] = [];
    private lastId = 0;
    private running?: RunningSearch;

    constructor() {
        this.connect();
        addEventListener('online', () => this.retryNow());
        document.addEventListener('visibilitychange', () => document.hidden || this.retryNow());
    }

    onConnection(listener: (state: Connection) => void): void {
        this.listeners.push(listener);
        listener(this.state);
    }

    about(): Promise<About> {
        return this.get('about', {});
    }

    position(place: Place): Promise<PositionAnswer> {
        return this.get('position', words(place));
    }

    evaluate(place: Place): Promise<Evaluation> {
        return this.get('eval', words(place));
    }

    explain(place: Place, options: ExplainOptions = {}): Promise<Explanation> {
        return this.get('explain', { ...words(place), ...options });
    }

    whyNot(place: Place, move: string, nodes?: number): Promise<Explanation> {
        return this.get('why-not', { ...words(place), move, nodes });
    }

    threats(place: Place, nodes?: number): Promise<Threats> {
        return this.get('threats', { ...words(place), nodes });
    }

    search(request: SearchRequest, listener: SearchListener): Search {
        const running: RunningSearch = { id: ++this.lastId, request, listener };
        this.running = running;
        this.sendSearch();
        return {
            stop: () => {
                if (this.running !== running) return;
                this.running = undefined;
                this.send({ type: 'stop' });
            },
        };
    }

    async review(pgn: string, nodes: number, onEvent: (event: ReviewEvent) => void, signal: AbortSignal): Promise<void> {
        const response = await fetch(`api/review?nodes=${nodes}`, {
            method: 'POST',
            headers: { 'Content-Type': 'text/plain; charset=utf-8' },
            body: pgn,
            signal,
        });
        if (!response.ok || !response.body) throw await refusal(response);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = '';
        let isEnded = false;
        for (;;) {
            const { done, value } = await reader.read();
            const lines = (rest + (value ?? '')).split('\n');
            rest = lines.pop()!;
            for (const line of lines) {
                const event = JSON.parse(line) as ReviewEvent;
                isEnded ||= event.type === 'done';
                onEvent(event);
            }
            if (done && !isEnded) throw new RequestError('The server ended the review early. Start it again.');
            if (done) return;
        }
    }

    private async get<T>(path: string, parameters: Record<string, string | number | undefined>): Promise<T> {
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
        for (;;) {
            let response: Response;
            try {
                response = await fetch(`api/${path}?${query}`);
                if (response.ok) return (await response.json()) as T;
            } catch (error) {
                // The connection may also break within the answer.
                if (!(error instanceof TypeError)) throw error;
                await this.connectionBack();
                continue;
            }
            throw await refusal(response);
        }
    }

    /** Resolves when the WebSocket opens again. */
    private connectionBack(): Promise<void> {
        this.socket?.close();
        return new Promise(resolve => this.waiting.push(resolve));
    }

    private connect(): void {
        const url = new URL('api/engine', location.href);
        url.protocol = url.protocol.replace('http', 'ws');
        url.search = url.hash = '';
        const socket = new WebSocket(url);
        this.socket = socket;
        socket.onopen = () => {
            this.pause = SHORTEST_PAUSE;
            this.setState('online');
            for (const resume of this.waiting.splice(0)) resume();
            this.sendSearch();
        };
        socket.onmessage = event => this.receive(JSON.parse(event.data as string) as ServerMessage);
        socket.onclose = () => {
            this.setState('offline');
            setTimeout(() => this.socket === socket && this.connect(), this.pause);
            this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
        };
    }

    private retryNow(): void {
        if (this.socket?.readyState === WebSocket.CLOSED) this.connect();
    }

    private receive(message: ServerMessage): void {
        const running = this.running;
        if (!running || (message.id !== undefined && message.id !== running.id)) return;
        if (message.type === 'info') {
            running.listener.info(message);
        } else if (message.type === 'bestmove') {
            this.running = undefined;
            running.listener.bestmove(message);
        } else if (message.type === 'error') {
            this.running = undefined;
            running.listener.error(message.message);
        }
    }

    /** Sends the running search; after a lost connection it starts anew. */
    private sendSearch(): void {
        if (!this.running) return;
        const { id, request } = this.running;
        const { place, ...rest } = request;
        this.send({ type: 'search', id, ...words(place), ...rest });
    }

    private send(message: object): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    private setState(state: Connection): void {
        if (state === this.state) return;
        this.state = state;
        for (const listener of this.listeners) listener(state);
    }
}

async function refusal(response: Response): Promise<RequestError> {
    const body = (await response.json().catch(() => ({}))) as ErrorBody;
    const { message, field, line, column } = body.error ?? {};
    return new RequestError(message ?? `the server answered ${response.status}`, field, line, column);
}
