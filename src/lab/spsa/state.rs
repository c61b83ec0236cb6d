//! The state of an SPSA run as a text file, written atomically and with a checksum.
//!
//! The settings come first, so that a file of another run is refused with the line that differs.
//!
//! ```text
//! lucena spsa 1
//! engine 0.1.0, method 3
//! weights 0123456789abcdef
//! pairs 10000
//! nodes 5000
//! seed 1
//! rate 0.002
//! openings our own
//! constant aspiration_delta = 15, 5..=60, 3;
//!
//! done 120 asked 121
//! values 15.25
//! after 0: 15
//! after 50: 15.125
//! digest 0123456789abcdef
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Constant, SpsaRun, SpsaSettings};
use crate::chess::FenFileError;
use crate::eval::weights::{Digest, WEIGHTS};
use crate::lab::atomic_file;
use crate::lab::train::header::{ENGINE, METHOD};
use crate::search::params::{NotTunable, tuned};

/// First line of the file.
const VERSION: &str = "lucena spsa 1";
/// Start of the last line.
const DIGEST: &str = "digest ";

/// Why a run fails.
#[derive(Debug, Error)]
pub enum SpsaError {
    /// This build cannot change constants.
    #[error(transparent)]
    NotTunable(#[from] NotTunable),
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: not a state of this version (its first line must be `{VERSION}`)")]
    Foreign(PathBuf),
    /// The file is of a run with other settings, constants or program version; `found` and `wanted` are the first lines
    /// that differ.
    #[error(
        "{path}: this is the state of a run with `{found}`, not `{wanted}`; choose another folder"
    )]
    Mismatch {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    #[error("{0}: damaged (its checksum is wrong)")]
    Damaged(PathBuf),
    #[error("--only: the search has no constant `{0}`")]
    Unknown(String),
    #[error("--openings: {0}")]
    Openings(#[from] FenFileError),
    #[error("memory: {0}")]
    Memory(io::Error),
    #[error("threads: {0}")]
    Threads(String),
}

/// The constants to tune in games at fixed nodes or on a clock: all, or those with these names.
///
/// # Errors
/// [`SpsaError::Unknown`] names the first that there is not; [`SpsaError::NotTunable`].
pub fn chosen(names: &[String], clock: bool) -> Result<Vec<Constant>, SpsaError> {
    let unknown = |name: &&String| tuned(clock).all(|known| known.name != **name);
    if let Some(name) = names.iter().find(unknown) {
        return Err(SpsaError::Unknown(name.clone()));
    }
    if !cfg!(feature = "tune") {
        return Err(SpsaError::NotTunable(NotTunable));
    }
    let all = tuned(clock).map(Constant::from);
    let is_chosen = |known: &Constant| names.is_empty() || names.iter().any(|it| it == known.name);
    Ok(all.filter(is_chosen).collect())
}

/// The settings of a run, line by line.
fn heading(settings: &SpsaSettings, openings: &str, constants: &[Constant]) -> String {
    let SpsaSettings {
        pairs,
        nodes,
        clock,
        seed,
        rate,
    } = settings;
    let weights = Digest::of_weights(&WEIGHTS);
    let mut text = format!(
        "{VERSION}\nengine {ENGINE}, method {METHOD}\nweights {weights}\npairs {pairs}\nnodes {nodes}\nseed {seed}\nrate {rate}\nopenings {openings}\n"
    );
    if let Some(clock) = clock {
        let _ = writeln!(text, "clock {clock}");
    }
    for constant in constants {
        let _ = writeln!(text, "constant {constant}");
    }
    text + "\n"
}

/// Writes the state of a run atomically.
///
/// # Errors
/// [`SpsaError::Io`]; an older file is then unchanged.
pub fn write(
    path: &Path,
    settings: &SpsaSettings,
    openings: &str,
    run: &SpsaRun,
) -> Result<(), SpsaError> {
    let mut text = heading(settings, openings, &run.constants);
    let _ = writeln!(text, "done {} asked {}", run.done, run.started);
    let _ = writeln!(text, "values{}", numbers(&run.values));
    for (done, values) in &run.history {
        let _ = writeln!(text, "after {done}:{}", numbers(values));
    }
    let digest = Digest::START.add(text.as_bytes());
    let _ = writeln!(text, "{DIGEST}{digest}");
    atomic_file::write_bytes(path, text.as_bytes())
        .map_err(|error| SpsaError::Io(path.to_owned(), error))
}

/// Numbers as text without loss, each after a space.
fn numbers(values: &[f64]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        let _ = write!(text, " {value}");
        text
    })
}

