//! The same position gives the same claims: mirrored, and with twice the nodes.

use std::collections::BTreeMap;

use lucena::chess::{Game, Move, Position};
use lucena::eval::BUILT_IN;
use lucena::explain::{
    Account, Claim, Explainer, Explanation, LineAccount, MoveComparison, Question,
};
use lucena::search::local::StaticValue;

use crate::positions::{limit, own_positions};

fn explain(nodes: u64, position: &Position) -> Explanation {
    let mut explainer = Explainer::new(nodes).expect("memory");
    explainer
        .explain(&Game::new(*position), Question::default())
        .expect("an open game")
}

/// A claim with ranks and colours swapped; the text is compared by its kind.
fn mirrored(claim: &Claim) -> (String, Vec<String>, Vec<String>) {
    let square = |name: &String| {
        let mut letters = name.chars();
        let (file, rank) = (letters.next(), letters.next());
        let rank = rank.and_then(|rank| rank.to_digit(10)).expect("a rank");
        format!("{}{}", file.expect("a file"), 9 - rank)
    };
    let piece = |name: &String| match name.split_once(' ') {
        Some(("white", role)) => format!("black {role}"),
        Some((_, role)) => format!("white {role}"),
        None => name.clone(),
    };
    let mut squares: Vec<String> = claim.squares.iter().map(square).collect();
    let mut pieces: Vec<String> = claim.pieces.iter().map(piece).collect();
    squares.sort();
    pieces.sort();
    (claim.kind.clone(), squares, pieces)
}

fn unmirrored(claim: &Claim) -> (String, Vec<String>, Vec<String>) {
    let (mut squares, mut pieces) = (claim.squares.clone(), claim.pieces.clone());
    squares.sort();
    pieces.sort();
    (claim.kind.clone(), squares, pieces)
}

fn flip(mv: &Move) -> Move {
    let (from, to) = (mv.from().flip_vertical(), mv.to().flip_vertical());
    Move::new(from, to, mv.kind())
}

/// The position and the move before it with the colours swapped.
fn flipped_game(game: &Game) -> Game {
    let Some((before, last)) = game.last_move() else {
        return Game::new(game.position().flip());
    };
    let mut flipped = Game::new(before.flip());
    flipped.play(flip(&last));
    flipped
}

/// A line with the colours swapped.
fn flipped(line: &LineAccount) -> LineAccount {
    let root = line.positions[0].flip();
    let moves: Vec<Move> = line.moves.iter().map(flip).collect();
    let end = line.end;
    // As for the side to move at the end.
    let end = if moves.len().is_multiple_of(2) {
        end
    } else {
        StaticValue {
            raw: -end.raw,
            corrected: -end.corrected,
        }
    };
    let mut flipped = LineAccount::new(&BUILT_IN, &root, (moves, line.searched), line.score, end);
    flipped.proven = line.proven;
    flipped.game_end = line.game_end;
    flipped
}

/// How many of `count` positions have the same claims mirrored; the search itself is not symmetric.
fn count_mirrored(count: usize) -> usize {
    let mut explainer = Explainer::new(5_000).expect("memory");
    let mut same = 0;
    for game in own_positions(count) {
        let comparison = explainer
            .compare(&game, Question::default())
            .expect("an open game");
        let worse = comparison.worse.as_ref().map(flipped);
        let better = flipped(&comparison.better);
        let mirror = MoveComparison {
            game: flipped_game(&game),
            asked: better.first(),
            account: worse.as_ref().map(|worse| Account::of(&better, worse)),
            better,
            worse,
            ..comparison.clone()
        };
        let one = explainer.explanation(comparison);
        let other = explainer.explanation(mirror);
        let claims: Vec<_> = one.claims.iter().map(mirrored).collect();
        let of_mirror: Vec<_> = other.claims.iter().map(unmirrored).collect();
        same += usize::from(claims == of_mirror);
        if claims != of_mirror && std::env::var("LUCENA_SHOW").is_ok() {
            println!("{}\n{one}\n{other}", one.fen);
        }
    }
    same
}

#[test]
fn claims_are_mirrored_with_the_colours() {
    assert_eq!(count_mirrored(60), 60);
}

#[test]
#[ignore = "a minute"]
fn many_claims_are_mirrored() {
    let count = limit(2_000);
    println!(
        "{} of {count} with the same claims mirrored",
        count_mirrored(count)
    );
}

#[test]
#[ignore = "minutes"]
fn the_first_claim_is_stable() {
    let (mut pairs, mut same) = (0, 0);
    let mut changes: BTreeMap<[String; 2], u32> = BTreeMap::new();
    for game in own_positions(limit(300)) {
        let one = explain(100_000, game.position());
        let other = explain(200_000, game.position());
        if one.best == other.best {
            pairs += 1;
            // What it is about: the numbers may differ.
            let about = |explanation: &Explanation| {
                let reason = explanation
                    .claims
                    .iter()
                    .find(|claim| claim.kind != "verdict");
                reason.map_or("no reason", |claim| &claim.kind).to_owned()
            };
            let (first, second) = (about(&one), about(&other));
            if first == second {
                same += 1;
            } else {
                if std::env::var("LUCENA_SHOW").is_ok() {
                    println!("{}\n  {one}\n  {other}", one.fen);
                }
                *changes.entry([first, second]).or_default() += 1;
            }
        }
    }
    for ([first, second], count) in changes {
        println!("{count:4} {first} -> {second}");
    }
    println!(
        "{pairs} with the same best move: the same first claim in {:.1} %",
        100.0 * f64::from(same) / f64::from(pairs)
    );
}
