//! The commands for explanations: `explain`, `whynot`, `threats`, `say`, and the lines before `bestmove` with the option
//! `Explain`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::speech::{ascii, spoken, spoken_move};
use crate::chess::{Color, Game, Move, Position, Role, Square, role_name};
use crate::engine::{
    EXPLAIN_NODES, Engine, ExplainError, Explainer, Limits, Question, Signal, Ticket,
};

/// An explanation may take this percentage of the nodes that one thread has searched, and at most this many nodes.
const SHARE: u64 = 4;
const MAX_NODES: u64 = 50_000;
/// Percent of the move time that is reserved for the explanation.
const KEPT: u32 = 6;
/// With fewer nodes no line is long enough to explain. A mate is explained with as many after any search.
const MIN_NODES: u64 = 2_000;
/// Lines before `bestmove`, and the bytes of one.
const MAX_LINES: usize = 3;
const MAX_BYTES: usize = 200;

/// A question about the current position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inquiry {
    /// `explain [MOVE]`.
    Explain(Option<String>),
    /// `whynot MOVE`.
    WhyNot(String),
    /// `threats`.
    Threats,
    /// `say`: the board and the explanation in full words.
    Say,
}

/// Follows an answer whose search `stop` or the end of input stopped.
const CUT_SHORT: &str =
    "A stop or the end of input stopped the search early, so this answer is uncertain.";

/// Answers a question about a game; the search ends with the ticket.
///
/// # Errors
/// What is wrong with the question.
pub fn answer(
    inquiry: &Inquiry,
    engine: &mut Engine,
    game: &Game,
    (signal, ticket): (&Arc<Signal>, Ticket),
) -> Result<String, String> {
    let position = game.position();
    let mv = match inquiry {
        Inquiry::Explain(Some(text)) | Inquiry::WhyNot(text) => {
            if let Some(end) = game.end() {
                return Err(ExplainError::Over(end).to_string());
            }
            let found = position.find_move(text);
            Some(found.map_err(|error| error.to_string())?)
        }
        _ => None,
    };
    let explainer = engine.explainer(EXPLAIN_NODES);
    let mut explainer = explainer
        .map_err(|error| error.to_string())?
        .with_signal(Arc::clone(signal), ticket);
    let text = if *inquiry == Inquiry::Threats {
        explainer.threats(game).map(|threats| threats.to_string())
    } else {
        let question = Question {
            mv,
            ..Question::default()
        };
        let explanation = explainer.explain(game, question);
        explanation.map(|explanation| explanation.to_string())
    };
    let is_cut_short = signal.is_stopped(ticket);
    // For a finished game only the board is described.
    let text = match text {
        Err(error) if *inquiry == Inquiry::Say => error.to_string(),
        Err(ExplainError::Over(end)) if *inquiry == Inquiry::Threats => {
            return Err(format!("no threats: {end}"));
        }
        other => other.map_err(|error| error.to_string())?,
    };
    let text = if is_cut_short {
        format!("{}\n{CUT_SHORT}", text.trim_end())
    } else {
        text
    };
    Ok(match inquiry {
        Inquiry::Say => format!("{}\n{}", board_in_words(game), spoken(&text)),
        _ => text,
    })
}

