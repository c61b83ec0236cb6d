//! Distances to mate (DTM) of positions with up to four pieces: Syzygy tables store only the distance to zeroing.
//! The same retrograde analysis as for WDL and DTZ, but a conversion has the distance to mate after it. Tables are solved
//! on demand and kept in memory. The fifty-move rule is ignored.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use super::conversions::{Conversions, SolvedTable};
use super::geometry::{FLIP_RANKS, IMAGES};
use super::init::SliceInit;
use super::material::{MAX_PIECES, swapped};
use super::pawn_slice::{NO_MOVE, PawnSlice, Status, raise_class, with_status};
use super::retrograde::{self, DRAW_CLASS, solve_file};
use super::solver_index::{CellIndex, SolverIndex};
use crate::base::sync::Mutex;
use crate::chess::{Color, Move, Position};
use crate::tablebase::Material;

/// The most pieces of a position whose DTM is solved.
pub const MAX_DTM_PIECES: usize = 4;

/// The score of a mate in 0 plies for the side to move, which no position has.
const WIN: u16 = 1023;
/// The score of the side to move when it is mated.
const MATED: u16 = 1;

/// The DTM of all placements of a material.
struct DtmTable {
    index: SolverIndex,
    /// `[file][slice][side to move][cell]`
    cells: Vec<Vec<[Vec<u16>; 2]>>,
}

/// Scores are [`WIN`] less the plies to mate, or [`MATED`] plus the plies until mated.
impl SolvedTable for DtmTable {
    const DRAW: u16 = 512;

    fn index(&self) -> &SolverIndex {
        &self.index
    }

    fn score(&self, cell: CellIndex, side: usize) -> u16 {
        Self::score_of(self.status(cell, side))
    }

    fn score_of(status: Status) -> u16 {
        match status {
            Status::Illegal => NO_MOVE,
            Status::Loss(plies) => MATED + plies,
            Status::Unknown | Status::Recheck => Self::DRAW,
            Status::Win(plies) => WIN - plies,
        }
    }

    fn score_of_move(after: u16) -> u16 {
        match after {
            NO_MOVE | Self::DRAW => after,
            loss if loss < Self::DRAW => WIN - (loss - MATED + 1),
            win => MATED + (WIN - win + 1),
        }
    }
}

impl DtmTable {
    /// Solves a material; `find` returns the tables of its conversions.
    fn solve(material: Material, find: impl FnMut(Material) -> Arc<Self>) -> Self {
        let index = SolverIndex::new(material);
        let conversions = Conversions::new(&index, find);
        let files = 0..index.files.len();
        let cells = files.map(|file| {
            let slices = solve_file(&index, file, &|slice, solved| {
                solve_slice(slice, solved, &conversions);
            });
            let plain = |cells: &[AtomicU16]| cells.iter().map(|cell| cell.load(Relaxed)).collect();
            slices
                .iter()
                .map(|slice| [plain(&slice.cells[0]), plain(&slice.cells[1])])
                .collect()
        });
        let cells = cells.collect();
        Self { index, cells }
    }

    fn status(&self, cell: CellIndex, side: usize) -> Status {
        Status::of(self.cells[cell.file][cell.slice][side][cell.cell])
    }

    /// The status of a position with the pieces of this table, with either side as white.
    fn status_of(&self, position: &Position) -> Status {
        let is_swapped = Material::of(position) != self.index.material;
        let image = &IMAGES[usize::from(if is_swapped { FLIP_RANKS } else { 0 })];
        let mut occupied = position.occupied();
        let mut squares = [0; MAX_PIECES];
        for (square, &piece) in squares.iter_mut().zip(&self.index.pieces) {
            let piece = if is_swapped { swapped(piece) } else { piece };
            let left = position.pieces(piece.color(), piece.role()) & occupied;
            if let Some(found) = left.into_iter().next() {
                occupied.discard(found);
                *square = image[u32::from(found) as usize];
            }
        }
        let side = usize::from(position.turn() == Color::Black) ^ usize::from(is_swapped);
        let cell = self.index.locate(&squares);
        cell.map_or(Status::Illegal, |cell| self.status(cell, side))
    }
}

fn solve_slice(
    slice: &PawnSlice,
    solved: &[Option<PawnSlice>],
    conversions: &Conversions<DtmTable>,
) {
    let cells = slice.index.cells();
    let make = || {
        (0..cells)
            .map(|_| AtomicU16::new(NO_MOVE))
            .collect::<Vec<_>>()
    };
    // The best conversion of each cell.
    let scores = [make(), make()];
    let init = SliceInit {
        slice,
        conversions,
        solved,
        raise: |side: usize, cell: usize, score, _| {
            scores[side][cell].fetch_max(score, Relaxed);
        },
    };
    init.run();
    for (side, scores) in scores.iter().enumerate() {
        slice.for_each_cell(&|cell| {
            if slice.status(side, cell) == Status::Illegal {
                return;
            }
            let status = match scores[cell].load(Relaxed) {
                NO_MOVE if slice.is_mate(side, cell) => Status::Loss(0),
                NO_MOVE | DtmTable::DRAW => Status::Unknown,
                loss if loss < DtmTable::DRAW => Status::Recheck,
                win => Status::Win(WIN - win),
            };
            let here = &slice.cells[side][cell];
            if scores[cell].load(Relaxed) >= DtmTable::DRAW {
                raise_class(here, DRAW_CLASS, true);
            }
            here.store(with_status(here.load(Relaxed), status), Relaxed);
        });
    }
    retrograde::solve_slice(slice, &|side, cell, _| {
        scores[side][cell].load(Relaxed).saturating_sub(MATED)
    });
}

