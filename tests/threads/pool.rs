//! Search threads: stops are answered at once, whatever the order of events.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::alone;
use lucena::chess::{Game, Position};
use lucena::engine::{BestMove, Engine, Info, Limits, Listener};

fn startpos() -> Game {
    Game::new(Position::startpos())
}

fn silent() -> Arc<dyn Listener> {
    Arc::new(())
}

fn go(engine: &mut Engine, limits: Limits) -> BestMove {
    let ticket = engine.signal().issue();
    let answer = engine.go(&startpos(), limits, ticket, &silent());
    engine.signal().finish(ticket);
    answer
}

#[test]
fn a_stop_before_the_start_is_not_lost() {
    let _alone = alone();
    for threads in [1, 3] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        let signal = engine.signal();
        let ticket = signal.issue();
        signal.stop();
        assert!(
            engine
                .go(&startpos(), Limits::none(), ticket, &silent())
                .best
                .is_some()
        );
        signal.finish(ticket);
        // A late stop does not end the next search.
        signal.stop();
        let started = Instant::now();
        let limits = Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::none()
        };
        go(&mut engine, limits);
        assert!(started.elapsed() >= Duration::from_millis(80));
    }
}

/// A stop ends the search within this time, in one of so many tries.
const AT_ONCE: Duration = Duration::from_millis(200);
const TRIES: usize = 3;

#[test]
fn a_stop_ends_the_search_at_once() {
    let _alone = alone();
    let mut engine = Engine::new();
    engine.set_threads(2);
    engine.prepare().expect("ready");
    for milliseconds in [0, 1, 5, 20, 50] {
        let mut stop = || {
            let signal = engine.signal();
            let ticket = signal.issue();
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_millis(milliseconds));
                let at = Instant::now();
                signal.stop();
                at
            });
            let found = engine.go(&startpos(), Limits::none(), ticket, &silent());
            assert!(found.best.is_some());
            let answered = Instant::now();
            engine.signal().finish(ticket);
            answered.saturating_duration_since(stopper.join().expect("stopped"))
        };
        // A busy machine may be late once, an engine that does not stop is late each time.
        let late = (0..TRIES).map(|_| stop()).find(|late| *late < AT_ONCE);
        assert!(late.is_some(), "a stop after {milliseconds} ms");
    }
}

#[test]
fn a_thousand_short_searches() {
    let _alone = alone();
    let mut engine = Engine::new();
    for round in 0..1_000 {
        engine.set_threads(1 + round / 100 % 4);
        if round % 97 == 0 {
            engine.set_hash(1 + round % 3);
        }
        assert!(go(&mut engine, Limits::nodes(200)).best.is_some());
    }
}

#[test]
fn many_threads_on_few_cores() {
    let _alone = alone();
    let mut engine = Engine::new();
    engine.set_threads(64);
    assert!(go(&mut engine, Limits::depth(4)).best.is_some());
    engine.set_threads(1);
    assert!(go(&mut engine, Limits::depth(4)).best.is_some());
}

#[test]
fn pondering_holds_the_answer_until_the_hit() {
    let _alone = alone();
    let mut engine = Engine::new();
    engine.prepare().expect("ready");
    let signal = engine.signal();
    let ticket = signal.issue();
    let hitter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        let at = Instant::now();
        signal.ponder_hit();
        at
    });
    let limits = Limits {
        ponder: true,
        move_time: Some(Duration::from_millis(150)),
        ..Limits::none()
    };
    engine.go(&startpos(), limits, ticket, &silent());
    let after = Instant::now().duration_since(hitter.join().expect("hit"));
    assert!(
        (Duration::from_millis(120)..Duration::from_millis(400)).contains(&after),
        "{after:?}"
    );
    // A limit that is reached while pondering waits for the ponder hit.
    let signal = engine.signal();
    let ticket = signal.issue();
    let started = Instant::now();
    let hitter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        signal.ponder_hit();
    });
    engine.go(
        &startpos(),
        Limits {
            ponder: true,
            ..Limits::depth(1)
        },
        ticket,
        &silent(),
    );
    assert!(started.elapsed() >= Duration::from_millis(290));
    hitter.join().expect("hit");
}

#[test]
fn an_infinite_search_answers_only_after_the_stop() {
    let _alone = alone();
    let mut engine = Engine::new();
    engine.prepare().expect("ready");
    let mate = Game::new(Position::from_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1").expect("a position"));
    let signal = engine.signal();
    let ticket = signal.issue();
    let started = Instant::now();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(400));
        signal.stop();
    });
    let answer = engine.go(
        &mate,
        Limits {
            infinite: true,
            ..Limits::depth(3)
        },
        ticket,
        &silent(),
    );
    assert!(answer.best.is_some() && started.elapsed() >= Duration::from_millis(390));
    stopper.join().expect("stopped");
}

#[test]
fn a_hash_size_beyond_the_memory_is_refused_and_the_old_tt_kept() {
    let _alone = alone();
    let mut engine = Engine::new();
    engine.prepare().expect("ready");
    engine.set_hash(usize::MAX / (1 << 20));
    let errors = engine.prepare().expect_err("too much");
    assert!(
        errors[0].to_string().contains("16 MiB stay in use"),
        "{errors:?}"
    );
    assert!(go(&mut engine, Limits::depth(3)).best.is_some());
}

/// Panics at the first report, which the main search thread makes.
struct Faulty;

impl Listener for Faulty {
    fn info(&self, _info: &Info<'_>) {
        let thread = thread::current();
        let is_search = thread.name().is_some_and(|name| name.starts_with("search"));
        assert!(!is_search, "a fault of the test");
    }
}

#[test]
fn a_search_after_a_panic_is_a_whole_one() {
    let _alone = alone();
    for threads in [1, 3] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        let signal = engine.signal();
        for _ in 0..3 {
            let ticket = signal.issue();
            let faulty: Arc<dyn Listener> = Arc::new(Faulty);
            let answer = engine.go(&startpos(), Limits::depth(5), ticket, &faulty);
            signal.finish(ticket);
            assert!(answer.best.is_some());
            // A rook is to be taken: the first legal move is another one.
            let game = Game::new(
                Position::from_fen("4k3/8/8/8/8/r7/8/R3K3 w - - 0 1").expect("a position"),
            );
            let answer = engine.search(&game, Limits::depth(5));
            assert_eq!(
                answer
                    .best
                    .map(|best| best.uci(false).to_string())
                    .as_deref(),
                Some("a1a3")
            );
        }
    }
}
