import { button, h } from './dom';
import { MARKS, moveNumber } from './words';
import type { Mark } from './types';

export interface ListedMove {
    san: string;
    mark?: Mark | null;
}

/** The moves of a game; a click goes to one. */
export class MoveList {
    readonly element = h('ol', { class: 'moves', 'aria-label': 'Moves' });
    private buttons: HTMLButtonElement[] = [];
    private firstPly = 0;
    private shown = '';

    constructor(private readonly onChoose: (at: number) => void) {}

    /** Is a move pressed? If it is scrolled or shifted away meanwhile, the click is lost. */
    get isPressed(): boolean {
        return this.element.matches(':active');
    }

    show(moves: ListedMove[], at: number, firstPly: number): void {
        this.fill(moves, firstPly);
        this.buttons.forEach((element, index) => {
            if (index === at - 1) element.setAttribute('aria-current', 'true');
            else element.removeAttribute('aria-current');
        });
        const current = this.buttons[at - 1];
        // Not scrollIntoView: it would scroll the page, too.
        this.element.scrollTop = current ? current.offsetTop - this.element.clientHeight / 2 : 0;
    }

    /** Lists these moves; the current move stays, and so do the buttons: one that is replaced while it is pressed loses the click. */
    fill(moves: ListedMove[], firstPly: number): void {
        const key = JSON.stringify([moves.map(move => [move.san, move.mark]), firstPly]);
        if (key === this.shown) return;
        this.shown = key;
        if (firstPly !== this.firstPly) this.shorten(0);
        this.firstPly = firstPly;
        this.shorten(moves.length);
        moves.forEach((move, index) => {
            const element = (this.buttons[index] ??= this.add(index));
            const mark = move.mark ? MARKS[move.mark] : undefined;
            const text = move.san + (mark?.glyph ?? '');
            if (element.textContent !== text) element.textContent = text;
            element.className = move.mark ? `mark ${move.mark}` : '';
            element.title = mark?.name ?? '';
        });
    }

    private add(index: number): HTMLButtonElement {
        const ply = this.firstPly + index;
        if (index === 0 || ply % 2 === 0) {
            const number = h('span', { class: 'number' }, moveNumber(ply).replace('…', '.'));
            this.element.append(h('li', {}, number, ply % 2 === 1 && h('span', { class: 'gap' }, '…')));
        }
        const element = button('', () => this.onChoose(index + 1));
        this.element.lastElementChild!.append(element);
        return element;
    }

    private shorten(length: number): void {
        for (const element of this.buttons.splice(length)) {
            const row = element.parentElement!;
            element.remove();
            if (!row.querySelector('button')) row.remove();
        }
    }
}
