//! The processor time of one tablebase probe in nanoseconds, with all tables in memory: `cargo bench --bench tables`.
//! The median of several rounds over the same random positions. The last row is a position that is in no table.

use std::hint::black_box;

use cpu_time::ThreadTime;
use lucena::base::random::{GOLDEN_RATIO, mix};
use lucena::chess::Position;
use lucena::tablebase::Tablebases;

/// Random seeds per material, and rounds.
const POSITIONS: u64 = 20_000;
const ROUNDS: usize = 7;

/// A random position with these pieces, if it is legal.
fn position(pieces: &str, seed: u64) -> Option<Position> {
    let mut board = ['1'; 64];
    for (piece, index) in pieces.chars().zip(0..) {
        board[(mix(seed.wrapping_mul(GOLDEN_RATIO)) >> (6 * index) & 63) as usize] = piece;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    let fen = format!("{} w - - 0 1", ranks.join("/"));
    let position = Position::from_fen(&fen).ok()?;
    (position.occupied().count() == pieces.len()).then_some(position)
}

/// The median processor time of a call, in nanoseconds.
fn measure<T>(positions: &[Position], call: impl Fn(&Position) -> T) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = ThreadTime::now();
            for position in positions {
                black_box(call(black_box(position)));
            }
            start.elapsed().as_nanos() as f64 / positions.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn main() {
    let tables = Tablebases::embedded();
    println!("{:8} {:>8} {:>8}", "pieces", "WDL ns", "DTZ ns");
    for pieces in ["KQk", "KPk", "KRkb", "KQkr", "KRkp", "KPkp", "KRPkr"] {
        let positions: Vec<Position> = (0..POSITIONS)
            .filter_map(|seed| position(pieces, seed))
            .collect();
        let wdl = measure(&positions, |position| tables.wdl(position));
        let dtz = measure(&positions[..positions.len() / 10], |position| {
            tables.dtz(position)
        });
        println!("{pieces:8} {wdl:8.0} {dtz:8.0}");
    }
}
