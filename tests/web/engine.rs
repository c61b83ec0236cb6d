//! The engine's stream: searches, stops, replacements, errors, and the end of a search with its connection.

use std::io::Write;
use std::time::{Duration, Instant};

use lucena::chess::Game;
use serde_json::{Value, json};

use crate::client::{ALONE, PATIENCE, Server, target};
use crate::common::schema::{faults, file};

/// The first report comes sooner than this on an idle machine.
const FIRST_REPORT: Duration = Duration::from_millis(100);

#[test]
fn a_search_reports_and_ends() {
    let server = Server::start();
    let mut engine = server.engine();
    engine.send("{\"type\":\"search\",\"id\":7,\"moves\":\"e4 e5\",\"limits\":{\"nodes\":50000},\"multipv\":3}");
    let (best, infos) = engine.best_move(7);
    let schemas = file("openapi.json");
    let schema = &schemas["components"]["schemas"]["EngineReport"];
    for report in infos.iter().chain([&best]) {
        let found = faults(&schemas, schema, report);
        assert!(found.is_empty(), "{report} {found:#?}");
        assert_eq!(report["id"], 7);
    }
    let ranks: Vec<u64> = infos
        .iter()
        .filter_map(|info| info["multipv"].as_u64())
        .collect();
    assert_eq!(&ranks[ranks.len() - 3..], [1, 2, 3]);
    let last = &infos[infos.len() - 3];
    assert_eq!(last["pv"][0], best["move"]);
    assert_eq!(last["pv_san"][0], best["san"]);
    // Both notations are the same legal moves.
    for info in &infos {
        let texts = |field: &str| -> Vec<String> {
            let moves = info[field].as_array().expect("moves").iter();
            moves
                .map(|mv| mv.as_str().expect("text").to_owned())
                .collect()
        };
        let game = |moves: Vec<String>| {
            Game::from_words(&format!("startpos e4 e5 {}", moves.join(" "))).expect("a game")
        };
        let (uci, san) = (game(texts("pv")), game(texts("pv_san")));
        assert_eq!(uci.position().to_fen(), san.position().to_fen());
    }
}

#[test]
fn the_first_report_comes_at_once() {
    let _alone = ALONE.lock();
    let server = Server::start();
    let mut engine = server.engine();
    let mut times = Vec::new();
    for id in 0..40 {
        let started = Instant::now();
        engine.send(&json!({"type": "search", "id": id, "limits": {"infinite": true}}).to_string());
        while engine.read()["type"] != "info" {}
        times.push(started.elapsed());
        engine.send("{\"type\":\"stop\"}");
        engine.best_move(id);
    }
    println!(
        "time to the first report, at the first search: {:?}",
        times[0]
    );
    times.sort();
    let [quarter, median] = [times.len() / 4, times.len() / 2].map(|index| times[index]);
    println!("a quarter within {quarter:?}, half within {median:?}");
    // Other programs may keep the processors busy for longer than that.
    assert!(quarter < FIRST_REPORT, "{times:?}");
}

#[test]
fn a_new_search_replaces_the_old() {
    let server = Server::start();
    let mut engine = server.engine();
    let count = 50;
    for id in 0..count {
        let limits = if id + 1 == count {
            json!({"depth": 5})
        } else {
            json!({"infinite": true})
        };
        engine.send(&json!({"type": "search", "id": id, "limits": limits}).to_string());
    }
    // Every search has exactly one end, the last one with a move; those that never started have none.
    let mut ends = vec![0; count];
    let mut last = Value::Null;
    while ends.contains(&0) {
        let report = engine.read();
        if report["type"] == "bestmove" {
            let id = report["id"].as_u64().expect("a number") as usize;
            ends[id] += 1;
            if id + 1 == count {
                last = report;
            }
        }
    }
    assert!(last["move"].is_string());
    assert!(ends.iter().all(|&ends| ends == 1), "{ends:?}");
}

#[test]
fn finished_games_and_books_are_answered() {
    let server = Server::start();
    let mut engine = server.engine();
    engine
        .send("{\"type\":\"search\",\"id\":1,\"moves\":\"f3 e5 g4 Qh4\",\"limits\":{\"depth\":5}}");
    assert!(engine.best_move(1).0["move"].is_null());
    engine.send("{\"type\":\"search\",\"id\":2,\"limits\":{\"nodes\":100},\"book\":true}");
    let book = engine.best_move(2).0;
    let (_, position) = server.json("/api/position", &[]);
    let moves = position["book"].as_array().expect("moves");
    assert!(moves.iter().any(|mv| mv["uci"] == book["move"]), "{book}");
}

