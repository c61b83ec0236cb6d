//! Threats: what the opponent would do if the side to move passed (a null move).

use std::fmt;

use serde::Serialize;

use super::account::LineAccount;
use super::claim::{Claim, Source};
use super::explainer::{ExplainError, Explainer};
use super::explanation::ShownScore;
use super::gain::{Gain, PAWN};
use super::motifs::{self, Kind};
use super::notation::{numbered_line, shown_line};
use super::story::Story;
use super::winnings;
use super::words::{role, side};
use crate::base::value::{Value, is_decisive, moves_to_mate};
use crate::chess::{Color, Game, Move, Position, Role};

/// Lines of the opponent that are looked at.
const LINES: usize = 3;
/// Plies of a mate in a sentence.
const SHOWN_PLIES: usize = 5;
/// Material that is won later, in plies, is not threatened now.
const MAX_SETTLED: usize = 4;
/// The same for the threat of a move that is explained.
const MAX_SETTLED_OF_MOVE: usize = 2;
/// Plies of a line that shows what a fork wins.
const MAX_FORK: usize = 5;
/// What is won is kept for so many plies at least, if no fork is threatened.
const KEPT: usize = 6;
/// A longer mate is no threat.
const MAX_MATE: i32 = 5;
/// A threat improves the opponent's score by at least this many centipawns: a pawn of the opening is worth 50, the move 25.
const MIN_GAIN: Value = 30;
/// The same for a fork without a gain that can be seen.
const MIN_GAIN_OF_FORK: Value = 60;
/// A null move in SAN.
const NULL_MOVE: &str = "--";
/// Percent of the nodes of a search for the threat of a move, and the fewest that show one.
const SHARE: u64 = 4;
const MIN_NODES: u64 = 800;

/// The threats against the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Threats {
    pub fen: String,
    /// The side that threatens.
    pub side: &'static str,
    /// Its score if the side to move passed.
    pub score: Option<ShownScore>,
    pub claims: Vec<Claim>,
}

impl Explainer {
    /// Searches what the opponent would do if the side to move passed.
    ///
    /// # Errors
    /// [`ExplainError`] if the game is over or the search was stopped.
    ///
    /// ```
    /// use lucena::chess::{Game, Position};
    /// use lucena::explain::Explainer;
    ///
    /// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 b - - 0 1")?;
    /// let threats = Explainer::new(10_000)?.threats(&Game::new(position))?;
    /// assert_eq!(threats.claims[0].kind, "mate");
    /// assert_eq!(threats.to_string(), "White threatens mate: 2.Rd8#.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn threats(&mut self, game: &Game) -> Result<Threats, ExplainError> {
        if let Some(end) = game.end() {
            return Err(ExplainError::Over(end));
        }
        let root = game.position();
        let attacker = !root.turn();
        let mut threats = Threats {
            fen: root.to_fen(),
            side: side(attacker),
            score: None,
            claims: Vec::new(),
        };
        if root.in_check() {
            let squares: Vec<_> = root.checkers().into_iter().collect();
            let text = format!(
                "{} is in check and must answer it first.",
                side(root.turn())
            );
            threats.push(Claim::new("check", Source::Board, text).at(root, &squares));
            return Ok(threats);
        }
        self.restart();
        let now = self.best_score(game, 30).ok_or(ExplainError::Stopped)?;
        let passed = Game::new(root.play_null());
        if !passed.position().has_legal_move() {
            let text = format!(
                "{} has no legal move, so it threatens nothing.",
                side(attacker)
            );
            threats.push(Claim::new("no_threat", Source::Board, text));
            return Ok(threats);
        }
        if passed.end().is_some() {
            let text = format!(
                "{} has no move left before the fifty-move rule.",
                side(attacker)
            );
            threats.push(Claim::new("no_threat", Source::Board, text));
            return Ok(threats);
        }
        // A search of one line sees more than one of several, and leaves it in the TT.
        let mut lines = self.best_lines(&passed, 1, 35);
        lines.retain(|line| is_decisive(line.score));
        let legal = passed.position().legal_moves();
        if let Some(mate) = self.mate_by_checks(passed.position(), &legal) {
            lines.insert(0, self.account(&passed, &mate));
        }
        lines.extend(self.best_lines(&passed, LINES, 30));
        threats.score = lines
            .first()
            .map(|line| ShownScore::of(passed.position(), line.score));
        for (place, line) in lines.iter().enumerate() {
            // Promotions to other pieces are the same threat.
            let first = line.first();
            let is_known = |other: &LineAccount| {
                let other = other.first();
                (other.from(), other.to()) == (first.from(), first.to())
            };
            if lines[..place].iter().any(is_known) {
                continue;
            }
            // By how much the move improves on what the attacker has anyway.
            let improved = line.score + now;
            threats.extend(threat(passed.position(), line, attacker, improved));
        }
        // A threat may be one that no move prevents. An attacker who is not ahead gives something else for what it takes.
        if threats.claims.is_empty()
            && now <= -PAWN
            && let Some(line) = lines.first()
        {
            threats.extend(threat(passed.position(), line, attacker, Value::MAX));
        }
        if threats.claims.is_empty() {
            let text = format!(
                "No threat of mate or material by {} is found.",
                side(attacker)
            );
            threats.push(Claim::new("no_threat", Source::Search, text));
        }
        Ok(threats)
    }
}

