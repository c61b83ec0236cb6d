//! Checkpoints of a fit, written after each epoch.
//!
//! The state after an epoch depends only on data and settings, so a fit continued from a checkpoint gives the same weights,
//! to the bit, as one that was not interrupted.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::linear::RealWeight;
use crate::eval::weights::Digest;
use crate::eval::{COUNT, WeightPart};
use crate::lab::atomic_file;

/// First bytes of a file.
const MAGIC: &[u8] = b"lucena tuning 2\n";
/// Tables of a fit: the weights and Adam's two moments.
const TABLES: usize = 3;
/// Maximum number of epochs.
const MAX_EPOCHS: usize = 1 << 16;

/// The state of a fit between two epochs.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Number of steps done.
    pub step: u64,
    /// Training loss and held-out loss after each epoch.
    pub losses: Vec<[f64; 2]>,
    /// The weights, the mean of the gradient and the mean of its square.
    pub tables: [Vec<RealWeight>; TABLES],
}

impl Checkpoint {
    /// Writes the checkpoint atomically. `key` is a digest of data and settings.
    ///
    /// # Errors
    /// [`io::Error`]; an older checkpoint is then unchanged.
    pub fn write(&self, path: &Path, key: Digest) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(key.0.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend((self.losses.len() as u64).to_le_bytes());
        let losses = self.losses.iter().flatten();
        bytes.extend(losses.flat_map(|loss| loss.to_le_bytes()));
        let halves = self.tables.iter().flatten().flatten();
        bytes.extend(halves.flat_map(|half| half.to_le_bytes()));
        bytes.extend(Digest::START.add(&bytes).0.to_le_bytes());
        atomic_file::write_bytes(path, &bytes)
    }

    /// Reads a checkpoint; `None` if the file is missing or damaged: then the fit starts from scratch.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be read, or must not be overwritten: it has another key or is something else.
    pub fn read(path: &Path, key: Digest) -> io::Result<Option<Self>> {
        let longest = MAGIC.len() + 32 + 16 * MAX_EPOCHS + 4 * WeightPart::COUNT * TABLES * COUNT;
        let mut bytes = Vec::new();
        match File::open(path) {
            Ok(file) => file.take(longest as u64).read_to_end(&mut bytes)?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if !bytes.starts_with(MAGIC) && !MAGIC.starts_with(&bytes) {
            return Err(io::Error::other(
                "not a checkpoint of lucena tune; move it away",
            ));
        }
        let Some((found, checkpoint)) = Self::parse(&bytes) else {
            return Ok(None);
        };
        if found != key {
            return Err(io::Error::other(
                "a checkpoint of a run with other data or arguments; move it away",
            ));
        }
        Ok(Some(checkpoint))
    }

    /// The key and the checkpoint.
    fn parse(bytes: &[u8]) -> Option<(Digest, Self)> {
        let (body, digest) = bytes.split_last_chunk::<8>()?;
        if Digest::START.add(body).0 != u64::from_le_bytes(*digest) {
            return None;
        }
        let mut rest = body.strip_prefix(MAGIC)?;
        let key = Digest(number(&mut rest)?);
        let step = number(&mut rest)?;
        let epochs = usize::try_from(number(&mut rest)?).ok()?;
        if rest.len()
            != epochs
                .checked_mul(16)?
                .checked_add(4 * WeightPart::COUNT * TABLES * COUNT)?
        {
            return None;
        }
        let (losses, tables) = rest.split_at(16 * epochs);
        let losses = losses
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| f64::from_le_bytes(*bytes));
        let halves = tables
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes));
        let (losses, halves): (Vec<f64>, Vec<f32>) = (losses.collect(), halves.collect());
        let mut tables = halves
            .as_chunks::<{ WeightPart::COUNT }>()
            .0
            .chunks(COUNT)
            .map(<[RealWeight]>::to_vec);
        let checkpoint = Self {
            step,
            losses: losses.as_chunks::<2>().0.to_vec(),
            tables: [tables.next()?, tables.next()?, tables.next()?],
        };
        Some((key, checkpoint))
    }

    /// Removes the file after a finished fit.
    pub fn remove(path: &Path) {
        let _ = fs::remove_file(path);
    }
}

/// The next eight bytes as a number.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_intact_checkpoint_of_the_same_fit_is_read() {
        let path = std::env::temp_dir().join(format!("lucena-checkpoint-{}", std::process::id()));
        let table = |first: f32| -> Vec<RealWeight> {
            (0..COUNT)
                .map(|index| [first + index as f32, -first, 0.5, first])
                .collect()
        };
        let written = Checkpoint {
            step: 77,
            losses: vec![[0.5, 0.25], [0.125, f64::MIN_POSITIVE]],
            tables: [table(1.0), table(-2.5), table(1e-20)],
        };
        let key = Digest(5);
        written.write(&path, key).expect("a file");
        let read = |key| Checkpoint::read(&path, key).expect("a checkpoint");
        assert_eq!(read(key).as_ref(), Some(&written));
        let other = Checkpoint::read(&path, Digest(6)).expect_err("another run");
        assert!(other.to_string().contains("other data or arguments"));
        let bytes = fs::read(&path).expect("it is there");
        for cut in [0, 10, 40, bytes.len() - 1] {
            fs::write(&path, &bytes[..cut]).expect("a file");
            assert_eq!(read(key), None);
        }
        let mut damaged = bytes;
        damaged[100] ^= 1;
        fs::write(&path, damaged).expect("a file");
        assert_eq!(read(key), None);
        fs::write(&path, "something else").expect("a file");
        assert!(Checkpoint::read(&path, key).is_err());
        Checkpoint::remove(&path);
        assert_eq!(read(key), None);
    }
}
