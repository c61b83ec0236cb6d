//! A line replayed by shakmaty, and what is asked of its positions.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Role, Square};

use super::{Proof, ensure};

/// A motif as the checker reads it: names and squares, no types of the code that found it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub kind: String,
    pub ply: usize,
    pub white: bool,
    pub squares: Vec<Square>,
    /// Letters as in a FEN.
    pub pieces: String,
    pub numbers: Vec<i32>,
}

/// A line with its positions.
pub struct Record {
    /// The position before each move, and the last one.
    pub positions: Vec<Chess>,
    pub moves: Vec<Move>,
    /// The move before the line and its position.
    pub before: Option<(Chess, Move)>,
}

impl Record {
    /// The line of these moves in UCI notation; the first `skipped` of them (0 or 1) belong to the time before it.
    ///
    /// # Errors
    /// The line is not legal.
    pub fn new(fen: &str, moves: &[String], skipped: usize) -> Result<Self, String> {
        let fen: Fen = fen.parse().map_err(|_| format!("no FEN: {fen}"))?;
        let mut position: Chess = fen
            .into_position(CastlingMode::Standard)
            .map_err(|fault| fault.to_string())?;
        let mut record = Self {
            positions: Vec::new(),
            moves: Vec::new(),
            before: None,
        };
        for (index, text) in moves.iter().enumerate() {
            let uci: UciMove = text.parse().map_err(|_| format!("no move: {text}"))?;
            let mv = uci
                .to_move(&position)
                .map_err(|_| format!("{text} is not legal"))?;
            if index < skipped {
                record.before = Some((position.clone(), mv));
            } else {
                record.positions.push(position.clone());
                record.moves.push(mv);
            }
            position.play_unchecked(mv);
        }
        record.positions.push(position);
        Ok(record)
    }

    pub fn side(&self) -> Color {
        self.positions[0].turn()
    }

    pub fn board(&self, index: usize) -> &Board {
        self.positions[index.min(self.moves.len())].board()
    }

    pub fn mv(&self, ply: usize) -> Result<Move, String> {
        let mv = self.moves.get(ply).copied();
        mv.ok_or_else(|| format!("no move {ply}"))
    }

    /// The moves with these indices, as origin and target.
    pub fn step(&self, ply: usize) -> Result<(Square, Square), String> {
        let mv = self.mv(ply)?;
        let from = mv.from().ok_or("a drop")?;
        let to = match mv {
            Move::Castle { king, rook } => Square::from_coords(
                if rook > king {
                    shakmaty::File::G
                } else {
                    shakmaty::File::C
                },
                king.rank(),
            ),
            other => other.to(),
        };
        Ok((from, to))
    }

    /// What a colour's pieces are worth.
    pub fn material(board: &Board, color: Color) -> i32 {
        let pieces = board.by_color(color);
        pieces
            .into_iter()
            .filter_map(|square| board.role_at(square))
            .map(worth_in_sum)
            .sum()
    }

    /// The side's material less the opponent's.
    pub fn balance(&self, index: usize) -> i32 {
        let board = self.board(index);
        Self::material(board, self.side()) - Self::material(board, self.side().other())
    }

    /// The plies after the claim's move at which its pieces stand on its squares.
    fn moment(kind: &str) -> usize {
        match kind {
            "hanging_piece" | "capturing_defender" | "intermezzo" => 0,
            "attraction" | "sacrifice" | "clearance" => 2,
            _ => 1,
        }
    }

    pub fn check_pieces(&self, claim: &Claim) -> Proof {
        ensure(
            claim.ply.is_multiple_of(2) && claim.ply < self.moves.len(),
            "not a move of the side",
        )?;
        ensure(claim.white == self.side().is_white(), "the wrong side")?;
        ensure(!claim.squares.is_empty(), "no square")?;
        let board = self.board(claim.ply + Self::moment(&claim.kind));
        for (square, letter) in claim.squares.iter().zip(claim.pieces.chars()) {
            let piece = board.piece_at(*square).map(Piece::char);
            ensure(piece == Some(letter), &format!("no {letter} on {square}"))?;
        }
        ensure(!claim.pieces.is_empty(), "no piece")
    }

    pub fn check_numbers(&self, claim: &Claim) -> Proof {
        let expected = if claim.kind == "mate" {
            self.moves.len().div_ceil(2) as i32
        } else {
            self.balance(self.moves.len()) - self.balance(claim.ply)
        };
        ensure(claim.numbers == [expected], &format!("numbers: {expected}"))
    }
}

/// Pieces of an exchange; the king counts more than all.
pub fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 100_000,
    }
}

fn worth_in_sum(role: Role) -> i32 {
    if role == Role::King { 0 } else { worth(role) }
}

/// What the piece on one square attacks, seen through the pieces on others.
pub fn sees(board: &Board, from: Square, to: Square, through: &[Square]) -> bool {
    let mut thinner = board.clone();
    for &square in through {
        thinner.discard_piece_at(square);
    }
    thinner.attacks_from(from).contains(to)
}

/// The squares strictly between two in a line.
pub fn between(a: Square, b: Square) -> Bitboard {
    shakmaty::attacks::between(a, b)
}

/// The pieces of a colour that attack a square.
pub fn attackers(board: &Board, square: Square, color: Color) -> Bitboard {
    board.attacks_to(square, color, board.occupied())
}

/// The legal captures on a square.
pub fn captures(position: &Chess, square: Square) -> Vec<Move> {
    let legal = position.legal_moves();
    let found = legal
        .into_iter()
        .filter(|mv| mv.is_capture() && mv.to() == square);
    found.collect()
}

/// The most that the side to move wins by legal captures on a square.
pub fn exchange(position: &Chess, square: Square) -> i32 {
    let gain = |mv: Move| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let promoted = mv
            .promotion()
            .map_or(0, |role| worth(role) - worth(Role::Pawn));
        mv.capture().map_or(0, worth) + promoted - exchange(&after, square)
    };
    captures(position, square)
        .into_iter()
        .map(gain)
        .max()
        .unwrap_or(0)
        .max(0)
}

/// Whether the side to move cannot take on a square.
pub fn is_out_of_reach(position: &Chess, square: Square) -> bool {
    captures(position, square).is_empty()
}

/// The position after a move.
pub fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}
