//! Distances to mate for tables with few men: what Syzygy files do not tell.
//! Uses: chess, geometry, slice, solve, space. Used by: the workshop.
//! Idea: the same ply loop; only that captures and pawn moves are worth the distance to mate after them, not a new count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::geometry::{ALL, IMAGES, NONE};
use super::material::{MAX_MEN, Man};
use super::slice::{
    Known, NO_MOVE, Slice, best_class, bit, raise_class, squares_in, targets, with_value,
};
use super::solve::{DRAWING, search, solve_file};
use super::space::{Space, Squares};
use crate::chess::{Color, Move, Role, Square, attacks};
use crate::tablebase::Material;

/// The distance to mate of every placement of a material, without the fifty-move rule.
pub struct Mates {
    space: Space,
    /// `[file][slice][side to move][cell]`
    cells: Vec<Vec<[Vec<u16>; 2]>>,
}

/// Finds the distances of a smaller material; `None` for the bare kings.
type Find<'a> = &'a (dyn Fn(Material) -> Option<Arc<Mates>> + Sync);

/// The placement after a zeroing move: who is where.
struct After {
    men: [Option<Man>; MAX_MEN],
    squares: Squares,
}

impl Mates {
    /// Solves a material; `find` gives those that it leads to.
    #[must_use]
    pub fn solve(material: Material, find: Find) -> Self {
        let space = Space::new(material);
        let files = 0..space.files.len();
        let cells = files.map(|file| {
            let slices = solve_file(&space, file, &|slice, finished| seed(slice, finished, find));
            let plain = |cells: &[AtomicU16]| cells.iter().map(|cell| cell.load(Relaxed)).collect();
            slices
                .iter()
                .map(|slice| [plain(&slice.cells[0]), plain(&slice.cells[1])])
                .collect()
        });
        let cells = cells.collect();
        Self { space, cells }
    }

    /// What is known of a placement: squares by slots, side to move (0 the first of the name).
    fn known(&self, squares: &Squares, side: usize) -> Known {
        self.space.locate(squares).map_or(Known::Illegal, |place| {
            Known::of(self.cells[place.file][place.slice][side][place.cell])
        })
    }

    /// The same for men in any order and colouring.
    fn known_of(&self, men: &[(Man, u8)], side: usize, is_swapped: bool) -> Known {
        let mut squares = [0; MAX_MEN];
        let mut is_used = [false; MAX_MEN];
        let view = &IMAGES[if is_swapped { 2 } else { 0 }];
        for (slot, man) in self.space.men.iter().enumerate() {
            let wanted = if is_swapped { man.swapped() } else { *man };
            let found = (0..men.len()).find(|&at| !is_used[at] && men[at].0 == wanted);
            if let Some(at) = found {
                is_used[at] = true;
                squares[slot] = view[usize::from(men[at].1)];
            }
        }
        self.known(&squares, side ^ usize::from(is_swapped))
    }

    /// The longest win and loss of each side to move, in plies.
    #[must_use]
    pub fn longest(&self) -> [[u16; 2]; 2] {
        let mut longest = [[0; 2]; 2];
        for (side, cells) in self
            .cells
            .iter()
            .flatten()
            .flat_map(|slice| slice.iter().enumerate())
        {
            for &cell in cells {
                match Known::of(cell) {
                    Known::Win(plies) => longest[side][0] = longest[side][0].max(plies),
                    Known::Loss(plies) => longest[side][1] = longest[side][1].max(plies),
                    _ => {}
                }
            }
        }
        longest
    }
}

/// What these men are worth for the side to move (0 white).
#[must_use]
pub fn worth(men: &[(Man, u8)], side: usize, find: Find) -> Known {
    let kings = [Color::White, Color::Black].map(|color| {
        let king = men.iter().find(|(man, _)| {
            *man == Man {
                color,
                role: Role::King,
            }
        });
        king.map_or(0, |(_, square)| *square)
    });
    if ALL.find(kings[0], kings[1]).0 == NONE {
        return Known::Illegal;
    }
    let names: Vec<Man> = men.iter().map(|(man, _)| *man).collect();
    let (material, is_swapped) = Material::from_men(&names);
    find(material).map_or(Known::Open, |mates| mates.known_of(men, side, is_swapped))
}

/// The value for whoever moved, from what is known of the placement after the move; `None` if the move is illegal.
fn for_mover(after: Known) -> Option<Known> {
    match after {
        Known::Illegal => None,
        Known::Open | Known::Look => Some(Known::Open),
        Known::Win(plies) => Some(Known::Loss(plies + 1)),
        Known::Loss(plies) => Some(Known::Win(plies + 1)),
    }
}

/// How good a value is: faster wins and slower losses are better.
fn rank(known: Known) -> i32 {
    match known {
        Known::Win(plies) => 1000 - i32::from(plies),
        Known::Loss(plies) => i32::from(plies) - 1000,
        _ => 0,
    }
}

