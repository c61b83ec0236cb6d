//! `lucena tune`: trains the weights of the evaluation on training games. The file it writes records its own
//! provenance.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::bar::{Bar, Detail};
use super::bounds::in_range;
use super::failure::{Failure, failed, in_file};
use super::input;
use crate::eval::weights::{Digest, WEIGHTS};
use crate::lab::atomic_file::{self, WorkLock};
use crate::lab::plot::report::{self, TrainingReport};
use crate::lab::shard::Shard;
use crate::lab::train::checkpoint::Checkpoint;
use crate::lab::train::corpus::{Corpus, Filter};
use crate::lab::train::fit::{self, Fit, FitSettings, Target};
use crate::lab::train::header::ENGINE;
use crate::lab::train::paired::{self, Rated};
use crate::lab::train::readable::{self, readable};
use crate::lab::train::{emit, linear, samples};

/// Maximum learning rate, in centipawns.
const MAX_RATE: f32 = 1000.0;

/// Trains the weights of the evaluation on training games. After a kill, the same command continues after the last
/// finished epoch. With --shard, only reads a part of the games and writes its positions, for a later run.
#[derive(Debug, clap::Args)]
pub struct TuneArguments {
    /// Folders or files of games, or the samples of all shards
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The weights file to write; with --shard, the file of samples to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only writes the training positions (samples) of part I of N of the games; --data takes the files of all parts
    #[arg(long, value_name = "I/N", conflicts_with_all = ["report", "lambda", "epochs", "rate", "regularisation", "prior", "seed"])]
    shard: Option<Shard>,
    /// Folder for a page of plots
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Share of the game's result in the training target, from 0 to 1; the rest is the search score
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f32, 1.0), default_value_t = FitSettings::default().lambda)]
    lambda: f32,
    /// Share of the next position's win probability in that of a position, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f32, 1.0), default_value_t = Filter::default().foresight)]
    foresight: f32,
    /// Number of epochs: how often each position is used [formerly --passes]
    #[arg(long, alias = "passes", value_name = "N", value_parser = in_range(1_u16, u16::MAX), default_value_t = FitSettings::default().epochs as u16)]
    epochs: u16,
    /// First learning rate, in centipawns
    #[arg(long, value_name = "CP", value_parser = in_range(0.0, MAX_RATE), default_value_t = FitSettings::default().rate)]
    rate: f32,
    /// Regularisation strength, in hits [formerly --restraint]
    #[arg(long, alias = "restraint", value_name = "HITS", value_parser = in_range(0.0, f32::MAX), default_value_t = FitSettings::default().regularisation)]
    regularisation: f32,
    /// Starts at the built-in weights and counts this share of the positions they were trained on [default: starts from
    /// scratch]
    #[arg(long, value_name = "SHARE", value_parser = in_range(0.0_f32, 1.0))]
    prior: Option<f32>,
    /// Seed of the order of the positions
    #[arg(long, value_name = "S", default_value_t = FitSettings::default().seed)]
    seed: u64,
    /// Threads [default: one per processor]; the result does not depend on their number
    #[arg(long, value_name = "N", value_parser = in_range(1_u16, 1024))]
    threads: Option<u16>,
}

/// The settings as text, for the key of a checkpoint. The number of the target is increased if the definition of the target
/// changes.
fn settings_text(settings: &FitSettings, filter: &Filter) -> String {
    let FitSettings {
        lambda,
        epochs,
        batch,
        rate,
        regularisation,
        seed,
        prior,
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
         score: {max_score}, foresight: {foresight:?} }}Target 2, prior {prior:?}"
    )
}

/// A digest of everything a fit depends on. A checkpoint is used only by a fit with the same key.
fn key(corpus: &Corpus, settings: &FitSettings) -> Digest {
    let start = Digest::of_families()
        .add(&Digest::of_weights(&WEIGHTS).0.to_le_bytes())
        .add(ENGINE.as_bytes())
        .add(settings_text(settings, &corpus.filter).as_bytes());
    let files = corpus.files.iter();
    // The header has the seed, which selects the games that are held out.
    files.fold(start, |key, file| {
        key.add(file.header.join("\n").as_bytes())
            .add(&file.digest.0.to_le_bytes())
    })
}

