//! Export and import of training games in the formats of other programs, and the output of `lucena weights`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lucena::chess::{Position, San};
use lucena::eval::COUNT;
use lucena::eval::weights::{FILE, untrained};
use lucena::lab::train::exchange::each_game;
use lucena::lab::train::game_record::GameRecord;
use lucena::lab::train::store::{StoreError, files_in};

fn lucena(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// Standard output of a successful call.
fn stdout(arguments: &[&str]) -> String {
    let output = lucena(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a name")
}

fn games_in(folder: &Path) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let read = each_game::<StoreError>(&files_in(folder).expect("files"), |reader, block| {
        games.push(reader.replay(block)?);
        Ok(())
    });
    read.expect("games");
    games
}

/// A folder with some games, and the stream of them.
fn exported(folder: &Path) -> (PathBuf, PathBuf) {
    let (data, stream) = (folder.join("data"), folder.join("stream.vf"));
    let games = ["--games", "8", "--nodes", "60", "--seed", "9"];
    stdout(&[&["datagen", "--out", text(&data)], &games[..]].concat());
    stdout(&["datagen", "--info", text(&data), "--export", text(&stream)]);
    (data, stream)
}

#[test]
fn games_survive_export_and_import_as_viriformat() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, stream) = exported(folder.path());
    let (back, again) = (folder.path().join("back"), folder.path().join("again.vf"));
    let import = ["datagen", "--import", text(&stream), "--out", text(&back)];
    let answer = stdout(&import);
    assert_eq!(answer, "games 8, every move is legal\n");
    assert_eq!(games_in(&back), games_in(&data));
    stdout(&["datagen", "--info", text(&back), "--export", text(&again)]);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&stream).unwrap());
    // A second import adds nothing, or only what was cut off.
    let file = &files_in(&back).unwrap()[0];
    let whole = fs::read(file).unwrap();
    assert_eq!(stdout(&import), answer);
    assert_eq!(fs::read(file).unwrap(), whole);
    fs::write(file, &whole[..whole.len() - 7]).unwrap();
    assert_eq!(stdout(&import), answer);
    assert_eq!(fs::read(file).unwrap(), whole);
    let info = stdout(&["datagen", "--info", text(&back), "--verify"]);
    assert!(info.contains("\n  imported ") && info.contains("every checksum right"));
    // tune refuses to use the same games twice.
    let (file, out) = (text(file), folder.path().join("weights.txt"));
    let tune = ["tune", "--data", text(&back), file, "--out", text(&out)];
    let refused = String::from_utf8(lucena(&tune).stderr).expect("text");
    assert!(
        refused.contains("named twice") && !out.exists(),
        "{refused}"
    );
    // Another stream is refused for the same file.
    let other = folder.path().join("other.vf");
    fs::write(&other, b"").unwrap();
    let refused = lucena(&["datagen", "--import", text(&other), "--out", text(&back)]);
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(complaint.contains("seed-1.games: its games were made with other settings"));
}

#[test]
fn games_from_other_openings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let datagen = ["datagen", "--out", out, "--games", "1", "--nodes", "50"];
    stdout(&[&datagen[..], &["--openings", "repertoire"]].concat());
    let refused = lucena(&datagen);
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    let reason = "made with other settings (\"openings repertoire\"; now \"\")";
    assert!(complaint.contains(reason), "{complaint}");
}

#[test]
fn faulty_streams_are_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, stream) = exported(folder.path());
    let good = fs::read(&stream).unwrap();
    let first = games_in(&data)[0].to_bytes().len();
    let complaint = |name: &str, bytes: &[u8]| {
        let (bad, back) = (folder.path().join("bad.vf"), folder.path().join(name));
        fs::write(&bad, bytes).unwrap();
        let refused = lucena(&["datagen", "--import", text(&bad), "--out", text(&back)]);
        assert_eq!(refused.status.code(), Some(1));
        let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(complaint.starts_with(&format!("error: {}: ", bad.display())));
        assert!(!back.exists(), "nothing is left behind");
        complaint
    };
    let cut = complaint("cut", &good[..good.len() - 2]);
    assert!(cut.contains("cut off or has no end mark"), "{cut}");
    let mut damaged = good.clone();
    damaged[first + 32] ^= 63;
    let illegal = complaint("illegal", &damaged);
    let place = format!("at byte {first}: ply 1: the move is not legal");
    assert!(illegal.contains(&place), "{illegal}");
    let foreign = complaint("foreign", &[b'x'; 200]);
    assert!(foreign.contains("at byte 0: "), "{foreign}");
    let missing = lucena(&["datagen", "--import", "/nowhere/x.vf", "--out", "/nowhere"]);
    assert!(String::from_utf8_lossy(&missing.stderr).starts_with("error: /nowhere/x.vf: "));
}

