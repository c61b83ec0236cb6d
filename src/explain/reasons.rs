//! Claims from the evaluation: which concepts carry the difference of two lines, and the fact of the board behind each.
//!
//! Facts are compared at the quiet ends of the lines, piece by piece: a piece is followed from its square in the first
//! position. So a fact that is named still holds when the line is played out.

use std::collections::HashMap;

use super::claim::{Claim, Source};
use super::concepts::Concept;
use super::explainer::MoveComparison;
use super::facts::Fact;
use super::found::{Found, is_reason, speaks_for};
use super::gain::Gain;
use super::line_facts::{Ended, FactsByKey, Key, clause, facts_at, lead, order};
use super::notable::{
    is_more, is_no_reason, is_of_pieces, is_point, is_real_attack, is_vague, needs_shelter,
    stays_isolated,
};
use super::notation;
use super::rank::Ranked;
use super::scale::Scale;
use super::story::Story;
use super::summary::MIN_CENTIPAWNS;
use super::topics::Topic;
use super::winnings::MAX_SETTLED;
use super::words;
use crate::chess::{Move, Position, Square};
use crate::eval::{Model, UNITS_PER_CENTIPAWN};

/// A fact that the first moves decide is named if it is one of this many parts of the greatest fact at the ends.
const MIN_AT_ONCE: i32 = 4;
/// A concept is named only with a fact that is at least one of so many parts of it.
const MIN_PART_OF_CONCEPT: i32 = 4;
/// Of a move that is better by more shown pawns, no cost is named.
const MAX_WITH_COST: f64 = 3.0;
/// Lines differ in a concept that is at most so many times as large as the whole difference: others take the rest back.
const MAX_OF_WHOLE: f64 = 1.5;
/// The cost of the better move is named if it is as many shown pawns, and this share of the difference.
const MIN_COST: f64 = 0.05;
const MIN_SHARE_COST: f64 = 0.15;

/// A point of a move lasts so many plies of its line at least.
const LASTS: usize = 3;
/// A cost that shows later in a line is none of the move, in plies: of pawns and endings, and of pieces and kings, which move on.
const MAX_COST: usize = 6;
const MAX_COST_OF_PIECES: usize = 1;

/// The reasons for the better move and what it costs. Without trials a reason is a fact that the first moves decide, or one of
/// material and pawns.
pub fn claims(
    model: &Model,
    comparison: &MoveComparison,
    stories: &[Story],
    (proved, all, has_trials): (&[Ranked], &[Ranked], bool),
    scale: Scale,
) -> (Vec<Claim>, Option<Claim>) {
    let (Some(account), [one, other]) = (&comparison.account, stories) else {
        return (Vec::new(), None);
    };
    let sign = comparison.root().turn().fold_wb(1, -1);
    let [better, worse] = if one.is_better {
        [one, other]
    } else {
        [other, one]
    };
    let ended = [Ended::new(model, better), Ended::new(model, worse)];
    let whole = scale.pawns(account.difference.0);
    let reasons = proved.iter().filter_map(|ranked| {
        let found = strongest(&ended, ranked.concept, sign)?;
        let is_main = found.lead * MIN_PART_OF_CONCEPT >= account.get(ranked.concept).0;
        let topic = found.fact.topic;
        let is_lasting = !is_of_pieces(topic) && found.ply <= MAX_COST;
        let is_clear = has_trials || !is_vague(topic) && (found.is_at_once || is_lasting);
        (is_main && is_clear && is_reason(&found)).then(|| reason(&found, ranked, whole))
    });
    let reasons = reasons.collect();
    let least = MIN_COST.max(MIN_SHARE_COST * whole);
    // Threats and the side to move change from ply to ply: they are no lasting cost.
    let is_lasting =
        |ranked: &&Ranked| !matches!(ranked.concept, Concept::Threats | Concept::Development);
    let mut costs: Vec<&Ranked> = { all.iter().filter(is_lasting) }
        .filter(|ranked| whole <= MAX_WITH_COST && -ranked.difference >= least)
        .collect();
    costs.sort_by(|a, b| a.difference.total_cmp(&b.difference));
    let cost = (costs.into_iter()).find_map(|ranked| {
        let all = account.get(ranked.concept).0;
        cost(comparison, &ended, ranked, -all, sign)
    });
    (reasons, cost)
}

