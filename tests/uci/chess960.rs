//! Chess960: castling and castling rights.

use crate::driver::Engine;

const CASTLES: &str = "fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

#[test]
fn castling_is_printed_as_the_option_says() {
    let mut engine = Engine::ready();
    engine.position(CASTLES);
    for (on, short, long) in [
        ("true", "e1h1", "e1a1"),
        ("false", "e1g1", "e1c1"),
        ("true", "e1h1", "e1a1"),
    ] {
        engine.send(&format!("setoption name UCI_Chess960 value {on}"));
        engine.position(CASTLES);
        // `searchmoves` accepts both notations.
        for asked in ["e1g1", "e1h1"] {
            let answer = engine.go(&format!("depth 4 searchmoves {asked}"));
            assert_eq!(answer.best, short);
            assert!(answer.scored().all(|info| info.pv[0] == short));
        }
        assert_eq!(engine.go("depth 4 searchmoves e1a1").best, long);
    }
    engine.quit();
}

#[test]
fn castling_rights_are_read_in_every_notation() {
    let mut engine = Engine::ready();
    engine.lenient = true;
    for on in ["false", "true"] {
        engine.send(&format!("setoption name UCI_Chess960 value {on}"));
        for (placement, forms) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R", ["KQkq", "HAha", "KQha"]),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1", ["KQkq", "GBgb", "KQgb"]),
            ("rk5r/8/8/8/8/8/8/RK5R", ["KQkq", "HAha", "KQha"]),
        ] {
            let counts = forms.map(|form| {
                engine.position(&format!("fen {placement} w {form} - 0 1"));
                engine.go("depth 1");
                engine.send("go perft 3");
                engine
                    .until("Nodes searched", crate::driver::HANG)
                    .pop()
                    .expect("a count")
                    .text
            });
            assert!(
                counts.iter().all(|count| *count == counts[0]),
                "{placement}: {counts:?}"
            );
        }
    }
    engine.quit();
}

#[test]
fn a_standard_game_with_chess960_on() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_Chess960 value true");
    engine.position("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    assert_eq!(engine.go("depth 3 searchmoves e1h1").best, "e1h1");
    engine.position("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1");
    engine.go("depth 3");
    engine.quit();
}

#[test]
fn castling_onto_the_own_rook() {
    let mut engine = Engine::ready();
    engine.send("setoption name UCI_Chess960 value true");
    // The king takes the rook beside it: they change places.
    engine.position("fen 5kr1/6p1/8/8/8/8/6P1/5KR1 w Gg - 0 1");
    assert_eq!(engine.go("depth 4 searchmoves f1g1").best, "f1g1");
    engine.position("fen 5kr1/6p1/8/8/8/8/6P1/5KR1 w Gg - 0 1 moves f1g1");
    engine.go("depth 4");
    engine.quit();
}
