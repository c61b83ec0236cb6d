//! Lists of positions: a FEN or EPD a line. The move in `sm` or the moves in `pv` are reviewed; without them, the best move.

use super::record::{Item, Record};
use crate::chess::{Move, Position};
use crate::lab::pgn::RawGame;
use crate::lab::pgn::text::{GameError, text_of};
use crate::lab::suites::EpdError;
use crate::lab::suites::epd;

/// Comments of EPD.
const COMMENTS: [&str; 10] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"];

impl Record {
    /// Reads a game of a PGN file, or a line of a list.
    ///
    /// # Errors
    /// [`GameError`] with the line and the reason.
    pub fn parse(raw: &RawGame) -> Result<Self, GameError> {
        if !raw.is_position {
            return Self::of_game(raw);
        }
        read(raw, &text_of(raw)?).map_err(|error| GameError {
            line: raw.line,
            message: error.to_string(),
        })
    }
}

/// Reads a line.
fn read(raw: &RawGame, text: &str) -> Result<Record, EpdError> {
    let (start, operations) = epd::read_line(text.trim())?;
    let find = |name: &str| {
        let operation = operations
            .iter()
            .find(|words| words.first().is_some_and(|word| word == name));
        operation.map(|words| &words[1..])
    };
    let id = find("id").map(|words| words.join(" "));
    let comments = COMMENTS.iter().filter_map(|name| find(name));
    let mut items: Vec<Item> = comments
        .map(|words| Item::Comment(words.join(" ").replace('}', ")")))
        .collect();
    let played = match (find("pv"), find("sm")) {
        (Some(words), _) => line("pv", &start, words)?,
        (None, Some(words)) => line("sm", &start, &words[..words.len().min(1)])?,
        (None, None) => Vec::new(),
    };
    let mut position = start;
    for &mv in &played {
        items.push(Item::of(&position, mv));
        position = position.play(mv);
    }
    let tags = [
        ("Event", id.unwrap_or_else(|| "?".into())),
        ("SetUp", "1".into()),
        ("FEN", start.to_fen()),
    ];
    Ok(Record {
        number: raw.number,
        line: raw.line,
        tags: tags.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        start,
        moves: played,
        items,
        result: "*".into(),
        other_result: None,
        is_position: true,
    })
}

/// The moves of an operation, one after the other.
fn line(opcode: &'static str, start: &Position, words: &[String]) -> Result<Vec<Move>, EpdError> {
    let mut position = *start;
    let read = words.iter().map(|word| {
        let mv = epd::read_move(&position, opcode, word)?;
        position = position.play(mv);
        Ok(mv)
    });
    read.collect()
}
