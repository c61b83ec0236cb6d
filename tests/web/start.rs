//! The start of the server: a taken port, addresses that need a token.

use std::net::TcpListener;

use crate::client::Server;
use crate::common::lucena;

fn message(arguments: &[&str]) -> (Option<i32>, String) {
    let output = lucena(&[&["serve"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_taken_port_is_named_with_the_next_free_one() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let (status, text) = message(&["--port", &port.to_string()]);
    assert_eq!(status, Some(1));
    assert!(
        text.contains(&format!("port {port} is taken; port ")),
        "{text}"
    );
    let free = text.trim().rsplit(' ').next().expect("a port").to_owned();
    let server = Server::with(&["--port", &free]);
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn other_addresses_need_a_token() {
    let (status, text) = message(&["--bind", "0.0.0.0"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("--token"), "{text}");
    for token in ["short", "with spaces in the token", "0123456789abcdef/"] {
        let (status, text) = message(&["--bind", "0.0.0.0", "--token", token]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains("token: must"), "{text}");
    }
    let server = Server::with(&[
        "--port",
        "0",
        "--bind",
        "0.0.0.0",
        "--token",
        "0123456789abcdef",
    ]);
    let named = server.request(
        "GET",
        "/api/about",
        &[
            "Host: box.example:8630",
            "Authorization: Bearer 0123456789abcdef",
        ],
        b"",
    );
    assert_eq!(named.status, 200);
    let server = Server::with(&["--port", "0", "--bind", "127.0.0.1"]);
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn a_client_connects_again_after_a_restart() {
    let first = Server::start();
    let mut engine = first.engine();
    drop(first);
    // What the server had sent before may still arrive.
    assert!((0..10).any(|_| engine.0.read().is_err()));
    let second = Server::start();
    let mut engine = second.engine();
    engine.send("{\"type\":\"search\",\"id\":1,\"limits\":{\"depth\":3}}");
    assert!(engine.best_move(1).0["move"].is_string());
}
