import type { About, BestMove, Evaluation, Explanation, Info, Place, PositionAnswer, ReviewEvent, SearchRequest, Threats } from './types';

/** What a refused request says, and where the fault is. */
export class RequestError extends Error {
    constructor(message: string, readonly field?: string, readonly line?: number, readonly column?: number) {
        super(message);
        this.name = 'RequestError';
    }

    /** The message with its place. */
    get description(): string {
        const place = [this.line && `line ${this.line}`, this.column && `column ${this.column}`].filter(Boolean).join(', ');
        const known = place && this.message.includes(place.split(',')[0]!);
        return place && !known ? `${place}: ${this.message}` : this.message;
    }
}

export interface SearchListener {
    info(info: Info): void;
    bestmove(best: BestMove): void;
    error(message: string): void;
}

/** A running search; it continues after a lost connection. */
export interface Search {
    /** Ends the search; nothing is reported after this. */
    stop(): void;
}

export type Connection = 'connecting' | 'online' | 'offline';

export interface ExplainOptions {
    move?: string;
    against?: string;
    nodes?: number;
}

/** The engine, wherever it runs. Requests wait for a lost connection to come back; refused ones throw `RequestError`. */
export interface Backend {
    /** Called with each change of the connection, and at once with the present state. */
    onConnection(listener: (state: Connection) => void): void;
    about(): Promise<About>;
    position(place: Place): Promise<PositionAnswer>;
    evaluate(place: Place): Promise<Evaluation>;
    explain(place: Place, options?: ExplainOptions): Promise<Explanation>;
    whyNot(place: Place, move: string, nodes?: number): Promise<Explanation>;
    threats(place: Place, nodes?: number): Promise<Threats>;
    /** One search at a time: a new one ends the one before. */
    search(request: SearchRequest, listener: SearchListener): Search;
    /** Reviews the games of a PGN text, event by event; ends early when the signal says so. */
    review(pgn: string, nodes: number, onEvent: (event: ReviewEvent) => void, signal: AbortSignal): Promise<void>;
}

/** The parameters of a place. */
export function words(place: Place): { fen: string; moves: string } {
    return { fen: place.fen, moves: place.moves.join(' ') };
}
