//! Figures on the Strategic Test Suite: are the themes named, and do the named concepts decide?

use std::collections::BTreeMap;

use lucena::chess::Game;
use lucena::explain::{Concept, DEFAULT_NODES, Explainer, Explanation, Question, Ranked, Source};

use crate::positions::{limit, nodes, sts};

/// Theme and concepts, a line each.
const THEMES: &str = include_str!("../data/sts_themes.tsv");

fn themes() -> BTreeMap<&'static str, Vec<&'static str>> {
    let lines = THEMES.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| line.split_once('\t').expect("a theme and its concepts"));
    rows.map(|(theme, concepts)| (theme, concepts.split(' ').collect()))
        .collect()
}

#[test]
fn every_theme_names_concepts() {
    let keys = Concept::ALL.map(Concept::key);
    for (theme, concepts) in themes() {
        assert!(!concepts.is_empty());
        for concept in concepts {
            assert!(keys.contains(&concept), "{theme}: {concept}");
        }
    }
}

#[test]
#[ignore = "minutes; reads LUCENA_DATA"]
fn themes_of_the_strategic_test_suite() {
    let mut explainer = Explainer::new(20_000).expect("memory");
    let themes = themes();
    let tops: Vec<(String, Vec<&str>)> = sts(limit(579))
        .into_iter()
        .map(|row| {
            let question = Question {
                mv: Some(row.best),
                ..Question::default()
            };
            let comparison = explainer.compare(&Game::new(row.position), question);
            let ranked: Vec<Ranked> = comparison.expect("a comparison").concepts_of_move();
            let names = ranked.iter().take(3).map(|ranked| ranked.concept.key());
            (row.theme, names.collect())
        })
        .collect();
    let share = |theme: &str, own: bool| {
        let rows = tops.iter().filter(|(of, _)| (of == theme) == own);
        let hits = rows
            .clone()
            .filter(|(_, top)| top.iter().any(|name| themes[theme].contains(name)));
        100.0 * hits.count() as f64 / rows.count().max(1) as f64
    };
    let mut clear = 0;
    for theme in themes.keys() {
        let (own, others) = (share(theme, true), share(theme, false));
        clear += i32::from(own - others >= 30.0);
        println!("{theme:45} own {own:3.0} %, others {others:3.0} %");
    }
    let named = tops
        .iter()
        .filter(|(theme, top)| top.iter().any(|name| themes[theme.as_str()].contains(name)));
    println!(
        "own theme in the top three: {:.1} % of {}; 30 points above the others: {clear} of {} themes",
        100.0 * named.count() as f64 / tops.len() as f64,
        tops.len(),
        themes.len()
    );
}

/// The concept of the first reason.
fn named(explanation: &Explanation) -> Option<Concept> {
    let claim = explanation
        .claims
        .iter()
        .find(|claim| claim.source == Source::Ledger && claim.kind != "cost")?;
    Concept::ALL
        .into_iter()
        .find(|concept| concept.key() == claim.kind)
}

/// How the preference is measured: not as in the explanation's own trials.
#[derive(Clone, Copy, Debug)]
enum Trial {
    /// The lead in one search with so many nodes.
    Single(u64),
    /// The mean lead that `blame` uses, of three searches with so many nodes in all.
    Mean(u64),
}

const TRIALS: [Trial; 3] = [
    Trial::Single(15_000),
    Trial::Single(40_000),
    Trial::Mean(120_000),
];

/// What happens to the preference without a concept, in trials of one size.
#[derive(Default)]
struct Ablation {
    /// Positions in which the search prefers the explained move.
    measured: u32,
    shrunk: u32,
    flipped: u32,
    /// Without an unnamed concept of like size.
    flipped_unnamed: u32,
}

/// A concept that the explanation does not name, as near as can be to the size of one that it does.
fn unnamed(explanation: &Explanation, named: Concept) -> Concept {
    let size = |concept: Concept| {
        let mut ranked = explanation.concepts.iter();
        let ranked = ranked.find(|ranked| ranked.concept == concept);
        ranked.map_or(0.0, |ranked| ranked.difference.abs())
    };
    let is_named = |concept: &Concept| {
        let mut claims = explanation.claims.iter();
        claims.any(|claim| claim.kind == concept.key())
    };
    let distance = |other: &Concept| (size(*other) - size(named)).abs();
    let others = Concept::ALL.into_iter().filter(|other| !is_named(other));
    others
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .expect("other concepts")
}

/// Why no concept is named.
fn refusal(explanation: &Explanation) -> &'static str {
    let account = explanation.account.as_ref().expect("two moves");
    let kinds = explanation.claims.iter().map(|claim| claim.kind.as_str());
    match kinds.clone().next() {
        Some("both_playable") => "both moves are playable",
        _ if kinds.clone().any(|kind| kind.ends_with("mate")) => "mate",
        _ if !account.carries_reasons() => "the remainder is above a quarter",
        _ => "no concept is proved",
    }
}

#[test]
#[ignore = "minutes; reads LUCENA_DATA"]
fn without_the_named_concept_the_preference_shrinks() {
    let mut explainer = Explainer::new(nodes(DEFAULT_NODES)).expect("memory");
    let (mut rows, mut named_rows) = (0, 0);
    let mut refusals: BTreeMap<&str, u32> = BTreeMap::new();
    let mut ablations: [Ablation; TRIALS.len()] = Default::default();
    for row in sts(limit(579)) {
        let game = Game::new(row.position);
        let explanation = explainer
            .explain(&game, Question::default())
            .expect("an explanation");
        rows += 1;
        let Some(concept) = named(&explanation) else {
            *refusals.entry(refusal(&explanation)).or_default() += 1;
            continue;
        };
        named_rows += 1;
        let comparison = &explanation.comparison;
        let worse = comparison.worse.as_ref().expect("two moves");
        let pair = [comparison.better.first(), worse.first()];
        let other = unnamed(&explanation, concept);
        for (trial, ablation) in TRIALS.into_iter().zip(&mut ablations) {
            let mut without = |concepts: &[Concept]| {
                let lead = match trial {
                    Trial::Single(nodes) => {
                        explainer.difference_without(&game, pair, concepts, nodes)
                    }
                    Trial::Mean(nodes) => explainer.mean_lead_without(&game, pair, concepts, nodes),
                };
                lead.expect("a search")
            };
            let whole = without(&[]);
            if whole <= 0 {
                continue;
            }
            let left = without(&[concept]);
            ablation.measured += 1;
            ablation.shrunk += u32::from(left < whole);
            ablation.flipped += u32::from(left <= 0);
            ablation.flipped_unnamed += u32::from(without(&[other]) <= 0);
        }
    }
    println!("{rows} positions, {named_rows} with a concept named; otherwise {refusals:?}");
    for (trial, ablation) in TRIALS.into_iter().zip(ablations) {
        let percent = |count| 100.0 * f64::from(count) / f64::from(ablation.measured.max(1));
        println!(
            "{trial:?} prefers the move in {}: without the concept the preference shrinks in {:.1} %, the choice flips in {:.1} %; without another concept in {:.1} %",
            ablation.measured,
            percent(ablation.shrunk),
            percent(ablation.flipped),
            percent(ablation.flipped_unnamed)
        );
    }
}
