//! Claims that need no evaluation: forced moves, tablebases, ends of games, mates and motifs.

use std::slice;

use super::claim::{Claim, Source};
use super::explainer::MoveComparison;
use super::gain::{Gain, PAWN};
use super::motifs;
use super::notation::{self, numbered, numbered_line};
use super::perpetual;
use super::sentences::known_draw;
use super::story::Story;
use super::verdict::PLAYABLE;
use super::winnings;
use super::words::side;
use crate::base::value::{Value, is_decisive, is_loss, is_win, moves_to_mate};
use crate::chess::{GameEnd, Move, Position, Square};

/// Plies of a mate in a sentence.
const SHOWN_PLIES: usize = 4;
/// Motifs explain differences of at least this much, in shown pawns, or a gain of material.
const MIN_FOR_MOTIF: f64 = 0.8;
/// A mate later in a line has no picture, in plies.
const MAX_PICTURE: usize = 6;
/// From a motif on, the line wins at least one of this many parts of what it wins in all.
const MIN_PART: i32 = 2;

/// The claims of rules, tablebases, mate, material and motifs, in order.
pub fn claims(comparison: &MoveComparison, stories: &[Story], difference: f64) -> Vec<Claim> {
    let root = comparison.root();
    let better = stories.iter().find(|story| story.is_better);
    let stories = match better {
        // No other move matters beside a mate at once.
        Some(better) if !comparison.is_given && is_mate_at_once(better) => slice::from_ref(better),
        _ => stories,
    };
    let mut found = Vec::new();
    // A mate on the board needs no proof by tablebases.
    found.extend(tablebase(stories).filter(|_| !stories.iter().all(is_mate_at_once)));
    let is_proven = !found.is_empty();
    let mates = stories.iter().filter_map(|story| mate(root, story));
    found.extend(mates);
    let draws = (stories.iter()).filter_map(|story| draw(root, story, stories));
    // Where both moves draw, how a line ends is no reason, but a stalemate at once is worth a word.
    found.extend(draws.filter(|claim| !is_proven || !is_alike(stories) || claim.ply == 0));
    if found.is_empty() && difference >= PLAYABLE {
        found.extend(perpetual_check(stories));
    }
    let has_mate = found.iter().any(|claim| claim.kind == "mate");
    if is_proven {
        let motif = motif_claim(comparison, stories, true);
        found.extend(motif.filter(|_| !is_alike(stories)));
        return found;
    }
    let mut material = if has_mate {
        winnings::beside_mate(comparison, stories)
            .into_iter()
            .collect()
    } else {
        winnings::claims(comparison, stories, difference)
    }
    .into_iter();
    let is_of_better = |claim: &Claim| claim.numbers.get("material").is_some_and(|&won| won > 0.0);
    let asked_is_better = comparison.asked_is_better();
    let (mut before, mut beside) = (None, None);
    match material.next() {
        // What the move asked about wins comes before the mate that the other one allows; else the mate is first.
        Some(claim) if has_mate && asked_is_better && is_of_better(&claim) => before = Some(claim),
        claim if has_mate => beside = claim,
        claim => found.extend(claim),
    }
    let wins = has_mate || found.iter().any(|claim| claim.kind == "material");
    if wins || difference >= MIN_FOR_MOTIF {
        let mates_at_once = stories.iter().any(is_mate_at_once);
        let says_promotion =
            |claim: &Claim| claim.kind == "material" && claim.text.contains(" promotes ");
        // That a pawn becomes a queen is said; another piece needs a reason.
        let is_said = |claim: &Claim| {
            let mut said = found.iter().chain(&before).chain(&beside);
            claim.text.ends_with(" promotes the pawn to a queen.") && said.any(says_promotion)
        };
        let motif = motif_claim(comparison, stories, false)
            .filter(|claim| !mates_at_once || is_mate(claim))
            .filter(|claim| !is_said(claim));
        // Of a mate at once, the motif says all.
        if motif
            .as_ref()
            .is_some_and(|motif| is_mate(motif) && motif.ply == 0)
        {
            found.retain(|claim| claim.kind != "mate" || claim.ply != 0);
        }
        found.extend(motif);
    }
    for story in stories {
        add_picture(root, story, &mut found);
    }
    found.splice(..0, before);
    found.extend(beside);
    found.extend(material);
    found
}

