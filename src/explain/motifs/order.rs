//! The order in which motifs are named.

use super::kind::Motif;
use super::line::Line;

pub(super) fn sort(_line: &Line, found: &mut [Motif]) {
    found.sort_by_key(|motif| motif.kind);
}
