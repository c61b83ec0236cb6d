//! docs/openapi.json describes the routes of the program, and its answers.

use std::collections::BTreeSet;

use lucena::web::server::ROUTES;
use serde_json::Value;

use crate::client::Server;
use crate::common::schema::{faults, file};

type RouteText = (String, String, Vec<String>);

#[test]
fn the_file_has_the_routes_of_the_program() {
    let document = file("openapi.json");
    let mut listed: BTreeSet<RouteText> = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let parameters = operation["parameters"].as_array().expect("parameters");
            let names = parameters.iter().map(|parameter| {
                assert_eq!(parameter["in"], "query");
                parameter["name"].as_str().expect("a name").to_owned()
            });
            listed.insert((path.clone(), method.to_uppercase(), names.collect()));
        }
    }
    let routes = ROUTES.iter().map(|route| {
        let parameters = route.parameters.iter().map(|&name| name.to_owned());
        (
            route.path.to_owned(),
            route.method.name().to_owned(),
            parameters.collect(),
        )
    });
    assert_eq!(listed, routes.collect::<BTreeSet<RouteText>>());
    // The table of docs/web.md has them, too.
    let text = include_str!("../../docs/web.md");
    for route in &ROUTES {
        let row = format!("| `{} {}` |", route.method.name(), route.path);
        assert!(text.contains(&row), "docs/web.md lacks {row}");
    }
}

/// The schema of the answer of a route with a status.
fn schema(document: &Value, path: &str, status: u16) -> Value {
    let responses = &document["paths"][path]["get"]["responses"];
    let schema = &responses[status.to_string()]["content"]["application/json"]["schema"];
    assert!(!schema.is_null(), "{path}: no schema for {status}");
    schema.clone()
}

#[test]
fn answers_match_their_schemas() {
    let server = Server::start();
    let document = file("openapi.json");
    let few = ("nodes", "5000");
    let mate = ("moves", "f3 e5 g4 Qh4");
    for (path, parameters) in [
        ("/api/about", &[][..]),
        ("/api/position", &[]),
        ("/api/position", &[("moves", "e4 c5")]),
        ("/api/position", &[mate]),
        ("/api/position", &[("fen", "7k/8/6K1/8/8/8/8/R7 w - - 0 1")]),
        ("/api/position", &[("fen", "7k/8/6K1/8/8/8/8/8 w - - 0 1")]),
        ("/api/position", &[("fen", "x")]),
        ("/api/eval", &[("moves", "e4 c5")]),
        ("/api/eval", &[mate]),
        ("/api/explain", &[few]),
        ("/api/explain", &[mate]),
        ("/api/why-not", &[few, ("move", "g4")]),
        ("/api/why-not", &[]),
        ("/api/threats", &[few, ("moves", "e4 e5 Bc4 Nc6 Qh5 Nh6")]),
        ("/api/review", &[few, ("moves", "e4 e5 Nf3")]),
        ("/api/level", &[("elo", "1500")]),
        ("/api/engine", &[]),
    ] {
        let (status, json) = server.json(path, parameters);
        let found = faults(&document, &schema(&document, path, status), &json);
        assert!(found.is_empty(), "{path} {parameters:?}: {found:#?}");
    }
}

#[test]
fn numbers_outside_their_bounds_are_refused() {
    let server = Server::start();
    let document = file("openapi.json");
    let mut bounds = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let parameters = methods["get"]["parameters"].as_array();
        for parameter in parameters.into_iter().flatten() {
            let limits = ["minimum", "maximum"].map(|key| parameter["schema"][key].as_u64());
            let [Some(low), Some(high)] = limits else {
                assert_eq!(parameter["schema"]["type"], "string", "{path}: no bounds");
                continue;
            };
            let name = parameter["name"].as_str().expect("a name");
            for number in [low - 1, high + 1] {
                let number = number.to_string();
                let given = [(name, number.as_str()), ("moves", "e4"), ("move", "e5")];
                let few = match path.as_str() {
                    "/api/why-not" => &given[..],
                    _ => &given[..2],
                };
                let (status, json) = server.json(path, few);
                assert_eq!(status, 400, "{path} {few:?}");
                let text = json.to_string();
                let wanted = format!("must be a number from {low} to {high}");
                assert!(text.contains(&wanted), "{path}: {text}");
                bounds += 1;
            }
        }
    }
    assert_eq!(bounds, 10);
}
