//! Bytes to commands: what a client's line asks for.
//! Uses: value. Used by: reader, controller, cli.
//! Idea: a line becomes a plain value and never a panic; texts stay as they came until the controller, who knows the
//! position, makes sense of them.

use crate::base::value::{Depth, MAX_DEPTH};

use super::genfens;
use super::go::GoRequest;

/// One command of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Greet,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption(OptionRequest),
    /// `ucinewgame`.
    NewGame,
    /// `position …`.
    Position(PositionRequest),
    /// A `position` that cannot be read, and why.
    NoPosition(String),
    /// `go …`.
    Go(Box<GoRequest>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `bench [depth]`: search the fixed positions.
    Bench(Option<Depth>),
    /// `d`: show the board.
    Display,
    /// `eval`: explain the evaluation of the board.
    Evaluate,
    /// `flip`: change the colours.
    Flip,
    /// `genfens …`: openings for games that teach.
    GenerateFens(genfens::Request),
    /// `help`: list the commands.
    Help,
    /// A known command that asks for nothing, such as `register`.
    Nothing,
}

/// A `setoption` as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRequest {
    /// The option's name, blanks made single.
    pub name: String,
    /// The rest of the line; bytes, since a path need not be UTF-8.
    pub value: Option<Vec<u8>>,
}

/// A `position` as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    /// The FEN; `None` means the start position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<String>,
}

/// Why a line asks for nothing, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command; told only in `debug on`.
    #[error("unknown command: {0} (help lists the commands)")]
    Unknown(String),
    /// The line is no text.
    #[error("a line that is not UTF-8 was not understood: {0}")]
    NotText(String),
    /// The command's own words make no sense.
    #[error("{0}: {1}")]
    Malformed(&'static str, &'static str),
    /// The same of a command that only people give: they want to know at once.
    #[error("{0}: expected {1}, found {2}")]
    Misused(&'static str, &'static str, String),
}

/// The longest piece of a client's text that is quoted back.
const EXCERPT: usize = 60;

/// Text fit to be quoted on one line: short, without control characters.
#[must_use]
pub fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace(char::is_control, " ")
}

impl Command {
    /// Reads one line, without its line end.
    ///
    /// Words that are no command are skipped up to the first that is (`joho debug on`).
    ///
    /// # Errors
    /// [`CommandError`] if the line asks for nothing. A blank line asks for [`Command::Nothing`].
    pub fn parse(line: &[u8]) -> Result<Self, CommandError> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut rest = line;
        let mut leading = true;
        while let Some((word, after)) = next_word(rest) {
            if let Some(result) = Self::from_word(word, after, leading) {
                return result;
            }
            rest = after;
            leading = false;
        }
        if leading {
            Ok(Self::Nothing)
        } else if std::str::from_utf8(line).is_err() {
            Err(CommandError::NotText(excerpt(line.trim_ascii())))
        } else {
            Err(CommandError::Unknown(excerpt(line.trim_ascii())))
        }
    }

    /// The command that a word begins. Words of our own count only at the start of a line.
    fn from_word(word: &[u8], rest: &[u8], leading: bool) -> Option<Result<Self, CommandError>> {
        Some(match word {
            b"uci" => Ok(Self::Greet),
            b"debug" => parse_debug(rest),
            b"isready" => Ok(Self::IsReady),
            b"setoption" => OptionRequest::parse(rest).map(Self::SetOption),
            b"register" => Ok(Self::Nothing),
            b"ucinewgame" => Ok(Self::NewGame),
            // A position that cannot be read must not leave the old one on the board.
            b"position" => {
                Ok(PositionRequest::parse(rest).map_or_else(Self::NoPosition, Self::Position))
            }
            b"go" => Ok(Self::Go(Box::new(GoRequest::parse(&texts(rest))))),
            b"stop" => Ok(Self::Stop),
            b"ponderhit" => Ok(Self::PonderHit),
            b"quit" => Ok(Self::Quit),
            b"bench" if leading => parse_bench(rest).map(Self::Bench),
            b"perft" if leading => {
                let words = ["perft".to_owned()].into_iter().chain(texts(rest));
                Ok(Self::Go(Box::new(GoRequest::parse(
                    &words.collect::<Vec<_>>(),
                ))))
            }
            b"d" if leading => Ok(Self::Display),
            b"eval" if leading => Ok(Self::Evaluate),
            b"flip" if leading => Ok(Self::Flip),
            b"genfens" if leading => match genfens::Request::parse(&texts(rest)) {
                Ok(request) => Ok(Self::GenerateFens(request)),
                Err((expected, found)) => Err(CommandError::Misused(
                    "genfens",
                    expected,
                    excerpt(found.as_bytes()),
                )),
            },
            b"help" if leading => Ok(Self::Help),
            _ => return None,
        })
    }
}

