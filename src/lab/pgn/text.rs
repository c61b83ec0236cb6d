//! The text of a game: UTF-8, or else Latin-1.

use std::borrow::Cow;

use thiserror::Error;

use super::splitter::{MAX_GAME, RawGame};

/// Why a game is skipped.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {message}")]
pub struct GameError {
    /// The line of the file, from 1.
    pub line: u64,
    pub message: String,
}

impl GameError {
    /// An error after this much of a game's text.
    pub fn after(raw: &RawGame, before: &str, message: String) -> Self {
        let line = raw.line + before.matches('\n').count() as u64;
        Self { line, message }
    }
}

/// The text of a game or position, if it has no NUL byte and is not too long.
///
/// # Errors
/// [`GameError`] with the line and the reason.
pub fn text_of(raw: &RawGame) -> Result<Cow<'_, str>, GameError> {
    if raw.is_too_long {
        return Err(GameError {
            line: raw.line,
            message: format!("the game is longer than {MAX_GAME} bytes"),
        });
    }
    if let Some(text) = plain(&raw.text) {
        return Ok(Cow::Borrowed(text));
    }
    if let Some(place) = raw.text.iter().position(|&byte| byte == 0) {
        let lines = raw.text[..place].iter().filter(|&&byte| byte == b'\n');
        return Err(GameError {
            line: raw.line + lines.count() as u64,
            message: "a NUL byte".into(),
        });
    }
    Ok(Cow::Owned(decode(&raw.text)))
}

/// A text that needs no change, as those of most games.
fn plain(bytes: &[u8]) -> Option<&str> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    // Whole blocks, since a loop that may end at each byte is slow.
    let mut blocks = bytes.chunks(64);
    let is_text = blocks.all(|block| block.iter().fold(true, |all, &byte| all & is_plain(byte)));
    std::str::from_utf8(bytes).ok().filter(|_| is_text)
}

/// Decodes a text. Control characters other than line breaks and tabs become U+FFFD.
fn decode(bytes: &[u8]) -> String {
    let clean = |letter: char| match letter {
        '\n' | '\t' => letter,
        '\r' => ' ',
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().map(clean).collect(),
        Err(_) => bytes.iter().map(|&byte| clean(char::from(byte))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_read_where_a_text_is_not_utf_8() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller\r\n\x1b[1m"), "Müller \n\u{fffd}[1m");
        assert_eq!(plain(b"1. e4\n"), Some("1. e4\n"));
        assert_eq!(plain(b"1. e4\r\n"), None);
    }
}
