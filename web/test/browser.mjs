// Drives the page in Chromium: node test/browser.mjs PROGRAM [FOLDER]
// PROGRAM is lucena; FOLDER is a build of the page without a server. Chromium is /usr/bin/chromium, or $CHROMIUM.
import { chromium } from 'playwright-core';
import * as checks from './checks.mjs';
import * as focus from './focus.mjs';
import { longGame } from './games.mjs';
import { byArrows, byMouse, byTyping, drop, pieces, setUp } from './hands.mjs';
import * as kept from './kept.mjs';
import * as layout from './layout.mjs';
import { positionField, positionForReview } from './position.mjs';
import { serve, serveFolder } from './servers.mjs';
import * as windows from './windows.mjs';
import { typedMoves } from './typing.mjs';
import { busyWorkers } from './workers.mjs';

const [program, folder] = process.argv.slice(2);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LARGEST_PAGE = 400_000;
const LARGEST_STATIC_PAGE = 2_000_000;
const SLOWEST_LINE = 1000;

/** Two rooks against a king: Ra7, a king move, Rb8 is mate. */
const NEAR_MATE = '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1';

async function playToMate(page, moves) {
    await page.getByRole('tab', { name: 'Play' }).click();
    if (!(await page.locator('.setup-box').evaluate(box => box.open))) await page.getByText('New game', { exact: true }).click();
    await page.getByLabel('Time').selectOption('100');
    await page.getByLabel('Start position').fill(NEAR_MATE);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await moves[0]();
    await page.locator('.play .moves button').nth(1).waitFor();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await moves[1]();
    await page.locator('.status', { hasText: 'Checkmate: you won' }).waitFor();
}

async function play(page) {
    await playToMate(page, [byMouse(page, 'a2', 'a7'), byMouse(page, 'b1', 'b8')]);
    await playToMate(page, [byTyping(page, 'Ra7'), byTyping(page, 'Rb8', true)]);
    await playToMate(page, [byArrows(page), byTyping(page, 'b1b8')]);
    checks.includes(await page.locator('#live').textContent(), 'Checkmate', 'the live region after mate');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await page.getByRole('button', { name: 'Why that move?' }).click();
    await page.locator('.play .claim').first().waitFor();
    await checks.accessible(page, 'Play');
}

/** After a loss on time a move is taken back, and the game goes on with the time from before it. */
async function takeBackAfterLossOnTime(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.clock.install();
    await page.getByLabel('Time').selectOption('1+1');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await byTyping(page, 'e4')();
    await page.locator('.play .moves button').nth(1).waitFor();
    await page.clock.fastForward(90_000);
    await page.locator('.status', { hasText: 'ran out of time' }).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await page.clock.runFor(1000);
    checks.includes(await page.locator('.status').textContent(), 'Your move.', 'the status a second after the move was taken back');
    checks.noTrouble(page);
    await page.context().close();
}

/** While the server is gone the clocks stand still; a move counts with its increment. Afterwards they run. */
async function clocksOffline(browser, server) {
    const page = await checks.openPage(browser, server.url);
    await page.clock.install();
    await page.getByLabel('Time').selectOption('1+1');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    const mine = page.locator('.player .detail').last();
    const lost = page.getByText('The connection to Lucena is lost');
    await server.stop();
    await lost.waitFor();
    const before = await mine.textContent();
    await page.clock.fastForward(30_000);
    checks.equal(await mine.textContent(), before, 'the clock while the server is gone');
    await byTyping(page, 'e4')();
    await page.locator('.status', { hasText: 'Lucena is thinking' }).waitFor();
    await page.clock.fastForward(90_000);
    checks.equal(await mine.textContent(), '1:01', 'the clock after a move while the server is gone');
    await server.start();
    await page.clock.fastForward(5000);
    await lost.waitFor({ state: 'detached' });
    await page.locator('.play .moves button').nth(1).waitFor();
    await page.clock.fastForward(90_000);
    await page.locator('.status', { hasText: 'White ran out of time' }).waitFor();
    await page.context().close();
}

/** A game against a level: its slider names the rating, and the level answers. */
async function playLevel(page) {
    await page.getByRole('tab', { name: 'Play' }).click();
    if (!(await page.locator('.setup-box').evaluate(box => box.open))) await page.getByText('New game', { exact: true }).click();
    const slider = page.getByRole('slider', { name: 'Strength' });
    await slider.fill('1000');
    checks.equal(await slider.getAttribute('aria-valuetext'), 'Elo 1000', 'the strength');
    await page.getByLabel('Start position').fill('');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    // Until the game before is gone, a move would be one of that game.
    await page.waitForFunction(() => !document.querySelector('.play .moves button'));
    for (const [number, move] of ['a3', 'h3', 'Nc3'].entries()) {
        await page.locator('.status', { hasText: 'Your move.' }).waitFor();
        await byTyping(page, move)();
        await page.locator('.play .moves button').nth(2 * number + 1).waitFor();
    }
    checks.includes(await page.locator('body').textContent(), '(1000)', 'the rating beside the name of the engine');
}

