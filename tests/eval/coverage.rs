//! Every index of the evaluation is reached by a position or listed as unreachable.

use std::collections::BTreeSet;

use lucena::chess::{File, Piece, Position, Role, Square};
use lucena::eval::endings::{Forces, PAWNS};
use lucena::eval::families::{
    Backward, BareKing, Candidate, ClassMaterial, Connected, Ending, KingPieceSquare, KingPressure,
    KingToPawn, Lever, Mobility, PassedStop, PawnsAcross, PawnsBeside, PawnsFacing, PawnsOnFile,
    PieceSquare, Rammed, Reach, Shelter, Threat,
};
use lucena::eval::material::MaterialClass;
use lucena::eval::{Index, Trace};

use super::common::Random;
use super::common::evaluation::STARTS;

/// Features that no position can have, and why.
fn unreachable() -> BTreeSet<Index> {
    let mut list = BTreeSet::new();
    let ranks = 1..7; // of pawns
    let links = 0..5;

    // No pawn is on the first or last rank.
    let edges = (0..64)
        .map(Square::new)
        .filter(|square| matches!(square.rank() as usize, 0 | 7));
    list.extend(edges.map(|square| PieceSquare::at(Role::Pawn, square)));
    // The same for king-piece-square terms; no other piece is on the king's square, and no king next to it.
    for king in (0..64)
        .map(Square::new)
        .filter(|king| king.file() < File::E)
    {
        for square in (0..64).map(Square::new) {
            let pawns = [0, 5]
                .iter()
                .filter(|_| matches!(square.rank() as usize, 0 | 7));
            let same_square = (0..11).filter(|_| square == king);
            let kings = (10..11).filter(|_| square.distance(king) <= 1);
            let never = pawns.copied().chain(same_square).chain(kings);
            list.extend(never.map(|piece| KingPieceSquare::at(king, piece, square)));
        }
    }
    // The greatest mobility of each piece.
    for (role, most) in [
        (Role::Knight, 8),
        (Role::Bishop, 13),
        (Role::Rook, 14),
        (Role::Queen, 27),
    ] {
        list.extend((most + 1..28).map(|count| Mobility::at(role, count)));
        list.extend((most + 1..28).map(|count| Reach::at(role, count)));
    }
    // The farther from the edge a king is, the nearer is the other one.
    for edge in 1..4 {
        list.extend((8 - edge..8).map(|distance| BareKing::at(edge, distance)));
    }
    // Material classes without some pieces.
    let pieces = ["knight", "bishop", "rook", "queen"];
    for (class, absent) in [
        (MaterialClass::Pawns, &pieces[..]),
        (MaterialClass::OppositeBishops, &["knight", "rook", "queen"]),
        (MaterialClass::Minors, &["rook", "queen"]),
        (MaterialClass::UnequalMinors, &["rook", "queen"]),
        (MaterialClass::Rooks, &["knight", "bishop", "queen"]),
        (MaterialClass::ManyRooks, &["knight", "bishop", "queen"]),
        (MaterialClass::RooksAndOppositeBishops, &["knight", "queen"]),
        (MaterialClass::RooksAndMinors, &["queen"]),
        (MaterialClass::UnequalRooks, &["queen"]),
        (MaterialClass::Queens, &["knight", "bishop", "rook"]),
    ] {
        let cells = (1..5).filter(|&cell| absent.contains(&pieces[cell - 1]));
        list.extend(cells.map(|cell| ClassMaterial::at(class, cell)));
    }
    // With equal forces, the leader has more pawns.
    for forces in Forces::equal() {
        let last = PAWNS - 1;
        let cells =
            (0..=last).flat_map(|enemy| (0..=enemy.min(last - 1)).map(move |own| (enemy, own)));
        list.extend(cells.map(|(enemy, own)| Ending::at(forces, enemy, own)));
    }
    // A queen next to a king gives check, so the king's side is to move.
    list.extend((0..4).map(|guard| Threat::at(false, Role::King, Role::Queen, guard)));
    // No pawn is behind the second rank.
    list.extend((1..5).flat_map(|link| [true, false].map(|o| Connected::at(o, link, 1))));
    list.extend((0..5).map(|stop| PassedStop::at(true, stop, 1)));
    // No enemy pawn is ahead of a pawn of the seventh rank, or attacks the eighth.
    list.extend(links.map(|link| Connected::at(true, link, 6)));
    list.extend([
        Backward::at(true, 6),
        Backward::at(false, 6),
        Backward::at(false, 5),
    ]);
    list.extend([Lever::at(6), Rammed::at(6), Candidate::at(6)]);
    // Pairs are counted in one order only.
    for (one, other) in ranks
        .clone()
        .flat_map(|one| ranks.clone().map(move |other| (one, other)))
    {
        for file in (0..4).map(File::new) {
            if one >= other {
                list.insert(PawnsOnFile::at(file, one, other));
            }
            if one <= other || one + other == 7 {
                list.insert(PawnsFacing::at(file, one, other));
            }
        }
        if one < other {
            list.insert(PawnsBeside::at(File::D, one, other));
        }
        if one <= other {
            list.extend((0..7).map(|step| PawnsAcross::at(step, one, other)));
        }
    }
    // Two pawns are not on one square.
    for (file, part) in (0..4).flat_map(|file| (0..3).map(move |part| (File::new(file), part))) {
        list.extend(
            ranks
                .clone()
                .map(|rank| Shelter::at(file, part, rank, rank)),
        );
    }
    list.insert(KingToPawn::at(0));
    // Every attacker attacks at least one square of the king ring, and no more than its moves allow.
    for (queen, most) in [(false, [0, 4, 8, 12, 99]), (true, [0, 8, 12, 99, 99])] {
        for (attackers, &most) in most.iter().enumerate() {
            let never = (0..12).filter(|attacks| !(attackers..=most).contains(attacks));
            list.extend(never.map(|attacks| KingPressure::at(queen, attackers, attacks)));
        }
    }
    // A queen attacks at most six squares of the ring, or eight from its middle.
    list.insert(KingPressure::at(true, 1, 7));
    list
}

