//! The fuzz targets: each gives arbitrary bytes to one reader of text or files. Nothing may panic, hang or take memory without
//! bound, and what a reader accepts must be consistent.
//!
//! `tests/fuzz.rs` runs them on stable Rust, `fuzz_targets/` under libFuzzer.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lucena::book::entry::ENTRY_BYTES;
use lucena::book::polyglot::{Book, split_legal};
use lucena::chess::{Game, GenType, MoveList, Position, read_fen_file};
use lucena::engine::perft::{perft, perft_by_moves, suite_lines};
use lucena::eval::WeightPart;
use lucena::eval::weights::{self, Digest};
use lucena::lab::bookmaking::pgn::{self, Issues, ReadOptions, Step};
use lucena::lab::bookmaking::score_log::ScoreLog;
use lucena::lab::bookmaking::{lines, names, verify};
use lucena::lab::suites::Epd;
use lucena::lab::train::checkpoint::Checkpoint;
use lucena::lab::train::complete::complete;
use lucena::lab::train::corpus::{Corpus, Filter};
use lucena::lab::train::emit;
use lucena::lab::train::exchange::{import, write_epd};
use lucena::lab::train::game_record::GameRecord;
use lucena::lab::train::header::Header;
use lucena::lab::train::readable::readable_text;
use lucena::lab::train::store::{GameReader, GameStore};
use lucena::lab::train::summary::GamesSummary;
use lucena::tablebase::embedded::TABLES;
use lucena::uci::command::Command;
use shakmaty_syzygy::Tablebase;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use tempfile::TempDir;

/// A name and what reads the bytes.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 10] = [
    ("fen", fen),
    ("uci", uci),
    ("pgn", pgn),
    ("polyglot", polyglot),
    ("weights", weights),
    ("games", games),
    ("epd", epd),
    ("syzygy", syzygy),
    ("score_log", score_log),
    ("checkpoint", checkpoint),
];

/// Moves of a game that are played.
const MAX_MOVES: usize = 200;

/// A temporary folder with a file of these bytes.
fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    (folder, path)
}

/// An error has a message.
fn checked<T, E: ToString>(result: Result<T, E>) -> Option<T> {
    result
        .inspect_err(|error| assert!(!error.to_string().is_empty()))
        .ok()
}

/// The first line is a FEN, each byte after it chooses a move.
pub fn fen(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let Some(mut position) = checked(Position::from_fen(&text)) else {
        return;
    };
    check_position(&position);
    for &choice in parts.next().unwrap_or_default().iter().take(MAX_MOVES) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice as usize % moves.len()];
        let in_check = position.gives_check(mv);
        position = position.play(mv);
        assert_eq!(position.in_check(), in_check, "{mv:?} to {position:?}");
        check_position(&position);
    }
    if position.legal_moves().len() < 60 {
        assert_eq!(perft(&position, 2), perft_by_moves(&position, 2));
    }
}

/// Checks that the methods of a position agree with each other.
fn check_position(position: &Position) {
    let fen = position.to_fen();
    assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
    assert_eq!(&position.flip().flip(), position, "{fen}");
    let moves = position.legal_moves();
    assert_eq!(moves.len(), position.count_legal_moves(), "{fen}");
    assert_eq!(moves.is_empty(), !position.has_legal_move(), "{fen}");
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.generate(GenType::Noisy, &mut noisy);
    position.generate(GenType::Quiet, &mut quiet);
    assert_eq!(noisy.len() + quiet.len(), moves.len(), "{fen}");
    for &mv in &moves {
        assert!(position.is_legal(mv), "{mv:?} in {fen}");
        let text = mv.uci(true).to_string();
        assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {fen}");
    }
}

/// Lines of the protocol; the moves of a `position` are played.
pub fn uci(bytes: &[u8]) {
    for line in bytes.split(|&byte| byte == b'\n') {
        let Some(Command::Position(request)) = checked(Command::parse(line)) else {
            continue;
        };
        let start = match &request.fen {
            Some(fen) => checked(Position::from_fen(fen)),
            None => Some(Position::startpos()),
        };
        let Some(start) = start else { continue };
        let mut game = Game::new(start);
        for text in request.moves.split(' ').take(MAX_MOVES) {
            let Some(mv) = checked(game.position().parse_move(text)) else {
                break;
            };
            game.play(mv);
        }
        assert!(Position::from_fen(&game.position().to_fen()).is_ok());
    }
}

/// A PGN file, read for a book and for named lines.
pub fn pgn(bytes: &[u8]) {
    let (_folder, path) = file("games.pgn", bytes);
    let options = ReadOptions {
        max_ply: MAX_MOVES,
        names: false,
        scores: true,
    };
    let mut skipped = Issues::default();
    let read = pgn::read_file(&path, options, &(), &mut skipped, &mut |batch| {
        for game in &batch.games {
            let mut plies = 0;
            checked(batch.play(game, |step| {
                if let Step::Move(at, mv) = step {
                    assert!(at.position().is_legal(mv));
                    plies += 1;
                }
            }));
            assert!(plies <= MAX_MOVES);
        }
        ControlFlow::Continue(())
    });
    checked(read);
    if let Some((lines, _)) = checked(lines::read(&path)) {
        let text = names::compile(&lines);
        assert!(
            text.lines().count()
                <= 2 * lines.iter().map(|line| line.plies.len()).sum::<usize>() + 2
        );
    }
}

