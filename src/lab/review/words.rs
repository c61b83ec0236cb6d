//! What is said beside a move.

use super::judge::{Judgement, Mark};
use super::verdict::{ReviewLimit, Verdict};
use crate::chess::{Game, Move, Position};
use crate::explain::{Explainer, Question};

/// Plies of a line in words and of a variation.
pub const LINE_PLIES: usize = 6;
/// Percent of a position's nodes that explain a mistake, and how few suffice.
const SHARE_NODES: u64 = 20;
const LEAST_NODES: u64 = 1000;
/// Sentences behind the first one.
const MAX_CLAIMS: usize = 2;
/// Claims that say which move is better, and no more.
const BARE_CLAIMS: [&str; 4] = ["verdict", "both_playable", "refusal", "cost"];

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

/// The first claims about a mistake, if the explanation finds the same move better.
pub fn claims(
    game: &Game,
    played: Move,
    verdict: &Verdict,
    explainer: &mut Explainer,
    limit: ReviewLimit,
) -> Vec<String> {
    let effort = match limit {
        ReviewLimit::Nodes(nodes) => nodes,
        ReviewLimit::Depth(_) | ReviewLimit::MoveTime(_) => verdict.nodes,
    };
    explainer.set_nodes((effort * SHARE_NODES / 100).max(LEAST_NODES));
    let best = verdict.best;
    let question = Question {
        mv: Some(played),
        against: Some(best),
        ..Question::default()
    };
    let Ok(explanation) = explainer.explain(game, question) else {
        return Vec::new();
    };
    if explanation.comparison.better.moves.first() != Some(&best) {
        return Vec::new();
    }
    let telling = |kind: &str| !BARE_CLAIMS.contains(&kind);
    let claims = explanation
        .claims
        .into_iter()
        .filter(|claim| telling(&claim.kind));
    claims.take(MAX_CLAIMS).map(|claim| claim.text).collect()
}
