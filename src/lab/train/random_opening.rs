//! Where games begin: random moves from the first position, or from a Chess960 array.
//! Uses: chess, random. Used by: selfplay.
//! Idea: a position that nobody would choose teaches what chosen positions never show; a search then throws out those
//! that are already decided.

use crate::base::random::Random;
use crate::chess::Position;

/// One game in this many begins from a Chess960 array, and each side has its own.
const ARRAY_GAMES: usize = 7;
/// Random plies before the game: these, or one more, so that either side may be the first to think.
const RANDOM_PLIES: usize = 8;
/// How many arrays Chess960 has.
const ARRAYS: usize = 960;

/// A random position some plies into a game. It may be over.
#[must_use]
pub fn random_opening(random: &mut Random) -> Position {
    let mut position = if random.below(ARRAY_GAMES) == 0 {
        position_of(random.below(ARRAYS), random.below(ARRAYS))
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

/// The first position with these arrays of white and black, by Scharnagl's numbers.
#[must_use]
pub fn position_of(white: usize, black: usize) -> Position {
    let (white, black) = (array(white), array(black));
    let rooks = |array: &[u8; 8], first: u8| -> String {
        let files = (0..8_u8).filter(|&file| array[usize::from(file)] == b'r');
        files.map(|file| char::from(first + file)).collect()
    };
    let letters = |array: &[u8; 8]| array.map(char::from).iter().collect::<String>();
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        letters(&black),
        letters(&white).to_uppercase(),
        rooks(&white, b'A'),
        rooks(&black, b'a'),
    );
    Position::from_fen(&fen).expect("tests make all arrays")
}

/// The pieces of an array from file a to h: a bishop on a light square, one on a dark square, the queen on one of six,
/// the knights on two of five, and rook, king, rook on what is left.
fn array(number: usize) -> [u8; 8] {
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
    fn all_arrays_differ_and_518_is_chess() {
        assert_eq!(array(518), *b"rnbqkbnr");
        assert_eq!(array(0), *b"bbqnnrkr");
        assert_eq!(array(959), *b"rkrnnqbb");
        assert_eq!(
            (0..ARRAYS).map(array).collect::<BTreeSet<_>>().len(),
            ARRAYS
        );
        assert_eq!(position_of(518, 518), Position::startpos());
        for number in 0..ARRAYS {
            let position = position_of(number, ARRAYS - 1 - number);
            assert!(position.has_legal_move());
        }
    }
}
