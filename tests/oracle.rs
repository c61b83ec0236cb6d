//! The oracle: on random positions of standard chess, Chess960 and double Chess960 the house agrees with shakmaty about
//! everything the rules say, and with itself about everything it keeps up to date move by move.
//!
//! `LUCENA_ORACLE_POSITIONS=10000000 cargo test --release --test oracle` makes the proof as long as wanted.

mod common;

use std::collections::HashSet;

use common::{Random, SUITES, chess960_start, suite_text};
use lucena::chess::{
    Bitboard, CastlingSide, Color, GenType, Move, MoveKind, MoveList, Piece, Position, Role,
    Square, attacks, exchange_value,
};
use lucena::lab::perft::{perft, perft_by_moves, suite_lines};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Chess, EnPassantMode, Position as _};

/// Positions visited, unless the environment variable of that name says otherwise.
const LUCENA_ORACLE_POSITIONS: usize = 600_000;

/// Positions that one task visits.
const TASK: usize = 1_000;

/// Positions whose 65,536 move codes are all asked.
const CODE_POSITIONS: usize = 400;

/// A position in both houses.
type Pair = (Position, Chess);

fn wanted() -> usize {
    std::env::var("LUCENA_ORACLE_POSITIONS").map_or(LUCENA_ORACLE_POSITIONS, |text| {
        text.parse().expect("LUCENA_ORACLE_POSITIONS is a number")
    })
}

/// Visits `positions` positions of random games, many tasks at once, and returns how many of them were different.
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
                    1 => chess960_start(white, white),
                    2 => chess960_start(white, black),
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

/// Plays a game of random moves, at most `limit` positions long. The position goes from parent to child, as in a
/// search, so that whatever it keeps up to date has time to go wrong.
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

/// Whether random play would hardly ever choose a move of this kind.
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
        .expect("a move of both")
}

/// The move as the house writes it, built from shakmaty's words alone.
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
        check_stages(position, &expected, &fen);

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

        // All of the 192 bytes: board, mailbox, five keys, checkers, pins, clocks.
        assert_eq!(
            position,
            &Position::from_chess(chess),
            "kept up to date: {fen}"
        );
        assert_eq!(
            Position::from_fen(&fen).as_ref(),
            Ok(position),
            "read back: {fen}"
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

fn check_stages(position: &Position, expected: &[u16], fen: &str) {
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
        "stages of {fen}"
    );
}

/// The keys of parts of the board are what the numbers of their men say.
fn check_part_keys(position: &Position, chess: &Chess, fen: &str) {
    let key = |wanted: &dyn Fn(shakmaty::Piece) -> bool| {
        let men = chess.board().clone().into_iter();
        let numbers = men.filter(|&(_, piece)| wanted(piece));
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
fn what_is_said_of_a_move_is_true_of_its_child() {
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
            // What the early key is not promised to know.
            let unknown = mv.is_castling()
                || mv.kind() == MoveKind::EnPassant
                || child.ep_square().is_some()
                || rights(position) != rights(&child);
            assert!(
                unknown || position.key_after(mv) == child.key(),
                "{mv:?} in {position:?}"
            );
        }
        // The perft kernel knows nothing of all this and must come to the same.
        assert_eq!(perft(position, 2), replies, "{position:?}");
        if random.below(64) == 0 {
            let leaves = perft_by_moves(position, 3);
            assert_eq!(perft(position, 3), leaves, "{position:?}");
        }
    });
}

#[test]
fn no_other_code_is_legal() {
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
fn a_board_turned_over_is_the_same_game() {
    walk(wanted() / 8, |(position, _), _| {
        let flipped = position.flip();
        assert_eq!(&flipped.flip(), position);
        assert_eq!(flipped.turn(), !position.turn());
        let turned = |mv: &Move| {
            Move::new(
                mv.from().flip_vertical(),
                mv.to().flip_vertical(),
                mv.kind(),
            )
        };
        let expected = bits(position.legal_moves().iter().map(turned));
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
fn exchanges_are_what_they_are_played_out() {
    walk(wanted() / 4, |(position, _), random| {
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
                assert_eq!(
                    reached,
                    value >= threshold,
                    "{mv:?} in {position:?}: {value}, asked for {threshold}"
                );
            }
        }
    });
}

/// What an exchange wins, by definition: on the target square both sides in turn take with their least valuable man, or
/// stop when that is better. A pinned man joins only along its pin.
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
    let mut on_square = position.piece_on(from).expect("a man").role();
    if let Some(role) = mv.promotion() {
        won += exchange_value(role) - exchange_value(Role::Pawn);
        on_square = role;
    }
    won - retake(position, to, occupied, !position.turn(), on_square)
}

/// What the side can win back on the square, at least nothing.
fn retake(
    position: &Position,
    to: Square,
    occupied: Bitboard,
    side: Color,
    on_square: Role,
) -> i32 {
    let takers = |side: Color| {
        let men = position.attackers_to(to, occupied) & occupied & position.by_color(side);
        men.into_iter()
            .filter(|&man| may_leave(position, side, man, to))
            .collect::<Vec<_>>()
    };
    let role_of = |man: &Square| position.piece_on(*man).map_or(Role::King, Piece::role);
    let Some(taker) = takers(side).into_iter().min_by_key(role_of) else {
        return 0;
    };
    let role = role_of(&taker);
    if role == Role::King && !takers(!side).is_empty() {
        return 0;
    }
    let won =
        exchange_value(on_square) - retake(position, to, occupied.without(taker), !side, role);
    won.max(0)
}

/// Whether no pin keeps the man from the square: without him, no enemy slider sees the king that did not see it before,
/// unless he stays on that line.
fn may_leave(position: &Position, side: Color, man: Square, to: Square) -> bool {
    let king = position.king(side);
    let sliders = |occupied: Bitboard| {
        (attacks::rook_attacks(king, occupied) & position.orthogonal()
            | attacks::bishop_attacks(king, occupied) & position.diagonal())
            & position.by_color(!side)
    };
    let occupied = position.occupied();
    let uncovered = sliders(occupied.without(man)) & !sliders(occupied);
    uncovered.is_empty() || attacks::ray(king, man).contains(to)
}
