//! The engine's tablebases: their folders, the ranking of root moves before a search, and the extension of proven lines
//! after it.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;

use crate::base::clock::Instant;
use crate::base::value::{Depth, MAX_PLY, is_decisive, is_win, moves_to_mate};
use crate::chess::{Game, Move, Position};
use crate::search::limits::Limits;
use crate::search::root::RootMove;
use crate::search::shared::SharedSearch;
use crate::search::syzygy;
use crate::tablebase::root::{RootPosition, RootRanking};
use crate::tablebase::{Metric, Tablebases, Wdl};

/// Ranking the root moves may take this share of a move's time, and never longer than [`RANKING_TIME`].
const RANKING_SHARE: u32 = 8;
const RANKING_TIME: Duration = Duration::from_secs(2);
/// Extending won lines delays the answer: with a clock it may take this long, or [`EXTENDING_SHARE`] of a move's time if that
/// is less; with a fixed time for the move it ends [`EXTENDING_RESERVE`] before that.
const EXTENDING_TIME: Duration = Duration::from_millis(5);
const EXTENDING_SHARE: u32 = 4;
const EXTENDING_RESERVE: Duration = Duration::from_millis(2);
/// The same in an analysis without a time limit.
const LONG_EXTENDING_TIME: Duration = Duration::from_secs(1);

/// The settings of the tablebases.
#[derive(Debug)]
pub struct TablebaseOptions {
    folders: Vec<PathBuf>,
    folders_changed: bool,
    /// Whether scores in the TT may come from other tables or from the other setting of the fifty-move rule.
    scores_changed: bool,
    tables: Arc<Tablebases>,
    max_pieces: u32,
    min_depth: Depth,
    fifty_move_rule: bool,
    messages: Vec<String>,
}

impl TablebaseOptions {
    pub(super) fn new() -> Self {
        Self {
            folders: Vec::new(),
            folders_changed: false,
            scores_changed: false,
            tables: Tablebases::embedded(),
            max_pieces: u32::MAX,
            min_depth: 1,
            fifty_move_rule: true,
            messages: Vec::new(),
        }
    }

    /// Sets the folders with tables besides the embedded ones, separated as in `PATH`, or by semicolons on every system.
    /// Setting the same folders again reads them again.
    pub fn set_path(&mut self, path: &OsStr) {
        let parts = env::split_paths(path).flat_map(|part| match part.to_str() {
            Some(text) if text.contains(';') && !part.exists() => {
                text.split(';').map(PathBuf::from).collect()
            }
            _ => vec![part],
        });
        let mut folders: Vec<PathBuf> = parts.filter(|part| !part.as_os_str().is_empty()).collect();
        // Later folders take precedence: of equal ones the last counts.
        let mut known = HashSet::new();
        folders.reverse();
        folders.retain(|folder| known.insert(folder.clone()));
        folders.reverse();
        self.folders_changed |= !(folders.is_empty() && self.folders.is_empty());
        self.scores_changed |= folders != self.folders;
        self.folders = folders;
    }

    /// Sets the most pieces, kings and pawns included, of a position that is probed; 0 probes none.
    pub fn set_probe_limit(&mut self, pieces: u32) {
        self.scores_changed |= pieces != self.max_pieces;
        self.max_pieces = pieces;
    }

    /// Sets the least depth in plies at which the search probes positions with the most pieces.
    pub fn set_probe_depth(&mut self, depth: Depth) {
        self.min_depth = depth;
    }

    /// Sets whether a win that the fifty-move rule prevents counts as a draw.
    pub fn set_fifty_move_rule(&mut self, on: bool) {
        self.scores_changed |= on != self.fifty_move_rule;
        self.fifty_move_rule = on;
    }

    /// Whether the folders, the rule or the probe limit have changed since the last call: then scores in the TT are wrong.
    pub(super) fn take_scores_changed(&mut self) -> bool {
        std::mem::take(&mut self.scores_changed)
    }

