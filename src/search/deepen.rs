//! Iterative deepening.
//! Uses: worker, negamax, time, picker. Used by: pool, solo.
//! Idea: each iteration orders the moves for the next, and whatever stops the search, a complete answer is at hand.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::base::value::{
    Bound, DRAW, Depth, INFINITE, MAX_DEPTH, Value, is_decisive, moves_to_mate,
};
use crate::chess::Position;

use super::node::{Root, Searcher, Window};
use super::params;
use super::picker::Picker;
use super::root::RootMove;
use super::shared::SharedSearch;
use super::time::{self, Stability};
use super::worker::Worker;

/// Bounds are told only after this long: before, they come and go too fast to be of use.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// A score that moved less than this between iterations, in centipawns, gets a narrow window.
const WIDE_SCORE: Value = 2_000;
/// Complete plies after which a forced move is played without more thought.
const FORCED_MOVE_DEPTH: Depth = 6;

/// Searches a shared on this thread until it is through or told to stop; the outcome is left in the worker.
pub fn deepen(worker: &mut Worker, shared: &SharedSearch) {
    worker.begin(shared);
    order_root_moves(worker, shared);
    // Threads that share nothing must differ in something: each begins with another move.
    if shared.isolated {
        let first = worker.id % worker.root_moves.len();
        worker.root_moves[..=first].rotate_right(1);
    }
    fall_back(worker, shared);
    let mut searcher = Searcher { worker, shared };
    let mut course = Course::default();
    // Helpers begin at different depths, so that they do not all walk the same path.
    let first = 1 + (searcher.worker.id % 2) as Depth;
    let last = shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in first.min(last)..=last {
        if searcher.iterate(depth).is_none() {
            searcher.keep_partial_iteration();
            break;
        }
        searcher.keep_iteration();
        let _ = searcher.worker.publish(shared);
        if searcher.worker.id == 0 {
            searcher.report_lines();
            if searcher.should_stop(depth, &mut course) {
                break;
            }
        }
    }
    let _ = searcher.worker.publish(shared);
    if searcher.worker.id == 0 {
        shared.done.store(true, Ordering::Relaxed);
    }
}

/// Before the first iteration, the order in which any node would try the moves.
fn order_root_moves(worker: &mut Worker, shared: &SharedSearch) {
    let tt_move = shared
        .tt
        .probe(super::tt::TranspositionTable::key_of(&shared.root), 0)
        .and_then(|hit| hit.best);
    let mut picker = Picker::all(&shared.root, tt_move, Default::default());
    let mut place = 0;
    let context = worker.context_of_quiets(&shared.root, 0);
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
    // What tables say comes first.
    sort_by_score(&mut worker.root_moves);
}

/// The answer of a search that is stopped before it found anything: the first moves, at the static evaluation.
fn fall_back(worker: &mut Worker, shared: &SharedSearch) {
    let score = if shared.root.in_check() {
        DRAW
    } else {
        worker.evaluate(&shared.root, 0)
    };
    let lines = worker.root_moves.iter().take(shared.multi_pv);
    let lines = lines.map(|root_move| RootMove {
        score,
        bound: Bound::Exact,
        depth: 1,
        selective_depth: 1,
        ..root_move.clone()
    });
    worker.outcome.lines.extend(lines);
}

/// Puts the best first and leaves equal ones in their order. The standard stable sort would take memory for things so large.
fn sort_by_score(moves: &mut [RootMove]) {
    for index in 1..moves.len() {
        let key = moves[index].key();
        let place = moves[..index].partition_point(|before| before.key() >= key);
        moves[place..=index].rotate_right(1);
    }
}

/// What the iterations so far say of how settled the search is.
#[derive(Default)]
struct Course {
    best: Option<crate::chess::Move>,
    unchanged: u32,
    score: Option<Value>,
}

