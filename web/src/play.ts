import { stepFrom, type App, type Step, type Tab } from './app';
import type { Search } from './backend';
import { Clock, clockText, type Time } from './clock';
import { button, choice, h, passFocus, replace, show } from './dom';
import { Line } from './line';
import { MoveList } from './move_list';
import { Reasons, faultText } from './reasons';
import { capital, openingText, other, spoken, tablebaseText } from './words';
import type { Color, Limits, Place, PositionAnswer } from './types';

/** A clock, or milliseconds for each move of the engine. */
const TIMES: [value: string, text: string, time: Time | number][] = [
    ['100', 'no clock, 0.1 s a move', 100], ['1000', 'no clock, 1 s a move', 1000], ['5000', 'no clock, 5 s a move', 5000],
    ['1+1', '1 minute + 1 s', { start: 60_000, increment: 1000 }], ['3+2', '3 minutes + 2 s', { start: 180_000, increment: 2000 }],
    ['10+5', '10 minutes + 5 s', { start: 600_000, increment: 5000 }], ['30+20', '30 minutes + 20 s', { start: 1_800_000, increment: 20_000 }],
];
const LOWEST_ELO = 600;
const HIGHEST_ELO = 2600;
const ELO_STEP = 50;

interface Setup {
    color: Color | 'random';
    time: string;
    /** Undefined: full strength. */
    elo?: number;
}

interface Ending {
    result: string;
    reason: string;
}

