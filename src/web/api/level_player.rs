//! The player of levels that the server and the WebAssembly page share.

use std::sync::Arc;

use crate::engine::level::player::move_probabilities_by;
use crate::engine::level::{GameView, LevelSettings, Player, SearchSetup};
use crate::engine::{BestMove, Engine, Limits, Listener, Ticket};

/// Plays at levels, with another seed for every game.
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
            let time = engine.time_limits(&limits);
            let setup = SearchSetup {
                signal: engine.signal(),
                ticket,
                model: None,
                time: time.map(|(soft, hard)| soft.map_or(hard, |soft| soft.min(hard))),
                ponder: false,
                only: Vec::new(),
            };
            // Of the book's moves, those that the level itself would play are more likely.
            let likely = || move_probabilities_by(view, &settings, &setup).unwrap_or_default();
            if now <= settings.book_moves()
                && let Some(answer) =
                    engine.book_answer(view.game(), &limits, ticket, listener, likely)
            {
                return answer;
            }
            if let Ok(Some(chosen)) = self.player.choose(view, &settings, &setup) {
                chosen.report(limits.started.elapsed(), &**listener);
                return BestMove {
                    best: Some(chosen.mv),
                    ponder: chosen.reply,
                };
            }
        }
        engine.set_most_threads(1);
        let answer = engine.go(view.game(), limits, ticket, listener);
        engine.set_most_threads(usize::MAX);
        answer
    }
}
