//! Levels: legal and reported moves, repeatable by seed, guards, and full strength where it is due.

use std::time::{Duration, Instant};

use lucena::engine::level::scale::{CCRL_RATINGS, level_of_ccrl};

use crate::driver::{Engine, within};

/// An engine at a level.
pub fn level(rating: u32) -> Engine {
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send(&format!("setoption name UCI_Elo value {rating}"));
    engine.send("setoption name Level Seed value 7");
    engine
}

#[test]
fn a_level_plays_whole_games_of_legal_moves() {
    // The driver checks every move and that the last line begins with it.
    for rating in [800, 1500, 2200, 2800] {
        let mut engine = level(rating);
        let mut moves = String::new();
        for _ in 0..30 {
            engine.position(&format!("startpos moves{moves}"));
            if engine.board().is_over() {
                break;
            }
            let answer = engine.go("movetime 200");
            moves += &format!(" {}", answer.best);
        }
        engine.quit();
    }
}

#[test]
fn a_seed_repeats_its_choices_and_another_has_others() {
    let game = |seed: u32| {
        let mut engine = level(1000);
        engine.send(&format!("setoption name Level Seed value {seed}"));
        let mut moves = String::new();
        for _ in 0..8 {
            engine.position(&format!("startpos moves{moves}"));
            moves += &format!(" {}", engine.go("nodes 100000").best);
        }
        engine.quit();
        moves
    };
    let first = game(1);
    assert_eq!(first, game(1));
    assert!((2..6).any(|seed| game(seed) != first));
}

#[test]
fn an_elo_out_of_range_keeps_the_old_value_and_is_reported() {
    let mut engine = level(1200);
    engine.send("debug on");
    engine.send("setoption name UCI_Elo value 799");
    let lines = engine.alive();
    let expected = "option UCI_Elo: expected a whole number from 800 to 2800, found 799";
    assert!(
        lines.iter().any(|line| line.text.contains(expected)),
        "{lines:?}"
    );
    let answer = engine.go("movetime 100");
    let strings = answer.strings();
    assert!(
        strings.iter().any(|text| text.starts_with("level 1200: ")),
        "{strings:?}"
    );
    engine.quit();
}

#[test]
fn the_ccrl_scale_converts_and_reports_its_bounds_once() {
    let mut engine = level(1000);
    engine.send("debug on");
    engine.send("setoption name Level Scale value CCRL");
    let answer = engine.go("movetime 100");
    let expected = format!("level {}: ", level_of_ccrl(1000));
    let strings = answer.strings();
    assert!(
        strings.iter().any(|text| text.starts_with(&expected)),
        "{strings:?}"
    );
    let [low, high] = CCRL_RATINGS;
    let above = high + 1;
    engine.send(&format!("setoption name UCI_Elo value {above}"));
    let bounds = format!(
        "level: UCI_Elo {above}: levels are measured from {low} to {high} on the CCRL scale; it plays at {high}"
    );
    let bounds = bounds.as_str();
    assert!(engine.go("movetime 100").strings().contains(&bounds));
    assert!(!engine.go("movetime 100").strings().contains(&bounds));
    engine.quit();
}

