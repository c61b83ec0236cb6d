//! What a search promises: right answers in won, lost and drawn positions, limits kept, the same result twice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lucena::base::sync::Mutex;
use lucena::base::value::{Bound, Value, moves_to_mate};
use lucena::chess::{Game, Move, Position};
use lucena::engine::{BestMove, Clock, Engine, Info, Limits, Listener};

/// A line as it was told.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    depth: i32,
    rank: usize,
    score: Value,
    bound: Bound,
    nodes: u64,
    pv: Vec<Move>,
}

#[derive(Default)]
struct Record(Mutex<Vec<Told>>);

impl Listener for Record {
    fn info(&self, info: &Info<'_>) {
        self.0.lock().push(Told {
            depth: info.depth,
            rank: info.multi_pv,
            score: info.score.value(),
            bound: info.bound,
            nodes: info.stats.nodes,
            pv: info.pv.to_vec(),
        });
    }
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect("a position"))
}

/// Searches and checks what holds for every search: a legal move, and lines that can be played.
fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (BestMove, Vec<Told>) {
    let record = Arc::new(Record::default());
    let listener: Arc<dyn Listener> = record.clone();
    let ticket = engine.signal().issue();
    let answer = engine.go(game, limits, ticket, &listener);
    engine.signal().finish(ticket);
    let told = record.0.lock().clone();
    for line in &told {
        let mut position = *game.position();
        for &mv in &line.pv {
            assert!(position.is_legal(mv), "{mv:?} in {position:?}");
            position = position.play(mv);
        }
    }
    if let Some(best) = answer.best {
        assert!(game.position().is_legal(best));
        let last = told.iter().rfind(|line| line.rank == 1).expect("a line");
        assert_eq!((last.bound, last.pv.first()), (Bound::Exact, Some(&best)));
    }
    (answer, told)
}

fn best_score(fen: &str, depth: i32) -> (String, Value) {
    let (answer, told) = search(&mut Engine::new(), &game(fen), Limits::depth(depth));
    let best = answer
        .best
        .map_or(String::new(), |mv| mv.uci(false).to_string());
    (
        best,
        told.iter()
            .rfind(|line| line.rank == 1)
            .map_or(0, |line| line.score),
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
        // Pruning may pass over a quiet key move at low depth: what counts is that the mate is found and proved.
        let limits = Limits {
            mate: Some(moves.unsigned_abs()),
            ..Limits::depth(40)
        };
        let (answer, told) = search(&mut Engine::new(), &game(fen), limits);
        if moves == 0 {
            assert_eq!(answer.best, None);
            continue;
        }
        assert_eq!(
            answer.best.map(|mv| mv.uci(false).to_string()).as_deref(),
            Some(best),
            "{fen}"
        );
        let last = told.last().expect("a line");
        assert_eq!(moves_to_mate(last.score), Some(moves), "{fen}");
        assert_eq!(last.pv.len() as i32, 2 * moves - 1, "{fen}");
        let end = last
            .pv
            .iter()
            .fold(*game(fen).position(), |position, &mv| position.play(mv));
        assert!(end.in_check() && !end.has_legal_move());
    }
}

#[test]
fn a_side_being_mated_knows_it() {
    let (_, score) = best_score("k7/8/1K6/8/8/8/8/7R b - - 0 1", 6);
    assert_eq!(moves_to_mate(score), Some(-1));
}

#[test]
fn mate_on_the_hundredth_ply_beats_the_fifty_move_rule() {
    let (best, score) = best_score("7k/8/5K2/6Q1/8/8/8/8 w - - 99 80", 4);
    assert_eq!((best.as_str(), moves_to_mate(score)), ("g5g7", Some(1)));
    let (_, score) = best_score("7k/8/4K3/6Q1/8/8/8/8 w - - 99 80", 6);
    assert_eq!(score, 0, "one ply too late");
}

