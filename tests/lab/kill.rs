//! Kills and full disks: what was written stays valid, an interrupted command continues, and no input is overwritten.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use lucena::base::random::Random;
use lucena::eval::weights::parse;
use lucena::lab::atomic_file::WorkLock;

/// Kills of each command, and those of the long test.
const KILLS: usize = 20;
const MANY_KILLS: usize = 1000;
/// A command is killed within this many milliseconds.
const LONGEST_LIFE: usize = 150;
/// The length of the first line of a file of games.
const MAGIC_LENGTH: usize = "lucena games 1\n".len();
/// Games of the tests, short by few nodes. With seed 53, some of the first games are held out.
const GAMES: &str = "60";
const NODES: &str = "60";

fn lucena() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn datagen(folder: &Path) -> Command {
    let mut command = lucena();
    command.arg("datagen").arg("--out").arg(folder);
    command.args([
        "--games",
        GAMES,
        "--nodes",
        NODES,
        "--seed",
        "53",
        "--threads",
        "2",
    ]);
    command
}

fn tune(data: &Path, out: &Path) -> Command {
    let mut command = lucena();
    command
        .arg("tune")
        .arg("--data")
        .arg(data)
        .arg("--out")
        .arg(out);
    command.args(["--epochs", "120", "--threads", "2"]);
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Starts and kills a command repeatedly, calling `look` after each kill, then lets it finish.
fn kill_and_resume(command: &mut Command, kills: usize, random: &mut Random, look: impl Fn()) {
    for _ in 0..kills {
        let mut child: Child = command.spawn().expect("the program starts");
        sleep(Duration::from_millis(random.below(LONGEST_LIFE) as u64));
        // SIGKILL on Unix: no cleanup is possible.
        let _ = child.kill();
        let _ = child.wait();
        look();
    }
    let ended = run(command);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
}

/// Output of `datagen --info --verify` for a folder, without the name of the file.
fn summary(folder: &Path) -> String {
    let output = run(lucena()
        .arg("datagen")
        .arg("--info")
        .arg(folder)
        .arg("--verify"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    assert!(lines.contains("every move is legal and every checksum right"));
    lines.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn twenty_kills_lose_nothing() {
    survive(KILLS);
}

#[test]
#[ignore = "minutes"]
fn a_thousand_kills_lose_nothing() {
    survive(MANY_KILLS);
}

/// Kills datagen and tune this often, and compares their results with those of uninterrupted runs.
fn survive(kills: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    assert!(run(&mut datagen(&whole)).status.success());
    let mut random = Random::new(u64::from(std::process::id()), 0);
    kill_and_resume(&mut datagen(&killed), kills, &mut random, || ());
    let games = summary(&killed);
    assert!(games.contains(&format!("games {GAMES} ")), "{games}");
    assert_eq!(games, summary(&whole));

    let (uninterrupted, interrupted) = (
        folder.path().join("uninterrupted.txt"),
        folder.path().join("interrupted.txt"),
    );
    assert!(run(&mut tune(&whole, &uninterrupted)).status.success());
    let read = |path: &Path| fs::read_to_string(path).expect("weights");
    assert!(parse(&read(&uninterrupted)).is_ok());
    kill_and_resume(&mut tune(&whole, &interrupted), kills, &mut random, || {
        assert!(!interrupted.exists() || parse(&read(&interrupted)).is_ok());
    });
    assert_eq!(read(&interrupted), read(&uninterrupted));
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// The command under a limit on the size of files, in blocks, which stands for a full disk.
#[cfg(unix)]
fn without_room(command: &Command, blocks: u32) -> Command {
    let mut limited = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    limited
        .arg("-c")
        .arg(script)
        .arg(command.get_program())
        .args(command.get_args());
    limited.stdout(Stdio::piped()).stderr(Stdio::piped());
    limited
}

/// More games than anybody waits for: the disk is full first.
#[cfg(unix)]
#[test]
fn the_number_of_games_takes_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut endless = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 16; ulimit -v 4000000; exec \"$0\" \"$@\"";
    endless.args(["-c", script]).arg(lucena().get_program());
    endless.arg("datagen").arg("--out").arg(folder.path());
    endless.args([
        "--games",
        "1000000000000",
        "--nodes",
        NODES,
        "--threads",
        "1",
    ]);
    let stopped = run(endless.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let message = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(1), "{message}");
    assert!(message.contains("seed-1.games: "), "{message}");
}

/// A thread without memory would abort the process.
#[cfg(target_os = "linux")]
#[test]
fn fewer_threads_run_if_the_address_space_is_limited() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\""]);
    limited.arg(lucena().get_program());
    limited.arg("datagen").arg("--out").arg(folder.path());
    limited.args(["--games", "4", "--nodes", NODES, "--threads", "16"]);
    let played = run(limited.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let message = text(&played.stderr);
    assert!(played.status.success(), "{message}");
    assert!(message.contains("instead of 16 threads"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let stopped = run(&mut without_room(&datagen(&data), 16));
    assert_eq!(stopped.status.code(), Some(1));
    let message = text(&stopped.stderr);
    assert!(message.contains("seed-53.games: "), "{message}");
    // What was written is valid, and the run continues when there is room again.
    let before = summary(&data);
    assert!(!before.contains(&format!("games {GAMES} ")), "{before}");
    assert!(run(&mut datagen(&data)).status.success());
    assert!(summary(&data).contains(&format!("games {GAMES} ")));

    let out = folder.path().join("weights.txt");
    fs::write(&out, "what was there before").expect("a file");
    let stopped = run(&mut without_room(&tune(&data, &out), 1));
    assert_eq!(stopped.status.code(), Some(1));
    let message = text(&stopped.stderr);
    assert!(message.contains("weights.txt"), "{message}");
    assert_eq!(
        fs::read_to_string(&out).expect("it"),
        "what was there before"
    );
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn damaged_and_foreign_files_are_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut few = lucena();
    few.arg("datagen").arg("--out").arg(&data);
    assert!(
        run(few.args(["--games", "6", "--nodes", NODES]))
            .status
            .success()
    );
    let file = data.join("seed-1.games");
    let good = fs::read(&file).expect("games");
    let complaint = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a file");
        let out = folder.path().join("none.txt");
        let tuned = run(&mut tune(&data, &out));
        assert!(!out.exists());
        let informed = run(lucena()
            .arg("datagen")
            .arg("--info")
            .arg(&data)
            .arg("--verify"));
        for output in [&tuned, &informed] {
            assert_eq!(output.status.code(), Some(1));
            assert!(text(&output.stderr).contains("seed-1.games: "));
        }
        text(&informed.stderr)
    };
    assert!(complaint(&good[..good.len() - 3]).contains("cut off at byte "));
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 64;
    assert!(complaint(&damaged).contains("damaged at byte "));
    damaged = good.clone();
    damaged[MAGIC_LENGTH + 5] ^= 1;
    assert!(complaint(&damaged).contains("the header is damaged"));
    assert!(complaint(b"PNG or whatever").contains("not a file of games"));
    assert!(complaint(b"").contains("not a file of games"));
    // Reading changed none of these files; datagen repairs one that is cut off.
    fs::write(&file, &good[..good.len() - 3]).expect("a file");
    assert!(run(few.args(["--threads", "1"])).status.success());
    let mut repaired = fs::read(&file).expect("games");
    let mut whole = good;
    // The order of blocks has no meaning, so compare sorted bytes.
    repaired.sort_unstable();
    whole.sort_unstable();
    assert_eq!(repaired, whole);
}

/// Games in a file of an earlier version, whose header has no checksum.
#[test]
fn games_of_an_earlier_version_are_read_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let command = |data: &Path| {
        let mut command = lucena();
        command.arg("datagen").arg("--out").arg(data);
        command.args(["--games", "6", "--nodes", NODES, "--threads", "1"]);
        command
    };
    assert!(run(&mut command(&data)).status.success());
    let file = data.join("seed-1.games");
    let new = fs::read(&file).expect("games");
    let wanted = summary(&data);
    let find = |bytes: &[u8], text: &[u8]| {
        let mut windows = bytes.windows(text.len());
        windows
            .position(|window| window == text)
            .expect("it is there")
    };
    let start = find(&new, b"checksum ");
    let end = start + find(&new[start..], b"\n") + 1;
    let old = [&new[..start], &new[end..]].concat();
    fs::write(&file, &old).expect("a file");
    assert_eq!(
        summary(&data).replace(&old.len().to_string(), &new.len().to_string()),
        wanted
    );
    assert!(run(&mut command(&data)).status.success());
    assert_eq!(fs::read(&file).expect("games"), old);
    // Truncated within its last game.
    fs::write(&file, &old[..old.len() - 9]).expect("a file");
    assert!(run(&mut command(&data)).status.success());
    assert_eq!(fs::read(&file).expect("games"), old);
}

/// Reading it would wait for messages of the system.
#[cfg(target_os = "linux")]
#[test]
fn a_file_without_a_length_is_no_file_of_games() {
    let look = run(lucena().args(["datagen", "--info", "/proc/kmsg"]));
    assert_eq!(look.status.code(), Some(1));
    let message = text(&look.stderr);
    assert!(message.contains("not a file of games"), "{message}");
}

/// A folder of games, and the path of their file.
fn few_games(folder: &Path) -> (PathBuf, PathBuf) {
    let data = folder.join("data");
    let played = run(lucena()
        .args(["datagen", "--games", "40", "--nodes", NODES, "--seed", "53"])
        .arg("--out")
        .arg(&data));
    assert!(played.status.success(), "{}", text(&played.stderr));
    let file = data.join("seed-53.games");
    (data, file)
}

#[test]
fn an_output_that_is_also_an_input_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, file) = few_games(folder.path());
    let before = fs::read(&file).expect("games");
    let hard = folder.path().join("hard");
    fs::hard_link(&file, &hard).expect("a link");
    let under_checkpoint = folder.path().join("w.txt.checkpoint");
    fs::hard_link(&file, &under_checkpoint).expect("a link");
    let with = |words: &[&str], input: &Path, flag: &str, out: &Path| {
        let mut command = lucena();
        command.args(words).arg(input).arg(flag).arg(out);
        run(&mut command)
    };
    let weights = folder.path().join("w.txt");
    let refused = [
        with(&["tune", "--data"], &file, "--out", &file),
        with(&["tune", "--data"], &data, "--out", &hard),
        with(&["tune", "--data"], &data, "--out", &weights),
        with(&["wdl", "--data"], &file, "--out", &file),
        with(&["wdl", "--data"], &data, "--out", &hard),
        with(&["datagen", "--info"], &data, "--export", &hard),
        with(
            &["datagen", "--seed", "53", "--import"],
            &hard,
            "--out",
            &data,
        ),
    ];
    for output in refused {
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("it is also an input"), "{message}");
    }
    assert!(!weights.exists());
    assert_eq!(fs::read(&file).expect("games"), before);
}

