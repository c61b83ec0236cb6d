//! A book grown by search.
//!
//! The tree starts with the positions of named lines. Each move is scored by a search of fixed nodes, moves that lose more
//! than a margin are dropped, and the tree grows at its leaves, the nearest to the root first. Scores are logged, so an
//! interrupted run continues, and the same options make the same bytes on any machine.

use std::collections::{BTreeMap, HashMap};

use super::lines::BookLine;
use super::scorer::{MoveScorer, MoveScores, ScoreError, ScoreRequest};
use crate::base::progress::Progress;
use crate::base::random::mix;
use crate::base::value::Value;
use crate::book::entry::{BookEntry, encode_move};
use crate::chess::{Game, Move};

/// Loss against the best move, in centipawns, that halves the weight of a move.
const HALVING_LOSS: f64 = 20.0;
/// The greatest weight of each position.
const MAX_WEIGHT: f64 = 1000.0;
/// Least number of moves scored in a position without a line.
const MIN_MOVES: usize = 2;

/// How a book grows.
#[derive(Clone, Copy, Debug)]
pub struct GrowOptions {
    /// Number of positions to reach.
    pub positions: usize,
    /// Greatest loss of a move against the best, in centipawns.
    pub margin: Value,
    /// Greatest ply of a position.
    pub max_ply: usize,
    /// Orders positions of the same ply, where not all fit.
    pub seed: u64,
    pub threads: usize,
}

/// A position of the tree.
struct TreeNode {
    game: Game,
    ply: usize,
    /// Number of lines by move.
    lines: BTreeMap<u16, u32>,
    scores: MoveScores,
}

/// The result of [`grow`].
#[derive(Clone, Debug, Default)]
pub struct GrowSummary {
    /// Unsorted.
    pub entries: Vec<BookEntry>,
    /// Positions with at least one entry.
    pub positions: usize,
    /// Moves of lines that lost more than the margin.
    pub dropped: usize,
}

struct Tree {
    nodes: HashMap<u64, TreeNode>,
    /// Leaves by ply and by a hash of position and seed.
    leaves: BTreeMap<(usize, u64), Game>,
    options: GrowOptions,
}

/// Grows a book from lines and from other root positions.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn grow(
    lines: &[BookLine],
    roots: &[Game],
    options: GrowOptions,
    scorer: &MoveScorer,
    progress: &dyn Progress,
) -> Result<GrowSummary, ScoreError> {
    let mut tree = Tree {
        nodes: HashMap::new(),
        leaves: BTreeMap::new(),
        options,
    };
    let mut named = tree.add_lines(lines);
    for root in roots {
        tree.add_leaf(root, 0);
    }
    progress.start(options.positions.max(named.len()) as u64);
    // By ply, so that the log grows in a fixed order.
    named.sort_by_key(|key| (tree.nodes[key].ply, *key));
    tree.score(&named, scorer, progress)?;
    while tree.nodes.len() < options.positions {
        let Some(&(ply, _)) = tree.leaves.keys().next() else {
            break;
        };
        let room = options.positions - tree.nodes.len();
        let mut layer = Vec::new();
        while layer.len() < room
            && let Some(first) = tree
                .leaves
                .first_entry()
                .filter(|first| first.key().0 == ply)
        {
            let game = first.remove();
            let key = game.book_key();
            if game.position().has_legal_move() && !tree.nodes.contains_key(&key) {
                tree.add(&game, ply);
                layer.push(key);
            }
        }
        tree.score(&layer, scorer, progress)?;
    }
    progress.finish();
    Ok(tree.summary())
}

impl Tree {
    /// Adds the positions of the lines; returns their keys.
    fn add_lines(&mut self, lines: &[BookLine]) -> Vec<u64> {
        for line in lines {
            for (ply, (game, mv)) in line.plies.iter().enumerate() {
                let node = self.add(game, ply);
                if line.is_recommended {
                    *node.lines.entry(encode_move(*mv)).or_default() += 1;
                }
            }
            if let Some(end) = line.end() {
                self.add_leaf(&end, line.plies.len());
            }
        }
        self.nodes.keys().copied().collect()
    }

