//! Endgame tables as an engine uses them.
//! Uses: tablebase, search, chess. Used by: engine.
//! Idea: folders are looked through when the settings are put into force; before a search the tables judge the root, and
//! after it they finish the lines that they prove.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::base::value::{Depth, MAX_PLY, is_decisive, is_win, moves_to_mate};
use crate::chess::{Game, Move, Position};
use crate::search::limits::Limits;
use crate::search::shared::SharedSearch;
use crate::search::syzygy;
use crate::search::worker::RootMove;
use crate::tablebase::root::{RootPosition, RootRanking};
use crate::tablebase::{Metric, Tablebases};

/// The share of a move's time that judging the root may take.
const JUDGING_SHARE: u32 = 8;
/// Judging the root takes no longer than this even without a clock.
const JUDGING_TIME: Duration = Duration::from_secs(2);
/// Finishing a line takes no longer than this where a clock runs or a stop came, since the answer waits for it.
const FINISHING_TIME: Duration = Duration::from_millis(5);
/// Nor longer than this share of a move's time: on a short clock five milliseconds are the game.
const FINISHING_SHARE: u32 = 4;
/// As long may it take where nobody is in a hurry.
const LONG_FINISHING_TIME: Duration = Duration::from_secs(1);

/// The settings of endgame tables.
pub struct Endgame {
    folders: Vec<PathBuf>,
    /// The folders have changed.
    stale: bool,
    tables: Arc<Tablebases>,
    max_pieces: u32,
    least_depth: Depth,
    fifty_move_rule: bool,
    news: Vec<String>,
}

impl Endgame {
    pub(super) fn new() -> Self {
        Self {
            folders: Vec::new(),
            stale: false,
            tables: Tablebases::embedded(),
            max_pieces: u32::MAX,
            least_depth: 1,
            fifty_move_rule: true,
            news: Vec::new(),
        }
    }

    /// Sets the folders with tables besides those of the program: several are separated as the system separates paths; a
    /// semicolon does everywhere where it is no part of a name. Naming the same folders again looks through them again.
    pub fn set_path(&mut self, path: &OsStr) {
        let parts = env::split_paths(path).flat_map(|part| match part.to_str() {
            Some(text) if text.contains(';') && !part.exists() => {
                text.split(';').map(PathBuf::from).collect()
            }
            _ => vec![part],
        });
        let folders: Vec<PathBuf> = parts.filter(|part| !part.as_os_str().is_empty()).collect();
        self.stale |= !(folders.is_empty() && self.folders.is_empty());
        self.folders = folders;
    }

    /// Sets the most men, kings included, of a position that is looked up; 0: none is.
    pub fn set_max_pieces(&mut self, men: u32) {
        self.max_pieces = men;
    }

    /// Sets the least depth in plies at which the search looks up positions with as many men as that.
    pub fn set_least_depth(&mut self, depth: Depth) {
        self.least_depth = depth;
    }

    /// Sets whether the fifty-move rule makes draws of what tables win too late.
    pub fn set_fifty_move_rule(&mut self, holds: bool) {
        self.fifty_move_rule = holds;
    }

    /// Looks through the folders, if they have changed.
    pub(super) fn prepare(&mut self) {
        if std::mem::take(&mut self.stale) {
            self.tables = if self.folders.is_empty() {
                Tablebases::embedded()
            } else {
                Arc::new(Tablebases::new(&self.folders, false))
            };
            let catalogue = self.tables.catalogue();
            self.news.push(format!(
                "Found {} WDL and {} DTZ tables, {} and {} of them in folders",
                catalogue.count(Metric::Wdl),
                catalogue.count(Metric::Dtz),
                catalogue.count_in_folders(Metric::Wdl),
                catalogue.count_in_folders(Metric::Dtz)
            ));
        }
    }

    /// What there is to tell of tables since this was asked last.
    pub fn take_news(&mut self) -> Vec<String> {
        let faults = self.tables.take_faults();
        self.news.extend(faults.iter().map(ToString::to_string));
        std::mem::take(&mut self.news)
    }

    /// What a search of this game may ask, with the tables' ranking of the root. That ends early when `stopped` says
    /// so or takes too much of the time.
    pub(super) fn for_search(
        &self,
        game: &Game,
        moves: &[Move],
        limits: &Limits,
        hard: Option<Duration>,
        stopped: &dyn Fn() -> bool,
    ) -> syzygy::Endgame {
        let mut endgame = syzygy::Endgame::new(Arc::clone(&self.tables));
        let known = self.tables.max_pieces();
        // With fewer men than the tables know every depth will do.
        endgame.least_depth = if self.max_pieces > known {
            0
        } else {
            self.least_depth
        };
        endgame.max_pieces = self.max_pieces.min(known);
        endgame.fifty_move_rule = self.fifty_move_rule;
        if game.position().occupied().count() as u32 > endgame.max_pieces {
            return endgame;
        }
        let at_most = hard.map_or(JUDGING_TIME, |hard| {
            (hard / JUDGING_SHARE).min(JUDGING_TIME)
        });
        let deadline = Instant::now().max(limits.started) + at_most;
        let late = || stopped() || Instant::now() >= deadline;
        let situation = RootPosition {
            position: game.position(),
            earlier: game.keys(),
            repetition_start: game.keys().len() - game.reversible(),
            fifty_move_rule: self.fifty_move_rule,
        };
        endgame.ranking = self.tables.rank_moves(&situation, moves, &late);
        if let Some(ranking) = &endgame.ranking {
            // Each move at the root was looked up.
            endgame.hits.store(moves.len() as u64, Ordering::Relaxed);
            if !must_ask_on(ranking) {
                endgame.max_pieces = 0;
            }
        }
        endgame
    }
}

/// Whether a search below a judged root has to ask on: with distances the moves are sifted and the search makes the best of
/// them; without, a win must be kept at each step.
fn must_ask_on(ranking: &RootRanking) -> bool {
    ranking.by == Metric::Wdl && ranking.best() > 0
}

/// Finishes a line that tables prove: cuts off what does not keep the result and goes on to mate.
pub(super) fn finish_line(job: &SharedSearch, line: &mut RootMove) {
    let Some(proven) = line.proven.filter(|&proven| is_decisive(proven)) else {
        return;
    };
    let endgame = &job.endgame;
    let known = endgame
        .ranking
        .as_ref()
        .is_some_and(|ranking| ranking.by == Metric::Dtz);
    let is_mate = moves_to_mate(line.score).is_some() && is_win(line.score) == is_win(proven);
    if !known || (is_mate && moves_to_mate(proven).is_none()) {
        return;
    }
    let time = match job.budget {
        Some(budget) => FINISHING_TIME.min(budget.hard / FINISHING_SHARE),
        None if job.signal.is_stopped(job.ticket) => FINISHING_TIME,
        None => LONG_FINISHING_TIME,
    };
    let deadline = Instant::now() + time;
    let late = || Instant::now() >= deadline;
    // Where the moves to mate are counted, the search's way may be longer than the tables'.
    let sound = if moves_to_mate(proven).is_some() {
        1
    } else {
        endgame
            .tables
            .count_sound_moves(&job.root, &line.pv, &late)
            .max(1)
    };
    line.pv.truncate(sound);
    let end: Position = line
        .pv
        .iter()
        .fold(job.root, |position, &mv| position.play(mv));
    let room = MAX_PLY - line.pv.len();
    let more = endgame
        .tables
        .best_line(&end, endgame.fifty_move_rule, room, &late);
    let _ = line.pv.try_extend_from_slice(&more);
}
