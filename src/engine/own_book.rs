//! The opening book of the engine. A book move is played unless a short search refutes it.

use std::collections::hash_map::RandomState;
use std::env;
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use super::level::Likely;
use super::{BestMove, Engine, EngineError, Info, Limits, Listener, SearchStats, Ticket, elect};
use crate::base::random::{Random, mix};
use crate::base::value::{Bound, Value};
use crate::book::book_set::BookChoice;
use crate::book::names::OpeningName;
use crate::book::{BookMove, BookOptions, BookSet, Selection, embedded};
use crate::chess::{Game, Move};

/// Nodes of the search that checks a book move.
const CHECK_NODES: u64 = 2_000;
/// A book move with at least this score, in centipawns for the mover, is played.
const ACCEPTABLE: Value = -50;
/// A book move this many centipawns worse than the best move is refuted.
const REFUTED: Value = 100;

/// The factor of a book move that a level plays for certain.
const FACTOR_UNIT: f32 = 65_535.0;

/// The settings of the opening book.
#[derive(Debug)]
pub struct OwnBook {
    on: bool,
    files: OsString,
    options: BookOptions,
    /// The last move number at which a personality uses the book.
    personal_last_move: Option<u16>,
    /// 0: a new choice every time.
    seed: u64,
    games: u64,
    random: Random,
    /// The opening name reported last.
    name: Option<OpeningName<'static>>,
    /// The books, once opened.
    books: Option<BookSet>,
}

impl OwnBook {
    pub(super) fn new() -> Self {
        Self {
            on: false,
            files: OsString::new(),
            options: BookOptions::default(),
            personal_last_move: None,
            seed: 0,
            games: 0,
            random: Random::new(RandomState::new().hash_one(0), 0),
            name: None,
            books: None,
        }
    }

    /// Switches the book on or off.
    pub fn set_on(&mut self, on: bool) {
        self.on = on;
    }

    /// Sets the Polyglot files, separated as in `PATH`; empty: the embedded book. Setting the same files again reads them
    /// again.
    pub fn set_files(&mut self, files: OsString) {
        self.files = files;
        self.books = None;
    }

    /// Sets the last move number at which the book is used.
    pub fn set_last_move(&mut self, last_move: u16) {
        self.options.last_move = last_move;
    }

    /// Sets the last move number for a personality; `None`: as set by [`Self::set_last_move`].
    pub fn set_personal_last_move(&mut self, last_move: Option<u16>) {
        self.personal_last_move = last_move;
    }

    /// Sets how a move is chosen.
    pub fn set_selection(&mut self, selection: Selection) {
        self.options.selection = selection;
    }

    /// Sets how far a move's weight may be below the highest, in percent of that.
    pub fn set_variety(&mut self, percent: u8) {
        self.options.variety = percent;
    }

    /// Sets the seed: the same seed chooses the same moves in the n-th game; 0 chooses at random.
    pub fn set_seed(&mut self, seed: u64) {
        if seed != self.seed {
            self.seed = seed;
            self.games = 0;
        }
    }

    pub(super) fn new_game(&mut self) {
        self.games += 1;
        self.name = None;
    }

    /// The moves of the books for a position with their weights, the heaviest first; the book need not be on.
    ///
    /// # Errors
    /// The first fault of the files, when they are opened. What could be read answers the next call.
    pub fn moves(&mut self, game: &Game) -> Result<Vec<BookMove>, EngineError> {
        let mut errors = Vec::new();
        self.open(&mut errors);
        if let Some(error) = errors.into_iter().next() {
            return Err(error);
        }
        Ok(self
            .books
            .as_ref()
            .map_or(Vec::new(), |books| books.moves(game)))
    }

    /// Opens the books, if the book is on.
    pub(super) fn prepare(&mut self, errors: &mut Vec<EngineError>) {
        if self.on {
            self.open(errors);
        }
    }