/// Solves distances to mate on demand.
#[derive(Default)]
pub struct DtmSolver {
    tables: Mutex<HashMap<Material, Arc<DtmTable>>>,
}

impl DtmSolver {
    /// The plies to mate with best play: positive if the side to move wins, negative if it loses, 0 for a draw or if it is
    /// checkmated. `None` with castling rights or more than [`MAX_DTM_PIECES`] pieces.
    #[must_use]
    pub fn plies(&self, position: &Position) -> Option<i32> {
        let pieces = position.occupied().count();
        if pieces > MAX_DTM_PIECES || position.has_castling_rights() {
            return None;
        }
        // Tables do not include en passant: look one ply ahead.
        let legal = position.legal_moves();
        if position.ep_square().is_some() && !legal.is_empty() {
            let plies = legal.iter().map(|&mv| self.plies_of_move(position, mv));
            let plies = plies.collect::<Option<Vec<_>>>()?;
            return plies.into_iter().max_by_key(|&plies| rank(plies));
        }
        if pieces == 2 {
            return Some(0);
        }
        let table = self.get_or_solve(Material::of(position).normalized());
        match table.status_of(position) {
            Status::Win(plies) => Some(i32::from(plies)),
            Status::Loss(plies) => Some(-i32::from(plies)),
            Status::Unknown | Status::Recheck => Some(0),
            Status::Illegal => None,
        }
    }

    /// The plies to mate of a move, for the side that plays it, with the sign of [`Self::plies`]; 1 if it mates.
    fn plies_of_move(&self, position: &Position, mv: Move) -> Option<i32> {
        let child = position.play(mv);
        let plies = self.plies(&child)?;
        Some(match plies {
            0 if child.in_check() && !child.has_legal_move() => 1,
            0 => 0,
            _ => -plies - plies.signum(),
        })
    }

    /// The best line to mate; empty for a draw.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let (mut position, mut line) = (*position, Vec::new());
        let plies = self.plies(&position).unwrap_or(0).unsigned_abs();
        for _ in 0..plies {
            let legal = position.legal_moves();
            let ranked = legal
                .iter()
                .filter_map(|&mv| Some((rank(self.plies_of_move(&position, mv)?), mv)));
            let Some((_, best)) = ranked.max_by_key(|&(rank, _)| rank) else {
                break;
            };
            line.push(best);
            position = position.play(best);
        }
        line
    }

    /// The table of a material, solved if it is not yet in memory.
    fn get_or_solve(&self, material: Material) -> Arc<DtmTable> {
        if let Some(table) = self.tables.lock().get(&material) {
            return Arc::clone(table);
        }
        let table = Arc::new(DtmTable::solve(material, |needed| {
            self.get_or_solve(needed)
        }));
        self.tables.lock().insert(material, Arc::clone(&table));
        table
    }
}

/// Fast wins rank before slow ones, and slow losses before fast ones.
fn rank(plies: i32) -> i32 {
    match plies {
        0 => 0,
        _ => plies.signum() * 1000 - plies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables and their longest mate in moves with white to move, as published.
    fn check(tables: &[(&str, u16)]) {
        let solver = DtmSolver::default();
        for &(name, moves) in tables {
            let table = solver.get_or_solve(name.parse().expect("a name"));
            let white_to_move = table.cells.iter().flatten().flat_map(|slice| &slice[0]);
            let wins = white_to_move.filter_map(|&cell| match Status::of(cell) {
                Status::Win(plies) => Some(plies),
                _ => None,
            });
            assert_eq!(wins.max(), Some(2 * moves - 1), "{name}");
        }
    }

    #[test]
    fn longest_mates_with_three_pieces_are_those_published() {
        check(&[("KQvK", 10), ("KRvK", 16), ("KPvK", 28)]);
    }

    #[test]
    #[ignore = "minutes"]
    fn longest_mates_with_four_pieces_are_those_published() {
        check(&[
            ("KBNvK", 33),
            ("KBBvK", 19),
            ("KQvKR", 35),
            ("KRvKN", 40),
            ("KRvKB", 29),
            ("KQvKP", 28),
            ("KPvKP", 33),
        ]);
    }

    #[test]
    fn the_line_ends_in_mate() {
        let solver = DtmSolver::default();
        for (fen, sign) in [
            ("8/8/8/8/8/2k5/8/K2R4 b - - 0 1", -1),
            ("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", 1),
            ("k2r4/8/2K5/8/8/8/8/8 w - - 0 1", -1),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let plies = solver.plies(&position).expect("few pieces");
            let line = solver.line(&position);
            let end = line
                .iter()
                .fold(position, |position, &mv| position.play(mv));
            assert_eq!(line.len() as i32, plies.abs(), "{fen}");
            assert_eq!(plies.signum(), sign, "{fen}");
            assert!(end.in_check() && !end.has_legal_move(), "{fen}");
        }
    }
}