impl Explainer {
    /// What each of two moves threatens: mate, or a gain of material, if the opponent passed. A threat that was there before,
    /// or that both moves make, is none of the move.
    pub(super) fn threats_of(&mut self, game: &Game, stories: &[Story]) -> Vec<(usize, Claim)> {
        if self.nodes() * SHARE / 100 < MIN_NODES {
            return Vec::new();
        }
        let found = stories.iter().enumerate().filter_map(|(index, story)| {
            let (mv, claim) = self.threat_of(game, story)?;
            Some((index, mv, claim))
        });
        let found: Vec<_> = found.collect();
        let squares = |mv: Move| (mv.from(), mv.to());
        if matches!(found[..], [(_, one, _), (_, other, _)] if squares(one) == squares(other)) {
            return Vec::new();
        }
        found
            .into_iter()
            .map(|(index, _, claim)| (index, claim))
            .collect()
    }

    /// The threat of one move, with the move that carries it out.
    fn threat_of(&mut self, game: &Game, story: &Story) -> Option<(Move, Claim)> {
        let there = story.after(0);
        let mv = story.line.first();
        let is_recaptured = |reply: &Move| mv.is_capture() && reply.to() == mv.to();
        if there.in_check() || there.legal_moves().iter().any(is_recaptured) {
            return None;
        }
        let passed = Game::new(there.play_null());
        if passed.end().is_some() {
            return None;
        }
        let lines = self.best_lines(&passed, 1, SHARE);
        let line = lines.first()?;
        let (root, first) = (game.position(), line.first());
        let improves = line.score - story.line.score >= MIN_GAIN;
        let claim = claim(
            passed.position(),
            line,
            root.turn(),
            improves,
            (MAX_SETTLED_OF_MOVE, usize::MAX),
        )?;
        let gain = claim.numbers.get("material").copied().unwrap_or(1.0);
        let is_old = |mv: &Move| {
            (mv.from(), mv.to()) == (first.from(), first.to())
                && root.see_ge(*mv, (gain * f64::from(PAWN)) as i32)
        };
        if root.legal_moves().iter().any(is_old) {
            return None;
        }
        // An exchange is offered if it was not possible before and is the whole threat.
        let is_new = claim.line.len() == 1 && !root.legal_moves().contains(&first);
        if let Some(role) = offered(there, first).filter(|_| is_new) {
            let text = format!("{} offers the exchange of {role}s.", story.name);
            let offer = Claim::new("point", Source::Board, text);
            let offer = offer.on_line(root, &story.line.moves[..1], 0);
            return Some((first, offer.at(there, &[first.from(), first.to()])));
        }
        let text = format!("After {}, {}", story.name, claim.text);
        let mut threat = Claim::new("threat", claim.source, text);
        threat.numbers = claim.numbers;
        let squares = [first.from(), first.to()];
        let mut threat = threat.on_line(root, &story.line.moves[..1], 0);
        threat.line.push(NULL_MOVE.to_owned());
        threat.line.extend(claim.line);
        Some((first, threat.at(there, &squares)))
    }
}

