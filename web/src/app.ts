import type { Backend } from './backend';
import type { Board } from './board';
import type { EvalBar } from './eval_bar';
import type { Line } from './line';
import type { About, Color, Place } from './types';

export type TabName = 'play' | 'ask' | 'review';
export type Step = 'first' | 'previous' | 'next' | 'last';

export interface Player {
    name: string;
    /** What stands beside the name: a clock or an accuracy. */
    detail?: string;
    active?: boolean;
}

/** What the tabs share: one board and what is around it. */
export interface App {
    backend: Backend;
    board: Board;
    bar: EvalBar;
    about: About | undefined;
    /** Says a text to screen readers. */
    announce(text: string): void;
    /** Shows the place of a line on the board, and offers its moves where they may be played. */
    show(line: Line, movable?: Color | 'both'): void;
    players(players: Record<Color, Player> | undefined): void;
    /** A line below the board: the opening and what the tablebase says. */
    caption(text: string): void;
    /** Beside the board: a fault of what was typed or dropped. */
    fault(message: string): void;
    open(tab: 'ask', place: Place | string): void;
    open(tab: 'review', pgn: string): void;
    /** Keeps the state of all tabs for the next load, soon. */
    save(): void;
}

export interface Tab {
    readonly title: string;
    readonly panel: HTMLElement;
    /** The tab is shown. */
    enter(): void;
    /** Another tab is shown. */
    leave(): void;
    /** A move was played on the board or typed. */
    move(uci: string): void;
    step(step: Step): void;
    /** What `restore` continues from. */
    state(): unknown;
    /** Continues from a kept state, which may be of an older version or damaged. */
    restore(state: unknown): void;
}

export function stepFrom(line: Line, step: Step): number {
    const target = { first: 0, previous: line.at - 1, next: line.at + 1, last: line.moves.length };
    return target[step];
}
