//! Counts of moves and results, for more games than fit into memory.
//!
//! An external merge sort: a full buffer is sorted, equal moves are added up, and what is still too much goes to an unnamed
//! temporary file. The result does not depend on the memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

/// The games of one move of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCount {
    /// Polyglot key of the position.
    pub key: u64,
    /// Games won, drawn and lost by the mover.
    pub games: [u32; 3],
    /// The move in Polyglot's encoding.
    pub raw_move: u16,
}

/// Bytes of the buffer of a temporary file.
const FILE_BUFFER: usize = 1 << 18;

impl MoveCount {
    const fn order(&self) -> (u64, u16) {
        (self.key, self.raw_move)
    }

    /// Adds the games of the same move.
    fn add(&mut self, other: &Self) {
        for (games, more) in self.games.iter_mut().zip(other.games) {
            *games = games.saturating_add(more);
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.key.to_le_bytes())?;
        for games in self.games {
            out.write_all(&games.to_le_bytes())?;
        }
        out.write_all(&self.raw_move.to_le_bytes())
    }

    fn read(source: &mut impl Read) -> io::Result<Self> {
        let (mut key, mut raw_move) = ([0; 8], [0; 2]);
        source.read_exact(&mut key)?;
        let mut games = [0; 3];
        for games in &mut games {
            let mut bytes = [0; 4];
            source.read_exact(&mut bytes)?;
            *games = u32::from_le_bytes(bytes);
        }
        source.read_exact(&mut raw_move)?;
        Ok(Self {
            key: u64::from_le_bytes(key),
            games,
            raw_move: u16::from_le_bytes(raw_move),
        })
    }
}

/// Sorted counts without duplicates.
pub struct Run(Stored);

enum Stored {
    Memory(std::vec::IntoIter<MoveCount>),
    File { source: BufReader<File>, left: u64 },
}

impl Run {
    fn next(&mut self) -> io::Result<Option<MoveCount>> {
        match &mut self.0 {
            Stored::Memory(counts) => Ok(counts.next()),
            Stored::File { left: 0, .. } => Ok(None),
            Stored::File { source, left } => {
                *left -= 1;
                MoveCount::read(source).map(Some)
            }
        }
    }
}

/// Collects counts in a bounded buffer.
pub struct MoveCounter {
    buffer: Vec<MoveCount>,
    /// Counts that the buffer may hold.
    limit: usize,
    folder: PathBuf,
    runs: Vec<Run>,
}

impl MoveCounter {
    /// `bytes` bounds the memory; the temporary files go to `folder`.
    pub fn new(bytes: usize, folder: PathBuf) -> Self {
        Self {
            buffer: Vec::new(),
            limit: (bytes / size_of::<MoveCount>()).max(2),
            folder,
            runs: Vec::new(),
        }
    }

    /// # Errors
    /// If a temporary file cannot be written.
    pub fn extend(&mut self, counts: &[MoveCount]) -> io::Result<()> {
        if self.buffer.len() + counts.len() > self.limit {
            self.compact();
            if self.buffer.len() > self.limit / 2 {
                self.spill()?;
            }
        }
        // Doubling without this bound could exceed the limit.
        let wanted = (self.buffer.len() + counts.len()).next_power_of_two();
        let room = wanted.min(self.limit.max(self.buffer.len() + counts.len()));
        self.buffer.reserve_exact(room - self.buffer.len());
        self.buffer.extend_from_slice(counts);
        Ok(())
    }

    /// Sorts the buffer and adds up equal moves.
    fn compact(&mut self) {
        self.buffer.sort_unstable_by_key(MoveCount::order);
        self.buffer.dedup_by(|later, kept| {
            let same = later.order() == kept.order();
            if same {
                kept.add(later);
            }
            same
        });
    }

    /// Moves the sorted buffer to a temporary file.
    fn spill(&mut self) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(FILE_BUFFER, tempfile::tempfile_in(&self.folder)?);
        for count in &self.buffer {
            count.write(&mut out)?;
        }
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(Run(Stored::File {
            source: BufReader::with_capacity(FILE_BUFFER, file),
            left: self.buffer.len() as u64,
        }));
        self.buffer.clear();
        Ok(())
    }

    /// All counts as sorted runs.
    pub fn finish(mut self) -> Vec<Run> {
        self.compact();
        self.runs.push(Run(Stored::Memory(self.buffer.into_iter())));
        self.runs
    }
}

/// Merges sorted runs and calls `visit` with the counts of each position, in the order of the keys.
///
/// # Errors
/// If a temporary file cannot be read, or the error of `visit`.
pub fn merge(
    mut runs: Vec<Run>,
    mut visit: impl FnMut(&[MoveCount]) -> io::Result<()>,
) -> io::Result<()> {
    let mut heads: Vec<Option<MoveCount>> = Vec::with_capacity(runs.len());
    for run in &mut runs {
        heads.push(run.next()?);
    }
    let mut heap: BinaryHeap<Reverse<((u64, u16), usize)>> = heads
        .iter()
        .enumerate()
        .filter_map(|(index, head)| head.map(|head| Reverse((head.order(), index))))
        .collect();
    let mut moves: Vec<MoveCount> = Vec::new();
    while let Some(Reverse((_, index))) = heap.pop() {
        let Some(count) = heads[index] else { continue };
        heads[index] = runs[index].next()?;
        if let Some(head) = heads[index] {
            heap.push(Reverse((head.order(), index)));
        }
        match moves.last_mut() {
            Some(last) if last.order() == count.order() => last.add(&count),
            Some(last) if last.key != count.key => {
                visit(&moves)?;
                moves.clear();
                moves.push(count);
            }
            _ => moves.push(count),
        }
    }
    if moves.is_empty() {
        Ok(())
    } else {
        visit(&moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn temporary_files_do_not_change_the_counts() {
        let mut random = Random::new(7, 0);
        let counts: Vec<MoveCount> = (0..20_000)
            .map(|_| {
                let mut count = MoveCount {
                    key: random.below(500) as u64,
                    raw_move: random.below(5) as u16,
                    ..MoveCount::default()
                };
                count.games[random.below(3)] = 1;
                count
            })
            .collect();
        let totals = |bytes: usize| {
            let mut counter = MoveCounter::new(bytes, std::env::temp_dir());
            for some in counts.chunks(37) {
                assert!(counter.extend(some).is_ok());
            }
            let mut all = Vec::new();
            let merged = merge(counter.finish(), |moves| {
                assert!(moves.iter().all(|count| count.key == moves[0].key));
                all.extend_from_slice(moves);
                Ok(())
            });
            assert!(merged.is_ok());
            all
        };
        let (whole, spilt) = (totals(1 << 20), totals(24 * 300));
        assert_eq!(whole, spilt);
        assert!(whole.len() > 2400);
        let games: u32 = whole.iter().flat_map(|count| count.games).sum();
        assert_eq!(games, 20_000);
    }
}
