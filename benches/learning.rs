//! The cost of evaluation, training games and training, in processor time of one thread, on positions of games played first:
//! `cargo bench --bench learning`. For the share of the evaluation in a search see `benches/share.py`.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};
use lucena::chess::Position;
use lucena::engine::bench;
use lucena::eval::{Accumulator, AttackMaps, BUILT_IN, PawnCache, evaluate, evaluate_cached};
use lucena::lab::train::corpus::{Corpus, Filter, Sample};
use lucena::lab::train::fit::{FitSettings, fit};
use lucena::lab::train::game_record::GameRecord;
use lucena::lab::train::random_opening::OpeningSource;
use lucena::lab::train::selfplay::{SelfPlayPlan, play};
use lucena::lab::train::win_probability::win_probability;
use lucena::search::local::LocalSearcher;

/// Games to play, and nodes per move.
const GAMES: u64 = 24;
const NODES: u64 = 1000;
/// Rounds, of which the median counts, and evaluations of each position per round.
const ROUNDS: usize = 9;
const REPEATS: usize = 20;
/// Positions to train on.
const SAMPLES: usize = 400_000;
/// Scale of the win probability of a search score, in centipawns; any does.
const SCALE: f32 = 100.0;

/// The median time of a call for a position, in nanoseconds.
fn measure<T>(positions: &[Position], mut call: impl FnMut(&Position) -> T) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = ThreadTime::now();
            for _ in 0..REPEATS {
                for position in positions {
                    black_box(call(black_box(position)));
                }
            }
            start.elapsed().as_nanos() as f64 / (REPEATS * positions.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// Plays games and prints the speed.
fn play_games() -> Vec<GameRecord> {
    let plan = SelfPlayPlan {
        games: GAMES,
        seed: 1,
        nodes: NODES,
        shard: None,
        threads: 1,
        model: None,
        openings: OpeningSource::Random,
    };
    let mut searcher = LocalSearcher::new(4).expect("memory");
    let start = ThreadTime::now();
    let games: Vec<GameRecord> = (0..GAMES)
        .map(|number| play(number, &plan, &mut searcher))
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let (all, kept) = (
        games.iter().map(|game| game.plies.len()).sum::<usize>(),
        samples(&games).len(),
    );
    println!("generation at {NODES} nodes: {GAMES} games, {all} positions, {kept} kept");
    println!("  {:.0} kept positions/s", kept as f64 / seconds);
    games
}

fn samples(games: &[GameRecord]) -> Vec<Sample> {
    let filter = Filter::default();
    let mut samples = Vec::new();
    for game in games {
        let kept = (game.positions()).filter(|(position, ply)| filter.keeps(position, *ply));
        samples.extend(kept.map(|(position, ply)| {
            let chance = win_probability(f32::from(ply.score), SCALE);
            Sample::new(&position, chance, game.outcome)
        }));
    }
    samples
}

fn evaluation(games: &[GameRecord]) {
    let positions = games.iter().flat_map(GameRecord::positions);
    let positions: Vec<Position> = positions.map(|(position, _)| position).collect();
    let accumulators: Vec<Accumulator> = positions.iter().map(Accumulator::of).collect();
    println!("evaluation, ns for a position ({})", positions.len());
    println!(
        "  attack maps         {:6.0}",
        measure(&positions, AttackMaps::of)
    );
    println!(
        "  accumulator         {:6.0} (the search updates it move by move)",
        measure(&positions, |position| BUILT_IN.accumulator(position))
    );
    let mut index = 0;
    let mut next = || {
        index = (index + 1) % accumulators.len();
        accumulators[(index + accumulators.len() - 1) % accumulators.len()]
    };
    println!(
        "  whole, no caches    {:6.0}",
        measure(&positions, |position| evaluate(position, &next()))
    );
    let (mut index, mut cache) = (0, PawnCache::new());
    let mut next = || {
        index = (index + 1) % accumulators.len();
        accumulators[(index + accumulators.len() - 1) % accumulators.len()]
    };
    println!(
        "  whole, warm caches  {:6.0}",
        measure(&positions, |position| {
            evaluate_cached(position, &next(), &mut cache).0
        })
    );
}

fn search() {
    let start = ProcessTime::now();
    let total = bench::run(bench::DEPTH, &mut |_| {});
    let nanoseconds = start.elapsed().as_nanos() as f64;
    println!("search, ns for a node ({})", total.nodes);
    println!(
        "  whole               {:6.0}",
        nanoseconds / total.nodes as f64
    );
}

fn training(games: &[GameRecord]) {
    let few = samples(games);
    let mut corpus = Corpus {
        training: few.iter().copied().cycle().take(SAMPLES).collect(),
        held_out: few.clone(),
        ..Corpus::default()
    };
    let settings = |epochs| FitSettings {
        epochs,
        ..FitSettings::default()
    };
    let mut time = |epochs| -> Duration {
        let start = ProcessTime::now();
        black_box(fit(&mut corpus, &settings(epochs), &()));
        start.elapsed()
    };
    // The difference leaves out what is done once for all epochs.
    let (one, four) = (time(1).as_secs_f64(), time(4).as_secs_f64());
    println!("training, positions/s of one processor");
    println!(
        "  one epoch           {:6.0}",
        SAMPLES as f64 * 3.0 / (four - one)
    );
}

fn main() {
    let games = play_games();
    evaluation(&games);
    search();
    training(&games);
}
