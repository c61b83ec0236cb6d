//! Progress of long work, told to whoever asked for it.
//! Uses: nothing. Used by: every room whose work takes long.
//! Idea: rooms report through a trait; only the front ends draw bars.

/// Hears how far a long piece of work has come.
pub trait Progress: Sync {
    /// The work begins and will take `steps` steps (0: unknown).
    fn start(&self, steps: u64);
    /// `steps` more steps are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn finish(&self);
}

/// The silent listener.
impl Progress for () {
    fn start(&self, _steps: u64) {}
    fn advance(&self, _steps: u64) {}
    fn finish(&self) {}
}
