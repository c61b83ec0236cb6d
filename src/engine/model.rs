//! The weights of an engine, and the scale on which scores are shown.

use std::path::Path;
use std::sync::Arc;

use super::{Engine, ReportedScore};
use crate::base::value::{MAX_PLY, Value};
use crate::chess::Position;
use crate::eval::load::{LoadError, load};
use crate::eval::{self, Model};

impl Engine {
    /// Sets the weights of the evaluation (`None`: the built-in ones) and starts a new game.
    pub fn set_model(&mut self, model: Option<Arc<Model>>) {
        self.model = model;
        self.new_game();
    }

    /// Loads weights from a file (`None`: the built-in ones) and starts a new game.
    ///
    /// # Errors
    /// [`LoadError`] names the file, the line and the cause; the weights in use stay.
    pub fn load_weights(&mut self, path: Option<&Path>) -> Result<(), LoadError> {
        self.set_model(path.map(load).transpose()?);
        Ok(())
    }

    /// The weights in use; `None`: the built-in ones.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }
}

/// The chances of the side to move to win, draw and lose with this score, in games of Lucena against itself at 2+0.02, per
/// mille; they sum to 1000.
pub fn win_draw_loss(position: &Position, score: ReportedScore) -> [u16; 3] {
    eval::timed_win_draw_loss(score.value(), eval::material_count(position))
}

/// A score scaled for display: at 100 centipawns a win is as likely as not.
pub fn normalise(position: &Position, score: ReportedScore) -> ReportedScore {
    eval::normalise(score.value(), eval::material_count(position)).into()
}

/// Centipawns of a tablebase win; one `n` plies away has `n` less.
const TABLEBASE_WIN_CENTIPAWNS: Value = 20_000;
/// Greatest centipawns of an estimate: below every tablebase win.
const MAX_CENTIPAWNS: Value = TABLEBASE_WIN_CENTIPAWNS - MAX_PLY as Value - 1;

/// A score in centipawns where there are no tablebase scores: they become centipawns that no estimate reaches. A mate has the
/// centipawns of a tablebase win.
pub fn centipawns(score: ReportedScore) -> Value {
    match score {
        ReportedScore::TablebaseWin(plies) => TABLEBASE_WIN_CENTIPAWNS - plies,
        ReportedScore::TablebaseLoss(plies) => plies - TABLEBASE_WIN_CENTIPAWNS,
        ReportedScore::Centipawns(estimate) => estimate.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        ReportedScore::Mate(moves) if moves > 0 => TABLEBASE_WIN_CENTIPAWNS,
        ReportedScore::Mate(_) => -TABLEBASE_WIN_CENTIPAWNS,
    }
}
