//! How a line ends in a draw.

use lucena::chess::Game;
use lucena::explain::Claim;
use shakmaty::{Chess, Color, File, Position as _, Rank, Role, Square};

use super::lines::{Played, ensure};
use super::perpetual;
use crate::checker::Proof;

pub fn prove(claim: &Claim, own: &Played) -> Proof {
    let last = own.last();
    let text = &claim.text;
    if text.contains("perpetual check") {
        perpetual::prove(own, claim.ply)
    } else if text.contains("stalemate") {
        ensure(last.is_stalemate(), "no stalemate")
    } else if text.contains("enough material") {
        ensure(last.is_insufficient_material(), "enough material")
    } else if text.contains("fifty-move") {
        ensure(last.halfmoves() >= 100, "fewer moves")
    } else if text.contains("cannot drive") {
        ensure(is_held_corner(last), "no known draw")
    } else if text.contains("by repetition") {
        ensure(own.repeats_a_position(), "no position comes again")
    } else {
        // Earlier moves of the game may be repeated, too.
        ensure(last.halfmoves() >= 4, "nothing can be repeated")
    }
}

/// Whether the position after a move has occurred twice in the game.
pub fn is_repeated(game: &Game, mv: &str) -> bool {
    let position = game.position();
    let after = position.find_move(mv).map(|mv| position.play(mv).key());
    let seen = |key| {
        game.keys()
            .iter()
            .filter(|&&earlier| earlier == key)
            .count()
    };
    after.is_ok_and(|key| seen(key) > 1)
}

/// A side with rook pawns and at most a bishop of the wrong colour, against a king in the corner of promotion or beside it
/// and pawns that are at least three files away, or without a bishop at least not beside them.
pub fn is_held_corner(at: &Chess) -> bool {
    let board = at.board();
    Color::ALL.into_iter().any(|side| {
        let (us, them) = (board.by_color(side), board.by_color(!side));
        let ours = |role| (us & board.by_role(role)).into_iter();
        let (pawns, bishops) = (ours(Role::Pawn), ours(Role::Bishop));
        let Some(pawn) = pawns.clone().next() else {
            return false;
        };
        let corner = Square::from_coords(pawn.file(), side.fold_wb(Rank::Eighth, Rank::First));
        let holder = board.king_of(!side).expect("a king");
        let others = (them.without(holder)).into_iter();
        matches!(pawn.file(), File::A | File::H)
            && us.count() == 1 + pawns.clone().count() + bishops.clone().count()
            && bishops.clone().count() <= 1
            && pawns.clone().all(|other| other.file() == pawn.file())
            && bishops
                .clone()
                .all(|bishop| bishop.is_light() != corner.is_light())
            && holder.distance(corner) <= 1
            && others.clone().all(|square| {
                board.role_at(square) == Some(Role::Pawn)
                    && match square.file().distance(corner.file()) {
                        0 | 2 => bishops.clone().count() == 0,
                        distance => distance > 2,
                    }
            })
    })
}