/// The pieces that a move offers to exchange: the piece that its threat would take can take the one that threatens it, which
/// is defended.
fn offered(there: &Position, threat: Move) -> Option<&'static str> {
    let [own, target] = [threat.from(), threat.to()].map(|square| there.piece_on(square));
    let (own, target) = (own?.role(), target?.role());
    let legal = there.legal_moves();
    let mut takes = legal.iter().filter(|mv| mv.is_capture());
    let takes = takes.find(|mv| (mv.from(), mv.to()) == (threat.to(), threat.from()))?;
    // Pawns that attack each other are a lever.
    (own == target && own != Role::Pawn && !there.see_ge(*takes, 1)).then(|| role(own))
}

/// The threat of a line: mate, a gain of material or a fork.
fn threat(root: &Position, line: &LineAccount, attacker: Color, improved: Value) -> Option<Claim> {
    let of_material = |kept| {
        claim(
            root,
            line,
            attacker,
            improved >= MIN_GAIN,
            (MAX_SETTLED, kept),
        )
    };
    of_material(usize::MAX)
        .or_else(|| (improved >= MIN_GAIN_OF_FORK).then(|| fork(root, line))?)
        .or_else(|| of_material(KEPT))
}

/// The threat of a line: mate, or a gain of material that is made by the move with the index `max_settled` and kept for as many
/// plies as `kept_for`.
///
/// What cannot be prevented, such as a promotion, improves nothing, but is a threat if it comes at once.
fn claim(
    root: &Position,
    line: &LineAccount,
    attacker: Color,
    improves: bool,
    (max_settled, kept_for): (usize, usize),
) -> Option<Claim> {
    let moves = &line.moves[..];
    let shown = |moves: &[Move]| numbered_line(root, moves, SHOWN_PLIES);
    let name = side(attacker);
    let mate = moves_to_mate(line.score);
    if let Some(count) = mate.filter(|count| improves && (1..=MAX_MATE).contains(count)) {
        let text = if count == 1 {
            format!("{name} threatens mate: {}.", shown(&moves[..1]))
        } else {
            let end = if moves.len() > SHOWN_PLIES {
                " …"
            } else {
                "."
            };
            format!(
                "{name} threatens mate within {count} moves: {}{end}",
                shown(moves)
            )
        };
        let claim = Claim::new("mate", Source::Search, text).with_number("moves", f64::from(count));
        let king = root.king(!attacker);
        return Some(claim.on_line(root, moves, 0).at(root, &[king]));
    }
    let lead = |ply: usize| Gain::between(root, &line.positions[ply], attacker).value();
    let settled = if improves {
        let settled = winnings::settled(line, attacker).filter(|&ply| ply <= max_settled);
        settled.or_else(|| kept(line, attacker, (max_settled, kept_for)))?
    } else {
        // What follows a promotion is won already.
        (moves[0].is_promotion() && lead(moves.len()) >= lead(1)).then_some(0)?
    };
    let gain = Gain::between(root, &line.positions[settled + 1], attacker);
    // A reader sees the recapture.
    let is_taken_back = settled == 0 && !moves[0].is_promotion() && !root.see_ge(moves[0], PAWN);
    let is_slow = settled > 0 && !is_attacked_after_first(root, &moves[..=settled]);
    if gain.value() <= 0 || is_taken_back || is_slow {
        return None;
    }
    let there = &line.positions[settled + 1];
    let win = Gain::phrase(
        root,
        &moves[..=settled],
        there,
        attacker,
        ["promote", "win"],
    );
    let line_shown = shown_line(root, &moves[..=settled]);
    let text = format!("{name} threatens to {win}: {line_shown}.");
    let target = moves[settled].to();
    Some(
        Claim::new("threat", Source::Board, text)
            .on_line(root, &moves[..=settled], settled)
            .at(root, &[moves[0].from(), target])
            .with_number("material", f64::from(gain.value()) / 100.0),
    )
}

