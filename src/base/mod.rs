//! What every layer uses: scores, random numbers, locks, progress, memory and processor features.

pub mod clock;
#[cfg(target_family = "wasm")]
pub mod late;
pub mod progress;
pub mod random;
pub mod sync;
pub mod sys;
pub mod value;
