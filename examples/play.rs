//! Plays a game of the engine against a player of a rating, and prints its moves and its end.
//!
//! `cargo run --release --example play -- [RATING] [NODES]`, a rating from 800 to 2200

use std::error::Error;

use lucena::chess::Color;
use lucena::level::{GameView, LevelSettings, MODEL_UP_TO, Player, RATINGS, SearchSetup};
use lucena::{Engine, Game, Limits, Position};

/// A game that is longer is given up.
const MAX_PLIES: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rating = arguments.next().map_or(Ok(1500), |text| text.parse())?;
    let nodes = arguments.next().map_or(Ok(5_000), |text| text.parse())?;
    if !(RATINGS[0]..=MODEL_UP_TO).contains(&rating) {
        return Err(format!("a rating from {} to {MODEL_UP_TO}", RATINGS[0]).into());
    }
    let mut engine = Engine::builder().hash(4).own_book(true).build()?;
    let (mut player, settings) = (Player::default(), LevelSettings::of(rating));
    let mut view = GameView::new(Game::new(Position::startpos()));
    for _ in 0..MAX_PLIES {
        let position = *view.game().position();
        if let Some(end) = view.game().end() {
            println!("{end}");
            return Ok(());
        }
        let mv = if position.turn() == Color::White {
            engine.search(view.game(), Limits::nodes(nodes)).best
        } else {
            let chosen = player.choose(&view, &settings, &SearchSetup::default())?;
            chosen.map(|chosen| chosen.mv)
        };
        let mv = mv.ok_or("no move")?;
        println!("{:?} {}", position.turn(), position.san(mv));
        view.play(mv);
    }
    println!("unfinished");
    Ok(())
}
