//! A search does not allocate heap memory: a counting allocator sees no call between the first and the last report of the
//! search threads.

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lucena::chess::{Game, Position};
use lucena::engine::bench::POSITIONS;
use lucena::engine::{Engine, Info, Limits, Listener};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of allocations so far.
fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// Notes the number of allocations at the first and the last reported variation.
#[derive(Default)]
struct Watch {
    reports: AtomicUsize,
    first: AtomicUsize,
    last: AtomicUsize,
}

impl Listener for Watch {
    fn info(&self, _info: &Info<'_>) {
        let count = allocations();
        // At the end the caller's thread reports the final variations once more.
        if std::thread::current()
            .name()
            .is_none_or(|name| !name.starts_with("search"))
        {
            return;
        }
        if self.reports.fetch_add(1, Ordering::SeqCst) == 0 {
            self.first.store(count, Ordering::SeqCst);
        }
        self.last.store(count, Ordering::SeqCst);
    }
}

fn search(engine: &mut Engine, game: &Game, watch: &Arc<Watch>) {
    let ticket = engine.signal().issue();
    let listener: Arc<dyn Listener> = Arc::clone(watch) as _;
    engine.go(game, Limits::nodes(100_000), ticket, &listener);
    engine.signal().finish(ticket);
}

/// The only test of this file: another one would be counted as well.
#[test]
fn a_search_does_not_allocate() {
    let before = allocations();
    let kept = Box::new(before);
    assert!(allocations() > *kept, "the allocator counts");
    for (threads, lines) in [(1, 1), (1, 4), (2, 1)] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        engine.set_multi_pv(lines);
        engine.prepare().expect("ready");
        // The first search builds what is built once. When a thread first waits for a job, which may be while another one
        // still searches, its channel allocates twice: for the thread, and for the list of those that wait.
        search(
            &mut engine,
            &Game::new(Position::startpos()),
            &Arc::default(),
        );
        let allowed = if threads == 1 { 0 } else { 2 * threads };
        let (mut reports, mut allocated) = (0, 0);
        for fen in POSITIONS.iter().step_by(5) {
            let watch = Arc::new(Watch::default());
            let mut game = Game::new(Position::from_fen(fen).expect("a position"));
            // With earlier positions, whose keys the search reads.
            for _ in 0..4 {
                let moves = game.position().legal_moves();
                if let Some(&mv) = moves.iter().find(|mv| !mv.is_noisy()) {
                    game.play(mv);
                }
            }
            search(&mut engine, &game, &watch);
            allocated += watch.last.load(Ordering::SeqCst) - watch.first.load(Ordering::SeqCst);
            reports += watch.reports.load(Ordering::SeqCst);
        }
        assert!(
            allocated <= allowed,
            "{threads} threads, {lines} lines: {allocated} allocations"
        );
        assert!(reports > 50, "{reports} variations");
    }
}
