//! Built-in tablebases: known values, values that follow from those of the children, root ranking, and won endings played
//! out.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::thread;

use crate::common::Random;
use lucena::base::sync::Mutex;
use lucena::base::value::{Bound, MATE, is_loss, is_win, moves_to_mate};
use lucena::chess::{Game, Move, Position};
use lucena::engine::{Engine, Info, Limits, Listener, ReportedScore};
use lucena::tablebase::embedded::TABLES;
use lucena::tablebase::root::{RankedMove, RootPosition, RootRanking};
use lucena::tablebase::{Metric, Tablebases, Wdl};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// The ranking of the legal moves of a game.
fn ranking(tables: &Tablebases, game: &Game, stopped: bool) -> Option<RootRanking> {
    let root = RootPosition {
        position: game.position(),
        earlier: game.keys(),
        repetition_start: 0,
        fifty_move_rule: true,
    };
    tables.rank_moves(&root, &game.position().legal_moves(), &|| stopped)
}

/// The rank of a move.
fn ranked(ranking: &RootRanking, mv: Move) -> RankedMove {
    let found = ranking.moves.iter().find(|ranked| ranked.mv == mv);
    *found.expect("a ranked move")
}

/// The pieces of a table, white in upper case.
fn pieces_of(name: &str) -> String {
    let (white, black) = name.split_once('v').expect("a name");
    format!("{white}{}", black.to_lowercase())
}

#[test]
fn all_tables_with_three_and_four_pieces_are_built_in() {
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
    assert_eq!(tables.wdl(&read("4k3/8/8/8/8/8/8/4K2R w K -")), None);
    assert_eq!(tables.wdl(&Position::startpos()), None);
}

