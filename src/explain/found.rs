//! The fact behind the difference between two lines, and what a reader takes it for.

use super::facts::Fact;
use super::line_facts::{Key, clause};
use super::notable::{is_point, is_real_attack};
use super::story::Story;
use super::topics::Topic;
use crate::chess::{CastlingSide, Color, File, Position, Role};

/// The fact behind a concept's difference.
pub(super) struct Found<'a> {
    pub(super) story: &'a Story<'a>,
    /// The index of the move after which it holds.
    pub(super) ply: usize,
    pub(super) key: Key,
    pub(super) fact: &'a Fact,
    /// The same fact in the other line.
    pub(super) other: Option<&'a Fact>,
    pub(super) other_story: &'a Story<'a>,
    /// What it adds to the difference, in 1/384 centipawn.
    pub(super) lead: i32,
    /// Whether it is a fact of the first moves, not of the ends of the lines.
    pub(super) is_at_once: bool,
    /// Of material, all that the sides have in different numbers, as a clause.
    pub(super) balance: Option<String>,
}

impl Found<'_> {
    pub(super) fn clause(&self) -> String {
        self.balance.clone().unwrap_or_else(|| clause(self.fact))
    }
}

/// Whether a reader takes a fact as a reason: pawns in front of a king, for the side that they favour; an attack, if the
/// capture would win something; a pair of bishops, if it is named.
pub(super) fn is_reason(found: &Found) -> bool {
    let us = found.story.line.positions[0].turn();
    let favoured = if found.story.is_better { us } else { !us };
    speaks_for(found, favoured)
}

/// Whether a reader takes a fact as one that speaks for a side.
pub(super) fn speaks_for(found: &Found, favoured: Color) -> bool {
    match found.fact.topic {
        // A king that may still castle in the other line only does so later.
        Topic::Shelter => {
            let is_later =
                !found.is_at_once && may_castle(found.other_story.line.last(), found.fact.side);
            is_point(found.fact, favoured) && !is_later && !is_same_shelter(found)
        }
        // More attackers than in the other line speak for the attacker, fewer for the king.
        Topic::KingAttackers => {
            let here = attackers(found.fact);
            let there = found.other.map_or(0, attackers);
            if found.fact.side == favoured {
                there > here
            } else {
                here >= there.max(1)
            }
        }
        Topic::Attacked => {
            let there = found.story.after(found.ply);
            // Nothing is captured before a check is answered.
            let is_loose = there.in_check() && found.fact.text.contains("nothing defends");
            is_loose || is_real_attack(there, found.fact)
        }
        // A right that the other line loses later explains nothing about the move.
        Topic::Castling => loses_castling(found.other_story, found.fact.side),
        // A rook in its corner has not been developed yet.
        Topic::Mobility => !is_home_rook(found),
        // With many pawns the weights may count the pair against its side, which no reader expects.
        Topic::BishopPair => {
            !found.fact.text.contains("change what") && found.fact.side == favoured
        }
        _ => true,
    }
}

/// Whether a side has a castling right.
fn may_castle(position: &Position, side: Color) -> bool {
    let mut wings = CastlingSide::ALL.into_iter();
    wings.any(|wing| position.castling_rook(side, wing).is_some())
}

/// Whether a side has a castling right before a line, and none after its first move and the reply.
fn loses_castling(story: &Story, side: Color) -> bool {
    let positions = &story.line.positions;
    let after = &positions[positions.len().min(3) - 1];
    may_castle(&positions[0], side) && !may_castle(after, side)
}

/// Whether a fact is about a rook that stands where it stood at the start of a game.
fn is_home_rook(found: &Found) -> bool {
    let there = found.story.after(found.ply);
    found.fact.subject.is_some_and(|square| {
        let is_rook = there
            .piece_on(square)
            .is_some_and(|piece| piece.role() == Role::Rook);
        let is_corner = matches!(square.file(), File::A | File::H);
        is_rook && is_corner && square.rank() == found.fact.side.backrank()
    })
}

/// The number of pieces that attack the squares around a king, from the fact's few words.
fn attackers(fact: &Fact) -> u32 {
    let number = fact.state.split(' ').next();
    number
        .and_then(|text| text.trim_end_matches('+').parse().ok())
        .unwrap_or(0)
}

/// Whether the king and the pawns of a fact about shelter stand on the same squares in the other line.
fn is_same_shelter(found: &Found) -> bool {
    let here = found.story.after(found.ply);
    let there = if found.is_at_once {
        found.other_story.after(0)
    } else {
        found.other_story.line.last()
    };
    let (side, squares) = (found.fact.side, found.fact.squares);
    let pawns = |position: &Position| {
        [side, !side].map(|color| squares & position.pieces(color, Role::Pawn))
    };
    here.king(side) == there.king(side) && pawns(here) == pawns(there)
}
