//! The identity: the difference of two scores is the sum of its lines, to 1/96 centipawn.

use lucena::chess::Color;
use lucena::eval::{Family, UNITS_PER_CENTIPAWN};
use lucena::explain::{Claim, Explainer, Ledger, MoveComparison, Question, Share};

use crate::positions::{limit, own_positions};

/// Nodes of each explanation.
const NODES: u64 = 2_000;

/// The difference of the ends of two lines, by the ledger's families.
fn families(comparison: &MoveComparison) -> i32 {
    let worse = comparison.worse.as_ref().expect("two moves");
    let sign = if comparison.root().turn() == Color::White {
        1
    } else {
        -1
    };
    let sum = |position| -> i32 {
        Ledger::of(position)
            .families
            .iter()
            .map(|line| line.exact)
            .sum()
    };
    assert_eq!(
        Family::ALL.len(),
        Ledger::of(comparison.root()).families.len()
    );
    sign * (sum(comparison.better.last()) - sum(worse.last()))
}

fn check(count: usize) -> Vec<f64> {
    let mut explainer = Explainer::new(NODES).expect("memory");
    let mut shares = Vec::new();
    let mut compared = 0;
    for game in own_positions(count) {
        let comparison = explainer
            .compare(&game, Question::default())
            .expect("an open game");
        let Some(account) = &comparison.account else {
            continue;
        };
        compared += 1;
        let worse = comparison.worse.as_ref().expect("two moves");
        assert!(comparison.better.score >= worse.score);
        let concepts: i32 = account.concepts.iter().sum();
        assert_eq!(concepts, families(&comparison));
        let Share(difference) = account.difference;
        assert_eq!(
            difference,
            UNITS_PER_CENTIPAWN * (comparison.better.score - worse.score)
        );
        assert_eq!(
            difference,
            concepts + account.correction.0 + account.scaling.0 + account.remainder.0
        );
        assert!(account.scaling.0.abs() < 2 * UNITS_PER_CENTIPAWN);
        if difference > 10 * UNITS_PER_CENTIPAWN {
            shares.push(f64::from(account.remainder.0.abs()) / f64::from(difference));
        }
    }
    println!("{compared} differences, all itemised");
    shares
}

#[test]
fn the_lines_of_an_account_add_up() {
    check(100);
}

#[test]
#[ignore = "a minute: 10,000 positions"]
fn ten_thousand_accounts_add_up() {
    let mut shares = check(limit(10_000));
    shares.sort_by(f64::total_cmp);
    let at = |percent: usize| shares[(shares.len() - 1) * percent / 100];
    let carried = shares.iter().filter(|&&share| share <= 0.25).count();
    println!(
        "{} of more than 0.10: remainder up to a quarter in {:.1} %; median {:.3}, 75 % {:.3}, 90 % {:.3}",
        shares.len(),
        100.0 * carried as f64 / shares.len() as f64,
        at(50),
        at(75),
        at(90)
    );
}

/// What a move costs is no reason for it.
#[test]
fn a_cost_never_stands_alone() {
    let mut explainer = Explainer::new(40_000).expect("memory");
    let mut costs = 0;
    for game in own_positions(80) {
        let explanation = explainer.explain(&game, Question::default());
        let claims = explanation.expect("an open game").claims;
        if claims.iter().any(|claim| claim.kind == "cost") {
            costs += 1;
            let is_reason = |claim: &Claim| claim.kind != "verdict" && claim.kind != "cost";
            assert!(claims.iter().any(is_reason), "{claims:?}");
        }
    }
    assert!(costs > 0, "no position shows a cost");
}
