//! The theory of adversarial search, on real positions: alpha-beta returns the minimax value with fewer nodes, and with
//! fewer still the better the move ordering. Plain minimax with the same rules and evaluation is the reference; the
//! measured table is in `docs/results/`.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::rewrite_table;
use lucena::base::random::Random;
use lucena::base::value::{DRAW, INFINITE, Value, mated_in};
use lucena::chess::{Game, Move, Position, Role};
use lucena::engine::bench::POSITIONS;
use lucena::engine::{Engine, Info, Limits, Listener};
use lucena::eval::{Accumulator, evaluate};

/// The order of attackers and victims.
const ORDER: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// How the moves of a node are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// At random, seeded.
    Random,
    /// Captures first: most valuable victim, least valuable attacker.
    Captures,
    /// The best move of the last iteration, captures, killers.
    Full,
}

/// A textbook search: alpha-beta and nothing else.
struct Textbook {
    order: Order,
    nodes: u64,
    random: Random,
    best: HashMap<u64, Move>,
    killers: [[Option<Move>; 2]; 16],
}

fn leaf(position: &Position) -> Value {
    evaluate(position, &Accumulator::of(position))
}

fn place(role: Option<Role>) -> usize {
    ORDER
        .iter()
        .position(|&known| Some(known) == role)
        .unwrap_or(0)
}

/// The value of a position without legal moves.
fn end(position: &Position, ply: usize) -> Value {
    if position.in_check() {
        mated_in(ply)
    } else {
        DRAW
    }
}

/// The minimax value and a best move.
fn minimax(
    position: &Position,
    depth: usize,
    ply: usize,
    nodes: &mut u64,
) -> (Value, Option<Move>) {
    *nodes += 1;
    let moves = position.legal_moves();
    if moves.is_empty() {
        return (end(position, ply), None);
    }
    if depth == 0 {
        return (leaf(position), None);
    }
    let mut best = (-INFINITE, None);
    for &mv in &moves {
        let value = -minimax(&position.play(mv), depth - 1, ply + 1, nodes).0;
        if value > best.0 {
            best = (value, Some(mv));
        }
    }
    best
}

impl Textbook {
    fn new(order: Order) -> Self {
        Self {
            order,
            nodes: 0,
            random: Random::new(1, 0),
            best: HashMap::new(),
            killers: [[None; 2]; 16],
        }
    }

    /// The value at this depth; by iterative deepening if the move order uses earlier iterations.
    fn search(&mut self, position: &Position, depth: usize) -> (Value, Option<Move>) {
        let first = if self.order == Order::Full { 1 } else { depth };
        let mut found = (0, None);
        for depth in first..=depth {
            found = self.alpha_beta(position, depth, 0, -INFINITE, INFINITE);
        }
        found
    }

