//! What passing would change: threats (it would lose something) and zugzwang (it would save something). Both compare a
//! search of a position with a search after a null move.

use crate::base::value::Value;
use crate::chess::{Game, Position};
use crate::search::limits::Limits;
use crate::search::local::LocalSearcher;

use super::find;
use super::kind::{Kind, Motif};
use super::line::Line;

/// Centipawns that passing must lose for a threat, or save for zugzwang.
const LEAST: Value = 100;
/// Centipawns beyond which a score only says that the game is won.
const WON: Value = 1000;
/// The longest line of a threat, in plies.
const PLIES: usize = 5;

/// What the opponent would do if the side to move passed.
#[derive(Clone, Debug)]
pub struct Threat {
    /// The opponent's line from the position after the null move, up to its last capture, promotion or mate.
    pub line: Line,
    /// Centipawns that the side to move would lose by passing, at most 2000.
    pub gain: Value,
    /// The motifs of the line, the main one first.
    pub motifs: Vec<Motif>,
}

/// What the opponent threatens, from searches of about so many nodes together; `None` if passing would cost less than
/// a pawn, or if the side to move is in check. Source of the idea: the null move of search, shown instead of pruned.
///
/// ```
/// use lucena::chess::{Game, Position};
/// use lucena::explain::motifs::{Kind, threat};
/// use lucena::search::local::LocalSearcher;
///
/// // Black threatens mate on the back rank.
/// let position = Position::from_fen("r5k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1")?;
/// let mut searcher = LocalSearcher::new(1).expect("memory for a small table");
/// let threat = threat(&mut searcher, &Game::new(position), 20_000).expect("a threat");
/// assert_eq!(threat.motifs[0].kind, Kind::BackRankMate);
/// # Ok::<(), lucena::chess::FenError>(())
/// ```
#[must_use]
pub fn threat(searcher: &mut LocalSearcher, game: &Game, nodes: u64) -> Option<Threat> {
    if game.position().in_check() {
        return None;
    }
    let mut passed = game.clone();
    passed.play_uci("0000").ok()?;
    let stays = score(searcher, game, nodes / 3)?;
    let loses = score(searcher, &passed, nodes / 3)?;
    let gain = stays + loses;
    if gain < LEAST {
        return None;
    }
    let start = *passed.position();
    let mut moves = Vec::new();
    while moves.len() < PLIES {
        let limits = Limits::nodes(nodes / 3 / PLIES as u64);
        let Some(found) = searcher.search(&passed, limits) else {
            break;
        };
        passed.play(found.best);
        moves.push(found.best);
    }
    let full = Line::new(&start, &moves);
    let is_last =
        |&ply: &usize| full.mv(ply).is_noisy() || (ply + 1 == moves.len() && full.is_mate());
    let length = full.own().rev().find(is_last).map_or(1, |ply| ply + 1);
    let line = Line::new(&start, &moves[..length.min(moves.len())]);
    Some(Threat {
        motifs: find(&line),
        line,
        gain,
    })
}

/// The first move of a line after which the opponent would gain by passing, from searches of about so many nodes for
/// each move: zugzwang. Its number is that gain in centipawns.
#[must_use]
pub fn zugzwang(searcher: &mut LocalSearcher, line: &Line, nodes: u64) -> Option<Motif> {
    line.own().find_map(|ply| {
        let after = line.position(ply + 1);
        let gain = gain_by_passing(searcher, after, nodes).filter(|&gain| gain >= LEAST)?;
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
