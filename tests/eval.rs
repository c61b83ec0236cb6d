//! The five invariants of the evaluation: it is a weighted sum, and every centipawn is itemised. Random weights test what
//! trained weights near zero would hide.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::Random;
use common::evaluation::{STARTS, random_model, random_positions, with_kings};
use lucena::chess::{Color, File, Piece, Position, Role, Square};
use lucena::eval::Trace;
use lucena::eval::endings::{Forces, PAWNS};
use lucena::eval::families::{
    Backward, BareKing, Candidate, ClassMaterial, Connected, Ending, KingPieceSquare, KingPressure,
    KingToPawn, Lever, Mobility, PassedStop, PawnsAcross, PawnsBeside, PawnsFacing, PawnsOnFile,
    PieceSquare, Rammed, Reach, Shelter, Threat,
};
use lucena::eval::material::MaterialClass;
use lucena::eval::{
    Accumulator, AttackMaps, BUILT_IN, COUNT, Family, Index, Model, PHASE_MAXIMUM, PawnCache,
    Score, centipawns, evaluate, evaluate_cached,
};
use lucena::explain::Ledger;

/// The net coefficient of every feature of a position.
fn coefficients(position: &Position) -> BTreeMap<Index, i32> {
    let mut net = BTreeMap::new();
    for &(index, count) in Trace::of(position).counts() {
        *net.entry(index).or_insert(0) += count;
    }
    net.retain(|_, count| *count != 0);
    net
}

/// A position without castling rights and en passant, and its mirror image on the files.
fn with_mirror_image(position: &Position) -> (Position, Position) {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let (board, turn) = (fields.next().unwrap(), fields.next().unwrap());
    let reflected: Vec<String> = (board.split('/'))
        .map(|rank| rank.chars().rev().collect())
        .collect();
    let parse = |board: &str| Position::from_fen(&format!("{board} {turn} - - 0 1")).unwrap();
    (parse(board), parse(&reflected.join("/")))
}

/// Invariant 1, after every move of random games: the trace times the weights is the evaluation, the accumulator equals
/// that from scratch, and cached values equal those without caches.
#[test]
fn trace_times_weights_is_the_evaluation_after_every_move() {
    let mut random = Random::new(1);
    let random_models = [random_model(&mut random), random_model(&mut random)];
    let mut caches = [PawnCache::new(), PawnCache::new()];
    let mut built_in_cache = PawnCache::new();
    for game in 0..140 {
        let mut position = Position::from_fen(STARTS[game % STARTS.len()]).unwrap();
        let mut built_in = Accumulator::of(&position);
        let mut others = random_models
            .each_ref()
            .map(|model| model.accumulator(&position));
        for _ in 0..150 {
            let trace = Trace::of(&position);
            check(&BUILT_IN, &position, &built_in, &trace);
            let maps = AttackMaps::of(&position);
            let value = evaluate(&position, &built_in);
            let cached = evaluate_cached(&position, &maps, &built_in, &mut built_in_cache);
            assert_eq!(value, cached);
            assert_eq!(value, BUILT_IN.evaluate(&position, &built_in));
            for ((model, accumulator), cache) in random_models.iter().zip(&others).zip(&mut caches)
            {
                check(model, &position, accumulator, &trace);
                let value = model.evaluate(&position, accumulator);
                let cached = model.evaluate_cached(&position, &maps, accumulator, cache);
                assert_eq!(value, cached, "{}", position.to_fen());
            }

            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            for (model, accumulator) in random_models.iter().zip(&mut others) {
                let mut updater = model.updater(*accumulator);
                let _ = position.play_observed(mv, &mut updater);
                *accumulator = updater.accumulator();
            }
            position = position.play_observed(mv, &mut built_in);
        }
    }

    fn check(model: &Model, position: &Position, accumulator: &Accumulator, trace: &Trace) {
        assert_eq!(
            *accumulator,
            model.accumulator(position),
            "{}",
            position.to_fen()
        );
        let traced = trace.dot(model.weights());
        assert_eq!(
            traced,
            model.score(position, accumulator),
            "{}",
            position.to_fen()
        );
        let white = centipawns(traced.tapered(accumulator.phase()));
        let view = match position.turn() {
            Color::White => white,
            Color::Black => -white,
        };
        assert_eq!(view, model.evaluate(position, accumulator));
    }
}

