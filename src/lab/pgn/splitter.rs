//! Splits a PGN stream into the texts of its games, each with the line that it starts on, so that a broken game does not
//! affect its neighbours. A stream that starts with a FEN is a list of positions, one per line.

use std::io::{self, BufRead, BufReader, Read};

use thiserror::Error;

use crate::base::text::{GZIP, is_gzip};

/// The longest text of a game in bytes.
pub const MAX_GAME: usize = 1 << 20;
/// Most games are shorter.
const USUAL_GAME: usize = 1 << 10;
/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// A stream is not UTF-8.
#[derive(Clone, Copy, Debug, Error)]
#[error("text in UTF-16, not UTF-8")]
struct Utf16;

/// Whether a stream could not be read because it is UTF-16.
pub fn is_utf_16(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.downcast_ref::<Utf16>().is_some())
}

/// The text of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// Number in the file, from 1.
    pub number: u64,
    /// The line of its first byte, from 1.
    pub line: u64,
    pub text: Vec<u8>,
    /// It is a line of a list of positions.
    pub is_position: bool,
    /// It is longer than `MAX_GAME`; the rest is left out.
    pub is_too_long: bool,
}

/// Reads the games of a stream one by one.
pub struct Splitter<R> {
    source: BufReader<R>,
    /// Carriage return in files of old Macs.
    line_end: u8,
    line: u64,
    /// Only a piece of the line was read.
    is_in_line: bool,
    number: u64,
    /// The last line, with its end; empty at the end of the stream.
    text: Vec<u8>,
    /// The last line is the first one of the next game.
    is_pending: bool,
    /// Whether the stream is a list of positions; `None` before the first line with content.
    is_list: Option<bool>,
}

/// The part of a game that the last line belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Start,
    Tags,
    Moves,
}

/// What a game has so far.
#[derive(Default)]
struct State {
    part: Part,
    after_blank: bool,
    in_comment: bool,
    /// The last line with moves ends with a result.
    has_result: bool,
}

/// What ends a game.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

impl State {
    /// Whether this line starts another game.
    fn ends_before(&self, line: &[u8]) -> bool {
        if self.in_comment {
            // The comment has no end, or the games after it would be part of it.
            return self.after_blank && is_tag(line);
        }
        match self.part {
            Part::Start => false,
            Part::Tags => self.after_blank && line.trim_ascii_start().starts_with(b"[Event "),
            Part::Moves => {
                let words = line.trim_ascii();
                let is_missing_result = !self.has_result && RESULTS.contains(&words);
                starts_with_tag(line)
                    || (self.after_blank && !words.is_empty() && !is_missing_result)
            }
        }
    }

    fn add(&mut self, line: &[u8]) {
        self.after_blank = line.trim_ascii().is_empty();
        if self.after_blank || (!self.in_comment && line.starts_with(b"%")) {
            return;
        }
        let mut moves = line;
        if !self.in_comment && starts_with_tag(line) {
            self.part = Part::Tags;
            moves = after_tags(line);
            if moves.is_empty() {
                return;
            }
        }
        self.part = Part::Moves;
        let last = moves
            .trim_ascii_end()
            .rsplit(u8::is_ascii_whitespace)
            .next();
        self.has_result = last.is_some_and(|word| RESULTS.contains(&word));
        // Most lines have no comment; a loop that never ends early is fast.
        let is_sign = |byte: u8| matches!(byte, b'{' | b'}' | b';');
        if !moves.iter().fold(false, |any, &byte| any | is_sign(byte)) {
            return;
        }
        for &byte in moves {
            match byte {
                b'}' => self.in_comment = false,
                b'{' => self.in_comment = true,
                b';' if !self.in_comment => break,
                _ => {}
            }
        }
    }
}

fn starts_with_tag(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    matches!(line, [b'[', letter, ..] if letter.is_ascii_alphabetic())
}

/// Whether a line is a tag and nothing before it: `[Name "`.
fn is_tag(line: &[u8]) -> bool {
    let name = line.strip_prefix(b"[").unwrap_or_default();
    let length = name
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    length > 0 && name[length..].trim_ascii_start().starts_with(b"\"")
}

