// What the box and the reviews of the third tab keep over a reload.
import * as checks from './checks.mjs';
import { longGame } from './games.mjs';

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