    fn alpha_beta(
        &mut self,
        position: &Position,
        depth: usize,
        ply: usize,
        mut alpha: Value,
        beta: Value,
    ) -> (Value, Option<Move>) {
        self.nodes += 1;
        let mut moves = position.legal_moves().to_vec();
        if moves.is_empty() {
            return (end(position, ply), None);
        }
        if depth == 0 {
            return (leaf(position), None);
        }
        self.sort(position, ply, &mut moves);
        let mut best = (-INFINITE, None);
        for mv in moves {
            let value = -self
                .alpha_beta(&position.play(mv), depth - 1, ply + 1, -beta, -alpha)
                .0;
            if value > best.0 {
                best = (value, Some(mv));
                self.best.insert(position.key(), mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if !mv.is_capture() && self.killers[ply][0] != Some(mv) {
                    self.killers[ply] = [Some(mv), self.killers[ply][0]];
                }
                break;
            }
        }
        best
    }

    fn sort(&mut self, position: &Position, ply: usize, moves: &mut [Move]) {
        self.random.shuffle(moves);
        if self.order == Order::Random {
            return;
        }
        let known = self.best.get(&position.key()).copied();
        let role = |square| position.piece_on(square).map(|piece| piece.role());
        moves.sort_by_key(|&mv| {
            let rank = if self.order == Order::Full && known == Some(mv) {
                1000
            } else if mv.is_capture() {
                100 + 10 * place(role(mv.to())) as i32 - place(role(mv.from())) as i32
            } else if self.order == Order::Full && self.killers[ply].contains(&Some(mv)) {
                50
            } else {
                0
            };
            -rank
        });
    }
}

/// Every `step`-th bench position with a legal move.
fn positions(step: usize) -> Vec<Position> {
    let read = |fen: &&str| Position::from_fen(fen).expect("a position of the bench");
    let all = POSITIONS.iter().map(read);
    all.filter(Position::has_legal_move).step_by(step).collect()
}

#[test]
fn alpha_beta_returns_the_minimax_value_and_a_best_move() {
    for position in positions(4) {
        for depth in 1..=3 {
            let mut all = 0;
            let (value, _) = minimax(&position, depth, 0, &mut all);
            for order in [Order::Random, Order::Captures, Order::Full] {
                let mut textbook = Textbook::new(order);
                let (found, best) = textbook.search(&position, depth);
                assert_eq!(found, value, "{position:?} at {depth}");
                let after = position.play(best.expect("a move"));
                let value_after = -minimax(&after, depth - 1, 1, &mut 0).0;
                assert_eq!(value_after, value, "{position:?} at {depth}: {best:?}");
            }
        }
    }
}

/// Of two root moves with equal returned values only the first is proven best: the second value may be a bound.
#[test]
fn an_equal_value_may_be_a_bound() {
    let mut pitfalls = 0;
    for position in positions(4) {
        let (depth, mut alpha, mut seen) = (3, -INFINITE, Vec::new());
        let mut textbook = Textbook::new(Order::Captures);
        let mut moves = position.legal_moves().to_vec();
        textbook.sort(&position, 0, &mut moves);
        for mv in moves {
            let after = position.play(mv);
            let value = -textbook
                .alpha_beta(&after, depth - 1, 1, -INFINITE, -alpha)
                .0;
            alpha = alpha.max(value);
            seen.push((mv, value));
        }
        for &(mv, value) in &seen {
            let value_after = -minimax(&position.play(mv), depth - 1, 1, &mut 0).0;
            assert!(value_after <= value, "{mv:?} in {position:?}");
            pitfalls += u32::from(value == alpha && value_after < alpha);
        }
        let first = seen
            .iter()
            .find(|(_, value)| *value == alpha)
            .expect("a best move");
        assert_eq!(
            -minimax(&position.play(first.0), depth - 1, 1, &mut 0).0,
            alpha
        );
    }
    // The last of the equal moves is wrong somewhere.
    assert!(pitfalls > 0);
}

/// The horizon effect: the bishop on a7 is lost to the rook (a1, then a7). A search of six plies gives up a pawn
/// with check, which pushes the loss beyond its depth; eight plies see through it, and so does Lucena from that depth on.
#[test]
fn checks_push_a_loss_beyond_the_horizon() {
    let position = Position::from_fen("8/b2N2k1/1p2p2p/1P3p2/8/4K3/6P1/7R b - - 0 1");
    let position = position.expect("a position");
    let check = position.parse_move("f5f4").expect("a legal move");
    let chosen = |depth| Textbook::new(Order::Full).search(&position, depth);
    assert_eq!(chosen(6).1, Some(check));
    assert_ne!(chosen(8).1, Some(check));
    for depth in [8, 10, 12] {
        let listener: Arc<dyn Listener> = Arc::<Counter>::default();
        let game = Game::new(position);
        let result = Engine::new().go(&game, Limits::depth(depth), 1, &listener);
        assert_ne!(result.best, Some(check), "depth {depth}");
    }
}

#[derive(Default)]
struct Counter(AtomicU64);

impl Listener for Counter {
    fn info(&self, info: &Info<'_>) {
        self.0.fetch_max(info.stats.nodes, Ordering::Relaxed);
    }
}

/// The nodes of Lucena at this depth.
fn lucena(position: &Position, depth: usize) -> u64 {
    let counter = Arc::new(Counter::default());
    let listener: Arc<dyn Listener> = Arc::<Counter>::clone(&counter);
    let limits = Limits::depth(depth as i32);
    Engine::new().go(&Game::new(*position), limits, 1, &listener);
    counter.0.load(Ordering::Relaxed)
}

/// The nodes of the table, by column and depth.
fn columns(positions: &[Position]) -> Vec<(&'static str, Vec<u64>)> {
    let book = |order: Order, most: usize| -> Vec<u64> {
        let nodes = |depth| {
            let each = positions.iter().map(|position| {
                let mut textbook = Textbook::new(order);
                textbook.search(position, depth);
                textbook.nodes
            });
            each.sum()
        };
        (1..=most).map(nodes).collect()
    };
    let plain = |depth| {
        let mut nodes = 0;
        for position in positions {
            minimax(position, depth, 0, &mut nodes);
        }
        nodes
    };
    let whole = |depth| {
        positions
            .iter()
            .map(|position| lucena(position, depth))
            .sum()
    };
    vec![
        ("minimax", (1..=4).map(plain).collect()),
        ("alpha-beta, random order", book(Order::Random, 5)),
        ("alpha-beta, captures first", book(Order::Captures, 5)),
        (
            "and best move so far, killers, deepening",
            book(Order::Full, 6),
        ),
        ("Lucena", (1..=16).map(whole).collect()),
    ]
}

/// Measures the table and writes it into `docs/results/theory.md`.
#[test]
#[ignore = "minutes; rewrites docs/results/theory.md"]
fn the_table_of_nodes() {
    let positions = positions(8);
    let mut table = format!(
        "\nNodes over {} positions of the bench; `b`, the effective branching factor, is the square root of the\nratio of the nodes to the last depth and to the depth two before, for odd and even depths differ.\n\n| depth |",
        positions.len()
    );
    let columns = columns(&positions);
    for (name, _) in &columns {
        let _ = write!(table, " {name} |");
    }
    let _ = writeln!(table, "\n|--:|{}", "--:|".repeat(columns.len()));
    let deepest = columns
        .iter()
        .map(|(_, nodes)| nodes.len())
        .max()
        .unwrap_or(0);
    for depth in 1..=deepest {
        let _ = write!(table, "| {depth} |");
        for (_, nodes) in &columns {
            let cell = nodes.get(depth - 1).map_or(String::new(), u64::to_string);
            let _ = write!(table, " {cell} |");
        }
        table.push('\n');
    }
    table.push_str("| `b` |");
    for (_, nodes) in &columns {
        let [first, _, last] = nodes[nodes.len() - 3..] else {
            unreachable!("three at least")
        };
        let _ = write!(table, " {:.1} |", (last as f64 / first as f64).sqrt());
    }
    table.push_str("\n\n");
    rewrite_table("docs/results/theory.md", "theory", &table);
}
