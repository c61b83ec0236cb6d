//! What endgame tables promise: right answers from the program's own tables, and games won in time.
//! Uses: tablebase, engine, chess. Idea: every position's value must follow from those of its children; whoever holds a
//! won ending must win it against the best defence.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::thread;

use common::Random;
use lucena::base::sync::Mutex;
use lucena::base::value::{Bound, MATE, is_win, moves_to_mate};
use lucena::chess::{Game, Move, Position};
use lucena::engine::{Engine, Info, Limits, Listener, ReportedScore};
use lucena::tablebase::embedded::TABLES;
use lucena::tablebase::root::RootPosition;
use lucena::tablebase::{Metric, Tablebases, Wdl};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// The situation of a position without a past.
fn fresh(position: &Position) -> RootPosition<'_> {
    RootPosition {
        position,
        earlier: &[],
        repetition_start: 0,
        fifty_move_rule: true,
    }
}

/// The men of a table by its name, white's in capitals.
fn men_of(name: &str) -> String {
    let (white, black) = name.split_once('v').expect("a name");
    format!("{white}{}", black.to_lowercase())
}

#[test]
fn the_program_holds_all_tables_of_three_and_four_men() {
    let tables = Tablebases::embedded();
    let catalogue = tables.catalogue();
    assert_eq!(
        (catalogue.count(Metric::Wdl), catalogue.count(Metric::Dtz)),
        (35, 35)
    );
    assert_eq!((TABLES.len(), tables.max_pieces()), (70, 4));
    assert_eq!(tables.take_faults(), []);
}

#[test]
fn known_positions_have_their_known_values() {
    let tables = Tablebases::embedded();
    for (fen, wdl, dtz) in [
        ("8/3k4/8/8/8/8/2R5/3K4 w - -", Wdl::Win, 27),
        ("8/8/8/5k2/8/7r/1Q6/K7 w - -", Wdl::Win, 53),
        ("7r/8/8/4k3/8/8/8/KQ6 b - -", Wdl::Draw, 0),
        ("8/8/8/8/5k2/8/PP6/K7 w - -", Wdl::Win, 1),
        ("8/6k1/6P1/8/8/6P1/8/K7 b - -", Wdl::Draw, 0),
        ("8/7k/1p6/1P6/7K/8/8/8 w - -", Wdl::Win, 21),
        ("8/8/8/8/7p/4k3/8/R5K1 w - -", Wdl::Win, 3),
        ("8/8/8/8/8/8/8/K1k5 w - -", Wdl::Draw, 0),
    ] {
        let position = read(fen);
        assert_eq!(tables.wdl(&position), Some(wdl), "{fen}");
        let found = tables.dtz(&position).expect(fen);
        assert_eq!((found.plies - dtz).abs(), 0, "{fen}: {found:?}");
    }
    // Castling rights are not in any table.
    assert_eq!(tables.wdl(&read("4k3/8/8/8/8/8/8/4K2R w K -")), None);
    assert_eq!(tables.wdl(&Position::startpos()), None);
}

#[test]
fn every_value_follows_from_the_children() {
    let tables = Tablebases::embedded();
    let mut chance = Random::new(1);
    let wdl_tables = TABLES
        .iter()
        .filter_map(|table| table.name.strip_suffix(".rtbw"));
    for name in wdl_tables {
        for _ in 0..200 {
            let position = chance.position(&men_of(name));
            let value = tables.wdl(&position).expect(name);
            let children: Vec<Position> = position
                .legal_moves()
                .iter()
                .map(|&mv| position.play(mv))
                .collect();
            let best = children
                .iter()
                .map(|child| -tables.wdl(child).expect("a child"))
                .max();
            let expected = best.unwrap_or(if position.in_check() {
                Wdl::Loss
            } else {
                Wdl::Draw
            });
            assert_eq!(value, expected, "{position:?}");
            let plies = tables.dtz(&position).expect(name).plies;
            assert_eq!(plies.signum(), (value as i32).signum(), "{position:?}");
            if value == Wdl::Draw || children.is_empty() {
                continue;
            }
            // The next capture, pawn move or mate is as far away as by the best move; a table may round by one.
            let ranking = tables
                .rank_moves(&fresh(&position), &position.legal_moves(), &|| false)
                .expect("a ranking");
            let moves = ranking.moves.iter().filter_map(|judged| judged.dtz);
            let best = if value == Wdl::Win {
                moves.filter(|&dtz| dtz > 0).min()
            } else {
                moves.min()
            };
            let best = best.expect("a move");
            assert!(
                (plies - best).abs() <= 1,
                "{position:?}: {plies}, its moves {best}"
            );
        }
    }
}

