//! Random positions of standard chess, Chess960 and double Chess960: the rules agree with shakmaty, and incremental state
//! with state computed from scratch.
//!
//! A longer run: `LUCENA_ORACLE_POSITIONS=10000000 cargo test --release --test rules oracle`.

use std::collections::HashSet;

use crate::common::{Random, SUITES, suite_text};
use lucena::chess::{
    Bitboard, CastlingSide, Color, Exchanges, GenType, Move, MoveKind, MoveList, Piece, Position,
    Role, RoundValues, Square, attacks, exchange_value,
};
use lucena::engine::perft::{perft, perft_by_moves, suite_lines};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Chess, EnPassantMode, Position as _};

/// The number of positions, unless the environment variable of this name is set.
const LUCENA_ORACLE_POSITIONS: usize = 600_000;

/// Positions per task.
const TASK: usize = 1_000;

/// Positions for which all 65,536 move codes are tested.
const CODE_POSITIONS: usize = 400;

/// A position, and the same in shakmaty.
type Pair = (Position, Chess);

fn wanted() -> usize {
    std::env::var("LUCENA_ORACLE_POSITIONS").map_or(LUCENA_ORACLE_POSITIONS, |text| {
        text.parse().expect("LUCENA_ORACLE_POSITIONS is a number")
    })
}

/// Visits positions of random games in parallel; returns the number of different ones.
fn walk(positions: usize, visit: impl Fn(&Pair, &mut Random) + Sync) -> usize {
    let starts: Vec<Position> = SUITES
        .iter()
        .flat_map(|name| {
            suite_lines(&suite_text(name))
                .map(|(_, line)| line.expect("a line").position)
                .collect::<Vec<_>>()
        })
        .collect();
    let keys: HashSet<u64> = (0..positions.div_ceil(TASK))
        .into_par_iter()
        .flat_map_iter(|task| {
            let mut random = Random::new(task as u64);
            let mut keys = Vec::with_capacity(TASK);
            while keys.len() < TASK {
                let (white, black) = (random.below(960), random.below(960));
                let start = match task % 4 {
                    0 => Position::startpos(),
                    1 => Position::chess960(white, white).expect("a start"),
                    2 => Position::chess960(white, black).expect("a start"),
                    _ => *random.pick(&starts),
                };
                play_game(start, TASK - keys.len(), &mut random, |pair, random| {
                    keys.push(pair.0.key());
                    visit(pair, random);
                });
            }
            keys
        })
        .collect();
    keys.len()
}

/// Plays random moves for at most `limit` positions. Positions are made from their parents, as in a search, so that errors
/// of incremental state add up.
fn play_game(
    start: Position,
    limit: usize,
    random: &mut Random,
    mut visit: impl FnMut(&Pair, &mut Random),
) {
    let (mut position, mut chess) = (start, start.to_chess());
    let length = 20 + random.below(200);
    for _ in 0..length.min(limit) {
        visit(&(position, chess.clone()), random);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let rare: Vec<Move> = moves.iter().copied().filter(|mv| is_rare(*mv)).collect();
        let mv = if !rare.is_empty() && random.below(3) == 0 {
            *random.pick(&rare)
        } else {
            *random.pick(&moves)
        };
        position = position.play(mv);
        chess.play_unchecked(to_shakmaty(mv, &chess));
    }
}

/// Whether random play would seldom choose a move of this kind.
fn is_rare(mv: Move) -> bool {
    mv.is_promotion()
        || matches!(
            mv.kind(),
            MoveKind::Castle | MoveKind::EnPassant | MoveKind::DoublePush
        )
}

fn to_shakmaty(mv: Move, chess: &Chess) -> shakmaty::Move {
    let moves = chess.legal_moves();
    *moves
        .iter()
        .find(|theirs| from_shakmaty(**theirs) == mv)
        .expect("a move of both move lists")
}

