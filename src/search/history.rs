//! Histories: which moves caused cutoffs before.
//!
//! Every entry moves towards a bound by a bonus, and less the nearer it is ("gravity"), so that it forgets and cannot overflow.

use arrayvec::ArrayVec;

use crate::base::sys::LargeArray;
use crate::base::value::Depth;
use crate::chess::{Bitboard, Color, Move, Piece, Position, Role, Square};

use super::params;

/// A history score between `-MAX` and `MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryEntry<const MAX: i32>(i16);

impl<const MAX: i32> HistoryEntry<MAX> {
    /// Adds a bonus, scaled down near the bound.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        const { assert!(MAX > 0 && MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX) as i16;
    }

    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }
}

const QUIET_MAX: i32 = 16_384;
const PAWN_MAX: i32 = 16_384;
/// Entries of the pawn history, by pawn key.
const PAWN_SIZE: usize = 512;
const NOISY_MAX: i32 = 16_384;
const CONTINUATION_MAX: i32 = 16_384;

/// The plies back of the continuation histories: the opponent's last move and the last two of the side to move.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A move by its piece and target: `64 * piece + square`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// The number of values. A row of as many entries fills whole cache lines.
    pub const COUNT: usize = Piece::COUNT * 64;

    #[inline]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to as usize) as u16)
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub fn of(position: &Position, mv: Move) -> Self {
        position
            .piece_on(mv.from())
            .map_or(Self::default(), |piece| Self::new(piece, mv.to()))
    }
}

impl Default for PieceTo {
    /// No move: above the root, or a null move. No pawn moves to its quiet first rank, so that the index is free.
    fn default() -> Self {
        Self::new(Piece::new(Color::White, Role::Pawn), Square::A1)
    }
}

/// What the histories of a node depend on.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub color: Color,
    /// The squares that the opponent attacks (quiet history only).
    pub threats: Bitboard,
    /// The moves [`CONTINUATIONS`] plies back.
    pub previous: [PieceTo; CONTINUATIONS.len()],
}

impl Context {
    /// The index by side to move and by whether the origin and the target are attacked.
    #[inline]
    fn threat_index(&self, from: Square, target_is_attacked: bool) -> usize {
        if !params::threat_history() {
            return self.color as usize;
        }
        let from = self.threats.contains(from) as usize;
        self.color as usize | from << 1 | (target_is_attacked as usize) << 2
    }
}

const TRIED_CAPACITY: usize = 64;

/// The moves of a node that were searched without a cutoff.
#[derive(Default)]
pub struct Tried {
    quiet: ArrayVec<Move, TRIED_CAPACITY>,
    noisy: ArrayVec<Move, TRIED_CAPACITY>,
}

impl Tried {
    /// Adds a move; beyond the capacity moves are ignored.
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

pub struct Histories {
    // [threat index][from][to]
    quiet: Box<[[[HistoryEntry<QUIET_MAX>; 64]; 64]; 8]>,
    // [piece and target][captured role; 0: none]
    noisy: Box<[[HistoryEntry<NOISY_MAX>; 7]; PieceTo::COUNT]>,
    // [pawn structure][piece and target]
    pawn: LargeArray<[HistoryEntry<PAWN_MAX>; PieceTo::COUNT]>,
    // [previous move][move]
    continuation: LargeArray<[HistoryEntry<CONTINUATION_MAX>; PieceTo::COUNT]>,
}

impl Histories {
    pub fn new() -> Self {
        Self {
            quiet: Box::new([[[HistoryEntry::default(); 64]; 64]; 8]),
            pawn: LargeArray::new([HistoryEntry::default(); PieceTo::COUNT], PAWN_SIZE),
            noisy: Box::new([[HistoryEntry::default(); 7]; PieceTo::COUNT]),
            continuation: LargeArray::new(
                [HistoryEntry::default(); PieceTo::COUNT],
                PieceTo::COUNT,
            ),
        }
    }

    /// Zeroes all entries.
    pub fn clear(&mut self) {
        self.quiet
            .as_flattened_mut()
            .as_flattened_mut()
            .fill(HistoryEntry::default());
        self.noisy.as_flattened_mut().fill(HistoryEntry::default());
        self.pawn.as_flattened_mut().fill(HistoryEntry::default());
        self.continuation
            .as_flattened_mut()
            .fill(HistoryEntry::default());
    }

    /// The rows for the quiet moves of a position.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, context: &'a Context, position: &Position) -> QuietHistories<'a> {
        QuietHistories {
            context,
            quiet: &self.quiet,
            pawn: &self.pawn[pawn_index(position)],
            previous: context
                .previous
                .map(|previous| &self.continuation[previous.index()]),
        }
    }

