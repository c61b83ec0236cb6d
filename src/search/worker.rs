//! The state of one search thread. It lives as long as its thread; the current search is passed to its methods.

use std::sync::atomic::Ordering;

use crate::base::value::{Depth, MAX_PLY, Value};
use crate::chess::{Bitboard, Move, MoveList, Position};
use crate::eval::{AttackMaps, PHASE_MAXIMUM};

use super::correction::Corrections;
use super::evaluator::Evaluator;
use super::history::{CONTINUATIONS, Context, Histories, PieceTo};
use super::params;
use super::root::{Line, Outcome, RootMove};
use super::shared::SharedSearch;
use super::stack::StackFrame;

/// Stack frames above the root, so that looking a few plies back needs no test.
const BEFORE_ROOT: usize = 4;
/// Nodes between two updates of the shared node count and two checks of the time.
const PUBLISH_INTERVAL: u64 = 256;
/// The main thread completes depth 1 whatever the limits, within this many nodes: it takes 20 to 300 in most positions,
/// but with eighteen queens on the board it would take 170,000.
const DEPTH_ONE_NODES: u64 = 10_000;

pub struct Worker {
    /// Number of the thread; 0 is the main thread.
    pub id: usize,
    pub histories: Histories,
    pub corrections: Corrections,
    evaluator: Evaluator,
    stack: Box<[StackFrame]>,
    /// Keys of the positions before the current one, newest last.
    pub keys: Vec<u64>,
    /// Index of the first of them that can still be repeated (not before an irreversible or null move).
    pub repetition_start: usize,
    /// Principal variation of each ply.
    pub pv: Box<[Line]>,
    pub root_moves: Vec<RootMove>,
    /// Index of the first root move of the current line; those before belong to better lines (`MultiPV`).
    pub line_start: usize,
    pub outcome: Outcome,
    pub nodes: u64,
    /// This thread stops at this count.
    pub node_limit: u64,
    /// Below this count neither a limit nor a stop ends the search of this thread.
    min_nodes: u64,
    pub selective_depth: usize,
    /// No null move is tried at lower plies while one is verified.
    pub nmp_min_ply: usize,
    /// Depth of the iteration, in plies.
    pub root_depth: Depth,
    /// Width of the root's window, in centipawns.
    pub root_window: Value,
}

impl Worker {
    /// Size of a worker in bytes, rounded up (measured by `tests/uci`).
    pub const BYTES: usize = 7 * 1024 * 1024;

    pub fn new(id: usize) -> Self {
        Self {
            id,
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::default(),
            stack: vec![StackFrame::default(); MAX_PLY + BEFORE_ROOT + 2].into_boxed_slice(),
            keys: Vec::new(),
            repetition_start: 0,
            pv: vec![Line::new(); MAX_PLY + 2].into_boxed_slice(),
            root_moves: Vec::with_capacity(MoveList::CAPACITY),
            line_start: 0,
            outcome: Outcome::default(),
            nodes: 0,
            node_limit: u64::MAX,
            min_nodes: 0,
            selective_depth: 0,
            nmp_min_ply: 0,
            root_depth: 0,
            root_window: 0,
        }
    }

    /// Clears the histories.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    /// Prepares for a search and allocates all memory it needs.
    pub fn start(&mut self, shared: &SharedSearch) {
        self.keys.clear();
        self.keys.reserve(shared.earlier.len() + MAX_PLY + 8);
        self.keys.extend_from_slice(&shared.earlier);
        self.repetition_start = shared.repetition_start;
        self.stack.fill(StackFrame::default());
        self.frame_mut(0).accumulator = self.evaluator.start(shared.model.as_ref(), &shared.root);
        params::copy_global_values();
        self.root_moves.clear();
        self.root_moves.extend(
            shared
                .moves
                .iter()
                .map(|&mv| shared.tablebases.root_move(mv)),
        );
        self.line_start = 0;
        self.nmp_min_ply = 0;
        self.nodes = 0;
        // A single thread stops exactly at the limit; several check the sum when they publish their counts.
        self.node_limit = if shared.nodes.len() == 1 || shared.isolated {
            shared.limits.nodes.unwrap_or(u64::MAX)
        } else {
            u64::MAX
        };
        self.min_nodes = if self.id == 0 { DEPTH_ONE_NODES } else { 0 };
        self.outcome.lines.clear();
        self.outcome
            .lines
            .reserve(shared.multi_pv.min(shared.moves.len()));
    }

    #[inline]
    pub fn frame(&self, ply: usize) -> &StackFrame {
        &self.stack[ply + BEFORE_ROOT]
    }

    #[inline]
    pub fn frame_mut(&mut self, ply: usize) -> &mut StackFrame {
        &mut self.stack[ply + BEFORE_ROOT]
    }

    /// The frame two plies above: the last turn of the same side.
    #[inline]
    pub fn two_plies_before(&self, ply: usize) -> &StackFrame {
        &self.stack[ply + BEFORE_ROOT - 2]
    }

    /// The history context of the node at `ply`, without threats: enough for noisy moves.
    #[inline]
    pub fn noisy_context(&self, position: &Position, ply: usize) -> Context {
        let previous = CONTINUATIONS.map(|back| self.stack[ply + BEFORE_ROOT - back].piece_to);
        Context {
            color: position.turn(),
            threats: Bitboard::EMPTY,
            previous,
        }
    }

