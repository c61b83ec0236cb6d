import { Chess, normalizeMove, type Position } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { makeSquare, makeUci, parseUci } from 'chessops/util';
import type { Key } from '@lichess-org/chessground/types';
import type { Color, Place } from './types';

export interface PlayedMove {
    san: string;
    from: Key;
    to: Key;
    /** The position after the move. */
    fen: string;
}

/** Moves from a start position, and how many of them are shown on the board. */
export class Line {
    readonly moves: PlayedMove[] = [];
    /** How many moves are played on the board. */
    at = 0;
    private readonly start: Position;

    /** Throws on a FEN that cannot be read; the engine's own message is better, so ask it first. */
    constructor(readonly startFen: string = 'startpos') {
        this.start = position(startFen === 'startpos' ? INITIAL_FEN : startFen);
    }

    static from(place: Place): Line {
        const line = new Line(place.fen);
        for (const san of place.moves) if (!line.playSan(san)) break;
        return line;
    }

    /** The position on the board. */
    get position(): Position {
        return this.at === 0 ? this.start.clone() : position(this.moves[this.at - 1]!.fen);
    }

    /** The position after all moves. */
    get end(): Position {
        const last = this.moves.at(-1);
        return last ? position(last.fen) : this.start.clone();
    }

    get fen(): string {
        return this.at === 0 ? makeFen(this.start.toSetup()) : this.moves[this.at - 1]!.fen;
    }

    get turn(): Color {
        return this.position.turn;
    }

    get last(): PlayedMove | undefined {
        return this.moves[this.at - 1];
    }

    get atEnd(): boolean {
        return this.at === this.moves.length;
    }

    /** The ply of the first move: 0 for White's first. */
    get firstPly(): number {
        return 2 * (this.start.fullmoves - 1) + (this.start.turn === 'black' ? 1 : 0);
    }

    /** The place on the board, or the one after the given number of moves. */
    place(at = this.at): Place {
        return { fen: this.startFen, moves: this.moves.slice(0, at).map(move => move.san) };
    }

    /** All of it, whatever is on the board. */
    whole(): Place {
        return this.place(this.moves.length);
    }

    /** Plays a move at the place on the board; other moves behind it are dropped. Undefined if it is illegal. */
    play(move: Move): PlayedMove | undefined {
        const at = this.position;
        const legal = normalizeMove(at, move);
        if (!at.isLegal(legal)) return undefined;
        const squares = moveSquares(at, legal);
        const san = makeSanAndPlay(at, legal);
        const played = { san, ...squares, fen: makeFen(at.toSetup()) };
        if (this.moves[this.at]?.fen !== played.fen) this.moves.splice(this.at, Infinity, played);
        this.at++;
        return played;
    }

    playSan(san: string): PlayedMove | undefined {
        const move = parseSan(this.position, san);
        return move && this.play(move);
    }

    playUci(uci: string): PlayedMove | undefined {
        const move = parseUci(uci);
        return move && this.play(move);
    }

    /** Takes the last moves back for good. */
    drop(count: number): void {
        this.moves.splice(Math.max(0, this.moves.length - count));
        this.at = this.moves.length;
    }

    /** False if that is the place on the board already. */
    goTo(at: number): boolean {
        const wanted = Math.max(0, Math.min(at, this.moves.length));
        const changed = wanted !== this.at;
        this.at = wanted;
        return changed;
    }
}

export function position(fen: string): Position {
    return Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
}

export function destinations(at: Position): Map<Key, Key[]> {
    return chessgroundDests(at) as Map<Key, Key[]>;
}

/** From and to as a player sees them: a castling king goes two squares. */
export function moveSquares(at: Position, move: Move): { from: Key; to: Key } {
    if (!('from' in move)) throw new Error('drops are not chess');
    const target = at.board.get(move.to);
    const castles = at.board.get(move.from)?.role === 'king' && target?.role === 'rook' && target.color === at.turn;
    const rank = move.to - (move.to % 8);
    const to = castles ? rank + (move.to > move.from ? 6 : 2) : move.to;
    return { from: makeSquare(move.from), to: makeSquare(to) };
}

/** The squares of a move in SAN, if it is legal. */
export function sanSquares(fen: string, san: string): { from: Key; to: Key } | undefined {
    const at = position(fen);
    const move = parseSan(at, san);
    return move && moveSquares(at, move);
}

/** The squares of consecutive moves in SAN; ends at the first that is illegal. */
export function lineSquares(fen: string, sans: string[]): { from: Key; to: Key; color: Color }[] {
    const at = position(fen);
    const squares = [];
    for (const san of sans) {
        const move = parseSan(at, san);
        if (!move) break;
        squares.push({ ...moveSquares(at, move), color: at.turn });
        at.play(move);
    }
    return squares;
}

/** All legal moves, in SAN and UCI. */
export function legalMoves(at: Position): { san: string; uci: string }[] {
    const moves = [];
    for (const [from, targets] of at.allDests()) {
        for (const to of targets) {
            const promotes = at.board.pawn.has(from) && (to < 8 || to >= 56);
            for (const promotion of promotes ? (['queen', 'knight', 'rook', 'bishop'] as const) : [undefined]) {
                const move = { from, to, promotion };
                const squares = moveSquares(at, move);
                const san = makeSanAndPlay(at.clone(), move);
                const shown = parseUci(squares.from + squares.to);
                // In Chess960 the king's way to its square may be another move: then it takes its rook.
                const isClear = shown && normalizeMove(at, shown).to === to;
                moves.push({ san, uci: makeUci(isClear ? { ...shown, promotion } : move) });
            }
        }
    }
    return moves.sort((a, b) => a.san.localeCompare(b.san));
}
