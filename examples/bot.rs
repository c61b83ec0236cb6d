//! A bot for a server whose events arrive as lines of JSON on standard input, in the form of lichess' game stream; it
//! answers each position where it is to move with a line of JSON on standard output. The argument is its own id.
//!
//! ```text
//! {"type":"gameFull","white":{"id":"lucena"},"black":{"id":"you"},"initialFen":"startpos","state":{"moves":"","wtime":60000}}
//! {"type":"gameState","moves":"e2e4 e7e5","wtime":59000,"winc":0}
//! ```

use std::env;
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
        let is_on = matches!(state["status"].as_str(), None | Some("created" | "started"));
        if game.position().turn() != self.color || game.end().is_some() || !is_on {
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

/// The colour that a player has in a game.
fn color_of(player: &str, event: &Value) -> Option<Color> {
    let is = |color: &str| event[color]["id"] == player;
    match (is("white"), is("black")) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Black),
        _ => None,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let player = env::args().nth(1).ok_or("usage: bot ID")?;
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
                let Some(color) = color_of(&player, &event) else {
                    println!("{}", json!({ "error": format!("not a game of {player}") }));
                    continue;
                };
                bot.engine.new_game();
                bot.color = color;
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
