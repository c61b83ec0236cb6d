// Where the focus is after a button that goes away, and in the choice of a promotion.
import * as checks from './checks.mjs';
import { longGame } from './games.mjs';
import { byMouse, byTyping, setUp } from './hands.mjs';

async function press(page, name) {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
}

async function focused(page, selector, what) {
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    checks.holds(await page.evaluate(each => document.activeElement.matches(each), selector),
        `the focus after ${what}: ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80))}, expected ${selector}`);
}

export async function afterButtons(browser, url) {
    const page = await checks.openPage(browser, url);
    const ready = () => page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await page.getByLabel('Time').selectOption('100');
    await press(page, 'Start');
    await ready();
    await focused(page, '.board', 'Start');
    await byTyping(page, 'a3')();
    await page.locator('.play .moves button').nth(1).waitFor();
    await ready();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await press(page, 'Back to the game');
    await focused(page, '.board', 'Back to the game');
    await press(page, 'Take back');
    await ready();
    await focused(page, '.board', 'Take back');
    await press(page, 'Resign');
    await focused(page, '.status', 'Resign');
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByLabel('Effort').selectOption('100000');
    await page.locator('#pgn').fill(longGame(100));
    await press(page, 'Review');
    await press(page, 'Stop');
    await focused(page, '.review .primary, .curve', 'Stop');
    checks.noTrouble(page);
    await page.context().close();
}

/** Tab stays in the choice; Escape and a click beside it call it off. */
export async function promotionChoice(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await setUp(page, '7k/4P3/8/8/8/8/8/4K3 w - - 0 1');
    await page.waitForFunction(() => !document.querySelector('#position').value);
    const chooser = page.locator('.chooser');
    for (const end of [() => page.keyboard.press('Escape'), () => page.mouse.click(2, 300)]) {
        await byMouse(page, 'e7', 'e8')();
        await chooser.waitFor();
        for (let step = 0; step < 7; step++) {
            await page.keyboard.press('Tab');
            const isOutside = await page.evaluate(() => document.activeElement !== document.body && !document.activeElement.closest('.chooser'));
            checks.equal(isOutside, false, 'the focus outside of the choice');
        }
        await end();
        await chooser.waitFor({ state: 'hidden' });
        await focused(page, '.board', 'the choice');
        checks.equal(await page.locator('.ask .moves button').count(), 0, 'moves after the choice was called off');
    }
    await byMouse(page, 'e7', 'e8')();
    await page.getByRole('button', { name: 'knight' }).click();
    await page.locator('.ask .moves button', { hasText: 'e8=N' }).waitFor();
    checks.noTrouble(page);
    await page.context().close();
}
