//! Tablebase probes within a search.
//!
//! A WDL value holds only with a fresh halfmove clock, so that it is probed right after a capture or pawn move; a win or
//! loss is a bound, so that the search still looks for the mate.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

use crate::base::value::{Bound, DRAW, Depth, MAX_DEPTH, Value};
use crate::chess::{Move, Position};
use crate::tablebase::root::{self, RootRanking};
use crate::tablebase::{Tablebases, Wdl};

use super::root::RootMove;
use super::tt::TtEntry;

/// Plies added to the depth of a proof in the TT, so that search results do not replace it.
const PROOF_DEPTH: Depth = 6;

/// The tablebases of one search.
pub struct TablebaseProber {
    pub tables: Arc<Tablebases>,
    /// Most pieces of a position that the search probes, kings and pawns included; 0 switches probes off.
    pub max_pieces: u32,
    /// Least depth in plies at which positions of `max_pieces` pieces are probed.
    pub min_depth: Depth,
    pub fifty_move_rule: bool,
    /// The tablebase results of the root moves, if known.
    pub ranking: Option<RootRanking>,
    /// Successful probes of all threads.
    pub hits: CachePadded<AtomicU64>,
}

impl TablebaseProber {
    /// Probes wherever `tables` have the material.
    pub fn new(tables: Arc<Tablebases>) -> Self {
        Self {
            max_pieces: tables.max_pieces(),
            tables,
            min_depth: 1,
            fifty_move_rule: true,
            ranking: None,
            hits: CachePadded::new(AtomicU64::new(0)),
        }
    }

    /// A root move with its tablebase rank and score.
    pub fn root_move(&self, mv: Move) -> RootMove {
        let moves = self.ranking.iter().flat_map(|ranking| &ranking.moves);
        let judged = moves.into_iter().find(|judged| judged.mv == mv);
        RootMove {
            rank: judged.map_or(0, |judged| judged.rank),
            proven: judged.and_then(|judged| judged.score),
            ..RootMove::new(mv)
        }
    }

    /// The tablebase result of a position `ply` plies from the root, if it is to be probed at this depth and found.
    /// `draw_score` is the score of a draw for the side to move.
    #[inline]
    pub fn probe(
        &self,
        position: &Position,
        ply: usize,
        depth: Depth,
        draw_score: Value,
    ) -> Option<Proof> {
        let pieces = position.occupied().count() as u32;
        if pieces > self.max_pieces
            || position.halfmove_clock() != 0
            || (pieces == self.max_pieces && depth < self.min_depth)
        {
            return None;
        }
        let wdl = self.tables.wdl(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        let mut proof = Proof::of(wdl, ply, self.fifty_move_rule);
        if proof.bound == Bound::Exact {
            proof.score += draw_score - DRAW;
        }
        Some(proof)
    }
}

/// A tablebase result as a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    pub score: Value,
    /// A win is a lower bound and a loss an upper one, since there may be a mate.
    pub bound: Bound,
}

impl Proof {
    /// The score of a WDL value `ply` plies from the root.
    const fn of(wdl: Wdl, ply: usize, fifty_move_rule: bool) -> Self {
        let wdl = wdl.with_rule50(fifty_move_rule);
        Self {
            score: root::score(wdl, ply as i32),
            bound: match wdl {
                Wdl::Win => Bound::Lower,
                Wdl::Loss => Bound::Upper,
                _ => Bound::Exact,
            },
        }
    }

    /// Whether the proof causes a cutoff in this window.
    #[inline]
    pub const fn is_cutoff(self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    pub fn tt_entry(self, depth: Depth, was_pv: bool) -> TtEntry {
        TtEntry {
            best: None,
            score: self.score,
            bound: Some(self.bound),
            depth: (depth + PROOF_DEPTH).min(MAX_DEPTH),
            evaluation: None,
            was_pv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::TABLEBASE_WIN;

    #[test]
    fn wdl_values_become_scores_and_bounds() {
        let proof = |wdl, rule| Proof::of(wdl, 7, rule);
        let is = |score, bound| Proof { score, bound };
        assert_eq!(proof(Wdl::Win, true), is(TABLEBASE_WIN - 7, Bound::Lower));
        assert_eq!(proof(Wdl::Loss, true), is(7 - TABLEBASE_WIN, Bound::Upper));
        assert_eq!(proof(Wdl::Draw, true), is(0, Bound::Exact));
        assert_eq!(proof(Wdl::CursedWin, true), is(2, Bound::Exact));
        assert_eq!(proof(Wdl::BlessedLoss, true), is(-2, Bound::Exact));
        assert_eq!(proof(Wdl::CursedWin, false), proof(Wdl::Win, true));
        assert_eq!(proof(Wdl::BlessedLoss, false), proof(Wdl::Loss, true));
    }
}
