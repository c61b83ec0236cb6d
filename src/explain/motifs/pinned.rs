//! Pins that a line uses: a piece that cannot take because it is pinned, and an attack on a pinned piece.

use crate::chess::{Bitboard, Color, Position, Role, Square, attacks};

use super::attack::{
    attackers, attacks_by, attacks_of, capture_gain, is_defended, is_slider, seen_by, value,
    value_on,
};
use super::kind::{Kind, Motif};
use super::line::{Line, captured};

/// A pin later in a line is no reason for it, in plies.
const MAX_PLY: usize = 6;
/// What a pin saves or wins at least, in centipawns.
const MIN_GAIN: i32 = 100;

/// The pinning piece, the pinned one, and the king or the more valuable piece behind it.
type Pin = [Square; 3];

/// The first pin, new or old, that wins at least so many centipawns from its move on. Squares: those of the pin, and what
/// the pinned piece cannot take.
pub(in crate::explain) fn used_pin(line: &Line, least: i32) -> Option<Motif> {
    let mut plies = line.own().take_while(|&ply| ply <= MAX_PLY);
    plies.find_map(|ply| {
        let squares =
            cannot_take(line, ply).or_else(|| Some(attacks_pinned(line, ply)?.to_vec()))?;
        let motif = line.motif(Kind::Pin, ply, squares);
        (motif.numbers[0] >= least).then_some(motif)
    })
}

/// Whether the move with this index attacks a piece that it did not attack before.
pub(super) fn attacks_newly(line: &Line, ply: usize, target: Square) -> bool {
    let [before, after] = [ply, ply + 1].map(|ply| line.position(ply));
    attacks_of(after, line.to(ply)).contains(target)
        && !attacks_of(before, line.mv(ply).from()).contains(target)
}

/// The pieces of the side to move that a slider pins to their king or to a more valuable piece.
fn pins(position: &Position) -> Vec<Pin> {
    let (them, us) = (position.turn(), !position.turn());
    let mut pins = Vec::new();
    for slider in seen_by(us, position.by_color(us)) {
        let targets = attacks_of(position, slider) & position.by_color(them);
        for pinned in seen_by(us, targets) {
            let behind = behind(position, slider, pinned, them);
            let value = |square| value_on(position, square);
            let behind = behind.filter(|&behind| value(behind) > value(pinned));
            pins.extend(behind.map(|behind| [slider, pinned, behind]));
        }
    }
    pins
}

/// The piece of a colour behind another one, as a slider sees it.
fn behind(position: &Position, slider: Square, front: Square, color: Color) -> Option<Square> {
    let piece = position.piece_on(slider)?;
    let reached = attacks_by(piece, slider, position.occupied().without(front));
    let line = attacks::ray(slider, front) & reached & position.by_color(color);
    let is_behind = |square: &Square| attacks::between(slider, *square).contains(front);
    (line.into_iter().find(is_behind)).filter(|_| is_slider(piece.role()))
}

/// The only piece that could take the piece that has moved is pinned to its king.
fn cannot_take(line: &Line, ply: usize) -> Option<Vec<Square>> {
    let (after, to) = (line.position(ply + 1), line.to(ply));
    let them = !line.side();
    let king = after.king(them);
    let taker = attackers(after, to, them).without(king).single_square()?;
    let is_pin = |&[_, pinned, behind]: &Pin| pinned == taker && behind == king;
    let pin = pins(after).into_iter().find(is_pin)?;
    let legal = after.legal_moves();
    let is_taken = legal.iter().any(|mv| mv.is_capture() && mv.to() == to);
    // Another check would be a reason of its own.
    let is_checked = after.checkers().without(to).any();
    let retaken = if is_defended(after, to, line.side()) {
        value_on(after, taker)
    } else {
        0
    };
    let is_saved = value_on(after, to) - retaken >= MIN_GAIN;
    (!is_taken && !is_checked && is_saved).then(|| [&pin[..], &[to]].concat())
}

/// The move attacks a pinned piece, which is lost where it stands and wherever it goes, and is taken next, or what stands
/// behind it.
fn attacks_pinned(line: &Line, ply: usize) -> Option<Pin> {
    let after = line.position(ply + 1);
    if ply + 2 >= line.moves().len() || after.in_check() {
        return None;
    }
    let mut pins = pins(after).into_iter();
    pins.find(|&pin| {
        let [_, pinned, behind] = pin;
        could_leave(after, pin)
            && is_taken(line, ply, pin)
            && attacks_newly(line, ply, pinned)
            && is_lost(after, pinned, behind)
    })
}