/// The pieces of both sides, the last move and whose turn it is.
fn board_in_words(game: &Game) -> String {
    let position = game.position();
    let mut lines: Vec<String> = [Color::White, Color::Black]
        .into_iter()
        .map(|color| format!("{}: {}.", side(color), pieces(position, color)))
        .collect();
    if let Some((before, mv)) = game.last_move() {
        let (them, mv) = (
            side(before.turn()),
            spoken_move(&before.san(mv).to_string()),
        );
        lines.push(if mv.starts_with("castles") {
            format!("{them} {mv}.")
        } else {
            format!("{them} played {mv}.")
        });
    }
    let check = if position.in_check() {
        " and is in check"
    } else {
        ""
    };
    lines.push(format!("{} is to move{check}.", side(position.turn())));
    lines.join("\n")
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `king g1, queen d1, rooks a1 and f1, pawns …`.
fn pieces(position: &Position, color: Color) -> String {
    let roles = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let groups = roles.into_iter().filter_map(|role| {
        let squares = position.pieces(color, role).into_iter();
        let names: Vec<String> = squares.map(|square: Square| square.to_string()).collect();
        let plural = if names.len() > 1 { "s" } else { "" };
        let (last, rest) = names.split_last()?;
        let list = if rest.is_empty() {
            last.clone()
        } else {
            format!("{} and {last}", rest.join(" "))
        };
        Some(format!("{}{plural} {list}", role_name(role)))
    });
    groups.collect::<Vec<_>>().join(", ")
}

/// Keeps back the time that the explanation takes.
pub fn keep_time(limits: &mut Limits) {
    let shorter = |time: Duration| time * (100 - KEPT) / 100;
    limits.move_time = limits.move_time.map(shorter);
    if let Some(clock) = &mut limits.clock {
        clock.remaining = shorter(clock.remaining);
    }
}

/// The share of these nodes, of a search since `started`, that were searched since its clock started; 0 without a clock.
pub fn searched_on_clock(nodes: u64, started: Instant, clock_start: Option<Instant>) -> u64 {
    let whole = started.elapsed().as_secs_f64();
    let used = clock_start.map_or(0.0, |start| start.elapsed().as_secs_f64());
    (nodes as f64 * (used / whole).clamp(0.0, 1.0)) as u64
}

/// The lines before `bestmove`: why the move found is better than the second one, or without one than the next best.
pub fn why(
    explainer: &mut Option<Explainer>,
    engine: &Engine,
    game: &Game,
    (best, second): (Move, Option<Move>),
    (searched, is_mate_found): (u64, bool),
) -> Vec<String> {
    let nodes = match (searched * SHARE / 100).min(MAX_NODES) {
        few if few < MIN_NODES && !is_mate_found => return Vec::new(),
        nodes => nodes.max(MIN_NODES),
    };
    if explainer.is_none() {
        *explainer = Explainer::small(nodes).ok();
    }
    let Some(explainer) = explainer else {
        return Vec::new();
    };
    explainer.set_model(engine.model().cloned());
    explainer.set_nodes(nodes);
    let question = Question {
        mv: Some(best),
        against: second,
        is_best: true,
    };
    let Ok(explanation) = explainer.explain(game, question) else {
        return Vec::new();
    };
    // The short search may prefer the other move; then there is no reason to print.
    if !explanation.comparison.asked_is_better() {
        let playable = explanation.either_is_playable();
        return playable.iter().map(|text| line(text)).collect();
    }
    // A short search may miss the mate of the long one.
    let is_mate = |claim: &str| claim == "mate" || claim.ends_with("_mate");
    if is_mate_found && !explanation.claims.iter().any(|claim| is_mate(&claim.kind)) {
        return Vec::new();
    }
    // `bestmove` already says that the move is the best one.
    let claims = (explanation.claims.iter())
        .filter(|claim| claim.kind != "verdict" || !claim.numbers.is_empty());
    let lines = claims.map(|claim| line(&claim.text));
    lines.take(MAX_LINES).collect()
}

/// A sentence as one line of ASCII, cut at a word if it is too long.
fn line(text: &str) -> String {
    const START: &str = "info string why ";
    let text = ascii(text);
    let room = MAX_BYTES - START.len();
    if text.len() <= room {
        return format!("{START}{text}");
    }
    let cut = text[..room - 3].rfind(' ').unwrap_or(room - 3);
    format!("{START}{}...", &text[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::WordsError;

    #[test]
    fn a_long_sentence_is_cut_at_a_word() {
        let long = "14…Rd2 ".repeat(60);
        let line = line(&long);
        assert!(line.len() <= MAX_BYTES && line.is_ascii() && line.ends_with("14...Rd2..."));
    }

    #[test]
    fn the_board_is_put_into_words() -> Result<(), WordsError> {
        let game = Game::from_words("3k4/8/8/8/8/8/4P3/R3K2R b - - Ke8")?;
        assert_eq!(
            board_in_words(&game),
            "White: king e1, rooks a1 and h1, pawn e2.\nBlack: king e8.\nBlack played king to e8.\nWhite is to move."
        );
        Ok(())
    }
}
