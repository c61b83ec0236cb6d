//! Features of counts: piece-square terms, material and its products.
//!
//! The product of two counts is a feature like others, so the value of the bishop pair, or of a rook against two minor
//! pieces, is trained without leaving the weighted sum.

use super::super::endings::EndingOf;
use super::super::families::{
    BareKing, ClassMaterial, Ending, EnemyKing, Imbalance, Index, Material, Opposition, OwnKing,
    PieceSquare,
};
use super::super::king_piece_square::Perspective;
use super::super::material::{MaterialClass, own_product};
use super::super::side::{Black, Side, White, steps};
use super::super::sink::FeatureSink;
use crate::chess::{Bitboard, Color, Position, Role};

/// What the piece walks read of the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialFacts {
    pub(in crate::eval) class: MaterialClass,
    /// The phase in four steps, 0 to 3.
    pub(in crate::eval) phase: u8,
}

/// Counts of the bishop pair, pawns, knights, bishops, rooks and queens, in the order of the axis [`ImbalanceItem`].
///
/// [`ImbalanceItem`]: super::super::axes::ImbalanceItem
type Counts = [i32; 6];

/// Adds the features that an [`Accumulator`](super::super::Accumulator) sums up move by move.
pub(super) fn piece_square_features<S: FeatureSink>(position: &Position, sink: &mut S) {
    piece_square::<White, S>(position, sink);
    piece_square::<Black, S>(position, sink);
}

fn piece_square<C: Side, S: FeatureSink>(position: &Position, sink: &mut S) {
    for role in Role::ALL {
        let pieces = position.pieces(C::COLOR, role);
        if role != Role::King && pieces.any() {
            sink.add::<C>(Material::at(role), pieces.count() as i32, pieces);
        }
        for square in pieces {
            let index = PieceSquare::at(role, C::relative(square));
            sink.add::<C>(index, 1, Bitboard::from_square(square));
        }
    }
    let king = position.king(C::COLOR);
    let perspective = Perspective::of(C::COLOR, king);
    for square in position.occupied() ^ Bitboard::from_square(king) {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let bit = Bitboard::from_square(square);
        sink.add::<C>(perspective.index(piece, square), 1, bit);
        if !matches!(piece.role(), Role::Pawn | Role::King) {
            let steps = steps(king, square);
            if piece.color() == C::COLOR {
                sink.add::<C>(OwnKing::at(piece.role(), steps), 1, bit);
            } else {
                sink.add::<C::Enemy>(EnemyKing::at(piece.role(), steps), 1, bit);
            }
        }
    }
}

/// Adds the features that depend only on piece counts, except plain material.
#[inline]
pub(in crate::eval) fn material_features<S: FeatureSink>(
    position: &Position,
    sink: &mut S,
) -> MaterialFacts {
    let class = MaterialClass::of(position);
    let (white, black) = (counts::<White>(position), counts::<Black>(position));
    products::<White, S>(&white, &black, class, sink);
    products::<Black, S>(&black, &white, class, sink);
    if let Some(ending) = EndingOf::of(position) {
        let [own, enemy] = ending.pawns;
        let index = Ending::at(ending.forces, enemy, own);
        match ending.leader {
            Color::White => sink.add::<White>(index, 1, Bitboard::EMPTY),
            Color::Black => sink.add::<Black>(index, 1, Bitboard::EMPTY),
        }
    }
    let of = |role| position.by_role(role).count();
    let minors = of(Role::Knight) + of(Role::Bishop);
    let phase = minors + 2 * of(Role::Rook) + 4 * of(Role::Queen);
    MaterialFacts {
        class,
        phase: (phase.min(24) / 7) as u8,
    }
}

fn counts<C: Side>(position: &Position) -> Counts {
    let mut counts = [0; 6];
    for role in &Role::ALL[..5] {
        counts[*role as usize] = position.pieces(C::COLOR, *role).count() as i32;
    }
    counts[0] = i32::from(counts[Role::Bishop as usize] > 1);
    counts
}

#[inline]
fn products<C: Side, S: FeatureSink>(
    own: &Counts,
    enemy: &Counts,
    class: MaterialClass,
    sink: &mut S,
) {
    let mut add = |index, count| {
        if count != 0 {
            sink.add::<C>(index, count, Bitboard::EMPTY);
        }
    };
    for one in 0..own.len() {
        for other in 0..one {
            add(Imbalance::at((one, other)), own[one] * own[other]);
            add(Opposition::at((one, other)), own[one] * enemy[other]);
        }
        if one == 0 {
            add(Imbalance::at((0, 0)), own[0]);
        } else {
            add(
                Imbalance::at((one, one)),
                own_product(Role::ALL[one - 1], own[one]),
            );
            add(ClassMaterial::at(class, one - 1), own[one]);
        }
    }
}

/// The feature of pieces against a bare king, which is driven to the edge while the other king approaches. It depends on
/// squares, so it is not among the cached counts.
#[inline(never)]
pub(super) fn bare_king<C: Side>(position: &Position) -> Index {
    let king = position.king(<C::Enemy as Side>::COLOR);
    let inward = |coordinate: u32| coordinate.min(7 - coordinate) as usize;
    let edge = inward(king.file() as u32).min(inward(king.rank() as u32));
    let distance = steps(king, position.king(C::COLOR));
    BareKing::at(edge, distance)
}
