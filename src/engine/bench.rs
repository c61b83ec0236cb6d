//! The bench: fixed positions, fixed depth, one thread. The sum of nodes is the engine's signature: a different sum means
//! that the search has changed. Each position starts with an empty TT, so the sum does not depend on their order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::base::clock::Instant;
use crate::base::value::Depth;
use crate::chess::{Game, Move, Position};
use crate::engine::{Engine, Info, Limits, Listener, Model, Signal, Ticket};

/// The depth in plies of the signature in commit messages.
pub const DEPTH: Depth = 12;
/// MiB of the TT.
const HASH: usize = 16;

/// Lucena's own choice of positions: openings, games of a weak random player from them, textbook endgames.
pub const POSITIONS: &[&str] = &[
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/2p1bppp/p1n2n2/1p1pp3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 0 9",
    "rnb1kb1r/1p3ppp/pq1ppn2/6B1/3NPP2/2N5/PPP3PP/R2QKB1R w KQkq - 1 8",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "rn1qk2r/pp3ppp/2p1pn2/5b2/PbBP4/2N1PN2/1P3PPP/R1BQK2R w KQkq - 1 8",
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P2Q1/P1P5/2P2PPP/R1B1KBNR b KQkq - 2 7",
    "rn1qkbnr/pp2pppp/2p3b1/3pP3/3P2PP/5P2/PPP5/RNBQKBNR b KQkq - 0 6",
    "rnbqkbnr/pppp1p1p/8/4N3/4PppP/8/PPPP2P1/RNBQKB1R b KQkq - 1 5",
    "rnbq1rk1/ppp1p1bp/3p1np1/5p2/2PP4/5NP1/PP2PPBP/RNBQ1RK1 w - - 0 7",
    "r1bqkb1r/ppp2Npp/2n5/3np3/2B5/8/PPPP1PPP/RNBQK2R b KQkq - 0 6",
    "rnbqkb1r/3ppppp/P4n2/2pP4/8/8/PP2PPPP/RNBQKBNR b KQkq - 0 5",
    // Middlegames, quiet and wild.
    "r2q1rk1/5ppp/p1p1b3/1p1nR3/3P2Pb/1BP5/PP3P1P/RNBQ2K1 w - - 1 14",
    "1r3rk1/5ppp/p1B5/1pbP4/P1b1qPP1/1PP2Q2/7P/RNB4K b - - 4 22",
    "rn2kb1r/1p3p1p/1q1pb3/p3pN2/4P3/PPN5/2P3PP/R2QKB1R w KQkq - 0 13",
    "rn3b1r/1pk2Q2/3p1p2/p1qP1N1p/8/PPPB4/6PP/1R2K2R b K - 6 21",
    "r1b1qrk1/ppp2p1p/3p1bn1/3Pp3/2P1P1p1/2NB1P2/PP1N2PP/RQ3RK1 b - - 0 14",
    "r1b3r1/1pp1q1k1/3p1p2/1N1Pp2p/p1P1P3/P2BbP2/1PQ4P/R4R1K w - - 7 29",
    "rn1q1kr1/pp3pp1/2p1pnbp/8/Pb1P4/2N1PNP1/1P1QBP1P/R1B1K2R w KQ - 5 13",
    "rn3kr1/7b/p1p1p1pp/1p1q1p2/PP1P3P/R3PNP1/3NBP2/2B2RK1 b - - 1 21",
    "rnb1k2r/pp3pQp/4p3/q3n3/3p4/P1P5/1BP2PPP/R3KBNR b KQkq - 0 12",
    "r3kbnr/ppqnpbpp/2p5/3pP2P/3Q1BP1/5P2/PPP5/RN2KBNR b KQkq - 2 11",
    "rn1q1k1r/4bppp/pp6/2P5/B3p1b1/1P2PNP1/P2B1P1P/R2QK2R w KQ - 2 16",
    "r1bqk2r/ppp2pp1/1nn5/7p/1b1PNP2/6P1/PP4BP/R1BQK1NR w KQkq - 2 11",
    "r2q1rk1/3bp1b1/2pp2p1/p4p1p/2P4P/QN2PPPK/PP6/1RB2R2 b - - 0 20",
    "8/r6r/b1P1p2k/1p1pPpqp/8/p3PQP1/P1R5/2R1B2K w - - 4 52",
    "r2k1b1r/1pq3pp/pn1p2b1/2n2p2/2PQ1PPP/1P2BN2/P3BN2/R3K2R w KQ - 1 19",
    "r2q1bkr/ppp4p/4b1p1/3nR3/2Bn4/7P/PPP2PP1/RNBQ2K1 b - - 0 11",
    "2r2k1r/R4R2/1n2Q2p/6p1/6P1/2N2q2/2P5/6K1 b - - 1 36",
    "r1bqk2r/p2p1pb1/2p2npp/2P1p3/QP2P3/2NB1PP1/P2B3P/R3K2R b KQ - 3 16",
    "r1bq1rk1/2pn1p2/pp1b1n1p/3p2p1/3P4/1PNQPNB1/P4PPP/3RKB1R w K - 3 13",
    "r1b1kbnr/pp4pp/2n5/2p2p2/2P1p2N/6P1/PP2PPBP/RNBR2K1 b - - 3 10",
    "r1bk3r/pp2qppp/n1pb4/8/B4P1P/2N5/PPP1Q1P1/R1B1K1R1 w Q - 1 14",
    // Pawn endgames.
    "8/8/2k5/p1p2p1p/P1P2P1P/2K5/8/8 w - - 0 1",
    "K7/8/5P1k/p7/8/8/8/8 w - - 0 1",
    "8/5ppp/8/5PPP/8/8/8/K1k5 w - - 0 1",
    "8/1p3k2/p1p2p1p/P1P1pPp1/1P2P1P1/4K3/8/8 w - - 0 1",
    "8/3k4/3p1p2/p1pP1Pp1/P1P3P1/3K4/8/8 b - - 0 1",
    // Rook endgames.
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/R7/7r/3KP3/8/8/8/8 b - - 0 1",
    "5r2/1p3pk1/p2p2p1/3R3p/1P5P/P4PP1/6K1/8 w - - 0 35",
    "2r3k1/5pp1/4p2p/p1R5/P2P4/1P3P2/5KPP/8 b - - 0 30",
    // Endgames with minor pieces and queens.
    "8/5k2/4p1p1/1b1pP1Pp/1P1P3P/2B1K3/8/8 w - - 0 1",
    "8/4bk2/3p2p1/p1pP1pP1/PpP2P2/1P2K3/4N3/8 w - - 0 1",
    "8/8/5PK1/4r3/8/8/8/7k w - - 0 1",
    "8/8/8/3k4/8/8/3KBN2/8 w - - 0 1",
    "8/8/8/4k3/2r5/8/3Q4/3K4 w - - 0 1",
    "6k1/5p1p/4p1p1/1Q6/3q4/6P1/5P1P/6K1 w - - 0 40",
    "8/p2P1k2/8/8/8/8/1p3K1P/8 w - - 0 1",
    "5k2/8/6P1/5K1p/3b3B/8/8/8 w - - 0 1",
    // Fortresses and blocked positions: nothing to find.
    "7k/6p1/8/8/6P1/7p/7P/3R2BK b - - 0 1",
    "8/5kb1/1p1p1p1p/1PpPpPpP/2P1P1P1/2B1K3/8/8 w - - 0 1",
    "8/3p4/3P4/p3b1k1/P6p/2B5/7P/6K1 b - - 0 1",
    // A mate is near.
    "rn3k1r/5ppp/p7/q7/BQ2p2P/1P2PbP1/P4P2/R3K2R b KQ - 0 20",
    "r7/1p2q2k/3p1p2/1P1Pp3/p3P2p/P2B1P1K/1P3b1P/1R2R3 w - - 2 39",
    "r1b4Q/4k3/ppn1p3/8/2q2P1P/P1N3PR/2P5/R3K3 b Q - 0 27",
    "8/8/3k4/8/8/8/8/R3K3 w Q - 0 1",
    "6k1/pp3ppp/8/8/2q5/8/PP3PPP/3R2K1 w - - 0 1",
    "3r2k1/5ppp/8/8/8/2b5/5PPP/1Q4K1 w - - 0 1",
    // Promotions, with and without check.
    "1n1n4/P1P2k2/8/8/8/8/p1p2K2/1N1N4 w - - 0 1",
    // Chess960, and different setups for each side.
    "nqbrnbkr/pppppppp/8/8/8/8/PPPPPPPP/NQBRNBKR w HDhd - 0 1",
    "rqknnbbr/pppppppp/8/8/8/8/PPPPPPPP/RQKNNBBR w HAha - 0 1",
    "qnbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/RKBRNNQB w DAge - 0 1",
    "qnbnrkrb/p3p1pp/1p3p2/2pp4/3P4/2N1P2P/PPP2PP1/Q1BNRKRB w GEge - 0 5",
    "1n1nrkrb/pq2p1pp/1p3p2/8/3p2P1/2N1P2P/PPP2PK1/Q1BNR1R1 w ge - 0 9",
];