impl Searcher<'_> {
    /// One iteration: every line wanted, to this depth. `None` when the search is to end.
    fn iterate(&mut self, depth: Depth) -> Option<()> {
        for root_move in &mut self.worker.root_moves {
            root_move.score = -INFINITE;
            root_move.bound = Bound::Upper;
        }
        self.worker.root_depth = depth;
        let wanted = self.shared.multi_pv.min(self.worker.root_moves.len());
        for line in 0..wanted {
            self.worker.line_start = line;
            self.worker.selective_depth = 0;
            self.aspiration_search(depth)?;
        }
        // Later lines may turn out better than earlier ones.
        sort_by_score(&mut self.worker.root_moves[..wanted]);
        Some(())
    }

    /// Searches the root with a window around the expected score, opened on the side where it proves too narrow.
    fn aspiration_search(&mut self, depth: Depth) -> Option<()> {
        let root: Position = self.shared.root;
        let line = self.worker.line_start;
        let expected = self
            .worker
            .outcome
            .lines
            .get(line)
            .map_or(DRAW, |found| found.score);
        let mut delta = params::aspiration_delta();
        let mut window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        if depth >= params::aspiration_depth() && expected.abs() < WIDE_SCORE {
            window = Window {
                alpha: expected - delta,
                beta: expected + delta,
            };
        }
        loop {
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
            delta += delta / 2;
            // A proven result is far from anything expected: look at everything.
            if is_decisive(score) || delta > WIDE_SCORE {
                window = Window {
                    alpha: -INFINITE,
                    beta: INFINITE,
                };
            }
        }
    }

    /// The iteration is complete: its lines are the answer.
    fn keep_iteration(&mut self) {
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

    /// The iteration broke off: a move that it has proven better than those before is the answer, else the last
    /// iteration's. With several lines, those of different depths would not compare.
    fn keep_partial_iteration(&mut self) {
        self.worker.line_start = 0;
        if self.worker.outcome.lines.len() == 1 {
            let exact = self
                .worker
                .root_moves
                .iter()
                .filter(|found| found.bound == Bound::Exact && found.score > -INFINITE);
            if let Some(best) = exact.max_by_key(|found| found.key()) {
                self.worker.outcome.lines[0].clone_from(best);
            }
        }
    }

    fn report_lines(&self) {
        for (rank, line) in self.worker.outcome.lines.iter().enumerate() {
            self.shared.report(line, rank);
        }
    }

    /// In a long search, tells that the score left the window.
    fn report_bound(&self) {
        if self.worker.id == 0
            && self.shared.multi_pv == 1
            && self.shared.limits.started.elapsed() >= REPORT_BOUNDS_AFTER
        {
            self.shared.report(&self.worker.root_moves[0], 0);
        }
    }

    /// Whether the main thread should end after this iteration.
    fn should_stop(&self, depth: Depth, course: &mut Course) -> bool {
        let best = &self.worker.outcome.lines[0];
        let fallen = course.score.map_or(0, |before| before - best.score);
        course.unchanged = if course.best == Some(best.mv) {
            course.unchanged + 1
        } else {
            0
        };
        (course.best, course.score) = (Some(best.mv), Some(best.score));
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
        let Some(soft) = self.shared.budget.and_then(|budget| budget.soft) else {
            return false;
        };
        let Some(used) = self.shared.time_used() else {
            return false;
        };
        let moves = &self.worker.root_moves;
        let choices = moves.iter().filter(|other| other.rank == moves[0].rank);
        let certain = best.proven.and_then(moves_to_mate).is_some();
        let forced = (choices.count() == 1 || certain) && depth >= FORCED_MOVE_DEPTH;
        // A mate found well within the depth will not be found shorter.
        let mated = mate.is_some_and(|moves| depth >= 2 * moves as Depth + 4);
        let nodes = self.worker.nodes.max(1);
        let best_share = (best.nodes.saturating_mul(1000) / nodes) as u32;
        let stability = Stability {
            unchanged: course.unchanged,
            best_share,
            fallen,
        };
        forced || mated || used >= time::scale_soft_limit(soft, stability)
    }
}