/// The rest of a line after its tags.
fn after_tags(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii();
    while starts_with_tag(rest) {
        let end = rest.windows(2).position(|pair| pair == b"\"]");
        rest = end.map_or(&[], |end| rest[end + 2..].trim_ascii_start());
    }
    rest
}

/// Whether the first word of a line is the first field of a FEN.
fn starts_with_board(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let end = line.iter().position(u8::is_ascii_whitespace);
    let word = &line[..end.unwrap_or(line.len())];
    let is_piece = |byte: &u8| b"pnbrqkPNBRQK12345678".contains(byte);
    let is_rank = |rank: &[u8]| !rank.is_empty() && rank.iter().all(is_piece);
    let mut ranks = word.split(|&byte| byte == b'/');
    let found = ranks.by_ref().take_while(|rank| is_rank(rank)).count();
    found == 8 && ranks.next().is_none()
}

/// What ends the lines of a stream with this start.
fn line_end(start: &[u8]) -> u8 {
    let end = start.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    match end.map(|end| &start[end..]) {
        Some([b'\r', next, ..]) if *next != b'\n' => b'\r',
        _ => b'\n',
    }
}

impl<R: Read> Splitter<R> {
    pub fn new(source: R) -> Self {
        Self {
            source: BufReader::with_capacity(BUFFER, source),
            line_end: b'\n',
            line: 0,
            is_in_line: false,
            number: 0,
            text: Vec::new(),
            is_pending: false,
            is_list: None,
        }
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// If the stream cannot be read, is compressed with gzip, or is UTF-16.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut game = RawGame::default();
        let mut state = State::default();
        loop {
            if !self.is_pending {
                self.read_line()?;
            }
            self.is_pending = false;
            let line = self.text.as_slice();
            if line.is_empty() {
                break;
            }
            if game.line > 0 && state.ends_before(line) {
                self.is_pending = true;
                break;
            }
            if game.line == 0 {
                if line.trim_ascii().is_empty() {
                    continue;
                }
                if line.starts_with(b"#") && self.is_list != Some(false) {
                    continue;
                }
                game.line = self.line;
                game.text.reserve(USUAL_GAME);
                game.is_position = *self.is_list.get_or_insert_with(|| starts_with_board(line));
            }
            state.add(line);
            if game.text.len() + line.len() <= MAX_GAME {
                game.text.extend_from_slice(line);
            } else {
                game.is_too_long = true;
            }
            if game.is_position {
                break;
            }
        }
        self.number += 1;
        game.number = self.number;
        Ok((game.line > 0).then_some(game))
    }

    /// Reads a line, which ends with a newline here. A very long line comes in pieces.
    fn read_line(&mut self) -> io::Result<()> {
        self.text.clear();
        if self.line == 0 {
            self.line_end = line_end(self.source.fill_buf()?);
        }
        let longest = MAX_GAME as u64 + 1;
        (&mut self.source)
            .take(longest)
            .read_until(self.line_end, &mut self.text)?;
        if self.line_end == b'\r'
            && let Some(end @ b'\r') = self.text.last_mut()
        {
            *end = b'\n';
        }
        let is_start = !self.is_in_line;
        self.is_in_line = !self.text.is_empty() && !self.text.ends_with(b"\n");
        self.line += u64::from(is_start);
        if is_start && self.line == 1 {
            self.check_encoding()?;
        }
        Ok(())
    }

