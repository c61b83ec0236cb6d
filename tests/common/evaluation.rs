//! Random positions and random weights for tests of the evaluation.

use std::sync::Arc;

use lucena::chess::Position;
use lucena::eval::load::new_model;
use lucena::eval::{BUILT_IN, Model, Weight, Weights};

use super::Random;

/// Positions with castling of every kind, near promotions, and more queens than a chess set has.
pub const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "8/PPPP1PPP/4k3/8/8/4K3/pppp1ppp/8 w - - 0 1",
    "4k3/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/4K3 w - - 0 1",
    "3qkq2/1q4q1/8/8/8/8/1Q4Q1/3QKQ2 w - - 0 1",
    "8/3k4/8/8/8/8/4KBN1/8 w - - 0 1",
];

/// All positions of random legal games.
pub fn random_positions(seed: u64, games: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for game in 0..games {
        let mut position = Position::from_fen(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..120 {
            positions.push(position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(*random.pick(&moves));
        }
    }
    positions
}

/// A model with random weights up to 1000 in size; the parts for pawns, whose sums have fewer bits, up to 50.
pub fn random_model(random: &mut Random) -> Arc<Model> {
    let model = new_model(|| {
        let mut part =
            |size: i16| i16::try_from(random.below(2 * size as usize + 1)).unwrap() - size;
        let mut weights = Weights::ZERO;
        for pair in &mut weights.0 {
            *pair = Weight([part(1000), part(1000), part(50), part(50)]);
        }
        weights
    });
    model.expect("a thread")
}

/// The built-in model, among others.
pub fn built_in_model() -> Arc<Model> {
    new_model(|| BUILT_IN.weights().clone()).expect("a thread")
}

/// A board with a white and a black king on these squares, counted from a1.
pub fn with_kings(board: &str, kings: [usize; 2]) -> String {
    let rows = board.split('/').map(|row| {
        let cells = row.chars().flat_map(|cell| match cell.to_digit(10) {
            Some(empty) => vec!['1'; empty as usize],
            None => vec![cell],
        });
        cells.collect::<Vec<char>>()
    });
    let mut rows: Vec<Vec<char>> = rows.collect();
    for (square, king) in kings.into_iter().zip(['K', 'k']) {
        rows[7 - square / 8][square % 8] = king;
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join("/")
}
