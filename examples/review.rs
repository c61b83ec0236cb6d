//! Reviews the games of a PGN file and prints the mistakes with their reasons.
//!
//! `cargo run --release --example review -- GAMES.pgn [NODES]`

use std::error::Error;
use std::process::ExitCode;

use lucena::api::Stop;
use lucena::api::review::{ReviewEvent, limit, review_games, split};

/// More games are refused.
const MAX_GAMES: usize = 1000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: review GAMES.pgn [NODES]");
        return ExitCode::from(2);
    };
    match review(&path, arguments.next().as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn review(path: &str, nodes: Option<&str>) -> Result<(), Box<dyn Error>> {
    let nodes = nodes.map(str::parse).transpose()?;
    let text = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let games = split(&text, MAX_GAMES).map_err(|error| format!("{path}: {error}"))?;
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
