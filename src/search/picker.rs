//! Moves one at a time, the most promising first.
//! Uses: chess, history. Used by: negamax, quiescence.
//! Idea: most nodes need few moves, so each stage generates and scores only when the one before gave no cutoff:
//! the table's move, good captures, killers, quiet moves, bad captures.

use arrayvec::ArrayVec;

use crate::chess::{Checks, GenType, Move, MoveList, Position, Role, Square, exchange_value};

use super::history::{Context, Histories};
use super::params;

/// Slots for moves that refuted a sibling.
pub const KILLERS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TableMove,
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

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// The moves of one node, in order.
pub struct Picker {
    step: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; KILLERS],
    quiets: bool,
    /// Noisy moves first (the bad ones moved to the front as they are found), quiet moves after them.
    moves: ArrayVec<Scored, 256>,
    next: usize,
    /// Whether the best of the rest stands first already.
    looked_ahead: bool,
    bad_end: usize,
    /// Whether quiet moves that give check and lose nothing come after the noisy ones, where no other quiet moves do.
    checks: bool,
}

impl Picker {
    /// All legal moves. The table's move and the killers are checked for legality here.
    pub fn all(
        position: &Position,
        tt_move: Option<Move>,
        killers: [Option<Move>; KILLERS],
    ) -> Self {
        let killers = if params::killers() {
            killers
        } else {
            [None; KILLERS]
        };
        Self::new(position, tt_move, killers, true)
    }

    /// Captures and promotions, then quiet moves that give check and lose nothing by the exchange.
    pub fn noisy_and_checks(position: &Position, tt_move: Option<Move>) -> Self {
        Self {
            checks: true,
            ..Self::noisy(position, tt_move)
        }
    }

    /// Captures and promotions only.
    pub fn noisy(position: &Position, tt_move: Option<Move>) -> Self {
        Self::new(
            position,
            tt_move.filter(|mv| mv.is_noisy()),
            [None; KILLERS],
            false,
        )
    }

    fn new(
        position: &Position,
        tt_move: Option<Move>,
        killers: [Option<Move>; KILLERS],
        quiets: bool,
    ) -> Self {
        Self {
            step: Stage::TableMove,
            tt_move: tt_move.filter(|&mv| position.is_legal(mv)),
            killers,
            quiets,
            moves: ArrayVec::new_const(),
            next: 0,
            looked_ahead: false,
            bad_end: 0,
            checks: false,
        }
    }

