//! Levels in games against themselves: the guards hold, as seen by searches and exchanges that the guards do not use; and the
//! scale of their ratings.

use std::fs;
use std::path::Path;

use lucena::chess::{Game, GameEnd, Move, Position};
use lucena::engine::level::scale::{KNOTS, ccrl_of_level};
use lucena::lab::levels::calibrate::{Anchor, rate};
use lucena::lab::levels::results::read_results;
use lucena::level::{Chosen, GameView, LevelSettings, Player, SearchSetup, ShallowSearcher};
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

use crate::common::{Folder, lucena};

/// A move that loses at least this many expected points is a blunder.
const BLUNDER: f32 = 0.30;
/// A queen, or as much, in centipawns.
const QUEEN: i32 = 600;

/// One choice of a game.
struct Turn {
    view: GameView,
    chosen: Chosen,
    /// The expected points that the move loses, by the search that finds less.
    loss: f32,
}

/// A game of a level against itself.
fn game(rating: u16, seed: u64, plies: usize) -> Vec<Turn> {
    let settings = LevelSettings {
        seed,
        ..LevelSettings::of(rating)
    };
    let mut players = [Player::default(), Player::default()];
    let mut view = GameView::new(Game::new(Position::startpos()));
    let mut searcher = ShallowSearcher::new().expect("memory");
    let mut turns = Vec::new();
    for ply in 0..plies {
        let player = &mut players[ply % 2];
        let chosen = player
            .choose(&view, &settings, &SearchSetup::default())
            .expect("memory");
        let Some(chosen) = chosen else { break };
        let seen = searcher.estimate_moves(&view, None);
        let of = |mv: Move| seen.iter().find(|estimate| estimate.mv == mv);
        let own = of(chosen.mv).expect("a legal move");
        let best = seen
            .iter()
            .map(|estimate| estimate.points[2])
            .fold(0.0, f32::max);
        let [_, longer] = own.ranked;
        let loss = best - own.points[2];
        let before = view.clone();
        view.play(chosen.mv);
        turns.push(Turn {
            view: before,
            chosen,
            loss: longer.rank.map_or(loss, |_| loss.min(longer.loss)),
        });
        if view.game().end().is_some() {
            break;
        }
    }
    turns
}

/// Whether the opponent wins a queen, or as much, by one capture.
fn leaves_a_queen(turn: &Turn) -> bool {
    let after = turn.view.game().position().play(turn.chosen.mv);
    let replies = after.legal_moves();
    replies
        .iter()
        .any(|reply| reply.is_capture() && after.see_ge(*reply, QUEEN))
}

#[test]
fn weak_levels_blunder_once_in_three_moves_and_leave_no_queen_without_a_named_reason() {
    let (mut blunders, mut choices) = (0, 0);
    for seed in 1..4 {
        let turns = game(800, seed, 90);
        for side in 0..2 {
            let own: Vec<&Turn> = turns.iter().skip(side).step_by(2).collect();
            for near in own.windows(3) {
                let lost = near.iter().filter(|turn| turn.loss >= BLUNDER).count();
                let moves: Vec<String> = near
                    .iter()
                    .map(|turn| format!("{} {:.2}", turn.chosen.mv.uci(false), turn.loss))
                    .collect();
                assert!(lost <= 1, "seed {seed}: {moves:?}");
            }
        }
        for turn in &turns {
            choices += 1;
            blunders += usize::from(turn.loss >= BLUNDER);
            let is_named = turn.chosen.overlooked.is_some();
            let hangs_queen = leaves_a_queen(turn) && turn.loss >= BLUNDER;
            assert!(
                !hangs_queen || is_named,
                "seed {seed}: {} in {}",
                turn.chosen.mv.uci(false),
                turn.view.game().position().to_fen()
            );
        }
    }
    // The level is weak: it does blunder.
    assert!(blunders > 0, "no blunder in {choices} moves");
}

