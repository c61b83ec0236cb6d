//! Parsers of numbers within bounds; the error names the bounds.

use std::fmt::Display;
use std::str::FromStr;

/// The largest memory size of an option in MiB: 1 TiB.
pub const MAX_MIB: usize = 1 << 20;

/// Parses a number from `min` to `max`.
pub fn in_range<T>(min: T, max: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| format!("must be a number from {min} to {max}"))
    }
}

/// Parses a number of at least `min`.
pub fn at_least<T>(min: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| *number >= min)
            .ok_or_else(|| format!("must be a number of at least {min}"))
    }
}
