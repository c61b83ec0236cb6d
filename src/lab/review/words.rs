//! What is said beside a move.

use super::judge::{Judgement, Mark};
use super::verdict::Verdict;
use crate::chess::{Game, Move, Position};

/// Plies of a line in words and of a variation.
pub const LINE_PLIES: usize = 6;

/// A line in SAN with move numbers: `12…h6 13.Bh4 g5`.
pub fn numbered(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (index, &mv) in line.iter().enumerate() {
        let (number, san) = (position.fullmoves(), position.san(mv));
        words.push(match (position.turn().is_white(), index) {
            (true, _) => format!("{number}.{san}"),
            (false, 0) => format!("{number}…{san}"),
            (false, _) => san.to_string(),
        });
        position = position.play(mv);
    }
    words.join(" ")
}

/// The first sentence on a marked move: the judgement.
pub fn lead(game: &Game, played: Move, verdict: &Verdict, judgement: &Judgement) -> Vec<String> {
    let position = game.position();
    let name = numbered(position, &[played]);
    let Some(mark) = judgement.mark else {
        return Vec::new();
    };
    let lead = match mark {
        Mark::OnlyMove => format!("{name} is the only move."),
        Mark::Sacrifice => format!("{name} is a sound sacrifice."),
        _ => {
            let line = &verdict.best_line[..verdict.best_line.len().min(LINE_PLIES)];
            let better = numbered(position, line);
            let (title, lost) = (mark.title(), judgement.lost());
            format!("{title}: {name} loses {lost:.2} expected points. Better is {better}.")
        }
    };
    vec![lead]
}
