//! Perpetual check: among the positions that checks lead to, those from which one stays among them whatever the replies are.

use std::collections::{HashMap, HashSet};

use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::lines::{Played, ensure};
use crate::checker::Proof;

/// Checks that are looked ahead, and positions at most.
const MAX_CHECKS: usize = 9;
const MAX_POSITIONS: usize = 100_000;

/// The placement, the side to move and its rights, without the clocks.
fn key(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// For each check, the positions after all replies to it.
fn checks(position: &Chess, moves: &[Move]) -> Vec<Vec<Chess>> {
    let checked = { moves.iter() }.map(|&mv| position.clone().play(mv).expect("legal"));
    checked
        .filter(Chess::is_check)
        .map(|there| {
            let replies = there.legal_moves().into_iter();
            replies
                .map(|reply| there.clone().play(reply).expect("legal"))
                .collect()
        })
        .collect()
}

/// The move with this index gives check, and so does a move after each reply, without end.
pub fn prove(own: &Played, ply: usize) -> Proof {
    let first = checks(&own.positions[ply], &own.moves[ply..=ply]);
    ensure(!first.is_empty(), "no check")?;
    let mut known: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    let root = key(&own.positions[ply]);
    let named = |checks: &[Vec<Chess>]| -> Vec<Vec<String>> {
        { checks.iter() }
            .map(|replies| replies.iter().map(key).collect())
            .collect()
    };
    known.insert(root.clone(), named(&first));
    let mut open: Vec<Chess> = first.into_iter().flatten().collect();
    for _ in 0..MAX_CHECKS {
        let mut next = Vec::new();
        for position in open {
            let name = key(&position);
            if known.contains_key(&name) || known.len() > MAX_POSITIONS {
                continue;
            }
            let found = checks(&position, &position.legal_moves());
            known.insert(name, named(&found));
            next.extend(found.into_iter().flatten());
        }
        open = next;
        if stays(&known).contains(&root) {
            return Ok(());
        }
    }
    Err("no perpetual check".to_owned())
}

/// The positions where a check has no reply that leaves them.
fn stays(known: &HashMap<String, Vec<Vec<String>>>) -> HashSet<String> {
    let mut left: HashSet<String> = known.keys().cloned().collect();
    loop {
        let holds = |name: &String| {
            let mut checks = known[name].iter();
            checks.any(|replies| replies.iter().all(|reply| left.contains(reply)))
        };
        let next: HashSet<String> = left.iter().filter(|name| holds(name)).cloned().collect();
        if next.len() == left.len() {
            return left;
        }
        left = next;
    }
}
