// Moves as people type them.
import * as checks from './checks.mjs';
import { byTyping, setUp } from './hands.mjs';

const ROOKS = '4k3/8/8/8/8/8/8/4K2R w - - 0 1';
const PAWNS = '4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1';
const PROMOTION = '4k3/P7/8/8/8/8/8/4K3 w - - 0 1';
/** A position, what is typed, and the move. */
const TYPED = [
    ['startpos', '1.e4', 'e4'], ['startpos', '1. Ng1-f3', 'Nf3'], [ROOKS, 'Rhf1', 'Rf1'], [ROOKS, 'rhf1', 'Rf1'], [ROOKS, 'Rh1-h8+', 'Rh8+'], [ROOKS, 'e1-e2', 'Ke2'],
    [PAWNS, 'ed', 'exd5'], [PAWNS, 'exf', 'exf5'], [PAWNS, 'e4:d5', 'exd5'], [PROMOTION, 'a7-a8n', 'a8=N'],
];

export async function typedMoves(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Engine on' }).click();
    const place = async fen => {
        await setUp(page, fen);
        await page.waitForFunction(() => !document.querySelector('#position').value);
    };
    for (const [fen, text, move] of TYPED) {
        await place(fen);
        await byTyping(page, text)();
        checks.equal(await page.locator('#move-fault').textContent(), '', `the fault of ${text}`);
        checks.equal((await page.locator('.ask .moves button').allTextContents()).join(' '), move, `the move of ${text}`);
    }
    await place(PAWNS);
    for (const [text, fault] of [['Ra1', 'is not a legal move'], ['d5', 'is not a legal move'], ['ef6', 'is not a legal move'], ['e', 'is ambiguous']]) {
        await byTyping(page, text)();
        checks.includes(await page.locator('#move-fault').textContent(), fault, `the fault of ${text}`);
    }
    for (const text of ['a7a8', 'a8']) {
        await place(PROMOTION);
        await byTyping(page, text)();
        await page.locator('.chooser').waitFor();
        await page.locator('.chooser .rook').press('Enter');
        checks.equal(await page.locator('.ask .moves button').textContent(), 'a8=R+', `the move of ${text}`);
        checks.equal(await page.evaluate(() => document.activeElement.id), 'move', 'the focus after the choice');
    }
    checks.noTrouble(page);
    await page.context().close();
}
