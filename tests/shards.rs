//! Shards of datagen and analyse: together they are the whole run. Reviews are in `review.rs`.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{Folder, lucena};
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
