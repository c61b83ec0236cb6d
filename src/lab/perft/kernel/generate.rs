//! What may move where: the targets of every man, handed to a sink.
//! Uses: `kernel::board`, masks. Used by: kernel.
//! Idea: two halves. What the king sees (checks, pins, attacked squares) needs most of the work and seldom changes from
//! one move of the enemy to the next; what the men may do follows from it by a few masks.

use crate::chess::{Bitboard, Square, attacks};

use super::board::{Board, DIAGONAL, KINGS, KNIGHTS, ORTHOGONAL, PAWNS, QUEENS, back, singles};
use crate::chess::masks::{PawnTargets, castle, line, pawns_attack, rays};

/// What takes the targets.
pub(super) trait Sink {
    /// A man of this kind may go to these squares, empty or the enemy's.
    fn man<const MAN: usize>(&mut self, from: Square, targets: Bitboard);
    /// Pawns may go to these squares.
    fn pawns(&mut self, targets: PawnTargets);
    /// A pawn may take in passing.
    fn en_passant(&mut self, from: Bitboard, to: Bitboard);
    /// The king may castle with this rook.
    fn castle(&mut self, rook: Square);
}

/// Counts moves.
struct Counter<const WHITE: bool>(usize);

impl<const WHITE: bool> Sink for Counter<WHITE> {
    #[inline]
    fn man<const MAN: usize>(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: PawnTargets) {
        self.0 += targets.count::<WHITE>();
    }

    #[inline]
    fn en_passant(&mut self, _from: Bitboard, _to: Bitboard) {
        self.0 += 1;
    }

    #[inline]
    fn castle(&mut self, _rook: Square) {
        self.0 += 1;
    }
}

/// How many moves there are.
#[inline(never)]
pub(super) fn count_moves<const WHITE: bool>(board: &Board) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    all_moves::<WHITE, _>(board, &mut counter);
    counter.0 as u64
}

/// How many moves the king and its rooks have.
#[inline]
pub(super) fn count_king_moves<const WHITE: bool>(board: &Board, view: &KingView) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    king_moves::<WHITE, _>(board, view, &mut counter);
    counter.0 as u64
}

/// How many moves the men have besides, if this is what their king sees.
#[inline(never)]
pub(super) fn count_men_moves<const WHITE: bool>(board: &Board, view: &KingView) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    men_moves::<WHITE, _>(board, view, &mut counter);
    counter.0 as u64
}

/// Every move.
#[inline]
pub(super) fn all_moves<const WHITE: bool, S: Sink>(board: &Board, sink: &mut S) {
    let view = KingView::of::<WHITE>(board);
    king_moves::<WHITE, S>(board, &view, sink);
    if !view.checkers.more_than_one() {
        men_moves::<WHITE, S>(board, &view, sink);
    }
}

/// What a king sees from its square.
pub(super) struct KingView {
    pub(super) king: Square,
    /// The men that give check.
    checkers: Bitboard,
    /// The pawn or knight among them.
    steppers: Bitboard,
    /// The squares that answer the check: all if there is none.
    evasions: Bitboard,
    /// The lines to enemy sliders with one man between, along files and ranks.
    pins_orthogonal: Bitboard,
    /// The same along diagonals.
    pins_diagonal: Bitboard,
}

impl KingView {
    #[inline]
    pub(super) fn of<const WHITE: bool>(board: &Board) -> Self {
        let (own, them) = board.colors::<WHITE>();
        let occupied = own | them;
        let king = board.king::<WHITE>();
        let pawns = pawns_attack::<WHITE>(Bitboard::from_square(king)) & board.men(PAWNS);
        let knights = attacks::knight_attacks(king) & board.men(KNIGHTS);
        let steppers = (pawns | knights) & them;
        let (mut checkers, mut checks) = (steppers, steppers);
        let mut pins = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers & them {
                let way = line(king, sniper);
                let between = (way & occupied) ^ Bitboard::from_square(sniper);
                if between.is_empty() {
                    checks |= way;
                    checkers.add(sniper);
                } else if !between.more_than_one() {
                    pins |= way;
                }
            }
            pins
        };
        let rays = rays(king);
        let pins_orthogonal = pins(rays.orthogonal & board.men(ORTHOGONAL));
        let pins_diagonal = pins(rays.diagonal & board.men(DIAGONAL));
        Self {
            king,
            checkers,
            steppers,
            evasions: if checkers.any() {
                checks
            } else {
                Bitboard::FULL
            },
            pins_orthogonal,
            pins_diagonal,
        }
    }
}

