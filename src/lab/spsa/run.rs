//! Plays the pairs of an SPSA run on all threads.
//!
//! Each thread perturbs the current values, plays a pair, and updates the values as they are then. With one thread a
//! run depends only on its settings; after a kill, the pairs since the last saved state are played again.

use std::fs::File;
use std::path::Path;

use rayon::ThreadPoolBuilder;

use super::games::{PairPlayer, SpsaOpenings};
use super::state::{self as state_file, SpsaError};
use super::{Constant, SpsaRun, SpsaSettings};
use crate::base::progress::Progress;
use crate::base::sync::Mutex;
use crate::lab::atomic_file::{self, open_locked};

/// Names of the state file and of the lock file in the folder.
pub const STATE: &str = "spsa.state";
const LOCK: &str = "spsa.lock";
/// The state is saved after this many pairs.
const SAVE_EVERY: u64 = 10;

struct Shared {
    state: SpsaRun,
    /// Number of pairs being played.
    playing: u64,
    /// Set when a thread fails, so that the others stop.
    failed: bool,
}

/// Plays the missing pairs. After each, `seen` gets the state and whether a point was added to its history.
///
/// # Errors
/// [`SpsaError`]; the saved state is then at most `SAVE_EVERY` pairs old.
pub fn run(
    folder: &Path,
    settings: &SpsaSettings,
    constants: Vec<Constant>,
    openings: &SpsaOpenings,
    threads: usize,
    progress: &dyn Progress,
    seen: &(dyn Fn(&SpsaRun, bool) + Sync),
) -> Result<SpsaRun, SpsaError> {
    // Fails before anything is written if this build cannot change constants.
    PairPlayer::new(&SpsaRun::new(constants.clone()))?;
    let _lock = lock(folder)?;
    let (path, name) = (folder.join(STATE), openings.name());
    let state = state_file::read(&path, settings, &name, constants)?;
    progress.start(settings.pairs);
    progress.resume(state.done);
    seen(&state, true);
    let shared = Mutex::new(Shared {
        state,
        playing: 0,
        failed: false,
    });
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| SpsaError::Threads(error.to_string()))?;
    let next = || {
        let mut shared = shared.lock();
        let is_wanted = shared.state.done + shared.playing < settings.pairs;
        (is_wanted && !shared.failed).then(|| {
            shared.playing += 1;
            shared.state.perturb(settings)
        })
    };
    let work = || -> Result<(), SpsaError> {
        let player = PairPlayer::new(&shared.lock().state);
        let mut player = player.inspect_err(|_| shared.lock().failed = true)?;
        while let Some(mut perturbation) = next() {
            let won = player.play_pair(&mut perturbation, openings, settings);
            let mut shared = shared.lock();
            let updated = won.and_then(|won| {
                let is_point = shared.state.update(settings, &perturbation, won);
                shared.playing -= 1;
                let state = &shared.state;
                if state.done.is_multiple_of(SAVE_EVERY) || state.done == settings.pairs {
                    state_file::write(&path, settings, &name, state)?;
                }
                seen(state, is_point);
                Ok(())
            });
            shared.failed |= updated.is_err();
            updated?;
            progress.advance(1);
        }
        Ok(())
    };
    pool.broadcast(|_| work())
        .into_iter()
        .collect::<Result<(), _>>()?;
    progress.finish();
    Ok(shared.into_inner().state)
}

/// Creates the folder if needed, and locks it against other processes as long as the file is open.
fn lock(folder: &Path) -> Result<File, SpsaError> {
    atomic_file::create_folder(folder).map_err(|error| SpsaError::Io(folder.to_owned(), error))?;
    let path = folder.join(LOCK);
    open_locked(&path).map_err(|error| SpsaError::Io(path, error))
}
