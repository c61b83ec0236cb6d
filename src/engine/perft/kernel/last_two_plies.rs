//! The last two plies, counted together. The replies to a null move are analysed once per position. Most moves leave the
//! king moves, checks and pins of the replies as they are, and many leave all replies as they are: those are counted by a
//! multiplication, without making a child.
//!
//! A move can change the king moves, checks and pins of the replies only if it changes the occupancy of certain squares
//! (`king_watch`), if the moving piece attacks squares that matter to that king before or after the move (`reach`), or if it
//! captures beside the king or a rook with a castling right (`king_captures`). It can change the other replies only if it
//! changes the occupancy of a square that one of their sliders or pawns attacks or can move to (`piece_watch`), or captures
//! one of their pieces.

use crate::chess::{Bitboard, Rank, Square, attacks};

use super::board::{Board, DIAGONAL, KINGS, KNIGHTS, ORTHOGONAL, PAWNS, QUEENS};
use super::generate::{
    CheckInfo, TargetSink, all_moves, count_king_moves, count_moves, count_piece_moves, piece_moves,
};
use crate::chess::masks::{
    PawnTargets, ahead, ahead_east, ahead_west, castle, last_rank, line, pawns_attack, rays,
};

/// The number of leaves at depth 2.
pub(super) fn count_two_plies<const WHITE: bool>(board: &Board) -> u64 {
    let mut plies = LastTwoPlies::<WHITE> {
        board,
        replies: if WHITE {
            Replies::of::<false>(board)
        } else {
            Replies::of::<true>(board)
        },
        leaves: 0,
    };
    all_moves::<WHITE, _>(board, &mut plies);
    plies.leaves
}

/// The replies of a side to a null move, and what would change them.
struct Replies {
    checks: CheckInfo,
    /// The number of king moves, castling included.
    king_moves: u64,
    /// The number of all moves.
    moves: u64,
    /// Their occupancy affects king moves, checks or pins.
    king_watch: Bitboard,
    /// A capture on these squares affects king moves.
    king_captures: Bitboard,
    /// The squares from which a piece of each kind affects king moves, checks or pins.
    reach: [Bitboard; 5],
    /// Their occupancy affects the moves of the other pieces.
    piece_watch: Bitboard,
}

impl Replies {
    fn of<const WHITE: bool>(board: &Board) -> Self {
        let (own, them) = board.colors::<WHITE>();
        let occupied = own | them;
        let after_null = board.after_null_move();
        let checks = CheckInfo::of::<WHITE>(&after_null);
        let king = checks.king;
        let king_moves = count_king_moves::<WHITE>(&after_null, &checks);
        let mut survey = MoveSurvey::<WHITE> {
            moves: 0,
            seen: Bitboard::EMPTY,
        };
        piece_moves::<WHITE, _>(&after_null, &checks, &mut survey);
        let pawns = own & board.pieces(PAWNS);
        let third = Bitboard::from_rank(if WHITE { Rank::Third } else { Rank::Sixth });
        let pushes = ahead::<WHITE>(pawns);
        let doubles = ahead::<WHITE>(pushes & third);

        // Squares that must not be attacked for king moves and castling.
        let castling_rooks = board.castling_rooks::<WHITE>();
        let zone = attacks::king_attacks(king);
        let mut near = zone & !own;
        let mut king_watch = Bitboard::EMPTY;
        for rook in castling_rooks {
            let castle = castle::<WHITE>(king, rook);
            king_watch |= castle.path;
            if (castle.path & occupied).is_empty() {
                near |= castle.king_path;
            }
        }
        // From where pieces attack them, and the squares that could block the sliders that do.
        let through = occupied.without(king);
        let mut knights = attacks::knight_attacks(king);
        let mut kings = Bitboard::EMPTY;
        let (mut diagonal, mut orthogonal) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in near {
            knights |= attacks::knight_attacks(square);
            kings |= attacks::king_attacks(square);
            diagonal |= attacks::bishop_attacks(square, through);
            orthogonal |= attacks::rook_attacks(square, through);
        }
        for slider in them & board.pieces(DIAGONAL) {
            king_watch |= attacks::bishop_attacks(slider, through) & diagonal;
        }
        for slider in them & board.pieces(ORTHOGONAL) {
            king_watch |= attacks::rook_attacks(slider, through) & orthogonal;
        }
        // Checks and pins: lines with at most three pieces, the sniper included; one move removes at most one of them.
        let rays = rays(king);
        let snipers =
            rays.diagonal & board.pieces(DIAGONAL) | rays.orthogonal & board.pieces(ORTHOGONAL);
        for sniper in snipers & them {
            let path = line(king, sniper);
            if (path & occupied).count() <= 3 {
                king_watch |= path;
            }
        }
        let seen = attacks::bishop_attacks(king, occupied);
        diagonal |= seen | attacks::bishop_attacks(king, occupied & !seen);
        let seen = attacks::rook_attacks(king, occupied);
        orthogonal |= seen | attacks::rook_attacks(king, occupied & !seen);

        let mut reach = [Bitboard::EMPTY; 5];
        reach[PAWNS] = pawns_attack::<WHITE>(near.with(king));
        reach[KNIGHTS] = knights;
        reach[DIAGONAL] = diagonal;
        reach[ORTHOGONAL] = orthogonal;
        reach[KINGS] = kings;
        Self {
            checks,
            king_moves,
            moves: king_moves + survey.moves as u64,
            king_watch,
            king_captures: zone | castling_rooks,
            reach,
            piece_watch: survey.seen | pushes | doubles | pawns_attack::<WHITE>(pawns),
        }
    }

