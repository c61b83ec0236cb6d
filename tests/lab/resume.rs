//! `lucena perft --resume`: an interrupted division continues without counting twice, and a file that is not its own is
//! left unchanged.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use lucena::eval::weights::Digest;
use lucena::lab::atomic_file::WorkLock;

use crate::common::Folder;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn divide(file: &Path, depth: &str, fen: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(["perft", depth, "--divide", "--fen", fen, "--resume"])
        .arg(file)
        .output()
        .expect("the program runs")
}

/// The output without the speed, sorted.
fn counts(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.split(',').next().unwrap_or_default().to_owned())
        .collect();
    lines.sort_unstable();
    lines
}

fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a file");
    text.lines().map(str::to_owned).collect()
}

/// The lines with the checksum that belongs to them.
fn sealed(text: &str) -> String {
    format!("{text}checksum {}\n", Digest::START.add(text.as_bytes()))
}

#[test]
fn an_interrupted_division_continues() {
    let folder = Folder::new("resume");
    let file = folder.join("counts");
    let whole = counts(&divide(&file, "3", KIWIPETE));
    assert_eq!(whole.len(), 49);
    assert!(whole.contains(&"97862 nodes".to_owned()), "{whole:?}");
    let written = lines(&file);
    assert_eq!(written.len(), 3 + 48 + 1);
    assert_eq!(written[1], format!("position {KIWIPETE}"));
    assert!(written.contains(&"e1h1 2059".to_owned()), "{written:?}");

    // Half of the moves; the wrong count of one shows that it is not counted again.
    let mut half = written[..3 + 24].join("\n") + "\n";
    let last = written[3 + 23].split(' ').nth(1).expect("a count");
    half.truncate(half.len() - last.len() - 1);
    half += "1000000\n";
    fs::write(&file, sealed(&half)).expect("a file");
    let again = counts(&divide(&file, "3", KIWIPETE));
    let expected = 97_862 - last.parse::<u64>().expect("a count") + 1_000_000;
    assert!(again.contains(&format!("{expected} nodes")), "{again:?}");
    let mut now = lines(&file);
    assert_eq!(now.len(), written.len());
    now.sort_unstable();
    now.dedup();
    assert_eq!(now.len(), written.len());

    // A finished file gives the same output.
    assert_eq!(counts(&divide(&file, "3", KIWIPETE)), again);
    let left: Vec<_> = fs::read_dir(&*folder).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_foreign_or_damaged_file_is_refused_and_left_unchanged() {
    let folder = Folder::new("refused");
    let file = folder.join("counts");
    let good = format!("lucena perft 2\nposition {KIWIPETE}\ndepth 3\ne2a6 2186\n");
    let cases = [
        (String::new(), "first line"),
        ("lucena perft 1\n".to_owned(), "first line"),
        ("some notes\n".to_owned(), "first line"),
        (
            sealed(&good.replace("KQkq", "KQ")),
            "counts for `position r3k2r",
        ),
        (
            sealed(&good.replace("depth 3", "depth 4")),
            "counts for `depth 4`, not for `depth 3`",
        ),
        (sealed("lucena perft 2\n"), "counts for ``"),
        (sealed(&good).replace("2186", "2187"), "damaged"),
        (good.clone(), "damaged"),
        (sealed(&format!("{good}e2e5 7\n")), "damaged"),
        (sealed(&format!("{good}e1d1\n")), "damaged"),
        (sealed(&format!("{good}e1d1 -1\n")), "damaged"),
    ];
    for (text, named) in cases {
        fs::write(&file, &text).expect("a file");
        let output = divide(&file, "3", KIWIPETE);
        assert_eq!(output.status.code(), Some(1), "{text}: {output:?}");
        let message = String::from_utf8(output.stderr).expect("text");
        let is_clear = message.contains("resume: ") && message.contains("counts: ");
        assert!(is_clear && message.contains(named), "{text}: {message}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), text);
    }
    fs::write(&file, [0xff, 0xfe, 0]).expect("a file");
    assert_eq!(divide(&file, "3", KIWIPETE).status.code(), Some(1));
    assert_eq!(fs::read(&file).expect("a file"), [0xff, 0xfe, 0]);
    // A missing folder is reported before the counting.
    let output = divide(&folder.join("none").join("counts"), "9", KIWIPETE);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn counts_that_overflow_are_refused_and_left_unchanged() {
    let folder = Folder::new("overflow");
    let file = folder.join("counts");
    let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let moves =
        ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"].map(|mv| format!("{mv} {}\n", u64::MAX / 4));
    let text = format!(
        "lucena perft 2\nposition {bare}\ndepth 30\n{}",
        moves.concat()
    );
    let text = sealed(&text);
    fs::write(&file, &text).expect("a file");
    let output = divide(&file, "30", bare);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.contains("does not fit into 64 bits"), "{message}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), text);
}

#[test]
fn a_second_process_is_refused() {
    let folder = Folder::new("two");
    let file = folder.join("counts");
    let lock = WorkLock::acquire(&file).expect("a lock");
    let output = divide(&file, "2", KIWIPETE);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.contains("in use by another process"), "{message}");
    assert!(!file.exists());
    drop(lock);
    assert_eq!(counts(&divide(&file, "1", KIWIPETE)).len(), 49);
}

#[test]
fn resume_needs_divide() {
    let output = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(["perft", "2", "--resume", "nowhere"])
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(!Path::new("nowhere").exists());
}
