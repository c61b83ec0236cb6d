//! Material that a line wins or loses where the other does not.

use super::account::LineAccount;
use super::claim::{Claim, Source};
use super::explainer::MoveComparison;
use super::gain::{Gain, PAWN};
use super::story::Story;
use super::words::side;
use crate::base::value::moves_to_mate;
use crate::chess::{Color, Move, Position};

/// Material that is won later, in plies, is no reason for a move.
pub(super) const MAX_SETTLED: usize = 12;
/// The difference of two moves is at least this part of the material that is named.
const MIN_SHARE_OF_MATERIAL: f64 = 0.3;
/// So many pawns or more are given up, not lost, if the difference of the moves is less than this part of them.
const SACRIFICE: f64 = 2.0;
const MIN_SHARE_OF_LOSS: f64 = 0.5;
/// The score of a line that wins material, if its side is not behind before, in centipawns of the search.
const MIN_SCORE: i32 = 20;
/// What is lost beside a mate is named from here on, in centipawns of an exchange.
const MIN_BESIDE_MATE: i32 = 300;
/// Plies of an exchange that takes back what a move has won.
const MAX_EXCHANGE: usize = 3;
/// No recapture wins so many pawns.
const MOST_PAWNS: i32 = 10;
/// What is named is at least this part of all that the line wins; what follows much later is left out.
const MIN_PART: (i32, i32) = (2, 3);

/// What the better line wins and the worse one loses, the reason that weighs more first. Of reasons that weigh about as much,
/// the one that comes earlier is first, and of these the move that was asked about.
pub fn claims(comparison: &MoveComparison, stories: &[Story], difference: f64) -> Vec<Claim> {
    let us = comparison.root().turn();
    let values: Vec<i32> = stories.iter().map(|story| value(story, us)).collect();
    let mut found: Vec<_> = (stories.iter().enumerate())
        .filter(|&(index, story)| {
            let lead = values[index] - values.get(1 - index).copied().unwrap_or(0);
            let pawns = f64::from(lead.abs()) / f64::from(PAWN);
            difference >= MIN_SHARE_OF_MATERIAL * pawns
                && is_material(story, values[index])
                && is_material(story, lead)
        })
        .filter_map(|(index, story)| {
            let settled = settled(story.line, us)?;
            let gain = |of: &Story, ply: usize| {
                let line = of.line;
                let there = &line.positions[(ply + 1).min(line.moves.len())];
                Gain::between(&line.positions[0], there, us).value()
            };
            // What the other move wins or loses as well is no difference, unless the next exchange takes most of it back.
            let own = gain(story, settled);
            let leads = (settled..=settled + MAX_EXCHANGE).map(|ply| {
                let other = stories.get(1 - index).map_or(0, |other| gain(other, ply));
                (own - other) * own.signum()
            });
            let leads: Vec<i32> = leads.collect();
            // Of two captures on one square, both win what stands there.
            let is_shared = settled == 0
                && (stories.iter()).all(|other| other.line.first().to() == story.line.first().to());
            let is_difference = leads[0] >= PAWN
                || !is_shared && leads.iter().any(|&lead| is_part(lead, own.abs()));
            let pawns = f64::from(own.abs()) / f64::from(PAWN);
            // Who wins material and is still worse has given something else.
            let lead = Gain::lead(comparison.root()).value() * us.fold_wb(1, -1);
            let is_sound = if own > 0 {
                lead < 0 || story.line.score >= MIN_SCORE
            } else {
                lead > 0 || pawns < SACRIFICE || story.line.score < MIN_SCORE
            };
            let is_sound = is_sound && !only_wins_back(comparison, stories, story, settled);
            let is_reason =
                is_sound && is_difference && difference >= MIN_SHARE_OF_MATERIAL * pawns;
            is_reason.then_some((values[index].abs(), settled, story))
        })
        .collect();
    let most = found.iter().map(|&(value, ..)| value).max().unwrap_or(0);
    found.sort_by_key(|&(value, settled, story)| {
        (
            !is_part(value, most),
            settled / 2,
            !story.instead.is_empty(),
        )
    });
    let shown = |(_, settled, story): (i32, usize, &Story)| {
        claim(comparison, story, settled, difference).with_number("difference", difference)
    };
    let missing = found
        .first()
        .and_then(|&(_, settled, story)| missing_recapture(comparison, stories, story, settled));
    let mut claims: Vec<Claim> = found.into_iter().map(shown).collect();
    if let (Some(missing), Some(first)) = (missing, claims.first_mut()) {
        // What the other move loses beside is part of the balance.
        first.text = format!("{}; {missing}.", first.text.trim_end_matches('.'));
        claims.truncate(1);
    }
    claims
}

