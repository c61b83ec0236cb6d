//! Connect Four on small boards, solved by alpha-beta with a transposition table.
//!
//! `cargo run --release --example connect_four`

mod search;
mod uct;

use lucena::base::random::Random;
use search::{Counts, Game, INFINITE, Solver, alpha_beta};
use uct::uct;

/// A board of `WIDTH` columns and `HEIGHT` rows. Each column has one bit more than rows, which keeps lines from running
/// over its top.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct ConnectFour<const WIDTH: usize, const HEIGHT: usize> {
    own: u64,
    other: u64,
}

impl<const WIDTH: usize, const HEIGHT: usize> ConnectFour<WIDTH, HEIGHT> {
    /// Whether the player who has just moved has four in a line.
    fn is_lost(&self) -> bool {
        let steps = [1, HEIGHT, HEIGHT + 1, HEIGHT + 2];
        steps.iter().any(|step| {
            let pairs = self.other & self.other >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Game for ConnectFour<WIDTH, HEIGHT> {
    /// The square on which the disc comes to rest.
    type Move = u32;

    /// A move that wins comes first, then columns in the middle, which are on more lines.
    fn moves(&self) -> Vec<u32> {
        if self.is_lost() {
            return Vec::new();
        }
        let taken = self.own | self.other;
        let heights = (0..WIDTH).map(|column| {
            let bottom = column * (HEIGHT + 1);
            (column, bottom, (taken >> bottom).trailing_ones() as usize)
        });
        let mut moves: Vec<_> = heights
            .filter(|&(_, _, height)| height < HEIGHT)
            .map(|(column, bottom, height)| {
                ((2 * column + 1).abs_diff(WIDTH), (bottom + height) as u32)
            })
            .collect();
        moves.sort_by_key(|&(distance, square)| (!self.play(square).is_lost(), distance));
        moves.into_iter().map(|(_, square)| square).collect()
    }

    fn play(&self, square: u32) -> Self {
        Self {
            own: self.other,
            other: self.own | 1 << square,
        }
    }

    fn utility(&self) -> i32 {
        -i32::from(self.is_lost())
    }
}

/// The value for the first player, and the nodes visited.
fn solve<const WIDTH: usize, const HEIGHT: usize>() -> (i32, u64) {
    let mut solver = Solver::new();
    let value = solver.value(&ConnectFour::<WIDTH, HEIGHT>::default());
    (value, solver.counts.nodes)
}

/// The results of games on 5 × 4 squares between UCT and a player that knows every value and takes a random move among the
/// best: lost and drawn games of UCT (the board is a draw). The players take turns at moving first.
fn against_perfect_play(games: usize, playouts: usize) -> [usize; 2] {
    let mut solver = Solver::new();
    let mut random = Random::new(1, playouts as u64);
    let mut results = [0; 2];
    for number in 0..games {
        let mut game = ConnectFour::<5, 4>::default();
        let mut uct_moves = number % 2 == 0;
        loop {
            let mut moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = if uct_moves {
                uct(&game, playouts, &mut random)
            } else {
                random.shuffle(&mut moves);
                let worst_for_other = |mv: &&u32| solver.value(&game.play(**mv));
                *moves.iter().min_by_key(worst_for_other).expect("a move")
            };
            game = game.play(mv);
            uct_moves = !uct_moves;
        }
        // Only the perfect player can have won: the one to move has lost or the board is full.
        results[usize::from(!game.is_lost())] += 1;
    }
    results
}

fn main() {
    for (board, (value, nodes)) in [
        ("4 × 4", solve::<4, 4>()),
        ("5 × 4", solve::<5, 4>()),
        ("4 × 5", solve::<4, 5>()),
        ("6 × 4", solve::<6, 4>()),
    ] {
        let result = ["second player wins", "draw", "first player wins"][(value + 1) as usize];
        println!("{board}: {result}, {nodes} nodes");
    }
    let mut counts = Counts::default();
    alpha_beta(
        &ConnectFour::<4, 4>::default(),
        16,
        -INFINITE,
        INFINITE,
        &mut counts,
    );
    println!(
        "4 × 4 without a transposition table: {} nodes",
        counts.nodes
    );
    for playouts in [10, 1000, 10_000] {
        let [lost, drawn] = against_perfect_play(30, playouts);
        println!(
            "UCT with {playouts} play-outs a move against perfect play: {drawn} drawn, {lost} lost"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_draws() {
        assert_eq!(solve::<4, 4>().0, 0);
        assert_eq!(solve::<5, 4>().0, 0);
        assert_eq!(solve::<4, 5>().0, 0);
    }

    #[test]
    fn more_play_outs_hold_more_games() {
        let [few, many] = [10, 5000].map(|playouts| against_perfect_play(20, playouts)[1]);
        assert!(many >= few + 5, "{few} {many}");
    }

    #[test]
    fn lines_do_not_run_over_the_top_of_a_column() {
        // Three discs at the top of one column and one at the bottom of the next.
        let game = ConnectFour::<4, 4> {
            own: 0,
            other: 0b1_01110,
        };
        assert!(!game.is_lost());
        let game = ConnectFour::<4, 4> {
            own: 0,
            other: 0b1111,
        };
        assert!(game.is_lost());
    }
}
