//! The constants of the search.
//! Uses: nothing. Used by: search.
//! Idea: every number has one line: name, value, range and the step in which a tuner would move it.

/// A constant of the search as a tuner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The step in which a tuner moves it.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub(super) const fn $name() -> i32 {
            const { assert!($min <= $value && $value <= $max && $step > 0) };
            $value
        })*

        /// Every constant, in the order of this file.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), value: $value, min: $min, max: $max, step: $step },)*
        ];
    };
}

tunables! {
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_delta = 15, 5..=60, 3;
    /// Depth in plies from which a window is used at all.
    aspiration_depth = 4, 2..=8, 1;

    /// Deepest node, in plies, at which reverse futility stops a search.
    reverse_futility_depth = 8, 4..=14, 1;
    /// Margin of reverse futility per ply, in centipawns.
    reverse_futility_margin = 80, 40..=150, 8;

    /// Least depth in plies for a null move.
    null_move_depth = 3, 1..=6, 1;
    /// Plies by which a null move is reduced at least.
    null_move_base = 4, 2..=6, 1;
    /// Depth in plies for one more ply of reduction.
    null_move_divisor = 4, 2..=8, 1;
    /// Centipawns above beta for one more ply of reduction.
    null_move_margin = 200, 80..=400, 20;

    /// Quiet moves tried at least before late-move pruning.
    late_move_base = 4, 1..=10, 1;

    /// Deepest node, in plies, at which moves are pruned by the exchange they begin.
    exchange_depth = 9, 4..=14, 1;
    /// Centipawns per ply that a noisy move may lose.
    exchange_noisy_margin = 90, 30..=200, 10;
    /// Centipawns per squared ply that a quiet move may lose.
    exchange_quiet_margin = 25, 8..=70, 4;

    /// Base of the late-move reduction, in 1/1024 ply.
    reduction_base = 780, 0..=2048, 60;
    /// Late-move reduction per unit of log2(depth) * log2(count), in 1/1024 ply.
    reduction_factor = 220, 100..=400, 15;
    /// Less reduction on the principal variation, in 1/1024 ply.
    reduction_pv = 1024, 0..=2048, 100;
    /// More reduction where a cutoff is expected, in 1/1024 ply.
    reduction_cut_node = 1024, 0..=2048, 100;
    /// More reduction where the evaluation does not improve, in 1/1024 ply.
    reduction_not_improving = 512, 0..=2048, 100;
    /// Less reduction for a move that gives check, in 1/1024 ply.
    reduction_check = 1024, 0..=2048, 100;
    /// History score worth one ply of reduction.
    reduction_history = 8192, 2048..=32768, 1024;

    /// History bonus per ply of depth.
    history_bonus = 170, 50..=400, 20;
    /// Greatest history bonus.
    history_bonus_max = 1700, 500..=4000, 150;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_values_in_range() {
        for (index, tunable) in TUNABLES.iter().enumerate() {
            assert!(
                (tunable.min..=tunable.max).contains(&tunable.value),
                "{tunable:?}"
            );
            assert!(
                TUNABLES[..index]
                    .iter()
                    .all(|other| other.name != tunable.name),
                "{tunable:?}"
            );
        }
    }
}
