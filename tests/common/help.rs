//! The commands of the program and their flags, as `--help` lists them.

use std::collections::{BTreeMap, BTreeSet};

use super::lucena;

/// Every command below the program (`book build`; the program itself is empty) with its flags.
pub fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let mut known = BTreeMap::new();
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let help = help(&command);
        let below = subcommands(&help);
        open.extend(below.iter().map(|name| format!("{command} {name}")));
        known.insert(command.trim_start().to_owned(), flags(&help));
    }
    assert!(known.len() > 20, "{known:?}");
    known
}

fn help(command: &str) -> String {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    words.push("--help");
    String::from_utf8(lucena(&words).stdout).expect("UTF-8")
}

/// The subcommands that a command's help lists.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The flags that a command's help lists.
fn flags(help: &str) -> BTreeSet<String> {
    help.lines()
        .map(|line| {
            line.trim_start()
                .trim_start_matches("-h, ")
                .trim_start_matches("-V, ")
        })
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with("--") && *word != "--help" && *word != "--version")
        .map(|word| word.trim_end_matches("...").to_owned())
        .collect()
}
