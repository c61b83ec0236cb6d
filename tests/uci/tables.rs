//! Rows about endgame tables: C22, C23, H20 and the options L7 to L10.
//! Uses: driver, judge. The tables are those of the program, or those in the folder that `LUCENA_TABLES` names.
//! Idea: without any table these rows have nothing to show, and say so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Folder;
use crate::driver::{Answer, Engine, centipawns, program};

/// A queen that wins only with her king's help, far from mate.
const QUEEN: &str = "fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/// The files of tables, shared out among two folders; `None` where there are no tables.
fn two_folders(name: &str) -> Option<(Folder, Folder)> {
    let source = Folder::new(&format!("{name} all"));
    let exported = Command::new(program())
        .args(["tablebase", "export", "--out", &source.path()])
        .output();
    assert!(exported.expect("the program starts").status.success());
    let from = std::env::var("LUCENA_TABLES").map_or_else(|_| source.to_path_buf(), PathBuf::from);
    let (first, second) = (
        Folder::new(&format!("{name} 1")),
        Folder::new(&format!("{name} \u{e9} 2")),
    );
    let mut count = 0;
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("a file").path();
        let file = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let folder = if file.starts_with("KQvK.") {
            &first
        } else {
            &second
        };
        fs::copy(&path, folder.join(&file)).expect("a copy");
        count += 1;
    }
    if count == 0 {
        eprintln!("skipped: no tables here");
        return None;
    }
    Some((first, second))
}

/// How many tables of results a folder holds.
fn tables_in(folder: &Path) -> usize {
    let files = fs::read_dir(folder).expect("a folder");
    files
        .filter(|file| {
            let name = file.as_ref().expect("a file").file_name();
            name.to_string_lossy().ends_with(".rtbw")
        })
        .count()
}

/// Sets the path; what the next search says of it.
fn set_path(engine: &mut Engine, path: &str) -> Answer {
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    engine.alive_and_silent();
    engine.position(QUEEN);
    engine.go("depth 1")
}

/// How many tables of results the engine says it found in folders.
fn tables_found(answer: &Answer) -> usize {
    let said = answer.strings();
    let line = said.iter().find(|text| text.starts_with("Found "));
    let number = line.and_then(|text| {
        text.split_once(" tables, ")?
            .1
            .split(' ')
            .next()?
            .parse()
            .ok()
    });
    number.unwrap_or_else(|| panic!("{said:?}"))
}

#[test]
fn c22_folders_side_by_side() {
    let Some((first, second)) = two_folders("c22") else {
        return;
    };
    let mut engine = Engine::ready();
    let (one, two) = (tables_in(&first), tables_in(&second));
    assert_eq!(tables_found(&set_path(&mut engine, &first.path())), one);
    assert_eq!(tables_found(&set_path(&mut engine, &second.path())), two);
    let separators: &[char] = if cfg!(windows) { &[';'] } else { &[':', ';'] };
    for separator in separators {
        let both = format!("{}{separator}{}", first.path(), second.path());
        assert_eq!(
            tables_found(&set_path(&mut engine, &both)),
            one + two,
            "{separator}"
        );
    }
    engine.quit();
}

#[test]
fn c23_missing_empty_and_set_twice() {
    let mut engine = Engine::ready();
    assert_eq!(tables_found(&set_path(&mut engine, "/nowhere/at all")), 0);
    set_path(&mut engine, "<empty>");
    set_path(&mut engine, "");
    let Some((first, second)) = two_folders("c23") else {
        return;
    };
    for folder in [&first, &second, &first] {
        let answer = set_path(&mut engine, &folder.path());
        assert_eq!(tables_found(&answer), tables_in(folder));
        let answer = engine.go("depth 3");
        assert!(answer.strings().is_empty(), "{:?}", answer.strings());
        // Whatever the folder lacks is in the program.
        assert!(answer.last().tbhits > Some(0));
    }
    assert_eq!(tables_found(&set_path(&mut engine, "/nowhere")), 0);
    engine.quit();
}

#[test]
fn c23_damage_is_reported_once_probed() {
    let folder = Folder::new("damage");
    // A length that a table can have, and nothing else that is right.
    folder.write("KQQvKR.rtbw", [7; 80]);
    let mut engine = Engine::ready();
    assert_eq!(tables_found(&set_path(&mut engine, &folder.path())), 1);
    engine.position("fen 8/8/2r5/3k4/8/8/8/KQQ5 w - - 0 1");
    let said = engine.go("depth 3").strings().join("\n");
    assert!(said.contains("KQQvKR.rtbw"), "{said}");
    engine.quit();
}

#[test]
fn c23_an_embedded_table_is_used_where_a_folder_has_a_damaged_one() {
    let folder = Folder::new("embedded");
    folder.write("KQvK.rtbz", [7; 80]);
    folder.write("KQvK.rtbw", [7; 80]);
    let mut engine = Engine::ready();
    let answer = set_path(&mut engine, &folder.path());
    assert_eq!(tables_found(&answer), 1);
    assert!(answer.last().tbhits > Some(0));
    assert!(!answer.strings().join("\n").contains("KQvK"));
    engine.quit();
}

#[test]
fn h20_what_tables_prove() {
    let Some((first, second)) = two_folders("h20") else {
        return;
    };
    let mut engine = Engine::ready();
    set_path(&mut engine, &format!("{}:{}", first.path(), second.path()));
    // Either a mate, or centipawns below every mate and above every estimate.
    let answer = engine.go("nodes 200");
    let score = answer.last().score.map(centipawns).expect("a score");
    assert!(
        (19_000..=20_000).contains(&score) || score > 90_000,
        "{score}"
    );
    assert!(answer.last().tbhits > Some(0));
    // L10: none is asked.
    engine.send("setoption name SyzygyProbeLimit value 0");
    engine.send("ucinewgame");
    engine.position("fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let answer = engine.go("depth 1");
    assert_eq!(answer.last().tbhits, Some(0));
    // L9: with a bare king against a bishop there is nothing to win, whatever the rule.
    for rule in ["true", "false"] {
        engine.send("setoption name SyzygyProbeLimit value 7");
        engine.send(&format!("setoption name Syzygy50MoveRule value {rule}"));
        engine.send("ucinewgame");
        engine.position("fen 8/8/8/3k4/8/8/8/KB6 w - - 0 1");
        let answer = engine.go("depth 3");
        assert_eq!(answer.last().score.map(centipawns), Some(0));
    }
    engine.quit();
}

/// L8: a greater least depth asks the tables less often.
#[test]
fn l8_the_least_depth() {
    let Some((first, second)) = two_folders("l8") else {
        return;
    };
    let hits = [1, 100].map(|depth| {
        let mut engine = Engine::ready();
        set_path(&mut engine, &format!("{}:{}", first.path(), second.path()));
        engine.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        // One man more than the tables may know, so that captures lead into them.
        engine.position("fen 8/8/2r5/3k4/8/1p6/8/KQ2R3 w - - 0 1");
        let answer = engine.go("nodes 20000");
        engine.quit();
        answer.last().tbhits
    });
    assert!(hits[1] <= hits[0], "{hits:?}");
}
