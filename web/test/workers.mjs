// The page without a server and a Worker that is busy when the tables come: a stand-in for the engine tells what it has.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as checks from './checks.mjs';
import { serveFolder } from './servers.mjs';

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../src');
/** Milliseconds: the tables come while a slow answer is waited for. */
const TABLES = 200;
const SLOW = 600;

/** Answers with the number of bytes of the tables that it was started with. */
const WORKER = `let tables = 0;
onmessage = ({ data }) => {
    const answer = { tables, book: [], type: 'bestmove', san: String(tables) };
    if (data.type === 'start') tables = data.tables.length;
    else if (data.type === 'search') setTimeout(() => postMessage(JSON.stringify(answer)), data.request.limits.movetime);
    else setTimeout(() => postMessage({ type: 'answer', id: data.id, json: JSON.stringify(answer) }), data.method === 'eval' ? ${SLOW} : 0);
};`;

const PAGE = `import { WorkerBackend } from './worker_backend';
const place = { fen: 'startpos', moves: [] };
const backend = new WorkerBackend();
const search = (movetime: number) => new Promise<number>(done => backend.search({ place, limits: { movetime } },
    { info() {}, bestmove: best => done(Number(best.san)), error: () => done(-1) }));
const ask = async () => ((await backend.position(place)) as unknown as { tables: number }).tables;
(window as any).found = (async () => {
    await search(0);
    await Promise.all([backend.evaluate(place), search(${SLOW})]);
    return [await ask(), await search(0)];
})();`;

export async function busyWorkers(browser) {
    const folder = await mkdtemp(join(tmpdir(), 'lucena-workers-'));
    const assets = join(folder, 'assets');
    await mkdir(assets);
    await build({ stdin: { contents: PAGE, resolveDir: SOURCES, loader: 'ts' }, bundle: true, format: 'esm', outfile: join(assets, 'page.js'), logLevel: 'warning' });
    await writeFile(join(folder, 'index.html'), '<script type="module" src="assets/page.js"></script>');
    await writeFile(join(assets, 'worker.js'), WORKER);
    await writeFile(join(assets, 'lucena.wasm'), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    await writeFile(join(assets, 'book.bin'), 'book');
    await writeFile(join(assets, 'tables.bin'), 'tables');
    const files = await serveFolder(folder);
    const context = await browser.newContext();
    try {
        const page = await context.newPage();
        await page.route('**/tables.bin', route => setTimeout(() => route.continue(), TABLES));
        await page.goto(files.url);
        await page.waitForFunction(() => 'found' in window);
        checks.equal(JSON.stringify(await page.evaluate(() => window.found)), '[6,6]', 'bytes of the tables of a question and of a search');
    } finally {
        await context.close();
        await files.stop();
        await rm(folder, { recursive: true });
    }
}