#[test]
fn mate_in_one_is_played_at_every_level() {
    let mut guarded = 0;
    for (rating, last_seed) in [(800, 20), (1400, 5), (2000, 5)] {
        for seed in 1..=last_seed {
            let mut engine = level(rating);
            engine.send(&format!("setoption name Level Seed value {seed}"));
            engine.send("debug on");
            engine.position("fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
            let answer = engine.go("nodes 100000");
            assert_eq!(answer.best, "a1a8");
            guarded += usize::from(answer.strings().contains(&"level guard: mate in one"));
            engine.quit();
        }
    }
    // Logged only where another move would have been played.
    assert!((1..30).contains(&guarded), "{guarded}");
}

#[test]
fn a_rook_mates_a_lone_king_from_1200() {
    let mut engine = level(1200);
    let mut position = "fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1 moves".to_owned();
    for _ in 0..66 {
        engine.position(&position);
        if engine.board().is_over() {
            break;
        }
        position += &format!(" {}", engine.go("movetime 300").best);
    }
    assert!(engine.board().is_checkmate(), "{position}");
    engine.quit();
}

#[test]
fn the_only_recapture_is_found_from_1000() {
    for seed in 1..8 {
        let mut engine = level(1000);
        engine.send(&format!("setoption name Level Seed value {seed}"));
        // White has just taken a queen on d8.
        engine.position("fen 3q1rk1/5ppp/8/8/8/8/5PPP/3Q1RK1 w - - 0 1 moves d1d8");
        assert_eq!(engine.go("nodes 100000").best, "f8d8");
        engine.quit();
    }
}

#[test]
fn analysis_is_at_full_strength_and_says_so_once() {
    let mut engine = level(800);
    engine.send("setoption name MultiPV value 2");
    let reports = |strings: Vec<&str>| {
        strings
            .iter()
            .filter(|text| text.starts_with("level: "))
            .count()
    };
    let answer = engine.go("depth 8");
    assert_eq!(reports(answer.strings()), 1, "{:?}", answer.strings());
    assert!(answer.last().depth == Some(8));
    assert_eq!(reports(engine.go("depth 3").strings()), 0);
    engine.send("setoption name MultiPV value 1");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    let answer = engine.stop(1000);
    assert_eq!(reports(answer.strings()), 1);
    assert!(answer.last().depth > Some(4));
    engine.send("setoption name Threads value 2");
    assert_eq!(reports(engine.go("depth 3").strings()), 1);
    engine.quit();
}

#[test]
fn a_level_is_not_slower_than_its_time() {
    let mut engine = level(900);
    for words in ["movetime 1", "movetime 50", "wtime 100 btime 100"] {
        let started = Instant::now();
        engine.go(words);
        assert!(started.elapsed() < within(250), "{words}");
    }
    engine.quit();
}

#[test]
fn tempo_takes_part_of_the_time_of_full_strength() {
    let mut engine = level(1500);
    let started = Instant::now();
    engine.go("wtime 60000 btime 60000");
    let with = started.elapsed();
    assert!(with > Duration::from_millis(150), "{with:?}");
    engine.send("setoption name Level Tempo value false");
    // A busy machine may need several tries.
    let mut tries = (0..10).map(|_| engine.go("wtime 60000 btime 60000").took);
    assert!(tries.any(|without| without < with), "{with:?}");
    engine.quit();
}

#[test]
fn mates_and_book_moves_are_played_without_a_wait() {
    for rating in [1500, 2500] {
        let mut engine = level(rating);
        engine.send("setoption name OwnBook value true");
        for position in ["fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "startpos"] {
            engine.position(position);
            // Any wait would be the longest one, 10 seconds.
            let took = engine.go("wtime 3600000 btime 3600000").took;
            assert!(took.as_secs() < 9, "{rating} {position}: {took:?}");
        }
        engine.quit();
    }
}

#[test]
fn ponder_waits_for_the_hit() {
    let mut engine = level(1300);
    engine.send("go ponder wtime 5000 btime 5000");
    engine.no_bestmove(Duration::from_millis(300));
    engine.send("ponderhit");
    engine.answer(within(3000));
    // Above the model it waits for the hit, and then takes its time.
    engine.send("setoption name UCI_Elo value 2400");
    engine.send("go ponder wtime 60000 btime 60000");
    engine.no_bestmove(Duration::from_millis(100));
    engine.send("ponderhit");
    engine.no_bestmove(Duration::from_millis(150));
    engine.answer(within(3000));
    engine.send("setoption name UCI_Elo value 1300");
    // The end of the time that a move would take does not end it.
    for clock in [50, 100, 200, 400, 800] {
        engine.send(&format!("go ponder wtime {clock} btime {clock}"));
        engine.no_bestmove(Duration::from_millis(150));
        engine.send("ponderhit");
        engine.answer(within(3000));
    }
    engine.quit();
}

#[test]
fn a_winning_side_does_not_repeat_for_the_third_time() {
    for rating in [800, 1500, 2200] {
        for seed in 1..4 {
            let mut engine = level(rating);
            engine.send(&format!("setoption name Level Seed value {seed}"));
            engine.position(
                "fen 6k1/5pp1/7p/8/8/8/Q4PPP/6K1 w - - 0 1 moves a2a3 g8h8 a3a2 h8g8 a2a3 g8h8 a3a2 h8g8",
            );
            assert_ne!(engine.go("nodes 100000").best, "a2a3");
            engine.quit();
        }
    }
}

#[test]
fn what_is_overlooked_is_logged_with_debug_on_and_only_then() {
    // Queen moves to h3 lose the queen to a pawn move that opens a line.
    let position = "startpos moves e2e4 e7e5 f1c4 a7a5 b1c3 b8c6 d1h5 g8h6 b2b3 g7g6 h5d1 f8g7 c1b2 c6b4 d1f3 b4c2 \
                    e1d1 c2d4";
    let mut engine = level(800);
    engine.position(position);
    let mut overlooked = |seed: u32, debug: &str| {
        engine.send(&format!("setoption name Level Seed value {seed}"));
        engine.send(debug);
        let answer = engine.go("nodes 100000");
        let strings = answer.strings();
        let found = strings.iter().find(|text| text.contains("overlooked"));
        found.map(|text| ((*text).to_owned(), answer.best.clone()))
    };
    let found = (1..200).find_map(|seed| Some((seed, overlooked(seed, "debug on")?)));
    let (seed, (text, best)) = found.expect("something is overlooked");
    let rest = text.strip_prefix("level overlooked ").expect("the form");
    let (class, moves) = rest.split_once(" (").expect("the moves");
    let classes = [
        "long backward move",
        "discovered line",
        "pinned defender",
        "quiet threat",
        "fork by a retreat",
        "en passant",
    ];
    assert!(
        classes.iter().any(|known| class.starts_with(known)),
        "{text}"
    );
    assert!(moves.ends_with(&format!(" after {best})")), "{text}");
    assert_eq!(overlooked(seed, "debug on"), Some((text, best)));
    assert_eq!(overlooked(seed, "debug off"), None);
    engine.quit();
}

#[test]
fn a_level_weighs_book_moves_by_its_probabilities() {
    // The share of 1. e4 among the book's moves, in percent.
    let share = |mut engine: Engine| -> u32 {
        engine.send("setoption name OwnBook value true");
        let share = (1..40).find_map(|seed| {
            engine.send(&format!("setoption name Book Seed value {seed}"));
            engine.position("startpos");
            let answer = engine.go("nodes 1000");
            let texts = answer.strings();
            let text = texts.iter().find(|text| text.contains("chosen with"));
            let text = text.expect("a book move");
            let percent = text.split(' ').rev().nth(1).expect("a share");
            (answer.best == "e2e4").then(|| percent.parse().expect("a number"))
        });
        engine.quit();
        share.expect("1. e4")
    };
    let (full, weak) = (share(Engine::ready()), share(level(800)));
    assert!(full < 57 && weak > 59, "{full} {weak}");
}

#[test]
fn a_level_reports_that_it_leaves_the_queen() {
    let mut engine = level(800);
    engine.send("debug on");
    let reported = (1..100).find_map(|seed| {
        engine.send(&format!("setoption name Level Seed value {seed}"));
        engine.send("ucinewgame");
        engine.position("fen rnb1r1k1/ppp1qpp1/3p1n2/6Bp/2PP4/3B1N2/PP1Q1PPP/4RRK1 b - - 2 12");
        let answer = engine.go("nodes 1000");
        let texts = answer.strings();
        let text = texts.iter().find(|text| text.contains("leaves the queen"));
        text.map(|text| (text.to_string(), answer.best.clone()))
    });
    let (text, best) = reported.expect("the queen is left");
    assert!(
        text.ends_with(&format!("level leaves the queen to e1e7 after {best}")),
        "{text}"
    );
    engine.quit();
}

#[test]
fn a_level_uses_one_thread_and_games_of_a_seed_differ_from_others() {
    let nodes = |threads: u32, seed: u32| {
        let mut engine = level(2800);
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name Level Seed value {seed}"));
        let answer = engine.go("nodes 1000000");
        engine.quit();
        answer.nodes()
    };
    let [one, four] = [1, 4].map(|threads| nodes(threads, 7));
    assert_eq!(one, four);
    assert_ne!(one, nodes(1, 8));
    assert!((2_800..5_700).contains(&one), "{one}");
}

#[test]
fn a_choice_that_was_not_played_changes_nothing() {
    let played = |rating: u32, seed: u32, twice: bool| {
        let mut engine = level(rating);
        engine.send(&format!("setoption name Level Seed value {seed}"));
        engine.position("fen 3rk2r/2p1bppp/ppq2nb1/3P4/5B1Q/2N3P1/PPP2P1P/4R1K1 b k - 0 20");
        let first = engine.go("nodes 1000").best;
        let last = if twice {
            engine.go("nodes 1000").best
        } else {
            first
        };
        engine.quit();
        last
    };
    for seed in 1..7 {
        assert_eq!(
            played(1200, seed, false),
            played(1200, seed, true),
            "{seed}"
        );
    }
}

#[test]
fn a_winning_side_promotes_and_a_lost_one_keeps_its_queen() {
    for (rating, seed, fen, moves) in [
        (
            1000,
            3,
            "8/5PP1/8/k7/8/8/8/4K3 w - - 0 1",
            ["f7f8q", "g7g8q"],
        ),
        (
            2200,
            3,
            "8/5PP1/8/k7/8/8/8/4K3 w - - 0 1",
            ["f7f8q", "g7g8q"],
        ),
    ] {
        let mut engine = level(rating);
        engine.send(&format!("setoption name Level Seed value {seed}"));
        engine.position(&format!("fen {fen}"));
        let best = engine.go("nodes 100000").best;
        assert!(moves.contains(&best.as_str()), "{best}");
        engine.quit();
    }
    for (fen, stalemate) in [
        ("8/k1P5/8/K7/8/8/8/8 w - - 0 1", "c7c8q"),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8q"),
    ] {
        for rating in [1000, 1500, 2200] {
            let mut engine = level(rating);
            engine.position(&format!("fen {fen}"));
            assert_ne!(engine.go("nodes 100000").best, stalemate, "{rating}");
            engine.quit();
        }
    }
    let fen = "rnb1k2r/pp1p1ppp/3b3q/2pNp3/2B1P3/3P1N1P/PPP2PP1/R1BQ1RK1 b kq - 0 10";
    for seed in 45..55 {
        let mut engine = level(1200);
        engine.send(&format!("setoption name Level Seed value {seed}"));
        engine.send("debug on");
        engine.position(&format!("fen {fen}"));
        let answer = engine.go("nodes 100000");
        let is_named = answer
            .strings()
            .iter()
            .any(|text| text.contains("overlooked"));
        assert!(answer.best.starts_with("h6") || is_named, "{}", answer.best);
        engine.quit();
    }
}

#[test]
fn the_only_legal_move_is_played_at_once() {
    let mut engine = level(1200);
    engine.position("fen 8/8/8/8/8/5k2/8/q6K w - - 0 1");
    let started = Instant::now();
    engine.go("wtime 6000000 btime 6000000");
    assert!(started.elapsed() < within(500));
    // The only one that is allowed, too.
    engine.position("startpos");
    let started = Instant::now();
    engine.go("wtime 6000000 btime 6000000 searchmoves e2e4");
    assert!(started.elapsed() < within(500));
    engine.quit();
}

#[test]
fn after_the_ponder_hit_the_clock_counts() {
    let mut engine = level(1500);
    engine.position("fen qq2k1qq/8/8/8/8/8/8/QQ2KQQ1 w - - 0 1");
    engine.send("setoption name Level Tempo value false");
    let full = engine.go("nodes 1").nodes();
    engine.send("go ponder wtime 10 btime 10");
    engine.send("ponderhit");
    let cut = engine.answer(within(1000)).nodes();
    assert!(cut < full / 2, "{cut} of {full}");
    engine.quit();
}
