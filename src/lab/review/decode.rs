//! The text of a game: UTF-8, or else Latin-1.

/// Decodes a text. Control characters other than line breaks and tabs become U+FFFD.
pub fn decode(bytes: &[u8]) -> String {
    let clean = |letter: char| match letter {
        '\n' | '\t' => letter,
        '\r' => ' ',
        letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
        letter => letter,
    };
    std::str::from_utf8(bytes).map_or_else(
        |_| bytes.iter().map(|&byte| clean(char::from(byte))).collect(),
        |text| text.chars().map(clean).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_read_where_a_text_is_not_utf_8() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller\r\n\x1b[1m"), "Müller \n\u{fffd}[1m");
    }
}
