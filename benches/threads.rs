//! Two threads against one on the bench positions, searched in turn: nodes per second in the same time, and time to the same
//! depth. Run on an idle machine: `cargo bench --bench threads`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lucena::base::sync::Mutex;
use lucena::chess::{Game, Position};
use lucena::engine::bench::POSITIONS;
use lucena::engine::{Engine, Info, Limits, Listener};

/// Time for each search.
const MOVE_TIME: Duration = Duration::from_millis(400);

/// Depth of the timed searches, in plies.
const DEPTH: i32 = 17;
/// Rounds of timed searches: two threads do not search the same tree twice.
const ROUNDS: usize = 3;

/// Keeps the last reported nodes per second.
#[derive(Default)]
struct Speed(Mutex<u64>);

impl Listener for Speed {
    fn info(&self, info: &Info<'_>) {
        *self.0.lock() = info.stats.nodes_per_second();
    }
}

/// The time of a search with an empty TT.
fn search(
    engine: &mut Engine,
    position: Position,
    limits: Limits,
    listener: &Arc<dyn Listener>,
) -> Duration {
    engine.new_game();
    engine.prepare().expect("memory and threads");
    let ticket = engine.signal().issue();
    let start = Instant::now();
    engine.go(&Game::new(position), limits, ticket, listener);
    engine.signal().finish(ticket);
    start.elapsed()
}

fn speed(engine: &mut Engine, position: Position) -> f64 {
    let speed = Arc::new(Speed::default());
    let listener: Arc<dyn Listener> = speed.clone();
    let limits = Limits {
        move_time: Some(MOVE_TIME),
        ..Limits::none()
    };
    search(engine, position, limits, &listener);
    *speed.0.lock() as f64
}

fn seconds(engine: &mut Engine, position: Position) -> f64 {
    let listener: Arc<dyn Listener> = Arc::new(Speed::default());
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::none()
    };
    search(engine, position, limits, &listener).as_secs_f64()
}

fn main() {
    let (mut one, mut two) = (Engine::new(), Engine::new());
    two.set_threads(2);
    let positions: Vec<_> = (POSITIONS.iter())
        .map(|&fen| (fen, Position::from_fen(fen).expect("a legal position")))
        .collect();
    let mut ratios = Vec::new();
    for &(fen, position) in &positions {
        let (alone, together) = (speed(&mut one, position), speed(&mut two, position));
        ratios.push(together / alone);
        println!(
            "{:.2} ({:.0} kn/s, {:.0} kn/s) {fen}",
            together / alone,
            alone / 1e3,
            together / 1e3
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "median of {} positions: two threads search {:.3} times the nodes per second of one",
        ratios.len(),
        ratios[ratios.len() / 2]
    );
    for round in 1..=ROUNDS {
        let (mut sums, mut logarithms) = ([0.0; 2], 0.0);
        for &(_, position) in &positions {
            let (alone, together) = (seconds(&mut one, position), seconds(&mut two, position));
            sums = [sums[0] + alone, sums[1] + together];
            logarithms += (together / alone).ln();
        }
        println!(
            "round {round}: to depth {DEPTH} of all positions one thread takes {:.1} s, two {:.1} s: {:.3} of the time; \
             geometric mean of the positions {:.3}",
            sums[0],
            sums[1],
            sums[1] / sums[0],
            (logarithms / positions.len() as f64).exp()
        );
    }
}
