//! Random lines from `fuzz/seeds/uci/` (valid, damaged, of other protocols), unchanged or mutated, during searches. Whatever is sent,
//! there is one `bestmove` per `go`, every line is valid, `isready` is answered and the program ends cleanly.
//!
//! Each round is a function of its seed. `LUCENA_FUZZ_SECONDS` sets the time, `LUCENA_FUZZ_SEED` the first seed.

use std::process::Command as Process;
use std::time::{Duration, Instant};

use lucena::uci::command::Command;

use crate::checker;
use crate::common::{Folder, Random};
use crate::driver::{Engine, HANG, within};

/// `\xNN` is a byte.
const CORPUS: [&str; 3] = [
    include_str!("../../fuzz/seeds/uci/valid.txt"),
    include_str!("../../fuzz/seeds/uci/damaged.txt"),
    include_str!("../../fuzz/seeds/uci/foreign.txt"),
];
/// Seconds of a run without `LUCENA_FUZZ_SECONDS`.
const USUAL_SECONDS: u64 = 8;
/// Lines per round.
const LINES: usize = 150;

/// A line of the corpus as bytes.
fn unescape(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("\\x") {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        bytes.push(u8::from_str_radix(&rest[at + 2..at + 4], 16).expect("two digits"));
        rest = &rest[at + 4..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// A line of the corpus, unchanged or mutated.
fn line(random: &mut Random, corpus: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let kind = [0, 0, 0, 0, 0, 1, 1, 2][random.below(8)];
    let mut line = random.pick(&corpus[kind]).clone();
    let words = |line: &[u8]| -> Vec<Vec<u8>> {
        let words = line.split(u8::is_ascii_whitespace);
        words.map(<[u8]>::to_vec).collect()
    };
    for _ in 0..[0, 0, 0, 1, 1, 2, 4][random.below(7)] {
        let at = random.below(line.len() + 1);
        match random.below(8) {
            0 => line.truncate(at),
            1 => line.insert(at, random.below(256) as u8),
            2 if at < line.len() => line[at] ^= 1 << random.below(8),
            3 if at < line.len() => drop(line.remove(at)),
            4 => {
                // Append another line.
                let kind = random.below(3);
                let other = random.pick(&corpus[kind]);
                line.push(b' ');
                line.extend_from_slice(other);
            }
            5 => {
                let mut own = words(&line);
                let (one, two) = (random.below(own.len()), random.below(own.len()));
                own.swap(one, two);
                line = own.join(&b' ');
            }
            6 => {
                let mut own = words(&line);
                let place = random.below(own.len());
                let other: &Vec<u8> = random.pick(&corpus[0]);
                own[place] = random.pick(&words(other)).clone();
                line = own.join(&b' ');
            }
            _ => {
                let numbers = [
                    "0",
                    "-1",
                    "1",
                    "2147483648",
                    "18446744073709551616",
                    "1e9",
                    "03",
                ];
                line.push(b' ');
                line.extend_from_slice(random.pick(&numbers).as_bytes());
            }
        }
    }
    line.retain(|&byte| byte != b'\n');
    line
}

/// Whether a round may send the line: it must not end the program, use other files or exhaust the machine.
fn is_allowed(command: Option<&Command>) -> bool {
    match command {
        Some(Command::Quit) => false,
        Some(Command::SetOption(request)) => {
            let value = request.value.clone().unwrap_or_default();
            let text = String::from_utf8_lossy(&value).into_owned();
            let limit = match request.name.to_ascii_lowercase().as_str() {
                "hash" => 64,
                "threads" => 8,
                _ => i64::MAX,
            };
            !text.contains('/')
                && text
                    .parse::<i64>()
                    .is_ok_and(|number| number > limit)
                    .eq(&false)
        }
        Some(Command::Genfens(request)) => request
            .book
            .as_ref()
            .is_none_or(|name| !name.starts_with('/')),
        _ => true,
    }
}

/// Sends many lines to one process; returns the number of searches.
fn round(seed: u64, corpus: &[Vec<Vec<u8>>], folder: &std::path::Path) -> usize {
    let mut random = Random::new(seed);
    let mut process = Process::new(crate::driver::program());
    let mut engine = Engine::start_as(process.current_dir(folder));
    engine.note(&format!("seed {seed}"));
    engine.lenient = true;
    engine.forget_board();
    let (mut searches, mut moves, mut asked, mut ready) = (0, 0, 0, 0);
    let count =
        |engine: &Engine, lines: &[crate::driver::Line], moves: &mut usize, ready: &mut usize| {
            for line in lines {
                let first = line.text.split(' ').next().unwrap_or_default();
                if matches!(
                    first,
                    "info" | "bestmove" | "option" | "id" | "uciok" | "readyok"
                ) && let Err(fault) = checker::check_line(line.text.as_bytes())
                {
                    engine.fail(&format!("seed {seed}: {fault}: {}", line.text));
                }
                *moves += usize::from(first == "bestmove");
                *ready += usize::from(first == "readyok");
            }
        };
    for _ in 0..LINES {
        let line = line(&mut random, corpus);
        let command = Command::parse(&line).ok();
        if !is_allowed(command.as_ref()) {
            continue;
        }
        match &command {
            Some(Command::Go(request)) if request.perft.is_none() => searches += 1,
            Some(Command::IsReady) => asked += 1,
            _ => {}
        }
        let mut bytes = line;
        bytes.extend_from_slice(if random.below(8) == 0 { b"\r\n" } else { b"\n" });
        engine.send_bytes(&bytes);
        // Do not wait for long commands.
        if random.below(12) == 0 {
            engine.send("stop");
        }
        let pause = [0, 0, 0, 1, 2, 5, 20][random.below(7)];
        let lines = engine.during(Duration::from_millis(pause));
        count(&engine, &lines, &mut moves, &mut ready);
        if moves > searches {
            engine.fail(&format!("seed {seed}: more bestmoves than searches"));
        }
    }
    let deadline = Instant::now() + HANG;
    while (moves < searches || ready < asked) && Instant::now() < deadline {
        engine.send("stop");
        let lines = engine.during(Duration::from_millis(20));
        count(&engine, &lines, &mut moves, &mut ready);
    }
    if moves != searches || ready != asked {
        engine.fail(&format!(
            "seed {seed}: {moves} bestmoves for {searches} searches, {ready} readyok for {asked} isready"
        ));
    }
    engine.send("stop");
    engine.send("setoption name Threads value 1");
    engine.send("setoption name nodestime value 0");
    engine.send("isready");
    engine.until("readyok", HANG);
    engine.position("startpos");
    engine.send("setoption name Minimal value false");
    engine.go("depth 1");
    match seed % 3 {
        0 => engine.quit(),
        1 => {
            engine.close_input();
            engine.gone(2000);
        }
        _ => {
            engine.send("go infinite");
            engine.close_input();
            engine.until("bestmove", within(1000));
            engine.gone(2000);
        }
    }
    searches
}

#[test]
fn random_lines() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let seconds = number("LUCENA_FUZZ_SECONDS").unwrap_or(USUAL_SECONDS);
    let first = number("LUCENA_FUZZ_SEED").unwrap_or(0);
    let corpus = CORPUS.map(|text| text.lines().map(unescape).collect::<Vec<_>>());
    let folder = Folder::new("fuzz");
    let start = Instant::now();
    let (mut searches, mut rounds) = (0, 0);
    while rounds == 0 || start.elapsed() < Duration::from_secs(seconds) {
        searches += round(first + rounds, &corpus, &folder);
        rounds += 1;
        let _ = std::fs::remove_file(folder.join("dialogue.log"));
    }
    eprintln!("{rounds} rounds, {searches} searches, each with one bestmove");
}

/// A random FEN is refused or gives a playable position.
#[test]
fn random_fens() {
    let mut random = Random::new(5);
    let corpus: Vec<Vec<u8>> = CORPUS[..2]
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.strip_prefix("position fen "))
        .map(unescape)
        .collect();
    let mut accepted = 0;
    for _ in 0..100_000 {
        let mut text = random.pick(&corpus).clone();
        for _ in 0..1 + random.below(4) {
            let at = random
                .below(text.len().max(1))
                .min(text.len().saturating_sub(1));
            let byte = b"pnbrqkPNBRQK12345678/ wb-KQkqahAH0369\xff"[random.below(38)];
            match random.below(3) {
                0 => text.insert(at, byte),
                1 if !text.is_empty() => text[at] = byte,
                _ if !text.is_empty() => drop(text.remove(at)),
                _ => {}
            }
        }
        let text = String::from_utf8_lossy(&text);
        if let Ok(position) = lucena::chess::Position::from_fen(&text) {
            accepted += 1;
            let again = lucena::chess::Position::from_fen(&position.to_fen());
            assert_eq!(
                again.as_ref().map(lucena::chess::Position::to_fen),
                Ok(position.to_fen()),
                "{text}"
            );
            for &mv in &position.legal_moves() {
                assert!(position.is_legal(mv));
                let _ = position.play(mv).has_legal_move();
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
