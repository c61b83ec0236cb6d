//! Polyglot books for tests.

use std::path::Path;

use lucena::book::{BookEntry, entry};
use lucena::chess::{Game, Position};

/// A game from the start position or a FEN.
pub fn game(fen: Option<&str>, moves: &str) -> Game {
    let start = fen.map_or_else(Position::startpos, |fen| {
        Position::from_fen(fen).expect("a FEN")
    });
    let mut game = Game::new(start);
    for text in moves.split_whitespace() {
        game.play_uci(text).expect("a legal move");
    }
    game
}

/// Entries for the moves of lines; each move gets the weight of its line.
pub fn entries(fen: Option<&str>, lines: &[(&str, u16)]) -> Vec<BookEntry> {
    let mut entries = Vec::new();
    for &(line, weight) in lines {
        let mut game = game(fen, "");
        for text in line.split_whitespace() {
            let mv = game.position().parse_move(text).expect("a legal move");
            let (key, raw_move) = (game.book_key(), entry::encode_move(mv));
            if !entries
                .iter()
                .any(|e: &BookEntry| e.key == key && e.raw_move == raw_move)
            {
                entries.push(BookEntry {
                    key,
                    raw_move,
                    weight,
                    learn: 0,
                });
            }
            game.play(mv);
        }
    }
    entries
}

pub fn write_book(path: &Path, mut entries: Vec<BookEntry>) {
    let mut bytes = Vec::new();
    entry::write(&mut entries, &mut bytes).expect("memory");
    std::fs::write(path, bytes).expect("a file");
}
