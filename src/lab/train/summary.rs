//! What is in files of games.
//! Uses: eval, record, store, random. Used by: corpus, cli.
//! Idea: the fingerprint goes over the games in the order of their numbers, so that it is the same for the same games,
//! whatever the order in which they were played and stored.

use std::path::PathBuf;

use super::game_record::{GameRecord, GameResult, Ply};
use super::store::{GameBlock, GameReader, StoreError};
use crate::base::random::Random;
use crate::eval::weights::Digest;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesSummary {
    /// Games.
    pub games: u64,
    /// Positions in which a move was played.
    pub positions: u64,
    /// Games by outcome.
    pub outcomes: [u64; 3],
    /// The fingerprint of all games.
    pub digest: Digest,
}

impl GamesSummary {
    /// Reads a file to its end; on options every game is replayed.
    ///
    /// # Errors
    /// [`StoreError`] names the place of the first damage.
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

/// Positions drawn at random from files, with the move played and how the game ended.
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
                // Each position has the same chance, however many there are (Waterman's reservoir).
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

impl GameReader {
    /// The game of a block.
    ///
    /// # Errors
    /// [`StoreError::Game`] if the block holds none.
    pub fn replay(&self, block: &GameBlock) -> Result<GameRecord, StoreError> {
        GameRecord::from_bytes(&block.game).map_err(|error| self.wrong_game(block.offset, error))
    }
}
