//! A constant of the search, and the macro that declares all of them.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};

/// A constant of the search.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    pub name: &'static str,
    /// The value in builds without the feature `tune`.
    pub value: i32,
    /// The range in which it is tuned.
    pub min: i32,
    pub max: i32,
    /// The step in which `lucena spsa` moves it; 0: not tuned.
    pub step: i32,
    /// The value that switches its technique off; it may lie outside of the range.
    pub off: Option<i32>,
    #[cfg(feature = "tune")]
    pub global: &'static AtomicI32,
}

impl Tunable {
    /// The least and the greatest value it can be set to.
    #[must_use]
    pub fn range(&self) -> (i32, i32) {
        let off = self.off.unwrap_or(self.value);
        (self.min.min(off), self.max.max(off))
    }
}

#[cfg(feature = "tune")]
impl Tunable {
    /// Sets the value for the next searches of all threads without values of their own. With the old name of a switch, 0 is
    /// off and any other value is the default.
    pub fn set(&self, name: &str, value: i32) {
        let value = if self.name.eq_ignore_ascii_case(name) {
            let (min, max) = self.range();
            value.clamp(min, max)
        } else {
            self.off.filter(|_| value == 0).unwrap_or(self.value)
        };
        self.global.store(value, Ordering::Relaxed);
    }
}

/// Old names of switches, and the constants whose `off` value replaces them.
#[cfg(feature = "tune")]
pub const OLD_NAMES: &[(&str, &str)] = &[
    ("aspiration", "aspiration_depth"),
    ("continuation_1", "continuation_1_weight"),
    ("continuation_2", "continuation_2_weight"),
    ("continuation_4", "continuation_4_weight"),
    ("futility", "futility_depth"),
    ("history_pruning", "history_pruning_depth"),
    ("internal_reduction", "internal_reduction_depth"),
    ("late_move_reductions", "reduction_depth"),
    ("malus", "history_malus"),
    ("noisy_futility", "noisy_futility_depth"),
    ("null_move", "null_move_depth"),
    ("null_move_verification", "null_move_verification_depth"),
    ("pawn_history", "pawn_history_weight"),
    ("probcut", "probcut_depth"),
    ("quiescence_table", "quiescence_tt"),
    ("quiet_checks_first", "quiet_check_bonus"),
    ("quiet_history", "quiet_history_weight"),
    ("reverse_futility", "reverse_futility_depth"),
    ("reverse_futility_middle", "reverse_futility_beta"),
    ("singular", "singular_depth"),
    ("table_cutoffs", "tt_cutoffs"),
    ("table_estimate", "tt_estimate"),
    ("table_move", "tt_move"),
];

/// Declares `TUNABLES` and a function for each constant (its value) and each switch (whether it is on).
macro_rules! tunables {
    (@off) => { None };
    (@off $off:literal) => { Some($off) };
    (
        constants {$(
            $(#[$doc:meta])*
            $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal $(, off $off:literal)?;
        )*}
        switches {$($(#[$switch_doc:meta])* $switch:ident;)*}
    ) => {
        $($(#[$doc])*
        #[inline(always)]
        #[cfg(not(feature = "tune"))]
        pub(super) const fn $name() -> i32 {
            const { assert!($min <= $value && $value <= $max && $step >= 0) };
            $value
        })*

        $($(#[$switch_doc])*
        #[inline(always)]
        #[cfg(not(feature = "tune"))]
        pub(super) const fn $switch() -> bool {
            true
        })*

        #[cfg(feature = "tune")]
        mod variables {
            use std::cell::Cell;
            use std::sync::atomic::Ordering::Relaxed;

            /// The values of a thread: one load each, or a build to tune searches a quarter fewer nodes a second.
            struct Values {
                $($name: Cell<i32>,)*
                $($switch: Cell<i32>,)*
                /// Whether they were set only for this thread.
                own: Cell<bool>,
            }

            thread_local! {
                static LOCAL: Values = const { Values {
                    $($name: Cell::new($value),)*
                    $($switch: Cell::new(1),)*
                    own: Cell::new(false),
                } }
            }

            $(#[inline]
            pub fn $name() -> i32 {
                LOCAL.with(|local| local.$name.get())
            })*
            $(#[inline]
            pub fn $switch() -> bool {
                LOCAL.with(|local| local.$switch.get()) != 0
            })*

            /// Copies the values of all threads to this one, unless it has its own.
            pub fn copy_global_values() {
                LOCAL.with(|local| {
                    if !local.own.get() {
                        $(local.$name.set(global::$name.load(Relaxed));)*
                        $(local.$switch.set(global::$switch.load(Relaxed));)*
                    }
                });
            }

            /// Sets all values of this thread, in the order of the declarations.
            pub fn set_own(values: impl IntoIterator<Item = i32>) {
                LOCAL.with(|local| {
                    local.own.set(true);
                    let cells = [$(&local.$name,)* $(&local.$switch,)*];
                    for (cell, value) in cells.into_iter().zip(values) {
                        cell.set(value);
                    }
                });
            }

            #[allow(non_upper_case_globals)]
            pub mod global {
                use std::sync::atomic::AtomicI32;
                $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
                $(pub static $switch: AtomicI32 = AtomicI32::new(1);)*
            }
        }

        #[cfg(feature = "tune")]
        pub(super) use variables::{copy_global_values, $($name,)* $($switch,)*};

        /// Literals need no copy.
        #[cfg(not(feature = "tune"))]
        #[inline(always)]
        pub(super) const fn copy_global_values() {}

        /// Every constant and switch, in the order of this file.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                value: $value,
                min: $min,
                max: $max,
                step: $step,
                off: tunables!(@off $($off)?),
                #[cfg(feature = "tune")]
                global: &variables::global::$name,
            },)*
            $(Tunable {
                name: stringify!($switch),
                value: 1,
                min: 0,
                max: 1,
                step: 0,
                off: Some(0),
                #[cfg(feature = "tune")]
                global: &variables::global::$switch,
            },)*
        ];
    };
}

pub(super) use tunables;
