//! Parses `go` into a [`GoRequest`], and that into limits for the side to move. Words come in any order; a value of zero
//! is a limit like any other.

use std::time::{Duration, Instant};

use crate::base::value::{Depth, MAX_DEPTH};
use crate::chess::{Color, Position};
use crate::engine::{Clock, Limits};

use super::text::{did_you_mean, excerpt};

/// The longest time in milliseconds, about thirty years: sums of it do not overflow.
const MAX_TIME: i128 = 1_000_000_000_000;

/// One side's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SideClock {
    remaining: Option<Duration>,
    increment: Duration,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// `perft N` instead of a search; `Some(None)` without a valid number.
    pub perft: Option<Option<u32>>,
    /// Arguments that were ignored or changed.
    pub warnings: Vec<String>,
    depth: Option<Depth>,
    nodes: Option<u64>,
    move_time: Option<Duration>,
    mate: Option<u32>,
    white: SideClock,
    black: SideClock,
    moves_to_go: Option<u32>,
    infinite: bool,
    ponder: bool,
    search_moves: Vec<String>,
    /// Whether a limit has no valid number.
    has_invalid_limit: bool,
}

impl GoRequest {
    /// Parses the words after `go`. Invalid ones are ignored with a warning.
    pub fn parse(words: &[String]) -> Self {
        let mut request = Self::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = request.parse_word(word, after);
        }
        // A typing error in the only limit must not start an infinite search.
        if request.has_invalid_limit && !request.infinite && !request.has_limit() {
            request.depth = Some(1);
            request
                .warnings
                .push("go: no valid limit: searching to depth 1".to_owned());
        }
        request
    }

    /// Whether it has no limit, perhaps by mistake: an argument that was ignored may stand for one.
    pub const fn may_lack_limit(&self) -> bool {
        let is_meant = self.infinite || self.ponder || self.perft.is_some();
        !self.warnings.is_empty() && !is_meant && !self.has_limit()
    }

    /// Whether anything but a `stop` ends this search.
    const fn has_limit(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
            || self.white.remaining.is_some()
            || self.black.remaining.is_some()
    }

    /// Parses one keyword with its arguments; returns the rest.
    fn parse_word<'a>(&mut self, word: &str, rest: &'a [String]) -> &'a [String] {
        match word {
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "searchmoves" => {
                let count = rest.iter().take_while(|word| !is_keyword(word)).count();
                for word in &rest[..count] {
                    if looks_like_move(word) {
                        self.search_moves.push(word.clone());
                    } else {
                        let word = excerpt(word.as_bytes());
                        self.warnings
                            .push(format!("go: searchmoves: {word} is not a move"));
                    }
                }
                return &rest[count..];
            }
            _ if NUMBERED.contains(&word) => return self.parse_number(word, rest),
            _ => {
                let names = NUMBERED.into_iter().chain(PLAIN);
                let meant = did_you_mean(&excerpt(word.as_bytes()), names);
                let word = excerpt(word.as_bytes());
                self.warnings
                    .push(format!("go: unknown word: {word}{meant}"));
            }
        }
        rest
    }

    /// Parses a keyword that needs a number.
    fn parse_number<'a>(&mut self, word: &str, rest: &'a [String]) -> &'a [String] {
        if word == "perft" {
            self.perft = Some(None);
        }
        let Some(text) = rest.first().filter(|text| !is_keyword(text)) else {
            self.has_invalid_limit |= word != "perft";
            self.warnings
                .push(format!("go: {word}: expected a number, found nothing"));
            return rest;
        };
        if let Some(number) = parse_integer(text) {
            // A clock may be below zero, nothing else.
            let clock = matches!(word, "wtime" | "btime" | "winc" | "binc");
            if number < 0 && !clock {
                self.warnings
                    .push(format!("go: {word}: {number} is out of range, using 0"));
            }
            self.set(word, number);
        } else {
            self.has_invalid_limit |= word != "perft";
            let text = excerpt(text.as_bytes());
            self.warnings
                .push(format!("go: {word}: expected a number, found {text}"));
        }
        &rest[1..]
    }

    /// Stores a number, clamped to its range.
    fn set(&mut self, word: &str, number: i128) {
        let number = number.max(0);
        let time = Duration::from_millis(number.min(MAX_TIME) as u64);
        match word {
            "depth" => self.depth = Some(number.min(i128::from(MAX_DEPTH)) as Depth),
            "nodes" => self.nodes = Some(number.min(i128::from(u64::MAX)) as u64),
            "mate" => self.mate = Some(number.min(i128::from(i32::MAX)) as u32),
            "movetime" => self.move_time = Some(time),
            "wtime" => self.white.remaining = Some(time),
            "btime" => self.black.remaining = Some(time),
            "winc" => self.white.increment = time,
            "binc" => self.black.increment = time,
            // 0: no moves to go.
            "movestogo" => self.moves_to_go = (number > 0).then_some(number.min(10_000) as u32),
            "perft" => self.perft = Some(Some(number.min(i128::from(u32::MAX)) as u32)),
            _ => {}
        }
    }

    /// Whether this search has a depth, nodes or perft limit and needs no `stop` to end. The next `go` waits for such a search, as
    /// scripts expect; it stops any other.
    pub const fn ends_by_itself(&self) -> bool {
        let bounded = self.depth.is_some() || self.nodes.is_some() || self.perft.is_some();
        bounded && !self.infinite && !self.ponder
    }

    /// The limits for this position, with the clock of the side to move, or else the opponent's. Illegal search moves are ignored with a warning.
    pub fn limits(
        &self,
        position: &Position,
        started: Instant,
        warnings: &mut Vec<String>,
    ) -> Limits {
        let (own, other) = if position.turn() == Color::White {
            (self.white, self.black)
        } else {
            (self.black, self.white)
        };
        // With only the opponent's clock, an infinite search would be worse.
        let own = own.remaining.map_or(other, |_| own);
        let clock = own.remaining.map(|remaining| Clock {
            remaining,
            increment: own.increment,
            moves_to_go: self.moves_to_go,
        });
        let mut search_moves = Vec::new();
        // Some GUIs write an empty list as 0000.
        for text in self.search_moves.iter().filter(|text| *text != "0000") {
            match position.parse_move(text) {
                Ok(found) => search_moves.push(found),
                Err(_) => warnings.push(format!(
                    "go: searchmoves: {} is not a legal move",
                    excerpt(text.as_bytes())
                )),
            }
        }
        Limits {
            started,
            // `mate 0`: no search for a mate.
            depth: if self.mate == Some(0) {
                Some(0)
            } else {
                self.depth
            },
            nodes: self.nodes,
            soft_nodes: None,
            move_time: self.move_time,
            mate: self.mate,
            clock,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
        }
    }
}

