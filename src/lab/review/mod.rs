//! Review of games: every move of a game is searched together with the best move, judged by the expected points that it
//! loses, and mistakes are explained. Output follows the order of the input; a game that cannot be read is reported and
//! skipped.

mod accuracy;
pub mod annotate;
mod clock;
pub mod html;
mod judge;
pub mod key;
pub mod list;
mod opening;
mod pipe;
pub mod profile;
pub mod profile_picture;
mod profile_text;
mod reasons;
pub mod recall;
pub mod record;
pub mod report;
mod run;
mod sacrifice;
pub mod source;
#[cfg(feature = "store")]
pub mod store;
mod verdict;
mod words;
mod worker;

pub use crate::search::stop::Stop;
pub use judge::{Judgement, Mark, Scale};
pub use reasons::Cause;
pub use run::{ReviewError, Summary, review, review_game};
pub use verdict::{ReviewLimit, Verdict};
pub use worker::{Fault, ReviewOptions, Reviewed};
