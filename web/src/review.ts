import { stepFrom, type App, type Step, type Tab } from './app';
import type { Arrow } from './board';
import { Curve } from './curve';
import { button, choice, download, h, passFocus, perFrame, replace, show } from './dom';
import { Line, sanSquares } from './line';
import { MoveList, type ListedMove } from './move_list';
import { isPosition, withoutUci } from './position_text';
import { faultText } from './reasons';
import { MARKS, capital, expectedForWhite, moveNumber, plyOfFen, scoreText, spoken } from './words';
import type { Color, Mark, Review, ReviewEvent, ReviewedMove, ReviewedSide } from './types';

/** Nodes per move. */
const EFFORTS: [value: string, text: string][] = [['5000', 'quick'], ['20000', 'normal'], ['100000', 'deep']];
const FAULTS: Mark[] = ['blunder', 'mistake', 'inaccuracy'];
const MOST_MOMENTS = 12;
const LARGEST_KEPT = 2_000_000;
const STEPS: [step: Step, text: string][] = [['first', '«'], ['previous', '‹'], ['next', '›'], ['last', '»']];

interface ReviewedGame {
    review: Review;
    pgn: string;
    html?: string;
}

/** Review: the games of a PGN judged move by move. */
export class ReviewTab implements Tab {
    readonly title = 'Review';
    readonly panel: HTMLElement;
    private text = '';
    private nodes = '20000';
    private games: ReviewedGame[] = [];
    private chosen = 0;
    private line = new Line();
    /** Moves judged so far of a game that is not finished, and its plies; the games before it are kept until it is. */
    private partial: ReviewedMove[] = [];
    /** How many of `partial` are from before a reload: the review that starts again shows nothing until it has passed them. */
    private restored = 0;
    /** How many of `games` the running review has found, before a reload or after it. */
    private found = 0;
    private readonly drawNext = perFrame(() => {
        if (!this.partial.length) return;
        this.curve.show(this.partial, this.plies, this.line.firstPly);
        if (!this.isBehind && !this.list.isPressed) return this.showMove();
        // The shown move and its verdict stay as they are.
        this.list.fill(listed(this.partial), this.line.firstPly);
        this.curve.go(this.line.at);
        this.app.save();
    });
    private plies = 0;
    private running?: AbortController;
    private wasRunning = false;
    private visible = false;
    private readonly entry = h('textarea', { id: 'pgn', rows: 5, spellcheck: 'false', 'aria-describedby': 'fault', placeholder: '[White "…"]\n\n1. e4 e5 2. Nf3 …' });
    private readonly file = h('input', { type: 'file', accept: '.pgn,text/plain,application/x-chess-pgn', id: 'pgn-file', class: 'visually-hidden' });
    private readonly starter = button('Review', () => void this.start(this.entry.value), { class: 'primary' });
    private readonly form: HTMLElement;
    private readonly progress = h('progress', { max: 1, value: 0, 'aria-label': 'Moves judged' });
    private readonly progressText = h('span', {});
    private readonly progressRow: HTMLElement;
    private readonly result = h('div', { class: 'result', hidden: true });
    private readonly back = button('Back to the finished review', () => this.choose(this.chosen, 0), { class: 'back quiet' });
    private readonly faults = h('ul', { class: 'faults' });
    private readonly summary = h('div', { class: 'summary' });
    private readonly picker = h('div', { class: 'picker' });
    private readonly verdict = h('div', { class: 'verdict' });
    private readonly moments = h('ol', { class: 'moments' });
    private readonly curve = new Curve(at => this.goTo(at));
    private readonly list = new MoveList(at => this.goTo(at));