/// The keywords that need a number.
const NUMBERED: [&str; 10] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "perft",
];

/// The keywords without a number.
const PLAIN: [&str; 3] = ["infinite", "ponder", "searchmoves"];

fn is_keyword(word: &str) -> bool {
    PLAIN.contains(&word) || NUMBERED.contains(&word)
}

/// Whether a word has the form of a move.
fn looks_like_move(word: &str) -> bool {
    let square =
        |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [a, b, c, d] => word == "0000" || square(a, b) && square(c, d),
        [a, b, c, d, promotion] => square(a, b) && square(c, d) && promotion.is_ascii_alphabetic(),
        _ => false,
    }
}

/// An integer of any size, clamped to `i128`.
fn parse_integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i128>().unwrap_or(i128::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GoRequest {
        GoRequest::parse(
            &text
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        )
    }

    fn limits(text: &str) -> Limits {
        parse(text).limits(&Position::startpos(), Instant::now(), &mut Vec::new())
    }

    #[test]
    fn words_come_in_any_order() {
        let one = parse("ponder wtime 10 depth 3 searchmoves e2e4 d2d4 winc 5");
        let two = parse("searchmoves e2e4 d2d4 winc 5 depth 3 wtime 10 ponder");
        assert_eq!(one, two);
        assert!(one.warnings.is_empty());
        assert_eq!(one.search_moves.len(), 2);
    }

    #[test]
    fn zero_is_a_limit() {
        assert_eq!(
            limits("wtime 0").clock.map(|clock| clock.remaining),
            Some(Duration::ZERO)
        );
        assert_eq!(
            limits("wtime -50 btime 9")
                .clock
                .map(|clock| clock.remaining),
            Some(Duration::ZERO)
        );
        assert_eq!(limits("movetime -1").move_time, Some(Duration::ZERO));
        assert!(parse("depth -1").warnings[0].contains("out of range"));
        assert!(parse("wtime -1").warnings.is_empty());
        assert_eq!(limits("depth 0").depth, Some(0));
        assert_eq!(limits("mate 0").depth, Some(0));
        assert!(limits("").is_endless());
    }

    #[test]
    fn the_opponents_clock_is_used_if_it_is_the_only_one() {
        let clock = |text| {
            limits(text)
                .clock
                .map(|clock| (clock.remaining, clock.increment))
        };
        let (ten, one) = (Duration::from_millis(10), Duration::from_millis(1));
        assert_eq!(clock("btime 10 binc 1"), Some((ten, one)));
        assert_eq!(
            clock("wtime 10 btime 99 binc 1"),
            Some((ten, Duration::ZERO))
        );
    }

    #[test]
    fn a_search_whose_only_limit_is_invalid_ends() {
        for text in [
            "depth",
            "wtime",
            "nodes x",
            "movetime mate",
            "winc",
            "ponder btime y",
        ] {
            assert_eq!(limits(text).depth, Some(1), "{text}");
        }
        for text in ["", "infinite depth", "perft", "blah", "searchmoves xx"] {
            assert!(limits(text).is_endless(), "{text}");
            let is_mistaken = matches!(text, "blah" | "searchmoves xx");
            assert_eq!(parse(text).may_lack_limit(), is_mistaken, "{text}");
        }
        assert_eq!(limits("depth x movetime 5").depth, None);
    }

    #[test]
    fn huge_numbers_are_clamped() {
        let huge = limits(
            "wtime 99999999999999999999999999999999999999999999 nodes 9223372036854775808 depth 999",
        );
        assert_eq!(huge.nodes, Some(1 << 63));
        assert_eq!(huge.depth, Some(MAX_DEPTH));
        assert!(
            huge.clock
                .is_some_and(|clock| clock.remaining.as_secs() == 1_000_000_000)
        );
        assert_eq!(
            limits("wtime 5 movestogo 0")
                .clock
                .and_then(|clock| clock.moves_to_go),
            None
        );
    }

    #[test]
    fn invalid_values_are_ignored_with_a_warning() {
        let request = parse("depth x movetime infinite blah wtime");
        assert!(request.infinite && request.depth.is_none() && request.move_time.is_none());
        assert_eq!(request.warnings.len(), 4);
    }

    #[test]
    fn illegal_search_moves_are_ignored_with_a_warning() {
        let mut warnings = Vec::new();
        let request = parse("searchmoves e2e5 0000 e2e4 depth 2");
        let limits = request.limits(&Position::startpos(), Instant::now(), &mut warnings);
        assert_eq!(limits.search_moves.len(), 1);
        assert_eq!(limits.depth, Some(2));
        assert_eq!(warnings.len(), 1);
        let request = parse("searchmoves g1f3 xx b1c3 depth 2");
        assert_eq!(request.search_moves.len(), 2);
        assert_eq!(request.warnings, ["go: searchmoves: xx is not a move"]);
        assert_eq!(request.depth, Some(2));
    }
}
