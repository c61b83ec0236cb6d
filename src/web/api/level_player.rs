//! The player of levels that the server and the WebAssembly page share.

use std::sync::Arc;

use crate::engine::level::{GameView, LevelSearch, LevelSettings, Player};
use crate::engine::{BestMove, Engine, Limits, Listener, Ticket};

/// Plays at levels, with another seed for every game.
#[derive(Debug)]
pub struct LevelPlayer {
    player: Player,
    new_seed: fn() -> u64,
    seed: u64,
    /// The move number of the last position.
    last: Option<u16>,
}

impl LevelPlayer {
    pub fn new(new_seed: fn() -> u64) -> Self {
        Self {
            player: Player::default(),
            new_seed,
            seed: 0,
            last: None,
        }
    }

    /// Plays at a rating, which is in [`RATINGS`](crate::engine::level::player::RATINGS): answers from the opening
    /// book, chooses as the level does, or searches with the limit of nodes that the level stands for.
    pub fn go(
        &mut self,
        engine: &mut Engine,
        rating: u16,
        view: &GameView,
        mut limits: Limits,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> BestMove {
        let now = view.game().position().fullmoves();
        // An earlier move number: another game.
        if self.last.replace(now).is_none_or(|last| now < last) {
            self.player.new_game();
            self.seed = (self.new_seed)();
        }
        let settings = LevelSettings {
            seed: self.seed,
            ..LevelSettings::of(rating)
        };
        if let Some(nodes) = settings.nodes_at(view.game().position()) {
            limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        } else {
            let search = LevelSearch {
                view,
                settings: &settings,
                limits: &limits,
                model: engine.model().cloned(),
                ticket,
                listener,
            };
            if let Some((answer, chosen)) = self.player.answer(engine, &search) {
                if let Some(chosen) = chosen {
                    chosen.report(limits.started.elapsed(), &**listener);
                }
                return answer;
            }
        }
        engine.set_most_threads(1);
        let answer = engine.go(view.game(), limits, ticket, listener);
        engine.set_most_threads(usize::MAX);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;

    #[test]
    fn no_ponder_move_ends_the_game() {
        // White mates with the rook whatever Black plays.
        let game = Game::from_words("7k/p7/6K1/8/8/8/8/1R6 b - -").expect("a game");
        let listener: Arc<dyn Listener> = Arc::new(());
        let mut engine = Engine::new();
        let ticket = engine.signal().issue();
        let answer = LevelPlayer::new(|| 1).go(
            &mut engine,
            2000,
            &GameView::new(game),
            Limits::nodes(1_000),
            ticket,
            &listener,
        );
        assert!(answer.best.is_some());
        assert_eq!(answer.ponder, None);
    }
}
