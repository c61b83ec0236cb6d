//! Tags of reviewed games: none is lost without a word.

use std::fs;

use crate::common::{Folder, lucena};

/// The annotated games and the errors.
fn review(text: &str) -> (String, String) {
    let folder = Folder::new("review-tags");
    let games = folder.write("games.pgn", text);
    let pgn = folder.text("out.pgn");
    let games = games.to_str().expect("text");
    let output = lucena(&["review", games, "--nodes", "100", "--pgn", &pgn]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (fs::read_to_string(pgn).unwrap_or_default(), errors)
}

#[test]
fn tags_are_kept() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let text = format!(
        "[Event \"x\"] [FEN \"{fen}\"]\n [Black \"B\"]\n[Black \"C\"]\n[WhiteElo 2400]\n[Site \"C:\\\"]\n\n1. e4 *\n"
    );
    let (written, errors) = review(&text);
    for tag in [
        "[Event \"x\"]",
        &format!("[FEN \"{fen}\"]"),
        "[Black \"B\"]\n[Black \"C\"]",
        "[WhiteElo \"2400\"]",
        "[Site \"C:\\\\\"]",
    ] {
        assert!(written.contains(tag), "no {tag} in {written}{errors}");
    }
    assert_eq!(review(&written).0.matches("[Black ").count(), 2);
}

#[test]
fn tags_that_cannot_be_read_are_errors() {
    for (text, reason) in [
        (
            "[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n[Result \"1-0",
            "game 2: line 6: the tag",
        ),
        (
            "[White Elo \"2400\"]\n\n1. e4 *\n",
            "game 1: line 1: the tag",
        ),
        (
            "[Event \"x\"]\n\n1. e4\n\n2. Nf3 *\n",
            "game 2: line 5: the moves start with number 2",
        ),
    ] {
        let (_, errors) = review(text);
        assert!(errors.contains(reason), "no {reason} in {errors}");
        assert!(errors.contains("1 game skipped"), "{errors}");
    }
}