    /// Opens the books, unless they are open.
    fn open(&mut self, errors: &mut Vec<EngineError>) {
        if self.books.is_some() {
            return;
        }
        // Not all systems have lists of paths; an empty one needs none.
        let files: Vec<PathBuf> = if self.files.is_empty() {
            Vec::new()
        } else {
            let paths = env::split_paths(&self.files);
            paths.filter(|path| !path.as_os_str().is_empty()).collect()
        };
        let (books, faults) = if files.is_empty() {
            match embedded::book() {
                Ok(book) => (BookSet::of(book), Vec::new()),
                Err(error) => (BookSet::default(), vec![error]),
            }
        } else {
            BookSet::open(&files)
        };
        let mut report = |text: String| errors.push(EngineError::Book(text));
        for fault in faults {
            report(fault.to_string());
        }
        for book in books
            .books()
            .iter()
            .filter(|book| book.trailing_bytes() > 0)
        {
            let (path, bytes) = (book.path().display(), book.trailing_bytes());
            report(format!(
                "{path}: truncated; the last {bytes} bytes are ignored"
            ));
        }
        self.books = Some(books);
    }

    /// The name of the opening, if the book is on and the name has changed.
    pub(super) fn new_opening_name(&mut self, game: &Game) -> Option<OpeningName<'static>> {
        if !self.on {
            return None;
        }
        let name = embedded::names().of_game(game);
        let changed = name != self.name;
        self.name = name;
        name.filter(|_| changed)
    }

    /// The options, with the last move of a personality.
    fn options_in_force(&self) -> BookOptions {
        BookOptions {
            last_move: self.personal_last_move.unwrap_or(self.options.last_move),
            ..self.options
        }
    }

    /// Whether the books have a move for this position within the options.
    pub(super) fn has_move(&self, game: &Game) -> bool {
        let books = self.books.as_ref().filter(|_| self.on);
        game.position().fullmoves() <= self.options_in_force().last_move
            && books.is_some_and(|books| !books.moves(game).is_empty())
    }

    /// Chooses one of these moves by the book. If probabilities of a level are given, they multiply the book's weights.
    fn choose(&mut self, game: &Game, moves: &[Move], likely: &[Likely]) -> Option<BookChoice> {
        let books = self.books.as_ref().filter(|_| self.on)?;
        let random = if self.seed == 0 {
            self.random.bits()
        } else {
            mix(self.seed ^ mix(self.games))
        };
        books.choose(game, &self.options_in_force(), random, |mv| {
            let known = likely.iter().find(|likely| likely.mv == mv);
            let factor = known.map_or(1, |known| (known.probability * FACTOR_UNIT) as u64 + 1);
            u64::from(moves.contains(&mv)) * factor
        })
    }

    /// The book's first reply to a move, if the game goes on after it.
    fn reply(&self, game: &Game, mv: Move) -> Option<Move> {
        let mut after = game.clone();
        after.play(mv);
        let moves = self.books.as_ref()?.moves(&after);
        let reply = moves.first()?.mv;
        after
            .position()
            .play(reply)
            .has_legal_move()
            .then_some(reply)
    }
}

impl Engine {
    /// A move of the opening book and its report, without a search; `None` as long as the book has none. The opening's name
    /// is reported if it is new. `likely` gives the probabilities of a level, which multiply the book's weights.
    #[doc(hidden)]
    pub fn book_answer(
        &mut self,
        game: &Game,
        limits: &Limits,
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
        likely: impl FnOnce() -> Vec<Likely>,
    ) -> Option<BestMove> {
        let _ = self.prepare();
        if let Some(name) = self.own_book.new_opening_name(game) {
            listener.info_string(&name.to_string());
        }
        let moves = limits.root_moves(game.position());
        if moves.is_empty() || !self.own_book.has_move(game) {
            return None;
        }
        self.book_move(game, limits, &moves, &likely(), ticket, listener)
    }

