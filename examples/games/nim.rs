//! Nim: the theory of Sprague and Grundy gives at once what a search finds by visiting every position.
//!
//! `cargo run --example nim`

mod search;

use search::{Game, Solver};

/// Heaps of stones in descending order. A move takes any number from one heap; who takes the last stone wins.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Nim(Vec<u8>);

impl Game for Nim {
    /// A heap, and the stones that it keeps.
    type Move = (usize, u8);

    fn moves(&self) -> Vec<(usize, u8)> {
        let heaps = self.0.iter().enumerate();
        heaps
            .flat_map(|(heap, &stones)| (0..stones).map(move |left| (heap, left)))
            .collect()
    }

    fn play(&self, (heap, left): (usize, u8)) -> Self {
        let mut heaps = self.0.clone();
        heaps[heap] = left;
        // The order of heaps does not matter: sorted, more positions are the same.
        heaps.sort_unstable_by(|a, b| b.cmp(a));
        Self(heaps)
    }

    /// Without stones the other player has taken the last one.
    fn utility(&self) -> i32 {
        -1
    }
}

impl Nim {
    /// The nim-sum: the player to move wins unless it is zero (Bouton 1901).
    fn nim_sum(&self) -> u8 {
        self.0.iter().fold(0, |sum, heap| sum ^ heap)
    }

    /// A move to a nim-sum of zero, which wins.
    fn winning_move(&self) -> Option<(usize, u8)> {
        self.moves()
            .into_iter()
            .find(|&mv| self.play(mv).nim_sum() == 0)
    }
}

/// The Grundy number of one heap of a game in which a move takes 1 to `most` stones: the least number that no move leads
/// to.
fn grundy(stones: usize, most: usize) -> usize {
    let mut numbers: Vec<usize> = Vec::new();
    for stones in 0..=stones {
        let reached: Vec<usize> = (1..=most.min(stones))
            .map(|taken| numbers[stones - taken])
            .collect();
        numbers.push(
            (0..)
                .find(|number| !reached.contains(number))
                .expect("some number"),
        );
    }
    numbers[stones]
}

fn main() {
    let nim = Nim(vec![7, 5, 3, 1]);
    let mut solver = Solver::new();
    println!(
        "heaps 7, 5, 3, 1: nim-sum {}, searched value {}",
        nim.nim_sum(),
        solver.value(&nim)
    );
    let nim = Nim(vec![7, 5, 4, 1]);
    println!(
        "heaps 7, 5, 4, 1: nim-sum {}, searched value {}",
        nim.nim_sum(),
        solver.value(&nim)
    );
    let (heap, left) = nim.winning_move().expect("the nim-sum is not zero");
    println!(
        "a winning move leaves {left} of the heap of {}",
        nim.0[heap]
    );
    println!("positions searched: {}", solver.positions());
    let numbers: Vec<usize> = (0..12).map(|stones| grundy(stones, 3)).collect();
    println!("Grundy numbers of 0 to 11 stones, one to three taken: {numbers:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_agrees_with_the_nim_sum_everywhere() {
        let mut solver = Solver::new();
        for code in 0..8_usize.pow(4) {
            let mut heaps: Vec<u8> = (0..4)
                .map(|digit| (code >> (3 * digit) & 7) as u8)
                .collect();
            heaps.sort_unstable_by(|a, b| b.cmp(a));
            let nim = Nim(heaps);
            let wins = nim.nim_sum() != 0;
            assert_eq!(solver.value(&nim), if wins { 1 } else { -1 });
            assert_eq!(nim.winning_move().is_some(), wins);
        }
    }

    #[test]
    fn taking_one_to_three_repeats_every_four() {
        for stones in 0..50 {
            assert_eq!(grundy(stones, 3), stones % 4);
            assert_eq!(grundy(stones, 50), stones);
        }
    }
}
