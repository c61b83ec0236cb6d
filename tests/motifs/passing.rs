//! Threats and zugzwang: what passing would change.

use lucena::chess::{Game, Position};
use lucena::explain::motifs::{Kind, Line, Motif, zugzwang};
use lucena::explain::{Claim, Explainer};
use lucena::search::local::LocalSearcher;

const NODES: u64 = 20_000;

/// The first threat, or what is said instead.
fn threat_in(fen: &str) -> Claim {
    let position = Position::from_fen(fen).expect("a position");
    let mut explainer = Explainer::small(NODES).expect("memory for a small table");
    let threats = explainer.threats(&Game::new(position));
    threats.expect("an open game").claims.swap_remove(0)
}

#[test]
fn the_threat_of_mate_on_f7_is_found() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 5 4";
    let claim = threat_in(fen);
    assert_eq!(
        (claim.kind.as_str(), claim.line[0].as_str()),
        ("mate", "Qxf7#")
    );
}

#[test]
fn the_threat_to_take_a_loose_piece_is_found() {
    let claim = threat_in("6k1/pp3ppp/8/8/3N4/8/PP3PPP/3r1NK1 w - - 0 1");
    assert_eq!(
        (claim.kind.as_str(), claim.line[0].as_str()),
        ("threat", "Rxd4")
    );
}

#[test]
fn a_check_must_be_met_first() {
    let claim = threat_in("4k3/pp3ppp/8/8/3N4/8/PP3PPP/3rR1K1 b - - 0 1");
    assert_eq!(claim.kind, "check");
}

#[test]
fn the_start_holds_no_threat() {
    assert_eq!(threat_in(&Position::startpos().to_fen()).kind, "no_threat");
}

/// The motif after moves in UCI notation from a position.
fn zugzwang_after(fen: &str, moves: &str) -> Option<Motif> {
    let position = Position::from_fen(fen).expect("a position");
    let line = Line::parse(&position, moves).expect("a line");
    let mut searcher = LocalSearcher::new(1).expect("memory for a small table");
    zugzwang(&mut searcher, &line, NODES)
}

/// Each king attacks one pawn and guards the other: whoever must move loses his own.
#[test]
fn mutual_zugzwang_is_found() {
    let motif = zugzwang_after("8/8/8/2K1p3/4Pk2/8/8/8 w - - 0 1", "c5d5").expect("zugzwang");
    assert_eq!((motif.kind, motif.ply), (Kind::Zugzwang, 0));
    assert!(motif.numbers[0] >= 500, "{motif:?}");
    assert!(zugzwang_after(&Position::startpos().to_fen(), "e2e4").is_none());
}
