import { button, h, replace, show } from './dom';

export interface Option {
    san: string;
    uci: string;
}

/** A field for moves: type `Nf3` or `g1f3`, or choose with the arrow keys; Enter plays. */
export class MoveInput {
    readonly element: HTMLElement;
    private readonly input: HTMLInputElement;
    private readonly list: HTMLElement;
    private readonly message: HTMLElement;
    private readonly submitter: HTMLButtonElement;
    private options: Option[] = [];
    private found: Option[] = [];
    private chosen = -1;

    /** `onPromotion` asks which piece a pawn becomes that was typed without; then it goes back to the field. */
    constructor(private readonly onMove: (uci: string) => void, private readonly onPromotion: (uci: string, field: HTMLElement) => void) {
        this.list = h('ul', { class: 'options', id: 'moves-found', role: 'listbox', 'aria-label': 'Legal moves', hidden: true });
        this.message = h('p', { class: 'fault', id: 'move-fault', role: 'alert' });
        this.submitter = button('Play move', () => this.submit(), { class: 'quiet' });
        this.input = h('input', {
            id: 'move', type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Type a move: Nf3, e2e4',
            'aria-label': 'Your move', 'aria-expanded': 'false', 'aria-controls': 'moves-found', 'aria-autocomplete': 'list', 'aria-describedby': 'move-fault',
        });
        this.input.addEventListener('input', () => this.filter());
        this.input.addEventListener('keydown', event => this.key(event));
        this.input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
        this.element = h('form', { class: 'move-input' }, this.input, this.submitter, this.list, this.message);
        this.element.addEventListener('submit', event => {
            event.preventDefault();
            this.submit();
        });
    }

    /** The legal moves; none disables the button. The field keeps the focus, and what is typed in it, meanwhile. */
    offer(options: Option[]): void {
        this.options = options;
        this.submitter.disabled = options.length === 0;
        this.fault('');
        this.close();
    }

    private fault(message: string): void {
        this.message.textContent = message;
        if (message) this.input.setAttribute('aria-invalid', 'true');
        else this.input.removeAttribute('aria-invalid');
    }

    private key(event: KeyboardEvent): void {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            if (this.list.hidden) this.filter(true);
            const count = this.found.length;
            if (count) this.choose((this.chosen + (event.key === 'ArrowDown' ? 1 : this.chosen < 0 ? 0 : -1) + count) % count);
        } else if (event.key === 'Escape') {
            this.close();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    private filter(all = false): void {
        this.fault('');
        const typed = plain(withoutNumber(this.input.value));
        this.found = typed || all ? this.options.filter(option => plain(option.san).startsWith(typed) || option.uci.startsWith(typed)) : [];
        this.chosen = -1;
        replace(this.list, ...this.found.map((option, index) => {
            const item = h('li', { role: 'option', id: `option-${index}`, 'aria-selected': 'false' }, option.san);
            item.addEventListener('pointerdown', event => {
                event.preventDefault();
                this.play(option);
            });
            return item;
        }));
        show(this.list, this.found.length > 0);
        this.input.setAttribute('aria-expanded', String(this.found.length > 0));
        this.input.removeAttribute('aria-activedescendant');
    }

    private choose(index: number): void {
        this.list.children[this.chosen]?.setAttribute('aria-selected', 'false');
        this.chosen = index;
        const item = this.list.children[index]!;
        item.setAttribute('aria-selected', 'true');
        item.scrollIntoView({ block: 'nearest' });
        this.input.setAttribute('aria-activedescendant', item.id);
        this.input.value = this.found[index]!.san;
    }

    private submit(): void {
        const typed = this.input.value.trim();
        if (!typed) return;
        if (!this.options.length) return this.fault('It is not your move.');
        const move = withoutNumber(typed);
        const readings = [
            (option: Option) => option.uci === move.toLowerCase() || bare(option.san) === bare(move),
            (option: Option) => plain(option.san) === plain(move),
            described(move), described(move.charAt(0).toUpperCase() + move.slice(1)),
        ];
        const found = this.chosen >= 0 ? [this.found[this.chosen]!] : readings.map(reading => this.options.filter(reading)).find(options => options.length) ?? [];
        if (found.length === 1) return this.play(found[0]!);
        const ways = new Set(found.map(option => option.uci.slice(0, 4)));
        if (ways.size === 1) return this.play(found[0]!, true);
        const similar = found.length ? found : this.options.filter(option => plain(option.san).startsWith(plain(move)));
        const reason = similar.length > 1 ? `is ambiguous: ${similar.map(option => option.san).join(', ')}` : 'is not a legal move here';
        this.fault(`${typed} ${reason}`);
    }

    private play(option: Option, asksForPiece = false): void {
        this.input.value = '';
        this.fault('');
        this.close();
        if (asksForPiece) this.onPromotion(option.uci.slice(0, 4), this.input);
        else this.onMove(option.uci);
    }

    private close(): void {
        show(this.list, false);
        this.chosen = -1;
        this.input.setAttribute('aria-expanded', 'false');
        this.input.removeAttribute('aria-activedescendant');
    }
}

/** SAN without marks; zeros in castling are letters. */
function bare(san: string): string {
    return san.trim().replace(/0/g, 'O').replace(/[+#!?=x]/g, '');
}

function plain(san: string): string {
    return bare(san).toLowerCase();
}

/** `1.e4` without its number. */
function withoutNumber(text: string): string {
    return text.trim().replace(/^\d+\s*(?:\.+|…)\s*/, '');
}

/** Does a text name a move with more or less than SAN says: `Rhf1`, `Ke1-e2`, `ed`, `a8` for a promotion. */
function described(text: string): (option: Option) => boolean {
    // Lower-case letters are files: `bc5` is a pawn's move.
    const parts = /^([KQRBN]?)([a-h]?)([1-8]?)[-:]?([a-h])([1-8]?)([QRBNqrbn]?)(?:e\.?p\.?)?$/.exec(bare(text).replace(/\s/g, ''));
    if (!parts) return () => false;
    const [, piece = '', file = '', rank = '', targetFile, targetRank, promotion] = parts;
    return ({ san, uci }) => {
        const mover = /^[KQRBN]/.exec(san)?.[0] ?? (san.startsWith('O') ? 'K' : '');
        if (mover !== piece && !(piece === '' && file && rank)) return false;
        // Both files are enough for a pawn that takes, and it needs its own.
        const isTaking = mover === '' && san.includes('x');
        if (isTaking ? !file : !targetRank) return false;
        return uci.startsWith(file) && (!rank || uci[1] === rank) && uci[2] === targetFile && (!targetRank || uci[3] === targetRank)
            && (!promotion || uci[4] === promotion.toLowerCase());
    };
}
