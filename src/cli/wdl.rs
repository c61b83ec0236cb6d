//! `lucena wdl`: fits the probabilities of win, draw and loss to games. The file it writes is compiled into the
//! program.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::bar::{Bar, Detail};
use super::book::warn;
use super::failure::{Failure, failed, in_file};
use super::stdout::stdout;
use crate::base::text::plural;
use crate::eval::{CURVE_KNOTS, Curve, MATERIAL_FULL};
use crate::lab::atomic_file;
use crate::lab::timed_games::TimedGames;
use crate::lab::train::store::files_in;
use crate::lab::train::wdl_fit::{CurveKind, WdlCounts};

/// Width of the score ranges in the table, in centipawns.
const BREADTH: usize = 20;
/// Minimum number of positions for a row of the table.
const MIN_POSITIONS: u32 = 200;

/// Fits the probabilities of win, draw and loss to training games.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("games").required(true).args(["data", "pgn"])))]
pub struct WdlArguments {
    /// Folders or files of games
    #[arg(long, value_name = "DIR", num_args = 1..)]
    data: Vec<PathBuf>,
    /// PGN files of matches of this program against itself, with its scores; fits the widths at time controls
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pgn: Vec<PathBuf>,
    /// The source file to write; without it only the curve is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &WdlArguments) -> Result<(), Failure> {
    let mut files = arguments.pgn.clone();
    for data in &arguments.data {
        files.extend(files_in(data)?);
    }
    if let Some(out) = &arguments.out {
        let inputs = files.iter().map(PathBuf::as_path);
        atomic_file::check_output(out, inputs).map_err(in_file(out))?;
    }
    let (counts, curve, kind) = if arguments.pgn.is_empty() {
        let counts = WdlCounts::read(&files, &bar("KiB")).map_err(failed)?;
        let curve = counts.fit();
        (counts, curve, CurveKind::SelfPlay)
    } else {
        let read = TimedGames::read(&files, &bar("bytes"));
        let games = read.map_err(|(file, error)| in_file(&file)(error))?;
        warn(&games.skipped, "game", "skipped");
        if games.counts.positions == 0 {
            return Err(failed(
                "the games have no position with a score and a result",
            ));
        }
        let widths = games.counts.fit_widths();
        (games.counts, widths, CurveKind::Timed)
    };
    if let Some(out) = &arguments.out {
        let source = counts.source(&curve, kind);
        atomic_file::write_bytes(out, source.as_bytes()).map_err(in_file(out))?;
    }
    Ok(print(&counts, &curve, kind)?)
}

fn bar(unit: &'static str) -> Bar {
    let detail: Detail = Box::new(|_: Duration| "counting".to_owned());
    Bar::new(unit, detail)
}

/// Prints the curve, and a table of counted and fitted shares.
fn print(counts: &WdlCounts, curve: &Curve, kind: CurveKind) -> io::Result<()> {
    let mut out = stdout();
    let (positions, loss) = (counts.positions, counts.loss(curve));
    let positions = plural(positions as usize, "position");
    write!(out, "{positions}, mean loss {loss:.6}")?;
    if kind == CurveKind::Timed {
        let loss = counts.loss(&Curve::SELF_PLAY);
        writeln!(out, "; {loss:.6} with the widths of self-play")?;
        let free = counts.fit().even.map(|even| format!("{even:.0}"));
        write!(
            out,
            "even scores fitted with the widths: {}",
            free.join(" ")
        )?;
    }
    writeln!(out)?;
    writeln!(out, "material  even  width")?;
    for (knot, (even, width)) in curve.even.iter().zip(curve.width).enumerate() {
        let material = MATERIAL_FULL as usize * knot / (CURVE_KNOTS - 1);
        writeln!(out, "{material:8} {even:5.0} {width:6.0}")?;
    }
    writeln!(
        out,
        "material score | win draw loss counted | fitted, per mille"
    )?;
    for range in [10..25_usize, 30..45, 50..65, 66..79] {
        for score in [0, 40, 100, 160, 240, 400] {
            let Some(shares) = counts.shares(range.clone(), score, BREADTH, MIN_POSITIONS) else {
                continue;
            };
            let middle = range.start.midpoint(range.end) as i32;
            let fitted = curve.chances((score + BREADTH / 2) as f64, middle);
            let mille = |share: f64| (1000.0 * share).round();
            let [loss, draw, win] = shares.map(mille);
            let [fit_win, fit_draw, fit_loss] = fitted.map(mille);
            write!(out, "{:2} to {:2} {score:5} | ", range.start, range.end - 1)?;
            write!(out, "{win:4} {draw:4} {loss:4} | ")?;
            writeln!(out, "{fit_win:4} {fit_draw:4} {fit_loss:4}")?;
        }
    }
    out.flush()
}
