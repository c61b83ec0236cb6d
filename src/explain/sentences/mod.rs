//! Each fact as a sentence: the piece and the square named, in words that a club player has.

mod king;
mod pawns;
mod pieces;
mod subject;

use self::king::{checkers, king};
use self::pawns::{passed, pawns};
use self::pieces::{mobility_state, pieces, threats};
use self::subject::{Subject, label};
use super::concepts::FeatureValue;
use super::topics::Topic;
use super::words::{self, counted, number, piece_on};
use crate::chess::{Bitboard, Color, Position, Rank, Role, Square};
use crate::eval::{Family, cannot_win};

/// A fact as a sentence, and its numbers in few words.
pub(super) fn sentence(
    position: &Position,
    topic: Topic,
    side: Color,
    subject: Option<Square>,
    features: &[FeatureValue],
) -> (String, String) {
    let squares = features.iter().map(|feature| feature.squares);
    let fact = Subject {
        position,
        side,
        us: words::side(side),
        them: words::side(!side),
        piece: subject.map_or_else(String::new, |square| piece_on(position, square)),
        square: subject,
        features,
        squares: squares.fold(Bitboard::EMPTY, |all, squares| all | squares),
    };
    (text(&fact, topic), state(&fact, topic))
}

/// Why a position is a known draw ([`cannot_win`]), as a clause; `None` if it is none.
pub(super) fn known_draw(position: &Position) -> Option<String> {
    let side = Color::ALL
        .into_iter()
        .find(|&side| cannot_win(position, side))?;
    let (us, them) = (words::side(side), words::side(!side));
    let file = position.pieces(side, Role::Pawn).first()?.file();
    let corner = Square::from_coords(file, side.fold_wb(Rank::Eighth, Rank::First));
    let pieces = if position.pieces(side, Role::Bishop).any() {
        "bishop"
    } else if position.pieces(side, Role::Pawn).more_than_one() {
        "rook pawns"
    } else {
        "rook pawn"
    };
    Some(format!(
        "{us}'s {pieces} cannot drive {them}'s king from {corner}"
    ))
}

/// The numbers of a fact in few words.
fn state(fact: &Subject, topic: Topic) -> String {
    let of = |family, axis, noun: &str| match fact.count(family, axis) {
        Some((count, more)) => {
            let (plus, plural) = (
                if more { "+" } else { "" },
                if count == 1 { "" } else { "s" },
            );
            format!("{count}{plus} {noun}{plural}")
        }
        None => String::new(),
    };
    match topic {
        Topic::Mobility => mobility_state(fact),
        Topic::PawnIslands => of(Family::Islands, "count", "group"),
        Topic::BadBishop => of(Family::BadBishop, "pawns", "pawn"),
        Topic::RookFile => fact
            .find(Family::RookFile)
            .map_or_else(String::new, |index| {
                format!("{} file", label(index, "state"))
            }),
        Topic::KingDefenders => of(Family::KingGuards, "guards", "defended square"),
        Topic::KingLines => of(Family::KingLines, "count", "square"),
        Topic::KingMoves => of(Family::KingMoves, "count", "safe square"),
        Topic::KingAttackers => of(Family::KingPressure, "attackers", "attacker"),
        Topic::UnsafeChecks => of(Family::UnsafeChecks, "count", "square"),
        Topic::AttacksNearKing => of(Family::CampAttacks, "count", "square"),
        Topic::PawnsAtKing => of(Family::KingStorm, "count", "square"),
        Topic::Space => of(Family::Space, "area", "square"),
        Topic::Contested => of(Family::Restriction, "count", "square"),
        Topic::Centre => of(Family::Centre, "count", "square"),
        Topic::SafeChecks => match checkers(fact) {
            list if list.is_empty() => "none".to_owned(),
            list => format!("with {}", list.join(" or ")),
        },
        _ => String::new(),
    }
}

fn text(fact: &Subject, topic: Topic) -> String {
    let Subject { us, them, .. } = fact;
    match topic {
        Topic::Material | Topic::BishopPair => String::new(), // the sentences of differences
        Topic::Ending => ending(fact),
        Topic::BareKing => bare_king(fact),
        Topic::PawnFormation
        | Topic::IsolatedPawn
        | Topic::DoubledPawn
        | Topic::BackwardPawn
        | Topic::ConnectedPawn
        | Topic::PawnLever
        | Topic::BlockedPawn
        | Topic::CandidatePawn
        | Topic::PawnIslands
        | Topic::PawnsOnOneWing => pawns(fact, topic),
        Topic::PassedPawn => passed(fact),
        Topic::Placement
        | Topic::Mobility
        | Topic::Outpost
        | Topic::BehindPawn
        | Topic::BadBishop
        | Topic::RookFile
        | Topic::RookOnSeventh
        | Topic::TrappedRook
        | Topic::ExposedQueen => pieces(fact, topic),
        Topic::Attacked
        | Topic::PawnPush
        | Topic::QueenChase
        | Topic::Undefended
        | Topic::Pinned
        | Topic::DiscoveredCheck => threats(fact, topic),
        Topic::Space => format!(
            "{us} has {} of space in the centre and {} to use them.",
            fact.counted(Family::Space, "area", "square"),
            fact.counted(Family::Space, "pieces", "piece")
        ),
        Topic::Contested => format!(
            "{us} contests {} that {them} attacks.",
            fact.counted(Family::Restriction, "count", "square")
        ),
        Topic::Centre => format!(
            "{us} attacks {} of the four centre squares.",
            match fact.count(Family::Centre, "count") {
                Some((0, _)) | None => "none".to_owned(),
                Some((count, _)) => number(count),
            }
        ),
        Topic::Tempo => format!("{us} is to move."),
        _ => king(fact, topic),
    }
}

/// An ending with few pieces: what each side has, and whether the ending is worth more or less than its
/// material.
fn ending(fact: &Subject) -> String {
    let us = fact.us;
    let Some(index) = fact.find(Family::Ending) else {
        return String::new();
    };
    let sum: i32 = fact.features.iter().map(|feature| feature.value.0).sum();
    let is_good = (sum > 0) == (fact.side == Color::White);
    let than = if is_good { "more" } else { "less" };
    let [own, enemy] = [fact.side, fact.enemy()].map(|side| forces(fact.position, side));
    let colours = if label(index, "forces").contains("opposite-coloured") {
        ", with opposite-coloured bishops"
    } else {
        ""
    };
    format!("{us} has {own} against {enemy}{colours}, an ending worth {than} than its material.")
}

/// The pieces and pawns of a side: "a rook and two pawns".
fn forces(position: &Position, side: Color) -> String {
    let roles = Role::ALL[..5].iter().rev();
    let counts = roles.map(|&role| (role, position.pieces(side, role).count()));
    let items: Vec<String> = counts
        .filter(|&(_, count)| count > 0)
        .map(|(role, count)| match count {
            1 => format!("a {}", words::role(role)),
            _ => counted(count, words::role(role)),
        })
        .collect();
    match items.as_slice() {
        [] => "the king alone".to_owned(),
        _ => words::join(&items),
    }
}

/// A king without other pieces: how near the edge and the other king are.
fn bare_king(fact: &Subject) -> String {
    let piece = &fact.piece;
    let edge = match fact.count(Family::BareKing, "edge") {
        Some((0, _)) | None => "on the edge of the board".to_owned(),
        Some((count, _)) => format!("{} from the edge of the board", counted(count, "square")),
    };
    let (apart, _) = fact.count(Family::BareKing, "distance").unwrap_or_default();
    let apart = counted(apart, "step");
    format!("{piece} stands alone, {edge}; the kings are {apart} apart.")
}
