//! The layers of `src`: which folder may import which, which crates each may use, how long a file may be, and which words
//! stay out. Printing and `unsafe` are denied by clippy and the compiler (`Cargo.toml`, `src/lib.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folder, folders it may import, crates it may use. Lower layers first: a folder imports only from lines above its own.
const LAYERS: &str = "
    base      |                                        | loom memmap2 thiserror
    chess     | base                                   | shakmaty arrayvec thiserror
    eval      | base chess                             | thiserror
    tablebase | base chess                             | shakmaty shakmaty_syzygy thiserror
    book      | base chess                             | thiserror
    search    | base chess eval tablebase              | crossbeam arrayvec loom thiserror
    engine    | base chess eval tablebase book search  | crossbeam thiserror
    explain   | base chess eval                        | serde
    lab       | base chess eval tablebase book search engine | rayon thiserror pgn_reader crossbeam tempfile plotters
    uci       | base chess engine explain lab          | crossbeam thiserror
    cli       | base chess eval tablebase book search engine explain lab uci | clap rayon serde serde_json indicatif thiserror
    main      | cli                                    |
";
/// Longer files want to be two.
const MAX_LINES: usize = 500;
/// Words that the glossary replaces (docs/glossary.md).
const BANNED: &[&str] = &[
    "men",
    "officer",
    "officers",
    "stranger",
    "strangers",
    "mended",
    "taken in passing",
    "passed over in silence",
    "games that teach",
    "hundredths",
];

struct Layer {
    imports: BTreeSet<&'static str>,
    crates: BTreeSet<&'static str>,
}

fn layers() -> Vec<(&'static str, Layer)> {
    let rows = LAYERS.lines().filter(|line| line.contains('|'));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .map(|cells| {
            let words = |cell: usize| cells[cell].split_whitespace().collect();
            (
                cells[0],
                Layer {
                    imports: words(1),
                    crates: words(2),
                },
            )
        })
        .collect()
}

/// The code of a file without comments and string literals, as far as this test needs it.
fn code(text: &str) -> String {
    let without_comments = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let joined = without_comments.collect::<Vec<_>>().join("\n");
    joined.split('"').step_by(2).collect::<Vec<_>>().join("\"")
}

/// The names that follow `prefix` in `code`: `crate::a` and each `x` of `crate::{x::y, z}`.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let word = |text: &'a str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        &text[..end.unwrap_or(text.len())]
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut start) = (1, 0);
        for (index, c) in list.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if (c == ',' && depth == 1) || depth == 0 {
                found.push(word(list[start..index].trim_start()));
                start = index + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

/// Every broken rule in one file of `src`, as `path: what`.
fn faults(path: &str, text: &str) -> Vec<String> {
    let folder = path
        .split('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".rs");
    let mut found = Vec::new();
    let (layers, code) = (layers(), code(text));
    let Some((_, layer)) = layers.iter().find(|(name, _)| *name == folder) else {
        if folder != "lib" {
            found.push(format!("{path}: `{folder}` is not in the table of layers"));
        }
        return found;
    };
    let imports = ["crate::", "lucena::"]
        .map(|prefix| names_after(&code, prefix))
        .concat();
    for name in imports {
        let is_layer = layers.iter().any(|(other, _)| *other == name);
        if is_layer && name != folder && !layer.imports.contains(name) {
            found.push(format!("{path}: `{folder}` may not import `{name}`"));
        }
    }
    for name in crates() {
        let named =
            code.contains(&format!("use {name}::")) || !names_of_crate(&code, &name).is_empty();
        if named && !layer.crates.contains(name.as_str()) {
            found.push(format!("{path}: `{folder}` may not use the crate `{name}`"));
        }
    }
    if text.lines().count() > MAX_LINES {
        found.push(format!("{path}: more than {MAX_LINES} lines"));
    }
    found
}

/// Places where a path begins with the name of a crate.
fn names_of_crate<'a>(code: &'a str, name: &str) -> Vec<&'a str> {
    let path = format!("{name}::");
    let starts = code.match_indices(&path).filter(|(at, _)| {
        let before = code[..*at].trim_end_matches(' ');
        !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'))
            || before.ends_with("use")
    });
    starts.map(|(_, found)| found).collect()
}

/// The dependencies of Cargo.toml, as code writes them.
fn crates() -> Vec<String> {
    let manifest = include_str!("../Cargo.toml").replace('-', "_");
    let sections = manifest
        .split("\n[")
        .filter(|text| text.contains("dependencies]"));
    let lines = sections.flat_map(|section| section.lines().skip(1));
    let names = lines.filter_map(|line| line.split_once('='));
    names
        .map(|(name, _)| name.trim().to_owned())
        .filter(|name| !name.starts_with('#'))
        .collect()
}

/// Every Rust file below `folder` with its path from there.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        let entries = std::fs::read_dir(&next).expect("a folder of sources");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(folder).expect("a file below the folder");
                let text = std::fs::read_to_string(&path).expect("a readable file");
                found.insert(name.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    found
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn every_file_keeps_to_its_layer() {
    let faults: Vec<String> = files(&folder("src"))
        .iter()
        .flat_map(|(path, text)| faults(path, text))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn layers_import_downwards() {
    let layers = layers();
    for (index, (name, layer)) in layers.iter().enumerate() {
        for import in &layer.imports {
            let is_below = layers[..index].iter().any(|(lower, _)| lower == import);
            assert!(
                is_below,
                "`{name}` imports `{import}`, which is not below it"
            );
        }
    }
}

#[test]
#[ignore = "until the words are replaced"]
fn banned_words_stay_out() {
    let mut faults = Vec::new();
    for place in ["src", "tests", "benches"] {
        for (path, text) in files(&folder(place)) {
            if place == "tests" && path == "house.rs" {
                continue;
            }
            for (number, line) in text.lines().enumerate() {
                let line = line.to_lowercase();
                let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
                let padded = format!(" {} ", words.join(" "));
                for word in BANNED {
                    if padded.contains(&format!(" {word} ")) {
                        faults.push(format!("{place}/{path}:{}: {word}", number + 1));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn planted_faults_are_found() {
    let cases = [
        (
            "chess/board.rs",
            "use crate::search::pool::Pool;",
            "may not import `search`",
        ),
        (
            "eval/mod.rs",
            "use crate::{chess::Move, lab::{train, spsa}};",
            "may not import `lab`",
        ),
        (
            "book/mod.rs",
            "fn f() { crate::engine::run() }",
            "may not import `engine`",
        ),
        (
            "search/tt.rs",
            "use rayon::prelude::*;",
            "the crate `rayon`",
        ),
        (
            "eval/mod.rs",
            "#[derive(clap::Parser)] struct A;",
            "the crate `clap`",
        ),
        ("cellar/mod.rs", "", "not in the table"),
    ];
    for (path, text, expected) in cases {
        let found = faults(path, text);
        assert!(
            found.len() == 1 && found[0].contains(expected),
            "{path}: {text}: {found:?}"
        );
    }
    let fine = [
        (
            "search/tt.rs",
            "use crate::{chess::Move, base::sys, search::tt}; // crate::uci",
        ),
        (
            "chess/board.rs",
            r#"fn f() { g("crate::uci"); self.clap::<u8>() }"#,
        ),
    ];
    for (path, text) in fine {
        assert_eq!(faults(path, text), Vec::<String>::new(), "{text}");
    }
    assert!(faults("base/value.rs", &"\n".repeat(MAX_LINES + 1))[0].contains("lines"));
}