#[test]
fn many_threads_hear_the_same() {
    let tables = Arc::new(Tablebases::new(&[], false));
    let answers = |seed: u64| -> Vec<Option<Wdl>> {
        let mut chance = Random::new(seed);
        (0..2000)
            .map(|index| {
                let name = TABLES[index % TABLES.len()].name;
                let men = men_of(name.split_once('.').expect("an extension").0);
                tables.wdl(&chance.position(&men))
            })
            .collect()
    };
    let alone = answers(7);
    assert!(alone.iter().all(Option::is_some));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| answers(7))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("it ends"), alone);
        }
    });
}

#[test]
fn the_clock_and_repetitions_count_at_the_root() {
    let tables = Tablebases::embedded();
    let judged = |fen: &str, mv: &str| {
        let position = read(fen);
        let ranking = tables
            .rank_moves(&fresh(&position), &position.legal_moves(), &|| false)
            .expect("a ranking");
        let mv = position.parse_move(mv).expect("legal");
        *ranking
            .moves
            .iter()
            .find(|judged| judged.mv == mv)
            .expect("judged")
    };
    // The queen takes the rook in 53 plies at best: safe up to clock 46.
    let position = read("8/8/8/5k2/8/7r/1Q6/K7 w - -");
    let line = tables.best_line(&position, true, 1, &|| false);
    let best = line[0].uci(false).to_string();
    let at = |clock: i32| judged(&format!("8/8/8/5k2/8/7r/1Q6/K7 w - - {clock} 90"), &best);
    assert_eq!(at(0).wdl, Wdl::Win);
    assert!(at(46).rank > at(47).rank && at(47).rank > at(48).rank);
    assert_eq!(at(46).wdl, Wdl::Win);
    assert_eq!(at(48).wdl, Wdl::CursedWin);
    // Where the rook mates only by going on, coming back a second time draws.
    let mut game = Game::new(read("8/8/8/4k3/8/8/1R6/K7 w - - 0 1"));
    for text in [
        "b2b4", "e5d5", "b4b2", "d5e5", "b2b4", "e5d5", "b4b2", "d5e5",
    ] {
        game.play_uci(text).expect("legal");
    }
    let situation = RootPosition {
        position: game.position(),
        earlier: game.keys(),
        repetition_start: 0,
        fifty_move_rule: true,
    };
    let legal = game.position().legal_moves();
    let ranking = tables
        .rank_moves(&situation, &legal, &|| false)
        .expect("a ranking");
    let repeats = game.position().parse_move("b2b4").expect("legal");
    let found = ranking
        .moves
        .iter()
        .find(|judged| judged.mv == repeats)
        .expect("judged");
    assert_eq!(found.wdl, Wdl::Draw);
    assert!(ranking.best_rank() > found.rank);
    // No step back: a position that was there before is worse than any other that wins.
    let mut game = Game::new(read("8/8/8/4k3/8/8/P7/KB6 w - - 0 1"));
    for text in ["b1d3", "e5e6", "d3c2", "e6e5"] {
        game.play_uci(text).expect("legal");
    }
    let back = game.position().parse_move("c2d3").expect("legal");
    let ranking = tables
        .rank_moves(
            &RootPosition {
                position: game.position(),
                earlier: game.keys(),
                repetition_start: 0,
                fifty_move_rule: true,
            },
            &game.position().legal_moves(),
            &|| false,
        )
        .expect("a ranking");
    for judged in ranking.moves.iter().filter(|judged| judged.wdl == Wdl::Win) {
        assert_eq!(
            judged.rank < ranking.best_rank(),
            judged.mv == back,
            "{judged:?}"
        );
    }
    // Whoever has no time gets no ranking.
    assert_eq!(tables.rank_moves(&situation, &legal, &|| true), None);
}

/// What a search told last.
#[derive(Default)]
struct Heard {
    score: AtomicI32,
    hits: AtomicU64,
    line: Mutex<Vec<Move>>,
    /// Mates told without the way to them.
    bare_mates: AtomicU64,
}