    /// Looks at the start of the stream, and removes a byte order mark.
    fn check_encoding(&mut self) -> io::Result<()> {
        let invalid = io::ErrorKind::InvalidData;
        if self.text.starts_with(&[0xff, 0xfe]) || self.text.starts_with(&[0xfe, 0xff]) {
            return Err(io::Error::new(invalid, Utf16));
        }
        if is_gzip(&self.text) {
            return Err(io::Error::new(invalid, GZIP));
        }
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.text.drain(..3);
            if self.text.is_empty() {
                self.text.push(b'\n');
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(u64, String)> {
        let mut splitter = Splitter::new(text.as_bytes());
        let mut games = Vec::new();
        while let Some(game) = splitter.next_game().expect("a text") {
            let text = String::from_utf8(game.text).expect("UTF-8");
            games.push((game.line, text.trim().replace('\n', "|")));
        }
        games
    }

    #[test]
    fn a_very_long_line_counts_once() {
        let long = "e4 ".repeat(MAX_GAME);
        let text = format!("[Event \"a\"]\n\n1. {long}\n\n[Event \"b\"]\n\n*\n");
        let lines: Vec<u64> = split(&text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 5]);
    }

    #[test]
    fn games_are_cut_at_tags_and_blank_lines() {
        let text = "\n[Event \"a\"]\n[White \"b\"]\n\n1. e4 {x\n\n[y] z}\ne5 *\n[Event \"c\"]\n\n*\n\n1. d4 *\n";
        let expected = [
            (2, "[Event \"a\"]|[White \"b\"]||1. e4 {x||[y] z}|e5 *"),
            (9, "[Event \"c\"]||*"),
            (13, "1. d4 *"),
        ];
        let games = split(text);
        let games: Vec<(u64, &str)> = games.iter().map(|(line, text)| (*line, &**text)).collect();
        assert_eq!(games, expected);
    }

    #[test]
    fn tags_may_share_a_line_with_others_and_with_moves() {
        let text = " [Event \"a\"] [White \"b\"]\n[Site \"c\"]\n\n1. e4 *\n\
                    [Event \"d\"] 1. e4 {x\n\n[y] z} *\n [Event \"e\"] *\n";
        let lines: Vec<u64> = split(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 5, 8]);
    }

    #[test]
    fn other_formats_are_refused() {
        for bytes in [&b"\x1f\x8b\x08"[..], b"\xff\xfe[\0", b"\xfe\xff\0["] {
            assert!(Splitter::new(bytes).next_game().is_err());
        }
    }

    #[test]
    fn a_list_of_positions_is_cut_at_lines() {
        let board = "k7/8/8/8/8/8/8/K7 w - -";
        let text = format!("# positions\n\n{board}\n# more\nx\n{board} id \"[Event \";\n");
        let last = format!("{board} id \"[Event \";");
        let games = split(&text);
        let games: Vec<(u64, &str)> = games.iter().map(|(line, text)| (*line, &**text)).collect();
        assert_eq!(games, [(3, board), (5, "x"), (6, &last)]);
    }

    #[test]
    fn a_comment_without_end_stays_in_its_game() {
        for tag in ["Event", "White"] {
            let game = format!("[{tag} \"a\"]\n\n1. e4 {{x\n\n[{tag} \"b\"]\n\n1. d4 {{y}} *\n");
            let games = split(&game);
            assert_eq!(games.len(), 2, "{tag}");
            assert_eq!(games[1].0, 5);
        }
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line_if_the_first_line_ends_so() {
        let text = "[Event \"a\"]\n\n1. e4 ; x\n e5 *\n\n[Event \"b\"]\n\n*\n";
        assert_eq!(split(&text.replace('\n', "\r")), split(text));
        let lines: Vec<u64> = split(&text.replace('\n', "\r\n"))
            .into_iter()
            .map(|(line, _)| line)
            .collect();
        assert_eq!(lines, [1, 6]);
    }

    #[test]
    fn a_result_after_an_empty_line_belongs_to_its_game() {
        let games = split("[Event \"a\"]\n\n1. e4 e5\n\n1-0\n\n1. d4 *\n\n*\n");
        let games: Vec<&str> = games.iter().map(|(_, text)| &**text).collect();
        assert_eq!(games, ["[Event \"a\"]||1. e4 e5||1-0", "1. d4 *", "*"]);
    }

    #[test]
    fn long_games_are_cut_short() {
        let text = format!("1. e4 {{{}}} *\n\n1. d4 *\n", "x\n".repeat(MAX_GAME));
        let mut splitter = Splitter::new(text.as_bytes());
        let first = splitter.next_game().expect("a text").expect("a game");
        assert!(first.is_too_long && first.text.len() <= MAX_GAME);
        let second = splitter.next_game().expect("a text").expect("a game");
        assert_eq!(second.text, b"1. d4 *\n");
    }
}
