//! Othello on small boards, solved: 4 × 4 squares at once, 6 × 6 (Feinstein 1993: the second player wins by 4, 20-16) with
//! `--prove`, in minutes and 512 MiB of memory.
//!
//! `cargo run --release --example othello [-- --prove]`

#[cfg(test)]
mod othello_board;
mod othello_rules;
mod othello_solver;

use othello_rules::{Board, Rules, START};
use othello_solver::Solver;

/// A position on 6 × 6 squares with this many empty ones, after moves that short searches chose.
fn late(empty: u32) -> Board {
    let mut solver = Solver::new(Rules::new(6, true), 1);
    let mut board = START;
    while solver.rules.empty(board).count_ones() > empty {
        let children = solver.rules.children(board);
        let best = solver.sorted(board, children).into_iter().next();
        board = best.unwrap_or_else(|| board.passed());
    }
    board
}

/// The discs of the player to move and of the other player after best play of both.
fn discs_at_the_end(solver: &mut Solver, mut board: Board) -> [u32; 2] {
    let mut plies = 0;
    loop {
        let best = solver.rules.children(board).into_iter();
        let best = best.min_by_key(|&child| solver.value(child));
        if best.is_none() && solver.rules.moves(board.passed()) == 0 {
            let discs = [board.own.count_ones(), board.other.count_ones()];
            return if plies % 2 == 0 {
                discs
            } else {
                [discs[1], discs[0]]
            };
        }
        board = best.unwrap_or_else(|| board.passed());
        plies += 1;
    }
}

/// Proves both halves on 6 × 6 squares, each by the rule under which it is harder: to count empty squares for the winner
/// only makes a win greater, so both halves hold by both rules.
fn prove() {
    let rules = [(false, -3, "at least"), (true, -4, "at most")];
    for (empty_to_winner, goal, half) in rules {
        let mut solver = Solver::new(Rules::new(6, empty_to_winner), 25);
        // The four first moves are the same by symmetry.
        let first = solver.rules.children(START)[0];
        let replies = solver.rules.children(first);
        let mut reached = true;
        for reply in solver.sorted(first, replies) {
            reached = solver.reaches(reply, goal);
            let answer = if reached { "can" } else { "cannot" };
            println!(
                "after this reply the first player {answer} reach {goal}: {} nodes",
                solver.nodes
            );
            if !reached {
                break;
            }
        }
        assert_eq!(reached, goal == -4, "the known value");
        println!(
            "the second player wins by {half} 4: proved with {} nodes",
            solver.nodes
        );
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--prove") {
        return prove();
    }
    for (empty_to_winner, rule) in [
        (false, "discs alone"),
        (true, "empty squares to the winner"),
    ] {
        let mut solver = Solver::new(Rules::new(4, empty_to_winner), 16);
        let (value, nodes) = (solver.value(START), solver.nodes);
        let [first, second] = discs_at_the_end(&mut solver, START);
        println!("4 × 4, {rule}: value {value}, discs {first}-{second}, {nodes} nodes");
    }
    for empty in [12, 16, 20] {
        let mut solver = Solver::new(Rules::new(6, true), 20);
        let value = solver.value(late(empty));
        println!(
            "6 × 6 with {empty} empty squares: value {value}, {} nodes",
            solver.nodes
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_board::Othello;

    #[test]
    fn four_by_four_is_won_by_eight() {
        let mut solver = Solver::new(Rules::new(4, false), 16);
        assert_eq!(solver.value(START), -8);
        assert_eq!(discs_at_the_end(&mut solver, START), [3, 11]);
    }

    /// Plain alpha-beta by the other rules.
    fn value(game: Othello, mut alpha: i32, beta: i32) -> i32 {
        let mut left = game.moves();
        if left == 0 {
            let over = game.pass().moves() == 0;
            return if over {
                game.score()
            } else {
                -value(game.pass(), -beta, -alpha)
            };
        }
        while left != 0 && alpha < beta {
            let square = left & left.wrapping_neg();
            alpha = alpha.max(-value(game.play(square), -beta, -alpha));
            left ^= square;
        }
        alpha
    }

    #[test]
    fn values_are_those_of_plain_alpha_beta() {
        for empty in 4..=11 {
            let board = late(empty);
            let game = Othello {
                own: board.own,
                other: board.other,
            };
            let mut solver = Solver::new(Rules::new(6, true), 16);
            assert_eq!(solver.value(board), value(game, -36, 36), "{empty}");
        }
    }
}
