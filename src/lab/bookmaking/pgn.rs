//! Games from PGN, in batches.
//!
//! The options thread only collects the moves as text; other threads play them. Unusable games are counted and the first
//! few are described.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{KnownOutcome, Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};

use crate::base::progress::Progress;
use crate::chess::{Color, Game, Move, Position};

/// Issues that are described.
const MAX_EXAMPLES: usize = 5;
/// Games in a batch.
const BATCH: usize = 1024;
const DRAW: Outcome = Outcome::Known(KnownOutcome::Draw);
/// Longest tag in bytes; a FEN has less than 100.
const TAG_LINE: usize = 1024;
/// Values of the tag `Variant` that mean chess or Chess960.
const STANDARD_VARIANTS: [&str; 9] = [
    "standard",
    "normal",
    "chess",
    "chess960",
    "chess 960",
    "fischerandom",
    "fischer random",
    "freestyle",
    "from position",
];

/// Whether a value of the tag `Variant` means chess or Chess960.
pub fn is_standard_variant(text: &str) -> bool {
    STANDARD_VARIANTS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(text.trim()))
}

/// One game of a batch.
#[derive(Clone, Debug)]
pub struct GameText {
    /// Number in the file, from 1.
    pub number: u64,
    /// Start position, if not the usual one.
    pub fen: Option<Box<str>>,
    /// Value of the tag `Variant`, if it is neither chess nor Chess960.
    pub variant: Option<Box<str>>,
    /// `None` for a draw or an unknown result.
    pub winner: Option<Color>,
    pub is_draw: bool,
    /// The tags ECO, Opening, Variation and Play, if requested.
    pub names: Option<Box<[String; 4]>>,
    /// Start and end of its moves in the batch.
    moves: (usize, usize),
}

/// Games that are read together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub path: PathBuf,
    pub games: Vec<GameText>,
    sans: Vec<SanPlus>,
    /// Of each move, if requested.
    scores: Vec<Option<f64>>,
}

/// Things that were skipped or are wrong: their number, and a description of the first few.
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
    /// The scores of a game's moves in pawns, as match runners write them, for the side that moved; empty if they were not
    /// requested.
    pub fn scores(&self, game: &GameText) -> &[Option<f64>] {
        self.scores
            .get(game.moves.0..game.moves.1)
            .unwrap_or_default()
    }

    /// Plays a game and calls `visit` with each position and the move played in it. After an error the visited moves
    /// should be discarded.
    ///
    /// # Errors
    /// A message with the file, the number of the game and the reason.
    pub fn play(&self, game: &GameText, mut visit: impl FnMut(&Game, Move)) -> Result<(), String> {
        let message =
            |what: String| format!("{}: game {}: {what}", self.path.display(), game.number);
        if let Some(variant) = &game.variant {
            return Err(message(format!("variant {variant} is not supported")));
        }
        let start = match &game.fen {
            Some(fen) => Position::from_fen(fen).map_err(|error| message(error.to_string()))?,
            None => Position::startpos(),
        };
        let mut played = Game::new(start);
        for (ply, name) in self.sans[game.moves.0..game.moves.1].iter().enumerate() {
            let Some(mv) = played.position().find_san(name.san) else {
                return Err(message(format!(
                    "{name} as ply {} is not legal in {}",
                    ply + 1,
                    played.position().to_fen()
                )));
            };
            visit(&played, mv);
            played.play(mv);
        }
        Ok(())
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

/// Reads the games of a file and passes them to `take` in batches, until it breaks.
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
    let mut file = File::open(path)?;
    let mut head = [0; 2];
    let mut length = 0;
    while length < head.len() {
        match file.read(&mut head[length..])? {
            0 => break,
            read => length += read,
        }
    }
    if matches!(head, [0xff, 0xfe] | [0xfe, 0xff]) {
        skipped.add(|| format!("{}: text in UTF-16, not UTF-8", path.display()));
        return Ok(());
    }
    let counted = Counted {
        source: io::Cursor::new(head[..length].to_vec()).chain(file),
        progress,
    };
    let mut reader = Reader::build(counted)
        .set_supported_tag_line_length(TAG_LINE)
        .finish();
    let mut collector = Collector {
        options,
        batch: Batch {
            path: path.to_owned(),
            ..Batch::default()
        },
        number: 0,
    };
    loop {
        let more = match reader.read_game(&mut collector) {
            Ok(game) => game.is_some(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let number = collector.number;
                skipped.add(|| format!("{}: game {number}: {error}", path.display()));
                true
            }
            Err(error) => return Err(error),
        };
        let full = collector.batch.games.len() >= BATCH;
        if full || (!more && !collector.batch.games.is_empty()) {
            let fresh = Batch {
                path: path.to_owned(),
                ..Batch::default()
            };
            let batch = std::mem::replace(&mut collector.batch, fresh);
            if take(batch).is_break() {
                return Ok(());
            }
        }
        if !more {
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
fn score_in(comment: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(comment).ok()?;
    let (score, _) = text.trim_start().split_once('/')?;
    score.parse().ok().filter(|score: &f64| score.is_finite())
}

/// Collects games into a batch.
struct Collector {
    options: ReadOptions,
    batch: Batch,
    number: u64,
}

/// The tags of a game.
#[derive(Default)]
struct Tags {
    outcome: Option<Outcome>,
    fen: Option<Box<str>>,
    variant: Option<Box<str>>,
    names: [String; 4],
}

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = GameText;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        self.number += 1;
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let text = || value.decode_utf8_lossy().into_owned();
        match name {
            b"Result" => tags.outcome = Outcome::from_ascii(value.as_bytes()).ok(),
            b"FEN" => tags.fen = Some(text().into()),
            b"Variant" => {
                let variant = text();
                tags.variant = (!is_standard_variant(&variant)).then(|| variant.into());
            }
            b"ECO" if self.options.names => tags.names[0] = text(),
            b"Opening" if self.options.names => tags.names[1] = text(),
            b"Variation" if self.options.names => tags.names[2] = text(),
            b"Play" if self.options.names => tags.names[3] = text(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), GameText> {
        let start = self.batch.sans.len();
        ControlFlow::Continue(GameText {
            number: self.number,
            fen: tags.fen,
            variant: tags.variant,
            winner: tags.outcome.and_then(Outcome::winner),
            is_draw: tags.outcome == Some(DRAW),
            names: self.options.names.then(|| Box::new(tags.names)),
            moves: (start, start),
        })
    }

    fn san(&mut self, game: &mut GameText, name: SanPlus) -> ControlFlow<()> {
        if self.batch.sans.len() - game.moves.0 < self.options.max_ply {
            self.batch.sans.push(name);
            if self.options.scores {
                self.batch.scores.push(None);
            }
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut GameText, comment: RawComment<'_>) -> ControlFlow<()> {
        // A comment after the last move that is kept belongs to one that is not.
        let plies = self.batch.sans.len() - game.moves.0;
        if (1..self.options.max_ply).contains(&plies)
            && let Some(last) = self.batch.scores.last_mut()
        {
            *last = score_in(comment.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut GameText, outcome: Outcome) -> ControlFlow<()> {
        game.winner = game.winner.or(outcome.winner());
        game.is_draw |= game.winner.is_none() && outcome == DRAW;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut game: GameText) {
        game.moves.1 = self.batch.sans.len();
        self.batch.games.push(game);
    }
}
