//! By which weights the engine judges, and how its scores are shown.
//! Uses: engine, eval, chess, value. Used by: engine.
//! Idea: weights are data: those of the program, or those of a file that was found whole.

use std::path::Path;
use std::sync::Arc;

use super::Engine;
use crate::base::value::Value;
use crate::chess::Position;
use crate::eval::load::{LoadError, load};
use crate::eval::{self, Model};

impl Engine {
    /// Plays by these weights from now on; `None`: by those that are compiled in. What other weights found is forgotten.
    pub fn set_model(&mut self, model: Option<Arc<Model>>) {
        self.model = model;
        self.new_game();
    }

    /// Plays by the weights of a file from now on, without one by those that are compiled in.
    ///
    /// # Errors
    /// [`LoadError`] names the file, the line and the cause; the weights in use stay.
    pub fn load_weights(&mut self, path: Option<&Path>) -> Result<(), LoadError> {
        self.set_model(path.map(load).transpose()?);
        Ok(())
    }

    /// The weights in use, where they are not those that are compiled in.
    #[must_use]
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.model.as_ref()
    }
}

/// The chances of the mover in a position with this score: win, draw, loss per mille, together 1000.
#[must_use]
pub fn win_draw_loss(position: &Position, score: Value) -> [u16; 3] {
    eval::win_draw_loss(score, eval::material_count(position))
}

/// The score that is shown for a score in this position: a hundred where a win is as likely as not.
#[must_use]
pub fn normalise(position: &Position, score: Value) -> Value {
    eval::normalise(score, eval::material_count(position))
}