/// Positions that reach every index that can be reached; `positions_that_reach_every_index` writes the file.
const WITNESSES: &str = "tests/data/every_index.fen";

/// A search for positions that reach every index: a position with a new index is kept, and further positions differ from
/// one that is kept in a few squares.
struct Coverage {
    random: Random,
    trace: Trace,
    unreachable: BTreeSet<Index>,
    missing: BTreeSet<Index>,
    kept: Vec<(String, [char; 64])>,
}

impl Coverage {
    fn new() -> Self {
        let unreachable = unreachable();
        let missing = Index::all().filter(|i| !unreachable.contains(i)).collect();
        Self {
            random: Random::new(6),
            trace: Trace::default(),
            unreachable,
            missing,
            kept: Vec::new(),
        }
    }

    /// Reads a position and returns whether it reaches a new index.
    fn read(&mut self, fen: &str, position: &Position) -> bool {
        self.trace.read(position);
        let before = self.missing.len();
        for (index, _) in self.trace.counts() {
            assert!(!self.unreachable.contains(index), "{index}: {fen}");
            self.missing.remove(index);
        }
        self.missing.len() < before
    }

    fn keep(&mut self, fen: String, position: &Position) {
        let letter = |square| {
            let piece = position.piece_on(Square::new(square));
            piece.map_or('1', Piece::to_char)
        };
        let board = std::array::from_fn(|index| letter(index as u32 ^ 56));
        self.kept.push((fen, board));
    }

    fn start(&mut self, fens: impl Iterator<Item = String>) {
        for fen in fens {
            let position = Position::from_fen(&fen).unwrap();
            self.read(&fen, &position);
            self.keep(fen, &position);
        }
    }

    /// Reads `positions` more positions, or fewer if then no index is missing.
    fn explore(&mut self, positions: usize, ends_early: bool) {
        const LATEST: usize = 200;
        const RIGHTS: [&str; 4] = ["-", "KQkq", "Kq", "Qk"];
        for _ in 0..positions {
            if ends_early && self.missing.is_empty() {
                break;
            }
            let random = &mut self.random;
            // Missing indices are rare, and probably near the last one found.
            let first = if random.below(2) == 0 {
                0
            } else {
                self.kept.len().saturating_sub(LATEST)
            };
            let mut board = self.kept[first + random.below(self.kept.len() - first)].1;
            change(&mut board, random);
            let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
            let (turn, rights) = (["w", "b"][random.below(2)], RIGHTS[random.below(4)]);
            let fen = format!("{} {turn} {rights} - 0 1", ranks.join("/"));
            let Ok(position) = Position::from_fen(&fen) else {
                continue;
            };
            if self.read(&fen, &position) {
                self.keep(position.to_fen(), &position);
            }
        }
    }

    fn assert_complete(&self) {
        let missing: Vec<String> = self.missing.iter().map(Index::to_string).collect();
        assert!(missing.is_empty(), "never reached: {missing:#?}");
    }
}

/// Moves, adds or removes a few pieces; the result is often illegal.
fn change(board: &mut [char; 64], random: &mut Random) {
    for _ in 0..=random.below(6) {
        let (one, other) = (random.below(64), random.below(64));
        if random.below(2) == 0 {
            board.swap(one, other);
        } else if !matches!(board[one], 'K' | 'k') {
            board[one] = char::from(b"111PNBRQpnbrq"[random.below(13)]);
        }
    }
}

/// Invariant 5: every index is reached by some position or listed as unreachable, never both. A new term needs no new file:
/// its indices are searched for.
#[test]
fn every_index_is_reached_or_listed() {
    let mut coverage = Coverage::new();
    let witnesses = std::fs::read_to_string(WITNESSES).expect("the file");
    coverage.start(witnesses.lines().map(str::to_owned));
    // More positions, for those that are listed as unreachable.
    coverage.explore(200_000, false);
    coverage.explore(6_000_000, true);
    coverage.assert_complete();
}

/// Writes a small set of positions that reach every index.
#[test]
#[ignore = "rewrites tests/data/every_index.fen"]
fn positions_that_reach_every_index() {
    let mut coverage = Coverage::new();
    coverage.start(STARTS.iter().map(|&fen| fen.to_owned()));
    coverage.explore(30_000_000, true);
    coverage.assert_complete();
    let reached = |(fen, _): &(String, _)| {
        let trace = Trace::of(&Position::from_fen(fen).unwrap());
        let indices: BTreeSet<Index> = trace.counts().iter().map(|&(index, _)| index).collect();
        (fen.clone(), indices)
    };
    let mut all: Vec<_> = coverage.kept.iter().map(reached).collect();
    let mut text = String::new();
    // Each time the position that reaches most of what is left.
    while let Some((fen, indices)) = all.iter().max_by_key(|(_, indices)| indices.len()).cloned() {
        if indices.is_empty() {
            break;
        }
        text += &(fen + "\n");
        for (_, others) in &mut all {
            others.retain(|index| !indices.contains(index));
        }
    }
    std::fs::write(WITNESSES, text).expect("a file that can be written");
}
