//! What an explanation costs beside its searches.

use std::time::Duration;

use cpu_time::ProcessTime;
use lucena::explain::{Explainer, Question};
use lucena::search::limits::Limits;
use lucena::search::local::LocalSearcher;

use crate::positions::{limit, own_positions};

const NODES: u64 = 200_000;

#[test]
#[ignore = "a minute; processor time of the whole process, so it runs alone"]
fn an_explanation_costs_little_more_than_its_searches() {
    let mut explainer = Explainer::new(NODES).expect("memory");
    let mut searcher = LocalSearcher::new(16).expect("memory");
    let (mut explaining, mut searching) = (Duration::ZERO, Duration::ZERO);
    let (mut nodes, mut count) = (0, 0);
    for game in own_positions(limit(100)) {
        let start = ProcessTime::now();
        let explanation = explainer
            .explain(&game, Question::default())
            .expect("an open game");
        explaining += start.elapsed();
        nodes += explanation.nodes;
        count += 1;
        searcher.new_game();
        let start = ProcessTime::now();
        searcher.search(&game, Limits::nodes(NODES));
        searching += start.elapsed();
    }
    println!(
        "{count} explanations of {} nodes: {:.1} ms; a search of {NODES} nodes: {:.1} ms; {:+.1} %",
        nodes / count,
        1000.0 * explaining.as_secs_f64() / count as f64,
        1000.0 * searching.as_secs_f64() / count as f64,
        100.0 * (explaining.as_secs_f64() / searching.as_secs_f64() - 1.0)
    );
}
