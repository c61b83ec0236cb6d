import { h, replace, s } from './dom';
import { MARKS, expectedForWhite, moveNumber, scoreText } from './words';
import type { Color, ReviewedMove } from './types';

const WIDTH = 600;
const HEIGHT = 120;
const MARGIN = 4;

/** White's expected points over a game, with its mistakes; a click or the arrow keys choose a move. */
export class Curve {
    readonly element = h('div', {
        class: 'curve', role: 'slider', tabindex: 0, 'aria-label': 'Move of the game', 'aria-valuemin': 0, 'aria-valuemax': 0, 'aria-valuenow': 0,
    });
    private moves: ReviewedMove[] = [];
    private plies = 1;
    private firstPly = 0;
    private cursor?: SVGLineElement;

    constructor(onChoose: (at: number) => void) {
        this.element.addEventListener('pointerdown', event => {
            const bounds = this.element.getBoundingClientRect();
            const at = Math.round(((event.clientX - bounds.left) / bounds.width) * this.plies);
            onChoose(Math.max(0, Math.min(at, this.moves.length)));
        });
    }

    /** Shows the moves judged so far of a game with the given number of plies. */
    show(moves: ReviewedMove[], plies: number, firstPly: number): void {
        this.moves = moves;
        this.plies = Math.max(plies, 1);
        this.firstPly = firstPly;
        const points = moves.map((move, index) => `${this.x(index + 1)},${y(this.expected(move, index))}`);
        const start = `0,${HEIGHT / 2}`;
        this.cursor = s('line', { class: 'cursor', y1: 0, y2: HEIGHT });
        replace(this.element, s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
            s('polygon', { class: 'area', points: [`0,${HEIGHT}`, start, ...points, `${this.x(moves.length)},${HEIGHT}`].join(' ') }),
            s('line', { class: 'middle', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
            s('polyline', { class: 'graph', points: [start, ...points].join(' ') }), this.cursor));
        // The picture is stretched, so its dots are elements of their own.
        moves.forEach((move, index) => {
            if (!move.mark || !['inaccuracy', 'mistake', 'blunder'].includes(move.mark)) return;
            const dot = h('span', { class: `dot ${move.mark}` });
            dot.style.left = `${(100 * this.x(index + 1)) / WIDTH}%`;
            dot.style.top = `${(100 * y(this.expected(move, index))) / HEIGHT}%`;
            this.element.append(dot);
        });
        this.element.setAttribute('aria-valuemax', String(moves.length));
    }

    go(at: number): void {
        this.cursor?.setAttribute('x1', String(this.x(at)));
        this.cursor?.setAttribute('x2', String(this.x(at)));
        const move = this.moves[at - 1];
        const mark = move?.mark ? `, ${MARKS[move.mark].name}` : '';
        const text = move ? `${moveNumber(this.firstPly + at - 1)} ${move.move}${mark}, ${move.score ? scoreText(move.score) : 'game over'}` : 'start position';
        this.element.setAttribute('aria-valuenow', String(at));
        this.element.setAttribute('aria-valuetext', text);
    }

    private x(at: number): number {
        return Math.round((WIDTH * at * 10) / this.plies) / 10;
    }

    private expected(move: ReviewedMove, index: number): number {
        const side: Color = (this.firstPly + index) % 2 ? 'black' : 'white';
        return expectedForWhite(move.wdl, side);
    }
}

function y(expected: number): number {
    return Math.round((MARGIN + (HEIGHT - 2 * MARGIN) * (1 - expected)) * 10) / 10;
}
