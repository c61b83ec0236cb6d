//! Plays a game of the engine against a player of a rating, and prints its moves and its end.
//!
//! `cargo run --release --example play -- [RATING] [NODES]`

use std::error::Error;

use lucena::chess::Color;
use lucena::level::{LevelSettings, Means, Player, Scene};
use lucena::{Engine, Game, Limits, Position};

/// A game that is longer is given up.
const MAX_PLIES: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rating = arguments.next().map_or(Ok(1500), |text| text.parse())?;
    let nodes = arguments.next().map_or(Ok(5_000), |text| text.parse())?;
    let mut engine = Engine::builder().hash(4).own_book(true).build()?;
    let (mut player, settings) = (Player::default(), LevelSettings::of(rating));
    let mut scene = Scene::new(Game::new(Position::startpos()));
    for _ in 0..MAX_PLIES {
        let position = *scene.game().position();
        if let Some(end) = scene.game().end() {
            println!("{end}");
            return Ok(());
        }
        let mv = if position.turn() == Color::White {
            engine.search(scene.game(), Limits::nodes(nodes)).best
        } else {
            let chosen = player.choose(&scene, &settings, &Means::default())?;
            chosen.map(|chosen| chosen.mv)
        };
        let mv = mv.ok_or("no move")?;
        println!("{:?} {}", position.turn(), position.san(mv));
        scene.play(mv);
    }
    println!("unfinished");
    Ok(())
}