/// A Polyglot book, as it is and with its entries in order.
pub fn polyglot(bytes: &[u8]) {
    let (_folder, path) = file("book.bin", bytes);
    checked(verify::check_format(&path));
    checked(Book::open(&path));
    let mut entries = bytes.as_chunks::<ENTRY_BYTES>().0.to_vec();
    entries.sort_unstable();
    let sorted = Book::from_bytes(&path, Cow::Owned(entries.concat()));
    let Some(book) = checked(sorted) else { return };
    assert_eq!(book.len(), entries.len() as u64);
    let start = Game::new(Position::startpos());
    let (moves, _) = book.moves(&start).expect("a book in memory");
    for found in moves {
        assert!(start.position().is_legal(found.mv));
    }
    let first = entries[0].first_chunk::<8>().expect("a key");
    let found = book.find(u64::from_be_bytes(*first)).expect("in memory");
    assert!(!found.is_empty());
    split_legal(start.position(), found);
    checked(verify::contents(&book));
}

/// A weights file.
pub fn weights(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    weights::untrained(&text);
    weights::provenance(&text).for_each(drop);
    let Some(read) = checked(weights::parse(&text)) else {
        assert!(complete(&text).is_err() && readable_text(&text).is_err());
        return;
    };
    let written = emit::text(&read, "", None);
    assert_eq!(weights::parse(&written).as_ref(), Ok(&read));
    if let Some(completed) = checked(complete(&text)) {
        assert!(weights::missing(&completed.text).is_empty());
        assert!(weights::parse(&completed.text).is_ok());
    }
    checked(readable_text(&text));
}

/// A file of games as it is; the bytes as a game in a file with a right checksum; and the bytes as a viriformat stream.
pub fn games(bytes: &[u8]) {
    let (folder, path) = file("some.games", bytes);
    read_games(&path);
    let header = Header::imported(7, Digest::START.add(bytes));
    let (mut store, _) = GameStore::open(folder.path(), &header, None).expect("a store");
    store.append(1, bytes).expect("written");
    store.close().expect("written");
    read_games(&GameStore::path(folder.path(), 7, None));
    if let Ok(imported) = import(&path, 8, folder.path()) {
        let path = GameStore::path(folder.path(), 8, None);
        let summary =
            GameReader::open(&path).and_then(|mut games| GamesSummary::of(&mut games, true));
        assert_eq!(summary.expect("an imported file").games, imported);
    }
    if let Some(game) = checked(GameRecord::from_bytes(bytes)) {
        assert_eq!(GameRecord::from_bytes(&game.to_bytes()).as_ref(), Ok(&game));
        let mut lines = Vec::new();
        write_epd(&game, &mut lines).expect("in memory");
    }
}

fn read_games(path: &Path) {
    if let Some(mut games) = checked(GameReader::open(path)) {
        checked(GamesSummary::of(&mut games, true));
    }
    checked(Corpus::read(&[path.to_owned()], &Filter::default(), &()));
}

/// EPD lines, as test positions, as openings and as a perft suite.
pub fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        if let Some(Some(epd)) = checked(Epd::parse(line)) {
            let position = epd.game.position();
            let moves = epd.best.iter().chain(&epd.avoid);
            assert!(moves.clone().all(|&mv| position.is_legal(mv)));
            assert!(moves.count() > 0 || epd.mate.is_some());
        }
    }
    for (_, line) in suite_lines(&text) {
        checked(line);
    }
    let (_folder, path) = file("openings.epd", bytes);
    if let Some(positions) = checked(read_fen_file(&path)) {
        assert!(!positions.is_empty());
    }
}

/// A built-in Syzygy table with edits: the first byte chooses the table, the next three its length if it is shorter, and each
/// four bytes after them are a place and its new byte.
pub fn syzygy(bytes: &[u8]) {
    let [table, length @ ..] = *bytes.first_chunk::<4>().unwrap_or(&[0; 4]);
    let table = &TABLES[usize::from(table) % TABLES.len()];
    let mut changed = table.bytes.to_vec();
    changed.truncate(number(length).wrapping_sub(1));
    for &[low, middle, high, value] in bytes.get(4..).unwrap_or_default().as_chunks::<4>().0 {
        let place = number([low, middle, high]) % changed.len().max(1);
        if let Some(byte) = changed.get_mut(place) {
            *byte = value;
        }
    }
    let files = EditedTables {
        name: table.name,
        bytes: changed,
    };
    let mut tables = Tablebase::with_filesystem(Arc::new(files));
    for other in TABLES {
        checked(tables.add_file(other.name));
    }
    for fen in table_positions(table.name) {
        let position = fen.to_chess();
        checked(tables.probe_wdl_after_zeroing(&position));
        checked(tables.probe_dtz(&position));
    }
}

