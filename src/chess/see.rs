//! Static exchange evaluation (SEE) as a threshold test: both sides capture on one square with their least valuable piece
//! and stop when going on would lose.

use std::cell::Cell;
use std::marker::PhantomData;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::board::Position;
use super::masks::rays;
use super::moves::{Move, MoveKind};

/// The value of a role in an exchange, in centipawns. The king has none: it captures only what is not defended.
#[inline]
#[must_use]
pub const fn exchange_value(role: Role) -> i32 {
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
    VALUES[role as usize - 1]
}

/// The values of the pieces in exchanges.
pub trait ExchangeValues {
    /// The value of a role in centipawns; 0 for the king.
    fn value(role: Role) -> i32;
}

/// The values of [`exchange_value`].
#[derive(Debug, Default)]
pub struct RoundValues;

impl ExchangeValues for RoundValues {
    #[inline]
    fn value(role: Role) -> i32 {
        exchange_value(role)
    }
}

/// What all exchanges of one position share.
#[derive(Debug, Default)]
pub struct Exchanges<V = RoundValues> {
    /// The squares that the side not to move attacks, if they are known.
    threats: Option<Bitboard>,
    /// The pinned pieces of that side, computed for the first exchange that needs them.
    pinned: Cell<Option<Bitboard>>,
    values: PhantomData<V>,
}

impl<V: ExchangeValues> Exchanges<V> {
    /// The exchanges of a position in which the side not to move attacks `threats`, if that is known.
    #[must_use]
    pub const fn new(threats: Option<Bitboard>) -> Self {
        Self {
            threats,
            pinned: Cell::new(None),
            values: PhantomData,
        }
    }

    /// The same as [`Position::see_ge`] with these values; the position must always be the same.
    #[must_use]
    pub fn see_ge(&self, position: &Position, mv: Move, threshold: i32) -> bool {
        position.exchange::<V>(mv, threshold, self.threats, || {
            let found = self.pinned.get();
            debug_assert!(found.is_none_or(|found| found == position.pinned_enemies()));
            found.unwrap_or_else(|| {
                let pinned = position.pinned_enemies();
                self.pinned.set(Some(pinned));
                pinned
            })
        })
    }
}

impl Position {
    /// Whether the exchange that a legal move starts on its target square gains at least `threshold` centipawns. Pinned
    /// pieces capture only along the line of the pin; promotions in recaptures are ignored.
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.exchange::<RoundValues>(mv, threshold, None, || self.pinned_enemies())
    }

    #[inline]
    fn exchange<V: ExchangeValues>(
        &self,
        mv: Move,
        threshold: i32,
        threats: Option<Bitboard>,
        pinned_enemies: impl FnOnce() -> Bitboard,
    ) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to, us) = (mv.from(), mv.to(), self.turn);
        let Some(piece) = self.piece_on(from) else {
            return threshold <= 0;
        };
        let mut occupied = self.occupied().without(from).with(to);
        let mut gain = self
            .piece_on(to)
            .map_or(0, |victim| V::value(victim.role()));
        let mut at_risk = V::value(piece.role());
        if let Some(role) = mv.promotion() {
            at_risk = V::value(role);
            gain += at_risk - V::value(Role::Pawn);
        } else if mv.kind() == MoveKind::EnPassant {
            gain = V::value(Role::Pawn);
            occupied.discard(to.xor(Square::A2));
        }
        // The gain over the threshold, from the point of view of the side that captured last.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }
        // Neither attacked now nor by a slider behind the origin: nothing recaptures. En passant opens a second square.
        if threats.is_some_and(|threats| !threats.contains(from) && !threats.contains(to))
            && mv.kind() != MoveKind::EnPassant
        {
            return true;
        }
        let free = !self.pinned_off(to, pinned_enemies());
        let mut attackers = self.attackers_to(to, occupied) & occupied & free;
        let mut side = !us;
        loop {
            let own = attackers & self.by_color(side);
            let Some(role) = Role::ALL
                .into_iter()
                .find(|&role| (own & self.by_role(role)).any())
            else {
                break;
            };
            side = !side;
            balance = -balance - 1 - V::value(role);
            if balance >= 0 {
                // The king cannot capture a defended piece.
                if role == Role::King && (attackers & self.by_color(side)).any() {
                    side = !side;
                }
                break;
            }
            occupied ^= Bitboard::from_square((own & self.by_role(role)).first().unwrap_or(to));
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & self.diagonal() & free;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & self.orthogonal() & free;
            }
            attackers &= occupied;
        }
        side != us
    }

    /// The pinned pieces of the side that is not to move.
    fn pinned_enemies(&self) -> Bitboard {
        self.slider_blockers(!self.turn) & self.by_color(!self.turn)
    }

    /// The pieces of both sides that a pin keeps from moving to `target`.
    fn pinned_off(&self, target: Square, pinned_enemies: Bitboard) -> Bitboard {
        let mut pieces = Bitboard::EMPTY;
        for (color, pinned) in [(self.turn, self.pinned), (!self.turn, pinned_enemies)] {
            if pinned.any() {
                let king = self.king(color);
                for square in pinned {
                    if !attacks::ray(king, square).contains(target) {
                        pieces.add(square);
                    }
                }
            }
        }
        pieces
    }

    /// The pieces of both colours that alone stand between a colour's king and an enemy slider.
    pub(crate) fn slider_blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let occupied = self.occupied();
        let rays = rays(king);
        let snipers = rays.orthogonal & self.orthogonal() | rays.diagonal & self.diagonal();
        (snipers & self.by_color(!color))
            .into_iter()
            .map(|sniper| attacks::between(king, sniper) & occupied)
            .filter(|blockers| !blockers.more_than_one())
            .fold(Bitboard::EMPTY, |all, blockers| all | blockers)
    }
}
