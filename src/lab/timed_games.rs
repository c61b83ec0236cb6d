//! Games at time controls, for the chances of win, draw and loss.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::bookmaking::pgn::{Batch, Issues, ReadOptions, Step, read_file};
use super::pgn::RawGame;
use super::train::game_record::GameResult;
use super::train::wdl_fit::WdlCounts;
use crate::base::progress::Progress;
use crate::chess::{Color, Position};
use crate::eval::denormalise;

/// What was read of the games of a match.
pub struct TimedGames {
    pub counts: WdlCounts,
    pub games: u64,
    /// Games that were left out.
    pub skipped: Issues,
}

impl TimedGames {
    /// Counts the positions with a score in PGN files of matches between versions of this program: match runners write
    /// the scores as the program shows them.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(files: &[PathBuf], progress: &dyn Progress) -> Result<Self, (PathBuf, io::Error)> {
        let mut all = Self {
            counts: WdlCounts::default(),
            games: 0,
            skipped: Issues::default(),
        };
        let length = |file: &PathBuf| file.metadata().map_or(0, |data| data.len());
        progress.start(files.iter().map(length).sum());
        for file in files {
            all.read_file(file, progress)
                .map_err(|error| (file.clone(), error))?;
        }
        progress.finish();
        Ok(all)
    }

    fn read_file(&mut self, file: &Path, progress: &dyn Progress) -> io::Result<()> {
        let options = ReadOptions {
            max_ply: usize::MAX,
            names: false,
            scores: true,
        };
        let (games, positions) = (self.games, self.counts.positions);
        let mut skipped = Issues::default();
        read_file(file, options, progress, &mut skipped, &mut |batch| {
            for game in &batch.games {
                match self.add_game(&batch, game) {
                    Ok(()) => self.games += 1,
                    Err(message) => self.skipped.add(|| message),
                }
            }
            ControlFlow::Continue(())
        })?;
        self.skipped.merge(skipped);
        let name = file.file_name().unwrap_or_default().display();
        let (games, positions) = (self.games - games, self.counts.positions - positions);
        let source = format!("{name}, games {games}, positions {positions}");
        self.counts.sources.push(source);
        Ok(())
    }

    fn add_game(&mut self, batch: &Batch, game: &RawGame) -> Result<(), String> {
        let mut found: Vec<(Position, i16)> = Vec::new();
        let mut last = None;
        let info = batch.play(game, |step| match step {
            Step::Move(played, _) => last = Some(*played.position()),
            Step::Score(pawns) => {
                if let Some(position) = last.take() {
                    let score = denormalise(100.0 * pawns, &position) as i16;
                    let is_white = position.turn() == Color::White;
                    found.push((position, if is_white { score } else { -score }));
                }
            }
        })?;
        let outcome = match info.winner() {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None if info.is_draw() => GameResult::Draw,
            None => return Err(batch.message(game, "no result")),
        };
        for (position, score) in found {
            self.counts.add(&position, score, outcome);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_a_match_are_counted_by_result() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("match.pgn");
        let text = r#"[Result "1-0"]

1. e4 {+0.31/14 0.053s} e5 {-0.20/13 0.1s} 2. Nf3 {book} Nc6 {-M3/9 0.1s} 1-0

[Result "1/2-1/2"]

1. d4 {+0.10/14 0.053s, White offers} 1/2-1/2

[Result "*"]

1. d4 {+0.10/14 0.053s} *
"#;
        std::fs::write(&file, text).expect("a file");
        let games = TimedGames::read(&[file], &()).expect("games");
        assert_eq!(
            (games.games, games.counts.positions, games.skipped.count),
            (2, 3, 1)
        );
        let all = games.counts.shares(70..79, 0, 100, 1).expect("positions");
        assert_eq!(all.map(|share| (3.0 * share).round() as i32), [0, 1, 2]);
    }
}
