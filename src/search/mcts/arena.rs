//! The memory of the tree: blocks of four words, handed out in order and never returned one by one.
//!
//! A node is one block; the edges of a node are one word each, in as many blocks as they need. All words are atomic, so that
//! threads share the tree without locks; each thread reads and adds, and no thread waits for another.

use std::io;

use crate::base::sync::{AtomicU64, Ordering};
use crate::base::sys::ZeroedWords;
use crate::chess::{Move, Square};

use super::proof::Proof;

/// Words of a block.
const BLOCK_WORDS: usize = 4;
/// Bytes of a block.
pub const BLOCK_BYTES: usize = BLOCK_WORDS * size_of::<u64>();
/// Prior probabilities are stored as multiples of one over this.
const PRIOR_UNITS: f32 = 65_535.0;
/// Values are summed up in multiples of one over this.
const VALUE_UNITS: f64 = (1 << 20) as f64;
/// Added to the counts of a node while a play-out is below it.
const IN_FLIGHT: u64 = 1 << 32;

/// The number of a block; 0 is none.
pub type Block = u32;

/// A move of a node, and the node it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub mv: Move,
    /// The probability that the policy gives it, from 0 to 1.
    pub prior: f32,
    /// The node after the move; `None` before the first visit.
    pub child: Option<Block>,
}

/// Where the edges of a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// There are none.
    Leaf,
    /// A thread is writing them.
    Busy,
    Edges {
        first: Block,
        count: usize,
    },
}

/// The counts of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// Completed play-outs.
    pub visits: u32,
    /// Play-outs that have passed the node and are not finished.
    pub in_flight: u32,
    /// Sum of the values, each from 0 to 1, for the side that moved into the node.
    pub sum: f64,
}

impl Counts {
    /// The mean value, with a loss for each unfinished play-out (virtual loss); `None` before the first.
    pub fn mean(self) -> Option<f32> {
        let all = self.visits + self.in_flight;
        (all > 0).then(|| (self.sum / f64::from(all)) as f32)
    }

    /// The mean value of the completed play-outs.
    pub fn completed_mean(self) -> Option<f32> {
        (self.visits > 0).then(|| (self.sum / f64::from(self.visits)) as f32)
    }
}

const COUNT_SHIFT: u32 = 32;
const BUSY: u64 = 1 << 40;
const EXPANDED: u64 = 1 << 41;
const PROOF_SHIFT: u32 = 48;
const EDGES_MASK: u64 = (1 << PROOF_SHIFT) - 1;

pub struct Arena {
    words: ZeroedWords,
    /// The next free block; beyond the last one when the arena is full.
    next: AtomicU64,
    blocks: u64,
}

impl Arena {
    /// An arena of this many bytes. The system provides the memory as it is used.
    ///
    /// # Errors
    /// The memory could not be had.
    pub fn new(bytes: usize) -> io::Result<Self> {
        // At least two: block 0 means none.
        let blocks = (bytes / BLOCK_BYTES).clamp(2, Block::MAX as usize);
        Ok(Self {
            words: ZeroedWords::new(blocks * BLOCK_WORDS)?,
            next: AtomicU64::new(1),
            blocks: blocks as u64,
        })
    }

    /// Frees all blocks.
    pub fn clear(&self) {
        self.next.store(1, Ordering::Relaxed);
    }

    /// Blocks in use.
    pub fn used(&self) -> u64 {
        self.next.load(Ordering::Relaxed).min(self.blocks)
    }

    /// All blocks.
    pub const fn capacity(&self) -> u64 {
        self.blocks
    }

    /// Keeps the first `used` blocks only.
    pub fn truncate(&self, used: u64) {
        self.next.store(used, Ordering::Relaxed);
    }

