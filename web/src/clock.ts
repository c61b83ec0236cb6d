import { other } from './words';
import type { Color, Limits } from './types';

const TICK = 100;

/** Milliseconds. */
export interface Time {
    start: number;
    increment: number;
}

/** The clocks of both sides. They pause while the page is closed. */
export class Clock {
    private readonly remaining: Record<Color, number>;
    private running?: Color;
    private since = 0;
    private readonly timer: ReturnType<typeof setInterval>;

    constructor(private readonly time: Time, left: Record<Color, number> | undefined, onTick: () => void, private readonly onFlag: (color: Color) => void) {
        this.remaining = left ? { ...left } : { white: time.start, black: time.start };
        this.timer = setInterval(() => {
            if (!this.running) return;
            onTick();
            if (this.left()[this.running] <= 0) this.flag(this.running);
        }, TICK);
    }

    left(): Record<Color, number> {
        const left = { ...this.remaining };
        if (this.running) left[this.running] = Math.max(0, left[this.running] - (Date.now() - this.since));
        return left;
    }

    /** The clock of this side runs; nothing changes if it does already. */
    run(color: Color): void {
        if (this.running === color) return;
        this.pause();
        this.running = color;
        this.since = Date.now();
    }

    /** A side has moved. A paused clock stays paused. */
    press(mover: Color): void {
        const isRunning = this.running !== undefined;
        this.pause();
        this.remaining[mover] += this.time.increment;
        if (isRunning) this.run(other(mover));
    }

    pause(): void {
        Object.assign(this.remaining, this.left());
        this.running = undefined;
    }

    stop(): void {
        this.pause();
        clearInterval(this.timer);
    }

    limits(): Limits {
        const left = this.left();
        const { increment } = this.time;
        return { wtime: Math.round(left.white), btime: Math.round(left.black), winc: increment, binc: increment };
    }

    private flag(color: Color): void {
        this.stop();
        this.onFlag(color);
    }
}

export function clockText(milliseconds: number): string {
    if (milliseconds < 10_000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
    const seconds = Math.ceil(milliseconds / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