#[test]
fn two_pawns_mate_a_lone_king() {
    for fen in [
        "8/4k3/8/8/8/8/2P1P3/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/3PP3/4K3 w - - 0 1",
    ] {
        let settings = LevelSettings::of(1200);
        let mut player = Player::default();
        let mut defender = LocalSearcher::new(1).expect("memory");
        let mut view = GameView::new(Game::new(Position::from_fen(fen).expect("a position")));
        while view.game().end().is_none() && view.game().keys().len() < 120 {
            let chosen = player.choose(&view, &settings, &SearchSetup::default());
            view.play(chosen.expect("memory").expect("a move").mv);
            let reply = defender.search(view.game(), Limits::depth(8));
            if let Some(reply) = reply {
                let fen = view.game().position().to_fen();
                assert!(!reply.best.is_capture() || fen.contains('Q'), "{fen}");
                view.play(reply.best);
            }
        }
        assert_eq!(view.game().end(), Some(GameEnd::Checkmate), "{fen}");
    }
}

#[test]
fn an_illegal_move_of_a_game_to_fit_is_reported() {
    let folder = Folder::new("levels-fit");
    let games = "id,white_rating,black_rating,uci_moves\na,1500,1500,e2e4 xx e7e5\n";
    folder.write("games.csv", games);
    let [games, out] = ["games.csv", "out.txt"].map(|name| folder.text(name));
    let done = lucena(&["levels", "fit", "--games", &games, "--out", &out]);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (shown, errors) = (text(done.stdout), text(done.stderr));
    assert!(errors.contains("warning: game a: move 2: "), "{errors}");
    assert!(shown.contains("held out: no positions"), "{shown}");
    let levels = fs::read_to_string(out).expect("the levels");
    assert!(!levels.contains("held out"), "{levels}");
}

#[test]
fn a_repeated_position_gets_the_same_answer() {
    let settings = LevelSettings {
        seed: 9,
        ..LevelSettings::of(1100)
    };
    let mut view = GameView::new(Game::new(Position::startpos()));
    let answer = |view: &GameView| {
        let chosen = Player::default().choose(view, &settings, &SearchSetup::default());
        chosen.expect("memory").expect("a move").overlooked
    };
    let first = answer(&view);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        let mv = view.game().position().parse_move(text).expect("legal");
        view.play(mv);
    }
    assert_eq!(answer(&view), first);
}

#[test]
fn the_ccrl_scale_and_its_table_are_what_the_games_say() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("levels.md")).expect("the page");
    let anchor = |word: &str| {
        let (name, rating) = word.strip_prefix("Stash-")?.split_once('=')?;
        Some(Anchor {
            name: format!("Stash-{name}"),
            rating: rating.parse().ok()?,
        })
    };
    let anchors: Vec<Anchor> = page.split_whitespace().filter_map(anchor).collect();
    let outcomes = read_results(&docs.join("results/level-games.csv"), &anchors).expect("results");
    let rated = rate(&outcomes, &anchors);
    let rating_of = |level: u16| {
        let found = rated.iter().find(|found| found.level == level);
        found.expect("a rated level").rating.round() as u16
    };
    for (level, rating) in KNOTS {
        assert_eq!(rating_of(level), rating, "{level}");
    }
    // | level | rating | interval | rating on the built-in scale | ...
    let cells = |line: &str| {
        let cells: Vec<&str> = line
            .split('|')
            .map(|cell| cell.trim_matches([' ', '*']))
            .collect();
        let number = |place: usize| cells.get(place)?.parse::<u16>().ok();
        Some([number(1)?, number(2)?, number(4)?])
    };
    let rows: Vec<[u16; 3]> = page.lines().filter_map(cells).collect();
    assert_eq!(rows.len(), rated.len());
    for [level, rating, scale] in rows {
        assert_eq!(
            [rating, scale],
            [rating_of(level), ccrl_of_level(level)],
            "{level}"
        );
    }
}
