//! A search takes no memory: all it needs is there before its first node.
//! Idea: the allocator of this program counts. Between what the search's threads tell first and last, no thread at all may
//! have asked it for anything.

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lucena::chess::{Game, Position};
use lucena::engine::bench::POSITIONS;
use lucena::engine::{Engine, Info, Limits, Listener};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often anyone asked for memory so far.
fn taken() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// Remembers the counter at the first and at the last variation that it hears of.
#[derive(Default)]
struct Watch {
    heard: AtomicUsize,
    first: AtomicUsize,
    last: AtomicUsize,
}

impl Listener for Watch {
    fn info(&self, _info: &Info<'_>) {
        let taken = taken();
        // The answer tells its lines once more, on the caller's thread, when the search is over.
        if std::thread::current()
            .name()
            .is_none_or(|name| !name.starts_with("search"))
        {
            return;
        }
        if self.heard.fetch_add(1, Ordering::SeqCst) == 0 {
            self.first.store(taken, Ordering::SeqCst);
        }
        self.last.store(taken, Ordering::SeqCst);
    }
}

fn search(engine: &mut Engine, game: &Game, watch: &Arc<Watch>) {
    let ticket = engine.signal().issue();
    let listener: Arc<dyn Listener> = Arc::clone(watch) as _;
    engine.go(game, Limits::nodes(100_000), ticket, &listener);
    engine.signal().finish(ticket);
}

/// One test alone: another one beside it would be counted too.
#[test]
fn a_search_takes_no_memory() {
    let before = taken();
    let kept = Box::new(before);
    assert!(taken() > *kept, "the allocator counts");
    for (threads, lines) in [(1, 1), (1, 4), (2, 1)] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        engine.set_multi_pv(lines);
        engine.prepare().expect("ready");
        // The first search builds what is built once. A thread allocates once more when it first waits for a job, which may
        // be while another one still searches.
        search(
            &mut engine,
            &Game::new(Position::startpos()),
            &Arc::default(),
        );
        let allowed = if threads == 1 { 0 } else { threads };
        let (mut heard, mut taken) = (0, 0);
        for fen in POSITIONS.iter().step_by(5) {
            let watch = Arc::new(Watch::default());
            let mut game = Game::new(Position::from_fen(fen).expect("a position"));
            // A game behind the position: its keys are looked at in the search.
            for _ in 0..4 {
                let moves = game.position().legal_moves();
                if let Some(&mv) = moves.iter().find(|mv| !mv.is_noisy()) {
                    game.play(mv);
                }
            }
            search(&mut engine, &game, &watch);
            taken += watch.last.load(Ordering::SeqCst) - watch.first.load(Ordering::SeqCst);
            heard += watch.heard.load(Ordering::SeqCst);
        }
        assert!(
            taken <= allowed,
            "{threads} threads, {lines} lines: {taken} allocations"
        );
        assert!(heard > 50, "{heard} variations");
    }
}
