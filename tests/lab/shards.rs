//! Shards of datagen, analyse and tune: together they are the whole run. Reviews are in `review.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{Folder, lucena};
use lucena::lab::train::store::{GameReader, files_in};

const SUITE: &str = "tests/data/tactics.epd";
/// The width of the column of milliseconds.
const TIME_WIDTH: usize = 9;

fn run(arguments: &[&str]) -> String {
    let output = lucena(arguments);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The games of a folder by their number; each occurs once.
fn games(folder: &str) -> BTreeMap<u64, Vec<u8>> {
    let mut games = BTreeMap::new();
    for file in files_in(Path::new(folder)).expect("files of games") {
        let mut reader = GameReader::open(&file).expect("a file of games");
        while let Some(block) = reader.next_block().expect("a block") {
            assert!(games.insert(block.number, block.game).is_none());
        }
    }
    games
}

#[test]
fn shards_of_training_games_are_the_whole_run() {
    let (whole, parts) = (Folder::new("shards-whole"), Folder::new("shards-parts"));
    let play = |folder: &Folder, shard: &[&str]| {
        let out = folder.path();
        let plan = ["datagen", "--out", &out, "--games", "7", "--nodes", "50"];
        run(&[&plan[..], shard].concat());
    };
    play(&whole, &[]);
    for shard in ["1/3", "2/3", "3/3", "2/3"] {
        play(&parts, &["--shard", shard]);
    }
    let expected = games(&whole.path());
    assert_eq!(expected.len(), 7);
    assert_eq!(games(&parts.path()), expected);
    let names = fs::read_dir(parts.path()).expect("a folder").count();
    assert_eq!(names, 3);
}

#[test]
fn shards_of_a_suite_are_the_whole_run() {
    // The position, its number and the answer, without the time.
    let rows = |shard: &[&str]| -> Vec<String> {
        let text = run(&[&["analyse", SUITE, "--nodes", "2000"], shard].concat());
        let end = text.find("ms").expect("a heading") + "ms".len();
        let rows = text
            .lines()
            .skip(1)
            .filter(|line| !line.starts_with("solved"));
        let field = |line: &str| {
            let (before, after) = (&line[..end - TIME_WIDTH], &line[end..]);
            let words: Vec<&str> = before
                .split_whitespace()
                .chain(after.split_whitespace())
                .collect();
            words.join(" ")
        };
        rows.map(field).collect()
    };
    let whole = rows(&[]);
    assert!(whole.len() > 5);
    let parts = ["1/4", "2/4", "3/4", "4/4"].map(|shard| rows(&["--shard", shard]));
    assert_eq!(parts.concat(), whole);
}

/// Training games in three files, two of which have the same header. With seed 53, some of the first games are held out.
fn training_games(name: &str) -> Folder {
    let folder = Folder::new(name);
    let out = folder.path();
    let play = |games: &str, more: &[&str]| {
        let plan = ["datagen", "--out", &out, "--nodes", "30", "--games", games];
        run(&[&plan[..], more].concat());
    };
    play("40", &["--seed", "53", "--shard", "1/2"]);
    play("40", &["--seed", "53", "--shard", "2/2"]);
    play("3", &["--seed", "7"]);
    folder
}

/// Trains for two epochs.
fn tune(data: &[&str], out: &str, more: &[&str]) -> Output {
    let plan = ["tune", "--epochs", "2", "--out", out];
    lucena(&[&plan[..], more, &["--data"], data].concat())
}

/// Writes the samples of a shard and returns their file.
fn samples(folder: &Folder, data: &str, shard: &str, more: &[&str]) -> String {
    let out = folder.text(&format!("{}.samples", shard.replace('/', "-of-")));
    let output = lucena(
        &[
            &["tune", "--data", data, "--out", &out, "--shard", shard],
            more,
        ]
        .concat(),
    );
    assert!(output.status.success(), "{output:?}");
    out
}

#[test]
fn a_game_in_two_files_is_refused() {
    let games = training_games("overlapping");
    let data = games.path();
    // Part 1 of a longer run has games that part 2 of the shorter one has.
    run(&[
        "datagen", "--out", &data, "--nodes", "30", "--games", "44", "--seed", "53", "--shard",
        "1/2",
    ]);
    let out = games.text("out");
    for command in [
        &["tune", "--data", &data, "--out", &out][..],
        &["tune", "--data", &data, "--out", &out, "--shard", "1/2"],
        &["wdl", "--data", &data, "--out", &out],
        &["datagen", "--info", &data, "--export", &out],
    ] {
        let output = lucena(command);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            message.contains("part-2-of-2.games: game 2") && message.contains("is also in"),
            "{message}"
        );
    }
}