/// Whether the first move of a line already attacks the piece that its last move captures. Otherwise the defender's replies lose
/// the piece. A capture, a check or a promotion leaves no time for others.
fn is_attacked_after_first(root: &Position, moves: &[Move]) -> bool {
    let (first, last) = (moves[0], moves[moves.len() - 1]);
    let there = root.play(first);
    if first.is_noisy() || there.in_check() || !last.is_capture() {
        return true;
    }
    // Where the captured piece stood before the replies.
    let replies = moves[1..].iter().step_by(2).rev();
    let target = replies.fold(last.to(), |square, reply| {
        if reply.to() == square {
            reply.from()
        } else {
            square
        }
    });
    let passed = there.play_null();
    let legal = passed.legal_moves();
    let mut captures = legal.iter().filter(|mv| mv.to() == target);
    captures.any(|&mv| mv.is_capture() && passed.see_ge(mv, PAWN))
}

/// The move after which the attacker leads by most of what it then keeps for as many plies as `kept_for`, if the line goes on to
/// win more or to exchange.
fn kept(
    line: &LineAccount,
    attacker: Color,
    (max_settled, kept_for): (usize, usize),
) -> Option<usize> {
    let leads: Vec<i32> = (line.positions.iter())
        .map(|position| Gain::between(&line.positions[0], position, attacker).value())
        .collect();
    let is_kept = |ply: &usize| {
        let lead = leads[ply + 1];
        // In an exchange the lead is what it is after the moves of the attacker.
        let mut later = leads.iter().enumerate().skip(ply + 1).take(kept_for);
        lead >= PAWN
            && later.all(|(index, &later)| {
                later >= lead || index % 2 == 0 && leads.get(index + 1) >= Some(&lead)
            })
    };
    let last = line.moves.len().min(max_settled + 1);
    let found = (0..last).step_by(2).filter(is_kept);
    found.max_by_key(|ply| (leads[ply + 1], std::cmp::Reverse(*ply)))
}

/// The threat of a fork, if what it wins stays unclear for long.
fn fork(root: &Position, line: &LineAccount) -> Option<Claim> {
    let shown = |length: usize| {
        let moves = motifs::Line::new(root, &line.moves[..length]);
        let fork = motifs::reason(&moves, false, PAWN)?;
        (fork.kind == Kind::Fork && fork.ply == 0).then_some((length, moves, fork))
    };
    let (length, moves, fork) = (1..=line.moves.len().min(MAX_FORK)).find_map(shown)?;
    let text = format!(
        "{} threatens a fork: {}",
        side(root.turn()),
        motifs::sentence(&moves, &fork)
    );
    let claim = Claim::new(fork.kind.name(), Source::Board, text);
    Some(
        claim
            .on_line(root, &line.moves[..length], 0)
            .at(root, &fork.squares),
    )
}

impl Threats {
    fn extend(&mut self, claim: Option<Claim>) {
        if let Some(claim) = claim {
            self.push(claim);
        }
    }

    fn push(&mut self, mut claim: Claim) {
        // Two lines with the same first moves, or that win the same on one square, are one threat.
        let wins = |claim: &Claim| {
            let material = claim.numbers.get("material")?;
            Some((material.to_bits(), claim.squares.last()?.clone()))
        };
        let is_same = |other: &Claim| {
            other.text == claim.text || wins(&claim).is_some_and(|won| wins(other) == Some(won))
        };
        if !self.claims.iter().any(is_same) {
            claim.id = self.claims.len() + 1;
            self.claims.push(claim);
        }
    }
}

/// A line for each threat.
impl fmt::Display for Threats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self
            .claims
            .iter()
            .map(|claim| claim.text.as_str())
            .collect();
        f.write_str(&texts.join("\n"))
    }
}
