//! The training positions, extracted from files of games.
//!
//! Positions that say little about the static evaluation are left out: checks, captures, decided games, random openings.
//! Some games are held out for the held-out loss, always the same ones.

use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;

use super::game_record::{GameRecord, GameResult, Ply};
use super::known_games::KnownGames;
use super::scale::ScoreCounts;
use super::store::{GameBlock, GameReader, StoreError};
use super::win_probability::win_probability;
use crate::base::progress::Progress;
use crate::base::random::mix;
use crate::chess::{Color, PACKED_BYTES, Packed, Position};
use crate::eval::weights::Digest;

/// Percent of the games that are held out.
const HELD_OUT_PERCENT: u64 = 10;
/// Games processed at a time.
const CHUNK: usize = 4096;
/// Default of [`Filter::foresight`]; see `docs/evaluation.md`.
const FORESIGHT: f32 = 0.0;
/// The value of [`Sample::chance`] for certainty.
const CERTAIN: f32 = u16::MAX as f32;
/// Games with this many positions have weight 1, see [`Sample::weight`]. It only fixes the unit.
const TYPICAL_POSITIONS: f32 = 64.0;
/// The unit of weights in a [`Sample`]: weights from 1/32 to 8.
const WEIGHT_UNIT: f32 = 32.0;

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
    /// White's win probability by the search score and later ones, see [`Filter::foresight`].
    chance: u16,
    pub outcome: GameResult,
    weight: u8,
}

/// Size of a sample, in memory and in files.
pub const SAMPLE_BYTES: usize = 32;
const _: () = assert!(size_of::<Sample>() == SAMPLE_BYTES);

impl Sample {
    /// A position with White's win probability by search scores, from 0 to 1, and the result of its game.
    pub fn new(position: &Position, chance: f32, outcome: GameResult) -> Self {
        Self {
            packed: position.pack(),
            chance: (chance * CERTAIN).round() as u16,
            outcome,
            weight: WEIGHT_UNIT as u8,
        }
    }

    /// White's win probability by search scores, from 0 to 1.
    pub fn chance(&self) -> f32 {
        f32::from(self.chance) / CERTAIN
    }

    /// The weight of the position in training. Positions of one game are similar: a game of `n` positions counts as much as
    /// `√n` games of one position.
    pub fn weight(&self) -> f32 {
        f32::from(self.weight) / WEIGHT_UNIT
    }

    pub fn position(&self) -> Position {
        Position::unpack(&self.packed).expect("checked when it was made")
    }

    /// The sample as bytes: packed position 28 | win probability 2 | result 1 | weight 1.
    pub fn to_bytes(self) -> [u8; SAMPLE_BYTES] {
        let mut bytes = [0; SAMPLE_BYTES];
        bytes[..PACKED_BYTES].copy_from_slice(&self.packed);
        bytes[PACKED_BYTES..][..2].copy_from_slice(&self.chance.to_le_bytes());
        bytes[PACKED_BYTES + 2..].copy_from_slice(&[self.outcome as u8, self.weight]);
        bytes
    }

    /// Reads such bytes; `None` if they are not a sample.
    pub fn from_bytes(bytes: &[u8; SAMPLE_BYTES]) -> Option<Self> {
        let (packed, rest) = bytes.split_first_chunk::<PACKED_BYTES>()?;
        Position::unpack(packed).ok()?;
        Some(Self {
            packed: *packed,
            chance: u16::from_le_bytes([rest[0], rest[1]]),
            outcome: *GameResult::ALL.get(usize::from(rest[2]))?,
            weight: rest[3],
        })
    }
}

/// The samples of one game.
pub struct GameSamples {
    pub number: u64,
    /// The checksum of the game in its file.
    pub checksum: u32,
    /// Its positions before the filter.
    pub positions: usize,
    pub samples: Vec<Sample>,
}

/// What was read from one file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    pub header: Vec<String>,
    /// Selects the games that are held out.
    seed: u64,
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
    pub files: Vec<GameFile>,
    pub filter: Filter,
    /// Scale of the win probability of the search scores, in centipawns.
    pub score_scale: f32,
}

impl Corpus {
    /// Reads files of games.
    ///
    /// # Errors
    /// [`StoreError`] with the file and place of the first fault, or if a game is in two files.
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
        let (mut counts, mut known) = (ScoreCounts::default(), KnownGames::default());
        for file in files {
            let mut reader = GameReader::open(file)?;
            known.start_file(file, reader.header());
            while let Some(block) = reader.next_block()? {
                known.add(&block)?;
                counts.add_game(&block.game, filter.max_score);
            }
        }
        let mut corpus = Self {
            filter: *filter,
            score_scale: counts.fit(),
            ..Self::default()
        };
        let blend = Blend {
            foresight: filter.foresight,
            scale: corpus.score_scale,
        };
        for reader in &mut readers {
            let header = reader.header();
            corpus.start_file(header.seed(), header.lines().map(str::to_owned).collect());
            let take = &mut |game| {
                corpus.add(game);
                Ok::<_, StoreError>(())
            };
            extract(reader, 0..usize::MAX, filter, blend, progress, take)?;
        }
        progress.finish();
        Ok(corpus)
    }

    /// Starts another file of games: the games that are added next come from it.
    pub(super) fn start_file(&mut self, seed: u64, header: Vec<String>) {
        self.files.push(GameFile {
            header,
            seed,
            digest: Digest::START,
            games: 0,
            positions: 0,
            kept: 0,
        });
    }

    /// Adds the next game of the last file.
    pub(super) fn add(&mut self, game: GameSamples) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        file.digest = file
            .digest
            .add(&game.number.to_le_bytes())
            .add(&game.checksum.to_le_bytes());
        file.games += 1;
        file.positions += game.positions;
        file.kept += game.samples.len();
        let part = if mix(mix(file.seed) ^ game.number) % 100 < HELD_OUT_PERCENT {
            self.held_out_games.push(game.samples.len());
            &mut self.held_out
        } else {
            &mut self.training
        };
        part.extend(game.samples);
    }
}

