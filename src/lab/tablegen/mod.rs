//! Generation of Syzygy tables with up to five pieces from the rules of chess alone: retrograde analysis, compression and
//! the file format.
//!
//! `generator` solves a table with `solver_index`, `pawn_slice`, `conversions`, `init` and `retrograde`, and writes it with
//! `file_index`, `piece_order`, `values`, `pairs`, `compress`, `subtable` and `file`. The format is described by the programs
//! that read it; all code here is Lucena's own.

mod compress;
mod conversions;
mod dtm;
mod file;
mod file_index;
mod generator;
mod geometry;
mod init;
mod material;
mod pairs;
mod pawn_slice;
mod piece_order;
mod retrograde;
mod sample;
mod solver_index;
mod stats;
pub mod storage;
mod subtable;
mod values;
mod wdl_store;

use std::ops::Range;

use rayon::prelude::*;

pub use dtm::{DtmSolver, MAX_DTM_PIECES};
pub use file::FileFault;
pub use generator::{Generated, Generator, STEPS};
pub use material::{NameError, parse_name};
pub use sample::SolvedPosition;
pub use stats::{SideStats, TableStats};
pub use subtable::Mismatch;

/// Cells per task of a thread.
const PORTION: usize = 1 << 14;

/// Calls `work` with ranges that cover `0..count`, on all threads if there are many cells.
fn parallel(count: usize, work: &(impl Fn(Range<usize>) + Sync)) {
    if count <= 2 * PORTION {
        work(0..count);
        return;
    }
    (0..count.div_ceil(PORTION))
        .into_par_iter()
        .for_each(|part| {
            let start = part * PORTION;
            work(start..count.min(start + PORTION));
        });
}
