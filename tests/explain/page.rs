//! docs/explain.md and the README show what the program prints: every block that begins with `$ lucena explain`, `why-not`,
//! `threats` or `blame` is run again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::lucena;

const PAGES: [&str; 2] = ["docs/explain.md", "README.md"];
const COMMANDS: [&str; 4] = ["explain", "why-not", "threats", "blame"];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

/// The arguments of a command line; quotes hold words together.
fn arguments(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// The page with the output of every command as it is now.
fn refreshed(text: &str) -> String {
    let mut fresh = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        fresh += line;
        fresh.push('\n');
        let Some(command) = line.strip_prefix("$ lucena ") else {
            continue;
        };
        if !COMMANDS.contains(&command.split(' ').next().unwrap_or_default()) {
            continue;
        }
        let words = arguments(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = lucena(&words);
        fresh += &String::from_utf8(output.stdout).expect("UTF-8");
        fresh += &String::from_utf8(output.stderr).expect("UTF-8");
        let end = lines
            .find(|line| *line == "```")
            .expect("the end of the block");
        fresh += end;
        fresh.push('\n');
    }
    fresh
}

#[test]
fn the_pages_show_what_the_program_prints() {
    for page in PAGES {
        let text = fs::read_to_string(path(page)).expect("the page");
        let fresh = refreshed(&text);
        for (now, then) in fresh.lines().zip(text.lines()) {
            assert_eq!(
                now, then,
                "{page}: cargo test --test explain -- --ignored write_the_pages"
            );
        }
        assert_eq!(fresh.lines().count(), text.lines().count(), "{page}");
    }
}

#[test]
#[ignore = "writes the documents"]
fn write_the_pages() {
    for page in PAGES {
        let text = fs::read_to_string(path(page)).expect("the page");
        fs::write(path(page), refreshed(&text)).expect("the page is written");
    }
}
