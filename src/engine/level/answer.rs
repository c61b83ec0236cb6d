//! A move of a level as every front end plays it: from the opening book, or chosen by the level's model.

use std::sync::Arc;
use std::time::Duration;

use super::game_view::GameView;
use super::player::{Chosen, LevelSettings, Player, move_probabilities_by};
use super::search_setup::SearchSetup;
use crate::engine::{BestMove, Engine, Limits, Listener, Model, Ticket};

/// One move to choose.
pub struct LevelSearch<'a> {
    pub view: &'a GameView,
    pub settings: &'a LevelSettings,
    pub limits: &'a Limits,
    /// The weights that the level sees with; `None`: the built-in ones.
    pub model: Option<Arc<Model>>,
    pub ticket: Ticket,
    pub listener: &'a Arc<dyn Listener>,
}

impl Player {
    /// A move of the opening book, which is reported, or else one that the level chooses, with the choice for the caller to
    /// report. `None` without memory or legal moves.
    pub(crate) fn answer(
        &mut self,
        engine: &mut Engine,
        search: &LevelSearch<'_>,
    ) -> Option<(BestMove, Option<Chosen>)> {
        let LevelSearch {
            view,
            settings,
            limits,
            ticket,
            listener,
            ..
        } = *search;
        let (game, position) = (view.game(), view.game().position());
        let budget = engine.time_limits(limits);
        let mut setup = SearchSetup {
            signal: engine.signal(),
            ticket,
            model: search.model.clone(),
            time: budget.map(|(soft, hard)| soft.map_or(hard, |soft| soft.min(hard))),
            ponder: limits.ponder,
            only: limits.search_moves.clone(),
        };
        // Of the book's moves, those that the level itself would play are more likely.
        let likely = || move_probabilities_by(view, settings, &setup).unwrap_or_default();
        if position.fullmoves() <= settings.book_moves()
            && let Some(answer) = engine.book_answer(game, limits, ticket, listener, likely)
        {
            return Some((answer, None));
        }
        // The check of a book move that was refused took some of the time.
        if !setup.ponder {
            let left = |time: Duration| time.saturating_sub(limits.started.elapsed());
            setup.time = setup.time.map(left);
        }
        let chosen = self.choose(view, settings, &setup).ok()??;
        let after = position.play(chosen.mv);
        let ponder = chosen
            .reply
            .filter(|&reply| after.is_legal(reply) && after.play(reply).has_legal_move());
        let answer = BestMove {
            best: Some(chosen.mv),
            ponder,
        };
        Some((answer, Some(chosen)))
    }
}
