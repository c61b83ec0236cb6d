//! Games out of PGN, in batches.
//! Uses: chess; pgn-reader. Used by: builder, lines.
//! Idea: the reader of the text only collects names of moves; whoever takes a batch plays them, on as many threads as
//! there are. What cannot be used is counted, and the first few places are named.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};

use crate::base::progress::Progress;
use crate::chess::{Color, Game, Move, Position};

/// As many places of faults are named.
pub const NAMED_FAULTS: usize = 5;
/// Games are handed on this many at a time.
const BATCH: usize = 1024;
/// Tags longer than this many bytes are not read; a FEN has less than a hundred.
const TAG_LINE: usize = 1024;
/// The names under which the rules of chess go; anything else is another game.
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

/// One game of a batch.
#[derive(Clone, Debug)]
pub struct GameText {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins, if not at the first position.
    pub fen: Option<Box<str>>,
    /// What kind of chess, if not the usual one.
    pub variant: Option<Box<str>>,
    /// Who won; `None` for a draw or a game without a result.
    pub winner: Option<Color>,
    /// The tags ECO, Opening, Variation and Play, if they were wanted.
    pub names: Option<Box<[String; 4]>>,
    /// Its moves among those of the batch.
    moves: (usize, usize),
}

/// Games that were read together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The file they come from.
    pub path: PathBuf,
    /// The games.
    pub games: Vec<GameText>,
    sans: Vec<SanPlus>,
}

/// What could not be used, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues {
    /// How many games or files.
    pub count: u64,
    /// The first few, in words.
    pub named: Vec<String>,
}

impl Issues {
    /// Notes one more.
    pub fn note(&mut self, place: impl FnOnce() -> String) {
        self.count += 1;
        if self.named.len() < NAMED_FAULTS {
            self.named.push(place());
        }
    }

    /// Adds those of another.
    pub fn add(&mut self, other: Self) {
        self.count += other.count;
        self.named.extend(other.named);
        self.named.truncate(NAMED_FAULTS);
    }
}

impl Batch {
    /// Plays a game and shows each position with the move made in it. What was shown of a game with a fault in it should
    /// be forgotten: its moves may belong to another game.
    ///
    /// # Errors
    /// What is wrong with the game, in words that name it.
    pub fn play(&self, game: &GameText, mut see: impl FnMut(&Game, Move)) -> Result<(), String> {
        let fault = |what: String| format!("{}: game {}: {what}", self.path.display(), game.number);
        if let Some(variant) = &game.variant {
            return Err(fault(format!("the variant {variant} is not chess")));
        }
        let start = match &game.fen {
            Some(fen) => Position::from_fen(fen).map_err(|error| fault(error.to_string()))?,
            None => Position::startpos(),
        };
        let mut played = Game::new(start);
        for (ply, name) in self.sans[game.moves.0..game.moves.1].iter().enumerate() {
            let Some(mv) = played.position().move_of_san(name.san) else {
                return Err(fault(format!(
                    "{name} as ply {} is not legal in {}",
                    ply + 1,
                    played.position().to_fen()
                )));
            };
            see(&played, mv);
            played.play(mv);
        }
        Ok(())
    }
}

/// How games are to be read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Plies of a game that are read at most.
    pub max_ply: usize,
    /// Whether the names of openings are wanted.
    pub names: bool,
}

/// Reads the games of a file and hands them on in batches until `take` has had enough.
///
/// # Errors
/// What the system said when the file could not be read.
pub fn read_file(
    path: &Path,
    reading: Reading,
    progress: &dyn Progress,
    faults: &mut Issues,
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
        faults.note(|| format!("{}: text in UTF-16, not UTF-8", path.display()));
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
        reading,
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
                faults.note(|| format!("{}: game {number}: {error}", path.display()));
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

/// A source that tells how much of it has been read.
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

/// Puts games into a batch as they are read.
struct Collector {
    reading: Reading,
    batch: Batch,
    number: u64,
}

/// What the tags of a game say.
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
                let standard = STANDARD_VARIANTS
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(variant.trim()));
                tags.variant = (!standard).then(|| variant.into());
            }
            b"ECO" if self.reading.names => tags.names[0] = text(),
            b"Opening" if self.reading.names => tags.names[1] = text(),
            b"Variation" if self.reading.names => tags.names[2] = text(),
            b"Play" if self.reading.names => tags.names[3] = text(),
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
            names: self.reading.names.then(|| Box::new(tags.names)),
            moves: (start, start),
        })
    }

    fn san(&mut self, game: &mut GameText, name: SanPlus) -> ControlFlow<()> {
        if self.batch.sans.len() - game.moves.0 < self.reading.max_ply {
            self.batch.sans.push(name);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut GameText, outcome: Outcome) -> ControlFlow<()> {
        game.winner = game.winner.or(outcome.winner());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut game: GameText) {
        game.moves.1 = self.batch.sans.len();
        self.batch.games.push(game);
    }
}
