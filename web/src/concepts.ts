import type { Board } from './board';
import { h, replace } from './dom';
import { signed } from './words';
import type { ConceptSum, Evaluation, Fact } from './types';

const SQUARES_OF_A_CONCEPT = 12;
const SENTENCES_OF_A_CONCEPT = 6;
/** Internal centipawns of a bar over half the width, if none is longer. */
const SHORTEST_SCALE = 30;

/** The concepts of the static evaluation as bars, their facts as sentences, and the whole ledger. */
export class Concepts {
    readonly element = h('section', { class: 'concepts', 'aria-label': 'Concepts of the evaluation' });
    private open = '';

    constructor(private readonly board: Board) {}

    clear(): void {
        replace(this.element);
    }

    show(evaluation: Evaluation): void {
        const largest = Math.max(SHORTEST_SCALE, ...evaluation.concepts.map(concept => Math.abs(concept.net)));
        replace(this.element,
            h('h2', {}, 'What the position is made of'),
            evaluation.end && h('p', {}, evaluation.end),
            h('ul', { class: 'bars' }, ...evaluation.concepts.map(concept => this.row(concept, evaluation, largest))),
            h('p', { class: 'total' }, 'Static evaluation, before any search: ', h('b', {}, signed(evaluation.total / 100)), ' pawns for White'),
            ledger(evaluation));
    }

    private row(concept: ConceptSum, evaluation: Evaluation, largest: number): HTMLElement {
        const facts = evaluation.lines.filter(fact => fact.concept === concept.concept)
            .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
        const bar = h('span', { class: `bar ${concept.net >= 0 ? 'for' : 'against'}` });
        bar.style.setProperty('--size', `${(50 * Math.abs(concept.net)) / largest}%`);
        const row = h('button', {
            type: 'button', 'aria-expanded': String(this.open === concept.concept), 'data-concept': concept.concept,
            title: `White ${signed(concept.white / 100)}, Black ${signed(concept.black / 100)}`,
        },
        h('span', { class: 'name' }, concept.title), h('span', { class: 'track' }, bar),
        h('span', { class: 'value' }, signed(concept.net / 100)));
        const squares = [...new Set(facts.flatMap(fact => fact.squares))].slice(0, SQUARES_OF_A_CONCEPT);
        const light = () => this.board.draw([], squares, concept.net === 0 ? 'plain' : concept.net > 0 ? 'good' : 'bad');
        const darken = () => this.board.draw([], []);
        row.addEventListener('pointerenter', light);
        row.addEventListener('focus', light);
        row.addEventListener('pointerleave', darken);
        row.addEventListener('blur', darken);
        row.addEventListener('click', () => this.toggle(concept.concept));
        return h('li', { class: [this.open === concept.concept && 'open', !facts.length && 'nothing'].filter(Boolean).join(' ') }, row,
            h('ul', { class: 'facts' }, ...facts.slice(0, SENTENCES_OF_A_CONCEPT).map(fact => this.sentence(fact))));
    }

    private toggle(concept: string): void {
        this.open = this.open === concept ? '' : concept;
        for (const row of this.element.querySelectorAll<HTMLElement>('[data-concept]')) {
            const open = row.dataset.concept === this.open;
            row.parentElement!.classList.toggle('open', open);
            row.setAttribute('aria-expanded', String(open));
        }
    }

    private sentence(fact: Fact): HTMLElement {
        const item = h('li', { tabindex: 0 }, h('b', { class: 'score' }, signed(fact.value / 100)), ' ', fact.text);
        const light = () => this.board.draw([], fact.squares, fact.value >= 0 ? 'good' : 'bad');
        item.addEventListener('pointerenter', light);
        item.addEventListener('focus', light);
        return item;
    }
}

/** All families and the heaviest terms. */
function ledger(evaluation: Evaluation): HTMLElement {
    const details = h('details', { class: 'ledger' }, h('summary', {}, 'The whole ledger'));
    const families = () => table('Families', ['family', 'White', 'Black', 'sum'],
        evaluation.families.filter(family => family.white || family.black)
            .map(family => [family.title, signed(family.white, 1), signed(family.black, 1), signed(family.sum, 1)]));
    const terms = () => table('Terms', ['family', 'term', 'squares', 'sum'],
        evaluation.terms.map(term => [term.family, term.term, [...term.white, ...term.black].join(' '), signed(term.sum, 1)]));
    // Filled when it is opened: it has many rows.
    details.addEventListener('toggle', () => {
        if (details.childElementCount > 1) return;
        details.append(h('p', { class: 'note' }, evaluation.unit), scrolling('Families of terms', families()), scrolling('Terms', terms()));
    });
    return details;
}

function scrolling(label: string, content: HTMLElement): HTMLElement {
    return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, content);
}

function table(caption: string, head: string[], rows: string[][]): HTMLTableElement {
    return h('table', {}, h('caption', {}, caption),
        h('thead', {}, h('tr', {}, ...head.map(cell => h('th', { scope: 'col' }, cell)))),
        h('tbody', {}, ...rows.map(row => h('tr', {}, ...row.map(cell => h('td', {}, cell))))));
}