/// Where the ends of the lines differ most, if no reason is proved: a fact, not a reason.
pub fn difference(
    model: &Model,
    stories: [&Story; 2],
    greatest: &Ranked,
    whole: f64,
) -> Option<Claim> {
    if greatest.difference > MAX_OF_WHOLE * whole {
        return None;
    }
    let ended = stories.map(|story| Ended::new(model, story));
    let sign = ended[0].story.line.positions[0].turn().fold_wb(1, -1);
    let (title, amount) = (
        greatest.concept.title(),
        notation::pawns(greatest.difference),
    );
    let differ = format!("The lines differ most in {title}, by {amount}");
    let found = strongest_at(&ended, greatest.concept, sign, true)?;
    let compared = compared(&found);
    // A state of both lines does not distinguish them.
    let is_of_both = found.other.is_some() && found.balance.is_none() && compared.is_empty();
    if !says_more(&found) || !is_reason(&found) || is_of_both {
        return None;
    }
    let text = format!(
        "{differ}: after {}, {}{compared}.",
        found.story.up_to(found.ply),
        found.clause()
    );
    let claim = claim(&found, "difference", found.ply, text);
    let claim = claim.with_number("part", greatest.difference);
    Some(claim.with_number("whole", whole))
}

/// The point of each of two moves: the greatest fact in its favour that the move itself makes and that the reply does not
/// undo. A fact that both moves make is none.
pub fn points(model: &Model, stories: &[Story]) -> Vec<(usize, Claim)> {
    let [one, other] = stories else {
        return Vec::new();
    };
    let us = one.line.positions[0].turn();
    let sign = us.fold_wb(1, -1);
    let before = facts_at(model, one, 0);
    let ended = [Ended::new(model, one), Ended::new(model, other)];
    let pairs = [(0, 1), (1, 0)].map(|(here, there)| (here, &ended[here], &ended[there]));
    let found = pairs.into_iter().filter_map(|(index, here, there)| {
        let line = here.story.line;
        let is_taken = |reply: &Move| reply.to() == line.first().to();
        if line.moves.get(1).is_some_and(is_taken) {
            return None;
        }
        let later = facts_at(model, here.story, LASTS.min(line.moves.len()));
        let over =
            |facts: &FactsByKey, other: &FactsByKey, key: &Key| lead(key, [facts, other], sign);
        let made = |key: &Key| over(&here.first, &before, key);
        // Almost every move changes how far pieces reach.
        let weight = |key: &Key| match key.1 {
            Topic::Mobility => made(key) / 2,
            _ => made(key),
        };
        let is_shown = |&(key, fact): &(&Key, &Fact)| {
            is_point(fact, us)
                && needs_shelter(here.story.after(0), fact)
                && stays_isolated(here.story.after(0), fact)
                && fact.exact * sign > 0
                && later.contains_key(key)
                && over(&later, &before, key) > 0
                && over(&here.first, &there.first, key) > 0
                && before.get(key).is_none_or(|old| is_more(old, fact))
                && (fact.topic != Topic::Attacked || is_real_attack(here.story.after(0), fact))
                && !there
                    .first
                    .values()
                    .any(|other| clause(other) == clause(fact))
        };
        let (key, fact) = (here.first.iter().filter(is_shown))
            .max_by_key(|(key, _)| (weight(key), std::cmp::Reverse(order(key, sign))))?;
        if weight(key) < MIN_CENTIPAWNS * UNITS_PER_CENTIPAWN {
            return None;
        }
        let found = Found {
            story: here.story,
            ply: 0,
            key: *key,
            fact,
            other: there.first.get(key),
            other_story: there.story,
            lead: made(key),
            is_at_once: true,
            balance: None,
        };
        let text = format!("After {}, {}.", here.story.name, found.clause());
        Some((index, claim(&found, "point", 0, text)))
    });
    found.collect()
}

/// Whether a fact says more than its concept.
fn says_more(found: &Found) -> bool {
    !is_vague(found.fact.topic)
}

