//! `lucena tune`: weights from games.
//! Uses: learn, bar. Used by: cli.
//! Idea: the file that is written says everything that is needed to write it again.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::value_parser;
use rayon::ThreadPoolBuilder;

use super::bar::{Bar, Detail};
use super::bounds::in_range;
use super::failure::{Failure, failed};
use crate::eval::weights::{Digest, WEIGHTS};
use crate::lab::atomic_file;
use crate::lab::plot::report::{self, Findings};
use crate::lab::train::checkpoint::Checkpoint;
use crate::lab::train::corpus::{Corpus, Filter};
use crate::lab::train::fit::{self, FitSettings, Target};
use crate::lab::train::header::ENGINE;
use crate::lab::train::store::files_in;
use crate::lab::train::{emit, linear};

/// A first step beyond this, in centipawns, leads nowhere.
const GREATEST_RATE: f32 = 1000.0;

/// Learns the weights of the evaluation from games that `datagen` played. Killed at any moment and started again with the
/// same arguments, it goes on after the last epoch that it finished.
#[derive(Debug, clap::Args)]
pub struct TuneArguments {
    /// Folders or files of games
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The weights file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A folder for a page of pictures of what was learned
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// How much the result of the game counts, from 0 to 1; the search's score counts the rest
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f32, 1.0), default_value_t = FitSettings::default().lambda)]
    lambda: f32,
    /// How much of the chance that a score promises is that of the position after it, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f32, 1.0), default_value_t = Filter::default().foresight)]
    foresight: f32,
    /// Number of epochs: how often each position is used [formerly --passes]
    #[arg(long, alias = "passes", value_name = "N", value_parser = value_parser!(u16).range(1..), default_value_t = FitSettings::default().epochs as u16)]
    epochs: u16,
    /// The first step in centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0.0, GREATEST_RATE), default_value_t = FitSettings::default().rate)]
    rate: f32,
    /// Regularisation strength, in hits [formerly --restraint]
    #[arg(long, alias = "restraint", value_name = "HITS", value_parser = in_range(0.0, f32::MAX), default_value_t = FitSettings::default().regularisation)]
    regularisation: f32,
    /// The order in which positions are seen
    #[arg(long, value_name = "S", default_value_t = FitSettings::default().seed)]
    seed: u64,
    /// Threads (one for each processor if not given); the result does not depend on them
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// The settings as text. It must not change, or checkpoints written by earlier versions no longer match.
fn settings_text(settings: &FitSettings, filter: &Filter) -> String {
    let FitSettings {
        lambda,
        epochs,
        batch,
        rate,
        regularisation,
        seed,
    } = settings;
    let Filter {
        min_ply,
        min_pieces,
        max_score,
        foresight,
    } = filter;
    format!(
        "Settings {{ lambda: {lambda:?}, passes: {epochs}, batch: {batch}, rate: {rate:?}, \
         restraint: {regularisation:?}, seed: {seed} }}Filter {{ ply: {min_ply}, m\x65n: {min_pieces}, \
         score: {max_score}, foresight: {foresight:?} }}"
    )
}

/// What a fit depends on besides the program: what is left of one may be taken up only by the same.
fn key(corpus: &Corpus, settings: &FitSettings) -> Digest {
    let start = Digest::of_families()
        .add(&Digest::of_weights(&WEIGHTS).0.to_le_bytes())
        .add(ENGINE.as_bytes())
        .add(settings_text(settings, &corpus.filter).as_bytes());
    let shards = corpus.shards.iter();
    shards.fold(start, |key, shard| key.add(&shard.digest.0.to_le_bytes()))
}

/// Learns and writes the file.
pub fn run(arguments: &TuneArguments) -> Result<(), Failure> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build();
    let pool = pool.map_err(|error| failed(format!("threads: {error}")))?;
    pool.install(|| learn(arguments).map_err(failed))
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
    let mut seen = HashSet::new();
    let place = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    if let Some(again) = files.iter().find(|file| !seen.insert(place(file))) {
        return Err(format!("{}: its games are named twice", again.display()));
    }
    let no_remark: Detail = Box::new(|_: Duration| "reading games".to_owned());
    let filter = Filter {
        foresight: arguments.foresight,
        ..Filter::default()
    };
    let corpus = Corpus::read(&files, &filter, &Bar::new("KiB", no_remark));
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
    let settings = FitSettings {
        lambda: arguments.lambda,
        epochs: usize::from(arguments.epochs),
        rate: arguments.rate,
        regularisation: arguments.regularisation,
        seed: arguments.seed,
        ..FitSettings::default()
    };
    let detail: Detail = Box::new(|_: Duration| "learning".to_owned());
    let key = key(&corpus, &settings);
    let mut beside = arguments.out.as_os_str().to_owned();
    beside.push(".checkpoint");
    let beside = PathBuf::from(beside);
    let start = Checkpoint::read(&beside, key);
    if let Some(start) = &start {
        say(format!("goes on after epoch {}", start.losses.len()));
    }
    let mut keep = |checkpoint: &Checkpoint| {
        (checkpoint.write(&beside, key)).map_err(|error| format!("{}: {error}", beside.display()))
    };
    let bar = Bar::new("positions", detail);
    let fit = fit::fit_from(&mut corpus, &settings, start, &mut keep, &bar)?;
    for (epoch, [training, held_out]) in (1..).zip(&fit.losses) {
        say(format!(
            "epoch {epoch}: loss {training:.6} in training, {held_out:.6} held out"
        ));
    }
    let weights = linear::to_quarters(&fit.weights);
    let target = Target {
        lambda: settings.lambda,
        scale: fit.score_scale,
    };
    let rounded = linear::to_floats(&weights);
    let losses = [&corpus.training, &corpus.held_out]
        .map(|samples| fit::loss(samples, &rounded, fit.scale, target));
    let before = fit::loss(
        &corpus.held_out,
        &linear::to_floats(&WEIGHTS),
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
    let by_phase = fit::loss_by_phase(&corpus.held_out, &rounded, fit.scale, target);
    for (phase, (count, loss)) in by_phase.iter().enumerate() {
        say(format!(
            "phase {phase} of 3: {loss:.6} on {count} positions"
        ));
    }
    let provenance = emit::provenance(&corpus, &settings, &fit, losses);
    let text = emit::text(&weights, &provenance, Some(&fit.hits));
    atomic_file::write_bytes(&arguments.out, text.as_bytes())
        .map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    Checkpoint::remove(&beside);
    if let Some(folder) = &arguments.report {
        let samples = &corpus.held_out;
        let findings = Findings {
            fit: &fit,
            weights: &weights,
            positions: training,
            calibration: fit::calibration(samples, &rounded, fit.scale, fit.score_scale),
            by_phase,
            provenance: &provenance,
        };
        report::write(folder, &findings)?;
        say(format!(
            "{} holds the pictures",
            folder.join("index.html").display()
        ));
    }
    say(format!(
        "{} written after {:.0} s",
        arguments.out.display(),
        started.elapsed().as_secs_f64()
    ));
    Ok(())
}
