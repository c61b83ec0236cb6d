//! Known draws: a check of all boards, and their evaluation.

use lucena::chess::{Color, Game, Position, Role};
use lucena::eval::{Accumulator, BUILT_IN, cannot_win, evaluate};
use lucena::explain::{Facts, Ledger};
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

use crate::common::Random;

/// Where the defending king stands.
const DEFENDERS: [&str; 4] = ["h8", "g8", "h7", "g7"];
/// All boards: defending king, white king, light-squared bishop or none, two pawns on the h-file or one twice, a black
/// pawn or none, and the side to move.
const BOARDS: usize = DEFENDERS.len() * 64 * 33 * 36 * 49 * 2;

/// One of the boards; `None` if two pieces share a square or it is illegal.
fn board(index: usize) -> Option<Position> {
    let mut rest = index;
    let mut next = |count: usize| {
        let digit = rest % count;
        rest /= count;
        digit
    };
    let white_to_move = next(2) == 0;
    let mut squares = [None; 64];
    let mut put = |square: usize, piece: char| match squares[square] {
        Some(other) if other != piece => false,
        _ => {
            squares[square] = Some(piece);
            true
        }
    };
    let defender = DEFENDERS[next(4)].as_bytes();
    let defender = usize::from(defender[1] - b'1') * 8 + usize::from(defender[0] - b'a');
    let mut is_legal = put(defender, 'k') && put(next(64), 'K');
    let pawns = [next(6), next(6)];
    is_legal &= pawns[0] <= pawns[1];
    for pawn in pawns {
        is_legal &= put((pawn + 1) * 8 + 7, 'P');
    }
    // Light squares, in pairs of a light and a dark one.
    if let Some(pair) = next(33).checked_sub(1) {
        is_legal &= put(2 * pair + usize::from(pair / 4 % 2 == 0), 'B');
    }
    if let Some(pawn) = next(49).checked_sub(1) {
        is_legal &= put(8 + pawn, 'p');
    }
    if !is_legal {
        return None;
    }
    let rank = |rank: &[Option<char>]| -> String {
        let cells = rank.iter().map(|piece| piece.unwrap_or('1'));
        cells.collect()
    };
    let ranks: Vec<String> = squares.chunks(8).rev().map(rank).collect();
    let turn = if white_to_move { 'w' } else { 'b' };
    let mut board = ranks.join("/");
    for empty in (2..=8).rev() {
        board = board.replace(&"1".repeat(empty), &empty.to_string());
    }
    Position::from_fen(&format!("{board} {turn} - - 0 1")).ok()
}

/// Whether Black, after any white move, has a reply that leads to a known draw again, leaves White without pawns, or
/// promotes. Stalemate is a draw, too.
fn is_kept(position: &Position) -> bool {
    let holds = |after: &Position| {
        let queens = after.by_role(Role::Queen);
        let has_promoted = (after.by_color(Color::Black) & queens).any();
        let is_bare = after.pieces(Color::White, Role::Pawn).is_empty() && queens.is_empty();
        cannot_win(after, Color::White) || is_bare || has_promoted
    };
    let has_answer = |position: &Position| {
        let moves = position.legal_moves();
        let is_stalemate = moves.is_empty() && !position.in_check();
        is_stalemate || moves.iter().any(|&mv| holds(&position.play(mv)))
    };
    match position.turn() {
        Color::White => {
            let moves = position.legal_moves();
            moves.iter().all(|&mv| has_answer(&position.play(mv)))
        }
        Color::Black => has_answer(position),
    }
}

/// The number of these boards that are known draws, and those that White can break.
fn check(indices: impl Iterator<Item = usize>) -> (usize, Vec<String>) {
    let boards = indices.filter_map(board);
    let boards: Vec<Position> = boards
        .filter(|board| cannot_win(board, Color::White))
        .collect();
    let failed = boards.iter().filter(|board| !is_kept(board));
    (
        boards.len(),
        failed.take(10).map(Position::to_fen).collect(),
    )
}

#[test]
fn the_defender_keeps_the_corner() {
    let mut random = Random::new(5);
    let (count, failed) = check((0..50_000).map(|_| random.below(BOARDS)));
    assert!(count > 1_000, "{count}");
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
#[ignore = "a minute"]
fn the_defender_keeps_the_corner_in_all_boards() {
    let (count, failed) = check(0..BOARDS);
    println!("{count} boards with up to six pieces");
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
fn a_known_draw_is_worth_nothing_and_says_why() {
    let draws = [
        (
            "6k1/8/6KP/7P/4B3/8/8/8 w - - 0 1",
            "White's bishop cannot drive Black's king from h8",
        ),
        ("8/8/P7/8/3k4/8/1K6/2B5 w - - 0 1", ""),
        ("6k1/8/6KP/8/8/8/1B6/8 w - - 0 1", ""),
        ("6k1/6p1/6KP/8/4B3/8/8/8 w - - 0 1", ""),
        ("6k1/n7/6KP/8/4B3/8/8/8 w - - 0 1", ""),
        (
            "7k/8/8/6K1/7P/7P/8/8 b - - 0 1",
            "White's rook pawns cannot drive Black's king from h8",
        ),
        (
            "6k1/1p6/6KP/8/4B3/8/8/8 w - - 0 1",
            "White's bishop cannot drive Black's king from h8",
        ),
    ];
    for (fen, text) in draws {
        for position in [fen, &Position::from_fen(fen).unwrap().flip().to_fen()] {
            let position = Position::from_fen(position).unwrap();
            let value = evaluate(&position, &Accumulator::of(&position));
            let ledger = Ledger::of(&position);
            let facts = Facts::by(&BUILT_IN, &position);
            let is_draw = value == 0;
            assert_eq!(is_draw, !text.is_empty(), "{fen}");
            assert_eq!(ledger.terms.is_empty(), is_draw, "{fen}");
            assert_eq!(ledger.total == 0, is_draw, "{fen}");
            assert_eq!(
                (facts.facts.is_empty(), facts.known_draw.is_some()),
                (is_draw, is_draw)
            );
            if position.to_fen() == fen && is_draw {
                assert_eq!(facts.known_draw.as_deref(), Some(text));
            }
        }
    }
}

#[test]
fn a_search_scores_a_known_draw_as_one() {
    let mut searcher = LocalSearcher::new(1).expect("memory");
    for fen in [
        "6k1/8/6KP/7P/4B3/8/8/8 w - - 0 1",
        "k7/8/8/1K6/P7/P7/8/2B5 w - - 0 1",
    ] {
        let game = Game::from_words(fen).expect("a position");
        let found = searcher.search(&game, Limits::nodes(20_000));
        assert_eq!(found.expect("a score").score, 0, "{fen}");
    }
}
