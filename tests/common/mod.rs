//! Shared test helpers: seeded random numbers, temporary folders, perft suites, tables in documents.
#![allow(dead_code, reason = "no test uses all of it")]

pub mod books;
pub mod evaluation;
pub mod help;
pub mod schema;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use lucena::base::random::{GOLDEN_RATIO, mix};
use lucena::chess::Position;
use tempfile::TempDir;

/// `SplitMix64` (Steele, Lea and Flood).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Otherwise neighbouring seeds would give shifted copies of one sequence.
        Self(seed.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        mix(self.0)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

impl Random {
    /// A legal position with these pieces, in FEN letters.
    pub fn position(&mut self, pieces: &str) -> Position {
        loop {
            let mut board = ["1"; 64];
            for at in 0..pieces.len() {
                board[self.below(64)] = &pieces[at..=at];
            }
            let ranks: Vec<String> = board.chunks(8).map(|rank| rank.concat()).collect();
            let fen = format!("{} {} - - 0 1", ranks.join("/"), self.pick(&["w", "b"]));
            if let Ok(position) = Position::from_fen(&fen)
                && position.occupied().count() == pieces.len()
            {
                return position;
            }
        }
    }
}

/// A temporary folder with `name` in its path, removed when dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(name: &str) -> Self {
        let prefix = format!("lucena-{name}-");
        Self(
            tempfile::Builder::new()
                .prefix(&prefix)
                .tempdir()
                .expect("a folder"),
        )
    }

    /// Its path, as an argument.
    pub fn path(&self) -> String {
        self.0.path().to_str().expect("text").to_owned()
    }

    /// The path of a file in it, as an argument.
    pub fn text(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("text").to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// The name and bytes of every file in a folder and its subfolders.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inner = files(&entry.path()).into_iter();
            found.extend(inner.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
    found
}

/// Runs the program with these arguments.
pub fn lucena(arguments: &[&str]) -> Output {
    lucena_with_input(arguments, "")
}

/// Runs the program with these arguments and this standard input.
pub fn lucena_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin");
    // The program may exit without reading its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program exits")
}

pub const SUITES: [&str; 3] = ["standard.epd", "chess960.epd", "edge.epd"];

pub fn suite_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("perft")
        .join(name)
}

pub fn suite_text(name: &str) -> String {
    std::fs::read_to_string(suite_path(name)).expect("a suite of this package")
}

/// Replaces a table in a document, between the lines that name the test it comes from.
pub fn rewrite_table(page: &str, test: &str, table: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(page);
    let begin =
        format!("<!-- {test}: cargo test --release --test engine {test} -- --ignored -->\n");
    let end = format!("<!-- {test}: end -->\n");
    let text = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = text.split_once(&begin).expect("where the table begins");
    let (_, after) = rest.split_once(&end).expect("where it ends");
    let text = format!("{before}{begin}{table}{end}{after}");
    std::fs::write(path, text).expect("the page is written");
}
