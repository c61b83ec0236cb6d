//! Books from games.
//!
//! One thread reads the text, the others play the games and count; the merged counts become weights. With the default
//! options a book has the positions, moves and weights of Fabien Letouzey's Polyglot.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crossbeam_channel as channel;
use thiserror::Error;

use super::counts::{MoveCount, MoveCounter, Run, merge};
use super::pgn::{self, Batch, Issues, ReadOptions, Step};
use crate::base::progress::Progress;
use crate::book::entry;
use crate::book::entry::{BookEntry, encode_move};
use crate::chess::Color;

/// How a book is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// A move must occur in at least this many games.
    pub min_games: u32,
    /// The least score of a move, from 0 (all lost) to 1 (all won).
    pub min_score: f64,
    /// Plies of each game that count.
    pub max_ply: usize,
    /// What a won, drawn and lost game of the mover adds to the weight of a move.
    pub points: [u32; 3],
    /// All moves get the same weight.
    pub uniform: bool,
    /// Only moves of this side.
    pub only: Option<Color>,
    pub threads: usize,
    /// Bytes of memory for the counts of all threads together.
    pub memory: usize,
    /// Folder of temporary files, for counts that do not fit into memory.
    pub folder: PathBuf,
}

/// The result of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildSummary {
    /// Games counted.
    pub games: u64,
    /// Games and files that were skipped.
    pub skipped: Issues,
    /// Positions and moves in the games.
    pub seen: (u64, u64),
    /// Positions and moves in the book.
    pub kept: (u64, u64),
}

/// Why a book could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A PGN file cannot be read.
    #[error("{}: {error}", path.display())]
    Games { path: PathBuf, error: io::Error },
    /// Counts or the book cannot be written.
    #[error("{0}")]
    Output(#[from] io::Error),
}

/// Reads PGN files and writes a book; `games` counts the games played so far.
///
/// # Errors
/// [`BuildError`] if a file cannot be read or written. Unusable games are skipped and reported in the summary.
pub fn build(
    files: &[PathBuf],
    options: &BuildOptions,
    games: &AtomicU64,
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
    let (runs, skipped) = count(files, options, games, progress)?;
    progress.finish();
    let mut summary = BuildSummary {
        games: games.load(Ordering::Relaxed),
        skipped,
        ..BuildSummary::default()
    };
    merge(runs, |moves| {
        let mut entries = to_entries(moves, options);
        summary.seen.0 += 1;
        summary.seen.1 += moves.len() as u64;
        summary.kept.0 += u64::from(!entries.is_empty());
        summary.kept.1 += entries.len() as u64;
        entry::write(&mut entries, out)
    })?;
    Ok(summary)
}

/// Counts the moves of all games; returns sorted runs of counts.
fn count(
    files: &[PathBuf],
    options: &BuildOptions,
    games: &AtomicU64,
    progress: &dyn Progress,
) -> Result<(Vec<Run>, Issues), BuildError> {
    let threads = options.threads.max(1);
    let (batches, queue) = channel::bounded::<Batch>(2 * threads);
    let failed = AtomicBool::new(false);
    let mut skipped = Issues::default();
    let (read, workers) = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (queue, failed) = (queue.clone(), &failed);
                let counter = MoveCounter::new(options.memory / threads, options.folder.clone());
                scope.spawn(move || {
                    let done = work(&queue, counter, options, games);
                    if done.is_err() {
                        failed.store(true, Ordering::Relaxed);
                        // The reader must not block on a full queue.
                        queue.iter().for_each(drop);
                    }
                    done
                })
            })
            .collect();
        drop(queue);
        let read_options = ReadOptions {
            max_ply: options.max_ply,
            names: false,
            scores: false,
        };
        let mut send = |batch| {
            if failed.load(Ordering::Relaxed) || batches.send(batch).is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let read = files.iter().try_for_each(|path| {
            pgn::read_file(path, read_options, progress, &mut skipped, &mut send).map_err(|error| {
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
        let panicked = |_| io::Error::other("a thread that counts games panicked");
        let (some, more) = worker.map_err(panicked)??;
        runs.extend(some);
        skipped.merge(more);
    }
    Ok((runs, skipped))
}

/// The work of one thread: plays the games of the batches and counts their moves.
fn work(
    queue: &channel::Receiver<Batch>,
    mut counter: MoveCounter,
    options: &BuildOptions,
    games: &AtomicU64,
) -> io::Result<(Vec<Run>, Issues)> {
    let mut skipped = Issues::default();
    // The mover, the book key and the move.
    let mut plies: Vec<(Color, u64, u16)> = Vec::new();
    let mut counts: Vec<MoveCount> = Vec::new();
    for batch in queue {
        let mut counted = 0;
        counts.clear();
        for game in &batch.games {
            plies.clear();
            let played = batch.play(game, |step| {
                if let Step::Move(at, mv) = step {
                    let mover = at.position().turn();
                    if options.only.is_none_or(|only| only == mover) {
                        plies.push((mover, at.book_key(), encode_move(mv)));
                    }
                }
            });
            let winner = match played {
                Ok(info) => info.winner(),
                Err(reason) => {
                    skipped.add(|| reason);
                    continue;
                }
            };
            counted += 1;
            counts.extend(plies.iter().map(|&(mover, key, raw_move)| {
                let (wins, draws) = (winner == Some(mover), winner.is_none());
                let games = [wins, draws, !wins && !draws].map(u32::from);
                MoveCount {
                    key,
                    games,
                    raw_move,
                }
            }));
        }
        counter.extend(&counts)?;
        games.fetch_add(counted, Ordering::Relaxed);
    }
    Ok((counter.finish(), skipped))
}

/// The moves of a position that the options keep, with their weights, scaled down to 65535 where one is greater.
fn to_entries(moves: &[MoveCount], options: &BuildOptions) -> Vec<BookEntry> {
    let points = |count: &MoveCount| -> u64 {
        let products = count.games.iter().zip(options.points);
        products
            .map(|(&games, points)| u64::from(games) * u64::from(points))
            .sum()
    };
    let is_kept = |count: &&MoveCount| {
        let [won, drawn, lost] = count.games.map(f64::from);
        let games = won + drawn + lost;
        games >= f64::from(options.min_games)
            && (won + drawn / 2.0) / games >= options.min_score
            && points(count) > 0
    };
    let greatest = moves.iter().filter(is_kept).map(points).max().unwrap_or(1);
    let limit = u64::from(u16::MAX);
    let weight = |points: u64| {
        if options.uniform {
            1
        } else if greatest > limit {
            (u128::from(points) * u128::from(limit) / u128::from(greatest)).max(1) as u16
        } else {
            points as u16
        }
    };
    let entry = |count: &MoveCount| BookEntry {
        key: count.key,
        raw_move: count.raw_move,
        weight: weight(points(count)),
        learn: 0,
    };
    moves.iter().filter(is_kept).map(entry).collect()
}
