//! Sentences about pieces and threats.

use super::super::concepts::Concept;
use super::super::motifs::attacks_of;
use super::super::topics::Topic;
use super::super::words::{self, counted, join, number};
use super::subject::{Subject, adjective, label};
use crate::chess::{Bitboard, Piece, Role, Square, attacks};
use crate::eval::Family;

pub(super) fn pieces(fact: &Subject, topic: Topic) -> String {
    let Subject {
        us,
        them,
        piece,
        square,
        ..
    } = fact;
    match topic {
        Topic::Placement => placement(fact),
        Topic::Mobility => match mobility(fact) {
            Some((0, _)) | None => format!("{piece} reaches no square."),
            Some((reach, _)) if is_pinned(fact) => {
                let attacked = counted(reach, "square");
                format!("{piece} attacks {attacked}, but is pinned to its king.")
            }
            Some((reach, safe)) => {
                let reached = counted(reach, "square");
                let kept = match safe {
                    _ if safe >= reach => String::new(),
                    0 if reach == 1 => format!(", not safe from {}", cheaper(fact)),
                    0 => format!(", none of them safe from {}", cheaper(fact)),
                    _ => format!(", {} of them safe from {}", number(safe), cheaper(fact)),
                };
                format!("{piece} reaches {reached}{kept}.")
            }
        },
        Topic::Outpost => match fact.find(Family::Outpost) {
            Some(index) => {
                let pawn = if label(index, "support") == "supported" {
                    ", and a pawn defends it"
                } else {
                    ""
                };
                format!(
                    "{piece} stands on an outpost: no {} pawn can advance to attack it{pawn}.",
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
        Topic::RookFile => rook_file(fact),
        Topic::RookOnSeventh => format!(
            "{piece} is on the seventh rank, with {} there.",
            fact.counted(
                Family::RookOnSeventh,
                "pawns",
                &format!("{} pawn", adjective(fact.enemy()))
            )
        ),
        Topic::TrappedRook => trapped(fact),
        _ => {
            let sliders = fact.squares & fact.position.by_color(fact.enemy());
            // The piece between may be a slider of the same side.
            let is_behind = |&slider: &Square| {
                let between = square.map(|queen| attacks::between(queen, slider));
                between.is_some_and(|between| (between & fact.position.occupied()).count() == 1)
            };
            let names = [Role::Bishop, Role::Rook].into_iter().filter_map(|role| {
                let on = (sliders & fact.position.by_role(role))
                    .into_iter()
                    .filter(is_behind)
                    .fold(Bitboard::EMPTY, Bitboard::with);
                let ending = if on.more_than_one() { "s" } else { "" };
                on.any()
                    .then(|| format!("{}{ending} on {}", words::role(role), words::squares(on)))
            });
            format!(
                "Only one piece stands between {piece} and {them}'s {}; {us} must watch that line.",
                join(&names.collect::<Vec<_>>())
            )
        }
    }
}

/// A rook on the outer side of its king that reaches few squares: another piece may be in its way.
fn trapped(fact: &Subject) -> String {
    let Subject { piece, square, .. } = fact;
    let attacked = square.map_or(Bitboard::EMPTY, |square| attacks_of(fact.position, square));
    if attacked.contains(fact.position.king(fact.side)) {
        return format!("{piece} is shut in by its own king.");
    }
    let reach = match (attacked & !fact.position.by_color(fact.side)).count() {
        0 => "no square".to_owned(),
        reach => counted(reach, "square"),
    };
    format!("{piece} stands on the outer side of its king and reaches {reach}.")
}

/// The squares that a piece reaches, and those of them that no cheaper enemy piece attacks.
fn mobility(fact: &Subject) -> Option<(usize, usize)> {
    let reach = attacks_of(fact.position, fact.square?);
    let (safe, _) = fact.count(Family::Mobility, "count")?;
    Some(((reach & !fact.position.by_color(fact.side)).count(), safe))
}

/// Whether the piece alone stands between its king and an enemy slider.
fn is_pinned(fact: &Subject) -> bool {
    let blockers = fact.position.slider_blockers(fact.side);
    fact.square.is_some_and(|square| blockers.contains(square))
}

/// What a piece's squares are counted safe from.
fn cheaper(fact: &Subject) -> &'static str {
    let piece = fact
        .square
        .and_then(|square| fact.position.piece_on(square));
    match piece.map(Piece::role) {
        Some(Role::Knight | Role::Bishop) => "pawns",
        Some(Role::Rook) => "pawns and minor pieces",
        _ => "cheaper pieces",
    }
}

/// The numbers of a piece's mobility in few words.
pub(super) fn mobility_state(fact: &Subject) -> String {
    let Some((reach, safe)) = mobility(fact) else {
        return String::new();
    };
    let plural = if safe == 1 { "" } else { "s" };
    match safe {
        0 if reach > 0 => format!("no square safe from {}", cheaper(fact)),
        0 => "no square".to_owned(),
        _ if safe >= reach => format!("{safe} square{plural}"),
        _ => format!("{safe} square{plural} safe from {}", cheaper(fact)),
    }
}

/// The file of a rook: how far it looks along it, or the own pawn on it.
fn rook_file(fact: &Subject) -> String {
    let Subject { piece, square, .. } = fact;
    let Some(square) = *square else {
        return String::new();
    };
    let file = Bitboard::from_file(square.file());
    let distance = |other: Square| other.distance(square);
    let ahead = |other: &Square| {
        let rank = |square: Square| fact.side.relative_rank(square.rank()) as u32;
        rank(*other) > rank(square)
    };
    let index = fact.find(Family::RookFile);
    let state = match index.map(|index| label(index, "state")).as_deref() {
        Some("open") => "an open file",
        Some("half-open") => "a half-open file",
        _ => {
            let pawns = file & fact.pieces(fact.side, Role::Pawn);
            let blocking = pawns
                .into_iter()
                .filter(ahead)
                .min_by_key(|&pawn| distance(pawn));
            let noun = if pawns.more_than_one() {
                "pawns"
            } else {
                "pawn"
            };
            let pawns = words::squares(pawns);
            return match blocking {
                Some(pawn) => format!("{piece} stands behind its own pawn on {pawn}."),
                None => format!("{piece} stands in front of its own {noun} on {pawns}."),
            };
        }
    };
    let seen = attacks::rook_attacks(square, fact.position.occupied()) & file;
    let far = { seen.into_iter().filter(ahead) }.max_by_key(|&far| distance(far));
    let own = |far: Square| {
        let piece = fact.position.piece_on(far)?;
        (piece.color() == fact.side).then(|| words::role(piece.role()))
    };
    match far {
        Some(far) => match own(far) {
            Some(role) => format!("{piece} stands on {state} behind its own {role} on {far}."),
            None => format!("{piece} stands on {state} and controls it as far as {far}."),
        },
        None => format!("{piece} stands on {state}."),
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
