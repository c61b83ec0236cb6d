//! The last two plies, counted together.
//! Uses: `kernel::board`, `kernel::generate`, masks. Used by: kernel.
//! Idea: look at the board once as if the mover passed. Most moves leave what the answering king sees as it was, and many
//! leave all answers as they were: those are counted by a multiplication, and no child is made for them.
//!
//! A move changes what the answering king sees only if it changes who stands on certain squares (`king_watch`), or if the
//! man that moves looks at squares that matter to that king, before or after (`reach`), or takes a man beside the king or a
//! rook that may castle (`king_captures`). It changes what the other men may do only if it changes who stands on a square
//! that a slider or a pawn of theirs looks at (`men_watch`), or takes one of them.

use crate::chess::{Bitboard, Rank, Square, attacks};

use super::board::{Board, DIAGONAL, KINGS, KNIGHTS, ORTHOGONAL, PAWNS, QUEENS};
use super::generate::{
    KingView, Sink, all_moves, count_king_moves, count_men_moves, count_moves, men_moves,
};
use crate::chess::masks::{
    PawnTargets, ahead, ahead_east, ahead_west, castle, last_rank, line, pawns_attack, rays,
};

/// The leaves two plies below.
pub(super) fn count_two_plies<const WHITE: bool>(board: &Board) -> u64 {
    let mut horizon = Horizon::<WHITE> {
        board,
        answers: if WHITE {
            Answers::of::<false>(board)
        } else {
            Answers::of::<true>(board)
        },
        leaves: 0,
    };
    all_moves::<WHITE, _>(board, &mut horizon);
    horizon.leaves
}

/// What a side could answer if the other one passed, and what would change it.
struct Answers {
    view: KingView,
    /// Moves of the king and its rooks.
    king_moves: u64,
    /// All moves.
    moves: u64,
    /// Who stands on these squares matters to what the king sees.
    king_watch: Bitboard,
    /// A capture on these squares matters to what the king may do.
    king_captures: Bitboard,
    /// From these squares a man of each kind looks at what matters to the king.
    reach: [Bitboard; 5],
    /// Who stands on these squares matters to what the men may do.
    men_watch: Bitboard,
}