    /// The squares that a piece of a kind cannot leave or reach without affecting king moves, checks or pins.
    #[inline]
    fn watch<const KIND: usize>(&self) -> Bitboard {
        self.king_watch
            | if KIND == QUEENS {
                self.reach[DIAGONAL] | self.reach[ORTHOGONAL]
            } else {
                self.reach[KIND]
            }
    }
}

impl PawnTargets {
    /// The moves that leave or reach one of these squares.
    #[inline]
    fn touching<const WHITE: bool>(self, squares: Bitboard) -> Self {
        let one_ahead = ahead::<WHITE>(squares);
        Self {
            pushes: self.pushes & (squares | one_ahead),
            doubles: self.doubles & (squares | ahead::<WHITE>(one_ahead)),
            west: self.west & (squares | ahead_west::<WHITE>(squares)),
            east: self.east & (squares | ahead_east::<WHITE>(squares)),
        }
    }

    #[inline]
    fn without(self, others: Self) -> Self {
        Self {
            pushes: self.pushes & !others.pushes,
            doubles: self.doubles & !others.doubles,
            west: self.west & !others.west,
            east: self.east & !others.east,
        }
    }
}

/// Counts moves and collects the targets of pieces other than knights.
struct MoveSurvey<const WHITE: bool> {
    moves: usize,
    seen: Bitboard,
}

impl<const WHITE: bool> TargetSink for MoveSurvey<WHITE> {
    #[inline]
    fn piece<const KIND: usize>(&mut self, _from: Square, targets: Bitboard) {
        self.moves += targets.count();
        if KIND != KNIGHTS {
            self.seen |= targets;
        }
    }

    #[inline]
    fn pawns(&mut self, targets: PawnTargets) {
        self.moves += targets.count::<WHITE>();
    }

    fn en_passant(&mut self, _from: Bitboard, _to: Bitboard) {}

    fn castle(&mut self, _rook: Square) {}
}

/// Counts the replies to each move.
struct LastTwoPlies<'a, const WHITE: bool> {
    board: &'a Board,
    replies: Replies,
    leaves: u64,
}

impl<const WHITE: bool> LastTwoPlies<'_, WHITE> {
    /// For moves that may affect every reply.
    #[inline]
    fn count_all(&mut self, child: &Board) {
        self.leaves += if WHITE {
            count_moves::<false>(child)
        } else {
            count_moves::<true>(child)
        };
    }

    /// For moves that leave king moves, checks and pins as they are.
    #[inline]
    fn count_piece_moves_only(&mut self, child: &Board) {
        let checks = &self.replies.checks;
        self.leaves += self.replies.king_moves
            + if WHITE {
                count_piece_moves::<false>(child, checks)
            } else {
                count_piece_moves::<true>(child, checks)
            };
    }

    /// For quiet moves that leave all replies as they are.
    #[inline]
    fn count_unchanged(&mut self, targets: Bitboard) {
        self.leaves += self.replies.moves * targets.count() as u64;
    }
}

impl<const WHITE: bool> TargetSink for LastTwoPlies<'_, WHITE> {
    #[inline]
    fn piece<const KIND: usize>(&mut self, from: Square, targets: Bitboard) {
        let board = self.board;
        let them = board.colors::<WHITE>().1;
        let watch_from = |squares: Bitboard| {
            if squares.contains(from) {
                Bitboard::FULL
            } else {
                squares
            }
        };
        let king_watch = watch_from(self.replies.watch::<KIND>());
        let piece_watch = watch_from(self.replies.piece_watch);
        let affects_king = targets & (king_watch | self.replies.king_captures & them);
        let rest = targets & !affects_king;
        board.each_quiet::<WHITE, KIND>(from, affects_king & !them, |child| self.count_all(child));
        board.each_capture::<WHITE, KIND>(from, affects_king & them, |child| self.count_all(child));
        board.each_quiet::<WHITE, KIND>(from, rest & !them & piece_watch, |child| {
            self.count_piece_moves_only(child);
        });
        board.each_capture::<WHITE, KIND>(from, rest & them, |child| {
            self.count_piece_moves_only(child);
        });
        self.count_unchanged(rest & !them & !piece_watch);
    }

    #[inline]
    fn pawns(&mut self, targets: PawnTargets) {
        let board = self.board;
        let last = last_rank::<WHITE>();
        let mut affects_king = targets.touching::<WHITE>(self.replies.watch::<PAWNS>());
        affects_king.pushes |= targets.pushes & last;
        affects_king.doubles |= targets.doubles & board.beside_enemy_pawns::<WHITE>();
        affects_king.west |= targets.west & (self.replies.king_captures | last);
        affects_king.east |= targets.east & (self.replies.king_captures | last);
        let rest = targets.without(affects_king);
        let quiet = PawnTargets {
            west: Bitboard::EMPTY,
            east: Bitboard::EMPTY,
            ..rest
        };
        let unseen = quiet.without(quiet.touching::<WHITE>(self.replies.piece_watch));
        board.each_pawn_move::<WHITE>(affects_king, |child| self.count_all(child));
        board.each_pawn_move::<WHITE>(rest.without(unseen), |child| {
            self.count_piece_moves_only(child);
        });
        self.count_unchanged(unseen.pushes);
        self.count_unchanged(unseen.doubles);
    }

    fn en_passant(&mut self, from: Bitboard, to: Bitboard) {
        self.count_all(&self.board.after_en_passant::<WHITE>(from, to));
    }

    fn castle(&mut self, rook: Square) {
        self.count_all(&self.board.after_castling::<WHITE>(rook));
    }
}
