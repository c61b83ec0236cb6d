//! Explains the best move of a position, or a move in it.
//!
//! `cargo run --release --example why -- "FEN" [MOVE]`

use std::error::Error;

use lucena::chess::Game;
use lucena::explain::{DEFAULT_NODES, Explainer, Question};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let position = arguments.next().unwrap_or_else(|| "startpos".to_owned());
    let game = Game::from_words(&position)?;
    let mv = arguments
        .next()
        .map(|text| game.position().find_move(&text))
        .transpose()?;

    let question = Question {
        mv,
        ..Question::default()
    };
    let explanation = Explainer::new(DEFAULT_NODES)?.explain(&game, question)?;
    for claim in &explanation.claims {
        println!(
            "{} ({}, from the {:?})",
            claim.text, claim.kind, claim.source
        );
    }
    for ranked in explanation.concepts.iter().take(3) {
        println!("{:+.2} {}", ranked.difference, ranked.concept.title());
    }
    Ok(())
}
