//! What every layer uses: scores, random numbers, progress, and what the machine offers.

pub mod progress;
pub mod random;
pub mod sync;
pub mod sys;
pub mod value;
