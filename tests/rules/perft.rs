//! Perft counts of the suites, the hash table, the division by moves, and the command.

use crate::common::{Folder, SUITES, lucena, suite_path, suite_text};
use lucena::chess::Position;
use lucena::engine::perft::{
    MAX_DEPTH, PerftError, PerftTable, SuiteError, SuiteLine, count, divide, divide_with, perft,
    perft_by_moves, perft_hashed, suite_lines,
};

/// Larger counts are left to `lucena perft --suite`.
const NODE_LIMIT: u64 = 300_000;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a legal position")
}

fn check_suite(name: &str, limit: u64) {
    let mut positions = 0;
    for (number, line) in suite_lines(&suite_text(name)) {
        let line = line.unwrap_or_else(|error| panic!("{name}:{number}: {error}"));
        positions += 1;
        for (depth, leaves) in line
            .counts
            .into_iter()
            .filter(|&(_, leaves)| leaves <= limit)
        {
            let place = format!("{name}:{number}: depth {depth}");
            assert_eq!(count(&line.position, depth, None), Ok(leaves), "{place}");
            assert_eq!(perft_by_moves(&line.position, depth), leaves, "{place}");
        }
    }
    assert!(positions >= 60, "{name} has only {positions} positions");
}

#[test]
fn standard_suite() {
    check_suite("standard.epd", NODE_LIMIT);
}

#[test]
fn chess960_suite() {
    check_suite("chess960.epd", NODE_LIMIT);
}

#[test]
fn edge_suite() {
    check_suite("edge.epd", NODE_LIMIT);
}

#[test]
#[ignore = "minutes without optimisation; use `lucena perft --suite` of a release build"]
fn whole_suites() {
    for name in SUITES {
        check_suite(name, u64::MAX);
    }
}

#[test]
fn known_counts() {
    assert_eq!(perft(&Position::startpos(), 0), 1);
    assert_eq!(perft(&Position::startpos(), 5), 4_865_609);
    assert_eq!(perft(&position(KIWIPETE), 4), 4_085_603);
}

#[test]
fn the_kernel_agrees_with_counting_by_moves() {
    let table = PerftTable::new(1).expect("a megabyte");
    for fen in [
        KIWIPETE,
        // A pinned pawn must not move to another pin line of the same kind.
        "4k3/8/6b1/5p2/8/3K4/4P3/5b2 w - - 0 1",
        "4k3/8/8/8/r2pK3/4P3/8/4r3 w - - 0 1",
        // Castling paths and the attacks on them change from reply to reply.
        "r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1",
        "nrk4r/8/N7/8/8/5n2/8/NRK4R w HBhb - 0 1",
    ] {
        let position = position(fen);
        for depth in 0..=5 {
            let leaves = perft(&position, depth);
            assert_eq!(leaves, perft_by_moves(&position, depth), "{fen}");
            assert_eq!(leaves, perft_hashed(&position, depth, &table), "{fen}");
        }
    }
}

#[test]
fn hashed_counts_equal_unhashed_ones() {
    // The smallest table: entries are overwritten all the time.
    let table = PerftTable::new(0).expect("one bucket");
    let larger = PerftTable::new(4).expect("four megabytes");
    for fen in [
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/1k6/8/8/8/8/p5K1/8 b - - 0 1",
    ] {
        let position = position(fen);
        for depth in 0..=4 {
            let leaves = perft(&position, depth);
            assert_eq!(perft_hashed(&position, depth, &table), leaves, "{fen}");
            assert_eq!(perft_hashed(&position, depth, &larger), leaves, "{fen}");
            assert_eq!(count(&position, depth, Some(&larger)), Ok(leaves), "{fen}");
        }
    }
}

#[test]
fn clearing_removes_all_counts() {
    // Two positions with the same key: the castling right belongs to the inner or the outer rook.
    let inner = position("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1");
    let outer = position("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1");
    assert_eq!(inner.key(), outer.key());
    let mut table = PerftTable::new(1).expect("a megabyte");
    let leaves = perft_hashed(&inner, 4, &table);
    assert_ne!(leaves, perft(&outer, 4));
    table.clear();
    assert_eq!(perft_hashed(&outer, 4, &table), perft(&outer, 4));
}

