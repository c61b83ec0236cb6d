//! The perft kernel: a board of eight bitboards without keys, mailbox or move lists. Sets of targets are turned into
//! children directly, and the last two plies are counted together (`last_two_plies`).

mod board;
mod generate;
mod last_two_plies;

use crate::chess::{Bitboard, Color, Square};

use self::board::Board;
use self::generate::{TargetSink, all_moves, count_moves};
use self::last_two_plies::count_two_plies;
use crate::chess::Position;
use crate::chess::masks::PawnTargets;

/// Counts the leaves below a position. A count that does not fit is [`u64::MAX`].
pub(super) fn count(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let board = Board::of(position);
    match position.turn() {
        Color::White => leaves::<true>(&board, depth),
        Color::Black => leaves::<false>(&board, depth),
    }
}

fn leaves<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    match depth {
        1 => count_moves::<WHITE>(board),
        2 => count_two_plies::<WHITE>(board),
        _ => {
            let mut walker = Walker::<WHITE> {
                board,
                depth,
                leaves: 0,
            };
            all_moves::<WHITE, _>(board, &mut walker);
            walker.leaves
        }
    }
}

/// Visits every child.
struct Walker<'a, const WHITE: bool> {
    board: &'a Board,
    depth: u32,
    leaves: u64,
}

impl<const WHITE: bool> Walker<'_, WHITE> {
    #[inline]
    fn visit(&mut self, child: &Board) {
        let leaves = if WHITE {
            leaves::<false>(child, self.depth - 1)
        } else {
            leaves::<true>(child, self.depth - 1)
        };
        self.leaves = self.leaves.saturating_add(leaves);
    }
}

impl<const WHITE: bool> TargetSink for Walker<'_, WHITE> {
    #[inline]
    fn piece<const KIND: usize>(&mut self, from: Square, targets: Bitboard) {
        let (board, them) = (self.board, self.board.colors::<WHITE>().1);
        board.each_quiet::<WHITE, KIND>(from, targets & !them, |child| self.visit(child));
        board.each_capture::<WHITE, KIND>(from, targets & them, |child| self.visit(child));
    }

    #[inline]
    fn pawns(&mut self, targets: PawnTargets) {
        let board = self.board;
        board.each_pawn_move::<WHITE>(targets, |child| self.visit(child));
    }

    fn en_passant(&mut self, from: Bitboard, to: Bitboard) {
        self.visit(&self.board.after_en_passant::<WHITE>(from, to));
    }

    fn castle(&mut self, rook: Square) {
        self.visit(&self.board.after_castling::<WHITE>(rook));
    }
}
