//! What a tree depends on besides the game: if it changes, nothing of the tree can be kept.

use std::sync::Arc;

use crate::base::value::Value;
use crate::search::shared::SharedSearch;

use super::settings::Settings;

/// Settings of the search that made a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    settings: Settings,
    /// By colour: contempt is relative to the side to move at the root, and may change from search to search.
    draw_scores: [Value; 2],
    trade: [Value; 2],
    /// The address of the weights.
    model: Option<usize>,
    tables: usize,
    most_pieces: u32,
    fifty_move_rule: bool,
}

impl Fingerprint {
    pub fn of(shared: &SharedSearch, settings: Settings) -> Self {
        let prober = &shared.tablebases;
        Self {
            settings,
            draw_scores: shared.draw_scores,
            trade: shared.trade,
            model: shared.model.as_ref().map(|model| Arc::as_ptr(model).addr()),
            tables: Arc::as_ptr(&prober.tables).addr(),
            most_pieces: prober.max_pieces,
            fifty_move_rule: prober.fifty_move_rule,
        }
    }
}
