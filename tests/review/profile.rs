//! `lucena review --player`: the numbers of a profile are those of the games.

use std::fs;

use crate::common::schema::check;
use crate::common::{Folder, lucena};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../docs/profile.schema.json");
/// The least games of a profile.
const MIN_GAMES: usize = 20;
const WITH_BOUNDS: [&str; 3] = ["low", "value", "high"];

/// A game that White loses at the second move.
fn game([white, black]: [&str; 2]) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"0-1\"]\n[TimeControl \"100+0\"]\n\n\
         1. f3 {{[%clk 0:01:39]}} e5 {{[%clk 0:01:39]}} 2. g4 {{[%clk 0:00:05]}} Qh4# {{[%clk 0:00:05]}} 0-1\n\n"
    )
}

/// Ada's games, half of them with each colour.
fn games(count: usize) -> String {
    let sides = [["Ada", "Bo"], ["Bo", "ADA "]];
    (0..count).map(|index| game(sides[index % 2])).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Reviews a text with more arguments; returns standard output.
fn review(folder: &Folder, text: String, arguments: &[&str]) -> String {
    let games = folder.write("games.pgn", text);
    let games = games.to_str().expect("text");
    let all = [
        &["review", games, "--nodes", "2000", "--player", "ada"],
        arguments,
    ]
    .concat();
    let output = lucena(&all);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The profile in a file, which follows its schema.
fn profile_of(path: &str) -> Value {
    let text = fs::read_to_string(path).expect("a file");
    let profile: Value = serde_json::from_str(&text).expect("JSON");
    check(SCHEMA, &profile, "profile").unwrap_or_else(|fault| panic!("{fault}"));
    profile
}

/// The expected points that Ada's moves lose in reviewed games.
fn lost_by_ada(lines: &str) -> f64 {
    let mut sum = 0.0;
    for line in lines.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let is_white = game["white"]["name"] == "Ada";
        for mv in game["moves"].as_array().expect("moves") {
            let by_white = mv["ply"].as_u64().expect("a ply") % 2 == 1;
            if by_white == is_white {
                sum += number(&mv["lost"]);
            }
            let causes = mv["causes"].as_object().expect("causes");
            let parts: f64 = causes.values().map(number).sum();
            let whole = if mv["mark"].is_null() || mv["mark"] == "only_move" {
                0.0
            } else {
                number(&mv["lost"])
            };
            assert!((parts - whole).abs() < 0.002, "{mv}");
        }
    }
    sum
}

#[test]
fn a_profile_counts_what_the_games_say() {
    let folder = Folder::new("profile");
    let [svg, json, pages, out] =
        ["ada.svg", "ada.json", "pages", "out.json"].map(|name| folder.text(name));
    let text = games(24) + &game(["Cy", "Di"]);
    let files = [
        "--profile",
        &svg,
        "--profile",
        &json,
        "--html",
        &pages,
        "--json",
        &out,
    ];
    let printed = review(&folder, text, &files);
    let lines = fs::read_to_string(out).expect("a file");
    // The game of others is left out.
    assert_eq!(lines.lines().count(), 24);
    let profile = profile_of(&json);
    assert_eq!(profile["player"], "Ada");
    for (name, count) in [("games", 24), ("wins", 12), ("draws", 0), ("losses", 12)] {
        assert_eq!(profile[name], count, "{name}");
    }
    let lost = lost_by_ada(&lines) / 48.0 * 100.0;
    assert!(
        (lost - number(&profile["lost"]["value"])).abs() < 0.01,
        "{lost}"
    );
    let causes = profile["causes"].as_array().expect("causes");
    let mate = causes.iter().find(|line| line["cause"] == "mate");
    for side in ["lost", "gained"] {
        let numbers = WITH_BOUNDS.map(|name| number(&mate.expect("mates")[side][name]));
        assert!(numbers.is_sorted() && numbers[1] > 0.1, "{numbers:?}");
    }
    // Two moves a game, all of them in the opening, with the clock of the move before.
    assert_eq!(profile["phases"].as_array().map(Vec::len), Some(1));
    let time = &profile["time"][0];
    assert_eq!(
        [&time["name"], &time["moves"]],
        [&Value::from("more than 30 %"), &Value::from(48)]
    );
    assert!(
        printed.contains("Profile of Ada\n  24 games: +12 =0 -12\n"),
        "{printed}"
    );
    let index = fs::read_to_string(format!("{pages}/index.html")).expect("a page");
    assert!(index.contains("<svg") && index.contains("<h1>Ada</h1>"));
    assert!(
        fs::read_to_string(svg)
            .expect("a picture")
            .starts_with("<svg")
    );
}

#[test]
fn unknown_names_and_empty_files_are_named() {
    let folder = Folder::new("profile");
    let path = folder.write("games.pgn", games(1));
    let path = path.to_str().expect("text");
    let profile = folder.write("profile.json", "as before");
    let profile = profile.to_str().expect("text");
    let output = lucena(&[
        "review",
        path,
        "--nodes",
        "500",
        "--player",
        "Nobody",
        "--profile",
        profile,
    ]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("no game with a player named \"Nobody\""),
        "{message}"
    );
    assert_eq!(fs::read_to_string(profile).expect("a file"), "as before");
    let path = folder.write("empty.pgn", "");
    let output = lucena(&["review", path.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("no game to review"), "{text}");
}

#[test]
fn unreadable_games_leave_earlier_output() {
    let folder = Folder::new("unreadable");
    let path = folder.write("games.pgn", "[White \"Ada\"]\n\n1. e4 e5 2. Ke5 *\n");
    let [pgn, json] = ["out.pgn", "out.json"].map(|name| folder.write(name, "as before"));
    let [path, out, data] = [&path, &pgn, &json].map(|path| path.to_str().expect("text"));
    let output = lucena(&["review", path, "--pgn", out, "--json", data]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("1 game skipped; none could be read"),
        "{text}"
    );
    for path in [pgn, json] {
        assert_eq!(fs::read_to_string(path).expect("a file"), "as before");
    }
}

#[test]
fn too_few_games_give_no_numbers() {
    let folder = Folder::new("profile");
    let [svg, json] = ["ada.svg", "ada.json"].map(|name| folder.text(name));
    let files = ["--profile", &svg, "--profile", &json];
    let printed = review(&folder, games(MIN_GAMES - 1), &files);
    let profile = profile_of(&json);
    assert_eq!(profile["games"], MIN_GAMES - 1);
    assert!(profile["lost"].is_null() && profile["accuracy"].is_null());
    for name in ["causes", "phases", "time", "openings"] {
        assert_eq!(profile[name], Value::Array(Vec::new()), "{name}");
    }
    assert!(printed.contains("a profile needs 20 games"), "{printed}");
    // Enough games, but with too few of each colour for the lines of openings.
    review(&folder, games(MIN_GAMES), &files);
    let profile = profile_of(&json);
    assert!(number(&profile["lost"]["value"]) > 0.0);
    assert_eq!(profile["openings"], Value::Array(Vec::new()));
}
