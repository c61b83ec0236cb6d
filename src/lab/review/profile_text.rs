//! A profile as a table of text.

use std::fmt;

use super::profile::{Estimate, MovesLine, OpeningLine, Profile};
use crate::base::text::plural;

/// What the columns of moves are.
const MOVES_COLUMNS: [&str; 2] = [
    "points lost per 100 moves",
    "mistakes and blunders per 100 moves",
];

impl Estimate {
    /// `0.41 (0.38 to 0.45)`
    pub fn text(&self, digits: usize) -> String {
        let Self {
            value, low, high, ..
        } = self;
        format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
    }
}

/// The name of a line of openings.
pub fn opening_name(line: &OpeningLine) -> String {
    let color = if line.color == "white" {
        "White"
    } else {
        "Black"
    };
    let name = line.name.as_deref().unwrap_or("all games");
    format!("{color}: {name}")
}

/// A table of text: its title and columns, and its rows.
pub struct Table {
    pub head: [&'static str; 3],
    pub rows: Vec<[String; 3]>,
}

impl Profile {
    /// The first lines: results, accuracy and points lost.
    pub fn heading(&self) -> Vec<String> {
        let Self {
            games,
            wins,
            draws,
            losses,
            ..
        } = self;
        if *games == 0 {
            return vec!["no reviewed game has a player of this name".to_owned()];
        }
        let mut lines = vec![format!(
            "{}: +{wins} ={draws} -{losses}",
            plural(*games, "game")
        )];
        if let Some(accuracy) = &self.accuracy {
            lines.push(format!("accuracy {} %", accuracy.text(1)));
        }
        if let Some(lost) = &self.lost {
            lines.push(format!(
                "{} expected points lost per 100 moves",
                lost.text(2)
            ));
        }
        if self.games < self.least_games {
            lines.push(format!(
                "a profile needs {}",
                plural(self.least_games, "game")
            ));
        }
        lines
    }

    /// All tables that have rows.
    pub fn tables(&self) -> Vec<Table> {
        let causes = self.causes.iter().map(|line| {
            let title = line.title.to_owned();
            [title, line.lost.text(3), line.gained.text(3)]
        });
        let moves = |lines: &[MovesLine]| -> Vec<[String; 3]> {
            let row = |line: &MovesLine| {
                let name = line.name.to_owned();
                [name, line.lost.text(2), line.mistakes.text(2)]
            };
            lines.iter().map(row).collect()
        };
        let openings = self.openings.iter().map(|line| {
            let points = line.points.as_ref();
            let points = points.map_or("-".into(), |points| points.text(2));
            [opening_name(line), points, line.lost.text(2)]
        });
        let mut tables = vec![
            Table {
                head: [
                    "concept",
                    "lost per game by own mistakes",
                    "gained per game by the opponents'",
                ],
                rows: causes.collect(),
            },
            Table {
                head: ["phase", MOVES_COLUMNS[0], MOVES_COLUMNS[1]],
                rows: moves(&self.phases),
            },
            Table {
                head: ["time left", MOVES_COLUMNS[0], MOVES_COLUMNS[1]],
                rows: moves(&self.time),
            },
            Table {
                head: ["opening", "points per game", MOVES_COLUMNS[0]],
                rows: openings.collect(),
            },
        ];
        tables.retain(|table| !table.rows.is_empty());
        tables
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Profile of {}", self.player)?;
        for line in self.heading() {
            writeln!(f, "  {line}")?;
        }
        let tables = self.tables();
        let length = |text: &str| text.chars().count();
        let width = |column: usize| {
            let rows = tables.iter().flat_map(|table| {
                let cells = table.rows.iter().map(move |row| length(&row[column]));
                cells.chain([length(table.head[column])])
            });
            rows.max().unwrap_or(0)
        };
        let (first, second) = (width(0), width(1));
        for table in &tables {
            let [one, two, three] = table.head;
            writeln!(f, "\n{one:first$}  {two:second$}  {three}")?;
            for [one, two, three] in &table.rows {
                writeln!(f, "{one:first$}  {two:second$}  {three}")?;
            }
        }
        Ok(())
    }
}
