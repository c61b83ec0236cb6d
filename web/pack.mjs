// Copies the opening book and the tables beside a built page, which fetches them apart from the program: node pack.mjs DIR
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const assets = join(process.argv[2], 'assets');
const NAME_BYTES = 16;

await copyFile(join(root, 'books/lucena.bin'), join(assets, 'book.bin'));
const folder = join(root, 'tablebases');
const parts = [];
for (const name of (await readdir(folder)).filter(name => /\.rtb[wz]$/.test(name)).sort()) {
    const table = await readFile(join(folder, name));
    const head = Buffer.alloc(NAME_BYTES + 4);
    head.write(name, 'ascii');
    head.writeUInt32LE(table.length, NAME_BYTES);
    parts.push(head, table);
}
await writeFile(join(assets, 'tables.bin'), Buffer.concat(parts));
