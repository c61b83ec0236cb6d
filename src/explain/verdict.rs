//! Which move is better, by how much, and what is said if no reason is proved.

use super::claim::{Claim, Source};
use super::explainer::MoveComparison;
use super::notation::{numbered_line, pawns};
use super::story::Story;
use super::words::side;
use crate::base::value::{is_decisive, is_loss, is_win, moves_to_mate};
use crate::chess::Position;
use crate::eval::{expected_score, material_count, normalise, win_draw_loss};

/// Moves that differ by less than this, in shown pawns, are both playable.
pub(super) const PLAYABLE: f64 = 0.1;
/// A move with a lead smaller than this is not called the best: the next search may prefer the other one.
const EQUAL: f64 = 0.05;
/// Below this difference in expected points, moves are both playable if no reason is found: a smaller loss is no inaccuracy
/// in a review, and it is what one search differs from the next.
const SMALL: f64 = 0.05;
/// A side that expects fewer points with its best move is worse, whatever it plays; better, if its opponent does.
const WORSE: f64 = 0.25;
/// The same for what a move keeps that misses a mate.
const UNEQUAL: f64 = 0.4;
/// The same for much worse and much better.
const MUCH: f64 = 0.2;
/// A position is won or lost with so many wins or losses per mille.
pub(super) const DECIDED: u16 = 950;
/// Greater scores, in shown pawns, are those of mates and tablebases.
const MAX_SHOWN: f64 = 100.0;
/// Plies of an expected line; captures and checks that follow them are shown, too, up to the second number.
const EXPECTED_PLIES: usize = 4;
const MAX_EXPECTED_PLIES: usize = 12;

/// The better and the worse line.
pub(super) fn ordered<'a>(stories: &'a [Story<'a>]) -> [&'a Story<'a>; 2] {
    match stories {
        [one, other] if !one.is_better => [other, one],
        [one, other, ..] => [one, other],
        _ => [&stories[0]; 2],
    }
}

/// Both moves are almost equally good.
fn playable(comparison: &MoveComparison, [better, worse]: [&Story; 2], whole: f64) -> Claim {
    if let Some(claim) = both_decided(comparison, [better, worse], whole) {
        return claim;
    }
    let (one, other, amount) = (&better.name, &worse.name, pawns(whole));
    let root = comparison.root();
    let asked_is_better = comparison.asked_is_better();
    let is_asked_best = comparison.is_given && comparison.is_best && asked_is_better;
    let compared = if is_asked_best && whole < EQUAL {
        format!("{one} is among the best moves, {amount} from {other}")
    } else if is_asked_best {
        format!("{one} is the best move, {amount} better than {other}")
    } else if whole < PLAYABLE {
        format!("{one} and {other} differ by {amount}")
    } else if comparison.is_given && !asked_is_better {
        format!("{other} is {amount} worse than {one}")
    } else {
        format!("{one} is {amount} better than {other}")
    };
    let expected = |story: &Story| expected_score(story.line.score, material_count(root));
    let us = side(root.turn());
    let text = if expected(better) < WORSE {
        format!("{compared}: {us} is worse after either move.")
    } else if expected(worse) > 1.0 - WORSE {
        format!("{compared}: {us} is better after either move.")
    } else {
        format!("{compared}: both are playable.")
    };
    Claim::new("both_playable", Source::Search, text)
        .on_line(root, &better.line.moves[..1], 0)
        .with_number("whole", whole)
}