/// An entry of the pawn cache serves all squares of the kings: the same pawns with kings on random squares, one after the other.
#[test]
fn cached_pawns_follow_both_kings() {
    let mut random = Random::new(9);
    let model = random_model(&mut random);
    let (mut cache, mut evaluated) = (PawnCache::new(), 0);
    for board in ["8/8/8/8/8/8/8/8", "8/p1p2p1p/2P5/4p3/1P2P3/8/P4PPP/8"] {
        let empty: Vec<usize> = {
            let pawns = Position::from_fen(&format!("{} w - - 0 1", with_kings(board, [4, 60])));
            let pawns = pawns.unwrap().by_role(Role::Pawn);
            (0..64)
                .filter(|&square| pawns.0 >> square & 1 == 0)
                .collect()
        };
        for _ in 0..2_000 {
            let kings = [*random.pick(&empty), *random.pick(&empty)];
            let Ok(position) =
                Position::from_fen(&format!("{} w - - 0 1", with_kings(board, kings)))
            else {
                continue;
            };
            let (maps, accumulator) = (AttackMaps::of(&position), model.accumulator(&position));
            let cached = model.evaluate_cached(&position, &maps, &accumulator, &mut cache);
            assert_eq!(
                cached,
                model.evaluate(&position, &accumulator),
                "{}",
                position.to_fen()
            );
            evaluated += 1;
        }
    }
    assert!(evaluated > 2_000, "{evaluated}");
}

/// Invariant 2: with colours swapped, every coefficient changes its sign and nothing else changes.
#[test]
fn a_colour_flip_negates_every_coefficient() {
    let model = random_model(&mut Random::new(2));
    for position in random_positions(2, 70) {
        let flipped = position.flip();
        let negated: BTreeMap<_, _> = (coefficients(&flipped).into_iter())
            .map(|(index, count)| (index, -count))
            .collect();
        assert_eq!(coefficients(&position), negated, "{}", position.to_fen());
        assert_eq!(
            model.evaluate(&position, &model.accumulator(&position)),
            model.evaluate(&flipped, &model.accumulator(&flipped))
        );
    }
}

/// Invariant 3: without castling rights, mirroring the files changes no coefficient.
#[test]
fn mirrored_files_keep_every_coefficient() {
    for position in random_positions(3, 70) {
        let (position, mirrored) = with_mirror_image(&position);
        assert_eq!(
            coefficients(&position),
            coefficients(&mirrored),
            "{}",
            position.to_fen()
        );
    }
}

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

    /// Reads so many more positions, or fewer if then no index is missing.
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

/// Every index decodes to its family and has unique words.
#[test]
fn indices_have_unique_names() {
    let mut names = BTreeSet::new();
    let mut next = 0;
    for &family in Family::ALL {
        let declaration = family.declaration();
        for index in family.indices() {
            assert_eq!(index.get(), next);
            assert_eq!(index.family(), family);
            let sizes = declaration.axes.iter().map(|axis| axis.size);
            assert!(
                index
                    .cells()
                    .into_iter()
                    .zip(sizes)
                    .all(|(cell, size)| cell < size)
            );
            let name = index.to_string();
            assert!(
                !name.contains(['{', '}']),
                "{name}: the label has an unknown axis"
            );
            assert!(names.insert(name.clone()), "{name} is there twice");
            next += 1;
        }
    }
    assert_eq!(next, COUNT);
    assert_eq!(PieceSquare::OFFSET, Family::PieceSquare.offset());
}

/// The starting weights count material only.
#[test]
fn starting_weights_count_material() {
    for (fen, total) in [
        (STARTS[0], 0),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 100),
        ("4k3/8/8/8/8/8/8/RN2K3 b - - 0 1", 800),
        ("1nb1k2q/8/8/8/8/8/8/4K3 w - - 0 1", -1500),
    ] {
        let ledger = Ledger::by(
            &Model::new(lucena::eval::weights::starting()),
            &Position::from_fen(fen).unwrap(),
        );
        assert_eq!(ledger.total, total, "{fen}");
    }
    let empty = Accumulator::default();
    assert_eq!((empty.score(), empty.phase()), (Score::ZERO, 0));
    assert_eq!(
        Accumulator::of(&Position::startpos()).phase(),
        PHASE_MAXIMUM
    );
}
