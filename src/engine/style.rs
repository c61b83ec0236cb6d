//! What a personality wants of a game.

use crate::base::value::Value;
use crate::chess::Color;

/// What a personality wants of a game, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// How much a draw is worth less to the side to move at the root; `None`: as [`super::Engine::set_contempt`] says.
    pub contempt: Option<Value>,
    /// What the exchange of all pieces is worth to the side to move at the root.
    pub trade: Value,
}

impl Style {
    /// By colour index (black, white) with `us` to move at the root: what the exchange of all pieces is worth.
    pub(super) fn trade_by_color(self, us: Color) -> [Value; 2] {
        [Color::Black, Color::White].map(|color| if color == us { self.trade } else { -self.trade })
    }
}
