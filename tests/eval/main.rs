//! The five invariants of the evaluation: it is a weighted sum, and every centipawn is itemised. Random weights test what
//! trained weights near zero would hide.

#[path = "../common/mod.rs"]
mod common;
mod coverage;
mod draws;
mod facts;
mod ledger;
mod textbook;

use std::collections::{BTreeMap, BTreeSet};

use common::Random;
use common::evaluation::{STARTS, random_model, random_positions, with_kings};
use lucena::chess::{Color, Position, Role};
use lucena::eval::Trace;
use lucena::eval::families::PieceSquare;
use lucena::eval::load::new_model;
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
            let value = evaluate(&position, &built_in);
            let cached = evaluate_cached(&position, &built_in, &mut built_in_cache);
            let maps = AttackMaps::of(&position);
            let attacked = [Color::Black, Color::White].map(|color| maps.all(color));
            assert_eq!((value, attacked), cached);
            assert_eq!(value, BUILT_IN.evaluate(&position, &built_in));
            for ((model, accumulator), cache) in random_models.iter().zip(&others).zip(&mut caches)
            {
                check(model, &position, accumulator, &trace);
                let value = model.evaluate(&position, accumulator);
                let cached = model.evaluate_cached(&position, accumulator, cache);
                assert_eq!(value, cached.0, "{}", position.to_fen());
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
        let white = centipawns(traced.tapered(accumulator.taper()));
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
            let accumulator = model.accumulator(&position);
            let cached = model.evaluate_cached(&position, &accumulator, &mut cache);
            assert_eq!(
                cached.0,
                model.evaluate(&position, &accumulator),
                "{}",
                position.to_fen()
            );
            evaluated += 1;
        }
    }
    assert!(evaluated > 2_000, "{evaluated}");
}

/// The lanes of a score are wide enough for many queens, rooks and minor pieces, with and without pawns.
#[test]
fn no_lane_overflows() {
    for fen in [
        "QQQQQQQQ/Q7/8/8/8/8/pp6/kn4K1 w - - 0 1",
        "KN4k1/PP6/8/8/8/8/q7/qqqqqqqq b - - 0 1",
        "RRRRRRRR/RR6/8/8/8/8/pp6/kn4K1 w - - 0 1",
        "BBBBBBBB/BB6/8/8/8/8/pp6/kn4K1 w - - 0 1",
        "NNNNNNNN/NN6/8/8/8/8/pp6/kn4K1 w - - 0 1",
        "QQQQQQQQ/QRRBBNN1/8/8/8/pppppp2/pp6/kn4K1 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let mut sums = [0; 4];
        for &(index, count) in Trace::of(&position).counts() {
            for (sum, part) in sums.iter_mut().zip(BUILT_IN.weights()[index].0) {
                *sum += count * i32::from(part);
            }
        }
        let score = BUILT_IN.score(&position, &Accumulator::of(&position));
        assert_eq!(score.parts(), sums, "{fen}");
    }
}

/// Training games hardly have three pieces of a kind, yet each more is worth something.
#[test]
fn every_further_piece_is_worth_something() {
    let value = |board: String| {
        let position = Position::from_fen(&format!("{board} w - - 0 1")).unwrap();
        evaluate(&position, &Accumulator::of(&position))
    };
    for piece in ["N", "B", "R", "Q"] {
        // On the first rank, then on the third; the enemy king is behind its pawns.
        let values: Vec<_> = (0..=9)
            .map(|count: usize| {
                let (first, third) = (count.min(6), count.saturating_sub(6));
                let [on_first, on_third] = [first, third].map(|few| piece.repeat(few));
                let (beside, rest) = (7 - first, 8 - third);
                value(format!(
                    "4k3/pppppppp/8/8/8/{on_third}{rest}/8/{on_first}{beside}K"
                ))
            })
            .collect();
        let is_growing = values.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(is_growing, "{piece}: {values:?}");
    }
    let nine = value("4k3/8/8/8/8/8/QQQQ4/QQQQKQ2".to_owned());
    assert!(nine > 2_000, "{nine}");
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
    let model = new_model(lucena::eval::weights::starting).expect("a thread");
    for (fen, total) in [
        (STARTS[0], 0),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 100),
        ("4k3/8/8/8/8/8/8/RN2K3 b - - 0 1", 800),
        ("1nb1k2q/8/8/8/8/8/8/4K3 w - - 0 1", -1500),
    ] {
        let ledger = Ledger::by(&model, &Position::from_fen(fen).unwrap());
        assert_eq!(ledger.total, total, "{fen}");
    }
    let empty = Accumulator::default();
    assert_eq!((empty.score(), empty.phase()), (Score::ZERO, 0));
    assert_eq!(
        Accumulator::of(&Position::startpos()).phase(),
        PHASE_MAXIMUM
    );
}