/// A length or a place: 0 to 16,777,215.
fn number(bytes: [u8; 3]) -> usize {
    let [low, middle, high] = bytes.map(usize::from);
    low | middle << 8 | high << 16
}

/// Some positions of a table, with both sides to move.
fn table_positions(name: &str) -> Vec<Position> {
    let pieces = name.split('.').next().unwrap_or_default();
    let (white, black) = pieces.split_once('v').expect("the name of a table");
    let pieces = white.to_owned() + &black.to_lowercase();
    let mut found = Vec::new();
    for shift in 0..20 {
        let mut board: [String; 64] = std::array::from_fn(|_| "1".to_owned());
        for (at, piece) in (1..).zip(pieces.chars()) {
            board[(shift * 7 + at * (13 + shift)) % 64] = piece.to_string();
        }
        let ranks: Vec<String> = board.chunks(8).map(<[String]>::concat).collect();
        for side in ["w", "b"] {
            let fen = format!("{} {side} - - 0 1", ranks.join("/"));
            found.extend(Position::from_fen(&fen));
        }
    }
    found
}

/// The built-in tables, one of them changed, as files.
struct EditedTables {
    name: &'static str,
    bytes: Vec<u8>,
}

struct TableBytes(Cow<'static, [u8]>);

impl Filesystem for EditedTables {
    fn regular_file_size(&self, _path: &Path) -> io::Result<u64> {
        // Only its remainder is checked.
        Ok(80)
    }

    fn read_dir(&self, _path: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let table = TABLES.iter().find(|table| Path::new(table.name) == path);
        let table = table.ok_or(io::ErrorKind::NotFound)?;
        let bytes = if table.name == self.name {
            Cow::Owned(self.bytes.clone())
        } else {
            Cow::Borrowed(table.bytes)
        };
        Ok(Box::new(TableBytes(bytes)))
    }
}

impl RandomAccessFile for TableBytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.0.get(at..));
        let rest = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

/// A log of scores as it is, and with a right header in place of its first line and right checksums; opened a second time, it
/// has the same scores.
pub fn score_log(bytes: &[u8]) {
    let (_folder, path) = file("log", b"");
    drop(checked(ScoreLog::open(&path, NODES)));
    let mut whole = fs::read(&path).expect("the log");
    for line in bytes.split(|&byte| byte == b'\n').skip(1) {
        let text = line.split(|&byte| byte == b'.').next().unwrap_or_default();
        whole.extend_from_slice(text);
        let checksum = Digest::START.add(text).0 as u32;
        whole.extend(format!(".{checksum:08x}\n").bytes());
    }
    for bytes in [bytes, &whole] {
        score_log_of(bytes);
    }
}

/// The nodes of the logs of scores.
const NODES: u64 = 500;

fn score_log_of(bytes: &[u8]) {
    let (_folder, path) = file("log", bytes);
    let keys: Vec<u64> = String::from_utf8_lossy(bytes)
        .split_whitespace()
        .filter_map(|word| u64::from_str_radix(word, 16).ok())
        .collect();
    let scores = |log: &ScoreLog| keys.iter().map(|&key| log.get(key)).collect::<Vec<_>>();
    let Some(log) = checked(ScoreLog::open(&path, NODES)) else {
        assert_eq!(fs::read(&path).expect("the log"), bytes);
        return;
    };
    let found = scores(&log);
    drop(log);
    let again = checked(ScoreLog::open(&path, NODES)).expect("an accepted log");
    assert_eq!(scores(&again), found);
}

/// A checkpoint as it is, and with a right beginning, a right checksum and the length that its numbers promise.
pub fn checkpoint(bytes: &[u8]) {
    const MAGIC: &[u8] = b"lucena tuning 2\n";
    let read = |bytes: &[u8]| {
        let key = bytes[MAGIC.len().min(bytes.len())..].first_chunk::<8>();
        let key = Digest(key.map_or(0, |key| u64::from_le_bytes(*key)));
        let (_folder, path) = file("checkpoint", bytes);
        checked(Checkpoint::read(&path, key)).flatten()
    };
    read(bytes);
    let mut whole = [MAGIC, bytes].concat();
    if let Some(epochs) = bytes.get(16..).and_then(|rest| rest.first_chunk::<8>()) {
        let epochs = u64::from_le_bytes(*epochs);
        let tables = 3 * 4 * WeightPart::COUNT * lucena::eval::COUNT;
        let length = MAGIC.len() + 24 + 16 * (epochs % 64) as usize + tables;
        if epochs < 64 {
            whole.resize(length, 0);
        }
    }
    let digest = Digest::START.add(&whole).0;
    whole.extend(digest.to_le_bytes());
    if let Some(checkpoint) = read(&whole) {
        let (folder, path) = file("again", MAGIC);
        checkpoint.write(&path, Digest(5)).expect("written");
        let again = Checkpoint::read(&path, Digest(5)).expect("a checkpoint");
        assert_eq!(
            again.map(|again| again.losses.len()),
            Some(checkpoint.losses.len())
        );
        drop(folder);
    }
}
