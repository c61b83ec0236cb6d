//! The motif that a line wins by. A definition may hold where other things decide.

use super::find;
use super::kind::{Kind, Motif};
use super::line::Line;
use crate::chess::{Bitboard, Move, Role, attacks};

/// A motif later in a line is no reason for it, in plies.
const MAX_PLY: usize = 6;

/// Kinds that describe a move but are no reason for it.
const NO_REASONS: [Kind; 10] = [
    Kind::Mate,
    Kind::Castling,
    Kind::QuietMove,
    Kind::EnPassant,
    Kind::AdvancedPawn,
    Kind::ExposedKing,
    Kind::DefensiveMove,
    Kind::OnlyMove,
    Kind::AttackingF2F7,
    Kind::Sacrifice,
];

/// The motif that a line wins by: the game, if `is_won`, or at least so many centipawns from its move on.
pub(in crate::explain) fn reason(line: &Line, is_won: bool, least: i32) -> Option<Motif> {
    let gain = |motif: &Motif| motif.numbers.first().copied().unwrap_or_default();
    let wins = |motif: &Motif| is_won || gain(motif) >= least;
    find(line)
        .into_iter()
        .filter(|motif| motif.ply <= MAX_PLY && !NO_REASONS.contains(&motif.kind))
        .filter(|motif| wins(motif) && !is_by_the_way(line, motif))
        .min_by_key(order)
}

/// The order of motifs in an explanation. Of several motifs the earliest is the reason: the later ones follow from it. A
/// named mate comes first, a promotion before what the new piece attacks, but the fork of a new knight before its promotion:
/// it is why the pawn becomes a knight.
fn order(motif: &Motif) -> (bool, usize, bool, Kind) {
    let is_knight = motif
        .pieces
        .first()
        .is_some_and(|piece| piece.role() == Role::Knight);
    let is_promotion = matches!(motif.kind, Kind::Promotion | Kind::UnderPromotion) && !is_knight;
    (
        !motif.kind.is_named_mate(),
        motif.ply,
        !is_promotion,
        motif.kind,
    )
}

/// Whether a motif is true but not what the line is about.
fn is_by_the_way(line: &Line, motif: &Motif) -> bool {
    let ply = motif.ply;
    let is_taken_at_once =
        ply + 1 < line.moves().len() && line.mv(ply + 1).to() == line.mv(ply).to();
    match motif.kind {
        Kind::Pin => is_old_pin(line, motif),
        // The piece forks nothing when it is gone; any piece could have promoted.
        Kind::Fork => is_taken_at_once,
        Kind::UnderPromotion => is_taken_at_once || is_as_good_as_a_queen(line, ply),
        Kind::Promotion => is_taken_at_once && line.captured(ply).is_some(),
        // The capture itself wins, or the piece for which the line is cleared wins nothing that a reader sees.
        Kind::Clearance => {
            let wins_later = line.is_mate()
                || ply + 4 < line.moves().len()
                    && line.mv(ply + 4).from() == line.mv(ply + 2).to()
                    && line.captured(ply + 4).is_some();
            line.captured(ply).is_some_and(|role| role != Role::Pawn) || !wins_later
        }
        // Every check before a mate moves the king.
        Kind::Deflection | Kind::Interference => line.is_mate() && line.role(ply + 1) == Role::King,
        _ => false,
    }
}

/// Whether a promotion is to a rook or a bishop and a queen would not stalemate: a queen does all that they do.
fn is_as_good_as_a_queen(line: &Line, ply: usize) -> bool {
    let (before, mv) = (line.position(ply), line.mv(ply));
    let is_queen = |other: &Move| {
        (other.from(), other.to(), other.promotion()) == (mv.from(), mv.to(), Some(Role::Queen))
    };
    let legal = before.legal_moves();
    mv.promotion() != Some(Role::Knight)
        && (legal.iter().copied().find(is_queen)).is_some_and(|queen| {
            let after = before.play(queen);
            after.in_check() || !after.legal_moves().is_empty()
        })
}