#[test]
fn every_value_follows_from_the_children() {
    let tables = Tablebases::embedded();
    let mut random = Random::new(1);
    let wdl_tables = TABLES
        .iter()
        .filter_map(|table| table.name.strip_suffix(".rtbw"));
    for name in wdl_tables {
        for _ in 0..200 {
            let position = random.position(&pieces_of(name));
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
            // The DTZ is that of the best move, or rounded by one.
            let game = Game::new(position);
            let ranking = ranking(&tables, &game, false).expect("a ranking");
            let moves = ranking.moves.iter().filter_map(|ranked| ranked.dtz);
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
fn threads_get_the_same_values() {
    let tables = Arc::new(Tablebases::new(&[], false));
    let answers = |seed: u64| -> Vec<Option<Wdl>> {
        let mut random = Random::new(seed);
        (0..2000)
            .map(|index| {
                let name = TABLES[index % TABLES.len()].name;
                let pieces = pieces_of(name.split_once('.').expect("an extension").0);
                tables.wdl(&random.position(&pieces))
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
fn root_ranking_counts_rule50_and_repetitions() {
    let tables = Tablebases::embedded();
    let rank = |game: &Game| ranking(&tables, game, false).expect("a ranking");
    // DTZ 53: safe up to a halfmove clock of 46.
    let position = read("8/8/8/5k2/8/7r/1Q6/K7 w - -");
    let best = tables.best_line(&position, true, 1, &|| false)[0];
    let at = |clock: i32| {
        let position = read(&format!("8/8/8/5k2/8/7r/1Q6/K7 w - - {clock} 90"));
        ranked(&rank(&Game::new(position)), best)
    };
    assert_eq!(at(0).wdl, Wdl::Win);
    assert!(at(46).rank > at(47).rank && at(47).rank > at(48).rank);
    assert_eq!(at(46).wdl, Wdl::Win);
    assert_eq!(at(48).wdl, Wdl::CursedWin);
    // A second repetition draws.
    let mut game = Game::new(read("8/8/8/4k3/8/8/1R6/K7 w - - 0 1"));
    for text in [
        "b2b4", "e5d5", "b4b2", "d5e5", "b2b4", "e5d5", "b4b2", "d5e5",
    ] {
        game.play_uci(text).expect("legal");
    }
    let repeats = game.position().parse_move("b2b4").expect("legal");
    let found = ranked(&rank(&game), repeats);
    assert_eq!(found.wdl, Wdl::Draw);
    assert!(rank(&game).best_rank() > found.rank);
    // Whoever has no time gets no ranking.
    assert_eq!(ranking(&tables, &game, true), None);
    // A win by repeating a position ranks below all other wins.
    let mut game = Game::new(read("8/8/8/4k3/8/8/P7/KB6 w - - 0 1"));
    for text in ["b1d3", "e5e6", "d3c2", "e6e5"] {
        game.play_uci(text).expect("legal");
    }
    let back = game.position().parse_move("c2d3").expect("legal");
    let ranking = rank(&game);
    for ranked in ranking.moves.iter().filter(|ranked| ranked.wdl == Wdl::Win) {
        assert_eq!(
            ranked.rank < ranking.best_rank(),
            ranked.mv == back,
            "{ranked:?}"
        );
    }
}

/// The result with the fifty-move rule by all lines up to it: 1, 0 or -1 for the side to move.
fn result_by_all_lines(tables: &Tablebases, position: &Position) -> i32 {
    let legal = position.legal_moves();
    if legal.is_empty() {
        return -i32::from(position.in_check());
    }
    match position.halfmove_clock() {
        0 => match tables.wdl(position).expect("a value") {
            Wdl::Win => 1,
            Wdl::Loss => -1,
            _ => 0,
        },
        100.. => 0,
        _ => {
            let results = legal
                .iter()
                .map(|&mv| -result_by_all_lines(tables, &position.play(mv)));
            results.max().expect("a move")
        }
    }
}

/// A rounded DTZ may be one ply too short, which matters just before the fifty-move rule ends the game.
#[test]
fn scores_before_the_fifty_move_rule_are_proved() {
    let tables = Tablebases::embedded();
    let mut random = Random::new(2);
    let (mut proved, mut open) = (0, 0);
    let names = ["KQvKR", "KRRvK", "KQQvK", "KQRvK", "KQNvK", "KRvKB"];
    for name in names {
        for clock in [96, 97, 98].repeat(20) {
            let position = random.position(&pieces_of(name)).to_fen();
            let fields: Vec<&str> = position.split(' ').collect();
            let position = read(&format!("{} {clock} 90", fields[..4].join(" ")));
            let game = Game::new(position);
            for found in ranking(&tables, &game, false).expect("a ranking").moves {
                let Some(score) = found.score else {
                    open += 1;
                    continue;
                };
                let result = -result_by_all_lines(&tables, &position.play(found.mv));
                let claimed = i32::from(is_win(score)) - i32::from(is_loss(score));
                assert_eq!(claimed, result, "{} {:?}", position.to_fen(), found);
                proved += 1;
            }
        }
    }
    assert!(proved > 1000 && open > 0, "{proved} {open}");
    // Neither rook mates in time.
    let game = Game::new(read("k7/2r5/8/7K/8/2r5/8/8 b - - 97 1"));
    let found = ranking(&tables, &game, false).expect("a ranking");
    let check = game.position().parse_move("c3g3").expect("legal");
    assert_eq!(ranked(&found, check).score, None);
}

/// Tables have no castling rights.
#[test]
fn castling_rights_do_not_hide_a_proven_result() {
    let tables = Tablebases::embedded();
    let rank = |fen: &str| ranking(&tables, &Game::new(read(fen)), false);
    let ranking = rank("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a ranking");
    assert!(ranking.moves.iter().all(|ranked| ranked.wdl == Wdl::Win));
    // Whoever wins without the right wins with it.
    let ranking = rank("4k3/8/8/8/8/8/P7/4K2R w K - 0 1").expect("a ranking");
    assert!(ranking.moves.iter().any(|ranked| ranked.wdl == Wdl::Win));
    let ranking = rank("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1").expect("a ranking");
    assert!(ranking.moves.iter().all(|ranked| ranked.wdl == Wdl::Loss));
    // A draw without the right may be none with it.
    assert!(rank("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1").is_none());
}

/// The last info of a search.
#[derive(Default)]
struct LastInfo {
    score: AtomicI32,
    hits: AtomicU64,
    line: Mutex<Vec<Move>>,
    /// Mate scores with a shorter PV.
    short_mates: AtomicU64,
}

impl Listener for LastInfo {
    fn info(&self, info: &Info<'_>) {
        self.score.store(info.score.value(), Ordering::Relaxed);
        self.hits.store(info.stats.tb_hits, Ordering::Relaxed);
        *self.line.lock() = info.pv.to_vec();
        let is_mate = matches!(info.score, ReportedScore::Mate(_)) && info.bound == Bound::Exact;
        if is_mate && info.pv.len() < (MATE - info.score.value().abs()) as usize {
            self.short_mates.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn go(engine: &mut Engine, game: &Game, nodes: u64) -> (Option<Move>, Arc<LastInfo>) {
    let info = Arc::new(LastInfo::default());
    let listener: Arc<dyn Listener> = Arc::<LastInfo>::clone(&info);
    let ticket = engine.signal().issue();
    let answer = engine.go(game, Limits::nodes(nodes), ticket, &listener);
    engine.signal().finish(ticket);
    (answer.best, info)
}

/// Plays a won ending against the longest defence. Returns the plies until mate.
fn play_out(engine: &mut Engine, start: &Position, max_plies: i32) -> i32 {
    let tables = Tablebases::embedded();
    let mut game = Game::new(*start);
    let winner = start.turn();
    for ply in 0..max_plies {
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
    panic!("no mate within {max_plies} plies from {start:?}");
}

#[test]
fn shortest_mates_are_played_where_dtz_is_dtm() {
    let (tables, mut engine, mut random) = (Tablebases::embedded(), Engine::new(), Random::new(5));
    for (pieces, longest) in [("KQk", 19), ("KRk", 31), ("KBBk", 37), ("KBNk", 65)] {
        for _ in 0..4 {
            let start = loop {
                let position = random.position(pieces);
                if tables.wdl(&position) == Some(Wdl::Win) {
                    break position;
                }
            };
            let best = tables.dtz(&start).expect("a distance").plies;
            let plies = play_out(&mut engine, &start, longest + 1);
            assert!(
                plies == best || plies == best + 1,
                "{start:?}: {plies} plies, DTZ {best}"
            );
        }
    }
}

#[test]
fn won_endings_of_every_table_are_won() {
    let (tables, mut engine, mut random) = (Tablebases::embedded(), Engine::new(), Random::new(9));
    for table in TABLES.iter().filter(|table| table.name.ends_with(".rtbw")) {
        let name = table.name.strip_suffix(".rtbw").expect("an extension");
        let mut tries = (0..3000).map(|_| random.position(&pieces_of(name)));
        let Some(start) = tries.find(|position| tables.wdl(position) == Some(Wdl::Win)) else {
            continue;
        };
        engine.new_game();
        play_out(&mut engine, &start, 400);
    }
}

#[test]
fn searches_probe_up_to_the_piece_limit() {
    let mut engine = Engine::new();
    let position = Game::new(read("8/5k2/8/3KP2r/8/8/3R4/8 w - - 0 1"));
    let (_, info) = go(&mut engine, &position, 20_000);
    assert!(info.hits.load(Ordering::Relaxed) > 0);
    engine.tablebases().set_probe_limit(0);
    engine.new_game();
    let (_, info) = go(&mut engine, &position, 20_000);
    assert_eq!(info.hits.load(Ordering::Relaxed), 0);
    engine.tablebases().set_probe_limit(7);
    engine.new_game();
    // A won ending has a winning score with a PV to mate; where DTZ is DTM it has a mate score.
    let won = Game::new(read("8/8/8/5k2/8/7r/1Q6/K7 w - - 0 1"));
    let (_, info) = go(&mut engine, &won, 2000);
    assert!(is_win(info.score.load(Ordering::Relaxed)));
    let mut end = won;
    for &mv in info.line.lock().iter() {
        end.play(mv);
    }
    let end = end.position();
    assert!(!end.has_legal_move() && end.in_check(), "{end:?}");
    let (_, info) = go(
        &mut engine,
        &Game::new(read("8/8/8/4k3/8/8/1R6/K7 w - - 0 1")),
        2000,
    );
    let mate = moves_to_mate(info.score.load(Ordering::Relaxed)).expect("a mate");
    assert_eq!(info.line.lock().len(), 2 * mate as usize - 1);
    assert_eq!(info.short_mates.load(Ordering::Relaxed), 0);
}
