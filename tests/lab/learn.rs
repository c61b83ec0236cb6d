//! Training: fits find the weights that generated the data, files of weights survive a round trip, and the built-in
//! weights are those of the file.

use std::sync::Arc;

use crate::common::Folder;
use lucena::base::random::Random;
use lucena::chess::{Game, Position, Role, Square};
use lucena::eval::families::{Family, Material, PieceSquare};
use lucena::eval::load::load;
use lucena::eval::weights::{
    Digest, FILE, WEIGHTS, WeightsError, missing, parse, provenance, starting,
};
use lucena::eval::{COUNT, Model, Weight};
use lucena::lab::train::complete::complete;
use lucena::lab::train::corpus::{Corpus, Sample};
use lucena::lab::train::fit::{FitSettings, fit};
use lucena::lab::train::game_record::GameResult;
use lucena::lab::train::{emit, linear, pawn_value, random_opening, win_probability};
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

#[test]
fn the_weights_file_is_compiled_in_and_complete() {
    assert_eq!(parse(FILE).as_ref(), Ok(&WEIGHTS));
    // A new term has zero weights until it is trained: no training is needed to try one.
    let completed = complete(FILE).expect("weights");
    assert!(
        completed.changes.is_empty(),
        "run `lucena weights --complete src/eval/weights.txt --out src/eval/weights.txt`: {:?}",
        completed.changes
    );
    if let Some((_, digest)) = provenance(FILE).find(|(key, _)| *key == "families") {
        assert_eq!(digest, Digest::of_families().to_string());
    }
}

#[test]
fn weights_survive_a_round_trip_through_a_file() {
    let mut random = Random::new(4, 0);
    let mut planted = starting();
    for weight in &mut planted.0 {
        *weight = Weight(std::array::from_fn(|_| random.bits() as i16));
    }
    let hits: Vec<u64> = (0..COUNT as u64).map(|index| index % 3 * 150).collect();
    let text = emit::text(&planted, "seed 4\ndata 123\n", Some(&hits));
    assert_eq!(parse(&text), Ok(planted));
    assert!(missing(&text).is_empty());
    let lines: Vec<_> = provenance(&text).collect();
    assert_eq!(lines, [("seed", "4"), ("data", "123")]);
}

#[test]
fn faulty_files_of_weights_are_refused_with_the_line() {
    let text = emit::text(&starting(), "seed 4\n", None);
    // A family that the file lacks, or has with other sizes, gets zeros; the other families are read.
    let renamed = text.replace("[mobility:", "[agility:");
    assert_eq!(parse(&renamed), Ok(starting()));
    assert_eq!(missing(&renamed), [Family::Mobility]);
    let reshaped = text.replace("[piece-square: 6 32]", "[piece-square: 6 33]");
    assert_eq!(missing(&reshaped), [Family::PieceSquare]);
    assert_eq!(parse(&reshaped), Ok(starting()));
    let line_of = |what: &str| {
        1 + text
            .lines()
            .position(|line| line.starts_with(what))
            .expect("the line")
    };
    let material = line_of("mg 400");
    assert_eq!(parse(""), Err(WeightsError::Version));
    assert_eq!(
        parse(&text.replace("weights 2", "weights 9")),
        Err(WeightsError::Version)
    );
    assert_eq!(
        parse(&text.replacen("mg 400 ", "mg NaN ", 1)),
        Err(WeightsError::Number(material))
    );
    assert_eq!(
        parse(&text.replacen("mg 400 ", "mg 40000 ", 1)),
        Err(WeightsError::Number(material))
    );
    assert_eq!(
        parse(&text.replacen("mg 400 ", "mg ", 1)),
        Err(WeightsError::Count(material))
    );
    assert_eq!(
        parse(&text.replacen("mg 400 ", "mg 400 400 ", 1)),
        Err(WeightsError::Count(material))
    );
    assert_eq!(
        parse(&text.replacen("mg 400 ", "xx 400 ", 1)),
        Err(WeightsError::Line(material))
    );
    let cut = text.rfind("eg").expect("a row");
    assert!(matches!(parse(&text[..cut]), Err(WeightsError::Count(_))));
}

