//! The TT under stress: two threads that write to the same few clusters never read an entry that was not stored.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use lucena::base::random::GOLDEN_RATIO;
use lucena::base::value::Bound;
use lucena::chess::{Move, MoveKind, Square};
use lucena::search::tt::{TranspositionTable, TtEntry};

/// Hits to check. Without the hash in the tags one hit in 430 is wrong.
const HITS: u64 = if cfg!(miri) { 200 } else { 2_000_000 };
/// Positions that share the clusters.
const KEYS: u64 = 16;
/// Different entries of each.
const VERSIONS: u64 = 4;

/// Keys with different tags, so that no hit is a key collision.
fn key(number: u64) -> u64 {
    // The upper bits choose among the clusters, the lower ones are the tag.
    (number % 2) << 63 | (number + 1).wrapping_mul(GOLDEN_RATIO) >> 1
}

/// The entry of a key: number and version are in each of its fields.
fn entry(number: u64, version: u64) -> TtEntry {
    let square = |index: u64| Square::new(index as u32 & 63);
    TtEntry {
        best: Some(Move::new(
            square(number),
            square(32 + version),
            MoveKind::Quiet,
        )),
        score: (100 * number + version) as i32,
        bound: Some(Bound::Exact),
        depth: 1 + ((number + version) % 8) as i32,
        evaluation: Some((1_000 + 10 * number + version) as i32),
        was_pv: version % 2 == 1,
    }
}

#[test]
fn no_hit_is_wrong_while_two_threads_write_to_few_clusters() {
    // The smallest table has one cluster.
    let table = TranspositionTable::new(0).expect("a cluster");
    let done = AtomicBool::new(false);
    let stored: [[TtEntry; VERSIONS as usize]; KEYS as usize] =
        std::array::from_fn(|number| std::array::from_fn(|v| entry(number as u64, v as u64)));
    let stress = |seed: u64| {
        let (mut hits, mut wrong, mut state) = (0_u64, 0_u64, seed);
        while !done.load(Ordering::Relaxed) {
            // A Lehmer generator: its upper bits are good.
            state = state.wrapping_mul(0xda94_2042_e4dd_58b5);
            let number = (state >> 40) % KEYS;
            if state >> 63 == 0 {
                let version = (state >> 50) % VERSIONS;
                table.store(key(number), stored[number as usize][version as usize], 0);
            } else if let Some(hit) = table.probe(key(number), 0) {
                hits += 1;
                // All entries have a move: without one the old move would be kept.
                wrong += u64::from(!stored[number as usize].contains(&hit));
            }
            if hits * 2 >= HITS {
                done.store(true, Ordering::Relaxed);
            }
        }
        (hits, wrong)
    };
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(|| stress(0x1234_5679));
        let other = scope.spawn(|| stress(0xfedc_ba9b));
        (
            one.join().expect("a thread that ends"),
            other.join().expect("a thread that ends"),
        )
    });
    let (hits, wrong) = (one.0 + other.0, one.1 + other.1);
    println!("{hits} hits, {wrong} wrong");
    assert!(hits >= HITS / 2);
    assert_eq!(wrong, 0, "of {hits} hits");
}
