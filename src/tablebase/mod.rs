//! Endgame tables in the Syzygy format: found, read, asked.
//! Uses: chess; the crate shakmaty-syzygy reads the format. Used by: search, engine, cli.
//! Idea: small tables are in the program itself, folders add more; a table that cannot be trusted is told of once and
//! left out, and every other one is used.
//!
//! Reading order: `material`, `embedded`, `files`, `catalogue`. The room `generate` makes tables.

pub mod catalogue;
pub mod embedded;
mod files;
pub mod generate;
pub mod material;

pub use catalogue::{Catalogue, Table};
pub use files::TableFault;
pub use material::Material;

use std::fmt;
use std::str::FromStr;

/// What a table tells of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Plies to the next capture or pawn move on the best way.
    Dtz,
}

impl Metric {
    /// How the files of this kind end.
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

/// The material and the metric that the name of a file promises; `None` where it is no name of a table.
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
    fn file_names_promise_a_table() {
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
