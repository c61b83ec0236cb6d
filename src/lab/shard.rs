//! Shards: parts of a task for several machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

/// One of several parts of a task, in its order.
///
/// ```
/// use lucena::selfplay::{Shard, ShardError};
///
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(shard.range(10), 3..6);
/// # Ok::<(), ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    number: u64,
    of: u64,
}

/// A text that names no shard.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("must be I/N with I from 1 to N")]
pub struct ShardError;

impl Shard {
    /// Part `number`, from 1, of `of`.
    ///
    /// # Errors
    /// There is no such part.
    pub fn new(number: u64, of: u64) -> Result<Self, ShardError> {
        if (1..=of).contains(&number) {
            Ok(Self { number, of })
        } else {
            Err(ShardError)
        }
    }

    /// Which part, from 1.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// The number of all parts.
    pub const fn of(self) -> u64 {
        self.of
    }

    /// The indices of its elements among all. The ranges of all shards follow each other without a gap.
    pub fn range(self, all: u64) -> Range<u64> {
        let start =
            |number: u64| (u128::from(all) * u128::from(number) / u128::from(self.of)) as u64;
        start(self.number - 1)..start(self.number)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError)?;
        let read = |text: &str| text.parse().map_err(|_| ShardError);
        Self::new(read(number)?, read(of)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        for (all, of) in [(0, 3), (1, 3), (10, 3), (7, 7), (5, 9), (u64::MAX, 4)] {
            let ranges: Vec<Range<u64>> = (1..=of)
                .map(|number| Shard { number, of }.range(all))
                .collect();
            assert_eq!((ranges[0].start, ranges[of as usize - 1].end), (0, all));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/3/5"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
        assert_eq!(
            "3/3".parse::<Shard>().map(|shard| shard.to_string()),
            Ok("3/3".into())
        );
    }
}
