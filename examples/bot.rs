//! A bot for a server whose events arrive as lines of JSON on standard input, in the form of lichess' game stream; it
//! answers each position where it is to move with a line of JSON on standard output.
//!
//! ```text
//! {"type":"gameFull","color":"white","initialFen":"startpos","state":{"moves":"","wtime":60000,"winc":0}}
//! {"type":"gameState","moves":"e2e4 e7e5","wtime":59000,"winc":0}
//! ```

use std::error::Error;
use std::io::{BufRead, stdin};

use lucena::api::{GameRequest, LimitsRequest};
use lucena::chess::Color;
use lucena::{Engine, Limits};
use serde_json::{Value, json};

/// The game being played.
struct Bot {
    engine: Engine,
    color: Color,
    fen: String,
}

impl Bot {
    /// The answer to the state of a game, if it is ours to move.
    fn answer(&mut self, state: &Value) -> Result<Option<Value>, Box<dyn Error>> {
        let request = GameRequest {
            fen: self.fen.clone(),
            moves: state["moves"].as_str().unwrap_or_default().to_owned(),
        };
        let game = request.read()?.game;
        if game.position().turn() != self.color || game.end().is_some() {
            return Ok(None);
        }
        let time = |name: &str| state[name].as_u64();
        let clock = LimitsRequest {
            wtime: time("wtime"),
            btime: time("btime"),
            winc: time("winc"),
            binc: time("binc"),
            ..LimitsRequest::default()
        };
        let limits = clock.limits(self.color)?;
        // A game without a clock.
        let limits = if limits.is_endless() {
            Limits::depth(10)
        } else {
            limits
        };
        let best = self.engine.search(&game, limits).best;
        Ok(best.map(|mv| json!({ "move": game.position().uci(mv) })))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::builder().own_book(true).build()?;
    let (color, fen) = (Color::White, "startpos".to_owned());
    let mut bot = Bot { engine, color, fen };
    for line in stdin().lock().lines() {
        let Ok(event) = serde_json::from_str::<Value>(&line?) else {
            println!("{}", json!({ "error": "not a line of JSON" }));
            continue;
        };
        let state = match event["type"].as_str() {
            Some("gameFull") => {
                bot.engine.new_game();
                bot.color = Color::from_white(event["color"] != "black");
                bot.fen = event["initialFen"]
                    .as_str()
                    .unwrap_or("startpos")
                    .to_owned();
                &event["state"]
            }
            Some("gameState") => &event,
            // Chat and other events.
            _ => continue,
        };
        match bot.answer(state) {
            Ok(Some(answer)) => println!("{answer}"),
            Ok(None) => {}
            Err(error) => println!("{}", json!({ "error": error.to_string() })),
        }
    }
    Ok(())
}
