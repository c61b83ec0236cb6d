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
import { Part, splitOldState } from './storage';
import { other } from './words';
import { WorkerBackend } from './worker_backend';
import type { About, Color, Place } from './types';

/** Set by the build: the page of a static host, with the engine in a Worker. */
declare const STATIC: boolean;

const STEPS: Record<string, Step> = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' };
const SAVE_DELAY = 300;
/** The tabs, and what is around them: the chosen tab and the side at the bottom of the board. */
type PartName = TabName | 'frame';
const PARTS: PartName[] = ['frame', 'play', 'ask', 'review'];
/** What a user does. */
const ACTS = ['pointerdown', 'keydown', 'click', 'input', 'drop'];

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
    private readonly parts = {} as Record<PartName, Part>;
    /** The tabs that the user acted in: elsewhere the state changes by itself at most. */
    private readonly touched = new Set<TabName>();

    constructor(readonly backend: Backend, root: HTMLElement) {
        this.board = new Board(uci => this.tabs[this.chosen].move(uci), text => this.announce(text));
        this.input = new MoveInput(uci => this.tabs[this.chosen].move(uci), (uci, field) => this.board.promote(uci, field));
        this.tabs = { play: new Play(this), ask: new Ask(this), review: new ReviewTab(this) };
        replace(root, this.header(), this.main(), this.live);
        document.addEventListener('keydown', event => this.key(event));
        for (const act of ACTS) addEventListener(act, () => this.touched.add(this.chosen), { capture: true });
        addEventListener('pagehide', () => this.saveNow());
        for (const event of ['storage', 'pageshow']) addEventListener(event, () => this.follow());
        document.addEventListener('visibilitychange', () => this.follow());
        splitOldState();
        for (const name of PARTS) {
            this.parts[name] = new Part(name);
            this.restore(name, this.parts[name].load());
        }
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

    open(tab: 'ask', place: Place | string): void;
    open(tab: 'review', pgn: string): void;
    open(tab: 'ask' | 'review', what: Place | string): void {
        this.choose(tab);
        if (tab === 'review') (this.tabs.review as ReviewTab).open(what as string);
        else if (typeof what === 'string') (this.tabs.ask as Ask).openText(what);
        else (this.tabs.ask as Ask).open(what);
        this.buttons[tab].focus();
    }

    save(): void {
        clearTimeout(this.saving);
        this.saving = setTimeout(() => this.saveNow(), SAVE_DELAY);
    }

    private saveNow(): void {
        clearTimeout(this.saving);
        for (const name of PARTS) this.parts[name].save(this.stateOf(name), name === 'frame' ? this.touched.size > 0 : this.touched.has(name));
    }

    private stateOf(name: PartName): unknown {
        return name === 'frame' ? { tab: this.chosen, orientation: this.board.orientation } : this.tabs[name].state();
    }

    private restore(name: PartName, state: unknown): void {
        try {
            if (state && name === 'frame') this.restoreFrame(state);
            else if (state && name !== 'frame') this.tabs[name].restore(state);
        } catch {
            // A state that cannot be used is like none.
        }
        this.parts[name].settle(this.stateOf(name));
    }

    private restoreFrame(state: object): void {
        const { tab, orientation } = state as { tab?: string; orientation?: Color };
        this.board.orientation = orientation === 'black' ? 'black' : 'white';
        // Later changes of another window leave the tab as it is.
        if (!document.body.dataset.tab && tab !== undefined && tab in this.tabs) this.chosen = tab as TabName;
    }

    /** Takes over what was done in another window, as soon as this one is seen. */
    private follow(): void {
        if (document.hidden) return;
        this.saveNow();
        for (const name of PARTS) {
            const state = this.parts[name].changes();
            if (state === undefined) continue;
            const isShown = name === this.chosen;
            if (isShown) this.tabs[this.chosen].leave();
            // What runs in the other window goes on there.
            this.restore(name, { ...(state as object), running: false });
            if (name !== 'frame') this.touched.delete(name);
            if (isShown) this.tabs[this.chosen].enter();
            else if (name === 'frame') this.players(this.shownPlayers);
        }
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
        if (name !== this.chosen) {
            this.tabs[this.chosen].leave();
            this.touched.add(name);
        }
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