    constructor(private readonly app: App) {
        this.file.addEventListener('change', () => void this.read(this.file.files?.[0]));
        this.progressRow = h('div', { class: 'row progress', hidden: true }, this.progress, this.progressText, button('Stop', () => this.stop()));
        this.entry.addEventListener('input', () => this.app.save());
        this.form = h('div', { class: 'drop' },
            h('label', { for: 'pgn' }, 'Drop a PGN file here, or paste its text'), this.entry,
            h('div', { class: 'row' }, h('label', { for: 'pgn-file', class: 'as-button' }, 'Open a file'), this.file,
                choice('Effort', EFFORTS, this.nodes, value => (this.nodes = value)),
                this.starter));
        const keys = h('div', { class: 'row steps' },
            ...STEPS.map(([step, text]) => button(text, () => this.step(step), { 'aria-label': `${capital(step)} move`, title: `${capital(step)} move` })),
            button('Next mistake', () => this.nextMistake(), { title: 'Key: m' }));
        const downloads = h('div', { class: 'row' },
            button('Download PGN', () => this.save('pgn')), button('Download page', () => this.save('html')),
            button('Ask about this position', () => this.app.open('ask', this.line.place()), { class: 'quiet' }));
        this.result.append(this.back, this.picker, this.summary, this.curve.element, keys, this.verdict, this.list.element,
            h('h2', {}, 'Key moments'), this.moments, downloads);
        this.panel = h('div', { class: 'panel review' }, this.progressRow, this.faults, this.result, this.form);
        this.acceptDrops();
    }

    enter(): void {
        this.visible = true;
        if (this.wasRunning) {
            this.wasRunning = false;
            void this.start(this.text, true);
        }
        this.showMove();
    }

    leave(): void {
        this.visible = false;
    }

    /** Reviews the games of a text. */
    open(pgn: string): void {
        this.entry.value = pgn;
        void this.start(pgn);
    }

    move(): void {
        this.app.board.restore();
    }

    step(step: Step): void {
        this.goTo(stepFrom(this.line, step));
    }

    /** A key that only this tab knows; false for others. */
    key(key: string): boolean {
        if (key !== 'm') return false;
        this.nextMistake();
        return true;
    }

    state(): unknown {
        const games = JSON.stringify(this.games).length <= LARGEST_KEPT ? this.games : [];
        const draft = this.entry.value === this.text ? undefined : this.entry.value.slice(0, LARGEST_KEPT);
        const { nodes, chosen, partial, plies, found } = this;
        return { text: this.text.slice(0, LARGEST_KEPT), draft, nodes, games, chosen, partial, plies, found, at: this.line.at, running: this.running !== undefined || this.wasRunning };
    }

    restore(state: unknown): void {
        const kept = state as {
            text?: string; draft?: string; nodes?: string; games?: ReviewedGame[]; chosen?: number; partial?: ReviewedMove[]; plies?: number; found?: number; at?: number; running?: boolean;
        };
        this.cancel();
        this.text = kept.text ?? '';
        this.entry.value = kept.draft ?? this.text;
        this.nodes = kept.nodes ?? '20000';
        this.form.querySelector('select')!.value = this.nodes;
        this.games = kept.games ?? [];
        this.found = Math.min(kept.found ?? 0, this.games.length);
        this.chosen = Math.max(0, Math.min(kept.chosen ?? 0, this.games.length - 1));
        this.wasRunning = kept.running ?? false;
        this.partial = kept.partial ?? [];
        this.plies = kept.plies ?? this.partial.length;
        this.line = new Line();
        show(this.result, this.games.length > 0);
        if (this.partial.length) this.drawPartial(kept.at ?? this.partial.length);
        else if (this.games.length) this.choose(this.chosen, kept.at ?? 0);
    }

    private acceptDrops(): void {
        addEventListener('dragover', event => {
            if (!event.dataTransfer?.types.includes('Files')) return;
            event.preventDefault();
            this.form.classList.add('over');
        });
        addEventListener('dragleave', () => this.form.classList.remove('over'));
        addEventListener('drop', event => {
            if (!event.dataTransfer?.files.length) return;
            event.preventDefault();
            this.form.classList.remove('over');
            document.getElementById('tab-review')?.click();
            void this.read(event.dataTransfer.files[0]);
        });
    }

    private async read(file: File | undefined): Promise<void> {
        if (!file) return;
        const limit = this.app.about?.limits?.max_body;
        if (limit && file.size > limit) return this.app.fault(`${file.name} has ${file.size} bytes, the limit is ${limit}. The command lucena review reads larger files.`);
        const bytes = await file.arrayBuffer();
        let text: string;
        try {
            text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
            text = new TextDecoder('latin1').decode(bytes);
        }
        this.file.value = '';
        this.open(text);
    }

