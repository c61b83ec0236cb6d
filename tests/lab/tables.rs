//! The table generator against published statistics, an independent reader, and the files of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::Folder;
use lucena::lab::tablegen::{Generator, storage};
use lucena::tablebase::{Material, Metric};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;

/// Published statistics of all tables with three to five pieces (see tablebases/README.md).
const STATISTICS: &str = include_str!("../../tablebases/statistics.csv");

fn published(table: &str) -> &'static str {
    let mut lines = STATISTICS.lines().filter_map(|line| line.split_once(','));
    lines
        .find(|(name, _)| *name == table)
        .expect("a published table")
        .1
}

fn check(generator: &Generator, material: Material) {
    let start = std::time::Instant::now();
    let found = generator.stats(material).to_string();
    eprintln!("{material} {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(found, published(&material.to_string()), "{material}");
}

#[test]
fn tables_with_three_pieces_have_the_published_statistics() {
    let generator = Generator::default();
    for material in Material::all(3) {
        check(&generator, material);
    }
}

#[test]
#[ignore = "a minute"]
fn tables_with_four_pieces_have_the_published_statistics() {
    let generator = Generator::default();
    for material in Material::all(4) {
        check(&generator, material);
    }
}

/// `LUCENA_TABLES="KRBvKR KNNvKQ"` names tables.
#[test]
#[ignore = "minutes"]
fn named_tables_have_the_published_statistics() {
    let generator = Generator::default();
    for name in std::env::var("LUCENA_TABLES")
        .unwrap_or_default()
        .split_whitespace()
    {
        check(&generator, name.parse().expect("a name"));
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tablebases")
}

/// Compares the values that another reader finds in the files of the repository with those of the solver.
fn compare_with_reader(names: &[&str], positions: usize) {
    let mut reader = Tablebase::<Chess>::new();
    reader.add_directory(folder()).expect("tables");
    let generator = Generator::default();
    for name in names {
        for sample in generator.sample(name.parse().expect("a name"), positions, 1) {
            let fen: Fen = sample.fen.parse().expect("a position");
            let position = fen
                .into_position::<Chess>(CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
                .expect("a position");
            let outcome = reader.probe_wdl_after_zeroing(&position).expect("a value");
            assert_eq!(i32::from(outcome), i32::from(sample.wdl), "{}", sample.fen);
            let distance = reader.probe_dtz(&position).expect("a distance");
            let plies = i32::from(distance.ignore_rounding());
            assert_eq!(
                plies.signum(),
                i32::from(sample.wdl).signum(),
                "{}",
                sample.fen
            );
            // Files may store moves, not plies; checkmate counts one.
            let wanted = i32::from(sample.dtz).max(plies.signum().abs());
            assert!(
                (plies.abs() - wanted).abs() <= 1,
                "{}: {plies}, {wanted}",
                sample.fen
            );
        }
    }
}

#[test]
fn another_reader_finds_the_solved_values() {
    compare_with_reader(&["KQvK", "KRvK", "KPvK"], 20_000);
}

#[test]
#[ignore = "minutes"]
fn another_reader_finds_the_solved_values_with_four_pieces() {
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

/// Compares generated files with those of the repository.
fn compare_bytes(materials: Vec<Material>) {
    let generator = Generator::default();
    for material in materials {
        let table = generator
            .generate(material, false, true, &())
            .expect("right values");
        assert_eq!(
            table.stats.to_string(),
            published(&material.to_string()),
            "{material}"
        );
        for (metric, bytes) in [(Metric::Wdl, Some(table.wdl)), (Metric::Dtz, table.dtz)] {
            let path = storage::path(&folder(), material, metric);
            assert!(bytes == std::fs::read(&path).ok(), "{}", path.display());
        }
    }
}

#[test]
fn generated_bytes_do_not_depend_on_the_number_of_threads() {
    compare_bytes(Material::all(3));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");
    pool.install(|| compare_bytes(Material::all(3)));
}

#[test]
#[ignore = "minutes"]
fn all_built_in_tables_are_generated_with_the_same_bytes() {
    compare_bytes([Material::all(3), Material::all(4)].concat());
}

/// Starts `lucena tablebase generate`.
fn start_generate(folder: &Path, arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(["tablebase", "generate", "--out"])
        .arg(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program")
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_table() {
    for (command, arguments) in [("generate", &["--pieces", "3"][..]), ("export", &[][..])] {
        let out = Folder::new(&format!("full-{command}"));
        let run = |limit: &str| {
            let script = format!("trap '' XFSZ; {limit} exec \"$0\" \"$@\"");
            Command::new("sh")
                .args(["-c", &script, env!("CARGO_BIN_EXE_lucena")])
                .args(["tablebase", command, "--out"])
                .arg(&*out)
                .args(arguments)
                .output()
                .expect("the program")
        };
        let whole_files = || {
            let files: Vec<_> = fs::read_dir(&*out).expect("the folder").flatten().collect();
            for file in &files {
                let wanted = folder().join(file.file_name());
                assert_eq!(
                    fs::read(file.path()).ok(),
                    fs::read(wanted).ok(),
                    "{file:?}"
                );
            }
            files.len()
        };
        let ended = run("ulimit -f 8;");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{stderr}");
        assert!(
            stderr.contains(".rtb") && stderr.contains(": File too large"),
            "{stderr}"
        );
        let before = whole_files();
        // With room again the rest follows.
        let ended = run("");
        assert!(
            ended.status.success() && whole_files() > before,
            "{ended:?}"
        );
    }
}

#[test]
fn errors_are_reported() {
    let out = Folder::new("errors");
    let (folder, missing) = (&*out.path(), &*out.text("nowhere"));
    out.write("KRvK.rtbw", []);
    for (arguments, words) in [
        (&["verify", missing][..], "nowhere: does not exist"),
        (&["verify", folder], "wrong or missing: 1 of 1 table"),
        (
            &["verify", folder, "KQvK"],
            "wrong or missing: 1 of 1 table",
        ),
        (&["generate", "--out", folder, "QvK"], "not a table name"),
        (
            &["generate", "--out", folder, "KQvKQvK"],
            "not a table name",
        ),
        (&["generate", "--out", folder, "KQRBNvKP"], "has 7 pieces"),
        (
            &["generate", "--out", folder, "KQvK", "--threads", "0"],
            "--threads",
        ),
        (
            &["stats", "KQvK", "--picture", folder],
            "not a regular file",
        ),
        (&["export", "--out", "Cargo.toml"], "Cargo.toml"),
        (&["probe", "8/8/8/8/8/8/8/K7 w - -"], "error: "),
        (
            &["mate", "4k3/pppp4/8/8/8/8/8/4K2R w - -"],
            "only up to 4 pieces",
        ),
    ] {
        let ended = Command::new(env!("CARGO_BIN_EXE_lucena"))
            .arg("tablebase")
            .args(arguments)
            .output()
            .expect("the program");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_killed_run_leaves_valid_tables_and_the_next_run_finishes() {
    let out = Folder::new("killed");
    for milliseconds in [20, 60, 100, 150, 200, 300] {
        let mut child = start_generate(&out, &["--pieces", "3"]);
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("ended");
        for material in Material::all(3) {
            for metric in [Metric::Wdl, Metric::Dtz] {
                storage::read(&out, material, metric).expect("valid or missing");
            }
        }
    }
    // A damaged table is replaced.
    std::fs::write(out.join("KQvK.rtbw"), [0; 100]).expect("written");
    let ended = start_generate(&out, &["--pieces", "3"])
        .wait()
        .expect("ended");
    assert!(ended.success());
    for material in Material::all(3) {
        for metric in [Metric::Wdl, Metric::Dtz] {
            let name = storage::path(&out, material, metric);
            let kept = storage::path(&folder(), material, metric);
            assert_eq!(
                std::fs::read(name).ok(),
                std::fs::read(kept).ok(),
                "{material}"
            );
        }
    }
}