    /// Takes blocks in a row; `None` if there are not as many.
    fn take(&self, count: u64) -> Option<Block> {
        // A plain addition by many threads could overflow in the course of days.
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                let end = next + count;
                (end <= self.blocks).then_some(end)
            });
        taken.ok().map(|block| block as Block)
    }

    #[inline]
    fn word(&self, block: Block, word: usize) -> &AtomicU64 {
        &self.words[block as usize * BLOCK_WORDS + word]
    }

    /// A new node without visits; `None` if the arena is full.
    pub fn new_node(&self) -> Option<Block> {
        let block = self.take(1)?;
        for word in 0..BLOCK_WORDS {
            self.word(block, word).store(0, Ordering::Relaxed);
        }
        Some(block)
    }

    /// The counts of a node. Another thread may pass between the two reads, which shifts the mean by one visit.
    #[inline]
    pub fn counts(&self, node: Block) -> Counts {
        let counts = self.word(node, 1).load(Ordering::Relaxed);
        let sum = self.word(node, 0).load(Ordering::Relaxed);
        Counts {
            visits: counts as u32,
            in_flight: (counts >> 32) as u32,
            sum: sum as f64 / VALUE_UNITS,
        }
    }

    /// Counts a play-out that passes the node on its way down.
    pub fn enter(&self, node: Block) {
        self.word(node, 1).fetch_add(IN_FLIGHT, Ordering::Relaxed);
    }

    /// Finishes a play-out with a value from 0 to 1 for the side that moved into the node.
    pub fn leave(&self, node: Block, value: f32) {
        let units = (f64::from(value.clamp(0.0, 1.0)) * VALUE_UNITS) as u64;
        self.word(node, 0).fetch_add(units, Ordering::Relaxed);
        self.word(node, 1)
            .fetch_sub(IN_FLIGHT - 1, Ordering::Relaxed);
    }

    /// Removes a play-out that is abandoned.
    pub fn abandon(&self, node: Block) {
        self.word(node, 1).fetch_sub(IN_FLIGHT, Ordering::Relaxed);
    }

    /// Removes the counts of unfinished play-outs that a failed thread may have left.
    pub fn settle(&self, node: Block) {
        let counts = self.word(node, 1);
        let visits = counts.load(Ordering::Relaxed) & (IN_FLIGHT - 1);
        counts.store(visits, Ordering::Relaxed);
        let state = self.word(node, 2);
        let settled = state.load(Ordering::Relaxed) & !BUSY;
        state.store(settled, Ordering::Relaxed);
    }

    /// The value of the position by itself, for the side to move, as stored at the first visit.
    pub fn first_value(&self, node: Block) -> f32 {
        f32::from_bits(self.word(node, 3).load(Ordering::Relaxed) as u32)
    }

    pub fn set_first_value(&self, node: Block, value: f32) {
        self.set_half(node, 0, value.to_bits());
    }

    /// The best move of quiescence and the square of a recapture, as the policy was given them.
    pub fn hints(&self, node: Block) -> (Option<Move>, Option<Square>) {
        let bits = (self.word(node, 3).load(Ordering::Relaxed) >> 32) as u32;
        let best = Some(bits as u16).filter(|&bits| bits != 0);
        let square = (bits >> 16).checked_sub(1);
        (
            best.and_then(Move::from_bits),
            square.filter(|&square| square < 64).map(Square::new),
        )
    }

    pub fn set_hints(&self, node: Block, best: Option<Move>, recapture: Option<Square>) {
        let square = recapture.map_or(0, |square| square as u32 + 1);
        let bits = best.map_or(0, |mv| u32::from(mv.bits())) | square << 16;
        self.set_half(node, 32, bits);
    }

    /// Sets half of the last word of a node.
    fn set_half(&self, node: Block, shift: u32, bits: u32) {
        let word = self.word(node, 3);
        let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| {
            Some(word & !(u64::from(u32::MAX) << shift) | u64::from(bits) << shift)
        });
    }

    /// The proven result of the node, if any.
    #[inline]
    pub fn proof(&self, node: Block) -> Option<Proof> {
        Proof::from_bits((self.word(node, 2).load(Ordering::Relaxed) >> PROOF_SHIFT) as u16)
    }

    pub fn set_proof(&self, node: Block, proof: Option<Proof>) {
        let bits = u64::from(proof.map_or(0, Proof::bits)) << PROOF_SHIFT;
        let _ = self
            .word(node, 2)
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| {
                Some(word & EDGES_MASK | bits)
            });
    }

    #[inline]
    pub fn expansion(&self, node: Block) -> Expansion {
        // Pairs with the release of `expand`: a thread that sees the edges sees them complete.
        let word = self.word(node, 2).load(Ordering::Acquire);
        if word & EXPANDED != 0 {
            Expansion::Edges {
                first: word as Block,
                count: (word >> COUNT_SHIFT) as usize & 0xff,
            }
        } else if word & BUSY != 0 {
            Expansion::Busy
        } else {
            Expansion::Leaf
        }
    }

    /// Claims the right to expand a leaf; `false` if another thread has it.
    pub fn claim(&self, node: Block) -> bool {
        self.word(node, 2).fetch_or(BUSY, Ordering::Relaxed) & (BUSY | EXPANDED) == 0
    }

    /// Gives a claimed leaf its edges. `false` if the arena is full; it stays a leaf then.
    pub fn expand(&self, node: Block, moves: &[(Move, f32)]) -> bool {
        let count = moves.len().min(0xff);
        let state = self.word(node, 2);
        let Some(first) = self.take(count.div_ceil(BLOCK_WORDS) as u64) else {
            state.fetch_and(!BUSY, Ordering::Relaxed);
            return false;
        };
        for (index, &(mv, prior)) in moves[..count].iter().enumerate() {
            let prior = (prior.clamp(0.0, 1.0) * PRIOR_UNITS).round() as u64;
            let word = u64::from(mv.bits()) | prior << 16;
            self.edge_word(first, index).store(word, Ordering::Relaxed);
        }
        let edges = u64::from(first) | (count as u64) << COUNT_SHIFT | EXPANDED;
        let _ = state.fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
            Some(word & !EDGES_MASK | edges)
        });
        true
    }

    #[inline]
    fn edge_word(&self, first: Block, index: usize) -> &AtomicU64 {
        &self.words[first as usize * BLOCK_WORDS + index]
    }

    /// An edge; `None` if its word holds no move, which does not happen.
    #[inline]
    pub fn edge(&self, first: Block, index: usize) -> Option<Edge> {
        // Pairs with the release of `child`.
        let word = self.edge_word(first, index).load(Ordering::Acquire);
        let child = (word >> 32) as Block;
        Some(Edge {
            mv: Move::from_bits(word as u16)?,
            prior: f32::from((word >> 16) as u16) / PRIOR_UNITS,
            child: (child != 0).then_some(child),
        })
    }

    /// The node after an edge, new if there is none; `None` if the arena is full.
    pub fn child(&self, first: Block, index: usize) -> Option<Block> {
        let edge = self.edge_word(first, index);
        let word = edge.load(Ordering::Acquire);
        if word >> 32 != 0 {
            return Some((word >> 32) as Block);
        }
        let node = self.new_node()?;
        let linked = word | u64::from(node) << 32;
        match edge.compare_exchange(word, linked, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(node),
            // Another thread was first; the block stays unused until the tree is compacted.
            Err(found) => Some((found >> 32) as Block),
        }
    }

    /// For compaction, which one thread does: moves a block towards the front.
    pub fn slide(&self, from: Block, to: Block) {
        for word in 0..BLOCK_WORDS {
            let value = self.word(from, word).load(Ordering::Relaxed);
            self.word(to, word).store(value, Ordering::Relaxed);
        }
    }

    /// For compaction: sets where the edges of a node will be.
    pub fn relocate_edges(&self, node: Block, first: Block) {
        let state = self.word(node, 2);
        let word = state.load(Ordering::Relaxed);
        let relocated = word & !u64::from(Block::MAX) | u64::from(first);
        state.store(relocated, Ordering::Relaxed);
    }

    /// For compaction: sets where the child of an edge will be.
    pub fn relocate_child(&self, first: Block, index: usize, child: Block) {
        let edge = self.edge_word(first, index);
        let word = edge.load(Ordering::Relaxed) & u64::from(u32::MAX);
        edge.store(word | u64::from(child) << 32, Ordering::Relaxed);
    }
}