impl Answers {
    /// What the side of this colour could answer.
    fn of<const WHITE: bool>(board: &Board) -> Self {
        let (own, them) = board.colors::<WHITE>();
        let occupied = own | them;
        let passed = board.passed();
        let view = KingView::of::<WHITE>(&passed);
        let king = view.king;
        let king_moves = count_king_moves::<WHITE>(&passed, &view);
        let mut survey = Survey::<WHITE> {
            moves: 0,
            seen: Bitboard::EMPTY,
        };
        men_moves::<WHITE, _>(&passed, &view, &mut survey);
        let pawns = own & board.men(PAWNS);
        let third = Bitboard::from_rank(if WHITE { Rank::Third } else { Rank::Sixth });
        let pushes = ahead::<WHITE>(pawns);
        let doubles = ahead::<WHITE>(pushes & third);

        // Squares that must not be attacked, where the king may go or castle.
        let castlers = board.castlers::<WHITE>();
        let zone = attacks::king_attacks(king);
        let mut near = zone & !own;
        let mut king_watch = Bitboard::EMPTY;
        for rook in castlers {
            let castle = castle::<WHITE>(king, rook);
            king_watch |= castle.path;
            if (castle.path & occupied).is_empty() {
                near |= castle.king_path;
            }
        }
        // Who attacks them from where; a slider that does is stopped by whom both see.
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
        for slider in them & board.men(DIAGONAL) {
            king_watch |= attacks::bishop_attacks(slider, through) & diagonal;
        }
        for slider in them & board.men(ORTHOGONAL) {
            king_watch |= attacks::rook_attacks(slider, through) & orthogonal;
        }
        // Checks and pins. One move takes at most one man from between: three are as safe as can be.
        let rays = rays(king);
        let snipers = rays.diagonal & board.men(DIAGONAL) | rays.orthogonal & board.men(ORTHOGONAL);
        for sniper in snipers & them {
            let way = line(king, sniper);
            if (way & occupied).count() <= 3 {
                king_watch |= way;
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
            view,
            king_moves,
            moves: king_moves + survey.moves as u64,
            king_watch,
            king_captures: zone | castlers,
            reach,
            men_watch: survey.seen | pushes | doubles | pawns_attack::<WHITE>(pawns),
        }
    }

    /// The squares that no man of a kind may leave or reach without changing what the king sees.
    #[inline]
    fn watch<const MAN: usize>(&self) -> Bitboard {
        self.king_watch
            | if MAN == QUEENS {
                self.reach[DIAGONAL] | self.reach[ORTHOGONAL]
            } else {
                self.reach[MAN]
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

/// Counts moves and notes what sliders see.
struct Survey<const WHITE: bool> {
    moves: usize,
    seen: Bitboard,
}

impl<const WHITE: bool> Sink for Survey<WHITE> {
    #[inline]
    fn man<const MAN: usize>(&mut self, _from: Square, targets: Bitboard) {
        self.moves += targets.count();
        if MAN != KNIGHTS {
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

/// Counts the answers to each move.
struct Horizon<'a, const WHITE: bool> {
    board: &'a Board,
    answers: Answers,
    leaves: u64,
}

impl<const WHITE: bool> Horizon<'_, WHITE> {
    /// After this move the king sees something new.
    #[inline]
    fn count_all(&mut self, child: &Board) {
        self.leaves += if WHITE {
            count_moves::<false>(child)
        } else {
            count_moves::<true>(child)
        };
    }

    /// After this move the king sees what it saw.
    #[inline]
    fn count_men(&mut self, child: &Board) {
        let view = &self.answers.view;
        self.leaves += self.answers.king_moves
            + if WHITE {
                count_men_moves::<false>(child, view)
            } else {
                count_men_moves::<true>(child, view)
            };
    }

    /// These moves change nothing.
    #[inline]
    fn count_none(&mut self, targets: Bitboard) {
        self.leaves += self.answers.moves * targets.count() as u64;
    }
}

impl<const WHITE: bool> Sink for Horizon<'_, WHITE> {
    #[inline]
    fn man<const MAN: usize>(&mut self, from: Square, targets: Bitboard) {
        let board = self.board;
        let them = board.colors::<WHITE>().1;
        let watched = |squares: Bitboard| {
            if squares.contains(from) {
                Bitboard::FULL
            } else {
                squares
            }
        };
        let king_watch = watched(self.answers.watch::<MAN>());
        let men_watch = watched(self.answers.men_watch);
        let new_view = targets & (king_watch | self.answers.king_captures & them);
        let old_view = targets & !new_view;
        board.each_quiet::<WHITE, MAN>(from, new_view & !them, |child| self.count_all(child));
        board.each_capture::<WHITE, MAN>(from, new_view & them, |child| self.count_all(child));
        board.each_quiet::<WHITE, MAN>(from, old_view & !them & men_watch, |child| {
            self.count_men(child);
        });
        board.each_capture::<WHITE, MAN>(from, old_view & them, |child| self.count_men(child));
        self.count_none(old_view & !them & !men_watch);
    }

    #[inline]
    fn pawns(&mut self, targets: PawnTargets) {
        let board = self.board;
        let last = last_rank::<WHITE>();
        let mut new_view = targets.touching::<WHITE>(self.answers.watch::<PAWNS>());
        new_view.pushes |= targets.pushes & last;
        new_view.doubles |= targets.doubles & board.beside_enemy_pawns::<WHITE>();
        new_view.west |= targets.west & (self.answers.king_captures | last);
        new_view.east |= targets.east & (self.answers.king_captures | last);
        let old_view = targets.without(new_view);
        let quiet = PawnTargets {
            west: Bitboard::EMPTY,
            east: Bitboard::EMPTY,
            ..old_view
        };
        let unseen = quiet.without(quiet.touching::<WHITE>(self.answers.men_watch));
        board.each_pawn_move::<WHITE>(new_view, |child| self.count_all(child));
        board.each_pawn_move::<WHITE>(old_view.without(unseen), |child| self.count_men(child));
        self.count_none(unseen.pushes);
        self.count_none(unseen.doubles);
    }

    fn en_passant(&mut self, from: Bitboard, to: Bitboard) {
        self.count_all(&self.board.after_en_passant::<WHITE>(from, to));
    }

    fn castle(&mut self, rook: Square) {
        self.count_all(&self.board.after_castling::<WHITE>(rook));
    }
}
