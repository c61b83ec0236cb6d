//! The table of opening names, compiled from named lines.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::lines::BookLine;

/// What all lines through a position have in common.
struct Common {
    /// The least of their ECO codes: the code of an opening precedes those of its variations.
    eco: String,
    opening: Option<String>,
    variation: Option<String>,
}

/// `opening`, or `opening: variation`.
fn full_name(opening: &str, variation: &str) -> String {
    if variation.is_empty() {
        opening.to_owned()
    } else {
        format!("{opening}: {variation}")
    }
}

impl Common {
    fn narrow(&mut self, line: &BookLine) {
        let [eco, opening, variation] = &line.names;
        if *eco < self.eco {
            self.eco.clone_from(eco);
        }
        if self.opening.as_ref() != Some(opening) {
            self.opening = None;
        }
        if self.variation.as_ref() != Some(variation) {
            self.variation = None;
        }
    }

    fn label(&self) -> Option<(String, String)> {
        let variation = self.variation.as_deref().unwrap_or_default();
        let name = full_name(self.opening.as_deref()?, variation);
        Some((self.eco.clone(), name))
    }
}

/// Compiles the text of [`OpeningNames`](crate::book::names::OpeningNames) from named lines. The last position of a line
/// gets its name; a position before it gets the name common to all lines through it, where it differs from the name before.
#[must_use]
pub fn compile(lines: &[BookLine]) -> String {
    let mut common: HashMap<u64, Common> = HashMap::new();
    let mut labels: BTreeMap<u64, (String, String)> = BTreeMap::new();
    for line in lines {
        let [eco, opening, variation] = &line.names;
        for key in line.keys_after() {
            let known = common.entry(key).or_insert_with(|| Common {
                eco: eco.clone(),
                opening: Some(opening.clone()),
                variation: Some(variation.clone()),
            });
            known.narrow(line);
        }
        if let Some(last) = line.keys_after().last() {
            let name = (eco.clone(), full_name(opening, variation));
            labels.entry(last).or_insert(name);
        }
    }
    for line in lines {
        let mut current: Option<(String, String)> = None;
        for key in line.keys_after() {
            if let Some(known) = labels.get(&key) {
                current = Some(known.clone());
            } else if let Some(label) = common.get(&key).and_then(Common::label)
                && current.as_ref() != Some(&label)
            {
                labels.insert(key, label.clone());
                current = Some(label);
            }
        }
    }
    let mut text = String::new();
    for (key, (eco, name)) in labels {
        let _ = writeln!(text, "{key:016x}\t{eco}\t{name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::super::lines;
    use super::*;
    use crate::book::names::OpeningNames;
    use crate::chess::{Game, Position};

    const LINES: &str = r#"
[ECO "C60"]
[Opening "Ruy Lopez"]
[Variation ""]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[ECO "C68"]
[Opening "Ruy Lopez"]
[Variation "Exchange Variation"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *

[ECO "C50"]
[Opening "Italian Game"]
[Variation "Giuoco Piano"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *

[ECO "C99"]
[Opening "Broken"]

1. e4 e5 2. Ke3 *
"#;

    #[test]
    fn a_game_has_the_name_of_its_last_named_position() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(LINES.as_bytes()).unwrap();
        let (lines, skipped) = lines::read(file.path()).unwrap();
        let text = compile(&lines);
        assert_eq!(skipped.count, 1, "{skipped:?}");
        let names = OpeningNames::new(&text);
        let mut game = Game::new(Position::startpos());
        let mut named = Vec::new();
        for text in "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1".split(' ') {
            game.play_uci(text).unwrap();
            named.push(names.of_game(&game).map(|name| name.to_string()));
        }
        let ruy = Some("C60 Ruy Lopez".to_owned());
        assert_eq!(named[..4], [None, None, None, None]);
        assert_eq!(named[4..], [ruy.clone(), ruy.clone(), ruy]);
        let mut game = Game::new(Position::startpos());
        for text in "e2e4 e7e5 g1f3 b8c6 f1c4".split(' ') {
            game.play_uci(text).unwrap();
        }
        let name = names.of_game(&game).map(|name| name.to_string());
        assert_eq!(name, Some("C50 Italian Game: Giuoco Piano".to_owned()));
    }
}