    /// The score of a capture or promotion.
    #[inline]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        if !params::capture_history() {
            return 0;
        }
        let captured = captured(position, mv);
        self.noisy[PieceTo::of(position, mv).index()][captured].get()
    }

    /// The score of a quiet or noisy move.
    #[inline]
    pub fn of(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        if mv.is_noisy() {
            return self.noisy(position, mv);
        }
        position.piece_on(mv.from()).map_or(0, |piece| {
            let quiets = self.quiets(context, position);
            quiets.of_piece(piece, mv.from()).score(mv.to())
        })
    }

    /// Updates the histories after a beta cutoff: a bonus for the best move, a malus for those tried before. Quiet moves get
    /// no malus when a noisy move caused the cutoff. `is_far_above`: the score is far above beta.
    pub fn update(
        &mut self,
        context: &Context,
        position: &Position,
        best: Move,
        tried: &Tried,
        depth: Depth,
        is_far_above: bool,
    ) {
        let bonus = bonus(depth) + i32::from(is_far_above) * params::history_bonus_above();
        let malus = (params::history_malus_base() + params::history_malus() * depth)
            .clamp(0, params::history_malus_max());
        let malus = if params::history_malus() == 0 {
            0
        } else {
            malus
        };
        if best.is_noisy() {
            self.update_noisy(position, best, bonus);
        } else {
            self.update_quiet(context, position, best, bonus);
            let mut malus = malus;
            for &mv in &tried.quiet {
                self.update_quiet(context, position, mv, -malus);
                malus -= malus * params::history_malus_decay() / 64;
            }
        }
        for &mv in &tried.noisy {
            self.update_noisy(position, mv, -malus);
        }
    }

    /// Updates the quiet and continuation histories of a quiet move of the node before.
    pub fn update_prior(&mut self, context: &Context, mv: Move, piece_to: PieceTo, bonus: i32) {
        self.quiet_entry(context, mv).update(bonus);
        self.update_continuations(context.previous, piece_to, bonus);
    }

    /// Updates the continuation histories of a move after these.
    pub fn update_continuations(
        &mut self,
        previous: [PieceTo; CONTINUATIONS.len()],
        piece_to: PieceTo,
        bonus: i32,
    ) {
        for previous in previous {
            self.continuation[previous.index()][piece_to.index()].update(bonus);
        }
    }

    #[inline]
    fn quiet_entry(&mut self, context: &Context, mv: Move) -> &mut HistoryEntry<QUIET_MAX> {
        let index = context.threat_index(mv.from(), context.threats.contains(mv.to()));
        &mut self.quiet[index][mv.from() as usize][mv.to() as usize]
    }

    fn update_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = captured(position, mv);
        self.noisy[PieceTo::of(position, mv).index()][captured].update(bonus);
    }

    fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        self.quiet_entry(context, mv)
            .update(bonus * params::quiet_history_bonus_share() / 4);
        self.pawn[pawn_index(position)][piece_to.index()].update(bonus);
        self.update_continuations(context.previous, piece_to, bonus);
    }
}

/// The history rows for the quiet moves of a position.
pub struct QuietHistories<'a> {
    context: &'a Context,
    quiet: &'a [[[HistoryEntry<QUIET_MAX>; 64]; 64]; 8],
    pawn: &'a [HistoryEntry<PAWN_MAX>; PieceTo::COUNT],
    previous: [&'a [HistoryEntry<CONTINUATION_MAX>; PieceTo::COUNT]; CONTINUATIONS.len()],
}

impl<'a> QuietHistories<'a> {
    /// The rows for the moves of one piece.
    #[inline(always)]
    pub fn of_piece(&self, piece: Piece, from: Square) -> PieceHistories<'a> {
        let threats = self.context.threats;
        let rows = [false, true].map(|is_attacked| {
            &self.quiet[self.context.threat_index(from, is_attacked)][from as usize]
        });
        PieceHistories {
            threats,
            quiet: rows,
            pawn: of_piece(self.pawn, piece),
            previous: self.previous.map(|row| of_piece(row, piece)),
        }
    }
}

/// The entries of a piece, by its target.
#[inline(always)]
fn of_piece<const MAX: i32>(
    row: &[HistoryEntry<MAX>; PieceTo::COUNT],
    piece: Piece,
) -> &[HistoryEntry<MAX>; 64] {
    &row.as_chunks().0[piece.index()]
}

/// The history rows for the quiet moves of a piece, by the target.
pub struct PieceHistories<'a> {
    /// The squares that the opponent attacks.
    threats: Bitboard,
    /// By whether the target is attacked.
    quiet: [&'a [HistoryEntry<QUIET_MAX>; 64]; 2],
    pawn: &'a [HistoryEntry<PAWN_MAX>; 64],
    previous: [&'a [HistoryEntry<CONTINUATION_MAX>; 64]; CONTINUATIONS.len()],
}

impl PieceHistories<'_> {
    #[inline(always)]
    pub fn score(&self, to: Square) -> i32 {
        let quiet = self.quiet[self.threats.contains(to) as usize];
        let to = to as usize;
        (quiet[to].get() * params::quiet_history_weight()
            + self.pawn[to].get() * params::pawn_history_weight()
            + self.previous[0][to].get() * params::continuation_1_weight()
            + self.previous[1][to].get() * params::continuation_2_weight()
            + self.previous[2][to].get() * params::continuation_4_weight())
            / 64
    }
}

#[inline]
const fn pawn_index(position: &Position) -> usize {
    position.pawn_key() as usize % PAWN_SIZE
}

/// The captured role, from 1; 0 for none and for en passant.
#[inline]
fn captured(position: &Position, mv: Move) -> usize {
    position
        .piece_on(mv.to())
        .map_or(0, |piece| piece.role() as usize)
}

/// The history bonus of a cutoff at this depth.
pub fn bonus(depth: Depth) -> i32 {
    (params::history_bonus_base() + params::history_bonus() * depth)
        .clamp(0, params::history_bonus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_within_its_bound_and_forgets() {
        let mut entry = HistoryEntry::<1000>::default();
        for _ in 0..1000 {
            entry.update(400);
            assert!(entry.get() <= 1000);
        }
        let high = entry.get();
        assert!(high > 900);
        entry.update(-400);
        assert!(
            entry.get() < high - 400,
            "an unexpected result moves it further than an expected one"
        );
        entry.update(-1_000_000);
        assert!(entry.get() >= -1000);
    }

    #[test]
    fn the_bonus_grows_with_depth() {
        assert!((1..20).all(|depth| bonus(depth) <= bonus(depth + 1)));
    }
}
