//! Writes `src/explain/spread.txt`: how much each concept differs between the best two moves.

use std::fmt::Write as _;
use std::path::Path;

use lucena::explain::{Concept, Explainer, Question};

use crate::positions::own_positions;

const POSITIONS: usize = 10_000;
const NODES: u64 = 2_000;

#[test]
#[ignore = "writes a source file"]
fn spread() {
    let mut explainer = Explainer::new(NODES).expect("memory");
    let mut squares = [0.0; Concept::ALL.len()];
    let mut count = 0;
    for game in own_positions(POSITIONS) {
        let comparison = explainer
            .compare(&game, Question::default())
            .expect("an open game");
        let Some(account) = comparison.account else {
            continue;
        };
        count += 1;
        for concept in Concept::ALL {
            squares[concept as usize] += f64::from(account.get(concept)).powi(2);
        }
    }
    let mut text = format!(
        "# Root mean square of each concept's difference between the best two moves, in centipawns: {count} positions\n\
         # of own games (300 nodes a move), {NODES} nodes each. cargo test --release --test explain -- --ignored spread\n"
    );
    for concept in Concept::ALL {
        let mean = squares[concept as usize] / f64::from(count);
        let _ = writeln!(text, "{} {:.1}", concept.key(), mean.sqrt());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explain/spread.txt");
    std::fs::write(path, text).expect("the file is written");
}
