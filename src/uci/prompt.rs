//! Output for people at a terminal: the board and the list of commands.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use crate::chess::{Color, File, Piece, Position, Rank, Role, Square};

/// Printed at the start in a terminal.
pub const BANNER: &str = concat!(
    "Lucena ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. Type help for the commands, quit to leave."
);

/// The answer to `help`.
pub const HELP: &str = "\
position startpos [moves M…] | position fen F [moves M…]   set up a position
go [depth N] [nodes N] [movetime MS] [mate N] [infinite]   search
stop   end a search, perft or bench
go perft N | perft N   count the leaves of the move tree
setoption name N value V   set an option; uci lists them
ucinewgame   start a new game
isready   apply the options and answer readyok
d   print the board
flip   mirror the board and swap the colours
eval   explain the static evaluation
explain [MOVE]   say why the best move, or this one, is better or worse than another
whynot MOVE   say what is wrong with a move
threats   say what the opponent threatens
tree [MOVE]   with Search Mode MCTS or UCT: visits, prior and value of each move, or why this one was visited
say   the board and the explanation in full words
bench [DEPTH]   search fixed positions
genfens N [seed S] [book FILE]   print openings for training games
quit   exit";

/// Whether standard output is a terminal with a UTF-8 locale.
pub fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(std::env::var);
    let locale = locale.into_iter().flatten().find(|text| !text.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    io::stdout().is_terminal() && (locale.ends_with("utf-8") || locale.ends_with("utf8"))
}

/// The chess symbol of a piece, or its letter in a FEN.
fn symbol(piece: Piece, unicode: bool) -> char {
    if !unicode {
        return piece.to_char();
    }
    // The order in Unicode, white first.
    let index = match piece.role() {
        Role::King => 0,
        Role::Queen => 1,
        Role::Rook => 2,
        Role::Bishop => 3,
        Role::Knight => 4,
        Role::Pawn => 5,
    };
    let black = if piece.color() == Color::Black { 6 } else { 0 };
    char::from_u32('\u{2654}' as u32 + index + black).unwrap_or_else(|| piece.to_char())
}

/// The board from white's side, its FEN, Zobrist key and checking pieces.
pub fn board_text(position: &Position, unicode: bool) -> String {
    let empty = if unicode { '·' } else { '.' };
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.char());
        for file in File::ALL {
            let piece = position.piece_on(Square::from_coords(file, rank));
            let _ = write!(
                text,
                " {}",
                piece.map_or(empty, |piece| symbol(piece, unicode))
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
    fn the_banner_is_one_line() {
        assert!(BANNER.starts_with(concat!("Lucena ", env!("CARGO_PKG_VERSION"))));
        assert!(BANNER.contains("help") && !BANNER.contains('\n'));
    }

    #[test]
    fn the_board_is_printed_with_symbols_or_letters() {
        let position = Position::from_fen("3qk3/8/8/8/7q/8/8/4K3 w - - 0 1");
        let position = position.unwrap_or_else(|_| Position::startpos());
        let plain = board_text(&position, false);
        assert!(plain.is_ascii());
        assert!(plain.starts_with("8  . . . q k . . .\n"));
        assert!(plain.ends_with("Checkers: h4"));
        let symbols = board_text(&position, true);
        assert!(symbols.starts_with("8  · · · ♛ ♚ · · ·\n"));
        assert!(symbols.contains("1  · · · · ♔ · · ·\n"));
    }
}