/// Both moves win, or both lose, almost every game: what lies between their scores changes nothing.
fn both_decided(comparison: &MoveComparison, stories: [&Story; 2], whole: f64) -> Option<Claim> {
    let root = comparison.root();
    let count = material_count(root);
    let chances = stories.map(|story| win_draw_loss(story.line.score, count));
    let all = |outcome: usize| chances.iter().all(|chance| chance[outcome] >= DECIDED);
    let verb = match (all(0), all(2)) {
        (true, _) => "winning",
        (_, true) => "losing",
        _ => return None,
    };
    let scores = stories.map(|story| f64::from(normalise(story.line.score, count)) / 100.0);
    let [one, other] = stories.map(|story| &story.name);
    let us = side(root.turn());
    let numbers = if scores.iter().any(|score| score.abs() > MAX_SHOWN) {
        String::new()
    } else {
        format!(" ({:+.2} and {:+.2})", scores[0], scores[1])
    };
    let text = if comparison.is_given && comparison.is_best && comparison.asked_is_better() {
        format!("{us} is {verb} after either {one}, the best move, or {other}{numbers}.")
    } else {
        format!("{us} is {verb} after either {one} or {other}{numbers}.")
    };
    let first = &comparison.better.moves[..1];
    let claim = Claim::new("both_playable", Source::Search, text);
    let claim = claim.on_line(root, first, 0);
    // What lies between a proved result and a score is no number of pawns.
    Some(if numbers.is_empty() {
        claim
    } else {
        claim.with_number("whole", whole)
    })
}

/// Whether one move wins or loses and the other does not: no evaluation measures that.
pub(super) fn is_decided(stories: &[Story]) -> bool {
    let [better, worse] = ordered(stories).map(|story| story.line.score);
    is_win(better) != is_win(worse) || is_loss(better) != is_loss(worse)
}

/// Which move is better, and by how much.
pub(super) fn verdict(comparison: &MoveComparison, stories: &[Story], whole: f64) -> Claim {
    let [better, worse] = ordered(stories);
    let (one, other) = (&better.name, &worse.name);
    let amount = pawns(whole);
    if whole < PLAYABLE {
        return playable(comparison, [better, worse], whole);
    }
    // The other score may win or lose almost every game, even if only one is proved.
    if let Some(claim) = both_decided(comparison, [better, worse], whole) {
        return claim;
    }
    if is_decided(stories) {
        let text = if is_loss(worse.line.score) {
            format!("{other} loses; after {one} no loss is found.")
        } else {
            format!("{one} wins; after {other} no win is found.")
        };
        return Claim::new("verdict", Source::Search, text).on_line(
            comparison.root(),
            &better.line.moves[..1],
            0,
        );
    }
    let text = if !comparison.is_best {
        format!("{one} is {amount} better than {other}.")
    } else if comparison.asked_is_better() {
        format!("{one} is the best move, {amount} better than {other}.")
    } else {
        format!("{other} is {amount} worse than the best move, {one}.")
    };
    Claim::new("verdict", Source::Search, text)
        .on_line(comparison.root(), &better.line.moves[..1], 0)
        .with_number("whole", whole)
}

/// How the move asked about compares with the other one, without a number.
pub(super) fn better_move(comparison: &MoveComparison, stories: &[Story]) -> Option<Claim> {
    let is_equal =
        (comparison.worse.as_ref()).is_some_and(|worse| worse.score == comparison.better.score);
    let better_is_proven = comparison.better.proven.is_some();
    let [better, worse] = ordered(stories).map(|story| &story.name);
    let text = match (comparison.is_best, comparison.asked_is_better()) {
        _ if is_equal && better_is_proven => return None,
        _ if !comparison.is_given => format!("{better} is the best move."),
        (true, _) if is_equal && is_loss(comparison.better.score) => {
            format!("{better} and {worse} lose equally fast.")
        }
        (true, _) if is_equal => format!("{better} and {worse} are equally good."),
        (true, true) => format!("{better} is the best move."),
        (true, false) => format!(
            "The best move is {better}{}.",
            after_worse(comparison, stories)
        ),
        (false, false) if !is_equal => format!("{better} is better."),
        (false, _) => return None,
    };
    let first = &comparison.better.moves[..1];
    let claim = Claim::new("verdict", Source::Search, text);
    Some(claim.on_line(comparison.root(), first, 0))
}

