//! The training positions, extracted from files of games.
//!
//! Positions whose static evaluation means little are left out: checks, captures, decided games, random openings. Some
//! games are held out for the held-out loss, always the same ones.

use std::path::PathBuf;

use rayon::prelude::*;

use super::game_record::{GameRecord, GameResult, Ply};
use super::store::{GameBlock, GameReader, StoreError};
use super::win_probability::{score_of, win_probability};
use crate::base::progress::Progress;
use crate::base::random::mix;
use crate::chess::{Color, Packed, Position};
use crate::eval::weights::Digest;

/// Percent of the games that are held out.
const HELD_OUT_PERCENT: u64 = 3;
/// Games processed at a time.
const CHUNK: usize = 4096;
/// Default of [`Filter::foresight`]; see `docs/evaluation.md`.
const FORESIGHT: f32 = 0.95;
/// The scale of win probabilities when scores of a game are blended, in centipawns: about that of all generations so
/// far.
const FORESIGHT_SCALE: f32 = 140.0;

/// Which positions are used, besides that they are quiet, and how their scores are blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// Minimum ply, counted from the start of the game by the move number.
    pub min_ply: usize,
    /// Minimum number of pieces on the board, kings and pawns included.
    pub min_pieces: usize,
    /// Maximum absolute score in centipawns.
    pub max_score: i16,
    /// Share of the next position's win probability in a position's own, from 0 to 1.
    pub foresight: f32,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            min_ply: 16,
            min_pieces: 4,
            max_score: 1500,
            foresight: FORESIGHT,
        }
    }
}

impl Filter {
    /// Whether a position is used. In check, or if the best move is a capture or promotion, the score depends on
    /// tactics that no feature describes.
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        let played = (usize::from(position.fullmoves()).max(1) - 1) * 2
            + usize::from(position.turn() == Color::Black);
        !position.in_check()
            && !ply.played.is_noisy()
            && ply.score.unsigned_abs() <= self.max_score.unsigned_abs()
            && played >= self.min_ply
            && position.occupied().count() >= self.min_pieces
    }
}

/// A training position, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    packed: Packed,
    /// The search score in centipawns from White's view, blended with later ones: see [`Filter::foresight`].
    pub score: i16,
    pub outcome: GameResult,
}

const _: () = assert!(size_of::<Sample>() == 32);

impl Sample {
    /// A position with its score from White's view and the result of its game.
    pub fn new(position: &Position, score: i16, outcome: GameResult) -> Self {
        Self {
            packed: position.pack(),
            score,
            outcome,
        }
    }

    pub fn position(&self) -> Position {
        Position::unpack(&self.packed).expect("it was packed here")
    }
}

/// What was read from one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    pub header: Vec<String>,
    /// Digest of its games.
    pub digest: Digest,
    pub games: usize,
    pub positions: usize,
    /// Positions that passed the filter.
    pub kept: usize,
}

/// Training positions and held-out positions.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    pub training: Vec<Sample>,
    /// No game has positions in both.
    pub held_out: Vec<Sample>,
    /// The number of held-out positions of each game, in their order.
    pub held_out_games: Vec<usize>,
    pub shards: Vec<Shard>,
    pub filter: Filter,
}

impl Corpus {
    /// Reads files of games.
    ///
    /// # Errors
    /// [`StoreError`] with the file and place of the first fault.
    pub fn read(
        files: &[PathBuf],
        filter: &Filter,
        progress: &dyn Progress,
    ) -> Result<Self, StoreError> {
        let mut readers = files
            .iter()
            .map(|file| GameReader::open(file))
            .collect::<Result<Vec<_>, _>>()?;
        progress.start(readers.iter().map(|reader| reader.length() >> 10).sum());
        let mut corpus = Self {
            filter: *filter,
            ..Self::default()
        };
        for reader in &mut readers {
            corpus.read_file(reader, progress)?;
        }
        progress.finish();
        Ok(corpus)
    }

