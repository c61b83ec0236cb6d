//! Checks the format of every line and the legality of every move, with shakmaty as the reference.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// A printed score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

/// An `info` line other than `info string`.
#[derive(Clone, Debug, Default)]
pub struct Info {
    pub depth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    pub is_bound: bool,
    pub wdl: Option<[u64; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub tbhits: Option<u64>,
    pub time: Option<u64>,
    pub currmove: Option<u64>,
    pub pv: Vec<String>,
}

impl Info {
    /// Whether the line has a score and moves.
    pub const fn is_scored(&self) -> bool {
        self.score.is_some() && !self.pv.is_empty()
    }
}

/// Checks the format of a line.
pub fn check_line(bytes: &[u8]) -> Result<Option<Info>, String> {
    let line = std::str::from_utf8(bytes).map_err(|_| "not UTF-8")?;
    if line.contains(char::is_control) {
        return Err("control characters".into());
    }
    if line.len() >= 4096 {
        return Err("4096 bytes or more".into());
    }
    // XBoard takes these for a failed start of the engine.
    let xboard_errors = [
        "no such file",
        "permission denied",
        "not found",
        "unknown host",
        "can't alloc",
    ];
    let lower = line.to_ascii_lowercase();
    if let Some(found) = xboard_errors.iter().find(|found| lower.contains(**found)) {
        return Err(format!("the words {found}"));
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["id", "name" | "author", _, ..] | ["option", "name", _, ..] | ["uciok" | "readyok"] => {
            Ok(None)
        }
        ["bestmove", "(none)"] => Ok(None),
        ["bestmove", best] if is_move(best) => Ok(None),
        ["bestmove", best, "ponder", ponder] if is_move(best) && is_move(ponder) => Ok(None),
        ["info", "string", first, ..] if first.len() < 4 || !is_move(&first[..4]) => Ok(None),
        ["info", ref rest @ ..] if rest.first() != Some(&"string") => parse_info(rest).map(Some),
        _ => Err("not a UCI line".into()),
    }
}

fn parse_info(words: &[&str]) -> Result<Info, String> {
    let mut info = Info::default();
    let mut selective_depth = None;
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        let mut number = || -> Result<u64, String> {
            let [first, after @ ..] = rest else {
                return Err(format!("{word} without a number"));
            };
            rest = after;
            first.parse().map_err(|_| format!("{word} {first}"))
        };
        match *word {
            "depth" => info.depth = Some(number()?),
            "seldepth" => selective_depth = Some(number()?),
            "multipv" => info.multipv = Some(number()?),
            "nodes" => info.nodes = Some(number()?),
            "nps" => info.nps = Some(number()?),
            "hashfull" => info.hashfull = Some(number()?),
            "time" => info.time = Some(number()?),
            "tbhits" => info.tbhits = Some(number()?),
            "currmovenumber" => info.currmove = Some(number()?),
            "currmove" => match rest {
                [first, after @ ..] if is_move(first) => rest = after,
                _ => return Err("currmove without a move".into()),
            },
            "score" => {
                let [kind, value, after @ ..] = rest else {
                    return Err("half a score".into());
                };
                rest = after;
                let value = value.parse().map_err(|_| format!("score {value}"))?;
                info.score = Some(match *kind {
                    "cp" => Score::Centipawns(value),
                    "mate" => Score::Mate(value),
                    _ => return Err(format!("score {kind}")),
                });
                if let ["lowerbound" | "upperbound", after @ ..] = rest {
                    info.is_bound = true;
                    rest = after;
                }
                if let ["wdl", win, draw, loss, after @ ..] = rest {
                    let per_mille = |text: &str| text.parse().map_err(|_| format!("wdl {text}"));
                    info.wdl = Some([per_mille(win)?, per_mille(draw)?, per_mille(loss)?]);
                    rest = after;
                }
            }
            "pv" => {
                info.pv = rest.iter().map(|&text| text.to_owned()).collect();
                rest = &[];
            }
            other => return Err(format!("unknown word {other}")),
        }
    }
    let fault = |is: bool, what: &str| if is { Err(what.to_owned()) } else { Ok(()) };
    fault(
        info.pv.iter().any(|text| !is_move(text)),
        "a pv with words that are not moves",
    )?;
    fault(
        !info.pv.is_empty() && info.multipv.is_none(),
        "pv without multipv",
    )?;
    fault(
        selective_depth.is_some() && info.depth.is_none(),
        "seldepth without depth",
    )?;
    fault(
        info.depth.is_some_and(|depth| depth > 255),
        "depth above 255",
    )?;
    fault(
        info.depth == Some(0) && !info.pv.is_empty(),
        "depth 0 with a pv",
    )?;
    fault(info.multipv == Some(0), "multipv 0")?;
    fault(
        info.nps.is_some_and(|nps| nps >= 1 << 32),
        "nps above 32 bits",
    )?;
    fault(
        info.hashfull.is_some_and(|share| share > 1000),
        "hashfull above 1000",
    )?;
    fault(info.currmove == Some(0), "currmovenumber 0")?;
    fault(
        info.wdl.is_some_and(|wdl| wdl.iter().sum::<u64>() != 1000),
        "wdl does not sum to 1000",
    )?;
    Ok(info)
}