    /** Reviews a text, or goes on with it after a reload. */
    private async start(text: string, isReload = false): Promise<void> {
        this.app.fault('');
        if (!text.trim()) return this.app.fault('There is no game in the text.');
        // Nobody played the moves that a review would be of.
        if (isPosition(text)) return this.app.open('ask', text);
        this.cancel();
        const running = new AbortController();
        this.running = running;
        this.text = text;
        this.restored = isReload ? this.partial.length : 0;
        if (!isReload) this.found = 0;
        passFocus(this.back, this.curve.element);
        show(this.back, false);
        replace(this.faults);
        this.setProgress(0, 'Reading …');
        show(this.progressRow, true);
        this.app.announce('Review started');
        this.app.save();
        const found: ReviewedGame[] = [];
        try {
            await this.app.backend.review(withoutUci(text), Number(this.nodes), event => running === this.running && this.receive(event, found), running.signal);
        } catch (error) {
            if (running !== this.running) return;
            this.app.fault(error instanceof TypeError ? 'The connection was lost during the review. Start it again.' : faultText(error));
        }
        if (running !== this.running) return;
        this.hideProgress();
        this.app.save();
    }

    private stop(): void {
        this.cancel();
        this.app.save();
    }

    private cancel(): void {
        this.running?.abort();
        this.hideProgress();
    }

    private hideProgress(): void {
        this.running = undefined;
        passFocus(this.progressRow, this.result.hidden ? this.starter : this.curve.element);
        show(this.progressRow, false);
        show(this.back, this.partial.length > 0 && this.games.length > 0);
    }

    private receive(event: ReviewEvent, found: ReviewedGame[]): void {
        if (event.type === 'progress') {
            this.setProgress(event.ply / Math.max(event.plies, 1), `Game ${event.game} of ${event.games}: move ${Math.ceil(event.ply / 2)} of ${Math.ceil(event.plies / 2)}`);
            if (event.move && !this.found) this.watch(event.move, event.plies);
        } else if (event.type === 'game') {
            found.push({ review: event.review, pgn: event.pgn, html: event.html });
            // After a reload, the games found before it stay until there are more.
            if (found.length <= this.found) return;
            this.found = found.length;
            this.games = found;
            if (found.length === 1) {
                this.choose(0, this.isBehind ? this.line.at : 0);
                const { white, black } = event.review;
                this.app.announce(`Review finished. ${sideText(white, 'white')} ${sideText(black, 'black')}`);
            } else {
                this.drawPicker();
            }
            this.app.save();
        } else if (event.type === 'error') {
            const place = [event.number && `Game ${event.number}`, event.line && `line ${event.line}`, event.column && `column ${event.column}`].filter(Boolean).join(', ');
            this.faults.append(h('li', { class: 'fault', role: 'alert' }, `${place}: ${event.message}`.replace(/^: /, '')));
        } else if (event.type === 'done' && event.games === 0 && event.failed === 0) {
            this.app.fault('There is no game in the text.');
        }
    }

    /** Shows the moves judged so far. */
    private watch(move: ReviewedMove, plies: number): void {
        if (move.ply <= this.restored) return;
        const isFirst = move.ply === 1 || !this.partial.length;
        if (isFirst) this.partial = [];
        this.partial.push(move);
        this.plies = plies;
        if (isFirst) return this.drawPartial(1);
        // Who looks at an earlier move stays there.
        const at = this.isBehind ? this.line.at : undefined;
        this.line.goTo(this.line.moves.length);
        this.line.playSan(move.move);
        if (at !== undefined) this.line.goTo(at);
        this.drawNext();
    }

    /** Is an earlier move than the last one shown, while the review runs? */
    private get isBehind(): boolean {
        return this.partial.length > 0 && this.line.at < this.line.moves.length;
    }

