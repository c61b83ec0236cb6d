//! The order in which motifs are named: mates, then what wins material, then what describes a single move.

use super::kind::Motif;

pub(super) fn sort(found: &mut [Motif]) {
    found.sort_by_key(|motif| motif.kind);
}
