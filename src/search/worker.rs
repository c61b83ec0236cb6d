//! What one thread owns.
//! Uses: shared, history, picker, eval, chess, value. Used by: negamax, quiescence, deepen, pool.
//! Idea: a worker lives as long as its thread and holds no reference to anyone; the shared of the moment is lent to it.

use std::sync::atomic::Ordering;

use crate::base::value::{Depth, MAX_PLY, Value};
use crate::chess::{Bitboard, Move, MoveList, Position};
use crate::eval::AttackMaps;

use super::correction::Corrections;
use super::evaluator::Evaluator;
use super::frame::Frame;
use super::history::{CONTINUATIONS, Context, Histories, PieceTo};
use super::root::{Line, Outcome, RootMove};
use super::shared::SharedSearch;

/// Frames kept before the root, so that looking two plies back needs no test.
const BEFORE_ROOT: usize = 4;
/// Nodes between two publications of a thread's count, and between two looks at the clock.
const PUBLISH_INTERVAL: u64 = 256;

/// The memory of one thread.
pub struct Worker {
    /// The thread's number; 0 is the main one.
    pub id: usize,
    pub histories: Histories,
    pub corrections: Corrections,
    evaluator: Evaluator,
    /// Who attacks what in the position that was evaluated last.
    maps: AttackMaps,
    frames: Box<[Frame]>,
    /// Keys of all positions before the one being searched, newest last.
    pub keys: Vec<u64>,
    /// How many of them a null move or the game cuts off from repetition.
    pub repetition_start: usize,
    /// Principal variation by distance from the root.
    pub pv: Box<[Line]>,
    pub root_moves: Vec<RootMove>,
    /// The first root move of the line being searched: those before belong to better lines.
    pub line_start: usize,
    pub outcome: Outcome,
    pub nodes: u64,
    /// This thread ends at this count.
    pub node_limit: u64,
    pub selective_depth: usize,
    /// No null move is tried nearer to the root than this, while one is verified.
    pub nmp_min_ply: usize,
    /// The depth of the iteration, in plies.
    pub root_depth: Depth,
}

impl Worker {
    /// Bytes of memory that one takes, rounded up (row C14 in `tests/uci` measures it).
    pub const BYTES: usize = 7 * 1024 * 1024;

    pub fn new(id: usize) -> Self {
        Self {
            id,
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::default(),
            maps: AttackMaps::of(&Position::startpos()),
            frames: vec![Frame::default(); MAX_PLY + BEFORE_ROOT + 2].into_boxed_slice(),
            keys: Vec::new(),
            repetition_start: 0,
            pv: vec![Line::new(); MAX_PLY + 2].into_boxed_slice(),
            root_moves: Vec::with_capacity(MoveList::CAPACITY),
            line_start: 0,
            outcome: Outcome::default(),
            nodes: 0,
            node_limit: u64::MAX,
            selective_depth: 0,
            nmp_min_ply: 0,
            root_depth: 0,
        }
    }

    /// Forgets what was learned of moves: a new game begins.
    pub fn forget(&mut self) {
        self.histories.forget();
        self.corrections.forget();
    }

    /// Makes ready for a shared: all memory it will need is taken here.
    pub fn begin(&mut self, shared: &SharedSearch) {
        self.keys.clear();
        self.keys.reserve(shared.earlier.len() + MAX_PLY + 8);
        self.keys.extend_from_slice(&shared.earlier);
        self.repetition_start = shared.repetition_start;
        self.frames.fill(Frame::default());
        self.frame_mut(0).accumulator = self.evaluator.begin(shared.model.as_ref(), &shared.root);
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
        // Alone, a thread keeps to the limit exactly; together they look at the sum whenever they publish.
        self.node_limit = if shared.nodes.len() == 1 || shared.isolated {
            shared.limits.nodes.unwrap_or(u64::MAX)
        } else {
            u64::MAX
        };
        self.outcome.lines.clear();
        self.outcome
            .lines
            .reserve(shared.multi_pv.min(shared.moves.len()));
    }

    #[inline]
    pub fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT]
    }

    #[inline]
    pub fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The frame two plies before: the mover's own last turn.
    #[inline]
    pub fn two_plies_before(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - 2]
    }

    /// What the histories ask of the way to the node at `ply`; those of quiet moves ask for [more](Self::context_of_quiets).
    #[inline]
    pub fn context(&self, position: &Position, ply: usize) -> Context {
        let before = CONTINUATIONS.map(|back| self.frames[ply + BEFORE_ROOT - back].piece_to);
        Context {
            color: position.turn(),
            threats: Bitboard::EMPTY,
            before,
        }
    }

    /// The same with what the opponent attacks: as the evaluation has found it, where that was asked for.
    #[inline]
    pub fn context_of_quiets(&self, position: &Position, ply: usize) -> Context {
        let attacked = || AttackMaps::all_of(position, !position.turn());
        let known = self.frame(ply).threats;
        debug_assert!(known.is_none_or(|known| known == attacked()));
        Context {
            threats: known.unwrap_or_else(attacked),
            ..self.context(position, ply)
        }
    }

    /// The static evaluation of the position at `ply`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        self.maps.read(position);
        let threats = self.maps.all(!position.turn());
        let frame = self.frame_mut(ply);
        frame.threats = Some(threats);
        let accumulator = frame.accumulator;
        self.evaluator.value(position, &self.maps, &accumulator)
    }

    /// Plays a move of the node at `ply` on `child`, which is a copy of the position, and keeps the accumulator and the keys; to be
    /// ended by [`Self::unmake_move`].
    #[inline]
    pub fn make_move(&mut self, position: &Position, mv: Move, ply: usize, child: &mut Position) {
        let mut accumulator = self.frame(ply).accumulator;
        self.evaluator.play(position, mv, child, &mut accumulator);
        let piece_to = PieceTo::of(position, mv);
        let before = self.frames[ply + BEFORE_ROOT - 1].piece_to;
        let frame = self.frame_mut(ply);
        (frame.played, frame.piece_to) = (Some(mv), piece_to);
        let next = self.frame_mut(ply + 1);
        (next.accumulator, next.threats) = (accumulator, None);
        self.keys.push(position.key());
        self.evaluator.prefetch(child);
        self.corrections.prefetch(child, [piece_to, before]);
    }

    /// Takes back what [`Self::make_move`] noted.
    #[inline]
    pub fn unmake_move(&mut self) {
        self.keys.pop();
    }

    /// How many earlier positions the one being searched may repeat.
    #[inline]
    pub fn reversible(&self, position: &Position) -> usize {
        (position.halfmove_clock() as usize).min(self.keys.len() - self.repetition_start)
    }

    /// Counts a node; `None` when the search is to end.
    #[inline]
    pub fn count_node(&mut self, shared: &SharedSearch) -> Option<()> {
        if self.nodes >= self.node_limit || shared.signal.is_stopped(shared.ticket) {
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PUBLISH_INTERVAL) {
            self.publish(shared)
        } else {
            Some(())
        }
    }

    /// Makes this thread's count known, and looks at what concerns all threads: the main one also at the clock, since
    /// whoever sleeps until the deadline may get no processor while all of them search.
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
            shared.signal.stop_ticket(shared.ticket);
            return None;
        }
        let through = self.id != 0 && shared.done.load(Ordering::Relaxed);
        if exhausted || through { None } else { Some(()) }
    }

    /// The principal variation at `ply` is now this move and the variation below it.
    #[inline]
    pub fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let _ = line.try_extend_from_slice(&lower[0][..lower[0].len().min(MAX_PLY - 1)]);
    }
}
