//! The house rules: who may import whom, who may print, where `unsafe` may stand, how long a file may be.
//! Uses: nothing but the text of `src`.
//! Idea: the table below *is* the architecture; an import that is not in it fails.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A room, or one file of it that may use more; the rooms (`*`: all) and the crates besides `std` it may use.
/// Lower rooms stand first and a room uses only rooms above its line: nothing points up, nothing
/// goes in a circle.
const TABLE: &str = "
    value          |                                    |
    progress       |                                    |
    random         |                                    |
    output         |                                    |
    sync           |                                    | parking_lot loom
    sys            | sync                               | memmap2 thiserror
    chess          |                                    | shakmaty arrayvec thiserror
    chess/perft.rs | sync sys                           | rayon
    book           | chess progress random              | pgn_reader crossbeam tempfile thiserror
    eval           | chess value                        | thiserror
    explain        | eval chess value                   | serde serde_json
    tablebase      | chess value progress sys output    | shakmaty shakmaty_syzygy parking_lot rayon thiserror
    search         | tablebase eval chess value sync sys | crossbeam parking_lot arrayvec loom thiserror
    book/judge.rs  | search value                       |
    book/grow.rs   | value                              |
    book/verify.rs | value                              |
    learn          | search eval chess value progress random output | rayon parking_lot thiserror
    engine         | search tablebase eval chess value sys book random | crossbeam parking_lot thiserror
    analyse        | engine chess value progress          | rayon parking_lot thiserror
    bench          | engine chess value                 |
    uci            | engine explain bench learn chess value | crossbeam parking_lot thiserror
    cli            | *                                  | plotters clap rayon serde serde_json indicatif parking_lot thiserror
    main           | cli                                |
";
/// The rooms that print; nothing below them does.
const PRINTING: &[&str] = &["uci", "cli", "main"];
/// The rooms that name shakmaty's own position, `Chess`: the gatekeeper of FEN, and what the reader of tables asks for.
const NAMING_CHESS: &[&str] = &["chess", "tablebase"];
/// The only room that may hold `unsafe` code.
const UNSAFE: &[&str] = &["sys"];
/// A longer file wants to be two, unless a program wrote it.
const MAX_LINES: usize = 500;
const GENERATED: &[&str] = &["eval/weights.rs"];

/// A line of the table: path, rooms, crates.
type Row = (&'static str, Vec<&'static str>, Vec<&'static str>);

fn table() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| line.contains('|'));
    let rows = lines.map(|line| line.split('|').map(str::split_whitespace));
    rows.map(|mut row| {
        let path = row.next().and_then(|mut cell| cell.next());
        let mut cell = || row.next().into_iter().flatten().collect();
        (path.expect("a path"), cell(), cell())
    })
    .collect()
}

/// The room that a file in `src` belongs to.
fn room_of(path: &str) -> &str {
    path.split_once('/')
        .map_or(path.trim_end_matches(".rs"), |(room, _)| room)
}

/// Every broken rule in one file, as `path:line: what`. `crates` are the dependencies.
fn faults(path: &str, text: &str, crates: &BTreeSet<String>) -> Vec<String> {
    let (room, table, tokens) = (room_of(path), table(), tokens(text));
    let rows: Vec<&Row> = table
        .iter()
        .filter(|row| row.0 == room || row.0 == path)
        .collect();
    let uses_room = |name| {
        room == name
            || rows
                .iter()
                .any(|row| row.1.contains(&"*") || row.1.contains(&name))
    };
    let uses_crate = |name| rows.iter().any(|row| row.2.contains(&name));
    let word = |index: usize| tokens.get(index).map_or("", |token| token.1);
    let mut found = Vec::new();
    let mut check = |kept: bool, line: usize, what: String| {
        if !kept {
            found.push(format!("{path}:{line}: {what}"));
        }
    };
    check(
        room == "lib" || !rows.is_empty(),
        1,
        format!("`{room}` has no row in the table"),
    );
    for (index, &(line, token)) in tokens.iter().enumerate() {
        let (before, next) = (
            if index > 0 { word(index - 1) } else { "" },
            word(index + 1),
        );
        for name in imported_rooms(path, index, &word) {
            check(
                uses_room(name),
                line,
                format!("`{room}` may not use the room `{name}`"),
            );
        }
        let is_crate = crates.contains(token)
            && !matches!(before, "::" | ".")
            && (before == "use" || next == "::");
        check(
            !is_crate || uses_crate(token),
            line,
            format!("`{path}` may not use the crate `{token}`"),
        );
        let allowed = match token {
            "print" | "println" | "eprint" | "eprintln" | "dbg" if next == "!" => PRINTING,
            "stdout" | "stderr" => PRINTING,
            "unsafe" => UNSAFE,
            "Chess" => NAMING_CHESS,
            _ => continue,
        };
        check(
            allowed.contains(&room),
            line,
            format!("`{token}` may stand in {allowed:?} only"),
        );
    }
    let (lines, generated) = (text.lines().count(), GENERATED.contains(&path));
    check(
        generated || lines <= MAX_LINES,
        lines,
        format!("more than {MAX_LINES} lines: make it two files"),
    );
    found
}

