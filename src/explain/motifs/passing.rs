//! Zugzwang: passing would save something. A search of a position is compared with a search after a null move.

use crate::base::value::Value;
use crate::chess::{Game, Position};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

use super::kind::{Kind, Motif};
use super::line::Line;

/// The least gain by passing, in centipawns.
const MIN_GAIN: Value = 100;
/// Centipawns beyond which a score only says that the game is won.
const WON: Value = 1000;
/// The first move of a line after which the opponent would gain by passing, from searches of about `nodes` nodes for each
/// move: zugzwang. Its number is that gain in centipawns.
#[must_use]
pub fn zugzwang(searcher: &mut LocalSearcher, line: &Line, nodes: u64) -> Option<Motif> {
    line.own().find_map(|ply| {
        let after = line.position(ply + 1);
        let gain = gain_by_passing(searcher, after, nodes).filter(|&gain| gain >= MIN_GAIN)?;
        Some(Motif {
            numbers: vec![gain],
            ..line.motif(Kind::Zugzwang, ply, [line.to(ply)])
        })
    })
}

/// Centipawns that the side to move would gain by passing; `None` in check or without a move.
fn gain_by_passing(searcher: &mut LocalSearcher, position: &Position, nodes: u64) -> Option<Value> {
    if position.in_check() {
        return None;
    }
    let moves = score(searcher, &Game::new(*position), nodes / 2)?;
    let passes = score(searcher, &Game::new(position.play_null()), nodes / 2)?;
    Some(-passes - moves)
}

/// The score of a search from the side to move; a won or lost game counts [`WON`] centipawns.
fn score(searcher: &mut LocalSearcher, game: &Game, nodes: u64) -> Option<Value> {
    let found = searcher.search(game, Limits::nodes(nodes.max(1)))?;
    Some(found.score.clamp(-WON, WON))
}
