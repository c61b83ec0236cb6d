// Games made up for the browser test.
import { Chess } from 'chessops/chess';
import { makeSanAndPlay } from 'chessops/san';

/** A game of random legal moves with exactly this many plies; White's name looks like HTML. */
export function longGame(plies) {
    for (let seed = 1; ; seed++) {
        const moves = randomMoves(plies, seed);
        if (moves.length < plies) continue;
        const text = moves.map((san, index) => (index % 2 ? san : `${index / 2 + 1}. ${san}`)).join(' ');
        return `[Event "Test"]\n[White "<img src=x onerror=alert(1)>"]\n[Black "Random"]\n[Result "*"]\n\n${text} *\n`;
    }
}

function randomMoves(plies, seed) {
    const position = Chess.default();
    const moves = [];
    let state = seed;
    while (moves.length < plies && !position.isEnd()) {
        const legal = [...position.allDests()].flatMap(([from, targets]) => [...targets].map(to => ({ from, to })));
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        const move = legal[(state >>> 8) % legal.length];
        const promotes = position.board.pawn.has(move.from) && (move.to < 8 || move.to >= 56);
        moves.push(makeSanAndPlay(position, promotes ? { ...move, promotion: 'queen' } : move));
    }
    return moves;
}
