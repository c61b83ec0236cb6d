//! Reviews over HTTP: the stream of events, and its end with the connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::client::Server;
use crate::common::schema::{faults, file};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"C\"]\n\n1. e4 e9 *\n\n[White \"D\"]\n\n1. d4 d5 *\n";

#[test]
fn every_game_of_a_text_is_reviewed_or_named() {
    let server = Server::start();
    let response = server.request("POST", "/api/review?nodes=2000", &[], GAMES.as_bytes());
    assert_eq!(response.status, 200);
    assert_eq!(response.headers["content-type"], "application/x-ndjson");
    let events = response.lines();
    let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!(
        (count("progress"), count("game"), count("error")),
        (6, 2, 1)
    );
    let error = events
        .iter()
        .find(|event| event["type"] == "error")
        .expect("an error");
    assert_eq!(
        (error["number"].as_u64(), error["line"].as_u64()),
        (Some(2), Some(8))
    );
    let done = events.last().expect("an end");
    assert_eq!(
        (done["games"].as_u64(), done["failed"].as_u64()),
        (Some(2), Some(1))
    );
    let game = events
        .iter()
        .find(|event| event["type"] == "game")
        .expect("a game");
    // The mate in two is found.
    let marks: Vec<&str> = game["review"]["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["mark"].as_str())
        .collect();
    assert!(marks.contains(&"blunder"), "{marks:?}");
    assert!(
        game["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("2. g4") && pgn.contains("[White \"A\"]"))
    );
    assert!(
        game["html"]
            .as_str()
            .is_some_and(|page| page.contains("</html>") && !page.contains("index.html"))
    );
    let schemas = file("openapi.json");
    for event in &events {
        let found = faults(
            &schemas,
            &schemas["components"]["schemas"]["ReviewEvent"],
            event,
        );
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn bad_texts_are_refused() {
    let server = Server::start();
    for (body, status) in [
        (&b""[..], 400),
        (b"\n\n", 400),
        (b"\xff\xfe1", 400),
        (&b"1. e4 *\n\n".repeat(501), 400),
        (&vec![b'x'; (4 << 20) + 1], 413),
    ] {
        let response = server.request("POST", "/api/review", &[], body);
        assert_eq!(response.status, status, "{} bytes", body.len());
        assert_eq!(response.json()["error"]["field"], "pgn");
    }
    // A body without its length.
    let head = format!(
        "POST /api/review HTTP/1.1\r\nHost: localhost:{}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.port
    );
    let chunk = [b"10000\r\n".to_vec(), vec![b'x'; 1 << 16], b"\r\n".to_vec()].concat();
    let response = server.send(&[head.as_bytes(), &chunk.repeat(65)].concat());
    assert_eq!(response.map(|response| response.status), Some(413));
}

/// Asks for a review with a body of this length, of which this is the start.
fn ask(server: &Server, nodes: u32, length: usize, body: &str) -> TcpStream {
    let mut stream = server.connect();
    let request = format!(
        "POST /api/review?nodes={nodes} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {length}\r\n\r\n{body}",
        server.port
    );
    stream.write_all(request.as_bytes()).expect("a connection");
    stream
}

#[test]
fn few_bodies_are_read_at_a_time() {
    let server = Server::start();
    let review = || server.request("POST", "/api/review?nodes=100", &[], GAMES.as_bytes());
    let becomes = |status: u16| (0..500).any(|_| review().status == status);
    // Two reviews and eight that wait; the rest of their bodies does not come.
    let slow: Vec<_> = (0..10).map(|_| ask(&server, 100, 1000, GAMES)).collect();
    assert!(becomes(503));
    drop(slow);
    assert!(becomes(200));
}

#[test]
fn a_client_that_leaves_ends_the_review() {
    let server = Server::start();
    let moves =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *\n\n";
    let body = moves.repeat(100);
    let mut stream = ask(&server, 100_000, body.len(), &body);
    let mut start = [0; 200];
    stream.read_exact(&mut start).expect("the first events");
    drop(stream);
    std::thread::sleep(Duration::from_millis(500));
    server.wait_until_idle();
}
