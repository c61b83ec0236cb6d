//! The documents match the program: options, commands, flags and links exist, and the words are those of the glossary.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use common::help::commands;
use common::lucena_with_input;

/// The README fits on two screens.
const README_LINES: usize = 150;
/// Characters of a line, except in tables, code and pictures.
const LINE_LENGTH: usize = 128;

/// What the program prints for these arguments and this input.
fn output(arguments: &[&str], input: &str) -> String {
    String::from_utf8(lucena_with_input(arguments, input).stdout).expect("UTF-8")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// README.md, the READMEs of the data folders and everything in docs/.
fn documents() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = ["", "books", "perft", "tablebases"]
        .iter()
        .map(|folder| root().join(folder).join("README.md"))
        .collect();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
}

/// The cells of the table rows that follow in a text up to its next heading, without code quotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .take_while(|line| !line.starts_with('#'))
        .skip_while(|line| !line.starts_with("|--"))
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            line.replace("\\|", "/")
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().replace('`', ""))
                .collect()
        })
        .collect()
}

/// The text below a heading.
fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    document
        .split_once(heading)
        .unwrap_or_else(|| panic!("no heading {heading}"))
        .1
}

/// A row of an options table as the program writes the option.
fn option(row: &[String]) -> String {
    let mut line = format!("{} type {}", row[0], row[1]);
    if !row[2].is_empty() {
        line += &format!(" default {}", row[2]);
    }
    if row[1] == "combo" {
        for word in row[3].split(", ") {
            line += &format!(" var {word}");
        }
    } else if let Some((min, max)) = row[3].split_once('–') {
        line += &format!(" min {min} max {max}");
    }
    line
}

#[test]
fn the_options_are_those_of_the_program() {
    let program: BTreeSet<String> = output(&[], "uci\nquit\n")
        .lines()
        .filter_map(|line| line.strip_prefix("option name "))
        .map(|line| match line.split_once(" default ") {
            Some((start, _)) if start.ends_with(" type string") => start.to_owned(),
            _ => line.to_owned(),
        })
        .collect();
    let document = read("docs/uci.md");
    let listed: BTreeSet<String> = rows(section(&document, "## Options\n"))
        .iter()
        .map(|row| option(row))
        .collect();
    assert!(!program.is_empty());
    assert_eq!(listed, program);

    let readme = read("README.md");
    let everyday = rows(section(&readme, "## UCI options\n"));
    assert!(!everyday.is_empty());
    for row in everyday {
        let start = format!("{} type ", row[0]);
        let full = program.iter().find(|line| line.starts_with(&start));
        let full = full.unwrap_or_else(|| panic!("README: no option {}", row[0]));
        assert!(
            row[1].is_empty() || full.contains(&format!(" default {}", row[1])),
            "README: {row:?}"
        );
    }
}

#[test]
fn the_commands_and_flags_are_those_of_the_program() {
    let document = read("docs/cli.md");
    // Command → flags, from the headings and the tables below them.
    let mut listed = BTreeMap::new();
    for part in document.split("\n#").skip(1) {
        let heading = part.lines().next().unwrap_or_default();
        let Some(command) = heading.split('`').nth(1) else {
            continue;
        };
        let is_word = |word: &&str| {
            let mut bytes = word.bytes();
            bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        };
        let command: Vec<&str> = command.split(' ').take_while(is_word).collect();
        let body = part.split_once('\n').map_or("", |(_, body)| body);
        let flags: BTreeSet<String> = rows(body)
            .iter()
            .filter_map(|row| row[0].split_whitespace().next().map(str::to_owned))
            .collect();
        assert!(
            listed.insert(command[1..].join(" "), flags).is_none(),
            "docs/cli.md: {heading} twice"
        );
    }
    let known = commands();
    assert_eq!(listed, known);

    let readme = read("README.md");
    let table = section(&readme, "## Command line\n");
    for name in known
        .keys()
        .filter(|name| !name.is_empty() && !name.contains(' '))
    {
        assert!(
            table.contains(&format!("`{name}`")),
            "README lists no {name}"
        );
    }
}

/// The position that README.md explains.
const EXPLAINED: &str = "2r2rk1/pp1R1ppp/4p3/8/8/1P4P1/P3PP1P/3R2K1 w - - 0 1";

#[test]
fn the_explained_position_is_that_of_the_program() {
    let readme = read("README.md");
    let shown = section(&readme, &format!("$ lucena eval \"{EXPLAINED}\"\n"));
    let shown = shown.lines().take_while(|line| *line != "```");
    let printed = output(&["eval", EXPLAINED], "");
    for line in shown.filter(|line| *line != "…") {
        assert!(
            printed.lines().any(|other| other == line),
            "README.md: {line}"
        );
    }
    assert!(
        read("docs/explained.svg") == output(&["eval", EXPLAINED, "--svg"], ""),
        "docs/explained.svg: `lucena eval \"{EXPLAINED}\" --svg` prints another picture"
    );
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "{lines} lines");
}

#[test]
fn the_lines_of_documents_are_short() {
    for path in documents() {
        let text = read(&path);
        let mut is_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_code ^= line.trim_start().starts_with("```");
            let is_prose = !is_code && !line.starts_with(['|', '!', '<']);
            assert!(
                !is_prose || line.chars().count() <= LINE_LENGTH,
                "{}:{number}",
                path.display()
            );
        }
    }
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|&letter| {
            letter.is_alphanumeric() || letter == ' ' || letter == '-' || letter == '_'
        })
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn every_relative_link_resolves() {
    let mut faults = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let links = text.split("](").skip(1);
        for link in links.filter_map(|rest| rest.split([')', ' ']).next()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => path.parent().expect("a folder").join(file),
            };
            let found = if heading.is_empty() {
                target.exists()
            } else {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                headings.any(|line| anchor(line) == heading)
            };
            if !found {
                faults.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Whether a text has these words, in any case and as whole words; a flag such as `--men` does not count.
fn contains_words(text: &str, words: &str) -> bool {
    let joins = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

#[test]
fn no_banned_word_is_used() {
    let glossary = read("docs/glossary.md");
    let banned = section(&glossary, "## Banned words\n");
    let banned: Vec<&str> = banned
        .lines()
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
        .collect();
    assert!(banned.contains(&"officers"), "{banned:?}");
    let mut faults = Vec::new();
    for path in documents() {
        if path.ends_with("docs/glossary.md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a document");
        // A phrase may be broken over two lines.
        let text = text
            .to_lowercase()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for words in &banned {
            if contains_words(&text, words) {
                faults.push(format!("{}: {words}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(contains_words("two men.", "men") && !contains_words("--men; omen", "men"));
}

/// All files below a folder, as paths from the root of the repository.
fn files_below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(path) = path.strip_prefix(root()) {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found
}

/// The texts in code quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
}

#[test]
fn source_files_named_in_documents_exist() {
    let files: Vec<String> = ["src", "tests", "benches", "examples", "fuzz"]
        .into_iter()
        .flat_map(files_below)
        .collect();
    for path in documents() {
        // Results name the files of their time.
        if path.starts_with(root().join("docs/results")) {
            continue;
        }
        let text = read(&path);
        for name in quoted(&text).filter(|name| name.ends_with(".rs") && !name.contains(' ')) {
            let is_named = |file: &String| *file == name || file.ends_with(&format!("/{name}"));
            let exists = files.iter().any(is_named) || root().join(name).exists();
            assert!(exists, "{}: no file {name}", path.display());
        }
    }
}
