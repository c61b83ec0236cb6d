//! Sentences about pawns.

use std::fmt::Write as _;

use super::super::topics::Topic;
use super::super::words::{self, counted, number};
use super::subject::{Subject, adjective, label};
use crate::chess::{Bitboard, Role, attacks};
use crate::eval::Family;

pub(super) fn pawns(fact: &Subject, topic: Topic) -> String {
    let Subject {
        us,
        them,
        piece,
        square,
        ..
    } = fact;
    match topic {
        Topic::PawnFormation => {
            let own = fact.pieces(fact.side, Role::Pawn);
            match own.count() {
                1 => format!("{us}'s pawn stands on {}.", words::squares(own)),
                _ => format!("{us}'s pawns stand on {}.", words::squares(own)),
            }
        }
        Topic::IsolatedPawn => {
            let opposed = fact
                .find(Family::Isolated)
                .map(|index| label(index, "opposed"));
            let open = if opposed.as_deref() == Some("unopposed") {
                format!(", with no {them} pawn in front of it")
                    .replace(them, adjective(fact.enemy()))
            } else {
                String::new()
            };
            format!("{piece} is isolated{open}.")
        }
        Topic::DoubledPawn => format!("{piece} is doubled."),
        Topic::BackwardPawn => {
            format!("{piece} is backward: no pawn can defend it, and it cannot advance safely.")
        }
        Topic::ConnectedPawn => {
            let link = fact
                .find(Family::Connected)
                .map(|index| label(index, "link"));
            let how = match link.as_deref() {
                Some("in a phalanx") => "stands beside another pawn",
                Some("defended once") => "is defended by a pawn",
                Some("defended once in a phalanx") => {
                    "is defended by a pawn and stands beside another"
                }
                Some("defended twice") => "is defended by two pawns",
                _ => "is defended by two pawns and stands beside a third",
            };
            format!("{piece} {how}.")
        }
        Topic::PawnLever => {
            let attacks = square.map_or(Bitboard::EMPTY, |square| {
                attacks::pawn_attacks(fact.side, square)
            });
            let targets = attacks & fact.pieces(fact.enemy(), Role::Pawn);
            format!(
                "{piece} attacks {}'s pawn on {}.",
                them,
                words::squares(targets)
            )
        }
        Topic::BlockedPawn => {
            format!("{piece} is blocked by a {} pawn.", adjective(fact.enemy()))
        }
        Topic::CandidatePawn => format!(
            "{piece} can become a passed pawn: no {} pawn stands in front of it, and it has enough support.",
            adjective(fact.enemy())
        ),
        Topic::PawnsOnOneWing => format!(
            "All pawns stand within four files; {us} has {}.",
            fact.counted(Family::OneWing, "count", "pawn")
        ),
        _ => match fact.count(Family::Islands, "count") {
            Some((0, _)) | None => format!("{us} has no pawns."),
            Some((1, _)) => format!("{us} has one pawn island."),
            Some((count, _)) => format!("{us} has {} pawn islands.", number(count)),
        },
    }
}

pub(super) fn passed(fact: &Subject) -> String {
    let Subject {
        us, them, piece, ..
    } = fact;
    let mut text = match piece.split_once("'s pawn") {
        Some((side, rest)) => format!("{side}'s passed pawn{rest}"),
        None => piece.clone(),
    };
    if let Some(square) = fact.square {
        let rank = fact.side.relative_rank(square.rank()) as usize;
        let _ = write!(
            text,
            " needs {} to promote",
            counted((7 - rank).min(5), "move")
        );
    }
    if fact.has(Family::PassedPair) {
        text += "; another pawn supports it";
    }
    if fact.has(Family::Runner) {
        let _ = write!(text, "; {them}'s king is outside its square");
    } else if let Some(path) = fact
        .find(Family::PassedPath)
        .map(|index| label(index, "path"))
    {
        text += match path.as_str() {
            "pieces" => "; a piece stands in its way",
            "attacks" => "; its path is attacked",
            _ => "; its path is free",
        };
    }
    for feature in fact.features {
        if feature.index.family() == Family::PassedBehind {
            let owner = if label(feature.index, "owner") == "own" {
                us
            } else {
                them
            };
            let _ = write!(text, "; {owner} has a rook or queen behind it");
        }
    }
    let own = fact.count(Family::PassedOwnKing, "steps");
    let enemy = fact.count(Family::PassedEnemyKing, "steps");
    if let (Some((own, _)), Some((enemy, _))) = (own, enemy) {
        let from = |steps: usize| counted(steps, "step");
        let _ = match (own, enemy) {
            (0, _) => write!(
                text,
                "; {us}'s king is on its next square, {them}'s {} from it",
                from(enemy)
            ),
            (_, 0) => write!(
                text,
                "; {us}'s king is {} from its next square, {them}'s on it",
                from(own)
            ),
            _ => write!(
                text,
                "; {us}'s king is {} from its next square, {them}'s {}",
                from(own),
                from(enemy)
            ),
        };
    }
    text + "."
}
