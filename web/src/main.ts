import type { App, Player, Step, Tab, TabName } from './app';
import { Ask } from './ask';
import type { Backend, Connection } from './backend';
import { Board } from './board';
import { button, h, replace, show } from './dom';
import { EvalBar } from './eval_bar';
import { HttpBackend } from './http';
import { legalMoves, type Line } from './line';
import { MoveInput } from './move_input';
import { Play } from './play';
import { ReviewTab } from './review';
import { keep, kept } from './storage';
import { other } from './words';
import { WorkerBackend } from './worker_backend';
import type { About, Color, Place } from './types';

/** Set by the build: the page of a static host, with the engine in a Worker. */
declare const STATIC: boolean;

const STEPS: Record<string, Step> = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
const SAVE_DELAY = 300;

/** The frame around the tabs: header, board, keys, kept state. */
class Page implements App {
    about: About | undefined;
    readonly board: Board;
    readonly bar = new EvalBar();
    private readonly input: MoveInput;
    private readonly live = h('div', { class: 'visually-hidden', 'aria-live': 'polite', role: 'status', id: 'live' });
    private readonly above = h('div', { class: 'player' });
    private readonly below = h('div', { class: 'player' });
    private readonly opening = h('p', { class: 'caption' });
    private readonly faultLine = h('p', { class: 'fault', id: 'fault', role: 'alert' });
    private readonly connection = h('p', { class: 'connection', role: 'status' });
    private readonly version = h('span', { class: 'version' });
    private readonly tabs: Record<TabName, Tab>;
    private readonly buttons = {} as Record<TabName, HTMLButtonElement>;
    private readonly panels = {} as Record<TabName, HTMLElement>;
    private chosen: TabName = 'play';
    private shownPlayers: Record<Color, Player> | undefined;
    private saving?: ReturnType<typeof setTimeout>;

    constructor(readonly backend: Backend, root: HTMLElement) {
        this.board = new Board(uci => this.tabs[this.chosen].move(uci), text => this.announce(text));
        this.input = new MoveInput(uci => this.tabs[this.chosen].move(uci));
        this.tabs = { play: new Play(this), ask: new Ask(this), review: new ReviewTab(this) };
        replace(root, this.header(), this.main(), this.live);
        document.addEventListener('keydown', event => this.key(event));
        addEventListener('pagehide', () => this.saveNow());
        this.restore();
        backend.onConnection(state => this.connected(state));
        this.choose(this.chosen);
        backend.about().then(about => {
            this.about = about;
            this.version.textContent = about.version;
            // Levels appear where the engine has them.
            if (this.chosen === 'play') this.tabs.play.enter();
        }, error => this.fault(String(error)));
    }

    announce(text: string): void {
        // The same text twice would not be read again.
        this.live.textContent = this.live.textContent === text ? `${text}\u00a0` : text;
    }

    show(line: Line, movable?: Color | 'both'): void {
        this.board.show({ fen: line.fen, last: line.last, movable });
        const at = line.position;
        this.input.offer(movable === 'both' || movable === at.turn ? legalMoves(at) : []);
    }

    players(players: Record<Color, Player> | undefined): void {
        this.shownPlayers = players;
        const bottom = this.board.orientation;
        this.bar.orientation = bottom;
        for (const [element, color] of [[this.below, bottom], [this.above, other(bottom)]] as const) {
            const player = players?.[color] ?? { name: color === 'white' ? 'White' : 'Black' };
            replace(element, h('span', { class: `disc ${color}`, 'aria-hidden': 'true' }), h('span', { class: 'name' }, player.name),
                player.detail !== undefined && h('span', { class: 'detail' }, player.detail));
            element.classList.toggle('active', player.active ?? false);
        }
    }

    caption(text: string): void {
        this.opening.textContent = text;
    }

    fault(message: string): void {
        this.faultLine.textContent = message;
    }

