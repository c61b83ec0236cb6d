//! What earlier cutoffs say of moves.
//! Uses: chess, sys. Used by: picker, negamax.
//! Idea: every entry moves towards a bound the less the nearer it is ("gravity"), so that it forgets and never overflows.

use arrayvec::ArrayVec;

use crate::base::sys::LargeArray;
use crate::base::value::Depth;
use crate::chess::{Bitboard, Color, Move, Piece, Position, Role, Square};

use super::params;

/// A history score between `-MAX` and `MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry<const MAX: i32>(i16);

impl<const MAX: i32> Entry<MAX> {
    /// Moves the score by `bonus`, less the nearer it is to its bound.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX) as i16;
    }

    /// The score.
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// The bound of the quiet history.
const QUIET_MAX: i32 = 16_384;
/// The bound of the pawn history.
const PAWN_MAX: i32 = 16_384;
/// Pawn structures told apart.
const PAWN_SIZE: usize = 512;
/// The bound of the capture history.
const NOISY_MAX: i32 = 16_384;
/// The bound of the continuation history.
const CONTINUATION_MAX: i32 = 16_384;

/// How many plies back continuations look: the reply to the move before, and the mover's own last two moves.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A move by its man and target: `64 * piece + square`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are. A row of so many histories fills whole cache lines.
    pub const COUNT: usize = Piece::COUNT * 64;

    /// A man that goes to a square.
    #[inline]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to as usize) as u16)
    }

    /// Its place in a table of [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The mover's man and the target of a move of this position.
    #[inline]
    pub fn of(position: &Position, mv: Move) -> Self {
        position
            .piece_on(mv.from())
            .map_or(Self::default(), |piece| Self::new(piece, mv.to()))
    }
}

impl Default for PieceTo {
    /// No move: before the root, or a null move. No pawn goes to its own first rank, so that the place is free.
    fn default() -> Self {
        Self::new(Piece::new(Color::White, Role::Pawn), Square::A1)
    }
}

/// What the histories ask of the way to a node.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The side to move.
    pub color: Color,
    /// The squares that the opponent attacks.
    pub threats: Bitboard,
    /// The moves [`CONTINUATIONS`] plies before.
    pub before: [PieceTo; CONTINUATIONS.len()],
}

impl Context {
    /// The side to move, with whether the move's squares are attacked: leaving an attacked square is another move than
    /// leaving a safe one.
    #[inline]
    fn danger(&self, mv: Move) -> usize {
        if !params::threat_history() {
            return self.color as usize;
        }
        let from = self.threats.contains(mv.from()) as usize;
        let to = self.threats.contains(mv.to()) as usize;
        self.color as usize | from << 1 | to << 2
    }
}

/// Moves remembered of each kind at a node.
const TRIED_CAPACITY: usize = 64;

/// The moves of a node that were searched and did not refute it.
#[derive(Default)]
pub struct Tried {
    quiet: ArrayVec<Move, TRIED_CAPACITY>,
    noisy: ArrayVec<Move, TRIED_CAPACITY>,
}

impl Tried {
    /// Remembers a move; one too many is forgotten.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        let kind = if mv.is_noisy() {
            &mut self.noisy
        } else {
            &mut self.quiet
        };
        let _ = kind.try_push(mv);
    }
}

/// All that one thread has learned of moves.
pub struct Histories {
    // [side to move, and which of the two squares are attacked][from][to]
    quiet: Box<[[[Entry<QUIET_MAX>; 64]; 64]; 8]>,
    // [man and target][role taken; 0: none]
    noisy: Box<[[Entry<NOISY_MAX>; 7]; PieceTo::COUNT]>,
    // [pawn structure][man and target]
    pawn: LargeArray<[Entry<PAWN_MAX>; PieceTo::COUNT]>,
    // [move before][move]
    continuation: LargeArray<[Entry<CONTINUATION_MAX>; PieceTo::COUNT]>,
}

impl Histories {
    pub fn new() -> Self {
        Self {
            quiet: Box::new([[[Entry::default(); 64]; 64]; 8]),
            pawn: LargeArray::new([Entry::default(); PieceTo::COUNT], PAWN_SIZE),
            noisy: Box::new([[Entry::default(); 7]; PieceTo::COUNT]),
            continuation: LargeArray::new([Entry::default(); PieceTo::COUNT], PieceTo::COUNT),
        }
    }