/// Converts a move of shakmaty.
fn from_shakmaty(mv: shakmaty::Move) -> Move {
    match mv {
        shakmaty::Move::EnPassant { from, to } => Move::new(from, to, MoveKind::EnPassant),
        shakmaty::Move::Castle { king, rook } => Move::new(king, rook, MoveKind::Castle),
        shakmaty::Move::Normal {
            role,
            from,
            to,
            capture,
            promotion,
        } => {
            let kind = match (promotion, capture.is_some()) {
                (None, true) => MoveKind::Capture,
                (None, false) if role == Role::Pawn && from.distance(to) == 2 => {
                    MoveKind::DoublePush
                }
                (None, false) => MoveKind::Quiet,
                (Some(Role::Knight), false) => MoveKind::KnightPromotion,
                (Some(Role::Bishop), false) => MoveKind::BishopPromotion,
                (Some(Role::Rook), false) => MoveKind::RookPromotion,
                (Some(_), false) => MoveKind::QueenPromotion,
                (Some(Role::Knight), true) => MoveKind::KnightCapturePromotion,
                (Some(Role::Bishop), true) => MoveKind::BishopCapturePromotion,
                (Some(Role::Rook), true) => MoveKind::RookCapturePromotion,
                (Some(_), true) => MoveKind::QueenCapturePromotion,
            };
            Move::new(from, to, kind)
        }
        shakmaty::Move::Put { .. } => unreachable!("no drops in chess"),
    }
}

fn bits(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

#[test]
fn rules_agree_with_shakmaty() {
    let different = walk(wanted(), |(position, chess), random| {
        let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
        assert_eq!(position.to_fen(), fen);

        let expected = bits(chess.legal_moves().iter().map(|&mv| from_shakmaty(mv)));
        let moves = position.legal_moves();
        assert_eq!(bits(moves.iter().copied()), expected, "moves of {fen}");
        assert_eq!(
            position.count_legal_moves(),
            expected.len(),
            "count of {fen}"
        );
        assert_eq!(position.has_legal_move(), !expected.is_empty(), "{fen}");
        check_gen_types(position, &expected, &fen);

        assert_eq!(position.in_check(), chess.is_check(), "{fen}");
        assert_eq!(position.checkers(), chess.checkers(), "{fen}");
        assert_eq!(position.ep_square(), chess.legal_ep_square(), "{fen}");
        assert_eq!(
            position.key(),
            chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
            "key of {fen}"
        );
        assert_eq!(
            position.is_insufficient_material(),
            chess.is_insufficient_material(),
            "{fen}"
        );
        assert_eq!(position.turn(), chess.turn(), "{fen}");
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                assert_eq!(
                    position.castling_rook(color, side),
                    chess.castles().rook(color, side),
                    "{fen}"
                );
            }
        }

        // The whole position: board, mailbox, keys, checkers, pins, clocks.
        assert_eq!(position, &Position::from_chess(chess), "incremental: {fen}");
        assert_eq!(
            Position::from_fen(&fen).as_ref(),
            Ok(position),
            "from the FEN: {fen}"
        );
        if random.below(16) == 0 {
            check_part_keys(position, chess, &fen);
            assert_eq!(&position.to_chess(), chess, "{fen}");
            check_null_move(position, chess, &fen);
            check_notation(position, &fen);
        }
    });
    println!("{} positions, {different} of them different", wanted());
    assert!(
        different * 10 > wanted() * 8,
        "only {different} different positions"
    );
}

fn check_gen_types(position: &Position, expected: &[u16], fen: &str) {
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.generate(GenType::Noisy, &mut noisy);
    position.generate(GenType::Quiet, &mut quiet);
    assert!(noisy.iter().all(|mv| mv.is_noisy()), "noisy moves of {fen}");
    assert!(
        quiet.iter().all(|mv| !mv.is_noisy()),
        "quiet moves of {fen}"
    );
    assert_eq!(
        bits(noisy.iter().chain(quiet.iter()).copied()),
        expected,
        "noisy and quiet moves of {fen}"
    );
    let (checks, mut candidates) = (position.checks(), MoveList::new());
    position.generate_check_candidates(&checks, &mut candidates);
    let checking = |moves: &MoveList| -> Vec<Move> {
        let moves = moves.iter().copied();
        moves.filter(|&mv| position.gives_check(mv)).collect()
    };
    assert_eq!(
        checking(&candidates),
        checking(&quiet),
        "quiet checks of {fen}"
    );
}