/** A first move on the board starts no game from a position that cannot be read. */
async function firstMoveWithBrokenFen(browser, url) {
    const page = await checks.openPage(browser, url);
    let requests = 0;
    page.on('request', request => (requests += Number(request.url().includes('/api/position'))));
    await page.getByLabel('Start position').fill('nonsense');
    await byMouse(page, 'e2', 'e4')();
    await page.locator('#fault:not(:empty)').waitFor();
    await page.waitForTimeout(300);
    checks.equal(requests, 1, 'requests for a position that cannot be read');
    checks.includes(await pieces(page), 'pawn e2', 'the board after the fault');
    checks.noTrouble(page);
    await page.context().close();
}

/** What the form of the next game says does not change the one that is played. */
async function formOfTheNextGame(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByLabel('Time').selectOption('100');
    await page.getByRole('slider', { name: 'Strength' }).fill('1000');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await byTyping(page, 'e4')();
    await page.locator('.play .moves button').nth(1).waitFor();
    await page.getByText('New game', { exact: true }).click();
    await page.getByLabel('Time').selectOption('1+1');
    await page.getByRole('slider', { name: 'Strength' }).fill('2000');
    for (const reload of [false, true]) {
        if (reload) {
            await page.waitForTimeout(500);
            await page.reload();
            await page.locator('.status', { hasText: 'Your move.' }).waitFor();
        } else {
            await page.getByRole('button', { name: 'Take back' }).click();
            await page.waitForFunction(() => !document.querySelector('.play .moves button'));
        }
        checks.equal(await page.locator('.player .detail').count(), 0, 'clocks of a game without');
        checks.includes(await page.locator('.board-side').textContent(), '(1000)', 'the strength of the game');
    }
    checks.noTrouble(page);
    await page.context().close();
}

/** A click on a line counts, however often the line changes while the button is down. */
async function clickOnALine(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    const line = page.locator('.lines.live button').nth(1);
    await line.waitFor();
    await line.hover();
    await page.mouse.down();
    const before = await page.locator('.effort').textContent();
    await page.waitForFunction(text => document.querySelector('.effort').textContent !== text, before);
    await page.mouse.up();
    await page.locator('.ask .moves button').first().waitFor();
    checks.noTrouble(page);
    await page.context().close();
}

/** The arrow of a line is there while the mouse or the focus is on it. */
async function arrowOfALine(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    const line = page.locator('.lines.live button').nth(1);
    const arrows = page.locator('.cg-shapes line');
    await line.waitFor();
    const enter = [() => line.hover(), () => line.focus()];
    const leave = [() => page.mouse.move(2, 300), () => page.locator('#position').focus()];
    // The focus counts that the keyboard moves.
    await page.keyboard.press('Tab');
    for (const [index, step] of enter.entries()) {
        await step();
        await arrows.first().waitFor({ state: 'attached' });
        await leave[index]();
        await arrows.first().waitFor({ state: 'detached' });
        const before = await page.locator('.effort').textContent();
        await page.waitForFunction(text => document.querySelector('.effort').textContent !== text, before);
        checks.equal(await arrows.count(), 0, 'arrows of lines that were left');
    }
    checks.noTrouble(page);
    await page.context().close();
}

/** Castling in Chess960: typed, where the king could also go to its square alone, and in a review. */
async function chess960(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await setUp(page, '4k3/8/8/8/8/8/8/5K1R w H - 0 1');
    await page.waitForFunction(() => !document.querySelector('#position').value);
    await byTyping(page, 'O-O')();
    await page.locator('.ask .moves button', { hasText: 'O-O' }).waitFor();
    checks.includes(await pieces(page), 'rook f1', 'the board after castling');
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByLabel('Effort').selectOption('5000');
    await drop(page, '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/1K5R w H - 0 1"]\n\n1. O-O Kd7 2. Rf3 *\n');
    await page.locator('.side .accuracy').first().waitFor();
    await page.getByRole('button', { name: 'Last move' }).click();
    checks.includes(await pieces(page), 'rook f3', 'the board after the reviewed game');
    checks.noTrouble(page);
    await page.context().close();
}

