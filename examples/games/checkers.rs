//! Checkers endings of up to three pieces, solved backwards from their ends as Chinook's tables were, and played perfectly.
//!
//! `cargo run --release --example checkers`

mod checkers_board;

use checkers_board::{NONE, Position, moves, positions};

/// Most pieces on the board.
const PIECES: usize = 3;

/// The number of plies to the end by best play: even if the player to move has lost, odd if it wins; `None` for a draw.
struct Table(Vec<Option<u8>>);

fn index(pieces: &Position) -> usize {
    pieces
        .iter()
        .fold(0, |index, code| index * (NONE + 1) + code + 1)
}

impl Table {
    /// Solves all positions backwards: first those that are lost at once, then those one ply before, and so on.
    fn solved() -> Self {
        let mut table = Self(vec![None; (NONE + 1).pow(PIECES as u32)]);
        let mut open: Vec<(Position, Vec<usize>)> = (0..=PIECES)
            .flat_map(positions)
            .map(|position| {
                let children = moves(&position).iter().map(index).collect();
                (position, children)
            })
            .collect();
        for plies in 0.. {
            let before = open.len();
            let solved: Vec<usize> = open
                .iter()
                .filter(|(_, children)| {
                    let mut values = children.iter().map(|&child| table.0[child]);
                    if plies % 2 == 0 {
                        values.all(|value| value.is_some_and(|value| value % 2 == 1))
                    } else {
                        values.any(|value| value.is_some_and(|value| value % 2 == 0))
                    }
                })
                .map(|(position, _)| index(position))
                .collect();
            for index in solved {
                table.0[index] = Some(plies);
            }
            open.retain(|(position, _)| table.0[index(position)].is_none());
            if plies > 1 && open.len() == before {
                return table;
            }
        }
        unreachable!("a sweep without a new result ends the loop")
    }

    fn value(&self, pieces: &Position) -> Option<u8> {
        self.0[index(pieces)]
    }

    /// The best reply: the quickest win, else a draw, else the slowest loss.
    fn best(&self, pieces: &Position) -> Option<Position> {
        let rank = |child: &Position| match self.value(child) {
            Some(plies) if plies % 2 == 0 => i32::from(plies) - 1000,
            None => 0,
            Some(plies) => 1000 - i32::from(plies),
        };
        moves(pieces).into_iter().min_by_key(rank)
    }
}

/// Wins, draws and losses of the player to move among positions.
fn tally(table: &Table, positions: &[Position]) -> [usize; 3] {
    let mut tally = [0; 3];
    for position in positions {
        tally[table
            .value(position)
            .map_or(1, |plies| if plies % 2 == 1 { 0 } else { 2 })] += 1;
    }
    tally
}

fn main() {
    let table = Table::solved();
    for count in 1..=PIECES {
        let positions = positions(count);
        let [wins, draws, losses] = tally(&table, &positions);
        println!(
            "{count} pieces: {} positions, {wins} won, {draws} drawn, {losses} lost",
            positions.len()
        );
    }
    let longest = positions(PIECES)
        .into_iter()
        .max_by_key(|position| table.value(position))
        .expect("a position");
    let mut position = longest;
    println!(
        "the longest win or loss takes {} plies",
        table.value(&position).expect("decided")
    );
    let mut plies = 0;
    while let Some(next) = table.best(&position) {
        position = next;
        plies += 1;
    }
    println!("played out: {plies} plies");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_chinooks_tables() {
        assert_eq!(
            [1, 2, 3].map(|count| positions(count).len()),
            [120, 6_972, 261_224]
        );
    }

    #[test]
    fn best_play_takes_as_long_as_the_table_has_it() {
        let table = Table::solved();
        for position in positions(3).iter().step_by(997) {
            let Some(expected) = table.value(position) else {
                continue;
            };
            let (mut position, mut plies) = (position.clone(), 0);
            while let Some(next) = table.best(&position) {
                position = next;
                plies += 1;
            }
            assert_eq!(plies, expected);
        }
    }
}
