//! The WDL model (probabilities of win, draw and loss), fitted to games.
//!
//! Positions are counted by material, absolute score and result of their game, seen from the side that the score
//! favours. The most likely curve for these counts is found by coordinate descent.

use std::fmt::Write as _;
use std::path::PathBuf;

use rayon::prelude::*;

use super::game_record::{GameRecord, GameResult};
use super::known_games::KnownGames;
use super::store::{GameBlock, GameReader, StoreError};
use crate::base::progress::Progress;
use crate::chess::Position;
use crate::eval::weights::Digest;
use crate::eval::{CURVE_KNOTS, Curve, MATERIAL_FULL, material_count};

/// Width of a score cell in centipawns.
const STEP: i16 = 5;
/// Positions with greater absolute scores are left out.
const MAX_SCORE: i16 = 1500;
/// Number of score cells.
const CELLS: usize = (MAX_SCORE / STEP) as usize + 1;
/// Number of material rows.
const ROWS: usize = MATERIAL_FULL as usize + 1;
/// First and last step of the descent, relative to the number changed.
const FIRST_STEP: f64 = 0.2;
const LAST_STEP: f64 = 1e-4;
/// Strength of the regularisation by curvature, in games: keeps the ends, which few games reach, smooth.
const REGULARISATION: f64 = 200.0;

/// Numbers of positions by material, score and result for the side that the score favours: loss, draw, win.
#[derive(Clone, Debug)]
pub struct WdlCounts {
    cells: Vec<[u32; 3]>, // [material][score]
    /// One line of provenance for each file.
    pub sources: Vec<String>,
    /// Number of positions counted.
    pub positions: u64,
}

/// Which curve is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveKind {
    /// Of training games.
    SelfPlay,
    /// Of games at time controls: only the widths.
    Timed,
}

impl Default for WdlCounts {
    fn default() -> Self {
        Self {
            cells: vec![[0; 3]; ROWS * CELLS],
            sources: Vec::new(),
            positions: 0,
        }
    }
}

impl WdlCounts {
    /// Counts a position with a score for White in centipawns. Scores beyond the limit are left out.
    pub fn add(&mut self, position: &Position, score: i16, outcome: GameResult) {
        if let Some((cell, outcome)) = cell_of(position, score, outcome) {
            self.cells[usize::from(cell)][outcome as usize] += 1;
            self.positions += 1;
        }
    }

    /// Counts the positions of files.
    ///
    /// # Errors
    /// [`StoreError`] with the file and place of the first fault.
    pub fn read(files: &[PathBuf], progress: &dyn Progress) -> Result<Self, StoreError> {
        let mut readers = files
            .iter()
            .map(|file| GameReader::open(file))
            .collect::<Result<Vec<_>, _>>()?;
        progress.start(readers.iter().map(|reader| reader.length() >> 10).sum());
        let (mut counts, mut known) = (Self::default(), KnownGames::default());
        for (file, reader) in files.iter().zip(&mut readers) {
            known.start_file(file, reader.header());
            counts.add_file(reader, &mut known)?;
            progress.advance(reader.length() >> 10);
        }
        progress.finish();
        Ok(counts)
    }

    fn add_file(
        &mut self,
        reader: &mut GameReader,
        known: &mut KnownGames,
    ) -> Result<(), StoreError> {
        let mut blocks = Vec::new();
        while let Some(block) = reader.next_block()? {
            known.add(&block)?;
            blocks.push(block);
        }
        blocks.sort_unstable_by_key(|block| block.number);
        let cells = |block: &GameBlock| Ok(cells_of(&reader.replay(block)?));
        let games: Vec<Vec<(u16, GameResult)>> = blocks
            .par_iter()
            .map(cells)
            .collect::<Result<_, StoreError>>()?;
        let mut positions = 0;
        for (cell, outcome) in games.into_iter().flatten() {
            self.cells[usize::from(cell)][outcome as usize] += 1;
            positions += 1;
        }
        let digest = blocks.iter().fold(Digest::START, |digest, block| {
            digest
                .add(&block.number.to_le_bytes())
                .add(&block.checksum.to_le_bytes())
        });
        let header: Vec<&str> = reader.header().lines().collect();
        self.sources.push(format!(
            "{digest} {}, games {}, positions {positions}",
            header.join(", "),
            blocks.len()
        ));
        self.positions += positions;
        Ok(())
    }

