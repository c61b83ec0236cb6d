//! Analyses a position: the lines of a search as they are found, the best move, the tablebases and the book.
//!
//! `cargo run --release --example analyse -- "startpos e4 e5" [NODES]`

use std::error::Error;

use lucena::engine::{Bound, normalise};
use lucena::{Engine, Game, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::from_words(&arguments.next().unwrap_or_else(|| "startpos".into()))?;
    let nodes = arguments.next().map_or(Ok(200_000), |text| text.parse())?;
    let mut engine = Engine::builder().hash(32).multi_pv(2).build()?;

    let root = *game.position();
    let result = engine.search_with(&game, Limits::nodes(nodes), move |info| {
        if info.bound == Bound::Exact && info.multi_pv == 1 {
            let score = normalise(&root, info.score);
            println!(
                "depth {:>2}  {score:?}  {}",
                info.depth,
                root.san(info.pv[0])
            );
        }
    });
    for line in &result.lines {
        let mut position = root;
        let mut moves = Vec::new();
        for &mv in &line.pv {
            moves.push(position.san(mv).to_string());
            position = position.play(mv);
        }
        println!("{:?}  {}", normalise(&root, line.score), moves.join(" "));
    }
    for found in engine.book(&game)? {
        println!("book {} {}", root.san(found.mv), found.weight);
    }
    if let Some(value) = engine.tablebase(&root) {
        println!("tablebase {}", value.text);
    }
    Ok(())
}