/// The result of one position.
#[derive(Clone, Copy, Debug)]
pub struct PositionResult {
    /// The number of the position, from 1.
    pub number: usize,
    pub fen: &'static str,
    pub nodes: u64,
    pub elapsed: Duration,
    pub best: Option<Move>,
}

/// The sum over all positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The signature.
    pub nodes: u64,
    pub elapsed: Duration,
}

/// Searches every position to `depth`, calls `each` with its result and returns the sum.
///
/// ```
/// let total = lucena::engine::bench::run(1, &mut |result| assert!(result.number > 0));
/// assert!(total.nodes > 0);
/// ```
pub fn run(depth: Depth, each: &mut dyn FnMut(&PositionResult)) -> Total {
    let signal = Arc::<Signal>::default();
    let ticket = signal.issue();
    run_until_stopped(depth, None, &signal, ticket, each).unwrap_or_default()
}

/// As [`run`], with the weights of `model` (`None`: the built-in ones). `None` if `ticket` is stopped before the end.
pub fn run_until_stopped(
    depth: Depth,
    model: Option<&Arc<Model>>,
    signal: &Arc<Signal>,
    ticket: Ticket,
    each: &mut dyn FnMut(&PositionResult),
) -> Option<Total> {
    let mut engine = Engine::with_signal(Arc::clone(signal));
    engine.set_hash(HASH);
    engine.set_threads(1);
    engine.set_model(model.cloned());
    let mut total = Total::default();
    for (number, &fen) in (1..).zip(POSITIONS) {
        let position = Position::from_fen(fen).expect("tests/engine/bench.rs reads every position");
        engine.new_game();
        // If the memory is too small for the TT, the sum differs, which shows the problem.
        let _ = engine.prepare();
        let started = Instant::now();
        let (nodes, best) = search(&mut engine, &Game::new(position), depth, ticket);
        if signal.is_stopped(ticket) {
            return None;
        }
        let elapsed = started.elapsed();
        total.nodes += nodes;
        total.elapsed += elapsed;
        each(&PositionResult {
            number,
            fen,
            nodes,
            elapsed,
            best,
        });
    }
    Some(total)
}

/// Searches one position: its nodes and the best move.
fn search(engine: &mut Engine, game: &Game, depth: Depth, ticket: Ticket) -> (u64, Option<Move>) {
    let counter = Arc::new(NodeCounter::default());
    let listener: Arc<dyn Listener> = Arc::<NodeCounter>::clone(&counter);
    let answer = engine.go(game, Limits::depth(depth), ticket, &listener);
    (counter.nodes.load(Ordering::Relaxed), answer.best)
}

/// Keeps the node count of the last result. Statistics in between depend on the clock and do not count.
#[derive(Debug, Default)]
struct NodeCounter {
    nodes: AtomicU64,
}

impl Listener for NodeCounter {
    fn info(&self, info: &Info<'_>) {
        self.nodes.fetch_max(info.stats.nodes, Ordering::Relaxed);
    }
}
