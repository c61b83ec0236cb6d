//! What an engine answers besides searches: evaluations, explanations, tablebases, the book, levels. All use the engine's
//! weights, tablebases and book.

use std::io;
use std::sync::Arc;

use thiserror::Error;

use super::evaluation::{BUILT_IN_EVALUATOR, EvalAnswer, Evaluator};
use super::level::player::{RATINGS, move_probabilities_by};
use super::level::{GameView, LevelSettings, Likely, SearchSetup};
use super::tablebases::TablebaseAnswer;
use super::{Engine, EngineError};
use crate::book::BookMove;
use crate::chess::{Game, Position};
use crate::explain::{DEFAULT_NODES, ExplainError, Explainer, Explanation, Question};
use crate::explain::{summary_text, summary_text_by};

/// Why an engine has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// There is nothing to explain.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// No memory for a search.
    #[error("memory for a search: {0}")]
    Memory(#[from] io::Error),
    /// There is no level of this rating.
    #[error("rating: {rating} is not a number from {min} to {max}", min = RATINGS[0], max = RATINGS[1])]
    Rating {
        /// The rating asked for.
        rating: u16,
    },
}

/// Answers that need no search of the engine, or one of their own.
impl Engine {
    /// The static evaluation of a position, itemised: every term, the concepts that they add up to, and the facts that
    /// count most. It can be serialised.
    ///
    /// ```
    /// use lucena::{Engine, Game};
    ///
    /// let game = Game::from_words("4k3/8/8/8/8/8/4P3/R3K3 w - -")?;
    /// let evaluation = Engine::new().evaluate(&game);
    /// assert!(evaluation.shown_total > 100);
    /// let ledger = &evaluation.ledger;
    /// let sum: i32 = ledger.terms.iter().map(|term| term.exact).sum();
    /// assert_eq!(sum + ledger.rounding_exact, ledger.total * ledger.units_per_centipawn);
    /// # Ok::<(), lucena::chess::WordsError>(())
    /// ```
    pub fn evaluate(&self, game: &Game) -> EvalAnswer {
        match self.model() {
            None => BUILT_IN_EVALUATOR.evaluate(game),
            Some(model) => Evaluator::without_hits(Arc::clone(model)).evaluate(game),
        }
    }

    /// The static evaluation of a position as text; the last line is
    /// `total <centipawns> (white's view, internal centipawns)`.
    #[doc(hidden)]
    pub fn evaluation_text(&self, game: &Game) -> String {
        match self.model() {
            Some(model) => summary_text_by(model, game),
            None => summary_text(game),
        }
    }

    /// An explainer with this many nodes for a question, and with the engine's weights and tablebases.
    ///
    /// # Errors
    /// The memory could not be allocated.
    #[doc(hidden)]
    pub fn explainer(&mut self, nodes: u64) -> io::Result<Explainer> {
        Ok(Explainer::new(nodes)?
            .with_model(self.model().cloned())
            .with_tablebases(self.tablebases().current()))
    }

