//! Personalities: files that are refused or loaded, what they change, and what is left when they end.

use crate::common::Folder;
use crate::driver::{Engine, MIDDLEGAME, centipawns, weights_with_heavy_pawns};
use crate::levels::level;

const END: &str = "setoption name Personality File value <empty>";

/// The option that sets a personality with these lines.
fn set(folder: &Folder, lines: &str) -> String {
    let name = lines.lines().next().expect("a name");
    let path = folder.write(name, format!("lucena personality 1\n{lines}"));
    format!("setoption name Personality File value {}", path.display())
}

#[test]
fn a_damaged_personality_changes_nothing_and_names_its_line() {
    let folder = Folder::new("personality");
    let good = set(&folder, "name A\nplus check 2\ncontempt 10\n");
    let mut engine = level(1300);
    engine.send(&good);
    engine.alive_and_silent();
    assert!(engine.go("movetime 100").strings().is_empty());
    engine.send(&set(&folder, "name B\nplus chess 2\n"));
    engine.alive_and_silent();
    let answer = engine.go("movetime 100");
    let expected = "line 3: there is no feature or group `chess`; the personality in use stays";
    assert!(
        answer.strings()[0].contains(expected),
        "{:?}",
        answer.strings()
    );
    engine.quit();
}

#[test]
fn a_personality_values_exchanges_and_draws_at_full_strength_and_gives_the_option_back() {
    const REPETITION: &str =
        "fen 7k/8/8/8/8/8/1q6/3Q3K w - - 0 1 moves d1d8 h8h7 d8d3 h7h8 d3d8 h8h7 d8d3 h7h8";
    let folder = Folder::new("style");
    let trade = set(&folder, "name A\ntrade 60\ncontempt -30\n");
    let mut engine = Engine::ready();
    for option in [
        "Raw Scores value true",
        "SyzygyProbeLimit value 0",
        "Contempt value 20",
    ] {
        engine.send(&format!("setoption name {option}"));
    }
    let mut scores = |option: &str| {
        engine.send(option);
        let positions = [
            ("startpos", "depth 1"),
            ("fen 4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1", "depth 1"),
            (REPETITION, "depth 6 searchmoves d3d8"),
        ];
        positions.map(|(position, go)| {
            engine.send("ucinewgame");
            engine.position(position);
            centipawns(engine.go(go).last().score.expect("a score"))
        })
    };
    let plain = scores(END);
    assert_eq!(plain[2], -20);
    let [full_board, pawns, draw] = scores(&trade);
    assert_eq!([full_board, pawns, draw], [plain[0] - 60, plain[1], 30]);
    assert_eq!(scores(END), plain);
    engine.quit();
}

#[test]
fn a_personality_that_ends_leaves_weights_book_and_scores_as_they_were() {
    let folder = Folder::new("ends");
    let personality = set(&folder, "name A\ntimes threats 3\nbook 30\ntrade 60\n");
    let weights = folder.write("weights.txt", weights_with_heavy_pawns());
    let other_weights = format!("setoption name Weights File value {}", weights.display());
    let nodes = |before: &[&str]| {
        let mut engine = Engine::ready();
        engine.position(MIDDLEGAME);
        for line in before {
            match line.strip_prefix("go ") {
                Some(words) => drop(engine.go(words)),
                None => engine.send(line),
            }
        }
        let nodes = engine.go("depth 7").nodes();
        engine.quit();
        nodes
    };
    let (plain, other) = (nodes(&[]), nodes(&[&other_weights]));
    assert_ne!(plain, other);
    assert_ne!(plain, nodes(&[&personality]));
    assert_eq!(plain, nodes(&[&personality, "go depth 5", END]));
    assert_eq!(other, nodes(&[&other_weights, &personality, END]));
    assert_eq!(other, nodes(&[&personality, &other_weights, END]));
    // Its book goes on to move 30, but where the option or another personality ends it earlier.
    let short = set(&folder, "name B\nbook 1\n");
    for (lines, expected) in [
        (&[][..], false),
        (&[personality.as_str()], true),
        (&[personality.as_str(), END], false),
        (
            &[short.as_str(), "setoption name Book Depth value 30"],
            false,
        ),
    ] {
        let mut engine = Engine::ready();
        engine.send("setoption name OwnBook value true");
        engine.send("setoption name Book Depth value 2");
        lines.iter().for_each(|line| engine.send(line));
        engine.position("startpos moves e2e4 e7e5 g1f3 b8c6");
        let answer = engine.go("depth 1");
        let from_book = answer
            .strings()
            .iter()
            .any(|text| text.starts_with("book: "));
        assert_eq!(from_book, expected, "{lines:?}");
        engine.quit();
    }
    assert_eq!(
        nodes(&[&personality, &other_weights]),
        nodes(&[&other_weights, &personality])
    );
}
