//! `lucena levels probe`: the probability of every legal move at a level.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::{rating, rating_of_weights};
use crate::chess::Game;
use crate::cli::failure::{Failure, failed, usage_error};
use crate::cli::input;
use crate::cli::stdout::stdout;
use crate::engine::level::player::likely;
use crate::engine::level::{GameView, LevelSettings, Likely, ShallowSearcher, inputs};

/// Prints the probability of every legal move at a level
#[derive(Debug, clap::Args)]
pub struct ProbeArguments {
    /// A FEN or startpos, quoted or not, followed by moves if any; - reads one position from each line of standard input
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,
    /// The rating of the level
    #[arg(long, value_name = "N", value_parser = rating())]
    elo: u16,
    /// Prints JSON, one object for each position
    #[arg(long)]
    json: bool,
    /// Levels file [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    levels: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer {
    moves: Vec<Probability>,
}

#[derive(Serialize)]
struct Probability {
    uci: String,
    probability: f32,
}

pub fn run(arguments: &ProbeArguments) -> Result<(), Failure> {
    let (_, weights) = super::load(arguments.levels.as_deref())?;
    let rated = LevelSettings::of(rating_of_weights(arguments.elo)).weights(&weights);
    let mut searcher = ShallowSearcher::new().map_err(failed)?;
    let mut out = BufWriter::new(stdout());
    let mut is_first = true;
    let mut answer = |view: &GameView| -> Result<(), Failure> {
        let mut moves = likely(&inputs(view, &mut searcher, None), &rated);
        moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        if !arguments.json && !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        write(&mut out, view, &moves, arguments.json)?;
        Ok(out.flush()?)
    };
    if arguments.position.as_slice() != ["-"] {
        return answer(&parse_game(&arguments.position.join(" ")).map_err(usage_error)?);
    }
    for (number, line) in input::lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let fault = |error| usage_error(format!("standard input, line {number}: {error}"));
        answer(&parse_game(&line).map_err(fault)?)?;
    }
    Ok(())
}

/// The position of a text and the moves after it.
fn parse_game(text: &str) -> Result<GameView, String> {
    let (start, moves) = Game::start_and_moves(text).map_err(|error| error.to_string())?;
    let mut view = GameView::new(start);
    for mv in moves {
        view.play(mv);
    }
    Ok(view)
}

fn write(out: &mut impl Write, view: &GameView, moves: &[Likely], json: bool) -> io::Result<()> {
    if json {
        let moves = moves.iter().map(|likely| Probability {
            uci: view.game().position().uci(likely.mv),
            probability: likely.probability,
        });
        let moves = moves.collect();
        serde_json::to_writer(&mut *out, &Answer { moves }).map_err(io::Error::from)?;
        return writeln!(out);
    }
    if let (true, Some(end)) = (moves.is_empty(), view.game().end()) {
        return writeln!(out, "no moves: {end}");
    }
    for likely in moves {
        let san = view.game().position().san(likely.mv);
        writeln!(out, "{:6.2} %  {san}", 100.0 * likely.probability)?;
    }
    Ok(())
}
