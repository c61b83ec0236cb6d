//! `lucena tablebase mate`: the shortest way to mate with few men.
//! Uses: tablebase, chess. Used by: cli.
//! Idea: Syzygy tables know the way to the next capture or pawn move; a fresh solution knows the way to mate.

use std::io::{self, Write};

use crate::lab::tablegen::{MATING_MEN, Mating};

use super::Failure;
use super::failure::{self, failed};

/// Solves a position with three or four men and writes the shortest mate against the best defence.
#[derive(Debug, clap::Args)]
pub struct MateArguments {
    /// The position in Forsyth-Edwards notation, quoted or not, or the word startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    fen: Vec<String>,
}

/// Writes the distance and the line to standard output.
pub fn run(arguments: &MateArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    let mating = Mating::default();
    let plies = mating.plies(&position).ok_or_else(|| {
        failed(format!(
            "only up to {MATING_MEN} men without castling rights"
        ))
    })?;
    let mut out = io::stdout().lock();
    let moves = (plies.abs() + 1) / 2;
    let verdict = match plies {
        0 if position.in_check() && !position.has_legal_move() => "mate on the board".to_owned(),
        0 => "draw".to_owned(),
        1.. => format!("mates in {moves} ({plies} plies)"),
        _ => format!("is mated in {moves} ({} plies)", -plies),
    };
    writeln!(out, "{verdict}")?;
    let line = mating.line(&position);
    if !line.is_empty() {
        let line: Vec<String> = line.iter().map(|mv| mv.uci(false).to_string()).collect();
        writeln!(out, "{}", line.join(" "))?;
    }
    Ok(out.flush()?)
}
