//! How commands end: 0 where all went well, 1 where what was asked failed, 2 where the arguments make no sense.
//! Uses: the program. Idea: a table of commands, statuses and words that must be said; nothing panics, and nothing that a
//! user has is written over.

mod common;

use std::fs;
use std::process::{Command, Output, Stdio};

use common::Folder;

fn lucena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// Runs commands (words separated by blanks, `_` for a blank within one) and compares their statuses and words.
fn check(table: &[(&str, i32, &str)]) {
    for &(line, status, words) in table {
        let arguments: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
        let output = lucena(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let said =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        let said = said.concat();
        assert_eq!(output.status.code(), Some(status), "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn what_is_missing_is_a_failure_told_in_one_way() {
    let told = "error: no/such: No such file or directory";
    let table = [
        "book info no/such",
        "book verify no/such",
        "book verify --pgn no/such --nodes 10",
        "book probe --book no/such",
        "book tree --book no/such",
        "book merge no/such --out no/book",
        "book name --compile no/such --out no/names",
        "book grow --pgn no/such --out no/book",
        "tablebase list no/such",
        "tablebase verify no/such",
        "tablebase probe startpos --path no/such",
        "perft --suite no/such",
        "analyse --epd no/such",
        "datagen --info no/such",
        "datagen --import no/such --out no/games",
        "tune --data no/such --out no/weights",
        "wdl --data no/such",
        "weights no/such",
        "eval startpos --weights no/such",
        "--weights no/such",
    ];
    check(&table.map(|line| (line, 1, told)));
}

#[test]
fn arguments_that_make_no_sense_are_misuse() {
    check(&[
        ("eval nonsense", 2, "error: FEN"),
        ("tablebase probe nonsense", 2, "error: FEN"),
        ("tablebase mate nonsense", 2, "error: FEN"),
        ("perft 1 --fen nonsense", 2, "error: FEN"),
        ("book probe e5", 2, "error: `e5` is no legal move"),
        (
            "openings --out no/such --min 2 --max 1",
            2,
            "--min is above --max",
        ),
        ("perft 33", 2, "must be a number from 0 to 32"),
        (
            "perft 99999999999999999999999",
            2,
            "must be a number from 0 to 32",
        ),
        (
            "tablebase sample KQvK --positions 0",
            2,
            "must be a number of at least 1",
        ),
        (
            "book build --pgn x --out y --min-score 7",
            2,
            "must be a number from 0 to 1",
        ),
        (
            "book build --pgn x --out y --min-score nan",
            2,
            "must be a number from 0 to 1",
        ),
        (
            "book build --pgn x --out y --memory 0",
            2,
            "must be a number from 1 to 1048576",
        ),
        (
            "book build --pgn x --out y --min-games 0",
            2,
            "must be a number of at least 1",
        ),
        ("book tree --share 500", 2, "must be a number from 0 to 100"),
        ("book tree --depth 0", 2, "must be a number of at least 1"),
        (
            "book grow --out y --positions 0",
            2,
            "must be a number of at least 1",
        ),
        ("book grow --out y --margin -1", 2, "-1"),
        (
            "datagen --out no/such --games 0",
            2,
            "must be a number of at least 1",
        ),
        (
            "datagen --info no/such --sample 0",
            2,
            "must be a number of at least 1",
        ),
        (
            "tune --data x --out y --lambda nan",
            2,
            "must be a number from 0 to 1",
        ),
        (
            "tune --data x --out y --rate inf",
            2,
            "must be a number from 0 to 1000",
        ),
        ("positoin", 2, "neither a subcommand nor a UCI command"),
        (
            "--weights x datagen --out no/such --games 1",
            2,
            "the subcommand \"datagen\" has options of its own",
        ),
        ("datagen --out no/such --verify", 2, "--info <FILE>"),
        ("tune --data x --out y --rate 1001", 2, "from 0 to 1000"),
    ]);
}

#[test]
fn startpos_is_a_position_everywhere() {
    check(&[
        ("eval startpos", 0, ""),
        ("perft 2 --fen startpos", 0, "400 nodes"),
        ("book probe startpos", 0, "e2e4"),
        (
            "tablebase probe startpos",
            1,
            "the position has 32 men, the tables at hand have at most 4",
        ),
        ("tablebase mate startpos", 1, "only up to 4 men"),
    ]);
}

#[test]
fn commands_of_the_protocol_go_by_the_weights_named() {
    let folder = Folder::new("weights");
    let start = lucena(&["weights", "--start"]).stdout;
    // As an editor on another system leaves it.
    let text = String::from_utf8(start).expect("text");
    folder.write("start.txt", text.replace('\n', "\r\n"));
    let file = folder.text("start.txt");
    let file = file.as_str();
    let said = |arguments: &[&str]| {
        let output = lucena(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let nodes = |said: String| {
        let last = said.lines().last().expect("a line").to_owned();
        let (nodes, _) = last.split_once(' ').expect("nodes");
        nodes.parse::<u64>().expect("a number")
    };
    let built_in = nodes(said(&["bench", "2"]));
    assert_eq!(nodes(said(&["bench 2"])), built_in);
    assert_ne!(nodes(said(&["--weights", file, "bench 2"])), built_in);
    assert!(!said(&["weights", file]).is_empty());
    let eval = said(&["--weights", file, "eval"]);
    assert!(eval.contains("total 0 "), "{eval}");
    let option = format!("setoption name Weights File value {file}");
    assert_eq!(
        nodes(said(&[&option, "bench 2"])),
        nodes(said(&["--weights", file, "bench 2"]))
    );
}

/// Commands of the protocol given as words: over standard input the same lines are no failure.
#[test]
fn a_line_that_is_refused_is_a_failure() {
    check(&[
        (
            "position_startpos_moves_e2e4 d go_depth_1 quit",
            0,
            "bestmove ",
        ),
        ("go_perft_1", 0, "Nodes searched: 20"),
        ("genfens_1_seed_1_book_None quit", 0, "info string genfens "),
        ("bench_1", 0, " nps"),
        ("position_fen_foo", 1, "info string position: FEN"),
        (
            "position_startpos_moves_e2e5 go_depth_1",
            1,
            "bestmove (none)",
        ),
        ("go_perft_99", 1, "perft: depth: it may be 32 at most"),
        ("perft_99999999999", 1, "perft: depth: it may be 32 at most"),
        ("go_depth_x_nodes_10", 1, "go: depth needs a number, not x"),
        ("go_depth_1_searchmoves_e2e5", 1, "e2e5"),
        (
            "bench_abc",
            1,
            "bench: expected a depth from 1 to 240, found abc",
        ),
        (
            "genfens_x",
            1,
            "genfens: expected a number of openings, found x",
        ),
        ("setoption_name_Nothing_value_3", 1, "Nothing"),
        ("setoption_name_Hash_value_0 go_depth_1", 1, "bestmove "),
        ("position_fen_foo eval", 1, "no position is on the board"),
    ]);
    let mut program = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = program.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"position fen foo\ngo perft 99\nbench abc\n")
        .expect("heard");
    drop(input);
    assert!(program.wait().expect("it ends").success());
}

#[test]
fn an_export_of_tables_leaves_other_files_as_they_are() {
    let folder = Folder::new("export");
    let export = || lucena(&["tablebase", "export", "--out", &folder.path()]);
    let other = folder.write("KQvK.rtbw", b"another table");
    let refused = export();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(said.contains("KQvK.rtbw: another table is there"), "{said}");
    assert_eq!(fs::read(&other).expect("the file"), b"another table");
    assert_eq!(fs::read_dir(&*folder).expect("the folder").count(), 1);
    fs::remove_file(&other).expect("removed");
    for _ in 0..2 {
        assert!(export().status.success());
    }
    assert_eq!(fs::read_dir(&*folder).expect("the folder").count(), 70);
}
