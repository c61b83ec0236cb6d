//! Malformed requests, messages and frames by the thousand: the server refuses them and stays well.

use std::io::{Read, Write};

use tungstenite::Message;

use crate::client::Server;
use crate::common::Random;

const REQUESTS: usize = 3000;
const MESSAGES: usize = 5000;
const FRAMES: usize = 500;
/// The memory may grow by this many MiB.
const GROWTH: u64 = 64;

/// Changes some bytes of a text.
fn damaged(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes.truncate(at.max(1)),
            2 => bytes.insert(at, random.below(256) as u8),
            _ => {
                let part = bytes[at..].to_vec();
                bytes.extend_from_slice(&part);
            }
        }
    }
    bytes
}

#[test]
fn thousands_of_malformed_requests_are_refused() {
    let mut server = Server::start();
    let mut random = Random::new(26);
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", server.port);
    let seeds = [
        format!("GET /api/position?fen=startpos&moves=e4+e5 HTTP/1.1\r\n{host}\r\n"),
        format!("GET /api/eval?moves=%65%34 HTTP/1.1\r\n{host}\r\n"),
        format!(
            "POST /api/review?nodes=100 HTTP/1.1\r\n{host}Content-Length: 9\r\n\r\n1. e4 *\n\n"
        ),
        format!(
            "GET /api/engine HTTP/1.1\r\n{host}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ),
        format!("GET /assets/app.js HTTP/1.1\r\n{host}Cookie: a=b\r\n\r\n"),
    ];
    let before = server.memory();
    let mut statuses = std::collections::BTreeMap::new();
    for number in 0..REQUESTS {
        let bytes = damaged(&mut random, seeds[number % seeds.len()].as_bytes());
        let mut stream = server.connect();
        let _ = stream.write_all(&bytes);
        // Nothing more comes: a request that is cut short must not be waited for.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let status = answer
            .get(9..12)
            .map(|status| String::from_utf8_lossy(status).into_owned());
        *statuses
            .entry(status.unwrap_or("closed".into()))
            .or_insert(0) += 1;
    }
    println!("{REQUESTS} damaged requests: {statuses:?}");
    assert!(!statuses.contains_key("500"), "{statuses:?}");
    let after = server.memory();
    println!("memory: {before} MiB before, {after} MiB after");
    assert!(after <= before + GROWTH && server.is_well());
}

#[test]
fn thousands_of_malformed_messages_have_an_error_each() {
    let mut server = Server::start();
    let mut random = Random::new(62);
    let seed = b"{\"type\":\"search\",\"id\":1,\"fen\":\"startpos\",\"moves\":\"e4\",\"limits\":{\"depth\":2},\"multipv\":2}";
    let mut engine = server.engine();
    let mut errors = 0;
    for number in 0..MESSAGES {
        // Every other one in one piece, so that most are JSON of a wrong shape.
        let bytes = match number % 4 {
            0 => format!("{{\"type\":\"search\",\"limits\":{{\"nodes\":{number}{number}{number}{number}{number}{number}}}}}").into_bytes(),
            1 => format!("{{\"type\":\"search\",\"fen\":\"{number}\"}}").into_bytes(),
            2 => vec![b"[{\"1"[number % 4]; 1 + number % 3000],
            _ => damaged(&mut random, seed),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        engine.send(&text);
        // A damaged message may still be a search, with any depth.
        engine.send("{\"type\":\"stop\"}");
        let answer = loop {
            let report = engine.read();
            if report["type"] != "info" {
                break report;
            }
        };
        errors += usize::from(answer["type"] == "error");
    }
    println!("{MESSAGES} malformed messages: {errors} errors");
    assert!(errors > MESSAGES / 2);
    engine
        .0
        .send(Message::binary(vec![0; 9]))
        .expect("a connection");
    assert_eq!(engine.read()["type"], "error");
    engine.send("{\"type\":\"search\",\"id\":9,\"limits\":{\"depth\":3}}");
    assert!(engine.best_move(9).0["move"].is_string());
    assert!(server.is_well());
}

#[test]
fn malformed_frames_close_their_connection_alone() {
    let mut server = Server::start();
    let mut random = Random::new(7);
    let handshake = format!(
        "GET /api/engine HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        server.port
    );
    let mut witness = server.engine();
    for _ in 0..FRAMES {
        let mut stream = server.connect();
        stream
            .write_all(handshake.as_bytes())
            .expect("a connection");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer[9..], b"101");
        let bytes: Vec<u8> = (0..random.below(300))
            .map(|_| random.below(256) as u8)
            .collect();
        let _ = stream.write_all(&bytes);
    }
    // A message beyond the limit closes its connection.
    let mut large = server.engine();
    let _ = large.0.send(Message::text("x".repeat(1 << 20)));
    let is_end = |read| matches!(read, Err(_) | Ok(Message::Close(_)));
    // An error may come first.
    assert!((0..2).any(|_| is_end(large.0.read())));
    println!("{FRAMES} connections with malformed frames");
    witness.send("{\"type\":\"search\",\"id\":1,\"limits\":{\"depth\":3}}");
    assert!(witness.best_move(1).0["move"].is_string());
    assert!(server.is_well());
}