    /// Reads the folders, if they have changed.
    pub(super) fn prepare(&mut self) {
        if std::mem::take(&mut self.folders_changed) {
            self.tables = if self.folders.is_empty() {
                Tablebases::embedded()
            } else {
                Arc::new(Tablebases::new(&self.folders, false))
            };
            let catalogue = self.tables.catalogue();
            self.messages.push(format!(
                "Found {} WDL and {} DTZ tables, in folders {} and {}",
                catalogue.count(Metric::Wdl),
                catalogue.count(Metric::Dtz),
                catalogue.count_in_folders(Metric::Wdl),
                catalogue.count_in_folders(Metric::Dtz)
            ));
        }
    }

    /// The tablebases of the folders set.
    pub(crate) fn current(&mut self) -> Arc<Tablebases> {
        self.prepare();
        self.tables()
    }

    /// The tablebases in use; those of new folders only after [`Engine::prepare`](super::Engine::prepare).
    pub fn tables(&self) -> Arc<Tablebases> {
        Arc::clone(&self.tables)
    }

    /// Messages about tables found and tables at fault since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        let faults = self.tables.take_faults();
        self.messages.extend(faults.iter().map(ToString::to_string));
        std::mem::take(&mut self.messages)
    }

    /// The tablebases for a search of this game, with the root moves ranked; without the ranks if that is stopped or takes
    /// too long.
    pub(super) fn for_search(
        &self,
        game: &Game,
        moves: &[Move],
        limits: &Limits,
        hard: Option<Duration>,
        stopped: &dyn Fn() -> bool,
    ) -> syzygy::TablebaseProber {
        let mut prober = syzygy::TablebaseProber::new(Arc::clone(&self.tables));
        prober.min_depth = self.min_depth;
        prober.max_pieces = self.max_pieces.min(self.tables.max_pieces());
        prober.fifty_move_rule = self.fifty_move_rule;
        if game.position().occupied().count() as u32 > prober.max_pieces {
            return prober;
        }
        let time = hard.map_or(RANKING_TIME, |hard| {
            (hard / RANKING_SHARE).min(RANKING_TIME)
        });
        let deadline = Instant::now().max(limits.started) + time;
        let late = || stopped() || Instant::now() >= deadline;
        let root = RootPosition {
            position: game.position(),
            earlier: game.keys(),
            repetition_start: game.keys().len() - game.reversible(),
            fifty_move_rule: self.fifty_move_rule,
        };
        prober.ranking = self.tables.rank_moves(&root, moves, &late);
        if let Some(ranking) = &prober.ranking {
            // Each root move was probed.
            prober.hits.store(moves.len() as u64, Ordering::Relaxed);
            if !must_probe_in_search(ranking) {
                prober.max_pieces = 0;
            }
        }
        prober
    }
}

/// The tablebase value of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TablebaseAnswer {
    /// For the side to move, with the halfmove clock counted: 2 win, 1 won but drawn by the fifty-move rule, 0 draw, -1, -2.
    pub wdl: i8,
    /// Plies to the next capture or pawn move with best play; negative for a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<i32>,
    pub text: String,
}

impl TablebaseAnswer {
    /// The value of a position by these tables.
    pub(super) fn of(tables: &Tablebases, position: &Position) -> Option<Self> {
        let wdl = tables.wdl_by_clock(position)?;
        let dtz = tables.dtz(position).map(|dtz| dtz.plies);
        let plies = dtz.filter(|_| wdl != Wdl::Draw);
        let text = plies.map_or_else(
            || wdl.name().to_owned(),
            |plies| format!("{}, DTZ {plies}", wdl.name()),
        );
        Some(Self {
            wdl: wdl as i8,
            dtz,
            text,
        })
    }
}

/// Whether the search must probe below ranked root moves. DTZ ranks already keep the result; with WDL alone a win must be
/// kept at every step.
fn must_probe_in_search(ranking: &RootRanking) -> bool {
    ranking.metric == Metric::Wdl && ranking.best_rank() > 0
}

/// Extends the lines that tablebases prove won or lost: drops the moves that do not keep the result and continues to mate.
pub(super) fn extend_lines(search: &SharedSearch, lines: &mut [RootMove]) {
    let is_stopped = || search.signal.is_stopped(search.ticket);
    let is_analysis = search.budget.is_none() && !is_stopped();
    let time = match search.budget {
        Some(budget) => EXTENDING_TIME.min(budget.hard / EXTENDING_SHARE),
        None if is_analysis => LONG_EXTENDING_TIME,
        None => EXTENDING_TIME,
    };
    let mut deadline = Instant::now() + time;
    if let (Some(start), Some(time)) = (search.clock_start(), search.limits.move_time)
        && let Some(end) = start.checked_add(time.saturating_sub(EXTENDING_RESERVE))
    {
        deadline = deadline.min(end);
    }
    let late = || Instant::now() >= deadline || is_analysis && is_stopped();
    for line in lines {
        extend_line(search, line, &late);
    }
}

