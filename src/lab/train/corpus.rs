//! The positions to learn from.
//! Uses: chess, eval, promise, random, record, store. Used by: fit, scale, cli.
//! Idea: games are stored whole; here they are cut into positions, and those are left out whose static value says little:
//! checks, exchanges under way, decided games, random openings. Whole games are held out to test on, always the same.

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
/// Games that are read before they are cut up together.
const CHUNK: usize = 4096;
/// The default of [`Filter::foresight`]; `docs/evaluation.md` tells how it was chosen.
const FORESIGHT: f32 = 0.95;
/// The scale by which scores of a game are mixed, in centipawns: about that of every generation so far.
const FORESIGHT_SCALE: f32 = 140.0;

/// What is taken from games: what a position must be, besides quiet, and how much its score knows of the future.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// Plies since the first position of chess, at least.
    pub min_ply: usize,
    /// Men on the board, at least.
    pub min_pieces: usize,
    /// Centipawns of the score, at most.
    pub max_score: i16,
    /// How much of what a position is worth lies in what is said of it later, from 0 to 1.
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
    /// Whether a position is kept. A position in check, or in which the best move is a capture or a promotion, is worth
    /// what comes of that, not what its features say.
    #[must_use]
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

/// A position with what is known of its worth, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    packed: Packed,
    /// The score of the search in centipawns, from white's view, mixed with what followed: see [`Filter::foresight`].
    pub score: i16,
    /// How the game ended.
    pub outcome: GameResult,
}

const _: () = assert!(size_of::<Sample>() == 32);

impl Sample {
    /// A position with its score from white's view and the outcome of its game.
    #[must_use]
    pub fn new(position: &Position, score: i16, outcome: GameResult) -> Self {
        Self {
            packed: position.pack(),
            score,
            outcome,
        }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::unpack(&self.packed).expect("it was packed here")
    }
}

/// What was taken from one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The lines of its header.
    pub header: Vec<String>,
    /// The fingerprint of its games.
    pub digest: Digest,
    /// Its games, their positions, and those of them that were kept.
    pub games: usize,
    /// All positions.
    pub positions: usize,
    /// Those that were kept.
    pub kept: usize,
}

/// The positions to learn from and those to test on.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To test on: no game has positions in both.
    pub held_out: Vec<Sample>,
    /// Where they come from.
    pub shards: Vec<Shard>,
    /// What was taken.
    pub filter: Filter,
}

impl Corpus {
    /// Reads files of games.
    ///
    /// # Errors
    /// [`StoreError`] names the file and place of the first damage.
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
        // The order of blocks in a file depends on chance; what is learned must not.
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
            let cut = |block: &GameBlock| Ok(cut(&reader.replay(block)?, &filter));
            let cuts = chunk
                .par_iter()
                .map(cut)
                .collect::<Result<Vec<_>, StoreError>>()?;
            for (block, samples) in chunk.iter().zip(cuts) {
                shard.digest = shard
                    .digest
                    .add(&block.number.to_le_bytes())
                    .add(&block.checksum.to_le_bytes());
                shard.positions += GameRecord::plies_in(&block.game);
                shard.kept += samples.len();
                let is_held_out = mix(mix(seed) ^ block.number) % 100 < HELD_OUT_PERCENT;
                let part = if is_held_out {
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

/// The positions of a game that are kept.
fn cut(game: &GameRecord, filter: &Filter) -> Vec<Sample> {
    let foreseen = blend_scores(game, filter.foresight);
    let kept = game.positions().zip(foreseen);
    kept.filter(|((position, ply), _)| filter.keeps(position, *ply))
        .map(|((position, _), score)| Sample::new(&position, score, game.outcome))
        .collect()
}

/// The scores of a game, each mixed with those that followed and at last with the result: of the chance that stands for
/// a position `share` is that of the next, whose own chance holds what comes after it (Sutton's returns of temporal
/// differences, 1988).
fn blend_scores(game: &GameRecord, share: f32) -> Vec<i16> {
    let mut chance = game.outcome.score();
    let mut scores: Vec<i16> = (game.plies.iter().rev())
        .map(|ply| {
            let now = win_probability(f32::from(ply.score), FORESIGHT_SCALE);
            chance = share.mul_add(chance - now, now);
            score_of(chance, FORESIGHT_SCALE).round() as i16
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
    fn only_telling_positions_are_kept() {
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
    fn scores_foresee_what_follows() {
        let start = Position::startpos();
        let played: Move = start.parse_move("g1f3").expect("a move");
        let game = GameRecord {
            start,
            outcome: GameResult::WhiteWins,
            plies: [0, -1500, 40, 900]
                .map(|score| Ply { played, score })
                .to_vec(),
        };
        let told = |scores: Vec<i16>, wanted: [i16; 4]| {
            let near = |(score, wanted): (&i16, i16)| score.abs_diff(wanted) <= 1;
            assert!(scores.iter().zip(wanted).all(near), "{scores:?}");
        };
        told(blend_scores(&game, 0.0), [0, -1500, 40, 900]);
        assert!(blend_scores(&game, 1.0).iter().all(|&score| score > 2000));
        // The chances are 1/2, 0, 0.571 and 0.998; with the result, from the end: 0.999, 0.785, 0.393, 0.446.
        told(blend_scores(&game, 0.5), [-30, -61, 182, 997]);
    }
}