/// The balance of material after a move that does not recapture, beside the better one, which does no more than that:
/// `after 4…h6 5.Ba4, White is a knight up`.
fn missing_recapture(
    comparison: &MoveComparison,
    stories: &[Story],
    story: &Story,
    settled: usize,
) -> Option<String> {
    let before = retaken(comparison, story).filter(|_| story.is_better)?;
    let other = stories.iter().find(|other| !other.is_better)?;
    let us = comparison.root().turn();
    let is_even = Gain::between(before, story.after(settled), us).value() < PAWN;
    let is_capture_there = other.line.first().to() == story.line.first().to();
    if !is_even || is_capture_there {
        return None;
    }
    let (_, last) = comparison.game.last_move()?;
    let whole: Vec<Position> = std::iter::once(*before)
        .chain(other.line.positions.iter().copied())
        .collect();
    let moves: Vec<Move> = std::iter::once(last)
        .chain(other.line.moves.iter().copied())
        .collect();
    // The opponent's capture and our move come before its reply.
    let reply = settled_at(&whole, &moves, us, 2)?;
    let there = &whole[reply + 1];
    let behind = Gain::lead(there).value() * us.fold_wb(1, -1) <= -PAWN;
    let is_lost = behind && Gain::between(before, there, us).value() <= -PAWN;
    let balance = Gain::lead(there).clause().filter(|_| is_lost)?;
    Some(format!("after {}, {balance}", other.up_to(reply - 1)))
}

/// Where one move mates or is mated: what the better one wins, or the worse one loses if it was asked about.
pub fn beside_mate(comparison: &MoveComparison, stories: &[Story]) -> Option<Claim> {
    let us = comparison.root().turn();
    let has_no_mate = |story: &&Story| moves_to_mate(story.line.score).is_none();
    let story = stories.iter().find(has_no_mate)?;
    if !story.is_better && !story.instead.is_empty() {
        return None;
    }
    let value = value(story, us);
    let settled = settled(story.line, us).filter(|_| is_material(story, value))?;
    // Beside a mate that is missed a pawn does not count, nor does what leaves a side worse that escapes one.
    let counts = if story.is_better {
        story.line.score >= MIN_SCORE
    } else {
        value <= -MIN_BESIDE_MATE
    };
    counts.then(|| claim(comparison, story, settled, f64::INFINITY))
}

/// What the best move wins, if no move was asked about: the other move may win as much.
pub fn of_best(comparison: &MoveComparison, stories: &[Story]) -> Option<Claim> {
    let us = comparison.root().turn();
    let mut better = stories.iter().filter(|story| story.is_better);
    let story = better.find(|_| !comparison.is_given)?;
    let settled = settled(story.line, us).filter(|_| is_material(story, value(story, us)))?;
    let counts = story.line.score >= MIN_SCORE;
    counts.then(|| claim(comparison, story, settled, f64::INFINITY))
}

/// The material that a line wins for a side, in centipawns.
fn value(story: &Story, us: Color) -> i32 {
    Gain::between(&story.line.positions[0], story.line.last(), us).value()
}

/// A pawn at least, for the better line; against the worse one.
fn is_material(story: &Story, value: i32) -> bool {
    let of_story = if story.is_better { value } else { -value };
    of_story >= PAWN
}

const fn is_part(value: i32, all: i32) -> bool {
    value * MIN_PART.1 >= all * MIN_PART.0
}

/// What a line wins or loses up to the move that settles it. If the move costs much less than the material, that is given up,
/// not lost.
fn claim(comparison: &MoveComparison, story: &Story, settled: usize, difference: f64) -> Claim {
    let root = comparison.root();
    let us = root.turn();
    // Later exchanges may change the pieces, not what they are worth.
    let there = story.after(settled);
    let gain = Gain::between(root, there, us);
    let won = gain.value() > 0;
    let moves = &story.line.moves[..=settled];
    let did = match retaken(comparison, story) {
        Some(before) if won => {
            // The exchange as a whole counts, not only its second half.
            let on = format!("recaptures on {}", story.line.first().to());
            let all = Gain::between(before, there, us);
            if all.value() >= PAWN {
                format!("{on} and wins {}", all.text())
            } else {
                on
            }
        }
        _ if won => Gain::phrase(root, moves, there, us, ["promotes", "wins"]),
        // A new queen is none that was lost.
        _ if opponent_promotes(story, settled) => {
            let phrase = Gain::phrase(root, moves, there, !us, ["promote", "win"]);
            format!("lets {} {phrase}", side(!us))
        }
        _ => {
            let pawns = f64::from(-gain.value()) / f64::from(PAWN);
            let is_lost = pawns < SACRIFICE || difference >= MIN_SHARE_OF_LOSS * pawns;
            let verb = if is_lost { "loses" } else { "gives up" };
            format!("{verb} {}", gain.negated().text())
        }
    };
    let tail = if settled == 0 {
        String::new()
    } else {
        format!(": {}", story.up_to(settled))
    };
    let text = format!("{} {did}{tail}.", story.name);
    let squares = [story.line.moves[settled].to()];
    Claim::new("material", Source::Board, text)
        .on_line(root, &story.line.moves[..=settled], settled)
        .at(there, &squares)
        .with_number("material", f64::from(gain.value()) / f64::from(PAWN))
}

