//! `lucena eval`: a static evaluation as concepts, facts and the whole ledger; or what differs between two of them.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::failure::{self, Failure, in_file, usage_error};
use super::stdout::stdout;
use crate::chess::{Game, GameEnd};
use crate::eval::weights::{FILE, hits};
use crate::eval::{BUILT_IN, Model};
use crate::explain::{
    Comparison, ConceptSum, Fact, Facts, Ledger, Line, Summary, UNIT, end_text, picture, shown,
};

/// Explains the static evaluation of a position
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // one for each flag
pub struct EvalArguments {
    /// A FEN or startpos, quoted or not, with moves behind it if any (SAN or UCI notation); - reads one position from each
    /// line of standard input
    #[arg(required = true, value_name = "POSITION", num_args = 1..)]
    pub position: Vec<String>,
    /// Shows what differs from the first position to this one
    #[arg(long, value_name = "POSITION", num_args = 1.., conflicts_with_all = ["all", "svg"])]
    against: Option<Vec<String>>,
    /// Adds the whole ledger: the heaviest terms and all families
    #[arg(long)]
    all: bool,
    /// Prints JSON
    #[arg(long, conflicts_with_all = ["all", "svg"])]
    pub json: bool,
    /// Prints a picture: the board with the squares that count most, and the concepts as bars
    #[arg(long, conflicts_with = "all")]
    svg: bool,
    /// Weights file to evaluate with
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// An evaluation as JSON: the ledger, and its summary.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    ledger: &'a Ledger,
    /// How the game has ended, if it has.
    end: Option<String>,
    unit: &'static str,
    /// The total as a search would report it.
    shown_total: i32,
    concepts: Vec<ConceptJson>,
    lines: Vec<Line>,
    facts: &'a [Fact],
}

#[derive(Serialize)]
struct ConceptJson {
    title: &'static str,
    #[serde(flatten)]
    sum: ConceptSum,
    exact: i32,
}

/// What positions are evaluated with.
struct Evaluation {
    model: Option<Arc<Model>>,
    /// By index, how often each feature was met in training.
    hits: Vec<u64>,
}

impl Evaluation {
    fn model(&self) -> &Model {
        self.model.as_deref().unwrap_or(&BUILT_IN)
    }

    fn facts(&self, game: &Game) -> Facts {
        let mut facts = Facts::by(self.model(), game.position());
        facts.count_hits(&self.hits);
        facts
    }
}

pub fn run(arguments: &EvalArguments) -> Result<(), Failure> {
    let model = super::model(arguments.weights.as_deref())?;
    let text = match &arguments.weights {
        Some(file) => fs::read_to_string(file).map_err(in_file(file))?,
        None => FILE.to_owned(),
    };
    let hits = hits(&text);
    let evaluation = Evaluation { model, hits };
    let mut out = BufWriter::new(stdout());
    if arguments.position.as_slice() == ["-"] {
        if arguments.against.is_some() || arguments.svg {
            return Err(usage_error("--against and --svg need a position, not -"));
        }
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line.map_err(failure::failed)?;
            if line.trim().is_empty() {
                continue;
            }
            let game = Game::from_words(&line)
                .map_err(|error| usage_error(format!("standard input, line {number}: {error}")))?;
            write(&mut out, arguments, &evaluation, &game, true)?;
        }
        return Ok(out.flush()?);
    }
    let game = failure::game(&arguments.position)?;
    if let Some(against) = &arguments.against {
        let other = failure::game(against)?;
        let comparison = Comparison::of(&evaluation.facts(&game), &evaluation.facts(&other));
        if arguments.json {
            serde_json::to_writer_pretty(&mut out, &comparison).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write!(out, "{comparison}")?;
        }
        return Ok(out.flush()?);
    }
    write(&mut out, arguments, &evaluation, &game, false)?;
    Ok(out.flush()?)
}

/// Writes one evaluation; one of many is a line of JSON, or a text with an empty line behind it.
fn write(
    out: &mut impl Write,
    arguments: &EvalArguments,
    evaluation: &Evaluation,
    game: &Game,
    is_one_of_many: bool,
) -> io::Result<()> {
    let end = game.end();
    let facts = evaluation.facts(game);
    if arguments.svg {
        return write!(out, "{}", picture(&facts, end));
    }
    if arguments.json {
        return json(out, evaluation, &facts, end, is_one_of_many);
    }
    if is_one_of_many {
        writeln!(out, "{}", game.position().to_fen())?;
    }
    write!(out, "{}", Summary { facts, end })?;
    if arguments.all {
        let ledger = Ledger::by(evaluation.model(), game.position());
        writeln!(out, "\n{ledger}")?;
    }
    if is_one_of_many {
        writeln!(out)?;
    }
    Ok(())
}

fn json(
    out: &mut impl Write,
    evaluation: &Evaluation,
    facts: &Facts,
    end: Option<GameEnd>,
    is_one_of_many: bool,
) -> io::Result<()> {
    let mut ledger = Ledger::by(evaluation.model(), &facts.position);
    ledger.count_hits(&evaluation.hits);
    let concepts = facts.sums.lines.iter().map(|&sum| ConceptJson {
        title: sum.concept.title(),
        sum,
        exact: sum.net.0,
    });
    let json = Json {
        ledger: &ledger,
        end: end.map(|end| end_text(end, &facts.position)),
        unit: UNIT,
        shown_total: shown(facts.sums.total, &facts.position),
        concepts: concepts.collect(),
        lines: facts.lines(),
        facts: &facts.facts,
    };
    if is_one_of_many {
        serde_json::to_writer(&mut *out, &json)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, &json)?;
    }
    writeln!(out)
}