    private drawPartial(at: number): void {
        const line = new Line(this.partial[0]!.fen);
        // Not by `uci`, which has another form of castling for Chess960 than chessops.
        for (const each of this.partial) line.playSan(each.move);
        line.goTo(at);
        this.line = line;
        show(this.result, true);
        show(this.back, !this.running && this.games.length > 0);
        this.result.classList.add('partial');
        this.curve.show(this.partial, this.plies, line.firstPly);
        this.showMove();
    }

    private setProgress(value: number, text: string): void {
        this.progress.value = value;
        this.progressText.textContent = text;
    }

    private choose(index: number, at: number): void {
        this.chosen = index;
        this.partial = [];
        passFocus(this.back, this.curve.element);
        show(this.back, false);
        const { review } = this.games[index]!;
        const line = new Line(review.moves[0]?.fen ?? review.tags.FEN);
        for (const { move } of review.moves) line.playSan(move);
        line.goTo(at);
        this.line = line;
        show(this.result, true);
        this.result.classList.remove('partial');
        this.drawPicker();
        this.drawSummary(review);
        this.curve.show(review.moves, review.moves.length, line.firstPly);
        this.drawMoments(review);
        this.showMove();
    }

    private drawPicker(): void {
        const options = this.games.map<[string, string]>(({ review }, index) => [String(index), `${index + 1}. ${nameOf(review.white, 'white')} – ${nameOf(review.black, 'black')} ${review.result}`]);
        const label = `${options.length} games`;
        const select = this.picker.querySelector('select');
        if (!select || select.length > options.length) {
            return replace(this.picker, options.length > 1 && choice(label, options, String(this.chosen), value => this.choose(Number(value), 0)));
        }
        // A new list would take the focus from one that is open while games are found.
        for (const [value, text] of options.slice(select.length)) select.append(h('option', { value }, text));
        this.picker.querySelector('span')!.textContent = label;
        select.value = String(this.chosen);
    }

    private drawSummary(review: Review): void {
        const counts = (side: ReviewedSide) => ([['inaccuracy', side.inaccuracies], ['mistake', side.mistakes], ['blunder', side.blunders]] as const)
            .map(([mark, number]) => h('span', { class: `mark ${mark}`, title: MARKS[mark].plural }, `${number} `, h('abbr', { title: MARKS[mark].plural }, MARKS[mark].glyph)));
        const box = (side: ReviewedSide, color: Color) => h('div', { class: 'side' }, h('b', { class: 'name' }, nameOf(side, color)),
            h('span', { class: 'accuracy' }, side.accuracy === null ? '–' : `${side.accuracy.toFixed(1)} %`), h('span', { class: 'counts' }, ...counts(side)));
        const opening = review.opening && `${review.opening.eco} ${review.opening.name}`;
        const event = [review.tags.Event, review.tags.Date].filter(part => part && !/^\?/.test(part)).join(', ');
        replace(this.summary, h('p', { class: 'note' }, [event, opening, review.result].filter(Boolean).join(' · ')),
            h('div', { class: 'sides' }, box(review.white, 'white'), box(review.black, 'black')));
    }

    private drawMoments(review: Review): void {
        const key = review.moves.map((move, index) => ({ move, index }))
            .filter(({ move }) => move.mark && move.mark !== 'inaccuracy' && move.mark !== 'only_move')
            .sort((a, b) => b.move.lost - a.move.lost).slice(0, MOST_MOMENTS).sort((a, b) => a.index - b.index);
        replace(this.moments, ...key.map(({ move, index }) => {
            const mark = MARKS[move.mark!];
            const item = button('', () => this.goTo(index + 1), { class: `moment ${move.mark}` });
            item.append(h('b', {}, `${moveNumber(this.line.firstPly + index)} ${move.move}${mark.glyph}`), h('span', {}, move.text[0] ?? mark.name));
            return h('li', {}, item);
        }));
        if (!key.length) replace(this.moments, h('li', { class: 'note' }, 'No mistakes and no sacrifices.'));
    }

    private goTo(at: number): void {
        if (this.line.goTo(at)) this.showMove();
    }

