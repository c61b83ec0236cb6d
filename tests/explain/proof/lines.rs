//! Lines of moves in SAN, replayed by shakmaty.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role, Square};

use crate::checker::Proof;

pub fn ensure(fact: bool, reason: &str) -> Proof {
    if fact { Ok(()) } else { Err(reason.to_owned()) }
}

pub fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    // Positions of tests are of standard chess.
    fen.into_position(CastlingMode::Standard)
        .expect("a legal position")
}

/// The position after passing, if that is legal.
pub fn passed(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.turn = setup.turn.other();
    setup.ep_square = None;
    use shakmaty::FromSetup as _;
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// What can be won, from pawn to queen.
const ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// A line with its positions: one more than moves.
#[derive(Clone)]
pub struct Played {
    pub positions: Vec<Chess>,
    pub moves: Vec<Move>,
    pub sans: Vec<String>,
}

impl Played {
    pub fn new(root: &Chess, sans: &[String]) -> Result<Self, String> {
        let mut played = Self {
            positions: vec![root.clone()],
            moves: Vec::new(),
            sans: sans.to_vec(),
        };
        for text in sans {
            let san: San = (text.trim_end_matches(['+', '#']).parse())
                .map_err(|_| format!("no move: {text}"))?;
            let position = played.last();
            let mv = san
                .to_move(position)
                .map_err(|_| format!("{text} is not legal"))?;
            let mut next = position.clone();
            next.play_unchecked(mv);
            played.moves.push(mv);
            played.positions.push(next);
        }
        Ok(played)
    }

    /// Whether the last position is an earlier one.
    pub fn repeats_a_position(&self) -> bool {
        let state = |at: &Chess| {
            (
                at.board().clone(),
                at.turn(),
                at.castles().castling_rights(),
            )
        };
        let (last, earlier) = self.positions.split_last().expect("a position");
        earlier.iter().any(|at| state(at) == state(last))
    }

    pub fn last(&self) -> &Chess {
        &self.positions[self.moves.len()]
    }

    /// What the side that moves first wins of each kind of piece, from pawn to queen.
    pub fn change(&self) -> [i32; 5] {
        self.change_after(self.moves.len())
    }

    /// The same after so many plies.
    pub fn change_after(&self, plies: usize) -> [i32; 5] {
        let us = self.positions[0].turn();
        let [before, after] =
            [&self.positions[0], &self.positions[plies]].map(|position| lead(position, us));
        std::array::from_fn(|item| after[item] - before[item])
    }

    /// Pieces that were promoted and still stand at the end, from pawn to queen, where their side has more of the kind than at
    /// the start: 1 for the side that moves first, -1 for the other.
    pub fn promoted(&self, sign: i32) -> [i32; 5] {
        let first = self.positions[0].turn();
        let us = if sign > 0 { first } else { first.other() };
        let mut new: Vec<(Square, Role)> = Vec::new();
        for (position, mv) in self.positions.iter().zip(&self.moves) {
            if position.turn() != us {
                new.retain(|&(square, _)| square != mv.to());
            } else if let Some(role) = mv.promotion() {
                new.push((mv.to(), role));
            } else {
                let moved = new
                    .iter_mut()
                    .find(|(square, _)| Some(*square) == mv.from());
                moved.into_iter().for_each(|piece| piece.0 = mv.to());
            }
        }
        let [before, after] = [&self.positions[0], self.last()].map(|position| position.board());
        ROLES.map(|role| {
            let count =
                |board: &shakmaty::Board| (board.by_color(us) & board.by_role(role)).count() as i32;
            let standing = new.iter().filter(|(_, new)| *new == role).count() as i32;
            standing.min((count(after) - count(before)).max(0))
        })
    }
}

/// What a side has more of each kind of piece, from pawn to queen.
pub fn lead(position: &Chess, side: Color) -> [i32; 5] {
    let board = position.board();
    ROLES.map(|role| {
        let count = |color| (board.by_color(color) & board.by_role(role)).count() as i32;
        count(side) - count(side.other())
    })
}

/// Centipawns of an exchange.
pub fn worth(counts: &[i32; 5]) -> i32 {
    let values = [100, 300, 300, 500, 900];
    counts
        .iter()
        .zip(values)
        .map(|(count, value)| count * value)
        .sum()
}

/// The counts without even exchanges of knight and bishop, which words leave out.
pub fn without_pairs(counts: &[i32; 5]) -> [i32; 5] {
    let mut rest = *counts;
    while rest[1] * rest[2] < 0 {
        let step = rest[1].signum();
        rest[1] -= step;
        rest[2] += step;
    }
    rest
}
