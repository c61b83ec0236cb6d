//! The weights of the levels, and the text file that fitting writes.
//!
//! The file has the line [`MAGIC`], lines of provenance (`key value`), then a section for each [`Group`] with a line
//! `feature weight slope`, and the sections `[from ROLE]` and `[to ROLE]` with eight rows of eight weights, the eighth rank
//! first. A weight holds at a rating of [`CENTRE`]; the slope is added for every [`SPAN`] points. Lines that begin with `#`
//! are comments.

use std::sync::LazyLock;

use thiserror::Error;

use super::feature::{Feature, Features, Group};
use super::place::{Place, TABLES};
use crate::base::text::shortened;
use crate::chess::{Role, role_name};

/// The first line of a file.
pub const MAGIC: &str = "lucena levels 1";
/// The built-in file.
pub const FILE: &str = include_str!("levels.txt");
/// The rating at which the slopes add nothing.
pub const CENTRE: f32 = 1500.0;
/// The rating points of one slope.
pub const SPAN: f32 = 500.0;
/// The ratings to which the weights apply: those of the games that they are fitted to. Beyond them the nearest holds.
pub const RATINGS: [u16; 2] = [800, 2200];
/// A weight is at most this far from 0.
const MOST: f32 = 1000.0;

/// The built-in weights.
pub static BUILT_IN: LazyLock<LevelWeights> = LazyLock::new(|| match parse(FILE) {
    Ok(weights) => weights,
    // A test parses the file.
    Err(error) => panic!("src/engine/level/levels.txt: {error}"),
});

/// The weights of all features and places.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelWeights {
    /// By feature: the weight at [`CENTRE`] and the slope.
    pub features: [[f32; 2]; Feature::COUNT],
    /// By table and place.
    pub places: [[f32; Place::COUNT]; TABLES.len()],
}

/// The weights at one rating.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedWeights {
    pub features: Features,
    pub places: [[f32; Place::COUNT]; TABLES.len()],
}

/// What is wrong with a file, with the line from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LevelsError {
    /// The first line is not [`MAGIC`].
    #[error("line 1: not a file of levels of this version (\"{MAGIC}\" expected)")]
    Version,
    #[error("line {0}: there is no section [{1}]")]
    Section(usize, String),
    #[error("line {0}: [{1}] has no feature `{2}`")]
    Feature(usize, &'static str, String),
    #[error("line {0}: {1} is repeated")]
    Repeated(usize, String),
    #[error("line {0}: {1}: expected {2} numbers, found {3}")]
    Count(usize, String, usize, usize),
    #[error("line {0}: {1}: expected a number from -1000 to 1000, found `{2}`")]
    Number(usize, String, String),
    /// A section or the text ends without a feature, row or section.
    #[error("line {0}: {1} is missing before the end of the section or file")]
    Missing(usize, String),
}

impl LevelWeights {
    /// Weights of 0: every move is as likely as any other.
    pub const ZERO: Self = Self {
        features: [[0.0; 2]; Feature::COUNT],
        places: [[0.0; Place::COUNT]; TABLES.len()],
    };

    /// The weights at a rating, which is limited to [`RATINGS`].
    pub fn at(&self, rating: u16) -> RatedWeights {
        let change = change(rating);
        let mut features = Features::default();
        for (value, [weight, slope]) in features.0.iter_mut().zip(self.features) {
            *value = slope.mul_add(change, weight);
        }
        RatedWeights {
            features,
            places: self.places,
        }
    }
}

/// The multiple of the slopes that counts at a rating.
pub fn change(rating: u16) -> f32 {
    let [low, high] = RATINGS;
    (f32::from(rating.clamp(low, high)) - CENTRE) / SPAN
}

/// The values of the provenance, in the order of their lines.
pub fn provenance(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().skip(1);
    let head = lines.take_while(|line| !line.starts_with('['));
    let entries = head.filter(|line| !line.starts_with('#'));
    entries.filter_map(|line| line.split_once(' '))
}

/// What the lines after a section's header are.
#[derive(Clone, Copy)]
enum Section {
    Features(Group),
    /// The table and the role.
    Places(usize, Role),
}

impl Section {
    fn find(name: &str) -> Option<Self> {
        let group = Group::ALL.into_iter().find(|group| group.name() == name);
        if let Some(group) = group {
            return Some(Self::Features(group));
        }
        let (table, role) = name.split_once(' ')?;
        let table = TABLES.iter().position(|known| *known == table)?;
        let role = Role::ALL
            .into_iter()
            .find(|known| role_name(*known) == role)?;
        Some(Self::Places(table, role))
    }
}

/// The weights in a text.
///
/// # Errors
/// [`LevelsError`] names the first line at fault.
pub fn parse(text: &str) -> Result<LevelWeights, LevelsError> {
    let mut weights = LevelWeights::ZERO;
    let mut lines = (1..).zip(text.lines());
    if lines
        .next()
        .is_none_or(|(_, line)| line.trim_end() != MAGIC)
    {
        return Err(LevelsError::Version);
    }
    let mut section = None;
    let mut has_feature = [false; Feature::COUNT];
    let mut rows = [[0; 6]; TABLES.len()];
    for (number, line) in lines {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            missing(number, section, &has_feature, &rows).map_or(Ok(()), Err)?;
            let name = name.trim_end_matches(']');
            let found = Section::find(name);
            section = Some(found.ok_or_else(|| LevelsError::Section(number, shown(name)))?);
            continue;
        }
        match &mut section {
            None => {}
            Some(Section::Features(group)) => {
                let feature = feature_line(number, *group, line, &mut weights)?;
                if std::mem::replace(&mut has_feature[feature as usize], true) {
                    return Err(LevelsError::Repeated(number, feature.key().to_owned()));
                }
            }
            Some(Section::Places(table, role)) => {
                let name = format!("[{} {}]", TABLES[*table], role_name(*role));
                let done = &mut rows[*table][*role as usize - 1];
                let values = numbers::<8>(number, &name, line)?;
                if *done == 8 {
                    return Err(LevelsError::Repeated(number, name));
                }
                let start = (*role as usize - 1) * 64 + (7 - *done) * 8;
                weights.places[*table][start..start + 8].copy_from_slice(&values);
                *done += 1;
            }
        }
    }
    let last = text.lines().count();
    let groups = Group::ALL.into_iter().map(Section::Features);
    let places =
        (0..TABLES.len()).flat_map(|table| Role::ALL.map(|role| Section::Places(table, role)));
    let found = groups
        .chain(places)
        .find_map(|section| missing(last, Some(section), &has_feature, &rows));
    found.map_or(Ok(weights), Err)
}

