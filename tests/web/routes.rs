//! Every route answers, with what the command line prints, and names what is wrong.

use serde_json::Value;

use crate::client::{Server, target};
use crate::common::lucena;

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

/// What a command prints as JSON.
fn printed(arguments: &[&str]) -> Value {
    let output = lucena(arguments);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn answers_are_those_of_the_command_line() {
    let server = Server::start();
    let with = |path: &str, more: &[(&str, &str)]| {
        let (status, json) = server.json(path, &[&[("fen", FEN)], more].concat());
        assert_eq!(status, 200, "{path}: {json}");
        json
    };
    assert_eq!(with("/api/eval", &[]), printed(&["eval", FEN, "--json"]));
    let nodes = ["--json", "--nodes", "20000"];
    let command = |words: &[&str]| printed(&[words, &nodes].concat());
    let few = ("nodes", "20000");
    assert_eq!(with("/api/explain", &[few]), command(&["explain", FEN]));
    assert_eq!(
        with("/api/explain", &[few, ("move", "Bb5"), ("against", "Bc4")]),
        command(&["explain", FEN, "Bb5", "--against", "Bc4"])
    );
    assert_eq!(
        with("/api/why-not", &[few, ("move", "Nxe5")]),
        command(&["why-not", FEN, "Nxe5"])
    );
    assert_eq!(with("/api/threats", &[few]), command(&["threats", FEN]));
    // Moves lead to the same position as its FEN.
    let (_, by_moves) = server.json("/api/position", &[("moves", "1. e4 e5 2.Nf3, b8c6")]);
    assert_eq!(by_moves["fen"], FEN);
    assert_eq!(by_moves["moves"].as_array().map(Vec::len), Some(4));
}

#[test]
fn errors_name_the_field_and_the_place() {
    let server = Server::start();
    for (path, parameters, status, field, column) in [
        ("/api/eval", &[("moves", "e4 e5 Ke3")][..], 400, "moves", 7),
        (
            "/api/eval",
            &[("fen", "8/8/8/8/8/8/8/4K3 w - -")],
            400,
            "fen",
            1,
        ),
        ("/api/position", &[("fen", "x")], 400, "fen", 0),
        ("/api/position", &[("move", "e4")], 400, "move", 0),
        ("/api/explain", &[("move", "e5")], 400, "move", 0),
        (
            "/api/explain",
            &[("move", "e4"), ("against", "e4")],
            400,
            "against",
            0,
        ),
        ("/api/explain", &[("nodes", "many")], 400, "nodes", 0),
        ("/api/explain", &[("nodes", "99999999999")], 400, "nodes", 0),
        ("/api/why-not", &[], 400, "move", 0),
        ("/api/threats", &[("moves", "f3 e5 g4 Qh4")], 422, "", 0),
        ("/api/review", &[], 400, "moves", 0),
        (
            "/api/review",
            &[("moves", "e4"), ("nodes", "1")],
            400,
            "nodes",
            0,
        ),
        ("/api/level", &[("elo", "x")], 400, "elo", 0),
        ("/api/nothing", &[], 404, "", 0),
    ] {
        let (found, json) = server.json(path, parameters);
        let error = &json["error"];
        assert_eq!(found, status, "{path} {parameters:?}: {json}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        assert_eq!(error["field"].as_str().unwrap_or_default(), field, "{json}");
        assert_eq!(
            error["column"].as_u64().unwrap_or_default(),
            column,
            "{json}"
        );
    }
    let twice = server.get(&target("/api/eval", &[("fen", "startpos"), ("fen", FEN)]));
    assert_eq!(
        (twice.status, twice.json()["error"]["field"].clone()),
        (400, "fen".into())
    );
}

#[test]
fn methods_are_checked() {
    let server = Server::start();
    let refused = server.request("POST", "/api/eval", &[], b"x");
    assert_eq!(
        (refused.status, refused.headers["allow"].as_str()),
        (405, "GET")
    );
    let refused = server.request("DELETE", "/api/review", &[], b"");
    assert_eq!(
        (refused.status, refused.headers["allow"].as_str()),
        (405, "GET, POST")
    );
    assert_eq!(server.request("POST", "/", &[], b"").status, 405);
    let head = server.request("HEAD", "/api/about", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    let plain = server.get("/api/engine");
    assert_eq!(
        (plain.status, plain.headers["upgrade"].as_str()),
        (426, "websocket")
    );
}

#[test]
fn the_page_is_embedded() {
    let server = Server::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let text = String::from_utf8(page.body.clone()).expect("UTF-8");
    // Every file that the page names is there.
    let names = text
        .split(['"', '\''])
        .filter(|name| name.starts_with("assets/"));
    for name in names {
        assert_eq!(server.get(&format!("/{name}")).status, 200, "{name}");
    }
    let tag = format!("If-None-Match: {}", page.headers["etag"]);
    let again = server.request("GET", "/", &[&tag], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    for missing in [
        "/assets/../Cargo.toml",
        "/../Cargo.toml",
        "/assets",
        "/%2e%2e/x",
        "/favicon",
    ] {
        assert_eq!(server.get(missing).status, 404, "{missing}");
    }
}
