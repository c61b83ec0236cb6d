//! Incremental keys equal keys computed from scratch, after every move of perft trees.

use lucena::chess::{CastlingSide, Color, Position, Role};
use rayon::prelude::*;
use shakmaty::zobrist::{Zobrist64, ZobristValue};

/// All keys, computed from scratch.
fn keys(position: &Position) -> [u64; 6] {
    let (mut key, mut pawns, mut pieces, mut minor, mut major) = (0, 0, [0; 2], 0, 0);
    for square in position.occupied() {
        let piece = position.piece_on(square).expect("a piece");
        let number = Zobrist64::zobrist_for_piece(
            square,
            shakmaty::Piece {
                color: piece.color(),
                role: piece.role(),
            },
        )
        .0;
        key ^= number;
        match piece.role() {
            Role::Pawn => pawns ^= number,
            _ => pieces[piece.color() as usize] ^= number,
        }
        if matches!(piece.role(), Role::King | Role::Knight | Role::Bishop) {
            minor ^= number;
        }
        if matches!(piece.role(), Role::King | Role::Rook | Role::Queen) {
            major ^= number;
        }
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if position.castling_rook(color, side).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    if let Some(square) = position.ep_square() {
        key ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
    }
    if position.turn() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn().0;
    }
    let low = u64::from(u32::MAX);
    [key, pawns, pieces[0], pieces[1], minor & low, major & low]
}

/// Compares the keys after every move of the tree; returns the number of nodes.
fn walk(position: &Position, depth: u32) -> u64 {
    let found = [
        position.key(),
        position.pawn_key(),
        position.non_pawn_key(Color::Black),
        position.non_pawn_key(Color::White),
        position.minor_key().into(),
        position.major_key().into(),
    ];
    assert_eq!(found, keys(position), "{position:?}");
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    let walk = |&mv| walk(&position.play(mv), depth - 1);
    if depth > 3 {
        moves.par_iter().map(walk).sum::<u64>() + 1
    } else {
        moves.iter().map(walk).sum::<u64>() + 1
    }
}

#[test]
fn keys_are_right_after_every_move_of_perft() {
    let count = |fen, depth| walk(&Position::from_fen(fen).expect("a position"), depth);
    let nodes = count(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    );
    assert_eq!(nodes, 1 + 20 + 400 + 8_902 + 197_281 + 4_865_609);
    // Castling, promotions and en passant.
    let nodes = count(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
    );
    assert_eq!(nodes, 1 + 48 + 2_039 + 97_862 + 4_085_603);
    let nodes = count(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        4,
    );
    assert_eq!(nodes, 1 + 6 + 264 + 9_467 + 422_333);
}
