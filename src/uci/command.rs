//! Parses a line into a [`Command`]; never panics. FENs and moves stay text until the controller knows the position.

use crate::base::value::{Depth, MAX_DEPTH};
use crate::chess::{Game, Move, Position};

use super::genfens::GenfensRequest;
use super::go::GoRequest;
use super::inquiry::Inquiry;
use super::text::{did_you_mean, excerpt, first_words, next_word};

/// More words of a `go` are ignored; no position has more than 218 moves to list.
const MAX_GO_WORDS: usize = 500;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    /// `debug on|off`.
    Debug(bool),
    IsReady,
    SetOption(OptionRequest),
    NewGame,
    Position(PositionRequest),
    /// A `position` with invalid syntax, and the error.
    InvalidPosition(String),
    Go(Box<GoRequest>),
    Stop,
    PonderHit,
    Quit,
    /// `bench [depth]`.
    Bench(Option<Depth>),
    /// `d`: print the board.
    Display,
    /// `eval`: itemise the static evaluation.
    Eval,
    /// `explain`, `whynot`, `threats`, `say`: ask about the position.
    Ask(Inquiry),
    /// `tree [MOVE]`: the root of the tree after a tree search.
    Tree(Option<String>),
    /// `flip`: mirror the board and swap the colours.
    Flip,
    /// `genfens …`: openings for training games.
    Genfens(GenfensRequest),
    Help,
    /// An empty line or a command without effect, such as `register`.
    Nothing,
}

/// The arguments of `setoption`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRequest {
    /// The option's name, with single spaces.
    pub name: String,
    /// The rest of the line, in bytes since a path need not be UTF-8.
    pub value: Option<Vec<u8>>,
}

/// The arguments of `position`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    /// `None`: the start position.
    pub fen: Option<String>,
    /// The moves played from there, separated by spaces.
    pub moves: String,
}

impl PositionRequest {
    /// The game, and its moves since the last null move.
    pub fn game(&self) -> Result<(Game, Vec<Move>), String> {
        let start = match &self.fen {
            Some(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
            None => Position::startpos(),
        };
        let mut game = Game::new(start);
        let mut played = Vec::new();
        let moves = || self.moves.split_ascii_whitespace();
        for (index, text) in moves().enumerate() {
            game.play_uci(text)
                .map_err(|error| format!("move {} of {}: {error}", index + 1, moves().count()))?;
            match game.last_move() {
                Some((_, mv)) => played.push(mv),
                None => played.clear(),
            }
        }
        Ok((game, played))
    }
}

/// The words that begin a command.
pub const COMMANDS: [&str; 23] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "bench",
    "perft",
    "d",
    "eval",
    "explain",
    "whynot",
    "threats",
    "say",
    "tree",
    "flip",
    "genfens",
    "help",
];

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command; reported only with `debug on`.
    #[error("unknown command: {0}{suggestion} (help lists the commands)", suggestion = suggestion(.0))]
    Unknown(String),
    #[error("ignored a line that is not UTF-8: {0}")]
    NotUtf8(String),
    /// Invalid arguments of a UCI command: the command, what is expected, what was found.
    #[error("{0}: expected {1}, found {2}")]
    Malformed(&'static str, &'static str, String),
    /// The same for a command that only people type: reported at once.
    #[error("{0}: expected {1}, found {2}")]
    Misused(&'static str, &'static str, String),
}

impl Command {
    /// Parses one line. Unknown words before a command are skipped (`joho debug on`); a blank line is [`Command::Nothing`].
    ///
    /// # Errors
    /// [`CommandError`] if no command is found or its arguments are invalid.
    pub fn parse(line: &[u8]) -> Result<Self, CommandError> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut rest = line;
        let mut is_first = true;
        while let Some((word, after)) = next_word(rest) {
            if let Some(result) = Self::from_word(word, after, is_first) {
                return result;
            }
            rest = after;
            is_first = false;
        }
        if is_first {
            Ok(Self::Nothing)
        } else if std::str::from_utf8(line).is_err() {
            Err(CommandError::NotUtf8(excerpt(line.trim_ascii())))
        } else {
            Err(CommandError::Unknown(excerpt(line.trim_ascii())))
        }
    }

    /// The command that a word begins. Commands outside UCI count only as the first word.
    fn from_word(word: &[u8], rest: &[u8], is_first: bool) -> Option<Result<Self, CommandError>> {
        Some(match word {
            b"uci" => Ok(Self::Uci),
            b"debug" => parse_debug(rest),
            b"isready" => Ok(Self::IsReady),
            b"setoption" => OptionRequest::parse(rest).map(Self::SetOption),
            b"register" => Ok(Self::Nothing),
            b"ucinewgame" => Ok(Self::NewGame),
            // A command of its own, since the old position must not stay.
            b"position" => {
                Ok(PositionRequest::parse(rest).map_or_else(Self::InvalidPosition, Self::Position))
            }
            b"go" => Ok(parse_go(rest)),
            b"stop" => Ok(Self::Stop),
            b"ponderhit" => Ok(Self::PonderHit),
            b"quit" => Ok(Self::Quit),
            b"bench" if is_first => parse_bench(rest).map(Self::Bench),
            b"perft" if is_first => Ok(parse_go(&[b"perft", rest].concat())),
            b"d" if is_first => Ok(Self::Display),
            b"eval" if is_first => Ok(Self::Eval),
            b"explain" if is_first && first_words(rest, 2).len() > 1 => Err(CommandError::Misused(
                "explain",
                "one move",
                all_found(rest),
            )),
            b"explain" if is_first => Ok(Self::Ask(Inquiry::Explain(first_text(rest)))),
            b"whynot" if is_first => first_text(rest)
                .filter(|_| first_words(rest, 2).len() == 1)
                .map(|text| Self::Ask(Inquiry::WhyNot(text)))
                .ok_or_else(|| CommandError::Misused("whynot", "one move", all_found(rest))),
            b"threats" if is_first => Ok(Self::Ask(Inquiry::Threats)),
            b"say" if is_first => Ok(Self::Ask(Inquiry::Say)),
            b"tree" if is_first => Ok(Self::Tree(first_text(rest))),
            b"flip" if is_first => Ok(Self::Flip),
            b"genfens" if is_first => GenfensRequest::parse(&first_words(rest, usize::MAX))
                .map(Self::Genfens)
                .map_err(|(expected, found)| {
                    CommandError::Misused("genfens", expected, excerpt(found.as_bytes()))
                }),
            b"help" if is_first => Ok(Self::Help),
            _ => return None,
        })
    }
}

