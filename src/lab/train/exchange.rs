//! Games in the formats of other programs.
//! Uses: chess, eval (digests), record, store. Used by: cli.
//! Idea: viriformat is what the blocks of our files hold, so it goes out and comes in byte for byte; what comes in is
//! replayed first, all of it, and its file is named by the fingerprint of all its bytes. EPD goes out for programs that learn from
//! positions with results, one a line.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::game_record::{GameRecord, GameRecordError, GameResult, PLY_BYTES, Ply, START_BYTES};
use super::header::Header;
use super::store::{GameBlock, GameReader, GameStore, MAX_GAME_BYTES, StoreError};
use crate::base::value::is_decisive;
use crate::chess::{Color, Position};
use crate::eval::weights::Digest;

/// Bytes that are read at a time to find a fingerprint.
const PIECE: usize = 1 << 16;

/// Does something with every game of files, file by file, in the order of their numbers.
///
/// # Errors
/// [`StoreError`] names the place of the first damage; what `each` says.
pub fn each_game<E: From<StoreError>>(
    files: &[PathBuf],
    mut each: impl FnMut(&GameReader, &GameBlock) -> Result<(), E>,
) -> Result<(), E> {
    for file in files {
        let mut reader = GameReader::open(file)?;
        let mut blocks = Vec::new();
        while let Some(block) = reader.next_block()? {
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
/// mover (`ce`; none where the search saw the end), the clocks (`hmvc`, `fmvn`) and the result of the game (`c9`).
///
/// # Errors
/// What the system said.
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
            write!(out, " ce {};", for_mover(&position, ply))?;
        }
        let (clock, number) = (position.halfmove_clock(), position.fullmoves());
        writeln!(out, " hmvc {clock}; fmvn {number}; c9 \"{result}\";")?;
    }
    Ok(())
}

fn for_mover(position: &Position, ply: Ply) -> i32 {
    match position.turn() {
        Color::White => i32::from(ply.score),
        Color::Black => -i32::from(ply.score),
    }
}

/// Takes the games of a bare stream of viriformat into a file of games in `folder`; how many it holds then. Every move is
/// checked before the first game is taken. A run that is killed goes on where it was.
///
/// # Errors
/// [`StoreError`] names the stream and the byte at which a game begins that is none; nothing of such a stream is taken.
pub fn import(stream: &Path, seed: u64, folder: &Path) -> Result<u64, StoreError> {
    each_in_stream(stream, |_, offset, game| {
        let checked = GameRecord::from_bytes(game).map(drop);
        checked.map_err(|error| StoreError::Game(stream.to_owned(), offset, error))
    })?;
    let digest = fingerprint(stream).map_err(|error| StoreError::Io(stream.to_owned(), error))?;
    let (mut store, known) = GameStore::open(folder, &Header::imported(seed, digest))?;
    let games = each_in_stream(stream, |number, _, game| {
        if known.contains(&number) {
            return Ok(());
        }
        store.append(number, game)
    })?;
    store.close()?;
    Ok(games)
}

/// Does something with the number, the place and the bytes of every game of a stream; how many there are.
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

/// The bytes of the next game of a stream, or why there is none; `None` at its end.
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

/// The fingerprint of a file.
fn fingerprint(path: &Path) -> io::Result<Digest> {
    let (mut file, mut piece) = (File::open(path)?, vec![0; PIECE]);
    let mut digest = Digest::START;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(digest),
            length => digest = digest.add(&piece[..length]),
        }
    }
}
