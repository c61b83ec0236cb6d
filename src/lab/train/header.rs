//! The header of a file of training games: everything the games depend on besides their numbers.

use std::io::{self, BufRead, Read};

use crate::eval::Weights;
use crate::eval::weights::Digest;

/// The first line of a file.
pub(super) const MAGIC: &str = "lucena games 1";
/// Version of the program, or its commit if the build sets `LUCENA_COMMIT`.
pub const ENGINE: &str = match option_env!("LUCENA_COMMIT") {
    Some(commit) => commit,
    None => env!("CARGO_PKG_VERSION"),
};
/// Version of the rules in `selfplay`: increased with every change that leads to other games.
pub const RULES: u32 = 2;
/// Longest header in bytes.
const MAX_BYTES: u64 = 4096;

/// What the games of a file are: all that they depend on besides their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) text: String,
    pub(super) seed: u64,
}

impl Header {
    /// The header of games that this program would play now by these weights.
    #[must_use]
    pub fn new(seed: u64, nodes: u64, weights: &Weights) -> Self {
        let weights = Digest::of_weights(weights);
        let text = format!(
            "{MAGIC}\nseed {seed}\nnodes {nodes}\nrules {RULES}\nengine {ENGINE}\nweights {weights}\n\n"
        );
        Self { text, seed }
    }

    /// The header of games that come from a stream of bytes with this fingerprint. Their seed only names the file, and
    /// chooses which are held out.
    #[must_use]
    pub fn imported(seed: u64, stream: Digest) -> Self {
        let text = format!("{MAGIC}\nseed {seed}\nimported {stream}\n\n");
        Self { text, seed }
    }

    /// The seed of the games.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Its lines, without the first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().skip(1).filter(|line| !line.is_empty())
    }

    /// Reads a header; `None` if there is none.
    pub(super) fn read(source: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut text = Vec::new();
        let mut source = source.take(MAX_BYTES);
        while !text.ends_with(b"\n\n") {
            if source.read_until(b'\n', &mut text)? == 0 {
                return Ok(None);
            }
        }
        let text = String::from_utf8(text)
            .ok()
            .filter(|text| text.starts_with(MAGIC));
        Ok(text.and_then(|text| {
            let seed = text
                .lines()
                .find_map(|line| line.strip_prefix("seed "))?
                .parse()
                .ok()?;
            Some(Self { text, seed })
        }))
    }
}
