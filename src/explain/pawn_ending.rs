//! Why king and pawn against king is won or drawn, in the terms of the books: the square of the pawn, key squares, the
//! opposition. Tablebases prove the results; bishop and rook pawns that cannot win are named, too.

use super::claim::{Claim, Source};
use super::explainer::Explainer;
use super::gain::PAWN;
use super::sentences::known_draw;
use super::story::Story;
use super::words::side;
use super::zugzwang::outcome;
use crate::chess::{Bitboard, Color, File, Position, Rank, Role, Square};
use crate::eval::steps;

/// Percent of the nodes of each probe: the tablebases answer at once.
const SHARE: u64 = 1;
/// Ranks of a pawn, from 0, from its own side: where it starts, the last one with key squares only two ranks ahead, and the
/// one before promotion.
const START: usize = 1;
const MIDDLE: usize = 3;
const SEVENTH: usize = 6;
const LAST: usize = 7;

/// King and pawn against king.
#[derive(Clone, Copy, Debug)]
struct PawnEnding {
    /// The side with the pawn.
    side: Color,
    pawn: Square,
    king: Square,
    defender: Square,
    is_to_move: bool,
}

/// What decides a result.
enum Reason {
    /// The defender cannot catch the pawn.
    Runs,
    /// The king stands on a key square.
    Key,
    /// The side that is not to move has the opposition.
    Opposition { is_distant: bool },
}

impl PawnEnding {
    fn of(position: &Position) -> Option<Self> {
        let pawn = position.by_role(Role::Pawn).single_square()?;
        if position.occupied().count() != 3 {
            return None;
        }
        let side = position.piece_on(pawn)?.color();
        Some(Self {
            side,
            pawn,
            king: position.king(side),
            defender: position.king(!side),
            is_to_move: position.turn() == side,
        })
    }

    /// The rank of a square from the side with the pawn, 0 to 7.
    fn rank(&self, square: Square) -> usize {
        let rank = square.rank() as usize;
        self.side.fold_wb(rank, LAST - rank)
    }

    fn square(&self, file: File, rank: usize) -> Square {
        let rank = Rank::new(self.side.fold_wb(rank, LAST - rank) as u32);
        Square::from_coords(file, rank)
    }

    /// Whether the defender is outside the square of the pawn, not beside the pawn when to move, and no own king is in the
    /// pawn's way.
    fn runs(&self) -> bool {
        let rank = self.rank(self.pawn);
        let moves = LAST - if rank == START { rank + 1 } else { rank };
        let target = self.square(self.pawn.file(), LAST);
        let is_free = self.king.file() != self.pawn.file() || self.rank(self.king) < rank;
        let tempo = usize::from(!self.is_to_move);
        let is_safe = self.is_to_move || steps(self.defender, self.pawn) > 1;
        is_free && is_safe && steps(self.defender, target) > moves + tempo
    }

    /// With its king on one of these squares the side with the pawn wins, whoever is to move.
    fn key_squares(&self) -> Bitboard {
        let rank = self.rank(self.pawn);
        let (file, edge) = (
            self.pawn.file(),
            matches!(self.pawn.file(), File::A | File::H),
        );
        let ranks = match rank {
            _ if edge => SEVENTH..=LAST,
            ..=MIDDLE => rank + 2..=rank + 2,
            SEVENTH => SEVENTH..=LAST,
            _ => rank + 1..=rank + 2,
        };
        let is_beside = edge || rank == SEVENTH;
        let files = File::ALL.into_iter().filter(|&other| {
            let distance = other.distance(file);
            distance == 1 || distance == 0 && !is_beside
        });
        files
            .flat_map(|file| ranks.clone().map(move |rank| (file, rank)))
            .map(|(file, rank)| Bitboard::from_square(self.square(file, rank)))
            .fold(Bitboard::EMPTY, |all, square| all | square)
    }

    /// The opposition, if the kings stand on one line with an odd number of squares between them.
    fn opposition(&self) -> Option<Reason> {
        let files = self.king.file().distance(self.defender.file()) as usize;
        let ranks = self.rank(self.king).abs_diff(self.rank(self.defender));
        let apart = files.max(ranks);
        let is_opposed = files.min(ranks) == 0 && apart.is_multiple_of(2);
        is_opposed.then_some(Reason::Opposition {
            is_distant: apart > 2,
        })
    }

    /// The reason for a result of the side with the pawn, and for that with the other side to move: 1 for a win.
    fn reason(&self, result: i32, passed: i32) -> Option<Reason> {
        match (result, passed) {
            (1, _) if self.runs() => Some(Reason::Runs),
            (1, 1) => self
                .key_squares()
                .contains(self.king)
                .then_some(Reason::Key),
            (1, 0) if !self.is_to_move => self.opposition(),
            (0, 1) if self.is_to_move => self.opposition(),
            _ => None,
        }
    }

