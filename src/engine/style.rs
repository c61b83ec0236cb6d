//! The style of a personality: contempt and the value of exchanges.

use crate::base::value::Value;
use crate::chess::Color;

/// The style of a personality, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// How much less than 0 a draw is worth to the side to move at the root; `None`: as set by
    /// [`super::Engine::set_contempt`].
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
