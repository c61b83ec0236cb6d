//! A book grown by Lucena's own search.
//! Uses: judge, lines, entry, chess, random. Used by: cli.
//! Idea: the tree begins with the positions of named lines; each move in it is judged by a search of fixed length, moves
//! that cost more than a margin are not played, and the tree grows where it ends, the nearest positions first. What was
//! judged stands in a log, so an interrupted growth goes on, and the same recipe makes the same bytes on any machine.

use std::collections::{BTreeMap, HashMap};

use super::lines::BookLine;
use super::scorer::{MoveScorer, MoveScores, ScoreError, ScoreRequest};
use crate::base::progress::Progress;
use crate::base::random::mix;
use crate::base::value::Value;
use crate::book::entry::{BookEntry, encode_move};
use crate::chess::{Game, Move};

/// A move that costs this many centipawns beside the best weighs half as much as it would.
const HALF_WEIGHT: f64 = 20.0;
/// The weight of the heaviest move of a position.
const GREATEST_WEIGHT: f64 = 1000.0;
/// Moves judged at least in a position that no line goes on from: a choice of two.
const CHOICES: usize = 2;

/// How a book is to grow.
#[derive(Clone, Copy, Debug)]
pub struct GrowOptions {
    /// Positions the book shall have.
    pub positions: usize,
    /// A move that is worse than the best by more than this, in centipawns, is left out.
    pub margin: Value,
    /// Plies from the first position at which the tree ends.
    pub max_ply: usize,
    /// In which order positions of the same ply come, where not all can.
    pub seed: u64,
    /// Threads that search.
    pub threads: usize,
}

/// A position of the tree.
struct Node {
    game: Game,
    ply: usize,
    /// How many lines go on with each move.
    lines: BTreeMap<u16, u32>,
    judgement: MoveScores,
}

/// A book that has grown.
#[derive(Clone, Debug, Default)]
pub struct GrowSummary {
    /// Its entries, in no order.
    pub entries: Vec<BookEntry>,
    /// Positions with a move to play.
    pub positions: usize,
    /// Moves of the lines that the margin left out.
    pub dropped: usize,
}

/// The tree while it grows.
struct Tree {
    nodes: HashMap<u64, Node>,
    /// Positions at which the tree ends, by ply and by a number without pattern.
    edge: BTreeMap<(usize, u64), Game>,
    growth: GrowOptions,
}

/// Grows a book from lines and from other positions.
///
/// # Errors
/// [`ScoreError`] if the log cannot be written or there is no memory.
pub fn grow(
    lines: &[BookLine],
    roots: &[Game],
    growth: GrowOptions,
    judge: &MoveScorer,
    progress: &dyn Progress,
) -> Result<GrowSummary, ScoreError> {
    let mut tree = Tree {
        nodes: HashMap::new(),
        edge: BTreeMap::new(),
        growth,
    };
    let mut named = tree.plant(lines);
    for root in roots {
        tree.end_at(root, 0);
    }
    progress.start(growth.positions.max(named.len()) as u64);
    // Known positions by ply, so that a log tells how far it is.
    named.sort_by_key(|key| (tree.nodes[key].ply, *key));
    tree.judge(&named, judge, progress)?;
    while tree.nodes.len() < growth.positions {
        let Some(&(ply, _)) = tree.edge.keys().next() else {
            break;
        };
        let room = growth.positions - tree.nodes.len();
        let mut layer = Vec::new();
        while layer.len() < room
            && let Some(first) = tree.edge.first_entry().filter(|first| first.key().0 == ply)
        {
            let game = first.remove();
            let key = game.book_key();
            if game.position().has_legal_move() && !tree.nodes.contains_key(&key) {
                tree.add(&game, ply);
                layer.push(key);
            }
        }
        tree.judge(&layer, judge, progress)?;
    }
    progress.finish();
    Ok(tree.harvest())
}

