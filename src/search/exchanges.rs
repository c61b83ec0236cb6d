//! What captures and promotions gain, and the piece values that the search uses in static exchange evaluation.

use crate::chess::{ExchangeValues, Exchanges, Move, MoveKind, Position, Role, Square};

use super::params;

/// The values of the pieces in the exchanges of a search.
#[derive(Debug, Default)]
pub struct SearchValues;

impl ExchangeValues for SearchValues {
    #[inline]
    fn value(role: Role) -> i32 {
        match role {
            Role::Pawn => params::exchange_pawn(),
            Role::Knight => params::exchange_knight(),
            Role::Bishop => params::exchange_bishop(),
            Role::Rook => params::exchange_rook(),
            Role::Queen => params::exchange_queen(),
            Role::King => 0,
        }
    }
}

/// The exchanges of a node.
pub type SearchExchanges = Exchanges<SearchValues>;

/// Most valuable victim, least valuable attacker.
pub fn noisy_score(position: &Position, mv: Move) -> i32 {
    16 * gained(position, mv) - value_on(position, mv.from())
}

/// The material that a move gains at once, in centipawns: captured piece and promotion.
pub fn gained(position: &Position, mv: Move) -> i32 {
    if mv.kind() == MoveKind::EnPassant {
        return SearchValues::value(Role::Pawn);
    }
    let promotion = mv.promotion().map_or(0, |role| {
        SearchValues::value(role) - SearchValues::value(Role::Pawn)
    });
    value_on(position, mv.to()) + promotion
}

fn value_on(position: &Position, square: Square) -> i32 {
    position
        .piece_on(square)
        .map_or(0, |piece| SearchValues::value(piece.role()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_and_promotions_gain_material() {
        let position =
            Position::from_fen("1n2k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 2").expect("a position");
        let gains = |uci: &str| {
            let mut moves = position.legal_moves().to_vec();
            moves.retain(|mv| mv.uci(false).to_string() == uci);
            gained(&position, moves[0])
        };
        assert_eq!(
            ["e5d6", "e5e6", "a7a8q", "a7b8q"].map(gains),
            [100, 0, 800, 1100]
        );
    }
}
