//! Every command that writes files: killed at random times, without room on the disk, and twice at the same time. A file is
//! whole or absent, and a restarted command gives the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Folder, Random, files};

/// The commands, run in a folder with [`inputs`].
const WRITERS: &str = "
    openings --out openings.epd --count 10 --nodes 100
    datagen --out games --games 20 --nodes 60 --threads 1
    datagen --import some.vf --out imported
    datagen --info some --export games.vf
    datagen --info some --export games.epd
    tune --data some --out tuned.txt --epochs 20 --threads 1 --report report
    wdl --data some --out curve.rs
    policy --games 20 --nodes 200 --out policy.txt
    levels fit --games people.tsv --out levels.txt --positions 20 --iterations 2
    levels calibrate --results results.csv --out all.csv --anchor one=1500
    weights weights.txt --draw plots
    weights --complete weights.txt --out completed.txt
    weights --readable weights.txt --out readable.txt
    perft 3 --divide --resume counts --threads 1
    book build --pgn lines.pgn --min-games 1 --out built.bin --threads 1
    book export --out exported.bin
    book merge one.bin other.bin --out merged.bin
    book tree --depth 2 --svg tree.svg
    book name --compile lines.pgn --out names.tsv
    book verify --pgn lines.pgn --nodes 10 --report report.md --log verify.log
    book grow --positions 5 --nodes 20 --out grown.bin --log grow.log --threads 1
    tablebase export --out exported
    tablebase generate KQvK KRvK --out tables
    tablebase stats KQvK --picture stats.svg
";
/// Flags that name an output.
const OUTPUTS: [&str; 8] = [
    "--out",
    "--export",
    "--report",
    "--log",
    "--resume",
    "--draw",
    "--svg",
    "--picture",
];
/// What is written bit by bit: a killed command leaves a part, which the next one continues.
const GROWING: [&str; 6] = [
    "games/",
    "imported/",
    ".log",
    "tuned.txt.checkpoint",
    "counts",
    ".samples",
];
/// Kills of each command, and those of the long test.
const KILLS: usize = 1;
const MANY_KILLS: usize = 24;

type Files = BTreeMap<String, Vec<u8>>;

fn writers() -> impl Iterator<Item = &'static str> {
    WRITERS
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
}

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn finish(command: &mut Command, line: &str) {
    let ended = command.output().expect("the program starts");
    assert!(ended.status.success(), "{line}: {}", message(&ended));
}

fn message(ended: &Output) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// A folder with the inputs of the commands.
fn inputs() -> Folder {
    let folder = Folder::new("writers");
    let tags = "[ECO \"C20\"]\n[Opening \"Open Game\"]\n[Result \"1-0\"]\n";
    folder.write("lines.pgn", format!("{tags}\n1. e4 e5 2. Nf3 1-0\n"));
    folder.write(
        "people.tsv",
        "id\twhite_rating\tblack_rating\tuci_moves\n\
         a\t1500\t1510\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 b1d2 e8g8 e1g1 c8e6\n\
         b\t1700\t1690\td2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6\n",
    );
    folder.write(
        "results.csv",
        "player,opponent,wins,draws,losses\nlevel-1500,one,3,2,1\n",
    );
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/weights.txt");
    fs::copy(weights, folder.join("weights.txt")).expect("weights");
    for line in [
        "datagen --out some --games 40 --nodes 60 --seed 53",
        "datagen --info some --export some.vf",
        "book build --pgn lines.pgn --min-games 1 --out one.bin",
        "book export --out other.bin",
    ] {
        finish(&mut command(&folder, line), line);
    }
    folder
}

/// A copy of a folder.
fn copy(of: &Files) -> Folder {
    let folder = Folder::new("writers");
    for (name, bytes) in of {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
    folder
}

fn is_growing(name: &str) -> bool {
    GROWING.iter().any(|part| name.contains(part))
}

/// The order of what grows may depend on timing.
fn sorted_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    lines.sort_unstable();
    lines
}

/// Whether a file is not an output: the temporary file of a running or killed writer, or a lock file.
fn is_hidden(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default();
    name.starts_with(".lucena-") || name.ends_with(".lucena-lock")
}

/// Compares the files of a folder with those of an uninterrupted run.
fn check(folder: &Path, inputs: &Files, whole: &Files, line: &str, is_finished: bool) {
    let found = files(folder);
    for (name, bytes) in &found {
        if is_finished && name.ends_with(".lucena-lock") {
            continue; // Empty: of a killed process.
        }
        assert!(
            !is_finished || !is_hidden(name),
            "{line}: {name} is left over"
        );
        if is_hidden(name) || (!is_finished && is_growing(name)) {
            continue;
        }
        let wanted = whole.get(name);
        let is_same = if is_growing(name) {
            wanted.is_some_and(|wanted| sorted_lines(wanted) == sorted_lines(bytes))
        } else {
            wanted == Some(bytes)
        };
        assert!(is_same, "{line}: {name} is wrong");
    }
    let wanted = if is_finished { whole } else { inputs };
    for name in wanted.keys() {
        assert!(found.contains_key(name), "{line}: {name} is missing");
    }
}

/// A command, what it leaves uninterrupted, and how long it takes.
struct Uninterrupted {
    line: &'static str,
    whole: Files,
    elapsed: Duration,
}

