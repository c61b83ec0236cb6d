import { button, h, replace } from './dom';
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
    private shown = '';

    constructor(private readonly onChoose: (at: number) => void) {}

    show(moves: ListedMove[], at: number, firstPly: number): void {
        const key = JSON.stringify([moves.map(move => [move.san, move.mark]), firstPly]);
        if (key !== this.shown) {
            this.shown = key;
            this.fill(moves, firstPly);
        }
        this.buttons.forEach((element, index) => {
            if (index === at - 1) element.setAttribute('aria-current', 'true');
            else element.removeAttribute('aria-current');
        });
        const current = this.buttons[at - 1];
        // Not scrollIntoView: it would scroll the page, too.
        this.element.scrollTop = current ? current.offsetTop - this.element.clientHeight / 2 : 0;
    }

    private fill(moves: ListedMove[], firstPly: number): void {
        this.buttons = moves.map((move, index) => {
            const mark = move.mark ? MARKS[move.mark] : undefined;
            const element = button(move.san + (mark?.glyph ?? ''), () => this.onChoose(index + 1), { class: move.mark ? `mark ${move.mark}` : '' });
            if (mark) element.title = mark.name;
            return element;
        });
        const rows = [];
        for (let index = firstPly % 2 ? -1 : 0; index < moves.length; index += 2) {
            const number = h('span', { class: 'number' }, moveNumber(firstPly + Math.max(index, 0)).replace('…', '.'));
            const first = index < 0 ? h('span', { class: 'gap' }, '…') : this.buttons[index];
            rows.push(h('li', {}, number, first, this.buttons[index + 1]));
        }
        replace(this.element, ...rows);
    }
}