    /// Shares of losses, draws and wins of the favoured side in positions with this material and scores from `score` to
    /// `score + breadth` centipawns; `None` if there are fewer than `least`.
    pub fn shares(
        &self,
        material: std::ops::Range<usize>,
        score: usize,
        breadth: usize,
        least: u32,
    ) -> Option<[f64; 3]> {
        let first = score / STEP as usize;
        let mut sum = [0; 3];
        for row in material.start..material.end.min(ROWS) {
            for cell in first..(first + breadth / STEP as usize).min(CELLS) {
                for (sum, count) in sum.iter_mut().zip(self.cells[row * CELLS + cell]) {
                    *sum += count;
                }
            }
        }
        let all: u32 = sum.iter().sum();
        (all >= least.max(1)).then(|| sum.map(|count| f64::from(count) / f64::from(all)))
    }

    /// Mean cross-entropy of a curve on all positions, in nats.
    pub fn loss(&self, curve: &Curve) -> f64 {
        let rows: Vec<f64> = (0..ROWS)
            .into_par_iter()
            .map(|row| {
                let cells = self.cells[row * CELLS..].iter().take(CELLS).enumerate();
                let losses = cells.filter(|(_, counts)| **counts != [0; 3]).map(
                    |(cell, &[lost, drawn, won])| {
                        let score = cell as f64 * f64::from(STEP);
                        let [win, draw, loss] = curve.chances(score, row as i32);
                        let of = |count: u32, probability: f64| {
                            -f64::from(count) * probability.max(f64::MIN_POSITIVE).ln()
                        };
                        of(won, win) + of(drawn, draw) + of(lost, loss)
                    },
                );
                losses.sum::<f64>()
            })
            .collect();
        rows.iter().sum::<f64>() / self.positions.max(1) as f64
    }

    /// The curve with the least regularised loss.
    pub fn fit(&self) -> Curve {
        self.descend([150.0; CURVE_KNOTS], 0)
    }

    /// The widths with the least regularised loss, with the even scores of the built-in curve.
    pub fn fit_widths(&self) -> Curve {
        self.descend(Curve::SELF_PLAY.even, 1)
    }

    /// The best curve from these even scores on; they are kept if `first` is 1.
    fn descend(&self, even: [f64; CURVE_KNOTS], first: usize) -> Curve {
        let objective = |curve: &Curve| {
            self.loss(curve) + REGULARISATION * curvature(curve) / self.positions.max(1) as f64
        };
        let mut best = Curve {
            even,
            width: [90.0; CURVE_KNOTS],
        };
        let (mut least, mut step) = (objective(&best), FIRST_STEP);
        while step > LAST_STEP {
            let mut better = false;
            for number in (0..2 * CURVE_KNOTS).filter(|number| number % 2 >= first) {
                for factor in [1.0 + step, 1.0 / (1.0 + step)] {
                    let mut curve = best;
                    let knot = number / 2;
                    let changed = [&mut curve.even, &mut curve.width][number % 2].get_mut(knot);
                    if let Some(changed) = changed {
                        *changed *= factor;
                    }
                    let loss = objective(&curve);
                    if curve.is_sound() && loss < least {
                        (best, least, better) = (curve, loss, true);
                    }
                }
            }
            if !better {
                step /= 2.0;
            }
        }
        best
    }

    /// The source text of a fitted curve.
    pub fn source(&self, curve: &Curve, kind: CurveKind) -> String {
        let what = match kind {
            CurveKind::SelfPlay => "curve of win, draw and loss: written by `lucena wdl --data",
            CurveKind::Timed => {
                "widths of the curve of win, draw and loss at time controls: written by `lucena wdl --pgn"
            }
        };
        let mut text = format!("//! The fitted {what} --out`, never by hand.\n//!\n");
        for source in &self.sources {
            let _ = writeln!(text, "//! From {source}.");
        }
        let _ = writeln!(
            text,
            "//! Mean loss {:.6} on {} positions with scores up to {MAX_SCORE}.",
            self.loss(curve),
            self.positions
        );
        let row = |name: &str, values: &[f64]| {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.1}")).collect();
            let values = values.join(", ");
            format!("pub(super) const {name}: [f64; {CURVE_KNOTS}] = [{values}];\n")
        };
        text.push('\n');
        match kind {
            CurveKind::SelfPlay => {
                text += &row("EVEN", &curve.even);
                text += &row("WIDTH", &curve.width);
            }
            CurveKind::Timed => text += &row("TIMED_WIDTH", &curve.width),
        }
        text
    }
}

