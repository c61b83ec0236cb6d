//! Which thread's answer to give.
//! Uses: worker, value. Used by: pool.
//! Idea: threads vote for their moves by how good they find them and how deep they looked; proven results settle it.

use crate::base::value::{Value, is_decisive, is_loss, is_win};

use super::root::{Outcome, RootMove};
use super::shared::SharedSearch;

/// Centipawns added to every score's lead over the worst, so that the worst has a vote too.
const VOTE_BASE: Value = 14;

/// The lines to answer with: those of the thread that the vote elects. To be asked when the pool is idle.
#[must_use]
pub fn elect(shared: &SharedSearch) -> Vec<RootMove> {
    let outcomes: Vec<Outcome> = shared
        .outcomes
        .iter()
        .map(|slot| slot.lock().take().unwrap_or_default())
        .collect();
    // Several lines are the main thread's: only it has told them.
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

/// The index of the outcome to use. A proven win is taken before anything, the shorter first; a thread that sees a loss
/// is not preferred to one that does not; else each thread votes for its first move with (lead over the worst score +
/// 14) × depth, and of the threads that want the elected move the deepest, then the one with the longer line, answers.
#[must_use]
pub fn vote(outcomes: &[Outcome]) -> usize {
    let firsts = || {
        outcomes
            .iter()
            .enumerate()
            .filter_map(|(index, outcome)| outcome.lines.first().map(|line| (index, line)))
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
    fn alone_the_main_thread_decides() {
        assert_eq!(vote(&[thread(Square::E3, -500, 3)]), 0);
        assert_eq!(vote(&[Outcome::default()]), 0);
    }

    #[test]
    fn equals_go_to_the_main_thread() {
        assert_eq!(
            vote(&[thread(Square::E3, 10, 9), thread(Square::E4, 10, 9)]),
            0
        );
    }

    #[test]
    fn a_majority_and_depth_outweigh_one_voice() {
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
    fn a_loss_is_believed_only_when_all_see_it() {
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