    /// Forgets all, and keeps the memory.
    pub fn forget(&mut self) {
        self.quiet
            .as_flattened_mut()
            .as_flattened_mut()
            .fill(Entry::default());
        self.noisy.as_flattened_mut().fill(Entry::default());
        self.pawn.as_flattened_mut().fill(Entry::default());
        self.continuation.as_flattened_mut().fill(Entry::default());
    }

    /// The histories that speak of the quiet moves of a position.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, context: &'a Context, position: &'a Position) -> Quiets<'a> {
        Quiets {
            context,
            position,
            own: &self.quiet,
            pawn: &self.pawn[pawn_index(position)],
            before: context
                .before
                .map(|before| &self.continuation[before.index()]),
        }
    }

    /// The score of a capture or promotion: of the man that moves there and what it takes.
    #[inline]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        if !params::capture_history() {
            return 0;
        }
        let taken = taken(position, mv);
        self.noisy[PieceTo::of(position, mv).index()][taken].get()
    }

    /// The score of any move.
    #[inline]
    pub fn of(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        if mv.is_noisy() {
            self.noisy(position, mv)
        } else {
            self.quiets(context, position).score(mv)
        }
    }

    /// A move refuted the node, and those tried before it did not. Quiet moves are not blamed for a capture that was
    /// tried before them by rank.
    pub fn reward(
        &mut self,
        context: &Context,
        position: &Position,
        best: Move,
        tried: &Tried,
        depth: Depth,
    ) {
        let bonus = bonus(depth);
        let malus = if params::malus() { bonus } else { 0 };
        if best.is_noisy() {
            self.update_noisy(position, best, bonus);
        } else {
            self.update_quiet(context, position, best, bonus);
            for &mv in &tried.quiet {
                self.update_quiet(context, position, mv, -malus);
            }
        }
        for &mv in &tried.noisy {
            self.update_noisy(position, mv, -malus);
        }
    }

    fn update_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let taken = taken(position, mv);
        self.noisy[PieceTo::of(position, mv).index()][taken].update(bonus);
    }

    fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        self.quiet[context.danger(mv)][mv.from() as usize][mv.to() as usize]
            .update(bonus * params::quiet_history_share() / 4);
        self.pawn[pawn_index(position)][piece_to.index()].update(bonus);
        for before in context.before {
            self.continuation[before.index()][piece_to.index()].update(bonus);
        }
    }
}

/// What the histories say of the quiet moves of one position.
pub struct Quiets<'a> {
    context: &'a Context,
    position: &'a Position,
    own: &'a [[[Entry<QUIET_MAX>; 64]; 64]; 8],
    pawn: &'a [Entry<PAWN_MAX>; PieceTo::COUNT],
    before: [&'a [Entry<CONTINUATION_MAX>; PieceTo::COUNT]; CONTINUATIONS.len()],
}

impl Quiets<'_> {
    /// The score of a quiet move.
    #[inline(always)]
    pub fn score(&self, mv: Move) -> i32 {
        let piece_to = PieceTo::of(self.position, mv).index();
        let own = self.own[self.context.danger(mv)][mv.from() as usize][mv.to() as usize].get();
        own * i32::from(params::quiet_history())
            + self.pawn[piece_to].get() * i32::from(params::pawn_history())
            + self.before[0][piece_to].get() * i32::from(params::continuation_1())
            + self.before[1][piece_to].get() * i32::from(params::continuation_2())
            + self.before[2][piece_to].get() * i32::from(params::continuation_4())
    }
}

/// The place of a pawn structure in its table.
#[inline]
const fn pawn_index(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_SIZE
}

/// The role that a move takes, from 1; 0 for none (and for a pawn taken in passing).
#[inline]
fn taken(position: &Position, mv: Move) -> usize {
    position
        .piece_on(mv.to())
        .map_or(0, |piece| piece.role() as usize)
}

/// How much a cutoff at this depth says.
fn bonus(depth: Depth) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_within_its_bound_and_forgets() {
        let mut entry = Entry::<1000>::default();
        for _ in 0..1000 {
            entry.update(400);
            assert!(entry.get() <= 1000);
        }
        let high = entry.get();
        assert!(high > 900);
        entry.update(-400);
        assert!(
            entry.get() < high - 400,
            "a surprise moves it further than a confirmation"
        );
        entry.update(-1_000_000);
        assert!(entry.get() >= -1000);
    }

    #[test]
    fn deeper_cutoffs_say_more() {
        assert!((1..20).all(|depth| bonus(depth) <= bonus(depth + 1)));
    }
}