/// Whether a text has the form of a move in UCI notation.
pub fn is_move(text: &str) -> bool {
    let square = |s: &[u8]| (b'a'..=b'h').contains(&s[0]) && (b'1'..=b'8').contains(&s[1]);
    match text.as_bytes() {
        [from @ .., a, b] if from.len() == 2 => square(from) && square(&[*a, *b]),
        [from @ .., a, b, b'n' | b'b' | b'r' | b'q'] if from.len() == 2 => {
            square(from) && square(&[*a, *b])
        }
        _ => false,
    }
}

/// A game followed by the checker.
#[derive(Clone)]
pub struct Board {
    position: Chess,
    keys: Vec<u64>,
}

impl Board {
    /// The game given by the words after `position`, which must be valid.
    pub fn new(words: &str) -> Self {
        let (place, moves) = words.split_once("moves").unwrap_or((words, ""));
        let position = match place.trim() {
            "startpos" => Chess::default(),
            fen => {
                let fen: Fen = fen.trim_start_matches("fen ").parse().expect("a FEN");
                fen.into_position(CastlingMode::Chess960)
                    .expect("a position")
            }
        };
        let mut board = Self {
            position,
            keys: Vec::new(),
        };
        for text in moves.split_whitespace() {
            assert!(board.play(text), "{text} is illegal in {words}");
        }
        board
    }

    /// Plays a move; false if it is illegal.
    pub fn play(&mut self, text: &str) -> bool {
        let Some(next) = text
            .parse::<UciMove>()
            .ok()
            .and_then(|next| next.to_move(&self.position).ok())
        else {
            return false;
        };
        self.keys.push(self.key());
        self.position = self.position.clone().play(next).expect("a legal move");
        true
    }

    fn key(&self) -> u64 {
        self.position
            .zobrist_hash::<Zobrist64>(EnPassantMode::Legal)
            .0
    }

    pub fn is_legal(&self, text: &str) -> bool {
        self.clone().play(text)
    }

    pub fn is_checkmate(&self) -> bool {
        self.position.is_checkmate()
    }

    pub fn move_count(&self) -> usize {
        self.position.legal_moves().len()
    }

    pub fn turn(&self) -> shakmaty::Color {
        self.position.turn()
    }

    /// Whether the game is over by mate, stalemate, threefold repetition or the fifty-move rule.
    pub fn is_over(&self) -> bool {
        let occurred = self.keys.iter().filter(|&&key| key == self.key()).count();
        self.position.legal_moves().is_empty() || occurred >= 2 || self.position.halfmoves() >= 100
    }

    /// Checks that every move is legal and none follows the end of the game.
    pub fn check_variation(&self, pv: &[String]) -> Result<Self, String> {
        let mut board = self.clone();
        for (index, text) in pv.iter().enumerate() {
            if index > 0 && board.is_over() {
                return Err(format!(
                    "the variation goes on with {text} after the game has ended"
                ));
            }
            if !board.play(text) {
                return Err(format!("illegal move {text} in the variation"));
            }
        }
        Ok(board)
    }
}
