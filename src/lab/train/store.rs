//! Files of games that survive anything but the loss of the disk.
//! Uses: eval, record. Used by: selfplay, exchange, corpus, cli.
//! Idea: a text header says what the games are; then every game is a block with its number, its length and a checksum,
//! written in one go at the end of the file. Whatever kills the writer costs at most the last block, which is cut off
//! when the file is opened again. The order of blocks means nothing.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game_record::{GameRecordError, PLY_BYTES, START_BYTES};
use super::header::{Header, MAGIC};
use crate::eval::weights::Digest;

/// The ending of their names.
pub const EXTENSION: &str = "games";
/// Number 8 | length 4 | checksum 4, before the bytes of the game.
const PREFIX_BYTES: usize = 16;
/// No game is longer.
pub(super) const MAX_GAME_BYTES: usize = 1 << 20;

/// Why games cannot be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// Another process writes to the file.
    #[error("{0}: in use by another process")]
    InUse(PathBuf),
    /// The file does not begin as it should.
    #[error("{0}: not a file of games of this version (its first line should be \"{MAGIC}\")")]
    Foreign(PathBuf),
    /// The file holds games of another kind.
    #[error(
        "{path}: its games were made otherwise ({found}; now it would be {wanted}): take another folder or seed"
    )]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The line of its header that differs.
        found: String,
        /// What that line would be now.
        wanted: String,
    },
    /// A block is damaged.
    #[error("{0}: damaged at byte {1}")]
    Damaged(PathBuf, u64),
    /// The last block is not whole.
    #[error("{0}: cut off at byte {1}; datagen with the same arguments mends it")]
    CutOff(PathBuf, u64),
    /// A block holds no game.
    #[error("{0}: at byte {1}: {2}")]
    Game(PathBuf, u64, GameRecordError),
    /// A game occurs twice.
    #[error("{0}: at byte {1}: game {2} again")]
    Twice(PathBuf, u64, u64),
    /// There are no games.
    #[error("{0}: no .{EXTENSION} files here")]
    Empty(PathBuf),
    /// No memory is left.
    #[error("memory: {0}")]
    Memory(io::Error),
    /// The threads cannot be started.
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
    /// Its number.
    pub number: u64,
    /// Its bytes, [viriformat](super::record).
    pub game: Vec<u8>,
    /// Their checksum.
    pub checksum: u32,
    /// Where it begins in the file.
    pub offset: u64,
}

/// Reads a file from its beginning.
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
    /// [`StoreError`] if it cannot be read or is none of ours.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::io(path))?;
        Self::new(path, file)
    }

    fn new(path: &Path, file: File) -> Result<Self, StoreError> {
        let length = file.metadata().map_err(StoreError::io(path))?.len();
        let mut source = BufReader::new(file);
        let header = Header::read(&mut source).map_err(StoreError::io(path))?;
        let header = header.ok_or_else(|| StoreError::Foreign(path.to_owned()))?;
        let offset = header.text.len() as u64;
        Ok(Self {
            path: path.to_owned(),
            header,
            source,
            offset,
            length,
        })
    }

    /// What the games are.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// How long the file is, in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The error of a block that holds no game.
    pub(super) fn wrong_game(&self, offset: u64, error: GameRecordError) -> StoreError {
        StoreError::Game(self.path.clone(), offset, error)
    }

    /// The error of a game that occurs twice.
    pub(super) fn twice(&self, offset: u64, number: u64) -> StoreError {
        StoreError::Twice(self.path.clone(), offset, number)
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// [`StoreError::CutOff`] if what is left is not a whole block, [`StoreError::Damaged`] if it is not what was written.
    pub fn next_block(&mut self) -> Result<Option<GameBlock>, StoreError> {
        let (offset, left) = (self.offset, self.length - self.offset);
        if left == 0 {
            return Ok(None);
        }
        let cut_off = || StoreError::CutOff(self.path.clone(), offset);
        let damaged = || StoreError::Damaged(self.path.clone(), offset);
        let mut prefix = [0; PREFIX_BYTES];
        if left < prefix.len() as u64 {
            return Err(cut_off());
        }
        self.source
            .read_exact(&mut prefix)
            .map_err(StoreError::io(&self.path))?;
        let (number, length, checksum) = parse_prefix(prefix);
        // A length that cannot be is damage, unless the end of the file lies within the block: then it may be a torn
        // write, of which nothing can be known.
        let whole = (PREFIX_BYTES + length) as u64;
        if !(START_BYTES + PLY_BYTES..=MAX_GAME_BYTES).contains(&length) {
            return Err(if left <= MAX_GAME_BYTES as u64 {
                cut_off()
            } else {
                damaged()
            });
        }
        if left < whole {
            return Err(cut_off());
        }
        let mut game = vec![0; length];
        self.source
            .read_exact(&mut game)
            .map_err(StoreError::io(&self.path))?;
        if checksum != checksum_of(number, &game) {
            return Err(if left == whole { cut_off() } else { damaged() });
        }
        self.offset += whole;
        Ok(Some(GameBlock {
            number,
            game,
            checksum,
            offset,
        }))
    }
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

/// A file that games are added to. No other process can write to it meanwhile.
#[derive(Debug)]
pub struct GameStore {
    path: PathBuf,
    file: File,
    /// Where the last whole block ends.
    end: u64,
}

impl GameStore {
    /// Opens the file for such games in a folder, made if need be, cuts off what is not whole at its end, and says which
    /// games it holds.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be had, holds other games, or is damaged before its end.
    pub fn open(folder: &Path, header: &Header) -> Result<(Self, BTreeSet<u64>), StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let path = folder.join(format!("seed-{}.{EXTENSION}", header.seed));
        let file = Self::lock(&path)?;
        let (end, games) = Self::mend(&path, &file, header)?;
        (&file)
            .seek(SeekFrom::Start(end))
            .map_err(StoreError::io(&path))?;
        Ok((Self { path, file, end }, games))
    }

    /// Opens a file, or makes it, for this process alone.
    fn lock(path: &Path) -> Result<File, StoreError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(StoreError::io(path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
            Err(TryLockError::Error(error)) => Err(StoreError::Io(path.to_owned(), error)),
        }
    }

    /// Writes the header where it is not whole, or cuts off a block that is not; where the file ends then, and its games.
    fn mend(
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

    /// Adds a game. If that fails, on a full disk for one, the file is left as it was before.
    ///
    /// # Errors
    /// [`StoreError::Io`] with what the system said.
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

    /// Has the system put everything on the disk.
    ///
    /// # Errors
    /// [`StoreError::Io`] with what the system said.
    pub fn close(self) -> Result<(), StoreError> {
        self.file.sync_all().map_err(StoreError::io(&self.path))
    }
}

/// Both headers must say the same.
fn check_header(path: &Path, found: &Header, wanted: &Header) -> Result<(), StoreError> {
    if found == wanted {
        return Ok(());
    }
    let mut pairs = found.text.lines().zip(wanted.text.lines());
    let (found, wanted) = pairs
        .find(|(found, wanted)| found != wanted)
        .unwrap_or(("fewer lines", "more lines"));
    Err(StoreError::Mismatch {
        path: path.to_owned(),
        found: found.to_owned(),
        wanted: wanted.to_owned(),
    })
}

/// The files of games in a folder, by name; a file stands for itself.
///
/// # Errors
/// [`StoreError`] if the folder cannot be read or there are none.
pub fn files_in(path: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(StoreError::io(path))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == EXTENSION)
    });
    files.sort();
    if files.is_empty() {
        Err(StoreError::Empty(path.to_owned()))
    } else {
        Ok(files)
    }
}
