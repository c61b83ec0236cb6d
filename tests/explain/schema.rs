//! The JSON output matches the schemas in docs/, and every field that the schema names is tested for.

use serde_json::Value;

use crate::common::lucena;
use crate::common::schema::{faults, file};

const SCHEMA: &str = "explain.schema.json";

#[test]
fn json_matches_the_schema() {
    let schema = file(SCHEMA);
    for arguments in [
        &["explain", "startpos"][..],
        &["explain", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"],
        &["why-not", "startpos", "f3"],
        &[
            "explain",
            "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5N2/PPPP1PPP/RNBQK2R w KQkq - 3 4",
            "Nxe5",
        ],
        &["explain", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"],
        &["explain", "7k/8/8/8/8/8/6q1/7K w - - 0 1"],
    ] {
        let output = lucena(&[arguments, &["--json", "--nodes", "20000"]].concat());
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let found = faults(&schema, &schema, &json);
        assert!(found.is_empty(), "{arguments:?}: {found:#?}");
    }
}

#[test]
fn json_of_threats_and_blame_matches_the_schemas() {
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let stalemate_by_passing = "7k/8/6KP/8/8/8/8/8 w - - 0 1";
    for command in ["threats", "blame"] {
        let schema = file(&format!("{command}.schema.json"));
        for position in ["startpos", mate_in_one, check, stalemate_by_passing] {
            let output = lucena(&[command, position, "--json", "--nodes", "10000"]);
            let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let found = faults(&schema, &schema, &json);
            assert!(found.is_empty(), "{command} {position}: {found:#?}");
        }
    }
}

#[test]
fn the_schema_refuses_what_it_should() {
    let schema = file(SCHEMA);
    let output = lucena(&["explain", "startpos", "--json", "--nodes", "2000"]);
    let good: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (field, bad) in [
        ("wdl", Value::from(vec![1, 2])),
        ("score", Value::Null),
        ("claims", Value::from(Vec::<Value>::new())),
        ("more", Value::from(1)),
    ] {
        let mut json = good.clone();
        json[field] = bad;
        let found = faults(&schema, &schema, &json);
        assert!(!found.is_empty(), "{field}");
    }
}
