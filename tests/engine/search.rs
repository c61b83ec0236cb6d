//! The search: right results in won, lost and drawn positions, kept limits, reproducible results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lucena::base::sync::Mutex;
use lucena::base::value::Bound;
use lucena::chess::{Game, Move, Position};
use lucena::engine::ReportedScore::{Centipawns, Mate};
use lucena::engine::{BestMove, Clock, Engine, Info, Limits, Listener, ReportedScore};
use lucena::tablebase::{Tablebases, Wdl};

/// A reported line.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    depth: i32,
    rank: usize,
    score: ReportedScore,
    bound: Bound,
    nodes: u64,
    pv: Vec<Move>,
}

#[derive(Default)]
struct Recorder(Mutex<Vec<Line>>);

impl Listener for Recorder {
    fn info(&self, info: &Info<'_>) {
        self.0.lock().push(Line {
            depth: info.depth,
            rank: info.multi_pv,
            score: info.score,
            bound: info.bound,
            nodes: info.stats.nodes,
            pv: info.pv.to_vec(),
        });
    }
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect("a position"))
}

/// Searches and checks that the best move and all lines are legal.
fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (BestMove, Vec<Line>) {
    let recorder = Arc::new(Recorder::default());
    let listener: Arc<dyn Listener> = recorder.clone();
    let ticket = engine.signal().issue();
    let answer = engine.go(game, limits, ticket, &listener);
    engine.signal().finish(ticket);
    let lines = recorder.0.lock().clone();
    for line in &lines {
        let mut position = *game.position();
        for &mv in &line.pv {
            assert!(position.is_legal(mv), "{mv:?} in {position:?}");
            position = position.play(mv);
        }
    }
    if let Some(best) = answer.best {
        assert!(game.position().is_legal(best));
        let last = lines.iter().rfind(|line| line.rank == 1).expect("a line");
        assert_eq!((last.bound, last.pv.first()), (Bound::Exact, Some(&best)));
    }
    (answer, lines)
}

fn best_score(fen: &str, depth: i32) -> (String, ReportedScore) {
    let (answer, lines) = search(&mut Engine::new(), &game(fen), Limits::depth(depth));
    let best = answer
        .best
        .map_or(String::new(), |mv| mv.uci(false).to_string());
    (
        best,
        lines
            .iter()
            .rfind(|line| line.rank == 1)
            .map_or_else(ReportedScore::default, |line| line.score),
    )
}

#[test]
fn mates_are_found_with_their_whole_line() {
    let positions = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1_i32, "d1d8"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1, "g5g7"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("8/8/8/8/8/4k3/4p3/r3K3 w - - 0 1", 0, ""),
    ];
    for (fen, moves, best) in positions {
        // At low depth a quiet key move may be pruned: only the result counts.
        let limits = Limits {
            mate: Some(moves.unsigned_abs()),
            ..Limits::depth(40)
        };
        let (answer, lines) = search(&mut Engine::new(), &game(fen), limits);
        if moves == 0 {
            assert_eq!(answer.best, None);
            continue;
        }
        assert_eq!(
            answer.best.map(|mv| mv.uci(false).to_string()).as_deref(),
            Some(best),
            "{fen}"
        );
        let last = lines.last().expect("a line");
        assert_eq!(last.score, Mate(moves), "{fen}");
        assert_eq!(last.pv.len() as i32, 2 * moves - 1, "{fen}");
        let end = last
            .pv
            .iter()
            .fold(*game(fen).position(), |position, &mv| position.play(mv));
        assert!(end.in_check() && !end.has_legal_move());
    }
}

#[test]
fn a_forced_mate_is_seen_by_the_losing_side() {
    let (_, score) = best_score("k7/8/1K6/8/8/8/8/7R b - - 0 1", 6);
    assert_eq!(score, Mate(-1));
}

#[test]
fn mate_on_the_hundredth_ply_beats_the_fifty_move_rule() {
    let (best, score) = best_score("7k/8/5K2/6Q1/8/8/8/8 w - - 99 80", 4);
    assert_eq!((best.as_str(), score), ("g5g7", Mate(1)));
    let (_, score) = best_score("7k/8/4K3/6Q1/8/8/8/8 w - - 99 80", 6);
    assert_eq!(score, Centipawns(0), "one ply too late");
}

#[test]
fn quiescence_respects_the_fifty_move_rule() {
    // A check on ply 99, answered on ply 100: no mate.
    for fen in [
        "k1K5/8/8/4r3/8/8/4R3/8 w - - 98 100",
        "8/1q6/1r6/8/8/8/6N1/5k1K w - - 120 100",
    ] {
        for depth in 1..4 {
            let (_, score) = best_score(fen, depth);
            assert!(!matches!(score, Mate(_)), "{fen} at depth {depth}");
        }
    }
}

