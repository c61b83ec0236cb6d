import { stepFrom, type App, type Step, type Tab } from './app';
import type { Search } from './backend';
import { Concepts } from './concepts';
import { button, choice, h, perFrame } from './dom';
import { Line, sanSquares } from './line';
import { MoveList } from './move_list';
import { oneLine, readPosition } from './position_text';
import { Reasons, faultText } from './reasons';
import { capital, count, expectedForWhite, forWhite, numbered, openingText, plyOfFen, scoreText, spoken, tablebaseText } from './words';
import type { Info, Place } from './types';

const SHOWN_MOVES_OF_A_LINE = 12;
const LINE_COUNTS = ['1', '2', '3', '5'];

/** A line of the search on the page. */
interface Row {
    element: HTMLElement;
    score: HTMLElement;
    moves: HTMLButtonElement;
    /** Its first move. */
    first: string;
}

/** Ask: lines of a live search, concepts, reasons and threats of any position. */
export class Ask implements Tab {
    readonly title = 'Ask';
    readonly panel: HTMLElement;
    private line = new Line();
    private readonly list = new MoveList(at => this.goTo(at));
    private readonly reasons: Reasons;
    private readonly concepts: Concepts;
    private readonly lines = h('ol', { class: 'lines live', 'aria-label': 'Best lines' });
    private readonly effort = h('span', { class: 'effort' });
    private readonly entry = h('input', {
        id: 'position', type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'FEN, or moves: e4 e5 Nf3', 'aria-describedby': 'fault',
    });
    private readonly engine = button('Engine on', () => this.toggleEngine(), { class: 'toggle', 'aria-pressed': 'true' });
    private readonly mine = button('Why not mine?', () => this.toggleMine(), { class: 'toggle', 'aria-pressed': 'false' });
    private running?: Search;
    private infos: Info[] = [];
    /** Kept from report to report: a button that is replaced while it is pressed loses the click. */
    private readonly rows: Row[] = [];
    private isOn = true;
    private lineCount = 3;
    private asksForMine = false;
    /** Answers for an earlier position are dropped. */
    private turn = 0;
    private visible = false;
    private readonly draw = perFrame(() => this.drawLines());

    constructor(private readonly app: App) {
        this.reasons = new Reasons(app.board);
        this.concepts = new Concepts(app.board);
        const form = h('form', { class: 'position' }, h('label', { for: 'position' }, 'Position'), this.entry, h('button', { type: 'submit' }, 'Set up'));
        form.addEventListener('submit', event => {
            event.preventDefault();
            void this.setUp(this.entry.value);
        });
        // The browser would drop line ends, and join the words around them.
        this.entry.addEventListener('paste', event => {
            const text = event.clipboardData?.getData('text/plain') ?? '';
            if (!/[\r\n]/.test(text)) return;
            event.preventDefault();
            this.entry.setRangeText(oneLine(text), this.entry.selectionStart ?? 0, this.entry.selectionEnd ?? 0, 'end');
        });
        this.panel = h('div', { class: 'panel ask' },
            h('div', { class: 'row engine-row' }, this.engine,
                choice('Lines', LINE_COUNTS.map(value => [value, value]), '3', value => this.setLines(Number(value))), this.effort),
            this.lines, this.list.element,
            h('div', { class: 'row questions' },
                button('Why this move?', () => this.why()), this.mine, button('Threats', () => this.threats())),
            this.reasons.element, this.concepts.element,
            form,
            h('div', { class: 'row' },
                button('Back to start', () => this.goTo(0), { class: 'quiet' }),
                button('New position', () => this.open({ fen: 'startpos', moves: [] }), { class: 'quiet' })));
    }

    enter(): void {
        this.visible = true;
        this.refresh();
    }

    leave(): void {
        this.visible = false;
        this.turn++;
        this.reasons.endWait();
        this.stop();
    }

