// The page at other sizes and with other colours.
import * as checks from './checks.mjs';

/** A new size, when the board has followed. */
async function resize(page, width, height) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A fault is seen although the place of its line is far above. */
async function faultIsSeen(page, where) {
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('#fault:not(:empty)').waitFor();
    const isSeen = await page.locator('#fault').evaluate(element => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === element;
    });
    checks.holds(isSeen, `the fault is not seen ${where}`);
}

export async function phone(browser, url) {
    for (const colorScheme of ['light', 'dark']) {
        const page = await checks.openPage(browser, url, { viewport: { width: 390, height: 844 }, colorScheme });
        for (const tab of ['Play', 'Ask', 'Review']) {
            await page.getByRole('tab', { name: tab }).click();
            for (const width of [390, 320]) {
                await resize(page, width, 844);
                const found = await page.evaluate(() => document.documentElement.scrollWidth);
                checks.holds(found <= width, `${tab} is ${found} pixels wide in a window of ${width}`);
            }
            await checks.accessible(page, `${tab}, phone, ${colorScheme}`);
        }
        await resize(page, 360, 640);
        await faultIsSeen(page, 'at 360x640');
        await checks.accessible(page, `a fault, phone, ${colorScheme}`);
        checks.noTrouble(page);
        await page.context().close();
    }
}

/** On its side a phone shows the whole board, and the panel beside it. */
export async function landscape(browser, url) {
    const page = await checks.openPage(browser, url);
    for (const [width, height] of [[568, 320], [640, 400], [667, 375], [800, 360], [844, 390], [932, 430], [1280, 420], [1024, 600]]) {
        await resize(page, width, height);
        const [board, panel] = await Promise.all(['.board', '.panels'].map(each => page.locator(each).boundingBox()));
        const where = `at ${width}x${height}`;
        checks.holds(board.x + board.width <= panel.x, `the board covers the panel ${where}`);
        checks.holds(board.width >= 200 && board.height <= height, `the board is ${board.width} pixels wide ${where}`);
        checks.holds(panel.x + panel.width <= width, `the panel leaves the window ${where}`);
        const size = await page.evaluate(() => document.documentElement.scrollWidth);
        checks.holds(size <= width, `the page is ${size} pixels wide ${where}`);
    }
    checks.noTrouble(page);
    await page.context().close();
}

/** With forced colours the squares, the bars and the chosen tab are seen. */
export async function forcedColours(browser, url) {
    const page = await checks.openPage(browser, url, { forcedColors: 'active' });
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.locator('.bars li').first().waitFor();
    const style = (selector, property) => page.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], property);
    checks.includes(await style('cg-board', 'backgroundImage'), 'conic-gradient', 'the squares');
    for (const [one, another] of [['.eval-bar', '.eval-bar .white'], ['.bars .bar', '.panels'], ['.disc.white', '.disc.black'], ['[aria-selected="true"]', '[aria-selected="false"]']]) {
        const color = await style(one, 'backgroundColor');
        checks.holds(color !== await style(another, 'backgroundColor'), `${one} and ${another} are both ${color}`);
    }
    checks.noTrouble(page);
    await page.context().close();
}