/// Adds what leaves the king no square at the end of a line, after the claim about the mate.
fn add_picture(root: &Position, story: &Story, found: &mut Vec<Claim>) {
    let Some(mut picture) = mate_picture(root, story) else {
        return;
    };
    let is_shown = |claim: &Claim| claim.line == picture.line && is_picture(claim);
    if found.iter().any(is_shown) {
        return;
    }
    let is_of_line = |claim: &Claim| claim.line == picture.line && is_mate(claim);
    let before = found.iter().position(is_of_line);
    let mate = story.line.positions[picture.ply].san(story.line.moves[picture.ply]);
    let is_named = before.is_some_and(|index| found[index].text.contains(&mate.to_string()));
    // Both moves may lead to the same mate.
    if found
        .iter()
        .any(|claim| claim.text.ends_with(&picture.text))
    {
        return;
    }
    if !is_named && picture.ply > 0 {
        // The reader must know which line this is about.
        picture.text = format!("After {}, {}", story.up_to(picture.ply - 1), picture.text);
    }
    found.insert(before.map_or(found.len(), |index| index + 1), picture);
}

/// Whether a claim is about a mate.
pub fn is_mate(claim: &Claim) -> bool {
    claim.kind == "mate" || claim.kind.ends_with("_mate")
}

fn is_mate_at_once(story: &Story) -> bool {
    story.line.moves.len() == 1 && story.line.game_end == Some(GameEnd::Checkmate)
}

/// Whether a claim says what leaves the king no square.
fn is_picture(claim: &Claim) -> bool {
    is_mate(claim) && claim.text.contains(" is mate: ")
}

/// What leaves the king no square at the end of a line.
fn mate_picture(root: &Position, story: &Story) -> Option<Claim> {
    let line = story.line;
    let ply = line.moves.len() - 1;
    if line.game_end != Some(GameEnd::Checkmate) || ply > MAX_PICTURE {
        return None;
    }
    let moves = moves_to_mate(line.score)?;
    let mv = numbered(&line.positions[ply], line.moves[ply]);
    let why = motifs::why_mate(line.last());
    let text = format!("{} is mate: {why}.", mv.trim_end_matches('#'));
    let king = line.last().king(line.last().turn());
    Some(
        Claim::new("mate", Source::Board, text)
            .on_line(root, &line.moves, ply)
            .with_number("moves", f64::from(moves.abs()))
            .at(line.last(), &[king]),
    )
}

/// Whether tablebases prove that one move keeps a result that the other loses.
pub fn results_differ(stories: &[Story]) -> bool {
    stories.iter().all(|story| story.line.proven.is_some()) && !is_alike(stories)
}

/// Whether tablebases prove the same result of both moves.
fn is_alike(stories: &[Story]) -> bool {
    let result = |story: &Story| {
        let value = story.line.proven?;
        Some((is_win(value), is_loss(value)))
    };
    let mut results = stories.iter().map(result);
    results.next() == results.next()
}

/// What tablebases prove of both moves.
fn tablebase(stories: &[Story]) -> Option<Claim> {
    let [better, worse] = match stories {
        [one, other] if one.is_better => [one, other],
        [one, other] => [other, one],
        _ => return None,
    };
    let (of_better, of_worse) = (better.line.proven?, worse.line.proven?);
    let result = |value: Value| {
        if is_win(value) {
            ["wins", "win"]
        } else if is_loss(value) {
            ["loses", "lose"]
        } else {
            ["draws", "draw"]
        }
    };
    let (one, other) = (&better.name, &worse.name);
    let ([first, both], [second, _]) = (result(of_better), result(of_worse));
    let text = if first == second {
        format!("{one} and {other} both {both}: tablebases prove it.")
    } else {
        format!("{one} {first} and {other} {second}: tablebases prove both.")
    };
    let root = &better.line.positions[0];
    let claim = Claim::new("tablebase", Source::Tablebase, text);
    Some(claim.on_line(root, &better.line.moves[..1], 0))
}

/// How a line ends in a draw.
#[derive(PartialEq)]
enum Draw {
    Rule(GameEnd),
    /// A known draw, with the reason.
    Known(String),
}

/// A line that ends with a draw by the rules or a known one, where the other does not.
fn draw(root: &Position, story: &Story, stories: &[Story]) -> Option<Claim> {
    let of = |story: &Story| {
        let end = story.line.game_end.filter(|&end| end != GameEnd::Checkmate);
        end.map(Draw::Rule)
            .or_else(|| known_draw(story.line.last()).map(Draw::Known))
    };
    let draw = of(story)?;
    let mut others = (stories.iter()).filter(|other| other.is_better != story.is_better);
    if others
        .next()
        .is_none_or(|other| of(other).is_some_and(|other| other == draw))
    {
        return None;
    }
    // A draw that the search did not count, or that is no reason: the scores are those of a draw.
    if story.line.score.abs() > PAWN / 4 {
        return None;
    }
    let last = story.line.moves.len() - 1;
    let moved = story.up_to(last);
    let text = match draw {
        Draw::Rule(GameEnd::Stalemate) => format!("{moved} is stalemate."),
        Draw::Rule(GameEnd::InsufficientMaterial) => {
            format!("After {moved} neither side has enough material to mate.")
        }
        Draw::Rule(GameEnd::ThreefoldRepetition) => {
            format!("{moved} repeats the position: a draw.")
        }
        Draw::Rule(_) => format!("After {moved} the game is drawn by the fifty-move rule."),
        Draw::Known(reason) => format!("After {moved} {reason}: a draw."),
    };
    Some(Claim::new("draw", Source::Board, text).on_line(root, &story.line.moves, last))
}

