//! Perft against shakmaty: the same trees counted in turn, in one process, on one thread.
//! Uses: lucena's chess, shakmaty. Run: `cargo bench --bench perft`.
//! Idea: absolute times say little on a shared machine, so only the ratio of interleaved runs is worth anything.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lucena::chess::{Position, perft::perft};

/// Runs of each program and tree.
const RUNS: usize = 9;

fn main() {
    let trees = [
        (
            "start position",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            6,
            119_060_324,
        ),
        (
            "kiwipete",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            5,
            193_690_690,
        ),
    ];
    println!("medians of {RUNS} interleaved runs, one thread, million leaves per second");
    for (name, fen, depth, expected) in trees {
        let ours = Position::from_fen(fen).expect("a legal position");
        let theirs = ours.to_chess();
        let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            our_times.push(timed(expected, || perft(black_box(&ours), depth)));
            their_times.push(timed(expected, || {
                shakmaty::perft(black_box(&theirs), depth)
            }));
        }
        let ratios = our_times
            .iter()
            .zip(&their_times)
            .map(|(our, their)| their.as_secs_f64() / our.as_secs_f64());
        let ratio = median(ratios.collect());
        let speed = |times: &[Duration]| {
            let seconds = median(times.iter().map(Duration::as_secs_f64).collect());
            expected as f64 / seconds / 1e6
        };
        println!(
            "{name}, depth {depth}: lucena {:.0}, shakmaty {:.0}, ratio {ratio:.2}",
            speed(&our_times),
            speed(&their_times)
        );
    }
}

fn timed(expected: u64, count: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    let counted = count();
    let elapsed = start.elapsed();
    assert_eq!(counted, expected);
    elapsed
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