/// Compares the pawn, non-pawn, minor and major keys.
fn check_part_keys(position: &Position, chess: &Chess, fen: &str) {
    let key = |wanted: &dyn Fn(shakmaty::Piece) -> bool| {
        let pieces = chess.board().clone().into_iter();
        let numbers = pieces.filter(|&(_, piece)| wanted(piece));
        numbers.fold(0, |key, (square, piece)| {
            key ^ Zobrist64::zobrist_for_piece(square, piece).0
        })
    };
    let is_minor = |role| matches!(role, Role::King | Role::Knight | Role::Bishop);
    let is_major = |role| matches!(role, Role::King | Role::Rook | Role::Queen);
    assert_eq!(
        position.pawn_key(),
        key(&|piece| piece.role == Role::Pawn),
        "{fen}"
    );
    for color in Color::ALL {
        let expected = key(&|piece| piece.color == color && piece.role != Role::Pawn);
        assert_eq!(position.non_pawn_key(color), expected, "{fen}");
    }
    assert_eq!(
        position.minor_key(),
        key(&|piece| is_minor(piece.role)) as u32,
        "{fen}"
    );
    assert_eq!(
        position.major_key(),
        key(&|piece| is_major(piece.role)) as u32,
        "{fen}"
    );
}

fn check_null_move(position: &Position, chess: &Chess, fen: &str) {
    if position.in_check() {
        return;
    }
    let Ok(passed) = chess.clone().swap_turn() else {
        return;
    };
    let (ours, theirs) = (position.play_null(), Position::from_chess(&passed));
    assert_eq!(position.key_after_null(), ours.key(), "{position:?}");
    assert_eq!(ours.key(), theirs.key(), "null move in {fen}");
    assert_eq!(
        (ours.checkers(), ours.pinned()),
        (theirs.checkers(), theirs.pinned()),
        "null move in {fen}"
    );
    assert_eq!(
        bits(ours.legal_moves().iter().copied()),
        bits(theirs.legal_moves().iter().copied()),
        "{fen}"
    );
}

fn check_notation(position: &Position, fen: &str) {
    for &mv in &position.legal_moves() {
        let text = mv.uci(true).to_string();
        assert_eq!(
            position.parse_move(&text).as_ref(),
            Ok(&mv),
            "{text} in {fen}"
        );
        assert_eq!(
            position.parse_move(&text.to_uppercase()).as_ref(),
            Ok(&mv),
            "{text} in {fen}"
        );
    }
}

#[test]
fn predictions_for_a_move_hold_in_its_child() {
    walk(wanted() / 2, |(position, _), random| {
        let mut replies = 0;
        let checks = position.checks();
        for &mv in &position.legal_moves() {
            let child = position.play(mv);
            replies += child.count_legal_moves() as u64;
            assert!(position.is_legal(mv), "{mv:?} in {position:?}");
            assert_eq!(
                position.gives_check(mv),
                child.in_check(),
                "{mv:?} in {position:?}"
            );
            assert_eq!(
                checks.gives_check(position, mv),
                child.in_check(),
                "{mv:?} in {position:?}"
            );
            let rights = |position: &Position| {
                Color::ALL
                    .map(|color| CastlingSide::ALL.map(|side| position.castling_rook(color, side)))
            };
            // Where `key_after` is not exact.
            let inexact = mv.is_castling()
                || mv.kind() == MoveKind::EnPassant
                || child.ep_square().is_some()
                || rights(position) != rights(&child);
            assert!(
                inexact || position.key_after(mv) == child.key(),
                "{mv:?} in {position:?}"
            );
        }
        // The perft kernel shares none of this code.
        assert_eq!(perft(position, 2), replies, "{position:?}");
        if random.below(64) == 0 {
            let leaves = perft_by_moves(position, 3);
            assert_eq!(perft(position, 3), leaves, "{position:?}");
        }
    });
}

#[test]
fn is_legal_accepts_exactly_the_legal_moves() {
    let step = 97;
    walk(CODE_POSITIONS * step, |(position, _), random| {
        if random.below(step) != 0 {
            return;
        }
        let legal: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        for code in 0..=u16::MAX {
            let is_legal = Move::from_bits(code).is_some_and(|mv| position.is_legal(mv));
            assert_eq!(
                is_legal,
                legal.contains(&code),
                "code {code:#06x} in {position:?}"
            );
        }
    });
}

