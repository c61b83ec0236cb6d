//! Reviews the games of a PGN file and prints the mistakes with their reasons.
//!
//! `cargo run --release --example review -- GAMES.pgn [NODES]`

use std::error::Error;

use lucena::api::Stop;
use lucena::api::review::{ReviewEvent, limit, review_games, split};

/// More games are refused.
const MAX_GAMES: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("a PGN file is needed")?;
    let nodes = arguments.next().map(|text| text.parse()).transpose()?;
    let games = split(&std::fs::read(path)?, MAX_GAMES)?;
    review_games(&games, limit(nodes)?, &Stop::default(), &mut |event| {
        match event {
            ReviewEvent::Progress { mv, .. } => {
                if mv.mark.is_some() {
                    println!("{} {}: {}", mv.ply, mv.san, mv.text.join(" "));
                }
            }
            ReviewEvent::Error { line, message, .. } => println!("line {line}: {message}"),
            ReviewEvent::Done { games, failed } => println!("{games} games, {failed} skipped"),
            ReviewEvent::Game { .. } => {}
        }
        true
    });
    Ok(())
}
