//! Files of training games, append-only.
//!
//! After a text header, each game is one block with its number, length and checksum, written in one call at the end of
//! the file. If the program is killed, at most the last block is incomplete, and it is removed when the file is next
//! opened for writing. A faulty block before a whole one is damage instead: the file stays as it is. The order of blocks
//! has no meaning.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game_record::{GameRecord, GameRecordError, PLY_BYTES, START_BYTES};
use super::header::{Header, MAGIC};
use crate::eval::weights::Digest;
use crate::lab::atomic_file::{self, open_locked};
use crate::lab::shard::Shard;

/// Extension of the files.
pub const EXTENSION: &str = "games";
/// Number 8 | length 4 | checksum 4, before the bytes of the game.
const PREFIX_BYTES: usize = 16;
/// Longest game in bytes.
pub(super) const MAX_GAME_BYTES: usize = 1 << 20;

/// Why games cannot be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{0}: {1}")]
    Io(PathBuf, #[source] io::Error),
    /// The first line is wrong.
    #[error("{0}: not a file of games of this version (its first line must be \"{MAGIC}\")")]
    Foreign(PathBuf),
    /// The checksum of the header is wrong.
    #[error("{0}: the header is damaged")]
    Header(PathBuf),
    /// The header of the file differs; `found` and `wanted` are the first lines that do.
    #[error(
        "{path}: its games were made with other settings (\"{found}\"; now \"{wanted}\"); choose another folder or seed"
    )]
    Mismatch {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    #[error("{0}: damaged at byte {1}")]
    Damaged(PathBuf, u64),
    /// The last block is incomplete.
    #[error("{0}: cut off at byte {1}; datagen with the same arguments repairs it")]
    CutOff(PathBuf, u64),
    #[error("{0}: at byte {1}: {2}")]
    Game(PathBuf, u64, GameRecordError),
    #[error("{0}: at byte {1}: game {2} is in the file twice")]
    Twice(PathBuf, u64, u64),
    #[error("{0}: game {1} is also in {2}: choose the files of one run")]
    InTwoFiles(PathBuf, u64, PathBuf),
    #[error("{0}: the folder has no .{EXTENSION} files")]
    Empty(PathBuf),
    #[error("memory: {0}")]
    Memory(io::Error),
    #[error("threads: {0}")]
    Threads(String),
}

impl StoreError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io(path.to_owned(), error)
    }
}

/// One game of a file.
#[derive(Clone, Debug)]
pub struct GameBlock {
    pub number: u64,
    /// The game as [viriformat](super::game_record).
    pub game: Vec<u8>,
    pub checksum: u32,
    /// Byte at which the block starts.
    pub offset: u64,
}

