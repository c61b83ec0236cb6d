//! Results of games: read from PGN, and from a table that has for every pair of players the games that the first won, drew
//! and lost.
//!
//! ```text
//! player,opponent,wins,draws,losses
//! level-1500,stash-9,120,31,94
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use super::calibrate::{Anchor, CalibrationError, Outcome, level_of, unknown_player};
use super::table::{Table, number};

/// The columns with the players.
const PLAYERS: [&str; 2] = ["player", "opponent"];
/// The columns with games, and the points that the player has for each.
const COUNTS: [(&str, f64); 3] = [("wins", 1.0), ("draws", 0.5), ("losses", 0.0)];

/// Reads the finished games of a PGN file: the tags White, Black and Result. A game that a program lost on time or by a
/// fault (by the tag Termination after them) is left out: it says nothing about strength.
///
/// # Errors
/// The file cannot be read, or a player is neither a level nor an anchor.
pub fn read_outcomes(path: &Path, anchors: &[Anchor]) -> Result<Vec<Outcome>, CalibrationError> {
    let refused = |error| CalibrationError::Io(path.to_owned(), error);
    let file = BufReader::new(File::open(path).map_err(refused)?);
    let mut outcomes = Vec::new();
    let mut players = [String::new(), String::new()];
    // Whether the result of this game was the last outcome.
    let mut has_outcome = false;
    for line in file.split(b'\n') {
        let line = line.map_err(refused)?;
        // A game may have other text that is not UTF-8.
        let line = String::from_utf8_lossy(&line);
        let Some((tag, value)) = tag(line.trim_ascii_end()) else {
            continue;
        };
        match tag {
            "White" => {
                has_outcome = false;
                value.clone_into(&mut players[0]);
            }
            "Black" => value.clone_into(&mut players[1]),
            "Result" => {
                let score = match value {
                    "1-0" => 1.0,
                    "0-1" => 0.0,
                    "1/2-1/2" => 0.5,
                    _ => continue,
                };
                if let Some(name) = unknown_player(&players, anchors) {
                    return Err(CalibrationError::Player(path.to_owned(), name));
                }
                outcomes.push(Outcome {
                    players: players.clone(),
                    score,
                    games: 1,
                });
                has_outcome = true;
            }
            "Termination" if has_outcome && !matches!(value, "normal" | "adjudication") => {
                outcomes.pop();
                has_outcome = false;
            }
            _ => {}
        }
    }
    Ok(outcomes)
}

/// The name and the value of a line with a PGN tag.
fn tag(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    let value = value.strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value))
}

/// Reads a table of results.
///
/// # Errors
/// The file cannot be read; a line is wrong, or names a player that is neither a level nor an anchor.
pub fn read_results(path: &Path, anchors: &[Anchor]) -> Result<Vec<Outcome>, CalibrationError> {
    let table = Table::open(path)?;
    let [player, opponent] = PLAYERS.map(|name| table.column(name));
    let names = [player?, opponent?];
    let [wins, draws, losses] = COUNTS.map(|(name, _)| table.column(name));
    let counts = [wins?, draws?, losses?];
    let mut outcomes = Vec::new();
    table.each(|fields| {
        let players = names.map(|column| fields[column].to_owned());
        if let Some(name) = unknown_player(&players, anchors) {
            return Err(name.to_string());
        }
        if players[0] == players[1] {
            return Err(format!("`{}` against itself", players[0]));
        }
        for ((name, score), column) in COUNTS.into_iter().zip(counts) {
            let games: u32 = number(name, fields[column])?;
            if games > 0 {
                outcomes.push(Outcome {
                    players: players.clone(),
                    score,
                    games,
                });
            }
        }
        Ok(())
    })?;
    Ok(outcomes)
}

