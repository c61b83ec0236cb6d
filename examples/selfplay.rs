//! Plays training games of the engine against itself and reads them back.
//!
//! `cargo run --release --example selfplay -- FOLDER [GAMES] [NODES]`

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use lucena::selfplay::{
    GameReader, GamesSummary, OpeningSource, SelfPlayPlan, SelfPlayStats, files_in, play_all,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, numbers)) = arguments.split_first() else {
        eprintln!("usage: selfplay FOLDER [GAMES] [NODES]");
        return ExitCode::from(2);
    };
    match play(Path::new(folder), numbers) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(folder: &Path, numbers: &[String]) -> Result<(), Box<dyn Error>> {
    let plan = SelfPlayPlan {
        games: numbers.first().map_or(Ok(4), |text| text.parse())?,
        seed: 1,
        nodes: numbers.get(1).map_or(Ok(500), |text| text.parse())?,
        threads: 1,
        model: None,
        shard: None,
        openings: OpeningSource::Random,
    };
    // A second run continues where a first one was killed.
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    play_all(folder, &plan, &SelfPlayStats::default(), &())?;
    for path in files_in(folder)? {
        let summary = GamesSummary::of(&mut GameReader::open(&path)?, true)?;
        println!("{} games, {} positions", summary.games, summary.positions);
    }
    Ok(())
}
