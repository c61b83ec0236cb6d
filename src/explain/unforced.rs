//! Claims that a line does not prove, because the side that loses by it could do better.

use super::account::{LineAccount, after};
use super::claim::{Claim, Source};
use super::counter::{SHARE, has_capture};
use super::explainer::{Explainer, MoveComparison};
use super::gain::{Gain, PAWN};
use super::story::Story;
use super::verdict::DECIDED;
use super::winnings;
use crate::chess::{GameEnd, Move, Position, Square, exchange_value};
use crate::eval::{expected_score, material_count, win_draw_loss};

/// With so many pieces on the board a lost side may leave a capture out, because tablebases prove the loss after it.
const FEW_PIECES: usize = 8;
/// A capture fails if the other side then wins as much as in the line, or a piece, in centipawns of an exchange.
const ENOUGH: i32 = 300;
/// So many moves of the side that loses material are searched again, the last ones first.
const CHECKED: usize = 3;
/// A move of a line is a mistake if a search finds another one whose expected score is higher by so much.
const MISTAKE: f64 = 0.1;

impl Explainer {
    /// Whether the side that loses by a claim of tactics could have won back or kept what the claim names.
    pub(super) fn is_unforced(
        &mut self,
        comparison: &MoveComparison,
        stories: &[Story],
        claim: &Claim,
    ) -> bool {
        let root = comparison.root();
        let is_of = |story: &&Story| {
            let first = root.san(story.line.first()).to_string();
            claim.line.first() == Some(&first) && claim.ply < story.line.moves.len()
        };
        let is_of_board = claim.source == Source::Board && !super::tactics::is_mate(claim);
        let Some(story) = stories.iter().find(is_of).filter(|_| is_of_board) else {
            return false;
        };
        for (index, capture) in declined(root, story, claim.ply) {
            if !self.fails(comparison, story, index, capture) {
                return true;
            }
        }
        if claim.kind != "material" {
            return false;
        }
        // What a capture seems to win back is lost only if the capture fails, not if it just does not save the game.
        let fails = |counter: Option<Claim>| counter.is_some_and(|of| of.source == Source::Board);
        self.is_misplayed(comparison, story, claim.ply)
            || (claim.ply % 2..=claim.ply).step_by(2).any(|ply| {
                seems_won_back(comparison, story, ply)
                    && !fails(self.counter(comparison, story, ply, false))
            })
    }

    /// Whether one of the last moves of the side that loses material, up to the move of a line with this index, is a mistake:
    /// the search of the line had few nodes for late moves.
    fn is_misplayed(&mut self, comparison: &MoveComparison, story: &Story, ply: usize) -> bool {
        if !self.has_share() {
            return false;
        }
        let line = story.line;
        let root = comparison.root();
        let won = Gain::between(root, story.after(ply), root.turn()).value() > 0;
        let loser = if won { !root.turn() } else { root.turn() };
        let score = if won { -line.score } else { line.score };
        let decisions = (1..=ply)
            .rev()
            .filter(|&index| line.positions[index].turn() == loser)
            .take(CHECKED);
        let count = material_count(root);
        let mut least = expected_score(score, count);
        for index in decisions {
            let game = after(&comparison.game, &line.moves[..index]);
            let Some(found) = self.best_line(&game, SHARE) else {
                return false;
            };
            let best = expected_score(found.score, count);
            if found.mv != line.moves[index] && best >= least + MISTAKE {
                return true;
            }
            least = least.min(best);
        }
        false
    }

    /// Whether a capture instead of the move of a line with this index lets the other side mate or win enough.
    fn fails(
        &mut self,
        comparison: &MoveComparison,
        story: &Story,
        index: usize,
        capture: Move,
    ) -> bool {
        if !self.has_share() {
            return false;
        }
        let line = story.line;
        let game = after(&comparison.game, &line.moves[..index]);
        let winner = !game.position().turn();
        let ahead = |end: &Position| Gain::between(comparison.root(), end, winner).value();
        let found = self.line_of(&game, capture, SHARE);
        found.is_some_and(|found| {
            // Tablebases prove losses that no reader sees.
            found.game_end == Some(GameEnd::Checkmate)
                || ahead(found.last()) >= ahead(line.last()).clamp(PAWN, ENOUGH)
        })
    }
}

/// Whether a recapture seems to win back half of the material or more that is won up to the move of a line with this index, and
/// the line goes on otherwise. It does not if another capture then wins as much as it takes.
fn seems_won_back(comparison: &MoveComparison, story: &Story, ply: usize) -> bool {
    let there = story.after(ply);
    let start = winnings::retaken(comparison, story).unwrap_or(comparison.root());
    let won = Gain::between(start, there, !there.turn()).value();
    let (square, next) = (story.line.moves[ply].to(), story.line.moves.get(ply + 1));
    let taken = there
        .piece_on(square)
        .map_or(0, |piece| exchange_value(piece.role()));
    let legal = there.legal_moves();
    let mut captures = legal
        .iter()
        .filter(|mv| mv.is_capture() && mv.to() == square);
    won >= PAWN
        && next.is_none_or(|mv| mv.to() != square)
        && captures.any(|&mv| {
            there.see_ge(mv, (won + 1) / 2) && !has_capture(&there.play(mv), None, taken)
        })
}

/// The captures by which a side that is lost anyway could win something, and where it leaves them out: in an ending with few
/// pieces it lets the piece of a claim, or one that promotes before, get away. The claim is made of the move with this index.
fn declined(root: &Position, story: &Story, ply: usize) -> Vec<(usize, Move)> {
    let line = story.line;
    let winner = line.positions[ply].turn();
    let [win, _, loss] = win_draw_loss(line.score, material_count(root));
    if DECIDED > if winner == root.turn() { win } else { loss } {
        return Vec::new();
    }
    let declined = |index: usize, square: Square| {
        let (there, mv) = (&line.positions[index], line.moves[index]);
        let is_few = there.occupied().count() <= FEW_PIECES;
        if index == 0 || there.turn() == winner || !is_few || mv.to() == square {
            return None;
        }
        let legal = there.legal_moves();
        let takes = |mv: &&Move| mv.is_capture() && mv.to() == square && there.see_ge(**mv, PAWN);
        legal.iter().find(takes).map(|&mv| (index, mv))
    };
    let is_key = |&index: &usize| {
        let mv = line.moves[index];
        line.positions[index].turn() == winner && (index == ply || mv.is_promotion())
    };
    let mut found: Vec<(usize, Move)> = Vec::new();
    for key in (0..=ply).filter(is_key) {
        let of_key = (0..ply).filter_map(|index| declined(index, square_of(line, key, index)?));
        found.extend(of_key);
    }
    found.dedup();
    found
}

/// Where the piece that makes the move with the index `key` stands before the move with another index.
fn square_of(line: &LineAccount, key: usize, index: usize) -> Option<Square> {
    let mut square = line.moves[key].from();
    for mv in line.moves.get(index..key).unwrap_or_default().iter().rev() {
        if mv.to() == square {
            square = mv.from();
        }
    }
    for mv in line.moves.get(key..index).unwrap_or_default() {
        if mv.from() == square {
            square = mv.to();
        } else if mv.to() == square {
            return None;
        }
    }
    Some(square)
}