#[test]
fn errors_name_the_field_and_leave_the_search() {
    let server = Server::start();
    let mut engine = server.engine();
    engine.send("{\"type\":\"search\",\"id\":1,\"limits\":{\"infinite\":true}}");
    while engine.read()["type"] != "info" {}
    for (text, id, field) in [
        (
            "{\"type\":\"search\",\"id\":2,\"moves\":\"e4 e4\"}",
            Some(2),
            "moves",
        ),
        (
            "{\"type\":\"search\",\"id\":3,\"fen\":\"x\"}",
            Some(3),
            "fen",
        ),
        (
            "{\"type\":\"search\",\"id\":4,\"limits\":{\"depth\":0}}",
            Some(4),
            "limits.depth",
        ),
        (
            "{\"type\":\"search\",\"id\":5,\"limits\":{\"depth\":\"x\"}}",
            Some(5),
            "limits.depth",
        ),
        (
            "{\"type\":\"search\",\"id\":6,\"multipv\":99}",
            Some(6),
            "multipv",
        ),
        (
            "{\"type\":\"search\",\"id\":7,\"hash\":100000}",
            Some(7),
            "hash",
        ),
        (
            "{\"type\":\"search\",\"id\":8,\"elo\":\"x\"}",
            Some(8),
            "elo",
        ),
        ("{\"type\":\"jump\"}", None, "type"),
        ("{", None, ""),
    ] {
        engine.send(text);
        let error = loop {
            let report = engine.read();
            if report["type"] == "error" {
                break report;
            }
            assert_eq!(report["type"], "info");
        };
        assert_eq!(error["id"].as_u64(), id, "{error}");
        assert_eq!(
            error["field"].as_str().unwrap_or_default(),
            field,
            "{error}"
        );
    }
    engine.send("{\"type\":\"stop\"}");
    assert!(engine.best_move(1).0["move"].is_string());
}

#[test]
fn a_closed_connection_stops_its_search() {
    let server = Server::start();
    for is_polite in [true, false] {
        let mut engine = server.engine();
        engine.send("{\"type\":\"search\",\"id\":1,\"limits\":{\"infinite\":true}}");
        while engine.read()["type"] != "info" {}
        assert_eq!(server.threads("engine"), 1);
        if is_polite {
            engine.0.close(None).expect("a connection");
            engine.0.flush().expect("a connection");
        }
        drop(engine);
        let started = Instant::now();
        while server.threads("engine") + server.threads("search") > 0 {
            assert!(started.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(10));
        }
        println!(
            "threads of a closed connection ended after {:?}",
            started.elapsed()
        );
        server.wait_until_idle();
    }
}

#[test]
fn a_closed_request_stops_its_question() {
    let server = Server::start();
    let path = target("/api/explain", &[("nodes", "10000000")]);
    let streams: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = server.connect();
            let text = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            stream.write_all(text.as_bytes()).expect("a connection");
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    let started = Instant::now();
    drop(streams);
    server.wait_until_idle();
    println!(
        "questions of closed requests ended within {:?}",
        started.elapsed()
    );
    assert!(started.elapsed() < Duration::from_secs(8));
}

#[test]
fn a_level_plays_a_move_of_its_own() {
    let server = Server::start();
    let mut engine = server.engine();
    for (id, elo) in [(1, 800), (2, 1500), (3, 2800)] {
        let request = json!({"type": "search", "id": id, "elo": elo, "limits": {"movetime": 500}});
        engine.send(&request.to_string());
        let (best, infos) = engine.best_move(id);
        assert_eq!(infos.last().expect("a report")["pv"][0], best["move"]);
    }
    // With the book the first move is one of its moves, and needs no search.
    for elo in [800, 1500, 2200] {
        let id = elo;
        let limits = json!({"movetime": 500});
        let request =
            json!({"type": "search", "id": id, "elo": elo, "limits": limits, "book": true});
        engine.send(&request.to_string());
        let (_, infos) = engine.best_move(id);
        assert_eq!(infos.last().expect("a report")["nodes"], 0, "level {elo}");
    }
    let (status, level) = server.json("/api/level", &[("elo", "1500"), ("moves", "e4 e5")]);
    let moves = level["moves"].as_array().expect("moves");
    let sum: f64 = moves
        .iter()
        .filter_map(|mv| mv["probability"].as_f64())
        .sum();
    assert!(
        status == 200 && moves.len() == 29 && (sum - 1.0).abs() < 0.01,
        "{level}"
    );
    for refused in [
        json!({"type": "search", "elo": 1500}),
        json!({"type": "search", "elo": 1, "limits": {"depth": 3}}),
        json!({"type": "search", "elo": 1500, "multipv": 2, "limits": {"depth": 3}}),
    ] {
        engine.send(&refused.to_string());
        assert_eq!(engine.read()["field"], "elo");
    }
}
