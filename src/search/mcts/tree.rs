//! A tree with its root, kept between the moves of a game.

use std::io;
use std::time::Duration;

use crate::base::sync::{AtomicU64, Mutex, Ordering};
use crate::chess::{Move, Position};
use crate::search::shared::SharedSearch;

use super::arena::{Arena, BLOCK_BYTES, Block, Edge, Expansion, edge_blocks};
use super::fingerprint::Fingerprint;

/// A tree is compacted when more than one part in this many is used.
const COMPACT_FROM: u64 = 4;
/// Bytes that are compacted in a microsecond, at least.
const COMPACTED_BYTES: u64 = 200;
/// Compaction may take this share of the time for a move; otherwise the tree is dropped.
const COMPACTION_SHARE: u32 = 16;

/// A search tree in memory of fixed size.
pub struct Tree {
    pub arena: Arena,
    /// The block of the root; 0 if there is none.
    root: AtomicU64,
    /// Which game position the root is.
    place: Mutex<Option<Place>>,
}

/// The game at the root of a tree.
struct Place {
    position: Position,
    /// Keys of the positions before the root.
    earlier: Vec<u64>,
    /// The moves of the root that were searched.
    moves: Vec<Move>,
    fingerprint: Fingerprint,
}

impl Tree {
    /// An empty tree in this many bytes.
    ///
    /// # Errors
    /// The memory could not be had.
    pub fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self {
            arena: Arena::new(bytes)?,
            root: AtomicU64::new(0),
            place: Mutex::default(),
        })
    }

    /// Empties the tree; not during a search.
    pub fn clear(&self) {
        *self.place.lock() = None;
        self.root.store(0, Ordering::Relaxed);
        self.arena.clear();
    }

    /// The root; `None` before the first search.
    pub fn root(&self) -> Option<Block> {
        let root = self.root.load(Ordering::Relaxed) as Block;
        (root != 0).then_some(root)
    }

    /// The position of the root, if a search has set one.
    pub fn position(&self) -> Option<Position> {
        self.place.lock().as_ref().map(|place| place.position)
    }

    /// The share of the memory that is used, per mille.
    pub fn fullness(&self) -> u32 {
        (self.arena.used() * 1000 / self.arena.capacity()) as u32
    }

    /// Makes the position of a search the root and keeps its subtree, if the tree has it; not during a search.
    pub fn set_root(&self, shared: &SharedSearch, fingerprint: Fingerprint) {
        let mut place = self.place.lock();
        let kept = place
            .as_ref()
            .filter(|place| place.fingerprint == fingerprint)
            .and_then(|place| self.find(place, shared));
        let kept = kept.and_then(|root| self.make_room(root, shared.budget.map(|time| time.hard)));
        let root = kept.or_else(|| {
            self.arena.clear();
            self.arena.new_node()
        });
        if let Some(root) = root {
            self.arena.settle(root);
            // The proof may depend on a repetition before the root, or on moves that this search leaves out.
            self.arena.set_proof(root, None);
        }
        self.root
            .store(root.map_or(0, u64::from), Ordering::Relaxed);
        *place = Some(Place {
            position: shared.root,
            earlier: shared.earlier.clone(),
            moves: shared.moves.clone(),
            fingerprint,
        });
    }

    /// The node of a later position of the same game, or of the same one if its moves have been searched.
    fn find(&self, place: &Place, shared: &SharedSearch) -> Option<Block> {
        let before = place.earlier.len();
        let played = shared.earlier.get(before..)?;
        if shared.earlier[..before] != place.earlier[..] {
            return None;
        }
        if played.is_empty() && !shared.moves.iter().all(|mv| place.moves.contains(mv)) {
            return None;
        }
        let (mut node, mut position) = (self.root()?, place.position);
        let mut keys = played.iter().copied().chain([shared.root.key()]);
        if keys.next() != Some(position.key()) {
            return None;
        }
        for key in keys {
            let edges = self.edges(node);
            let leads_there = |edge: &Edge| position.play(edge.mv).key() == key;
            let mut legal = edges.into_iter().filter(|edge| position.is_legal(edge.mv));
            let edge = legal.find(leads_there)?;
            position = position.play(edge.mv);
            node = edge.child?;
        }
        let root = &shared.root;
        let is_same = position.key() == root.key();
        (is_same && position.halfmove_clock() == root.halfmove_clock()).then_some(node)
    }

    /// The edges of a node.
    pub fn edges(&self, node: Block) -> Vec<Edge> {
        match self.arena.expansion(node) {
            Expansion::Edges { first, count } => (0..count)
                .filter_map(|index| self.arena.edge(first, index))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Compacts the tree below `root` if much of the memory is used; `None` if the time does not allow it.
    fn make_room(&self, root: Block, time: Option<Duration>) -> Option<Block> {
        let used = self.arena.used();
        if used < self.arena.capacity() / COMPACT_FROM {
            return Some(root);
        }
        let takes = Duration::from_micros(used * BLOCK_BYTES as u64 / COMPACTED_BYTES);
        if time.is_some_and(|time| takes > time / COMPACTION_SHARE) {
            return None;
        }
        Some(self.compact(root))
    }

    /// Moves the nodes below `root` to the front of the memory and frees all others; returns the root's new block.
    fn compact(&self, root: Block) -> Block {
        let arena = &self.arena;
        let mut live = LiveBlocks::new(arena.used());
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            live.mark(node);
            if let Expansion::Edges { first, count } = arena.expansion(node) {
                (0..edge_blocks(count)).for_each(|block| live.mark(first + block as Block));
                let edges = (0..count).filter_map(|index| arena.edge(first, index));
                open.extend(edges.filter_map(|edge| edge.child));
            }
        }
        live.count();
        open.push(root);
        while let Some(node) = open.pop() {
            arena.settle(node);
            if let Expansion::Edges { first, count } = arena.expansion(node) {
                for index in 0..count {
                    if let Some(child) = arena.edge(first, index).and_then(|edge| edge.child) {
                        open.push(child);
                        arena.relocate_child(first, index, live.target(child));
                    }
                }
                arena.relocate_edges(node, live.target(first));
            }
        }
        // In ascending order, so that no block is overwritten before it is moved.
        let kept = live.each(|from, to| arena.slide(from, to));
        arena.truncate(kept);
        live.target(root)
    }
}

