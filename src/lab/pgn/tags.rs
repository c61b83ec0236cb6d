//! The tags of a game, such as `[White "Morphy, Paul"]`, and the start position, variant and result that they give.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::splitter::RawGame;
use super::text::GameError;
use super::token;
use crate::base::text::shortened;
use crate::chess::Position;

/// The most characters of a tag in a message.
const EXCERPT: usize = 24;
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

/// Where almost all games start.
static START: LazyLock<Position> = LazyLock::new(Position::startpos);

/// Whether a value of the tag `Variant` means chess or Chess960.
fn is_standard_variant(text: &str) -> bool {
    STANDARD_VARIANTS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(text.trim()))
}

/// A tag as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    pub name: &'a str,
    /// With backslashes before its quotes and backslashes.
    escaped: &'a str,
}

impl<'a> Tag<'a> {
    pub fn value(&self) -> Cow<'a, str> {
        if !self.escaped.contains('\\') {
            return Cow::Borrowed(self.escaped);
        }
        let mut value = String::with_capacity(self.escaped.len());
        let mut letters = self.escaped.chars().peekable();
        while let Some(letter) = letters.next() {
            let escaped = letters.next_if(|&next| letter == '\\' && (next == '"' || next == '\\'));
            value.push(escaped.unwrap_or(letter));
        }
        Cow::Owned(value)
    }
}

/// Reads the tags at the start of a text.
pub struct Tags<'a> {
    text: &'a str,
    /// The place after the last tag read; after all tags, the moves start here.
    pub place: usize,
}

impl<'a> Tags<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, place: 0 }
    }

    /// The next tag; `None` where the moves start. Lines that start with `%` are skipped.
    ///
    /// # Errors
    /// A message about the tag at `place`.
    pub fn next_tag(&mut self) -> Result<Option<Tag<'a>>, String> {
        loop {
            let rest = &self.text[self.place..];
            let rest = rest.trim_start();
            self.place = self.text.len() - rest.len();
            let line = || rest.split('\n').next().unwrap_or_default();
            if rest.starts_with('[') {
                let (tag, length) = read(line())?;
                self.place += length;
                return Ok(Some(tag));
            }
            let before = self.text[..self.place].trim_end_matches([' ', '\t']);
            if rest.starts_with('%') && (before.is_empty() || before.ends_with('\n')) {
                self.place += line().len();
            } else {
                return Ok(None);
            }
        }
    }
}

/// Reads the tags of a game and passes them to `take`; returns what they say, the start position and where the moves start.
///
/// # Errors
/// [`GameError`] with the line and the reason.
pub fn read_all<'a>(
    raw: &RawGame,
    text: &'a str,
    mut take: impl FnMut(&Tag<'a>),
) -> Result<(Setup, Position, usize), GameError> {
    let fault = |place: usize, message| GameError::after(raw, &text[..place], message);
    let (mut setup, mut tags) = (Setup::default(), Tags::new(text));
    while let Some(tag) = (tags.next_tag()).map_err(|message| fault(tags.place, message))? {
        setup
            .add(&tag)
            .map_err(|message| fault(tags.place, message))?;
        take(&tag);
    }
    let start = setup.start().map_err(|message| fault(0, message))?;
    Ok((setup, start, tags.place))
}

/// The tag at the start of a line, and its length.
fn read(line: &str) -> Result<(Tag<'_>, usize), String> {
    let fault = |what: &str| format!("the tag {:?} {what}", shortened(line.trim(), EXCERPT));
    let inside = line[1..].trim_start();
    let is_end = |byte| matches!(byte, b' ' | b'\t' | b'"' | b']');
    let (name, rest) = inside.split_at(inside.bytes().position(is_end).unwrap_or(inside.len()));
    if name.is_empty() {
        return Err(fault("has no name"));
    }
    let rest = rest.trim_start();
    let (escaped, after) = if let Some(rest) = rest.strip_prefix('"') {
        closed(rest).ok_or_else(|| fault("has no end"))?
    } else {
        let (value, after) = rest.split_once(']').ok_or_else(|| fault("has no end"))?;
        if value.contains('"') {
            return Err(fault("cannot be read"));
        }
        (value.trim_end(), after)
    };
    Ok((Tag { name, escaped }, line.len() - after.len()))
}

