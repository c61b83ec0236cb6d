//! Books from games.
//! Uses: pgn, counts, entry, writer, chess, progress. Used by: cli.
//! Idea: one thread reads text, the others play the games and count, and a last pass over the sorted counts keeps, weighs
//! and writes. With the defaults a book has the positions, moves and weights that Fabien Letouzey's Polyglot gives it.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crossbeam::channel;
use thiserror::Error;

use super::counts::{Count, Counter, Run, merge};
use super::pgn::{self, Batch, Issues, Reading};
use crate::base::progress::Progress;
use crate::book::entry;
use crate::book::entry::{BookEntry, encode_move};
use crate::chess::Color;

/// What a book is made of.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// A move must stand in at least this many games.
    pub min_games: u32,
    /// A move must score at least this much, from 0 (all lost) to 1 (all won).
    pub min_score: f64,
    /// Plies of each game that count.
    pub max_ply: usize,
    /// What a game that the mover won, drew and lost adds to the weight of its move.
    pub points: [u32; 3],
    /// All moves that are kept weigh the same.
    pub uniform: bool,
    /// Only moves of this side.
    pub only: Option<Color>,
    /// Threads that play games.
    pub threads: usize,
    /// Bytes of memory for counts, all threads together.
    pub memory: usize,
    /// Where counts go that memory does not hold.
    pub folder: PathBuf,
}

/// What has been done so far, for whoever watches.
#[derive(Debug, Default)]
pub struct Tally {
    /// Games counted.
    pub games: AtomicU64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct BuildSummary {
    /// Games counted.
    pub games: u64,
    /// Games and files that could not be used.
    pub faults: Issues,
    /// Positions and moves seen.
    pub seen: (u64, u64),
    /// Positions and moves in the book.
    pub kept: (u64, u64),
}

/// Why no book was built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file of games cannot be read.
    #[error("{}: {error}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Counts or the book itself could not be written.
    #[error("{0}")]
    Output(#[from] io::Error),
}

/// Reads the games of all files and writes a book.
///
/// # Errors
/// [`BuildError`] if a file cannot be read or something cannot be written. Games with faults are no error.
pub fn build(
    files: &[PathBuf],
    recipe: &BuildOptions,
    tally: &Tally,
    progress: &dyn Progress,
    out: &mut impl Write,
) -> Result<BuildSummary, BuildError> {
    let mut bytes = 0;
    for path in files {
        let length = fs::metadata(path).map(|metadata| metadata.len());
        bytes += length.map_err(|error| BuildError::Games {
            path: path.clone(),
            error,
        })?;
    }
    progress.start(bytes);
    let (runs, faults) = count(files, recipe, tally, progress)?;
    progress.finish();
    let mut built = BuildSummary {
        games: tally.games.load(Ordering::Relaxed),
        faults,
        ..BuildSummary::default()
    };
    merge(runs, |moves| {
        let mut entries = weighed(moves, recipe);
        built.seen.0 += 1;
        built.seen.1 += moves.len() as u64;
        built.kept.0 += u64::from(!entries.is_empty());
        built.kept.1 += entries.len() as u64;
        entry::write(&mut entries, out)
    })?;
    Ok(built)
}

/// Counts the moves of all games.
fn count(
    files: &[PathBuf],
    recipe: &BuildOptions,
    tally: &Tally,
    progress: &dyn Progress,
) -> Result<(Vec<Run>, Issues), BuildError> {
    let threads = recipe.threads.max(1);
    let (batches, queue) = channel::bounded::<Batch>(2 * threads);
    let broken = AtomicBool::new(false);
    let mut faults = Issues::default();
    let (read, workers) = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (queue, broken) = (queue.clone(), &broken);
                let counter = Counter::new(recipe.memory / threads, recipe.folder.clone());
                scope.spawn(move || {
                    let done = work(&queue, counter, recipe, tally);
                    if done.is_err() {
                        broken.store(true, Ordering::Relaxed);
                        // Whoever reads must not wait for a thread that is gone.
                        queue.iter().for_each(drop);
                    }
                    done
                })
            })
            .collect();
        drop(queue);
        let reading = Reading {
            max_ply: recipe.max_ply,
            names: false,
        };
        let mut hand_on = |batch| {
            if broken.load(Ordering::Relaxed) || batches.send(batch).is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let read = files.iter().try_for_each(|path| {
            pgn::read_file(path, reading, progress, &mut faults, &mut hand_on).map_err(|error| {
                BuildError::Games {
                    path: path.clone(),
                    error,
                }
            })
        });
        drop(batches);
        let workers: Vec<_> = workers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        (read, workers)
    });
    read?;
    let mut runs = Vec::new();
    for worker in workers {
        let gone = |_| io::Error::other("a thread that counts games has failed");
        let (some, more) = worker.map_err(gone)??;
        runs.extend(some);
        faults.add(more);
    }
    Ok((runs, faults))
}

/// One thread's work: plays the games of the batches and counts their moves.
fn work(
    queue: &channel::Receiver<Batch>,
    mut counter: Counter,
    recipe: &BuildOptions,
    tally: &Tally,
) -> io::Result<(Vec<Run>, Issues)> {
    let mut faults = Issues::default();
    let mut counts: Vec<Count> = Vec::new();
    for batch in queue {
        let mut good = 0;
        counts.clear();
        for game in &batch.games {
            let start = counts.len();
            let played = batch.play(game, |at, mv| {
                let mover = at.position().turn();
                if recipe.only.is_some_and(|only| only != mover) {
                    return;
                }
                let mut games = [0; 3];
                games[match game.winner {
                    Some(winner) if winner == mover => 0,
                    None => 1,
                    Some(_) => 2,
                }] = 1;
                counts.push(Count {
                    key: at.book_key(),
                    games,
                    raw_move: encode_move(mv),
                });
            });
            match played {
                Ok(()) => good += 1,
                Err(fault) => {
                    counts.truncate(start);
                    faults.note(|| fault);
                }
            }
        }
        counter.extend(&counts)?;
        tally.games.fetch_add(good, Ordering::Relaxed);
    }
    Ok((counter.finish(), faults))
}

/// The moves of a position that the recipe keeps, with their weights, the greatest brought below 65536.
fn weighed(moves: &[Count], recipe: &BuildOptions) -> Vec<BookEntry> {
    let points = |count: &Count| -> u64 {
        let products = count.games.iter().zip(recipe.points);
        products
            .map(|(&games, points)| u64::from(games) * u64::from(points))
            .sum()
    };
    let is_kept = |count: &&Count| {
        let [won, drawn, lost] = count.games.map(f64::from);
        let games = won + drawn + lost;
        games >= f64::from(recipe.min_games)
            && (won + drawn / 2.0) / games >= recipe.min_score
            && points(count) > 0
    };
    let greatest = moves.iter().filter(is_kept).map(points).max().unwrap_or(1);
    let most = u64::from(u16::MAX);
    let weight = |points: u64| {
        if recipe.uniform {
            1
        } else if greatest > most {
            (u128::from(points) * u128::from(most) / u128::from(greatest)).max(1) as u16
        } else {
            points as u16
        }
    };
    let entry = |count: &Count| BookEntry {
        key: count.key,
        raw_move: count.raw_move,
        weight: weight(points(count)),
        learn: 0,
    };
    moves.iter().filter(is_kept).map(entry).collect()
}
