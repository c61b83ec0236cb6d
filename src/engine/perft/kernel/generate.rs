//! Move generation of the kernel, in two halves: king moves with checks and pins, which take most of the work and seldom
//! change from one enemy move to the next; and the moves of other pieces, which follow by a few masks.

use crate::chess::{Bitboard, Square, attacks};

use super::board::{Board, DIAGONAL, KINGS, KNIGHTS, ORTHOGONAL, PAWNS, QUEENS, back, singles};
use crate::chess::masks::{PawnTargets, castle, line, pawns_attack, rays};

/// Receives the generated moves.
pub(super) trait TargetSink {
    /// The moves of a piece other than a pawn.
    fn piece<const KIND: usize>(&mut self, from: Square, targets: Bitboard);
    fn pawns(&mut self, targets: PawnTargets);
    fn en_passant(&mut self, from: Bitboard, to: Bitboard);
    fn castle(&mut self, rook: Square);
}

struct Counter<const WHITE: bool>(usize);

impl<const WHITE: bool> TargetSink for Counter<WHITE> {
    #[inline]
    fn piece<const KIND: usize>(&mut self, _from: Square, targets: Bitboard) {
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

#[inline(never)]
pub(super) fn count_moves<const WHITE: bool>(board: &Board) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    all_moves::<WHITE, _>(board, &mut counter);
    counter.0 as u64
}

/// The number of king moves, castling included.
#[inline]
pub(super) fn count_king_moves<const WHITE: bool>(board: &Board, checks: &CheckInfo) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    king_moves::<WHITE, _>(board, checks, &mut counter);
    counter.0 as u64
}

/// The number of moves of the other pieces, given checks and pins.
#[inline(never)]
pub(super) fn count_piece_moves<const WHITE: bool>(board: &Board, checks: &CheckInfo) -> u64 {
    let mut counter = Counter::<WHITE>(0);
    piece_moves::<WHITE, _>(board, checks, &mut counter);
    counter.0 as u64
}

#[inline]
pub(super) fn all_moves<const WHITE: bool, S: TargetSink>(board: &Board, sink: &mut S) {
    let checks = CheckInfo::of::<WHITE>(board);
    king_moves::<WHITE, S>(board, &checks, sink);
    if !checks.checkers.more_than_one() {
        piece_moves::<WHITE, S>(board, &checks, sink);
    }
}

/// The checks and pins of a king.
pub(super) struct CheckInfo {
    pub(super) king: Square,
    checkers: Bitboard,
    /// The pawn or knight among the checkers.
    leapers: Bitboard,
    /// The squares on which other pieces answer the check; all squares if there is no check.
    evasions: Bitboard,
    /// The lines to enemy rooks and queens with one piece between.
    pins_orthogonal: Bitboard,
    /// The lines to enemy bishops and queens with one piece between.
    pins_diagonal: Bitboard,
}

