//! The constants of the search.
//!
//! Each has one line: name, value, range, the step of the tuner, and the value that switches its technique off. Under the
//! feature `tune` they are variables and UCI options, which each thread may override; in other builds they are literals.

use thiserror::Error;

#[cfg(feature = "tune")]
use super::tunables::OLD_NAMES;
pub use super::tunables::Tunable;
use super::tunables::tunables;

#[cfg(feature = "tune")]
impl Tunable {
    /// The constant of this name or old name, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        let old = OLD_NAMES
            .iter()
            .find(|(old, _)| old.eq_ignore_ascii_case(name));
        let name = old.map_or(name, |(_, new)| new);
        TUNABLES
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(name))
    }
}

/// The constants cannot be changed in this build.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the search constants are fixed in this program; build it with `--features tune` to change them"
)]
pub struct NotTunable;

/// The constants of time management, which games at fixed nodes do not use.
pub const CLOCK: [&str; 11] = [
    "moves_expected",
    "increment_percent",
    "hard_factor",
    "hard_percent",
    "unsettled_percent",
    "settled_percent",
    "share_max",
    "share_slope",
    "fall_max",
    "fall_slope",
    "fall_in_game_slope",
];

/// The number of constants.
pub const COUNT: usize = TUNABLES.len();

/// The constants that `lucena spsa` tunes: those of games on a clock, or all others.
pub fn tuned(clock: bool) -> impl Iterator<Item = &'static Tunable> {
    let of_clock = |tunable: &Tunable| CLOCK.contains(&tunable.name);
    TUNABLES
        .iter()
        .filter(move |tunable| tunable.step > 0 && of_clock(tunable) == clock)
}

/// Sets all constants, in the order of [`TUNABLES`], for searches on this thread only.
///
/// # Errors
/// [`NotTunable`] in a build without the feature `tune`.
pub fn set_for_thread(values: &[i32; COUNT]) -> Result<(), NotTunable> {
    #[cfg(feature = "tune")]
    {
        variables::set_own(values.iter().copied());
        Ok(())
    }
    #[cfg(not(feature = "tune"))]
    {
        let _ = values;
        Err(NotTunable)
    }
}