/// Whether a pinned piece could leave the line of the pin, if it were none. A pawn could not on its file, or if it is blocked.
fn could_leave(position: &Position, [pinner, pinned, _]: Pin) -> bool {
    let color = position.turn();
    let is_pawn = (position.piece_on(pinned)).is_some_and(|piece| piece.role() == Role::Pawn);
    let squares = if is_pawn {
        let captures = attacks::pawn_attacks(color, pinned) & position.by_color(!color);
        let ahead = pinned.offset(if color == Color::White { 8 } else { -8 });
        let push = ahead.filter(|&square| position.piece_on(square).is_none());
        captures | Bitboard::from_iter(push)
    } else {
        attacks_of(position, pinned) & !position.by_color(color)
    };
    (squares & !attacks::ray(pinner, pinned)).any()
}

/// Whether a pinned piece is taken where it stands, with the next move or after a check, or, if it moves at once, what
/// stands behind it.
fn is_taken(line: &Line, ply: usize, [pinner, pinned, behind]: Pin) -> bool {
    let next = line.mv(ply + 2);
    if line.mv(ply + 1).from() == pinned {
        return (next.from(), next.to()) == (pinner, behind);
    }
    let is_check = line.position(ply + 3).in_check();
    let last = ply + if is_check { 4 } else { 2 };
    let is_on_square = |&index: &usize| {
        let mv = line.mv(index);
        mv.from() == pinned || mv.to() == pinned
    };
    let first = (ply + 1..=last.min(line.moves().len() - 1)).find(is_on_square);
    first.is_some_and(|index| (index - ply).is_multiple_of(2))
}

/// Whether a pinned piece of the side to move is lost where it stands, and more than its move wins after every move.
fn is_lost(position: &Position, pinned: Square, behind: Square) -> bool {
    let legal = position.legal_moves();
    let mut moves = legal.iter().filter(|mv| mv.from() == pinned);
    capture_gain(&position.play_null(), pinned) >= MIN_GAIN
        && moves.all(|&mv| {
            let (won, after) = (captured(position, mv).map_or(0, value), position.play(mv));
            let lost = capture_gain(&after, mv.to()).max(capture_gain(&after, behind));
            !mv.is_promotion() && lost - won >= MIN_GAIN
        })
}

#[cfg(test)]
mod tests {
    use super::super::sentence;
    use super::*;

    /// The sentence of the pin that a line uses.
    fn words(fen: &str, moves: &str) -> Option<String> {
        let position = Position::from_fen(fen).expect("a position");
        let line = Line::parse(&position, moves).expect("legal moves");
        used_pin(&line, MIN_GAIN).map(|pin| sentence(&line, &pin))
    }

    #[test]
    fn a_pinned_piece_cannot_take() {
        let pawn = "4k3/8/4p3/3p4/8/1B6/4Q3/4K3 w - - 0 1";
        let text = "After 1.Bxd5 the pawn on e6 cannot take the bishop: it is pinned to the king on e8 by the queen on e2.";
        assert_eq!(words(pawn, "b3d5 e8d7 d5e6").as_deref(), Some(text));
        // Nothing pins the pawn, or another one takes.
        assert_eq!(words(&pawn.replace("4Q3", "8"), "b3d5 e6d5"), None);
        let other = "4k3/8/2p1p3/3p4/8/1B6/4Q3/4K3 w - - 0 1";
        assert_eq!(words(other, "b3d5 c6d5"), None);
    }

    #[test]
    fn an_attack_on_a_pinned_piece_wins_it() {
        let king = "4k3/pp3ppp/2n5/1B6/3P4/8/5PPP/6K1 w - - 0 1";
        let text = "1.d5 attacks the knight on c6, which is pinned to the king on e8 by the bishop on b5; 2.dxc6 takes the knight.";
        assert_eq!(words(king, "d4d5 a7a6 d5c6").as_deref(), Some(text));
        let queen = "3qk3/ppp2ppp/5n2/6B1/4P3/8/5PPP/6K1 w - - 0 1";
        let text = "1.e5 attacks the knight on f6, which is pinned to the queen on d8 by the bishop on g5; 2.exf6 takes the knight.";
        assert_eq!(words(queen, "e4e5 h7h6 e5f6").as_deref(), Some(text));
        // The knight may leave, since the queen is defended and worth no more than the pinning queen.
        let even = "3qk3/ppp2ppp/5n2/6Q1/4P3/8/5PPP/6K1 w - - 0 1";
        assert_eq!(words(even, "e4e5 h7h6 e5f6"), None);
    }

    #[test]
    fn a_pinned_piece_that_leaves_with_check_is_not_lost() {
        let check = "3qk3/ppp2ppp/5n2/6B1/4P3/6K1/5PPP/8 w - - 0 1";
        assert_eq!(words(check, "e4e5 h7h6 e5f6"), None);
    }
}