    open(tab: 'ask', place: Place): void;
    open(tab: 'review', pgn: string): void;
    open(tab: 'ask' | 'review', what: Place | string): void {
        this.choose(tab);
        if (tab === 'ask') (this.tabs.ask as Ask).open(what as Place);
        else (this.tabs.review as ReviewTab).open(what as string);
        this.buttons[tab].focus();
    }

    save(): void {
        clearTimeout(this.saving);
        this.saving = setTimeout(() => this.saveNow(), SAVE_DELAY);
    }

    private saveNow(): void {
        keep({
            tab: this.chosen, orientation: this.board.orientation,
            play: this.tabs.play.state(), ask: this.tabs.ask.state(), review: this.tabs.review.state(),
        });
    }

    private restore(): void {
        const state = kept();
        for (const name of Object.keys(this.tabs) as TabName[]) {
            try {
                if (state[name]) this.tabs[name].restore(state[name]);
            } catch {
                // A state that cannot be used is like none.
            }
        }
        if (state.orientation === 'black') this.board.orientation = 'black';
        if (typeof state.tab === 'string' && state.tab in this.tabs) this.chosen = state.tab as TabName;
    }

    private header(): HTMLElement {
        const names = Object.keys(this.tabs) as TabName[];
        const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What to do' });
        for (const name of names) {
            this.buttons[name] = button(this.tabs[name].title, () => this.choose(name), { role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}` });
            tabs.append(this.buttons[name]);
        }
        tabs.addEventListener('keydown', event => {
            const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? names.length - 1 : 0;
            if (!step) return;
            const name = names[(names.indexOf(this.chosen) + step) % names.length]!;
            this.choose(name);
            this.buttons[name].focus();
            event.preventDefault();
            event.stopPropagation();
        });
        return h('header', {}, h('h1', {}, 'Lucena', this.version), tabs);
    }

    private main(): HTMLElement {
        const tools = h('div', { class: 'row tools' }, this.input.element,
            button('Flip', () => this.flip(), { class: 'quiet', title: 'Key: f' }),
            button('Read the position', () => this.announce(this.board.description()), { class: 'for-readers' }));
        const side = h('section', { class: 'board-side', 'aria-label': 'Board' }, this.above,
            h('div', { class: 'board-row' }, this.bar.element, this.board.element), this.below, this.opening, this.faultLine, tools);
        const panels = h('div', { class: 'panels' }, this.connection);
        for (const name of Object.keys(this.tabs) as TabName[]) {
            this.panels[name] = h('section', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, hidden: true }, this.tabs[name].panel);
            panels.append(this.panels[name]);
        }
        return h('main', {}, side, panels);
    }

    private choose(name: TabName): void {
        if (name !== this.chosen) this.tabs[this.chosen].leave();
        this.chosen = name;
        for (const each of Object.keys(this.tabs) as TabName[]) {
            show(this.panels[each], each === name);
            this.buttons[each].setAttribute('aria-selected', String(each === name));
            this.buttons[each].tabIndex = each === name ? 0 : -1;
        }
        this.fault('');
        document.body.dataset.tab = name;
        this.tabs[name].enter();
        this.save();
    }

    private flip(): void {
        this.board.orientation = other(this.board.orientation);
        this.players(this.shownPlayers);
        this.save();
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, textarea, select, .scroll')) return;
        const step = STEPS[event.key];
        const tab = this.tabs[this.chosen];
        if (step) tab.step(step);
        else if (event.key === 'f') this.flip();
        else if (!(tab instanceof ReviewTab && tab.key(event.key))) return;
        event.preventDefault();
    }

    private connected(state: Connection): void {
        this.connection.textContent = state === 'offline' ? 'The connection to Lucena is lost. Trying again …' : '';
        document.body.dataset.connection = state;
    }
}

new Page(STATIC ? new WorkerBackend() : new HttpBackend(), document.getElementById('page')!);
