//! The header of a file of training games: everything the games depend on besides their numbers.

use std::io::{self, BufRead, Read};

use super::random_opening::OpeningSource;
use crate::eval::Weights;
use crate::eval::weights::Digest;

/// The first line of a file.
pub(super) const MAGIC: &str = "lucena games 1";
/// Version of the program, or its commit if the build sets `LUCENA_COMMIT`.
pub const ENGINE: &str = match option_env!("LUCENA_COMMIT") {
    Some(commit) => commit,
    None => env!("CARGO_PKG_VERSION"),
};
/// Version of the results of a search: increased with every change of the search or of the explanations that changes
/// verdicts or reasons, so that stores and logs do not mix results of two methods.
pub const METHOD: u32 = 6;
/// Version of the rules in `selfplay`: increased with every change that leads to other games.
pub const RULES: u32 = 3;
/// Longest header in bytes.
const MAX_BYTES: u64 = 4096;
/// Begins the last line: a checksum of the lines before it. Version 0.1.0 wrote headers without it at first.
const CHECKSUM: &str = "checksum ";
/// What begins the other lines after the first.
const KEYS: [&str; 7] = [
    "seed ",
    "nodes ",
    "rules ",
    "engine ",
    "weights ",
    "imported ",
    "openings ",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) text: String,
    pub(super) seed: u64,
}

impl Header {
    /// The header of games that this program plays with these weights.
    pub fn new(seed: u64, nodes: u64, weights: &Weights, openings: OpeningSource) -> Self {
        let weights = Digest::of_weights(weights);
        // Files of earlier versions have no such line, and random openings.
        let openings = match openings {
            OpeningSource::Random => "",
            OpeningSource::Repertoire => "openings repertoire\n",
        };
        let lines = format!(
            "{MAGIC}\nseed {seed}\nnodes {nodes}\nrules {RULES}\nengine {ENGINE}\nweights {weights}\n{openings}"
        );
        Self::with_checksum(seed, &lines)
    }

    /// The header of games imported from a stream with this digest. The seed only names the file and selects the games
    /// that are held out.
    pub fn imported(seed: u64, stream: Digest) -> Self {
        let lines = format!("{MAGIC}\nseed {seed}\nimported {stream}\n");
        Self::with_checksum(seed, &lines)
    }

    fn with_checksum(seed: u64, lines: &str) -> Self {
        let checksum = Digest::START.add(lines.as_bytes());
        let text = format!("{lines}{CHECKSUM}{checksum}\n\n");
        Self { text, seed }
    }

    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The lines after the first, without the checksum.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.text.lines().skip(1);
        lines.filter(|line| !line.is_empty() && !line.starts_with(CHECKSUM))
    }

    /// Whether the checksum is right; without one, whether every line has a known key.
    pub(super) fn is_intact(&self) -> bool {
        match self.text.rsplit_once(CHECKSUM) {
            Some((lines, _)) => *self == Self::with_checksum(self.seed, lines),
            None => self
                .lines()
                .all(|line| KEYS.iter().any(|key| line.starts_with(key))),
        }
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
            .filter(|text| text.lines().next() == Some(MAGIC));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Header> {
        Header::read(&mut text.as_bytes()).expect("in memory")
    }

    #[test]
    fn a_changed_byte_of_a_header_is_found() {
        let header = Header::new(53, 60, &Weights::ZERO, OpeningSource::Repertoire);
        assert!(read(&header.text).is_some_and(|found| found == header && found.is_intact()));
        for place in 0..header.text.len() {
            for bit in 0..7 {
                let mut bytes = header.text.clone().into_bytes();
                bytes[place] ^= 1 << bit;
                let text = String::from_utf8(bytes).expect("ASCII");
                assert!(read(&text).is_none_or(|found| !found.is_intact()), "{text}");
            }
        }
    }

    #[test]
    fn a_header_of_an_earlier_version_is_read() {
        let old = "lucena games 1\nseed 53\nnodes 60\nrules 2\nengine 0.1.0\nweights c219e0bd056a32a9\n\n";
        let header = read(old).expect("a header");
        assert!(header.is_intact() && header.seed() == 53);
        let with_checksum = Header::with_checksum(53, &old[..old.len() - 1]);
        assert!(with_checksum.lines().eq(header.lines()));
        assert!(read(&old.replace("nodes", "nodez")).is_some_and(|found| !found.is_intact()));
        assert!(read(&old.replace("games 1", "games 11")).is_none());
    }
}
