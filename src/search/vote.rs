//! Which thread's lines are the answer: threads vote for their moves by score and depth, unless a result is proven.

use crate::base::value::{Value, is_decisive, is_loss, is_win};

use super::root::{Outcome, RootMove};
use super::shared::SharedSearch;

/// Centipawns added to every score's lead over the worst, so that the thread with the worst score has a vote, too.
const VOTE_BASE: Value = 14;

/// The lines of the elected thread; called when the pool is idle.
pub fn elect(shared: &SharedSearch) -> Vec<RootMove> {
    let outcomes: Vec<Outcome> = shared
        .outcomes
        .iter()
        .map(|slot| slot.lock().take().unwrap_or_default())
        .collect();
    // With MultiPV the main thread's: only it has reported its lines.
    let elected = if shared.multi_pv == 1 {
        vote(&outcomes)
    } else {
        0
    };
    outcomes
        .into_iter()
        .nth(elected)
        .map(|outcome| outcome.lines)
        .unwrap_or_default()
}

/// The index of the outcome to use. Threads that were stopped before they had searched a move have no vote. A proven win
/// comes first, the shortest before others. A proven loss counts only if all threads have one. Otherwise each thread votes
/// for its first move with (lead over the worst score + 14) × depth; of the threads with the elected move the deepest is
/// taken, then the one with the longest PV.
pub fn vote(outcomes: &[Outcome]) -> usize {
    let firsts = || {
        outcomes
            .iter()
            .enumerate()
            .filter_map(|(index, outcome)| outcome.lines.first().map(|line| (index, line)))
            .filter(|(_, line)| line.depth > 0)
    };
    if let Some((index, _)) = firsts()
        .filter(|(_, line)| is_win(line.score))
        .max_by_key(|&(index, line)| (line.score, usize::MAX - index))
    {
        return index;
    }
    let hopeful = firsts().any(|(_, line)| !is_loss(line.score));
    let voters = || firsts().filter(move |(_, line)| !hopeful || !is_decisive(line.score));
    let Some(worst) = voters().map(|(_, line)| line.score).min() else {
        return 0;
    };
    let weight = |score: Value, depth: i32| i64::from(score - worst + VOTE_BASE) * i64::from(depth);
    let votes = |mv| -> i64 {
        voters()
            .filter(|(_, line)| line.mv == mv)
            .map(|(_, line)| weight(line.score, line.depth))
            .sum()
    };
    voters()
        .max_by_key(|&(index, line)| {
            (
                votes(line.mv),
                line.depth,
                line.pv.len(),
                usize::MAX - index,
            )
        })
        .map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{mate_in, mated_in};
    use crate::chess::{Move, MoveKind, Square};

    fn thread(to: Square, score: Value, depth: i32) -> Outcome {
        let line = RootMove::new(Move::new(Square::E2, to, MoveKind::Quiet));
        Outcome {
            lines: vec![RootMove {
                score,
                depth,
                ..line
            }],
        }
    }

    #[test]
    fn threads_without_a_searched_move_have_no_vote() {
        let stopped = thread(Square::E4, 100, 0);
        let searched = thread(Square::E3, 20, 1);
        assert_eq!(vote(&[searched, stopped.clone()]), 0);
        assert_eq!(vote(&[thread(Square::E3, mated_in(4), 1), stopped]), 0);
    }

    #[test]
    fn a_single_outcome_is_elected() {
        assert_eq!(vote(&[thread(Square::E3, -500, 3)]), 0);
        assert_eq!(vote(&[Outcome::default()]), 0);
    }

    #[test]
    fn the_main_thread_wins_ties() {
        assert_eq!(
            vote(&[thread(Square::E3, 10, 9), thread(Square::E4, 10, 9)]),
            0
        );
    }

    #[test]
    fn a_majority_outvotes_a_better_score() {
        let three = [
            thread(Square::E3, 20, 10),
            thread(Square::E4, 18, 10),
            thread(Square::E4, 18, 11),
        ];
        assert_eq!(vote(&three), 2);
    }

    #[test]
    fn the_shortest_mate_wins() {
        let three = [
            thread(Square::E3, 900, 30),
            thread(Square::E4, mate_in(9), 9),
            thread(Square::D3, mate_in(5), 8),
        ];
        assert_eq!(vote(&three), 2);
    }

    #[test]
    fn a_loss_counts_only_if_all_threads_have_one() {
        let lost = mated_in(6);
        assert_eq!(
            vote(&[thread(Square::E3, lost, 20), thread(Square::E4, -800, 5)]),
            1
        );
        let all = [
            thread(Square::E3, mated_in(4), 9),
            thread(Square::E4, mated_in(12), 9),
        ];
        assert_eq!(vote(&all), 1);
    }
}
