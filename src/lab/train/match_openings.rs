//! Openings for matches: repertoire lines cut short, two random moves, and a score within a window.
//!
//! A line of theory gives a sound structure, the random moves give a large number of openings, and a search keeps those
//! that are as balanced, or as unbalanced, as wanted.

use std::collections::HashSet;
use std::io;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::Value;
use crate::chess::{Game, Position, San};
use crate::eval;
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

/// The opening repertoire.
const LINES: &str = include_str!("../../../books/repertoire.pgn");
/// Minimum plies of a line.
const MIN_PLIES: usize = 6;
/// Random plies after the line.
const RANDOM_PLIES: usize = 2;
/// Tries per round for each opening still missing.
const TRIES: u64 = 3;
/// The generator gives up after this many consecutive tries without an opening.
const MAX_FAILURES: u64 = 20_000;
/// Mebibytes of the TT of each searcher.
const HASH: usize = 1;

/// Which openings are wanted.
#[derive(Clone, Debug)]
pub struct OpeningOptions {
    pub count: usize,
    /// The same seed gives the same openings in the same order.
    pub seed: u64,
    /// Soft node limit of the search that scores an opening.
    pub nodes: u64,
    /// Range of the normalised score of the side that is ahead, in centipawns.
    pub window: RangeInclusive<Value>,
}

/// The distinct positions of the repertoire's lines that Lucena plays, from `MIN_PLIES` on, in the order of the file.
pub fn repertoire_positions() -> &'static [Position] {
    static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(read_repertoire);
    &POSITIONS
}

fn read_repertoire() -> Vec<Position> {
    let (mut repertoire_positions, mut known) = (Vec::new(), HashSet::new());
    let mut is_excluded = false;
    for block in LINES.split("\n\n") {
        if block.starts_with('[') {
            is_excluded = block.contains("[Play \"no\"]");
            continue;
        }
        if is_excluded {
            continue;
        }
        let mut position = Position::startpos();
        let words = block.split_ascii_whitespace();
        for (ply, word) in (1..).zip(words.filter(|word| !word.ends_with(['.', '*']))) {
            let plain = word.trim_end_matches(['+', '#']);
            let san = San::from_ascii(plain.as_bytes()).ok();
            let Some(mv) = san.and_then(|san| position.find_san(san)) else {
                break;
            };
            position = position.play(mv);
            if ply >= MIN_PLIES && known.insert(position.key()) {
                repertoire_positions.push(position);
            }
        }
    }
    repertoire_positions
}

/// Finds distinct openings: as many as wanted, or fewer if `MAX_FAILURES` consecutive tries find none.
///
/// # Errors
/// [`io::Error`] if memory for a searcher cannot be allocated.
pub fn generate(options: &OpeningOptions, progress: &dyn Progress) -> io::Result<Vec<Position>> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let (mut next, mut last_find) = (0, 0);
    progress.start(options.count as u64);
    while found.len() < options.count && next < last_find + MAX_FAILURES {
        let tries = ((options.count - found.len()) as u64 * TRIES).clamp(64, 4096);
        let searchers = Mutex::new(Vec::new());
        let tried = (next..next + tries).into_par_iter().map(|number| {
            let mut random = Random::new(options.seed, number);
            let idle = searchers.lock().pop();
            let mut searcher = idle.map_or_else(|| LocalSearcher::new(HASH), Ok)?;
            let found = try_opening(&mut random, &mut searcher, options.nodes, &options.window);
            searchers.lock().push(searcher);
            Ok(found)
        });
        let tried: Vec<Option<Position>> = tried.collect::<io::Result<_>>()?;
        let before = found.len();
        found.extend(
            tried
                .into_iter()
                .flatten()
                .filter(|position| known.insert(position.key())),
        );
        found.truncate(options.count);
        progress.advance((found.len() - before) as u64);
        next += tries;
        if found.len() > before {
            last_find = next;
        }
    }
    progress.finish();
    Ok(found)
}

/// One try: `None` if the game is over or the score is outside the window.
pub fn try_opening(
    random: &mut Random,
    searcher: &mut LocalSearcher,
    nodes: u64,
    window: &RangeInclusive<Value>,
) -> Option<Position> {
    let position = repertoire_opening(random)?;
    let score = score(searcher, position, nodes)?;
    window.contains(&score.abs()).then_some(position)
}

/// A position of the repertoire after the random moves, unless the side to move is in check or the game is over.
pub(super) fn repertoire_opening(random: &mut Random) -> Option<Position> {
    let starts = repertoire_positions();
    let mut position = starts[random.below(starts.len())];
    for _ in 0..RANDOM_PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    (position.has_legal_move() && !position.in_check()).then_some(position)
}

/// The normalised score, as UCI reports it.
fn score(searcher: &mut LocalSearcher, position: Position, nodes: u64) -> Option<Value> {
    searcher.new_game();
    let limits = Limits {
        soft_nodes: Some(nodes),
        ..Limits::none()
    };
    let found = searcher.search(&Game::new(position), limits)?;
    Some(eval::normalise(
        found.score,
        eval::material_count(&position),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        assert!(
            repertoire_positions().len() > 5_000,
            "{}",
            repertoire_positions().len()
        );
        let options = |seed| OpeningOptions {
            count: 20,
            seed,
            nodes: 200,
            window: 0..=60,
        };
        let made = |seed| generate(&options(seed), &()).expect("memory");
        let fens = |openings: &[Position]| -> Vec<String> {
            openings.iter().map(Position::to_fen).collect()
        };
        let first = fens(&made(1));
        assert_eq!(first.len(), 20);
        assert_eq!(first, fens(&made(1)));
        assert_ne!(first, fens(&made(2)));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 20);
    }
}
