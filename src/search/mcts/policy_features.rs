//! The features of a move for the policy: what can be seen of it without searching.

use crate::chess::{
    Bitboard, Checks, Color, Exchanges, Move, MoveKind, Piece, Position, Rank, Role, Square,
    attacks,
};
use crate::eval::AttackMaps;

use super::policy_rows::{WEIGHTS, start};

/// Rows by number, in the order of `policy_rows::ROWS`.
mod row {
    pub const BEST: usize = 0;
    pub const BAD_CAPTURE: usize = 1;
    pub const GOOD_CAPTURE: usize = 2;
    pub const PROMOTION: usize = 3;
    pub const BAD_CHECK: usize = 4;
    pub const GOOD_CHECK: usize = 5;
    pub const RECAPTURE: usize = 6;
    pub const LEAVES: usize = 7;
    pub const ENTERS: usize = 11;
    pub const ATTACKS_QUEEN: usize = 15;
    pub const ATTACKS_ROOK: usize = 16;
    pub const ATTACKS_MINOR: usize = 17;
    pub const ATTACKS_LOOSE: usize = 18;
    pub const CASTLES: usize = 19;
    pub const KING_ZONE: usize = 20;
    pub const EVASION: usize = 21;
    pub const PASSED: usize = 22;
    pub const FROM: usize = 23;
    pub const TO: usize = 24;
    /// Rows from a middlegame row to the same of the endgame.
    pub const ENDGAME_OFFSET: usize = 2;
}

/// Offsets of the rows.
const STARTS: [usize; 27] = {
    let mut starts = [0; 27];
    let mut index = 0;
    while index < 27 {
        starts[index] = start(index);
        index += 1;
    }
    starts
};
const _: () = assert!(WEIGHTS < u16::MAX as usize);

/// A position with up to this many pieces besides pawns and kings is an endgame.
const ENDGAME_PIECES: usize = 6;
/// At most this many attacked squares near the enemy king count.
const ZONE_MOST: usize = 3;

/// What the features of all moves of a position share.
pub struct MoveContext<'a> {
    position: &'a Position,
    maps: AttackMaps,
    checks: Checks,
    exchanges: Exchanges,
    /// The best move of quiescence.
    best: Option<Move>,
    /// Where the last move captured.
    recapture: Option<Square>,
    /// Attacks of the opponent by pieces of less value than each role.
    lesser: [Bitboard; 6],
    zone: Bitboard,
    is_endgame: bool,
}

impl<'a> MoveContext<'a> {
    /// `best` is the best move of quiescence, `recapture` the square of the last move if it captured.
    pub fn new(position: &'a Position, best: Option<Move>, recapture: Option<Square>) -> Self {
        let maps = AttackMaps::of(position);
        let them = !position.turn();
        let by = |role| maps.by(them, role);
        let pawns = by(Role::Pawn);
        let minors = pawns | by(Role::Knight) | by(Role::Bishop);
        let rooks = minors | by(Role::Rook);
        let pieces =
            position.occupied() & !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        let king = position.king(them);
        Self {
            position,
            checks: position.checks(),
            exchanges: Exchanges::new(Some(maps.all(them))),
            best,
            recapture,
            lesser: [
                Bitboard::EMPTY,
                pawns,
                pawns,
                minors,
                rooks,
                Bitboard::EMPTY,
            ],
            zone: attacks::king_attacks(king).with(king),
            is_endgame: pieces.count() <= ENDGAME_PIECES,
            maps,
        }
    }

