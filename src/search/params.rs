//! The constants of the search.
//! Uses: nothing. Used by: search, learn (spsa), uci (options).
//! Idea: every number has one line: name, value, range and the step in which a tuner moves it. Under the feature `tune`
//! they are variables, and a thread may have its own, so that two sides of a game may differ within one program.

#[cfg(feature = "tune")]
use std::cell::Cell;
#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};
#[cfg(feature = "tune")]
use std::thread::LocalKey;

use thiserror::Error;

/// A constant or a switch of the search as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value in other builds, and in this one at the start.
    pub value: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// The step in which a tuner moves it.
    pub step: i32,
    /// Its value now on threads that have none of their own.
    #[cfg(feature = "tune")]
    pub(super) everywhere: &'static AtomicI32,
    /// The thread's own.
    #[cfg(feature = "tune")]
    pub(super) here: &'static LocalKey<Cell<Option<i32>>>,
}

#[cfg(feature = "tune")]
impl Tunable {
    /// Gives the constant another value, for every search from now on.
    pub fn set(&self, value: i32) {
        let value = value.clamp(self.min, self.max);
        self.everywhere.store(value, Ordering::Relaxed);
    }
}

/// The constants cannot be changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the constants of the search are literals in this program; built with `--features tune` it can change them"
)]
pub struct Literals;

/// How many constants there are.
pub const COUNT: usize = TUNABLES.len();

/// Searches on this thread have these constants from now on, in the order of [`TUNABLES`], whatever the others have.
///
/// # Errors
/// [`Literals`] in a build without the feature `tune`.
pub fn play_by(values: &[i32; COUNT]) -> Result<(), Literals> {
    #[cfg(feature = "tune")]
    {
        for (tunable, &value) in TUNABLES.iter().zip(values) {
            tunable.here.set(Some(value));
        }
        Ok(())
    }
    #[cfg(not(feature = "tune"))]
    {
        let _ = values;
        Err(Literals)
    }
}