    /// Why the best move, or a given one, is better or worse than another, with a search of [`DEFAULT_NODES`] nodes;
    /// [`Explainer`] takes other numbers. The [`Engine::stop_handle`] stops it.
    ///
    /// # Errors
    /// [`AnswerError::Explain`] if the game is over, a move is illegal or compared with itself, or the search was
    /// stopped;
    /// [`AnswerError::Memory`].
    ///
    /// ```
    /// use lucena::explain::Question;
    /// use lucena::{Engine, Game};
    ///
    /// let game = Game::from_words("startpos f3 e5 g4")?;
    /// let explanation = Engine::new().explain(&game, Question::default())?;
    /// assert_eq!(explanation.best, "Qh4#");
    /// assert!(explanation.claims[0].text.contains("mate"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&mut self, game: &Game, question: Question) -> Result<Explanation, AnswerError> {
        let (signal, ticket) = (self.signal(), self.take_ticket());
        let explainer = self.explainer(DEFAULT_NODES)?;
        let mut explainer = explainer.with_signal(Arc::clone(&signal), ticket);
        let explanation = explainer.explain(game, question);
        signal.finish(ticket);
        Ok(explanation?)
    }

    /// The value of a position by the tablebases, the embedded ones of 3 and 4 pieces and those of the engine's folders;
    /// `None` if no table has it.
    ///
    /// ```
    /// use lucena::{Engine, Position};
    ///
    /// let position = Position::from_fen("8/8/8/8/8/2k5/8/K2q4 w - - 0 1")?;
    /// let value = Engine::new().tablebase(&position).expect("3 pieces");
    /// assert_eq!(value.wdl, -2);
    /// assert_eq!(Engine::new().tablebase(&Position::startpos()), None);
    /// # Ok::<(), lucena::chess::FenError>(())
    /// ```
    pub fn tablebase(&mut self, position: &Position) -> Option<TablebaseAnswer> {
        TablebaseAnswer::of(&self.tablebases().current(), position)
    }

    /// The moves of the opening book with their weights, the heaviest first; empty where the book has none. The book is the
    /// embedded one, or that of the files set; it need not be on.
    ///
    /// # Errors
    /// [`EngineError::Book`] if a file has a fault. What could be read answers the next call.
    ///
    /// ```
    /// use lucena::{Engine, Game};
    ///
    /// let game = Game::from_words("startpos")?;
    /// let moves = Engine::new().book(&game)?;
    /// assert!(moves.iter().any(|found| found.mv.uci(false).to_string() == "e2e4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn book(&mut self, game: &Game) -> Result<Vec<BookMove>, EngineError> {
        self.own_book().moves(game)
    }

    /// How people of a rating, 800 to 2800, choose: all legal moves with their probabilities, the most probable first. Above
    /// [`MODEL_UP_TO`](super::level::MODEL_UP_TO) they are those at it. [`Player`](super::level::Player) chooses one of them. A
    /// `GameView` knows the last moves, which people look at; [`GameView::with_moves`] knows the mover's own, too.
    ///
    /// # Errors
    /// [`AnswerError::Rating`], [`AnswerError::Memory`].
    ///
    /// ```
    /// use lucena::level::GameView;
    /// use lucena::{Engine, Game};
    ///
    /// let view = GameView::new(Game::from_words("startpos e4 e5 Qh5")?);
    /// let moves = Engine::new().level(&view, 1200)?;
    /// let sum: f32 = moves.iter().map(|likely| likely.probability).sum();
    /// assert!((sum - 1.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn level(&self, view: &GameView, rating: u16) -> Result<Vec<Likely>, AnswerError> {
        let [low, high] = RATINGS;
        if !(low..=high).contains(&rating) {
            return Err(AnswerError::Rating { rating });
        }
        let setup = SearchSetup {
            model: self.model().cloned(),
            ..SearchSetup::default()
        };
        let mut moves = move_probabilities_by(view, &LevelSettings::of(rating), &setup)?;
        moves.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::BUILT_IN;
    use crate::eval::load::new_model;
    use crate::eval::weights::Weights;

    #[test]
    fn a_rating_out_of_range_is_named() {
        let view = GameView::new(Game::new(Position::startpos()));
        for rating in [0, 799, 2801, u16::MAX] {
            let error = Engine::new().level(&view, rating).expect_err("no level");
            assert!(error.to_string().contains(&rating.to_string()), "{error}");
        }
    }

    #[test]
    fn a_move_of_another_position_is_refused() {
        let other = Position::from_fen("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1").expect("a position");
        let mv = other.parse_move("a1h8").expect("a move");
        let game = Game::new(Position::startpos());
        let both = [(Some(mv), None), (None, Some(mv))];
        for (mv, against) in both {
            let question = Question {
                mv,
                against,
                ..Question::default()
            };
            let error = Engine::new().explain(&game, question).expect_err("illegal");
            assert_eq!(error.to_string(), "a1h8 is illegal in this position");
        }
    }

    #[test]
    fn a_stop_handle_stops_an_explanation() {
        let game = Game::new(Position::startpos());
        let mut engine = Engine::new();
        engine.stop_handle().stop();
        let nodes = engine
            .explain(&game, Question::default())
            .map_or(0, |answer| answer.nodes);
        assert!(nodes < 1_000, "{nodes} nodes");
        let whole = engine.explain(&game, Question::default());
        assert!(whole.is_ok_and(|answer| answer.nodes > 10_000));
    }

    #[test]
    fn the_total_is_that_of_the_weights_set() {
        let game = Game::new(Position::startpos());
        let mut engine = Engine::new();
        let built_in = engine.evaluate(&game).shown_total;
        let model = new_model(|| BUILT_IN.weights().clone());
        engine.set_model(Some(model.expect("a thread")));
        assert_eq!(engine.evaluate(&game).shown_total, built_in);
    }

    #[test]
    fn a_level_has_the_weights_set() {
        let view = GameView::new(Game::new(Position::startpos()));
        let mut engine = Engine::new();
        let built_in = engine.level(&view, 1200).expect("a level");
        let model = new_model(|| Weights::ZERO);
        engine.set_model(Some(model.expect("a thread")));
        assert_ne!(engine.level(&view, 1200).expect("a level"), built_in);
    }
}
