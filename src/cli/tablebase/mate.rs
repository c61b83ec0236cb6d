//! `lucena tablebase mate`: solves the distance to mate of a position with few pieces.

use std::io::Write;

use crate::base::text::plural;
use crate::cli::stdout::stdout;
use crate::lab::tablegen::{DtmSolver, MAX_DTM_PIECES};

use super::Failure;
use super::failure::{self, failed};

/// Solves a position with up to four pieces and prints the shortest mate
#[derive(Debug, clap::Args)]
pub struct MateArguments {
    /// The position: a FEN, quoted or not, or startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    fen: Vec<String>,
}

pub fn run(arguments: &MateArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    let solver = DtmSolver::default();
    let plies = solver.plies(&position).ok_or_else(|| {
        failed(format!(
            "the position has {} pieces{}: only up to {MAX_DTM_PIECES} pieces without castling rights are solved",
            position.occupied().count(),
            if position.has_castling_rights() { " and castling rights" } else { "" }
        ))
    })?;
    let mut out = stdout();
    let moves = (plies.abs() + 1) / 2;
    let verdict = match plies {
        0 if position.in_check() && !position.has_legal_move() => "checkmate".to_owned(),
        0 => "draw".to_owned(),
        1.. => format!("mates in {moves} ({})", plural(plies as usize, "ply")),
        _ => format!("is mated in {moves} ({})", plural(-plies as usize, "ply")),
    };
    writeln!(out, "{verdict}")?;
    let line = solver.line(&position);
    if !line.is_empty() {
        let line: Vec<String> = line.iter().map(|mv| mv.uci(false).to_string()).collect();
        writeln!(out, "{}", line.join(" "))?;
    }
    Ok(out.flush()?)
}
