//! Sentences about pieces and threats.

use super::super::concepts::Concept;
use super::super::topics::Topic;
use super::super::words::{self, counted, join, number};
use super::subject::{Subject, adjective, label};
use crate::chess::Role;
use crate::eval::Family;

pub(super) fn pieces(fact: &Subject, topic: Topic) -> String {
    let Subject {
        us, them, piece, ..
    } = fact;
    match topic {
        Topic::Placement => placement(fact),
        Topic::Mobility => {
            let (safe, _) = fact.count(Family::Mobility, "count").unwrap_or_default();
            let (reach, _) = fact.count(Family::Reach, "count").unwrap_or_default();
            if reach > safe {
                let of_them = match safe {
                    0 => "none of them safe".to_owned(),
                    _ => format!("{} of them safe", number(safe)),
                };
                format!("{piece} reaches {}, {of_them}.", counted(reach, "square"))
            } else {
                format!("{piece} has {}.", counted(safe, "safe square"))
            }
        }
        Topic::Outpost => match fact.find(Family::Outpost) {
            Some(index) => {
                let pawn = if label(index, "support") == "supported" {
                    ", and a pawn defends it"
                } else {
                    ""
                };
                format!(
                    "{piece} stands on an outpost: no {} pawn can ever attack it{pawn}.",
                    adjective(fact.enemy())
                )
            }
            None => format!("{piece} can go to an outpost that a pawn defends."),
        },
        Topic::BehindPawn => format!("{piece} stands directly behind a pawn."),
        Topic::BadBishop => {
            let blocked = match fact.count(Family::BadBishop, "blocked") {
                Some((0, _)) | None => String::new(),
                Some(_) => format!(
                    "; {} of its side in the centre cannot move",
                    fact.counted(Family::BadBishop, "blocked", "pawn")
                ),
            };
            format!(
                "{piece} has {} of its own on squares of its colour{blocked}.",
                fact.counted(Family::BadBishop, "pawns", "pawn")
            )
        }
        Topic::RookFile => {
            let state = fact
                .find(Family::RookFile)
                .map(|index| label(index, "state"));
            let file = match state.as_deref() {
                Some("open") => "an open file",
                Some("half-open") => "a file without own pawns",
                _ => "a file with an own pawn",
            };
            format!(
                "{piece} stands on {file}, with {} ahead.",
                fact.counted(Family::RookForward, "count", "square")
            )
        }
        Topic::RookOnSeventh => format!(
            "{piece} is on the seventh rank, with {} there.",
            fact.counted(
                Family::RookOnSeventh,
                "pawns",
                &format!("{} pawn", adjective(fact.enemy()))
            )
        ),
        Topic::TrappedRook => format!("{piece} is shut in by its own king."),
        _ => {
            let by = fact
                .find(Family::QueenExposed)
                .map(|index| label(index, "by"));
            let sliders = fact.squares & fact.position.by_color(fact.enemy());
            let on = sliders & (fact.position.diagonal() | fact.position.orthogonal());
            format!(
                "Only one piece stands between {piece} and {them}'s {} on {}; {us} must watch that line.",
                by.unwrap_or_default(),
                words::squares(on)
            )
        }
    }
}

pub(super) fn placement(fact: &Subject) -> String {
    let Subject { them, piece, .. } = fact;
    let steps = |family: Family| fact.count(family, "steps").map(|(steps, _)| steps);
    let king = fact.position.king(fact.enemy());
    let distance = fact.square.map(|square| square.distance(king) as usize);
    let near = fact
        .features
        .iter()
        .any(|feature| feature.concept == Concept::KingAttack);
    let first_rank = fact
        .features
        .iter()
        .any(|feature| feature.concept == Concept::Development);
    let stands = piece.replacen(" on ", " stands on ", 1);
    match (steps(Family::OwnKing), steps(Family::EnemyKing)) {
        _ if near => {
            let steps = counted(distance.unwrap_or_default(), "step");
            format!("{stands}, {steps} from {them}'s king.")
        }
        _ if first_rank => format!("{stands}, on its first rank."),
        (Some(own), Some(enemy)) => format!(
            "{stands}, {} from its own king and {} from {them}'s.",
            counted(own, "step"),
            number(enemy)
        ),
        _ => format!("{stands}."),
    }
}

pub(super) fn threats(fact: &Subject, topic: Topic) -> String {
    let Subject {
        us,
        them,
        piece,
        position,
        ..
    } = fact;
    match topic {
        Topic::Attacked => {
            let Some(target) = fact.square else {
                return String::new();
            };
            let attackers =
                position.attackers_to(target, position.occupied()) & position.by_color(fact.side);
            let names: Vec<String> = attackers
                .into_iter()
                .map(|from| {
                    let role = position
                        .piece_on(from)
                        .map_or("piece", |piece| words::role(piece.role()));
                    format!("{role} on {from}")
                })
                .collect();
            let verb = if names.len() == 1 {
                "attacks"
            } else {
                "attack"
            };
            let index = fact.find(Family::Threat);
            let how = match index.map(|index| label(index, "defence")).as_deref() {
                Some("undefended") => ", which nothing defends",
                Some("outnumbered") => ", which has fewer defenders than attackers",
                Some("held") => ", which is defended",
                _ => ", which a pawn defends",
            };
            let turn = if position.turn() == fact.side {
                format!("; {us} is to move")
            } else {
                String::new()
            };
            format!("{us}'s {} {verb} {piece}{how}{turn}.", join(&names))
        }
        Topic::PawnPush => format!(
            "A push of a {} pawn would attack {piece}.",
            adjective(fact.side)
        ),
        Topic::QueenChase => {
            let queens = fact.squares & position.pieces(fact.enemy(), Role::Queen);
            format!(
                "{us} can attack {them}'s queen on {} safely from {}.",
                words::squares(queens),
                words::squares(fact.squares & !queens)
            )
        }
        Topic::Undefended => format!("{piece} is undefended."),
        Topic::Pinned => format!("{piece} is pinned to its king."),
        _ => format!("If {piece} moves away, {them}'s king is in check."),
    }
}
