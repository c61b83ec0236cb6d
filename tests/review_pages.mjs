// Pages of `lucena review --html` in headless Chromium: no console error, no request, nothing of a hostile name runs, nothing
// wider than the screen, and a text for every picture; on a phone and a desktop, light and dark.
//
// Usage: node review_pages.mjs FOLDER-WITH-NODE_MODULES CHROMIUM FOLDER-OF-PAGES [FOLDER-FOR-SCREENSHOTS]

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, executablePath, folder, pictures] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, 'x'))('playwright-core');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
// The height of screenshots.
const TALL = 2400;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

// What is wrong with a page that is open.
function inspect() {
  const faults = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.querySelectorAll('body *')].find((node) => node.getBoundingClientRect().right > width + 1);
    faults.push(`wider than the screen: ${wide?.tagName} ${wide?.className}`);
  }
  for (const svg of document.querySelectorAll('svg')) {
    if (!svg.getAttribute('aria-label')) faults.push('a picture without a text');
  }
  if (document.scripts.length || window.hacked) faults.push('a script');
  const [ink, ground] = ['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name]);
  return { faults, ink, ground };
}

// A page without network access: a request other than for the page itself is a fault.
async function open(browser, size, colorScheme, path) {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme });
  const faults = [];
  const url = pathToFileURL(path).href;
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error}`));
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

const names = readdirSync(folder).filter((name) => name.endsWith('.html') || name.endsWith('.svg'));
if (!names.length) throw new Error(`no page in ${folder}`);
const browser = await chromium.launch({ executablePath, args: FLAGS });
let count = 0;
const grounds = new Set();
try {
  for (const name of names) {
    for (const size of Object.keys(SIZES)) {
      for (const scheme of ['light', 'dark']) {
        const { page, faults } = await open(browser, size, scheme, join(folder, name));
        if (name.endsWith('.html')) {
          const found = await page.evaluate(inspect);
          faults.push(...found.faults);
          grounds.add(`${scheme} ${found.ground}`);
        }
        if (pictures) {
          await page.setViewportSize({ width: SIZES[size].width, height: TALL });
          await page.screenshot({ path: join(pictures, `${name}-${size}-${scheme}.png`), timeout: 120_000 });
        }
        if (faults.length) throw new Error(`${name}, ${size}, ${scheme}: ${faults.join('; ')}`);
        count += 1;
        await page.close();
      }
    }
  }
} finally {
  await browser.close();
}
if (grounds.size !== 2) throw new Error(`light and dark: ${[...grounds].join(', ')}`);
console.log(`${names.length} pages in ${count} views: no error, no request`);
