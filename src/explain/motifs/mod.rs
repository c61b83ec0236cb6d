//! Motifs: the named patterns in a line of moves, as facts of the board. Every definition is written from the idea in
//! chess terms.
//!
//! [`find`] looks at a line from the view of the side that moves first; [`sentence`] puts a motif into words.
//! [`zugzwang`] needs a search.
//!
//! ```
//! use lucena::chess::Position;
//! use lucena::explain::motifs::{Kind, Line, find};
//!
//! let back_rank = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")?;
//! let mate = Line::parse(&back_rank, "d1d8")?;
//! assert_eq!(find(&mate)[0].kind, Kind::BackRankMate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod capture;
mod decoy;
mod fork;
mod kind;
mod line;
mod mate;
mod mate_text;
mod named_mates;
mod order;
mod passing;
mod pawn;
mod picture;
mod pinned;
mod ray;
mod reason;
mod text;
mod timing;

pub(super) use attack::attacks_of;
pub use kind::{Kind, Motif};
pub use line::Line;
pub(super) use mate_text::why_mate;
pub use passing::zugzwang;
pub(super) use pinned::used_pin;
pub(super) use reason::reason;
pub use text::sentence;

/// The motifs of a line for the side that moves first, the main one first. Each kind occurs at most once, at the first
/// move that shows it.
pub fn find(line: &Line) -> Vec<Motif> {
    let mut found = Vec::new();
    let mut add = |motif: Option<Motif>| found.extend(motif);
    mate::add(line, &mut add);
    named_mates::add(line, &mut add);
    fork::add(line, &mut add);
    ray::add(line, &mut add);
    capture::add(line, &mut add);
    decoy::add(line, &mut add);
    pawn::add(line, &mut add);
    timing::add(line, &mut add);
    order::sort(&mut found);
    found
}
