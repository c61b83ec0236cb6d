//! Text files as other programs write them: with a byte order mark, or compressed.

use crate::common::{Folder, lucena, lucena_with_input};

const MATE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";

#[test]
fn a_byte_order_mark_is_no_part_of_a_position() {
    let folder = Folder::new("marks");
    let epd = folder.write("x.epd", format!("\u{feff}# a suite\n{MATE} bm Rd8#;\n"));
    let marked = folder.write("y.epd", format!("\u{feff}{MATE} bm Rd8#;\n"));
    let perft = folder.write("x.perft", format!("\u{feff}{MATE} 0 1 ;D1 16\n"));
    for words in [
        ["analyse", "--epd", epd.to_str().expect("text")],
        ["analyse", "--epd", marked.to_str().expect("text")],
        ["perft", "--suite", perft.to_str().expect("text")],
    ] {
        let output = lucena(&words);
        assert!(output.status.success(), "{output:?}");
    }
    for words in [
        &["eval", "-"][..],
        &["levels", "probe", "-", "--elo", "1400"],
    ] {
        let output = lucena_with_input(words, &format!("\u{feff}{MATE}\nstartpos\n"));
        assert!(output.status.success(), "{output:?}");
    }
    let opened = lucena::chess::read_fen_file(&marked).expect("positions");
    assert_eq!(opened.len(), 1);
}

#[test]
fn compressed_suites_are_refused() {
    let folder = Folder::new("packed");
    let packed = folder.write("x.epd.gz", b"\x1f\x8b\x08\0");
    let output = lucena(&["analyse", packed.to_str().expect("text")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("gzip, which is not supported: unpack it first"),
        "{errors}"
    );
}
