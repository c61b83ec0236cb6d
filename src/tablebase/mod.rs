//! Probing of Syzygy tablebases: the 3-4-piece tables built into the program, and tables in folders.
//! A table that cannot be read is reported once and ignored; all others are used.

mod background_check;
#[doc(hidden)]
pub mod catalogue;
pub(crate) mod checksum;
#[doc(hidden)]
pub mod embedded;
mod files;
#[doc(hidden)]
pub mod line;
#[doc(hidden)]
pub mod material;
#[doc(hidden)]
pub mod probe;
#[doc(hidden)]
pub mod root;

#[doc(hidden)]
pub use catalogue::{Catalogue, TableFile};
pub use files::TableFault;
#[doc(hidden)]
pub use material::Material;
pub use probe::{Dtz, Tablebases};

use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i8)]
pub enum Wdl {
    Loss = -2,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss = -1,
    Draw = 0,
    /// Won, but drawn by the fifty-move rule.
    CursedWin = 1,
    Win = 2,
}

impl Wdl {
    /// The result if the fifty-move rule applies or not: without it, cursed wins are wins and blessed losses are losses.
    #[must_use]
    pub const fn with_rule50(self, applies: bool) -> Self {
        match self {
            Self::CursedWin if !applies => Self::Win,
            Self::BlessedLoss if !applies => Self::Loss,
            other => other,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        }
    }
}

impl Neg for Wdl {
    type Output = Self;

    /// The result for the other side.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        use shakmaty_syzygy::Wdl as Theirs;
        match wdl {
            Theirs::Loss => Self::Loss,
            Theirs::BlessedLoss => Self::BlessedLoss,
            Theirs::Draw => Self::Draw,
            Theirs::CursedWin => Self::CursedWin,
            Theirs::Win => Self::Win,
        }
    }
}

/// What a table stores.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Distance to zeroing: plies to the next capture or pawn move with best play.
    Dtz,
}

impl Metric {
    /// The file name extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wdl => "WDL",
            Self::Dtz => "DTZ",
        })
    }
}

/// The material and metric of a table, from its file name; `None` if it is not the name of a table.
#[doc(hidden)]
#[must_use]
pub fn parse_file_name(name: &str) -> Option<(Material, Metric)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let metric = [Metric::Wdl, Metric::Dtz]
        .into_iter()
        .find(|metric| metric.extension() == extension)?;
    Some((Material::from_str(stem).ok()?, metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_give_material_and_metric() {
        let (material, metric) = parse_file_name("KQvKP.rtbz").expect("a table");
        assert_eq!(
            (material.to_string().as_str(), metric),
            ("KQvKP", Metric::Dtz)
        );
        for name in ["KQvKP", "KQvKP.atbw", "README.md", "kqvkp.rtbw", ".rtbw"] {
            assert_eq!(parse_file_name(name), None);
        }
    }
}
