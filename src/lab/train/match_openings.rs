//! Openings for matches: lines of the repertoire cut short, two random moves, and a score within a window.
//! Uses: search (searcher), chess, random; rayon, thiserror. Used by: spsa, cli, uci (genfens).
//! Idea: a line of theory cut anywhere gives sound structures, the random moves after it give more of them than anybody can
//! prepare, and a search keeps those that are as level, or as unequal, as the match wants.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rayon::prelude::*;
use thiserror::Error;

use crate::base::progress::Progress;
use crate::base::random::Random;
use crate::base::sync::Mutex;
use crate::base::value::Value;
use crate::chess::{Game, Position, San};
use crate::eval;
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

/// The repertoire, of which the lines are cut.
const LINES: &str = include_str!("../../../books/repertoire.pgn");
/// Plies of a line that are kept at least.
const MIN_PLIES: usize = 6;
/// Random plies after it.
const RANDOM_PLIES: usize = 2;
/// How many tries are made at a time for each opening that is still wanted.
const TRIES: u64 = 3;
/// After so many tries without an opening there is none to be had.
const PATIENCE: u64 = 20_000;
/// The size of each searcher's table in mebibytes.
const HASH: usize = 1;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct OpeningOptions {
    /// How many openings.
    pub count: usize,
    /// The seed: the same one gives the same openings in the same order.
    pub seed: u64,
    /// Nodes after which a search begins no new iteration.
    pub nodes: u64,
    /// The score, of the side that is ahead, in hundredths as the protocol shows them.
    pub window: RangeInclusive<Value>,
}

/// The positions along the lines that are played, each but once, from `MIN_PLIES` on, in the order of the file.
#[must_use]
pub fn repertoire_positions() -> Vec<Position> {
    let (mut repertoire_positions, mut known) = (Vec::new(), HashSet::new());
    let mut is_kept_out = false;
    for block in LINES.split("\n\n") {
        if block.starts_with('[') {
            is_kept_out = block.contains("[Play \"no\"]");
            continue;
        }
        if is_kept_out {
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

/// Finds openings, all different, until there are enough of them, or `PATIENCE` tries on end find none.
///
/// # Errors
/// What the system said when it would not give memory.
pub fn generate(options: &OpeningOptions, progress: &dyn Progress) -> io::Result<Vec<Position>> {
    let repertoire_positions = repertoire_positions();
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let (mut next, mut last_find) = (0, 0);
    progress.start(options.count as u64);
    while found.len() < options.count && next < last_find + PATIENCE {
        let tries = ((options.count - found.len()) as u64 * TRIES).clamp(64, 4096);
        let searchers = Mutex::new(Vec::new());
        let tried = (next..next + tries).into_par_iter().map(|number| {
            let mut random = Random::new(options.seed, number);
            let idle = searchers.lock().pop();
            let mut searcher = idle.map_or_else(|| LocalSearcher::new(HASH), Ok)?;
            let found = try_opening(
                &repertoire_positions,
                &mut random,
                &mut searcher,
                options.nodes,
                &options.window,
            );
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

/// Tries to find an opening: `None` where the game is over, or the score not within the window.
pub fn try_opening(
    repertoire_positions: &[Position],
    random: &mut Random,
    searcher: &mut LocalSearcher,
    nodes: u64,
    window: &RangeInclusive<Value>,
) -> Option<Position> {
    let position = walk(
        repertoire_positions[random.below(repertoire_positions.len())],
        random,
    )?;
    let score = score(searcher, position, nodes)?;
    window.contains(&score.abs()).then_some(position)
}

/// Why a file of openings is none.
#[derive(Debug, Error)]
pub enum OpeningsFileError {
    /// The system refused.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// There are no positions.
    #[error("{0}: no line is a FEN or an EPD")]
    Empty(PathBuf),
}

/// The positions of a file: of each line that is a FEN or an EPD; there is one at least.
///
/// # Errors
/// [`OpeningsFileError`] if it cannot be read or there is none.
pub fn read_file(path: &Path) -> Result<Vec<Position>, OpeningsFileError> {
    let failed = |error| OpeningsFileError::Io(path.to_owned(), error);
    // Opening a pipe would wait for whoever writes into it.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("not a regular file")));
    }
    let text = fs::read(path).map_err(failed)?;
    let text = String::from_utf8_lossy(&text);
    let read = |line: &str| {
        // An EPD has its operations where a FEN has its clocks.
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let short = words.get(..4)?.join(" ");
        Position::from_fen(line)
            .or_else(|_| Position::from_fen(&short))
            .ok()
    };
    let positions: Vec<Position> = text.lines().filter_map(read).collect();
    if positions.is_empty() {
        return Err(OpeningsFileError::Empty(path.to_owned()));
    }
    Ok(positions)
}

/// The position some random moves on, if neither side is in check and the game goes on.
fn walk(start: Position, random: &mut Random) -> Option<Position> {
    let mut position = start;
    for _ in 0..RANDOM_PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    (position.has_legal_move() && !position.in_check()).then_some(position)
}

/// The score as the protocol shows it.
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