/// The command that the first word of a line may have meant.
fn suggestion(line: &str) -> String {
    did_you_mean(line.split_whitespace().next().unwrap_or_default(), COMMANDS)
}

/// The first word, for the message of an error.
fn found(rest: &[u8]) -> String {
    next_word(rest).map_or_else(|| "nothing".to_owned(), |(word, _)| excerpt(word))
}

fn all_found(rest: &[u8]) -> String {
    match rest.trim_ascii() {
        [] => "nothing".to_owned(),
        words => excerpt(words),
    }
}

/// The first word as text.
fn first_text(rest: &[u8]) -> Option<String> {
    next_word(rest).map(|(word, _)| excerpt(word))
}

fn parse_go(rest: &[u8]) -> Command {
    let mut words = first_words(rest, MAX_GO_WORDS + 1);
    let is_too_long = words.len() > MAX_GO_WORDS;
    words.truncate(MAX_GO_WORDS);
    let mut request = GoRequest::parse(&words);
    if is_too_long {
        let warning = format!("go: ignored the words after the first {MAX_GO_WORDS}");
        request.warnings.insert(0, warning);
    }
    Command::Go(Box::new(request))
}

fn parse_debug(rest: &[u8]) -> Result<Command, CommandError> {
    match next_word(rest) {
        Some((b"on", _)) => Ok(Command::Debug(true)),
        Some((b"off", _)) => Ok(Command::Debug(false)),
        _ => Err(CommandError::Malformed("debug", "on or off", found(rest))),
    }
}

impl OptionRequest {
    fn parse(rest: &[u8]) -> Result<Self, CommandError> {
        let Some((b"name", mut rest)) = next_word(rest) else {
            return Err(CommandError::Malformed("setoption", "name", found(rest)));
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
            return Err(CommandError::Malformed(
                "setoption",
                "the name of an option",
                found(rest),
            ));
        }
        Ok(Self {
            name: name.join(" "),
            value,
        })
    }
}

impl PositionRequest {
    /// Parses the words after `position`.
    fn parse(rest: &[u8]) -> Result<Self, String> {
        let (mut position, mut moves, mut left) = (Vec::new(), &[][..], rest);
        while let Some((word, after)) = next_word(left) {
            if word == b"moves" {
                moves = after;
                break;
            }
            position.push(String::from_utf8_lossy(word).into_owned());
            left = after;
        }
        let fen = match &position[..] {
            [kind] if kind == "startpos" => None,
            [kind, fen @ ..] if kind == "fen" => Some(fen.join(" ")),
            [kind, word, ..] if kind == "startpos" => {
                let word = excerpt(word.as_bytes());
                return Err(format!("expected moves, found {word}"));
            }
            _ => return Err(format!("expected startpos or fen, found {}", found(rest))),
        };
        Ok(Self {
            fen,
            moves: String::from_utf8_lossy(moves).into_owned(),
        })
    }
}

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
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(Command::parse(b"joho debug on"), Ok(Command::Debug(true)));
        assert_eq!(Command::parse(b"\t isready \r"), Ok(Command::IsReady));
        assert_eq!(Command::parse(b"  "), Ok(Command::Nothing));
        assert_eq!(Command::parse(b"\xef\xbb\xbfuci"), Ok(Command::Uci));
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
            Err(CommandError::NotUtf8(_))
        ));
    }

    #[test]
    fn every_command_is_listed() {
        for name in COMMANDS {
            let found = Command::parse(name.as_bytes());
            assert!(!matches!(found, Err(CommandError::Unknown(_))), "{name}");
        }
        let error = Command::parse(b"evla").map_err(|error| error.to_string());
        let message = "unknown command: evla; did you mean eval? (help lists the commands)";
        assert_eq!(error, Err(message.to_owned()));
    }

    #[test]
    fn option_names_and_values_keep_their_spaces() {
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
    fn position_is_split_into_fen_and_moves() {
        let parse = |line: &str| match Command::parse(line.as_bytes()) {
            Ok(Command::Position(request)) => {
                let moves = request.moves.split_ascii_whitespace().count();
                Some((request.fen, moves))
            }
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
}
