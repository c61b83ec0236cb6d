//! Motifs in words: the move, the pieces and squares, the consequence.

use crate::chess::{Color, Piece, Role, Square};

use super::kind::{Kind, Motif};
use super::line::Line;

/// A motif of this line as one sentence.
///
/// ```
/// use lucena::chess::Position;
/// use lucena::explain::motifs::{Kind, Line, find, sentence};
///
/// let position = Position::from_fen("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1")?;
/// let line = Line::parse(&position, "d5c7 e8d7 c7a8")?;
/// let fork = find(&line).into_iter().find(|motif| motif.kind == Kind::Fork).expect("a fork");
/// assert_eq!(sentence(&line, &fork), "1.Nc7+ attacks the king on e8 and the rook on a8 at once.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sentence(line: &Line, motif: &Motif) -> String {
    let mv = numbered(line, motif.ply);
    let at = |index: usize| named(motif, index);
    let next = || numbered(line, motif.ply + 2);
    let side = color(motif.side);
    match motif.kind {
        Kind::Fork => format!("{mv} attacks {} at once.", list(motif, 1)),
        Kind::Pin => format!("{} is pinned to {} by {}.", capital(&at(1)), at(2), at(0)),
        Kind::Skewer => format!(
            "{mv} attacks {}; when it moves, {} behind it is lost.",
            at(1),
            at(2)
        ),
        Kind::DiscoveredAttack => format!("{mv} opens the line of {} to {}.", at(0), at(1)),
        Kind::DiscoveredCheck => format!("{mv} uncovers the check of {}.", at(1)),
        Kind::DoubleCheck => format!(
            "{mv} checks with {} at once, so the king must move.",
            list(motif, 1)
        ),
        Kind::XRayAttack => format!(
            "{} attacks {} through {}.",
            capital(&at(0)),
            motif.squares[2],
            at(1)
        ),
        Kind::HangingPiece => format!("{} is defended by nobody: {mv} takes it.", capital(&at(0))),
        Kind::TrappedPiece => format!(
            "After {mv} {} is attacked and has no square where it is not lost.",
            at(0)
        ),
        Kind::CapturingDefender => format!("{mv} takes {}, which alone defended {}.", at(0), at(1)),
        Kind::Deflection => format!(
            "{mv} draws {} away from {}; {} follows.",
            at(0),
            motif.squares[1],
            next()
        ),
        Kind::Attraction => format!(
            "{mv} draws {} to {}; {} follows.",
            kind_of(motif, 0),
            motif.squares[0],
            next()
        ),
        Kind::Interference => format!(
            "After {mv} the square {} is blocked, and {} no longer defends {}.",
            motif.squares[0],
            at(1),
            motif.squares[2]
        ),
        Kind::Clearance => format!("{mv} clears {} for {}.", motif.squares[0], next()),
        Kind::Intermezzo => format!("{mv} comes first; {} is taken a move later.", at(0)),
        Kind::Sacrifice => format!("{side} gives material with {mv}."),
        Kind::Promotion | Kind::UnderPromotion => format!("{mv} promotes the pawn."),
        Kind::AdvancedPawn => format!("{mv} brings the pawn close to promotion."),
        Kind::EnPassant => format!("{mv} takes en passant."),
        Kind::Castling => format!("{mv} castles."),
        Kind::AttackingF2F7 => format!("{mv} takes on {} beside the king.", motif.squares[0]),
        Kind::ExposedKing => format!("{mv} checks {}, beside which no pawn stood.", at(0)),
        Kind::Zugzwang => format!(
            "After {mv} every move loses; {} could hold by passing.",
            color(!motif.side)
        ),
        Kind::QuietMove => format!("{mv} neither checks nor captures."),
        Kind::DefensiveMove => format!("{mv} parries the threat."),
        Kind::OnlyMove => format!("{mv} is the only move."),
        Kind::Mate => match motif.numbers.first() {
            Some(&moves) if moves > 1 => format!("{mv} is mate, in {moves} moves."),
            _ => format!("{mv} is mate."),
        },
        Kind::BackRankMate => format!(
            "{mv} is mate: {} checks along the back rank, and the king has no square.",
            at(1)
        ),
        Kind::SmotheredMate => format!(
            "{mv} is mate: the knight checks, and {}'s own pieces leave the king no square.",
            color(!motif.side)
        ),
        _ => format!(
            "{mv} is mate: {} leave the king on {} no square.",
            list(motif, 1),
            motif.squares[0]
        ),
    }
}

/// A move with its number, as `4.Nxe5` or `4…Qg5`.
fn numbered(line: &Line, ply: usize) -> String {
    let Some(&mv) = line.moves().get(ply) else {
        return String::new();
    };
    let position = line.position(ply);
    let dots = position.turn().fold_wb(".", "…");
    format!("{}{dots}{}", position.fullmoves(), position.san(mv))
}

fn color(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn kind_of(motif: &Motif, index: usize) -> String {
    let piece: Option<&Piece> = motif.pieces.get(index);
    piece.map_or_else(String::new, |piece| format!("the {}", role(piece.role())))
}

/// `the knight on e5`.
fn named(motif: &Motif, index: usize) -> String {
    let square: Option<&Square> = motif.squares.get(index);
    match square {
        Some(square) => format!("{} on {square}", kind_of(motif, index)),
        None => String::new(),
    }
}

/// The pieces from an index on: `the king on g6 and the queen on d7`.
fn list(motif: &Motif, from: usize) -> String {
    let names: Vec<String> = (from..motif.squares.len())
        .map(|i| named(motif, i))
        .collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
