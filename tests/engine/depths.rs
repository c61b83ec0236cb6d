//! How the tree grows with depth, and how long each depth takes; the measured table is in `docs/results/`.

use std::fmt::Write;
use std::sync::Arc;

use crate::common::rewrite_table;
use lucena::base::sync::Mutex;
use lucena::base::value::Bound;
use lucena::chess::{Game, Position};
use lucena::engine::bench::POSITIONS;
use lucena::engine::{Engine, Info, Limits, Listener, SearchStats};

/// The depths of the table, in plies.
const FIRST: usize = 14;
const LAST: usize = 20;
/// Every how many bench positions one is searched.
const STEP: usize = 2;
/// Upper limit of the effective branching factor.
const MAX_GROWTH: f64 = 1.9;

/// Keeps the statistics at the end of each depth.
#[derive(Default)]
struct Depths(Mutex<Vec<SearchStats>>);

impl Listener for Depths {
    fn info(&self, info: &Info<'_>) {
        if info.bound == Bound::Exact {
            let mut seen = self.0.lock();
            let depth = info.depth as usize;
            let length = seen.len().max(depth + 1);
            seen.resize(length, SearchStats::default());
            seen[depth] = info.stats;
        }
    }
}

/// The statistics of a search at the end of each depth, with the default TT, on one thread.
fn search(position: &Position, depth: usize) -> Vec<SearchStats> {
    let depths = Arc::new(Depths::default());
    let listener: Arc<dyn Listener> = Arc::<Depths>::clone(&depths);
    let limits = Limits::depth(depth as i32);
    Engine::new().go(&Game::new(*position), limits, 1, &listener);
    std::mem::take(&mut *depths.0.lock())
}

/// The growth of nodes per ply from one (depth, nodes) to another.
fn growth(from: (usize, u64), to: (usize, u64)) -> f64 {
    (to.1 as f64 / from.1 as f64).powf(1.0 / (to.0 - from.0) as f64)
}

#[test]
fn nodes_and_time_grow_with_depth() {
    let seen = search(&Position::startpos(), 8);
    assert_eq!(seen.len(), 9);
    assert!(seen[1..].iter().all(|status| status.nodes > 0));
    assert!(seen[1..].is_sorted_by_key(|status| (status.nodes, status.elapsed)));
    assert!((growth((2, 50), (5, 50 * 27)) - 3.0).abs() < 1e-9);
}

/// Measures the table and writes it into `docs/results/theory.md`.
#[test]
#[ignore = "minutes; rewrites docs/results/theory.md"]
fn the_table_of_depths() {
    let start = search(&Position::startpos(), LAST);
    let read = |fen: &&str| Position::from_fen(fen).expect("a position of the bench");
    let all = POSITIONS.iter().step_by(STEP).map(read);
    let searches: Vec<Vec<SearchStats>> = all.map(|position| search(&position, LAST)).collect();
    let nodes = |depth: usize| -> u64 { searches.iter().map(|seen| seen[depth].nodes).sum() };
    let mut table = format!(
        "\nNodes over {} positions of the bench and from the start position, summed over the depths up to this one, on one\n\
         thread with 16 MB; the time is the start position's.\n\n\
         | depth | nodes | growth | start position | milliseconds |\n|--:|--:|--:|--:|--:|\n",
        searches.len()
    );
    for (depth, first) in start.iter().enumerate().skip(FIRST) {
        let last_ply = growth((depth - 1, nodes(depth - 1)), (depth, nodes(depth)));
        let _ = writeln!(
            table,
            "| {depth} | {} | {last_ply:.2} | {} | {} |",
            nodes(depth),
            first.nodes,
            first.elapsed.as_millis()
        );
    }
    let factor = growth((FIRST, nodes(FIRST)), (LAST, nodes(LAST)));
    let own: f64 = searches
        .iter()
        .map(|seen| growth((FIRST, seen[FIRST].nodes), (LAST, seen[LAST].nodes)).ln())
        .sum();
    let own = (own / searches.len() as f64).exp();
    let _ = writeln!(
        table,
        "\nThe effective branching factor of depths {} to {LAST} is {factor:.2}, and {own:.2} as the\ngeometric mean of the positions' own.\n",
        FIRST + 1
    );
    rewrite_table("docs/results/theory.md", "depths", &table);
    assert!(factor < MAX_GROWTH, "{factor}");
}
