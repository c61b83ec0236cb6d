//! Perft speed beside cozy-chess and shakmaty, on one thread: `cargo bench --bench perft`. Runs are interleaved and timed in
//! processor time of the thread; compare the ratios, since absolute times depend on other work of the machine.

use std::hint::black_box;

use cpu_time::ThreadTime;
use lucena::chess::Position;
use lucena::engine::perft::{perft, perft_by_moves};

/// Runs per library and position.
const RUNS: usize = 11;

/// The perft positions of the Chess Programming Wiki: name, FEN, depth, count.
const TREES: [(&str, &str, u32, u64); 6] = [
    (
        "start",
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
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

/// In the order of the columns.
const LIBRARIES: [&str; 4] = ["kernel", "by moves", "cozy-chess", "shakmaty"];

fn main() {
    println!("Medians of {RUNS} interleaved runs on one thread, last ply counted in bulk.");
    println!("kernel: perft; by moves: perft_by_moves, with the positions of the search.\n");
    println!(
        "{:16} | {:>10} {:>10} {:>10} {:>10} | {:>11} {:>11} {:>11} {:>11}",
        "million leaves/s",
        LIBRARIES[0],
        LIBRARIES[1],
        LIBRARIES[2],
        LIBRARIES[3],
        "kernel/cozy",
        "kernel/shak",
        "moves/cozy",
        "moves/shak"
    );
    for (name, fen, depth, expected) in TREES {
        let seconds = times(fen, depth, expected);
        let speed = |library: usize| expected as f64 / median(seconds[library].clone()) / 1e6;
        let ratio = |library: usize, other: usize| {
            let pairs = seconds[library].iter().zip(&seconds[other]);
            median(pairs.map(|(one, other)| other / one).collect())
        };
        println!(
            "{name:10} {depth:5} | {:>10.0} {:>10.0} {:>10.0} {:>10.0} | {:>11.2} {:>11.2} {:>11.2} {:>11.2}",
            speed(0),
            speed(1),
            speed(2),
            speed(3),
            ratio(0, 2),
            ratio(0, 3),
            ratio(1, 2),
            ratio(1, 3)
        );
    }
}

/// Seconds by library and run.
fn times(fen: &str, depth: u32, expected: u64) -> [Vec<f64>; 4] {
    let ours = Position::from_fen(fen).expect("a legal position");
    let cozy: cozy_chess::Board = fen.parse().expect("a legal position");
    let shakmaty = ours.to_chess();
    let mut seconds = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        let mut run = |library: usize, count: &dyn Fn() -> u64| {
            let start = ThreadTime::now();
            let leaves = count();
            seconds[library].push(start.elapsed().as_secs_f64());
            assert_eq!(leaves, expected, "{} on {fen}", LIBRARIES[library]);
        };
        run(0, &|| perft(black_box(&ours), depth));
        run(1, &|| perft_by_moves(black_box(&ours), depth));
        run(2, &|| cozy_perft(black_box(&cozy), depth));
        run(3, &|| shakmaty::perft(black_box(&shakmaty), depth));
    }
    seconds
}

/// cozy-chess has no perft; this is the fastest of several ways tried.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    leaves
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