/// Reads the state of a run; without a file, its start.
///
/// # Errors
/// [`SpsaError`] if the file is of another run, damaged, or cannot be read.
pub fn read(
    path: &Path,
    settings: &SpsaSettings,
    openings: &str,
    constants: Vec<Constant>,
) -> Result<SpsaRun, SpsaError> {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(SpsaRun::new(constants)),
        Err(error) => return Err(SpsaError::Io(path.to_owned(), error)),
    };
    if text.lines().next() != Some(VERSION) {
        return Err(SpsaError::Foreign(path.to_owned()));
    }
    let damaged = || SpsaError::Damaged(path.to_owned());
    let (body, digest) = text.rsplit_once(DIGEST).ok_or_else(damaged)?;
    if digest != format!("{}\n", Digest::START.add(body.as_bytes())) {
        return Err(damaged());
    }
    let (found, rest) = body.split_once("\n\n").ok_or_else(damaged)?;
    let wanted = heading(settings, openings, &constants);
    let (mut found, mut wanted) = (found.lines(), wanted.trim_end().lines());
    loop {
        match (found.next(), wanted.next()) {
            (None, None) => break,
            (found, wanted) if found == wanted => {}
            (found, wanted) => {
                return Err(SpsaError::Mismatch {
                    path: path.to_owned(),
                    found: found.unwrap_or("no further constant").to_owned(),
                    wanted: wanted.unwrap_or("no further constant").to_owned(),
                });
            }
        }
    }
    run(rest, constants).ok_or_else(damaged)
}

/// Parses the lines after the settings.
fn run(text: &str, constants: Vec<Constant>) -> Option<SpsaRun> {
    let count = constants.len();
    let values = |text: &str| -> Option<Vec<f64>> {
        let values = text.split_ascii_whitespace().map(|word| word.parse().ok());
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        (values.len() == count).then_some(values)
    };
    let mut lines = text.lines();
    let (done, asked) = lines.next()?.strip_prefix("done ")?.split_once(" asked ")?;
    let now = values(lines.next()?.strip_prefix("values")?)?;
    let history = lines.map(|line| {
        let (done, at) = line.strip_prefix("after ")?.split_once(':')?;
        Some((done.parse().ok()?, values(at)?))
    });
    Some(SpsaRun {
        constants,
        values: now,
        done: done.parse().ok()?,
        started: asked.parse().ok()?,
        history: history.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{CONSTANTS, fake_pair, settings};
    use super::*;

    #[test]
    fn a_saved_run_continues_and_other_runs_are_refused() {
        let path = std::env::temp_dir().join(format!("lucena-spsa-{}", std::process::id()));
        let settings = settings(300);
        let start = read(&path, &settings, "own", CONSTANTS.to_vec()).expect("a start");
        assert_eq!(start, SpsaRun::new(CONSTANTS.to_vec()));
        let mut whole = start;
        for pair in 0..settings.pairs {
            if pair == 200 {
                write(&path, &settings, "own", &whole).expect("a file");
            }
            let mut perturbation = whole.perturb(&settings);
            let won = fake_pair(&mut perturbation);
            whole.update(&settings, &perturbation, won);
        }
        let again = || read(&path, &settings, "own", CONSTANTS.to_vec());
        let mut resumed = again().expect("the file");
        assert_eq!(resumed.done, 200);
        while resumed.done < settings.pairs {
            let mut perturbation = resumed.perturb(&settings);
            let won = fake_pair(&mut perturbation);
            resumed.update(&settings, &perturbation, won);
        }
        assert_eq!(resumed, whole);

        let refused = |settings: &SpsaSettings, openings, constants: &[Constant]| {
            let error = read(&path, settings, openings, constants.to_vec());
            error.expect_err("another run").to_string()
        };
        let mut other = settings.clone();
        other.seed += 1;
        let message = refused(&other, "own", &CONSTANTS);
        assert!(
            message.contains("`seed 7`") && message.contains("`seed 8`"),
            "{message}"
        );
        other = settings.clone();
        other.rate = 0.5;
        assert!(refused(&other, "own", &CONSTANTS).contains("`rate 0.5`"));
        assert!(refused(&settings, "theirs", &CONSTANTS).contains("`openings theirs`"));
        let message = refused(&settings, "own", &CONSTANTS[..2]);
        assert!(message.contains("`no further constant`"), "{message}");
        let mut moved = CONSTANTS;
        moved[1].value += 1;
        let message = refused(&settings, "own", &moved);
        assert!(
            message.contains("`constant depth = 9, 1..=14, 1;`"),
            "{message}"
        );

        let good = fs::read(&path).expect("the file");
        for place in [good.len() / 3, good.len() - 30, good.len() - 3] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            fs::write(&path, &bad).expect("a file");
            assert!(matches!(again(), Err(SpsaError::Damaged(_))), "{place}");
            fs::write(&path, &good[..place]).expect("a file");
            assert!(matches!(again(), Err(SpsaError::Damaged(_))), "{place}");
        }
        fs::write(&path, "something else").expect("a file");
        assert!(matches!(again(), Err(SpsaError::Foreign(_))));
        assert_eq!(fs::read(&path).expect("it"), b"something else");
        fs::remove_file(&path).expect("removed");
    }
}
