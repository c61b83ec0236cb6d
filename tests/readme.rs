//! The README tells the truth: its tables list the options and the commands that the program has, and no others.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

const README: &str = include_str!("../README.md");

/// What the program writes when it hears `input` on the command line `arguments`.
fn output(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input.as_bytes()).expect("it listens");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("it writes text")
}

/// The rows of the table below a heading, as their cells without quotes.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let section = README.split(heading).nth(1).expect("the heading");
    let lines = section.lines().skip_while(|line| !line.starts_with("|--"));
    let lines = lines.skip(1).take_while(|line| line.starts_with('|'));
    lines
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().replace('`', ""))
                .collect()
        })
        .collect()
}

#[test]
fn the_options_are_those_of_the_program() {
    let program: BTreeSet<String> = output(&[], "uci\nquit\n")
        .lines()
        .filter_map(|line| line.strip_prefix("option name "))
        .map(|line| {
            line.split(if line.contains(" type string ") {
                " default "
            } else {
                "\n"
            })
            .next()
            .unwrap_or(line)
            .to_owned()
        })
        .collect();
    let readme: BTreeSet<String> = rows("### Options")
        .iter()
        .map(|row| {
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
        })
        .collect();
    assert!(!program.is_empty());
    assert_eq!(readme, program);
}

#[test]
fn the_subcommands_are_those_of_the_program() {
    let help = output(&["--help"], "");
    let listed = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let mut names: BTreeSet<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    names.remove("help");
    let table = rows("On the command line");
    for name in &names {
        let row = table
            .iter()
            .find(|row| row[0].split(' ').nth(1) == Some(name));
        let row = row.unwrap_or_else(|| panic!("README does not list lucena {name}"));
        let help = output(&[name, "--help"], "");
        let flags: BTreeSet<&str> = help
            .split_whitespace()
            .filter(|word| word.starts_with("--") && *word != "--help")
            .collect();
        for flag in flags {
            assert!(
                row[0].contains(flag),
                "README does not list lucena {name} {flag}"
            );
        }
    }
    assert!(!names.is_empty());
    assert!(
        table.len() == names.len() + 2,
        "README lists a subcommand that is none: {names:?}"
    );
}
