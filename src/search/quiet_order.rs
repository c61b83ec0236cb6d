//! The order of quiet moves: by their histories, by checks that lose little, and by attacks of lesser pieces.
//!
//! What the moves of one piece share is looked up once for all of them.

use arrayvec::ArrayVec;

use crate::chess::masks::{PawnTargets, pawns_attack};
use crate::chess::movegen::{MoveSink, origin};
use crate::chess::{
    Bitboard, Checks, Color, Move, MoveKind, MoveList, Piece, Position, Role, Square, attacks,
};

use super::exchanges::SearchExchanges;
use super::history::{PieceHistories, QuietHistories};
use super::params;

/// A move and its place in the order of its stage.
#[derive(Clone, Copy)]
pub struct Scored {
    pub mv: Move,
    pub score: i32,
}

/// The moves of a picker.
pub type ScoredMoves = ArrayVec<Scored, { MoveList::CAPACITY }>;

/// Scores the quiet moves of a position as they are generated.
pub struct QuietSink<'a> {
    position: &'a Position,
    histories: QuietHistories<'a>,
    checks: Checks,
    threats: Threats,
    exchanges: &'a SearchExchanges,
    /// Moves to leave out: the TT move and the killers.
    done: [Option<Move>; 3],
    moves: &'a mut ScoredMoves,
}

/// What the scores of the moves of one piece share.
struct PieceOrder<'a> {
    histories: PieceHistories<'a>,
    threats: PieceThreats,
    /// The squares to which it moves with check.
    checking: Bitboard,
}

impl<'a> QuietSink<'a> {
    pub fn new(
        position: &'a Position,
        histories: QuietHistories<'a>,
        exchanges: &'a SearchExchanges,
        done: [Option<Move>; 3],
        moves: &'a mut ScoredMoves,
    ) -> Self {
        Self {
            position,
            histories,
            checks: position.checks(),
            threats: Threats::of(position),
            exchanges,
            done,
            moves,
        }
    }

    #[inline(always)]
    fn order(&self, piece: Piece, from: Square) -> PieceOrder<'a> {
        PieceOrder {
            histories: self.histories.of_piece(piece, from),
            threats: self.threats.of_piece(piece.role(), from),
            checking: self.checks.targets(piece.role(), from),
        }
    }

    #[inline(always)]
    fn add(&mut self, order: &PieceOrder<'_>, mv: Move) {
        if self.done.contains(&Some(mv)) {
            return;
        }
        let to = mv.to();
        let mut score = order.histories.score(to) + order.threats.score(to);
        if order.checking.contains(to) {
            score += self.check_bonus(mv);
        }
        self.moves.push(Scored { mv, score });
    }

    /// The bonus of a check if it loses little by SEE: late in order it would be pruned.
    #[inline]
    fn check_bonus(&self, mv: Move) -> i32 {
        let loss = params::quiet_check_loss();
        if self.exchanges.see_ge(self.position, mv, -loss) {
            params::quiet_check_bonus()
        } else {
            0
        }
    }

    #[inline]
    fn add_pawns<const WHITE: bool>(&mut self, targets: Bitboard, steps: i32, kind: MoveKind) {
        let color = if WHITE { Color::White } else { Color::Black };
        let piece = Piece::new(color, Role::Pawn);
        for to in targets {
            let from = origin(to, steps * PawnTargets::step::<WHITE>());
            let order = self.order(piece, from);
            self.add(&order, Move::new(from, to, kind));
        }
    }
}

impl MoveSink for QuietSink<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, _them: Bitboard) {
        if targets.is_empty() {
            return;
        }
        let Some(piece) = self.position.piece_on(from) else {
            return;
        };
        let order = self.order(piece, from);
        for to in targets {
            self.add(&order, Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets) {
        self.add_pawns::<WHITE>(targets.pushes, 1, MoveKind::Quiet);
        self.add_pawns::<WHITE>(targets.doubles, 2, MoveKind::DoublePush);
    }

    /// Castling.
    #[inline]
    fn single(&mut self, mv: Move) {
        let Some(king) = self.position.piece_on(mv.from()) else {
            return;
        };
        let mut order = self.order(king, mv.from());
        order.checking = if self.position.gives_check(mv) {
            Bitboard::FULL
        } else {
            Bitboard::EMPTY
        };
        self.add(&order, mv);
    }
}

/// The squares on which a piece is attacked by a lesser one.
struct Threats {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
}

impl Threats {
    #[inline]
    fn of(position: &Position) -> Self {
        let by_pawns = params::pawn_threat_escape() != 0 || params::pawn_threat_enter() != 0;
        let by_pieces = params::piece_threat_escape() != 0 || params::piece_threat_enter() != 0;
        let enemy = !position.turn();
        let mut threats = Self {
            pawns: Bitboard::EMPTY,
            minors: Bitboard::EMPTY,
            rooks: Bitboard::EMPTY,
        };
        if by_pawns {
            let pawns = position.pieces(enemy, Role::Pawn);
            threats.pawns = match enemy {
                Color::White => pawns_attack::<true>(pawns),
                Color::Black => pawns_attack::<false>(pawns),
            };
        }
        if by_pieces {
            let occupied = position.occupied();
            for square in position.pieces(enemy, Role::Knight) {
                threats.minors |= attacks::knight_attacks(square);
            }
            for square in position.pieces(enemy, Role::Bishop) {
                threats.minors |= attacks::bishop_attacks(square, occupied);
            }
            for square in position.pieces(enemy, Role::Rook) {
                threats.rooks |= attacks::rook_attacks(square, occupied);
            }
        }
        threats
    }

    /// The attacks on a piece of this role.
    #[inline]
    fn of_piece(&self, role: Role, from: Square) -> PieceThreats {
        let (pawns, lesser) = match role {
            Role::Pawn => (Bitboard::EMPTY, Bitboard::EMPTY),
            Role::Queen => (self.pawns, self.minors | self.rooks),
            Role::Rook => (self.pawns, self.minors),
            _ => (self.pawns, Bitboard::EMPTY),
        };
        PieceThreats {
            leaving: i32::from(pawns.contains(from)) * params::pawn_threat_escape()
                + i32::from(lesser.contains(from)) * params::piece_threat_escape(),
            pawns,
            lesser,
        }
    }
}

/// The attacks of pawns on a piece, and those of lesser pieces on a rook or queen.
struct PieceThreats {
    /// The order of leaving them.
    leaving: i32,
    pawns: Bitboard,
    lesser: Bitboard,
}

impl PieceThreats {
    /// The order of leaving and entering attacks.
    #[inline]
    fn score(&self, to: Square) -> i32 {
        self.leaving
            + i32::from(self.pawns.contains(to)) * params::pawn_threat_enter()
            + i32::from(self.lesser.contains(to)) * params::piece_threat_enter()
    }
}
