//! Words of a line, and excerpts of it for messages.

/// The most characters of input quoted in a message.
const EXCERPT: usize = 60;

/// A short quote for one line of a message: control characters become spaces.
pub fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace(char::is_control, " ")
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

/// All words. Invalid UTF-8 becomes replacement characters, which no parser accepts.
pub fn words(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text)
        .split_ascii_whitespace()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        let text = excerpt(&[b'\x07'; 5000]);
        assert!(text.len() < 80 && !text.contains('\x07'));
    }
}
