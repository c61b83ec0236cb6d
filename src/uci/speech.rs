//! Sentences in full words, for screen readers, and in ASCII, for programs that accept nothing else.

use crate::chess::{CastlingSide, File, Rank, Role, San, SanPlus, role_name};

/// A text with its moves in words: `14…Rxd2+` becomes `move 14 rook takes d2 check`.
pub fn spoken(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut words: Vec<String> = Vec::new();
        // Whether the last word was a move without punctuation: then the next move belongs to the same line.
        let mut is_open = false;
        for next in line.split(' ') {
            if next == "…" {
                words.last_mut().into_iter().for_each(|last| last.push(','));
                words.push("later".to_owned());
                is_open = false;
                continue;
            }
            let (spoken, is_move) = word(next, is_open);
            if let Some(last) = words.last_mut().filter(|_| is_open && is_move) {
                last.push(',');
            }
            is_open = is_move && !next.ends_with([',', '.', ':', ';', ')']);
            words.push(spoken);
        }
        let text = words.join(" ");
        let text = match text.strip_suffix(", later") {
            Some(cut) => format!("{cut}, and so on."),
            None => text,
        };
        let mut letters = text.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// One move in words: `e5` becomes `pawn to e5`. Other texts stay as they are.
pub fn spoken_move(san: &str) -> String {
    SanPlus::from_ascii(san.as_bytes()).map_or_else(|_| san.to_owned(), in_words)
}

/// A word as it is spoken, and whether it is a move. A square alone is one only in a line of moves.
fn word(word: &str, is_in_line: bool) -> (String, bool) {
    let end = word.trim_end_matches([',', '.', ':', ';', ')']).len();
    let (body, tail) = word.split_at(end);
    let start = body.len() - body.trim_start_matches('(').len();
    let (open, body) = body.split_at(start);
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = body.split_at(digits);
    let san = rest.trim_start_matches(['.', '…']);
    let is_numbered = !number.is_empty() && san.len() < rest.len();
    let is_move =
        is_numbered || is_in_line || san.starts_with(char::is_uppercase) || san.contains('x');
    match SanPlus::from_ascii(san.as_bytes()) {
        Ok(found) if is_move => {
            let number = if is_numbered {
                format!("move {number} ")
            } else {
                String::new()
            };
            (format!("{open}{number}{}{tail}", in_words(found)), true)
        }
        _ => (word.to_owned(), false),
    }
}

fn in_words(mv: SanPlus) -> String {
    let mut text = match mv.san {
        San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } => {
            let from = match (file, rank) {
                (file, rank) if role != Role::Pawn && (file.is_some() || rank.is_some()) => {
                    let letters = file.map(File::char).into_iter();
                    let letters = letters.chain(rank.map(Rank::char));
                    format!(" {}", letters.collect::<String>())
                }
                _ => String::new(),
            };
            let verb = if capture { "takes" } else { "to" };
            let promotion = promotion.map_or_else(String::new, |role| {
                format!(" promoting to a {}", role_name(role))
            });
            // `c pawn takes d6`
            let file = file.filter(|_| role == Role::Pawn && capture);
            let file = file.map_or_else(String::new, |file| format!("{} ", file.char()));
            format!("{file}{}{from} {verb} {to}{promotion}", role_name(role))
        }
        San::Castle(CastlingSide::KingSide) => "castles king side".to_owned(),
        San::Castle(CastlingSide::QueenSide) => "castles queen side".to_owned(),
        San::Put { .. } | San::Null => "no move".to_owned(),
    };
    text += match mv.suffix {
        Some(suffix) if suffix.char() == '+' => " check",
        Some(_) => " mate",
        None => "",
    };
    text
}

/// A text in ASCII: `14…Rd2` becomes `14...Rd2`.
pub fn ascii(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '…' => "...".to_owned(),
            '−' | '–' => "-".to_owned(),
            '’' => "'".to_owned(),
            other if other.is_ascii() => other.to_string(),
            _ => "?".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_put_into_words() {
        assert_eq!(
            spoken("After 4.Nxe5 Qg5, the knight"),
            "After move 4 knight takes e5, queen to g5, the knight"
        );
        assert_eq!(
            spoken("5…d5 loses a pawn on c6: 5…d5 6.Bb5+ c6 … 9.Nxd5."),
            "Move 5 pawn to d5 loses a pawn on c6: move 5 pawn to d5, move 6 bishop to b5 check, pawn to c6, later move 9 \
             knight takes d5."
        );
    }
}
