//! The start positions of Chess960, by Scharnagl's numbers.

use super::Position;

impl Position {
    /// Number of Chess960 back ranks.
    pub const CHESS960_RANKS: usize = 960;

    /// The Chess960 start position with these numbers of White's and Black's back ranks, 0 to 959 (518 is standard
    /// chess). Chess960 games have the same number twice; different ones give double Chess960. `None` if a number is
    /// 960 or more.
    ///
    /// ```
    /// use lucena::chess::Position;
    ///
    /// assert_eq!(Position::chess960(518, 518), Some(Position::startpos()));
    /// let position = Position::chess960(0, 0).unwrap();
    /// assert_eq!(position.to_fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub fn chess960(white: usize, black: usize) -> Option<Self> {
        if white.max(black) >= Self::CHESS960_RANKS {
            return None;
        }
        let letters = |number| back_rank(number).map(char::from).iter().collect::<String>();
        let (white, black) = (letters(white).to_uppercase(), letters(black));
        // The only two rooks of a side are the outermost, which is what KQkq means.
        Self::from_fen(&format!(
            "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"
        ))
        .ok()
    }
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
        let last = Position::CHESS960_RANKS - 1;
        let ranks: BTreeSet<_> = (0..=last).map(back_rank).collect();
        assert_eq!(ranks.len(), Position::CHESS960_RANKS);
        assert_eq!(Position::chess960(518, 518), Some(Position::startpos()));
        for number in 0..=last {
            assert!(
                Position::chess960(number, last - number)
                    .is_some_and(|position| position.has_legal_move())
            );
        }
        assert_eq!(Position::chess960(0, 960), None);
    }
}