    /// The history context with threats, which quiet moves need.
    #[inline]
    pub fn quiet_context(&mut self, position: &Position, ply: usize) -> Context {
        let attacked = || AttackMaps::all_of(position, !position.turn());
        let known = &mut self.frame_mut(ply).threats;
        debug_assert!(known.is_none_or(|known| known == attacked()));
        let threats = *known.get_or_insert_with(attacked);
        Context {
            threats,
            ..self.noisy_context(position, ply)
        }
    }

    /// The game phase at `ply`, 0 to [`PHASE_MAXIMUM`].
    #[inline]
    pub fn phase(&self, ply: usize) -> i32 {
        self.frame(ply).accumulator.phase().min(PHASE_MAXIMUM)
    }

    /// Updates the continuation histories of the move being searched at `ply`.
    pub fn update_continuations(&mut self, ply: usize, bonus: i32) {
        let previous = CONTINUATIONS.map(|back| self.stack[ply + BEFORE_ROOT - back].piece_to);
        let piece_to = self.frame(ply).piece_to;
        self.histories
            .update_continuations(previous, piece_to, bonus);
    }

    /// Updates the histories of the quiet move that led to the node at `ply`.
    pub fn update_prior(&mut self, position: &Position, ply: usize, bonus: i32) {
        let frame = *self.frame(ply - 1);
        let Some(mv) = frame.played.filter(|mv| !mv.is_noisy()) else {
            return;
        };
        let Some(threats) = frame.threats else {
            return;
        };
        let previous = CONTINUATIONS.map(|back| self.stack[ply - 1 + BEFORE_ROOT - back].piece_to);
        let context = Context {
            color: !position.turn(),
            threats,
            previous,
        };
        self.histories
            .update_prior(&context, mv, frame.piece_to, bonus);
    }

    /// The static evaluation of the position at `ply`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        let accumulator = self.frame(ply).accumulator;
        let (value, attacked) = self.evaluator.evaluate(position, &accumulator);
        self.frame_mut(ply).threats = Some(attacked[!position.turn() as usize]);
        value
    }

    /// Plays a move of the node at `ply` on `child`, a copy of the position, and updates the stack and the keys; undone by
    /// [`Self::unmake_move`].
    #[inline]
    pub fn make_move(&mut self, position: &Position, mv: Move, ply: usize, child: &mut Position) {
        let mut accumulator = self.frame(ply).accumulator;
        self.evaluator.play(position, mv, child, &mut accumulator);
        let piece_to = PieceTo::of(position, mv);
        let previous = self.stack[ply + BEFORE_ROOT - 1].piece_to;
        let frame = self.frame_mut(ply);
        (frame.played, frame.piece_to) = (Some(mv), piece_to);
        let next = self.frame_mut(ply + 1);
        (next.accumulator, next.threats) = (accumulator, None);
        self.keys.push(position.key());
        self.evaluator.prefetch(child);
        self.corrections.prefetch(child, [piece_to, previous]);
    }

    /// Undoes [`Self::make_move`].
    #[inline]
    pub fn unmake_move(&mut self) {
        self.keys.pop();
    }

    /// How many earlier positions this one may repeat.
    #[inline]
    pub fn reversible(&self, position: &Position) -> usize {
        (position.halfmove_clock() as usize).min(self.keys.len() - self.repetition_start)
    }

    /// Counts a node; `None` if the search must stop.
    #[inline]
    pub fn count_node(&mut self, shared: &SharedSearch) -> Option<()> {
        let is_over = self.nodes >= self.node_limit || shared.signal.is_stopped(shared.ticket);
        if is_over && self.may_stop() {
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL)
            && self.publish(shared).is_none()
            && self.may_stop()
        {
            return None;
        }
        Some(())
    }

    #[cold]
    const fn may_stop(&self) -> bool {
        self.nodes >= self.min_nodes
    }

    /// An iteration is complete: from now on limits and stops end the search.
    pub const fn allow_stop(&mut self) {
        self.min_nodes = 0;
    }

    /// Publishes the node count and checks the limits that concern all threads; `None` if the search must stop. The main
    /// thread also checks the time, since the thread that sleeps until the deadline may get no processor.
    #[cold]
    pub fn publish(&self, shared: &SharedSearch) -> Option<()> {
        shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        let together = shared.nodes.len() > 1 && !shared.isolated;
        let exhausted = together
            && shared
                .limits
                .nodes
                .is_some_and(|limit| shared.total_nodes() >= limit);
        if self.id == 0 && shared.is_out_of_time() {
            // An isolated thread ends alone: its ticket may be that of a task with more searches.
            if !shared.isolated {
                shared.signal.stop_ticket(shared.ticket);
            }
            return None;
        }
        let finished = self.id != 0 && shared.done.load(Ordering::Relaxed);
        if exhausted || finished {
            None
        } else {
            Some(())
        }
    }

    /// Sets the principal variation at `ply` to this move and the variation of the next ply.
    #[inline]
    pub fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let _ = line.try_extend_from_slice(&lower[0][..lower[0].len().min(MAX_PLY - 1)]);
    }
}
