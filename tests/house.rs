//! The layers of `src`: which folder may import which, which crates each may use, how long a file may be, and which words
//! stay out. Printing and `unsafe` are denied by clippy and the compiler (`Cargo.toml`, `src/lib.rs`).

#[path = "common/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use source::{code, paths};

/// Folder | folders it imports | crates it uses. A folder imports only from rows above its own. `engine` is the facade of the
/// front ends: `uci` and `web` use nothing of the engine below it, and `cli` only what its commands on weights and tablebases
/// show.
const LAYERS: &str = "
    base      |                                                   | loom memmap2 thiserror web_time
    chess     |                                                   | shakmaty arrayvec thiserror
    eval      | base chess                                        | thiserror
    tablebase | base chess                                        | shakmaty shakmaty_syzygy thiserror
    book      | base chess                                        | thiserror
    search    | base chess eval tablebase                         | crossbeam_channel crossbeam_utils arrayvec loom thiserror
    explain   | base chess eval tablebase search                  | serde thiserror
    engine    | base chess eval tablebase book search explain     | crossbeam_utils rayon serde thiserror
    lab       | base chess eval tablebase book search explain engine | rayon thiserror crossbeam_channel tempfile plotters serde lzma_rust2 ruzstd redb
    uci       | base chess engine                                 | crossbeam_channel strsim thiserror
    web       | base chess engine lab                             | js_sys wasm_bindgen form_urlencoded futures_util http_body_util hyper hyper_util include_dir serde serde_json serde_path_to_error thiserror tokio tokio_tungstenite
    cli       | base chess eval tablebase engine lab uci web      | clap clap_complete clap_mangen open rayon serde serde_json indicatif ctrlc
    main      | cli                                               |
";
/// The most folders, and imports of one by another; `main.rs` does not count.
const MAX_FOLDERS: usize = 12;
const MAX_IMPORTS: usize = 45;
/// Longer files should be split.
const MAX_LINES: usize = 500;
/// Words that the glossary replaces (docs/glossary.md).
const BANNED: &str = "men|officer|officers|stranger|strangers|mended|taken in passing|passed over in silence|\
    games that teach|hundredths";

struct Layer {
    name: &'static str,
    imports: Vec<&'static str>,
    crates: Vec<&'static str>,
}

fn layers() -> Vec<Layer> {
    let rows = LAYERS.lines().filter(|line| line.contains('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        Layer {
            name: cells[0],
            imports: cells[1].split_whitespace().collect(),
            crates: cells[2].split_whitespace().collect(),
        }
    })
    .collect()
}

/// The folder of a file of `src`; for a file that is in none its name.
fn folder_of(path: &str) -> &str {
    let folder = path.split('/').next().unwrap_or(path);
    folder.trim_end_matches(".rs")
}

/// Every broken rule in one file of `src`, as `path: what`.
fn faults(path: &str, text: &str) -> Vec<String> {
    let folder = folder_of(path);
    let (layers, code) = (layers(), code(text));
    let mut found = Vec::new();
    let Some(layer) = layers.iter().find(|layer| layer.name == folder) else {
        if folder != "lib" {
            found.push(format!("{path}: `{folder}` is not in the table of layers"));
        }
        return found;
    };
    let imports = ["crate", "lucena"].map(|root| paths(&code, root)).concat();
    let names: BTreeSet<&str> = imports
        .iter()
        .filter_map(|path| path.first().copied())
        .collect();
    for name in names {
        // The root of the library shows some items a second time.
        if !layers.iter().any(|other| other.name == name) {
            found.push(format!("{path}: `{name}` is not a folder"));
        } else if name != folder && !layer.imports.contains(&name) {
            found.push(format!("{path}: `{folder}` may not import `{name}`"));
        }
    }
    for name in crates() {
        if !paths(&code, &name).is_empty() && !layer.crates.contains(&name.as_str()) {
            found.push(format!("{path}: `{folder}` may not use the crate `{name}`"));
        }
    }
    if text.lines().count() > MAX_LINES {
        found.push(format!("{path}: more than {MAX_LINES} lines"));
    }
    found
}

/// The dependencies in Cargo.toml, as code writes them.
fn crates() -> Vec<String> {
    let manifest = include_str!("../Cargo.toml").replace('-', "_");
    let sections = manifest
        .split("\n[")
        .filter(|text| text.contains("dependencies]"));
    let lines = sections.flat_map(|section| section.lines().skip(1));
    let names = lines.filter_map(|line| line.split_once('='));
    let names = names.map(|(name, _)| name.trim().to_owned());
    names.filter(|name| !name.starts_with('#')).collect()
}