/// Whether a pin was there before the move that is said to make it.
fn is_old_pin(line: &Line, motif: &Motif) -> bool {
    let [pinner, pinned, behind, ..] = motif.squares[..] else {
        return false;
    };
    let before = line.position(motif.ply);
    let mut stood = motif.pieces.iter().zip(&motif.squares);
    stood.all(|(&piece, &square)| before.piece_on(square) == Some(piece))
        && (attacks::between(pinner, behind) & before.occupied()) == Bitboard::from_square(pinned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn line(fen: &str, moves: &str) -> Line {
        let position = Position::from_fen(fen).expect("a position");
        Line::parse(&position, moves).expect("legal moves")
    }

    fn kind(line: &Line) -> Option<Kind> {
        reason(line, false, 100).map(|motif| motif.kind)
    }

    #[test]
    fn a_piece_that_is_taken_at_once_forks_nothing() {
        let fen = "8/7p/3q2p1/pp1Pk3/3R3P/P1P1K3/1P4P1/8 w - - 0 61";
        let line = line(fen, "d4e4 e5f5 g2g4 f5f6 e4e6 d6e6 d5e6 f6e6");
        let is_fork = |motif: &Motif| motif.kind == Kind::Fork;
        assert!(find(&line).iter().any(is_fork));
        assert_ne!(kind(&line), Some(Kind::Fork));
    }

    #[test]
    fn any_piece_could_promote_where_it_is_taken_at_once() {
        let fen = "4r2k/p3B2p/1p4p1/2pP4/P1Pb1P2/1P4PP/6K1/8 w - - 1 36";
        let line = line(fen, "d5d6 h8g7 d6d7 e8a8 d7d8r a8d8 e7d8");
        assert_eq!(kind(&line), Some(Kind::Promotion));
    }

    #[test]
    fn a_rook_is_promoted_to_where_a_queen_would_stalemate() {
        let of = |fen: &str, moves: &str| kind(&line(fen, moves));
        let fen = "r2qk2r/p2b1pP1/4p2p/3p4/QpP5/2NBP3/1P3PPP/R1B1K2R w KQkq - 0 14";
        assert_ne!(of(fen, "g7h8r e8e7 h8d8 a8d8"), Some(Kind::UnderPromotion));
        let fen = "8/5P1k/8/6K1/8/8/8/8 w - - 0 1";
        assert_eq!(of(fen, "f7f8r h7g7"), Some(Kind::UnderPromotion));
    }

    /// The new queen attacks the king and a pawn behind it.
    #[test]
    fn a_promotion_comes_before_what_the_new_piece_attacks() {
        let fen = "8/N2k2p1/8/2BP1p2/5P2/3K3p/P6n/8 b - - 0 36";
        let line = line(fen, "h2f3 d3e3 h3h2 e3f3 h2h1q f3e2 h1d5");
        let is_skewer = |motif: &Motif| motif.kind == Kind::Skewer;
        assert!(find(&line).iter().any(is_skewer));
        assert_eq!(kind(&line), Some(Kind::Promotion));
    }

    #[test]
    fn a_pawn_becomes_a_knight_for_its_fork() {
        let line = line("8/2pr1P2/6k1/8/5K2/P7/8/8 w - - 0 58", "f7f8n g6f7 f8d7");
        assert_eq!(kind(&line), Some(Kind::Fork));
    }

    #[test]
    fn a_check_before_mate_deflects_no_king() {
        let fen = "5r1r/2q2pk1/1pn1p1p1/p2pP1QR/8/2P2NP1/PP2bPK1/R7 w - - 1 25";
        let fen = fen.replacen("5r1r", "r6r", 1);
        let line = line(&fen, "g5f6 g7f8 h5h8");
        assert_eq!(reason(&line, true, 100).map(|motif| motif.kind), None);
    }
}
