//! Reviews of games from stored verdicts only, without a search.

use std::io;

use super::key::{self, VerdictStore};
use super::record::Record;
use super::report::GameReport;
use super::run::{ReviewError, review_game};
use super::verdict::ReviewLimit;
use crate::chess::Game;
use crate::search::stop::Stop;

/// Stops the review at the first text that is not kept or cannot be read.
struct StoreOnly<'a> {
    known: &'a dyn VerdictStore,
    stop: &'a Stop,
}

impl VerdictStore for StoreOnly<'_> {
    fn get(&self, key: &str) -> Option<String> {
        let found = self.known.get(key);
        let found = found.filter(|text| key::check(key, text).is_ok());
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

/// The report of a game if all its verdicts are in `known` and can be read; nothing is searched.
///
/// # Errors
/// [`ReviewError::Threads`] if the memory could not be allocated.
pub fn load_game(
    source: &str,
    record: Record,
    limit: ReviewLimit,
    known: &dyn VerdictStore,
) -> Result<Option<GameReport>, ReviewError> {
    // The first moves of many games are the same, so look for the last one first.
    if let Some((&last, moves)) = record.moves.split_last() {
        let mut game = Game::new(record.start);
        for &mv in moves {
            game.play(mv);
        }
        let key = key::key(key::VERDICT, &game, &[last], limit);
        if known.get(&key).is_none() {
            return Ok(None);
        }
    }
    let stop = Stop::default();
    let only = StoreOnly { known, stop: &stop };
    review_game(source, record, limit, Some(&only), &stop, &mut |_, _| true)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::base::sync::Mutex;
    use crate::lab::pgn::RawGame;

    #[derive(Default)]
    struct Map(Mutex<BTreeMap<String, String>>);

    impl VerdictStore for Map {
        fn get(&self, key: &str) -> Option<String> {
            self.0.lock().get(key).cloned()
        }

        fn put(&self, key: String, value: String) {
            self.0.lock().insert(key, value);
        }

        fn finish(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_verdict_that_cannot_be_read_is_not_searched() {
        let record = || {
            let text = b"1. f3 e5 2. g4 Qh4# 0-1\n".to_vec();
            let raw = RawGame {
                text,
                ..RawGame::default()
            };
            Record::parse(&raw).expect("a game")
        };
        let (limit, known) = (ReviewLimit::Nodes(500), Map::default());
        let recalled = || load_game("test", record(), limit, &known).expect("memory");
        assert!(recalled().is_none());
        let (stop, all) = (Stop::default(), Some(&known as &dyn VerdictStore));
        let found = review_game("test", record(), limit, all, &stop, &mut |_, _| true);
        assert!(found.expect("memory").is_some() && recalled().is_some());
        let keys: Vec<String> = known.0.lock().keys().cloned().collect();
        for key in keys {
            let whole = known.0.lock().insert(key.clone(), "damaged".into());
            assert!(recalled().is_none(), "{key}");
            known.put(key, whole.expect("a text"));
        }
    }
}