/// The rooms to which the path at token `index` leads: `crate::room`, `crate::{room, other::Thing}`,
/// `lucena::room`, or a chain of `super::` that leaves the room.
fn imported_rooms<'a>(path: &str, index: usize, word: &impl Fn(usize) -> &'a str) -> Vec<&'a str> {
    let depth = path.trim_end_matches("/mod.rs").split('/').count();
    let mut at = match word(index) {
        "crate" | "lucena" => index + 1,
        "super" if index < 2 || word(index - 2) != "super" => {
            let chain = (index..)
                .step_by(2)
                .take_while(|&at| word(at) == "super")
                .count();
            if chain < depth {
                return Vec::new();
            }
            index + 2 * chain - 1
        }
        _ => return Vec::new(),
    };
    if word(at) != "::" {
        return Vec::new();
    }
    at += 1;
    let mut names = vec![word(at)];
    let mut open = usize::from(word(at) == "{");
    while open > 0 && !word(at).is_empty() {
        at += 1;
        match word(at) {
            "{" => open += 1,
            "}" => open -= 1,
            name if open == 1 && matches!(word(at - 1), "{" | ",") => names.push(name),
            _ => {}
        }
    }
    names.retain(|name| table().iter().any(|row| row.0 == *name));
    names
}

/// The words and signs of a Rust file with their line numbers, without comments, strings and characters.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(first) = rest.chars().next() {
        let word = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let (length, is_code) =
            if let Some(length) = raw_string_length(&rest[..word], &rest[word..]) {
                (word + length, false)
            } else if word > 0 {
                (word, true)
            } else if rest.starts_with("//") {
                (rest.find('\n').unwrap_or(rest.len()), false)
            } else if rest.starts_with("/*") {
                (block_comment_length(rest), false)
            } else if first == '"' || (first == '\'' && is_character(rest)) {
                (quoted_length(rest, first), false)
            } else {
                let sign = if rest.starts_with("::") {
                    2
                } else {
                    first.len_utf8()
                };
                (sign, !first.is_whitespace())
            };
        if is_code {
            found.push((line, &rest[..length]));
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// How long the raw string is that `rest` begins with, if `word` before it says that one begins.
fn raw_string_length(word: &str, rest: &str) -> Option<usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let body = rest[hashes..]
        .strip_prefix('"')
        .filter(|_| matches!(word, "r" | "br" | "cr"))?;
    let end = format!("\"{}", &rest[..hashes]);
    Some(
        body.find(&end)
            .map_or(rest.len(), |at| hashes + 1 + at + end.len()),
    )
}

/// How long the block comment is that `rest` begins with; it may hold others.
fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        (depth, at) = match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth - 1, at + 2),
            _ => (depth, at + 1),
        };
        if depth == 0 {
            break;
        }
    }
    at
}

/// Whether the quote that `rest` begins with opens a character and not a lifetime.
fn is_character(rest: &str) -> bool {
    let mut after = rest.chars().skip(1);
    after.next() == Some('\\') || after.next() == Some('\'')
}

/// How long the literal is that `rest` begins with; a backslash hides the next character.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut hidden = false;
    for (at, character) in rest.char_indices().skip(1) {
        if character == quote && !hidden {
            return at + 1;
        }
        hidden = character == '\\' && !hidden;
    }
    rest.len()
}