/// Sum of the squared second differences of the logarithms of the curve's numbers.
fn curvature(curve: &Curve) -> f64 {
    let curvature_of = |values: &[f64; CURVE_KNOTS]| -> f64 {
        let windows = values.windows(3);
        windows
            .map(|of| (of[0].ln() - 2.0 * of[1].ln() + of[2].ln()).powi(2))
            .sum()
    };
    curvature_of(&curve.even) + curvature_of(&curve.width)
}

/// The cell of each position of a game within the score limit, and the result for the side that the score favours.
fn cells_of(game: &GameRecord) -> Vec<(u16, GameResult)> {
    let positions = game.positions();
    positions
        .filter_map(|(position, ply)| cell_of(&position, ply.score, game.outcome))
        .collect()
}

/// The cell of a position with this score for White, if it is within the limit, and the result for the side that the score
/// favours.
fn cell_of(position: &Position, score: i16, outcome: GameResult) -> Option<(u16, GameResult)> {
    if score.unsigned_abs() > MAX_SCORE.unsigned_abs() {
        return None;
    }
    let row = material_count(position).clamp(0, MATERIAL_FULL) as usize;
    // Rounded to the nearest step.
    let cell = usize::from((score.unsigned_abs() + STEP as u16 / 2) / STEP as u16);
    let outcome = match (score < 0, outcome) {
        (false, outcome) => outcome,
        (true, GameResult::WhiteWins) => GameResult::BlackWins,
        (true, GameResult::Draw) => GameResult::Draw,
        (true, GameResult::BlackWins) => GameResult::WhiteWins,
    };
    Some(((row * CELLS + cell) as u16, outcome))
}

const _: () = assert!(ROWS * CELLS <= 1 << 16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn the_curve_that_generated_the_results_is_found() {
        let mut planted = Curve {
            even: [160.0; CURVE_KNOTS],
            width: [80.0; CURVE_KNOTS],
        };
        planted.even[0] = 240.0;
        planted.width[CURVE_KNOTS - 1] = 110.0;
        let mut counts = WdlCounts {
            cells: vec![[0; 3]; ROWS * CELLS],
            sources: vec!["nowhere".to_owned()],
            positions: 400_000,
        };
        let mut random = Random::new(1, 0);
        for _ in 0..counts.positions {
            let (row, cell) = (random.below(ROWS), random.below(80));
            let [win, draw, _] = planted.chances(cell as f64 * f64::from(STEP), row as i32);
            let drawn = random.below(1 << 24) as f64 / f64::from(1 << 24);
            let outcome = if drawn < win {
                2
            } else {
                usize::from(drawn < win + draw)
            };
            counts.cells[row * CELLS + cell][outcome] += 1;
        }
        let found = counts.fit();
        for (found, planted) in [(found.even, planted.even), (found.width, planted.width)] {
            for (found, planted) in found.iter().zip(planted) {
                assert!((found / planted - 1.0).abs() < 0.06, "{found} {planted}");
            }
        }
        assert!(counts.loss(&found) <= counts.loss(&planted) + 1e-6);
        let source = counts.source(&found, CurveKind::SelfPlay);
        assert!(source.contains("//! From nowhere.") && source.contains("pub(super) const EVEN"));
        let widths = counts.fit_widths();
        assert!(widths.even.iter().eq(&Curve::SELF_PLAY.even));
        assert!(counts.loss(&found) <= counts.loss(&widths));
        let source = counts.source(&widths, CurveKind::Timed);
        assert!(!source.contains("EVEN") && source.contains("const TIMED_WIDTH"));
        assert!(counts.shares(40..60, 100, 10, 50).is_some());
        assert_eq!(counts.shares(40..60, 1400, 10, 50), None);
    }
}