#[test]
fn samples_of_all_shards_give_the_weights_of_one_pass() {
    let (games, parts) = (training_games("tune-games"), Folder::new("tune-parts"));
    let whole = parts.text("whole.txt");
    let trained = tune(&[&games.path()], &whole, &["--foresight", "0.5"]);
    assert!(trained.status.success(), "{trained:?}");
    let expected = fs::read(&whole).expect("weights");
    for of in [1, 2, 5] {
        let folder = Folder::new("tune-shards");
        let shards = (1..=of).map(|number| format!("{number}/{of}"));
        let shards: Vec<String> = shards
            .map(|shard| samples(&folder, &games.path(), &shard, &["--foresight", "0.5"]))
            .collect();
        let mut shards: Vec<&str> = shards.iter().map(String::as_str).collect();
        shards.reverse();
        for data in [&shards[..], &[&folder.path()]] {
            let out = parts.text(&format!("{of}.txt"));
            let trained = tune(data, &out, &["--foresight", "0.5", "--threads", "1"]);
            assert!(trained.status.success(), "{trained:?}");
            assert!(fs::read(&out).is_ok_and(|found| found == expected), "{of}");
        }
    }
}

#[test]
fn shards_of_games_with_more_shards_than_games_are_empty() {
    let (games, parts) = (Folder::new("few-games"), Folder::new("few-parts"));
    run(&[
        "datagen",
        "--out",
        &games.path(),
        "--nodes",
        "30",
        "--games",
        "2",
    ]);
    for number in 1..=4 {
        samples(&parts, &games.path(), &format!("{number}/4"), &[]);
    }
    let refused = tune(&[&parts.path()], &parts.text("out.txt"), &[]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("too few games"), "{message}");
}

#[test]
fn samples_that_are_not_all_shards_of_the_same_games_are_refused() {
    let (games, parts) = (training_games("bad-games"), Folder::new("bad-parts"));
    let (data, out) = (games.path(), parts.text("out.txt"));
    let shards = ["1/3", "2/3", "3/3"].map(|shard| samples(&parts, &data, shard, &[]));
    let [first, second, third] = shards.each_ref().map(String::as_str);
    let refused = |data: &[&str], more: &[&str], words: &[&str]| {
        let output = tune(data, &out, more);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        assert!(!Path::new(&out).exists());
    };
    refused(&[first, third], &[], &["shard 2/3 are missing"]);
    let copy = parts.write("copy", fs::read(first).expect("samples"));
    let copy = copy.to_string_lossy();
    refused(
        &[first, second, &copy],
        &[],
        &["the same shard 1/3", "copy"],
    );
    refused(&[first, first], &[], &["twice in --data"]);
    refused(&[first, &data], &[], &["both samples", "and games"]);
    let words = ["1-of-3.samples", "\"foresight\"", "0.0, not with 0.4"];
    refused(&[first, second, third], &["--foresight", "0.4"], &words);
    let other = Folder::new("bad-other");
    let quarter = samples(&other, &data, "2/4", &[]);
    refused(
        &[first, &quarter],
        &[],
        &["field \"shard\"", "another number of shards"],
    );
    run(&[
        "datagen", "--out", &data, "--nodes", "30", "--games", "4", "--seed", "7",
    ]);
    let later = samples(&other, &data, "2/3", &[]);
    refused(
        &[first, &later, third],
        &[],
        &["field \"data\"", "of other games"],
    );
    let used = lucena(&[
        "tune", "--data", &data, "--out", &out, "--shard", "1/3", "--seed", "2",
    ]);
    assert_eq!(used.status.code(), Some(2));
    let wrong = lucena(&["tune", "--data", &data, "--out", &out, "--shard", "4/3"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("must be I/N with I from 1 to N"));
}

#[test]
fn damaged_samples_are_refused() {
    let (games, parts) = (
        training_games("damaged-games"),
        Folder::new("damaged-parts"),
    );
    let file = samples(&parts, &games.path(), "1/1", &[]);
    let (bytes, out) = (fs::read(&file).expect("samples"), parts.text("out.txt"));
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a file");
        let output = tune(&[&file], &out, &[]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("1-of-1.samples: "), "{message}");
        assert!(!Path::new(&out).exists());
    };
    for place in (0..bytes.len())
        .step_by(bytes.len() / 30)
        .chain([20, 30, bytes.len() - 1])
    {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        refused(&changed);
        refused(&bytes[..place]);
    }
    refused(&[&bytes[..], b"more"].concat());
}
