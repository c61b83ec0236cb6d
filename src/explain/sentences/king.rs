//! Sentences about kings.

use std::fmt::Write as _;

use super::super::topics::Topic;
use super::super::words::{self, counted, join, number};
use super::subject::{Subject, label};
use crate::chess::{Bitboard, File, Role, Square};
use crate::eval::Family;

pub(super) fn king(fact: &Subject, topic: Topic) -> String {
    let Subject {
        us, them, piece, ..
    } = fact;
    match topic {
        Topic::Shelter => shelter(fact),
        Topic::KingPlace => {
            let stands = piece.replacen(" on ", " stands on ", 1);
            match fact.count(Family::KingToPawn, "steps") {
                Some((steps, _)) => {
                    format!(
                        "{stands}, {} from the nearest pawn.",
                        counted(steps, "step")
                    )
                }
                None => format!("{stands}."),
            }
        }
        Topic::KingDefenders => format!(
            "{us}'s pieces defend {} around {piece}.",
            fact.counted(Family::KingGuards, "guards", "square")
        ),
        Topic::KingLines => format!(
            "Lines to {piece} are open from {}.",
            fact.counted(Family::KingLines, "count", "square")
        ),
        Topic::KingMoves => {
            let moves = fact.counted(Family::KingMoves, "count", "safe square");
            format!("{piece} has {moves} to move to.")
        }
        Topic::Castling => {
            let rights = fact.features.iter().map(|feature| {
                let wing = label(feature.index, "wing");
                let files = match label(feature.index, "pawns").parse() {
                    Ok(0) | Err(_) => "none".to_owned(),
                    Ok(3) => "all".to_owned(),
                    Ok(files) => number(files),
                };
                format!("the {wing} (pawns shelter {files} of the three files there)")
            });
            format!("{us} may castle to {}.", join(&rights.collect::<Vec<_>>()))
        }
        Topic::KingAttackers => attackers(fact),
        Topic::SafeChecks => match checkers(fact).as_slice() {
            [] => format!("{them} has no safe check against {piece}."),
            list => format!(
                "{them} can check {piece} safely with {}.",
                list.join(" or ")
            ),
        },
        Topic::UnsafeChecks => match fact.count(Family::UnsafeChecks, "count") {
            Some((0, _)) | None => format!("{them} has no check that would lose a piece."),
            _ => format!(
                "{them} can check {piece} from {} where the piece would be captured.",
                fact.counted(Family::UnsafeChecks, "count", "square")
            ),
        },
        Topic::AttacksNearKing => {
            let attacked = fact.counted(Family::CampAttacks, "count", "square");
            let twice = match fact.count(Family::CampAttacksTwice, "count") {
                Some((1.., _)) if attacked.starts_with("one ") => ", twice".to_owned(),
                Some((count, _)) if count > 0 => format!(", {} of them twice", number(count)),
                _ => String::new(),
            };
            format!("{them} attacks {attacked} of {us}'s camp on the files around {piece}{twice}.")
        }
        _ => format!(
            "{them}'s pawns attack {} around {piece}.",
            fact.counted(Family::KingStorm, "count", "square")
        ),
    }
}

/// The pawns in front of a king, the files without one, and near enemy pawns.
pub(super) fn shelter(fact: &Subject) -> String {
    /// A pawn at most this many ranks ahead is near; an own one that is farther ahead shelters little.
    const NEAR: u32 = 3;
    let Subject { them, piece, .. } = fact;
    let own = fact.squares & fact.pieces(fact.side, Role::Pawn);
    let enemy = fact.squares & fact.pieces(fact.enemy(), Role::Pawn);
    let king = fact.position.king(fact.side);
    let is_beside = (own & Bitboard::from_rank(king.rank())).any();
    let ahead = |pawn: &Square| (pawn.rank() as u32).abs_diff(king.rank() as u32);
    let near = |pawns: Bitboard| {
        let near = pawns.into_iter().filter(|pawn| ahead(pawn) <= NEAR);
        near.fold(Bitboard::EMPTY, Bitboard::with)
    };
    let sheltering = near(own);
    let advanced = own & !sheltering;
    let mut text = if own.is_empty() {
        format!("{piece} has no pawn in front of it")
    } else if sheltering.is_empty() {
        let noun = if own.more_than_one() {
            "advanced pawns"
        } else {
            "an advanced pawn"
        };
        format!(
            "{piece} has only {noun} in front of it, on {}",
            words::squares(own)
        )
    } else {
        let stands = if is_beside {
            "stands behind or beside"
        } else {
            "stands behind"
        };
        let noun = if sheltering.more_than_one() {
            "pawns"
        } else {
            "a pawn"
        };
        let far = if advanced.is_empty() {
            String::new()
        } else if advanced.more_than_one() {
            format!(" and advanced ones on {}", words::squares(advanced))
        } else {
            format!(" and an advanced one on {}", words::squares(advanced))
        };
        format!(
            "{piece} {stands} {noun} on {}{far}",
            words::squares(sheltering)
        )
    };
    let middle = (king.file() as u32).clamp(1, 6);
    let files = [middle - 1, middle, middle + 1].map(File::new);
    let bare = files
        .iter()
        .filter(|&&file| (own & Bitboard::from_file(file)).is_empty());
    let bare: Vec<String> = bare.map(|file| format!("{}-file", file.char())).collect();
    if own.any() && !bare.is_empty() {
        let _ = write!(text, ", with none on the {}", join(&bare));
    }
    let near = near(enemy);
    if near.any() {
        let are = if near.more_than_one() {
            "pawns are"
        } else {
            "pawn is"
        };
        let _ = write!(text, "; {them}'s {are} near on {}", words::squares(near));
    }
    text + "."
}

/// The pieces that attack the squares around a king.
pub(super) fn attackers(fact: &Subject) -> String {
    let Subject { them, piece, .. } = fact;
    let kinds = [
        ("minors", "minor piece"),
        ("rooks", "rook"),
        ("queens", "queen"),
    ];
    let kinds = kinds.into_iter().filter_map(|(axis, noun)| {
        let (count, _) = fact.count(Family::KingAttackers, axis)?;
        let counted = fact.counted(Family::KingAttackers, axis, noun);
        (count > 0).then(|| counted.replacen("one ", "a ", 1).replace(" at least", ""))
    });
    let kinds: Vec<String> = kinds.collect();
    if kinds.is_empty() {
        return format!("None of {them}'s pieces attacks the squares around {piece}.");
    }
    let weak = match fact.count(Family::KingAttackers, "weak") {
        Some((0, _)) | None => String::new(),
        _ => format!("; {} badly defended", {
            let weak = fact.counted(Family::KingAttackers, "weak", "square");
            format!(
                "{weak} {}",
                if weak.starts_with("one ") {
                    "is"
                } else {
                    "are"
                }
            )
        }),
    };
    format!(
        "{them} attacks the squares around {piece} with {}{weak}.",
        join(&kinds)
    )
}

/// The kinds of pieces that have a safe check.
pub(super) fn checkers(fact: &Subject) -> Vec<String> {
    let checks = fact
        .find(Family::SafeChecks)
        .map(|index| label(index, "checks"));
    let checks = checks.filter(|checks| checks != "none").unwrap_or_default();
    checks
        .chars()
        .map(|letter| match letter {
            'N' => "a knight".to_owned(),
            'B' => "a bishop".to_owned(),
            'R' => "a rook".to_owned(),
            _ => "the queen".to_owned(),
        })
        .collect()
}
