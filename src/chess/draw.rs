//! Repetitions, found by the keys of earlier positions. An upcoming repetition, one reversible move away, is found by
//! the key difference of that move in a cuckoo table (Marcel van Kervinck).

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::board::Position;
use super::key;
use super::piece::Piece;

/// Whether a position is drawn by repetition `ply` plies into a search: it occurred once since the root, or twice before.
/// `earlier` holds the keys of all positions before it, newest last; `reversible` is the number of plies since the last
/// capture, pawn move or null move.
#[must_use]
pub fn is_repetition(earlier: &[u64], key: u64, reversible: usize, ply: usize) -> bool {
    let mut occurred = false;
    for distance in (4..=reversible.min(earlier.len())).step_by(2) {
        if earlier[earlier.len() - distance] == key {
            if occurred || distance < ply {
                return true;
            }
            occurred = true;
        }
    }
    false
}

/// Whether the side to move has a move to a repetition as [`is_repetition`] counts it.
#[must_use]
pub fn has_upcoming_repetition(
    position: &Position,
    earlier: &[u64],
    reversible: usize,
    ply: usize,
) -> bool {
    let limit = reversible.min(earlier.len());
    if limit < 3 {
        return false;
    }
    let back = |distance: usize| earlier[earlier.len() - distance];
    // What the opponent's moves have changed since; 0 where one move of the side to move restores the position.
    let mut other = position.key() ^ back(1) ^ key::of_turn();
    for distance in (3..=limit).step_by(2) {
        other ^= back(distance - 1) ^ back(distance) ^ key::of_turn();
        if other != 0 {
            continue;
        }
        let Some((from, to)) = CUCKOO.find(position.key() ^ back(distance)) else {
            continue;
        };
        if (attacks::between(from, to) & position.occupied()).any() {
            continue;
        }
        // The piece is on either square: it must belong to the side to move.
        let mover = position.by_color(position.turn());
        if !mover.contains(from) && !mover.contains(to) {
            continue;
        }
        // A position of the game before the search must have occurred twice already.
        if distance < ply
            || (distance + 4..=limit)
                .step_by(2)
                .any(|older| back(older) == back(distance))
        {
            return true;
        }
    }
    false
}

/// The reversible moves of all pieces on an empty board, by the key difference they make.
struct Cuckoo {
    entries: Box<[(u64, Square, Square)]>,
}

const CUCKOO_SIZE: usize = 8192;

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::build);

impl Cuckoo {
    fn build() -> Self {
        let mut cuckoo = Self {
            entries: vec![(0, Square::A1, Square::A1); CUCKOO_SIZE].into_boxed_slice(),
        };
        for piece in Piece::ALL
            .into_iter()
            .filter(|piece| piece.role() != Role::Pawn)
        {
            for from in Square::ALL {
                let shakmaty_piece = shakmaty::Piece {
                    color: Color::White,
                    role: piece.role(),
                };
                for to in attacks::attacks(from, shakmaty_piece, Bitboard::EMPTY) {
                    if from < to {
                        let key =
                            key::of_piece(piece, from) ^ key::of_piece(piece, to) ^ key::of_turn();
                        cuckoo.insert((key, from, to));
                    }
                }
            }
        }
        cuckoo
    }

    /// Puts an entry into one of its two slots; an entry that was there moves to its other slot.
    fn insert(&mut self, mut entry: (u64, Square, Square)) {
        let mut slot = Self::first(entry.0);
        while entry.0 != 0 {
            std::mem::swap(&mut self.entries[slot], &mut entry);
            slot = if slot == Self::first(entry.0) {
                Self::second(entry.0)
            } else {
                Self::first(entry.0)
            };
        }
    }

    fn find(&self, key: u64) -> Option<(Square, Square)> {
        [Self::first(key), Self::second(key)]
            .into_iter()
            .find_map(|slot| {
                let (stored, from, to) = self.entries[slot];
                (stored == key).then_some((from, to))
            })
    }

    const fn first(key: u64) -> usize {
        key as usize & (CUCKOO_SIZE - 1)
    }

    const fn second(key: u64) -> usize {
        (key >> 16) as usize & (CUCKOO_SIZE - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_all_reversible_moves() {
        let filled = CUCKOO.entries.iter().filter(|entry| entry.0 != 0).count();
        assert_eq!(filled, 3668);
    }
}
