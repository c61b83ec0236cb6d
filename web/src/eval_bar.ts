import { h } from './dom';
import { scoreText } from './words';
import type { Color, Score } from './types';

/** White's chances as a bar beside the board. */
export class EvalBar {
    private readonly white = h('div', { class: 'white' });
    private readonly label = h('span', { class: 'label' });
    readonly element = h('div', { class: 'eval-bar', role: 'img', 'aria-label': 'No evaluation' }, this.white, this.label);

    set orientation(color: Color) {
        this.element.classList.toggle('flipped', color === 'black');
    }

    /** White's expected points, 0 to 1, and the score from White's view. */
    show(expected: number, score: Score | null): void {
        const text = score ? scoreText(score) : '';
        this.element.style.setProperty('--white', `${(100 * expected).toFixed(1)}%`);
        this.element.classList.toggle('behind', expected < 0.5);
        // One digit less than in the lines, and none from ten pawns on: the bar is narrow.
        this.label.textContent = text.replace(/^(.\d\d+)\.\d+$/, '$1').replace(/(\.\d)\d$/, '$1');
        this.element.setAttribute('aria-label', `Evaluation ${text}: White expects ${(100 * expected).toFixed(0)} percent of the points`);
        this.element.classList.remove('empty');
    }

    clear(): void {
        this.element.classList.add('empty');
        this.label.textContent = '';
        this.element.setAttribute('aria-label', 'No evaluation');
    }
}