    /// A book move, unless a short search refutes it. `None` in analysis and with several variations.
    pub(super) fn book_move(
        &mut self,
        game: &Game,
        limits: &Limits,
        moves: &[Move],
        likely: &[Likely],
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> Option<BestMove> {
        if limits.is_endless() || limits.mate.is_some() || self.multi_pv > 1 {
            return None;
        }
        let choice = self.own_book.choose(game, moves, likely)?;
        let score_of = |moves: &[Move]| -> Option<Value> {
            let silent: Arc<dyn Listener> = Arc::new(());
            let nodes = limits
                .nodes
                .map_or(CHECK_NODES, |limit| limit.min(CHECK_NODES));
            // A root with its moves named is not stored: the score of one move is not that of the position.
            let limits = Limits {
                search_moves: moves.to_vec(),
                ..Limits::nodes(nodes)
            };
            let search = self.run_search(game, limits, moves.to_vec(), ticket, &silent)?;
            elect(&search).first().map(|line| line.score)
        };
        let score = score_of(&[choice.mv]).unwrap_or_default();
        if score < ACCEPTABLE && score_of(moves).is_some_and(|best| best >= score + REFUTED) {
            listener.info_string("book: the move looks refuted, searching");
            return None;
        }
        listener.info_string(&format!(
            "book: one of {} moves, chosen with {} %",
            choice.candidates, choice.percent
        ));
        let ponder = self.own_book.reply(game, choice.mv);
        let pv: Vec<Move> = std::iter::once(choice.mv).chain(ponder).collect();
        listener.info(&Info {
            depth: 1,
            selective_depth: pv.len() as u32,
            multi_pv: 1,
            score: score.into(),
            bound: Bound::Exact,
            stats: SearchStats {
                elapsed: limits.started.elapsed(),
                ..SearchStats::default()
            },
            pv: &pv,
        });
        Some(BestMove {
            best: Some(choice.mv),
            ponder,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Clock;
    use super::*;
    use crate::search::tt::TranspositionTable;

    #[test]
    fn the_check_of_a_book_move_is_no_score_of_the_position() {
        let game = Game::from_words("startpos").expect("a game");
        let mut engine = Engine::new();
        engine.own_book().set_on(true);
        let result = engine.search(&game, Limits::depth(5));
        assert_eq!(result.lines[0].depth, 1, "no book move");
        let key = TranspositionTable::key_of(game.position());
        let found = engine.memory.tts[0].probe(key, 0);
        assert_eq!(found.and_then(|entry| entry.bound), None);
    }

    #[test]
    fn a_book_that_is_set_again_is_read_again() {
        let path = env::temp_dir().join(format!("lucena-again-{}.bin", std::process::id()));
        let mut engine = Engine::new();
        engine.own_book().set_on(true);
        engine.own_book().set_files(path.clone().into_os_string());
        let missing = engine.prepare();
        let written = std::fs::write(&path, &embedded::BYTES[..160]);
        engine.own_book().set_files(path.clone().into_os_string());
        let read = engine.prepare();
        let books = engine
            .own_book
            .books
            .as_ref()
            .map_or(0, |set| set.books().len());
        let _ = std::fs::remove_file(&path);
        assert!(missing.is_err() && written.is_ok());
        assert_eq!((read, books), (Ok(()), 1));
    }

    #[test]
    fn a_book_move_gains_its_increment() {
        let game = Game::from_words("startpos").expect("a game");
        let second = Duration::from_secs(1);
        let mut limits = Limits {
            clock: Some(Clock {
                remaining: second,
                increment: second,
                moves_to_go: None,
            }),
            ..Limits::none()
        };
        let mut engine = Engine::new();
        engine.own_book().set_on(true);
        engine.set_node_time(20);
        engine.search(&game, limits.clone());
        let left = |engine: &mut Engine, limits: &Limits| {
            let next = engine.node_clock.limits(limits.clone(), Duration::ZERO);
            next.clock.map(|clock| clock.remaining)
        };
        assert_eq!(left(&mut engine, &limits), Some(2 * second));
        // Without a ponder hit the move is not played.
        limits.ponder = true;
        let ticket = engine.signal.issue();
        engine.signal.stop_ticket(ticket);
        let listener: Arc<dyn Listener> = Arc::new(());
        let answer = engine.go(&game, limits.clone(), ticket, &listener);
        assert!(answer.best.is_some());
        assert_eq!(left(&mut engine, &limits), Some(2 * second));
    }

    #[test]
    fn the_opening_is_named_in_every_game() {
        let game = Game::from_words("startpos e4 e5 Nf3 Nc6 Bb5").expect("a game");
        let mut engine = Engine::new();
        engine.own_book().set_on(true);
        let mut is_named = || engine.own_book.new_opening_name(&game).is_some();
        assert!(is_named() && !is_named());
        engine.new_game();
        assert!(engine.own_book.new_opening_name(&game).is_some());
    }
}