fn parse_debug(rest: &[u8]) -> Result<Command, CommandError> {
    match next_word(rest) {
        Some((b"on", _)) => Ok(Command::Debug(true)),
        Some((b"off", _)) => Ok(Command::Debug(false)),
        _ => Err(CommandError::Malformed("debug", "expected on or off")),
    }
}

impl OptionRequest {
    fn parse(rest: &[u8]) -> Result<Self, CommandError> {
        let Some((b"name", mut rest)) = next_word(rest) else {
            return Err(CommandError::Malformed("setoption", "expected name"));
        };
        let mut name = Vec::new();
        let mut value = None;
        while let Some((word, after)) = next_word(rest) {
            if word == b"value" && !name.is_empty() {
                value = Some(after.trim_ascii().to_vec());
                break;
            }
            name.push(String::from_utf8_lossy(word).into_owned());
            rest = after;
        }
        if name.is_empty() {
            return Err(CommandError::Malformed("setoption", "the name is missing"));
        }
        Ok(Self {
            name: name.join(" "),
            value,
        })
    }
}

impl PositionRequest {
    /// Reads the words after `position`; the error says what is wrong with them.
    fn parse(rest: &[u8]) -> Result<Self, String> {
        let words = texts(rest);
        let split = words.iter().position(|word| word == "moves");
        let (place, moves) = match split {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (&words[..], &[][..]),
        };
        let fen = match place {
            [kind] if kind == "startpos" => None,
            [kind, fen @ ..] if kind == "fen" => Some(fen.join(" ")),
            [kind, word, ..] if kind == "startpos" => {
                let word = excerpt(word.as_bytes());
                return Err(format!("expected moves, found {word}"));
            }
            _ => return Err("expected startpos or fen".to_owned()),
        };
        Ok(Self {
            fen,
            moves: moves.to_vec(),
        })
    }
}

/// The next word and what follows it.
fn next_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// All words as text; bytes that are no UTF-8 become replacement characters, which no parser takes for something else.
fn texts(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text)
        .split_ascii_whitespace()
        .map(str::to_owned)
        .collect()
}

/// The depth of a `bench`, if one is given.
fn parse_bench(rest: &[u8]) -> Result<Option<Depth>, CommandError> {
    let Some((word, _)) = next_word(rest) else {
        return Ok(None);
    };
    let depth = std::str::from_utf8(word)
        .ok()
        .and_then(|text| text.parse().ok());
    match depth {
        Some(1..=MAX_DEPTH) => Ok(depth),
        _ => Err(CommandError::Misused(
            "bench",
            "a depth from 1 to 240",
            excerpt(word),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(Command::parse(b"joho debug on"), Ok(Command::Debug(true)));
        assert_eq!(Command::parse(b"\t isready \r"), Ok(Command::IsReady));
        assert_eq!(Command::parse(b"  "), Ok(Command::Nothing));
        assert_eq!(Command::parse(b"\xef\xbb\xbfuci"), Ok(Command::Greet));
        assert!(matches!(
            Command::parse(b"xboard"),
            Err(CommandError::Unknown(_))
        ));
        assert!(matches!(
            Command::parse(b"joho d"),
            Err(CommandError::Unknown(_))
        ));
        assert!(matches!(
            Command::parse(b"\xff\xfe"),
            Err(CommandError::NotText(_))
        ));
    }

    #[test]
    fn options_keep_blanks_in_names_and_values() {
        let parse = |line: &[u8]| match Command::parse(line) {
            Ok(Command::SetOption(request)) => Some((request.name, request.value)),
            _ => None,
        };
        let value = |text: &[u8]| Some(text.to_vec());
        assert_eq!(
            parse(b"\t setoption \t name  Hash\tvalue 32 "),
            Some(("Hash".into(), value(b"32")))
        );
        assert_eq!(
            parse(b"setoption name Clear  Hash"),
            Some(("Clear Hash".into(), None))
        );
        assert_eq!(
            parse(b"setoption name SyzygyPath value /a b/  c\xfc"),
            Some(("SyzygyPath".into(), value(b"/a b/  c\xfc")))
        );
        assert_eq!(
            parse(b"setoption name X value"),
            Some(("X".into(), value(b"")))
        );
        assert_eq!(parse(b"setoption Hash 3"), None);
    }

    #[test]
    fn positions_are_taken_apart() {
        let parse = |line: &str| match Command::parse(line.as_bytes()) {
            Ok(Command::Position(request)) => Some((request.fen, request.moves.len())),
            _ => None,
        };
        assert_eq!(parse("position startpos"), Some((None, 0)));
        assert_eq!(parse("position startpos moves e2e4 e7e5"), Some((None, 2)));
        assert_eq!(
            parse("position fen 8/8 w - - moves a1a2"),
            Some((Some("8/8 w - -".into()), 1))
        );
        assert_eq!(parse("position startpos e2e4"), None);
        assert_eq!(parse("position"), None);
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        let text = excerpt(&[b'\x07'; 5000]);
        assert!(text.len() < 80 && !text.contains('\x07'));
    }
}
