// Bundles the page into dist/, or into the empty folder given: node build.mjs [DIR] [--static]
// With --static the page talks to the engine in a Worker; tools/wasm.sh puts the engine beside it.
import { build } from 'esbuild';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const forStatic = process.argv.includes('--static');
const folder = process.argv.slice(2).find(argument => !argument.startsWith('--'));
const out = folder ? resolve(folder) : join(root, forStatic ? 'dist-static' : 'dist');
const assets = join(out, 'assets');

/** Only our own folders are cleared. */
async function prepare() {
    if (!folder) await rm(out, { recursive: true, force: true });
    await mkdir(out, { recursive: true });
    if ((await readdir(out)).length) throw new Error(`${out} is not empty`);
    await mkdir(join(assets, 'pieces'), { recursive: true });
}

/** The pieces of chessground's style sheet as files, so that the style sheet needs no data: addresses. */
async function writePieces() {
    const css = await readFile(join(root, 'node_modules/@lichess-org/chessground/assets/chessground.cburnett.css'), 'utf8');
    const pattern = /piece\.(\w+)\.(\w+) \{\s*background-image: url\('data:image\/svg\+xml;base64,([^']+)'\)/g;
    const pieces = [...css.matchAll(pattern)];
    if (pieces.length !== 12) throw new Error(`chessground's style sheet has ${pieces.length} pieces, not 12`);
    for (const [, role, color, base64] of pieces)
        await writeFile(join(assets, 'pieces', `${color}-${role}.svg`), Buffer.from(base64, 'base64'));
}

/** chessground gives its arrows a style attribute, which the content security policy forbids; app.css has the rule instead. */
const withoutStyleAttribute = {
    name: 'without-style-attribute',
    setup(bundler) {
        bundler.onLoad({ filter: /chessground[/\\]dist[/\\]wrap\.js$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8');
            const contents = text.replace(/\s*style: 'color-scheme:light only',/, '');
            if (contents === text) throw new Error("chessground's wrap.js has no such style any more");
            return { contents, loader: 'js' };
        });
    },
};

const banner = `/*! Lucena's page. GPL-3.0-or-later. Contains chessground and chessops (GPL-3.0-or-later) and ` +
    `@badrap/result (MIT); the pieces are by Colin M. L. Burnett (GPL-2.0-or-later). */`;

await prepare();
await writePieces();
const entryPoints = { app: join(root, 'src/main.ts'), style: join(root, 'src/app.css') };
if (forStatic) entryPoints.worker = join(root, 'src/worker.ts');
await build({
    absWorkingDir: root,
    entryPoints,
    outdir: assets,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: banner, css: banner },
    external: ['./pieces/*', './favicon.svg', './engine.js'],
    plugins: [withoutStyleAttribute],
    define: { STATIC: String(forStatic) },
    logLevel: 'warning',
});
await cp(join(root, 'static/favicon.svg'), join(assets, 'favicon.svg'));
await cp(join(root, 'static/index.html'), join(out, 'index.html'));
