//! Reads games of people and positions from them. Files that end with `.xz` or `.zst` are decompressed.

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use super::table::{Table, TableError, number};
use crate::chess::{Game, Position};
use crate::engine::level::GameView;

/// A game between people.
#[derive(Clone, Debug)]
pub struct HumanGame {
    /// The name of the game in its file.
    pub id: String,
    /// By colour: white, black.
    pub ratings: [u16; 2],
    /// Whether the ratings counted on the result; `None` if the file does not say so.
    pub is_rated: Option<bool>,
    /// The minutes of the clock at the start; `None` if the file does not say so.
    pub minutes: Option<u16>,
    /// The moves in UCI notation.
    pub moves: String,
}

impl HumanGame {
    /// Whether the game is rated, lasts at least `least_minutes`, and the ratings differ by at most `most_gap`. What
    /// the file does not give counts as fulfilled.
    pub fn is_eligible(&self, least_minutes: u16, most_gap: u16) -> bool {
        let [white, black] = self.ratings;
        self.is_rated != Some(false)
            && self.minutes.is_none_or(|minutes| minutes >= least_minutes)
            && white.abs_diff(black) <= most_gap
    }
}

/// A position from a game between people, with the move that was played.
#[derive(Clone, Debug)]
pub struct HumanPosition {
    /// The name of its group, such as a range of ratings.
    pub band: String,
    pub rating: u16,
    pub view: GameView,
    pub played: crate::chess::Move,
}

/// Reads games: a table with the columns `id`, `white_rating`, `black_rating` and `uci_moves`, and if known `rated` and
/// `time_control` (minutes+seconds).
///
/// # Errors
/// [`TableError`] names the file, the line and the column.
pub fn read_games(path: &Path) -> Result<Vec<HumanGame>, TableError> {
    let table = Table::open(path)?;
    let id = table.column("id")?;
    let white = table.column("white_rating")?;
    let black = table.column("black_rating")?;
    let moves = table.column("uci_moves")?;
    let rated = table.column("rated").ok();
    let control = table.column("time_control").ok();
    let mut games = Vec::new();
    table.each(|fields| {
        games.push(HumanGame {
            id: fields[id].to_owned(),
            ratings: [
                number("white_rating", fields[white])?,
                number("black_rating", fields[black])?,
            ],
            is_rated: rated.map(|column| fields[column].eq_ignore_ascii_case("true")),
            minutes: control.and_then(|column| {
                let minutes = fields[column].split('+').next()?;
                minutes.parse().ok()
            }),
            moves: fields[moves].to_owned(),
        });
        Ok(())
    })?;
    Ok(games)
}

/// The games with an illegal move, and what is wrong with it: only the moves before it can be used.
pub fn illegal_moves(games: &[HumanGame]) -> Vec<(&str, String)> {
    let fault = |game: &HumanGame| replay(&game.moves, usize::MAX).err();
    let found = games
        .par_iter()
        .filter_map(|game| Some((game.id.as_str(), fault(game)?)));
    found.collect()
}

/// The names in the column `game` of a table: games that must not be used.
///
/// # Errors
/// [`TableError`] names the file and the line.
pub fn read_excluded(path: &Path) -> Result<HashSet<String>, TableError> {
    let table = Table::open(path)?;
    let game = table.column("game")?;
    let mut found = HashSet::new();
    table.each(|fields| {
        found.insert(fields[game].to_owned());
        Ok(())
    })?;
    Ok(found)
}

/// Reads positions: a table with the columns `band`, `mover_rating`, `human_move` and `uci_history`.
///
/// # Errors
/// [`TableError`] names the file, the line and the column.
pub fn read_positions(path: &Path) -> Result<Vec<HumanPosition>, TableError> {
    let table = Table::open(path)?;
    let band = table.column("band")?;
    let rating = table.column("mover_rating")?;
    let played = table.column("human_move")?;
    let history = table.column("uci_history")?;
    let mut positions = Vec::new();
    table.each(|fields| {
        let view = replay(fields[history], usize::MAX)?;
        let played = view.game().position().parse_move(fields[played]);
        positions.push(HumanPosition {
            band: fields[band].to_owned(),
            rating: number("mover_rating", fields[rating])?,
            played: played.map_err(|error| format!("human_move: {error}"))?,
            view,
        });
        Ok(())
    })?;
    Ok(positions)
}

/// The game after the first `plies` moves from the initial position.
///
/// # Errors
/// A move is not legal.
pub fn replay(moves: &str, plies: usize) -> Result<GameView, String> {
    let mut view = GameView::new(Game::new(Position::startpos()));
    for (index, text) in moves.split_ascii_whitespace().take(plies).enumerate() {
        let mv = view.game().position().parse_move(text);
        let fault = |error| format!("move {}: {error}", index + 1);
        view.play(mv.map_err(fault)?);
    }
    Ok(view)
}
