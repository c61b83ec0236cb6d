// The servers of the browser test.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
/** What a careful static host would send. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'";

/** `lucena serve` on a free port; it can be stopped and started again on the same one. */
export async function serve(program) {
    let child;
    let port = 0;
    const server = {
        url: '',
        async start() {
            child = spawn(program, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
            const line = await new Promise((resolve, reject) => {
                child.stdout.once('data', data => resolve(String(data)));
                child.once('exit', code => reject(new Error(`${program} serve ended with status ${code}`)));
            });
            server.url = /http:\S+/.exec(line)[0];
            port = new URL(server.url).port;
        },
        async stop() {
            if (!child || child.exitCode !== null || child.signalCode !== null) return;
            const gone = new Promise(resolve => child.once('close', resolve));
            child.removeAllListeners('exit');
            child.kill('SIGTERM');
            await gone;
        },
    };
    await server.start();
    return server;
}

/** The files of a folder, compressed, as static hosts send them; `sent` counts the bytes. */
export async function serveFolder(folder) {
    const files = { sent: 0 };
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, 'http://localhost').pathname);
        try {
            const body = await readFile(join(folder, path === '/' ? 'index.html' : path));
            response.writeHead(200, { 'Content-Type': KINDS[extname(path)] ?? (path === '/' ? 'text/html' : 'application/octet-stream'), 'Content-Security-Policy': POLICY, 'Content-Encoding': 'gzip' });
            const sent = gzipSync(body);
            files.sent += sent.length;
            response.end(sent);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    files.url = `http://127.0.0.1:${server.address().port}/`;
    files.stop = () => new Promise(resolve => {
        server.closeAllConnections();
        server.close(resolve);
    });
    return files;
}
