//! A search of the engine, as a request names it.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::{ApiError, in_range};
use super::game::{PlayedGame, read_game};
use super::level::rating;
use crate::base::clock::Instant;
use crate::base::value::MAX_DEPTH;
use crate::chess::Color;
use crate::engine::{self, Clock};

/// The most lines of a search.
pub const MAX_MULTI_PV: usize = 10;
/// The longest time in milliseconds, about a year.
const MAX_TIME: u64 = 1 << 35;
/// The most nodes: what a JSON number holds exactly.
const MAX_NODES: u64 = 1 << 53;

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// Comes back with every report.
    pub id: u64,
    /// As in [`GameRequest`](super::GameRequest).
    pub fen: String,
    pub moves: String,
    #[serde(deserialize_with = "object")]
    pub limits: LimitsRequest,
    /// Lines, 1 to [`MAX_MULTI_PV`]; 1 by default.
    pub multipv: Option<usize>,
    /// MiB of the transposition table.
    pub hash: Option<usize>,
    /// Play at this level instead of full strength.
    pub elo: Option<u32>,
    /// Whether the opening book may answer.
    pub book: bool,
}

/// The limits of a search; times are in milliseconds. The first one reached ends it; without any it runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsRequest {
    pub nodes: Option<u64>,
    pub depth: Option<u64>,
    pub movetime: Option<u64>,
    pub infinite: bool,
    pub wtime: Option<u64>,
    pub btime: Option<u64>,
    pub winc: Option<u64>,
    pub binc: Option<u64>,
}

/// Reads an object; a derived reader also takes a list of its fields in order.
fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Object(PhantomData))
}

impl SearchRequest {
    /// The game to search.
    ///
    /// # Errors
    /// [`ApiError`] names the field at fault.
    pub fn game(&self) -> Result<PlayedGame, ApiError> {
        read_game(&self.fen, &self.moves)
    }

    /// The rating to play at; `None`: full strength.
    ///
    /// # Errors
    /// [`ApiError`] if it is out of range, or if the search is an analysis: one without a limit or with several lines.
    pub fn level(&self, limits: &engine::Limits) -> Result<Option<u16>, ApiError> {
        if self.elo.is_some() && (limits.is_endless() || self.multipv.unwrap_or(1) > 1) {
            let message = "a level needs a limit and one line";
            return Err(ApiError::in_field("elo", message));
        }
        self.elo.map(rating).transpose()
    }

    /// The number of lines.
    ///
    /// # Errors
    /// [`ApiError`] if it is out of range.
    pub fn lines(&self) -> Result<usize, ApiError> {
        let lines = self.multipv.unwrap_or(1) as u64;
        Ok(in_range("multipv", lines, 1..=MAX_MULTI_PV as u64)? as usize)
    }

    /// The MiB of the transposition table, at most `most`.
    ///
    /// # Errors
    /// [`ApiError`] if it is out of range.
    pub fn hash(&self, default: usize, most: usize) -> Result<usize, ApiError> {
        let hash = self.hash.unwrap_or(default) as u64;
        Ok(in_range("hash", hash, 1..=most as u64)? as usize)
    }
}

impl LimitsRequest {
    /// The limits for the side to move. Time counts from now.
    ///
    /// # Errors
    /// [`ApiError`] names a number that is out of range.
    pub fn limits(&self, turn: Color) -> Result<engine::Limits, ApiError> {
        let time = |field: &str, given: Option<u64>| -> Result<Option<Duration>, ApiError> {
            let given = given.map(|given| in_range(field, given, 0..=MAX_TIME));
            Ok(given.transpose()?.map(Duration::from_millis))
        };
        let depth = (self.depth)
            .map(|depth| in_range("limits.depth", depth, 1..=MAX_DEPTH as u64))
            .transpose()?;
        let nodes = (self.nodes)
            .map(|nodes| in_range("limits.nodes", nodes, 1..=MAX_NODES))
            .transpose()?;
        let white = time("limits.wtime", self.wtime)?.zip(Some(time("limits.winc", self.winc)?));
        let black = time("limits.btime", self.btime)?.zip(Some(time("limits.binc", self.binc)?));
        let (own, other) = if turn == Color::White {
            (white, black)
        } else {
            (black, white)
        };
        // As in UCI: with the opponent's clock alone a search without end would be worse.
        let clock = own.or(other);
        Ok(engine::Limits {
            started: Instant::now(),
            depth: depth.map(|depth| depth as i32),
            nodes,
            move_time: time("limits.movetime", self.movetime)?,
            infinite: self.infinite,
            clock: clock.map(|(remaining, increment)| Clock {
                remaining,
                increment: increment.unwrap_or_default(),
                moves_to_go: None,
            }),
            ..engine::Limits::none()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let request = LimitsRequest {
            wtime: Some(1000),
            winc: Some(10),
            btime: Some(2000),
            ..LimitsRequest::default()
        };
        let clock = |turn| {
            request
                .limits(turn)
                .expect("limits")
                .clock
                .expect("a clock")
        };
        assert_eq!(clock(Color::White).remaining, Duration::from_secs(1));
        assert_eq!(clock(Color::White).increment, Duration::from_millis(10));
        assert_eq!(clock(Color::Black).remaining, Duration::from_secs(2));
        assert_eq!(clock(Color::Black).increment, Duration::ZERO);
        let alone = LimitsRequest {
            btime: Some(3000),
            ..LimitsRequest::default()
        };
        let limits = alone.limits(Color::White).expect("limits");
        assert_eq!(
            limits.clock.expect("a clock").remaining,
            Duration::from_secs(3)
        );
        assert!(
            LimitsRequest::default()
                .limits(Color::White)
                .expect("limits")
                .is_endless()
        );
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let request = LimitsRequest {
            depth: Some(0),
            ..LimitsRequest::default()
        };
        let error = request.limits(Color::White).expect_err("out of range");
        assert_eq!(error.field.as_deref(), Some("limits.depth"));
        let request = SearchRequest {
            multipv: Some(11),
            hash: Some(0),
            ..SearchRequest::default()
        };
        assert!(request.lines().is_err() && request.hash(16, 64).is_err());
    }
}