    fn add(&mut self, game: &Game, ply: usize) -> &mut TreeNode {
        let node = self
            .nodes
            .entry(game.book_key())
            .or_insert_with(|| TreeNode {
                game: game.clone(),
                ply,
                lines: BTreeMap::new(),
                scores: MoveScores::new(),
            });
        node.ply = node.ply.min(ply);
        node
    }

    fn add_leaf(&mut self, game: &Game, ply: usize) {
        if ply < self.options.max_ply {
            let order = mix(self.options.seed ^ mix(game.book_key()));
            self.leaves
                .entry((ply, order))
                .or_insert_with(|| game.clone());
        }
    }

    /// Scores the moves of these positions; good moves that leave the tree give new leaves.
    fn score(
        &mut self,
        keys: &[u64],
        scorer: &MoveScorer,
        progress: &dyn Progress,
    ) -> Result<(), ScoreError> {
        let requests: Vec<ScoreRequest> = keys
            .iter()
            .filter_map(|key| self.nodes.get(key))
            .map(|node| {
                let legal = node.game.position().legal_moves();
                let in_lines = |mv: &Move| node.lines.contains_key(&encode_move(*mv));
                ScoreRequest {
                    game: node.game.clone(),
                    moves: legal.iter().copied().filter(in_lines).collect(),
                    min_moves: if node.lines.is_empty() { MIN_MOVES } else { 1 },
                }
            })
            .collect();
        let all_scores = scorer.score_all(&requests, self.options.threads, progress)?;
        for (request, scores) in requests.into_iter().zip(all_scores) {
            let key = request.game.book_key();
            let Some(node) = self.nodes.get_mut(&key) else {
                continue;
            };
            let ply = node.ply;
            node.scores = scores;
            for (mv, ..) in within_margin(&node.scores, self.options.margin) {
                let mut after = request.game.clone();
                after.play(mv);
                if !self.nodes.contains_key(&after.book_key()) {
                    self.add_leaf(&after, ply + 1);
                }
            }
        }
        Ok(())
    }

    /// The entries of all moves within the margin.
    fn summary(&self) -> GrowSummary {
        let mut summary = GrowSummary::default();
        for (&key, node) in &self.nodes {
            let moves = within_margin(&node.scores, self.options.margin);
            summary.positions += usize::from(!moves.is_empty());
            let in_lines = |mv: Move| {
                node.lines
                    .get(&encode_move(mv))
                    .copied()
                    .unwrap_or_default()
            };
            let kept = moves.iter().filter(|&&(mv, _)| in_lines(mv) > 0).count();
            summary.dropped += node.lines.len() - kept;
            let weight = |&(mv, loss): &(Move, Value)| {
                f64::from(in_lines(mv).max(1)) * (-f64::from(loss) / HALVING_LOSS).exp2()
            };
            let greatest = moves.iter().map(weight).fold(f64::MIN_POSITIVE, f64::max);
            summary.entries.extend(moves.iter().map(|scored| BookEntry {
                key,
                raw_move: encode_move(scored.0),
                weight: (weight(scored) / greatest * MAX_WEIGHT).round().max(1.0) as u16,
                learn: 0,
            }));
        }
        summary
    }
}

/// The moves that lose no more than the margin, with their loss against the best move.
fn within_margin(scores: &[(Move, Value)], margin: Value) -> Vec<(Move, Value)> {
    let best = scores.iter().map(|&(_, score)| score).max();
    let losses = scores
        .iter()
        .map(|&(mv, score)| (mv, best.unwrap_or(score).saturating_sub(score)));
    losses.filter(|&(_, loss)| loss <= margin).collect()
}
