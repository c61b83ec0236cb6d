//! What the engine plays from books.
//! Uses: book, search, chess, random. Used by: engine.
//! Idea: settings are kept until the next `prepare`, as those of the engine are; a move from a book is a proposal that
//! the engine may decline.

use std::collections::hash_map::RandomState;
use std::env;
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use super::{BestMove, Engine, EngineError, Info, Limits, Listener, SearchStats, Ticket, elect};
use crate::base::random::{Random, mix};
use crate::base::value::{Bound, Value};
use crate::book::book_set::BookChoice;
use crate::book::names::OpeningName;
use crate::book::{BookOptions, BookSet, Selection, embedded};
use crate::chess::{Game, Move};

/// A move from a book is looked at with this many nodes before it is played.
const GLANCE_NODES: u64 = 2_000;
/// A move that such a glance sees no worse than this, in centipawns for the mover, is played.
const GLANCE_CONTENT: Value = -50;
/// A move that is seen worse by this than what else there is, in centipawns, is refuted.
const GLANCE_REFUTES: Value = 100;

/// The settings of the opening, the books, and the chance in it.
pub struct Opening {
    on: bool,
    files: OsString,
    options: BookOptions,
    /// The seed asked for; 0: every choice is new.
    seed: u64,
    /// Games begun since the program did.
    games: u64,
    random: Random,
    /// What the opening was last said to be called.
    called: Option<OpeningName<'static>>,
    /// The books, once they have been opened.
    books: Option<BookSet>,
}

impl Opening {
    /// No book, and chance that nobody can foretell.
    pub(super) fn new() -> Self {
        Self {
            on: false,
            files: OsString::new(),
            options: BookOptions::default(),
            seed: 0,
            games: 0,
            random: Random::new(RandomState::new().hash_one(0), 0),
            called: None,
            books: None,
        }
    }

    /// Switches the books on or off.
    pub fn set_on(&mut self, on: bool) {
        self.on = on;
    }

    /// Sets the files, separated as paths are; none means the book in the program. They are opened at the next
    /// [`super::Engine::prepare`].
    pub fn set_files(&mut self, files: OsString) {
        if files != self.files {
            self.files = files;
            self.books = None;
        }
    }

    /// Sets the move of the game after which the books are left.
    pub fn set_last_move(&mut self, last_move: u16) {
        self.options.last_move = last_move;
    }

    /// Sets how a move is chosen.
    pub fn set_selection(&mut self, selection: Selection) {
        self.options.selection = selection;
    }

    /// Sets how far below the best move's weight a move may be, in percent of it.
    pub fn set_variety(&mut self, percent: u8) {
        self.options.variety = percent;
    }

    /// Sets the seed: the same seed plays the same moves in the n-th game; 0 makes every choice anew.
    pub fn set_seed(&mut self, seed: u64) {
        if seed != self.seed {
            self.seed = seed;
            self.games = 0;
        }
    }

    /// A new game begins: another one by chance.
    pub(super) fn new_game(&mut self) {
        self.games += 1;
    }

    /// Opens the books that are to be used and not open yet; those that are none are named.
    pub(super) fn prepare(&mut self, errors: &mut Vec<EngineError>) {
        if !self.on || self.books.is_some() {
            return;
        }
        let files: Vec<PathBuf> = env::split_paths(&self.files)
            .filter(|path| !path.as_os_str().is_empty())
            .collect();
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
                "{path}: cut off; the last {bytes} bytes are left out"
            ));
        }
        self.books = Some(books);
    }

    /// What the opening is called, if the books are in use and that is news.
    pub(super) fn news(&mut self, game: &Game) -> Option<OpeningName<'static>> {
        if !self.on {
            return None;
        }
        let name = embedded::names().of_game(game);
        let is_news = name != self.called;
        self.called = name;
        name.filter(|_| is_news)
    }

    /// A move for the position on the board among these.
    pub(super) fn propose(&mut self, game: &Game, moves: &[Move]) -> Option<BookChoice> {
        let books = self.books.as_ref().filter(|_| self.on)?;
        let chance = if self.seed == 0 {
            self.random.bits()
        } else {
            mix(self.seed ^ mix(self.games))
        };
        books.choose(game, &self.options, chance, |mv| moves.contains(&mv))
    }

    /// The reply that the books like best, where the game goes on after it.
    pub(super) fn reply(&self, game: &Game, mv: Move) -> Option<Move> {
        let mut after = game.clone();
        after.play(mv);
        let (moves, _) = self.books.as_ref()?.moves(&after);
        let reply = moves.first()?.mv;
        after
            .position()
            .play(reply)
            .has_legal_move()
            .then_some(reply)
    }
}

impl Engine {
    /// The answer from the books, if they are to be asked, know the position and name a move that a short search does
    /// not refute. Who analyses wants a search.
    pub(super) fn answer_from_book(
        &mut self,
        game: &Game,
        limits: &Limits,
        moves: &[Move],
        ticket: Ticket,
        listener: &Arc<dyn Listener>,
    ) -> Option<BestMove> {
        if limits.is_endless() || limits.mate.is_some() || self.multi_pv > 1 {
            return None;
        }
        let choice = self.opening.propose(game, moves)?;
        let glance = |moves: &[Move]| -> Option<Value> {
            let silent: Arc<dyn Listener> = Arc::new(());
            let nodes = limits
                .nodes
                .map_or(GLANCE_NODES, |own| own.min(GLANCE_NODES));
            let job = self.search(game, Limits::nodes(nodes), moves.to_vec(), ticket, &silent)?;
            elect(&job).first().map(|line| line.score)
        };
        let score = glance(&[choice.mv]).unwrap_or_default();
        if score < GLANCE_CONTENT
            && glance(moves).is_some_and(|best| best >= score + GLANCE_REFUTES)
        {
            listener.info_string("the move of the book looks refuted: searching");
            return None;
        }
        listener.info_string(&format!(
            "book: one of {} moves, chosen with {} %",
            choice.candidates, choice.percent
        ));
        let ponder = self.opening.reply(game, choice.mv);
        let pv: Vec<Move> = std::iter::once(choice.mv).chain(ponder).collect();
        listener.info(&Info {
            depth: 1,
            selective_depth: pv.len() as u32,
            multi_pv: 1,
            score,
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