/// The blocks that the edges of a node take.
pub const fn edge_blocks(count: usize) -> usize {
    count.div_ceil(BLOCK_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn moves() -> Vec<(Move, f32)> {
        let moves = Position::startpos().legal_moves();
        moves.iter().map(|&mv| (mv, 0.05)).collect()
    }

    #[test]
    fn nodes_count_values_and_virtual_losses() {
        let arena = Arena::new(1 << 16).expect("memory");
        let node = arena.new_node().expect("room");
        assert_eq!(arena.counts(node).mean(), None);
        arena.enter(node);
        arena.leave(node, 0.75);
        arena.enter(node);
        let counts = arena.counts(node);
        assert_eq!((counts.visits, counts.in_flight), (1, 1));
        assert_eq!(counts.mean(), Some(0.375));
        assert_eq!(counts.completed_mean(), Some(0.75));
        arena.abandon(node);
        assert_eq!(arena.counts(node).mean(), Some(0.75));
    }

    #[test]
    fn edges_and_proofs_keep_apart() {
        let arena = Arena::new(1 << 16).expect("memory");
        let node = arena.new_node().expect("room");
        assert!(arena.claim(node) && !arena.claim(node));
        assert_eq!(arena.expansion(node), Expansion::Busy);
        arena.set_proof(node, Some(Proof::new(7)));
        assert!(arena.expand(node, &moves()));
        let Expansion::Edges { first, count } = arena.expansion(node) else {
            panic!("no edges");
        };
        assert_eq!(count, 20);
        let edge = arena.edge(first, 19).expect("an edge");
        assert_eq!((edge.mv, edge.child), (moves()[19].0, None));
        assert!((edge.prior - 0.05).abs() < 1e-4);
        let child = arena.child(first, 19);
        assert!(child.is_some() && arena.child(first, 19) == child);
        assert_eq!(arena.edge(first, 19).and_then(|edge| edge.child), child);
        assert_eq!(arena.proof(node), Some(Proof::new(7)));
        arena.set_proof(node, None);
        assert_eq!(arena.proof(node), None);
        assert_eq!(arena.expansion(node), Expansion::Edges { first, count });
    }

    #[test]
    fn a_full_arena_refuses_blocks_and_keeps_what_it_has() {
        let arena = Arena::new(4 * BLOCK_BYTES).expect("memory");
        let node = arena.new_node().expect("room");
        assert!(arena.claim(node));
        assert!(!arena.expand(node, &moves()));
        assert_eq!(arena.expansion(node), Expansion::Leaf);
        assert!(arena.claim(node) && arena.expand(node, &moves()[..2]));
        let Expansion::Edges { first, .. } = arena.expansion(node) else {
            panic!("no edges");
        };
        assert!(arena.child(first, 0).is_some());
        assert_eq!(arena.child(first, 1), None);
        assert_eq!(arena.used(), arena.capacity());
    }
}
