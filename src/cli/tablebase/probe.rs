//! `lucena tablebase probe`: prints the tablebase values of a position, of its moves, and the best line.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use crate::base::text::plural;
use crate::chess::{Move, Position};
use crate::cli::stdout::stdout;
use crate::tablebase::root::RootPosition;
use crate::tablebase::{Metric, Tablebases, Wdl};

use super::Failure;
use super::failure::{self, failed};

/// The longest line printed, in plies.
const MAX_LINE: usize = 600;

/// Prints the tablebase values of a position and of each move, and the best line
#[derive(Debug, clap::Args)]
pub struct ProbeArguments {
    /// The position: a FEN, quoted or not, or startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    fen: Vec<String>,
    /// A folder with more tables; may be repeated
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The values of a position.
#[derive(Debug, Serialize)]
struct ProbeReport {
    fen: String,
    /// The result of the best move, with the halfmove clock counted.
    wdl: &'static str,
    /// Plies to the next capture, pawn move or mate; negative for a loss.
    dtz: Option<i32>,
    /// Whether the true distance may be one ply greater.
    dtz_rounded: bool,
    moves: Vec<MoveReport>,
    /// The best line, in UCI notation.
    line: Vec<String>,
    /// Whether the line ends with mate.
    mate: bool,
}

/// The values of a move.
#[derive(Debug, Serialize)]
struct MoveReport {
    uci: String,
    wdl: &'static str,
    dtz: Option<i32>,
}

pub fn run(arguments: &ProbeArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    super::check_folders(&arguments.path)?;
    let tables = Tablebases::new(&arguments.path, true);
    let report = report(&tables, &position);
    super::warn(&tables.take_faults());
    let report = report.map_err(failed)?;
    let mut out = stdout();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write(&report, &mut out)?;
    }
    Ok(out.flush()?)
}

fn report(tables: &Tablebases, position: &Position) -> Result<ProbeReport, String> {
    let wdl = tables.wdl_by_clock(position);
    let wdl = wdl.ok_or_else(|| why_unknown(tables, position))?;
    let dtz = tables.dtz(position);
    let legal = position.legal_moves();
    let ranking = tables.rank_moves(&RootPosition::alone(position), &legal, &|| false);
    let mut ranked = ranking.map(|found| found.moves).unwrap_or_default();
    // By result, best first, then by DTZ.
    ranked.sort_by_key(|ranked| {
        let dtz = ranked.dtz.unwrap_or_default();
        (-(ranked.wdl as i8), dtz)
    });
    let line = if wdl == Wdl::Draw {
        Vec::new()
    } else {
        tables.best_line(position, true, MAX_LINE, &|| false)
    };
    let end = line
        .iter()
        .fold(*position, |position, &mv| position.play(mv));
    let uci = |mv: Move| mv.uci(false).to_string();
    Ok(ProbeReport {
        fen: position.to_fen(),
        wdl: wdl.name(),
        dtz: dtz.map(|dtz| dtz.plies),
        dtz_rounded: dtz.is_some_and(|dtz| dtz.rounded),
        moves: ranked
            .iter()
            .map(|ranked| MoveReport {
                uci: uci(ranked.mv),
                wdl: ranked.wdl.name(),
                dtz: ranked.dtz,
            })
            .collect(),
        line: line.into_iter().map(uci).collect(),
        mate: end.in_check() && !end.has_legal_move(),
    })
}

/// Why a position cannot be probed.
fn why_unknown(tables: &Tablebases, position: &Position) -> String {
    let pieces = position.occupied().count();
    let max_pieces = tables.max_pieces();
    if pieces as u32 > max_pieces {
        format!("the position has {pieces} pieces, the available tables have at most {max_pieces}")
    } else if position.has_castling_rights() {
        "tablebases have no positions with castling rights".to_owned()
    } else {
        let material = crate::tablebase::Material::of(position).normalized();
        let missing = tables.missing(material).unwrap_or(material);
        format!(
            "the table {missing}.{} is missing or faulty",
            Metric::Wdl.extension()
        )
    }
}

fn write(report: &ProbeReport, out: &mut impl Write) -> io::Result<()> {
    let plies = |dtz: Option<i32>| dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
    writeln!(out, "{}", report.fen)?;
    let rounded = if report.dtz_rounded {
        " (or one more)"
    } else {
        ""
    };
    writeln!(out, "{}, DTZ {}{rounded}", report.wdl, plies(report.dtz))?;
    for mv in &report.moves {
        writeln!(out, "  {:6} {:12} DTZ {:>4}", mv.uci, mv.wdl, plies(mv.dtz))?;
    }
    if !report.line.is_empty() {
        let end = if report.mate {
            "mate"
        } else {
            "as far as DTZ is known"
        };
        writeln!(
            out,
            "{}, {end}: {}",
            plural(report.line.len(), "ply"),
            report.line.join(" ")
        )?;
    }
    Ok(())
}
