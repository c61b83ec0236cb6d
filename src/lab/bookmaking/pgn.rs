//! Games from PGN, in batches.
//!
//! One thread only cuts the text into games; other threads read and play them. Unusable games are counted and the first few
//! are described.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::base::progress::Progress;
use crate::chess::{Color, Game, Move, Position};
use crate::lab::pgn::source::decompressed;
use crate::lab::pgn::tags::{Setup, Tag, read_all};
use crate::lab::pgn::text::{GameError, text_of};
use crate::lab::pgn::token::{Played, Token, Tokens, read_move};
use crate::lab::pgn::{RawGame, Splitter, is_utf_16};

/// Issues that are described.
const MAX_EXAMPLES: usize = 5;
/// The most games in a batch, and the most bytes of text except for its last game.
const BATCH: usize = 1024;
const BATCH_BYTES: usize = 1 << 20;

/// Games that are read together.
#[derive(Clone, Debug)]
pub struct Batch {
    pub path: PathBuf,
    pub games: Vec<RawGame>,
    options: ReadOptions,
    bytes: usize,
}

/// What was read of a game besides its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    /// `1-0`, `0-1` or `1/2-1/2`, by the tag or else by the result after the moves.
    result: Option<&'static str>,
    /// The tags ECO, Opening, Variation and Play; empty if not requested.
    pub names: [String; 4],
}

impl GameInfo {
    /// `None` for a draw or an unknown result.
    pub fn winner(&self) -> Option<Color> {
        match self.result {
            Some("1-0") => Some(Color::White),
            Some("0-1") => Some(Color::Black),
            _ => None,
        }
    }

    pub fn is_draw(&self) -> bool {
        self.result == Some("1/2-1/2")
    }
}

/// One element of a game, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A position and the move played in it.
    Move(&'a Game, Move),
    /// The score of the last move in pawns, as match runners write it, for the side that moved.
    Score(f64),
}

/// Things that were skipped or are wrong: their number and a description of the first few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues {
    pub count: u64,
    /// At most 5.
    pub examples: Vec<String>,
}

impl Issues {
    pub fn add(&mut self, describe: impl FnOnce() -> String) {
        self.count += 1;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(describe());
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.examples.extend(other.examples);
        self.examples.truncate(MAX_EXAMPLES);
    }
}

impl Batch {
    fn new(path: &Path, options: ReadOptions) -> Self {
        Self {
            path: path.to_owned(),
            games: Vec::new(),
            options,
            bytes: 0,
        }
    }

    /// A message about a game.
    pub fn message(&self, game: &RawGame, what: impl std::fmt::Display) -> String {
        format!("{}: game {}: {what}", self.path.display(), game.number)
    }

    /// Reads a game and calls `visit` with its moves. After an error the visited moves should be discarded.
    ///
    /// # Errors
    /// A message with the file, the number of the game, the line and the reason.
    pub fn play(
        &self,
        game: &RawGame,
        mut visit: impl FnMut(Step<'_>),
    ) -> Result<GameInfo, String> {
        let info = self.read(game, &mut visit);
        info.map_err(|error| self.message(game, error))
    }

    fn read(&self, raw: &RawGame, visit: &mut impl FnMut(Step<'_>)) -> Result<GameInfo, GameError> {
        let text = text_of(raw)?;
        let fault = |place: usize, message| GameError::after(raw, &text[..place], message);
        if raw.is_position {
            return Err(fault(0, "a position, not a game".into()));
        }
        let mut info = GameInfo::default();
        let (setup, start, place) = read_all(raw, &text, |tag| {
            if self.options.names {
                info.add_name(tag);
            }
        })?;
        let mut tokens = Tokens::new(&text, place);
        let result = self
            .read_moves(&mut tokens, start, &setup, visit)
            .map_err(|message| fault(tokens.place, message))?;
        info.result = setup.result.or(result);
        Ok(info)
    }

    /// Plays the moves outside of variations, and returns the result after them. Moves beyond `max_ply` are not read.
    fn read_moves(
        &self,
        tokens: &mut Tokens<'_>,
        start: Position,
        setup: &Setup,
        visit: &mut impl FnMut(Step<'_>),
    ) -> Result<Option<&'static str>, String> {
        let mut game = Game::new(start);
        let (mut plies, mut depth, mut result) = (0, 0_usize, None);
        let mut is_last_read = false;
        while let Some(token) = tokens.next_token()? {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => {
                    return Err("a variation ends without a start".into());
                }
                Token::Close => depth -= 1,
                _ if depth > 0 => {}
                Token::Result(text) => result = Some(text),
                Token::Move(text) if result.is_some() => {
                    return Err(format!("{text} comes after the result"));
                }
                Token::Move(_) if plies == self.options.max_ply => is_last_read = false,
                Token::Move(text) => {
                    setup.check_number(tokens.first_number)?;
                    let Played::Move(mv) = read_move(game.position(), text)? else {
                        return Err("a null move in the game".into());
                    };
                    visit(Step::Move(&game, mv));
                    game.play(mv);
                    plies += 1;
                    is_last_read = true;
                }
                Token::Comment(text) if self.options.scores && is_last_read => {
                    if let Some(score) = score_in(text) {
                        visit(Step::Score(score));
                    }
                }
                Token::Comment(_) | Token::Nag(_) => {}
            }
        }
        if depth > 0 {
            return Err("a variation has no end".into());
        }
        Ok(result)
    }
}

impl GameInfo {
    fn add_name(&mut self, tag: &Tag<'_>) {
        let names = ["ECO", "Opening", "Variation", "Play"];
        if let Some(place) = names.iter().position(|name| *name == tag.name) {
            self.names[place] = tag.value().into_owned();
        }
    }
}

/// What to read of each game.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Greatest number of plies.
    pub max_ply: usize,
    /// Whether to read the tags of opening names.
    pub names: bool,
    /// Whether to read the scores in comments.
    pub scores: bool,
}

/// Cuts a file, plain or compressed, into games and passes them to `take` in batches, until it breaks.
///
/// # Errors
/// If the file cannot be read.
pub fn read_file(
    path: &Path,
    options: ReadOptions,
    progress: &dyn Progress,
    skipped: &mut Issues,
    take: &mut dyn FnMut(Batch) -> ControlFlow<()>,
) -> io::Result<()> {
    let counted = Counted {
        source: File::open(path)?,
        progress,
    };
    let mut splitter = Splitter::new(decompressed(path, counted)?);
    let mut batch = Batch::new(path, options);
    loop {
        let game = match splitter.next_game() {
            Err(error) if is_utf_16(&error) => {
                skipped.add(|| format!("{}: {error}", path.display()));
                return Ok(());
            }
            game => game?,
        };
        let is_end = game.is_none();
        if let Some(game) = game {
            batch.bytes += game.text.len();
            batch.games.push(game);
        }
        let is_full = batch.games.len() >= BATCH || batch.bytes >= BATCH_BYTES;
        if is_full || (is_end && !batch.games.is_empty()) {
            let full = std::mem::replace(&mut batch, Batch::new(path, options));
            if take(full).is_break() {
                return Ok(());
            }
        }
        if is_end {
            return Ok(());
        }
    }
}

/// Reports the bytes read as progress.
struct Counted<'a, R> {
    source: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}

/// The score in pawns at the start of a comment such as `+0.31/14 0.053s`; `None` without one, and for a mate.
fn score_in(comment: &str) -> Option<f64> {
    let (score, _) = comment.split_once('/')?;
    score.parse().ok().filter(|score: &f64| score.is_finite())
}
