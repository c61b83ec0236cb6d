import type { Place } from './types';

const TAG = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/g;
/** What else stands between the moves of a game: glyphs, numbers, marks without a move. */
const BETWEEN = /\$\d+|\d+\s*(?:\.+|…)|\be\.p\.|(?<!\S)[!?]+(?!\S)/g;
/** Dropped first: a comment may have brackets in it. */
const COMMENT = /\{[^}]*\}?/g;
const VARIATION = /\([^()]*\)/g;
/** Another game may follow the result. */
const RESULT = /(?<!\S)(?:1-0|0-1|1\/2-1\/2|½-½|\*)(?!\S).*/s;
const PREFIX = /^\s*(?:position\b)?\s*(?:(?:fen|startpos)\b)?\s*/;
/** Three ranks of a FEN; others may be wrong. */
const RANKS = /^(?:\w*\/)*(?:[pnbrqk1-8]+\/){3}/i;
const MOVE = /^(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8]|O-O|0-0|[a-h][1-8]-?[a-h][1-8])/;

/** A FEN, moves or a game as people copy them: with tags, comments, variations and results, or as UCI writes them. The engine
 * says whether they are right. */
export function readPosition(text: string): Place {
    let fen = '';
    const withoutTags = text.replace(TAG, (_, name: string, value: string) => {
        if (name.toUpperCase() === 'FEN') fen = value;
        return ' ';
    });
    const plain = withoutTags.replace(PREFIX, '');
    return isPosition(withoutTags) ? split(plain) : { fen: fen || 'startpos', moves: movesOf(plain) };
}

/** Does the text start with a FEN: with the word, or with ranks? Dates and web addresses have slashes, too. */
export function isPosition(text: string): boolean {
    const [prefix] = PREFIX.exec(text)!;
    return prefix.includes('fen') || RANKS.test(text.slice(prefix.length));
}

/** The moves of a game as UCI writes it from the start position (`position startpos moves e2e4`); other texts as they are. */
export function withoutUci(text: string): string {
    return /^\s*(?:position\s+)?startpos\b/.test(text) ? readPosition(text).moves.join(' ') : text;
}

/** Line ends as spaces, for a field of one line; comments up to the end of a line are dropped. */
export function oneLine(text: string): string {
    return text.replace(/\{[^}]*\}|;[^\n]*/g, comment => (comment.startsWith('{') ? comment : '')).replace(/\s*[\r\n]\s*/g, ' ');
}

/** A FEN, with moves or the operations of EPD behind it. */
function split(text: string): Place {
    const fields = text.trim().split(/\s+/);
    let length = Math.min(4, fields.length);
    const isEpd = fields.some(field => field.endsWith(';'));
    while (!isEpd && length < 6 && length < fields.length && fields[length] !== 'moves' && !MOVE.test(fields[length]!)) length++;
    return { fen: fields.slice(0, length).join(' '), moves: isEpd ? [] : movesOf(fields.slice(length).join(' ')) };
}

function movesOf(text: string): string[] {
    let plain = text.replace(/^\s*moves\b/, '').replace(COMMENT, ' ');
    for (let before = ''; before !== plain;) plain = (before = plain).replace(VARIATION, ' ');
    return plain.replace(RESULT, '').replace(BETWEEN, ' ').split(/[\s,]+/).filter(Boolean);
}