#[test]
fn positions_are_exported_as_epd() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, _) = exported(folder.path());
    let epd = folder.path().join("positions.epd");
    stdout(&["datagen", "--info", text(&data), "--export", text(&epd)]);
    let written = fs::read_to_string(&epd).unwrap();
    let mut lines = written.lines();
    for game in games_in(&data) {
        let result = ["0-1", "1/2-1/2", "1-0"][game.outcome as usize];
        for (position, ply) in game.positions() {
            let line = lines.next().expect("a line for each position");
            let (fields, operations) = line.split_once(" sm ").expect("a move");
            let operations: Vec<&str> = operations.split(';').map(str::trim).collect();
            let value = |name: &str| operations.iter().find_map(|text| text.strip_prefix(name));
            let clocks = format!("{} {}", value("hmvc ").unwrap(), value("fmvn ").unwrap());
            let read = Position::from_fen(&format!("{fields} {clocks}")).expect("a position");
            assert_eq!(read, position);
            let san = San::from_ascii(operations[0].trim_end_matches(['+', '#']).as_bytes());
            assert_eq!(read.find_san(san.unwrap()), Some(ply.played));
            if let Some(score) = value("ce ") {
                let white = if line.contains(" w ") { 1 } else { -1 };
                assert_eq!(score.parse::<i16>().unwrap() * white, ply.score);
            }
            assert_eq!(value("c9 "), Some(format!("\"{result}\"").as_str()));
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn weights_are_printed_compared_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, other) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
    fs::write(&file, FILE).unwrap();
    let stars = FILE.lines().filter(|line| line.starts_with("eg "));
    let stars: usize = stars.map(|line| line.matches('*').count()).sum();
    let marked = untrained(FILE);
    assert_eq!(marked.len(), COUNT);
    assert_eq!(marked.iter().filter(|&&mark| mark).count(), stars);
    let row = FILE.lines().find(|line| line.starts_with("mg ")).unwrap();
    let changed = row.rsplit_once(' ').unwrap().0.to_owned() + " 4321";
    fs::write(&other, FILE.replacen(row, &changed, 1)).unwrap();
    let (a, b) = (text(&file), text(&other));
    assert_eq!(stdout(&["weights", a, a]), "");
    let difference = stdout(&["weights", a, b]);
    assert!(difference.contains("1080.25") && difference.lines().count() == 1);
    let printed = stdout(&["weights", a]);
    assert!(printed.lines().count() > COUNT && printed.contains("material: queen"));
    for (name, files) in [("one", &[a][..]), ("two", &[a, b]), ("own", &[])] {
        let pictures = folder.path().join(name);
        let call = [&["weights"], files, &["--draw", text(&pictures)]].concat();
        assert_eq!(stdout(&call), "");
        let page = fs::read_to_string(pictures.join("index.html")).unwrap();
        for picture in page.split("src=\"").skip(1) {
            let picture = pictures.join(picture.split_once('"').unwrap().0);
            assert!(fs::read_to_string(picture).unwrap().starts_with("<svg"));
        }
        assert!(page.matches("<img ").count() > 50);
    }
    let cut = FILE.trim_end_matches('\n');
    fs::write(&other, cut).unwrap();
    let refused = lucena(&["weights", b]);
    assert_eq!(refused.status.code(), Some(1));
    let place = format!("b.txt: line {}: the file ends", cut.lines().count());
    assert!(String::from_utf8_lossy(&refused.stderr).contains(&place));
}