/// The dependencies named in Cargo.toml, as code writes them.
fn crates() -> BTreeSet<String> {
    let manifest = include_str!("../Cargo.toml").replace('-', "_");
    let sections = manifest
        .split("\n[")
        .filter(|text| text.contains("dependencies]"));
    let lines = sections.flat_map(|section| section.lines().skip(1));
    lines
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().to_owned())
        .collect()
}

/// Every Rust file below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    found
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

#[test]
fn every_file_keeps_the_rules() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut rooms) = (Vec::new(), BTreeSet::new());
    for file in files(&source) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let path = file.strip_prefix(&source).expect("a file in src");
        let path = path.to_string_lossy().replace('\\', "/");
        found.extend(faults(&path, &text, &crates()));
        rooms.insert(room_of(&path).to_owned());
    }
    assert!(
        found.is_empty(),
        "house rules broken:\n{}",
        found.join("\n")
    );
    for (path, ..) in table() {
        assert!(
            rooms.contains(room_of(path)),
            "the row `{path}` has no room"
        );
    }
}

#[test]
fn the_table_points_one_way() {
    let table = table();
    for (index, (path, rooms, _)) in table.iter().enumerate() {
        for room in rooms.iter().filter(|room| **room != "*") {
            let is_below = table[..index].iter().any(|lower| lower.0 == *room);
            assert!(is_below, "`{path}` uses `{room}`, which is not below it");
        }
    }
}

/// file ¦ its text ¦ the one fault in it, if there is one
const PLANTED: &str = r##"
chess/board.rs ¦ use crate::search::pool::Pool;                                ¦ the room `search`
chess/board.rs ¦ use crate::{chess::Move, value::{self, Value}};               ¦ the room `value`
chess/mod.rs   ¦ use super::engine::Engine;                                    ¦ the room `engine`
chess/board.rs ¦ use super::super::engine::Engine;                             ¦ the room `engine`
main.rs        ¦ fn f() { lucena :: uci::run() }                               ¦ the room `uci`
search/tt.rs   ¦ use rayon::prelude::*;                                        ¦ search/tt.rs:1: `search/tt.rs` may not use the crate `rayon`
chess/board.rs ¦ use rayon as r;                                               ¦ the crate `rayon`
eval/mod.rs    ¦ #[derive(clap::Parser)] struct A;                             ¦ the crate `clap`
search/tt.rs   ¦ println!("nodes");                                            ¦ `println`
engine.rs      ¦ std::io::stderr().lock();                                     ¦ `stderr`
lib.rs         ¦ dbg!(1);                                                      ¦ `dbg`
uci/mod.rs     ¦ let x = unsafe { *p };                                        ¦ `unsafe`
eval/mod.rs    ¦ use crate::chess::Chess;                                      ¦ `Chess`
cellar.rs      ¦                                                               ¦ `cellar` has no row
value.rs       ¦ const C: char = '\''; /* /* */ " */ fn f<'a>() { print!() }   ¦ `print`
value.rs       ¦ const S: (&str, &str) = (r#"""#, "\""); fn f() { print!() }   ¦ `print`
search/tt.rs   ¦ /* unsafe /* stdout */ dbg!() */ "crate::uci \" dbg!" '"' // crate::uci ¦
search/tt.rs   ¦ use crate::{chess::Move, sys, search::tt}; use super::limits; ¦
search/tt.rs   ¦ mod tests { use super::super::*; }                            ¦
chess/perft.rs ¦ use rayon::prelude::*; fn clap() { self.clap::<u8>() }        ¦
sys.rs         ¦ #![allow(unsafe_code)] fn f() { unsafe { g() } }              ¦
uci/print.rs   ¦ let print = std::io::stdout(); crate::engine::Engine::new();  ¦
"##;

#[test]
fn planted_faults_are_found() {
    for line in PLANTED.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split('¦').map(str::trim).collect();
        let found = faults(cells[0], cells[1], &crates());
        let expected = usize::from(!cells[2].is_empty());
        let is_right =
            found.len() == expected && found.iter().all(|fault| fault.contains(cells[2]));
        assert!(is_right, "{line}\ngives {found:?}");
    }
    let found = faults("value.rs", &"\n".repeat(MAX_LINES + 1), &crates());
    assert!(found.len() == 1 && found[0].contains("lines: make it two"));
    assert_eq!(
        faults("eval/weights.rs", &"\n".repeat(MAX_LINES + 1), &crates()),
        [""; 0]
    );
}