impl Listener for Heard {
    fn info(&self, info: &Info<'_>) {
        self.score.store(info.score.value(), Ordering::Relaxed);
        self.hits.store(info.stats.tb_hits, Ordering::Relaxed);
        *self.line.lock() = info.pv.to_vec();
        let is_mate = matches!(info.score, ReportedScore::Mate(_)) && info.bound == Bound::Exact;
        if is_mate && info.pv.len() < (MATE - info.score.value().abs()) as usize {
            self.bare_mates.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn go(engine: &mut Engine, game: &Game, nodes: u64) -> (Option<Move>, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    let listener: Arc<dyn Listener> = Arc::<Heard>::clone(&heard);
    let ticket = engine.signal().issue();
    let answer = engine.go(game, Limits::nodes(nodes), ticket, &listener);
    engine.signal().finish(ticket);
    (answer.best, heard)
}

/// Plays a won ending against the defence that holds out longest; the plies until mate.
fn play_out(engine: &mut Engine, start: &Position, most: i32) -> i32 {
    let tables = Tablebases::embedded();
    let mut game = Game::new(*start);
    let winner = start.turn();
    for ply in 0..most {
        let position = *game.position();
        if !position.has_legal_move() {
            assert!(
                position.in_check() && position.turn() != winner,
                "stalemate in {start:?}"
            );
            return ply;
        }
        assert!(
            !game.is_threefold() && position.halfmove_clock() < 100,
            "drawn: {start:?}"
        );
        let mv = if position.turn() == winner {
            go(engine, &game, 500).0
        } else {
            tables
                .best_line(&position, true, 1, &|| false)
                .first()
                .copied()
        };
        game.play(mv.expect("a move"));
    }
    panic!("no mate within {most} plies from {start:?}");
}

#[test]
fn where_only_mate_counts_it_comes_as_fast_as_it_can() {
    let (tables, mut engine, mut chance) = (Tablebases::embedded(), Engine::new(), Random::new(5));
    for (men, longest) in [("KQk", 19), ("KRk", 31), ("KBBk", 37), ("KBNk", 65)] {
        for _ in 0..4 {
            let start = loop {
                let position = chance.position(men);
                if tables.wdl(&position) == Some(Wdl::Win) {
                    break position;
                }
            };
            let best = tables.dtz(&start).expect("a distance").plies;
            let plies = play_out(&mut engine, &start, longest + 1);
            assert!(
                plies == best || plies == best + 1,
                "{start:?}: {plies}, the table says {best}"
            );
        }
    }
}

#[test]
fn every_kind_of_won_ending_is_won() {
    let (tables, mut engine, mut chance) = (Tablebases::embedded(), Engine::new(), Random::new(9));
    for table in TABLES.iter().filter(|table| table.name.ends_with(".rtbw")) {
        let name = table.name.strip_suffix(".rtbw").expect("an extension");
        let mut tries = (0..3000).map(|_| chance.position(&men_of(name)));
        let Some(start) = tries.find(|position| tables.wdl(position) == Some(Wdl::Win)) else {
            continue;
        };
        engine.new_game();
        play_out(&mut engine, &start, 400);
    }
}

#[test]
fn searches_find_proofs_and_keep_the_limits() {
    let mut engine = Engine::new();
    let position = Game::new(read("8/5k2/8/3KP2r/8/8/3R4/8 w - - 0 1"));
    let (_, heard) = go(&mut engine, &position, 20_000);
    assert!(heard.hits.load(Ordering::Relaxed) > 0);
    engine.tablebases().set_probe_limit(0);
    engine.new_game();
    let (_, heard) = go(&mut engine, &position, 20_000);
    assert_eq!(heard.hits.load(Ordering::Relaxed), 0);
    engine.tablebases().set_probe_limit(7);
    engine.new_game();
    // A won ending is told as such, with its line to the mate; one whose mate is known, as a mate.
    let won = Game::new(read("8/8/8/5k2/8/7r/1Q6/K7 w - - 0 1"));
    let (_, heard) = go(&mut engine, &won, 2000);
    assert!(is_win(heard.score.load(Ordering::Relaxed)));
    let mut end = won;
    for &mv in heard.line.lock().iter() {
        end.play(mv);
    }
    let end = end.position();
    assert!(!end.has_legal_move() && end.in_check(), "{end:?}");
    let (_, heard) = go(
        &mut engine,
        &Game::new(read("8/8/8/4k3/8/8/1R6/K7 w - - 0 1")),
        2000,
    );
    let mate = moves_to_mate(heard.score.load(Ordering::Relaxed)).expect("a mate");
    assert_eq!(heard.line.lock().len(), 2 * mate as usize - 1);
    assert_eq!(heard.bare_mates.load(Ordering::Relaxed), 0);
}
