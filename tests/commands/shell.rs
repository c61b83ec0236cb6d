//! Manual pages and completions cover the commands and flags that `--help` lists.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::common::help::commands;
use crate::common::{Folder, lucena};

#[test]
fn every_command_has_a_manual_page_with_its_flags() {
    let folder = Folder::new("man");
    let pages = folder.join("share/man6");
    let output = lucena(&["man", pages.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{output:?}");
    let mut expected = BTreeSet::new();
    for (command, flags) in commands() {
        let name = format!("lucena {command}").trim_end().replace(' ', "-") + ".6";
        let page = fs::read_to_string(pages.join(&name)).expect(&name);
        assert!(page.contains("\n.SH NAME\n"), "{name}: {page}");
        for flag in flags {
            let shown = flag.replace('-', "\\-");
            assert!(page.contains(&shown), "{name} has no {flag}");
        }
        if command.is_empty() {
            assert_eq!(lucena(&["man"]).stdout, page.as_bytes());
        }
        expected.insert(name);
    }
    let entries = fs::read_dir(&pages).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let found: BTreeSet<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    assert_eq!(found, expected);
}

/// What bash completes for these words, of which the last one is begun.
fn completed_by_bash(words: &[&str]) -> BTreeSet<String> {
    let [.., before, begun] = words else {
        panic!("two words are needed");
    };
    let script = r#"
        set -e
        source <("$1" completions bash)
        before=$2 begun=$3
        shift 3
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        complete -p lucena >/dev/null
        _lucena lucena "$begun" "$before"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let output = Command::new("bash")
        .args(["-c", script, "bash", env!("CARGO_BIN_EXE_lucena")])
        .args([before, begun])
        .args(words)
        .output()
        .expect("bash");
    assert!(output.status.success(), "{words:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_flags() {
    let table: &[(&[&str], &[&str])] = &[
        (&["lucena", "exp"], &["explain"]),
        (&["lucena", "book", "bui"], &["build"]),
        (&["lucena", "eval", "--aga"], &["--against"]),
        (&["lucena", "completions", "z"], &["zsh"]),
    ];
    for (words, expected) in table {
        let expected: BTreeSet<String> = expected.iter().map(|&word| word.to_owned()).collect();
        assert_eq!(completed_by_bash(words), expected, "{words:?}");
    }
    for (command, flags) in commands() {
        let mut words = vec!["lucena"];
        words.extend(command.split_whitespace());
        words.push("--");
        let mut found = completed_by_bash(&words);
        found.retain(|word| word.starts_with("--") && word != "--help" && word != "--version");
        assert_eq!(found, flags, "{command}");
    }
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = lucena(&["completions", shell]);
        assert!(output.status.success(), "{shell}: {output:?}");
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        for command in commands().keys() {
            for name in command.split_whitespace() {
                assert!(script.contains(name), "{shell} has no {name}");
            }
        }
    }
    let output = lucena(&["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
