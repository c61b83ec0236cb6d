//! The tokens of movetext. Nothing is ignored: what cannot be read is an error with its place.

use crate::chess::Position;

/// A piece of movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    Comment(&'a str),
    /// A numeric annotation glyph.
    Nag(u8),
    Open,
    Close,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'static str),
    /// A move, or a text in the place of one.
    Move(&'a str),
}

/// Signs for annotation glyphs, as other programs write them.
const SIGNS: [(&str, u8); 19] = [
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("+--", 18),
    ("-+", 19),
    ("--+", 19),
    ("N", 146),
    ("D", 220),
    ("⟳", 32),
];
const RESULTS: [(&str, &str); 7] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("1–0", "1-0"),
    ("0–1", "0-1"),
];
/// Spellings of the null move.
const NULL_MOVES: [&str; 5] = ["--", "Z0", "@@@@", "0000", "null"];

/// Reads the tokens of a text from a place on.
pub struct Tokens<'a> {
    text: &'a str,
    pub place: usize,
    /// The number before the first move, if there is one.
    pub first_number: Option<u64>,
    has_moves: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str, place: usize) -> Self {
        Self {
            text,
            place,
            first_number: None,
            has_moves: false,
        }
    }

    /// The next token; `None` at the end.
    ///
    /// # Errors
    /// A message, for the place after the last token.
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, String> {
        loop {
            self.skip_space();
            let rest = &self.text[self.place..];
            let Some(first) = rest.chars().next() else {
                return Ok(None);
            };
            let (token, length) = match first {
                '{' => match rest.find('}') {
                    Some(end) => (Token::Comment(rest[1..end].trim()), end + 1),
                    None => return Err("a comment has no end".into()),
                },
                ';' => {
                    let end = rest.find('\n').unwrap_or(rest.len());
                    (Token::Comment(rest[1..end].trim()), end)
                }
                '(' => (Token::Open, 1),
                ')' => (Token::Close, 1),
                '*' => (Token::Result("*"), 1),
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    let nag = rest[1..=digits].parse();
                    let nag = nag.map_err(|_| {
                        format!("{:?} is not an annotation glyph", &rest[..=digits])
                    })?;
                    (Token::Nag(nag), digits + 1)
                }
                '!' | '?' => {
                    let length = rest.bytes().take_while(|byte| b"!?".contains(byte)).count();
                    (Token::Nag(glyph(&rest[..length])), length)
                }
                _ => {
                    let length = word_length(rest);
                    if length == 0 {
                        return Err(format!("{first:?} cannot be read"));
                    }
                    match word(&rest[..length]) {
                        (Some(token), length) => {
                            self.has_moves |= matches!(token, Token::Move(_));
                            (token, length)
                        }
                        (None, length) => {
                            if !self.has_moves && self.first_number.is_none() {
                                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                                self.first_number = rest[..digits].parse().ok();
                            }
                            self.place += length;
                            continue;
                        }
                    }
                }
            };
            self.place += length;
            return Ok(Some(token));
        }
    }

    /// Skips white space and lines that start with `%`.
    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.place) {
            let at_line_start = self.place == 0 || bytes[self.place - 1] == b'\n';
            if byte == b'%' && at_line_start {
                let rest = &self.text[self.place..];
                self.place += rest.find('\n').unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.place += 1;
            } else if let Some(space) = self.text[self.place..]
                .chars()
                .next()
                .filter(|space| space.is_whitespace())
            {
                self.place += space.len_utf8();
            } else {
                break;
            }
        }
    }
}

fn glyph(marks: &str) -> u8 {
    match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "!?" => 5,
        "?!" => 6,
        marks if marks.starts_with('?') => 4,
        _ => 3,
    }
}

/// The length of the word at the start of a text, with the piece of `e8(Q)`.
fn word_length(text: &str) -> usize {
    let is_end = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(
                byte,
                b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'!' | b'?' | b'$' | b'*'
            )
    };
    let bytes = text.as_bytes();
    let mut length = bytes.iter().position(is_end).unwrap_or(bytes.len());
    if !text[..length].is_ascii() {
        length = text[..length].find(char::is_whitespace).unwrap_or(length);
    }
    match bytes[length..] {
        [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] if text[..length].ends_with(['1', '8']) => {
            length + 3
        }
        _ => length,
    }
}

/// The result that a text stands for.
pub fn result(text: &str) -> Option<&'static str> {
    if text == "*" {
        return Some("*");
    }
    let found = RESULTS.iter().find(|(known, _)| *known == text);
    found.map(|(_, result)| *result)
}

