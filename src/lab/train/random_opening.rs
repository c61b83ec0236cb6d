//! Random openings of training games: random moves from the start position or from a Chess960 position.
//!
//! They give positions that chosen openings never reach; self-play discards those that are already decided.

use crate::base::random::Random;
use crate::chess::Position;

/// One game in this many starts from a double Chess960 position: each side has its own back rank.
const CHESS960_GAMES: usize = 7;
/// Random plies before the game, or one more, so that either side may be first to move.
const RANDOM_PLIES: usize = 8;
/// Number of Chess960 back ranks.
const BACK_RANKS: usize = 960;

/// A random position after the opening plies. The game may be over.
pub fn random_opening(random: &mut Random) -> Position {
    let mut position = if random.below(CHESS960_GAMES) == 0 {
        position_of(random.below(BACK_RANKS), random.below(BACK_RANKS))
    } else {
        Position::startpos()
    };
    for _ in 0..RANDOM_PLIES + random.below(2) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[random.below(moves.len())]);
    }
    position
}

/// The start position with these back ranks of White and Black, by Scharnagl's numbers.
pub fn position_of(white: usize, black: usize) -> Position {
    let (white, black) = (back_rank(white), back_rank(black));
    let rooks = |rank: &[u8; 8], first: u8| -> String {
        let files = (0..8_u8).filter(|&file| rank[usize::from(file)] == b'r');
        files.map(|file| char::from(first + file)).collect()
    };
    let letters = |rank: &[u8; 8]| rank.map(char::from).iter().collect::<String>();
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        letters(&black),
        letters(&white).to_uppercase(),
        rooks(&white, b'A'),
        rooks(&black, b'a'),
    );
    Position::from_fen(&fen).expect("tests cover all back ranks")
}

/// A back rank from file a to h: a bishop on a light and one on a dark square, the queen on one of the six free files,
/// the knights on two of the next five, and rook, king, rook on the rest.
fn back_rank(number: usize) -> [u8; 8] {
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let mut files = [0; 8];
    files[number % 4 * 2 + 1] = b'b';
    files[number / 4 % 4 * 2] = b'b';
    let free =
        |files: &[u8; 8]| -> Vec<usize> { (0..8).filter(|&file| files[file] == 0).collect() };
    files[free(&files)[number / 16 % 6]] = b'q';
    let (first, second) = KNIGHTS[number / 96 % KNIGHTS.len()];
    let left = free(&files);
    files[left[first]] = b'n';
    files[left[second]] = b'n';
    for (file, piece) in free(&files).into_iter().zip(*b"rkr") {
        files[file] = piece;
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_back_ranks_differ_and_518_is_standard() {
        assert_eq!(back_rank(518), *b"rnbqkbnr");
        assert_eq!(back_rank(0), *b"bbqnnrkr");
        assert_eq!(back_rank(959), *b"rkrnnqbb");
        assert_eq!(
            (0..BACK_RANKS)
                .map(back_rank)
                .collect::<BTreeSet<_>>()
                .len(),
            BACK_RANKS
        );
        assert_eq!(position_of(518, 518), Position::startpos());
        for number in 0..BACK_RANKS {
            let position = position_of(number, BACK_RANKS - 1 - number);
            assert!(position.has_legal_move());
        }
    }
}
