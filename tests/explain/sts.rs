//! Figures on the Strategic Test Suite: are the themes named, and do the named concepts decide?

use std::collections::BTreeMap;

use lucena::chess::Game;
use lucena::explain::{Concept, Explainer, Explanation, Question, Ranked, Source};

use crate::positions::{limit, sts};

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

#[test]
#[ignore = "minutes; reads LUCENA_DATA"]
fn without_the_named_concept_the_preference_shrinks() {
    const NODES: u64 = 100_000;
    /// Not the nodes of the explanation's own trials.
    const TRIAL: u64 = 15_000;
    let mut explainer = Explainer::new(NODES).expect("memory");
    let (mut rows, mut explained, mut shrunk) = (0, 0, 0);
    let mut flips = [0, 0];
    for row in sts(limit(500)) {
        let game = Game::new(row.position);
        let explanation = explainer
            .explain(&game, Question::default())
            .expect("an explanation");
        rows += 1;
        let Some(concept) = named(&explanation) else {
            continue;
        };
        let pair = [
            explanation.comparison.better.first(),
            explanation
                .comparison
                .worse
                .as_ref()
                .expect("two moves")
                .first(),
        ];
        let size = |concept: Concept| {
            let ranked = explanation
                .concepts
                .iter()
                .find(|ranked| ranked.concept == concept);
            ranked.map_or(0.0, |ranked| ranked.difference.abs())
        };
        let is_named = |concept: Concept| {
            explanation
                .claims
                .iter()
                .any(|claim| claim.kind == concept.key())
        };
        let unnamed = Concept::ALL.into_iter().filter(|&other| !is_named(other));
        let unnamed = unnamed.min_by(|&one, &other| {
            let distance = |other| (size(other) - size(concept)).abs();
            distance(one).total_cmp(&distance(other))
        });
        let mut without = |concepts: &[Concept]| {
            explainer
                .difference_without(&game, pair, concepts, TRIAL)
                .expect("a search")
        };
        let whole = without(&[]);
        if whole <= 0 {
            continue;
        }
        explained += 1;
        let left = without(&[concept]);
        shrunk += i32::from(left < whole);
        flips[0] += i32::from(left <= 0);
        flips[1] += i32::from(without(&[unnamed.expect("other concepts")]) <= 0);
    }
    println!(
        "{rows} positions, {explained} with a reason: without it the preference shrinks in {:.1} %, the choice flips in {:.1} %; without another concept in {:.1} %",
        100.0 * f64::from(shrunk) / f64::from(explained),
        100.0 * f64::from(flips[0]) / f64::from(explained),
        100.0 * f64::from(flips[1]) / f64::from(explained)
    );
}
