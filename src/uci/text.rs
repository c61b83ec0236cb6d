//! Words of a line, and excerpts of it for messages.

use crate::base::text::shortened;

/// The most characters of input quoted in a message.
const EXCERPT: usize = 60;

/// A short quote for one line of a message: control characters become spaces.
pub fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    shortened(&text, EXCERPT).replace(char::is_control, " ")
}

/// The next word and the rest.
pub fn next_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let end = text
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// At most `count` words from the start. Invalid UTF-8 becomes replacement characters, which no parser accepts.
pub fn first_words(text: &[u8], count: usize) -> Vec<String> {
    let mut rest = text;
    let next = std::iter::from_fn(|| {
        let (word, after) = next_word(rest)?;
        rest = after;
        Some(String::from_utf8_lossy(word).into_owned())
    });
    next.take(count).collect()
}

/// `; did you mean NAME?` for the name that a misspelt word is most like, or nothing if it is like none.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let word = word.to_lowercase();
    let length = word.chars().count();
    let distances = names
        .into_iter()
        .map(|name| (strsim::osa_distance(&word, &name.to_lowercase()), name));
    match distances.min() {
        // At most one edit per three letters.
        Some((distance, name)) if 0 < distance && 3 * distance <= length + 1 => {
            format!("; did you mean {name}?")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_gets_the_name_it_is_most_like() {
        let names = ["go", "eval", "bench", "position", "Move Overhead"];
        for (word, name) in [
            ("gp", "go"),
            ("evla", "eval"),
            ("postion", "position"),
            ("move overhaed", "Move Overhead"),
        ] {
            assert_eq!(did_you_mean(word, names), format!("; did you mean {name}?"));
        }
        for word in ["", "x", "xboard", "go", "protover", "levels"] {
            assert_eq!(did_you_mean(word, names), "", "{word}");
        }
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        let text = excerpt(&[b'\x07'; 5000]);
        assert!(text.len() < 80 && !text.contains('\x07'));
    }
}
