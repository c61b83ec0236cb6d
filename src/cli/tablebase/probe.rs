//! `lucena tablebase probe`: what the tables know of a position.
//! Uses: tablebase, chess. Used by: cli.
//! Idea: the verdict, every move's verdict and the line to the end, as a table or as JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use crate::chess::{Move, Position};
use crate::tablebase::root::RootPosition;
use crate::tablebase::{Metric, Tablebases, Wdl};

use super::Failure;
use super::failure::{self, failed};

/// No line is longer, in plies.
const LONGEST_LINE: usize = 600;

/// Tells what endgame tables know of a position, of each move in it, and how it goes on.
#[derive(Debug, clap::Args)]
pub struct ProbeArguments {
    /// The position in Forsyth-Edwards notation, quoted or not, or the word startpos
    #[arg(required = true, value_name = "FEN", num_args = 1..)]
    fen: Vec<String>,
    /// A folder with more tables; may be given several times
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
    /// Writes JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What the tables know of a position.
#[derive(Debug, Serialize)]
struct Verdict {
    fen: String,
    wdl: &'static str,
    /// Plies to the next capture, pawn move or mate; negative for a loss.
    dtz: Option<i32>,
    /// Whether `dtz` may be too near to 0 by one.
    dtz_rounded: bool,
    moves: Vec<MoveVerdict>,
    /// How it goes on with best play, in the protocol's notation.
    line: Vec<String>,
    /// Whether the line ends with mate.
    mate: bool,
}

/// What the tables know of a move.
#[derive(Debug, Serialize)]
struct MoveVerdict {
    uci: String,
    wdl: &'static str,
    dtz: Option<i32>,
}

/// Writes the verdict to standard output.
pub fn run(arguments: &ProbeArguments) -> Result<(), Failure> {
    let position = failure::position(&arguments.fen)?;
    super::check_folders(&arguments.path)?;
    let tables = Tablebases::new(&arguments.path, true);
    let verdict = verdict(&tables, &position);
    super::warn(&tables.take_faults());
    let verdict = verdict.map_err(failed)?;
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &verdict).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write(&verdict, &mut out)?;
    }
    Ok(out.flush()?)
}

fn verdict(tables: &Tablebases, position: &Position) -> Result<Verdict, String> {
    let known = tables.wdl(position);
    let wdl = known.ok_or_else(|| unknown(tables, position))?;
    let dtz = tables.dtz(position);
    let legal = position.legal_moves();
    let situation = RootPosition {
        position,
        earlier: &[],
        repetition_start: 0,
        fifty_move_rule: true,
    };
    let ranking = tables.rank_moves(&situation, &legal, &|| false);
    let mut judged = ranking.map(|found| found.moves).unwrap_or_default();
    // The best first: the shortest win, then draws, then the longest loss.
    judged.sort_by_key(|judged| {
        let dtz = judged.dtz.unwrap_or_default();
        (-(judged.wdl as i8), dtz)
    });
    let line = if wdl == Wdl::Draw {
        Vec::new()
    } else {
        tables.best_line(position, true, LONGEST_LINE, &|| false)
    };
    let end = line
        .iter()
        .fold(*position, |position, &mv| position.play(mv));
    let uci = |mv: Move| mv.uci(false).to_string();
    Ok(Verdict {
        fen: position.to_fen(),
        wdl: wdl.word(),
        dtz: dtz.map(|dtz| dtz.plies),
        dtz_rounded: dtz.is_some_and(|dtz| dtz.rounded),
        moves: judged
            .iter()
            .map(|judged| MoveVerdict {
                uci: uci(judged.mv),
                wdl: judged.wdl.word(),
                dtz: judged.dtz,
            })
            .collect(),
        line: line.into_iter().map(uci).collect(),
        mate: end.in_check() && !end.has_legal_move(),
    })
}

/// Why nothing is known of a position.
fn unknown(tables: &Tablebases, position: &Position) -> String {
    let men = position.occupied().count();
    let most = tables.max_pieces();
    if men as u32 > most {
        format!("the position has {men} men, the tables at hand have at most {most}")
    } else if position.has_castling_rights() {
        "no table knows positions with castling rights".to_owned()
    } else {
        let material = crate::tablebase::Material::of(position).normalized();
        let missing = tables.missing(material).unwrap_or(material);
        format!(
            "the table {missing}.{} is missing or bad",
            Metric::Wdl.extension()
        )
    }
}

fn write(verdict: &Verdict, out: &mut impl Write) -> io::Result<()> {
    let plies = |dtz: Option<i32>| dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
    writeln!(out, "{}", verdict.fen)?;
    let rounded = if verdict.dtz_rounded {
        " (or one more)"
    } else {
        ""
    };
    writeln!(out, "{}, DTZ {}{rounded}", verdict.wdl, plies(verdict.dtz))?;
    for judged in &verdict.moves {
        writeln!(
            out,
            "  {:6} {:12} DTZ {:>4}",
            judged.uci,
            judged.wdl,
            plies(judged.dtz)
        )?;
    }
    if !verdict.line.is_empty() {
        let end = if verdict.mate {
            "mate"
        } else {
            "as far as distances are known"
        };
        writeln!(
            out,
            "{} plies, {end}: {}",
            verdict.line.len(),
            verdict.line.join(" ")
        )?;
    }
    Ok(())
}