fn extend_line(search: &SharedSearch, line: &mut RootMove, late: &dyn Fn() -> bool) {
    let Some(proven) = line.proven.filter(|&proven| is_decisive(proven)) else {
        return;
    };
    let prober = &search.tablebases;
    let has_dtz = prober
        .ranking
        .as_ref()
        .is_some_and(|ranking| ranking.metric == Metric::Dtz);
    let is_mate = moves_to_mate(line.score).is_some() && is_win(line.score) == is_win(proven);
    if !has_dtz || (is_mate && moves_to_mate(proven).is_none()) {
        return;
    }
    // If the score is a mate, the search's line may be longer than the tablebases'.
    let sound = if moves_to_mate(proven).is_some() {
        1
    } else {
        prober
            .tables
            .count_sound_moves(&search.root, &line.pv, late)
            .max(1)
    };
    line.pv.truncate(sound);
    let end: Position = line
        .pv
        .iter()
        .fold(search.root, |position, &mv| position.play(mv));
    let room = MAX_PLY - line.pv.len();
    let more = prober
        .tables
        .best_line(&end, prober.fifty_move_rule, room, late);
    let _ = line.pv.try_extend_from_slice(&more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_named_often_is_read_once() {
        let mut options = TablebaseOptions::new();
        options.set_path(OsStr::new(&"/a;/b;".repeat(5000)));
        assert_eq!(options.folders, ["/a", "/b"].map(PathBuf::from));
        options.set_path(OsStr::new("/a;/b;/a"));
        assert_eq!(options.folders, ["/b", "/a"].map(PathBuf::from));
    }

    #[test]
    fn only_a_change_makes_scores_wrong() {
        let mut options = TablebaseOptions::new();
        let mut changed = |set: fn(&mut TablebaseOptions)| {
            set(&mut options);
            options.take_scores_changed()
        };
        assert!(!changed(|options| options.set_path(OsStr::new(""))));
        assert!(changed(|options| options.set_path(OsStr::new("/a"))));
        assert!(!changed(|options| options.set_path(OsStr::new("/a;/a"))));
        assert!(!changed(|options| options.set_fifty_move_rule(true)));
        assert!(changed(|options| options.set_fifty_move_rule(false)));
        assert!(changed(|options| options.set_probe_limit(0)));
        assert!(!changed(|options| options.set_probe_limit(0)));
    }

    #[test]
    fn the_probe_depth_holds_for_the_largest_tables() {
        let mut options = TablebaseOptions::new();
        options.set_probe_depth(9);
        let (game, limits) = (Game::new(Position::startpos()), Limits::none());
        for (limit, most) in [(7, 4), (4, 4), (3, 3)] {
            options.set_probe_limit(limit);
            let prober = options.for_search(&game, &[], &limits, None, &|| false);
            assert_eq!((prober.max_pieces, prober.min_depth), (most, 9));
        }
    }

    #[test]
    fn an_answer_counts_the_halfmove_clock() {
        let tables = Tablebases::embedded();
        for (turn, clock, wdl, dtz) in [
            ('w', 0, 2, 21),
            ('w', 79, 2, 21),
            ('w', 90, 1, 21),
            ('w', 99, 1, 21),
            ('w', 100, 1, 21),
            ('b', 72, -2, -28),
            ('b', 90, -1, -28),
            ('b', 99, -1, -28),
        ] {
            let fen = format!("8/8/8/8/8/4k3/8/R3K3 {turn} - - {clock} 100");
            let position = Position::from_fen(&fen).expect("a position");
            let answer = TablebaseAnswer::of(&tables, &position).expect("a value");
            assert_eq!((answer.wdl, answer.dtz), (wdl, Some(dtz)), "{fen}");
        }
    }
}