/// Reads a file of games from start to end.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    header: Header,
    source: BufReader<File>,
    offset: u64,
    length: u64,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or has no header.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        // Opening a pipe would wait for a writer.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            let error = io::Error::other("not a regular file");
            return Err(StoreError::Io(path.to_owned(), error));
        }
        let file = File::open(path).map_err(StoreError::io(path))?;
        Self::new(path, file)
    }

    fn new(path: &Path, file: File) -> Result<Self, StoreError> {
        let length = file.metadata().map_err(StoreError::io(path))?.len();
        // Reading some files without a length, such as `/proc/kmsg`, would block.
        if length == 0 {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        let mut source = BufReader::new(file);
        let header = Header::read(&mut source).map_err(StoreError::io(path))?;
        let header = header.ok_or_else(|| StoreError::Foreign(path.to_owned()))?;
        if !header.is_intact() {
            return Err(StoreError::Header(path.to_owned()));
        }
        let offset = header.text.len() as u64;
        Ok(Self {
            path: path.to_owned(),
            header,
            source,
            offset,
            length,
        })
    }

    #[doc(hidden)]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Size of the file in bytes.
    #[doc(hidden)]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The game of a block.
    ///
    /// # Errors
    /// [`StoreError::Game`] if the bytes are not a legal game.
    pub fn replay(&self, block: &GameBlock) -> Result<GameRecord, StoreError> {
        GameRecord::from_bytes(&block.game)
            .map_err(|error| StoreError::Game(self.path.clone(), block.offset, error))
    }
    pub(super) fn twice(&self, offset: u64, number: u64) -> StoreError {
        StoreError::Twice(self.path.clone(), offset, number)
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// [`StoreError::CutOff`] if the last block is incomplete, [`StoreError::Damaged`] if another has a wrong checksum
    /// or length.
    pub fn next_block(&mut self) -> Result<Option<GameBlock>, StoreError> {
        let (offset, left) = (self.offset, self.length - self.offset);
        if left == 0 {
            return Ok(None);
        }
        let damaged = || StoreError::Damaged(self.path.clone(), offset);
        let mut prefix = [0; PREFIX_BYTES];
        if left < prefix.len() as u64 {
            return Err(self.cut_off());
        }
        self.source
            .read_exact(&mut prefix)
            .map_err(StoreError::io(&self.path))?;
        let (number, length, checksum) = parse_prefix(prefix);
        // An impossible length is damage, unless the longest block would reach the end of the file: then it may be an
        // incomplete write.
        let whole = (PREFIX_BYTES + length) as u64;
        if !(START_BYTES + PLY_BYTES..=MAX_GAME_BYTES).contains(&length) {
            return Err(if left <= MAX_GAME_BYTES as u64 {
                self.cut_off()
            } else {
                damaged()
            });
        }
        if left < whole {
            return Err(self.cut_off());
        }
        let mut game = vec![0; length];
        self.source
            .read_exact(&mut game)
            .map_err(StoreError::io(&self.path))?;
        if checksum != checksum_of(number, &game) {
            return Err(if left == whole {
                self.cut_off()
            } else {
                damaged()
            });
        }
        self.offset += whole;
        Ok(Some(GameBlock {
            number,
            game,
            checksum,
            offset,
        }))
    }

    /// The error of the next block, which seems to be cut off. If a whole block follows, its length is wrong instead, and
    /// cutting it off would lose good games. No more than the longest block is left here.
    fn cut_off(&mut self) -> StoreError {
        let (path, offset) = (self.path.clone(), self.offset);
        let mut rest = Vec::new();
        let read = self.source.seek(SeekFrom::Start(offset)).and_then(|_| {
            let left = self.length - offset;
            (&mut self.source).take(left).read_to_end(&mut rest)
        });
        match read {
            Err(error) => StoreError::Io(path, error),
            Ok(_) if (1..rest.len()).any(|at| starts_with_block(&rest[at..])) => {
                StoreError::Damaged(path, offset)
            }
            Ok(_) => StoreError::CutOff(path, offset),
        }
    }
}

/// Whether these bytes start with a whole block.
fn starts_with_block(bytes: &[u8]) -> bool {
    let Some((prefix, rest)) = bytes.split_first_chunk() else {
        return false;
    };
    let (number, length, checksum) = parse_prefix(*prefix);
    let is_possible = (START_BYTES + PLY_BYTES..=MAX_GAME_BYTES).contains(&length);
    is_possible
        && rest
            .get(..length)
            .is_some_and(|game| checksum == checksum_of(number, game))
}

fn parse_prefix(prefix: [u8; PREFIX_BYTES]) -> (u64, usize, u32) {
    let number = |range: std::ops::Range<usize>| {
        prefix[range]
            .iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    (number(0..8), number(8..12) as usize, number(12..16) as u32)
}

/// A checksum of the number, the length and the bytes of a game.
fn checksum_of(number: u64, game: &[u8]) -> u32 {
    let digest = Digest::START
        .add(&number.to_le_bytes())
        .add(&(game.len() as u32).to_le_bytes())
        .add(game);
    (digest.0 ^ digest.0 >> 32) as u32
}

/// A file that games are appended to, locked against other processes.
#[derive(Debug)]
pub struct GameStore {
    path: PathBuf,
    file: File,
    /// End of the last complete block, in bytes.
    end: u64,
}

impl GameStore {
    /// Opens or creates the file for such games in a folder, removes an incomplete last block, and returns the numbers
    /// of the games in it.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened, is in use, has another header, or is damaged before its last block.
    pub fn open(
        folder: &Path,
        header: &Header,
        shard: Option<Shard>,
    ) -> Result<(Self, BTreeSet<u64>), StoreError> {
        atomic_file::create_folder(folder).map_err(StoreError::io(folder))?;
        let path = Self::path(folder, header.seed, shard);
        let file = open_locked(&path).map_err(StoreError::io(&path))?;
        let (end, games) = Self::repair(&path, &file, header)?;
        (&file)
            .seek(SeekFrom::Start(end))
            .map_err(StoreError::io(&path))?;
        Ok((Self { path, file, end }, games))
    }

    /// The file for the games of a seed, or of a shard of them.
    pub fn path(folder: &Path, seed: u64, shard: Option<Shard>) -> PathBuf {
        let part = shard.map_or(String::new(), |shard| {
            format!("-part-{}-of-{}", shard.number(), shard.of())
        });
        folder.join(format!("seed-{seed}{part}.{EXTENSION}"))
    }

    /// Completes a header that is cut off, or removes an incomplete last block; returns the end of the file and its
    /// games.
    fn repair(
        path: &Path,
        mut file: &File,
        header: &Header,
    ) -> Result<(u64, BTreeSet<u64>), StoreError> {
        let io = StoreError::io(path);
        let mut games = BTreeSet::new();
        let (text, mut beginning) = (header.text.as_bytes(), Vec::new());
        file.take(text.len() as u64)
            .read_to_end(&mut beginning)
            .map_err(&io)?;
        file.rewind().map_err(&io)?;
        if beginning.len() < text.len() && text.starts_with(&beginning) {
            file.set_len(0)
                .and_then(|()| file.write_all(text))
                .map_err(&io)?;
            return Ok((text.len() as u64, games));
        }
        let mut reader = GameReader::new(path, file.try_clone().map_err(&io)?)?;
        check_header(path, reader.header(), header)?;
        loop {
            match reader.next_block() {
                Ok(None) => return Ok((reader.length(), games)),
                Ok(Some(block)) if games.insert(block.number) => {}
                Ok(Some(block)) => {
                    return Err(StoreError::Twice(
                        path.to_owned(),
                        block.offset,
                        block.number,
                    ));
                }
                Err(StoreError::CutOff(_, end)) => {
                    file.set_len(end).map_err(&io)?;
                    return Ok((end, games));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Appends a game. If that fails, the file is restored to its state before.
    ///
    /// # Errors
    /// [`StoreError::Io`], for example if the disk is full.
    #[doc(hidden)]
    pub fn append(&mut self, number: u64, game: &[u8]) -> Result<(), StoreError> {
        let mut block = Vec::with_capacity(PREFIX_BYTES + game.len());
        block.extend_from_slice(&number.to_le_bytes());
        block.extend_from_slice(&(game.len() as u32).to_le_bytes());
        block.extend_from_slice(&checksum_of(number, game).to_le_bytes());
        block.extend_from_slice(game);
        if let Err(error) = self.file.write_all(&block) {
            let _ = self.file.set_len(self.end);
            let _ = self.file.seek(SeekFrom::Start(self.end));
            return Err(StoreError::Io(self.path.clone(), error));
        }
        self.end += block.len() as u64;
        Ok(())
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    /// [`StoreError::Io`]
    #[doc(hidden)]
    pub fn close(self) -> Result<(), StoreError> {
        self.file.sync_all().map_err(StoreError::io(&self.path))
    }
}

fn check_header(path: &Path, found: &Header, wanted: &Header) -> Result<(), StoreError> {
    // Earlier versions wrote no checksum.
    if found.lines().eq(wanted.lines()) {
        return Ok(());
    }
    // A line that only one of them has is compared with nothing.
    let (mut found, mut wanted) = (found.lines(), wanted.lines());
    let (found, wanted) = loop {
        let pair = (
            found.next().unwrap_or_default(),
            wanted.next().unwrap_or_default(),
        );
        if pair.0 != pair.1 {
            break pair;
        }
    };
    Err(StoreError::Mismatch {
        path: path.to_owned(),
        found: found.to_owned(),
        wanted: wanted.to_owned(),
    })
}

/// The files of games in a folder, sorted by name; if `path` is a file, that file.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read or has no files of games.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let files = files_with(EXTENSION, path)?;
    if files.is_empty() {
        Err(StoreError::Empty(path.to_owned()))
    } else {
        Ok(files)
    }
}

/// The files with an extension in a folder, sorted by name; if `path` is a file, that file.
///
/// # Errors
/// [`StoreError::Io`] if the folder cannot be read.
pub(super) fn files_with(extension: &str, path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(StoreError::io(path))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::lab::train::random_opening::OpeningSource;

    /// What opening the file for writing does to it, or the error.
    fn opened(folder: &Path, header: &Header) -> Result<usize, StoreError> {
        GameStore::open(folder, header, None).map(|(_, games)| games.len())
    }

    #[test]
    fn a_wrong_length_before_whole_games_is_damage_and_removes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = Header::new(1, 60, &Weights::ZERO, OpeningSource::Random);
        let game = [7; START_BYTES + 3 * PLY_BYTES];
        let (mut store, _) = GameStore::open(folder.path(), &header, None).expect("a file");
        for number in 0..3 {
            store.append(number, &game).expect("a game");
        }
        store.close().expect("synced");
        let path = GameStore::path(folder.path(), 1, None);
        let good = fs::read(&path).expect("the file");
        let first = header.text.len();
        let block = PREFIX_BYTES + game.len();
        for bit in 0..32 {
            let mut bad = good.clone();
            bad[first + 8 + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bad).expect("a file");
            let error = opened(folder.path(), &header).expect_err("damage");
            assert!(
                matches!(error, StoreError::Damaged(_, at) if at == first as u64),
                "bit {bit}: {error}"
            );
            assert_eq!(fs::read(&path).expect("the file"), bad, "bit {bit}");
        }
        // An incomplete last game is removed.
        fs::write(&path, &good[..good.len() - 1]).expect("a file");
        assert_eq!(opened(folder.path(), &header).expect("a repair"), 2);
        assert_eq!(
            fs::read(&path).expect("the file"),
            good[..first + 2 * block]
        );
    }
}
