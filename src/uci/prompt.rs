//! For people at the prompt: the board as a drawing, and what can be typed.
//! Uses: chess. Used by: controller.
//! Idea: clients never ask for these, so they may speak plainly.

use std::fmt::Write as _;

use crate::chess::{File, Piece, Position, Rank, Square};

/// What a person sees first.
pub const BANNER: &str = concat!(
    "Lucena ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. Type help for the commands, quit to leave."
);

/// What `help` answers.
pub const HELP: &str = "\
position startpos [moves …] | position fen F [moves …]   set up a position
go [depth N] [nodes N] [movetime MS] [mate N] [infinite]   search; stop ends it
go perft N | perft N   count the leaves of the move tree
setoption name N value V   change an option; uci lists them
d   show the board
eval   explain the evaluation of the board
bench [DEPTH]   search the fixed positions
quit   leave
Settings: isready answers when they are in force; ucinewgame forgets the last game.";

/// The board seen from white's side, with its FEN, key and checking pieces.
#[must_use]
pub fn drawing(position: &Position) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.char());
        for file in File::ALL {
            let piece = position.piece_on(Square::from_coords(file, rank));
            let _ = write!(text, " {}", piece.map_or('.', Piece::to_char));
        }
        text.push('\n');
    }
    text += "   a b c d e f g h\n";
    let _ = writeln!(text, "FEN: {}", position.to_fen());
    let _ = writeln!(text, "Key: {:016x}", position.key());
    text += "Checkers:";
    for square in position.checkers() {
        let _ = write!(text, " {square}");
    }
    text
}
