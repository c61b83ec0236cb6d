//! Which techniques the search uses: all of them.
//! Uses: params. Used by: search.
//! Idea: one line a technique, and one condition where it stands. The build for tuners has an option for each and can leave it
//! out, so that games tell at any time what it is worth among the others; other builds have no trace of this.

macro_rules! techniques {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        mod switches {
            crate::search::params::tunables! {
                TECHNIQUES;
                $($(#[$doc])* $name = 1, 0..=1, 1;)*
            }
        }

        $($(#[$doc])*
        #[inline(always)]
        pub fn $name() -> bool {
            switches::$name() > 0
        })*

        pub use switches::TECHNIQUES;
    };
}

techniques! {
    /// Aspiration: the first window of an iteration lies around the last score.
    aspiration;
    /// A check at the horizon is answered by a search, not by quiescence.
    check_extension;
    /// Where the mover can repeat a position, it has a draw at least.
    upcoming_repetition;
    /// A shorter mate known elsewhere ends a node.
    mate_distance;
    /// The table's move comes first.
    tt_move;
    /// A deep enough score of the table ends a node.
    table_cutoffs;
    /// A score of the table is a better estimate than the evaluation.
    table_estimate;
    /// The table's scores end nodes of quiescence.
    quiescence_table;
    /// Quiescence leaves out captures that lose by the exchange they begin.
    quiescence_exchange;
    /// Quiescence sees draws by rule.
    quiescence_draws;
    /// Margins and reductions heed whether the mover's evaluation rises.
    improving;
    /// A node without a table move is searched one ply less deeply.
    internal_reduction;
    /// Reverse futility.
    reverse_futility;
    /// Reverse futility returns the middle between the estimate and beta.
    reverse_futility_middle;
    /// The null move.
    null_move;
    /// A null move asks that the static evaluation reach beta, not only the table's score.
    null_move_static;
    /// Where much depends on it, a search without null moves must agree with the null move.
    null_move_verification;
    /// `ProbCut`.
    probcut;
    /// The evaluation is stored at once, before any move is searched.
    evaluation_stored;
    /// Quiescence leaves out captures that cannot reach alpha.
    quiescence_futility;
    /// Quiescence answers a check with quiet moves only until one answer does not lose.
    quiescence_evasions;
    /// Quiescence looks at quiet checks at its first ply.
    quiescence_checks;
    /// The evaluation is stored where quiescence stands pat.
    stand_pat_stored;
    /// Late-move pruning.
    late_move_pruning;
    /// Futility of quiet moves.
    futility;
    /// Futility of noisy moves.
    noisy_futility;
    /// Pruning by history.
    history_pruning;
    /// Pruning by the exchange a move begins.
    exchange_pruning;
    /// Late-move reductions.
    late_move_reductions;
    /// A reduced move that surprises is searched again a ply deeper or less deeply, by how much it does.
    again_by_margin;
    /// Reductions heed the history of a move.
    reduction_by_history;
    /// The test of the table's move for being the only good one, and what follows from it.
    singular;
    /// A second ply of extension.
    double_extension;
    /// Fewer plies for the table's move where it is one of several good ones.
    negative_extension;
    /// Several good moves end a node.
    multicut;
    /// History of quiet moves by their squares.
    quiet_history;
    /// That history tells apart whether the squares are attacked.
    threat_history;
    /// History of captures by man, target and what is taken.
    capture_history;
    /// History of quiet moves by the pawn structure.
    pawn_history;
    /// History of quiet moves by the opponent's last move.
    continuation_1;
    /// History of quiet moves by the mover's last move.
    continuation_2;
    /// History of quiet moves by the mover's move before that.
    continuation_4;
    /// Moves that did not refute a node that another refuted are marked down.
    malus;
    /// Killers: quiet moves that refuted siblings come before other quiet moves.
    killers;
    /// Quiet moves that give check come before other quiet moves of the same history.
    quiet_checks_first;
    /// Captures that lose by the exchange they begin come last.
    bad_captures_last;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_stands_in_the_table() {
        let table = include_str!("../../docs/search.md");
        for technique in TECHNIQUES {
            let cell = format!("| `{}` |", technique.name);
            assert!(
                table.contains(&cell),
                "{}: no row in docs/search.md",
                technique.name
            );
        }
    }
}