/// Writes the results of games: levels in ascending order, each with its opponents.
///
/// # Errors
/// `out` cannot be written.
pub fn write_results(out: &mut impl Write, outcomes: &[Outcome]) -> io::Result<()> {
    let mut counts: BTreeMap<[(u16, &str); 2], [u64; 3]> = BTreeMap::new();
    for outcome in outcomes {
        // Levels come before other players.
        let order = |name: &str| level_of(name).unwrap_or(u16::MAX);
        let [white, black] = outcome
            .players
            .each_ref()
            .map(|name| (order(name), name.as_str()));
        let (pair, score) = if white <= black {
            ([white, black], outcome.score)
        } else {
            ([black, white], 1.0 - outcome.score)
        };
        let counts: &mut [u64; 3] = counts.entry(pair).or_default();
        if let Some(column) = COUNTS.iter().position(|(_, points)| *points <= score) {
            counts[column] += u64::from(outcome.games);
        }
    }
    let columns = PLAYERS.into_iter().chain(COUNTS.map(|(name, _)| name));
    writeln!(out, "{}", columns.collect::<Vec<_>>().join(","))?;
    for ([(_, player), (_, opponent)], [wins, draws, losses]) in counts {
        writeln!(out, "{player},{opponent},{wins},{draws},{losses}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const HEADER: &str = "player,opponent,wins,draws,losses";

    fn anchors() -> Vec<Anchor> {
        let name = "anchor".to_owned();
        vec![Anchor {
            name,
            rating: 1500.0,
        }]
    }

    fn outcome(white: &str, black: &str, score: f64) -> Outcome {
        Outcome {
            players: [white, black].map(str::to_owned),
            score,
            games: 1,
        }
    }

    #[test]
    fn a_table_that_was_written_is_read_again() {
        let outcomes = [
            outcome("anchor", "level-900", 1.0),
            outcome("level-900", "anchor", 0.5),
            outcome("level-1000", "level-900", 1.0),
            outcome("level-900", "level-1000", 1.0),
            outcome("level-900", "level-1000", 1.0),
        ];
        let mut table = Vec::new();
        write_results(&mut table, &outcomes).expect("a table");
        let text = String::from_utf8(table.clone()).expect("text");
        assert_eq!(
            text,
            format!("{HEADER}\nlevel-900,level-1000,2,0,1\nlevel-900,anchor,0,1,1\n")
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.csv");
        fs::write(&path, &table).expect("a file");
        let read = read_results(&path, &anchors()).expect("results");
        let games: u32 = read.iter().map(|outcome| outcome.games).sum();
        assert_eq!(games as usize, outcomes.len());
        let mut again = Vec::new();
        write_results(&mut again, &read).expect("a table");
        assert_eq!(again, table);
    }

    #[test]
    fn a_damaged_table_names_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.csv");
        for (text, expected) in [
            (String::new(), "line 1: there is no column `player`"),
            (
                format!("{HEADER}\nlevel-900,anchor,1,2\n"),
                "line 2: 4 fields, expected 5",
            ),
            (
                format!("{HEADER}\nlevel-900,anchor,1,2,x\n"),
                "line 2: losses: expected a number, found `x`",
            ),
            (
                format!("{HEADER}\nlevel-900,anchor,1,2,18446744073709551615\n"),
                "line 2: losses: expected a number",
            ),
            (
                format!("{HEADER}\nlevel-900,other,1,2,3\n"),
                "line 2: `other` is neither",
            ),
            (
                format!("{HEADER}\nlevel-99,anchor,1,2,3\n"),
                "line 2: `level-99` is neither an anchor nor a level (level-800 to 2800)",
            ),
            (
                format!("{HEADER}\nlevel-900,level-900,1,2,3\n"),
                "line 2: `level-900` against itself",
            ),
        ] {
            fs::write(&path, text).expect("a file");
            let fault = read_results(&path, &anchors()).expect_err("a fault");
            assert!(fault.to_string().contains(expected), "{fault}");
        }
    }

    #[test]
    fn outcomes_are_read_and_unknown_players_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let game = "[White \"level-900\"]\n[Black \"anchor\"]\n[Result \"1/2-1/2\"]\n\n1. e4 *\n\n";
        let open = game.replace("1/2-1/2", "*");
        let lost = game.replace("\n\n1.", "\n[Termination \"time forfeit\"]\n\n1.");
        let normal = game.replace("\n\n1.", "\n[Termination \"normal\"]\n\n1.");
        let all = game.to_owned() + &open + &lost + &normal.replace('\n', "\r\n");
        let all = [b"[Event \"Z\xfcrich\"]\n", all.as_bytes()].concat();
        std::fs::write(&path, all).expect("a file");
        let outcomes = read_outcomes(&path, &anchors()).expect("games");
        assert_eq!(outcomes.len(), 2);
        assert!((outcomes[0].score - 0.5).abs() < 1e-9);
        std::fs::write(&path, game.replace("level-900", "other")).expect("a file");
        let fault = read_outcomes(&path, &anchors()).expect_err("a fault");
        assert!(fault.to_string().contains("`other` is neither"), "{fault}");
    }
}
