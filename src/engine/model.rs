//! The weights of an engine, and the scale on which scores are shown.

use std::path::Path;
use std::sync::Arc;

use super::{Engine, ReportedScore};
use crate::base::value::Value;
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

/// A score in centipawns where there are no tablebase scores: they become centipawns that no estimate reaches. A mate has the
/// centipawns of a tablebase win.
pub const fn centipawns(score: ReportedScore) -> Value {
    score.centipawns()
}
