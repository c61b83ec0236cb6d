import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Role } from 'chessops/types';
import { parseSquare } from 'chessops/util';
import { button, h, replace } from './dom';
import { destinations, position, type PlayedMove } from './line';
import { capital } from './words';
import type { Color } from './types';

export interface Shown {
    fen: string;
    last?: PlayedMove;
    /** Who may move pieces: nobody if undefined. */
    movable?: Color | 'both';
}

export type Arrow = { from: Key; to?: Key; brush: 'best' | 'played' | 'threat' | 'idea' };

const PROMOTIONS: Role[] = ['queen', 'knight', 'rook', 'bishop'];

/** The board: mouse, touch and keyboard; pictures of squares and arrows. */
export class Board {
    readonly element: HTMLElement;
    private readonly ground: Api;
    private readonly chooser = h('dialog', { class: 'chooser', 'aria-label': 'Promote to' });
    private back!: HTMLElement;
    private cursor: Key = 'e2';
    private shown: Shown = { fen: '' };
    private drawn = '';

    constructor(private readonly onMove: (uci: string) => void, private readonly announce: (text: string) => void) {
        const surface = h('div', { class: 'surface' });
        this.element = h('div', {
            class: 'board', tabindex: 0, role: 'group', 'aria-roledescription': 'chess board',
            'aria-label': 'Chess board. Arrow keys go from square to square, Enter picks a piece up and puts it down.',
        }, surface, this.chooser);
        this.ground = Chessground(surface, {
            coordinates: true,
            animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 180 },
            movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
            premovable: { enabled: false },
            draggable: { showGhost: true },
            drawable: { enabled: true, brushes: brushes() as never },
            highlight: { lastMove: true, check: true },
        });
        this.chooser.addEventListener('cancel', event => {
            event.preventDefault();
            this.cancelPromotion();
        });
        // Beside the buttons and their box.
        this.chooser.addEventListener('click', event => event.target === this.chooser && this.cancelPromotion());
        this.element.addEventListener('keydown', event => this.key(event));
        this.element.addEventListener('focus', () => this.markCursor(true));
        this.element.addEventListener('blur', () => this.markCursor(false));
        new ResizeObserver(() => this.ground.redrawAll()).observe(surface);
    }

    get orientation(): Color {
        return this.ground.state.orientation;
    }

    set orientation(orientation: Color) {
        this.ground.set({ orientation });
    }

    show(shown: Shown): void {
        this.shown = shown;
        this.chooser.close();
        // It was made without a size, which arrows may not be drawn with.
        this.ground.state.dom.bounds.clear();
        const at = position(shown.fen);
        const color = shown.movable === 'both' ? at.turn : shown.movable;
        this.ground.set({
            fen: shown.fen,
            turnColor: at.turn,
            check: at.isCheck() ? at.turn : false,
            lastMove: shown.last && [shown.last.from, shown.last.to],
            movable: { color, dests: color === at.turn ? destinations(at) : new Map() },
        });
        this.draw([], []);
    }

    /** Shows the position again, after a move that does not count. */
    restore(): void {
        this.show(this.shown);
    }

    /** Arrows and lit squares in place of the ones before. */
    draw(arrows: Arrow[], squares: string[], tone: 'good' | 'bad' | 'plain' = 'plain'): void {
        const shapes = arrows.map<DrawShape>(arrow => ({ orig: arrow.from, dest: arrow.to, brush: arrow.brush }));
        const drawn = JSON.stringify([shapes, squares, tone]);
        if (drawn === this.drawn) return;
        this.drawn = drawn;
        // Not through `set`, which would merge the squares with the ones before.
        this.ground.state.highlight.custom = new Map(squares.map(square => [square as Key, `lit ${tone}`]));
        this.ground.setAutoShapes(shapes);
        this.ground.set({});
    }

    /** The pieces as text, for readers who cannot see them. */
    description(): string {
        const at = position(this.shown.fen);
        const parts = (['white', 'black'] as const).map(color => {
            const pieces = [...at.board[color]].map(square => {
                const piece = at.board.get(square)!;
                return `${piece.role} ${'abcdefgh'[square % 8]}${Math.floor(square / 8) + 1}`;
            });
            return `${capital(color)}: ${pieces.join(', ')}.`;
        });
        return `${parts.join(' ')} ${capital(at.turn)} to move.`;
    }

    private moved(from: Key, to: Key): void {
        const at = position(this.shown.fen);
        const isPawn = at.board.get(parseSquare(from)!)?.role === 'pawn';
        if (isPawn && (to[1] === '8' || to[1] === '1')) this.promote(from + to);
        else this.onMove(from + to);
    }

    /** Asks which piece a pawn becomes; afterwards the focus goes back to the element. */
    promote(uci: string, back: HTMLElement = this.element): void {
        const { turn } = position(this.shown.fen);
        this.back = back;
        const choose = (role: Role) => {
            this.chooser.close();
            back.focus();
            this.onMove(uci + (role === 'knight' ? 'n' : role[0]));
        };
        replace(this.chooser, h('div', {}, ...PROMOTIONS.map(role => button(role, () => choose(role), { class: `piece ${turn} ${role}`, title: role })),
            button('Cancel', () => this.cancelPromotion())));
        const { left, right, top, bottom } = this.element.getBoundingClientRect();
        // In the middle of what is seen of the board.
        this.chooser.style.inset = `${Math.max(0, top)}px ${innerWidth - right}px ${Math.max(0, innerHeight - bottom)}px ${left}px`;
        this.chooser.showModal();
    }

    private cancelPromotion(): void {
        this.restore();
        this.back.focus();
    }

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (this.chooser.open) return event.stopPropagation();
        if (!this.shown.movable) return;
        const forward = this.orientation === 'white' ? 1 : -1;
        const steps: Record<string, [number, number]> = {
            ArrowUp: [0, forward], ArrowDown: [0, -forward], ArrowRight: [forward, 0], ArrowLeft: [-forward, 0],
        };
        const step = steps[event.key];
        if (step) {
            const file = this.cursor.charCodeAt(0) - 97 + step[0];
            const rank = Number(this.cursor[1]) - 1 + step[1];
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.cursor = `${'abcdefgh'[file]}${rank + 1}` as Key;
            this.markCursor(true);
            this.announce(this.squareText());
        } else if (event.key === 'Enter' || event.key === ' ') {
            const { selected: before, lastMove } = this.ground.state;
            this.ground.selectSquare(before === this.cursor ? null : this.cursor);
            const picked = this.ground.state.selected;
            const played = this.ground.state.lastMove !== lastMove || this.chooser.open;
            if (before === this.cursor) this.announce(`${this.squareText()}, put down`);
            else if (picked && picked !== before) this.announce(`${this.squareText()}, picked up`);
            else if (before && !picked && !played) this.announce('not a legal move');
            else if (!before && !picked) this.announce(`${this.squareText()}, cannot be picked up`);
        } else if (event.key === 'Escape') {
            const { selected } = this.ground.state;
            this.ground.selectSquare(null);
            if (selected) this.announce(`${this.squareText(selected)}, put down`);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    private squareText(square = this.cursor): string {
        const piece = position(this.shown.fen).board.get(parseSquare(square)!);
        return `${square}, ${piece ? `${piece.color} ${piece.role}` : 'empty'}`;
    }

    private markCursor(visible: boolean): void {
        const byKeyboard = visible && this.element.matches(':focus-visible');
        this.ground.setShapes(byKeyboard ? [{ orig: this.cursor, brush: 'cursor' }] : []);
    }
}

function brushes(): Record<string, object> {
    const brush = (key: string, color: string, lineWidth = 10) => ({ key, color, opacity: 1, lineWidth });
    const ours = [brush('best', '#2f7fd6'), brush('played', '#e07a1f'), brush('threat', '#d23b3b'), brush('idea', '#3f9d5c'), brush('cursor', '#8a4fd0', 6)];
    return Object.fromEntries(ours.map(each => [each.key, each]));
}