    fn read_file(
        &mut self,
        reader: &mut GameReader,
        progress: &dyn Progress,
    ) -> Result<(), StoreError> {
        let filter = self.filter;
        let mut blocks = Vec::new();
        while let Some(block) = reader.next_block()? {
            blocks.push(block);
        }
        // The order of blocks in a file depends on timing; the fit must not.
        blocks.sort_unstable_by_key(|block| block.number);
        let seed = reader.header().seed();
        let mut shard = Shard {
            header: reader.header().lines().map(str::to_owned).collect(),
            digest: Digest::START,
            games: blocks.len(),
            positions: 0,
            kept: 0,
        };
        for chunk in blocks.chunks(CHUNK) {
            let extract = |block: &GameBlock| Ok(samples_of(&reader.replay(block)?, &filter));
            let games = chunk
                .par_iter()
                .map(extract)
                .collect::<Result<Vec<_>, StoreError>>()?;
            for (block, samples) in chunk.iter().zip(games) {
                shard.digest = shard
                    .digest
                    .add(&block.number.to_le_bytes())
                    .add(&block.checksum.to_le_bytes());
                shard.positions += GameRecord::plies_in(&block.game);
                shard.kept += samples.len();
                let is_held_out = mix(mix(seed) ^ block.number) % 100 < HELD_OUT_PERCENT;
                let part = if is_held_out {
                    self.held_out_games.push(samples.len());
                    &mut self.held_out
                } else {
                    &mut self.training
                };
                part.extend(samples);
            }
            progress.advance(
                chunk
                    .iter()
                    .map(|block| block.game.len() as u64)
                    .sum::<u64>()
                    >> 10,
            );
        }
        self.shards.push(shard);
        Ok(())
    }
}

/// The samples of a game.
fn samples_of(game: &GameRecord, filter: &Filter) -> Vec<Sample> {
    let blended = blend_scores(game, filter.foresight);
    let kept = game.positions().zip(blended);
    kept.filter(|((position, ply), _)| filter.keeps(position, *ply))
        .map(|((position, _), score)| Sample::new(&position, score, game.outcome))
        .collect()
}

/// The scores of a game, each blended with the later ones and the result: `share` of a position's win probability is
/// that of the next position (lambda-returns of temporal differences, Sutton 1988).
fn blend_scores(game: &GameRecord, share: f32) -> Vec<i16> {
    let mut blended = game.outcome.score();
    let mut scores: Vec<i16> = (game.plies.iter().rev())
        .map(|ply| {
            let now = win_probability(f32::from(ply.score), FORESIGHT_SCALE);
            blended = share.mul_add(blended - now, now);
            score_of(blended, FORESIGHT_SCALE).round() as i16
        })
        .collect();
    scores.reverse();
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;

    #[test]
    fn only_quiet_undecided_positions_are_kept() {
        let keeps = |fen: &str, text: &str, score| {
            let position = Position::from_fen(fen).expect("a position");
            let played: Move = position.parse_move(text).expect("a move");
            Filter::default().keeps(&position, Ply { played, score })
        };
        let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 9";
        assert!(keeps(quiet, "e1e2", 1500));
        assert!(keeps(quiet, "e1e2", -1500));
        assert!(!keeps(quiet, "e1e2", -1501));
        assert!(!keeps(quiet, "e4d5", 0));
        assert!(!keeps("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 8", "e1e2", 0));
        assert!(!keeps("4k3/8/8/8/4P3/8/8/4K3 w - - 0 9", "e1e2", 0));
        assert!(!keeps("4k3/8/8/3p4/4r3/8/8/4K3 w - - 0 9", "e1d2", 0));
    }

    #[test]
    fn scores_are_blended_with_later_ones_and_the_result() {
        let start = Position::startpos();
        let played: Move = start.parse_move("g1f3").expect("a move");
        let game = GameRecord {
            start,
            outcome: GameResult::WhiteWins,
            plies: [0, -1500, 40, 900]
                .map(|score| Ply { played, score })
                .to_vec(),
        };
        let check = |scores: Vec<i16>, wanted: [i16; 4]| {
            let near = |(score, wanted): (&i16, i16)| score.abs_diff(wanted) <= 1;
            assert!(scores.iter().zip(wanted).all(near), "{scores:?}");
        };
        check(blend_scores(&game, 0.0), [0, -1500, 40, 900]);
        assert!(blend_scores(&game, 1.0).iter().all(|&score| score > 2000));
        // The win probabilities are 1/2, 0, 0.571 and 0.998; blended, from the last ply: 0.999, 0.785, 0.393, 0.446.
        check(blend_scores(&game, 0.5), [-30, -61, 182, 997]);
    }
}
