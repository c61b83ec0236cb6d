//! The search of one thread: play-outs until the search ends. All threads work on one tree; the main thread also watches the
//! limits and reports.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::base::random::Random;
use crate::base::value::{DRAW, Depth, INFINITE, MATE, MAX_PLY, Value, is_decisive};
use crate::chess::{Move, Position, Square, is_repetition};
use crate::eval::{expected_score, material_count};
use crate::search::algorithm::Algorithm;
use crate::search::node::{Pv, Searcher, Window};
use crate::search::shared::SharedSearch;
use crate::search::tt::TranspositionTable;
use crate::search::worker::Worker;

use super::arena::{Arena, Block, Expansion};
use super::choice::Choice;
use super::policy::{self, Hints};
use super::proof::{Proof, combine};
use super::random_game;
use super::root_view::{RootView, allowed_moves};
use super::settings::{Settings, Variant};
use super::stopping::{Stopping, is_depth_reached};
use super::tree::Tree;

/// Positions further from the root are evaluated, not expanded: quiescence needs room below them.
const MAX_TREE_PLY: usize = MAX_PLY - 60;
/// The main thread checks its limits after this many play-outs.
const CHECK_INTERVAL: u64 = 16;
/// In a full tree a position that is visited again is searched this much deeper at most, in plies.
const FULL_DEPTH: u32 = 12;

/// Monte Carlo tree search on one tree.
pub struct TreeSearch {
    pub tree: Arc<Tree>,
    pub settings: Settings,
}

impl Algorithm for TreeSearch {
    fn search(&self, worker: &mut Worker, shared: &SharedSearch) {
        worker.start(shared);
        let id = worker.id;
        let mut walker = Walker::new(self, worker, shared);
        if id == 0 {
            walker.search_and_report();
        } else {
            walker.search_along();
        }
        let _ = walker.searcher.worker.publish(shared);
        if id == 0 || shared.isolated {
            let view = walker.view();
            walker.searcher.worker.outcome.lines = view.lines(shared.multi_pv);
        }
        if id == 0 {
            walker.publish_fullness();
            shared.done.store(true, Ordering::Relaxed);
        }
    }
}

/// How a play-out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    Done,
    /// The search must stop.
    Stopped,
    /// Every move of the root is proven: there is nothing left to search.
    Exhausted,
}

struct Walker<'a> {
    searcher: Searcher<'a>,
    tree: &'a Tree,
    settings: Settings,
    root: Block,
    /// The moves that may be played at the root, if not all.
    allowed: Option<Vec<Move>>,
    /// The nodes of this play-out.
    path: Vec<Block>,
    priors: Vec<(Move, f32)>,
    random: Random,
    playouts: u64,
    depth_sum: u64,
    deepest: usize,
    /// The greatest mean length of the play-outs so far.
    mean_depth: Depth,
}

impl<'a> Walker<'a> {
    fn new(search: &'a TreeSearch, worker: &'a mut Worker, shared: &'a SharedSearch) -> Self {
        let id = worker.id as u64;
        Self {
            searcher: Searcher { worker, shared },
            tree: &search.tree,
            settings: search.settings,
            root: search.tree.root().unwrap_or(0),
            allowed: allowed_moves(shared),
            path: Vec::with_capacity(MAX_PLY),
            priors: Vec::with_capacity(256),
            random: Random::new(shared.root.key(), id),
            playouts: 0,
            depth_sum: 0,
            deepest: 0,
            mean_depth: 0,
        }
    }

