const KEY = 'lucena';

type Kind = 'localStorage' | 'sessionStorage';

/** A part of the state of the page. Several windows may show the page: localStorage has what was changed last in any of them,
 * for the next visit, and sessionStorage what the user changed in this one, for a reload. */
export class Part {
    private readonly key: string;
    /** The text in localStorage, as far as this window knows. */
    private shared: string | null;
    /** The state of this window when it was loaded or written. */
    private text = '';
    /** The user changed this part in this window, which no longer follows the others then. */
    private isOwn: boolean;

    constructor(name: string) {
        this.key = `${KEY}.${name}`;
        this.shared = get('localStorage', this.key);
        this.isOwn = get('sessionStorage', this.key) !== null;
    }

    /** What a reload or the next visit continues from. */
    load(): unknown {
        return parse(this.isOwn ? get('sessionStorage', this.key) : this.shared);
    }

    /** What another window has changed since, unless the user changed this part here. */
    changes(): unknown {
        const text = get('localStorage', this.key);
        if (this.isOwn || text === this.shared) return undefined;
        this.shared = text;
        return parse(text);
    }

    /** The state after `load` or `changes`. */
    settle(state: unknown): void {
        this.text = JSON.stringify(state);
    }

    /** Keeps a state that differs. Where another window has written, too, only what the user did here counts. */
    save(state: unknown, isTouched: boolean): void {
        const text = JSON.stringify(state);
        if (text === this.text) return;
        const isChanged = withoutClock(text) !== withoutClock(this.text);
        if (isChanged && isTouched) this.isOwn = true;
        if (this.isOwn) set('sessionStorage', this.key, text);
        const isAlone = get('localStorage', this.key) === this.shared;
        if (!isAlone && !(isChanged && this.isOwn)) return;
        if (set('localStorage', this.key, text)) this.shared = text;
        this.text = text;
    }
}

/** Storage may be full, forbidden or damaged; the page works on without. */
function get(storage: Kind, key: string): string | null {
    try {
        return window[storage].getItem(key);
    } catch {
        return null;
    }
}

function set(storage: Kind, key: string, text: string): boolean {
    try {
        window[storage].setItem(key, text);
        return true;
    } catch {
        return false;
    }
}

function parse(text: string | null): unknown {
    try {
        return JSON.parse(text ?? 'null') ?? undefined;
    } catch {
        return undefined;
    }
}

/** A clock that runs in a window that nobody touches is no change. */
function withoutClock(text: string): string {
    return text.replace(/"clock":\{[^}]*\}/, '');
}

/** Earlier versions kept all parts under one key. */
export function splitOldState(): void {
    const old = parse(get('localStorage', KEY));
    if (typeof old !== 'object' || old === null) return;
    const { tab, orientation, ...parts } = old as Record<string, unknown>;
    localStorage.removeItem(KEY);
    for (const [name, part] of Object.entries({ frame: { tab, orientation }, ...parts })) {
        if (get('localStorage', `${KEY}.${name}`) === null && part) set('localStorage', `${KEY}.${name}`, JSON.stringify(part));
    }
}
