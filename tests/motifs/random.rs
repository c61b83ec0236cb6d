//! Motifs of lines from games with random mistakes: proved by the checker, mirrored, and gone without their piece.

use lucena::chess::{Game, Move, Piece, Position};
use lucena::engine::Limits;
use lucena::explain::motifs::{Kind, Motif};
use lucena::search::local::LocalSearcher;

use super::common::Random;
use super::lines::{Moves, without};

/// Nodes of a search for one move.
const NODES: u64 = 300;
/// The longest line, in plies.
const PLIES: usize = 7;

/// Lines of best play after random moves, from games that start with random moves.
struct Lines {
    random: Random,
    searcher: LocalSearcher,
    game: Game,
}

impl Lines {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            searcher: LocalSearcher::new(1).expect("memory for a small table"),
            game: Game::new(Position::startpos()),
        }
    }

    /// A random legal move, or `None` at the end of the game.
    fn any_move(&mut self) -> Option<Move> {
        let legal = self.game.position().legal_moves();
        (!legal.is_empty() && self.game.end().is_none()).then(|| *self.random.pick(&legal))
    }

    fn best_move(&mut self, game: &Game) -> Option<Move> {
        let found = self.searcher.search(game, Limits::nodes(NODES));
        found.map(|found| found.best)
    }

    /// The next line: a random move and best play after it.
    fn next(&mut self) -> Moves {
        loop {
            let Some(mistake) = self.any_move() else {
                self.game = Game::new(Position::startpos());
                for _ in 0..self.random.below(20) {
                    if let Some(mv) = self.any_move() {
                        self.game.play(mv);
                    }
                }
                continue;
            };
            let (start, mut moves) = (*self.game.position(), vec![mistake]);
            let mut game = self.game.clone();
            game.play(mistake);
            while moves.len() <= PLIES
                && let Some(mv) = self.best_move(&game)
            {
                game.play(mv);
                moves.push(mv);
            }
            // The game goes on as the line does, for a while.
            for &mv in moves.iter().take(1 + self.random.below(3)) {
                self.game.play(mv);
            }
            if moves.len() > 1 {
                return Moves {
                    start,
                    moves,
                    skipped: 1,
                };
            }
        }
    }
}

/// Proves the motifs of this many lines; prints how many of each kind there were.
fn prove_lines(count: usize, seed: u64) {
    let mut lines = Lines::new(seed);
    let mut counts = vec![0; Kind::ALL.len()];
    let mut unproved = Vec::new();
    for _ in 0..count {
        let line = lines.next();
        for motif in line.motifs() {
            counts[motif.kind as usize] += 1;
        }
        unproved.extend(line.unproved());
    }
    for (kind, count) in Kind::ALL.iter().zip(counts) {
        println!("{kind:<20} {count}");
    }
    assert!(
        unproved.is_empty(),
        "{} unproved:\n{}",
        unproved.len(),
        unproved.join("\n")
    );
}

#[test]
fn motifs_of_random_lines_are_proved() {
    prove_lines(300, 1);
}

/// `cargo test --test motifs ten_thousand -- --ignored --nocapture`
#[test]
#[ignore = "a minute; run by hand"]
fn motifs_of_ten_thousand_lines_are_proved() {
    prove_lines(10_000, 2);
}

/// The motif with colours swapped.
fn flipped(motif: &Motif) -> Motif {
    Motif {
        side: !motif.side,
        squares: motif
            .squares
            .iter()
            .map(|square| square.flip_vertical())
            .collect(),
        pieces: motif
            .pieces
            .iter()
            .map(|piece| Piece::new(!piece.color(), piece.role()))
            .collect(),
        ..motif.clone()
    }
}

#[test]
fn mirrored_lines_have_mirrored_motifs() {
    let mut lines = Lines::new(3);
    for _ in 0..300 {
        let line = lines.next();
        let flip = |mv: &Move| {
            Move::new(
                mv.from().flip_vertical(),
                mv.to().flip_vertical(),
                mv.kind(),
            )
        };
        let mirrored = Moves {
            start: line.start.flip(),
            moves: line.moves.iter().map(flip).collect(),
            skipped: 1,
        };
        let expected: Vec<Motif> = line.motifs().iter().map(flipped).collect();
        assert_eq!(mirrored.motifs(), expected, "{}", line.start.to_fen());
    }
}

/// The kinds whose first piece does the work.
const WORKERS: [Kind; 9] = [
    Kind::Fork,
    Kind::Pin,
    Kind::Skewer,
    Kind::DiscoveredAttack,
    Kind::XRayAttack,
    Kind::CapturingDefender,
    Kind::Deflection,
    Kind::Attraction,
    Kind::Interference,
];

#[test]
fn motifs_vanish_without_their_piece() {
    let mut lines = Lines::new(4);
    let mut checked = 0;
    for _ in 0..700 {
        let line = lines.next();
        let full = line.line();
        for motif in line
            .motifs()
            .into_iter()
            .filter(|motif| WORKERS.contains(&motif.kind))
        {
            let plies = line.skipped
                + motif.ply
                + usize::from(motif.position(&full) != full.position(motif.ply));
            let worker = line.origin(plies, motif.squares[0]);
            let Some(start) = without(&line.start, worker) else {
                continue;
            };
            let thinner = Moves {
                start,
                ..line.clone()
            };
            let same = |other: &Motif| other.kind == motif.kind && other.squares == motif.squares;
            assert!(
                !thinner.motifs().iter().any(same),
                "{} {motif:?}",
                line.start.to_fen()
            );
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} motifs");
}
