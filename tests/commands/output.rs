//! Where output goes: a closed standard output changes neither the exit status of a command nor the files that it writes,
//! and a file that cannot be written is reported before the work.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, files, lucena};
use lucena::lab::atomic_file::open_locked;

/// Exit status | command, run in this order in one folder. `_` is a space within an argument.
const COMMANDS: &str = "
    0 | bench 1
    0 | eval startpos
    0 | eval startpos --json
    0 | explain startpos --nodes 2000
    0 | why-not startpos a2a3 --nodes 2000
    0 | threats startpos --nodes 2000
    0 | blame startpos --nodes 2000
    0 | review lines.pgn --nodes 200 --pgn reviewed.pgn --store reviews --threads 1
    0 | man
    0 | man pages
    0 | completions bash
    0 | store info reviews
    0 | store export reviews
    0 | store merge merged reviews
    0 | store verify merged
    0 | perft 2 --divide --resume counts --threads 1
    1 | perft --suite wrong.suite
    1 | analyse --epd wrong.epd --nodes 100
    0 | openings --out openings.epd --count 1 --nodes 10
    0 | datagen --out games --games 40 --nodes 60 --seed 53 --threads 1
    0 | datagen --info games --verify --sample 2 --export games.vf
    1 | datagen --info wrong.games
    0 | tune --data games --out tuned.txt --epochs 1
    0 | wdl --data games --out curve.rs
    0 | weights
    0 | weights --complete tuned.txt --out completed.txt
    0 | policy --games 2 --nodes 50 --out policy.txt
    0 | levels fit --games people.tsv --out levels.txt --positions 20 --iterations 2
    0 | levels show 1400
    0 | levels probe startpos --elo 1400
    1 | levels measure --positions people.tsv
    0 | levels measure --games people.tsv
    1 | levels calibrate --pgn wrong.bin --anchor one=1500
    2 | serve --bind 0.0.0.0
    2 | spsa --out spsa --pairs 1 --nodes 10 --only no-such-constant
    0 | book build --pgn lines.pgn --min-games 1 --out built.bin --threads 1
    0 | book export --out exported.bin
    0 | book merge built.bin exported.bin --out merged.bin
    0 | book info
    0 | book probe
    0 | book tree --depth 2
    0 | book name e4 e5
    0 | book name --compile lines.pgn --out names.tsv
    1 | book verify wrong.bin
    0 | book verify --pgn lines.pgn --nodes 10 --report report.md
    0 | book grow --positions 3 --nodes 10 --out grown.bin --log log --threads 1
    0 | tablebase list
    0 | tablebase export --out exported
    0 | tablebase probe 4k3/8/8/8/8/8/8/QK6_w_-_-_0_1
    0 | tablebase mate 4k3/8/8/8/8/8/8/QK6_w_-_-_0_1
    0 | tablebase generate KQvK --out tables
    1 | tablebase verify tables KQvK KRvK
    0 | tablebase stats KQvK --picture stats.svg
    0 | tablebase sample KQvK --positions 2000
    0 | go_depth_1
    0 | go_depth_1 go_perft_2 genfens_2_seed_1 bench_1
    1 | go_depth_1 setoption_name_Hash_value_x go_depth_2
    1 | go_nodes_100 position_startpos_moves_e2e5
    2 | no-such-command
";