    private nextMistake(): void {
        const isFault = (move: ReviewedMove) => move.mark !== null && FAULTS.includes(move.mark);
        const moves = this.moves();
        const next = moves.findIndex((move, index) => index >= this.line.at && isFault(move));
        const first = moves.findIndex(isFault);
        if (first >= 0) this.goTo((next >= 0 ? next : first) + 1);
        else this.app.announce('No mistakes');
    }

    private moves(): ReviewedMove[] {
        return this.partial.length ? this.partial : (this.games[this.chosen]?.review.moves ?? []);
    }

    private showMove(): void {
        const moves = this.moves();
        const at = this.line.at;
        const move = moves[at - 1];
        this.list.show(listed(moves), at, this.line.firstPly);
        this.curve.go(at);
        this.drawVerdict(move);
        if (!this.visible) return;
        this.app.show(this.line);
        this.drawAround();
        if (move) {
            const side: Color = plyOfFen(move.fen) % 2 ? 'black' : 'white';
            this.app.bar.show(expectedForWhite(move.wdl, side), move.score);
            this.app.board.draw(arrows(move), []);
            if (!this.partial.length) this.app.announce([`${moveNumber(this.line.firstPly + at - 1)} ${spoken(move.move)}`, move.mark && MARKS[move.mark].name, ...move.text].filter(Boolean).join('. '));
        } else {
            this.app.bar.clear();
        }
        this.app.save();
    }

    private drawAround(): void {
        const review = this.partial.length ? undefined : this.games[this.chosen]?.review;
        if (!review) {
            this.app.players(undefined);
            return this.app.caption('');
        }
        const player = (side: ReviewedSide, color: Color) => ({ name: nameOf(side, color), detail: side.accuracy === null ? undefined : `${side.accuracy.toFixed(0)} %` });
        this.app.players({ white: player(review.white, 'white'), black: player(review.black, 'black') });
        this.app.caption(review.opening ? `${review.opening.eco} ${review.opening.name}` : '');
    }

    private drawVerdict(move: ReviewedMove | undefined): void {
        if (!move) return replace(this.verdict, h('p', { class: 'note' }, 'Step through the game with the arrow keys; m goes to the next mistake.'));
        const mark = move.mark ? MARKS[move.mark] : undefined;
        replace(this.verdict,
            h('h2', {}, `${moveNumber(this.line.firstPly + this.line.at - 1)} ${move.move}`,
                mark && h('span', { class: `badge ${move.mark}` }, `${mark.glyph} ${mark.name}`), move.score && h('span', { class: 'score' }, scoreText(move.score))),
            ...move.text.map(sentence => h('p', {}, sentence)),
            move.best !== move.move && h('p', { class: 'best' }, h('b', {}, 'Best: '), move.best_line || move.best));
    }

    private save(kind: 'pgn' | 'html'): void {
        const games = kind === 'pgn' ? this.games : this.games.slice(this.chosen, this.chosen + 1);
        const text = games.map(game => (kind === 'pgn' ? game.pgn : (game.html ?? ''))).join('\n');
        if (!text.trim()) return this.app.fault('The review has no such file.');
        download(`review.${kind}`, kind === 'pgn' ? 'application/x-chess-pgn' : 'text/html', text);
    }
}

/** The best move in blue, the played one in orange where it is another. */
function arrows(move: ReviewedMove): Arrow[] {
    const played = sanSquares(move.fen, move.move);
    const best = move.best === move.move ? undefined : sanSquares(move.fen, move.best);
    if (!played || !best) return [];
    return [{ ...played, brush: 'played' }, { ...best, brush: 'best' }];
}

function listed(moves: ReviewedMove[]): ListedMove[] {
    return moves.map(({ move, mark }) => ({ san: move, mark }));
}

/** The name of a player, or of the side if the game has none. */
function nameOf(side: ReviewedSide, color: Color): string {
    const name = side.name.trim();
    return name && name !== '?' ? name : capital(color);
}

function sideText(side: ReviewedSide, color: Color): string {
    return `${nameOf(side, color)}: accuracy ${side.accuracy?.toFixed(0) ?? 'unknown'} percent, ${side.mistakes} mistakes, ${side.blunders} blunders.`;
}
