//! Nodes per second of two threads against one, on the bench positions.
//! Uses: lucena's engine and bench positions. Run on an otherwise idle machine: `cargo bench --bench threads`.
//! Idea: each position is searched for the same time with one thread and with two, in turn; only the ratio counts.

use std::sync::Arc;
use std::time::Duration;

use lucena::bench::POSITIONS;
use lucena::chess::{Game, Position};
use lucena::engine::{Engine, Info, Limits, Listener};
use parking_lot::Mutex;

/// Time for each search.
const MOVE_TIME: Duration = Duration::from_millis(400);

/// Keeps the last count of nodes per second.
#[derive(Default)]
struct Speed(Mutex<u64>);

impl Listener for Speed {
    fn info(&self, info: &Info<'_>) {
        *self.0.lock() = info.progress.nodes_per_second();
    }
}

fn speed(engine: &mut Engine, position: Position) -> f64 {
    engine.new_game();
    engine.prepare().expect("memory and threads");
    let speed = Arc::new(Speed::default());
    let listener: Arc<dyn Listener> = speed.clone();
    let ticket = engine.signal().issue();
    let limits = Limits {
        move_time: Some(MOVE_TIME),
        ..Limits::none()
    };
    engine.go(&Game::new(position), limits, ticket, &listener);
    engine.signal().finish(ticket);
    *speed.0.lock() as f64
}

fn main() {
    let (mut one, mut two) = (Engine::new(), Engine::new());
    two.set_threads(2);
    let mut ratios = Vec::new();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).expect("a legal position");
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
}
