//! What every layer uses: scores, random numbers, files, progress, and what the machine offers.

pub mod atomic_file;
pub mod progress;
pub mod random;
pub mod sync;
pub mod sys;
pub mod value;
