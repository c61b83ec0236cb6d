type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
    append(element, children);
    return element;
}

function append(element: Element, children: Child[]): void {
    for (const child of children)
        if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
}

/** An HTML element. Text is always text: nothing is read as HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Puts new children in place of the old ones. */
export function replace(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}

export function button(label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
    return h('button', { type: 'button', ...attributes, onclick }, label);
}

export function show(element: HTMLElement, visible: boolean): void {
    element.hidden = !visible;
}

/** Gives the focus to another element before the one that has it is disabled, hidden or replaced. */
export function passFocus(from: Element, to: HTMLElement): void {
    if (from.contains(document.activeElement)) to.focus();
}

/** A select with its label. */
export function choice(label: string, options: [value: string, text: string][], chosen: string, onchange: (value: string) => void): HTMLLabelElement {
    const select = h('select', { onchange: () => onchange(select.value) });
    for (const [value, text] of options) select.append(h('option', { value, selected: value === chosen }, text));
    return h('label', { class: 'field' }, h('span', {}, label), select);
}

/** Calls a function at most once per frame. */
export function perFrame(work: () => void): () => void {
    let requested = false;
    return () => {
        if (requested) return;
        requested = true;
        requestAnimationFrame(() => {
            requested = false;
            work();
        });
    };
}

/** Offers a text as a file to save. */
export function download(name: string, type: string, text: string): void {
    const url = URL.createObjectURL(new Blob([text], { type }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