#[test]
fn a_second_run_of_tune_with_the_same_output_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, _) = few_games(folder.path());
    let out = folder.path().join("w.txt");
    let lock = WorkLock::acquire(&out).expect("a lock");
    let second = run(&mut tune(&data, &out));
    let message = text(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{message}");
    assert!(
        message.contains("w.txt: in use by another process"),
        "{message}"
    );
    drop(lock);
    // A file with the name of the checkpoint is not overwritten either.
    let checkpoint = folder.path().join("w.txt.checkpoint");
    fs::write(&checkpoint, "notes").expect("a file");
    let refused = run(&mut tune(&data, &out));
    assert!(text(&refused.stderr).contains("w.txt.checkpoint: not a checkpoint"));
    assert_eq!(fs::read(&checkpoint).expect("it"), b"notes");
    fs::remove_file(&checkpoint).expect("removed");
    // Without them it works, with the old names of two flags as well.
    let mut old_names = lucena();
    old_names.args(["tune", "--passes", "2", "--restraint", "400", "--data"]);
    assert!(
        run(old_names.arg(&data).arg("--out").arg(&out))
            .status
            .success()
    );
    let written = fs::read_to_string(&out).expect("weights");
    assert!(written.contains("\npasses 2\n") && written.contains("\nrestraint 400\n"));
}

#[cfg(unix)]
#[test]
fn a_pipe_named_like_a_file_of_games_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("seed-53.games");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let mut look = lucena();
    look.args(["datagen", "--info"]).arg(folder.path());
    for command in [&mut datagen(folder.path()), &mut look] {
        let output = run(command);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("not a regular file"), "{message}");
    }
}
