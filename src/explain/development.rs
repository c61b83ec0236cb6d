//! What a move does by the board alone: it develops or exchanges a piece, promotes a pawn, or puts one in the centre.

use super::claim::{Claim, Source};
use super::motifs::attacks_of;
use super::story::Story;
use super::words::{join, role};
use crate::chess::{Color, Game, Piece, Role, Square};

/// A later move of a piece from its first square is no development, in full moves.
const MAX_MOVE: u16 = 20;

/// The claim that a move develops a piece or puts a pawn in the centre, if the other move does not move the same piece and
/// the reply does not take it.
pub(super) fn claim(story: &Story, other: &Story) -> Option<Claim> {
    let line = story.line;
    let (root, mv, there) = (&line.positions[0], line.first(), story.after(0));
    let us = root.turn();
    let is_taken = line.moves.get(1).is_some_and(|reply| reply.to() == mv.to());
    if mv.is_capture() || mv.is_castling() || is_taken || root.fullmoves() > MAX_MOVE {
        return None;
    }
    if other.line.first().from() == mv.from() {
        return None;
    }
    let moved = root.piece_on(mv.from())?.role();
    let name = &story.name;
    let text = match moved {
        Role::Knight | Role::Bishop if homes(us, moved).contains(&mv.from()) => {
            format!("{name} develops the {}.", role(moved))
        }
        Role::Pawn if is_central(us, mv.to()) => {
            let is_opened = |square: &Square| {
                let piece = root.piece_on(*square);
                let is_own = piece.is_some_and(|piece| {
                    piece.color() == us && matches!(piece.role(), Role::Bishop | Role::Queen)
                });
                is_own && attacks_of(there, *square).count() > attacks_of(root, *square).count()
            };
            let rank = |square: Square| us.fold_wb(square, square.flip_vertical());
            let first = [Square::C1, Square::D1, Square::F1].map(rank);
            let opened = first.into_iter().filter(is_opened).filter_map(|square| {
                let piece = root.piece_on(square)?;
                Some(format!("the {} on {square}", role(piece.role())))
            });
            let opened: Vec<String> = opened.collect();
            let lines = match opened.len() {
                0 => String::new(),
                1 => format!(" and opens a line for {}", opened[0]),
                _ => format!(" and opens lines for {}", join(&opened)),
            };
            format!("{name} puts a pawn in the centre{lines}.")
        }
        _ => return None,
    };
    let claim = Claim::new("point", Source::Board, text).on_line(root, &line.moves[..1], 0);
    Some(claim.at(there, &[mv.to()]))
}

/// The claim that a move promotes a pawn to a piece that the reply does not take, if the other move does not promote one.
pub(super) fn promotion(story: &Story, other: &Story) -> Option<Claim> {
    let (line, root) = (story.line, &story.line.positions[0]);
    let mv = line.first();
    let new = role(mv.promotion()?);
    let is_taken = line.moves.get(1).is_some_and(|reply| reply.to() == mv.to());
    if is_taken || other.line.first().is_promotion() {
        return None;
    }
    let text = format!("{} promotes the pawn to a {new}.", story.name);
    let claim = Claim::new("point", Source::Board, text).on_line(root, &line.moves[..1], 0);
    Some(claim.at(story.after(0), &[mv.to()]))
}

/// The claim that a move takes a piece whose capturer is taken back, both of a kind, if the other move does not take it, too.
/// Knights and bishops are of a kind.
pub(super) fn exchange(game: &Game, story: &Story, other: &Story) -> Option<Claim> {
    let (line, root) = (story.line, &story.line.positions[0]);
    let mv = line.first();
    let is_taken_back = line.moves.get(1).is_some_and(|reply| reply.to() == mv.to());
    let recaptures = game
        .last_move()
        .is_some_and(|(_, last)| last.is_capture() && last.to() == mv.to());
    if !mv.is_capture() || !is_taken_back || recaptures || other.line.first().to() == mv.to() {
        return None;
    }
    let on = |square: Square| root.piece_on(square).map(Piece::role);
    let (mover, taken) = (on(mv.from())?, on(mv.to())?);
    let is_minor = |role: Role| matches!(role, Role::Knight | Role::Bishop);
    let name = &story.name;
    let text = if mover == taken && mover != Role::Pawn {
        format!("{name} exchanges {}s.", role(mover))
    } else if is_minor(mover) && is_minor(taken) {
        format!(
            "{name} exchanges the {} for the {} on {}.",
            role(mover),
            role(taken),
            mv.to()
        )
    } else {
        return None;
    };
    let claim = Claim::new("point", Source::Board, text).on_line(root, &line.moves[..2], 0);
    Some(claim.at(story.after(0), &[mv.to()]))
}

/// The squares on which a side's knights or bishops start a game.
fn homes(us: Color, piece: Role) -> [Square; 2] {
    let squares = match piece {
        Role::Knight => [Square::B1, Square::G1],
        _ => [Square::C1, Square::F1],
    };
    squares.map(|square| us.fold_wb(square, square.flip_vertical()))
}

/// The squares in the centre on a side's own half of the board.
fn is_central(us: Color, square: Square) -> bool {
    [Square::D4, Square::E4]
        .map(|square| us.fold_wb(square, square.flip_vertical()))
        .contains(&square)
}

#[cfg(test)]
mod tests {
    use crate::chess::{Game, Position};
    use crate::explain::{Explainer, Question};

    fn sentences(moves: &str, mv: &str, against: &str) -> String {
        let mut game = Game::new(Position::startpos());
        for mv in moves.split_whitespace() {
            game.play_uci(mv).expect("a move");
        }
        let find = |mv: &str| game.position().find_move(mv).ok();
        let question = Question {
            mv: find(mv),
            against: find(against),
            ..Question::default()
        };
        let mut explainer = Explainer::small(20_000).expect("memory");
        let explained = explainer.explain(&game, question);
        explained.expect("an open game").to_string()
    }

    #[test]
    fn opening_moves_have_a_point() {
        let text = sentences("", "d4", "Nf3");
        let pawn = "1.d4 puts a pawn in the centre and opens lines for the bishop on c1 and the queen on d1.";
        assert!(text.contains(pawn), "{text}");
        assert!(text.contains("1.Nf3 develops the knight."), "{text}");
        let text = sentences("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "Bxc6", "Ba4");
        let point = "4.Bxc6 exchanges the bishop for the knight on c6.";
        assert!(text.contains(point), "{text}");
        let text = sentences("e2e4", "e5", "c5");
        let pawn = "1…e5 puts a pawn in the centre and opens lines for the queen on d8 and the bishop on f8.";
        assert!(text.contains(pawn), "{text}");
    }
}