/// The fact of a concept that differs most in favour of the better line: if there is one, a fact that the first moves decide
/// and that still counts at the ends. It is of the line where it weighs more. What comes late in a line is no reason.
fn strongest<'a>(ended: &'a [Ended<'a>; 2], concept: Concept, sign: i32) -> Option<Found<'a>> {
    strongest_at(ended, concept, sign, false)
}

/// The same; `ends_only` leaves out what the first moves decide.
fn strongest_at<'a>(
    ended: &'a [Ended<'a>; 2],
    concept: Concept,
    sign: i32,
    ends_only: bool,
) -> Option<Found<'a>> {
    let [better, worse] = ended;
    let (first, last) = ([&better.first, &worse.first], [&better.last, &worse.last]);
    let weighed = |key: &Key, lead: i32| if is_vague(key.1) { lead / 4 } else { lead };
    let best = |of: [&'a FactsByKey; 2], weight: &dyn Fn(&Key) -> i32| {
        let keys = of.into_iter().flat_map(HashMap::keys);
        let keys = keys.filter(|key| key.0 == concept && (ends_only || !is_no_reason(key.1)));
        keys.map(|key| (weight(key), std::cmp::Reverse(order(key, sign)), *key))
            .max()
            .filter(|&(weight, ..)| weight > 0)
    };
    let at_once = best(first, &|key| {
        weighed(key, lead(key, first, sign).min(lead(key, last, sign)))
    });
    let in_the_end = best(last, &|key| weighed(key, lead(key, last, sign)));
    let is_at_once = match (at_once, in_the_end) {
        // The first moves may be half of an exchange.
        _ if ends_only || concept == Concept::Material => false,
        (Some((now, ..)), Some((later, ..))) => now * MIN_AT_ONCE >= later,
        (now, _) => now.is_some(),
    };
    let key = if is_at_once { at_once } else { in_the_end }?.2;
    let of = if is_at_once { first } else { last };
    let weight = |facts: &FactsByKey| facts.get(&key).map_or(0, |fact| fact.exact.abs());
    let (here, there, facts) = if weight(of[0]) >= weight(of[1]) {
        (better, worse, of)
    } else {
        (worse, better, [of[1], of[0]])
    };
    let found = with_balance(Found {
        story: here.story,
        ply: if is_at_once { 0 } else { here.since(&key) },
        key,
        fact: facts[0].get(&key)?,
        other: facts[1].get(&key),
        other_story: there.story,
        lead: lead(&key, of, sign),
        is_at_once,
        balance: None,
    });
    found.filter(|found| found.ply <= MAX_SETTLED && !is_taken_next(found))
}

/// Whether the reply takes the piece that a fact of the first move is about.
fn is_taken_next(found: &Found) -> bool {
    let reply = found.story.line.moves.get(1).filter(|_| found.is_at_once);
    let fact = found.fact;
    let is_of_shelter = |square| fact.topic == Topic::Shelter && fact.squares.contains(square);
    reply.is_some_and(|mv| {
        mv.is_capture() && (Some(mv.to()) == fact.subject || is_of_shelter(mv.to()))
    })
}

/// Facts of material name one kind of piece; the clause names all, from the move on after which they stay so. `None` if the
/// better line has the worse balance: no reader would take that as a reason.
fn with_balance(found: Found) -> Option<Found> {
    if found.fact.topic != Topic::Material {
        return Some(found);
    }
    let (line, other) = (found.story.line, found.other_story.line);
    let us = line.positions[0].turn();
    let gain = Gain::between(other.last(), line.last(), us);
    // A knight instead of a bishop is no difference.
    let (ahead, is_same) = (gain.value(), gain.text().is_empty());
    if is_same || found.story.is_better && ahead < 0 || !found.story.is_better && ahead > 0 {
        return None;
    }
    let Some(balance) = Gain::lead(line.last()).clause() else {
        return Some(found);
    };
    let is_same = |position: &Position| Gain::lead(position) == Gain::lead(line.last());
    let same = { line.positions.iter().rev() }
        .take_while(|position| is_same(position))
        .count();
    Some(Found {
        ply: (line.positions.len() - same)
            .saturating_sub(1)
            .min(line.moves.len() - 1),
        balance: Some(balance),
        ..found
    })
}

/// ` (2 squares after 14.Rd1)`: the same of the other line, if it differs.
fn compared(found: &Found) -> String {
    let fact = found.fact;
    let state = if let Some(balance) = &found.balance {
        let other = Gain::lead(found.other_story.line.last()).clause();
        let other = other.unwrap_or_else(|| "material is level".to_owned());
        Some(other).filter(|other| other != balance)
    } else {
        let is_other =
            |state: &&String| !state.is_empty() && !fact.state.is_empty() && **state != fact.state;
        // A rook on another file says nothing about this one.
        let file = |fact: &Fact| fact.subject.map(Square::file);
        let is_comparable =
            |other: &&Fact| fact.topic != Topic::RookFile || file(other) == file(fact);
        let state = found.other.filter(is_comparable).map(|other| &other.state);
        state.filter(is_other).map(|state| words::spelled(state))
    };
    // Facts of the ends are compared at the ends.
    let when = if found.is_at_once {
        "after"
    } else {
        "in the line of"
    };
    state.map_or_else(String::new, |state| {
        format!(" ({state} {when} {})", found.other_story.name)
    })
}

