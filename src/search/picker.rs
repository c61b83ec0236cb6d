//! The move picker: TT move, good captures, killers, quiet moves, bad captures.
//!
//! Each stage generates and scores its moves only when it is reached, since most nodes need few moves.

use arrayvec::ArrayVec;

use crate::chess::{Bitboard, Exchanges, GenType, Move, MoveList, Position};

use super::exchanges::{SearchExchanges, noisy_score};
use super::history::{Context, Histories};
use super::params;
use super::quiet_order::{QuietSink, Scored, ScoredMoves};

/// Killer moves of each ply.
pub const KILLERS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateChecks,
    Check,
    Done,
}

pub struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; KILLERS],
    quiets: bool,
    /// Noisy moves, the bad ones moved to the front as they are found, then quiet moves.
    moves: ScoredMoves,
    next: usize,
    /// Whether the best remaining move is at `next` already.
    looked_ahead: bool,
    bad_end: usize,
    pub exchanges: SearchExchanges,
    /// Whether quiet checks that lose nothing follow the noisy moves; only without `quiets`.
    checks: bool,
}

impl Picker {
    /// All legal moves. The TT move and the killers may be illegal. `threats`: the squares that the opponent attacks, if they
    /// are known, which makes exchanges faster.
    pub fn all(
        position: &Position,
        threats: Option<Bitboard>,
        tt_move: Option<Move>,
        killers: [Option<Move>; KILLERS],
    ) -> Self {
        let killers = if params::killers() {
            killers
        } else {
            [None; KILLERS]
        };
        Self::new(position, threats, tt_move, killers, true)
    }

    /// Captures and promotions, then quiet checks, without those that lose material by SEE.
    pub fn noisy_and_checks(
        position: &Position,
        threats: Option<Bitboard>,
        tt_move: Option<Move>,
    ) -> Self {
        Self {
            checks: true,
            ..Self::noisy(position, threats, tt_move)
        }
    }

    /// Captures and promotions that lose nothing by SEE.
    pub fn noisy(position: &Position, threats: Option<Bitboard>, tt_move: Option<Move>) -> Self {
        Self::new(
            position,
            threats,
            tt_move.filter(|mv| mv.is_noisy()),
            [None; KILLERS],
            false,
        )
    }

