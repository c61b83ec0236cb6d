//! Which facts a reader takes as a point for a side.

use super::facts::Fact;
use super::line_facts::clause;
use super::topics::Topic;
use crate::chess::{Color, Move, Position, Role, Square};

/// Facts that say little to a reader count less.
pub(super) const fn is_vague(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::Placement
            | Topic::PawnFormation
            | Topic::ConnectedPawn
            | Topic::KingPlace
            | Topic::Tempo
            | Topic::Contested
            | Topic::KingDefenders
            | Topic::UnsafeChecks
    )
}

/// What no reader takes as a reason: on which squares pieces stand, and who is to move at the end of a line.
pub(super) const fn is_no_reason(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::Placement | Topic::PawnFormation | Topic::KingPlace | Topic::Tempo
    )
}

/// What changes as soon as pieces move on.
pub(super) const fn is_of_pieces(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::Mobility
            | Topic::Outpost
            | Topic::RookFile
            | Topic::ExposedQueen
            | Topic::Attacked
            | Topic::Undefended
            | Topic::Shelter
            | Topic::Castling
            | Topic::KingAttackers
            | Topic::KingMoves
            | Topic::SafeChecks
            | Topic::AttacksNearKing
            | Topic::PawnsAtKing
    )
}

/// Whether a reader takes a fact as a point for a side: what its pieces do, or what the enemy's suffer.
pub(super) fn is_point(fact: &Fact, us: Color) -> bool {
    match fact.topic {
        Topic::Mobility
        | Topic::Outpost
        | Topic::RookFile
        | Topic::RookOnSeventh
        | Topic::PassedPawn
        | Topic::CandidatePawn
        | Topic::Attacked
        | Topic::Centre
        | Topic::Space => fact.side == us,
        // In an endgame a king without pawns in front of it may stand well, but no reader takes that as a point.
        Topic::Shelter => (fact.side == us) == fact.text.contains(" stands behind "),
        Topic::Pinned
        | Topic::Undefended
        | Topic::IsolatedPawn
        | Topic::DoubledPawn
        | Topic::BackwardPawn => fact.side != us,
        _ => false,
    }
}

/// Whether pawns in front of a king matter: without an enemy queen no reader takes them as a point.
pub(super) fn needs_shelter(there: &Position, fact: &Fact) -> bool {
    fact.topic != Topic::Shelter || there.pieces(!fact.side, Role::Queen).any()
}

/// Whether an isolated pawn of the side to move stays one: it captures nothing with the next move and is not lost.
pub(super) fn stays_isolated(there: &Position, fact: &Fact) -> bool {
    if fact.topic != Topic::IsolatedPawn || there.turn() != fact.side {
        return true;
    }
    let captures = |mv: &Move| mv.is_capture() && Some(mv.from()) == fact.subject;
    let is_lost =
        |mv: &Move, there: &Position| Some(mv.to()) == fact.subject && there.see_ge(*mv, 1);
    let passed = (!there.in_check()).then(|| there.play_null());
    !there.legal_moves().iter().any(captures)
        && !passed.is_some_and(|there| there.legal_moves().iter().any(|mv| is_lost(mv, &there)))
}

/// Whether a reader sees that a fact has become more: another clause, and not fewer squares. What was attacked before is
/// no new point, and a rook on an open file gains nothing by another square of it.
pub(super) fn is_more(old: &Fact, new: &Fact) -> bool {
    let file = |fact: &Fact| fact.subject.map(Square::file);
    let is_same_file = new.topic == Topic::RookFile && file(old) == file(new);
    if new.topic == Topic::Attacked || is_same_file {
        return false;
    }
    let squares = |fact: &Fact| {
        let number = fact.state.split(' ').next()?;
        number.trim_end_matches('+').parse::<u32>().ok()
    };
    clause(old) != clause(new) && squares(old) <= squares(new)
}

/// Whether a capture of the attacked piece would win something, if the attacker is to move or the opponent passed.
pub(super) fn is_real_attack(there: &Position, fact: &Fact) -> bool {
    let there = if there.turn() == fact.side {
        *there
    } else if there.in_check() {
        return false;
    } else {
        there.play_null()
    };
    let captures = there.legal_moves();
    let mut captures = captures.iter().filter(|mv| Some(mv.to()) == fact.subject);
    captures.any(|mv| there.see_ge(*mv, 1))
}
