//! Max^n (Luckhardt and Irani 1986): search for more than two players. Each player takes the move that is best for itself.

/// A tree for three players, who move in turn.
pub enum Players {
    /// The values for the three.
    Leaf([i32; 3]),
    Inner(Vec<Players>),
}

/// The values if all play best and `to_move` begins. Of equal moves the first is taken.
pub fn max_n(tree: &Players, to_move: usize) -> [i32; 3] {
    match tree {
        Players::Leaf(values) => *values,
        Players::Inner(children) => {
            let mut values = children.iter().map(|child| max_n(child, (to_move + 1) % 3));
            let first = values.next().expect("an inner node has children");
            values.fold(first, |best, next| {
                if next[to_move] > best[to_move] {
                    next
                } else {
                    best
                }
            })
        }
    }
}
