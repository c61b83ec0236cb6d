//! What a verdict depends on, as the key under which it is kept, and the verdict itself as text.

use std::fmt::Write as _;
use std::io;
use std::sync::LazyLock;

use super::reasons::Reasons;
use super::verdict::{ReviewLimit, Verdict};
use crate::base::random::mix;
use crate::chess::{Game, Move, Position};
use crate::eval::BUILT_IN;
use crate::lab::train::header::METHOD;

/// Keeps texts by key for later runs; several threads use one.
pub trait VerdictStore: Sync {
    fn get(&self, key: &str) -> Option<String>;
    /// Faults are kept and reported by [`Self::finish`].
    fn put(&self, key: String, value: String);
    /// Writes what is not yet written.
    ///
    /// # Errors
    /// The first fault of any write.
    fn finish(&self) -> io::Result<()>;
}

/// The first word of the keys of verdicts, of verdicts with knowledge of the next moves of the game, and of the reasons why
/// a move is a mistake.
pub const VERDICT: &str = "verdict";
pub const FOLLOWED: &str = "followed";
pub const REASONS: &str = "reasons";
/// Raised when reviews judge moves or find reasons in another way.
const REVIEW: u32 = 12;
/// What separates the fields of keys and values.
pub const SEPARATOR: char = '\t';

/// A number that changes with any of these.
fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, |sum, number| mix(sum ^ mix(number)))
}

/// The digest of the weights of the evaluation.
static WEIGHTS: LazyLock<u64> = LazyLock::new(|| {
    let weights = BUILT_IN.weights().0.iter();
    let parts = weights.flat_map(|weight| weight.0);
    digest(parts.map(|part| part as u64))
});

/// Stands in a key for the move of a position without one.
const NO_MOVE: &str = "-";

/// The key of a kind of text on a move: kind, version and method, weights, limit, FEN, repeatable positions, the move and
/// those after it that the text depends on.
pub fn key(kind: &str, game: &Game, moves: &[Move], limit: ReviewLimit) -> String {
    let limit = match limit {
        ReviewLimit::Nodes(nodes) => format!("nodes {nodes}"),
        ReviewLimit::Depth(depth) => format!("depth {depth}"),
        ReviewLimit::MoveTime(milliseconds) => format!("movetime {milliseconds}"),
    };
    let start = game.keys().len() - game.reversible();
    let earlier = digest(game.keys()[start..].iter().copied());
    let names: Vec<String> = moves.iter().map(|mv| mv.uci(true).to_string()).collect();
    let names = if names.is_empty() {
        NO_MOVE.into()
    } else {
        names.join(" ")
    };
    [
        kind,
        &format!("{} method {METHOD}.{REVIEW}", env!("CARGO_PKG_VERSION")),
        &format!("{:016x}", *WEIGHTS),
        &limit,
        &game.position().to_fen(),
        &format!("{earlier:016x}"),
        &names,
    ]
    .join("\t")
}

impl Verdict {
    /// A line of text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\t{}\t", self.best_score, self.played_score);
        if let Some([first, second]) = self.second {
            let _ = write!(text, "{first} {second}");
        }
        let _ = write!(text, "\t{}\t{}", self.depth, self.nodes);
        for line in [&self.best_line, &self.played_line, &self.accepted_line] {
            let moves: Vec<String> = line.iter().map(|mv| mv.uci(true).to_string()).collect();
            let _ = write!(text, "\t{}", moves.join(" "));
        }
        text
    }

    /// Reads such a line; `None` if it is damaged.
    pub fn from_text(root: &Position, text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(SEPARATOR).collect();
        let [
            best,
            played,
            second,
            depth,
            nodes,
            best_line,
            played_line,
            accepted_line,
        ] = fields[..]
        else {
            return None;
        };
        let second = match second.split_once(' ') {
            None if second.is_empty() => None,
            pair => {
                let (first, second) = pair?;
                Some([first.parse().ok()?, second.parse().ok()?])
            }
        };
        let best_line = line(root, best_line)?;
        Some(Self {
            best: *best_line.first()?,
            best_score: best.parse().ok()?,
            played_score: played.parse().ok()?,
            second,
            best_line,
            played_line: line(root, played_line)?,
            accepted_line: line(root, accepted_line)?,
            depth: depth.parse().ok()?,
            nodes: nodes.parse().ok()?,
        })
    }
}

/// The moves of a text, if they are legal.
fn line(root: &Position, text: &str) -> Option<Vec<Move>> {
    let mut position = *root;
    let mut moves = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mv = position.parse_move(word).ok()?;
        position = position.play(mv);
        moves.push(mv);
    }
    Some(moves)
}

/// Checks that an entry can be read.
///
/// # Errors
/// What is wrong with it.
pub fn check(key: &str, value: &str) -> Result<(), String> {
    let fields: Vec<&str> = key.split(SEPARATOR).collect();
    let [kind, _, _, _, fen, _, moves] = fields[..] else {
        return Err(format!("{} fields in the key, 7 expected", fields.len()));
    };
    let root = Position::from_fen(fen).map_err(|error| error.to_string())?;
    if moves != NO_MOVE && line(&root, moves).is_none_or(|line| line.is_empty()) {
        return Err(format!("the moves {moves:?} are not legal"));
    }
    match kind {
        REASONS => match Reasons::from_text(value) {
            Some(_) => Ok(()),
            None => Err(format!("the reasons {value:?} cannot be read")),
        },
        VERDICT | FOLLOWED => match Verdict::from_text(&root, value) {
            Some(_) => Ok(()),
            None => Err(format!("the verdict {value:?} cannot be read")),
        },
        other => Err(format!("unknown kind {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_read_back() {
        let game = Game::new(Position::startpos());
        let line = |text: &str| super::line(game.position(), text).expect("legal moves");
        let mut verdict = Verdict {
            best: line("e2e4")[0],
            best_score: 31,
            played_score: -12,
            second: None,
            best_line: line("e2e4 e7e5"),
            played_line: line("g2g4"),
            accepted_line: line("g2g4 e7e5"),
            depth: 9,
            nodes: 20_000,
        };
        for second in [None, Some([30, -4])] {
            verdict.second = second;
            let text = verdict.to_text();
            assert_eq!(
                Verdict::from_text(game.position(), &text),
                Some(verdict.clone())
            );
            let key = key(VERDICT, &game, &[verdict.best], ReviewLimit::Nodes(20_000));
            assert_eq!(check(&key, &text), Ok(()));
            assert!(check(&key, "x").is_err() && check("x", &text).is_err());
        }
    }

    #[test]
    fn keys_differ_by_history_limit_and_move() {
        let mut game = Game::new(Position::startpos());
        let mv = game.position().parse_move("g1f3").expect("a legal move");
        let first = key(VERDICT, &game, &[mv], ReviewLimit::Depth(9));
        assert_ne!(first, key(VERDICT, &game, &[mv], ReviewLimit::Depth(8)));
        assert_ne!(first, key(REASONS, &game, &[mv], ReviewLimit::Depth(9)));
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            game.play_uci(uci).expect("a legal move");
        }
        assert_ne!(first, key(VERDICT, &game, &[mv], ReviewLimit::Depth(9)));
    }
}
