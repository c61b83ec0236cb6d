//! UCT (Kocsis and Szepesvári 2006): Monte Carlo tree search without knowledge. Each play-out goes down the tree by upper
//! confidence bounds, adds one node, and ends with random moves.

use lucena::base::random::Random;

use super::search::Game;

/// Weight of moves seldom tried. In theory the square root of two, for results between 0 and 1; here they go from -1 to 1.
const EXPLORATION: f64 = 1.4;

struct Node<G: Game> {
    game: G,
    /// Moves without a child.
    untried: Vec<G::Move>,
    children: Vec<(G::Move, usize)>,
    visits: f64,
    /// Sum of results for the player who moved to this node.
    results: f64,
}

impl<G: Game> Node<G> {
    fn new(game: G) -> Self {
        Self {
            untried: game.moves(),
            game,
            children: Vec::new(),
            visits: 0.0,
            results: 0.0,
        }
    }
}

/// The move with the most visits after this many play-outs of a game that is not over.
pub fn uct<G: Game>(game: &G, playouts: usize, random: &mut Random) -> G::Move {
    let mut tree = vec![Node::new(game.clone())];
    for _ in 0..playouts {
        let mut path = vec![0];
        let mut at = 0;
        while tree[at].untried.is_empty() && !tree[at].children.is_empty() {
            at = select(&tree, at);
            path.push(at);
        }
        if !tree[at].untried.is_empty() {
            let pick = random.below(tree[at].untried.len());
            let mv = tree[at].untried.swap_remove(pick);
            let child = tree[at].game.play(mv);
            let index = tree.len();
            tree.push(Node::new(child));
            tree[at].children.push((mv, index));
            path.push(index);
            at = index;
        }
        // The result is for the player to move at the leaf; the player who moved to it has the opposite.
        let mut result = -play_out(&tree[at].game, random);
        for &node in path.iter().rev() {
            tree[node].visits += 1.0;
            tree[node].results += f64::from(result);
            result = -result;
        }
    }
    let best = tree[0]
        .children
        .iter()
        .max_by(|a, b| tree[a.1].visits.total_cmp(&tree[b.1].visits));
    best.expect("the game is not over").0
}

/// The child with the greatest upper confidence bound (Auer, Cesa-Bianchi and Fischer 2002).
fn select<G: Game>(tree: &[Node<G>], parent: usize) -> usize {
    let log = tree[parent].visits.ln();
    let bound = |index: usize| {
        let node = &tree[index];
        node.results / node.visits + EXPLORATION * (log / node.visits).sqrt()
    };
    let children = tree[parent].children.iter().map(|&(_, index)| index);
    children
        .max_by(|&a, &b| bound(a).total_cmp(&bound(b)))
        .expect("a parent")
}

/// The result of random moves to the end, for the player to move.
fn play_out<G: Game>(game: &G, random: &mut Random) -> i32 {
    let mut game = game.clone();
    let mut sign = 1;
    loop {
        let moves = game.moves();
        if moves.is_empty() {
            return sign * game.utility();
        }
        game = game.play(moves[random.below(moves.len())]);
        sign = -sign;
    }
}
