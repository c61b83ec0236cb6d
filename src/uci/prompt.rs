//! For people at the prompt: the board as a drawing, and what can be typed.
//! Uses: chess. Used by: controller.
//! Idea: clients never ask for these, so they may speak plainly.

use std::fmt::Write as _;

use std::io::{self, IsTerminal};

use crate::chess::{Color, File, Piece, Position, Rank, Role, Square};

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
flip   change the colours
eval   explain the evaluation of the board
bench [DEPTH]   search the fixed positions
genfens N [seed S] [book FILE]   openings for games that teach
stop   end a search or a count
quit   leave
Settings: isready answers when they are in force; ucinewgame forgets the last game.";

/// Whether a person reads the output on a terminal that shows more than ASCII, by what the locale says.
#[must_use]
pub fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(std::env::var);
    let locale = locale.into_iter().flatten().find(|text| !text.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    io::stdout().is_terminal() && (locale.ends_with("utf-8") || locale.ends_with("utf8"))
}

/// How a man is drawn: as a figure, or as a FEN writes it.
fn sign(piece: Piece, unicode: bool) -> char {
    if !unicode {
        return piece.to_char();
    }
    // The figures stand in Unicode as king, queen, rook, bishop, knight, pawn, the white ones first.
    let place = match piece.role() {
        Role::King => 0,
        Role::Queen => 1,
        Role::Rook => 2,
        Role::Bishop => 3,
        Role::Knight => 4,
        Role::Pawn => 5,
    };
    let black = if piece.color() == Color::Black { 6 } else { 0 };
    char::from_u32('\u{2654}' as u32 + place + black).unwrap_or_else(|| piece.to_char())
}

/// The board seen from white's side, with its FEN, key and checking pieces.
#[must_use]
pub fn drawing(position: &Position, unicode: bool) -> String {
    let empty = if unicode { '·' } else { '.' };
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.char());
        for file in File::ALL {
            let piece = position.piece_on(Square::from_coords(file, rank));
            let _ = write!(
                text,
                " {}",
                piece.map_or(empty, |piece| sign(piece, unicode))
            );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_with_figures_or_letters() {
        let position = Position::from_fen("3qk3/8/8/8/7q/8/8/4K3 w - - 0 1");
        let position = position.unwrap_or_else(|_| Position::startpos());
        let plain = drawing(&position, false);
        assert!(plain.is_ascii());
        assert!(plain.starts_with("8  . . . q k . . .\n"));
        assert!(plain.ends_with("Checkers: h4"));
        let figures = drawing(&position, true);
        assert!(figures.starts_with("8  · · · ♛ ♚ · · ·\n"));
        assert!(figures.contains("1  · · · · ♔ · · ·\n"));
    }
}