/// The length of the sign for an evaluation at the end of a move, such as the last two characters of `Nf3+-`.
fn attached_sign(mv: &str) -> usize {
    let signs = SIGNS.iter().map(|&(sign, _)| sign);
    let signs = signs.filter(|sign| !sign.starts_with(|first: char| first.is_ascii_alphanumeric()));
    let ends = signs.filter(|sign| mv.len() > sign.len() && mv.ends_with(sign));
    ends.map(str::len).max().unwrap_or(0)
}

/// The token of a word and its length; no token for a move number.
fn word(text: &str) -> (Option<Token<'_>>, usize) {
    // Most words are moves: they are not compared with everything else.
    let is_piece_or_file = matches!(
        text.as_bytes()[0],
        b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O'
    );
    if is_piece_or_file && text.len() > 1 && !matches!(text, "e.p." | "ep") {
        let length = text.len() - attached_sign(text);
        return (Some(Token::Move(&text[..length])), length);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = text[digits..].is_empty() || text[digits..].starts_with(['.', '…']);
    if is_number && !NULL_MOVES.contains(&text) {
        let rest = text[digits..].trim_start_matches(['.', '…']);
        return (None, text.len() - rest.len());
    }
    if let Some(result) = result(text) {
        return (Some(Token::Result(result)), text.len());
    }
    if let Some(&(_, nag)) = SIGNS.iter().find(|(known, _)| *known == text) {
        return (Some(Token::Nag(nag)), text.len());
    }
    if matches!(text, "e.p." | "ep" | "+" | "++" | "#" | "mate") {
        return (None, text.len());
    }
    (Some(Token::Move(text)), text.len())
}

/// The meaning of a move token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    Move(crate::chess::Move),
    Null,
}

/// Reads a move.
///
/// # Errors
/// A message without the place.
pub fn read_move(position: &Position, text: &str) -> Result<Played, String> {
    if NULL_MOVES.contains(&text) {
        return Ok(Played::Null);
    }
    let found = position.find_move(text);
    found.map(Played::Move).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
        let mut tokens = Tokens::new(text, 0);
        let mut found = Vec::new();
        while let Some(token) = tokens.next_token()? {
            found.push(token);
        }
        Ok(found)
    }

    #[test]
    fn movetext_is_cut_into_tokens() {
        use Token::{Close, Comment, Move, Nag, Open, Result};
        let text = "1.e4!? $14 { a ; b } (1... c5 ; to the end\n%no\n) 1... e5 +/- 1/2-1/2";
        let expected = [
            Move("e4"),
            Nag(5),
            Nag(14),
            Comment("a ; b"),
            Open,
            Move("c5"),
            Comment("to the end"),
            Close,
            Move("e5"),
            Nag(16),
            Result("1/2-1/2"),
        ];
        assert_eq!(tokens(text).expect("tokens"), expected);
        let attached = "Nf3+- Bb5+= a6= Ba4-+ Rd8++- Bb5± e8=Q+ O-O";
        let expected = [
            Move("Nf3"),
            Nag(18),
            Move("Bb5"),
            Nag(14),
            Move("a6"),
            Nag(10),
            Move("Ba4"),
            Nag(19),
            Move("Rd8+"),
            Nag(18),
            Move("Bb5"),
            Nag(16),
            Move("e8=Q+"),
            Move("O-O"),
        ];
        assert_eq!(tokens(attached).expect("tokens"), expected);
        assert!(tokens("1. e4 {x").is_err() && tokens("]").is_err() && tokens("$x").is_err());
    }

    #[test]
    fn the_first_number_is_kept() {
        for (text, number) in [
            ("{x} 2. e4 3. e5", Some(2)),
            ("e4 2. e5", None),
            ("1-0", None),
        ] {
            let mut tokens = Tokens::new(text, 0);
            while tokens.next_token().expect("tokens").is_some() {}
            assert_eq!(tokens.first_number, number, "{text}");
        }
        assert_eq!(tokens("e8(Q) (Q)").expect("tokens").len(), 4);
    }

    #[test]
    fn moves_may_be_spelled_loosely() {
        let position =
            Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a position");
        for (text, uci) in [
            ("0-0", "e1h1"),
            ("O-O-O", "e1a1"),
            ("a1b1", "a1b1"),
            ("Ra8++", "a1a8"),
            ("Ra1xa8+", "a1a8"),
            ("Ke1-e2", "e1e2"),
        ] {
            let mv = position.parse_move(uci).expect("a legal move");
            assert_eq!(read_move(&position, text), Ok(Played::Move(mv)), "{text}");
        }
        assert_eq!(read_move(&position, "Z0"), Ok(Played::Null));
        assert!(read_move(&position, "Qd4").is_err_and(|error| error.contains("not legal")));
        assert!(read_move(&position, "Xy9").is_err_and(|error| error.contains("not a move")));
    }
}
