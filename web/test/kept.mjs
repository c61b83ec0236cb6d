// What the box and the reviews of the third tab keep over a reload, and while a review runs.
import * as checks from './checks.mjs';
import { longGame } from './games.mjs';
import { drop } from './hands.mjs';

const moves = page => page.locator('.review .moves button');

async function startLongReview(page) {
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByLabel('Effort').selectOption('20000');
    await drop(page, longGame(120));
    await moves(page).nth(9).waitFor();
}

/** Waits until more moves are judged than now. */
async function moreMoves(page) {
    await moves(page).nth(await moves(page).count()).waitFor();
}

/** A click on a move counts, and a focused move keeps the focus, though more moves are judged meanwhile. */
export async function movesWhileReviewing(browser, url) {
    const page = await checks.openPage(browser, url);
    await startLongReview(page);
    // First the page follows the review, then an earlier move is shown.
    for (const index of [2, 5]) {
        // Moves are judged between the press and the release.
        const judged = await moves(page).count();
        await moves(page).nth(index).click({ delay: 800 });
        checks.holds((await moves(page).count()) > judged, 'no move was judged during the click');
        checks.equal(await page.locator('.curve').getAttribute('aria-valuenow'), String(index + 1), 'the move that was clicked');
    }
    await moves(page).nth(3).focus();
    await moreMoves(page);
    checks.equal(await moves(page).nth(3).evaluate(element => element === document.activeElement), true, 'the focus on a move');
    checks.noTrouble(page);
    await page.context().close();
}

/** A review that runs starts again after a reload: the moves judged before and the shown move stay. */
export async function runningReview(browser, url) {
    const page = await checks.openPage(browser, url);
    await startLongReview(page);
    await moves(page).nth(4).click();
    await page.waitForTimeout(400);
    await page.reload();
    await page.getByText('Game 1 of 1: move').waitFor();
    checks.holds((await moves(page).count()) >= 10, 'the moves judged before a reload are gone');
    await moreMoves(page);
    checks.equal(await page.locator('.curve').getAttribute('aria-valuenow'), '5', 'the shown move after a reload');
    checks.noTrouble(page);
    await page.context().close();
}

/** A text that is not reviewed yet; a review that is stopped, and the finished one before it. */
export async function reviews(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Review' }).click();
    const box = page.locator('#pgn');
    const reload = async () => {
        await page.waitForTimeout(400);
        // Without the events of a page that is closed: a browser may be killed.
        await page.evaluate(() => addEventListener('pagehide', event => event.stopImmediatePropagation(), { capture: true }));
        await page.reload();
    };
    await box.fill('1. e4 e5 *');
    await reload();
    checks.equal(await box.inputValue(), '1. e4 e5 *', 'a text that was not reviewed, after a reload');
    await page.getByLabel('Effort').selectOption('5000');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.side .accuracy').first().waitFor();
    await page.getByLabel('Effort').selectOption('100000');
    await box.fill(longGame(100));
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.partial .moves button').nth(1).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Back to the finished review' }).waitFor();
    const judged = await page.locator('.partial .moves button').count();
    await reload();
    checks.equal(await page.locator('.partial .moves button').count(), judged, 'moves judged before the review was stopped, after a reload');
    await page.getByRole('button', { name: 'Back to the finished review' }).click();
    await page.locator('.side .accuracy').first().waitFor();
    checks.equal(await page.locator('.review .moves button').count(), 2, 'moves of the finished review');
    checks.equal(await page.getByRole('button', { name: 'Back to the finished review' }).isVisible(), false, 'the way back is seen');
    checks.noTrouble(page);
    await page.context().close();
}
