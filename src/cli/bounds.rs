//! Numbers with bounds on the command line.
//! Uses: nothing. Used by: every command with such a number.
//! Idea: whatever is no such number (not one at all, too large for its type, `nan`) is refused by naming both bounds.

use std::fmt::Display;
use std::str::FromStr;

/// The most memory that an option may ask for, in mebibytes: a tebibyte.
pub const MOST_MEBIBYTES: usize = 1 << 20;

/// A parser of numbers from `least` to `most`.
pub fn from_to<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| format!("not a number from {least} to {most}"))
    }
}

/// A parser of numbers that are not below `least`.
pub fn at_least<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| *number >= least)
            .ok_or_else(|| format!("not a number from {least}"))
    }
}