#[test]
fn quiescence_knows_the_fifty_move_rule() {
    // A check on the ninety-ninth ply, answered on the hundredth: no mate comes of it.
    for fen in [
        "k1K5/8/8/4r3/8/8/4R3/8 w - - 98 100",
        "8/1q6/1r6/8/8/8/6N1/5k1K w - - 120 100",
    ] {
        for depth in 1..4 {
            let (_, score) = best_score(fen, depth);
            assert_eq!(moves_to_mate(score), None, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn stalemate_and_bare_kings_are_draws() {
    assert_eq!(best_score("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 8).1, 0);
    let stalemating = game("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1");
    let limits = Limits {
        search_moves: vec![stalemating.position().parse_move("c1c7").expect("legal")],
        ..Limits::depth(6)
    };
    let (_, told) = search(&mut Engine::new(), &stalemating, limits);
    assert_eq!(told.last().expect("a line").score, 0);
}

#[test]
fn a_lost_side_takes_the_repetition() {
    // Black is a rook down and may check for ever, on e1 and h4.
    let game = game("7k/6pp/1Q6/R7/7q/8/6P1/6K1 b - - 0 1");
    let (_, told) = search(&mut Engine::new(), &game, Limits::depth(7));
    assert_eq!(told.last().expect("a line").score, 0);
}

#[test]
fn the_same_search_twice_is_the_same() {
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

#[test]
fn node_limits_are_kept() {
    let mut engine = Engine::new();
    let game = Game::new(Position::startpos());
    for limit in [0, 1, 2, 10, 100, 1_000, 5_000, 50_000] {
        engine.new_game();
        let (answer, told) = search(&mut engine, &game, Limits::nodes(limit));
        assert!(answer.best.is_some());
        assert!(
            told.last().expect("a line").nodes <= limit.max(1),
            "{limit}"
        );
    }
    engine.set_threads(4);
    let (_, told) = search(&mut engine, &game, Limits::nodes(100_000));
    let nodes = told.last().expect("a line").nodes;
    assert!((90_000..120_000).contains(&nodes), "{nodes}");
}

#[test]
fn depth_limits_are_reached() {
    for depth in [0, 1, 2, 7] {
        let (_, told) = search(
            &mut Engine::new(),
            &Game::new(Position::startpos()),
            Limits::depth(depth),
        );
        assert_eq!(told.last().expect("a line").depth, depth.max(1));
    }
}

#[test]
fn time_limits_are_kept() {
    let mut engine = Engine::new();
    engine.prepare().expect("ready");
    let game = Game::new(Position::startpos());
    for milliseconds in [0, 1, 20, 100, 300] {
        let limits = Limits {
            move_time: Some(Duration::from_millis(milliseconds)),
            ..Limits::none()
        };
        let started = Instant::now();
        search(&mut engine, &game, limits);
        let used = started.elapsed().as_millis() as u64;
        assert!(used <= milliseconds + 100, "{used} of {milliseconds}");
    }
    let clock = Clock {
        remaining: Duration::from_millis(500),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let started = Instant::now();
    search(
        &mut engine,
        &game,
        Limits {
            clock: Some(clock),
            ..Limits::none()
        },
    );
    assert!(started.elapsed() < Duration::from_millis(400));
}

#[test]
fn several_lines_come_complete_and_in_order() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = Engine::new();
    engine.set_multi_pv(4);
    let (answer, told) = search(&mut engine, &game, Limits::depth(6));
    let last = &told[told.len() - 4..];
    assert_eq!(
        last.iter().map(|line| line.rank).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(
        last.windows(2)
            .all(|pair| pair[0].score >= pair[1].score && pair[0].depth == pair[1].depth)
    );
    assert_eq!(last[0].pv.first().copied(), answer.best);
    let mut firsts: Vec<_> = last.iter().map(|line| line.pv[0].bits()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    // More lines than moves: as many as there are.
    engine.set_multi_pv(256);
    let (_, told) = search(
        &mut engine,
        &self::game("7k/8/8/8/8/8/r7/K7 w - - 0 1"),
        Limits::depth(3),
    );
    assert_eq!(told.iter().map(|line| line.rank).max(), Some(2));
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let position = Position::startpos();
    let game = Game::new(position);
    let wanted = ["a2a3", "h2h4"].map(|text| position.parse_move(text).expect("legal"));
    let limits = Limits {
        search_moves: wanted.to_vec(),
        ..Limits::depth(5)
    };
    let (answer, told) = search(&mut Engine::new(), &game, limits);
    assert!(wanted.contains(&answer.best.expect("a move")));
    assert!(told.iter().all(|line| wanted.contains(&line.pv[0])));
    // None of them legal: all moves count.
    let illegal = Position::startpos()
        .play(wanted[0])
        .parse_move("a7a6")
        .expect("legal for black");
    let limits = Limits {
        search_moves: vec![illegal],
        ..Limits::depth(3)
    };
    assert!(search(&mut Engine::new(), &game, limits).0.best.is_some());
}

#[test]
fn extreme_positions_are_searched_rightly() {
    // 218 legal moves, one of which mates.
    let many = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(game(many).position().legal_moves().len(), 218);
    assert_eq!(moves_to_mate(best_score(many, 4).1), Some(1));
    // Nine queens a side: the exchanges alone are many plies long.
    let queens = "4qqqk/5qqq/5qqq/8/8/QQQ5/QQQ5/KQQQ4 w - - 0 1";
    for threads in [1, 2] {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        search(&mut engine, &game(queens), Limits::nodes(30_000));
    }
    // In check with one reply: it is given at once, and at any depth.
    let one_reply = "7k/8/8/8/8/6p1/5n2/R5rK w - - 0 1";
    assert_eq!(game(one_reply).position().legal_moves().len(), 1);
    for depth in [1, 8] {
        assert_eq!(best_score(one_reply, depth).0, "h1g1");
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
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
    let (answer, told) = search(&mut Engine::new(), &long, Limits::depth(6));
    assert!(answer.best.is_some());
    assert!(told.iter().all(|line| line.score.abs() < 200));
}
