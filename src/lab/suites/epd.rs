//! A line of an EPD file: a position and what is asked of it.
//! Uses: chess. Used by: suite, cli.
//! Idea: "Portable Game Notation Specification and Implementation Guide" (Edwards 1994), section 16.2: four fields of a
//! position, then operations, each an opcode with operands and a semicolon.

use thiserror::Error;

use crate::base::value::MAX_PLY;
use crate::chess::{FenError, Game, Move, Position, San};

/// Why a line is no question.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EpdError {
    /// The position cannot be read.
    #[error("{0}")]
    Position(#[from] FenError),
    /// An operation has no semicolon behind it, or a quotation does not end.
    #[error("the operation `{0}` has no end")]
    Open(String),
    /// An operand names no legal move, or more than one.
    #[error("{opcode}: `{operand}` is not a legal move in the position")]
    Move {
        /// The operation.
        opcode: &'static str,
        /// The text, at most its first 16 characters.
        operand: String,
    },
    /// The mate is not in a number of moves that a search can prove.
    #[error("dm: `{0}` is not a number of moves from 1 to {max}", max = MAX_PLY / 2)]
    Mate(String),
    /// Nothing is asked: there is none of `bm`, `am` and `dm`.
    #[error("nothing is asked: there is no bm, am or dm")]
    NothingAsked,
}

/// A position and what is asked of it.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub game: Game,
    /// The name of the position (`id`); empty if it has none.
    pub id: String,
    /// The right moves (`bm`), any of them.
    pub best: Vec<Move>,
    /// The wrong moves (`am`).
    pub avoid: Vec<Move>,
    /// The moves in which the side to move gives mate (`dm`).
    pub mate: Option<u32>,
}

impl Epd {
    /// Reads a line; `None` if it is empty or a comment (`#`).
    ///
    /// Six fields as in a FEN are taken too, moves may be in algebraic or long algebraic notation, and operations that
    /// ask nothing are passed over.
    ///
    /// # Errors
    /// [`EpdError`] names the part at fault.
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
        let (fen, rest) = split_fields(line);
        let position = Position::from_fen(fen)?;
        let mut epd = Self {
            game: Game::new(position),
            id: String::new(),
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
        };
        for operation in operations(rest)? {
            epd.take(&operation)?;
        }
        if epd.best.is_empty() && epd.avoid.is_empty() && epd.mate.is_none() {
            return Err(EpdError::NothingAsked);
        }
        Ok(Some(epd))
    }

    fn take(&mut self, words: &[String]) -> Result<(), EpdError> {
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
                self.mate = Some(possible.ok_or_else(|| EpdError::Mate(excerpt(&text)))?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The fields of the position, four or six, and the rest.
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
    let clocks = end_of(6).filter(|(_, is_number)| *is_number);
    let clocks = clocks.filter(|_| end_of(5).is_some_and(|(_, is_number)| is_number));
    let end = clocks
        .or_else(|| end_of(4))
        .map_or(line.len(), |(end, _)| end);
    line.split_at(end)
}

/// The operations as lists of words; a quotation is one word.
fn operations(text: &str) -> Result<Vec<Vec<String>>, EpdError> {
    let (mut done, mut words, mut word) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
                done.push(std::mem::take(&mut words));
            }
            _ if letter.is_whitespace() && !is_quoted => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            }
            _ => word.push(letter),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    match words.first() {
        Some(open) => Err(EpdError::Open(excerpt(open))),
        None if is_quoted => Err(EpdError::Open(String::new())),
        None => Ok(done),
    }
}

/// A move in algebraic notation, with or without signs of praise and check, or in long algebraic notation.
fn read_move(position: &Position, opcode: &'static str, text: &str) -> Result<Move, EpdError> {
    let plain = text.trim_end_matches(['+', '#', '!', '?']);
    let san = San::from_ascii(plain.as_bytes()).ok();
    san.and_then(|san| position.find_san(san))
        .or_else(|| position.parse_move(plain).ok())
        .ok_or_else(|| EpdError::Move {
            opcode,
            operand: excerpt(text),
        })
}

/// The first characters of a text, enough to find it.
fn excerpt(text: &str) -> String {
    text.chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position without operations.
    const FIELDS: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";

    fn parse(operations: &str) -> Result<Epd, EpdError> {
        Epd::parse(&format!("{FIELDS} {operations}")).map(|epd| epd.expect("a question"))
    }

    #[test]
    fn operations_are_read() {
        let epd =
            parse("bm Rd8 d1d7; am Rd2!?; dm 1; id \"a; b\"; acd 7; c0 \"x\";").expect("good");
        let text = |moves: &[Move]| -> Vec<String> {
            moves.iter().map(|mv| mv.uci(false).to_string()).collect()
        };
        assert_eq!(text(&epd.best), ["d1d8", "d1d7"]);
        assert_eq!(text(&epd.avoid), ["d1d2"]);
        assert_eq!((epd.mate, epd.id.as_str()), (Some(1), "a; b"));
        let six = Epd::parse("6k1/5ppp/8/8/8/8/8/K2R4 w - - 12 40 bm Rd8;").expect("good");
        assert_eq!(
            six.expect("a question").game.position().halfmove_clock(),
            12
        );
        assert!(matches!(Epd::parse("  # a comment"), Ok(None)));
        assert!(matches!(Epd::parse(""), Ok(None)));
    }

    #[test]
    fn faults_are_named() {
        let faults = [
            ("bm Rd9;", "bm: `Rd9` is not a legal move in the position"),
            ("am Nf3;", "am: `Nf3` is not a legal move in the position"),
            ("dm 0;", "dm: `0` is not a number of moves from 1 to 120"),
            ("dm x;", "dm: `x` is not a number of moves from 1 to 120"),
            ("bm Rd8", "the operation `bm` has no end"),
            ("id \"open;", "the operation `id` has no end"),
            (
                "id \"nothing\";",
                "nothing is asked: there is no bm, am or dm",
            ),
            ("bm ;", "nothing is asked: there is no bm, am or dm"),
        ];
        for (operations, reason) in faults {
            let error = parse(operations).expect_err(operations);
            assert_eq!(error.to_string(), reason, "{operations}");
        }
        for line in ["x", "8/8/8/8/8/8/8/8 w - - bm a4;", "\u{fe}\u{0}; ;; \""] {
            assert!(Epd::parse(line).is_err(), "{line}");
        }
    }
}
