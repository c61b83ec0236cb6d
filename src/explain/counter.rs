//! The tempting capture: why the opponent cannot take what a line leaves to be taken.

use super::claim::{Claim, Source};
use super::explainer::{Explainer, MoveComparison};
use super::gain::{Gain, PAWN};
use super::notation::{numbered, shown_line};
use super::story::Story;
use super::words::role;
use crate::base::value::{Value, is_decisive};
use crate::chess::{GameEnd, Move, Piece, Position, exchange_value};

/// Percent of the nodes of its search.
const SHARE: u64 = 4;
/// After a longer line no reader looks for a capture, in plies.
const MAX_PLY: usize = 5;
/// With fewer nodes no line is long enough.
const LEAST_NODES: u64 = 400;
/// A capture that wins material does not help if the score after it is this at least for the other side, in centipawns,
/// and at most so much less than after the best reply.
const LEAST_LEAD: Value = 150;
const NEAR: Value = 10;
/// Plies of a line without a gain that can be seen, with the capture.
const SHOWN_PLIES: usize = 4;

impl Explainer {
    /// After the move of a line with this index: the capture that seems to win the material back, and the moves that show
    /// why it does not. `None` if no capture seems to, or if one does.
    pub(super) fn counter(
        &mut self,
        comparison: &MoveComparison,
        story: &Story,
        ply: usize,
    ) -> Option<Claim> {
        let root = comparison.root();
        let there = story.after(ply);
        let winner = !there.turn();
        let won = |position: &Position| Gain::between(root, position, winner).value();
        let so_far = won(there);
        if so_far < 0 || ply > MAX_PLY || self.nodes() * SHARE / 100 < LEAST_NODES {
            return None;
        }
        let capture = tempting(there, so_far.max(PAWN))?;
        if story.line.moves.get(ply + 1) == Some(&capture) && ply == 0 {
            return None;
        }
        let mut game = comparison.game.clone();
        for &mv in &story.line.moves[..=ply] {
            game.play(mv);
        }
        let line = self.line_of(&game, capture, SHARE)?;
        let is_mate = line.game_end == Some(GameEnd::Checkmate);
        let of_material = if is_mate || is_decisive(line.score) {
            None
        } else {
            held(&line.positions, |position| won(position) >= so_far)
        };
        let last = if is_mate {
            (line.last().turn() != winner).then_some(line.moves.len())?
        } else if let Some(last) = of_material {
            last
        } else {
            // The score alone says that the capture is no better than another move.
            let before = story.line.score * if winner == root.turn() { 1 } else { -1 };
            let is_kept = -line.score >= LEAST_LEAD.max(before - NEAR);
            let shown = line.moves.len().min(SHOWN_PLIES);
            (is_kept && shown > 1).then_some(shown)?
        };
        let is_shown = is_mate || of_material.is_some();
        let moves = &line.moves[..last];
        let first = numbered(there, capture);
        let taken = there.piece_on(capture.to()).map(Piece::role);
        let fails = match taken {
            _ if is_mate => "allows mate".to_owned(),
            _ if !is_shown => "does not help".to_owned(),
            Some(taken) if so_far < PAWN => format!("does not win the {}", role(taken)),
            _ => "does not win the material back".to_owned(),
        };
        let shown = shown_line(&there.play(capture), &moves[1..]);
        let lead = story.up_to(ply);
        let text = format!("After {lead}, {first} {fails}: {shown}.");
        let mut all: Vec<Move> = story.line.moves[..=ply].to_vec();
        all.extend(moves);
        let at = &line.positions[last];
        let material = Gain::between(root, at, root.turn()).value();
        let source = if is_shown {
            Source::Board
        } else {
            Source::Search
        };
        Some(
            Claim::new("counter", source, text)
                .on_line(root, &all, all.len() - 1)
                .at(at, &[moves[last - 1].to()])
                .with_number("material", f64::from(material) / f64::from(PAWN)),
        )
    }
}

/// The index of the first position, after a reply of the side that wins, from which on that side holds what it needs. The
/// loser's next capture may not take it away; later exchanges may for a move.
fn held(positions: &[Position], holds: impl Fn(&Position) -> bool) -> Option<usize> {
    let last = positions.len() - 1;
    let is_held = |index: usize| positions.get(index).is_none_or(&holds);
    (2..=last).step_by(2).find(|&index| {
        let mut later = (index..=last).step_by(2);
        is_held(index + 1) && is_held(last) && later.all(is_held)
    })
}

/// The capture of the most valuable piece that gains at least so many centipawns by exchanges on its square.
fn tempting(position: &Position, least: i32) -> Option<Move> {
    let value = |mv: &Move| {
        let piece = position.piece_on(mv.to());
        piece.map_or(0, |piece| exchange_value(piece.role()))
    };
    let legal = position.legal_moves();
    let captures = legal.iter().copied().filter(|mv| mv.is_capture());
    captures
        .filter(|&mv| position.see_ge(mv, least))
        .max_by_key(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::explain::Question;

    #[test]
    fn the_queen_cannot_be_taken() {
        let mut game = Game::new(Position::startpos());
        for mv in "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 b8d7 c4d5 e6d5".split(' ') {
            game.play_uci(mv).expect("a move");
        }
        let mv = game.position().find_move("Nxd5").ok();
        let question = Question {
            mv,
            ..Question::default()
        };
        let explained = Explainer::small(50_000)
            .expect("memory")
            .explain(&game, question);
        let text = explained.expect("an open game").to_string();
        assert!(
            text.contains("After 6.Nxd5 Nxd5, 7.Bxd8 does not win the material back: 7…Bb4+ 8.Qd2"),
            "{text}"
        );
    }
}
