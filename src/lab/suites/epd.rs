//! EPD lines: a position and what the engine should find.
//!
//! The format is section 16.2 of "Portable Game Notation Specification and Implementation Guide" (Edwards 1994): four fields
//! of a position, then operations that end with a semicolon.

use thiserror::Error;

use crate::base::text::shortened;
use crate::base::value::MAX_PLY;
use crate::chess::{FenError, Game, Move, Position};

/// The most characters of an operation in a message.
const EXCERPT: usize = 16;

/// Why a line is not a usable EPD.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EpdError {
    #[error("{0}")]
    Position(#[from] FenError),
    /// An operation without a semicolon, or an open quotation.
    #[error("the operation `{0}` has no semicolon")]
    Unterminated(String),
    /// An operand is not a legal move, or is ambiguous.
    #[error("{opcode}: `{operand}` is not a legal move in the position")]
    Move {
        opcode: &'static str,
        operand: String,
    },
    /// The operand of `dm` is not a number of moves, or too large.
    #[error("dm: `{0}` is not a number of moves from 1 to {max}", max = MAX_PLY / 2)]
    Mate(String),
    #[error("no bm, am or dm: there is nothing to find")]
    NothingToFind,
}

/// A position and what the engine should find.
#[derive(Clone, Debug)]
pub struct Epd {
    pub game: Game,
    /// Name of the position (`id`), may be empty.
    pub id: String,
    /// Best moves (`bm`): any of them is right.
    pub best: Vec<Move>,
    /// Moves to avoid (`am`).
    pub avoid: Vec<Move>,
    /// Direct mate in this many moves (`dm`).
    pub mate: Option<u32>,
}

