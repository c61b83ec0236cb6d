//! `genfens N seed S book B`: openings for games that teach, as `OpenBench` asks for them.
//! Uses: engine, learn (openings, random), chess. Used by: controller.
//! Idea: a few random moves from the first position or one of a book; a short search throws out what is already decided.

use std::path::Path;
use std::sync::Arc;

use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::Value;
use crate::chess::{Game, Position};
use crate::engine::{Engine, Info, Limits, Listener, Signal, Ticket};
use crate::lab::train::match_openings::read_file;

/// Random plies from the first position, or one more.
const PLIES: usize = 8;
/// Random plies from a position of a book, or one more.
const BOOK_PLIES: usize = 2;
/// Nodes by which an opening is judged.
const NODES: u64 = 5_000;
/// Beyond this score in centipawns it is refused.
const LIMIT: Value = 300;

/// What a `genfens` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// How many openings.
    pub count: u64,
    /// The seed: the same one gives the same openings.
    pub seed: u64,
    /// A file with a FEN or EPD on each line; `None`: the first position.
    pub book: Option<String>,
}

impl Request {
    /// Reads the words after `genfens`; the error says what was expected.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn parse(words: &[String]) -> Result<Self, (&'static str, String)> {
        let mut request = Self::default();
        let number = |word: Option<&String>, what| {
            let word = word.map_or("nothing", String::as_str);
            word.parse().map_err(|_| (what, word.to_owned()))
        };
        request.count = number(words.first(), "a number of openings")?;
        let mut rest = words.get(1..).unwrap_or_default();
        while let [word, after @ ..] = rest {
            rest = after;
            match word.as_str() {
                "seed" => request.seed = number(after.first(), "a seed")?,
                "book" => request.book = after.first().filter(|name| *name != "None").cloned(),
                // Whatever else a test may carry is its own affair.
                _ => {}
            }
        }
        Ok(request)
    }
}

/// Finds the openings and tells each as it is found, until all are or `ticket` is stopped.
///
/// # Errors
/// Why the book cannot be read.
pub fn generate(
    request: &Request,
    signal: &Arc<Signal>,
    ticket: Ticket,
    tell: &mut dyn FnMut(&Position),
) -> Result<(), String> {
    let starts = match &request.book {
        Some(name) => read_file(Path::new(name)).map_err(|error| format!("book {error}"))?,
        None => vec![Position::startpos()],
    };
    let plies = if request.book.is_some() {
        BOOK_PLIES
    } else {
        PLIES
    };
    let mut engine = Engine::with_signal(Arc::clone(signal));
    engine.set_hash(1);
    for number in 0..request.count {
        let mut random = Random::new(request.seed, number);
        let opening = loop {
            let start = starts[random.below(starts.len())];
            let plies = plies + random.below(2);
            let walked = walk(start, plies, &mut random);
            let found = walked.filter(|&position| is_balanced(&mut engine, position, ticket));
            // A search that was stopped has judged nothing.
            if signal.is_stopped(ticket) {
                return Ok(());
            }
            if let Some(position) = found {
                break position;
            }
        };
        tell(&opening);
    }
    Ok(())
}

/// A position so many random moves on, in a game that is not over.
fn walk(start: Position, plies: usize, random: &mut Random) -> Option<Position> {
    let mut position = start;
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position.has_legal_move().then_some(position)
}

/// Whether a short search finds neither side far ahead.
fn is_balanced(engine: &mut Engine, position: Position, ticket: Ticket) -> bool {
    engine.new_game();
    let score = Arc::new(LastScore::default());
    let listener: Arc<dyn Listener> = Arc::<LastScore>::clone(&score);
    engine.go(
        &Game::new(position),
        Limits::nodes(NODES),
        ticket,
        &listener,
    );
    score.0.lock().is_some_and(|score| score.abs() <= LIMIT)
}

/// Keeps the newest score.
#[derive(Default)]
struct LastScore(Mutex<Option<Value>>);

impl Listener for LastScore {
    fn info(&self, info: &Info<'_>) {
        *self.0.lock() = Some(info.score.value());
    }
}
