//! The ledger of an evaluation: its lines add up, as data, text and JSON.

use crate::common::Random;
use crate::common::evaluation::{built_in_model, random_model, random_positions};
use lucena::chess::Position;
use lucena::eval::{Family, PHASE_MAXIMUM, UNITS_PER_CENTIPAWN};
use lucena::explain::Ledger;

/// The lines of a ledger add up to its total exactly, as data and as printed.
#[test]
fn the_ledger_adds_up_to_the_printed_total() {
    let mut random = Random::new(4);
    let models = [
        built_in_model(),
        random_model(&mut random),
        random_model(&mut random),
    ];
    for position in random_positions(4, 21) {
        for model in &models {
            let ledger = Ledger::by(model, &position);
            let families: i32 = ledger.families.iter().map(|line| line.exact).sum();
            let terms: i32 = ledger.terms.iter().map(|term| term.exact).sum();
            let rounding = ledger.rounding_exact;
            assert_eq!(families + rounding, ledger.total * UNITS_PER_CENTIPAWN);
            assert_eq!(families, terms);
            assert!(rounding.abs() < UNITS_PER_CENTIPAWN);
            assert!(rounding == 0 || rounding.signum() == -families.signum());
            for line in &ledger.families {
                assert_eq!(line.sum.0, line.white.0 + line.black.0);
                assert_eq!(line.sum.0, line.exact);
                let of_family = ledger
                    .terms
                    .iter()
                    .filter(|term| term.family == line.family);
                assert_eq!(line.exact, of_family.map(|term| term.exact).sum::<i32>());
            }
            check_text(&ledger);
        }
    }

    /// Adds up the last column of the printed families and compares the sum with the last line.
    fn check_text(ledger: &Ledger) {
        let text = ledger.to_string();
        let (_, table) = text.split_once("\nfamily ").unwrap();
        let mut lines: Vec<&str> = table.lines().skip(1).collect();
        let last = lines.pop().unwrap();
        let total = last.strip_prefix("total ").unwrap();
        let total = total.strip_suffix(" (white's view)").unwrap();
        let total: i32 = total.parse().unwrap();
        let sum: i32 = (lines.iter())
            .map(|line| line.split_whitespace().next_back().unwrap())
            .map(|exact| exact.parse::<i32>().unwrap())
            .sum();
        assert_eq!(lines.len(), ledger.families.len() + 1);
        assert_eq!(sum, total * UNITS_PER_CENTIPAWN);
        assert_eq!(total, ledger.total);
    }
}

/// The JSON has the same numbers.
#[test]
fn the_ledger_as_json_is_the_ledger() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let ledger = Ledger::by(&random_model(&mut Random::new(5)), &position);
    let json: serde_json::Value =
        serde_json::from_str(&serde_json::to_string(&ledger).unwrap()).unwrap();
    assert_eq!(json["fen"], position.to_fen());
    assert_eq!(json["phase"], PHASE_MAXIMUM);
    assert_eq!(json["total"], ledger.total);
    let families = json["families"].as_array().unwrap();
    assert_eq!(families.len(), Family::ALL.len());
    let exact: i64 = families.iter().map(|f| f["exact"].as_i64().unwrap()).sum();
    assert_eq!(
        exact + json["rounding_exact"].as_i64().unwrap(),
        i64::from(ledger.total * UNITS_PER_CENTIPAWN)
    );
    let parts = |f: &serde_json::Value| f["white"].as_f64().unwrap() + f["black"].as_f64().unwrap();
    for family in families {
        assert!((parts(family) - family["sum"].as_f64().unwrap()).abs() < 1e-9);
    }
}
