//! The game trees that textbooks draw: minimax, the leaves that alpha-beta does not visit, and a tree for three players.
//!
//! `cargo run --example textbook_trees`

mod max_n;
mod search;

use std::cell::RefCell;
use std::rc::Rc;

use max_n::{Players, max_n};
use search::{Counts, Game, INFINITE, alpha_beta, minimax};

/// A tree whose leaves have names and values for the player who moves first.
enum Tree {
    Leaf(&'static str, i32),
    Inner(Vec<Tree>),
}

/// A node of a tree, which notes the leaves that a search visits.
#[derive(Clone)]
struct Node<'a> {
    tree: &'a Tree,
    first_to_move: bool,
    visited: Rc<RefCell<Vec<&'static str>>>,
}

impl Game for Node<'_> {
    type Move = usize;

    fn moves(&self) -> Vec<usize> {
        match self.tree {
            Tree::Leaf(..) => Vec::new(),
            Tree::Inner(children) => (0..children.len()).collect(),
        }
    }

    fn play(&self, index: usize) -> Self {
        let Tree::Inner(children) = self.tree else {
            unreachable!("a leaf has no moves")
        };
        Self {
            tree: &children[index],
            first_to_move: !self.first_to_move,
            visited: Rc::clone(&self.visited),
        }
    }

    fn utility(&self) -> i32 {
        let Tree::Leaf(name, value) = self.tree else {
            unreachable!("only a leaf is at the end")
        };
        self.visited.borrow_mut().push(name);
        if self.first_to_move { *value } else { -value }
    }
}

fn leaves(names: [&'static str; 3], values: [i32; 3]) -> Tree {
    let leaf = |index| Tree::Leaf(names[index], values[index]);
    Tree::Inner((0..3).map(leaf).collect())
}

/// The tree of Russell and Norvig's chapter on adversarial search: three replies to each of three moves.
fn two_plies() -> Tree {
    Tree::Inner(vec![
        leaves(["b1", "b2", "b3"], [3, 12, 8]),
        leaves(["c1", "c2", "c3"], [2, 4, 6]),
        leaves(["d1", "d2", "d3"], [14, 5, 2]),
    ])
}

/// A tree in which two moves return the same value to the root, and only the first is best: the second returns a bound,
/// and its exact value, -5, is behind the cut-off.
fn equal_bounds() -> Tree {
    Tree::Inner(vec![
        Tree::Inner(vec![Tree::Leaf("b1", 3), Tree::Leaf("b2", 7)]),
        Tree::Inner(vec![Tree::Leaf("c1", 3), Tree::Leaf("c2", -5)]),
    ])
}

/// A search's value and the leaves it visited.
fn visited(tree: &Tree, search: impl FnOnce(&Node) -> i32) -> (i32, Vec<&'static str>) {
    let root = Node {
        tree,
        first_to_move: true,
        visited: Rc::default(),
    };
    let value = search(&root);
    let visited = root.visited.borrow().clone();
    (value, visited)
}

fn by_minimax(node: &Node) -> i32 {
    minimax(node, &mut Counts::default())
}

fn by_alpha_beta(node: &Node) -> i32 {
    alpha_beta(
        node,
        usize::MAX,
        -INFINITE,
        INFINITE,
        &mut Counts::default(),
    )
}

/// The same textbook's tree for three players.
fn three_players() -> Players {
    let leaf = |a, b, c| Players::Leaf([a, b, c]);
    let pair = |left, right| Players::Inner(vec![left, right]);
    pair(
        pair(
            pair(leaf(1, 2, 6), leaf(4, 2, 3)),
            pair(leaf(6, 1, 2), leaf(7, 4, 1)),
        ),
        pair(
            pair(leaf(5, 1, 1), leaf(1, 5, 2)),
            pair(leaf(7, 7, 1), leaf(5, 4, 5)),
        ),
    )
}

fn main() {
    for (name, tree) in [("two plies", two_plies()), ("equal bounds", equal_bounds())] {
        let (value, all) = visited(&tree, by_minimax);
        println!("{name}: minimax value {value}, {} leaves", all.len());
        let (value, some) = visited(&tree, by_alpha_beta);
        let cut: Vec<_> = all.iter().filter(|leaf| !some.contains(leaf)).collect();
        println!("{name}: alpha-beta value {value}, not visited: {cut:?}");
    }
    println!(
        "three players: max^n value {:?}",
        max_n(&three_players(), 0)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_cut_leaves_are_those_of_the_textbook() {
        let (value, all) = visited(&two_plies(), by_minimax);
        assert_eq!((value, all.len()), (3, 9));
        let (value, some) = visited(&two_plies(), by_alpha_beta);
        assert_eq!(value, 3);
        assert_eq!(some, ["b1", "b2", "b3", "c1", "d1", "d2", "d3"]);
    }

    #[test]
    fn the_second_of_two_equal_values_is_a_bound() {
        let tree = equal_bounds();
        let (value, some) = visited(&tree, by_alpha_beta);
        assert_eq!((value, some), (3, vec!["b1", "b2", "c1"]));
        let exact = |node: &Node| -minimax(&node.play(1), &mut Counts::default());
        assert_eq!(visited(&tree, exact).0, -5);
    }

    #[test]
    fn max_n_gives_the_textbook_vector() {
        assert_eq!(max_n(&three_players(), 0), [1, 2, 6]);
    }
}
