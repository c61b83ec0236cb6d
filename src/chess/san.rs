//! Standard algebraic notation (SAN). shakmaty reads and writes the text; this file matches it with legal moves.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingSide, Role};

use super::board::Position;
use super::moves::Move;

impl Position {
    /// The legal move that a SAN describes; `None` if there is none, or more than one.
    #[must_use]
    pub fn find_san(&self, san: San) -> Option<Move> {
        let moves = self.legal_moves();
        // The square rules out almost all moves at once.
        let to = match san {
            San::Normal { to, .. } => Some(to),
            _ => None,
        };
        let is_near = |mv: Move| to.is_none_or(|to| to == mv.to());
        let mut matching = moves
            .iter()
            .filter(|&&mv| is_near(mv) && self.matches_san(san, mv));
        let first = matching.next()?;
        matching.next().is_none().then_some(*first)
    }

    fn matches_san(&self, san: San, mv: Move) -> bool {
        match san {
            San::Normal {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } => {
                mv.to() == to
                    && !mv.is_castling()
                    && self.role_at(mv) == Some(role)
                    && mv.promotion() == promotion
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
            }
            San::Castle(side) => mv.is_castling() && castling_side(mv) == side,
            San::Put { .. } | San::Null => false,
        }
    }

    fn role_at(&self, mv: Move) -> Option<Role> {
        self.piece_on(mv.from()).map(super::Piece::role)
    }

    /// A legal move in SAN, with the suffix for check or mate. An illegal one is handled as in [`Position::play`].
    #[must_use]
    pub fn san(&self, mv: Move) -> SanPlus {
        let role = self.role_at(mv).unwrap_or(Role::Pawn);
        let (file, rank, to) = (mv.from().file(), mv.from().rank(), mv.to());
        let normal = |named_file: bool, named_rank: bool| San::Normal {
            role,
            file: named_file.then_some(file),
            rank: named_rank.then_some(rank),
            capture: mv.is_capture(),
            to,
            promotion: mv.promotion(),
        };
        let san = if mv.is_castling() {
            San::Castle(castling_side(mv))
        } else if role == Role::Pawn {
            normal(mv.is_capture(), false)
        } else {
            [(false, false), (true, false), (false, true)]
                .into_iter()
                .map(|(file, rank)| normal(file, rank))
                .find(|&san| self.find_san(san) == Some(mv))
                .unwrap_or_else(|| normal(true, true))
        };
        let after = self.play(mv);
        let suffix = match (after.in_check(), after.has_legal_move()) {
            (true, true) => Some(Suffix::Check),
            (true, false) => Some(Suffix::Checkmate),
            (false, _) => None,
        };
        SanPlus { san, suffix }
    }
}

fn castling_side(mv: Move) -> CastlingSide {
    if mv.to().file() > mv.from().file() {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sans_are_unique_and_parse_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2P1P3/k7/8/7Q/8/N1N4Q/K1N1N2Q w - - 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let moves = position.legal_moves();
            let mut sans = BTreeSet::new();
            for &mv in &moves {
                let san = position.san(mv);
                assert_eq!(position.find_san(san.san), Some(mv), "{san}");
                assert!(sans.insert(san.to_string()), "{san}");
            }
            assert_eq!(sans.len(), moves.len());
        }
    }

    #[test]
    fn sans_are_disambiguated_only_where_needed() {
        let knights = "8/2P1P3/k7/8/7Q/8/N1N4Q/K1N1N2Q w - - 0 1";
        for (fen, uci, san) in [
            (knights, "h2f4", "Q2f4"),
            (knights, "h4h8", "Qh8"),
            (knights, "c7c8q", "c8=Q+"),
            (knights, "e7e8n", "e8=N"),
            (knights, "e1d3", "Ned3"),
            ("6r1/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let mv = position.parse_move(uci).expect("a legal move");
            assert_eq!(position.san(mv).to_string(), san);
        }
        let position = Position::from_fen(knights).expect("a position");
        let find = |san: &[u8]| position.find_san(San::from_ascii(san).expect("valid SAN"));
        assert_eq!(find(b"Nd4"), position.parse_move("c2d4").ok());
        assert_eq!(find(b"Nd3"), None);
        assert_eq!(find(b"O-O"), None);
    }
}