#[test]
fn divided_counts_add_up() {
    for depth in 1..=4 {
        let position = position(KIWIPETE);
        let moves = divide(&position, depth, None).expect("a small tree");
        assert_eq!(
            moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(),
            position.legal_moves().to_vec()
        );
        assert_eq!(
            moves.iter().map(|&(_, leaves)| leaves).sum::<u64>(),
            perft(&position, depth)
        );
        for (mv, leaves) in moves {
            assert_eq!(leaves, perft(&position.play(mv), depth - 1), "{mv:?}");
        }
    }
    assert_eq!(divide(&Position::startpos(), 0, None), Ok(Vec::new()));
    assert_eq!(count(&Position::startpos(), 0, None), Ok(1));
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads() {
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    let four = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .expect("four threads");
    let counts = || divide(&position(KIWIPETE), 4, None);
    assert_eq!(one.install(counts), four.install(counts));
}

#[test]
fn depths_above_the_maximum_are_rejected() {
    let too_deep = MAX_DEPTH + 1;
    assert_eq!(
        divide(&Position::startpos(), too_deep, None),
        Err(PerftError::Depth(too_deep))
    );
    assert_eq!(
        count(&Position::startpos(), u32::MAX, None),
        Err(PerftError::Depth(u32::MAX))
    );
    assert_eq!(
        PerftTable::new(usize::MAX).err(),
        Some(PerftError::Memory(usize::MAX))
    );
}

#[test]
fn counts_beyond_64_bits_are_rejected() {
    let start = Position::startpos();
    let moves = start.legal_moves();
    let divided = |known: &[u64]| {
        let known: Vec<_> = moves.iter().copied().zip(known.iter().copied()).collect();
        divide_with(&start, 3, None, &known, &())
    };
    assert_eq!(divided(&[1 << 63, 1 << 63]), Err(PerftError::Overflow));
    assert_eq!(divided(&[u64::MAX]), Err(PerftError::Overflow));
    let counts = divided(&[1 << 63]).expect("it fits");
    assert_eq!(counts[0].1, 1 << 63);
}

#[test]
fn suite_lines_are_parsed_or_rejected() {
    let text = "# a comment\n\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25\r\n8/8 w - - ;D1 5\n";
    let lines: Vec<_> = suite_lines(text).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].0, 3);
    assert_eq!(
        lines[0].1.as_ref().map(|line| line.counts.clone()),
        Ok(vec![(1, 5), (2, 25)])
    );
    assert!(matches!(lines[1], (4, Err(SuiteError::Fen(_)))));
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for counts in [
        ";",
        ";D1",
        ";D1 x",
        ";1 5",
        ";D33 5",
        ";D1 -5",
        ";D1 5 ;D2 99999999999999999999",
        ";é1 5",
    ] {
        let line = format!("{kings} {counts}").parse::<SuiteLine>();
        assert!(
            matches!(line, Err(SuiteError::Count(_))),
            "{counts}: {line:?}"
        );
    }
    assert_eq!(kings.parse::<SuiteLine>(), Err(SuiteError::Empty));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn the_command_prints_counts_by_move() {
    let output = lucena(&["perft", "3", "--divide", "--threads", "2", "--hash", "1"]);
    assert!(output.status.success(), "{output:?}");
    let lines: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 21);
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    assert!(
        lines[20].starts_with("8902 nodes, ") && lines[20].ends_with(" nodes/s"),
        "{}",
        lines[20]
    );
    let output = lucena(&["perft", "0"]);
    assert!(text(&output.stdout).starts_with("1 node, "));
    // Castling is written as in standard chess or as in Chess960.
    let standard = lucena(&[
        "perft",
        "1",
        "--divide",
        "--fen",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ]);
    assert!(text(&standard.stdout).contains("e1g1: 1"));
    let chess960 = lucena(&[
        "perft",
        "1",
        "--divide",
        "--fen",
        "4k3/8/8/8/8/8/8/5KR1 w K - 0 1",
    ]);
    assert!(text(&chess960.stdout).contains("f1g1: 1"));
}

#[test]
fn errors_name_the_argument_at_fault() {
    for (arguments, named) in [
        (&["perft"] as &[&str], "DEPTH"),
        (&["perft", "many"], "DEPTH"),
        (&["perft", "99"], "DEPTH"),
        (&["perft", "-1"], "-1"),
        (
            &["perft", "2", "--fen", "8/8/8/8/8/8/8/4K3 w - - 0 1"],
            "FEN field 1",
        ),
        (
            &["perft", "2", "--fen", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"],
            "FEN field 2",
        ),
        (&["perft", "2", "--threads", "0"], "threads"),
        (&["perft", "2", "--hash", "x"], "hash"),
        (&["perft", "2", "--suite", "perft/edge.epd"], "suite"),
    ] {
        let output = lucena(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let message = text(&output.stderr);
        assert!(
            message.contains(named) && !message.contains("panicked"),
            "{arguments:?}: {message}"
        );
    }
}

#[test]
fn the_command_reports_wrong_counts() {
    let folder = Folder::new("perft");
    let wrong = folder.write(
        "wrong.epd",
        "# one of them is wrong\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 26\n",
    );
    let bad = folder.write("bad.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 five\n");
    let empty = folder.write("empty.epd", "# nothing to count\n");
    let path = |path: &std::path::Path| path.to_str().expect("a name").to_owned();

    let output = lucena(&["perft", "--suite", &path(&wrong)]);
    assert_eq!(output.status.code(), Some(1));
    let lines = text(&output.stdout);
    assert!(
        lines.contains("wrong.epd:2: depth 2: 25 counted, 26 expected"),
        "{lines}"
    );
    assert!(
        lines.contains("1 position, 2 counts, 1 wrong, 30 nodes"),
        "{lines}"
    );

    let output = lucena(&[
        "perft",
        "--suite",
        &path(&suite_path("edge.epd")),
        &path(&bad),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("bad.epd:1: `D1 five`"),
        "{output:?}"
    );

    for (file, words) in [
        (empty, "empty.epd: no position"),
        (folder.join("none.epd"), "none.epd: "),
    ] {
        let output = lucena(&["perft", "--suite", &path(&file)]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(words), "{output:?}");
    }
}
