// What the browser test asks of a page.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TIMEOUT = 20_000;

export function holds(condition, message) {
    if (!condition) throw new Error(message);
}

export function equal(found, expected, what) {
    holds(found === expected, `${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}

export function includes(text, part, what) {
    holds(text.includes(part), `${what}: ${JSON.stringify(text)} does not contain ${JSON.stringify(part)}`);
}

export async function step(name, work) {
    const start = performance.now();
    try {
        await work();
    } catch (error) {
        console.log(`${name}: FAILED`);
        throw error;
    }
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Opens a page, in the given context or a new one, that collects console errors, requests to other hosts (`trouble`),
 * refused requests (`refused`) and the bytes it loads, as sent (`weight`). */
export async function openPage(browser, url, options = {}) {
    const context = options.context ?? await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    page.trouble = [];
    page.weight = 0;
    page.refused = 0;
    page.on('console', message => {
        // The browser itself writes a line for each request that is refused.
        if (message.text().includes('status of 400')) page.refused++;
        else if (['error', 'warning'].includes(message.type())) page.trouble.push(message.text());
    });
    page.on('pageerror', error => page.trouble.push(String(error)));
    page.on('request', request => {
        const address = new URL(request.url());
        if (!['data:', 'blob:'].includes(address.protocol) && address.host !== new URL(url).host) page.trouble.push(`request to ${request.url()}`);
    });
    const sizes = [];
    page.on('requestfinished', request => {
        if (!request.url().includes('/api/')) sizes.push(request.sizes());
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    for (const size of await Promise.all(sizes)) page.weight += size.responseBodySize;
    return page;
}

/** No console errors, no requests to other hosts. */
export function noTrouble(page) {
    holds(page.trouble.length === 0, `the browser complains:\n${page.trouble.join('\n')}`);
}

/** axe-core finds nothing serious. */
export async function accessible(page, name) {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    const violations = await page.evaluate(async () => (await window.axe.run()).violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => `${node.html} ${node.failureSummary}`).join('\n  ')}`));
    holds(violations.length === 0, `axe-core on ${name}:\n${violations.join('\n')}`);
}

export async function contents(file) {
    return readFile(await file.path(), 'utf8');
}
