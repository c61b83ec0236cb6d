//! Features of counts: material, its products, and where each man stands.
//! Uses: chess, families, endings, sink. Used by: the sinks.
//! Idea: the products of two counts are facts like others, so what two bishops or a rook against two minors are worth is
//! learned without leaving the weighted sum.

use super::super::cache::MaterialFacts;
use super::super::endings::EndingOf;
use super::super::families::{
    BareKing, ClassMaterial, Ending, EnemyKing, Imbalance, Index, Material, Opposition, OwnKing,
    PieceSquare,
};
use super::super::material::MaterialClass;
use super::super::side::steps;
use super::super::sink::{Black, Side, Sink, White};
use super::super::views::View;
use crate::chess::{Bitboard, Color, Position, Role};

/// Bishop pair, pawn, knight, bishop, rook, queen: as the axes of the products number them.
type Counts = [i32; 6];

/// Tells the material and piece-square features one by one; the incremental sums hold what this adds up to.
pub(in crate::eval) fn scratch_piece_square<S: Sink>(position: &Position, sink: &mut S) {
    places::<White, S>(position, sink);
    places::<Black, S>(position, sink);
}

fn places<C: Side, S: Sink>(position: &Position, sink: &mut S) {
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
    let view = View::of(C::COLOR, king);
    for square in position.occupied() ^ Bitboard::from_square(king) {
        let Some(piece) = position.piece_on(square) else {
            continue;
        };
        let bit = Bitboard::from_square(square);
        sink.add::<C>(view.index(piece, square), 1, bit);
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

/// Tells the features that follow from counts of men, but for the plain material.
#[inline(never)]
pub(in crate::eval) fn compute_material<S: Sink>(
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

fn products<C: Side, S: Sink>(own: &Counts, enemy: &Counts, class: MaterialClass, sink: &mut S) {
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
        let pairs = own[one] * (own[one] - 1) / 2;
        add(
            Imbalance::at((one, one)),
            if one == 0 { own[0] } else { pairs },
        );
        if one > 0 {
            add(ClassMaterial::at(class, one - 1), own[one]);
        }
    }
}

/// The feature of pieces against a bare king: it is driven to the edge, and the other king comes near. Not a matter of counts alone,
/// so it is told apart from them.
#[inline(never)]
pub(super) fn bare_king<C: Side>(position: &Position) -> Index {
    let king = position.king(<C::Enemy as Side>::COLOR);
    let inward = |coordinate: u32| coordinate.min(7 - coordinate) as usize;
    let edge = inward(king.file() as u32).min(inward(king.rank() as u32));
    let distance = steps(king, position.king(C::COLOR));
    BareKing::at(edge, distance)
}
