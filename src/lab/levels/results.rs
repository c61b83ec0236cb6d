//! A table of results: for every pair of players the games that the first won, drew and lost.
//!
//! ```text
//! player,opponent,wins,draws,losses
//! level-1500,stash-9,120,31,94
//! ```

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::calibrate::{Anchor, CalibrationError, Outcome, level_of, unknown_player};
use super::table::{Table, number};

/// The columns with the players.
const PLAYERS: [&str; 2] = ["player", "opponent"];
/// The columns with games, and the points that the player has for each.
const COUNTS: [(&str, f64); 3] = [("wins", 1.0), ("draws", 0.5), ("losses", 0.0)];

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
            return Err(format!("`{name}` is neither a level nor an anchor"));
        }
        for ((name, score), column) in COUNTS.into_iter().zip(counts) {
            let games: u16 = number(name, fields[column])?;
            if games > 0 {
                outcomes.push(Outcome {
                    players: players.clone(),
                    score,
                    games: games.into(),
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
    let mut counts: BTreeMap<[(u16, &str); 2], [u32; 3]> = BTreeMap::new();
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
        let counts: &mut [u32; 3] = counts.entry(pair).or_default();
        if let Some(column) = COUNTS.iter().position(|(_, points)| *points <= score) {
            counts[column] += outcome.games;
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
        ] {
            fs::write(&path, text).expect("a file");
            let fault = read_results(&path, &anchors()).expect_err("a fault");
            assert!(fault.to_string().contains(expected), "{fault}");
        }
    }
}
