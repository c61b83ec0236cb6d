//! Summaries and samples of files of games.

use std::path::PathBuf;

use super::game_record::{GameRecord, GameResult, Ply};
use super::store::{GameReader, StoreError};
use crate::base::random::Random;
use crate::eval::weights::Digest;

/// Summary of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesSummary {
    pub games: u64,
    /// Positions in which a move was played.
    pub positions: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub outcomes: [u64; 3],
    /// Digest of the games in the order of their numbers, which does not depend on their order in the file.
    pub digest: Digest,
}

impl GamesSummary {
    /// Reads a file to its end; `replay` checks every move as well.
    ///
    /// # Errors
    /// [`StoreError`] with the place of the first fault.
    pub fn of(reader: &mut GameReader, replay: bool) -> Result<Self, StoreError> {
        let mut summary = Self {
            games: 0,
            positions: 0,
            outcomes: [0; 3],
            digest: Digest::START,
        };
        let mut checksums = Vec::new();
        while let Some(block) = reader.next_block()? {
            summary.games += 1;
            summary.positions += GameRecord::plies_in(&block.game) as u64;
            if let Some(outcome) = GameRecord::outcome_in(&block.game) {
                summary.outcomes[outcome as usize] += 1;
            }
            if replay {
                reader.replay(&block)?;
            }
            checksums.push((block.number, block.checksum, block.offset));
        }
        checksums.sort_unstable();
        if let Some(pair) = checksums.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(reader.twice(pair[1].2, pair[1].0));
        }
        summary.digest = checksums
            .iter()
            .fold(Digest::START, |digest, (number, checksum, _)| {
                digest
                    .add(&number.to_le_bytes())
                    .add(&checksum.to_le_bytes())
            });
        Ok(summary)
    }
}

/// Positions drawn at random from files, with the move played and the result of the game.
///
/// # Errors
/// [`StoreError`] if a file is damaged.
pub fn sample(
    files: &[PathBuf],
    wanted: usize,
    random: &mut Random,
) -> Result<Vec<(String, Ply, GameResult)>, StoreError> {
    let mut kept: Vec<(String, Ply, GameResult)> = Vec::with_capacity(wanted.min(1 << 16));
    let mut seen = 0;
    for file in files {
        let mut reader = GameReader::open(file)?;
        while let Some(block) = reader.next_block()? {
            let game = reader.replay(&block)?;
            for (position, ply) in game.positions() {
                seen += 1;
                // Reservoir sampling (Waterman's algorithm R): each position has the same probability.
                if kept.len() < wanted {
                    kept.push((position.to_fen(), ply, game.outcome));
                } else if let Some(place) = kept.get_mut(random.below(seen)) {
                    *place = (position.to_fen(), ply, game.outcome);
                }
            }
        }
    }
    Ok(kept)
}
