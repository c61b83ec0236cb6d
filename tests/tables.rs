//! The generator of endgame tables against published numbers.
//! Uses: tablebase. Idea: counts of wins, draws and losses and the longest lines leave no room for a wrong solver.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use lucena::tablebase::generate::{Workshop, shelf};
use lucena::tablebase::{Material, Metric};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;

/// Published numbers of all tables with three to five men (see tablebases/README.md).
const STATISTICS: &str = include_str!("../tablebases/statistics.csv");

/// The published numbers of a table.
fn published(table: &str) -> &'static str {
    let mut lines = STATISTICS.lines().filter_map(|line| line.split_once(','));
    lines
        .find(|(name, _)| *name == table)
        .expect("a published table")
        .1
}

fn check(workshop: &Workshop, material: Material) {
    let start = std::time::Instant::now();
    let found = workshop.statistics(material).to_string();
    eprintln!("{material} {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(found, published(&material.to_string()), "{material}");
}

#[test]
fn three_men_have_the_published_statistics() {
    let workshop = Workshop::default();
    for material in Material::all(3) {
        check(&workshop, material);
    }
}

#[test]
#[ignore = "a minute"]
fn four_men_have_the_published_statistics() {
    let workshop = Workshop::default();
    for material in Material::all(4) {
        check(&workshop, material);
    }
}

/// `LUCENA_TABLES="KRBvKR KNNvKQ"` names tables with five men.
#[test]
#[ignore = "minutes"]
fn named_tables_have_the_published_statistics() {
    let workshop = Workshop::default();
    for name in std::env::var("LUCENA_TABLES")
        .unwrap_or_default()
        .split_whitespace()
    {
        check(&workshop, name.parse().expect("a name"));
    }
}

/// The tables of the repository.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tablebases")
}

/// Compares what an independent reader finds in the files of the repository with the solver's values.
fn compare_with_reader(names: &[&str], positions: usize) {
    let mut reader = Tablebase::<Chess>::new();
    reader.add_directory(folder()).expect("tables");
    let workshop = Workshop::default();
    for name in names {
        for sample in workshop.sample(name.parse().expect("a name"), positions, 1) {
            let fen: Fen = sample.fen.parse().expect("a position");
            let position = fen
                .into_position::<Chess>(CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
                .expect("a position");
            let outcome = reader.probe_wdl_after_zeroing(&position).expect("a value");
            assert_eq!(
                i32::from(outcome),
                i32::from(sample.outcome),
                "{}",
                sample.fen
            );
            let distance = reader.probe_dtz(&position).expect("a distance");
            let plies = i32::from(distance.ignore_rounding());
            assert_eq!(
                plies.signum(),
                i32::from(sample.outcome).signum(),
                "{}",
                sample.fen
            );
            // The files count moves, not plies; mate on the board counts one.
            let wanted = i32::from(sample.plies).max(plies.signum().abs());
            assert!(
                (plies.abs() - wanted).abs() <= 1,
                "{}: {plies}, {wanted}",
                sample.fen
            );
        }
    }
}

#[test]
fn an_independent_reader_finds_the_solvers_values() {
    compare_with_reader(&["KQvK", "KRvK", "KPvK"], 20_000);
}

#[test]
#[ignore = "minutes"]
fn an_independent_reader_finds_the_solvers_values_of_four_men() {
    let names: Vec<String> = [3, 4]
        .into_iter()
        .flat_map(Material::all)
        .map(|m| m.to_string())
        .collect();
    compare_with_reader(
        &names.iter().map(String::as_str).collect::<Vec<_>>(),
        100_000,
    );
}

/// The files of the repository are what the generator makes, whatever the number of threads.
fn compare_bytes(materials: Vec<Material>) {
    let workshop = Workshop::default();
    for material in materials {
        let made = workshop
            .make(material, false, true, &())
            .expect("a right table");
        assert_eq!(
            made.statistics.to_string(),
            published(&material.to_string()),
            "{material}"
        );
        for (metric, bytes) in [(Metric::Wdl, Some(made.wdl)), (Metric::Dtz, made.dtz)] {
            let path = shelf::path(&folder(), material, metric);
            assert!(bytes == std::fs::read(&path).ok(), "{}", path.display());
        }
    }
}

#[test]
fn three_men_are_made_with_the_same_bytes() {
    compare_bytes(Material::all(3));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");
    pool.install(|| compare_bytes(Material::all(3)));
}

#[test]
#[ignore = "minutes"]
fn all_small_tables_are_made_with_the_same_bytes() {
    compare_bytes([Material::all(3), Material::all(4)].concat());
}

/// The program started with these arguments.
fn lucena(folder: &Path, arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(["tablebase", "generate", "--out"])
        .arg(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program")
}

#[test]
fn a_kill_leaves_whole_tables_and_a_rerun_finishes() {
    let out = std::env::temp_dir().join(format!("lucena-killed-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&out);
    for milliseconds in [20, 60, 100, 150, 200, 300] {
        let mut child = lucena(&out, &["--men", "3"]);
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("ended");
        for material in Material::all(3) {
            for metric in [Metric::Wdl, Metric::Dtz] {
                shelf::read(&out, material, metric).expect("whole or not there");
            }
        }
    }
    // A damaged table is made anew.
    std::fs::write(out.join("KQvK.rtbw"), [0; 100]).expect("written");
    let ended = lucena(&out, &["--men", "3"]).wait().expect("ended");
    assert!(ended.success());
    for material in Material::all(3) {
        for metric in [Metric::Wdl, Metric::Dtz] {
            let name = shelf::path(&out, material, metric);
            let kept = shelf::path(&folder(), material, metric);
            assert_eq!(
                std::fs::read(name).ok(),
                std::fs::read(kept).ok(),
                "{material}"
            );
        }
    }
    let _ = std::fs::remove_dir_all(&out);
}
