//! Static exchange evaluation, as a threshold test.
//! Uses: board, moves. Used by: search.
//! Idea: each side in turn takes back with its least valuable man; whoever would lose by going on stops. Only whether
//! the result reaches a threshold is asked, so most questions end after one or two captures.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::board::Position;
use super::masks::rays;
use super::moves::{Move, MoveKind};

/// What a man counts in an exchange, in centipawns. The king counts nothing: it takes only where nothing takes back.
#[inline]
#[must_use]
pub const fn exchange_value(role: Role) -> i32 {
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
    VALUES[role as usize - 1]
}

impl Position {
    /// Whether the exchange that a legal move begins on its target square wins at least `threshold` centipawns for the
    /// mover. Men pinned to their king join only along the line of the pin; promotions while taking back are left out.
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
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
            .map_or(0, |victim| exchange_value(victim.role()));
        let mut at_risk = exchange_value(piece.role());
        if let Some(role) = mv.promotion() {
            at_risk = exchange_value(role);
            gain += at_risk - exchange_value(Role::Pawn);
        } else if mv.kind() == MoveKind::EnPassant {
            gain = exchange_value(Role::Pawn);
            occupied.discard(to.xor(Square::A2));
        }
        // `balance`: what the side that has just taken is above the threshold, seen from that side.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }
        let free = !self.held_back(to);
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
            balance = -balance - 1 - exchange_value(role);
            if balance >= 0 {
                // A king may not take what is still defended.
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

    /// The men of both sides that a pin keeps away from a square.
    fn held_back(&self, target: Square) -> Bitboard {
        let mut held = Bitboard::EMPTY;
        for color in Color::ALL {
            let pinned = if color == self.turn {
                self.pinned
            } else {
                self.shields(color)
            };
            if pinned.any() {
                let king = self.king(color);
                for man in pinned {
                    if !attacks::ray(king, man).contains(target) {
                        held.add(man);
                    }
                }
            }
        }
        held
    }

    /// The men of a colour that alone stand between its king and an enemy slider.
    fn shields(&self, color: Color) -> Bitboard {
        self.lone_blockers(color) & self.by_color(color)
    }

    /// The men of either colour that alone stand between a king and an enemy slider.
    pub(super) fn lone_blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let occupied = self.occupied();
        let rays = rays(king);
        let snipers = rays.orthogonal & self.orthogonal() | rays.diagonal & self.diagonal();
        (snipers & self.by_color(!color))
            .into_iter()
            .map(|sniper| attacks::between(king, sniper) & occupied)
            .filter(|shield| !shield.more_than_one())
            .fold(Bitboard::EMPTY, |all, shield| all | shield)
    }
}
