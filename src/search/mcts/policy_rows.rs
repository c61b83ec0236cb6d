//! The weights of the policy: one row of numbers for each kind of feature, as text.

use std::fmt::Write as _;

use thiserror::Error;

/// Kinds of features, with the number of weights of each. The order of roles is pawn, knight, bishop, rook, queen, king.
pub const ROWS: [(&str, usize); ROW_COUNT] = [
    ("best in quiescence", 1),
    ("capture that loses material", 36),
    ("capture that keeps material", 36),
    ("promotion", 3),
    ("check that loses material", 6),
    ("check that keeps material", 6),
    ("recapture", 2),
    ("leaves an attack by a pawn", 6),
    ("leaves an attack by a lesser piece", 6),
    ("leaves an attack without protection", 6),
    ("leaves an attack", 6),
    ("goes under attack by a pawn", 6),
    ("goes under attack by a lesser piece", 6),
    ("goes under attack and is lost", 6),
    ("goes under attack", 6),
    ("attacks a queen", 6),
    ("attacks a rook", 6),
    ("attacks a minor piece", 6),
    ("attacks an unprotected piece", 6),
    ("castles", 1),
    ("squares at the enemy king", 24),
    ("evasion", 3),
    ("passed pawn", 8),
    ("from square, middlegame", 384),
    ("to square, middlegame", 384),
    ("from square, endgame", 384),
    ("to square, endgame", 384),
];

const ROW_COUNT: usize = 27;
/// Names of rows in older files, and their present names.
const OLD_NAMES: [(&str, &str); 1] = [("goes where it is lost", "goes under attack and is lost")];

/// The number of weights.
pub const WEIGHTS: usize = start(ROW_COUNT);

/// The index of the first weight of a row.
pub const fn start(row: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < row {
        sum += ROWS[index].1;
        index += 1;
    }
    sum
}

/// The name of the row that a weight belongs to.
pub fn name_of(weight: usize) -> &'static str {
    let row = (0..ROW_COUNT).rev().find(|&row| start(row) <= weight);
    row.map_or("", |row| ROWS[row].0)
}

/// Why a text is not a policy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PolicyError {
    #[error("line {0}: no such row: {1}")]
    Row(usize, String),
    #[error("line {line}: expected {expected} numbers, found {found}")]
    Count {
        line: usize,
        expected: usize,
        found: usize,
    },
    #[error("line {0}: not a number: {1}")]
    Number(usize, String),
    #[error("no row {0:?}")]
    Missing(&'static str),
}

/// Reads the weights: lines `name: numbers`; lines that begin with `#` are comments.
///
/// # Errors
/// [`PolicyError`] names the line or the row at fault.
pub fn parse(text: &str) -> Result<Vec<f32>, PolicyError> {
    let mut weights = vec![f32::NAN; WEIGHTS];
    let lines = (1..).zip(text.lines());
    for (line, content) in lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
        let (name, numbers) = content.split_once(':').unwrap_or((content, ""));
        let renamed = OLD_NAMES.iter().find(|(old, _)| *old == name);
        let name = renamed.map_or(name, |(_, now)| now);
        let row = ROWS.iter().position(|&(known, _)| known == name);
        let row = row.ok_or_else(|| PolicyError::Row(line, name.to_owned()))?;
        let numbers: Vec<&str> = numbers.split_whitespace().collect();
        let expected = ROWS[row].1;
        if numbers.len() != expected {
            let found = numbers.len();
            return Err(PolicyError::Count {
                line,
                expected,
                found,
            });
        }
        for (weight, number) in weights[start(row)..].iter_mut().zip(numbers) {
            let value = number.parse().ok().filter(|value: &f32| value.is_finite());
            *weight = value.ok_or_else(|| PolicyError::Number(line, number.to_owned()))?;
        }
    }
    match weights.iter().position(|weight| weight.is_nan()) {
        Some(missing) => Err(PolicyError::Missing(name_of(missing))),
        None => Ok(weights),
    }
}

/// The text of weights, with a comment in front.
pub fn to_text(weights: &[f32], comment: &str) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for (row, (name, count)) in ROWS.iter().enumerate() {
        let _ = write!(text, "{name}:");
        for weight in &weights[start(row)..start(row) + count] {
            let _ = write!(text, " {weight:.2}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_keeps_the_weights() {
        let weights: Vec<f32> = (0..WEIGHTS).map(|index| (index % 7) as f32 / 4.0).collect();
        let text = to_text(&weights, "two\nlines");
        assert!(text.starts_with("# two\n# lines\nbest in quiescence: "));
        let old = text.replace("goes under attack and is lost", "goes where it is lost");
        assert_ne!(old, text);
        assert_eq!(parse(&old), parse(&text));
        assert_eq!(parse(&text), Ok(weights));
    }

    #[test]
    fn faults_are_named() {
        let text = to_text(&[0.0; WEIGHTS], "");
        let error = |text: &str| parse(text).map_err(|error| error.to_string()).err();
        let cut: String = text
            .lines()
            .skip(1)
            .map(|line| line.to_owned() + "\n")
            .collect();
        assert_eq!(error(&cut), Some("no row \"best in quiescence\"".into()));
        let wrong = text.replacen("castles: 0.00", "castles: 0.00 1", 1);
        assert!(error(&wrong).is_some_and(|error| error.ends_with("expected 1 numbers, found 2")));
        let wrong = text.replacen("castles: 0.00", "castles: NaN", 1);
        assert!(error(&wrong).is_some_and(|error| error.ends_with("not a number: NaN")));
        assert_eq!(
            error("castle: 1"),
            Some("line 1: no such row: castle".into())
        );
    }
}