/// The inputs, and what the commands make of them.
static RUNS: LazyLock<(Files, Vec<Uninterrupted>)> = LazyLock::new(|| {
    let inputs = files(&inputs());
    let run = |line| {
        let folder = copy(&inputs);
        let started = Instant::now();
        finish(&mut command(&folder, line), line);
        let elapsed = started.elapsed();
        let whole = files(&folder);
        assert!(whole.len() > inputs.len(), "{line} writes nothing");
        Uninterrupted {
            line,
            whole,
            elapsed,
        }
    };
    let runs = writers().map(run).collect();
    (inputs, runs)
});

fn survive(kills: usize) {
    let (inputs, runs) = &*RUNS;
    let mut random = Random::new(u64::from(std::process::id()));
    let mut interrupted = 0;
    for Uninterrupted {
        line,
        whole,
        elapsed,
    } in runs
    {
        let folder = copy(inputs);
        for _ in 0..kills {
            let mut child = command(&folder, line).spawn().expect("the program starts");
            sleep(Duration::from_micros(
                random.below(1 + elapsed.as_micros() as usize) as u64,
            ));
            // SIGKILL on Unix: no cleanup is possible.
            let _ = child.kill();
            let ended = child.wait().expect("a child");
            interrupted += usize::from(!ended.success());
            check(&folder, inputs, whole, line, false);
        }
        finish(&mut command(&folder, line), line);
        check(&folder, inputs, whole, line, true);
    }
    eprintln!(
        "{interrupted} of {} runs were interrupted",
        kills * writers().count()
    );
    assert!(interrupted > writers().count() * kills / 4, "{interrupted}");
}

#[test]
fn killed_writers_leave_whole_files() {
    survive(KILLS);
}

#[test]
#[ignore = "minutes"]
fn often_killed_writers_leave_whole_files() {
    survive(MANY_KILLS);
}

/// Runs a command with a limit on the size of files, which stands for a full disk.
#[cfg(unix)]
fn fail_without_room(run: &Uninterrupted, inputs: &Files, blocks: usize) {
    let Uninterrupted { line, whole, .. } = run;
    let folder = copy(inputs);
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let ended = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_lucena")])
        .args(line.split_whitespace())
        .current_dir(&*folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let message = message(&ended);
    assert_eq!(ended.status.code(), Some(1), "{line}: {message}");
    let (_, error) = message.rsplit_once("error: ").expect("an error");
    let mut outputs = whole.keys().filter(|name| !inputs.contains_key(*name));
    // The file or its folder.
    let is_named = |name: &String| error.contains(name.split('/').next().expect("a name"));
    assert!(outputs.any(is_named), "{line}: {message}");
    check(&folder, inputs, whole, line, false);
    let left = files(&folder).into_keys().find(|name| is_hidden(name));
    assert_eq!(left, None, "{line}");
    // With room again it continues.
    finish(&mut command(&folder, line), line);
    check(&folder, inputs, whole, line, true);
}

/// Half of the longest output, in blocks of 1024 bytes (`ulimit -f` may count 512).
#[cfg(unix)]
fn half_room(run: &Uninterrupted, inputs: &Files) -> usize {
    let outputs = run
        .whole
        .iter()
        .filter(|(name, _)| !inputs.contains_key(*name));
    let longest = outputs.map(|(_, bytes)| bytes.len()).max();
    longest.unwrap_or_default() / 2048
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_whole_files() {
    let (inputs, runs) = &*RUNS;
    for (index, run) in runs.iter().enumerate() {
        let blocks = [0, half_room(run, inputs)][index % 2];
        fail_without_room(run, inputs, blocks);
    }
}

#[test]
#[cfg(unix)]
#[ignore = "a minute"]
fn a_nearly_full_disk_leaves_whole_files() {
    let (inputs, runs) = &*RUNS;
    for run in runs {
        for blocks in [0, 1, half_room(run, inputs)] {
            if blocks <= half_room(run, inputs) {
                fail_without_room(run, inputs, blocks);
            }
        }
    }
}

#[test]
fn two_at_the_same_time_write_whole_files() {
    let (inputs, runs) = &*RUNS;
    for Uninterrupted { line, whole, .. } in runs {
        let folder = copy(inputs);
        let both = [(); 2].map(|()| command(&folder, line).spawn().expect("the program starts"));
        for child in both {
            let ended = child.wait_with_output().expect("a child");
            let is_refused = message(&ended).contains("in use by another process");
            assert!(
                ended.status.success() || is_refused,
                "{line}: {}",
                message(&ended)
            );
        }
        check(&folder, inputs, whole, line, true);
    }
}

/// Every flag of docs/cli.md that names an output, but for `spsa`, which has a test of its own.
#[test]
fn every_output_is_tested() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let page = fs::read_to_string(page).expect("the page");
    let mut count = 0;
    for section in page.split("# `lucena ").skip(1) {
        let is_name =
            |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
        let name: Vec<&str> = section.split([' ', '`']).take_while(is_name).collect();
        let name = name.join(" ");
        for flag in OUTPUTS
            .iter()
            .filter(|flag| section.contains(&format!("| `{flag} ")))
        {
            let is_tested = writers().any(|line| line.starts_with(&name) && line.contains(flag));
            assert!(is_tested || name == "spsa", "{name} {flag}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}