/// Splits a line after an opening quote into the value and the rest after the tag. A quote inside the value should be
/// escaped, but often is not, and a backslash at its end has no meaning.
fn closed(line: &str) -> Option<(&str, &str)> {
    // Tags are short: a vectorised search for the quote would cost more.
    let quotes = line.bytes().enumerate().filter(|(_, byte)| *byte == b'"');
    quotes.map(|(place, _)| place).find_map(|place| {
        let after = line[place + 1..].trim_start().strip_prefix(']')?;
        let value = &line[..place];
        let backslashes = value.len() - value.trim_end_matches('\\').len();
        let next = after.trim_start();
        let is_last = next.is_empty() || next.starts_with('[');
        (backslashes.is_multiple_of(2) || is_last).then_some((value, after))
    })
}

/// What the tags say about the moves after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    fen: Option<String>,
    /// Neither chess nor Chess960.
    variant: Option<String>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: Option<&'static str>,
    has_tags: bool,
}

impl Setup {
    /// Takes in a tag.
    ///
    /// # Errors
    /// A message if it contradicts an earlier one about the start position.
    pub fn add(&mut self, tag: &Tag<'_>) -> Result<(), String> {
        self.has_tags = true;
        match tag.name {
            "FEN" => {
                let fen = tag.value().into_owned();
                if self.fen.as_ref().is_some_and(|known| *known != fen) {
                    return Err("two FEN tags differ".into());
                }
                self.fen = Some(fen);
            }
            "Variant" => {
                let variant = tag.value();
                if !is_standard_variant(&variant) {
                    self.variant = Some(variant.into_owned());
                }
            }
            "Result" => {
                let known = token::result(tag.value().trim()).filter(|result| *result != "*");
                self.result = self.result.or(known);
            }
            _ => {}
        }
        Ok(())
    }

    /// The position before the first move.
    ///
    /// # Errors
    /// A message, for a variant or an invalid FEN.
    pub fn start(&self) -> Result<Position, String> {
        if let Some(variant) = &self.variant {
            let variant = shortened(variant, EXCERPT);
            return Err(format!("variant {variant} is not supported"));
        }
        let fen = self.fen.as_deref().map(Position::from_fen);
        let start = fen.transpose().map_err(|error| error.to_string())?;
        Ok(start.unwrap_or(*START))
    }

    /// Checks the number before the first move. An empty line ends a game, so one inside the moves leaves a rest that has no
    /// tags: its moves would be read from the start position.
    ///
    /// # Errors
    /// A message if the text is such a rest.
    pub fn check_number(&self, number: Option<u64>) -> Result<(), String> {
        match number {
            Some(number) if number != 1 && !self.has_tags => Err(format!(
                "the moves start with number {number}, without tags: an empty line ends a game"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and values of the tags, with `|` after each, and what stands after them.
    fn tags(text: &str) -> Result<(String, &str), String> {
        let mut tags = Tags::new(text);
        let mut found = String::new();
        while let Some(tag) = tags.next_tag()? {
            found += &[tag.name, "=", &tag.value(), "|"].concat();
        }
        Ok((found, &text[tags.place..]))
    }

    #[test]
    fn tags_are_read_as_people_write_them() {
        for (text, expected, rest) in [
            ("[A \"x\"]\n%no\n [B \"y\"]\n\n1. e4", "A=x|B=y|", "1. e4"),
            ("[A \"x\"] [B \"\"]", "A=x|B=|", ""),
            ("[A \"x\"] 1. e4", "A=x|", "1. e4"),
            (r#"[A "\"x\" \\"]"#, r#"A="x" \|"#, ""),
            (r#"[A "the "x" of y"]"#, r#"A=the "x" of y|"#, ""),
            ("[A \"C:\\\"] [B \"y\"]", "A=C:\\|B=y|", ""),
            ("[ A  \"x\" ]", "A=x|", ""),
            ("[Elo 2400]", "Elo=2400|", ""),
        ] {
            assert_eq!(tags(text), Ok((expected.to_owned(), rest)), "{text}");
        }
    }

    #[test]
    fn damaged_tags_are_errors() {
        for text in [
            "[Result \"1-0",
            "[A",
            "[\"x\"]",
            "[]",
            "[A b \"x\"]",
            "[A \"x\"\n]",
        ] {
            assert!(tags(text).is_err(), "{text}");
        }
        let mut setup = Setup::default();
        for (escaped, is_good) in [("8/8", true), ("8/8", true), ("8/7", false)] {
            let name = "FEN";
            assert_eq!(setup.add(&Tag { name, escaped }).is_ok(), is_good);
        }
    }
}
