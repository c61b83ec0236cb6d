import type { Arrow, Board } from './board';
import { h, replace } from './dom';
import { lineSquares } from './line';
import { capital, count, expectedForWhite, explainedScore, numbered, plyOfFen, signed } from './words';
import type { Claim, Explanation, Threats } from './types';

const SMALLEST_DIFFERENCE = 0.05;
const MOST_DIFFERENCES = 6;
const LONGEST_DRAWN_LINE = 5;

/** Reasons as sentences; the one in hand lights its squares and draws its moves. */
export class Reasons {
    readonly element = h('section', { class: 'reasons', 'aria-label': 'Reasons' });

    constructor(private readonly board: Board) {}

    clear(): void {
        replace(this.element);
    }

    wait(what: string): void {
        replace(this.element, h('p', { class: 'waiting' }, what));
    }

    /** Takes back what `wait` shows: nothing will follow it. */
    endWait(): void {
        if (this.element.querySelector('.waiting')) this.clear();
    }

    fault(message: string): void {
        replace(this.element, h('p', { class: 'fault', role: 'alert' }, message));
    }

    explanation(explained: Explanation, title: string): void {
        const ply = plyOfFen(explained.fen);
        const turn = ply % 2 ? 'black' : 'white';
        const lines = h('ol', { class: 'lines' }, ...explained.lines.map((line, index) => {
            const item = h('li', { tabindex: 0, class: index === 0 ? 'better' : 'worse' },
                h('b', { class: 'score' }, explainedScore(line.score, turn)), ' ', h('span', {}, numbered(line.moves, ply)));
            this.lights(item, explained.fen, [], line.moves.slice(0, 3), index === 0 ? 'best' : 'played');
            return item;
        }));
        const points = 100 * expectedForWhite(explained.wdl, 'white');
        replace(this.element,
            h('h2', {}, title),
            this.claims(explained.fen, explained.claims),
            h('h3', {}, explained.lines.length > 1 ? 'Better move and the other' : 'Line'), lines,
            ...differences(explained),
            h('p', { class: 'note' }, `${capital(turn)} expects ${points.toFixed(0)} percent of the points with ${explained.move}. ` +
                `Depth ${explained.depth}, ${count(explained.nodes)} nodes.`));
        this.present(explained);
    }

    threats(threats: Threats): void {
        const title = threats.claims.length ? `What ${threats.side} would do` : `${threats.side} threatens nothing`;
        replace(this.element, h('h2', {}, title), this.claims(passed(threats.fen), threats.claims, 'threat'));
    }

    /** Draws the better move in blue and the other one in orange. */
    private present(explained: Explanation): void {
        const [better, worse] = explained.lines;
        const arrows: Arrow[] = [];
        for (const [line, brush] of [[worse, 'played'], [better, 'best']] as const) {
            const squares = line && lineSquares(explained.fen, line.moves.slice(0, 1))[0];
            if (squares) arrows.push({ from: squares.from, to: squares.to, brush });
        }
        this.board.draw(arrows, explained.claims[0]?.squares ?? []);
    }

    private claims(fen: string, claims: Claim[], brush: Arrow['brush'] = 'idea'): HTMLElement {
        return h('ol', { class: 'claims' }, ...claims.map(claim => {
            const item = h('li', { tabindex: 0, class: 'claim', 'data-kind': claim.kind }, claim.text);
            this.lights(item, fen, claim.squares, claim.line.slice(0, Math.min(claim.ply + 1, LONGEST_DRAWN_LINE)), brush);
            return item;
        }));
    }

    private lights(item: HTMLElement, fen: string, squares: string[], line: string[], brush: Arrow['brush']): void {
        const reply = brush === 'threat' ? 'idea' : 'threat';
        const draw = () => {
            const arrows = (line.length ? lineSquares(fen, line) : []).map<Arrow>((move, index) => ({ from: move.from, to: move.to, brush: index % 2 ? reply : brush }));
            this.board.draw(arrows, squares);
        };
        for (const event of ['pointerenter', 'focus', 'click']) item.addEventListener(event, draw);
    }
}

/** The same position with the other side to move. */
function passed(fen: string): string {
    const fields = fen.split(' ');
    fields[1] = fields[1] === 'w' ? 'b' : 'w';
    fields[3] = '-';
    return fields.join(' ');
}

/** The concepts that differ most between the ends of both lines. */
function differences(explained: Explanation): Node[] {
    const shown = explained.concepts.filter(concept => Math.abs(concept.difference) >= SMALLEST_DIFFERENCE).slice(0, MOST_DIFFERENCES);
    if (!shown.length) return [];
    const largest = Math.max(...shown.map(concept => Math.abs(concept.difference)));
    const rows = shown.map(concept => {
        const bar = h('span', { class: `bar ${concept.difference > 0 ? 'for' : 'against'}` });
        bar.style.setProperty('--size', `${(100 * Math.abs(concept.difference)) / largest}%`);
        return h('li', {}, h('span', { class: 'name' }, concept.name.replaceAll('_', ' ')), h('span', { class: 'track' }, bar),
            h('span', { class: 'value' }, signed(concept.difference)));
    });
    return [h('h3', {}, 'What the better move gains and gives up, in pawns'), h('ul', { class: 'differences' }, ...rows)];
}

/** How a fault in a request reads beside the board. */
export function faultText(error: unknown): string {
    if (error instanceof Error) return 'description' in error ? String(error.description) : error.message;
    return String(error);
}