fn reason(found: &Found, ranked: &Ranked, whole: f64) -> Claim {
    let text = format!(
        "After {}{}, {}{}: {}.",
        found.story.up_to(found.ply),
        found.story.instead,
        found.clause(),
        compared(found),
        part(ranked.difference, whole, ranked.concept.title())
    );
    claim(found, ranked.concept.key(), found.ply, text)
        .with_number("part", ranked.difference)
        .with_number("whole", whole)
}

/// What the better move gives up, by a fact of the line in which it shows: one that the first moves decide.
fn cost(
    comparison: &MoveComparison,
    ended: &[Ended; 2],
    ranked: &Ranked,
    all: i32,
    sign: i32,
) -> Option<Claim> {
    let found = strongest(ended, ranked.concept, -sign)?;
    let is_main = found.lead * MIN_PART_OF_CONCEPT >= all;
    let before = facts_at(ended[0].model, found.story, 0);
    let is_new = before.values().all(|fact| clause(fact) != found.clause());
    let value = |fact: Option<&Fact>| fact.map_or(0, |fact| fact.exact * sign);
    let change = value(Some(found.fact)) - value(before.get(&found.key));
    // The move makes it worse, or the other one better.
    let is_made = is_new && (change < 0) == found.story.is_better;
    let us = found.story.line.positions[0].turn();
    // What the enemy's pieces do not do is no cost. A fact about bishop pairs has no side. A king may castle later.
    let is_later = found.fact.topic == Topic::Shelter && !found.is_at_once;
    let is_clear = says_more(&found)
        && speaks_for(&found, if found.story.is_better { !us } else { us })
        && found.fact.topic != Topic::BishopPair
        && !is_later
        && if found.story.is_better {
            !is_point(found.fact, us) && (found.fact.side == us || is_point(found.fact, !us))
        } else {
            is_point(found.fact, us)
        };
    // A fact that both moves make is no cost of one of them.
    let is_of_both = ended.iter().all(|line| {
        let mut facts = line.first.values();
        facts.any(|fact| clause(fact) == found.clause())
    });
    let most = if is_of_pieces(found.fact.topic) {
        MAX_COST_OF_PIECES
    } else {
        MAX_COST
    };
    if found.ply > most || !is_clear || !is_made || !is_main || is_of_both {
        return None;
    }
    let (title, amount) = (ranked.concept.title(), notation::pawns(ranked.difference));
    let name = &found.story.name;
    let start = if found.story.is_better {
        format!("{name} costs {amount} in {title}")
    } else if comparison.is_given || comparison.is_against_given {
        format!("{name} is {amount} better in {title}")
    } else {
        format!("The next best move, {name}, is {amount} better in {title}")
    };
    let lead = found.story.up_to(found.ply);
    let text = format!("{start}: after {lead}, {}.", found.clause());
    Some(claim(&found, "cost", found.ply, text).with_number("part", ranked.difference))
}

fn claim(found: &Found, kind: &str, ply: usize, text: String) -> Claim {
    let line = found.story.line;
    let fact = found.fact;
    let mut squares: Vec<Square> = fact.subject.into_iter().collect();
    // All pawns of a side say nothing about one that it has more.
    if fact.topic != Topic::Material {
        let others = fact.squares.into_iter();
        squares.extend(others.filter(|&square| Some(square) != fact.subject));
    }
    Claim::new(kind, Source::Ledger, text)
        .on_line(&line.positions[0], &line.moves, ply)
        .at(found.story.after(ply), &squares)
}

/// A part of up to so many times the difference is about all of it.
const ABOUT_WHOLE: f64 = 1.1;

/// `0.41 of the difference of 0.63 is due to rooks and files`.
fn part(part: f64, whole: f64, title: &str) -> String {
    let [text, all] = [part, whole].map(notation::pawns);
    if text == all {
        format!("the whole difference of {all} is due to {title}")
    } else if part < whole {
        format!("{text} of the difference of {all} is due to {title}")
    } else if part < whole * ABOUT_WHOLE {
        format!("about the whole difference of {all} is due to {title}")
    } else {
        format!("{text} is due to {title}, and other concepts reduce the difference to {all}")
    }
}
