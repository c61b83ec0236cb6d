//! The rules of checkers on the board of 8 × 8 squares.

/// Squares are numbered 0 to 31 from White's side, four a row. White moves up.
pub const SQUARES: usize = 32;
/// Kinds of pieces: own man, own king, other man, other king.
pub const KINDS: usize = 4;
/// Code for no piece.
pub const NONE: usize = KINDS * SQUARES;

/// A position: the codes of its pieces, kind × 32 + square, in ascending order. The board is seen by the player to move.
pub type Position = Vec<usize>;

/// The neighbour of a square, up or down and left or right.
fn neighbour(square: usize, up: bool, right: bool) -> Option<usize> {
    let (row, place) = (square / 4, square % 4);
    // In even rows the squares are the first, third … of the eight columns, in odd ones the second, fourth ….
    let column = 2 * place + row % 2;
    let row = if up { row + 1 } else { row.checked_sub(1)? };
    let column = if right {
        column + 1
    } else {
        column.checked_sub(1)?
    };
    (row < 8 && column < 8).then_some(row * 4 + column / 2)
}

/// The directions of a piece: a man only up, as its own player sees the board.
fn directions(king: bool) -> impl Iterator<Item = (bool, bool)> {
    let all = [(true, false), (true, true), (false, false), (false, true)];
    all.into_iter().take(if king { 4 } else { 2 })
}

/// The board of the other player: turned round, colours swapped.
fn turned(pieces: &[usize]) -> Position {
    let turn = |code: &usize| (code / SQUARES + 2) % KINDS * SQUARES + SQUARES - 1 - code % SQUARES;
    let mut turned: Position = pieces.iter().map(turn).collect();
    turned.sort_unstable();
    turned
}

/// A piece put on a square; a man on the last row becomes a king.
fn placed(kind: usize, square: usize) -> usize {
    let crowned = kind == 0 && square >= SQUARES - 4;
    (if crowned { 1 } else { kind }) * SQUARES + square
}

/// The positions that the player to move can reach, as the other player sees them. A capture must be made, and goes on
/// while it can, but ends where a man becomes a king.
pub fn moves(pieces: &Position) -> Vec<Position> {
    let mut results = Vec::new();
    let own = |code: &&usize| **code < 2 * SQUARES;
    for &code in pieces.iter().filter(own) {
        let rest: Position = pieces
            .iter()
            .copied()
            .filter(|other| *other != code)
            .collect();
        captures(&rest, code / SQUARES, code % SQUARES, false, &mut results);
    }
    if results.is_empty() {
        for &code in pieces.iter().filter(own) {
            let (kind, square) = (code / SQUARES, code % SQUARES);
            for (up, right) in directions(kind == 1) {
                let Some(to) = neighbour(square, up, right) else {
                    continue;
                };
                if pieces.iter().all(|other| other % SQUARES != to) {
                    let rest = pieces.iter().copied().filter(|other| *other != code);
                    let after: Position = rest.chain([placed(kind, to)]).collect();
                    results.push(turned(&after));
                }
            }
        }
    }
    results
}

/// Adds the ends of all captures by a piece, which is not among the pieces.
fn captures(
    pieces: &Position,
    kind: usize,
    square: usize,
    jumped: bool,
    results: &mut Vec<Position>,
) {
    let mut more = false;
    for (up, right) in directions(kind == 1) {
        let over = neighbour(square, up, right);
        let to = over.and_then(|over| neighbour(over, up, right));
        let (Some(over), Some(to)) = (over, to) else {
            continue;
        };
        let taken = pieces
            .iter()
            .position(|code| code % SQUARES == over && *code >= 2 * SQUARES);
        let Some(taken) = taken.filter(|_| pieces.iter().all(|code| code % SQUARES != to)) else {
            continue;
        };
        more = true;
        let mut rest = pieces.clone();
        rest.remove(taken);
        if placed(kind, to) / SQUARES != kind {
            rest.push(placed(kind, to));
            results.push(turned(&rest));
        } else {
            captures(&rest, kind, to, true, results);
        }
    }
    if jumped && !more {
        let after: Position = pieces
            .iter()
            .copied()
            .chain([placed(kind, square)])
            .collect();
        results.push(turned(&after));
    }
}

/// All positions with this many pieces in which no man is on its last row.
pub fn positions(count: usize) -> Vec<Position> {
    let legal = |code: &usize| match code / SQUARES {
        0 => code % SQUARES < SQUARES - 4,
        2 => code % SQUARES >= 4,
        _ => true,
    };
    let codes: Vec<usize> = (0..NONE).filter(legal).collect();
    let mut all: Vec<Position> = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|pieces| {
            let last = pieces.last().copied();
            let free = |code: &&usize| {
                pieces
                    .iter()
                    .all(|piece| piece % SQUARES != **code % SQUARES)
            };
            let next = codes
                .iter()
                .filter(move |code| last.is_none_or(|last| **code > last))
                .filter(free);
            next.map(|&code| [&pieces[..], &[code]].concat())
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}
