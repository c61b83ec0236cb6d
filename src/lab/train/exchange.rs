//! Training games in the formats of other programs: viriformat in and out, EPD out.
//!
//! The blocks of our files are viriformat, so they are exported and imported unchanged. An import replays all games
//! first, and its header has a digest of the whole stream.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::game_record::{GameRecord, GameRecordError, GameResult, PLY_BYTES, Ply, START_BYTES};
use super::header::Header;
use super::known_games::KnownGames;
use super::store::{GameBlock, GameReader, GameStore, MAX_GAME_BYTES, StoreError};
use crate::base::value::is_decisive;
use crate::chess::{Color, Position};
use crate::eval::weights::Digest;

/// Bytes read at a time.
const BUFFER_BYTES: usize = 1 << 16;

/// Calls `each` for every game of the files, file by file, in the order of their numbers.
///
/// # Errors
/// [`StoreError`] with the place of the first fault or if a game is in two files, or the error of `each`.
pub fn each_game<E: From<StoreError>>(
    files: &[PathBuf],
    mut each: impl FnMut(&GameReader, &GameBlock) -> Result<(), E>,
) -> Result<(), E> {
    let mut known = KnownGames::default();
    for file in files {
        let mut reader = GameReader::open(file)?;
        known.start_file(file, reader.header());
        let mut blocks = Vec::new();
        while let Some(block) = reader.next_block()? {
            known.add(&block)?;
            blocks.push(block);
        }
        blocks.sort_unstable_by_key(|block| block.number);
        for block in &blocks {
            each(&reader, block)?;
        }
    }
    Ok(())
}

/// Writes every position in which a move was played as a line of EPD: the move (`sm`), the score in centipawns for the
/// side to move (`ce`; omitted for mate and tablebase scores), the move counters (`hmvc`, `fmvn`) and the result
/// (`c9`).
///
/// # Errors
/// [`io::Error`] if `out` cannot be written.
pub fn write_epd(game: &GameRecord, out: &mut impl Write) -> io::Result<()> {
    let result = match game.outcome {
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
        GameResult::WhiteWins => "1-0",
    };
    for (position, ply) in game.positions() {
        let fen = position.to_fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        write!(out, "{} sm {};", fields.join(" "), position.san(ply.played))?;
        if !is_decisive(i32::from(ply.score)) {
            write!(out, " ce {};", relative_score(&position, ply))?;
        }
        let (clock, number) = (position.halfmove_clock(), position.fullmoves());
        writeln!(out, " hmvc {clock}; fmvn {number}; c9 \"{result}\";")?;
    }
    Ok(())
}

/// The score from the view of the side to move.
fn relative_score(position: &Position, ply: Ply) -> i32 {
    match position.turn() {
        Color::White => i32::from(ply.score),
        Color::Black => -i32::from(ply.score),
    }
}

/// Imports a viriformat stream into a file of games in `folder` and returns the number of games in it. All moves are
/// checked before the first game is written. After a kill, the same call continues.
///
/// # Errors
/// [`StoreError`] with the stream and the byte of the first faulty game; nothing is written then.
pub fn import(stream: &Path, seed: u64, folder: &Path) -> Result<u64, StoreError> {
    each_in_stream(stream, |_, offset, game| {
        let checked = GameRecord::from_bytes(game).map(drop);
        checked.map_err(|error| StoreError::Game(stream.to_owned(), offset, error))
    })?;
    let digest = digest_of(stream).map_err(|error| StoreError::Io(stream.to_owned(), error))?;
    let (mut store, known) = GameStore::open(folder, &Header::imported(seed, digest), None)?;
    let games = each_in_stream(stream, |number, _, game| {
        if known.contains(&number) {
            return Ok(());
        }
        store.append(number, game)
    })?;
    store.close()?;
    Ok(games)
}

/// Calls `each` with the number, offset and bytes of every game of a stream and returns their count.
fn each_in_stream(
    stream: &Path,
    mut each: impl FnMut(u64, u64, &[u8]) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let refused = |error| StoreError::Io(stream.to_owned(), error);
    let mut source = BufReader::new(File::open(stream).map_err(refused)?);
    let (mut number, mut offset) = (0, 0);
    while let Some(game) = next_game(&mut source).map_err(refused)? {
        let game = game.map_err(|error| StoreError::Game(stream.to_owned(), offset, error))?;
        each(number, offset, &game)?;
        number += 1;
        offset += game.len() as u64;
    }
    Ok(number)
}

/// The bytes of the next game of a stream; `None` at its end.
fn next_game(source: &mut impl Read) -> io::Result<Option<Result<Vec<u8>, GameRecordError>>> {
    let mut game = Vec::with_capacity(START_BYTES + 128 * PLY_BYTES);
    source
        .by_ref()
        .take(START_BYTES as u64)
        .read_to_end(&mut game)?;
    if game.is_empty() {
        return Ok(None);
    }
    loop {
        let before = game.len();
        source
            .by_ref()
            .take(PLY_BYTES as u64)
            .read_to_end(&mut game)?;
        let is_whole = game.len() == before + PLY_BYTES && game.len() <= MAX_GAME_BYTES;
        if !is_whole || before < START_BYTES {
            return Ok(Some(Err(GameRecordError::Length)));
        }
        if game[before..] == [0; PLY_BYTES] {
            return Ok(Some(Ok(game)));
        }
    }
}

/// The digest of a file.
fn digest_of(path: &Path) -> io::Result<Digest> {
    let (mut file, mut buffer) = (File::open(path)?, vec![0; BUFFER_BYTES]);
    let mut digest = Digest::START;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest),
            length => digest = digest.add(&buffer[..length]),
        }
    }
}