    fn arena(&self) -> &'a Arena {
        &self.tree.arena
    }

    fn view(&self) -> RootView<'_> {
        RootView {
            tree: self.tree,
            shared: self.searcher.shared,
            allowed: self.allowed.as_deref(),
            root: self.root,
            playouts: self.playouts,
            mean_depth: self.mean_depth,
            deepest: self.deepest as u32,
        }
    }

    /// The main thread's loop.
    fn search_and_report(&mut self) {
        let shared = self.searcher.shared;
        let mut stopping = Stopping::new(shared);
        loop {
            let ended = self.playout();
            if self.playouts == 1 {
                self.searcher.worker.allow_stop();
            }
            if ended != Playout::Done {
                break;
            }
            if !self.playouts.is_multiple_of(CHECK_INTERVAL) {
                continue;
            }
            self.update_mean_depth();
            let view = self.view();
            if stopping.is_report_due(&view) {
                let _ = self.searcher.worker.publish(shared);
                self.publish_fullness();
                for (rank, line) in view.lines(shared.multi_pv).iter().enumerate() {
                    shared.report(line, rank);
                }
            }
            if stopping.should_stop(&view) {
                break;
            }
        }
    }

    /// The loop of the other threads. The main thread ends them, but for isolated ones with a limit of depth.
    fn search_along(&mut self) {
        let shared = self.searcher.shared;
        let depth = shared.limits.depth.filter(|_| shared.isolated);
        while self.playout() == Playout::Done {
            if let Some(depth) = depth
                && self.playouts.is_multiple_of(CHECK_INTERVAL)
            {
                self.update_mean_depth();
                if is_depth_reached(depth, &self.view()) {
                    break;
                }
            }
        }
    }

    fn update_mean_depth(&mut self) {
        let mean = self.depth_sum / self.playouts;
        self.mean_depth = self.mean_depth.max(mean as Depth);
    }

    fn publish_fullness(&self) {
        let full = &self.searcher.shared.tree_full;
        full.store(self.tree.fullness(), Ordering::Relaxed);
    }

    /// One play-out: descends the tree, evaluates a new position, and adds the value to all nodes on the path.
    fn playout(&mut self) -> Playout {
        if self.root == 0 {
            return Playout::Exhausted;
        }
        let keys = self.searcher.worker.keys.len();
        self.path.clear();
        let value = self.walk();
        self.searcher.worker.keys.truncate(keys);
        let arena = self.arena();
        let Some(value) = value.ok() else {
            self.path.iter().for_each(|&node| arena.abandon(node));
            return value.err().unwrap_or(Playout::Stopped);
        };
        let mut value = value;
        for &node in self.path.iter().rev() {
            value = 1.0 - value;
            arena.leave(node, value);
        }
        self.playouts += 1;
        self.depth_sum += self.path.len() as u64 - 1;
        self.deepest = self.deepest.max(self.path.len() - 1);
        Playout::Done
    }

    /// Descends to a position to evaluate; returns its value for its side to move, from 0 to 1.
    fn walk(&mut self) -> Result<f32, Playout> {
        let shared = self.searcher.shared;
        let arena = self.arena();
        let count = self.searcher.worker.count_node(shared);
        count.ok_or(Playout::Stopped)?;
        let mut position = shared.root;
        let mut recapture = None;
        let (mut node, mut ply) = (self.root, 0);
        loop {
            let counts = arena.counts(node);
            arena.enter(node);
            self.path.push(node);
            if ply > 0 {
                if let Some(value) = self.known_value(node, &position, ply) {
                    return Ok(value);
                }
                if counts.visits == 0 || ply >= MAX_TREE_PLY {
                    return self.new_value(node, &position, ply, 0);
                }
            }
            if arena.expansion(node) == Expansion::Leaf && !self.expand(node, &position, recapture)
            {
                return self.full_value(node, &position, ply, counts.visits);
            }
            if ply == 0 {
                self.await_expansion(node);
            }
            let Expansion::Edges { first, count } = arena.expansion(node) else {
                // Another thread is about to expand it.
                return self.new_value(node, &position, ply, 0);
            };
            let choice = Choice {
                arena,
                variant: self.settings.variant,
                first,
                count,
                parent: counts,
                may_grow: arena.used() < arena.capacity(),
            };
            let index = if ply == 0 {
                Some(self.choose_at_root(&choice).ok_or(Playout::Exhausted)?)
            } else {
                choice.best()
            };
            let edge = index.and_then(|index| arena.edge(first, index));
            let child = index.and_then(|index| arena.child(first, index));
            let (Some(edge), Some(child)) = (edge, child) else {
                return self.full_value(node, &position, ply, counts.visits);
            };
            let mut after = position;
            let worker = &mut *self.searcher.worker;
            worker.make_move(&position, edge.mv, ply, &mut after);
            // Positions of the tree are not evaluated: the frame still has those of another play-out.
            let frame = worker.frame_mut(ply);
            (frame.evaluation, frame.history) = (None, 0);
            recapture = edge.mv.is_capture().then(|| edge.mv.to());
            (position, node, ply) = (after, child, ply + 1);
        }
    }

    /// Waits while another thread writes the edges of the root, so that every play-out goes through one of its moves.
    fn await_expansion(&self, root: Block) {
        let shared = self.searcher.shared;
        let is_stopped =
            || shared.done.load(Ordering::Relaxed) || shared.signal.is_stopped(shared.ticket);
        while self.arena().expansion(root) == Expansion::Busy && !is_stopped() {
            std::thread::yield_now();
        }
    }

    /// The edge to follow at the root; `None` if all are proven.
    fn choose_at_root(&self, choice: &Choice<'_>) -> Option<usize> {
        let allowed = |mv| {
            self.allowed
                .as_ref()
                .is_none_or(|moves| moves.contains(&mv))
        };
        let wanted = self.searcher.shared.multi_pv;
        if wanted > 1 && choice.may_grow {
            // Every line to be reported needs a value.
            let edges = (0..choice.count).filter_map(|index| {
                let edge = choice.arena.edge(choice.first, index)?;
                allowed(edge.mv).then_some((index, edge.child))
            });
            let unvisited = edges.take(wanted).find(|(_, child)| child.is_none());
            if let Some((index, _)) = unvisited {
                return Some(index);
            }
        }
        choice.best_of(allowed, true)
    }

    /// The value of a node that needs no search: it is proven or drawn by the rules.
    fn known_value(&mut self, node: Block, position: &Position, ply: usize) -> Option<f32> {
        let arena = self.arena();
        if let Some(proof) = arena.proof(node) {
            return Some(self.value_of(proof, position));
        }
        let worker = &*self.searcher.worker;
        let reversible = worker.reversible(position);
        // Not proven: once the game has gone on, the same position may be only its second occurrence.
        if is_repetition(&worker.keys, position.key(), reversible, ply) {
            return Some(self.draw_value(position));
        }
        let fifty =
            position.halfmove_clock() >= 100 && (!position.in_check() || position.has_legal_move());
        if fifty || position.is_insufficient_material() {
            self.prove(node, Proof::DRAW);
            return Some(self.draw_value(position));
        }
        None
    }

    fn draw_value(&self, position: &Position) -> f32 {
        let score = self.searcher.shared.draw_scores[position.turn() as usize];
        expectation(score, position)
    }

    fn value_of(&self, proof: Proof, position: &Position) -> f32 {
        if proof.score() == DRAW {
            self.draw_value(position)
        } else {
            expectation(proof.score(), position)
        }
    }

    /// Evaluates a position that is not expanded.
    fn new_value(
        &mut self,
        node: Block,
        position: &Position,
        ply: usize,
        deeper: i32,
    ) -> Result<f32, Playout> {
        let proof = self.terminal(position, ply);
        if let Some(proof) = proof.filter(|_| ply > 0) {
            self.prove(node, proof);
            return Ok(self.value_of(proof, position));
        }
        let value = self
            .estimate(position, ply, deeper)
            .ok_or(Playout::Stopped)?;
        self.arena().set_first_value(node, value);
        Ok(value)
    }

    /// Evaluates again a position that cannot be expanded because the tree is full: the more visits, the deeper.
    fn full_value(
        &mut self,
        node: Block,
        position: &Position,
        ply: usize,
        visits: u32,
    ) -> Result<f32, Playout> {
        let deeper = visits.max(1).ilog2().min(FULL_DEPTH) as i32;
        self.new_value(node, position, ply, deeper)
    }

    /// The result of a position by the rules or by tablebases, if they prove one.
    fn terminal(&self, position: &Position, ply: usize) -> Option<Proof> {
        if !position.has_legal_move() {
            return Some(Proof::new(if position.in_check() { -MATE } else { DRAW }));
        }
        if self.settings.variant == Variant::Uct || ply == 0 {
            return None;
        }
        let prober = &self.searcher.shared.tablebases;
        let found = prober.probe(position, 0, INFINITE, DRAW)?;
        Some(Proof::new(if is_decisive(found.score) {
            found.score
        } else {
            DRAW
        }))
    }

    /// The estimate of a position's value: by search and evaluation, or by a random game.
    fn estimate(&mut self, position: &Position, ply: usize, deeper: i32) -> Option<f32> {
        let Searcher { worker, shared } = &mut self.searcher;
        if self.settings.variant == Variant::Uct {
            return random_game::play(position, &mut self.random, || worker.count_node(shared));
        }
        let depth = self.settings.rollout_depth + deeper;
        worker.root_depth = depth.max(1);
        let window = Window {
            alpha: -INFINITE,
            beta: INFINITE,
        };
        // The root is valued only while it has no moves yet; `negamax` needs a move before the node.
        let score = if depth == 0 || ply == 0 {
            self.searcher
                .quiescence::<Pv>(position, ply, window, true)?
        } else {
            let searched = self
                .searcher
                .negamax::<Pv>(position, ply, depth, window, false);
            searched?
        };
        Some(expectation(score, position))
    }

    /// Gives a leaf its edges; `false` if the tree is full.
    fn expand(&mut self, node: Block, position: &Position, recapture: Option<Square>) -> bool {
        let arena = self.arena();
        if !arena.claim(node) {
            // Another thread is expanding it or has done so.
            return true;
        }
        match self.settings.variant {
            Variant::Puct => {
                let tt = &self.searcher.shared.tt;
                let hit = tt.probe(TranspositionTable::key_of(position), 0);
                let best = hit.and_then(|hit| hit.best);
                let hints = Hints { best, recapture };
                policy::priors(position, hints, &mut self.priors);
                arena.set_hints(node, best, recapture);
            }
            Variant::Uct => {
                let moves = position.legal_moves();
                let prior = 1.0 / moves.len().max(1) as f32;
                self.priors.clear();
                self.priors.extend(moves.iter().map(|&mv| (mv, prior)));
                self.random.shuffle(&mut self.priors);
            }
        }
        arena.expand(node, &self.priors)
    }

    /// Marks the last node of the path as proven, and all nodes above that are proven by it; the root stays as it is.
    fn prove(&self, node: Block, proof: Proof) {
        let arena = self.arena();
        arena.set_proof(node, Some(proof));
        let above = self.path.iter().skip(1).rev().skip(1);
        for &parent in above {
            let children = self.tree.edges(parent).into_iter();
            let proofs = children.map(|edge| edge.child.and_then(|child| arena.proof(child)));
            let Some(proof) = combine(proofs) else {
                break;
            };
            arena.set_proof(parent, Some(proof));
        }
    }
}