/// Passes the samples of games of a file to `take`, in the order of their numbers; `places` are those of the games in that
/// order.
///
/// # Errors
/// [`StoreError`] with the place of the first fault, or the error of `take`.
pub(super) fn extract<E: From<StoreError>>(
    reader: &mut GameReader,
    places: Range<usize>,
    filter: &Filter,
    blend: Blend,
    progress: &dyn Progress,
    take: &mut dyn FnMut(GameSamples) -> Result<(), E>,
) -> Result<(), E> {
    let mut blocks = Vec::new();
    while let Some(block) = reader.next_block()? {
        blocks.push(block);
    }
    // The order of blocks in a file depends on timing; the fit must not.
    blocks.sort_unstable_by_key(|block| (block.number, block.checksum));
    let end = places.end.min(blocks.len());
    for chunk in blocks[places.start.min(end)..end].chunks(CHUNK) {
        let extract = |block: &GameBlock| {
            Ok(GameSamples {
                number: block.number,
                checksum: block.checksum,
                positions: GameRecord::plies_in(&block.game),
                samples: samples_of(&reader.replay(block)?, filter, blend),
            })
        };
        let games = chunk
            .par_iter()
            .map(extract)
            .collect::<Result<Vec<_>, StoreError>>()?;
        for game in games {
            take(game)?;
        }
        let bytes: u64 = chunk.iter().map(|block| block.game.len() as u64).sum();
        progress.advance(bytes >> 10);
    }
    Ok(())
}

/// How the search scores of a game become win probabilities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blend {
    /// As in [`Filter::foresight`].
    pub foresight: f32,
    /// Scale of the scores, in centipawns.
    pub scale: f32,
}

impl Blend {
    /// White's win probability at each ply, blended with those of the later ones and the result: `foresight` of a
    /// position's is that of the next position (lambda-returns of temporal differences, Sutton 1988).
    fn chances(self, game: &GameRecord) -> Vec<f32> {
        let mut blended = game.outcome.score();
        let mut chances: Vec<f32> = (game.plies.iter().rev())
            .map(|ply| {
                let now = win_probability(f32::from(ply.score), self.scale);
                blended = self.foresight.mul_add(blended - now, now);
                blended
            })
            .collect();
        chances.reverse();
        chances
    }
}

/// The samples of a game.
fn samples_of(game: &GameRecord, filter: &Filter, blend: Blend) -> Vec<Sample> {
    let kept = game.positions().zip(blend.chances(game));
    let mut samples: Vec<Sample> = kept
        .filter(|((position, ply), _)| filter.keeps(position, *ply))
        .map(|((position, _), chance)| Sample::new(&position, chance, game.outcome))
        .collect();
    let weight = (TYPICAL_POSITIONS / samples.len().max(1) as f32).sqrt();
    let weight = (weight * WEIGHT_UNIT).round().clamp(1.0, 255.0) as u8;
    for sample in &mut samples {
        sample.weight = weight;
    }
    samples
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
    fn a_game_counts_like_the_root_of_its_positions() {
        let start = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 9").expect("a position");
        let total = |moves: &[&str]| -> f32 {
            let (mut position, mut plies) = (start, Vec::new());
            for text in moves {
                let played: Move = position.parse_move(text).expect("a move");
                plies.push(Ply { played, score: 20 });
                position = position.play(played);
            }
            let game = GameRecord {
                start,
                outcome: GameResult::Draw,
                plies,
            };
            let blend = Blend {
                foresight: 0.0,
                scale: 100.0,
            };
            let samples = samples_of(&game, &Filter::default(), blend);
            assert_eq!(samples.len(), moves.len());
            samples.iter().map(Sample::weight).sum()
        };
        let (one, four) = (total(&["e1e2"]), total(&["e1e2", "e8e7", "e2e1", "e7e8"]));
        // The weight of a single position, 8, is a little beyond the greatest.
        assert!((four / one - 2.0).abs() < 0.01, "{one} {four}");
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
        let chances = |foresight| {
            let blend = Blend {
                foresight,
                scale: 140.0,
            };
            blend.chances(&game)
        };
        let check = |found: Vec<f32>, wanted: [f32; 4]| {
            let near = |(found, wanted): (&f32, f32)| (found - wanted).abs() < 0.001;
            assert!(found.iter().zip(wanted).all(near), "{found:?}");
        };
        check(chances(0.0), [0.5, 0.0, 0.571, 0.998]);
        check(chances(1.0), [1.0; 4]);
        check(chances(0.5), [0.446, 0.393, 0.785, 0.999]);
    }
}
