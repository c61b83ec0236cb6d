// The field for positions takes what people copy.
import * as checks from './checks.mjs';
import { pieces, setUp } from './hands.mjs';

const FEN = '4k3/8/8/8/8/8/8/4KQ2';
const GAME = '1. e4 {King\'s (pawn); first} e5 (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3! $1 Nc6 !? 1-0';
/** A text, and the moves that are listed after it. */
const TEXTS = [
    ['1.e4 e5 2.Nf3', 'e4 e5 Nf3'], [GAME, 'e4 e5 Nf3 Nc6'], ['e4 e5 *', 'e4 e5'], ['1. d4 d5 1/2-1/2', 'd4 d5'], ['c4 e5 0-1', 'c4 e5'],
    ['[Event "x (y)"] [White "a"] 1. e4 c5 1-0', 'e4 c5'], ['position startpos moves e2e4 e7e5', 'e4 e5'], ['startpos moves g1f3', 'Nf3'],
    ['[FEN "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"] 1. Qf2 *', 'Qf2'], [`position fen ${FEN} w - - 0 1 moves f1f3`, 'Qf3'], [`fen ${FEN} w - - 0 1`, ''],
    [`${FEN} w - - Qf4`, 'Qf4'], [`${FEN} w - - bm Qf7; id "x";`, ''], [`${FEN} w - - 0 1 1. Qf6 {quiet} *`, 'Qf6'], ['d2-d4 d7-d5', 'd4 d5'],
];
const FAULTS = [
    ['1. e4 e5 2. Ke3', 'move 3: `Ke3` is not legal'], [`${FEN} w - - 0 1 moves Ke3`, 'move 1: `Ke3` is not legal'],
    ['4k3/8/8/8/8/8/8/4K w - - 0 1', 'FEN field 1'], ['either/or', '`either/or` is not a move'],
];

export async function positionField(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Engine on' }).click();
    const field = page.locator('#position');
    for (const [text, moves] of TEXTS) {
        await setUp(page, text);
        await page.waitForFunction(() => !document.querySelector('#position').value || document.querySelector('#fault').textContent);
        checks.equal(await page.locator('#fault').textContent(), '', `the fault of ${text}`);
        checks.equal((await page.locator('.ask .moves button').allTextContents()).join(' '), moves, `the moves of ${text}`);
    }
    for (const [text, fault] of FAULTS) {
        await setUp(page, text);
        await page.locator('#fault', { hasText: fault }).waitFor();
        checks.holds(!(await page.locator('#fault').textContent()).includes('column'), `the fault of ${text} names a column`);
    }
    await field.fill('');
    await field.evaluate(element => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '1. e4 e5 ; open\n2. Nf3\nNc6\r\n3. Bb5');
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    });
    checks.equal(await field.inputValue(), '1. e4 e5 2. Nf3 Nc6 3. Bb5', 'a pasted text of several lines');
    checks.noTrouble(page);
    await page.context().close();
}

/** A position in the box of Review is opened in Ask; moves from the start position are a game, and a date is no position. */
export async function positionForReview(browser, url) {
    const page = await checks.openPage(browser, url);
    for (const text of [`${FEN} w - - 0 1`, `position fen ${FEN} w - - 0 1\nmoves f1f2\n`]) {
        await page.getByRole('tab', { name: 'Review' }).click();
        await page.locator('#pgn').fill(text);
        await page.getByRole('button', { name: 'Review', exact: true }).click();
        await page.locator('#panel-ask').waitFor();
        await page.waitForFunction(() => !document.querySelector('#position').value);
        checks.includes(await pieces(page), text.includes('moves') ? 'queen f2' : 'queen f1', 'the position');
    }
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.locator('#pgn').fill('position startpos moves e2e4 e7e5\n');
    await page.getByLabel('Effort').selectOption('5000');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.side .accuracy').first().waitFor();
    checks.equal(await page.locator('.review .moves button').count(), 2, 'moves of a game as UCI writes it');
    await page.locator('#pgn').fill('2024/03/01/x 1. e4 e5 *');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.review .faults', { hasText: '`2024/03/01/x` is not a move' }).waitFor();
    checks.noTrouble(page);
    await page.context().close();
}
