//! Bad files of endgame tables: named once, left out, and the program's own tables answer for them.
//! Uses: tablebase, chess. Idea: files cut off, renamed, of another kind and with flipped bits, beside good ones.

mod common;

use common::{Folder, Random};
use lucena::chess::Position;
use lucena::tablebase::{Tablebases, Wdl};

fn read(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn embedded(name: &str) -> &'static [u8] {
    lucena::tablebase::embedded::find(name).expect(name).bytes
}

#[test]
fn bad_files_are_named_and_the_program_answers_for_them() {
    let folder = Folder::new("bad");
    let queen = embedded("KQvK.rtbw");
    folder.write("KQvK.rtbw", &queen[..queen.len() - 7]);
    folder.write("KRvK.rtbw", embedded("KBvK.rtbw"));
    folder.write("KNvK.rtbw", embedded("KNvK.rtbz"));
    folder.write("KPvK.rtbw", embedded("KPvK.rtbw"));
    folder.write("KRvK.atbw", [0; 80]);
    folder.write("notes.txt", b"no table");
    let missing = folder.join("nowhere");
    let tables = Tablebases::new(&[folder.to_path_buf(), missing], true);
    let told = |tables: &Tablebases| -> Vec<String> {
        tables
            .take_faults()
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    let faults = told(&tables);
    let has = |faults: &[String], words: &str| faults.iter().any(|fault| fault.contains(words));
    assert!(has(&faults, "KQvK.rtbw") && has(&faults, "nowhere") && has(&faults, "KRvK.atbw"));
    assert_eq!(faults.len(), 3, "{faults:?}");
    // The short file never replaced the good one; the renamed ones are found out when asked, once, and the tables in the
    // program take their places.
    assert_eq!(
        tables.wdl(&read("8/8/8/4k3/8/8/2Q5/K7 w - -")),
        Some(Wdl::Win)
    );
    assert_eq!(
        tables.wdl(&read("4k3/8/3KP3/8/8/8/8/8 w - -")),
        Some(Wdl::Win)
    );
    for _ in 0..2 {
        assert_eq!(
            tables.wdl(&read("8/8/8/4k3/8/8/1R6/K7 w - -")),
            Some(Wdl::Win)
        );
        assert_eq!(
            tables.wdl(&read("8/8/8/4k3/8/8/1N6/K7 w - -")),
            Some(Wdl::Draw)
        );
    }
    let faults = told(&tables);
    assert!(has(&faults, "KRvK.rtbw: its men") && has(&faults, "KNvK.rtbw: its first bytes"));
    assert!(
        faults
            .iter()
            .all(|fault| fault.contains("the program's own"))
    );
    assert_eq!(faults.len(), 2, "{faults:?}");
}

/// A table of five men, its checksum wrong: the program has no other.
#[test]
fn a_damaged_file_without_another_is_left_out() {
    let folder = Folder::new("damaged");
    let mut bytes = embedded("KRvKP.rtbw").to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("KRRvKP.rtbw", &bytes);
    folder.write("KRvKP.rtbw", &bytes);
    let tables = Tablebases::new(&[folder.to_path_buf()], true);
    let three_rooks = read("8/8/8/4k3/7p/8/1RR5/K7 w - -");
    assert_eq!(tables.wdl(&three_rooks), None);
    let four = read("8/8/8/4k3/7p/8/1R6/K7 w - -");
    assert_eq!(tables.wdl(&four), Tablebases::embedded().wdl(&four));
    let faults: Vec<String> = tables
        .take_faults()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    for (name, end) in [
        ("KRRvKP", "it is not used"),
        ("KRvKP", "the program's own is used"),
    ] {
        let found = faults.iter().find(|fault| fault.contains(name));
        let found = found.expect(name);
        assert!(
            found.contains("checksum is wrong") && found.ends_with(end),
            "{found}"
        );
    }
}

#[test]
fn no_flipped_byte_ends_the_program() {
    let mut chance = Random::new(3);
    let bytes = embedded("KPvK.rtbw");
    for round in 0..60 {
        let folder = Folder::new(&format!("flipped-{round}"));
        let mut changed = bytes.to_vec();
        for _ in 0..3 {
            let (place, bit) = (chance.below(changed.len()), chance.below(8));
            changed[place] ^= 1 << bit;
        }
        folder.write("KPvK.rtbw", &changed);
        let tables = Tablebases::new(&[folder.to_path_buf()], true);
        for _ in 0..30 {
            let position = chance.position("KPk");
            let _ = (tables.wdl(&position), tables.dtz(&position));
        }
    }
}
