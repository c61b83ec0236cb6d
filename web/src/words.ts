import type { Color, ExplainedScore, Mark, PositionAnswer, Score } from './types';

const PIECES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

export const MARKS: Record<Mark, { glyph: string; name: string; plural: string }> = {
    inaccuracy: { glyph: '?!', name: 'inaccuracy', plural: 'inaccuracies' },
    mistake: { glyph: '?', name: 'mistake', plural: 'mistakes' },
    blunder: { glyph: '??', name: 'blunder', plural: 'blunders' },
    only_move: { glyph: '!', name: 'only move', plural: 'only moves' },
    sacrifice: { glyph: '!!', name: 'sound sacrifice', plural: 'sound sacrifices' },
};

/** A move in SAN as a screen reader should say it: `Nxf7+` is "knight takes f 7, check". */
export function spoken(san: string): string {
    const ending = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
    const bare = san.replace(/[+#?!]+$/, '');
    if (bare === 'O-O') return 'castles short' + ending;
    if (bare === 'O-O-O') return 'castles long' + ending;
    const [, piece, origin, takes, target, promotion] = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/.exec(bare) ?? [];
    if (!target) return san;
    const words = [piece ? PIECES[piece] : 'pawn'];
    if (origin) words.push(origin.split('').join(' '));
    words.push(takes ? 'takes' : 'to', target.split('').join(' '));
    if (promotion) words.push('promotes to', PIECES[promotion]);
    return words.join(' ') + ending;
}

export function signed(pawns: number, digits = 2): string {
    const text = Math.abs(pawns).toFixed(digits);
    return Number(text) === 0 ? text : (pawns > 0 ? '+' : '−') + text;
}

/** A score from White's view as text. */
export function scoreText(score: Score): string {
    if (score.mate !== undefined) return (score.mate > 0 ? '#' : '#−') + Math.abs(score.mate);
    return signed((score.cp ?? 0) / 100);
}

/** The score of an explanation, for the side to move, as one for White. */
export function explainedScore(score: ExplainedScore, turn: Color): string {
    const sign = turn === 'white' ? 1 : -1;
    if (typeof score === 'number') return scoreText({ cp: sign * score });
    const moves = Number(/-?\d+/.exec(score)?.[0]);
    if (Number.isNaN(moves)) return score;
    return moves === 0 ? '#' : scoreText({ mate: sign * moves });
}

export function forWhite(score: Score, turn: Color): Score {
    if (turn === 'white') return score;
    if (score.mate !== undefined) return { ...score, mate: -score.mate };
    return { ...score, cp: -(score.cp ?? 0) };
}

/** White's expected points, 0 to 1, from the chances of the given side. */
export function expectedForWhite([win, draw]: [number, number, number], side: Color): number {
    const points = (win + draw / 2) / 1000;
    return side === 'white' ? points : 1 - points;
}

/** `12.` or `12…` before the move of this ply (from 0). */
export function moveNumber(ply: number): string {
    return `${Math.floor(ply / 2) + 1}${ply % 2 ? '…' : '.'}`;
}

/** Moves in SAN with their numbers, from a ply. */
export function numbered(sans: string[], firstPly: number): string {
    return sans
        .map((san, index) => ((firstPly + index) % 2 === 0 || index === 0 ? `${moveNumber(firstPly + index)} ${san}` : san))
        .join(' ');
}

export function plyOfFen(fen: string): number {
    const fields = fen.split(' ');
    return 2 * (Number(fields[5] ?? 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

export function other(color: Color): Color {
    return color === 'white' ? 'black' : 'white';
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

export function count(number: number): string {
    if (number >= 10_000_000) return `${(number / 1e6).toFixed(0)} M`;
    if (number >= 1_000_000) return `${(number / 1e6).toFixed(1)} M`;
    if (number >= 10_000) return `${(number / 1e3).toFixed(0)} k`;
    return String(number);
}

/** What the tablebase says about a position, with the name of the side that wins. */
export function tablebaseText({ turn, tablebase }: PositionAnswer): string | undefined {
    if (!tablebase) return undefined;
    const { wdl } = tablebase;
    const winner = capital(wdl > 0 ? turn : other(turn));
    if (wdl === 0) return 'Tablebase: draw';
    return Math.abs(wdl) === 1 ? `Tablebase: draw by the fifty-move rule, else ${winner} wins` : `Tablebase: ${winner} wins`;
}

/** The name of the opening with its code, if it has one. */
export function openingText({ opening }: Pick<PositionAnswer, 'opening'>): string | undefined {
    return opening && [opening.eco, opening.name].filter(Boolean).join(' ');
}