pub fn run(arguments: &TuneArguments) -> Result<(), Failure> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build();
    let pool = pool.map_err(|error| failed(format!("threads: {error}")))?;
    pool.install(|| match arguments.shard {
        Some(shard) => extract(arguments, shard),
        None => tune(arguments),
    })
}

fn filter_of(arguments: &TuneArguments) -> Filter {
    Filter {
        foresight: arguments.foresight,
        ..Filter::default()
    }
}

fn reading_bar() -> Bar {
    let detail: Detail = Box::new(|_: Duration| "reading games".to_owned());
    Bar::new("KiB", detail)
}

/// Writes the samples of a part of the games.
fn extract(arguments: &TuneArguments, shard: Shard) -> Result<(), Failure> {
    let out = &arguments.out;
    let files = input_files(&arguments.data)?;
    atomic_file::check_output(out, files.iter().map(PathBuf::as_path)).map_err(in_file(out))?;
    let filter = filter_of(arguments);
    let (games, count) =
        samples::write(&files, shard, &filter, out, &reading_bar()).map_err(failed)?;
    log(&format!(
        "{}: {count} positions of {games} games, shard {shard}",
        out.display()
    ));
    Ok(())
}

/// Reads files of games, or the samples of all shards of games.
fn corpus_of(files: &[PathBuf], filter: &Filter) -> Result<Corpus, Failure> {
    let (with_samples, with_games): (Vec<&PathBuf>, Vec<_>) =
        files.iter().partition(|file| samples::is_samples(file));
    match (with_samples.first(), with_games.first()) {
        (None, _) => Ok(Corpus::read(files, filter, &reading_bar())?),
        (_, None) => samples::read(files, filter, &reading_bar()).map_err(failed),
        (Some(samples), Some(games)) => Err(failed(format!(
            "--data has both samples ({}) and games ({}): choose one kind",
            samples.display(),
            games.display()
        ))),
    }
}

fn tune(arguments: &TuneArguments) -> Result<(), Failure> {
    let started = Instant::now();
    let (out, checkpoint) = (&arguments.out, checkpoint_path(&arguments.out));
    let files = input_files(&arguments.data)?;
    for path in [out, &checkpoint] {
        let inputs = files.iter().map(PathBuf::as_path);
        atomic_file::check_output(path, inputs).map_err(in_file(path))?;
    }
    if let Some(folder) = &arguments.report {
        atomic_file::create_folder(folder).map_err(in_file(folder))?;
        let page = folder.join("index.html");
        atomic_file::check_output(&page, []).map_err(in_file(&page))?;
    }
    // Two runs with one output would overwrite each other's checkpoints.
    let _lock = WorkLock::acquire(out).map_err(in_file(out))?;
    let mut corpus = corpus_of(&files, &filter_of(arguments))?;
    let (training, held_out) = (corpus.training.len(), corpus.held_out.len());
    if training == 0 || held_out == 0 {
        return Err(failed(format!(
            "too few games: {training} training positions, {held_out} held out"
        )));
    }
    log(&format!(
        "{training} training positions, {held_out} held out"
    ));
    let settings = FitSettings {
        lambda: arguments.lambda,
        epochs: usize::from(arguments.epochs),
        rate: arguments.rate,
        regularisation: arguments.regularisation,
        seed: arguments.seed,
        prior: arguments.prior,
        ..FitSettings::default()
    };
    let fit = fit_weights(&mut corpus, &settings, &checkpoint)?;
    let trained = linear::to_quarters(&fit.weights);
    let weights = readable(&trained, &fit.hits);
    let rounded = linear::to_floats(&weights);
    let target = Target {
        lambda: settings.lambda,
        scale: fit.score_scale,
    };
    let losses = [&corpus.training, &corpus.held_out]
        .map(|samples| fit::loss(samples, &rounded, fit.scale, target));
    let by_phase = fit::loss_by_phase(&corpus.held_out, &rounded, fit.scale, target);
    log(&format!("held-out loss {:.6}", losses[1]));
    let new = Rated {
        weights: &rounded,
        scale: fit.scale,
    };
    compare_with_built_in(&corpus, new, target);
    log(&format!(
        "scale of the search scores {:.1}, of the new weights {:.1}",
        fit.score_scale, fit.scale
    ));
    for (phase, (count, loss)) in by_phase.iter().enumerate() {
        log(&format!(
            "phase {phase} of 3: loss {loss:.6} on {count} positions"
        ));
    }
    let provenance = [
        emit::provenance(&corpus, &settings, &fit, losses),
        readable::provenance(&trained),
    ];
    let provenance = provenance.concat() + "\n";
    let text = emit::text(&weights, &provenance, Some(&fit.hits));
    atomic_file::write_bytes(out, text.as_bytes()).map_err(in_file(out))?;
    Checkpoint::remove(&checkpoint);
    if let Some(folder) = &arguments.report {
        let samples = &corpus.held_out;
        let report = TrainingReport {
            fit: &fit,
            weights: &weights,
            positions: training,
            calibration: fit::calibration(samples, &rounded, fit.scale),
            by_phase,
            provenance: &provenance,
        };
        report::write(folder, &report).map_err(failed)?;
        log(&format!("plots in {}", folder.join("index.html").display()));
    }
    let seconds = started.elapsed().as_secs_f64();
    log(&format!("{} written after {seconds:.0} s", out.display()));
    Ok(())
}