impl Tree {
    /// Puts the positions of the lines into the tree; returns their keys.
    fn plant(&mut self, lines: &[BookLine]) -> Vec<u64> {
        for line in lines {
            for (ply, (game, mv)) in line.plies.iter().enumerate() {
                let node = self.add(game, ply);
                if line.is_recommended {
                    *node.lines.entry(encode_move(*mv)).or_default() += 1;
                }
            }
            if let Some(end) = line.end() {
                self.end_at(&end, line.plies.len());
            }
        }
        self.nodes.keys().copied().collect()
    }

    fn add(&mut self, game: &Game, ply: usize) -> &mut Node {
        let node = self.nodes.entry(game.book_key()).or_insert_with(|| Node {
            game: game.clone(),
            ply,
            lines: BTreeMap::new(),
            judgement: MoveScores::new(),
        });
        node.ply = node.ply.min(ply);
        node
    }

    /// Notes that the tree may grow here.
    fn end_at(&mut self, game: &Game, ply: usize) {
        if ply < self.growth.max_ply {
            let order = mix(self.growth.seed ^ mix(game.book_key()));
            self.edge
                .entry((ply, order))
                .or_insert_with(|| game.clone());
        }
    }

    /// Judges the moves of these positions; where good ones lead out of the tree, it may grow.
    fn judge(
        &mut self,
        keys: &[u64],
        judge: &MoveScorer,
        progress: &dyn Progress,
    ) -> Result<(), ScoreError> {
        let questions: Vec<ScoreRequest> = keys
            .iter()
            .filter_map(|key| self.nodes.get(key))
            .map(|node| {
                let legal = node.game.position().legal_moves();
                let in_lines = |mv: &Move| node.lines.contains_key(&encode_move(*mv));
                ScoreRequest {
                    game: node.game.clone(),
                    wanted: legal.iter().copied().filter(in_lines).collect(),
                    at_least: if node.lines.is_empty() { CHOICES } else { 1 },
                }
            })
            .collect();
        let answers = judge.answer(&questions, self.growth.threads, progress)?;
        for (question, answer) in questions.into_iter().zip(answers) {
            let key = question.game.book_key();
            let Some(node) = self.nodes.get_mut(&key) else {
                continue;
            };
            let ply = node.ply;
            node.judgement = answer;
            for (mv, ..) in kept(&node.judgement, self.growth.margin) {
                let mut after = question.game.clone();
                after.play(mv);
                if !self.nodes.contains_key(&after.book_key()) {
                    self.end_at(&after, ply + 1);
                }
            }
        }
        Ok(())
    }

    /// The entries of all moves that are kept.
    fn harvest(&self) -> GrowSummary {
        let mut grown = GrowSummary::default();
        for (&key, node) in &self.nodes {
            let moves = kept(&node.judgement, self.growth.margin);
            grown.positions += usize::from(!moves.is_empty());
            let in_lines = |mv: Move| {
                node.lines
                    .get(&encode_move(mv))
                    .copied()
                    .unwrap_or_default()
            };
            let stays = moves.iter().filter(|&&(mv, _)| in_lines(mv) > 0).count();
            grown.dropped += node.lines.len() - stays;
            let worth = |&(mv, loss): &(Move, Value)| {
                f64::from(in_lines(mv).max(1)) * (-f64::from(loss) / HALF_WEIGHT).exp2()
            };
            let greatest = moves.iter().map(worth).fold(f64::MIN_POSITIVE, f64::max);
            grown.entries.extend(moves.iter().map(|scored| {
                BookEntry {
                    key,
                    raw_move: encode_move(scored.0),
                    weight: (worth(scored) / greatest * GREATEST_WEIGHT)
                        .round()
                        .max(1.0) as u16,
                    learn: 0,
                }
            }));
        }
        grown
    }
}

/// The moves that cost no more than the margin, each with what it costs.
fn kept(judgement: &[(Move, Value)], margin: Value) -> Vec<(Move, Value)> {
    let best = judgement.iter().map(|&(_, score)| score).max();
    let losses = judgement
        .iter()
        .map(|&(mv, score)| (mv, best.unwrap_or(score).saturating_sub(score)));
    losses.filter(|&(_, loss)| loss <= margin).collect()
}
