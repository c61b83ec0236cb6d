//! What every layer uses: scores, random numbers, locks, progress, memory, texts and processor features.

pub mod clock;
pub mod progress;
pub mod random;
#[cfg(target_family = "wasm")]
pub mod set_once;
pub mod sync;
pub mod sys;
pub mod text;
pub mod value;