#[test]
fn flipped_positions_have_flipped_moves() {
    walk(wanted() / 8, |(position, _), _| {
        let flipped = position.flip();
        assert_eq!(&flipped.flip(), position);
        assert_eq!(flipped.turn(), !position.turn());
        let flipped_move = |mv: &Move| {
            Move::new(
                mv.from().flip_vertical(),
                mv.to().flip_vertical(),
                mv.kind(),
            )
        };
        let expected = bits(position.legal_moves().iter().map(flipped_move));
        assert_eq!(
            bits(flipped.legal_moves().iter().copied()),
            expected,
            "{position:?}"
        );
        assert_eq!(
            Position::from_fen(&flipped.to_fen()),
            Ok(flipped),
            "{position:?}"
        );
    });
}

#[test]
fn see_agrees_with_exchanges_played_out() {
    walk(wanted() / 4, |(position, _), random| {
        let threats = position.attacked_by(!position.turn(), position.occupied());
        let exchanges = Exchanges::<RoundValues>::new(Some(threats));
        for &mv in &position.legal_moves() {
            let value = exchange(position, mv);
            for threshold in [
                value - 1,
                value,
                value + 1,
                0,
                random.below(2_000) as i32 - 1_000,
            ] {
                let reached = position.see_ge(mv, threshold);
                assert_eq!(reached, exchanges.see_ge(position, mv, threshold));
                assert_eq!(
                    reached,
                    value >= threshold,
                    "{mv:?} in {position:?}: {value}, asked for {threshold}"
                );
            }
        }
    });
}

/// The gain of an exchange by definition: both sides in turn capture on the target square with their least valuable piece,
/// or stop if that is better. Pinned pieces capture only along the pin.
fn exchange(position: &Position, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let mut occupied = position.occupied().without(from).with(to);
    let mut won = position
        .piece_on(to)
        .map_or(0, |victim| exchange_value(victim.role()));
    if mv.kind() == MoveKind::EnPassant {
        won = exchange_value(Role::Pawn);
        occupied = occupied.without(Square::from_coords(to.file(), from.rank()));
    }
    let mut on_square = position.piece_on(from).expect("a piece").role();
    if let Some(role) = mv.promotion() {
        won += exchange_value(role) - exchange_value(Role::Pawn);
        on_square = role;
    }
    won - recapture(position, to, occupied, !position.turn(), on_square)
}

/// What the side gains by recapturing on the square, or 0.
fn recapture(
    position: &Position,
    to: Square,
    occupied: Bitboard,
    side: Color,
    on_square: Role,
) -> i32 {
    let attackers = |side: Color| {
        let pieces = position.attackers_to(to, occupied) & occupied & position.by_color(side);
        pieces
            .into_iter()
            .filter(|&square| may_leave(position, side, square, to))
            .collect::<Vec<_>>()
    };
    let role_of = |square: &Square| position.piece_on(*square).map_or(Role::King, Piece::role);
    let Some(attacker) = attackers(side).into_iter().min_by_key(role_of) else {
        return 0;
    };
    let role = role_of(&attacker);
    if role == Role::King && !attackers(!side).is_empty() {
        return 0;
    }
    let won = exchange_value(on_square)
        - recapture(position, to, occupied.without(attacker), !side, role);
    won.max(0)
}

/// Whether no pin keeps the piece from the square: without it, no other enemy slider attacks the king, or it stays on the
/// line of the pin.
fn may_leave(position: &Position, side: Color, from: Square, to: Square) -> bool {
    let king = position.king(side);
    let sliders = |occupied: Bitboard| {
        (attacks::rook_attacks(king, occupied) & position.orthogonal()
            | attacks::bishop_attacks(king, occupied) & position.diagonal())
            & position.by_color(!side)
    };
    let occupied = position.occupied();
    let discovered = sliders(occupied.without(from)) & !sliders(occupied);
    discovered.is_empty() || attacks::ray(king, from).contains(to)
}
