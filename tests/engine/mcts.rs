//! Monte Carlo tree search: proofs against a plain search for mates, draws, tablebases, a full tree, a tree kept between
//! moves, and the report that explains it. `tests/uci/tree.rs` tests the protocol.

use std::sync::{Arc, Mutex};

use lucena::base::value::moves_to_mate;
use lucena::chess::{Game, Move, Position};
use lucena::engine::{Engine, Info, Limits, Listener, ReportedScore, SearchMode, TreeReport};

/// Mates in one to three moves.
const MATES: [(&str, i32); 5] = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("7k/5K2/8/6R1/8/8/8/8 w - - 0 1", 1),
    ("8/8/8/8/8/5K2/4R3/7k w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
];

#[derive(Default)]
struct Last(Mutex<Option<(ReportedScore, u32)>>);

impl Listener for Last {
    fn info(&self, info: &Info<'_>) {
        if info.multi_pv == 1 {
            *self.0.lock().expect("a score") = Some((info.score, info.stats.hash_full));
        }
    }
}

fn engine(mode: SearchMode) -> Engine {
    let mut engine = Engine::new();
    engine.set_search_mode(mode);
    engine
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect("a position"))
}

fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (Move, ReportedScore, TreeReport) {
    let last = Arc::new(Last::default());
    let listener: Arc<dyn Listener> = Arc::<Last>::clone(&last);
    let ticket = engine.signal().issue();
    let best = engine.go(game, limits, ticket, &listener).best;
    engine.signal().finish(ticket);
    let (score, hash_full) = last.0.lock().expect("a score").expect("a report");
    let report = engine.tree_report().expect("a tree");
    assert!(hash_full >= report.fullness, "{hash_full} {report:?}");
    (best.expect("a move"), score, report)
}

/// Whether the side to move mates in at most `moves` moves, by trying everything.
fn mates(position: &Position, moves: i32) -> bool {
    moves > 0
        && position.legal_moves().iter().any(|&mv| {
            let after = position.play(mv);
            let replies = after.legal_moves();
            let mated = replies.is_empty() && after.in_check();
            mated
                || !replies.is_empty()
                    && replies
                        .iter()
                        .all(|&reply| mates(&after.play(reply), moves - 1))
        })
}

#[test]
fn proven_mates_are_mates() {
    for (fen, moves) in MATES {
        let game = game(fen);
        assert!(
            mates(game.position(), moves) && !mates(game.position(), moves - 1),
            "{fen}"
        );
        let limits = Limits {
            mate: Some(moves as u32),
            nodes: Some(2_000_000),
            ..Limits::none()
        };
        let (best, score, report) = search(&mut engine(SearchMode::Mcts), &game, limits);
        assert_eq!(score, ReportedScore::Mate(moves), "{fen}");
        let after = game.position().play(best);
        let replies = after.legal_moves();
        assert!(
            replies
                .iter()
                .all(|&reply| mates(&after.play(reply), moves - 1)),
            "{fen}"
        );
        // Every proof of the report is true.
        for found in &report.moves {
            if let Some(moves) = found
                .proof
                .and_then(moves_to_mate)
                .filter(|&moves| moves > 0)
            {
                let after = game.position().play(found.mv);
                let replies = after.legal_moves();
                let is_true = if replies.is_empty() {
                    after.in_check()
                } else {
                    replies
                        .iter()
                        .all(|&reply| mates(&after.play(reply), moves - 1))
                };
                assert!(is_true, "{fen}: {:?} mate in {moves}", found.mv);
            }
        }
    }
}

#[test]
fn random_games_find_a_mate_too() {
    let (best, score, _) = search(
        &mut engine(SearchMode::Uct),
        &game(MATES[0].0),
        Limits::nodes(200_000),
    );
    assert_eq!(
        (best.uci(false).to_string().as_str(), score),
        ("a1a8", ReportedScore::Mate(1))
    );
}