    /// The next move. Quiet moves not yet given are left out once `skip_quiets` is true.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
        skip_quiets: bool,
    ) -> Option<Move> {
        loop {
            match self.step {
                Stage::TableMove => {
                    self.step = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(position, GenType::Noisy, |mv| {
                        Some(4 * noisy_score(position, mv) + histories.noisy(position, mv))
                    });
                    self.step = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(Scored { mv, score }) = self.take_best() {
                        let weighed = if self.quiets {
                            params::bad_captures_last()
                        } else {
                            params::quiescence_exchange()
                        };
                        if !weighed || position.see_ge(mv, 0) {
                            return Some(mv);
                        }
                        // What it loses is looked at last; its place is free by now.
                        self.moves[self.bad_end] = Scored { mv, score };
                        self.bad_end += 1;
                    }
                    self.step = if self.quiets {
                        Stage::FirstKiller
                    } else if self.checks {
                        Stage::GenerateChecks
                    } else {
                        Stage::Done
                    };
                }
                Stage::FirstKiller | Stage::SecondKiller => {
                    let slot = usize::from(self.step == Stage::SecondKiller);
                    self.step = if slot == 0 {
                        Stage::SecondKiller
                    } else {
                        Stage::GenerateQuiet
                    };
                    // An illegal one is forgotten, so that the quiet stage need not compare with it.
                    let usable = |mv: &Move| !mv.is_noisy() && position.is_legal(*mv);
                    self.killers[slot] = self.killers[slot]
                        .filter(usable)
                        .filter(|_| self.killers[slot] != self.tt_move);
                    if self.killers[slot].is_some() && !skip_quiets {
                        return self.killers[slot];
                    }
                }
                Stage::GenerateQuiet => {
                    self.step = Stage::Quiet;
                    if !skip_quiets {
                        let quiets = histories.quiets(context, position);
                        let checks = position.checks();
                        self.generate(position, GenType::Quiet, |mv| {
                            Some(quiets.score(mv) + check_score(position, &checks, mv))
                        });
                    }
                }
                Stage::Quiet => {
                    if !skip_quiets && let Some(scored) = self.take_best() {
                        return Some(scored.mv);
                    }
                    self.step = Stage::BadNoisy;
                    self.next = 0;
                }
                Stage::GenerateChecks => {
                    let checks = position.checks();
                    self.generate(position, GenType::Quiet, |mv| {
                        let safe = checks.gives_check(position, mv) && position.see_ge(mv, 0);
                        safe.then_some(0)
                    });
                    self.step = Stage::Check;
                }
                Stage::Check => match self.take_best() {
                    Some(scored) => return Some(scored.mv),
                    None => self.step = Stage::Done,
                },
                Stage::BadNoisy => {
                    // In the order in which they were set aside: by value.
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(self.moves[self.next - 1].mv);
                    }
                    self.step = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Adds the moves of a stage that are not given yet and that `rate` gives a score.
    fn generate(
        &mut self,
        position: &Position,
        stage: GenType,
        rate: impl Fn(Move) -> Option<i32>,
    ) {
        let mut list = MoveList::new();
        position.generate(stage, &mut list);
        self.next = self.moves.len();
        for &mv in &list {
            let given = Some(mv) == self.tt_move
                || (stage == GenType::Quiet && self.killers.contains(&Some(mv)));
            if !given && let Some(score) = rate(mv) {
                self.moves.push(Scored { mv, score });
            }
        }
    }

    /// The move that will be asked for next, as far as one can tell without generating more.
    #[inline]
    pub fn look_ahead(&mut self) -> Option<Move> {
        if !matches!(self.step, Stage::GoodNoisy | Stage::Quiet) {
            return None;
        }
        self.bring_best();
        self.looked_ahead = true;
        self.moves.get(self.next).map(|scored| scored.mv)
    }

    /// The best move not yet given.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        if !std::mem::take(&mut self.looked_ahead) {
            self.bring_best();
        }
        let best = self.moves.get(self.next).copied()?;
        self.next += 1;
        Some(best)
    }

    /// Puts the best of the rest first. Finding it anew each time beats sorting, since few are asked for.
    #[inline]
    fn bring_best(&mut self) {
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

/// What a quiet move gains in order by a check, if it loses little by it: late, it would be left out unseen.
#[inline]
fn check_score(position: &Position, checks: &Checks, mv: Move) -> i32 {
    let early =
        checks.gives_check(position, mv) && position.see_ge(mv, -params::quiet_check_loss());
    if early {
        params::quiet_check_bonus()
    } else {
        0
    }
}

/// The most valuable victim first, taken by the least valuable man.
fn noisy_score(position: &Position, mv: Move) -> i32 {
    16 * gained(position, mv) - value_on(position, mv.from())
}

/// What a move gains at once, in centipawns: the man taken (nothing for one taken in passing) and the promotion.
pub fn gained(position: &Position, mv: Move) -> i32 {
    let promotion = mv
        .promotion()
        .map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    value_on(position, mv.to()) + promotion
}

fn value_on(position: &Position, square: Square) -> i32 {
    position
        .piece_on(square)
        .map_or(0, |piece| exchange_value(piece.role()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Bitboard;

    #[test]
    fn every_legal_move_comes_once_and_captures_come_in_order() {
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
                before: Default::default(),
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
                let mut picker = Picker::all(&position, tt_move, killers);
                let mut given = Vec::new();
                while let Some(mv) = picker.next(&position, &histories, &context, false) {
                    assert!(!given.contains(&mv), "{mv:?} twice");
                    given.push(mv);
                }
                assert_eq!(given.len(), legal.len());
                if tt_move.is_some_and(|mv| legal.contains(&mv)) {
                    assert_eq!(Some(given[0]), tt_move);
                }
            }
            let mut picker = Picker::noisy_and_checks(&position, None);
            let mut checks = 0;
            while let Some(mv) = picker.next(&position, &histories, &context, false) {
                assert!(position.see_ge(mv, 0) && (mv.is_noisy() || position.gives_check(mv)));
                checks += u32::from(!mv.is_noisy());
            }
            let quiet = legal.iter().filter(|mv| !mv.is_noisy());
            let safe = quiet.filter(|&&mv| position.gives_check(mv) && position.see_ge(mv, 0));
            assert_eq!(checks as usize, safe.count());
            let mut picker = Picker::noisy(&position, None);
            let mut noisy = 0;
            while let Some(mv) = picker.next(&position, &histories, &context, true) {
                assert!(mv.is_noisy() && position.see_ge(mv, 0));
                noisy += 1;
            }
            assert!(noisy <= legal.iter().filter(|mv| mv.is_noisy()).count());
        }
    }
}
