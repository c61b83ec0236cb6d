//! Damaged table files: each is reported once and ignored, and never replaces a built-in table.

use crate::common::{Folder, Random};
use lucena::chess::Position;
use lucena::tablebase::{Metric, Tablebases, Wdl};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn embedded(name: &str) -> &'static [u8] {
    lucena::tablebase::embedded::find(name).expect(name).bytes
}

fn faults(tables: &Tablebases) -> Vec<String> {
    tables
        .take_faults()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn damaged_files_are_reported_once_and_ignored() {
    let folder = Folder::new("damaged");
    let mut flipped = embedded("KRvKP.rtbw").to_vec();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let queen = embedded("KQvK.rtbw");
    folder.write("KQQvKQ.rtbw", &queen[..queen.len() - 7]);
    folder.write("KRRvKP.rtbw", &flipped);
    folder.write("KBBvKB.rtbw", embedded("KBvKB.rtbz"));
    folder.write("KNNvKN.rtbw", embedded("KNvKN.rtbw"));
    folder.write("KRvK.atbw", [0; 80]);
    folder.write("notes.txt", b"no table");
    let missing = folder.join("missing");
    let tables = Tablebases::new(&[folder.to_path_buf(), missing], true);
    let has = |faults: &[String], file: &str, reason: &str| {
        let found = |fault: &String| fault.contains(file) && fault.contains(reason);
        assert!(faults.iter().any(found), "{file}, {reason}: {faults:?}");
    };
    // Found without opening files.
    let listed = faults(&tables);
    has(&listed, "KQQvKQ.rtbw", "truncated");
    has(&listed, "KRvK.atbw", "other chess variants");
    has(&listed, "missing", "");
    assert_eq!(listed.len(), 3, "{listed:?}");
    // Found by probing, once.
    for _ in 0..2 {
        for fen in [
            "4k3/8/8/8/7p/8/1RR5/K7 w - -",
            "4k3/8/8/8/6b1/8/1BB5/K7 w - -",
            "4k3/8/8/8/7n/8/1NN5/K7 w - -",
        ] {
            assert_eq!(tables.wdl(&read(fen)), None, "{fen}");
        }
    }
    let probed = faults(&tables);
    has(&probed, "KRRvKP.rtbw", "wrong checksum");
    has(&probed, "KBBvKB.rtbw", "wrong magic number");
    has(&probed, "KNNvKN.rtbw", "corrupted");
    assert_eq!(probed.len(), 3, "{probed:?}");
}

#[test]
fn files_with_the_name_of_a_built_in_table_are_ignored() {
    let folder = Folder::new("built-in");
    let mut flipped = embedded("KRvKP.rtbw").to_vec();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    folder.write("KRvKP.rtbw", &flipped);
    folder.write("KQvK.rtbw", &embedded("KQvK.rtbw")[..100]);
    folder.write("KRvK.rtbw", embedded("KBvK.rtbw"));
    let tables = Tablebases::new(&[folder.to_path_buf()], true);
    let catalogue = tables.catalogue();
    assert!(catalogue.tables().all(|(_, _, table)| table.embedded));
    assert_eq!(catalogue.count(Metric::Wdl), 35);
    for (fen, wdl) in [
        ("8/8/8/4k3/8/8/2Q5/K7 w - -", Wdl::Win),
        ("8/8/8/4k3/8/8/1R6/K7 w - -", Wdl::Win),
        ("8/8/8/8/7p/4k3/8/R5K1 w - -", Wdl::Win),
    ] {
        assert_eq!(tables.wdl(&read(fen)), Some(wdl), "{fen}");
    }
    assert_eq!(faults(&tables), [""; 0]);
}

/// Renamed tables of four pieces with flipped bits, and one larger than the limit up to which checksums are verified.
#[test]
fn damaged_files_never_panic() {
    const LARGE_FILE: usize = 1 << 20;
    let mut random = Random::new(3);
    let bytes = embedded("KRvKP.rtbw");
    for round in 0..60 {
        let folder = Folder::new(&format!("flipped-{round}"));
        let mut changed = bytes.to_vec();
        if round % 2 == 1 {
            // Same length modulo 64, but read block by block, without checksum.
            changed.resize(bytes.len() + LARGE_FILE, 0);
        }
        for _ in 0..3 {
            let (at, bit) = (random.below(bytes.len()), random.below(8));
            changed[at] ^= 1 << bit;
        }
        folder.write("KRRvKP.rtbw", &changed);
        let tables = Tablebases::new(&[folder.to_path_buf()], true);
        for _ in 0..30 {
            let position = random.position("KRRkp");
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
    }
}