    /** Shows a place; keeps the present one if it cannot be read. */
    open(place: Place): void {
        try {
            this.line = Line.from(place);
        } catch (error) {
            this.app.fault(faultText(error));
            return;
        }
        this.reasons.clear();
        this.refresh();
    }

    /** Shows the position of a text as people copy it. */
    openText(text: string): void {
        this.entry.value = oneLine(text);
        void this.setUp(this.entry.value);
    }

    move(uci: string): void {
        if (this.asksForMine) return void this.whyNot(uci);
        const played = this.line.playUci(uci);
        if (!played) return this.app.board.restore();
        this.app.announce(spoken(played.san));
        this.reasons.clear();
        this.refresh();
    }

    step(step: Step): void {
        this.goTo(stepFrom(this.line, step));
    }

    state(): unknown {
        return { place: this.line.whole(), at: this.line.at, isOn: this.isOn, lineCount: this.lineCount };
    }

    restore(state: unknown): void {
        const kept = state as { place?: Place; at?: number; isOn?: boolean; lineCount?: number };
        if (kept.place) this.line = Line.from(kept.place);
        this.line.goTo(kept.at ?? this.line.moves.length);
        this.reasons.clear();
        this.setEngine(kept.isOn ?? true);
        this.lineCount = kept.lineCount ?? 3;
        this.panel.querySelector('select')!.value = String(this.lineCount);
    }

    private goTo(at: number): void {
        if (!this.line.goTo(at)) return;
        this.reasons.clear();
        this.refresh();
    }

    private refresh(): void {
        if (!this.visible) return;
        const turn = ++this.turn;
        this.setMine(false);
        this.app.players(undefined);
        this.search();
        this.app.fault('');
        this.app.show(this.line, 'both');
        this.list.show(this.line.moves, this.line.at, this.line.firstPly);
        this.app.caption('');
        this.app.save();
        const place = this.line.place();
        this.app.backend.position(place).then(answer => {
            if (turn !== this.turn) return;
            const end = answer.status === 'playing' ? undefined : capital([answer.status, answer.reason].filter(Boolean).join(': '));
            this.app.caption([openingText(answer), tablebaseText(answer), end].filter(Boolean).join(' · '));
        }, error => turn === this.turn && this.app.fault(faultText(error)));
        this.app.backend.evaluate(place).then(evaluation => turn === this.turn && this.concepts.show(evaluation),
            () => turn === this.turn && this.concepts.clear());
    }

    private search(): void {
        this.stop();
        this.infos = [];
        this.app.bar.clear();
        if (!this.isOn || this.line.position.isEnd()) {
            this.drawLines();
            return;
        }
        this.running = this.app.backend.search({ place: this.line.place(), limits: { infinite: true }, multipv: this.lineCount }, {
            info: info => {
                if (!info.pv.length) return;
                this.infos[info.multipv - 1] = info;
                this.draw();
            },
            bestmove: () => {},
            error: message => this.app.fault(message),
        });
    }

    private stop(): void {
        this.running?.stop();
        this.running = undefined;
    }

    private drawLines(): void {
        const ply = plyOfFen(this.line.fen);
        const side = this.line.turn;
        const infos = this.infos.filter(Boolean);
        while (this.rows.length < infos.length) this.rows.push(this.newRow());
        infos.forEach((info, index) => {
            const row = this.rows[index]!;
            const sans = info.pv_san ?? info.pv;
            row.first = sans[0]!;
            row.score.textContent = scoreText(forWhite(info.score, side));
            row.moves.textContent = numbered(sans.slice(0, SHOWN_MOVES_OF_A_LINE), ply);
            row.moves.title = `Play ${row.first}`;
            if (row.element.matches(':hover') || row.moves.matches(':focus-visible')) this.drawMove(row.first);
        });
        while (this.lines.childElementCount > infos.length) this.lines.lastElementChild!.remove();
        while (this.lines.childElementCount < infos.length) this.lines.append(this.rows[this.lines.childElementCount]!.element);
        const best = this.infos[0];
        this.effort.textContent = best ? `depth ${best.depth} · ${count(best.nps ?? 0)} nodes/s` : '';
        if (best?.wdl && this.visible) this.app.bar.show(expectedForWhite(best.wdl, side), forWhite(best.score, side));
    }

