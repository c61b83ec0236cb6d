//! The facts of the evaluation along a line, piece by piece: a piece is followed from its square in the first position.

use std::collections::HashMap;

use super::concepts::Concept;
use super::facts::{Fact, Facts};
use super::story::Story;
use super::topics::Topic;
use crate::chess::{Color, Move, MoveKind, Position, Square};
use crate::eval::Model;

/// No fact is followed further back than this, in plies.
const MAX_SCANNED: usize = 6;

/// What identifies a fact while pieces move: concept, topic, whether it is White's, and the square in the first position of
/// its piece.
pub(super) type Key = (Concept, Topic, bool, Option<Square>);

/// The facts of one position of a line.
pub(super) type FactsByKey = HashMap<Key, Fact>;

/// One line with the facts after its first move and at its end.
pub(super) struct Ended<'a> {
    pub(super) model: &'a Model,
    pub(super) story: &'a Story<'a>,
    pub(super) first: FactsByKey,
    pub(super) last: FactsByKey,
}

impl<'a> Ended<'a> {
    pub(super) fn new(model: &'a Model, story: &'a Story<'a>) -> Self {
        let last = story.line.moves.len();
        Self {
            model,
            story,
            first: facts_at(model, story, 1),
            last: facts_at(model, story, last),
        }
    }

    /// The index of the move after which a fact of the end holds.
    pub(super) fn since(&self, key: &Key) -> usize {
        let last = self.story.line.moves.len() - 1;
        let Some(fact) = self.last.get(key) else {
            return last;
        };
        let text = clause(fact);
        let earliest = last.saturating_sub(MAX_SCANNED);
        (earliest..=last)
            .rev()
            .find(|&ply| {
                let before = facts_at(self.model, self.story, ply);
                before.get(key).is_none_or(|fact| clause(fact) != text)
            })
            .unwrap_or(earliest)
    }
}

/// The facts of the position before the move with this index.
pub(super) fn facts_at(model: &Model, story: &Story, ply: usize) -> FactsByKey {
    let line = story.line;
    let origins = origins(&line.positions, &line.moves[..ply]);
    let found = Facts::by(model, &line.positions[ply]);
    let facts = found.facts.into_iter().map(|fact| {
        let origin = fact
            .subject
            .map(|square| origins[square as usize].unwrap_or(square));
        // There is one fact about bishop pairs, of whichever side has one, or of neither.
        let is_white = fact.side == Color::White || fact.topic == Topic::BishopPair;
        let key = (fact.concept, fact.topic, is_white, origin);
        (key, fact)
    });
    facts.collect()
}

/// How much the facts of a key are in favour of the first of two positions.
pub(super) fn lead(key: &Key, [one, other]: [&FactsByKey; 2], sign: i32) -> i32 {
    let value = |facts: &FactsByKey| facts.get(key).map_or(0, |fact| fact.exact * sign);
    value(one) - value(other)
}

/// Of equal facts the same one comes first with the colours swapped.
pub(super) fn order(key: &Key, sign: i32) -> (Topic, bool, Option<Square>) {
    let is_upright = sign > 0;
    let square = |square: Square| {
        if is_upright {
            square
        } else {
            square.flip_vertical()
        }
    };
    let is_own = key.2 == is_upright || key.1 == Topic::BishopPair;
    (key.1, is_own, key.3.map(square))
}

/// For each square at the end of a line: where the piece on it stood in the first position.
fn origins(positions: &[Position], moves: &[Move]) -> [Option<Square>; 64] {
    let mut origins = [None; 64];
    for square in positions[0].occupied() {
        origins[square as usize] = Some(square);
    }
    for (position, mv) in positions.iter().zip(moves) {
        if mv.is_castling() {
            let (king, rook) = (origins[mv.from() as usize], origins[mv.to() as usize]);
            origins[mv.from() as usize] = None;
            origins[mv.to() as usize] = None;
            origins[mv.castling_king_to() as usize] = king;
            origins[mv.castling_rook_to() as usize] = rook;
            continue;
        }
        if mv.kind() == MoveKind::EnPassant {
            origins[mv.to().xor(Square::A2) as usize] = None;
        }
        origins[mv.to() as usize] = origins[mv.from() as usize].take();
        debug_assert!(position.piece_on(mv.from()).is_some());
    }
    origins
}

/// The first clause of a fact, inside of a sentence.
pub(super) fn clause(fact: &Fact) -> String {
    let text = fact.text.split(';').next().unwrap_or_default();
    let text = text.trim_end_matches('.');
    if ["White", "Black"].iter().any(|name| text.starts_with(name)) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