/// A folder with the inputs of the commands.
fn inputs() -> Folder {
    let folder = Folder::new("output");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    folder.write("wrong.suite", format!("{start} 0 1 ;D1 21\n"));
    folder.write("wrong.epd", format!("{start} bm Nh3;\n"));
    folder.write("wrong.games", "not games");
    folder.write(
        "people.tsv",
        "id\twhite_rating\tblack_rating\tuci_moves\n\
         a\t1500\t1510\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 b1d2 e8g8 e1g1 c8e6\n\
         b\t1700\t1690\td2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6\n",
    );
    let tags = "[ECO \"C20\"]\n[Opening \"Open Game\"]\n[Result \"1-0\"]\n";
    folder.write("lines.pgn", format!("{tags}\n1. e4 e5 2. Nf3 1-0\n"));
    // Two entries out of order.
    let entry = |key: u64| [key.to_be_bytes(), [0; 8]].concat();
    folder.write("wrong.bin", [entry(2), entry(1)].concat());
    folder
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    let words = line.split_whitespace().map(|word| word.replace('_', " "));
    command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_closed_standard_output_changes_neither_status_nor_files() {
    let (open, closed) = (inputs(), inputs());
    for row in COMMANDS.lines().filter(|row| row.contains('|')) {
        let (status, line) = row.split_once('|').expect("a row");
        let status = status.trim().parse().expect("a number");
        let with_reader = command(&open, line).stdout(Stdio::piped()).output();
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let without_reader = command(&closed, line).stdout(writer).output();
        for (ended, which) in [(with_reader, "open"), (without_reader, "closed")] {
            let ended = ended.expect("the program starts");
            let message = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert_eq!(
                ended.status.code(),
                Some(status),
                "{which}:{line}: {message}"
            );
        }
        let (wanted, found) = (files(&open), files(&closed));
        let names = |files: &BTreeMap<_, _>| files.keys().cloned().collect::<Vec<String>>();
        assert_eq!(names(&found), names(&wanted), "{line}");
        assert!(found == wanted, "{line}");
    }
}

/// Runs a command that fails with this message; returns its standard output.
fn refused(folder: &Path, line: &str, message: &str) -> String {
    let ended = command(folder, line).output().expect("the program starts");
    let error = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{line}: {error}");
    assert!(error.contains(message), "{line}: {error}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

#[test]
fn outputs_are_checked_before_the_work() {
    let folder = inputs();
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).expect("a file");
        text.lines().count()
    };
    let missing = "error: missing/file: ";
    let grow = "book grow --positions 3 --nodes 10 --log log --out";
    refused(&folder, &format!("{grow} missing/file"), missing);
    refused(&folder, &format!("{grow} log"), "it is also an input");
    assert_eq!(lines("log"), 1);
    let verify = "book verify --pgn lines.pgn --nodes 10 --log log --report";
    refused(&folder, &format!("{verify} missing/file"), missing);
    refused(&folder, &format!("{verify} log"), "it is also an input");
    assert_eq!(lines("log"), 1);
    let exported = command(&folder, "book export --out good.bin").output();
    assert!(exported.expect("the program starts").status.success());
    refused(&folder, "book merge good.bin --out missing/file", missing);
    let printed = refused(
        &folder,
        "tablebase stats KQvK --picture missing/file",
        missing,
    );
    assert_eq!(printed, "");
    fs::create_dir_all(folder.join("tables/KRvK.rtbw")).expect("a folder");
    refused(
        &folder,
        "tablebase generate KQvK KRvK --out tables",
        "KRvK.rtbw: not a regular file",
    );
    assert!(!folder.join("tables/KQvK.rtbw").exists());
    let played = command(
        &folder,
        "datagen --out games --games 40 --nodes 60 --seed 53",
    )
    .output();
    assert!(played.expect("the program starts").status.success());
    let printed = refused(
        &folder,
        "datagen --info games --verify --export missing/file",
        missing,
    );
    assert_eq!(printed, "");
    refused(
        &folder,
        "tune --data games --epochs 1 --out tuned.txt --report wrong.games",
        "wrong.games: ",
    );
    assert!(!folder.join("tuned.txt").exists());
}

#[test]
fn a_log_in_use_by_another_process_is_refused() {
    let folder = inputs();
    let log = open_locked(&folder.join("log")).expect("a log");
    let grow = "book grow --positions 3 --nodes 10 --log log --out grown.bin";
    refused(&folder, grow, "error: log: in use by another process");
    assert!(!folder.join("grown.bin").exists());
    drop(log);
    let grown = command(&folder, grow).output().expect("the program starts");
    assert!(grown.status.success());
}

#[test]
fn a_damaged_log_does_not_change_the_book() {
    let folder = inputs();
    let grow = "book grow --positions 10 --nodes 100 --threads 1";
    let grown = |log: &str, book: &str| {
        let ended = command(&folder, &format!("{grow} --log {log} --out {book}")).output();
        assert!(ended.expect("the program starts").status.success(), "{log}");
        fs::read(folder.join(book)).expect("a book")
    };
    let whole = grown("log", "whole.bin");
    let text = fs::read_to_string(folder.join("log")).expect("the log");
    folder.write("cut", &text[..text.len() - 5]);
    assert!(grown("cut", "again.bin") == whole);
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.push(lines[1]);
    folder.write("repeated", lines.concat());
    assert!(grown("repeated", "repeated.bin") == whole);
    lines[2] = "0000000000000001 0fff:2147483647 .\n";
    folder.write("damaged", lines.concat());
    let line = format!("{grow} --log damaged --out damaged.bin");
    refused(&folder, &line, "damaged: line 3 is damaged");
    assert!(!folder.join("damaged.bin").exists());
}

/// Every command of docs/cli.md, which another test compares with the program.
#[test]
fn every_command_is_run_with_a_closed_output() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let page = fs::read_to_string(page).expect("the page");
    let headings = page.lines().filter_map(|line| {
        let (_, name) = line.split_once("# `lucena ")?;
        let words = name.split([' ', '`']);
        let is_name = |word: &&str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        Some(words.take_while(is_name).collect::<Vec<_>>().join(" "))
    });
    let mut count = 0;
    for name in headings {
        let is_run = [" ", "\n"].map(|end| COMMANDS.contains(&format!("| {name}{end}")));
        assert!(is_run.contains(&true), "{name}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_file_is_no_folder_for_output() {
    let folder = Folder::new("output-folder");
    let file = folder.write("file", "text\n");
    let file = file.to_str().expect("text");
    for arguments in [
        &["datagen", "--games", "1", "--out", file][..],
        &["man", file],
    ] {
        let output = lucena(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            message.contains(&format!("{file}: not a folder")),
            "{message}"
        );
    }
    assert_eq!(fs::read_to_string(file).expect("the file"), "text\n");
}
