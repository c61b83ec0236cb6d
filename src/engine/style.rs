//! Contempt and the style of a personality.

use super::Engine;
use crate::base::value::{DRAW, Value};
use crate::chess::{Color, Position};

/// The greatest contempt and value of exchanges in centipawns: no draw looks like a win.
const MAX_CENTIPAWNS: Value = 1_000;

/// The style of a personality, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// How much less than 0 a draw is worth to the side to move at the root, -1000 to 1000; `None`: as set by
    /// [`super::Engine::set_contempt`].
    pub contempt: Option<Value>,
    /// What the exchange of all pieces is worth to the side to move at the root, -1000 to 1000.
    pub trade: Value,
}

impl Style {
    /// By colour index (black, white) with `us` to move at the root: what the exchange of all pieces is worth.
    pub(super) fn trade_by_color(self, us: Color) -> [Value; 2] {
        [Color::Black, Color::White].map(|color| if color == us { self.trade } else { -self.trade })
    }
}

fn limited(centipawns: Value) -> Value {
    centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

impl Engine {
    /// Sets how many centipawns less than 0 a draw is worth to the side to move at the root, at most 1000 either way; if
    /// this changes, the TT is cleared.
    pub fn set_contempt(&mut self, centipawns: Value) {
        let centipawns = limited(centipawns);
        self.clear_hash |= centipawns != self.contempt[0];
        self.contempt[0] = centipawns;
    }

    /// Sets how many centipawns less than 0 a draw is worth to white, and more than 0 to black, whichever side is to move;
    /// at most 1000 either way.
    pub fn set_white_contempt(&mut self, centipawns: Value) {
        let centipawns = limited(centipawns);
        self.clear_hash |= centipawns != self.contempt[1];
        self.contempt[1] = centipawns;
    }

    /// Sets the style of a personality; if it changes, the TT is cleared, since its scores are of another style.
    pub fn set_style(&mut self, style: Style) {
        let style = Style {
            contempt: style.contempt.map(limited),
            trade: limited(style.trade),
        };
        self.clear_hash |= style != self.style;
        self.style = style;
    }

    /// Clears the TT before this search if draws or pieces had another value in the last one: contempt is that of the side
    /// to move at the root.
    pub(super) fn clear_scores_of_other_style(&mut self, root: &Position) {
        let trade = self.style.trade_by_color(root.turn());
        let now = [self.draw_scores(root), trade];
        let last = self.last_style.replace(now);
        self.clear_hash |= last.is_some_and(|last| last != now);
    }

    /// The score of a draw, by colour index (black, white).
    pub(super) fn draw_scores(&self, root: &Position) -> [Value; 2] {
        let [movers, white] = self.contempt;
        let movers = self.style.contempt.unwrap_or(movers);
        [Color::Black, Color::White].map(|color| {
            let movers = if color == root.turn() {
                movers
            } else {
                -movers
            };
            let white = if color == Color::White { white } else { -white };
            DRAW - movers - white
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::search::limits::Limits;

    #[test]
    fn no_contempt_is_worth_a_win() {
        let game = Game::new(Position::startpos());
        for centipawns in [Value::MIN, Value::MAX] {
            let mut engine = Engine::new();
            engine.set_contempt(centipawns);
            engine.set_white_contempt(centipawns);
            engine.set_style(Style {
                contempt: None,
                trade: centipawns,
            });
            let draws = engine.draw_scores(game.position()).map(Value::abs);
            assert!(draws.iter().all(|&score| score <= 2 * MAX_CENTIPAWNS));
            assert!(!engine.search(&game, Limits::depth(4)).lines.is_empty());
        }
    }

    /// Contempt is that of the side to move at the root.
    #[test]
    fn scores_of_the_other_side_leave_the_table() {
        let mut engine = Engine::new();
        engine.set_contempt(50);
        let mut game = Game::new(Position::startpos());
        engine.search(&game, Limits::depth(4));
        engine.clear_scores_of_other_style(game.position());
        assert!(!engine.clear_hash);
        game.play(game.position().legal_moves()[0]);
        engine.clear_scores_of_other_style(game.position());
        assert!(engine.clear_hash);
    }
}
