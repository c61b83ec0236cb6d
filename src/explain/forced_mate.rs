//! Mates in which every move gives check, proved by playing every reply. A search with a limit of nodes may reduce or prune
//! a check that gives up the queen; this one does not.

use super::explainer::{Explainer, Question};
use crate::base::value::{Bound, Value, is_decisive, mate_in, mated_in};
use crate::chess::{Move, Position};
use crate::search::root::RootMove;

/// The positions of a search for a mate by checks, in percent of all nodes.
const SHARE_CHECKS: u64 = 4;
/// Plies of a mate that a search does not miss: no shorter one is looked for.
const SHORT: usize = 3;
/// Moves of the longest mate that is looked for.
const MAX_MOVES: usize = 8;
/// Plies without a capture or a pawn's move that end a game.
const FIFTY_MOVES: usize = 100;

impl Explainer {
    /// Mates by checks that the search did not see, or that are shorter than its own, take the place of its lines.
    pub(super) fn add_forced_mates(
        &mut self,
        root: &Position,
        question: &Question,
        legal: &[Move],
        lines: &mut Vec<RootMove>,
    ) {
        let given: Vec<Move> = question.mv.into_iter().chain(question.against).collect();
        let mut groups: Vec<Vec<Move>> = given.iter().map(|&mv| vec![mv]).collect();
        if given.len() < 2 && !question.is_best {
            groups.push(legal.to_vec());
        }
        for first in groups {
            let of_group = lines.iter().filter(|line| first.contains(&line.mv));
            let best = of_group.map(|line| line.score).max();
            if best.is_some_and(|best| best >= mate_in(SHORT)) {
                continue;
            }
            let mate = self.mate_by_checks(root, &first);
            let Some(mate) = mate.filter(|mate| best.is_none_or(|best| mate.score > best)) else {
                continue;
            };
            if let Some(line) = lines.iter_mut().find(|line| line.mv == mate.mv) {
                *line = mate;
                continue;
            }
            let other = lines.iter().rposition(|line| !given.contains(&line.mv));
            other.map(|place| lines.remove(place));
            lines.push(mate);
        }
        for line in lines {
            if given.contains(&line.mv)
                && !is_decisive(line.score)
                && let Some(mated) = self.checked(|left| mated_by_checks(root, line.mv, left))
            {
                *line = mated;
            }
        }
    }

    /// The line of a mate by checks that begins with one of these moves.
    pub(super) fn mate_by_checks(&mut self, root: &Position, first: &[Move]) -> Option<RootMove> {
        self.checked(|left| mate_by_checks(root, first, left))
    }

    /// The result of a search for a mate by checks, with its share of the nodes.
    fn checked<T>(&mut self, search: impl FnOnce(&mut u64) -> T) -> T {
        let all = positions(self.nodes());
        let mut left = all;
        let found = search(&mut left);
        self.spent += all - left;
        found
    }
}

/// The positions of one search for a mate by checks beside a search of so many nodes.
pub const fn positions(nodes: u64) -> u64 {
    nodes * SHARE_CHECKS / 100
}

/// The line of a mate by checks that begins with one of these moves.
pub fn mate_by_checks(root: &Position, first: &[Move], positions: &mut u64) -> Option<RootMove> {
    let moves = by_checks(root, first, positions)?;
    Some(line(mate_in(moves.len()), &moves))
}

/// The line of a move that lets the other side mate by checks.
pub fn mated_by_checks(root: &Position, mv: Move, positions: &mut u64) -> Option<RootMove> {
    let after = root.play(mv);
    let moves = [
        &[mv],
        &by_checks(&after, &after.legal_moves(), positions)?[..],
    ]
    .concat();
    Some(line(mated_in(moves.len()), &moves))
}

fn line(score: Value, moves: &[Move]) -> RootMove {
    RootMove {
        score,
        bound: Bound::Exact,
        pv: moves.iter().copied().collect(),
        ..RootMove::new(moves[0])
    }
}

/// The shortest mate by checks that begins with one of these moves, with the defence that lasts longest. It ends without one
/// after `positions` checks, and takes off those that it used.
fn by_checks(root: &Position, first: &[Move], positions: &mut u64) -> Option<Vec<Move>> {
    let fits = |moves: &usize| usize::from(root.halfmove_clock()) + 2 * moves <= FIFTY_MOVES;
    (1..=MAX_MOVES)
        .filter(fits)
        .find_map(|moves| search(root, first, moves, positions))
}

fn search(
    position: &Position,
    candidates: &[Move],
    moves: usize,
    positions: &mut u64,
) -> Option<Vec<Move>> {
    for &mv in candidates {
        let checked = position.play(mv);
        if !checked.in_check() {
            continue;
        }
        *positions = positions.checked_sub(1)?;
        let replies = checked.legal_moves();
        if replies.is_empty() {
            return Some(vec![mv]);
        }
        if moves == 1 {
            continue;
        }
        let answers = replies.iter().map(|&reply| {
            let after = checked.play(reply);
            let line = search(&after, &after.legal_moves(), moves - 1, positions)?;
            Some([&[mv, reply], &line[..]].concat())
        });
        let lines: Option<Vec<Vec<Move>>> = answers.collect();
        if let Some(longest) = lines.and_then(|lines| lines.into_iter().max_by_key(Vec::len)) {
            return Some(longest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(fen: &str, positions: u64) -> Option<usize> {
        let root = Position::from_fen(fen).expect("a position");
        let mut left = positions;
        let line = by_checks(&root, &root.legal_moves(), &mut left)?;
        let last = line.iter().fold(root, |position, &mv| position.play(mv));
        assert!(last.in_check() && last.legal_moves().is_empty());
        Some(line.len().div_ceil(2))
    }

    #[test]
    fn checks_that_give_up_the_queen_are_found() {
        let smothered = "r4rk1/p4Nbp/2p1Q1p1/8/1P6/q2P4/2P2PPP/5RK1 w - - 4 25";
        assert_eq!(mate(smothered, 1_000), Some(3));
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1_000), Some(1));
        // A quiet move is needed, or there is none.
        assert_eq!(mate("8/8/8/8/8/2k5/8/K2r4 w - - 0 1", 1_000), None);
        assert_eq!(mate("4k3/8/4K3/8/8/8/8/6R1 w - - 99 1", 1_000), None);
    }
}
