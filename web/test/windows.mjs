// Several windows with the page in one browser: nothing that a user did in one is lost through another.
import * as checks from './checks.mjs';
import { byTyping, drop } from './hands.mjs';

const listed = page => page.locator('[role=tabpanel]:not([hidden]) .moves').innerText().then(text => text.replace(/\s+/g, ' ').trim());

async function startGame(page) {
    await page.getByLabel('Time').selectOption('100');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
}

async function playMove(page, move, plies) {
    await byTyping(page, move)();
    await page.locator('.play .moves button').nth(plies - 1).waitFor();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
}

/** A window that is not touched follows the game and the review of another one, and erases neither when it is closed. */
export async function follow(browser, url) {
    const idle = await checks.openPage(browser, url);
    const context = idle.context();
    const busy = await checks.openPage(browser, url, { context });
    await startGame(busy);
    await playMove(busy, 'a3', 2);
    await idle.locator('.play .moves button').nth(1).waitFor();
    await playMove(busy, 'h3', 4);
    await idle.locator('.play .moves button').nth(3).waitFor();
    const played = await listed(busy);
    checks.equal(await listed(idle), played, 'the game in the other window');
    await busy.getByRole('tab', { name: 'Review' }).click();
    await busy.getByLabel('Effort').selectOption('5000');
    await drop(busy, '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n');
    await busy.locator('.side .accuracy').first().waitFor();
    await busy.close({ runBeforeUnload: true });
    await idle.getByRole('tab', { name: 'Review' }).click();
    await idle.locator('.side .accuracy').first().waitFor();
    await idle.close({ runBeforeUnload: true });
    const next = await checks.openPage(browser, url, { context });
    await next.locator('.side .accuracy').first().waitFor();
    await next.getByRole('tab', { name: 'Play' }).click();
    checks.equal(await listed(next), played, 'the game after both windows were closed');
    for (const page of [idle, busy, next]) checks.noTrouble(page);
    await context.close();
}

/** Two games in two windows: each goes on after a reload. */
export async function twoGames(browser, url) {
    const first = await checks.openPage(browser, url);
    const context = first.context();
    const second = await checks.openPage(browser, url, { context });
    await startGame(first);
    await playMove(first, 'a3', 2);
    await second.locator('.play .moves button').nth(1).waitFor();
    await second.getByText('New game', { exact: true }).click();
    await startGame(second);
    await playMove(second, 'h3', 2);
    for (const [page, move] of [[first, 'a3'], [second, 'h3']]) {
        await page.reload();
        await page.locator('.play .moves button').nth(1).waitFor();
        checks.includes(await listed(page), move, 'the game after a reload');
        checks.noTrouble(page);
    }
    await context.close();
}