/// Positions of random games, scored by `weights`, with results drawn by the win probability at this scale.
fn planted_corpus(weights: &[linear::RealWeight], wanted: f32) -> Corpus {
    let mut random = Random::new(9, 9);
    let mut reading = linear::FeatureCounts::default();
    let mut corpus = Corpus {
        score_scale: wanted,
        ..Corpus::default()
    };
    while corpus.training.len() < 60_000 {
        let mut position = random_opening::random_opening(&mut random);
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
            reading.read(&position);
            let score = reading.score(weights);
            if score.abs() > 1000.0 {
                continue;
            }
            let probability = win_probability::win_probability(score, wanted);
            let wins = (random.below(1 << 20) as f32) < probability * (1 << 20) as f32;
            let outcome = if wins {
                GameResult::WhiteWins
            } else {
                GameResult::BlackWins
            };
            let part = if random.below(20) == 0 {
                &mut corpus.held_out
            } else {
                &mut corpus.training
            };
            part.push(Sample::new(&position, probability, outcome));
        }
    }
    corpus
}

#[test]
fn a_prior_keeps_what_few_positions_do_not_show() {
    let built_in = linear::to_floats(&WEIGHTS);
    let mut corpus = planted_corpus(&built_in, 100.0);
    corpus.training.truncate(2_000);
    let mut error = |prior| {
        let settings = FitSettings {
            epochs: 2,
            rate: 0.1,
            prior,
            ..FitSettings::default()
        };
        let found = fit(&mut corpus, &settings, &());
        // In units of an average pawn of these positions.
        let factor = 100.0 / pawn_value::mean_pawn_value(&corpus.training, &built_in);
        let mut reading = linear::FeatureCounts::default();
        let errors = corpus.held_out.iter().map(|sample| {
            reading.read(&sample.position());
            let difference = reading.score(&found.weights) - factor * reading.score(&built_in);
            f64::from(difference * difference)
        });
        (errors.sum::<f64>() / corpus.held_out.len() as f64).sqrt()
    };
    let (with, without) = (error(Some(1.0)), error(None));
    assert!(with < 20.0 && without > 50.0, "{with} {without} centipawns");
}

#[test]
fn planted_weights_are_found() {
    let mut planted = starting();
    for file in [Square::D4, Square::C4, Square::B4] {
        planted[PieceSquare::at(Role::Pawn, file)] = Weight::constant(160);
    }
    let weights = linear::to_floats(&planted);
    let mut corpus = planted_corpus(&weights, 200.0);
    let settings = FitSettings {
        lambda: 0.2,
        batch: 2048,
        rate: 4.0,
        ..FitSettings::default()
    };
    let found = fit(&mut corpus, &settings, &());
    // In units of an average pawn, the evaluations are those of the planted weights.
    let factor = 100.0 / pawn_value::mean_pawn_value(&corpus.training, &weights);
    let mut reading = linear::FeatureCounts::default();
    let mut error = 0.0;
    for sample in &corpus.held_out {
        reading.read(&sample.position());
        let difference = reading.score(&found.weights) - factor * reading.score(&weights);
        error += f64::from(difference * difference);
    }
    let error = (error / corpus.held_out.len() as f64).sqrt();
    assert!(error < 15.0, "{error} centipawns of error");
    // The result does not depend on the number of threads.
    let again = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let settings = FitSettings {
            epochs: 1,
            ..settings.clone()
        };
        let mut corpus = corpus.clone();
        corpus.training.truncate(20_000);
        pool.install(|| fit(&mut corpus, &settings, &()).weights)
    };
    assert_eq!(again(1), again(3));
}

#[test]
fn weights_from_a_file_play_as_the_built_in_ones() {
    let folder = Folder::new("weights");
    let path = folder.join("weights.txt");
    lucena::lab::atomic_file::write_bytes(&path, FILE.as_bytes()).expect("a file");
    let same = load(&path).expect("good weights");
    let mut other = starting();
    other[Material::at(Role::Queen)] = Weight::constant(100);
    lucena::lab::atomic_file::write_bytes(&path, emit::text(&other, "", None).as_bytes())
        .expect("a file");
    let other = load(&path).expect("good weights");
    let game = Game::new(
        Position::from_fen("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1")
            .expect("a position"),
    );
    let found = |model: Option<Arc<Model>>| {
        let mut searcher = LocalSearcher::new(4).expect("memory").with_model(model);
        searcher
            .search(&game, Limits::nodes(30_000))
            .expect("moves")
    };
    let built_in = found(None);
    assert_eq!(found(Some(same)), built_in);
    assert_ne!(found(Some(other)), built_in);
}