/// A line that leads to perpetual check or repeats a position, where the other does not.
fn perpetual_check(stories: &[Story]) -> Option<Claim> {
    let [one, other] = stories else {
        return None;
    };
    match (perpetual::claim(one), perpetual::claim(other)) {
        (Some(claim), None) | (None, Some(claim)) => Some(claim),
        _ => None,
    }
}

/// A line that ends with mate.
pub fn mate(root: &Position, story: &Story) -> Option<Claim> {
    let moves = moves_to_mate(story.line.score)?;
    let us = root.turn();
    let winner = if moves > 0 { us } else { !us };
    let last = story.line.moves.len() - 1;
    let shown = numbered_line(root, &story.line.moves, SHOWN_PLIES);
    let end = if last < SHOWN_PLIES { "." } else { " …" };
    let is_seen = story.line.game_end == Some(GameEnd::Checkmate);
    // A score may promise a shorter mate than the line shows.
    let shown_moves = (last + 1 + usize::from(winner == us)) / 2;
    let least = if is_seen { shown_moves as i32 } else { 0 };
    let count = moves.abs().max(least);
    let text = if moves > 0 {
        match (count, is_seen) {
            (1, true) => return mate_picture(root, story),
            (_, true) if last < SHOWN_PLIES => {
                format!("{} forces mate: {}.", story.name, story.up_to(last))
            }
            _ => format!(
                "{} forces mate within {count} moves: {shown}{end}",
                story.name
            ),
        }
    } else if is_seen && last < SHOWN_PLIES {
        format!(
            "After {} {} is mated: {}.",
            story.name,
            side(us),
            story.up_to(last)
        )
    } else {
        format!(
            "After {} {} mates within {count} moves: {shown}{end}",
            story.name,
            side(winner)
        )
    };
    let source = if is_seen {
        Source::Board
    } else {
        Source::Search
    };
    let claim = Claim::new("mate", source, text)
        .on_line(root, &story.line.moves, last)
        .with_number("moves", f64::from(count));
    let king = story.line.last().king(!winner);
    Some(claim.at(story.line.last(), &[king]))
}

/// The motif of a line: of the better one for its side; of the worse one for the opponent's replies, if that is the move
/// asked about. If tablebases prove the results, it must win material: any line of a won position leads to mate.
fn motif_claim(comparison: &MoveComparison, stories: &[Story], is_proven: bool) -> Option<Claim> {
    let root = comparison.root();
    // Beside a mate that a move allows, nothing else is a reason.
    let is_mated = |story: &Story| moves_to_mate(story.line.score).is_some_and(|moves| moves < 0);
    let allows_mate = stories.iter().any(is_mated);
    let mut reasons = stories
        .iter()
        .filter(|story| story.is_better || story.instead.is_empty())
        .filter(|story| !allows_mate || is_mated(story));
    let found = reasons.find_map(|story| {
        let skipped = usize::from(!story.is_better);
        let moves = tactical_part(story, skipped);
        let line = if story.is_better {
            motifs::Line::new(root, moves).after_move(comparison.game.last_move())
        } else {
            motifs::Line::after_reply(root, moves)
        };
        let all = Gain::between(
            line.position(0),
            line.position(line.moves().len()),
            line.side(),
        );
        let least = PAWN.max(all.value() / MIN_PART);
        let for_winner = if story.is_better { 1 } else { -1 } * story.line.score;
        // What the side that loses the game wins before is no reason.
        if is_loss(for_winner) {
            return None;
        }
        let reason = motifs::reason(&line, !is_proven && is_win(for_winner), least);
        let pin = motifs::used_pin(&line, least);
        // A named mate comes first; if both are of the same move, the pin comes second.
        let motif = { reason.into_iter().chain(pin) }
            .min_by_key(|motif| (!motif.kind.is_named_mate(), motif.ply))?;
        // Of two captures on one square, it is a reason for neither.
        let is_of_square = motif.kind == motifs::Kind::HangingPiece
            || motif.kind == motifs::Kind::Pin && motif.squares.len() > 3;
        let is_shared = is_of_square
            && motif.ply + skipped == 0
            && stories
                .iter()
                .all(|other| other.line.first().to() == story.line.first().to());
        let others = stories
            .iter()
            .filter(|other| other.is_better != story.is_better);
        let lost = match motif.kind {
            motifs::Kind::HangingPiece | motifs::Kind::TrappedPiece => motif.squares.first(),
            motifs::Kind::Pin => motif.squares.get(1),
            // What the forking piece takes next, or may take.
            motifs::Kind::Fork => {
                let next = line.moves().get(motif.ply + 2).map(|mv| mv.to());
                let there = line.position(motif.ply + 1);
                let mut targets = motif.squares.iter().skip(1);
                let taken = targets.clone().find(|&&square| Some(square) == next);
                let king = there.king(there.turn());
                taken.or_else(|| targets.find(|&&square| square != king))
            }
            _ => None,
        };
        let lost = lost.filter(|_| !story.is_better);
        let is_lost_anyway =
            lost.is_some_and(|&square| { others }.any(|other| loses_piece_on(other, square)));
        (!is_shared && !is_lost_anyway).then_some((story, skipped, line, motif))
    });
    let (story, skipped, line, motif) = found?;
    let text = motifs::sentence(&line, &motif);
    let ply = motif.ply + skipped;
    Some(motif_of_line(comparison, story, &motif, (ply, text)))
}

