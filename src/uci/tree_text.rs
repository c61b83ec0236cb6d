//! The root of a search tree as text: `tree`, `tree MOVE`, and the lines with `debug on`.

use std::fmt::Write as _;

use crate::base::value::{Value, moves_to_mate};
use crate::chess::Move;
use crate::engine::{MoveReport, TreeReport};

/// Features of a move shown in a line of the table and in a line with `debug on`.
const FEW_ITEMS: usize = 3;

/// The position and all moves of the root, one per line, most visited first.
pub fn table(report: &TreeReport, chess960: bool) -> String {
    let mut text = format!(
        "position {}\n{} visits, value {:.1} %, memory {:.1} % used\n move   visits  share  prior  value  explore  line\n",
        report.position.to_fen(),
        report.visits,
        percent(report.value),
        f64::from(report.fullness) / 10.0,
    );
    for found in &report.moves {
        let share = found.visits as f32 / report.visits.max(1) as f32;
        let _ = writeln!(
            text,
            "{:>5} {:>8} {:>5.1}% {:>5.1}% {:>5.1}% {:>7.1}%  {}",
            found.mv.uci(chess960).to_string(),
            found.visits,
            percent(share),
            percent(found.prior),
            percent(found.value),
            percent(found.exploration),
            proof(found).unwrap_or_else(|| moves(&found.line, chess960)),
        );
    }
    text.pop();
    text
}

/// Why a move of the root was visited as often as it was; `None` if it is not there.
pub fn one_move(report: &TreeReport, mv: Move, chess960: bool) -> Option<String> {
    let found = report.moves.iter().find(|found| found.mv == mv)?;
    let mut text = format!(
        "position {}\n{}: {} of {} visits\n",
        report.position.to_fen(),
        mv.uci(chess960),
        found.visits,
        report.visits
    );
    let _ = writeln!(
        text,
        "prior {:.1} %: {}",
        percent(found.prior),
        items(found, usize::MAX)
    );
    if let Some(proof) = proof(found) {
        let _ = writeln!(text, "{proof}");
    } else if let Some(first) = found.first_value {
        let _ = writeln!(
            text,
            "value {:.1} %: mean of {} play-outs; the position after it by itself {:.1} %",
            percent(found.value),
            found.visits,
            percent(first)
        );
    } else {
        let _ = writeln!(
            text,
            "value {:.1} %: assumed, no play-out yet",
            percent(found.value)
        );
    }
    let _ = writeln!(
        text,
        "upper confidence bound {:.1} % = value {:.1} % + exploration {:.1} %",
        percent(found.value + found.exploration),
        percent(found.value),
        percent(found.exploration),
    );
    let _ = write!(text, "line {}", moves(&found.line, chess960));
    Some(text)
}

/// A line for each move, to be printed before `bestmove`.
pub fn debug_lines(report: &TreeReport, chess960: bool) -> impl Iterator<Item = String> {
    report.moves.iter().map(move |found| {
        format!(
            "tree {} visits {} prior {:.1} % value {:.1} % exploration {:.1} % ({})",
            found.mv.uci(chess960),
            found.visits,
            percent(found.prior),
            percent(found.value),
            percent(found.exploration),
            items(found, FEW_ITEMS)
        )
    })
}

fn percent(share: f32) -> f32 {
    100.0 * share
}

/// The features of a move with their weights, the greatest first.
fn items(found: &MoveReport, most: usize) -> String {
    if found.items.is_empty() {
        return "all moves alike".to_owned();
    }
    let items = found.items.iter().take(most);
    let items: Vec<String> = items
        .map(|item| format!("{} {:+.2}", item.name, item.weight))
        .collect();
    items.join("; ")
}

fn proof(found: &MoveReport) -> Option<String> {
    found.proof.map(|score: Value| match moves_to_mate(score) {
        Some(moves @ 1..) => format!("proven: mate in {moves}"),
        Some(moves) => format!("proven: mated in {}", -moves),
        None if score > 0 => "proven: won by tablebases".to_owned(),
        None if score < 0 => "proven: lost by tablebases".to_owned(),
        None => "proven: draw".to_owned(),
    })
}

fn moves(line: &[Move], chess960: bool) -> String {
    let moves: Vec<String> = line.iter().map(|mv| mv.uci(chess960).to_string()).collect();
    moves.join(" ")
}
