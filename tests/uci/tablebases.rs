//! The Syzygy options, with the embedded tables or those in the folder `LUCENA_TABLES`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Folder;
use crate::driver::{Answer, Engine, centipawns, program};

/// Far from mate.
const QUEEN: &str = "fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/// Two folders with a part of the tables each; `None` without tables.
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

/// The number of WDL tables in a folder.
fn tables_in(folder: &Path) -> usize {
    let files = fs::read_dir(folder).expect("a folder");
    files
        .filter(|file| {
            let name = file.as_ref().expect("a file").file_name();
            name.to_string_lossy().ends_with(".rtbw")
        })
        .count()
}

/// Sets the path and searches.
fn set_path(engine: &mut Engine, path: &str) -> Answer {
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    engine.alive_and_silent();
    engine.position(QUEEN);
    engine.go("depth 1")
}

/// The number of WDL tables that the engine reports in folders.
fn tables_found(answer: &Answer) -> usize {
    let strings = answer.strings();
    let line = strings.iter().find(|text| text.starts_with("Found "));
    let number = line.and_then(|text| {
        text.split_once(" tables, in folders ")?
            .1
            .split(' ')
            .next()?
            .parse()
            .ok()
    });
    number.unwrap_or_else(|| panic!("{strings:?}"))
}

#[test]
fn several_folders() {
    let Some((first, second)) = two_folders("several") else {
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
fn missing_and_empty_folders() {
    let mut engine = Engine::ready();
    assert_eq!(tables_found(&set_path(&mut engine, "/nowhere/at all")), 0);
    set_path(&mut engine, "<empty>");
    set_path(&mut engine, "");
    let Some((first, second)) = two_folders("empty") else {
        return;
    };
    for folder in [&first, &second, &first] {
        let answer = set_path(&mut engine, &folder.path());
        assert_eq!(tables_found(&answer), tables_in(folder));
        let answer = engine.go("depth 3");
        assert!(answer.strings().is_empty(), "{:?}", answer.strings());
        // The embedded tables fill the gaps.
        assert!(answer.last().tbhits > Some(0));
    }
    assert_eq!(tables_found(&set_path(&mut engine, "/nowhere")), 0);
    engine.quit();
}

#[test]
fn damage_is_reported_once_probed() {
    let folder = Folder::new("damage");
    // A valid length, an invalid content.
    folder.write("KQQvKR.rtbw", [7; 80]);
    let mut engine = Engine::ready();
    assert_eq!(tables_found(&set_path(&mut engine, &folder.path())), 1);
    engine.position("fen 8/8/2r5/3k4/8/8/8/KQQ5 w - - 0 1");
    let strings = engine.go("depth 3").strings().join("\n");
    assert!(strings.contains("KQQvKR.rtbw"), "{strings}");
    engine.quit();
}

#[test]
fn an_embedded_table_replaces_a_damaged_one() {
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
fn tablebase_scores() {
    let Some((first, second)) = two_folders("scores") else {
        return;
    };
    let mut engine = Engine::ready();
    set_path(&mut engine, &format!("{}:{}", first.path(), second.path()));
    // A mate, or centipawns of a tablebase win.
    let answer = engine.go("nodes 200");
    let score = answer.last().score.map(centipawns).expect("a score");
    assert!(
        (19_000..=20_000).contains(&score) || score > 90_000,
        "{score}"
    );
    assert!(answer.last().tbhits > Some(0));
    // Nothing is probed.
    engine.send("setoption name SyzygyProbeLimit value 0");
    engine.send("ucinewgame");
    engine.position("fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let answer = engine.go("depth 1");
    assert_eq!(answer.last().tbhits, Some(0));
    // King and bishop cannot win, with or without the rule.
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

/// A greater probe depth probes less often.
#[test]
fn probe_depth() {
    let Some((first, second)) = two_folders("depth") else {
        return;
    };
    let hits = [1, 100].map(|depth| {
        let mut engine = Engine::ready();
        set_path(&mut engine, &format!("{}:{}", first.path(), second.path()));
        engine.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        // One piece more than in the tables, so that captures lead into them.
        engine.position("fen 8/8/2r5/3k4/8/1p6/8/KQ2R3 w - - 0 1");
        let answer = engine.go("nodes 20000");
        engine.quit();
        answer.last().tbhits
    });
    assert!(hits[1] <= hits[0], "{hits:?}");
}
