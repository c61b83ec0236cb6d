//! A game of a PGN file: its tags, its moves, and its comments, glyphs and variations.

use crate::chess::{Color, Move, Position};
use crate::lab::pgn::RawGame;
use crate::lab::pgn::tags::{Setup, read_all};
use crate::lab::pgn::text::{GameError, text_of};
use crate::lab::pgn::token::{Played, Token, Tokens, read_move};

/// The deepest nesting of variations.
const MAX_NESTING: usize = 100;
/// The most plies of a game.
const MAX_PLIES: usize = 2000;

/// A part of the movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A move in SAN and whether Black plays it, with its move number.
    Move {
        san: String,
        number: u32,
        by_black: bool,
    },
    /// An annotation glyph.
    Nag(u8),
    Comment(String),
    /// The start and the end of a variation, which replaces the move before it.
    Open,
    Close,
}

impl Item {
    /// A move in a position.
    pub fn of(position: &Position, mv: Move) -> Self {
        Self::with_name(position, position.san(mv).to_string())
    }

    fn null(position: &Position) -> Self {
        Self::with_name(position, "--".into())
    }

    fn with_name(position: &Position, san: String) -> Self {
        Self::Move {
            san,
            number: u32::from(position.fullmoves()),
            by_black: position.turn().is_black(),
        }
    }
}

/// A game as it was read; all its moves are legal, those of variations too.
#[derive(Clone, Debug)]
pub struct Record {
    /// Number in the file, from 1.
    pub number: u64,
    /// The line it starts on, from 1.
    pub line: u64,
    /// In the order of the file; of tags with the same name the first counts.
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// The moves of the game.
    pub moves: Vec<Move>,
    pub items: Vec<Item>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The result after the moves, if the tag contradicts it.
    pub other_result: Option<String>,
    /// It is a line of a list of positions, not a game.
    pub is_position: bool,
}

/// A line of moves while it is read: the position, and the one before its last move.
#[derive(Clone, Copy)]
struct Line {
    before: Option<Position>,
    now: Position,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The rating of a player, if the tags give one.
    pub fn rating(&self, color: Color) -> Option<u16> {
        let tag = if color.is_white() {
            "WhiteElo"
        } else {
            "BlackElo"
        };
        self.tag(tag)?.trim().parse().ok()
    }

    /// A game without tags.
    pub fn of_moves(start: Position, moves: &[Move], result: &str) -> Self {
        let mut position = start;
        let items = moves.iter().map(|&mv| {
            let item = Item::of(&position, mv);
            position = position.play(mv);
            item
        });
        Self {
            number: 1,
            line: 1,
            tags: Vec::new(),
            start,
            items: items.collect(),
            moves: moves.to_vec(),
            result: result.into(),
            other_result: None,
            is_position: false,
        }
    }

    /// Reads the text of a game of a PGN file.
    pub(super) fn of_game(raw: &RawGame) -> Result<Self, GameError> {
        let text = text_of(raw)?;
        let fault = |place: usize, message| GameError::after(raw, &text[..place], message);
        let mut tags = Vec::new();
        let (setup, start, place) = read_all(raw, &text, |tag| {
            tags.push((tag.name.to_owned(), tag.value().into_owned()));
        })?;
        let mut record = Self {
            number: raw.number,
            line: raw.line,
            tags,
            start,
            moves: Vec::new(),
            items: Vec::new(),
            result: "*".into(),
            other_result: None,
            is_position: false,
        };
        let mut tokens = Tokens::new(&text, place);
        let result = record
            .read_movetext(&mut tokens, &setup)
            .map_err(|message| fault(tokens.place, message))?;
        let known = result.filter(|result| *result != "*");
        let other = known.filter(|result| setup.result.is_some_and(|tag| tag != *result));
        record.other_result = other.map(str::to_owned);
        if let Some(result) = setup.result.or(known) {
            record.result = result.into();
        }
        Ok(record)
    }

    /// Reads the moves with comments, glyphs and variations, and returns the result.
    fn read_movetext(
        &mut self,
        tokens: &mut Tokens<'_>,
        setup: &Setup,
    ) -> Result<Option<&'static str>, String> {
        let mut line = Line {
            before: None,
            now: self.start,
        };
        let mut outer: Vec<Line> = Vec::new();
        let mut result = None;
        while let Some(token) = tokens.next_token()? {
            match token {
                Token::Comment("") => {}
                Token::Comment(text) => self.items.push(Item::Comment(text.replace('}', ")"))),
                Token::Nag(nag) => self.items.push(Item::Nag(nag)),
                Token::Open => {
                    let Some(before) = line.before else {
                        return Err("a variation comes before the first move".into());
                    };
                    if outer.len() == MAX_NESTING {
                        return Err(format!("variations are nested deeper than {MAX_NESTING}"));
                    }
                    outer.push(line);
                    line = Line {
                        before: None,
                        now: before,
                    };
                    self.items.push(Item::Open);
                }
                Token::Close => {
                    line = outer.pop().ok_or("a variation ends without a start")?;
                    if self.items.last() == Some(&Item::Open) {
                        self.items.pop();
                    } else {
                        self.items.push(Item::Close);
                    }
                }
                Token::Result(text) if outer.is_empty() => result = Some(text),
                Token::Result(_) => {}
                Token::Move(text) => {
                    if result.is_some() && outer.is_empty() {
                        return Err(format!("{text} comes after the result"));
                    }
                    setup.check_number(tokens.first_number)?;
                    line = self.read_move(&line.now, text, outer.is_empty())?;
                }
            }
        }
        if outer.is_empty() {
            Ok(result)
        } else {
            Err("a variation has no end".into())
        }
    }

    fn read_move(
        &mut self,
        position: &Position,
        text: &str,
        is_main: bool,
    ) -> Result<Line, String> {
        let (item, now) = match read_move(position, text)? {
            Played::Null if is_main => return Err("a null move in the game".into()),
            Played::Null if position.in_check() => return Err("a null move in check".into()),
            Played::Null => (Item::null(position), position.play_null()),
            Played::Move(mv) => {
                if is_main {
                    self.moves.push(mv);
                }
                (Item::of(position, mv), position.play(mv))
            }
        };
        if self.moves.len() > MAX_PLIES {
            return Err(format!("the game has more than {MAX_PLIES} plies"));
        }
        self.items.push(item);
        Ok(Line {
            before: Some(*position),
            now,
        })
    }
}
