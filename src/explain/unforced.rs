//! Claims that a line does not prove, because the side that loses by it could do better.

use super::account::LineAccount;
use super::claim::{Claim, Source};
use super::counter::has_capture;
use super::explainer::{Explainer, MoveComparison};
use super::gain::{Gain, PAWN};
use super::story::Story;
use super::verdict::DECIDED;
use super::winnings;
use crate::chess::{Position, Square, exchange_value};
use crate::eval::{material_count, win_draw_loss};

/// With so many pieces on the board a lost side may leave a capture out, because tablebases prove the loss after it.
const FEW_PIECES: usize = 8;

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
        if is_declined(root, story, claim.ply) {
            return true;
        }
        // What a capture seems to win back is lost only if the capture fails.
        claim.kind == "material"
            && seems_won_back(comparison, story, claim.ply)
            && self.counter(comparison, story, claim.ply).is_none()
    }
}

/// Whether a recapture seems to win back the material that is won up to the move of a line with this index, and the line goes
/// on otherwise. It does not if another capture then wins as much as it takes.
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
        && captures.any(|&mv| there.see_ge(mv, won) && !has_capture(&there.play(mv), None, taken))
}

/// Whether a side that is lost anyway lets the piece of a claim, or one that promotes before, get away with what it does: in an
/// ending with few pieces it could win something by taking it. The claim is made of the move with this index.
fn is_declined(root: &Position, story: &Story, ply: usize) -> bool {
    let line = story.line;
    let winner = line.positions[ply].turn();
    let [win, _, loss] = win_draw_loss(line.score, material_count(root));
    let is_lost = DECIDED <= if winner == root.turn() { win } else { loss };
    let declines = |index: usize, square: Square| {
        let (there, mv) = (&line.positions[index], line.moves[index]);
        index > 0
            && there.turn() != winner
            && there.occupied().count() <= FEW_PIECES
            && mv.to() != square
            && has_capture(there, Some(square), PAWN)
    };
    let is_key = |&index: &usize| {
        let mv = line.moves[index];
        line.positions[index].turn() == winner && (index == ply || mv.is_promotion())
    };
    is_lost
        && (0..=ply).filter(is_key).any(|key| {
            (0..ply).any(|index| square_of(line, key, index).is_some_and(|at| declines(index, at)))
        })
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