/** Play: a game against the engine. */
export class Play implements Tab {
    readonly title = 'Play';
    readonly panel: HTMLElement;
    /** What the form says: it counts for the next game. */
    private setup: Setup = { color: 'white', time: '1000' };
    /** What it said when this game started. */
    private game = this.setup;
    private me: Color = 'white';
    private line = new Line();
    private started = false;
    private ending?: Ending;
    private clock?: Clock;
    /** The time left on both clocks when each number of moves had been played. */
    private times: Record<Color, number>[] = [];
    private running?: Search;
    private turn = 0;
    private visible = false;
    private isOffline = false;
    private caption = '';
    private readonly list = new MoveList(at => this.goTo(at));
    private readonly reasons: Reasons;
    private readonly status = h('p', { class: 'status', tabindex: -1 });
    private readonly startFen = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'the usual one, or a FEN', 'aria-describedby': 'fault' });
    private readonly back = button('Back to the game', () => this.goTo(this.line.moves.length));
    private readonly options = h('div', { class: 'setup' });
    private readonly optionsBox: HTMLDetailsElement;
    private readonly eloField = h('label', { class: 'field', hidden: true });
    private readonly controls: HTMLElement;

    constructor(private readonly app: App) {
        this.reasons = new Reasons(app.board);
        this.controls = h('div', { class: 'row controls' },
            button('Take back', () => this.takeBack()), button('Why that move?', () => void this.why()),
            button('Resign', () => this.resign()), button('Ask about this position', () => app.open('ask', this.line.place()), { class: 'quiet' }),
            button('Review this game', () => app.open('review', this.pgn()), { class: 'quiet' }));
        this.optionsBox = h('details', { class: 'setup-box', open: true }, h('summary', {}, 'New game'), this.options);
        this.panel = h('div', { class: 'panel play' }, this.status, this.controls, this.list.element, this.reasons.element, this.optionsBox);
        this.fillOptions();
        app.backend.onConnection(state => {
            this.isOffline = state === 'offline';
            if (this.isOffline) this.clock?.pause();
            else if (this.visible && this.started && !this.ending) this.runClock();
        });
    }

    enter(): void {
        this.visible = true;
        this.fillEloField();
        this.refresh();
        if (!this.started || this.ending) return;
        // The caption and the end of the game again; then the engine moves if it is its turn.
        if (!this.running) void this.moved();
    }

    leave(): void {
        this.visible = false;
        this.turn++;
        this.reasons.endWait();
        this.stop();
    }

    move(uci: string): void {
        if (!this.started) return void this.startWith(uci);
        if (this.ending || this.line.turn !== this.me || !this.line.atEnd) return this.app.board.restore();
        const played = this.line.playUci(uci);
        if (!played) return this.app.board.restore();
        this.clock?.press(this.me);
        this.reasons.clear();
        this.app.fault('');
        this.app.announce(spoken(played.san));
        void this.moved();
    }

    step(step: Step): void {
        this.goTo(stepFrom(this.line, step));
    }

    state(): unknown {
        return { setup: this.setup, game: this.game, me: this.me, place: this.line.whole(), started: this.started, ending: this.ending, clock: this.clock?.left(), times: this.times };
    }

    restore(state: unknown): void {
        const kept = state as { setup?: Setup; game?: Setup; me?: Color; place?: Place; started?: boolean; ending?: Ending; clock?: Record<Color, number>; times?: Record<Color, number>[] };
        this.setup = { ...this.setup, ...kept.setup };
        this.game = { ...this.setup, ...kept.game };
        this.me = kept.me ?? 'white';
        if (kept.place) this.line = Line.from(kept.place);
        this.started = kept.started ?? false;
        this.ending = kept.ending;
        this.times = kept.times ?? [];
        this.startClock(kept.clock);
        this.reasons.clear();
        this.caption = '';
        this.optionsBox.open = !this.started || this.ending !== undefined;
        this.fillOptions();
    }

    private get hasLevels(): boolean {
        return this.app.about?.features.includes('level') ?? false;
    }

    private fillOptions(): void {
        replace(this.options,
            choice('You play', [['white', 'White'], ['black', 'Black'], ['random', 'either colour']], this.setup.color,
                value => (this.setup.color = value as Setup['color'])),
            choice('Time', TIMES.map(([value, text]) => [value, text]), this.setup.time, value => (this.setup.time = value)),
            this.eloField,
            h('label', { class: 'field' }, h('span', {}, 'Start position'), this.startFen),
            button('Start', () => void this.start(), { class: 'primary' }));
    }

    /** A slider where the engine has levels; its right end is full strength. */
    private fillEloField(): void {
        show(this.eloField, this.hasLevels);
        const { min_elo: lowest = LOWEST_ELO, max_elo: highest = HIGHEST_ELO } = this.app.about?.limits ?? {};
        const text = h('output', {});
        const slider = h('input', { type: 'range', min: lowest, max: highest + ELO_STEP, step: ELO_STEP, value: this.setup.elo ?? highest + ELO_STEP });
        const read = () => {
            const elo = Number(slider.value);
            this.setup.elo = elo > highest ? undefined : elo;
            text.textContent = this.setup.elo ? `Elo ${this.setup.elo}` : 'full strength';
            slider.setAttribute('aria-valuetext', text.textContent);
        };
        slider.addEventListener('input', read);
        if (this.hasLevels) read();
        replace(this.eloField, h('span', {}, 'Strength'), slider, text);
    }

    private async start(): Promise<void> {
        const fen = this.startFen.value.trim() || 'startpos';
        try {
            await this.app.backend.position({ fen, moves: [] });
            this.line = new Line(fen);
        } catch (error) {
            this.app.fault(faultText(error));
            this.startFen.focus();
            return;
        }
        this.app.fault('');
        this.stop();
        this.turn++;
        this.me = this.setup.color === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : this.setup.color;
        this.app.board.orientation = this.me;
        this.game = { ...this.setup };
        this.started = true;
        this.ending = undefined;
        this.times = [];
        this.startClock();
        passFocus(this.optionsBox, this.app.board.element);
        this.optionsBox.open = false;
        this.reasons.clear();
        this.app.announce(`New game. You play ${this.me}.`);
        await this.moved();
    }

    /** A first move on the board starts a game as White. */
    private async startWith(uci: string): Promise<void> {
        this.setup.color = 'white';
        this.fillOptions();
        await this.start();
        // A start position that cannot be read starts no game.
        if (this.started) this.move(uci);
        else this.app.board.restore();
    }

    private startClock(left?: Record<Color, number>): void {
        this.clock?.stop();
        const time = TIMES.find(([value]) => value === this.game.time)?.[2];
        this.clock = typeof time === 'object' && this.started && !this.ending
            ? new Clock(time, left, () => this.drawPlayers(), color => this.flag(color))
            : undefined;
    }

    /** The clock of the side to move runs, but not while the server is gone. */
    private runClock(): void {
        if (!this.isOffline) this.clock?.run(this.line.end.turn);
    }

    /** After a move of either side: is the game over, and whose turn is it. */
    private async moved(): Promise<void> {
        const turn = ++this.turn;
        if (this.clock) this.times[this.line.moves.length] ??= this.clock.left();
        this.refresh();
        let answer: PositionAnswer;
        try {
            answer = await this.app.backend.position(this.line.whole());
        } catch (error) {
            this.app.fault(faultText(error));
            return;
        }
        if (turn !== this.turn) return;
        this.caption = [openingText(answer), tablebaseText(answer)].filter(Boolean).join(' · ');
        if (answer.status !== 'playing') {
            const reason = answer.status === 'draw' ? `draw: ${answer.reason ?? 'by rule'}` : answer.status;
            return this.end({ result: answer.result ?? '1/2-1/2', reason });
        }
        if (this.visible) this.app.caption(this.caption);
        this.runClock();
        if (answer.turn !== this.me) this.think();
    }

    private think(): void {
        if (this.running || !this.visible) return;
        const turn = this.turn;
        const elo = this.hasLevels ? this.game.elo : undefined;
        this.running = this.app.backend.search({ place: this.line.whole(), limits: this.limits(), elo, book: true }, {
            info: () => {},
            bestmove: best => {
                this.running = undefined;
                if (turn !== this.turn || this.ending) return;
                this.line.goTo(this.line.moves.length);
                const played = best.san === null ? undefined : this.line.playSan(best.san);
                if (!played) return this.app.fault(`The engine answered with ${best.san ?? 'no move'}, which is not legal here.`);
                this.clock?.press(other(this.me));
                this.app.announce(`Lucena plays ${spoken(played.san)}`);
                void this.moved();
            },
            error: message => {
                this.running = undefined;
                this.app.fault(message);
            },
        });
        this.drawStatus();
    }

    private limits(): Limits {
        return this.clock ? this.clock.limits() : { movetime: Number(this.game.time) || 1000 };
    }

    private stop(): void {
        this.running?.stop();
        this.running = undefined;
        this.clock?.pause();
    }

    private end(ending: Ending): void {
        this.stop();
        this.clock?.stop();
        this.ending = ending;
        this.optionsBox.open = true;
        this.turn++;
        this.refresh();
        this.app.announce(`${this.endText()}. ${ending.result}`);
    }

    /** A side that cannot mate does not win on time. */
    private flag(color: Color): void {
        const winner = other(color);
        if (this.line.end.hasInsufficientMaterial(winner)) {
            return this.end({ result: '1/2-1/2', reason: `${color} ran out of time, but ${winner} cannot mate` });
        }
        this.end({ result: color === 'white' ? '0-1' : '1-0', reason: `${color} ran out of time` });
    }

    private resign(): void {
        this.end({ result: this.me === 'white' ? '0-1' : '1-0', reason: `${this.me} resigned` });
    }

    /** Takes back the last move of the player, and the engine's answer. The clocks go back, too: after a loss on time they go on. */
    private takeBack(): void {
        this.stop();
        this.turn++;
        this.line.goTo(this.line.moves.length);
        this.line.drop(this.line.turn === this.me ? 2 : 1);
        this.ending = undefined;
        const moves = this.line.moves.length;
        this.times.splice(moves + 1);
        this.startClock(this.times[moves]);
        this.reasons.clear();
        this.app.fault('');
        this.app.announce('Move taken back');
        void this.moved();
    }

    /** Asks about the last move of the engine. */
    private async why(): Promise<void> {
        const moves = this.line.moves.length;
        const lastIsMine = (this.line.firstPly + moves - 1) % 2 === (this.me === 'white' ? 0 : 1);
        const at = lastIsMine ? moves - 2 : moves - 1;
        const asked = this.line.moves[at];
        if (!asked) return this.reasons.wait('The engine has not moved yet.');
        // The engine may move meanwhile.
        const isWanted = () => this.visible && this.line.moves[at] === asked;
        this.reasons.wait(`Comparing ${asked.san} with other moves …`);
        try {
            const explained = await this.app.backend.explain(this.line.place(at), { move: asked.san });
            if (!isWanted()) return;
            this.goTo(at);
            this.reasons.explanation(explained, `Why ${asked.san}?`);
            this.app.announce(explained.claims.map(claim => claim.text).join(' '));
        } catch (error) {
            if (isWanted()) this.reasons.fault(faultText(error));
        }
    }

    private goTo(at: number): void {
        if (this.line.goTo(at)) this.refresh();
    }

    private refresh(): void {
        if (!this.visible) return;
        this.app.bar.clear();
        // While the engine thinks, too, the arrow keys stay on the board.
        const isLive = !this.started || (!this.ending && this.line.atEnd);
        this.app.show(this.line, isLive ? (this.started ? this.me : 'white') : undefined);
        this.app.caption(this.caption);
        this.list.show(this.line.moves, this.line.at, this.line.firstPly);
        const [takeBack, why, resign, , review] = this.controls.querySelectorAll('button');
        const isEmpty = !this.line.moves.length;
        for (const [element, disabled] of [[takeBack, isEmpty], [why, isEmpty], [review, isEmpty], [resign, this.ending !== undefined]] as const) {
            if (disabled) passFocus(element!, this.ending ? this.status : this.app.board.element);
            element!.disabled = disabled;
        }
        show(this.controls, this.started);
        this.drawPlayers();
        this.drawStatus();
        this.app.save();
    }

    private drawStatus(): void {
        const isMine = this.line.atEnd ? this.line.turn === this.me : !this.running;
        const text = !this.started ? 'Play a move, or choose a side and start.' : this.ending ? this.endText() : isMine ? 'Your move.' : 'Lucena is thinking …';
        const back = !this.line.atEnd && this.back;
        const hadFocus = this.back === document.activeElement;
        replace(this.status, this.ending && h('b', {}, this.ending.result), this.ending && ' ', text, back && ' ', back);
        if (hadFocus) (back || this.app.board.element).focus();
        this.status.classList.toggle('over', this.ending !== undefined);
        this.status.classList.toggle('thinking', this.started && !this.ending && !isMine);
    }

    private endText(): string {
        if (!this.ending) return '';
        const { result, reason } = this.ending;
        const won = result === '1-0' ? 'white' : result === '0-1' ? 'black' : undefined;
        return capital(reason) + (won ? (won === this.me ? ': you won' : ': Lucena won') : '');
    }

    private drawPlayers(): void {
        if (!this.visible) return;
        const level = this.hasLevels && this.game.elo ? ` (${this.game.elo})` : '';
        const player = (color: Color) => ({
            name: color === this.me ? 'You' : `Lucena${level}`,
            detail: this.clock && clockText(this.clock.left()[color]),
            active: this.started && !this.ending && this.line.atEnd && this.line.turn === color,
        });
        this.app.players({ white: player('white'), black: player('black') });
    }

    private pgn(): string {
        const names = { [this.me]: 'You', [other(this.me)]: 'Lucena' } as Record<Color, string>;
        const result = this.ending?.result ?? '*';
        const tags = [['Event', 'Game against Lucena'], ['White', names.white], ['Black', names.black], ['Result', result]];
        if (this.line.startFen !== 'startpos') tags.push(['SetUp', '1'], ['FEN', this.line.startFen]);
        const head = tags.map(([name, value]) => `[${name} "${value!.replace(/["\\]/g, '')}"]`).join('\n');
        const moves = this.line.moves.map((move, index) => {
            const ply = this.line.firstPly + index;
            const number = ply % 2 === 0 ? `${ply / 2 + 1}. ` : index === 0 ? `${(ply + 1) / 2}... ` : '';
            return number + move.san;
        });
        return `${head}\n\n${[...moves, result].join(' ')}\n`;
    }
}
