//! Perpetual check, proved by playing every reply: each check has a next one, or leads back to an earlier position. Other lines
//! that repeat a position.

use super::account::LineAccount;
use super::claim::{Claim, Source};
use super::gain::PAWN;
use super::notation::{numbered, numbered_line};
use super::story::Story;
use crate::chess::{Move, Position};

/// Checks of the longest line that is looked at.
const MAX_CHECKS: usize = 8;
/// Checks that are played for one line.
const MAX_POSITIONS: u64 = 10_000;
/// A perpetual check that starts later in a line is no reason for its first move, in plies.
const MAX_START: usize = 8;
/// Plies of the perpetual check in a sentence.
const SHOWN_PLIES: usize = 4;

/// The claim that a line leads to perpetual check or repeats a position, if its score is that of a draw.
pub fn claim(story: &Story) -> Option<Claim> {
    if story.line.score.abs() > PAWN / 4 {
        return None;
    }
    perpetual_check(story).or_else(|| repetition(story))
}

fn perpetual_check(story: &Story) -> Option<Claim> {
    let line = story.line;
    let last = line.moves.len().min(MAX_START + 1);
    let mut left = MAX_POSITIONS;
    let (start, checks) = (0..last).find_map(|ply| Some((ply, proved(line, ply, &mut left)?)))?;
    let before = &line.positions[start];
    let mut text = format!(
        "{} gives perpetual check: {} …",
        numbered(before, checks[0]),
        numbered_line(before, &checks, SHOWN_PLIES)
    );
    if start > 0 {
        text = format!("After {}, {text}", story.up_to(start - 1));
    }
    let moves = [&line.moves[..start], &checks].concat();
    let claim = Claim::new("draw", Source::Board, text).on_line(&line.positions[0], &moves, start);
    Some(claim.at(&line.positions[start + 1], &[checks[0].to()]))
}

/// A line that ends as soon as a position comes again.
fn repetition(story: &Story) -> Option<Claim> {
    let line = story.line;
    let last = line.moves.len() - 1;
    let (end, earlier) = line.positions.split_last()?;
    let is_repeated = earlier.iter().any(|before| before.key() == end.key());
    if !is_repeated || last > MAX_START {
        return None;
    }
    let text = format!(
        "{} repeats the position: a draw by repetition.",
        story.up_to(last)
    );
    let claim =
        Claim::new("draw", Source::Board, text).on_line(&line.positions[0], &line.moves, last);
    Some(claim.at(end, &[line.moves[last].to()]))
}

/// The checks and replies up to the first repetition, if perpetual check starts with this move of the line.
fn proved(line: &LineAccount, ply: usize, left: &mut u64) -> Option<Vec<Move>> {
    let root = &line.positions[ply];
    (2..=MAX_CHECKS).find_map(|checks| {
        let found = search(root, &[line.moves[ply]], checks, &mut Vec::new(), left)?;
        // A line of odd length ends with mate.
        found.len().is_multiple_of(2).then_some(found)
    })
}

/// A move from which the side to move gives check until a position of `path` comes again, whatever the replies are; with the
/// longest line that the replies allow.
fn search(
    position: &Position,
    candidates: &[Move],
    checks: usize,
    path: &mut Vec<u64>,
    left: &mut u64,
) -> Option<Vec<Move>> {
    path.push(position.key());
    let found = candidates.iter().find_map(|&mv| {
        let checked = position.play(mv);
        if !checked.in_check() {
            return None;
        }
        *left = left.checked_sub(1)?;
        let replies = checked.legal_moves();
        let answers = replies.iter().map(|&reply| {
            let after = checked.play(reply);
            let rest = if path.contains(&after.key()) {
                Vec::new()
            } else if checks > 1 {
                search(&after, &after.legal_moves(), checks - 1, path, left)?
            } else {
                return None;
            };
            Some([&[mv, reply], &rest[..]].concat())
        });
        let lines: Option<Vec<Vec<Move>>> = answers.collect();
        let longest = |line: &Vec<Move>| (line.len().is_multiple_of(2), line.len());
        lines.map(|lines| lines.into_iter().max_by_key(longest).unwrap_or(vec![mv]))
    });
    path.pop();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(fen: &str, text: &str) -> Option<Vec<Move>> {
        let root = Position::from_fen(fen).expect("a position");
        let first = root.find_move(text).expect("a move");
        let mut left = MAX_POSITIONS;
        search(&root, &[first], MAX_CHECKS, &mut Vec::new(), &mut left)
    }

    #[test]
    fn every_reply_leads_to_another_check() {
        let open_king = "7k/5p1p/8/6Q1/8/1q6/r7/6K1 w - - 0 1";
        let line = checks(open_king, "Qd8+").expect("a perpetual check");
        assert!(line.len() >= 4 && line.len().is_multiple_of(2));
        // The king walks away from a lone check, or the first move is none.
        assert_eq!(checks("7k/8/8/8/8/8/R7/K7 w - - 0 1", "Ra8"), None);
        assert_eq!(checks(open_king, "Kf1"), None);
    }
}