/// The blocks to keep, one bit each, and how many there are before each word of bits.
struct LiveBlocks {
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl LiveBlocks {
    fn new(blocks: u64) -> Self {
        let words = blocks as usize / 64 + 1;
        Self {
            bits: vec![0; words],
            before: vec![0; words],
        }
    }

    fn mark(&mut self, block: Block) {
        self.bits[block as usize / 64] |= 1 << (block % 64);
    }

    fn count(&mut self) {
        // Block 0 is none.
        let mut sum = 1;
        for (bits, before) in self.bits.iter().zip(&mut self.before) {
            *before = sum;
            sum += bits.count_ones();
        }
    }

    /// Where a block goes.
    fn target(&self, block: Block) -> Block {
        let word = block as usize / 64;
        let below = self.bits[word] & ((1 << (block % 64)) - 1);
        self.before[word] + below.count_ones()
    }

    /// Calls `slide` for each block and its target in ascending order; returns the end of the targets.
    fn each(&self, slide: impl Fn(Block, Block)) -> u64 {
        let mut to = 1;
        for (word, &bits) in self.bits.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let from = word as Block * 64 + rest.trailing_zeros();
                if from != to {
                    slide(from, to);
                }
                to += 1;
                rest &= rest - 1;
            }
        }
        u64::from(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::chess::Move;
    use crate::search::mcts::proof::Proof;

    /// What a tree holds, independent of where it lies.
    #[derive(Debug, PartialEq)]
    struct Shape {
        visits: u32,
        first_value: f32,
        proof: Option<Proof>,
        edges: Vec<(Move, f32, Option<Shape>)>,
    }

    fn shape(tree: &Tree, node: Block) -> Shape {
        let edges = tree.edges(node).into_iter();
        Shape {
            visits: tree.arena.counts(node).visits,
            first_value: tree.arena.first_value(node),
            proof: tree.arena.proof(node),
            edges: edges
                .map(|edge| {
                    let child = edge.child.map(|child| shape(tree, child));
                    (edge.mv, edge.prior, child)
                })
                .collect(),
        }
    }

    /// A random tree in a random order of blocks.
    fn grow(tree: &Tree, random: &mut Random) -> Block {
        let arena = &tree.arena;
        let root = arena.new_node().expect("room");
        let mut nodes = vec![root];
        for number in 0..2000 {
            let node = nodes[random.below(nodes.len())];
            let moves = Position::startpos().legal_moves();
            let count = 1 + random.below(moves.len());
            let priors: Vec<(Move, f32)> = moves[..count].iter().map(|&mv| (mv, 0.1)).collect();
            if arena.claim(node) && !arena.expand(node, &priors) {
                break;
            }
            let Expansion::Edges { first, count } = arena.expansion(node) else {
                continue;
            };
            let Some(child) = arena.child(first, random.below(count)) else {
                break;
            };
            arena.enter(child);
            arena.leave(child, 0.5);
            arena.set_first_value(child, number as f32);
            if number % 7 == 0 {
                arena.set_proof(child, Some(Proof::new(number % 50)));
            }
            nodes.push(child);
        }
        root
    }

    #[test]
    fn compaction_keeps_the_tree_below_the_root() {
        let mut random = Random::new(1, 0);
        for bytes in [1 << 12, 1 << 15, 1 << 20] {
            let tree = Tree::new(bytes).expect("memory");
            let mut root = grow(&tree, &mut random);
            // Down the tree as a game goes on.
            while let Some(child) = tree.edges(root).iter().rev().find_map(|edge| edge.child) {
                let before = shape(&tree, child);
                let used = tree.arena.used();
                root = tree.compact(child);
                assert_eq!(shape(&tree, root), before);
                assert!(tree.arena.used() < used);
            }
        }
    }
}
