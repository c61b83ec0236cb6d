//! Endings of the textbooks: draws that look like wins, and wins that look like draws.

use lucena::chess::{Game, Position};
use lucena::eval::{Accumulator, evaluate};
use lucena::explain::shown;
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

const ENDINGS: &str = include_str!("../data/textbook.tsv");
/// Shown centipawns at which a win is as likely as not.
const EVEN_CHANCE: i32 = 100;
const NODES: u64 = 100_000;

/// Whether the evaluation says about a position what the books say.
fn is_right(result: &str, position: &Position, searcher: &mut LocalSearcher) -> bool {
    if result == "win" {
        searcher.new_game();
        let found = searcher.search(&Game::new(*position), Limits::nodes(NODES));
        let score = found.expect("a score").score;
        return shown(score, position) >= EVEN_CHANCE;
    }
    let value = evaluate(position, &Accumulator::of(position));
    shown(value, position).abs() < EVEN_CHANCE
}

#[test]
fn textbook_endings_are_evaluated_as_the_books_say() {
    let mut searcher = LocalSearcher::new(1).expect("memory");
    let rows = ENDINGS.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [result, fen, name] = cells[..] else {
            panic!("not three columns: {row}");
        };
        let (is_open, result) = match result.strip_prefix("open ") {
            Some(result) => (true, result),
            None => (false, result),
        };
        let position = Position::from_fen(fen).expect("a position");
        let is_right = is_right(result, &position, &mut searcher);
        assert_eq!(is_right, !is_open, "{name}: {fen}");
        count += 1;
    }
    assert!(count >= 41, "{count} endings");
}