/// The expected result of a score for the side to move.
fn expectation(score: Value, position: &Position) -> f32 {
    expected_score(score, material_count(position)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::local::LocalSearcher;
    use crate::search::mcts::fingerprint::Fingerprint;

    /// Calls a test with the walker of a tree of this many bytes.
    fn test_at(fen: &str, rollout_depth: Depth, bytes: usize, test: impl FnOnce(Walker<'_>)) {
        LocalSearcher::test_at(fen, Limits::none(), |searcher| {
            let Searcher { worker, shared } = searcher;
            let settings = Settings {
                rollout_depth,
                ..Settings::default()
            };
            let tree = Arc::new(Tree::new(bytes).expect("memory"));
            tree.set_root(shared, Fingerprint::of(shared, settings));
            let search = TreeSearch { tree, settings };
            test(Walker::new(&search, worker, shared));
        });
    }

    #[test]
    fn a_root_without_room_for_its_moves_is_valued() {
        let fen = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
        test_at(fen, 1, 0, |mut walker| {
            for _ in 0..4 {
                assert_eq!(walker.playout(), Playout::Done);
            }
        });
    }

    #[test]
    fn a_rollout_sees_nothing_of_other_play_outs() {
        let fen = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
        test_at(fen, 2, 1 << 20, |mut walker| {
            for _ in 0..500 {
                assert_eq!(walker.playout(), Playout::Done);
                for ply in 0..walker.path.len() - 1 {
                    let frame = walker.searcher.worker.frame(ply);
                    assert_eq!((frame.evaluation, frame.history), (None, 0), "ply {ply}");
                }
            }
        });
    }
}