impl Epd {
    /// Parses a line; `None` if it is empty or a comment (`#`).
    ///
    /// The six fields of a FEN are accepted too. Moves may be in SAN or UCI notation. Other operations are ignored.
    ///
    /// # Errors
    /// [`EpdError`] names the invalid part.
    ///
    /// ```
    /// use lucena::lab::suites::Epd;
    /// let epd = Epd::parse("6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; dm 1; id \"back rank\";").unwrap().unwrap();
    /// assert_eq!((epd.id.as_str(), epd.best.len(), epd.mate), ("back rank", 1, Some(1)));
    /// ```
    pub fn parse(line: &str) -> Result<Option<Self>, EpdError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (position, operations) = read_line(line)?;
        let mut epd = Self {
            game: Game::new(position),
            id: String::new(),
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
        };
        for operation in operations {
            epd.apply(&operation)?;
        }
        if epd.best.is_empty() && epd.avoid.is_empty() && epd.mate.is_none() {
            return Err(EpdError::NothingToFind);
        }
        Ok(Some(epd))
    }

    fn apply(&mut self, words: &[String]) -> Result<(), EpdError> {
        let Some((opcode, operands)) = words.split_first() else {
            return Ok(());
        };
        let position = self.game.position();
        let moves = |opcode| {
            let read = operands
                .iter()
                .map(|text| read_move(position, opcode, text));
            read.collect::<Result<Vec<Move>, EpdError>>()
        };
        match opcode.as_str() {
            "bm" => self.best = moves("bm")?,
            "am" => self.avoid = moves("am")?,
            "id" => self.id = operands.join(" "),
            "dm" => {
                let text = operands.join(" ");
                let number = text.parse().ok();
                let possible = number.filter(|mate| (1..=MAX_PLY as u32 / 2).contains(mate));
                self.mate =
                    Some(possible.ok_or_else(|| EpdError::Mate(shortened(&text, EXCERPT)))?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The position of a line and its operations, each as a list of words.
///
/// # Errors
/// [`EpdError`] names the invalid part.
pub fn read_line(line: &str) -> Result<(Position, Vec<Vec<String>>), EpdError> {
    let (fen, rest) = split_fields(line);
    Ok((Position::from_fen(fen)?, operations(rest)?))
}

/// The four or six fields of the position, and the rest of the line.
fn split_fields(line: &str) -> (&str, &str) {
    let end_of = |count: usize| {
        let mut fields = line.split_ascii_whitespace();
        let last = fields.nth(count - 1)?;
        let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
        Some((
            last.as_ptr() as usize - line.as_ptr() as usize + last.len(),
            is_number,
        ))
    };
    // Six fields if the last two are numbers.
    let clocks = end_of(6).filter(|(_, is_number)| *is_number);
    let clocks = clocks.filter(|_| end_of(5).is_some_and(|(_, is_number)| is_number));
    let end = clocks
        .or_else(|| end_of(4))
        .map_or(line.len(), |(end, _)| end);
    line.split_at(end)
}

/// Each operation as a list of words; a quotation is one word.
fn operations(text: &str) -> Result<Vec<Vec<String>>, EpdError> {
    let (mut done, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let mut in_quotes = false;
    for letter in text.chars() {
        match letter {
            '"' => in_quotes = !in_quotes,
            ';' if !in_quotes => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
                done.push(std::mem::take(&mut words));
            }
            _ if letter.is_whitespace() && !in_quotes => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            }
            _ => word.push(letter),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    match words.first() {
        Some(open) => Err(EpdError::Unterminated(shortened(open, EXCERPT))),
        None if in_quotes => Err(EpdError::Unterminated(String::new())),
        None => Ok(done),
    }
}

/// A move in SAN, with or without suffixes such as `+` and `!`, or in UCI notation.
///
/// # Errors
/// [`EpdError::Move`] if it is not legal.
pub fn read_move(position: &Position, opcode: &'static str, text: &str) -> Result<Move, EpdError> {
    position.find_move(text).map_err(|_| EpdError::Move {
        opcode,
        operand: shortened(text, EXCERPT),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";

    fn parse(operations: &str) -> Result<Epd, EpdError> {
        Epd::parse(&format!("{FIELDS} {operations}")).map(|epd| epd.expect("an EPD"))
    }

    #[test]
    fn operations_are_parsed() {
        let epd =
            parse("bm Rd8 d1d7; am Rd2!?; dm 1; id \"a; b\"; acd 7; c0 \"x\";").expect("good");
        let text = |moves: &[Move]| -> Vec<String> {
            moves.iter().map(|mv| mv.uci(false).to_string()).collect()
        };
        assert_eq!(text(&epd.best), ["d1d8", "d1d7"]);
        assert_eq!(text(&epd.avoid), ["d1d2"]);
        assert_eq!((epd.mate, epd.id.as_str()), (Some(1), "a; b"));
        let six = Epd::parse("6k1/5ppp/8/8/8/8/8/K2R4 w - - 12 40 bm Rd8;").expect("good");
        assert_eq!(six.expect("an EPD").game.position().halfmove_clock(), 12);
        assert!(matches!(Epd::parse("  # a comment"), Ok(None)));
        assert!(matches!(Epd::parse(""), Ok(None)));
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let cases = [
            ("bm Rd9;", "bm: `Rd9` is not a legal move in the position"),
            ("am Nf3;", "am: `Nf3` is not a legal move in the position"),
            ("dm 0;", "dm: `0` is not a number of moves from 1 to 120"),
            ("dm x;", "dm: `x` is not a number of moves from 1 to 120"),
            ("bm Rd8", "the operation `bm` has no semicolon"),
            ("id \"open;", "the operation `id` has no semicolon"),
            (
                "id \"nothing\";",
                "no bm, am or dm: there is nothing to find",
            ),
            ("bm ;", "no bm, am or dm: there is nothing to find"),
        ];
        for (operations, reason) in cases {
            let error = parse(operations).expect_err(operations);
            assert_eq!(error.to_string(), reason, "{operations}");
        }
        for line in ["x", "8/8/8/8/8/8/8/8 w - - bm a4;", "\u{fe}\u{0}; ;; \""] {
            assert!(Epd::parse(line).is_err(), "{line}");
        }
    }
}