/// Prints how the loss on held-out games differs from that of the built-in weights, for the target and for the search
/// scores alone, each with two standard errors by game.
fn compare_with_built_in(corpus: &Corpus, new: Rated, target: Target) {
    let built_in = linear::to_floats(&WEIGHTS);
    let built_in = Rated {
        weights: &built_in,
        scale: fit::scale_of(&built_in, &corpus.held_out, target),
    };
    let scores_only = Target {
        lambda: 0.0,
        ..target
    };
    for (name, target) in [("", target), (", search scores only", scores_only)] {
        let (samples, games) = (&corpus.held_out, &corpus.held_out_games);
        let difference = paired::difference(samples, games, [new, built_in], target);
        log(&format!(
            "held-out loss minus that of the built-in weights{name}: {:+.6} ± {:.6} (two standard errors by game)",
            difference.mean, difference.error
        ));
    }
}

fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// The files of games or samples in folders and files; an error if one occurs twice.
fn input_files(data: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in data {
        files.extend(samples::files_in(path)?);
    }
    input::check_named_once(&files, "--data")?;
    Ok(files)
}

/// Fits, from a checkpoint of the same corpus and settings if there is one, and prints the losses.
fn fit_weights(
    corpus: &mut Corpus,
    settings: &FitSettings,
    checkpoint: &Path,
) -> Result<Fit, Failure> {
    let key = key(corpus, settings);
    let start = Checkpoint::read(checkpoint, key).map_err(in_file(checkpoint))?;
    if let Some(start) = &start {
        log(&format!("continuing after epoch {}", start.losses.len()));
    }
    let mut keep = |state: &Checkpoint| state.write(checkpoint, key).map_err(in_file(checkpoint));
    let detail: Detail = Box::new(|_: Duration| "training".to_owned());
    let bar = Bar::new("positions", detail);
    let fit = fit::fit_from(corpus, settings, start, &mut keep, &bar)?;
    for (epoch, [training, held_out]) in (1..).zip(&fit.losses) {
        log(&format!(
            "epoch {epoch}: training loss {training:.6}, held-out loss {held_out:.6}"
        ));
    }
    Ok(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_checkpoint_has_fixed_words() {
        assert_eq!(
            settings_text(&FitSettings::default(), &Filter::default()),
            "Settings { lambda: 0.1, passes: 8, batch: 16384, rate: 1.0, restraint: 500.0, seed: 1 }\
             Filter { ply: 16, m\x65n: 4, score: 1500, foresight: 0.0 }Target 2, prior None"
        );
    }
}
