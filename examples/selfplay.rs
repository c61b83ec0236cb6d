//! Plays training games of the engine against itself and reads them back.
//!
//! `cargo run --release --example selfplay -- FOLDER [GAMES] [NODES]`

use std::error::Error;
use std::path::PathBuf;

use lucena::selfplay::{GameReader, GamesSummary, SelfPlayPlan, SelfPlayStats, files_in, play_all};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("a folder is needed")?);
    let plan = SelfPlayPlan {
        games: arguments.next().map_or(Ok(4), |text| text.parse())?,
        seed: 1,
        nodes: arguments.next().map_or(Ok(500), |text| text.parse())?,
        threads: 1,
        model: None,
        shard: None,
    };
    // A second run continues where a first one was killed.
    std::fs::create_dir_all(&folder)?;
    play_all(&folder, &plan, &SelfPlayStats::default(), &())?;
    for path in files_in(&folder)? {
        let summary = GamesSummary::of(&mut GameReader::open(&path)?, true)?;
        println!("{} games, {} positions", summary.games, summary.positions);
    }
    Ok(())
}