/// Every Rust file below a folder of the package, by its path from there.
fn files(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(&root).expect("a file below the folder");
                let text = std::fs::read_to_string(&path).expect("a readable file");
                found.insert(name.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    found
}

#[test]
fn every_file_keeps_to_its_layer() {
    let files = files("src");
    let faults: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| faults(path, text))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn layers_import_downwards() {
    let layers = layers();
    for (index, Layer { name, imports, .. }) in layers.iter().enumerate() {
        for import in imports {
            let is_below = layers[..index].iter().any(|lower| lower.name == *import);
            assert!(
                is_below,
                "`{name}` imports `{import}`, which is not below it"
            );
        }
    }
}

#[test]
fn the_table_is_small_and_every_entry_is_used() {
    let layers = layers();
    let folders = || layers.iter().filter(|layer| layer.name != "main");
    let imports: usize = folders().map(|layer| layer.imports.len()).sum();
    assert!(folders().count() <= MAX_FOLDERS && imports <= MAX_IMPORTS);
    let files: Vec<(String, String)> = files("src")
        .into_iter()
        .map(|(path, text)| (path, code(&text)))
        .collect();
    for layer in &layers {
        let inside = files
            .iter()
            .filter(|(path, _)| folder_of(path) == layer.name);
        let codes: Vec<&String> = inside.map(|(_, code)| code).collect();
        let uses = |root: &str, name: Option<&str>| {
            let found = codes.iter().flat_map(|code| paths(code, root));
            found
                .into_iter()
                .any(|path| name.is_none_or(|name| path.first() == Some(&name)))
        };
        for import in &layer.imports {
            let is_used = uses("crate", Some(import)) || uses("lucena", Some(import));
            assert!(is_used, "`{}` does not import `{import}`", layer.name);
        }
        for name in &layer.crates {
            assert!(uses(name, None), "`{}` does not use `{name}`", layer.name);
        }
    }
}

/// The file of `src` that an absolute path leads to.
fn file_of(files: &BTreeMap<String, String>, path: &[&str]) -> Option<String> {
    let names = (1..=path.len())
        .rev()
        .map(|length| path[..length].join("/"));
    let mut names = names.flat_map(|name| [format!("{name}.rs"), format!("{name}/mod.rs")]);
    names.find(|name| files.contains_key(name))
}

#[test]
fn files_import_without_cycles() {
    let files = files("src");
    let mut imports = BTreeMap::new();
    for (file, text) in &files {
        let module: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        let module = module.strip_suffix(&["mod"]).unwrap_or(&module);
        let code = code(text.split("mod tests {").next().unwrap_or_default());
        let mut targets = BTreeSet::new();
        for (root, base) in [
            ("crate", 0),
            ("super", module.len() - 1),
            ("self", module.len()),
        ] {
            for path in paths(&code, root) {
                let supers = path.iter().take_while(|word| **word == "super").count();
                let path = [&module[..base.saturating_sub(supers)], &path[supers..]].concat();
                targets.extend(file_of(&files, &path).filter(|target| target != file));
            }
        }
        imports.insert(file.clone(), targets);
    }
    // A file that imports nothing, or that nothing imports, is in no cycle.
    loop {
        let (before, importers) = (imports.len(), imports.clone());
        let targets: BTreeSet<&String> = importers.values().flatten().collect();
        imports.retain(|file, targets_of| !targets_of.is_empty() && targets.contains(file));
        for targets in imports.values_mut() {
            targets.retain(|file| {
                importers
                    .get(file)
                    .is_some_and(|targets| !targets.is_empty())
            });
        }
        if imports.len() == before {
            break;
        }
    }
    assert!(imports.is_empty(), "cycles: {imports:#?}");
}

#[test]
fn test_files_are_short() {
    for place in ["tests", "benches", "examples"] {
        for (path, text) in files(place) {
            let lines = text.lines().count();
            assert!(lines <= MAX_LINES, "{place}/{path}: {lines} lines");
        }
    }
}

#[test]
fn banned_words_stay_out() {
    let mut faults = Vec::new();
    for place in ["src", "tests", "benches", "examples"] {
        for (path, text) in files(place) {
            if place == "tests" && matches!(path.as_str(), "house.rs" | "docs.rs") {
                continue;
            }
            // A renamed flag keeps its old name as an alias.
            let lines = text.lines().enumerate();
            for (number, line) in lines.filter(|(_, line)| !line.contains("alias = ")) {
                // A key of weights files, which never changes.
                let line = line.to_lowercase().replace("\"loose men\"", "");
                let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
                let padded = format!(" {} ", words.join(" "));
                for word in BANNED.split('|') {
                    if padded.contains(&format!(" {word} ")) {
                        faults.push(format!("{place}/{path}:{}: {word}", number + 1));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Path | code | the fault to be found, if any.
const PLANTED: &str = r##"
    chess/board.rs | use crate::search::pool::Pool; | may not import `search`
    eval/mod.rs | use crate::{chess::Move, lab::{train, spsa}}; | may not import `lab`
    book/mod.rs | fn f() { crate::engine::run() } | may not import `engine`
    search/tt.rs | use rayon::prelude::*; | the crate `rayon`
    eval/mod.rs | #[derive(clap::Parser)] struct A; | the crate `clap`
    eval/mod.rs | const A: &str = "https://\""; use crate::lab::train; | may not import `lab`
    eval/mod.rs | fn f(x: &'static str) -> [char; 2] { ['"', '\''] } use crate::lab; // " | may not import `lab`
    cellar/mod.rs | | not in the table
    web/mod.rs | use crate::api::ApiError; | `api` is not a folder
    search/tt.rs | use crate::{chess::Move, base::sys, search::tt}; // crate::uci |
    chess/board.rs | fn f() { g("crate::uci"); self.clap::<u8>() } |
    eval/mod.rs | const Q: [char; 2] = ['"', '\\']; /* crate::uci */ const A: &str = "\\"; |
    eval/mod.rs | const B: &[u8] = br#""crate::uci"#; fn f<'a>(x: &'a str) {} |
"##;

#[test]
fn planted_faults_are_found() {
    for row in PLANTED.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let found = faults(cells[0], cells[1]);
        let count = usize::from(!cells[2].is_empty());
        assert_eq!(found.len(), count, "{row}: {found:?}");
        assert!(
            found.iter().all(|fault| fault.contains(cells[2])),
            "{row}: {found:?}"
        );
    }
    assert!(faults("base/value.rs", &"\n".repeat(MAX_LINES + 1))[0].contains("lines"));
}
