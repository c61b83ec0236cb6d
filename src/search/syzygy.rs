//! Endgame tables in the search.
//! Uses: tablebase, node, chess, value. Used by: negamax, quiescence, engine.
//! Idea: a table's answer is a proof, but one of win, draw or loss with a fresh clock only: it is asked right behind a
//! capture or pawn move, and what it says is a bound, so that mates are still looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam::utils::CachePadded;

use crate::base::value::{
    Bound, DRAW, Depth, MATE, MATE_BOUND, MAX_DEPTH, TABLEBASE_BOUND, TABLEBASE_WIN, Value,
};
use crate::chess::{Move, Position};
use crate::tablebase::root::{self, RootRanking};
use crate::tablebase::{Tablebases, Wdl};

use super::node::Searcher;
use super::tt::{Hit, Record};
use super::worker::RootMove;

/// After this many plies without capture or pawn move the game is drawn.
const FIFTY_MOVES: Value = 100;

/// Plies of depth that a proof is stored with beyond those of its node.
const PROOF_DEPTH: Depth = 6;

/// What a search asks of endgame tables.
pub struct Endgame {
    /// The tables.
    pub tables: Arc<Tablebases>,
    /// The most men of a position that is asked about in the search; 0: none is.
    pub max_pieces: u32,
    /// With as many men, the least depth in plies at which it is asked.
    pub least_depth: Depth,
    /// Whether the fifty-move rule holds.
    pub fifty_move_rule: bool,
    /// What the tables say of the root's moves, if they know.
    pub ranking: Option<RootRanking>,
    /// Positions found, by all threads.
    pub hits: CachePadded<AtomicU64>,
}

impl Endgame {
    /// Asks these tables wherever they know.
    #[must_use]
    pub fn new(tables: Arc<Tablebases>) -> Self {
        Self {
            max_pieces: tables.max_pieces(),
            tables,
            least_depth: 1,
            fifty_move_rule: true,
            ranking: None,
            hits: CachePadded::new(AtomicU64::new(0)),
        }
    }
}

impl Endgame {
    /// A move at the root with what the tables say of it.
    pub fn root_move(&self, mv: Move) -> RootMove {
        let moves = self.ranking.iter().flat_map(|ranking| &ranking.moves);
        let judged = moves.into_iter().find(|judged| judged.mv == mv);
        RootMove {
            rank: judged.map_or(0, |judged| judged.rank),
            proven: judged.map(|judged| judged.score),
            ..RootMove::new(mv)
        }
    }
}

/// What tables prove of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The score.
    pub score: Value,
    /// A win may yet be a mate, so that its score is a lower bound, a loss an upper one.
    pub bound: Bound,
}

impl Proof {
    /// What a result, found `ply` plies from the root, proves.
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
}

impl Proof {
    /// Whether no search of the node can say more for this window.
    #[inline]
    pub const fn settles(self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// What to store of it: no search is as deep as a proof.
    pub fn record(self, depth: Depth, was_pv: bool) -> Record {
        Record {
            best: None,
            score: self.score,
            bound: Some(self.bound),
            depth: (depth + PROOF_DEPTH).min(MAX_DEPTH),
            evaluation: None,
            was_pv,
        }
    }
}

impl Searcher<'_> {
    /// What the tables prove of a position, where they may be asked.
    #[inline]
    pub fn ask_tables(&self, position: &Position, ply: usize, depth: Depth) -> Option<Proof> {
        let endgame = &self.job.endgame;
        let men = position.occupied().count() as u32;
        if men > endgame.max_pieces
            || position.halfmove_clock() != 0
            || (men == endgame.max_pieces && depth < endgame.least_depth)
        {
            return None;
        }
        let wdl = endgame.tables.wdl(position)?;
        endgame.hits.fetch_add(1, Ordering::Relaxed);
        let mut proof = Proof::of(wdl, ply, endgame.fifty_move_rule);
        if proof.bound == Bound::Exact {
            proof.score += self.draw_score(position) - DRAW;
        }
        Some(proof)
    }
}

impl Hit {
    /// The same, `ply` plies from the root, with the fifty-move rule in mind: a mate or won ending stored with a younger
    /// clock, too far off to be reached before the draw, is only a great advantage.
    #[inline]
    #[must_use]
    pub fn for_rule50(mut self, position: &Position, ply: usize) -> Self {
        let most = FIFTY_MOVES - Value::from(position.halfmove_clock()) + ply as Value;
        let score = self.score.abs();
        let top = if score >= MATE_BOUND {
            MATE
        } else {
            TABLEBASE_WIN
        };
        if score >= TABLEBASE_BOUND && top - score > most {
            self.score = self.score.signum() * (TABLEBASE_BOUND - 1);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{mate_in, mated_in};

    #[test]
    fn results_are_scores_in_their_band() {
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

    #[test]
    fn what_lies_behind_the_fifty_move_rule_is_no_proof() {
        let hit = |score| Hit {
            best: None,
            score,
            bound: Some(Bound::Exact),
            depth: 5,
            evaluation: None,
            was_pv: false,
        };
        let position = |clock| {
            Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")).expect("legal")
        };
        let score = |score, clock, ply| hit(score).for_rule50(&position(clock), ply).score;
        // Mate in nine plies from here, four plies below the root.
        assert_eq!(score(mate_in(13), 91, 4), mate_in(13));
        assert_eq!(score(mate_in(13), 92, 4), TABLEBASE_BOUND - 1);
        assert_eq!(score(mated_in(13), 92, 4), 1 - TABLEBASE_BOUND);
        assert_eq!(score(TABLEBASE_WIN - 13, 91, 4), TABLEBASE_WIN - 13);
        assert_eq!(score(TABLEBASE_WIN - 13, 92, 4), TABLEBASE_BOUND - 1);
        assert_eq!(score(500, 99, 4), 500);
    }
}
