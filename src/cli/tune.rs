//! `lucena tune`: weights from games.
//! Uses: learn, bar. Used by: cli.
//! Idea: the file that is written says everything that is needed to write it again.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::value_parser;
use rayon::ThreadPoolBuilder;

use super::bar::{Bar, Remark};
use crate::eval::weights::WEIGHTS;
use crate::learn::corpus::{Corpus, Filter};
use crate::learn::fit::{self, Settings, Target};
use crate::learn::store::files_in;
use crate::learn::{emit, linear};

/// Learns the weights of the evaluation from games that `datagen` played.
#[derive(Debug, clap::Args)]
pub struct TuneArguments {
    /// Folders or files of games
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The weights file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How much the result of the game counts, from 0 to 1; the search's score counts the rest
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = Settings::default().lambda)]
    lambda: f32,
    /// How often each position is seen
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..), default_value_t = Settings::default().passes as u16)]
    passes: u16,
    /// The first step in centipawns
    #[arg(long, value_name = "CP", value_parser = positive, default_value_t = Settings::default().rate)]
    rate: f32,
    /// How strongly tables are kept plain, in hits
    #[arg(long, value_name = "HITS", value_parser = positive, default_value_t = Settings::default().restraint)]
    restraint: f32,
    /// The order in which positions are seen
    #[arg(long, value_name = "S", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Threads (one for each processor if not given); the result does not depend on them
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("not from 0 to 1".to_owned())
    }
}

fn positive(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err("not a number from 0".to_owned())
    }
}

/// Learns and writes the file; errors go to standard error.
#[must_use]
pub fn run(arguments: &TuneArguments) -> ExitCode {
    match tune(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn tune(arguments: &TuneArguments) -> Result<(), String> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build();
    pool.map_err(|error| format!("threads: {error}"))?
        .install(|| learn(arguments))
}

fn learn(arguments: &TuneArguments) -> Result<(), String> {
    let started = Instant::now();
    let say = |text: String| {
        let _ = writeln!(io::stderr(), "{text}");
    };
    let mut files = Vec::new();
    for data in &arguments.data {
        files.extend(files_in(data).map_err(|error| error.to_string())?);
    }
    let no_remark: Remark = Box::new(|_: Duration| "reading games".to_owned());
    let corpus = Corpus::read(&files, &Filter::default(), &Bar::new("KiB", no_remark));
    let mut corpus = corpus.map_err(|error| error.to_string())?;
    let (training, held_out) = (corpus.training.len(), corpus.held_out.len());
    if training == 0 || held_out == 0 {
        return Err(
            "too few games: there must be positions to learn from and to test on".to_owned(),
        );
    }
    say(format!(
        "{training} positions to learn from, {held_out} to test on"
    ));
    let settings = Settings {
        lambda: arguments.lambda,
        passes: usize::from(arguments.passes),
        rate: arguments.rate,
        restraint: arguments.restraint,
        seed: arguments.seed,
        ..Settings::default()
    };
    let remark: Remark = Box::new(|_: Duration| "learning".to_owned());
    let fit = fit::fit(&mut corpus, &settings, &Bar::new("positions", remark));
    for (pass, [training, held_out]) in (1..).zip(&fit.course) {
        say(format!(
            "pass {pass}: loss {training:.6} in training, {held_out:.6} held out"
        ));
    }
    let weights = linear::quarters(&fit.weights);
    let target = Target {
        lambda: settings.lambda,
        scale: fit.score_scale,
    };
    let of = |samples, weights| fit::loss(samples, &linear::floats(weights), fit.scale, target);
    let losses = [
        of(&corpus.training, &weights),
        of(&corpus.held_out, &weights),
    ];
    let before = fit::loss(
        &corpus.held_out,
        &linear::floats(&WEIGHTS),
        fit.score_scale,
        target,
    );
    say(format!(
        "held out: {:.6}; with the weights built in: {before:.6}",
        losses[1]
    ));
    say(format!(
        "scale of scores {:.1}, of the new weights {:.1}",
        fit.score_scale, fit.scale
    ));
    let text = emit::text(
        &weights,
        &emit::provenance(&corpus, &settings, &fit, losses),
        Some(&fit.hits),
    );
    emit::write_whole(&arguments.out, &text)
        .map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    say(format!(
        "{} written after {:.0} s",
        arguments.out.display(),
        started.elapsed().as_secs_f64()
    ));
    Ok(())
}
