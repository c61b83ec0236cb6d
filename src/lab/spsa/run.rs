//! A run: pairs of games on all threads until there are enough.
//! Uses: games, state, progress; rayon. Used by: cli.
//! Idea: a thread takes the values as they are, plays its pair, and moves them as they are then. With one thread a run is a
//! function of its settings; a kill costs the few pairs since the last state, and they are played again.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use rayon::ThreadPoolBuilder;

use super::games::{OpeningSource, PairPlayer};
use super::state::{self, SpsaError};
use super::{Constant, SpsaRun, SpsaSettings};
use crate::base::progress::Progress;
use crate::base::sync::Mutex;

/// The state's name in its folder, and that of the file by which a process claims the folder.
const STATE: &str = "spsa.state";
const LOCK: &str = "spsa.lock";
/// A state is written after so many pairs.
const SAVE_EVERY: u64 = 10;

/// The course that the threads share.
struct Shared {
    course: SpsaRun,
    /// Pairs that are being played.
    under_way: u64,
    /// A thread has failed: the others stop.
    failed: bool,
}

/// Plays the pairs that are missing and tells `seen` the course after each, and whether that is a point of its way.
///
/// # Errors
/// [`SpsaError`]; the state is then at most ten pairs old.
pub fn run(
    folder: &Path,
    settings: &SpsaSettings,
    constants: Vec<Constant>,
    openings: &OpeningSource,
    threads: usize,
    progress: &dyn Progress,
    seen: &(dyn Fn(&SpsaRun, bool) + Sync),
) -> Result<SpsaRun, SpsaError> {
    // Whether the constants can be changed at all is said before anything is written.
    PairPlayer::new(&SpsaRun::new(constants.clone()))?;
    let _claim = claim(folder)?;
    let (path, name) = (folder.join(STATE), openings.name());
    let course = state::read(&path, settings, &name, constants)?;
    progress.start(settings.pairs);
    progress.advance(course.done);
    seen(&course, true);
    let shared = Mutex::new(Shared {
        course,
        under_way: 0,
        failed: false,
    });
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| SpsaError::Threads(error.to_string()))?;
    let next = || {
        let mut shared = shared.lock();
        let is_wanted = shared.course.done + shared.under_way < settings.pairs;
        (is_wanted && !shared.failed).then(|| {
            shared.under_way += 1;
            shared.course.ask(settings)
        })
    };
    let work = || -> Result<(), SpsaError> {
        let player = PairPlayer::new(&shared.lock().course);
        let mut player = player.inspect_err(|_| shared.lock().failed = true)?;
        while let Some(mut perturbation) = next() {
            let won = player.pair(&mut perturbation, openings, settings);
            let mut shared = shared.lock();
            let learned = won.and_then(|won| {
                let is_point = shared.course.learn(settings, &perturbation, won);
                shared.under_way -= 1;
                let course = &shared.course;
                if course.done.is_multiple_of(SAVE_EVERY) || course.done == settings.pairs {
                    state::write(&path, settings, &name, course)?;
                }
                seen(course, is_point);
                Ok(())
            });
            shared.failed |= learned.is_err();
            learned?;
            progress.advance(1);
        }
        Ok(())
    };
    pool.broadcast(|_| work())
        .into_iter()
        .collect::<Result<(), _>>()?;
    progress.finish();
    Ok(shared.into_inner().course)
}

/// Makes the folder if need be and keeps other processes out of it as long as the file lives.
fn claim(folder: &Path) -> Result<File, SpsaError> {
    let path = folder.join(LOCK);
    let failed = |error| SpsaError::Io(path.clone(), error);
    fs::create_dir_all(folder).map_err(|error| SpsaError::Io(folder.to_owned(), error))?;
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SpsaError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
