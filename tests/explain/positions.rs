//! Positions for the tests: from games of its own, and from the test data outside the repository.

use std::path::PathBuf;

use lucena::chess::{Game, Move, Position};
use lucena::lab::train::match_openings::repertoire_positions;
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

use crate::common::Random;

/// Nodes of a move in the games.
const NODES: u64 = 300;
/// Plies between two positions of a game, at most.
const STEP: usize = 12;

/// So many positions from games of its own, the same in every run.
pub fn own_positions(count: usize) -> Vec<Game> {
    let openings = repertoire_positions();
    let mut random = Random::new(23);
    let mut searcher = LocalSearcher::new(1).expect("memory");
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut game = Game::new(*random.pick(openings));
        searcher.new_game();
        let mut next = random.below(STEP);
        for ply in 0..200 {
            if game.end().is_some() || positions.len() == count {
                break;
            }
            if ply == next {
                positions.push(game.clone());
                next += 1 + random.below(STEP);
            }
            let found = searcher.search(&game, Limits::nodes(NODES));
            game.play(found.expect("a legal move").best);
        }
    }
    positions
}

/// A file of the test data, in the folder that `LUCENA_DATA` names.
pub fn data(name: &str) -> String {
    let folder = std::env::var("LUCENA_DATA").expect("LUCENA_DATA names the folder of test data");
    let path = PathBuf::from(folder).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A number from the environment: how many positions a long test takes.
pub fn limit(default: usize) -> usize {
    let given = std::env::var("LUCENA_POSITIONS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A number from the environment: the nodes of an explanation.
pub fn nodes(default: u64) -> u64 {
    let given = std::env::var("LUCENA_NODES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The number of the first row, from 0: a sample beside one that was used before.
pub fn first() -> usize {
    let given = std::env::var("LUCENA_FIRST").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// A position of the Strategic Test Suite.
pub struct Sts {
    pub theme: String,
    pub position: Position,
    pub best: Move,
}

/// Rules were chosen on the first rows of the suite and on every third row after them; figures come from the others.
const FIRST_HOLDOUT: usize = 113;

/// Every `stride`-th position of the suite, so that a sample has all themes. `LUCENA_ROWS` is `holdout` for the rows that no
/// rule was chosen on, and `development` for the others.
pub fn sts(count: usize) -> Vec<Sts> {
    let text = data("sts.epd");
    let rows = std::env::var("LUCENA_ROWS").ok();
    let is_taken = |row: usize| {
        let is_holdout = row >= FIRST_HOLDOUT && (row - FIRST_HOLDOUT) % 3 != 2;
        rows.as_deref()
            .is_none_or(|rows| is_holdout == (rows == "holdout"))
    };
    let lines = text.lines().enumerate();
    let all: Vec<&str> = lines
        .filter(|(row, _)| is_taken(*row))
        .map(|(_, line)| line)
        .collect();
    let stride = (all.len() / count.max(1)).max(1);
    all.iter()
        .skip(first())
        .step_by(stride)
        .map(|line| read_sts(line))
        .collect()
}

fn read_sts(line: &str) -> Sts {
    let (board, rest) = line.split_once(" bm ").expect("a best move");
    let position = Position::from_fen(&format!("{board} 0 1")).expect("a position");
    let quoted = |name: &str| {
        let (_, after) = rest
            .split_once(&format!("{name} \""))
            .expect("an operation");
        after.split('"').next().expect("a closing quote").to_owned()
    };
    let id = quoted("id");
    let theme = id.split_once(' ').expect("a theme").1;
    let theme = theme.rsplit_once('.').expect("a number").0.to_owned();
    // The moves with points, best first.
    let moves = quoted("c9");
    let best = moves.split(' ').next().expect("a move");
    Sts {
        theme,
        best: position.parse_move(best).expect("a legal move"),
        position,
    }
}