/// Functions of these names, and a list of them. (The list and its constants share the file they stand in.)
macro_rules! tunables {
    ($list:ident; $($(#[$doc:meta])* $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        $($(#[$doc])*
        #[cfg(not(feature = "tune"))]
        #[inline(always)]
        pub(in crate::search) const fn $name() -> i32 {
            const { assert!($min <= $value && $value <= $max && $step > 0) };
            $value
        })*

        /// The values of the moment: the thread's own, else those of all.
        #[cfg(feature = "tune")]
        mod now {
            use std::cell::Cell;
            use std::sync::atomic::{AtomicI32, Ordering};
            $(pub(in crate::search) fn $name() -> i32 {
                here::$name.get().unwrap_or_else(|| everywhere::$name.load(Ordering::Relaxed))
            })*
            #[allow(non_upper_case_globals)]
            pub(super) mod everywhere {
                use super::AtomicI32;
                $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
            }
            #[allow(non_upper_case_globals)]
            pub(super) mod here {
                use super::Cell;
                thread_local! {
                    $(pub static $name: Cell<Option<i32>> = const { Cell::new(None) };)*
                }
            }
        }

        #[cfg(feature = "tune")]
        pub(in crate::search) use now::{$($name),*};

        /// Every constant, in the order of this file.
        pub const $list: &[$crate::search::params::Tunable] = &[
            $($crate::search::params::Tunable {
                name: stringify!($name),
                value: $value,
                min: $min,
                max: $max,
                step: $step,
                #[cfg(feature = "tune")]
                everywhere: &now::everywhere::$name,
                #[cfg(feature = "tune")]
                here: &now::here::$name,
            },)*
        ];
    };
}

pub(super) use tunables;

tunables! {
    TUNABLES;
    /// Half-width of the first aspiration window, in centipawns.
    aspiration_delta = 15, 5..=60, 3;
    /// Depth in plies from which a window is used at all.
    aspiration_depth = 4, 2..=8, 1;

    /// Deepest node, in plies, at which reverse futility stops a search.
    reverse_futility_depth = 8, 4..=14, 1;
    /// Margin of reverse futility per ply, in centipawns.
    reverse_futility_margin = 80, 40..=150, 8;

    /// Least depth in plies for `ProbCut`.
    probcut_depth = 5, 3..=12, 1;
    /// Plies by which `ProbCut` searches less deeply.
    probcut_reduction = 4, 2..=6, 1;
    /// Centipawns above beta that `ProbCut` asks for.
    probcut_margin = 180, 60..=400, 15;
    /// The same are fewer by this where the evaluation improves.
    probcut_improving = 50, 0..=150, 10;

    /// Least depth in plies for a null move.
    null_move_depth = 3, 1..=6, 1;
    /// Plies by which a null move is reduced at least.
    null_move_base = 4, 2..=6, 1;
    /// Depth in plies for one more ply of reduction.
    null_move_divisor = 4, 2..=8, 1;
    /// Centipawns above beta for one more ply of reduction.
    null_move_margin = 200, 80..=400, 20;

    /// Quiet moves tried at least before late-move pruning.
    late_move_base = 6, 1..=10, 1;

    /// What a quiet move that gives check gains in order, in history points.
    quiet_check_bonus = 8000, 0..=32_000, 1000;
    /// What it may lose by the exchange for that, in centipawns.
    quiet_check_loss = 75, 0..=300, 15;

    /// Margin of futility in quiescence, in centipawns.
    quiescence_futility_margin = 75, 0..=300, 15;

    /// Deepest search, in plies, to which quiet moves are given up as futile.
    futility_depth = 12, 4..=14, 1;
    /// Base of the futility margin, in centipawns.
    futility_base = 110, 20..=250, 12;
    /// Futility margin per ply left, in centipawns.
    futility_margin = 140, 30..=250, 8;
    /// Deepest node, in plies, at which noisy moves are given up as futile.
    noisy_futility_depth = 6, 0..=12, 1;
    /// Base of the futility margin of noisy moves, in centipawns.
    noisy_futility_base = 150, 0..=500, 15;
    /// Futility margin of noisy moves per ply, in centipawns.
    noisy_futility_margin = 120, 0..=500, 15;
    /// Capture history worth a centipawn of that margin.
    noisy_futility_divisor = 64, 16..=256, 16;
    /// Deepest node, in plies, at which quiet moves are given up for their history.
    history_pruning_depth = 5, 2..=10, 1;
    /// History score per ply below which a quiet move is given up.
    history_pruning_margin = 3300, 500..=6000, 250;

    /// Deepest node, in plies, at which noisy moves are pruned by the exchange they begin.
    exchange_depth = 9, 4..=14, 1;
    /// Centipawns per ply that a noisy move may lose.
    exchange_noisy_margin = 90, 30..=200, 10;
    /// Capture history worth a centipawn more of loss.
    exchange_history_divisor = 64, 16..=256, 16;
    /// Centipawns per squared ply left that a quiet move may lose.
    exchange_quiet_margin = 25, 8..=70, 4;

    /// Depth in plies from which a node without a table move is searched one ply less deeply.
    internal_reduction_depth = 4, 2..=8, 1;

    /// Depth in plies from which the table's move is tested for being the only good one.
    singular_depth = 4, 4..=12, 1;
    /// Plies by which the table's score may be shallower for that test.
    singular_table_margin = 3, 1..=6, 1;
    /// Sixteenths of a centipawn per ply that the other moves must stay below the table's score.
    singular_margin = 16, 4..=48, 3;
    /// Centipawns further below for a second ply of extension.
    singular_double_margin = 20, 5..=60, 4;

    /// Weight of the correction by pawns, in 1/64.
    correction_pawn = 64, 0..=192, 8;
    /// Weight of the correction by the men of each side, in 1/64.
    correction_non_pawn = 64, 0..=192, 8;
    /// Weight of the correction by minor pieces, in 1/64.
    correction_minor = 48, 0..=192, 8;
    /// Weight of the correction by major pieces, in 1/64.
    correction_major = 48, 0..=192, 8;
    /// Weight of the correction by the last two moves, in 1/64.
    correction_continuation = 48, 0..=192, 8;

    /// Depth in plies from which a null move's cutoff is verified by a search without null moves.
    null_move_verification_depth = 10, 6..=20, 1;

    /// Base of the late-move reduction, in 1/1024 ply.
    reduction_base = 1200, 0..=2048, 60;
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
    /// More reduction where the replies were refuted often, in 1/1024 ply.
    reduction_often_cut = 1024, 0..=2048, 100;
    /// Refuted replies from which they are many; one without a table move counts twice.
    often_cut = 3, 1..=8, 1;
    /// History score worth one ply of reduction.
    reduction_history = 13_312, 2048..=32768, 1024;
    /// Capture history score worth one ply of reduction.
    reduction_noisy_history = 8192, 2048..=32768, 1024;

    /// Centipawns above the best score from which a reduced move is searched again one ply more deeply.
    again_deeper_margin = 40, 0..=150, 8;
    /// The same more for each ply of depth.
    again_deeper_factor = 2, 0..=10, 1;
    /// Centipawns per ply of depth above the best score below which it is searched again one ply less deeply.
    again_shallower_factor = 1, 0..=6, 1;

    /// History bonus per ply of depth.
    history_bonus = 170, 50..=400, 20;
    /// Greatest history bonus.
    history_bonus_max = 1700, 500..=4000, 150;
    /// How much of it the history by squares takes, in quarters: it learns faster than those with more places.
    quiet_history_share = 8, 2..=16, 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_values_in_range() {
        // The options of a build for tuners, from all the lists.
        let lists = [
            TUNABLES,
            crate::search::techniques::TECHNIQUES,
            crate::search::time::CLOCK,
        ];
        let tunables = lists.concat();
        for (index, tunable) in tunables.iter().enumerate() {
            assert!(
                (tunable.min..=tunable.max).contains(&tunable.value),
                "{tunable:?}"
            );
            assert!(
                tunables[..index]
                    .iter()
                    .all(|other| other.name != tunable.name),
                "{tunable:?}"
            );
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn a_thread_may_have_constants_of_its_own() {
        let before = aspiration_delta();
        let theirs = std::thread::spawn(move || {
            let mut values: [i32; COUNT] = std::array::from_fn(|place| TUNABLES[place].value);
            values[0] += 7;
            play_by(&values).expect("variables");
            (aspiration_delta(), aspiration_depth())
        });
        let theirs = theirs.join().expect("a thread that ends");
        assert_eq!(theirs, (before + 7, aspiration_depth()));
        assert_eq!(aspiration_delta(), before);
    }

    #[cfg(not(feature = "tune"))]
    #[test]
    fn literals_are_not_changed() {
        assert_eq!(play_by(&[0; COUNT]), Err(Literals));
    }
}
