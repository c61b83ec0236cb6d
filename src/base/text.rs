//! Texts in messages and tables.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

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

/// Bytes of the longest text file of weights that is read.
pub const MAX_TEXT: u64 = 1 << 24;

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// It cannot be read, is empty, longer or no regular file, or a line is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let refused = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    // Opening a pipe would block, and a device has no end.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(refused("not a regular file".to_owned()));
    }
    // Reading some files without a length, such as `/proc/kmsg`, would block as well.
    if metadata.len() == 0 {
        return Err(refused("empty".to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(refused(format!("longer than {} KiB", most >> 10)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        refused(format!("line {line}: not UTF-8"))
    })?;
    Ok(without_byte_order_mark(&text).to_owned())
}

/// Text without characters that HTML and SVG read as markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
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
    fn only_short_regular_files_of_utf_8_are_read() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("lucena-text-{}", std::process::id()));
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("the file");
            read_text(&path, 1024).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"a\nb\n"), Ok("a\nb\n".to_owned()));
        assert_eq!(read(b"\xef\xbb\xbfa\n"), Ok("a\n".to_owned()));
        assert_eq!(read(b"a\nb\xff\n"), Err("line 2: not UTF-8".to_owned()));
        assert_eq!(read(b""), Err("empty".to_owned()));
        assert_eq!(read(&[b'a'; 1025]), Err("longer than 1 KiB".to_owned()));
        fs::remove_file(&path).expect("the file");
        let error = read_text(&folder, 1024).expect_err("a folder");
        assert_eq!(error.to_string(), "not a regular file");
    }

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