    private newRow(): Row {
        const score = h('b', { class: 'score' });
        const moves = button('', () => this.playSan(row.first));
        const row = { element: h('li', {}, score, ' ', moves), score, moves, first: '' };
        for (const event of ['pointerenter', 'focusin']) row.element.addEventListener(event, () => this.drawMove(row.first));
        for (const event of ['pointerleave', 'focusout']) row.element.addEventListener(event, () => this.app.board.draw([], []));
        return row;
    }

    private drawMove(san: string): void {
        const squares = sanSquares(this.line.fen, san);
        if (squares) this.app.board.draw([{ ...squares, brush: 'best' }], []);
    }

    private playSan(san: string): void {
        if (!this.line.playSan(san)) return;
        this.reasons.clear();
        this.refresh();
    }

    private async setUp(text: string): Promise<void> {
        if (!text.trim()) {
            this.app.fault('');
            return this.entry.focus();
        }
        const place = readPosition(text);
        try {
            const answer = await this.app.backend.position(place);
            this.open({ fen: place.fen, moves: answer.moves.map(move => move.san) });
            this.entry.value = '';
        } catch (error) {
            // It names the move or the field of the FEN; its column is not one of the text in the field.
            this.app.fault(error instanceof Error ? error.message : String(error));
            this.entry.focus();
            // On a phone the fault may cover it.
            this.entry.scrollIntoView({ block: 'nearest' });
        }
    }

    /** Asks a question about the position on the board and shows the answer if it is still there. */
    private async question<T>(waiting: string, ask: (place: Place) => Promise<T>, present: (answer: T) => void): Promise<void> {
        const turn = this.turn;
        this.reasons.wait(waiting);
        try {
            const answer = await ask(this.line.place());
            if (turn === this.turn) present(answer);
        } catch (error) {
            if (turn === this.turn) this.reasons.fault(faultText(error));
        }
    }

    private why(): void {
        void this.question('Comparing the two best moves …', place => this.app.backend.explain(place), explained => {
            this.reasons.explanation(explained, `Why ${explained.best}?`);
            this.app.announce(explained.claims.map(claim => claim.text).join(' '));
        });
    }

    private async whyNot(uci: string): Promise<void> {
        const san = Line.from(this.line.place()).playUci(uci)?.san;
        this.setMine(false);
        this.app.board.restore();
        if (!san) return;
        await this.question(`Comparing ${san} with the best move …`, place => this.app.backend.whyNot(place, san), explained => {
            this.reasons.explanation(explained, explained.best === explained.move ? `${san} is the best move` : `Why not ${san}?`);
            this.app.announce(explained.claims.map(claim => claim.text).join(' '));
        });
    }

    private threats(): void {
        void this.question('Looking for threats …', place => this.app.backend.threats(place), threats => {
            this.reasons.threats(threats);
            this.app.announce(threats.claims.map(claim => claim.text).join(' ') || `${threats.side} threatens nothing`);
        });
    }

    private toggleEngine(): void {
        this.setEngine(!this.isOn);
        this.search();
        this.app.save();
    }

    private setEngine(isOn: boolean): void {
        this.isOn = isOn;
        this.engine.textContent = isOn ? 'Engine on' : 'Engine off';
        this.engine.setAttribute('aria-pressed', String(isOn));
    }

    private setLines(lines: number): void {
        this.lineCount = lines;
        this.search();
        this.app.save();
    }

    private toggleMine(): void {
        this.setMine(!this.asksForMine);
        if (!this.asksForMine) return this.reasons.clear();
        this.reasons.wait('Play your move on the board, or type it below the board.');
        this.app.announce('Play your move');
    }

    private setMine(asks: boolean): void {
        this.asksForMine = asks;
        this.mine.setAttribute('aria-pressed', String(asks));
    }
}
