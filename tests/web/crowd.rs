//! Many connections at once: fair, with flat memory, and refused beyond the limits.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{ALONE, Server};

const CONNECTIONS: usize = 50;
/// How long the searches run.
const TIME: Duration = Duration::from_secs(6);
/// Clients read this often; the server closes connections that do not answer its pings.
const READING: Duration = Duration::from_millis(500);
/// The memory may grow by this many MiB after the first third.
const GROWTH: u64 = 128;

#[test]
fn fifty_searches_are_fair() {
    let _alone = ALONE.lock();
    let mut server = Server::start();
    let seconds = std::env::var("LUCENA_WEB_SECONDS");
    let time = seconds.map_or(TIME, |text| {
        Duration::from_secs(text.parse().expect("a number"))
    });
    let mut engines: Vec<_> = (0..CONNECTIONS).map(|_| server.engine()).collect();
    let started = Instant::now();
    for (id, engine) in engines.iter_mut().enumerate() {
        let moves = ["e4", "d4", "c4", "Nf3", "g3"][id % 5];
        let limits = json!({"infinite": true});
        let text = json!({"type": "search", "id": id, "moves": moves, "limits": limits, "hash": 8});
        engine.send(&text.to_string());
    }
    // Every search has begun.
    for engine in &mut engines {
        while engine.read()["type"] != "info" {}
    }
    println!(
        "first reports of {CONNECTIONS} searches after {:?}",
        started.elapsed()
    );
    let mut nodes = vec![0; CONNECTIONS];
    let mut read_for = |time: Duration| {
        let until = Instant::now() + time;
        while Instant::now() < until {
            for (engine, nodes) in engines.iter_mut().zip(&mut nodes) {
                let found = engine.read_waiting();
                let last = found.iter().rev().find_map(|info| info["nodes"].as_u64());
                *nodes = last.unwrap_or(*nodes);
            }
            std::thread::sleep(READING);
        }
    };
    read_for(time / 3);
    let early = server.memory();
    read_for(time * 2 / 3);
    let late = server.memory();
    // Other routes answer meanwhile.
    let asked = Instant::now();
    assert!(server.is_well());
    println!("a question beside them took {:?}", asked.elapsed());
    for (id, (engine, nodes)) in engines.iter_mut().zip(&mut nodes).enumerate() {
        engine.send("{\"type\":\"stop\"}");
        let (_, infos) = engine.best_move(id as u64);
        let last = infos.last().and_then(|info| info["nodes"].as_u64());
        *nodes = last.unwrap_or(*nodes);
    }
    nodes.sort_unstable();
    let (least, median, most) = (nodes[0], nodes[CONNECTIONS / 2], nodes[CONNECTIONS - 1]);
    println!("nodes of {CONNECTIONS} searches: least {least}, median {median}, most {most}");
    println!("memory: {early} MiB early, {late} MiB late");
    assert!(least > median / 10, "{nodes:?}");
    assert!(late <= early + GROWTH, "{early} MiB, then {late} MiB");
    drop(engines);
    server.wait_until_idle();
    assert_eq!(server.threads("engine"), 0);
}

#[test]
fn connections_come_and_go() {
    let _alone = ALONE.lock();
    let mut server = Server::start();
    let cycle = |server: &Server| {
        let mut engine = server.engine();
        engine.send("{\"type\":\"search\",\"id\":1,\"limits\":{\"depth\":4}}");
        engine.best_move(1);
        engine.send("{\"type\":\"search\",\"id\":2,\"limits\":{\"infinite\":true}}");
    };
    (0..20).for_each(|_| cycle(&server));
    server.wait_until_idle();
    let early = server.memory();
    (0..200).for_each(|_| cycle(&server));
    server.wait_until_idle();
    let late = server.memory();
    println!("memory after 20 connections: {early} MiB, after 220: {late} MiB");
    assert!(late <= early + GROWTH && server.is_well());
    assert_eq!(server.threads("engine"), 0);
}

#[test]
fn many_questions_leave_room_for_the_rest() {
    const QUESTIONS: usize = 240;
    let _alone = ALONE.lock();
    let mut server = Server::start();
    let head = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    let ask = |path: &str| {
        let mut stream = server.connect();
        let request = format!("GET {path} {head}");
        stream.write_all(request.as_bytes()).expect("a request");
        stream
    };
    for path in ["/api/level?elo=1500", "/api/threats?nodes=1000"] {
        let streams: Vec<_> = (0..QUESTIONS).map(|_| ask(path)).collect();
        // The legal moves of a position need no search.
        let asked = Instant::now();
        assert_eq!(server.get("/api/position").status, 200, "{path}");
        println!("a position beside {path} took {:?}", asked.elapsed());
        let is_refused = |mut stream: TcpStream| {
            let mut start = [0; 12];
            stream.read_exact(&mut start).expect("a response");
            start.ends_with(b"503")
        };
        let refused = streams.into_iter().map(is_refused).filter(|&it| it).count();
        assert!((1..QUESTIONS).contains(&refused), "{path}: {refused}");
    }
    assert!(server.is_well());
}

#[test]
fn too_many_connections_are_refused() {
    let _alone = ALONE.lock();
    let mut server = Server::start();
    let engines: Vec<_> = (0..64).map(|_| server.engine()).collect();
    assert_eq!(server.try_engine(&[]).err(), Some(503));
    let streams: Vec<_> = (0..300).map(|_| server.connect()).collect();
    let refused = server.get("/api/about");
    assert_eq!(refused.status, 503);
    assert_eq!(refused.headers["retry-after"], "1");
    assert!(refused.json()["error"]["message"].is_string());
    drop((engines, streams));
    let started = Instant::now();
    while server.get("/api/about").status != 200 {
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(server.engine().0.can_write() && server.is_well());
}
