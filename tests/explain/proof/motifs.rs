//! Motifs, proved by their own checker.

use lucena::chess::{Move, Position};
use lucena::explain::{Claim, Explanation};

use super::lines::ensure;
use crate::checker::Proof;
use crate::lines::Moves;

/// A motif: proved by the checker of motifs, in the line that begins with the claim's move.
pub fn prove(explanation: &Explanation, claim: &Claim) -> Proof {
    let comparison = &explanation.comparison;
    let (line, skipped) = match &comparison.worse {
        Some(worse) if claim.line.first() != Some(&explanation.best) => (worse, 1),
        _ => (&comparison.better, 0),
    };
    // What the better move makes possible depends on the move before it.
    let (start, before) = match comparison.game.last_move() {
        Some((position, mv)) if skipped == 0 => (*position, vec![mv]),
        _ => (*comparison.root(), Vec::new()),
    };
    // The motif is found in the part of the line that matters.
    let proofs = (claim.ply + 1..=line.moves.len()).map(|length| {
        let moves = Moves {
            start,
            moves: [&before, &line.moves[..length]].concat(),
            skipped: skipped.max(before.len()),
        };
        let motifs = moves.motifs();
        let mut names = motifs.iter().map(|motif| motif.kind.name());
        ensure(
            names.any(|name| name == claim.kind),
            "another motif in the line",
        )?;
        moves.unproved().map_or(Ok(()), Err)
    });
    proofs
        .reduce(|one, other| one.or(other))
        .unwrap_or_else(|| Err("no line".to_owned()))
}

/// A motif of the side that does not move, if the other passes.
pub fn prove_threat(fen: &str, claim: &Claim) -> Proof {
    let root = Position::from_fen(fen).map_err(|fault| fault.to_string())?;
    let start = root.play_null();
    let mut position = start;
    let mut line = Vec::new();
    for san in &claim.line {
        let legal = position.legal_moves();
        let is_named = |mv: &&Move| position.san(**mv).to_string() == *san;
        let mv = *legal.iter().find(is_named).ok_or("an illegal move")?;
        position = position.play(mv);
        line.push(mv);
    }
    let moves = Moves {
        start,
        moves: line,
        skipped: 0,
    };
    let motifs = moves.motifs();
    let mut names = motifs.iter().map(|motif| motif.kind.name());
    let is_found = names.any(|name| name == claim.kind);
    ensure(is_found, "another motif in the line")?;
    moves.unproved().map_or(Ok(()), Err)
}