#[test]
fn tablebases_are_believed() {
    // King and pawn against king: won only if the king can go in front of the pawn.
    let (best, score, _) = search(
        &mut engine(SearchMode::Mcts),
        &game("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"),
        Limits::nodes(20_000),
    );
    let is_won = matches!(
        score,
        ReportedScore::TablebaseWin(_) | ReportedScore::Mate(1..)
    );
    assert_eq!(
        is_won,
        winning(&game("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), best),
        "{score:?}"
    );
}

/// Whether alpha-beta with tablebases finds a win after the move.
fn winning(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    after.play(mv);
    let last = Arc::new(Last::default());
    let listener: Arc<dyn Listener> = Arc::<Last>::clone(&last);
    Engine::new().go(&after, Limits::nodes(100_000), 1, &listener);
    let (score, _) = last.0.lock().expect("a score").expect("a report");
    matches!(
        score,
        ReportedScore::TablebaseLoss(_) | ReportedScore::Mate(..=0)
    )
}

/// With several lines the tree holds moves that keep the result and others.
#[test]
fn tablebase_ranks_come_before_visits() {
    for mode in [SearchMode::Mcts, SearchMode::Uct] {
        let mut engine = engine(mode);
        engine.set_multi_pv(3);
        let game = game("2k5/8/1K6/7p/2P5/8/8/8 b - - 0 1");
        for nodes in [12, 60, 700] {
            let (best, _, _) = search(&mut engine, &game, Limits::nodes(nodes));
            assert_eq!(best.uci(false).to_string(), "h5h4", "{nodes} nodes");
        }
    }
}

#[test]
fn a_repetition_saves_a_lost_game() {
    // White is far behind but has perpetual check on e8 and h5.
    let game = game("6k1/6p1/5p2/7Q/8/1r6/q7/7K w - - 0 1");
    let (_, score, _) = search(&mut engine(SearchMode::Mcts), &game, Limits::nodes(300_000));
    assert!(score.value().abs() < 60, "{score:?}");
}

#[test]
fn a_full_tree_goes_on() {
    let mut engine = engine(SearchMode::Mcts);
    engine.set_hash(1);
    for threads in [1, 2] {
        engine.set_threads(threads);
        engine.new_game();
        let (best, _, report) = search(
            &mut engine,
            &Game::new(Position::startpos()),
            Limits::nodes(400_000),
        );
        assert!(report.fullness >= 990, "{}", report.fullness);
        assert!(Position::startpos().is_legal(best));
        let visits: u32 = report.moves.iter().map(|found| found.visits).sum();
        assert_eq!(visits, report.visits);
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut engine = engine(SearchMode::Mcts);
    let mut game = Game::new(Position::startpos());
    let (best, _, before) = search(&mut engine, &game, Limits::nodes(60_000));
    let reply = before.moves[0].line[1];
    game.play(best);
    game.play(reply);
    let (_, _, after) = search(&mut engine, &game, Limits::nodes(50));
    assert!(
        after.visits > 200 && after.visits < before.visits,
        "{}",
        after.visits
    );
    // Another game does not use it.
    game = Game::new(*game.position());
    let (_, _, other) = search(&mut engine, &game, Limits::nodes(50));
    assert!(other.visits <= 50, "{}", other.visits);
}

#[test]
fn the_tree_is_kept_after_castling_and_en_passant() {
    const ITALIAN: &str = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";
    for (fen, text) in [
        (ITALIAN, "e1g1"),
        // A lost right to castle, and a pawn that can be captured en passant.
        (ITALIAN, "h1f1"),
        (
            "rnbqkbnr/pppppp1p/8/8/6p1/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3",
            "f2f4",
        ),
    ] {
        let mut engine = engine(SearchMode::Mcts);
        let mut game = game(fen);
        let only = game.position().parse_move(text).expect("a move");
        let limits = Limits {
            search_moves: vec![only],
            ..Limits::nodes(20_000)
        };
        let (best, _, before) = search(&mut engine, &game, limits);
        assert_eq!(best, only);
        game.play(best);
        game.play(before.moves[0].line[1]);
        let (_, _, after) = search(&mut engine, &game, Limits::nodes(50));
        assert!(after.visits > 100, "{text}: {}", after.visits);
    }
}

#[test]
fn the_report_adds_up() {
    let mut engine = engine(SearchMode::Mcts);
    let game = game("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6");
    let (best, _, report) = search(&mut engine, &game, Limits::nodes(30_000));
    assert_eq!(report.moves[0].mv, best);
    assert_eq!(report.moves.len(), game.position().legal_moves().len());
    let visits: u32 = report.moves.iter().map(|found| found.visits).sum();
    assert_eq!(visits, report.visits);
    let prior: f32 = report.moves.iter().map(|found| found.prior).sum();
    assert!((prior - 1.0).abs() < 0.01, "{prior}");
    // The value of the root is the mean over its play-outs.
    let mean: f32 = report
        .moves
        .iter()
        .map(|found| found.value * found.visits as f32)
        .sum::<f32>();
    assert!((mean / visits as f32 - report.value).abs() < 1e-3);
    // Priors follow from the items: the difference of two scores is the logarithm of their ratio, times the temperature.
    let score = |index: usize| {
        report.moves[index]
            .items
            .iter()
            .map(|item| item.weight)
            .sum::<f32>()
    };
    // A share of the priors is spread evenly.
    let equal = FLOOR / report.moves.len() as f32;
    let share = |index: usize| report.moves[index].prior - equal;
    let ratio = (share(0) / share(1)).ln() * TEMPERATURE;
    assert!((score(0) - score(1) - ratio).abs() < 0.05, "{ratio}");
}

/// Of the policy, as `docs/mcts.md` has it.
const TEMPERATURE: f32 = 1.6;
const FLOOR: f32 = 0.05;

#[test]
fn isolated_threads_repeat_their_answer() {
    for limits in [Limits::nodes(20_000), Limits::depth(3)] {
        let answer = || {
            let mut engine = engine(SearchMode::Mcts);
            engine.set_threads(2);
            engine.set_deterministic(true);
            let game = Game::new(Position::startpos());
            search(&mut engine, &game, limits.clone()).0
        };
        assert_eq!(answer(), answer());
    }
}