// Depths in plies, margins in centipawns, reductions in 1/1024 ply. Off: 255 for a least depth, 0 or -1 for a greatest one.
tunables! {
    constants {
        /// Half-width of the first aspiration window.
        aspiration_delta = 11, 5..=60, 4;
        /// More of it per squared centipawn of the score, in 1/32768.
        aspiration_score = 1, 0..=16, 1;
        /// By how much a window is widened, in 1/64.
        aspiration_widening = 36, 8..=96, 8;
        /// Least depth of aspiration windows.
        aspiration_depth = 4, 2..=8, 0, off 255;

        /// Greatest depth of reverse futility pruning.
        reverse_futility_depth = 8, 4..=14, 0, off 0;
        /// Margin of reverse futility pruning per ply.
        reverse_futility_margin = 45, 40..=150, 16;
        /// Base of that margin.
        reverse_futility_base = 0, -60..=100, 12;
        /// How much smaller that margin is in improving nodes.
        reverse_futility_improving = 26, 0..=160, 16;
        /// How much smaller it is if the evaluation fell for the opponent.
        reverse_futility_worsening = 0, -60..=80, 12;
        /// How much greater it is per 1024 history points of the opponent's last move.
        reverse_futility_history = 0, -4..=12, 1;
        /// Share of the correction, without sign, by which it is greater, in 1/64.
        reverse_futility_correction = 0, -64..=128, 12;
        /// Share of beta in the score that reverse futility pruning returns, in 1/64.
        reverse_futility_beta = 19, 0..=64, 7, off 0;

        /// Least depth of `ProbCut`.
        probcut_depth = 5, 3..=12, 0, off 255;
        /// Plies by which `ProbCut` reduces its search.
        probcut_reduction = 4, 2..=6, 0;
        /// Margin of `ProbCut` above beta.
        probcut_margin = 131, 60..=400, 40;
        /// How much smaller that margin is in improving nodes.
        probcut_improving = 56, 0..=150, 15;

        /// Least depth of null move pruning.
        null_move_depth = 3, 1..=6, 0, off 255;
        /// Least reduction of a null move.
        null_move_base = 4107, 2048..=6144, 400;
        /// More reduction of a null move per ply of depth.
        null_move_factor = 359, 128..=512, 40;
        /// Centipawns above beta for one more ply of reduction.
        null_move_eval_divisor = 176, 80..=400, 45;
        /// Centipawns above beta that the static evaluation must have for a null move.
        null_move_eval_margin = 71, -100..=300, 25;
        /// The same per ply of depth, subtracted.
        null_move_eval_margin_depth = 4, -10..=30, 3;
        /// How much lower that margin is in improving nodes.
        null_move_eval_margin_improving = 0, -60..=80, 15;
        /// How much higher it is per 1024 history points of the opponent's last move.
        null_move_eval_margin_history = 0, -4..=12, 1;

        /// Growth of the margins of pruning per unit of phase below the middle of its range, in 1/1024; they shrink above.
        margin_phase = 0, -20..=50, 6;
        /// Share of beta in the score of a beta cutoff off the PV, in 1/64.
        fail_high_beta = 0, 0..=48, 6;

        /// Moves before late move pruning, in 1/16 move.
        lmp_base = 162, 16..=240, 20;
        /// More moves before it per squared ply, in 1/16 move.
        lmp_factor = 24, 8..=48, 3;
        /// Share of these moves in nodes that do not improve, in 1/64.
        lmp_not_improving = 36, 12..=64, 5;

        /// Bonus of a quiet check in move ordering, in history points.
        quiet_check_bonus = 13_000, 0..=32_000, 2000, off 0;
        /// Greatest loss by SEE of a check with that bonus.
        quiet_check_loss = 65, 0..=300, 18;

        /// Margin of futility pruning in quiescence.
        quiescence_futility_margin = 66, 0..=300, 18;
        /// Gain by SEE that a capture needs in quiescence.
        quiescence_exchange_margin = -16, -120..=60, 15;
        /// Share of beta in the score of a stand-pat cutoff, in 1/64.
        stand_pat_beta = 5, 0..=48, 8, off 0;

        /// Greatest reduced depth of futility pruning of quiet moves.
        futility_depth = 12, 4..=14, 0, off -1;
        /// Base of its margin.
        futility_base = 63, 20..=250, 25;
        /// Its margin per ply of reduced depth.
        futility_margin = 37, 30..=250, 30;
        /// Its margin per 1024 points of history.
        futility_history = 3, -6..=16, 2;
        /// How much greater it is in improving nodes.
        futility_improving = 8, -60..=120, 16;
        /// Greatest depth of futility pruning of noisy moves.
        noisy_futility_depth = 6, 0..=12, 0, off 0;
        /// Base of its margin.
        noisy_futility_base = 190, 0..=500, 35;
        /// Its margin per ply of depth.
        noisy_futility_margin = 122, 0..=500, 28;
        /// Capture history for one more centipawn of that margin.
        noisy_futility_divisor = 62, 16..=256, 16;
        /// Greatest depth of history pruning.
        history_pruning_depth = 5, 2..=10, 0, off 0;
        /// History score per ply below which a quiet move is pruned.
        history_pruning_margin = 5206, 500..=6000, 750;

        /// Greatest depth of SEE pruning of noisy moves.
        exchange_depth = 9, 4..=14, 0;
        /// Centipawns per ply that a noisy move may lose.
        exchange_noisy_margin = 81, 30..=200, 20;
        /// Capture history for one more centipawn of loss.
        exchange_history_divisor = 74, 16..=256, 16;
        /// Centipawns per squared ply of reduced depth that a quiet move may lose.
        exchange_quiet_margin = 28, 8..=70, 6;

        /// Value of a pawn in the exchanges of the search.
        exchange_pawn = 100, 50..=180, 12;
        /// Value of a knight.
        exchange_knight = 300, 150..=500, 30;
        /// Value of a bishop.
        exchange_bishop = 300, 150..=500, 30;
        /// Value of a rook.
        exchange_rook = 500, 250..=800, 50;
        /// Value of a queen.
        exchange_queen = 900, 450..=1500, 90;

        /// By how much each ply of rule50 scales the evaluation towards 0, in 1/32768.
        rule50_damping = 0, -64..=320, 40;

        /// Least depth of internal iterative reduction.
        internal_reduction_depth = 4, 2..=8, 0, off 255;

        /// Least depth of singular extensions.
        singular_depth = 4, 4..=12, 0, off 255;
        /// Plies by which the TT entry may be shallower than the node.
        singular_tt_margin = 3, 1..=6, 0;
        /// Margin of the singular window below the TT score per ply, in 1/16 centipawn.
        singular_margin = 24, 4..=48, 4;
        /// More of it in null-window nodes that were PV nodes.
        singular_was_pv = -3, -8..=32, 4, off 0;
        /// More of it if the TT move is noisy.
        singular_noisy = 0, -16..=32, 4;
        /// Share of the correction, without sign, by which the margin is greater, in 1/64.
        singular_correction = 0, -64..=128, 16;
        /// Centipawns below that window for a double extension.
        singular_double_margin = 15, 5..=60, 5;

        /// Weight of the correction by pawns, in 1/64.
        correction_pawn = 59, 0..=192, 14, off 0;
        /// Weight of the correction by the pieces of each side, in 1/64.
        correction_non_pawn = 70, 0..=192, 14, off 0;
        /// Weight of the correction by minor pieces, in 1/64.
        correction_minor = 70, 0..=192, 12, off 0;
        /// Weight of the correction by major pieces, in 1/64.
        correction_major = 29, 0..=192, 12, off 0;
        /// Weight of the correction by the last two moves, in 1/64.
        correction_continuation = 51, 0..=192, 12, off 0;
        /// Weight of the correction by the last move and the one four plies before, in 1/64.
        correction_continuation_4 = 0, -32..=128, 12;
        /// Speed of the corrections, in 1/1024.
        correction_rate = 23, 4..=64, 3;

        /// Least depth at which a null move cutoff is verified.
        null_move_verification_depth = 10, 6..=20, 0, off 255;

        /// Base of the late move reduction.
        reduction_base = 680, 0..=2048, 160;
        /// Late move reduction per log2(depth) * log2(move count).
        reduction_factor = 197, 100..=400, 30;
        /// Less reduction in PV nodes.
        reduction_pv = 730, 0..=2048, 250, off 0;
        /// More reduction in cut nodes.
        reduction_cut_node = 1076, 0..=2048, 250, off 0;
        /// More reduction in nodes that do not improve.
        reduction_not_improving = 397, 0..=2048, 150, off 0;
        /// Less reduction of checks.
        reduction_check = 1000, 0..=2048, 250, off 0;
        /// More reduction after many cutoffs in child nodes.
        reduction_often_cut = 699, 0..=2048, 250, off 0;
        /// From this number on, the cutoffs in child nodes count as many; one without a TT move counts twice.
        often_cut = 3, 1..=8, 0;
        /// History score for one ply of reduction.
        reduction_history = 22_371, 2048..=32768, 2800;
        /// Capture history score for one ply of reduction.
        reduction_noisy_history = 7992, 2048..=32768, 1800;
        /// The reduction of noisy moves as a share of that of quiet moves, in 1/64.
        reduction_noisy = 41, 0..=64, 7;
        /// Less reduction in null-window nodes that were PV nodes.
        reduction_was_pv = 0, -1024..=2048, 200;
        /// More reduction for each quiet move before that raised alpha.
        reduction_raised = 0, -512..=1536, 150;
        /// More reduction if the TT move is noisy.
        reduction_noisy_tt_move = 0, -1024..=2048, 200;
        /// More reduction without a TT move.
        reduction_no_tt_move = 222, -1024..=2048, 200, off 0;
        /// More reduction in PV nodes with a narrower window than the root's, if it is nearly closed.
        reduction_narrow = 0, -1024..=2048, 250;
        /// More reduction per centipawn by which the evaluation is below alpha, up to [`reduce::BELOW_LIMIT`].
        reduction_below = 0, -4..=8, 1;
        /// Less reduction per centipawn by which the evaluation improved since the mover's last turn.
        reduction_improvement = 0, -8..=12, 2;
        /// Less reduction per centipawn of correction.
        reduction_correction = 2, -8..=24, 4, off 0;

        /// Centipawns above the best score from which a reduced move is searched again one ply deeper.
        do_deeper_margin = 52, 0..=150, 10;
        /// The same per ply of depth, in addition.
        do_deeper_factor = 2, 0..=10, 0;
        /// Centipawns per ply above the best score below which it is searched again one ply shallower.
        do_shallower_factor = 1, 0..=6, 0;

        /// History bonus per ply of depth.
        history_bonus = 275, 50..=400, 38;
        /// Greatest history bonus.
        history_bonus_max = 1820, 500..=4000, 380;
        /// Base of the bonus.
        history_bonus_base = 78, -300..=400, 60;
        /// More of the bonus if the score is far above beta.
        history_bonus_above = 0, -300..=600, 60;
        /// History malus per ply of depth.
        history_malus = 275, 50..=500, 38, off 0;
        /// Greatest history malus.
        history_malus_max = 1206, 500..=4000, 380;
        /// Base of the malus.
        history_malus_base = 117, -300..=400, 60;
        /// By how much the malus shrinks from move to move, in 1/64.
        history_malus_decay = 0, 0..=24, 3;
        /// Bonus of a move that beats beta when it is searched again, malus of one that fails low, in 1/64 of the bonus;
        /// continuation histories only.
        history_again = 0, -32..=128, 12;
        /// Bonus of the quiet move before a node without a good move, in 1/64 of the bonus.
        history_prior = 8, -32..=128, 10, off 0;
        /// Bonus of the quiet move before a node per centipawn of the change of the evaluation.
        history_evaluation = 6, -6..=16, 2, off 0;
        /// Weight of the quiet history, in 1/64.
        quiet_history_weight = 52, 0..=192, 14, off 0;
        /// Weight of the pawn history, in 1/64.
        pawn_history_weight = 73, 0..=192, 14, off 0;
        /// Weight of the continuation history one ply back, in 1/64.
        continuation_1_weight = 94, 0..=192, 14, off 0;
        /// Weight of the continuation history two plies back, in 1/64.
        continuation_2_weight = 53, 0..=192, 14, off 0;
        /// Weight of the continuation history four plies back, in 1/64.
        continuation_4_weight = 38, 0..=192, 14, off 0;
        /// Weight of the capture history in move ordering, in 1/64.
        capture_history_weight = 81, 0..=256, 16, off 0;
        /// Capture history that lowers the loss by SEE of a good capture, per 1024 points, in centipawns.
        good_capture_history = 3, -4..=8, 2, off 0;
        /// Order of a quiet move that leaves an attack by a pawn, in history points.
        pawn_threat_escape = 2536, -4000..=16_000, 1500, off 0;
        /// Order of a quiet move into an attack by a pawn, in history points.
        pawn_threat_enter = -1382, -16_000..=4000, 1500, off 0;
        /// Order of a rook or queen that leaves an attack by a lesser piece, in history points.
        piece_threat_escape = 0, -4000..=16_000, 1500;
        /// Order of a rook or queen into an attack by a lesser piece, in history points.
        piece_threat_enter = 0, -16_000..=4000, 1500;
        /// Share of the bonus for the quiet history, in quarters; it has fewer entries than the others.
        quiet_history_bonus_share = 8, 2..=16, 2;

        // Not tuned by `lucena spsa`: whether a technique is on.
        /// Least depth of late move reductions.
        reduction_depth = 2, 1..=8, 0, off 255;

        // Not tuned by `lucena spsa`: techniques that are off until games show a gain.
        /// Centipawns by which draw scores vary from node to node, so that drawn lines differ in score; 0 turns it off.
        draw_noise = 0, 0..=4, 0;

        // Time management: tuned by `lucena spsa --clock` (the list [`CLOCK`]).
        /// Moves to go that are assumed in a time control without a move count.
        moves_expected = 25, 10..=60, 3;
        /// Percent of the increment that is added to the soft limit.
        increment_percent = 80, 0..=100, 8;
        /// The hard limit as a multiple of the soft limit.
        hard_factor = 5, 1..=10, 1;
        /// Greatest percent of the remaining time for one move.
        hard_percent = 50, 10..=80, 6;
        /// Percent of the soft limit right after the best move changed.
        unsettled_percent = 220, 80..=400, 20;
        /// Percent of the soft limit that is approached as more iterations keep the best move.
        settled_percent = 75, 30..=120, 6;
        /// Percent of the soft limit if the best move took no nodes.
        share_max = 165, 100..=350, 12;
        /// Percent less for each percent of the nodes that the best move took, in percent.
        share_slope = 100, 0..=250, 12;
        /// Greatest percent more by a falling score.
        fall_max = 80, 0..=200, 12;
        /// Percent more for each centipawn by which the score fell since the last iteration, in percent.
        fall_slope = 120, 0..=400, 25;
        /// Percent more for each centipawn by which it fell since the last move of the game, in percent.
        fall_in_game_slope = 80, 0..=400, 25;
    }
    switches {
        /// A node in check is never searched by quiescence at depth 0, but one ply deep.
        check_extension;
        /// If the side to move can reach a repetition, the score is at least a draw.
        upcoming_repetition;
        /// Mate distance pruning.
        mate_distance;
        /// The TT move is searched first.
        tt_move;
        /// TT cutoffs.
        tt_cutoffs;
        /// A TT score replaces the static evaluation where its bound allows.
        tt_estimate;
        /// A value of its own against a lone king.
        lone_king;
        /// The static evaluation is stored in the TT at once.
        evaluation_stored;
        /// Margins and reductions depend on whether the evaluation improves.
        improving;
        /// Null move pruning requires a static evaluation of at least beta, too.
        null_move_static;

        /// Draws by rule in quiescence.
        quiescence_draws;
        /// TT cutoffs in quiescence.
        quiescence_tt;
        /// The static evaluation is stored in the TT at a stand-pat cutoff.
        stand_pat_stored;
        /// Losing captures (SEE) are pruned in quiescence.
        quiescence_exchange;
        /// Captures that cannot reach alpha are pruned in quiescence.
        quiescence_futility;
        /// Quiet checks at the first ply of quiescence.
        quiescence_checks;
        /// Quiet evasions are pruned in quiescence once one does not lose.
        quiescence_evasions;

        /// Late move pruning.
        late_move_pruning;
        /// SEE pruning.
        exchange_pruning;
        /// The re-search of a reduced move is a ply deeper or shallower by its score.
        research_by_margin;
        /// Reductions depend on history.
        reduction_by_history;
        /// Double extensions.
        double_extension;
        /// Negative extensions.
        negative_extension;
        /// Multi-cut.
        multicut;

        /// The quiet history also depends on whether the squares are attacked.
        threat_history;
        /// Capture history.
        capture_history;
        /// Killer moves.
        killers;
        /// Losing captures (SEE) come last.
        bad_captures_last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_values_in_range() {
        for (index, tunable) in TUNABLES.iter().enumerate() {
            let in_range = (tunable.min..=tunable.max).contains(&tunable.value);
            let is_new = |other: &Tunable| other.name != tunable.name;
            assert!(
                in_range && TUNABLES[..index].iter().all(is_new),
                "{tunable:?}"
            );
            assert_ne!(tunable.off, Some(tunable.value), "{tunable:?}");
        }
    }

    #[test]
    fn time_management_is_tuned_by_games_on_a_clock_alone() {
        assert_eq!(tuned(true).count(), CLOCK.len());
        assert!(tuned(false).all(|tunable| !CLOCK.contains(&tunable.name)));
    }

    #[cfg(feature = "tune")]
    #[test]
    fn old_names_switch_techniques_off_and_on() {
        for (old, new) in OLD_NAMES {
            let tunable = Tunable::find(&old.to_uppercase()).expect("a constant");
            assert_eq!(tunable.name, *new);
            assert!(tunable.off.is_some(), "{new}");
        }
        // The constants are shared by all tests: this one has no effect on a depth that no test reaches.
        let tunable = Tunable::find("null_move_verification").expect("a constant");
        tunable.set("null_move_verification", 0);
        copy_global_values();
        assert_eq!(null_move_verification_depth(), 255);
        tunable.set("null_move_verification", 1);
        copy_global_values();
        assert_eq!(null_move_verification_depth(), tunable.value);
        tunable.set("null_move_verification_depth", 12);
        copy_global_values();
        assert_eq!(null_move_verification_depth(), 12);
        tunable.set("null_move_verification", 1);
    }

    #[cfg(feature = "tune")]
    #[test]
    fn a_thread_can_have_its_own_constants() {
        let before = aspiration_delta();
        let other = std::thread::spawn(move || {
            let mut values: [i32; COUNT] = std::array::from_fn(|index| TUNABLES[index].value);
            values[0] += 7;
            set_for_thread(&values).expect("variables");
            (aspiration_delta(), aspiration_depth())
        });
        let other = other.join().expect("a thread that ends");
        assert_eq!(other, (before + 7, aspiration_depth()));
        assert_eq!(aspiration_delta(), before);
    }

    #[cfg(not(feature = "tune"))]
    #[test]
    fn literals_cannot_be_set() {
        assert_eq!(set_for_thread(&[0; COUNT]), Err(NotTunable));
    }
}
