//! `genfens N seed S book B`: openings for training games, in the format of `OpenBench`. A few random moves from the start
//! position or from a book position; a short search rejects what is already decided.

use std::path::Path;
use std::sync::Arc;

use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::Value;
use crate::chess::{Game, Position, read_fen_file};
use crate::engine::{Engine, Info, Limits, Listener, Signal, Ticket};

/// Random plies from the start position; half of the openings have one more.
const PLIES: usize = 8;
/// Random plies from a book position; half of the openings have one more.
const BOOK_PLIES: usize = 2;
/// Nodes of the search that judges an opening.
const NODES: u64 = 5_000;
/// An opening with a score beyond this, in centipawns, is rejected.
const LIMIT: Value = 300;
/// Attempts at one opening before the generator gives up: a search each, some seconds in all.
const MAX_ATTEMPTS: usize = 1_000;

/// The arguments of `genfens`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenfensRequest {
    /// The number of openings.
    pub count: u64,
    /// The same seed gives the same openings.
    pub seed: u64,
    /// A file with a FEN or EPD per line; `None`: the start position.
    pub book: Option<String>,
}

impl GenfensRequest {
    /// Parses the words after `genfens`.
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
                // Match servers may add arguments of their own.
                _ => {}
            }
        }
        Ok(request)
    }
}

/// Calls `found` with each opening until there are enough or `ticket` is stopped; returns whether there are enough.
///
/// # Errors
/// A book that cannot be read or gives no balanced opening.
pub fn generate(
    request: &GenfensRequest,
    signal: &Arc<Signal>,
    ticket: Ticket,
    found: &mut dyn FnMut(&Position),
) -> Result<bool, String> {
    let starts = match &request.book {
        Some(name) => read_fen_file(Path::new(name)).map_err(|error| format!("book {error}"))?,
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
        let mut opening = None;
        for _ in 0..MAX_ATTEMPTS {
            let start = starts[random.below(starts.len())];
            let plies = plies + random.below(2);
            opening = play_random_moves(start, plies, &mut random)
                .filter(|&position| is_balanced(&mut engine, position, ticket));
            // A stopped search has no result.
            if signal.is_stopped(ticket) {
                return Ok(false);
            }
            if opening.is_some() {
                break;
            }
        }
        let opening =
            opening.ok_or_else(|| format!("no balanced opening in {MAX_ATTEMPTS} attempts"))?;
        found(&opening);
    }
    Ok(true)
}

/// Plays random moves; `None` if the game ends.
fn play_random_moves(start: Position, plies: usize, random: &mut Random) -> Option<Position> {
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

/// Whether a short search gives neither side a large advantage.
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

#[derive(Default)]
struct LastScore(Mutex<Option<Value>>);

impl Listener for LastScore {
    fn info(&self, info: &Info<'_>) {
        *self.0.lock() = Some(info.score.value());
    }
}
