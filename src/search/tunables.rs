//! The macro that declares the constants of the search.

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
            $(pub fn $name() -> i32 {
                local::$name.get().unwrap_or_else(|| global::$name.load(super::Ordering::Relaxed))
            })*
            $(pub fn $switch() -> bool {
                local::$switch.get().unwrap_or_else(|| global::$switch.load(super::Ordering::Relaxed)) != 0
            })*
            #[allow(non_upper_case_globals)]
            pub mod global {
                use std::sync::atomic::AtomicI32;
                $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
                $(pub static $switch: AtomicI32 = AtomicI32::new(1);)*
            }
            #[allow(non_upper_case_globals)]
            pub mod local {
                use std::cell::Cell;
                $(thread_local! { pub static $name: Cell<Option<i32>> = const { Cell::new(None) } })*
                $(thread_local! { pub static $switch: Cell<Option<i32>> = const { Cell::new(None) } })*
            }
        }

        #[cfg(feature = "tune")]
        pub(super) use variables::{$($name,)* $($switch,)*};

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
                #[cfg(feature = "tune")]
                local: &variables::local::$name,
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
                #[cfg(feature = "tune")]
                local: &variables::local::$switch,
            },)*
        ];
    };
}

pub(super) use tunables;
