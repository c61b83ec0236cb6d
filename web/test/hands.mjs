// What a user does with the page.

export async function clickSquare(page, square) {
    const box = await page.locator('cg-board').boundingBox();
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
}

export const byMouse = (page, from, to) => async () => {
    await clickSquare(page, from);
    await clickSquare(page, to);
};

/** Types a move, or takes it from the list with the arrow keys. */
export const byTyping = (page, text, fromList = false) => async () => {
    await page.getByRole('combobox', { name: 'Your move' }).fill(text);
    if (fromList) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
};

/** Walks over the board with the arrow keys; the cursor starts on e2. */
export const byArrows = page => async () => {
    await page.getByRole('tab', { name: 'Play' }).focus();
    await page.locator('.board').focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
};

export async function setUp(page, text) {
    await page.locator('#position').fill(text);
    await page.keyboard.press('Enter');
}

/** The position as the page reads it to those who cannot see it. */
export async function pieces(page) {
    await page.getByRole('button', { name: 'Read the position' }).press('Enter');
    return (await page.locator('#live').textContent()).trim();
}

export async function drop(page, text) {
    await page.evaluate(pgn => {
        const data = new DataTransfer();
        data.items.add(new File([pgn], 'game.pgn', { type: 'text/plain' }));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, text);
}
