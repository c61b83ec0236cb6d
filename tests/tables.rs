//! The generator of endgame tables against published numbers.
//! Uses: tablebase. Idea: counts of wins, draws and losses and the longest lines leave no room for a wrong solver.

use lucena::tablebase::generate::{Material, Workshop};

/// Published numbers of all tables with three to five men (see tablebases/README.md).
const STATISTICS: &str = include_str!("../tablebases/statistics.csv");

/// The published numbers of a table.
fn published(table: &str) -> &'static str {
    let mut lines = STATISTICS.lines().filter_map(|line| line.split_once(','));
    lines
        .find(|(name, _)| *name == table)
        .expect("a published table")
        .1
}

fn check(workshop: &Workshop, material: Material) {
    let start = std::time::Instant::now();
    let found = workshop.statistics(material).to_string();
    eprintln!("{material} {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(found, published(&material.to_string()), "{material}");
}

#[test]
fn three_men_have_the_published_statistics() {
    let workshop = Workshop::default();
    for material in Material::all(3) {
        check(&workshop, material);
    }
}

#[test]
#[ignore = "a minute"]
fn four_men_have_the_published_statistics() {
    let workshop = Workshop::default();
    for material in Material::all(4) {
        check(&workshop, material);
    }
}

/// `LUCENA_TABLES="KRBvKR KNNvKQ"` names tables with five men.
#[test]
#[ignore = "minutes"]
fn named_tables_have_the_published_statistics() {
    let workshop = Workshop::default();
    for name in std::env::var("LUCENA_TABLES")
        .unwrap_or_default()
        .split_whitespace()
    {
        check(&workshop, name.parse().expect("a name"));
    }
}
