//! Zugzwang: passing would give the side to move more than its best move. Tablebases prove it; without them, searches of
//! both do where the side has only pawns.

use super::claim::{Claim, Source};
use super::explainer::Explainer;
use super::notation::pawns;
use super::scale::Scale;
use super::story::Story;
use super::words::side;
use crate::base::value::{Value, is_loss, is_win};
use crate::chess::{Game, Position};
use crate::eval::UNITS_PER_CENTIPAWN;
use crate::search::root::RootMove;

/// Percent of the nodes of the search of the best move and of that after a pass, and the fewest of the first that show
/// anything. More for the pass: it must not miss a loss that the first search sees.
const SHARE_MOVE: u64 = 4;
const SHARE_PASS: u64 = 10;
const MIN_NODES: u64 = 800;
/// The least gain by passing, in centipawns.
const MIN_GAIN: Value = 150;
/// Scores beyond this only say that the game is won or lost, in centipawns.
const WON: Value = 1000;
/// Without material that is won, zugzwang is named if the moves differ by so many shown pawns.
const MIN_DIFFERENCE: f64 = 0.8;

impl Explainer {
    /// The zugzwang after the better move, or after the reply to the worse one if that was asked about.
    pub(super) fn zugzwang(&mut self, root: &Position, stories: &[Story]) -> Option<Claim> {
        let mut asked =
            (stories.iter()).filter(|story| story.is_better || story.instead.is_empty());
        asked.find_map(|story| self.zugzwang_in(root, story))
    }

    /// The same where tablebases prove nothing: beside material that is won, or if the moves differ by much, and no motif
    /// is the reason.
    pub(super) fn searched_zugzwang(
        &mut self,
        root: &Position,
        stories: &[Story],
        claims: &[Claim],
        difference: f64,
    ) -> Option<Claim> {
        let is_large = difference >= MIN_DIFFERENCE || !claims.is_empty();
        let is_open = claims.iter().all(|claim| claim.kind == "material");
        if !is_large || !is_open || self.nodes() * SHARE_MOVE / 100 < MIN_NODES {
            return None;
        }
        self.zugzwang(root, stories)
    }

    /// After a move the opponent is in zugzwang; after a worse one and its reply, the side that played it.
    fn zugzwang_in(&mut self, root: &Position, story: &Story) -> Option<Claim> {
        let (line, ply) = (story.line, usize::from(!story.is_better));
        if ply >= line.moves.len() {
            return None;
        }
        let there = story.after(ply);
        // With other pieces, threats make a search after a pass misleading.
        let is_clear = line.proven.is_some() || !there.has_non_pawn_material(there.turn());
        if !is_clear || there.in_check() || !there.has_legal_move() {
            return None;
        }
        let moves = self.found(there, SHARE_MOVE)?;
        let passes = self.found(&there.play_null(), SHARE_PASS)?;
        let proven = moves.proven.zip(passes.proven);
        let us = side(there.turn());
        let (what, gain) = match proven {
            Some((moves, passes)) => (proved(us, outcome(moves), outcome(-passes))?, None),
            None => searched(root, moves.score, -passes.score)?,
        };
        let source = proven.map_or(Source::Search, |_| Source::Tablebase);
        let lead = story.up_to(ply);
        let text = format!("After {lead} {us} is in zugzwang: {what}.");
        let claim = Claim::new("zugzwang", source, text)
            .on_line(root, &line.moves[..=ply], ply)
            .at(there, &[there.king(there.turn())]);
        Some(match gain {
            Some(gain) => claim.with_number("gain", gain),
            None => claim,
        })
    }

    /// The best move of a position, in a search of its own with a share of the nodes.
    pub(super) fn found(&mut self, position: &Position, percent: u64) -> Option<RootMove> {
        let game = Game::new(*position);
        if game.end().is_some() {
            return None;
        }
        // What the search of the lines has in the TT would help only one of both.
        self.searcher.new_game();
        self.best_line(&game, percent)
    }
}

/// What tablebases prove, if passing would be better.
fn proved(us: &str, moves: usize, passes: usize) -> Option<String> {
    let [loses, holds] = match (moves, passes) {
        (0, 1) => ["loses", "draw"],
        (0, 2) => ["loses", "win"],
        (1, 2) => ["draws", "win"],
        _ => return None,
    };
    Some(format!(
        "{us} {loses}, but would {holds} if it could pass; tablebases prove both"
    ))
}

/// What searches show, if passing would be clearly better, and by how many shown pawns unless one of them is won or lost.
fn searched(root: &Position, moves: Value, passes: Value) -> Option<(String, Option<f64>)> {
    let [moves, passes] = [moves, passes].map(|score| score.clamp(-WON, WON));
    if passes - moves < MIN_GAIN {
        return None;
    }
    if moves == -WON || passes == WON {
        return Some(("passing would be better than any move".to_owned(), None));
    }
    let gain = Scale::of(root).pawns((passes - moves) * UNITS_PER_CENTIPAWN);
    let text = format!("passing would be {} better than any move", pawns(gain));
    Some((text, Some(gain)))
}

/// 0 for a loss, 1 for a draw, 2 for a win.
pub(super) const fn outcome(proven: Value) -> usize {
    if is_win(proven) {
        2
    } else if is_loss(proven) {
        0
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Question;

    /// The sentences about a move, or about the best one.
    fn sentences(fen: &str, mv: Option<&str>) -> String {
        let root = Position::from_fen(fen).expect("a position");
        let mv = mv.map(|mv| root.find_move(mv).expect("a move"));
        let question = Question {
            mv,
            ..Question::default()
        };
        let mut explainer = Explainer::small(50_000).expect("memory");
        let explained = explainer.explain(&Game::new(root), question);
        explained.expect("an open game").to_string()
    }

    /// Each king attacks one pawn and guards the other: whoever must move loses his own.
    #[test]
    fn tablebases_prove_zugzwang() {
        let mutual = "8/8/8/2K1p3/4Pk2/8/8/8 w - - 0 1";
        let text = "After 1.Kd5 Black is in zugzwang: Black loses, but would win if it could pass; tablebases prove both.";
        assert!(sentences(mutual, None).contains(text));
    }

    /// The same with another pair of pawns, beyond the embedded tablebases.
    #[test]
    fn searches_show_zugzwang() {
        let mutual = "8/p7/P7/2K1p3/4Pk2/8/8/8 w - - 0 1";
        let text = sentences(mutual, None);
        assert!(
            text.contains("Black is in zugzwang: passing would be"),
            "{text}"
        );
    }
}
