//! Words for pieces, sides and lists.

pub(super) use crate::chess::role_name as role;
use crate::chess::{Bitboard, Color, Position, Square};

/// A side as a noun.
pub(super) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Small numbers as words.
pub(super) fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(count)
        .map_or_else(|| count.to_string(), |&word| word.to_owned())
}

/// A text whose first word may be a count: "1 square" as "one square".
pub(super) fn spelled(text: &str) -> String {
    let count = text.split_once(' ');
    let count = count.and_then(|(count, rest)| Some((count.parse().ok()?, rest)));
    count.map_or_else(
        || text.to_owned(),
        |(count, rest)| format!("{} {rest}", number(count)),
    )
}

/// A count with its noun: "one square", "three squares".
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number(count))
}

/// A list: "a, b and c".
pub(super) fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Squares as a list.
pub(super) fn squares(squares: Bitboard) -> String {
    let names: Vec<String> = squares
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    join(&names)
}

/// A piece with its side and square: "White's knight on e5".
pub(super) fn piece_on(position: &Position, square: Square) -> String {
    match position.piece_on(square) {
        Some(piece) => format!(
            "{}'s {} on {square}",
            side(piece.color()),
            role(piece.role())
        ),
        None => square.to_string(),
    }
}

/// The text with a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
