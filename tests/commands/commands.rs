//! Exit codes and messages of commands: 0 for success, 1 for a failure, 2 for invalid arguments; no panic, and no file of the
//! user is overwritten.

use std::fs;

use crate::common::{Folder, lucena, lucena_with_input};

/// Runs commands (arguments separated by spaces, `_` for a space within one) and checks exit codes and messages.
fn check(table: &[(&str, i32, &str)]) {
    for &(line, code, message) in table {
        let arguments: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
        let output = lucena(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let text =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
        let text = text.concat();
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(message), "{line}: {text}");
        assert!(!text.contains("panicked"), "{line}: {text}");
    }
}

#[test]
fn missing_files_give_the_same_error_everywhere() {
    let error = "error: no/such: does not exist";
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
    check(&table.map(|line| (line, 1, error)));
}

#[test]
fn positions_for_eval_are_read_from_standard_input() {
    let input = "startpos e4\n\n4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n";
    let output = lucena_with_input(&["eval", "-", "--json"], input);
    let text = String::from_utf8(output.stdout).expect("text");
    let fens: Vec<String> = (text.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .map(|json: serde_json::Value| json["fen"].to_string())
        .collect();
    assert_eq!(fens.len(), 2);
    assert!(fens[0].contains("4P3") && fens[1].contains("R3K3"));

    let output = lucena_with_input(&["eval", "-"], "\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"error: no position on standard input\n");

    let output = lucena_with_input(&["eval", "-"], "startpos\nnonsense\n");
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(
        error.starts_with("error: standard input, line 2: FEN"),
        "{error}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn invalid_arguments_exit_with_2() {
    check(&[
        ("eval nonsense", 2, "error: FEN"),
        (
            "eval startpos e4 Ke3",
            2,
            "error: move 2: `Ke3` is not legal; there are no king moves",
        ),
        (
            "eval startpos --against startpos e2e5",
            2,
            "moves from e2: e3 e4",
        ),
        ("eval - --svg", 2, "--against and --svg need a position"),
        ("tablebase probe nonsense", 2, "error: FEN"),
        ("tablebase mate nonsense", 2, "error: FEN"),
        ("perft 1 --fen nonsense", 2, "error: FEN"),
        ("book probe e5", 2, "error: move 1: `e5` is not legal"),
        (
            "openings --out no/such --min 2 --max 1",
            2,
            "--min 2 is greater than --max 1",
        ),
        ("explain startpos --nodes -5", 2, "'-5' for '--nodes <N>'"),
        (
            "datagen --info no/such --nodes 5",
            2,
            "cannot be used with '--nodes <N>'",
        ),
        (
            "datagen --info no/such --threads 5",
            2,
            "cannot be used with '--threads <N>'",
        ),
        (
            "book build --pgn x --out y --weights 1,2",
            2,
            "must be three numbers with commas between them",
        ),
        (
            "book build --pgn no/such no/such --out y",
            1,
            "no/such: the file is named twice in --pgn",
        ),
        (
            "levels calibrate --results no/such --results no/such --anchor a=1500",
            1,
            "no/such: the file is named twice in --results",
        ),
        // Flags may follow moves.
        (
            "book tree e4 --share 500",
            2,
            "must be a number from 0 to 100",
        ),
        ("book name e4 --out x", 2, "--compile <LINES>"),
        (
            "--weights x eval startpos",
            2,
            "--weights goes after the subcommand: eval --weights <FILE>",
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
            "must be a number from 1 to 10000000",
        ),
        (
            "tablebase sample KQvK --positions 10000001",
            2,
            "must be a number from 1 to 10000000",
        ),
        (
            "book tree --depth 1001",
            2,
            "must be a number from 1 to 1000",
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
        ("book tree --depth 0", 2, "must be a number from 1 to 1000"),
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
            "--weights goes after the subcommand: datagen --weights <FILE>",
        ),
        (
            "--weights x perft 3",
            2,
            "the subcommand \"perft\" has options of its own",
        ),
        ("datagen --out no/such --verify", 2, "--info <FILE>"),
        ("tune --data x --out y --rate 1001", 2, "from 0 to 1000"),
    ]);
}

#[test]
fn startpos_is_accepted_everywhere() {
    check(&[
        ("eval startpos", 0, ""),
        ("perft 2 --fen startpos", 0, "400 nodes"),
        ("book probe startpos", 0, "e2e4"),
        (
            "tablebase probe startpos",
            1,
            "the position has 32 pieces, the available tables have at most 4",
        ),
        ("tablebase mate startpos", 1, "only up to 4 pieces"),
        ("book probe e4 --book no/such", 1, "no/such: does not exist"),
    ]);
}

#[test]
fn moves_may_follow_a_position_without_move_counters() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for moves in ["e4", "1. e4", "moves e2e4"] {
        let command = format!("book probe {position} {moves}");
        check(&[(&command, 0, "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")]);
    }
}

/// People look at the last moves, so they count for a level.
#[test]
fn a_level_knows_the_moves_after_a_position() {
    let probe = |moves: &str| {
        let position = format!("startpos {moves} e4 d5 exd5");
        lucena(&["levels", "probe", &position, "--elo", "1400"]).stdout
    };
    assert_eq!(probe(""), probe("moves"));
}

#[test]
fn a_level_above_the_model_says_whose_weights_are_shown() {
    let note = "level 2800 is the engine with a limit of 4003 nodes a move";
    let mate = "startpos_moves_f3_e5_g4_Qh4";
    check(&[
        ("levels show 2800", 0, note),
        ("levels show 2800", 0, "A level of 2200."),
        ("levels probe startpos --elo 2800", 0, note),
        (
            &format!("levels probe {mate} --elo 900"),
            0,
            "no moves: checkmate",
        ),
        (
            &format!("levels probe {mate} --elo 900 --json"),
            0,
            "{\"moves\":[]}",
        ),
    ]);
}

#[test]
fn the_tablebase_result_is_that_of_the_best_move() {
    let probe = |clock| format!("tablebase probe 8/8/8/8/8/4k3/8/R3K3 w - - {clock} 100");
    check(&[
        (&probe(78), 0, "\nwin, DTZ 21"),
        (&probe(90), 0, "\ncursed win, DTZ 21"),
        (
            &(probe(90) + " --json"),
            0,
            "\"wdl\": \"cursed win\",\n  \"dtz\": 21",
        ),
    ]);
}

#[test]
fn uci_commands_use_the_weights_given() {
    let folder = Folder::new("weights");
    let start = lucena(&["weights", "--start"]).stdout;
    // With Windows line ends.
    let text = String::from_utf8(start).expect("text");
    folder.write("start.txt", text.replace('\n', "\r\n"));
    let file = folder.text("start.txt");
    let file = file.as_str();
    let run = |arguments: &[&str]| {
        let output = lucena(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let nodes = |text: String| {
        let last = text.lines().last().expect("a line").to_owned();
        let (nodes, _) = last.split_once(' ').expect("nodes");
        nodes.parse::<u64>().expect("a number")
    };
    let built_in = nodes(run(&["bench", "2"]));
    assert_eq!(nodes(run(&["bench 2"])), built_in);
    assert_ne!(nodes(run(&["--weights", file, "bench 2"])), built_in);
    assert!(!run(&["weights", file]).is_empty());
    let eval = run(&["--weights", file, "eval"]);
    assert!(eval.contains("total 0 "), "{eval}");
    let option = format!("setoption name Weights File value {file}");
    assert_eq!(
        nodes(run(&[&option, "bench 2"])),
        nodes(run(&["--weights", file, "bench 2"]))
    );
}

#[test]
fn weights_are_completed_with_zeros() {
    let folder = Folder::new("complete");
    let start = String::from_utf8(lucena(&["weights", "--start"]).stdout).expect("text");
    let (before, rest) = start.split_once("[reach:").expect("the family");
    let (_, after) = rest.split_once("\n[").expect("another family");
    folder.write("old.txt", format!("{before}[{after}"));
    let (old, new) = (folder.text("old.txt"), folder.text("new.txt"));
    let run = |arguments: &[&str], status: i32, words: &str| {
        let output = lucena(arguments);
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert_eq!(output.status.code(), Some(status), "{printed}");
        assert!(printed.contains(words), "{printed}");
    };
    let eval = ["eval", "startpos", "--weights"];
    run(
        &[&eval[..], &[&old]].concat(),
        1,
        "lucena weights --complete",
    );
    let added = "added 112 zero weights of reach";
    run(&["weights", "--complete", &old, "--out", &new], 0, added);
    run(&[&eval[..], &[&new]].concat(), 0, "total 0 ");
    run(
        &["weights", "--complete", &new, "--out", &new],
        0,
        "nothing to add",
    );
    run(&["weights", "--complete", &new], 2, "--out");

    // Untrained weights are readable already; a file without a family could lose the constants of others.
    let readable = folder.text("readable.txt");
    run(&["weights", "--readable", &new, "--out", &readable], 0, "");
    assert_eq!(fs::read(&readable).ok(), fs::read(&new).ok());
    run(
        &["weights", "--readable", &old, "--out", &readable],
        1,
        "lacks reach",
    );
    run(&["weights", "--readable", &new], 2, "--out");
    run(&["weights", "--out", &new], 2, "--readable");
    run(&["weights", "--start", "--out", &new], 0, "");
    assert_eq!(fs::read(&new).ok(), Some(start.into_bytes()));
}

/// As arguments; on standard input the same lines are no failure.
#[test]
fn an_invalid_uci_command_exits_with_1() {
    check(&[
        (
            "position_startpos_moves_e2e4 d go_depth_1 quit",
            0,
            "bestmove ",
        ),
        ("go_perft_1", 0, "Nodes searched: 20"),
        ("genfens_1_seed_1_book_None quit", 0, "info string genfens "),
        ("bench_1", 0, " nps"),
        // Standard castling, also where Chess960 positions follow.
        ("bench_1", 0, "  e1g1 "),
        ("position_fen_foo", 1, "info string position: FEN"),
        (
            "position_startpos_moves_e2e5 go_depth_1",
            1,
            "bestmove (none)",
        ),
        ("go_perft_99", 1, "perft: depth: must be at most 32"),
        ("perft_99999999999", 1, "perft: depth: must be at most 32"),
        (
            "go_depth_x_nodes_10",
            1,
            "go: depth: expected a number, found x",
        ),
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
        ("position_fen_foo eval", 1, "no valid position is set"),
        // Nobody could stop these searches.
        (
            "go_dpeth_5",
            1,
            "go: unknown word: dpeth; did you mean depth?",
        ),
        ("go_searchmoves_xx", 1, "searchmoves: xx is not a move"),
        (
            "setoption_name_Debug_Log_File_value_no/such",
            1,
            "no/such: the folder no does not exist",
        ),
        (
            "position_startpos_moves_f2f3_e7e5_g2g4_d8h4 threats",
            1,
            "no threats: checkmate",
        ),
        (
            "position_fen_R5k1/5ppp/8/8/8/8/8/6K1_b_-_-_0_1 eval",
            0,
            "The game is over: checkmate. White has won.\n",
        ),
        (
            "eval 7k/5Q2/6K1/8/8/8/8/8_b_-_-_0_1",
            0,
            "The game is over: stalemate.\n",
        ),
        ("evla", 2, "did you mean eval?"),
        ("tabelbase", 2, "did you mean tablebase?"),
    ]);
    let input = "position fen foo\ngo perft 99\nbench abc\n";
    assert!(lucena_with_input(&[], input).status.success());
}

#[test]
fn tablebase_export_keeps_other_files() {
    let folder = Folder::new("export");
    let export = || lucena(&["tablebase", "export", "--out", &folder.path()]);
    let other = folder.write("KQvK.rtbw", b"another table");
    let refused = export();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text.contains("KQvK.rtbw: a different file with this name exists"),
        "{text}"
    );
    assert_eq!(fs::read(&other).expect("the file"), b"another table");
    assert_eq!(fs::read_dir(&*folder).expect("the folder").count(), 1);
    fs::remove_file(&other).expect("removed");
    for _ in 0..2 {
        assert!(export().status.success());
    }
    assert_eq!(fs::read_dir(&*folder).expect("the folder").count(), 70);
}
