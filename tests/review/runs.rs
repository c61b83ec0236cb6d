//! Runs of `lucena review` that end early, meet each other, or have no room: nothing is lost, and the output is the same.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Folder, Random, files, lucena, lucena_with_input};
use serde_json::Value;

const GAMES: &str = include_str!("../data/review.pgn");
/// Kills of a run.
const KILLS: usize = 5;
/// A signal ends a review within this time.
const LONGEST_END: Duration = Duration::from_secs(10);

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn succeed(arguments: &[&str]) -> Output {
    let output = lucena(arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

/// The games of the test file again and again, with other last moves, so that no two are alike.
fn many_games(count: usize) -> String {
    let replies = ["a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6", "Na6", "Nc6"];
    let moves = ["d4", "Nc3", "Bc4", "g3", "c3", "Be2"];
    let line = |game: usize| {
        let (reply, mv) = (replies[game % 10], moves[game / 10 % 6]);
        format!("[White \"{game}\"]\n\n1. e4 {reply} 2. {mv} h5 3. a3 h4 *\n\n")
    };
    (0..count).map(line).collect::<String>() + GAMES
}

/// Waits for the end of a process; kills it if it takes too long.
fn end_of(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if started.elapsed() > LONGEST_END {
            child.kill().expect("a process");
            let output = child.wait_with_output().expect("its output");
            panic!("no end after {LONGEST_END:?}: {}", stderr(&output));
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("its output")
}

#[cfg(unix)]
#[test]
fn signals_end_a_review_and_leave_only_the_store() {
    for (signal, limit) in [("-INT", "--movetime"), ("-TERM", "--nodes")] {
        let folder = Folder::new("review");
        let (pgn, store) = (folder.text("out.pgn"), folder.text("store"));
        // Searches of minutes, and a pipe that stays open.
        let mut child = start(&[
            "review", "-", limit, "400000", "--pgn", &pgn, "--store", &store,
        ]);
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(GAMES.as_bytes()).expect("a pipe");
        input.flush().expect("a pipe");
        sleep(Duration::from_millis(1500));
        assert!(child.try_wait().expect("a process").is_none());
        let id = child.id().to_string();
        let killed = Command::new("kill").args([signal, &id]).status();
        assert!(killed.expect("kill").success());
        let output = end_of(child);
        drop(input);
        assert_eq!(output.status.code(), Some(1));
        let errors = stderr(&output);
        assert!(errors.contains("stopped after"), "{errors}");
        assert!(errors.contains("the store keeps"), "{errors}");
        let left: Vec<String> = files(&folder).into_keys().collect();
        assert_eq!(left, ["store"]);
        succeed(&["store", "verify", &store]);
    }
}

/// The outputs of a review, without a store.
fn whole(games: &str, nodes: &str, folder: &Folder) -> [Vec<u8>; 2] {
    let (pgn, json) = (folder.text("whole.pgn"), folder.text("whole.json"));
    succeed(&[
        "review", games, "--nodes", nodes, "--pgn", &pgn, "--json", &json,
    ]);
    [pgn, json].map(|path| fs::read(path).expect("a file"))
}

#[test]
fn a_review_killed_five_times_gives_the_same_output() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", many_games(60));
    let games = games.to_str().expect("text");
    let expected = whole(games, "3000", &folder);
    let (pgn, json) = (folder.text("out.pgn"), folder.text("out.json"));
    let store = folder.text("store");
    let arguments = [
        "review", games, "--nodes", "3000", "--pgn", &pgn, "--json", &json, "--store", &store,
    ];
    let mut random = Random::new(u64::from(std::process::id()));
    for _ in 0..KILLS {
        let mut child = start(&arguments);
        sleep(Duration::from_millis(100 + random.below(1500) as u64));
        let _ = child.kill();
        let _ = child.wait();
        // An output is whole or absent.
        for (path, whole) in [&pgn, &json].into_iter().zip(&expected) {
            assert!(fs::read(path).is_ok_and(|bytes| bytes == *whole) || !Path::new(path).exists());
        }
    }
    succeed(&arguments);
    assert!([&pgn, &json].map(|path| fs::read(path).expect("a file")) == expected);
    succeed(&["store", "verify", &store]);
}

#[test]
fn two_processes_share_a_store() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", many_games(30));
    let games = games.to_str().expect("text");
    let expected = whole(games, "2000", &folder);
    let store = folder.text("store");
    let outputs = ["1", "2"].map(|name| folder.text(&format!("{name}.json")));
    let children = ["1/2", "2/2"].map(|shard| {
        let json = &outputs[usize::from(shard == "2/2")];
        start(&[
            "review", games, "--nodes", "2000", "--json", json, "--store", &store, "--shard", shard,
        ])
    });
    for child in children {
        let output = child.wait_with_output().expect("its output");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let json = outputs.map(|path| fs::read(path).expect("a file")).concat();
    assert!(json == expected[1]);
    let export = || stdout(&succeed(&["store", "export", &store]));
    let before = export();
    let pgn = folder.text("again.pgn");
    succeed(&[
        "review", games, "--nodes", "2000", "--pgn", &pgn, "--store", &store,
    ]);
    assert!(fs::read(pgn).expect("a file") == expected[0]);
    // Both wrote all that they found: nothing is new.
    assert_eq!(export(), before);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_loses_nothing() {
    let folder = Folder::new("review");
    let games = folder.write("games.pgn", many_games(30));
    let games = games.to_str().expect("text");
    let expected = whole(games, "1000", &folder);
    let (pgn, store) = (folder.text("out.pgn"), folder.text("store"));
    fs::write(&pgn, "what was there before").expect("a file");
    let arguments = ["review", games, "--nodes", "1000", "--pgn", &pgn];
    let with_store = [&arguments[..], &["--store", &store]].concat();
    // A limit on the size of files stands for a full disk.
    for (arguments, culprit) in [(&arguments[..], "out.pgn"), (&with_store, "store")] {
        let output = Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_lucena"))
            .args(arguments)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(1));
        let errors = stderr(&output);
        assert!(errors.contains(culprit), "{culprit}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        assert_eq!(fs::read(&pgn).expect("it"), b"what was there before");
    }
    let _ = fs::remove_file(&store);
    succeed(&with_store);
    assert!(fs::read(&pgn).expect("a file") == expected[0]);
}

#[test]
fn lists_of_positions_are_reviewed() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let text = format!(
        "# a comment\n6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\"; c0 \"a {{note}}\";\n\n\
         {start} 0 1\n8/8/8/8/8/8/8/8 w - - \n{start} sm Ke3;\n{start} sm f3; id\n\
         {start} pv f3 e5 g4 Qh4; id \"mate\";\nk7/8/1QK5/8/8/8/8/8 b - -\n"
    );
    let folder = Folder::new("review");
    let lists = folder.path() + "/lists";
    fs::create_dir_all(&lists).expect("a folder");
    fs::write(format!("{lists}/a.epd"), &text).expect("a file");
    let arguments = ["--nodes", "2000", "--json", "-"];
    let from_folder = lucena(&[&["review", &lists][..], &arguments].concat());
    let from_pipe = lucena_with_input(&[&["review", "-"][..], &arguments].concat(), &text);
    for output in [&from_folder, &from_pipe] {
        assert_eq!(output.status.code(), Some(1));
        let errors = stderr(output);
        for (number, line) in [(3, 5), (4, 6), (5, 7)] {
            let place = format!("position {number}: line {line}: ");
            assert!(errors.contains(&place), "{errors}");
        }
        assert!(errors.contains("3 positions skipped"), "{errors}");
        assert!(!errors.contains("game"), "{errors}");
        let found: Vec<Value> = stdout(output)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let moves = |index: usize| -> Vec<&str> {
            let moves = found[index]["moves"].as_array().expect("moves").iter();
            moves.filter_map(|mv| mv["move"].as_str()).collect()
        };
        assert_eq!(found.len(), 4);
        assert_eq!(moves(0), ["Rd8#"]);
        assert_eq!(found[0]["tags"]["Event"], "back rank");
        assert_eq!(moves(1).len(), 1);
        assert_eq!(moves(2), ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(found[2]["moves"][2]["mark"], "blunder");
        assert!(moves(3).is_empty() || moves(3) == ["Kb8"]);
    }
    let pgn = folder.text("out.pgn");
    let printed = lucena(&["review", &lists, "--nodes", "2000", "--pgn", &pgn]);
    let printed = stdout(&printed);
    assert!(printed.ends_with("position 7, stalemate\n"), "{printed}");
    let pgn = fs::read_to_string(pgn).expect("PGN");
    assert!(
        pgn.contains("{ a {note) }") || pgn.contains("a {note)"),
        "{pgn}"
    );
    assert!(pgn.contains("[SetUp \"1\"]"), "{pgn}");
}

#[test]
fn analyse_sends_games_to_review() {
    for name in ["analyse", "analyze"] {
        for arguments in [&[name, "--epd"][..], &[name]] {
            let output = lucena(&[arguments, &["tests/data/review.pgn"]].concat());
            assert_eq!(output.status.code(), Some(1));
            assert!(stderr(&output).contains("lucena review"), "{arguments:?}");
        }
    }
}

/// A finished run: seconds on the clock and of processors, and the greatest memory in MiB; the memory when a tenth was over.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    seconds: f64,
    processor: f64,
    early: f64,
    memory: f64,
}

/// Runs a review to its end and measures it.
#[cfg(target_os = "linux")]
fn measured(arguments: &[&str]) -> Effort {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut samples = Vec::new();
    let mut effort = Effort::default();
    while child.try_wait().expect("a process").is_none() {
        let folder = format!("/proc/{}", child.id());
        let read = |name: &str| fs::read_to_string(format!("{folder}/{name}")).unwrap_or_default();
        // Ticks of 10 ms in user and kernel mode, behind the name in brackets.
        let ticks: f64 = read("stat").rsplit(')').next().map_or(0.0, |fields| {
            let fields = fields.split_whitespace().skip(11).take(2);
            fields.filter_map(|field| field.parse::<f64>().ok()).sum()
        });
        effort.processor = effort.processor.max(ticks / 100.0);
        let memory = read("status").lines().find_map(|line| {
            let kilobytes = line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?;
            kilobytes.parse::<f64>().ok()
        });
        samples.extend(memory.map(|kilobytes| kilobytes / 1024.0));
        sleep(Duration::from_millis(20));
    }
    assert!(child.wait().expect("a process").success());
    effort.seconds = started.elapsed().as_secs_f64();
    effort.early = samples.get(samples.len() / 10).copied().unwrap_or(0.0);
    effort.memory = samples.into_iter().fold(0.0, f64::max);
    effort
}

/// `LUCENA_REVIEW_GAMES` names the PGN file, `LUCENA_REVIEW_NODES` the nodes for a move.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "an hour for 1,000 games at 20,000 nodes on two processors"]
fn a_thousand_games_are_reviewed_alike_however_they_are_run() {
    let games = std::env::var("LUCENA_REVIEW_GAMES").expect("LUCENA_REVIEW_GAMES: a PGN file");
    let nodes = std::env::var("LUCENA_REVIEW_NODES").unwrap_or_else(|_| "20000".into());
    let folder = Folder::new("review");
    let path = |name: &str| folder.text(name);
    let run = |name: &str, more: &[&str]| -> (Effort, [Vec<u8>; 2]) {
        let (pgn, json) = (path(&format!("{name}.pgn")), path(&format!("{name}.json")));
        let base = [
            "review", &games, "--nodes", &nodes, "--pgn", &pgn, "--json", &json,
        ];
        let effort = measured(&[&base[..], more].concat());
        (
            effort,
            [pgn, json].map(|path| fs::read(path).expect("a file")),
        )
    };
    let (two, expected) = run("two", &["--threads", "2"]);
    let reviewed: Vec<Value> = String::from_utf8_lossy(&expected[1])
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let moves: Vec<&Value> = reviewed
        .iter()
        .flat_map(|game| game["moves"].as_array().expect("moves"))
        .collect();
    let is_mistake = |mv: &Value| {
        let marks = ["inaccuracy", "mistake", "blunder"];
        marks.contains(&mv["mark"].as_str().unwrap_or(""))
    };
    let wrong = moves
        .iter()
        .filter(|mv| mv["move"] == mv["best"] && is_mistake(mv));
    assert_eq!(wrong.count(), 0, "a best move is marked as a mistake");
    let per_game = two.processor / moves.len() as f64 * 80.0;
    println!(
        "{} games, {} moves, {nodes} nodes; two threads: {:.1} s, {:.1} s of processors, {per_game:.2} s for 80 plies, \
         {:.0} MiB at most ({:.0} MiB after a tenth)",
        reviewed.len(),
        moves.len(),
        two.seconds,
        two.processor,
        two.memory,
        two.early
    );

    let store = path("killed.store");
    let mut random = Random::new(u64::from(std::process::id()));
    for kill in 1..=KILLS {
        let (pgn, json) = (path("killed.pgn"), path("killed.json"));
        let mut child = start(&[
            "review",
            &games,
            "--nodes",
            &nodes,
            "--pgn",
            &pgn,
            "--json",
            &json,
            "--store",
            &store,
            "--threads",
            "2",
        ]);
        // The pipes fill up otherwise.
        drop((child.stdout.take(), child.stderr.take()));
        // Two threads at work; the time of a clock would count other work on the machine.
        let longest = (two.processor * 500.0) as usize / (KILLS + 1);
        let life = random.below(longest);
        sleep(Duration::from_millis(life as u64));
        let _ = child.kill();
        let _ = child.wait();
        println!("kill {kill} after {:.1} s", life as f64 / 1000.0);
    }
    let (rest, killed) = run("killed", &["--threads", "2", "--store", &store]);
    assert!(killed == expected, "the output after kills differs");
    println!(
        "the last run took {:.1} s; the output is the same",
        rest.seconds
    );
    let (known, again) = run("again", &["--threads", "2", "--store", &store]);
    assert!(again == expected);
    println!("from the store alone: {:.1} s", known.seconds);

    let mut parts = [Vec::new(), Vec::new()];
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        let (_, part) = run("part", &["--threads", "2", "--shard", shard]);
        for (whole, part) in parts.iter_mut().zip(part) {
            whole.extend(part);
        }
    }
    assert!(parts == expected, "the shards differ from the whole");
    println!("four shards: the same bytes");

    let (one, alone) = run("one", &["--threads", "1"]);
    assert!(alone == expected);
    println!(
        "one thread: {:.1} s; two threads are {:.2} times as fast",
        one.seconds,
        one.seconds / two.seconds
    );
}