/// The moves of the king. The squares that the enemy attacks are looked for only if there is a square to go to.
#[inline]
fn king_moves<const WHITE: bool, S: Sink>(board: &Board, view: &KingView, sink: &mut S) {
    let king = view.king;
    let (own, them) = board.colors::<WHITE>();
    let mut open = Bitboard::EMPTY;
    if view.checkers.is_empty() {
        for rook in board.castlers::<WHITE>() {
            if (castle::<WHITE>(king, rook).path & (own | them)).is_empty()
                && !view.pins_orthogonal.contains(rook)
            {
                open.add(rook);
            }
        }
    }
    let steps = attacks::king_attacks(king) & !own;
    if steps.any() || open.any() {
        let mut enemy = if WHITE {
            board.side::<false>()
        } else {
            board.side::<true>()
        };
        if open.is_empty() {
            enemy = enemy.near(king);
        }
        let through = (own | them).without(king);
        let danger = if WHITE {
            enemy.attacks::<false>(through)
        } else {
            enemy.attacks::<true>(through)
        };
        sink.man::<KINGS>(king, steps & !danger);
        for rook in open {
            if (castle::<WHITE>(king, rook).king_path & danger).is_empty() {
                sink.castle(rook);
            }
        }
    }
}

/// The moves of all men but the king, which is not in double check.
#[inline]
pub(super) fn men_moves<const WHITE: bool, S: Sink>(board: &Board, view: &KingView, sink: &mut S) {
    let (own, them) = board.colors::<WHITE>();
    let occupied = own | them;
    let evasions = view.evasions;
    let targets = !own & evasions;
    let (diagonal, orthogonal) = (board.men(DIAGONAL), board.men(ORTHOGONAL));
    let pinned = (view.pins_orthogonal | view.pins_diagonal) & own;
    let free = own & !pinned;

    for from in free & board.men(KNIGHTS) {
        sink.man::<KNIGHTS>(from, attacks::knight_attacks(from) & targets);
    }
    for from in free & diagonal & !orthogonal {
        sink.man::<DIAGONAL>(from, attacks::bishop_attacks(from, occupied) & targets);
    }
    for from in free & orthogonal & !diagonal {
        sink.man::<ORTHOGONAL>(from, attacks::rook_attacks(from, occupied) & targets);
    }
    for from in free & orthogonal & diagonal {
        sink.man::<QUEENS>(from, attacks::queen_attacks(from, occupied) & targets);
    }

    let mut pawns = PawnTargets::of::<WHITE>(free & board.men(PAWNS), evasions, occupied, them);
    if pinned.any() {
        // One mask holds all lines of a kind: no piece can get from one line to another of its kind in one move, no pawn
        // along a file or rank by a push, or along a diagonal by a capture.
        let (along, across) = (view.pins_diagonal, view.pins_orthogonal);
        for from in pinned & along & diagonal {
            let to = attacks::bishop_attacks(from, occupied) & along & targets;
            if orthogonal.contains(from) {
                sink.man::<QUEENS>(from, to);
            } else {
                sink.man::<DIAGONAL>(from, to);
            }
        }
        for from in pinned & across & orthogonal {
            let to = attacks::rook_attacks(from, occupied) & across & targets;
            if diagonal.contains(from) {
                sink.man::<QUEENS>(from, to);
            } else {
                sink.man::<ORTHOGONAL>(from, to);
            }
        }
        let shields = |pins: Bitboard| {
            let men = pinned & pins & board.men(PAWNS);
            PawnTargets::of::<WHITE>(men, pins & evasions, occupied, them)
        };
        let (ahead, aside) = (shields(across), shields(along));
        pawns.pushes |= ahead.pushes;
        pawns.doubles |= ahead.doubles;
        pawns.west |= aside.west;
        pawns.east |= aside.east;
    }
    sink.pawns(pawns);

    let target = board.en_passant();
    if target.any() {
        let takers = if WHITE {
            pawns_attack::<false>(target)
        } else {
            pawns_attack::<true>(target)
        };
        for from in singles(takers & own & board.men(PAWNS)) {
            if is_en_passant_safe::<WHITE>(board, view, from, target) {
                sink.en_passant(from, target);
            }
        }
    }
}

/// Whether the king is safe once both pawns are gone and the taker stands on the target.
fn is_en_passant_safe<const WHITE: bool>(
    board: &Board,
    view: &KingView,
    from: Bitboard,
    target: Bitboard,
) -> bool {
    let (own, them) = board.colors::<WHITE>();
    let victim = back::<WHITE>(target);
    let occupied = (own | them) ^ from ^ victim ^ target;
    let sliders = attacks::rook_attacks(view.king, occupied) & board.men(ORTHOGONAL)
        | attacks::bishop_attacks(view.king, occupied) & board.men(DIAGONAL);
    (sliders & them | view.steppers & !victim).is_empty()
}