    /// Calls `sink` with the index of each feature of a legal move; each counts once, squares at the king by their number.
    pub fn each(&self, mv: Move, mut sink: impl FnMut(usize)) {
        let position = self.position;
        let (us, from, to) = (position.turn(), mv.from(), mv.to());
        let Some(role) = position.piece_on(from).map(Piece::role) else {
            return;
        };
        let mut add = |row: usize, index: usize| sink(STARTS[row] + index);
        let piece = role as usize - 1;
        if self.best == Some(mv) {
            add(row::BEST, 0);
        }
        let place = |square: Square| relative(us, square) as usize + 64 * piece;
        let phase = if self.is_endgame {
            row::ENDGAME_OFFSET
        } else {
            0
        };
        add(row::FROM + phase, place(from));
        if position.in_check() {
            let kind = match role {
                Role::King => 0,
                _ if mv.is_capture() => 1,
                _ => 2,
            };
            add(row::EVASION, kind);
        }
        if mv.is_castling() {
            return add(row::CASTLES, 0);
        }
        add(row::TO + phase, place(to));
        let keeps = self.exchanges.see_ge(position, mv, 0);
        if mv.is_capture() {
            let victim = match mv.kind() {
                MoveKind::EnPassant => Role::Pawn,
                _ => position.piece_on(to).map_or(Role::Pawn, Piece::role),
            };
            let row = if keeps {
                row::GOOD_CAPTURE
            } else {
                row::BAD_CAPTURE
            };
            add(row, 6 * piece + victim as usize - 1);
            if self.recapture == Some(to) {
                add(row::RECAPTURE, usize::from(keeps));
            }
        }
        match mv.promotion() {
            Some(Role::Queen) => add(row::PROMOTION, usize::from(keeps)),
            Some(_) => add(row::PROMOTION, 2),
            None => {}
        }
        if self.checks.gives_check(position, mv) {
            let row = if keeps {
                row::GOOD_CHECK
            } else {
                row::BAD_CHECK
            };
            add(row, piece);
        }
        if let Some(kind) = self.attack_on(role, from, !self.maps.all(us).contains(from)) {
            add(row::LEAVES + kind, piece);
        }
        if !mv.is_capture()
            && let Some(kind) = self.attack_on(role, to, !keeps)
        {
            add(row::ENTERS + kind, piece);
        }
        self.each_target(mv, role, &mut add);
    }

    /// How the opponent attacks an own piece: by a pawn, by a less valuable piece, while it is `lost`, otherwise.
    fn attack_on(&self, role: Role, square: Square, lost: bool) -> Option<usize> {
        let them = !self.position.turn();
        if !self.maps.all(them).contains(square) {
            return None;
        }
        let by_pawn = role != Role::Pawn && self.maps.by(them, Role::Pawn).contains(square);
        Some(if by_pawn {
            0
        } else if self.lesser[role as usize - 1].contains(square) {
            1
        } else if lost {
            2
        } else {
            3
        })
    }

    /// The features of what a piece attacks from its new square.
    fn each_target(&self, mv: Move, role: Role, add: &mut impl FnMut(usize, usize)) {
        let position = self.position;
        let (us, from, to) = (position.turn(), mv.from(), mv.to());
        let (piece, role) = (role as usize - 1, mv.promotion().unwrap_or(role));
        let occupied = position.occupied().without(from).with(to);
        let reach = attacks::attacks(to, role.of(us), occupied);
        let targets = reach & position.by_color(!us);
        let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
        if role != Role::Queen && role != Role::King {
            if (targets & position.by_role(Role::Queen)).any() {
                add(row::ATTACKS_QUEEN, piece);
            }
            if role != Role::Rook && (targets & position.by_role(Role::Rook)).any() {
                add(row::ATTACKS_ROOK, piece);
            }
            if role == Role::Pawn && (targets & minors).any() {
                add(row::ATTACKS_MINOR, piece);
            }
        }
        let kings = position.by_role(Role::King);
        if (targets & !self.maps.all(!us) & !kings).any() {
            add(row::ATTACKS_LOOSE, piece);
        }
        let near = (reach & self.zone).count().min(ZONE_MOST);
        if near > 0 {
            add(row::KING_ZONE, 4 * piece + near);
        }
        if role == Role::Pawn && is_passed(position, us, to) {
            add(row::PASSED, relative(us, to).rank() as usize);
        }
    }
}

/// A square from its colour's side of the board.
fn relative(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    }
}

/// Whether no enemy pawn can stop or capture a pawn on its way from a square.
fn is_passed(position: &Position, us: Color, square: Square) -> bool {
    position.pieces(!us, Role::Pawn).into_iter().all(|pawn| {
        let beside = (pawn.file() as i8 - square.file() as i8).abs() <= 1;
        let rank = |square| relative(us, square).rank();
        !beside || rank(pawn) <= rank(square) || rank(square) == Rank::Eighth
    })
}