/// Gives each cell of a slice the worth of its captures and pawn moves, and searches it.
fn seed(slice: &Slice, finished: &[Option<Slice>], find: Find) {
    let cells = slice.space.cells();
    let make = || (0..cells).map(|_| AtomicU16::new(0)).collect::<Vec<_>>();
    let floors = [make(), make()];
    for (side, floors) in floors.iter().enumerate() {
        slice.for_each_cell(&|cell| {
            let here = &slice.cells[side][cell];
            if slice.known(side, cell) == Known::Illegal {
                return;
            }
            let mut best: Option<Known> = None;
            zeroing(slice, finished, find, side, cell, &mut |value| {
                if best.is_none_or(|best| rank(value) > rank(best)) {
                    best = Some(value);
                }
            });
            let value = match best {
                Some(Known::Win(plies)) => Known::Win(plies),
                Some(Known::Loss(plies)) => {
                    floors[cell].store(plies, Relaxed);
                    Known::Look
                }
                None if slice.is_mate(side, cell) => Known::Loss(0),
                _ => Known::Open,
            };
            if matches!(best, Some(Known::Win(_) | Known::Open)) {
                raise_class(here, DRAWING, true);
            }
            here.store(with_value(here.load(Relaxed), value), Relaxed);
        });
    }
    search(slice, &|side, cell, _| floors[side][cell].load(Relaxed));
}

/// Visits the value, for the mover, of each legal capture and pawn move in a cell.
fn zeroing(
    slice: &Slice,
    finished: &[Option<Slice>],
    find: Find,
    side: usize,
    cell: usize,
    visit: &mut impl FnMut(Known),
) {
    let space = slice.space;
    let squares = space.squares(slice.pawns, cell);
    let men = &space.men;
    let mut sets = [0; 2];
    for (man, &square) in men.iter().zip(&squares) {
        sets[usize::from(man.color == Color::Black)] |= bit(square);
    }
    let occupied = sets[0] | sets[1];
    let moved = |slot: usize, to: u8, captured: Option<usize>, visit: &mut dyn FnMut(Known)| {
        let mut after = After {
            men: [None; MAX_MEN],
            squares,
        };
        for (slot, man) in men.iter().enumerate() {
            after.men[slot] = Some(*man);
        }
        after.squares[slot] = to;
        if let Some(captured) = captured {
            after.men[captured] = None;
        }
        let promotes = men[slot].role == Role::Pawn && !(8..56).contains(&to);
        for role in Move::PROMOTIONS
            .into_iter()
            .take(if promotes { 4 } else { 1 })
        {
            if promotes {
                after.men[slot] = Some(Man {
                    color: men[slot].color,
                    role,
                });
            }
            let list: Vec<(Man, u8)> = after
                .men
                .iter()
                .zip(after.squares)
                .filter_map(|(man, square)| Some(((*man)?, square)))
                .collect();
            if let Some(value) = for_mover(worth(&list, 1 - side, find)) {
                visit(value);
            }
        }
    };
    for slot in 0..men.len() {
        let man = men[slot];
        if usize::from(man.color == Color::Black) != side {
            continue;
        }
        let from = squares[slot];
        let reach = if man.role == Role::Pawn {
            attacks::pawn_attacks(man.color, Square::new(u32::from(from))).0
        } else {
            targets(man.role, from, occupied)
        };
        for to in squares_in(reach & sets[1 - side]) {
            let captured = (2..men.len()).find(|&other| squares[other] == to);
            if captured.is_some() {
                moved(slot, to, captured, visit);
            }
        }
        if man.role != Role::Pawn {
            continue;
        }
        let (forward, home) = if side == 0 { (8, 1) } else { (-8, 6) };
        let to = from.wrapping_add_signed(forward);
        if occupied & bit(to) != 0 {
            continue;
        }
        if !(8..56).contains(&to) {
            moved(slot, to, None, visit);
            continue;
        }
        let far = to.wrapping_add_signed(forward);
        let is_double = from >> 3 == home && occupied & bit(far) == 0;
        for to in std::iter::once(to).chain(is_double.then_some(far)) {
            let mut pawns = slice.pawns.to_vec();
            pawns[slot - 2 - space.pieces] = to;
            let Some(after) = finished[space.slice_of(&pawns)].as_ref() else {
                continue;
            };
            let mut known = after.known(1 - side, cell);
            if to == far && known != Known::Illegal {
                known = with_taking(known, after, find, (side, cell, slot), from);
            }
            if let Some(value) = for_mover(known) {
                visit(value);
            }
        }
    }
}

/// What is known of a cell after a double step from `from`, taking in passing included.
fn with_taking(
    known: Known,
    after: &Slice,
    find: Find,
    (side, cell, slot): (usize, usize, usize),
    from: u8,
) -> Known {
    let space = after.space;
    let squares = space.squares(after.pawns, cell);
    let far = squares[slot];
    let passed = u8::midpoint(from, far);
    let beside = attacks::king_attacks(Square::new(u32::from(far))).0 & 0xff << (far & 0b11_1000);
    let takers = (2 + space.pieces..space.men.len()).filter(|&taker| {
        space.men[taker].color != space.men[slot].color && beside & bit(squares[taker]) != 0
    });
    let best = takers
        .filter_map(|taker| {
            let men = space.men.iter().zip(squares).enumerate();
            let men = men
                .filter(|&(other, _)| other != slot)
                .map(|(other, (man, square))| (*man, if other == taker { passed } else { square }));
            for_mover(worth(&men.collect::<Vec<_>>(), side, find))
        })
        .max_by_key(|&value| rank(value));
    let Some(best) = best else {
        return known;
    };
    // Where nothing else can be moved, there is no stalemate to rest on, and a mate is none.
    let is_forced = best_class(after.cells[1 - side][cell].load(Relaxed)) == NO_MOVE
        && matches!(known, Known::Open | Known::Loss(0))
        && after.walk(1 - side, cell, |next| {
            after.known(side, next) == Known::Illegal
        });
    if is_forced || rank(best) > rank(known) {
        best
    } else {
        known
    }
}