/// What a section lacks.
fn missing(
    number: usize,
    section: Option<Section>,
    has_feature: &[bool],
    rows: &[[usize; 6]; TABLES.len()],
) -> Option<LevelsError> {
    let name = match section? {
        Section::Features(group) => {
            let lacking = Feature::of(group).find(|feature| !has_feature[*feature as usize]);
            lacking?.key().to_owned()
        }
        Section::Places(table, role) if rows[table][role as usize - 1] < 8 => {
            format!("a row of [{} {}]", TABLES[table], role_name(role))
        }
        Section::Places(..) => return None,
    };
    Some(LevelsError::Missing(number, name))
}

/// Reads the line of one feature.
fn feature_line(
    number: usize,
    group: Group,
    line: &str,
    weights: &mut LevelWeights,
) -> Result<Feature, LevelsError> {
    let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
    let feature = Feature::from_key(key).filter(|feature| feature.group() == group);
    let unknown = || LevelsError::Feature(number, group.name(), shown(key));
    let feature = feature.ok_or_else(unknown)?;
    weights.features[feature as usize] = numbers::<2>(number, key, rest)?;
    Ok(feature)
}

/// The numbers of a line, which must be `N`.
fn numbers<const N: usize>(number: usize, name: &str, text: &str) -> Result<[f32; N], LevelsError> {
    let mut values = [0.0; N];
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    if words.len() != N {
        return Err(LevelsError::Count(number, name.to_owned(), N, words.len()));
    }
    for (value, word) in values.iter_mut().zip(words) {
        let found = word.parse().ok().filter(|found: &f32| found.abs() <= MOST);
        let wrong = || LevelsError::Number(number, name.to_owned(), shown(word));
        *value = found.ok_or_else(wrong)?;
    }
    Ok(values)
}

fn shown(text: &str) -> String {
    shortened(text, 40)
}

/// The text of a file; `provenance` has whole lines.
pub fn text(weights: &LevelWeights, provenance: &str) -> String {
    use std::fmt::Write as _;
    let mut text = format!("{MAGIC}\n{provenance}");
    for group in Group::ALL {
        let _ = writeln!(text, "[{}]", group.name());
        for feature in Feature::of(group) {
            let [weight, slope] = weights.features[feature as usize];
            let _ = writeln!(text, "{} {weight:.4} {slope:.4}", feature.key());
        }
    }
    for (name, table) in TABLES.iter().zip(&weights.places) {
        for (role, values) in Role::ALL.into_iter().zip(table.chunks(64)) {
            let _ = writeln!(text, "[{name} {}]", role_name(role));
            for row in values.chunks(8).rev() {
                let row: Vec<String> = row.iter().map(|value| format!("{value:.3}")).collect();
                let _ = writeln!(text, "{}", row.join(" "));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn the_built_in_file_is_read_and_written_again() {
        let weights = parse(FILE).expect("a good file");
        let head: String = FILE
            .lines()
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .fold(String::new(), |text, line| text + line + "\n");
        assert_eq!(text(&weights, &head), FILE);
        assert!(provenance(FILE).any(|(key, _)| key == "held-out"));
    }

    #[test]
    fn errors_name_the_line_and_the_field() {
        let place = 1 + FILE
            .lines()
            .position(|line| line.starts_with("check "))
            .expect("a line");
        let changed = |from: &str, to: &str| fault(&FILE.replacen(from, to, 1));
        assert!(fault("lucena levels 0\n").starts_with("line 1: not a file of levels"));
        let unknown = changed("\ncheck ", "\nchess ");
        assert_eq!(
            unknown,
            format!("line {place}: [attends] has no feature `chess`")
        );
        let number = changed("\ncheck ", "\ncheck x");
        assert!(
            number.starts_with(&format!("line {place}: check: expected a number")),
            "{number}"
        );
        let count = changed("\ncheck ", "\ncheck 1 ");
        assert!(count.contains("expected 2 numbers, found 3"), "{count}");
        let section = changed("[attends]", "[attend]");
        assert!(
            section.ends_with("there is no section [attend]"),
            "{section}"
        );
        let header = FILE.lines().position(|line| line == "[overlooks]");
        let without = fault(&FILE.replacen("\nslip_4 ", "\n# slip_4 ", 1));
        let end = 1 + header.expect("a section");
        assert!(
            without.starts_with(&format!("line {end}: slip_4 is missing")),
            "{without}"
        );
        let half = &FILE[..FILE.len() / 2];
        assert!(fault(half).contains("line "), "{}", fault(half));
    }

    #[test]
    fn beyond_the_fitted_ratings_the_nearest_weights_hold() {
        assert_eq!(BUILT_IN.at(2400), BUILT_IN.at(2200));
        assert_ne!(BUILT_IN.at(1200), BUILT_IN.at(1300));
    }
}
