/** The answers of the engine, as docs/web.md and the JSON schemas in docs/ describe them. */

export type Color = 'white' | 'black';

/** A start position and the moves played from it. */
export interface Place {
    /** A FEN or `startpos`. */
    fen: string;
    /** Moves in SAN. */
    moves: string[];
}

export interface About {
    name: string;
    version: string;
    features: string[];
    limits?: { max_body?: number; max_nodes?: number; min_elo?: number; max_elo?: number };
}

export interface PositionAnswer {
    fen: string;
    turn: Color;
    check: boolean;
    legal: { uci: string; san: string }[];
    moves: { uci: string; san: string; fen: string }[];
    status: 'playing' | 'checkmate' | 'stalemate' | 'draw';
    reason?: string;
    result?: string;
    opening?: { eco?: string; name: string };
    book: { uci: string; san: string; weight: number }[];
    tablebase?: { wdl: number; dtz?: number; text?: string };
}

export interface ConceptSum {
    title: string;
    concept: string;
    /** Internal centipawns from White's view, as all numbers of an evaluation. */
    white: number;
    black: number;
    net: number;
}

export interface Fact {
    concept: string;
    topic: string;
    squares: string[];
    text: string;
    value: number;
}

export interface Evaluation {
    fen: string;
    total: number;
    end: string | null;
    unit: string;
    concepts: ConceptSum[];
    lines: Fact[];
    families: { family: string; title: string; white: number; black: number; sum: number }[];
    terms: { family: string; term: string; white: string[]; black: string[]; count: number; sum: number }[];
}

/** Centipawns for the side to move, or text such as `mate 3`. */
export type ExplainedScore = number | string;

export interface Claim {
    id: number;
    kind: string;
    squares: string[];
    line: string[];
    text: string;
    ply: number;
}

export interface Explanation {
    fen: string;
    best: string;
    move: string;
    score: ExplainedScore;
    wdl: [number, number, number];
    lines: { move: string; score: ExplainedScore; moves: string[]; searched: number }[];
    claims: Claim[];
    concepts: { name: string; difference: number; surprise: number }[];
    depth: number;
    nodes: number;
}

export interface Threats {
    fen: string;
    side: string;
    score: ExplainedScore;
    claims: Claim[];
}

export interface Limits {
    nodes?: number;
    depth?: number;
    movetime?: number;
    infinite?: boolean;
    wtime?: number;
    btime?: number;
    winc?: number;
    binc?: number;
}

export interface SearchRequest {
    place: Place;
    limits: Limits;
    multipv?: number;
    elo?: number;
    /** May answer from the opening book. */
    book?: boolean;
}

export interface Score {
    cp?: number;
    mate?: number;
    bound?: string;
}

export interface Info {
    depth: number;
    seldepth?: number;
    multipv: number;
    /** For the side to move. */
    score: Score;
    wdl?: [number, number, number];
    nodes: number;
    nps?: number;
    time: number;
    pv: string[];
    pv_san?: string[];
}

export interface BestMove {
    /** Null without a legal move. */
    move: string | null;
    san: string | null;
}

export type Mark = 'inaccuracy' | 'mistake' | 'blunder' | 'only_move' | 'sacrifice';

export interface ReviewedMove {
    ply: number;
    move: string;
    uci: string;
    fen: string;
    /** For White; null where the game is over. */
    score: Score | null;
    /** For the player who moved, per mille. */
    wdl: [number, number, number];
    lost: number;
    accuracy: number;
    mark: Mark | null;
    best: string;
    best_line: string;
    line: string;
    text: string[];
}

export interface ReviewedSide {
    name: string;
    accuracy: number | null;
    inaccuracies: number;
    mistakes: number;
    blunders: number;
}

export interface Review {
    number: number;
    tags: Record<string, string>;
    result: string;
    opening: { eco: string; name: string } | null;
    white: ReviewedSide;
    black: ReviewedSide;
    moves: ReviewedMove[];
}

export type ReviewEvent =
    | { type: 'progress'; game: number; games: number; ply: number; plies: number; move?: ReviewedMove }
    | { type: 'game'; number: number; review: Review; pgn: string; html?: string }
    | { type: 'error'; number?: number; line?: number; column?: number; message: string }
    | { type: 'done'; games: number; failed: number };