/// `; after 14.Rd1 White is winning (+4.20)`: what the move asked about keeps, if it neither mates nor is mated. A mate that
/// is missed says nothing of that.
fn after_worse(comparison: &MoveComparison, stories: &[Story]) -> String {
    let [better, worse] = ordered(stories);
    let root = comparison.root();
    let score = worse.line.score;
    if worse.line.proven.is_some() || is_decisive(score) {
        let verb = match score {
            // Tablebases or mates say it already.
            _ if better.line.proven.is_some() || moves_to_mate(score).is_some() => {
                return String::new();
            }
            _ if is_win(score) => "still wins",
            _ if is_loss(score) => "loses",
            _ => "draws",
        };
        return format!("; after {} {} {verb}", worse.name, side(root.turn()));
    }
    let count = material_count(root);
    let chance = win_draw_loss(score, count);
    let expected = expected_score(score, count);
    let us = side(root.turn());
    let stands = match expected {
        _ if chance[0] >= DECIDED => format!("{us} is winning"),
        _ if chance[2] >= DECIDED => format!("{us} is losing"),
        ..MUCH => format!("{us} is much worse"),
        ..UNEQUAL => format!("{us} is worse"),
        _ if expected > 1.0 - MUCH => format!("{us} is much better"),
        _ if expected > 1.0 - UNEQUAL => format!("{us} is better"),
        _ => "neither side is much better".to_owned(),
    };
    let shown = f64::from(normalise(score, count)) / 100.0;
    format!("; after {} {stands} ({shown:+.2})", worse.name)
}

/// The remainder hides the reasons.
pub(super) const UNSEEN: &str = "the positions at the ends of the two lines do not show why";
/// No concept passes its trial.
pub(super) const UNPROVED: &str = "no single reason can be shown to decide it";

/// The expected points that the worse move loses.
fn expected_loss(comparison: &MoveComparison, [better, worse]: [&Story; 2]) -> f64 {
    let count = material_count(comparison.root());
    expected_score(better.line.score, count) - expected_score(worse.line.score, count)
}

/// There is no reason to name: the expected line is shown instead.
pub(super) fn refusal(
    comparison: &MoveComparison,
    stories: &[Story],
    whole: f64,
    why: &str,
) -> Vec<Claim> {
    let [better, worse] = ordered(stories);
    if expected_loss(comparison, [better, worse]) < SMALL {
        return vec![playable(comparison, [better, worse], whole)];
    }
    let (one, other, amount) = (&better.name, &worse.name, pawns(whole));
    let is_worse = comparison.is_given && !comparison.asked_is_better();
    let best = if comparison.is_best {
        "the best move, "
    } else {
        ""
    };
    let compared = if is_worse {
        format!("{other} is {amount} worse than {best}{one},")
    } else if comparison.is_given {
        format!("{one} is {best}{amount} better than {other},")
    } else {
        format!("{one} is {amount} better than {other}")
    };
    let searched = thousands(comparison.nodes);
    let text = format!("{compared} after a search of {searched} positions, but {why}.");
    let root = comparison.root();
    let mut claims = vec![
        Claim::new("refusal", Source::Search, text)
            .on_line(root, &better.line.moves[..1], 0)
            .with_number("whole", whole),
    ];
    if is_worse {
        claims.extend(expected(root, worse, ""));
        claims.extend(expected(root, better, " of the better move"));
    } else {
        claims.extend(expected(root, better, ""));
    }
    claims
}

/// What the search expects after a move. The line does not stop before a capture, a check or the reply to it: a reader would
/// take what is given up before for a loss.
fn expected(root: &Position, story: &Story, of: &str) -> Option<Claim> {
    let (moves, positions) = (&story.line.moves, &story.line.positions);
    let last = moves.len().min(MAX_EXPECTED_PLIES);
    let goes_on = |&ply: &usize| {
        moves[ply].is_capture() || positions[ply].in_check() || positions[ply + 1].in_check()
    };
    let more = (EXPECTED_PLIES..last).take_while(goes_on);
    let plies = EXPECTED_PLIES + more.count();
    let shown = &moves[..moves.len().min(plies)];
    (shown.len() > 1).then(|| {
        let line = numbered_line(root, shown, shown.len());
        let text = format!("The expected line{of} is {line}.");
        Claim::new("line", Source::Search, text).on_line(root, shown, shown.len() - 1)
    })
}

/// A number with separated thousands.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
