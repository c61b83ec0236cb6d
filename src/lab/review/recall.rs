//! Reviews of games from kept verdicts alone.

use std::io;

use super::key::{self, Known};
use super::record::Record;
use super::report::GameReport;
use super::run::{ReviewError, review_game};
use super::verdict::ReviewLimit;
use crate::chess::Game;
use crate::search::stop::Stop;

/// Stops the review at the first text that is not kept.
struct OnlyKnown<'a> {
    known: &'a dyn Known,
    stop: &'a Stop,
}

impl Known for OnlyKnown<'_> {
    fn get(&self, key: &str) -> Option<String> {
        let found = self.known.get(key);
        if found.is_none() {
            self.stop.stop();
        }
        found
    }

    fn put(&self, _key: String, _value: String) {}

    fn finish(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The report of a game if all its verdicts are in `known`; nothing is searched.
///
/// # Errors
/// [`ReviewError::Threads`] if the memory could not be allocated.
pub fn recall_game(
    source: &str,
    record: Record,
    limit: ReviewLimit,
    known: &dyn Known,
) -> Result<Option<GameReport>, ReviewError> {
    // The first moves of many games are the same, so look for the last one first.
    if let Some((&last, moves)) = record.moves.split_last() {
        let mut game = Game::new(record.start);
        for &mv in moves {
            game.play(mv);
        }
        let key = key::key(key::VERDICT, &game, Some(last), limit);
        if known.get(&key).is_none() {
            return Ok(None);
        }
    }
    let stop = Stop::default();
    let only = OnlyKnown { known, stop: &stop };
    review_game(source, record, limit, Some(&only), &stop, &mut |_, _| true)
}
