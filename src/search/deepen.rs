//! Iterative deepening. Each iteration orders the root moves for the next; a stopped search keeps the last complete one.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::base::value::{
    Bound, DRAW, Depth, INFINITE, MAX_DEPTH, Value, is_decisive, is_loss, moves_to_mate,
};
use crate::chess::{Move, Position};

use super::node::{Root, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::root::RootMove;
use super::shared::SharedSearch;
use super::time::{self, Stability};
use super::tt::TranspositionTable;
use super::worker::Worker;

/// Bounds are reported only after this time; earlier they change too fast to be of use.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// Aspiration windows are used for scores below this, and are opened fully beyond this width; in centipawns.
const ASPIRATION_LIMIT: Value = 2_000;
/// Threads have windows of this many widths, each a centipawn wider than the one before.
const THREAD_WIDTHS: usize = 4;
/// Depth in plies after which the only move is played at once.
const FORCED_MOVE_DEPTH: Depth = 6;
/// Iterations up to this depth in plies take almost no time, so an unchanged best move in them does not count as stable.
const TRIVIAL_DEPTH: Depth = 6;

/// Searches on this thread until the search ends; the result is left in `worker.outcome`.
pub fn deepen(worker: &mut Worker, shared: &SharedSearch) {
    worker.start(shared);
    order_root_moves(worker, shared);
    if shared.isolated {
        vary_first_move(worker);
    }
    set_fallback_lines(worker, shared);
    let mut searcher = Searcher { worker, shared };
    let mut last_iteration = LastIteration::default();
    // Threads start at different depths, so that they do not search the same tree.
    let first = 1 + (searcher.worker.id % 2) as Depth;
    let last = last_depth(shared, searcher.worker.id);
    for depth in first.min(last)..=last {
        if searcher.search_iteration(depth).is_none() {
            searcher.save_partial_iteration();
            break;
        }
        searcher.save_iteration();
        searcher.worker.allow_stop();
        let _ = searcher.worker.publish(shared);
        let score_drop = searcher.compare(depth, &mut last_iteration);
        if searcher.worker.id == 0 {
            searcher.report_lines();
            if searcher.should_stop(depth, score_drop) {
                break;
            }
        }
    }
    let _ = searcher.worker.publish(shared);
    if searcher.worker.id == 0 {
        shared.done.store(true, Ordering::Relaxed);
    }
}

/// The depth of a thread's last iteration. Only the main thread ends at the limit of depth: a helper that stopped there
/// would leave its processor idle. Isolated threads each end on their own.
fn last_depth(shared: &SharedSearch, id: usize) -> Depth {
    let limit = shared.limits.depth.filter(|_| id == 0 || shared.isolated);
    limit.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// Sorts the root moves as a node would order them, with tablebase ranks first.
fn order_root_moves(worker: &mut Worker, shared: &SharedSearch) {
    let tt_move = shared
        .tt
        .probe(TranspositionTable::key_of(&shared.root), 0)
        .and_then(|hit| hit.best);
    let mut picker = Picker::all(&shared.root, None, tt_move, Default::default());
    let mut place = 0;
    let context = worker.quiet_context(&shared.root, 0);
    while let Some(mv) = picker.next(&shared.root, &worker.histories, &context, false) {
        if let Some(found) = worker
            .root_moves
            .iter()
            .position(|root_move| root_move.mv == mv)
        {
            worker.root_moves.swap(place, found);
            place += 1;
        }
    }
    sort_by_score(&mut worker.root_moves);
}

/// Isolated threads would all search the same tree: each starts with another of the moves with the best tablebase rank.
fn vary_first_move(worker: &mut Worker) {
    let moves = &mut worker.root_moves;
    let best = moves[0].rank;
    let equal = moves.iter().take_while(|other| other.rank == best).count();
    moves[..=worker.id % equal].rotate_right(1);
}

/// Sets the lines of a thread that is stopped in its first iteration: the first moves, with the static evaluation and
/// depth 0.
fn set_fallback_lines(worker: &mut Worker, shared: &SharedSearch) {
    let score = if shared.root.in_check() {
        DRAW
    } else {
        worker.evaluate(&shared.root, 0)
    };
    let lines = worker.root_moves.iter().take(shared.multi_pv);
    let lines = lines.map(|root_move| RootMove {
        score,
        bound: Bound::Exact,
        depth: 0,
        selective_depth: 1,
        ..root_move.clone()
    });
    worker.outcome.lines.extend(lines);
}

/// Stable insertion sort, best first; the stable sort of the standard library would allocate.
fn sort_by_score(moves: &mut [RootMove]) {
    for index in 1..moves.len() {
        let key = moves[index].key();
        let place = moves[..index].partition_point(|before| before.key() >= key);
        moves[place..=index].rotate_right(1);
    }
}

/// Best move and score of the last iteration.
#[derive(Default)]
struct LastIteration {
    best: Option<Move>,
    /// Iterations since the best move changed.
    unchanged: u32,
    score: Option<Value>,
}

impl Searcher<'_> {
    /// Searches all lines to this depth. `None` if the search must stop.
    fn search_iteration(&mut self, depth: Depth) -> Option<()> {
        for root_move in &mut self.worker.root_moves {
            root_move.score = -INFINITE;
            root_move.bound = Bound::Upper;
        }
        self.worker.root_depth = depth;
        let lines = self.shared.multi_pv.min(self.worker.root_moves.len());
        for line in 0..lines {
            self.worker.line_start = line;
            self.worker.selective_depth = 0;
            self.aspiration_search(depth)?;
        }
        // Later lines may score higher than earlier ones.
        sort_by_score(&mut self.worker.root_moves[..lines]);
        Some(())
    }

    /// Searches the root with an aspiration window around the last score, widened on the side where it fails.
    fn aspiration_search(&mut self, depth: Depth) -> Option<()> {
        let root: Position = self.shared.root;
        let line = self.worker.line_start;
        let expected = self
            .worker
            .outcome
            .lines
            .get(line)
            .map_or(DRAW, |found| found.score);
        let score_squared = expected.clamp(-ASPIRATION_LIMIT, ASPIRATION_LIMIT).pow(2);
        // The trees of the threads differ by their windows, too.
        let by_thread = (self.worker.id % THREAD_WIDTHS) as Value;
        let mut delta = by_thread
            + params::aspiration_delta()
            + (params::aspiration_score() * (score_squared / 32)) / 1024;
        let mut window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        if depth >= params::aspiration_depth() && expected.abs() < ASPIRATION_LIMIT {
            window = Window {
                alpha: expected - delta,
                beta: expected + delta,
            };
        }
        loop {
            self.worker.root_window = window.beta - window.alpha;
            let score = self.negamax::<Root>(&root, 0, depth, window, false)?;
            sort_by_score(&mut self.worker.root_moves[line..]);
            if score > window.alpha && score < window.beta {
                return Some(());
            }
            self.report_bound();
            if score <= window.alpha {
                window.beta = window.alpha.midpoint(window.beta).min(INFINITE);
                window.alpha = (score - delta).max(-INFINITE);
            } else {
                window.beta = (score + delta).min(INFINITE);
            }
            delta += (delta * params::aspiration_widening() / 64).max(1);
            // Proven scores lie far outside of any window.
            if is_decisive(score) || delta > ASPIRATION_LIMIT {
                window = Window {
                    alpha: -INFINITE,
                    beta: INFINITE,
                };
            }
        }
    }

    /// Saves the lines of a complete iteration.
    fn save_iteration(&mut self) {
        let wanted = self.worker.outcome.lines.len();
        let depth = self.worker.root_moves[0].depth;
        for (kept, found) in self
            .worker
            .outcome
            .lines
            .iter_mut()
            .zip(&self.worker.root_moves[..wanted])
        {
            kept.clone_from(found);
            kept.depth = depth;
        }
    }

    /// Saves the best move of an interrupted iteration if its score is exact or the move failed high: then it is better than
    /// expected, and its score, a lower bound, stands for the final one. A proven loss is not saved: the moves not yet searched
    /// may lose later or not at all. With `MultiPV` nothing is saved: lines of different depths cannot be compared.
    fn save_partial_iteration(&mut self) {
        self.worker.line_start = 0;
        if self.worker.outcome.lines.len() == 1 {
            let proven = self
                .worker
                .root_moves
                .iter()
                .filter(|found| found.bound != Bound::Upper && !is_loss(found.score));
            if let Some(best) = proven.max_by_key(|found| found.key()) {
                let line = &mut self.worker.outcome.lines[0];
                let mut best = best.clone();
                // A move that failed high has no variation yet: it keeps the one of the last iteration.
                if best.bound == Bound::Lower && best.mv == line.mv {
                    best.pv.clone_from(&line.pv);
                }
                best.bound = Bound::Exact;
                *line = best;
            }
        }
    }

    fn report_lines(&self) {
        for (rank, line) in self.worker.outcome.lines.iter().enumerate() {
            self.shared.report(line, rank);
        }
    }

    /// Reports a fail high or fail low, in a long search.
    fn report_bound(&self) {
        if self.worker.id == 0
            && self.shared.multi_pv == 1
            && self.shared.limits.started.elapsed() >= REPORT_BOUNDS_AFTER
        {
            self.shared.report(&self.worker.root_moves[0], 0);
        }
    }

    /// Compares this iteration with the last one: publishes how unsettled the best move is, and returns how far the score
    /// fell.
    fn compare(&self, depth: Depth, last: &mut LastIteration) -> Value {
        let best = &self.worker.outcome.lines[0];
        let score_drop = last.score.map_or(0, |before| before - best.score);
        last.unchanged = if last.best == Some(best.mv) && depth > TRIVIAL_DEPTH {
            last.unchanged + 1
        } else {
            0
        };
        (last.best, last.score) = (Some(best.mv), Some(best.score));
        self.shared.unsettled[self.worker.id].store(1000 / (1 + last.unchanged), Ordering::Relaxed);
        score_drop
    }

    /// Whether the main thread stops after this iteration.
    fn should_stop(&self, depth: Depth, score_drop: Value) -> bool {
        let best = &self.worker.outcome.lines[0];
        if self.shared.limits.infinite {
            return false;
        }
        let mate = moves_to_mate(best.best_known_score().0).map(i32::unsigned_abs);
        if let (Some(wanted), Some(found)) = (self.shared.limits.mate, mate)
            && found <= wanted
        {
            return true;
        }
        if (self.shared.limits.soft_nodes).is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        let Some(budget) = self.shared.budget else {
            return false;
        };
        let moves = &self.worker.root_moves;
        let choices = moves.iter().filter(|other| other.rank == moves[0].rank);
        let is_proven_mate = best.proven.and_then(moves_to_mate).is_some();
        let forced = (choices.count() == 1 || is_proven_mate) && depth >= FORCED_MOVE_DEPTH;
        // At twice the distance to mate and more, no shorter mate is left to find.
        let mate_is_shortest = mate.is_some_and(|moves| depth >= 2 * moves as Depth + 4);
        let is_final = forced || mate_is_shortest;
        self.shared.is_final.store(is_final, Ordering::Relaxed);
        let Some(used) = self.shared.time_used() else {
            return false;
        };
        let Some(soft) = budget.soft else {
            return is_final;
        };
        let nodes = self.worker.nodes.max(1);
        let best_share = (best.nodes.saturating_mul(1000) / nodes) as u32;
        let stability = Stability {
            unsettled: self.shared.mean_unsettled(),
            best_share,
            score_drop,
            score_drop_in_game: (self.shared.last_score).map_or(0, |before| before - best.score),
        };
        is_final || used >= time::scale_soft_limit(soft, stability)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use super::*;
    use crate::chess::Game;
    use crate::search::limits::{Clock, Limits};
    use crate::search::local::LocalSearcher;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ONLY_MOVE: &str = "r1bq1rk1/ppp2ppp/2n5/2b1p3/4P3/1Q1P4/PPPBnPPP/RN3RK1 w - - 0 10";

    #[test]
    fn only_the_main_thread_ends_at_the_depth_limit() {
        LocalSearcher::test_at(START, Limits::depth(5), |searcher| {
            let mut shared = searcher.shared.clone();
            assert_eq!([0, 1].map(|id| last_depth(&shared, id)), [5, 5]);
            shared.isolated = false;
            assert_eq!([0, 1].map(|id| last_depth(&shared, id)), [5, MAX_DEPTH]);
        });
    }

    #[test]
    fn all_threads_count_for_the_time_of_an_unsettled_search() {
        LocalSearcher::test_at(START, Limits::depth(9), |searcher| {
            let mut shared = searcher.shared.clone();
            shared.isolated = false;
            shared.unsettled = [1000, 0].map(AtomicU32::new).into();
            let worker = searcher.worker;
            set_fallback_lines(worker, &shared);
            let shared = &shared;
            let searcher = Searcher { worker, shared };
            let mut last = LastIteration::default();
            for (depth, unsettled) in [(1, 1000), (TRIVIAL_DEPTH, 1000), (7, 500), (8, 333)] {
                searcher.compare(depth, &mut last);
                assert_eq!(shared.mean_unsettled(), unsettled / 2, "depth {depth}");
            }
        });
    }

    #[test]
    fn while_pondering_the_only_legal_move_is_final() {
        for (fen, is_final) in [(ONLY_MOVE, true), (START, false)] {
            LocalSearcher::test_at(fen, Limits::none(), |searcher| {
                let mut shared = searcher.shared.clone();
                shared.limits.ponder = true;
                shared.limits.clock = Some(Clock {
                    remaining: Duration::from_mins(1),
                    increment: Duration::ZERO,
                    moves_to_go: None,
                });
                shared.budget = time::budget(&shared.limits, Duration::ZERO);
                let worker = searcher.worker;
                set_fallback_lines(worker, &shared);
                let shared = &shared;
                let searcher = Searcher { worker, shared };
                assert!(!searcher.should_stop(FORCED_MOVE_DEPTH, 0), "{fen}");
                assert_eq!(shared.is_final.load(Ordering::Relaxed), is_final, "{fen}");
            });
        }
    }

    #[test]
    fn the_only_legal_move_ends_a_search_with_movetime() {
        for (fen, is_final) in [(ONLY_MOVE, true), (START, false)] {
            let limits = Limits {
                move_time: Some(Duration::from_mins(1)),
                ..Limits::none()
            };
            LocalSearcher::test_at(fen, limits, |searcher| {
                let mut shared = searcher.shared.clone();
                shared.budget = time::budget(&shared.limits, Duration::ZERO);
                let worker = searcher.worker;
                set_fallback_lines(worker, &shared);
                let shared = &shared;
                let searcher = Searcher { worker, shared };
                assert_eq!(searcher.should_stop(FORCED_MOVE_DEPTH, 0), is_final);
            });
        }
    }

    #[test]
    fn a_move_that_failed_high_survives_a_stop() {
        LocalSearcher::test_at(START, Limits::none(), |mut searcher| {
            set_fallback_lines(searcher.worker, searcher.shared);
            let moves = &mut searcher.worker.root_moves;
            (moves[0].score, moves[0].bound) = (20, Bound::Exact);
            (moves[3].score, moves[3].bound) = (60, Bound::Lower);
            (moves[5].score, moves[5].bound) = (90, Bound::Upper);
            let failed_high = moves[3].mv;
            searcher.save_partial_iteration();
            let line = &mut searcher.worker.outcome.lines[0];
            assert_eq!((line.mv, line.score), (failed_high, 60));
            assert_eq!(line.pv.len(), 1);
            // The same move in the next iteration keeps its variation.
            line.pv.push(failed_high);
            searcher.save_partial_iteration();
            assert_eq!(searcher.worker.outcome.lines[0].pv.len(), 2);
        });
    }

    #[test]
    fn a_loss_in_an_interrupted_iteration_is_not_reported() {
        // Mate in 5, but the move searched first is mated in 3.
        let fen = "8/8/8/2p3p1/2N1Q2P/K7/4k3/8 b - - 0 1";
        let game = Game::new(Position::from_fen(fen).expect("a position"));
        let mut searcher = LocalSearcher::new(16).expect("memory");
        for nodes in (6_000..10_000).step_by(20) {
            searcher.new_game();
            let lines = searcher.search_lines(&game, Limits::nodes(nodes), 1);
            let moves = moves_to_mate(lines[0].score);
            assert!(moves.is_none_or(|moves| moves <= -5), "{nodes}: {moves:?}");
        }
    }
}