/** A question is answered though the engine moves meanwhile; one that another tab ends is not waited for. */
async function questionsMeanwhile(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByLabel('Time').selectOption('1000');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await byTyping(page, 'a3')();
    await page.locator('.play .moves button').nth(1).waitFor();
    let answer;
    await page.route('**/api/explain?*', route => (answer = () => route.continue()));
    await page.getByRole('button', { name: 'Why that move?' }).click();
    await byTyping(page, 'h4')();
    await page.getByRole('button', { name: 'Why that move?' }).click();
    await page.locator('.play .moves button').nth(3).waitFor();
    await answer();
    await page.locator('.play .claim').first().waitFor();
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Why this move?' }).click();
    await page.locator('.ask .waiting').waitFor();
    await page.getByRole('tab', { name: 'Play' }).click();
    await page.getByRole('tab', { name: 'Ask' }).click();
    checks.equal(await page.locator('.ask .waiting').count(), 0, 'waiting after another tab was shown');
    checks.noTrouble(page);
    await page.context().close();
}

/** Promotion by the keyboard: the focus stays on the board when it is called off. */
async function promotionByKeyboard(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Ask' }).click();
    await setUp(page, '7k/4P3/8/8/8/8/8/4K3 w - - 0 1');
    await page.waitForFunction(() => !document.querySelector('#position').value);
    const promote = async () => {
        for (const key of ['ArrowUp', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
        await page.locator('.chooser button').first().waitFor();
    };
    await page.locator('.board').focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowUp');
    await promote();
    await page.keyboard.press('Escape');
    checks.equal(await page.evaluate(() => document.activeElement.className), 'board', 'the focus after Escape');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await promote();
    await page.keyboard.press('f');
    checks.equal(await page.locator('.chooser').isVisible(), true, 'the choice after a key of the page');
    await page.keyboard.press('Enter');
    await page.locator('.ask .moves button', { hasText: 'e8=Q' }).waitFor();
    checks.noTrouble(page);
    await page.context().close();
}

/** The connection breaks within an answer, and a review ends early. */
async function brokenAnswers(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.evaluate(() => {
        const read = Response.prototype.json;
        let isBroken = false;
        Response.prototype.json = function () {
            if (isBroken || !this.url.includes('/api/eval')) return read.call(this);
            isBroken = true;
            return Promise.reject(new TypeError('network error'));
        };
    });
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.locator('.bars li').first().waitFor();
    await page.route('**/api/review?*', route => route.fulfill({ contentType: 'application/x-ndjson', body: '' }));
    await page.getByRole('tab', { name: 'Review' }).click();
    await drop(page, '1. e4 e5 *\n');
    await page.locator('#fault', { hasText: 'ended the review early' }).waitFor();
    checks.noTrouble(page);
    await page.context().close();
}

/** A game can be chosen while others are still reviewed. */
async function chooseWhileReviewing(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByLabel('Effort').selectOption('5000');
    await drop(page, '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O *\n\n'.repeat(5));
    const list = page.locator('.picker select');
    await list.waitFor();
    await list.focus();
    await page.locator('.picker option').nth(4).waitFor({ state: 'attached' });
    checks.equal(await list.evaluate(element => element === document.activeElement), true, 'the focus on the list of games');
    checks.includes(await page.locator('.picker').textContent(), '5 games', 'the number of games');
    await list.selectOption('4');
    await page.locator('.review .moves button').first().waitFor();
    checks.noTrouble(page);
    await page.context().close();
}

/** Arrow keys on the board stay there while the engine thinks. */
async function arrowsWhileThinking(browser, url) {
    const page = await checks.openPage(browser, url);
    await page.getByLabel('Time').selectOption('5000');
    await page.getByLabel('Start position').fill('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/P7/1PPP1PPP/RNBQKBNR w KQkq - 0 4');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.status', { hasText: 'Your move.' }).waitFor();
    await page.locator('.board').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.locator('.play .moves button', { hasText: 'b3' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    checks.equal(await page.getByText('Back to the game').count(), 0, 'steps back by an arrow key on the board');
    checks.includes(await page.locator('#live').textContent(), 'b3, white pawn', 'the square after the arrow keys');
    checks.noTrouble(page);
    await page.context().close();
}

async function ask(page) {
    await page.getByRole('tab', { name: 'Ask' }).click();
    await setUp(page, 'e4 e5 Nf3 Nc6 Bc4 d6 c3');
    await page.locator('.ask .moves button').nth(6).waitFor();
    await page.getByText('Italian Game').first().waitFor();
    const shown = await pieces(page);
    await setUp(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1');
    await page.locator('#fault:not(:empty)').waitFor();
    checks.includes(await page.locator('#fault').textContent(), 'FEN field 1', 'the fault of a broken FEN');
    checks.equal(await page.locator('.ask .moves button').count(), 7, 'moves kept after a broken FEN');
    checks.equal(await pieces(page), shown, 'position kept after a broken FEN');
    await setUp(page, 'e4 e5 Ke3');
    await page.locator('#fault', { hasText: 'Ke3' }).waitFor();

    const wait = await firstLine(page);
    console.log(`key press to first line: ${wait.toFixed(0)} ms`);
    checks.holds(wait < SLOWEST_LINE, `the first line came after ${wait} ms`);

    await page.getByRole('button', { name: 'Why this move?' }).click();
    await page.locator('.ask .claim').first().waitFor();
    const claim = await page.locator('.ask .claim').first().textContent();
    checks.includes(await page.locator('#live').textContent(), claim, 'reasons in the live region');
    await page.getByRole('button', { name: 'Why not mine?' }).click();
    await byTyping(page, 'a3')();
    await page.locator('.ask .reasons h2', { hasText: /a3/ }).waitFor();
    checks.equal(await page.locator('.ask .moves button').count(), 8, 'moves after "why not mine?"');
    await page.getByRole('button', { name: 'Threats', exact: true }).click();
    await page.locator('.ask .reasons h2', { hasText: /would do|threatens nothing/ }).waitFor();

    await page.locator('[data-concept="king_shelter"]').hover();
    await page.locator('square.lit').first().waitFor({ state: 'attached' });
    await page.locator('[data-concept="king_shelter"]').click();
    await page.locator('.bars .open .facts li').first().waitFor();
    await page.getByText('The whole ledger').click();
    await page.locator('.ledger tbody tr').nth(20).waitFor();
    await checks.accessible(page, 'Ask');
}

/** Milliseconds from a key press that plays a move to the engine's first line about the new position. */
async function firstLine(page) {
    await page.locator('.lines.live li').first().waitFor();
    await page.getByRole('combobox', { name: 'Your move' }).fill('Nf6');
    await page.evaluate(() => {
        window.firstLine = new Promise(resolve => {
            let start;
            document.addEventListener('keydown', () => (start = performance.now()), { capture: true, once: true });
            const lines = document.querySelector('.lines.live');
            const observer = new MutationObserver(() => {
                if (!start || !lines.textContent.includes('5. ')) return;
                observer.disconnect();
                resolve(performance.now() - start);
            });
            observer.observe(lines, { childList: true, subtree: true });
        });
    });
    await page.keyboard.press('Enter');
    return page.evaluate(() => window.firstLine);
}

async function review(page, plies) {
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByLabel('Effort').selectOption('5000');
    await drop(page, '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Ke3 *\n');
    await page.locator('.faults .fault, #fault:not(:empty)').first().waitFor();
    const fault = await page.locator('.faults .fault, #fault:not(:empty)').first().textContent();
    checks.includes(fault, 'line 4', 'the place of the fault of a broken PGN');

    await drop(page, longGame(plies));
    await page.locator('.review .curve svg').waitFor();
    await page.locator('.side .accuracy').first().waitFor({ timeout: 120_000 });
    checks.includes(await page.locator('.side .name').first().textContent(), '<img src=x', 'the name of a player is text');
    checks.equal(await page.locator('.review .moves button').count(), plies, 'moves of the review');
    await page.locator('.curve .dot').first().waitFor({ state: 'attached' });
    await page.locator('.moment').first().click();
    checks.includes(await page.locator('.verdict').textContent(), 'Best:', 'the verdict of a key moment');
    const first = await page.locator('.curve').getAttribute('aria-valuenow');
    await page.keyboard.press('ArrowRight');
    checks.equal(Number(await page.locator('.curve').getAttribute('aria-valuenow')), Number(first) + 1, 'a step with the keyboard');
    await page.keyboard.press('m');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download PGN' }).click()]);
    checks.includes(await checks.contents(file), '[%eval', 'the annotated PGN');
    const [html] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download page' }).click()]);
    checks.includes(await checks.contents(html), '<svg', 'the page of the review');
    await checks.accessible(page, 'Review');
}

async function reload(page) {
    const before = await page.locator('.curve').getAttribute('aria-valuetext');
    await page.waitForTimeout(500);
    await page.reload();
    await page.locator('.side .accuracy').first().waitFor();
    checks.equal(await page.locator('.curve').getAttribute('aria-valuetext'), before, 'the move after a reload');
}

/** The server ends and starts again; the page goes on. */
async function restart(page, server) {
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.locator('.lines.live li').first().waitFor();
    checks.noTrouble(page);
    await server.stop();
    await page.getByText('The connection to Lucena is lost').waitFor();
    await byTyping(page, 'd4')();
    await server.start();
    await page.locator('.lines.live li').first().waitFor();
    await page.locator('.bars li').first().waitFor();
    await page.locator('.connection:empty').waitFor({ state: 'attached' });
    // What the browser wrote while there was no server does not count.
    page.trouble.length = 0;
}

/** Without a server: the engine answers a first move. */
async function firstMove(page) {
    await byTyping(page, 'e4')();
    await page.locator('.play .moves button').nth(1).waitFor();
}

/** Without a server: lines, reasons and concepts. */
async function askOnce(page) {
    await page.getByRole('tab', { name: 'Ask' }).click();
    await setUp(page, 'e4 e5 Nf3 Nc6 Bc4');
    await page.locator('.lines.live li').nth(2).waitFor();
    await page.getByRole('button', { name: 'Why this move?' }).click();
    await page.locator('.ask .claim').first().waitFor();
    await page.locator('[data-concept="king_shelter"]').waitFor();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
    const server = await serve(program);
    try {
        const page = await checks.openPage(browser, server.url);
        await page.getByText('Play a move, or choose').waitFor();
        console.log(`page weight: ${page.weight} bytes`);
        checks.holds(page.weight < LARGEST_PAGE, `the page weighs ${page.weight} bytes`);
        await checks.step('play', () => play(page));
        await checks.step('level', () => playLevel(page));
        await checks.step('ask', () => ask(page));
        checks.equal(page.refused, 2, 'refused requests: a broken FEN and an illegal move');
        await checks.step('review', () => review(page, 120));
        await checks.step('reload', () => reload(page));
        await checks.step('restart', () => restart(page, server));
        checks.noTrouble(page);
        await page.context().close();
        await checks.step('clocks offline', () => clocksOffline(browser, server));
        await checks.step('loss on time', () => takeBackAfterLossOnTime(browser, server.url));
        await checks.step('broken FEN', () => firstMoveWithBrokenFen(browser, server.url));
        await checks.step('next game', () => formOfTheNextGame(browser, server.url));
        await checks.step('click on a line', () => clickOnALine(browser, server.url));
        await checks.step('arrow of a line', () => arrowOfALine(browser, server.url));
        await checks.step('Chess960', () => chess960(browser, server.url));
        await checks.step('questions', () => questionsMeanwhile(browser, server.url));
        await checks.step('promotion', () => promotionByKeyboard(browser, server.url));
        await checks.step('broken answers', () => brokenAnswers(browser, server.url));
        await checks.step('choice of a game', () => chooseWhileReviewing(browser, server.url));
        await checks.step('arrow keys', () => arrowsWhileThinking(browser, server.url));
        await checks.step('two windows', () => windows.follow(browser, server.url));
        await checks.step('two games', () => windows.twoGames(browser, server.url));
        await checks.step('position field', () => positionField(browser, server.url));
        await checks.step('position in Review', () => positionForReview(browser, server.url));
        await checks.step('typed moves', () => typedMoves(browser, server.url));
        await checks.step('focus', () => focus.afterButtons(browser, server.url));
        await checks.step('choice of a promotion', () => focus.promotionChoice(browser, server.url));
        await checks.step('kept reviews', () => kept.reviews(browser, server.url));
        await checks.step('moves while reviewing', () => kept.movesWhileReviewing(browser, server.url));
        await checks.step('running review', () => kept.runningReview(browser, server.url));
        await checks.step('phone', () => layout.phone(browser, server.url));
        await checks.step('forced colours', () => layout.forcedColours(browser, server.url));
        await checks.step('landscape', () => layout.landscape(browser, server.url));
    } finally {
        await server.stop();
    }
    await checks.step('static: busy Workers', () => busyWorkers(browser));
    if (folder) {
        const files = await serveFolder(folder);
        const page = await checks.openPage(browser, files.url);
        // The tables are fetched after the first move.
        const firstMoveBytes = files.sent;
        await checks.step('static: first move', () => firstMove(page));
        console.log(`static page up to the first move: ${firstMoveBytes} bytes, compressed`);
        checks.holds(firstMoveBytes < LARGEST_STATIC_PAGE, `the first move needs ${firstMoveBytes} bytes`);
        await checks.step('static: play', () => playToMate(page, [byTyping(page, 'Ra7'), byTyping(page, 'Rb8')]));
        await checks.step('static: level', () => playLevel(page));
        await checks.step('static: ask', () => askOnce(page));
        await checks.step('static: review', () => review(page, 20));
        checks.noTrouble(page);
        await files.stop();
    }
} finally {
    await browser.close();
}