/// Whether a line only wins back what the opponent has just taken, where the other move recaptures at once.
fn only_wins_back(
    comparison: &MoveComparison,
    stories: &[Story],
    story: &Story,
    settled: usize,
) -> bool {
    let mut others = stories
        .iter()
        .filter(|other| other.is_better != story.is_better);
    let before = others.find_map(|other| retaken(comparison, other));
    let us = comparison.root().turn();
    let all = |before| Gain::between(before, story.after(settled), us).value();
    story.is_better
        && retaken(comparison, story).is_none()
        && before.is_some_and(|before| all(before) < PAWN)
}

/// Whether the opponent promotes a pawn up to a move of a line.
fn opponent_promotes(story: &Story, last: usize) -> bool {
    let replies = story.line.moves[..=last].iter().skip(1).step_by(2);
    { replies }.any(|mv| mv.is_promotion())
}

/// The position before the opponent's capture, if the first move of a line recaptures.
pub(super) fn retaken<'a>(comparison: &'a MoveComparison, story: &Story) -> Option<&'a Position> {
    let first = story.line.first();
    let (before, last) = comparison.game.last_move()?;
    let is_exchange = last.is_capture() && first.is_capture() && last.to() == first.to();
    is_exchange.then_some(before)
}

/// The index of the move of a line that settles the material: the lead of `us` differs from that at the start by a pawn at
/// least and by most of what it does at the end, and later exchanges keep most of it. It differs from one of the first moves
/// on.
pub fn settled(line: &LineAccount, us: Color) -> Option<usize> {
    settled_at(&line.positions, &line.moves, us, 0)
}

/// What a recapture wins after a move, in whole pawns as centipawns.
fn recaptured(there: &Position, last: Move) -> i32 {
    if !last.is_capture() {
        return 0;
    }
    let legal = there.legal_moves();
    let takes = |mv: &&Move| mv.is_capture() && mv.to() == last.to();
    let wins = |mv: &Move| {
        (1..MOST_PAWNS)
            .rev()
            .find(|pawns| there.see_ge(*mv, pawns * PAWN))
    };
    let most = legal.iter().filter(takes).filter_map(wins).max();
    most.map_or(0, |pawns| pawns * PAWN)
}

/// The same in the positions and moves of a line, from the move with the index `first` on.
fn settled_at(positions: &[Position], moves: &[Move], us: Color, first: usize) -> Option<usize> {
    let (start, last) = (positions.first()?, positions.last()?);
    let gain = |position: &Position| Gain::between(start, position, us);
    let all = gain(last);
    let is_open = (all.value() > 0) == (last.turn() != us);
    let open = moves.last().filter(|_| is_open);
    let sign = all.value().signum();
    let most = all.value().abs() - open.map_or(0, |&mv| recaptured(last, mv));
    if most < PAWN {
        return None;
    }
    let lead = |position: &Position| gain(position).value() * sign;
    let winner = if sign > 0 { us } else { !us };
    let mut late = positions.iter().skip(MAX_SETTLED + 1);
    if !late.all(|later| later.turn() == winner || lead(later) >= PAWN) {
        return None;
    }
    let found = (first..(positions.len() - 1).min(MAX_SETTLED + 1)).find(|&ply| {
        let after = &positions[ply + 1..];
        let least = lead(&after[0]);
        // In an exchange the lead is what it is after the moves of the side that has it.
        let is_held =
            |position: &Position| position.turn() == winner || is_part(lead(position), least);
        // What the reply takes back belongs to the same exchange.
        let is_over = after.get(1).is_none_or(|reply| lead(reply) >= least);
        least >= PAWN && is_part(least, most) && is_over && after.iter().all(is_held)
    });
    // The recapture of what the loser has just taken belongs to it.
    found.map(|ply| {
        let recaptures = moves
            .get(ply + 1)
            .is_some_and(|mv| mv.is_capture() && mv.to() == moves[ply].to());
        let more = recaptures && lead(&positions[ply + 2]) > lead(&positions[ply + 1]);
        ply + usize::from(more)
    })
}
