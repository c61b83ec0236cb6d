//! Texts in messages and tables.

/// Linux's error message for a missing file, and the one shown instead.
const MISSING: (&str, &str) = ("No such file or directory (os error 2)", "does not exist");

/// The error for a file that [`is_gzip`] recognises.
pub const GZIP: &str = "compressed with gzip, which is not supported: unpack it first";

/// Whether a file starts as gzip files do.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// A text without the byte order mark that some programs write at its start.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text if it has at most `most` characters; otherwise its start and `…`, `most` characters together.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    start + "…"
}

/// A number with its noun, such as `1 game` or `2 games`.
pub fn plural(count: usize, noun: &str) -> String {
    let nouns = match noun.strip_suffix('y') {
        _ if count == 1 => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    };
    format!("{count} {nouns}")
}

/// A message for people: a missing file "does not exist", whichever library reports it, and control characters, which a
/// terminal would execute, are removed.
pub fn plain_message(message: &str) -> String {
    let visible = |letter: char| match letter {
        '\n' => letter,
        letter if letter.is_control() => '?',
        letter => letter,
    };
    let message: String = message.chars().map(visible).collect();
    message.replace(MISSING.0, MISSING.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_texts_are_cut() {
        assert_eq!(shortened("Réti", 4), "Réti");
        assert_eq!(shortened("Larsen", 4), "Lar…");
        assert_eq!(shortened("", 0), "");
    }

    #[test]
    fn one_is_singular() {
        let texts = [0, 1, 2].map(|count| plural(count, "ply"));
        assert_eq!(texts, ["0 plies", "1 ply", "2 plies"]);
        assert_eq!(plural(3, "game"), "3 games");
    }

    #[test]
    #[cfg(unix)]
    fn missing_files_do_not_exist() {
        let error = std::io::Error::from_raw_os_error(2);
        let message = plain_message(&format!("x.pgn: {error}"));
        assert_eq!(message, "x.pgn: does not exist");
    }
}
