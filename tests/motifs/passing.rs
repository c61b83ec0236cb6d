//! Threats and zugzwang: what passing would change.

use lucena::chess::{Game, Position};
use lucena::explain::motifs::{Kind, Line, Motif, Threat, threat, zugzwang};
use lucena::search::local::LocalSearcher;

const NODES: u64 = 20_000;

fn threat_in(fen: &str) -> Option<Threat> {
    let position = Position::from_fen(fen).expect("a position");
    let mut searcher = LocalSearcher::new(1).expect("memory for a small table");
    threat(&mut searcher, &Game::new(position), NODES)
}

#[test]
fn the_threat_of_mate_on_f7_is_found() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let found = threat_in(fen).expect("a threat");
    assert_eq!(found.line.moves()[0].uci(false).to_string(), "h5f7");
    assert_eq!(found.motifs[0].kind, Kind::Mate);
    assert!(found.gain >= 500, "{found:?}");
}

#[test]
fn the_threat_to_take_a_loose_piece_is_found() {
    let found = threat_in("4k3/pp3ppp/8/8/3N4/8/PP3PPP/3rR1K1 b - - 0 1");
    // Black is in check: nothing is threatened, the check must be met.
    assert!(found.is_none());
    let found = threat_in("6k1/pp3ppp/8/8/3N4/8/PP3PPP/3r1NK1 w - - 0 1").expect("a threat");
    assert_eq!(found.line.moves()[0].uci(false).to_string(), "d1d4");
    assert_eq!(found.motifs[0].kind, Kind::HangingPiece);
}

#[test]
fn the_start_holds_no_threat() {
    assert!(threat_in(&Position::startpos().to_fen()).is_none());
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