    fn new(
        position: &Position,
        threats: Option<Bitboard>,
        tt_move: Option<Move>,
        killers: [Option<Move>; KILLERS],
        quiets: bool,
    ) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move: tt_move.filter(|&mv| position.is_legal(mv)),
            killers,
            quiets,
            moves: ArrayVec::new_const(),
            next: 0,
            looked_ahead: false,
            bad_end: 0,
            exchanges: Exchanges::new(threats),
            checks: false,
        }
    }

    /// The next move. With `skip_quiets` the remaining quiet moves are skipped.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
        skip_quiets: bool,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(Scored { mv, score }) = self.take_best() {
                        let (checks_see, margin) = if self.quiets {
                            let margin = if params::good_capture_history() == 0 {
                                0
                            } else {
                                let history = histories.noisy(position, mv);
                                -(history * params::good_capture_history() / 1024).clamp(-120, 120)
                            };
                            (params::bad_captures_last(), margin)
                        } else {
                            let margin = params::quiescence_exchange_margin();
                            (params::quiescence_exchange(), margin)
                        };
                        if !checks_see || self.exchanges.see_ge(position, mv, margin) {
                            return Some(mv);
                        }
                        // Bad captures come last; the slot is free by now.
                        self.moves[self.bad_end] = Scored { mv, score };
                        self.bad_end += 1;
                    }
                    self.stage = if self.quiets {
                        Stage::FirstKiller
                    } else if self.checks {
                        Stage::GenerateChecks
                    } else {
                        Stage::Done
                    };
                }
                Stage::FirstKiller | Stage::SecondKiller => {
                    let slot = usize::from(self.stage == Stage::SecondKiller);
                    self.stage = if slot == 0 {
                        Stage::SecondKiller
                    } else {
                        Stage::GenerateQuiet
                    };
                    // An unusable killer is dropped, so that the quiet stage does not skip it.
                    let usable = |mv: &Move| !mv.is_noisy() && position.is_legal(*mv);
                    self.killers[slot] = self.killers[slot]
                        .filter(usable)
                        .filter(|_| self.killers[slot] != self.tt_move);
                    if self.killers[slot].is_some() && !skip_quiets {
                        return self.killers[slot];
                    }
                }
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    if !skip_quiets {
                        self.generate_quiets(position, histories, context);
                    }
                }
                Stage::Quiet => {
                    if !skip_quiets && let Some(scored) = self.take_best() {
                        return Some(scored.mv);
                    }
                    self.stage = Stage::BadNoisy;
                    self.next = 0;
                }
                Stage::GenerateChecks => {
                    self.generate_checks(position);
                    self.stage = Stage::Check;
                }
                Stage::Check => match self.take_best() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::BadNoisy => {
                    // In the order in which they were found, which is by score.
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(self.moves[self.next - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Whether the last move was a capture that loses material.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    // Each a function of its own: inlined, they would load the rows of the histories at every call of `next`.

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.generate(GenType::Noisy, &mut list);
        self.add(&list, |mv| {
            let history = histories.noisy(position, mv) * params::capture_history_weight() / 64;
            Some(4 * noisy_score(position, mv) + history)
        });
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        self.next = self.moves.len();
        let [first, second] = self.killers;
        let done = [self.tt_move, first, second];
        let quiets = histories.quiets(context, position);
        let mut sink = QuietSink::new(position, quiets, &self.exchanges, done, &mut self.moves);
        position.generate_into(GenType::Quiet, &mut sink);
    }

    /// Quiet moves that give check and lose nothing by SEE.
    #[inline(never)]
    fn generate_checks(&mut self, position: &Position) {
        let checks = position.checks();
        let exchanges = std::mem::take(&mut self.exchanges);
        let mut list = MoveList::new();
        position.generate_check_candidates(&checks, &mut list);
        self.add(&list, |mv| {
            let safe = checks.gives_check(position, mv) && exchanges.see_ge(position, mv, 0);
            safe.then_some(0)
        });
        self.exchanges = exchanges;
    }

    /// Adds the moves that `score_of` gives a score, except the TT move.
    #[inline(always)]
    fn add(&mut self, list: &[Move], score_of: impl Fn(Move) -> Option<i32>) {
        self.next = self.moves.len();
        for &mv in list {
            if Some(mv) != self.tt_move
                && let Some(score) = score_of(mv)
            {
                self.moves.push(Scored { mv, score });
            }
        }
    }

    /// The move that `next` will return, without taking it; `None` at the end of a stage. For prefetching its TT entry.
    #[inline]
    pub fn look_ahead(&mut self) -> Option<Move> {
        if !matches!(self.stage, Stage::GoodNoisy | Stage::Quiet) {
            return None;
        }
        self.select_best();
        self.looked_ahead = true;
        self.moves.get(self.next).map(|scored| scored.mv)
    }

    /// Takes the best remaining move.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        if !std::mem::take(&mut self.looked_ahead) {
            self.select_best();
        }
        let best = self.moves.get(self.next).copied()?;
        self.next += 1;
        Some(best)
    }

    /// Swaps the best remaining move to `next`. Selection beats sorting, since few moves are taken.
    #[inline]
    fn select_best(&mut self) {
        let rest = &mut self.moves[self.next..];
        let Some(first) = rest.first() else {
            return;
        };
        let (mut best, mut highest) = (0, first.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > highest {
                (best, highest) = (index, scored.score);
            }
        }
        rest.swap(0, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_is_picked_once() {
        let histories = Histories::new();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1P1k4/8/2pP4/8/8/4K3/8 w - c6 0 2",
            "4k3/8/8/8/7b/8/8/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let context = Context {
                color: position.turn(),
                threats: Bitboard::EMPTY,
                previous: Default::default(),
            };
            let legal = position.legal_moves();
            let killers = [
                legal.iter().find(|mv| !mv.is_noisy()).copied(),
                Move::from_bits(0x0fff),
            ];
            for tt_move in legal
                .iter()
                .copied()
                .map(Some)
                .chain([None, Move::from_bits(0x4fff)])
            {
                let mut picker = Picker::all(&position, None, tt_move, killers);
                let mut picked = Vec::new();
                while let Some(mv) = picker.next(&position, &histories, &context, false) {
                    assert!(!picked.contains(&mv), "{mv:?} twice");
                    picked.push(mv);
                }
                assert_eq!(picked.len(), legal.len());
                if tt_move.is_some_and(|mv| legal.contains(&mv)) {
                    assert_eq!(Some(picked[0]), tt_move);
                }
            }
            let mut picker = Picker::noisy_and_checks(&position, None, None);
            let mut checks = 0;
            while let Some(mv) = picker.next(&position, &histories, &context, false) {
                assert!(position.see_ge(mv, 0) && (mv.is_noisy() || position.gives_check(mv)));
                checks += u32::from(!mv.is_noisy());
            }
            let quiet = legal.iter().filter(|mv| !mv.is_noisy());
            let safe = quiet.filter(|&&mv| position.gives_check(mv) && position.see_ge(mv, 0));
            assert_eq!(checks as usize, safe.count());
            let mut picker = Picker::noisy(&position, None, None);
            let mut noisy = 0;
            while let Some(mv) = picker.next(&position, &histories, &context, true) {
                assert!(mv.is_noisy() && position.see_ge(mv, 0));
                noisy += 1;
            }
            assert!(noisy <= legal.iter().filter(|mv| mv.is_noisy()).count());
        }
    }
}