/// The fork by the reply to the move that was asked about, where the other move does not meet the same reply.
pub fn fork_of_reply(comparison: &MoveComparison, stories: &[Story]) -> Option<Claim> {
    let asked = |story: &&Story| !story.is_better && story.instead.is_empty();
    let story = stories.iter().find(asked)?;
    let moves = &story.line.moves;
    let others = stories.iter().filter(|other| other.is_better);
    if { others }.any(|other| other.line.moves.get(1) == moves.get(1)) {
        return None;
    }
    // The definition needs the next two moves.
    let line = motifs::Line::after_reply(comparison.root(), moves.get(..4)?);
    let mut found = motifs::find(&line).into_iter();
    let fork = found.find(|motif| motif.kind == motifs::Kind::Fork && motif.ply == 0)?;
    let text = motifs::sentence(&line, &fork);
    Some(motif_of_line(comparison, story, &fork, (1, text)))
}

/// The claim about a motif that begins with the move of a line with an index.
fn motif_of_line(
    comparison: &MoveComparison,
    story: &Story,
    motif: &motifs::Motif,
    (ply, mut text): (usize, String),
) -> Claim {
    // The reader must know which line this is about.
    if ply > 0 {
        let lead = story.up_to(ply - 1);
        text = if let Some(rest) = text.strip_prefix("After ") {
            // Behind White's move, Black's needs no number.
            let number = format!("{}…", story.line.positions[ply].fullmoves());
            let rest = rest.strip_prefix(&number).unwrap_or(rest);
            format!("After {lead} {rest}")
        } else if let Some(rest) = text.strip_prefix("The ") {
            format!("After {lead}, the {rest}")
        } else if let Some(rest) = text.strip_prefix("Before ") {
            format!("After {lead}, before {rest}")
        } else {
            format!("After {lead}, {text}")
        };
    }
    let claim = Claim::new(motif.kind.name(), Source::Board, text);
    let mut claim = claim.on_line(comparison.root(), &story.line.moves[..=ply], ply);
    claim.squares = motif.squares.iter().map(ToString::to_string).collect();
    // Those that make the motif: some have left their squares when it is played.
    claim.pieces = motif
        .pieces
        .iter()
        .map(|&piece| notation::piece(piece))
        .collect();
    claim
}

/// Whether the opponent takes the piece that stands on a square, without its moving before.
fn loses_piece_on(story: &Story, square: Square) -> bool {
    let mut moves = story.line.moves.iter().enumerate();
    let first = moves.find(|(ply, mv)| match ply % 2 {
        0 => mv.from() == square,
        _ => mv.to() == square,
    });
    first.is_some_and(|(ply, _)| ply % 2 == 1)
}

/// The moves of a line up to the last capture or mate that matters: a line that goes on has other motifs.
fn tactical_part<'a>(story: &Story<'a>, skipped: usize) -> &'a [Move] {
    let line = story.line;
    let all = &line.moves[..];
    if line.game_end == Some(GameEnd::Checkmate) || is_decisive(line.score) {
        return all;
    }
    let winner = line.positions[skipped.min(all.len())].turn();
    let balance =
        |ply: usize| Gain::between(&line.positions[0], &line.positions[ply], winner).value();
    let last = balance(all.len());
    // The first move of the winner after which the balance is that of the end, and never less.
    let settled = (skipped..all.len()).step_by(2).find(|&ply| {
        balance(ply + 1) == last && (ply + 1..=all.len()).all(|later| balance(later) >= last)
    });
    settled.map_or(all, |ply| &all[..=ply])
}

/// The sentence of the only legal move.
pub fn only_move(comparison: &MoveComparison) -> Claim {
    let line = &comparison.better;
    let root = comparison.root();
    let text = format!("{} is the only legal move.", numbered(root, line.first()));
    Claim::new("only_move", Source::Board, text).on_line(root, &line.moves[..1], 0)
}
