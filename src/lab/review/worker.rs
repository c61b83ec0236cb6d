//! A thread that reviews games: the verdicts on the moves of a game, from a store or by searches, with their words.

use crossbeam_channel::{Receiver, Sender};

use super::judge::{Judgement, Mark, Scale};
use super::key::{self, VerdictStore};
use super::profile::is_player;
use super::reasons::Reasons;
use super::record::{Item, Record};
use super::report::{GameReport, JudgedMove};
use super::verdict::{FOLLOWED, Judge, ReviewLimit, Verdict};
use super::words;
use crate::chess::{Game, Move};
use crate::explain::Explainer;
use crate::lab::pgn::RawGame;
use crate::lab::shard::Shard;
use crate::search::stop::Stop;

/// How to review.
#[derive(Clone, Debug)]
pub struct ReviewOptions {
    pub limit: ReviewLimit,
    pub scale: Scale,
    pub threads: usize,
    pub shard: Option<Shard>,
    /// Games in which nobody of this name plays are left out.
    pub player: Option<String>,
}

/// A game that was skipped, or a file that ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub source: String,
    /// The number of the game or position, from 1; 0 for the file itself.
    pub number: u64,
    /// It is a position of a list.
    pub is_position: bool,
    /// The line and the reason.
    pub message: String,
}

/// The outcome of a game's review.
#[derive(Clone, Debug)]
pub enum Reviewed {
    Game(Box<GameReport>),
    Fault(Fault),
    /// The player does not play in it.
    LeftOut,
}

impl Reviewed {
    /// Whether it is a position of a list.
    pub const fn is_position(&self) -> bool {
        match self {
            Self::Game(game) => game.record.is_position,
            Self::Fault(fault) => fault.is_position,
            Self::LeftOut => false,
        }
    }
}

pub(super) struct Task {
    pub index: u64,
    pub source: String,
    pub raw: RawGame,
}

/// A finished task; `None` if it was stopped.
pub(super) struct Finished {
    pub index: u64,
    pub result: Option<Reviewed>,
}

/// A thread that reviews games.
pub(super) struct Worker<'a> {
    pub judge: Judge,
    pub explainer: Explainer,
    pub options: &'a ReviewOptions,
    pub known: Option<&'a dyn VerdictStore>,
    pub stop: Stop,
    /// Games before the first one.
    pub before: u64,
}

impl Worker<'_> {
    pub fn serve(&mut self, tasks: &Receiver<Task>, done: &Sender<Finished>) {
        while let Ok(task) = tasks.recv() {
            let Task { index, source, raw } = task;
            let result = match Record::parse(&raw) {
                Err(error) => Some(Reviewed::Fault(Fault {
                    source,
                    number: raw.number,
                    is_position: raw.is_position,
                    message: error.to_string(),
                })),
                Ok(record) if !self.is_wanted(&record) => Some(Reviewed::LeftOut),
                Ok(record) => self.game(source, record, &mut |_, _| true).map(|mut game| {
                    game.index = self.before + index + 1;
                    Reviewed::Game(Box::new(game))
                }),
            };
            if done.send(Finished { index, result }).is_err() {
                break;
            }
        }
    }

    /// Whether the player plays in a game.
    fn is_wanted(&self, record: &Record) -> bool {
        self.options.player.as_ref().is_none_or(|player| {
            let names = ["White", "Black"].map(|name| record.tag(name));
            let is_player = |name: &&str| is_player(name, player);
            names.iter().flatten().any(is_player)
        })
    }

    /// Reviews a game; `None` if it was stopped.
    pub fn game(
        &mut self,
        source: String,
        mut record: Record,
        watch: &mut dyn FnMut(&Game, &JudgedMove) -> bool,
    ) -> Option<GameReport> {
        let ReviewOptions { limit, scale, .. } = *self.options;
        let mut game = Game::new(record.start);
        if record.is_position && record.moves.is_empty() && record.start.has_legal_move() {
            let best = self.verdict(&game, None, &[])?.best;
            record.items.push(Item::of(&record.start, best));
            record.moves.push(best);
        }
        let mut judged = Vec::with_capacity(record.moves.len());
        let mut last = None;
        for (index, &mv) in record.moves.iter().enumerate() {
            let coming = &record.moves[index + 1..];
            let coming = &coming[..coming.len().min(FOLLOWED)];
            let verdict = self.verdict(&game, Some(mv), coming)?;
            let judgement = Judgement::of(&game, mv, last, &verdict, scale);
            let mut text = words::lead(&game, mv, &verdict, &judgement);
            let mut reasons = None;
            if judgement.mark.is_some_and(Mark::is_mistake) {
                let found = self.reasons(&game, mv, coming, &verdict)?;
                text.extend(found.sentences);
                let rating = record.rating(game.position().turn());
                if judgement.lost() >= words::CLEAR_LOSS {
                    let said = words::refutation(&game, mv, &verdict, &text[1..]);
                    text.extend(said);
                    text.extend(words::overlooked(&game, mv, &verdict, rating));
                }
                reasons = Some(found.shares);
            }
            let found = JudgedMove {
                mv,
                verdict,
                judgement,
                text,
                reasons,
            };
            if !watch(&game, &found) {
                return None;
            }
            judged.push(found);
            game.play(mv);
            last = Some(mv);
        }
        Some(GameReport::new(source, record, &judged, limit, scale))
    }

    /// A verdict from the store or by a search; `None` if the search was stopped. `coming`: the next moves of the game.
    fn verdict(&mut self, game: &Game, mv: Option<Move>, coming: &[Move]) -> Option<Verdict> {
        let key = key::key(key::VERDICT, game, mv.as_slice(), self.options.limit);
        let found = if let Some(kept) = self.known_verdict(&key, game) {
            kept
        } else {
            let found = self.judge.verdict(game, mv)?;
            self.keep(key, || found.to_text())?;
            found
        };
        if coming.is_empty() || !found.is_doubtful(game.position()) {
            return Some(found).filter(|_| !self.stop.is_stopped());
        }
        let moves: Vec<Move> = mv.iter().chain(coming).copied().collect();
        let key = key::key(key::FOLLOWED, game, &moves, self.options.limit);
        if let Some(kept) = self.known_verdict(&key, game) {
            return Some(kept).filter(|_| !self.stop.is_stopped());
        }
        let found = self.judge.follow(game, coming, found)?;
        self.keep(key, || found.to_text())?;
        Some(found)
    }

    fn known_verdict(&self, key: &str, game: &Game) -> Option<Verdict> {
        let text = self.known?.get(key)?;
        Verdict::from_text(game.position(), &text)
    }

    /// Why a mistake is one, likewise.
    fn reasons(
        &mut self,
        game: &Game,
        mv: Move,
        coming: &[Move],
        verdict: &Verdict,
    ) -> Option<Reasons> {
        let limit = self.options.limit;
        let moves: Vec<Move> = [mv].iter().chain(coming).copied().collect();
        let key = key::key(key::REASONS, game, &moves, limit);
        let kept = self.known.and_then(|known| known.get(&key));
        if let Some(kept) = kept.and_then(|text| Reasons::from_text(&text)) {
            return Some(kept);
        }
        let found = Reasons::find(game, mv, verdict, &mut self.explainer, limit);
        self.keep(key, || found.to_text())?;
        Some(found)
    }

    /// Keeps a text for later runs; `None` if the text may be incomplete because of a stop.
    fn keep(&self, key: String, text: impl FnOnce() -> String) -> Option<()> {
        if self.stop.is_stopped() {
            return None;
        }
        if let Some(known) = self.known {
            known.put(key, text());
        }
        Some(())
    }
}