impl CheckInfo {
    #[inline]
    pub(super) fn of<const WHITE: bool>(board: &Board) -> Self {
        let (own, them) = board.colors::<WHITE>();
        let occupied = own | them;
        let king = board.king::<WHITE>();
        let pawns = pawns_attack::<WHITE>(Bitboard::from_square(king)) & board.pieces(PAWNS);
        let knights = attacks::knight_attacks(king) & board.pieces(KNIGHTS);
        let leapers = (pawns | knights) & them;
        let (mut checkers, mut checks) = (leapers, leapers);
        let mut pins = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers & them {
                let path = line(king, sniper);
                let between = (path & occupied) ^ Bitboard::from_square(sniper);
                if between.is_empty() {
                    checks |= path;
                    checkers.add(sniper);
                } else if !between.more_than_one() {
                    pins |= path;
                }
            }
            pins
        };
        let rays = rays(king);
        let pins_orthogonal = pins(rays.orthogonal & board.pieces(ORTHOGONAL));
        let pins_diagonal = pins(rays.diagonal & board.pieces(DIAGONAL));
        Self {
            king,
            checkers,
            leapers,
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

/// The moves of the king. The enemy's attacks are computed only if the king has a target.
#[inline]
fn king_moves<const WHITE: bool, S: TargetSink>(board: &Board, checks: &CheckInfo, sink: &mut S) {
    let king = checks.king;
    let (own, them) = board.colors::<WHITE>();
    let mut open_rooks = Bitboard::EMPTY;
    if checks.checkers.is_empty() {
        for rook in board.castling_rooks::<WHITE>() {
            if (castle::<WHITE>(king, rook).path & (own | them)).is_empty()
                && !checks.pins_orthogonal.contains(rook)
            {
                open_rooks.add(rook);
            }
        }
    }
    let steps = attacks::king_attacks(king) & !own;
    if steps.any() || open_rooks.any() {
        let mut enemy = if WHITE {
            board.side::<false>()
        } else {
            board.side::<true>()
        };
        if open_rooks.is_empty() {
            enemy = enemy.near(king);
        }
        let through = (own | them).without(king);
        let danger = if WHITE {
            enemy.attacks::<false>(through)
        } else {
            enemy.attacks::<true>(through)
        };
        sink.piece::<KINGS>(king, steps & !danger);
        for rook in open_rooks {
            if (castle::<WHITE>(king, rook).king_path & danger).is_empty() {
                sink.castle(rook);
            }
        }
    }
}

/// The moves of all pieces but the king, which must not be in double check.
#[inline]
pub(super) fn piece_moves<const WHITE: bool, S: TargetSink>(
    board: &Board,
    checks: &CheckInfo,
    sink: &mut S,
) {
    let (own, them) = board.colors::<WHITE>();
    let occupied = own | them;
    let evasions = checks.evasions;
    let targets = !own & evasions;
    let (diagonal, orthogonal) = (board.pieces(DIAGONAL), board.pieces(ORTHOGONAL));
    let pinned = (checks.pins_orthogonal | checks.pins_diagonal) & own;
    let free = own & !pinned;

    for from in free & board.pieces(KNIGHTS) {
        sink.piece::<KNIGHTS>(from, attacks::knight_attacks(from) & targets);
    }
    for from in free & diagonal & !orthogonal {
        sink.piece::<DIAGONAL>(from, attacks::bishop_attacks(from, occupied) & targets);
    }
    for from in free & orthogonal & !diagonal {
        sink.piece::<ORTHOGONAL>(from, attacks::rook_attacks(from, occupied) & targets);
    }
    for from in free & orthogonal & diagonal {
        sink.piece::<QUEENS>(from, attacks::queen_attacks(from, occupied) & targets);
    }

    let mut pawns = PawnTargets::of::<WHITE>(free & board.pieces(PAWNS), evasions, occupied, them);
    if pinned.any() {
        // One mask holds all lines of a kind: no piece can move from one line to another of its kind, nor can a pawn by a
        // push (files and ranks) or a capture (diagonals).
        let (diagonal_pins, orthogonal_pins) = (checks.pins_diagonal, checks.pins_orthogonal);
        for from in pinned & diagonal_pins & diagonal {
            let to = attacks::bishop_attacks(from, occupied) & diagonal_pins & targets;
            if orthogonal.contains(from) {
                sink.piece::<QUEENS>(from, to);
            } else {
                sink.piece::<DIAGONAL>(from, to);
            }
        }
        for from in pinned & orthogonal_pins & orthogonal {
            let to = attacks::rook_attacks(from, occupied) & orthogonal_pins & targets;
            if diagonal.contains(from) {
                sink.piece::<QUEENS>(from, to);
            } else {
                sink.piece::<ORTHOGONAL>(from, to);
            }
        }
        let pinned_pawns = |pins: Bitboard| {
            let pawns = pinned & pins & board.pieces(PAWNS);
            PawnTargets::of::<WHITE>(pawns, pins & evasions, occupied, them)
        };
        let (pushes, captures) = (pinned_pawns(orthogonal_pins), pinned_pawns(diagonal_pins));
        pawns.pushes |= pushes.pushes;
        pawns.doubles |= pushes.doubles;
        pawns.west |= captures.west;
        pawns.east |= captures.east;
    }
    sink.pawns(pawns);

    let target = board.en_passant();
    if target.any() {
        let capturers = if WHITE {
            pawns_attack::<false>(target)
        } else {
            pawns_attack::<true>(target)
        };
        for from in singles(capturers & own & board.pieces(PAWNS)) {
            if is_en_passant_safe::<WHITE>(board, checks, from, target) {
                sink.en_passant(from, target);
            }
        }
    }
}

/// Whether an en passant capture leaves the king out of check.
fn is_en_passant_safe<const WHITE: bool>(
    board: &Board,
    checks: &CheckInfo,
    from: Bitboard,
    target: Bitboard,
) -> bool {
    let (own, them) = board.colors::<WHITE>();
    let victim = back::<WHITE>(target);
    let occupied = (own | them) ^ from ^ victim ^ target;
    let sliders = attacks::rook_attacks(checks.king, occupied) & board.pieces(ORTHOGONAL)
        | attacks::bishop_attacks(checks.king, occupied) & board.pieces(DIAGONAL);
    (sliders & them | checks.leapers & !victim).is_empty()
}
