//! Progress of long work: the library reports it through a trait, the front ends draw the bars.

/// Receives the progress of one piece of work.
pub trait Progress: Sync {
    /// The work starts and takes `steps` steps; 0 if unknown.
    fn start(&self, steps: u64);
    /// `steps` steps were done before, in an earlier run; they do not count in estimates of the remaining time.
    fn resume(&self, steps: u64);
    /// `steps` more steps are done.
    fn advance(&self, steps: u64);
    fn finish(&self);
}

/// Ignores the progress.
impl Progress for () {
    fn start(&self, _steps: u64) {}
    fn resume(&self, _steps: u64) {}
    fn advance(&self, _steps: u64) {}
    fn finish(&self) {}
}
