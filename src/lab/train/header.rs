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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) text: String,
    pub(super) seed: u64,
}

impl Header {
    /// The header of games that this program plays with these weights.
    pub fn new(seed: u64, nodes: u64, weights: &Weights) -> Self {
        let weights = Digest::of_weights(weights);
        let text = format!(
            "{MAGIC}\nseed {seed}\nnodes {nodes}\nrules {RULES}\nengine {ENGINE}\nweights {weights}\n\n"
        );
        Self { text, seed }
    }

    /// The header of games imported from a stream with this digest. The seed only names the file and selects the games
    /// that are held out.
    pub fn imported(seed: u64, stream: Digest) -> Self {
        let text = format!("{MAGIC}\nseed {seed}\nimported {stream}\n\n");
        Self { text, seed }
    }

    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The lines after the first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().skip(1).filter(|line| !line.is_empty())
    }

    /// Reads a header; `None` if the file does not start with one.
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
