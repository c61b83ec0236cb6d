//! A line of moves with the positions between them.

use crate::chess::{Color, Move, MoveError, MoveKind, Piece, Position, Role, Square};

use super::attack::value;
use super::kind::{Kind, Motif};

/// A legal line of moves. The side that moves first is the one whose motifs are looked for.
#[derive(Clone, Debug)]
pub struct Line {
    /// The position before each move, and the last one.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The move before the line and its position.
    before: Option<(Position, Move)>,
}

impl Line {
    /// The line of these moves from a position, up to the first move that is not legal.
    #[must_use]
    pub fn new(position: &Position, moves: &[Move]) -> Self {
        let mut line = Self {
            positions: Vec::with_capacity(moves.len() + 1),
            moves: Vec::with_capacity(moves.len()),
            before: None,
        };
        line.positions.push(*position);
        let mut position = *position;
        for &mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            position = position.play(mv);
            line.positions.push(position);
            line.moves.push(mv);
        }
        line
    }

    /// As [`Line::new`], after the opponent's first move of the list: what a move makes possible depends on the move
    /// before it, for example whether a capture is a recapture.
    #[must_use]
    pub fn after_reply(position: &Position, moves: &[Move]) -> Self {
        match moves.split_first() {
            Some((&first, rest)) if position.is_legal(first) => Self {
                before: Some((*position, first)),
                ..Self::new(&position.play(first), rest)
            },
            _ => Self::new(position, &[]),
        }
    }

    /// The line with the opponent's move before it and that move's position.
    #[must_use]
    pub fn after_move(self, before: Option<(&Position, Move)>) -> Self {
        Self {
            before: before.map(|(position, mv)| (*position, mv)),
            ..self
        }
    }

    /// A line of moves in UCI notation, separated by spaces.
    ///
    /// # Errors
    /// [`MoveError`] names the first text that is not a legal move.
    pub fn parse(position: &Position, text: &str) -> Result<Self, MoveError> {
        let (mut moves, mut current) = (Vec::new(), *position);
        for word in text.split_whitespace() {
            let mv = current.parse_move(word)?;
            current = current.play(mv);
            moves.push(mv);
        }
        Ok(Self::new(position, &moves))
    }

    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before the move with this index; with the number of moves, the last position.
    #[must_use]
    pub fn position(&self, ply: usize) -> &Position {
        &self.positions[ply.min(self.moves.len())]
    }

    /// The side that moves first.
    #[must_use]
    pub fn side(&self) -> Color {
        self.positions[0].turn()
    }

    /// The last position.
    pub(super) fn last(&self) -> &Position {
        self.position(self.moves.len())
    }

    /// The move before the line and its position.
    pub(super) fn before(&self) -> Option<(&Position, Move)> {
        self.before.as_ref().map(|(position, mv)| (position, *mv))
    }

    /// The indices of the moves of the side that moves first.
    pub(super) fn own(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + use<> {
        (0..self.moves.len()).step_by(2)
    }

    /// The move with this index.
    pub(super) fn mv(&self, ply: usize) -> Move {
        self.moves[ply]
    }

    /// The piece that moves with this index, before a promotion.
    pub(super) fn role(&self, ply: usize) -> Role {
        let piece = self.positions[ply].piece_on(self.moves[ply].from());
        piece.map_or(Role::Pawn, Piece::role)
    }

    /// What the move with this index captures.
    pub(super) fn captured(&self, ply: usize) -> Option<Role> {
        captured(&self.positions[ply], self.moves[ply])
    }

    /// The move before the one with this index, and its position.
    pub(super) fn previous(&self, ply: usize) -> Option<(&Position, Move)> {
        match ply.checked_sub(1) {
            Some(ply) => Some((&self.positions[ply], self.moves[ply])),
            None => self.before(),
        }
    }

    /// Whether the line ends with mate of the opponent.
    pub(super) fn is_mate(&self) -> bool {
        let last = self.last();
        last.turn() != self.side() && last.in_check() && last.legal_moves().is_empty()
    }

    /// The side's material minus the opponent's before the move with this index, in centipawns.
    pub(super) fn balance(&self, ply: usize) -> i32 {
        let position = self.position(ply);
        let of = |color| -> i32 {
            let roles = [
                Role::Pawn,
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
            ];
            let count = |role| position.pieces(color, role).count() as i32;
            roles.iter().map(|&role| count(role) * value(role)).sum()
        };
        of(self.side()) - of(!self.side())
    }

    /// Where the piece that moves with this index stands afterwards.
    pub(super) fn to(&self, ply: usize) -> Square {
        let mv = self.moves[ply];
        if mv.is_castling() {
            mv.castling_king_to()
        } else {
            mv.to()
        }
    }

    /// Whether the move with this index captures on the square that it goes to.
    pub(super) fn takes(&self, ply: usize) -> bool {
        let mv = self.moves[ply];
        mv.is_capture() && mv.kind() != MoveKind::EnPassant
    }

    /// A motif shown by the move with this index. Its number is the material won from that move to the end of the line.
    pub(super) fn motif(
        &self,
        kind: Kind,
        ply: usize,
        squares: impl IntoIterator<Item = Square>,
    ) -> Motif {
        let position = self.position(ply + kind.plies_later());
        let squares: Vec<Square> = squares.into_iter().collect();
        let pieces = squares.iter().map_while(|&s| position.piece_on(s));
        Motif {
            kind,
            ply,
            side: self.side(),
            pieces: pieces.collect(),
            squares,
            numbers: vec![self.balance(self.moves.len()) - self.balance(ply)],
        }
    }
}

impl Motif {
    /// The position in which its pieces stand on its squares.
    #[must_use]
    pub fn position<'a>(&self, line: &'a Line) -> &'a Position {
        line.position(self.ply + self.kind.plies_later())
    }
}

/// What a move captures.
pub(super) fn captured(position: &Position, mv: Move) -> Option<Role> {
    if mv.kind() == MoveKind::EnPassant {
        Some(Role::Pawn)
    } else if mv.is_capture() {
        position.piece_on(mv.to()).map(Piece::role)
    } else {
        None
    }
}