#[test]
fn stalemate_and_bare_kings_are_draws() {
    assert_eq!(
        best_score("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 8).1,
        Centipawns(0)
    );
    let stalemating = game("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1");
    let limits = Limits {
        search_moves: vec![stalemating.position().parse_move("c1c7").expect("legal")],
        ..Limits::depth(6)
    };
    let (_, lines) = search(&mut Engine::new(), &stalemating, limits);
    assert_eq!(lines.last().expect("a line").score, Centipawns(0));
}

#[test]
fn the_losing_side_takes_a_draw_by_repetition() {
    // Black is a rook down and can give perpetual check on e1 and h4.
    let game = game("7k/6pp/1Q6/R7/7q/8/6P1/6K1 b - - 0 1");
    let (_, lines) = search(&mut Engine::new(), &game, Limits::depth(7));
    assert_eq!(lines.last().expect("a line").score, Centipawns(0));
}

#[test]
fn the_same_search_gives_the_same_result() {
    let kiwipete = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = Engine::new();
    let first = search(&mut engine, &kiwipete, Limits::nodes(40_000));
    engine.new_game();
    assert_eq!(search(&mut engine, &kiwipete, Limits::nodes(40_000)), first);
    assert_eq!(
        search(&mut Engine::new(), &kiwipete, Limits::nodes(40_000)),
        first
    );
}

/// Each of the threads starts with another move, but not with one that gives a won ending away.
#[test]
fn deterministic_threads_keep_a_tablebase_win() {
    let tables = Tablebases::embedded();
    let mut engine = Engine::new();
    engine.set_threads(4);
    engine.set_deterministic(true);
    for fen in [
        "5K2/5R2/3k4/8/1p6/8/8/8 w - - 0 1",
        "8/2K5/2P5/k7/8/3p4/8/8 b - - 0 1",
    ] {
        let game = game(fen);
        for nodes in [20, 40, 60, 100, 200] {
            engine.new_game();
            let (answer, _) = search(&mut engine, &game, Limits::nodes(nodes));
            let after = game.position().play(answer.best.expect("a move"));
            assert_eq!(tables.wdl(&after), Some(Wdl::Loss), "{fen} {nodes}");
        }
    }
}

#[test]
fn node_limits_are_kept() {
    let mut engine = Engine::new();
    let game = Game::new(Position::startpos());
    for limit in [0, 1, 2, 10, 100, 1_000, 5_000, 50_000] {
        engine.new_game();
        let (answer, lines) = search(&mut engine, &game, Limits::nodes(limit));
        assert!(answer.best.is_some());
        // Depth 1 is always completed.
        let nodes = lines.last().expect("a line").nodes;
        assert!(nodes <= limit.max(50), "{limit}: {nodes}");
    }
    engine.set_threads(4);
    let (_, lines) = search(&mut engine, &game, Limits::nodes(100_000));
    let nodes = lines.last().expect("a line").nodes;
    assert!((90_000..120_000).contains(&nodes), "{nodes}");
}

/// Limits that leave no time or nodes for a search.
fn tiny_limits() -> Vec<Limits> {
    let move_time = |milliseconds| Limits {
        move_time: Some(Duration::from_millis(milliseconds)),
        ..Limits::none()
    };
    let clock = |milliseconds| Limits {
        clock: Some(Clock {
            remaining: Duration::from_millis(milliseconds),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::none()
    };
    vec![
        Limits::depth(0),
        Limits::nodes(0),
        Limits::nodes(1),
        move_time(0),
        move_time(1),
        move_time(20),
        clock(0),
        clock(1),
        clock(150),
    ]
}

#[test]
fn depth_one_is_completed_whatever_the_limits() {
    // d1d8 mates and is not the first move generated.
    let mate = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    for (threads, deterministic) in [(1, false), (4, false), (4, true)] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        engine.set_deterministic(deterministic);
        for limits in tiny_limits() {
            engine.new_game();
            let limits = Limits {
                started: Instant::now(),
                ..limits
            };
            let (answer, lines) = search(&mut engine, &mate, limits.clone());
            let best = answer.best.map(|mv| mv.uci(false).to_string());
            assert_eq!(best.as_deref(), Some("d1d8"), "{threads} {limits:?}");
            assert_eq!(lines.last().map(|line| line.score), Some(Mate(1)));
        }
    }
}

#[test]
fn a_stop_before_the_search_still_gives_a_searched_move() {
    let mut engine = Engine::new();
    let mate = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let ticket = engine.signal().issue();
    engine.signal().stop_ticket(ticket);
    let silent: Arc<dyn Listener> = Arc::new(());
    let answer = engine.go(&mate, Limits::none(), ticket, &silent);
    engine.signal().finish(ticket);
    let best = answer.best.map(|mv| mv.uci(false).to_string());
    assert_eq!(best.as_deref(), Some("d1d8"));
}

#[test]
fn an_explosion_of_captures_at_depth_one_is_interrupted() {
    // 170,000 nodes at depth 1.
    let queens = game("4qqqk/5qqq/5qqq/8/8/QQQ5/QQQ5/KQQQ4 w - - 0 1");
    let (answer, lines) = search(&mut Engine::new(), &queens, Limits::nodes(1));
    assert!(answer.best.is_some());
    assert!(lines.last().expect("a line").nodes <= 10_000);
}

#[test]
fn depth_limits_are_reached() {
    for depth in [0, 1, 2, 7] {
        let (_, lines) = search(
            &mut Engine::new(),
            &Game::new(Position::startpos()),
            Limits::depth(depth),
        );
        assert_eq!(lines.last().expect("a line").depth, depth.max(1));
    }
}

#[test]
fn time_limits_are_kept() {
    let mut engine = Engine::new();
    engine.prepare().expect("ready");
    let game = Game::new(Position::startpos());
    let mut is_kept = |limits: &Limits, milliseconds| {
        // Other programs may hold up a search, but not every one of many.
        (0..20).any(|_| {
            let started = Instant::now();
            let limits = Limits {
                started,
                ..limits.clone()
            };
            search(&mut engine, &game, limits);
            started.elapsed() < Duration::from_millis(milliseconds)
        })
    };
    for milliseconds in [0, 1, 20, 100, 300] {
        let limits = Limits {
            move_time: Some(Duration::from_millis(milliseconds)),
            ..Limits::none()
        };
        assert!(is_kept(&limits, milliseconds + 100), "{milliseconds} ms");
    }
    let clock = Clock {
        remaining: Duration::from_millis(500),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let limits = Limits {
        clock: Some(clock),
        ..Limits::none()
    };
    assert!(is_kept(&limits, 400), "clock");
}

#[test]
fn the_longest_time_is_no_limit() {
    let limits = Limits {
        move_time: Some(Duration::MAX),
        ..Limits::depth(5)
    };
    let (_, lines) = search(&mut Engine::new(), &Game::new(Position::startpos()), limits);
    assert_eq!(lines.last().map(|line| line.depth), Some(5));
}

#[test]
fn multi_pv_lines_are_complete_and_sorted() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = Engine::new();
    engine.set_multi_pv(4);
    let (answer, lines) = search(&mut engine, &game, Limits::depth(6));
    let last = &lines[lines.len() - 4..];
    assert_eq!(
        last.iter().map(|line| line.rank).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(last.windows(2).all(
        |pair| pair[0].score.value() >= pair[1].score.value() && pair[0].depth == pair[1].depth
    ));
    assert_eq!(last[0].pv.first().copied(), answer.best);
    let mut firsts: Vec<_> = last.iter().map(|line| line.pv[0].bits()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    // More lines than legal moves.
    engine.set_multi_pv(256);
    let (_, lines) = search(
        &mut engine,
        &self::game("7k/8/8/8/8/8/r7/K7 w - - 0 1"),
        Limits::depth(3),
    );
    assert_eq!(lines.iter().map(|line| line.rank).max(), Some(2));
}

#[test]
fn only_search_moves_are_searched() {
    let position = Position::startpos();
    let game = Game::new(position);
    let moves = ["a2a3", "h2h4"].map(|text| position.parse_move(text).expect("legal"));
    let limits = Limits {
        search_moves: moves.to_vec(),
        ..Limits::depth(5)
    };
    let (answer, lines) = search(&mut Engine::new(), &game, limits);
    assert!(moves.contains(&answer.best.expect("a move")));
    assert!(lines.iter().all(|line| moves.contains(&line.pv[0])));
    // None of them is legal: all moves are searched.
    let illegal = Position::startpos()
        .play(moves[0])
        .parse_move("a7a6")
        .expect("legal for black");
    let limits = Limits {
        search_moves: vec![illegal],
        ..Limits::depth(3)
    };
    assert!(search(&mut Engine::new(), &game, limits).0.best.is_some());
}

#[test]
fn extreme_positions_are_searched() {
    // 218 legal moves, one of which mates.
    let many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(game(many).position().legal_moves().len(), 218);
    assert_eq!(best_score(many, 4).1, Mate(1));
    // Nine queens per side: the captures alone are many plies long.
    let queens = "4qqqk/5qqq/5qqq/8/8/QQQ5/QQQ5/KQQQ4 w - - 0 1";
    for threads in [1, 2] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        search(&mut engine, &game(queens), Limits::nodes(30_000));
    }
    // In check with one legal move.
    let one_reply = "7k/8/8/8/8/6p1/5n2/R5rK w - - 0 1";
    assert_eq!(game(one_reply).position().legal_moves().len(), 1);
    for depth in [1, 8] {
        assert_eq!(best_score(one_reply, depth).0, "h1g1");
    }
}

#[test]
fn there_is_no_best_move_after_the_end_of_the_game() {
    for (fen, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mated"),
        ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "stalemated"),
    ] {
        for threads in [1, 2] {
            let mut engine = Engine::new();
            engine.set_threads(threads);
            let (answer, _) = search(&mut engine, &game(fen), Limits::depth(8));
            assert_eq!(answer.best, None, "{score}");
        }
    }
}

#[test]
fn a_game_of_six_thousand_plies_is_searched() {
    let mut long = Game::new(Position::startpos());
    for index in 0..6_000 {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4];
        long.play_uci(text).expect("legal");
    }
    let (answer, lines) = search(&mut Engine::new(), &long, Limits::depth(6));
    assert!(answer.best.is_some());
    assert!(lines.iter().all(|line| line.score.value().abs() < 200));
}