    /// The sentence after `After …`.
    fn text(&self, reason: &Reason) -> String {
        let (us, them) = (side(self.side), side(!self.side));
        let pawn = self.pawn;
        match reason {
            Reason::Runs => {
                format!(
                    "{them}'s king is outside the square of the pawn on {pawn} and cannot catch it"
                )
            }
            Reason::Key => {
                let king = self.king;
                format!(
                    "{us}'s king is on {king}, a key square of the pawn on {pawn}: {us} wins, whoever is to move"
                )
            }
            Reason::Opposition { is_distant } => {
                let kind = if *is_distant {
                    "distant opposition"
                } else {
                    "opposition"
                };
                if self.is_to_move {
                    format!("{them} has the {kind}: {us} would win if {them} were to move")
                } else {
                    format!("{us} has the {kind}: it would be a draw if {us} were to move")
                }
            }
        }
    }
}

impl Explainer {
    /// Why the move asked about, or the better one, wins or draws an ending of king and pawn against king, or draws against
    /// rook pawns: after the move, or else after the reply.
    pub(super) fn pawn_ending(&mut self, root: &Position, stories: &[Story]) -> Option<Claim> {
        let asked = stories.iter().find(|story| story.instead.is_empty())?;
        let plies = 0..asked.line.moves.len().min(2);
        plies
            .into_iter()
            .find_map(|ply| self.pawn_ending_at(root, asked, ply))
    }

    fn pawn_ending_at(&mut self, root: &Position, asked: &Story, ply: usize) -> Option<Claim> {
        let there = asked.after(ply);
        // The other side may have pawns that win.
        let is_draw = asked.line.score.abs() <= PAWN / 4;
        let (source, why, squares) = if let Some(why) = known_draw(there).filter(|_| is_draw) {
            (Source::Board, why, Vec::new())
        } else {
            let ending = PawnEnding::of(there)?;
            if there.in_check() || !there.has_legal_move() {
                return None;
            }
            let mut result = |position: &Position| {
                let proven = self.found(position, SHARE)?.proven?;
                let sign = if position.turn() == ending.side {
                    1
                } else {
                    -1
                };
                Some(sign * (outcome(proven) as i32 - 1))
            };
            let (now, passed) = (result(there)?, result(&there.play_null())?);
            let reason = ending.reason(now, passed)?;
            let squares = vec![ending.king, ending.defender, ending.pawn];
            (Source::Tablebase, ending.text(&reason), squares)
        };
        let text = format!("After {} {why}.", asked.up_to(ply));
        let claim = Claim::new("pawn_ending", source, text);
        let claim = claim.on_line(root, &asked.line.moves[..=ply], ply);
        Some(claim.at(there, &squares))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::explain::Question;

    fn text(fen: &str, mv: &str) -> String {
        let root = Position::from_fen(fen).expect("a position");
        let question = Question {
            mv: Some(root.find_move(mv).expect("a move")),
            ..Question::default()
        };
        let mut explainer = Explainer::small(10_000).expect("memory");
        let explained = explainer.explain(&Game::new(root), question);
        explained.expect("an open game").to_string()
    }

    #[test]
    fn endings_are_explained_as_in_the_books() {
        for (fen, mv, says) in [
            (
                "8/4k3/8/8/3K4/4P3/8/8 b - - 0 1",
                "Kd6",
                "After 1…Kd6 Black has the opposition: White would win if Black were to move.",
            ),
            (
                "8/3k4/8/8/2K1P3/8/8/8 w - - 0 1",
                "Kd5",
                "After 1.Kd5 White has the opposition: it would be a draw if White were to move.",
            ),
            (
                "8/8/8/1k6/8/4K3/4P3/8 w - - 0 1",
                "Kd4",
                "After 1.Kd4 White's king is on d4, a key square of the pawn on e2: White wins, whoever is to move.",
            ),
            (
                "8/8/8/8/4P3/k7/8/7K w - - 0 1",
                "e5",
                "After 1.e5 Black's king is outside the square of the pawn on e5 and cannot catch it.",
            ),
            (
                "7k/8/6KP/8/4B3/8/8/8 w - - 0 1",
                "Kf6",
                "After 1.Kf6 White's bishop cannot drive Black's king from h8.",
            ),
        ] {
            let text = text(fen, mv);
            assert!(text.contains(says), "{fen}: {text}");
        }
    }
}
